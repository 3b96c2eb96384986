#include "lucid/ops/indexing/IndexChecks.h"

#include "lucid/core/Error.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

void check_index_dtype(const char* op, const Storage& x, const Storage& index) {
    if (index.dtype() == Dtype::Int64 || index.dtype() == Dtype::Int32) return;
    ErrorBuilder(op, "an index must be int64 or int32")
        .given("x", describe(x))
        .given("index", describe(index))
        .rule("index.to(lucid.int64)")
        .raise<DtypeMismatch>();
}

void check_source_dtype(const char* op, const Storage& x, const Storage& source) {
    if (source.dtype() == x.dtype()) return;
    ErrorBuilder(op, "source has another dtype than x")
        .given("x", describe(x))
        .given("source", describe(source))
        .rule("source.to(x.dtype)")
        .raise<DtypeMismatch>();
}

void check_index_shape(const char* op, const char* name, const Storage& x, const Storage& index,
                       int64_t skip_dim) {
    const int64_t rank = std::max<int64_t>(x.ndim(), 1);
    bool fits = rank == std::max<int64_t>(index.ndim(), 1);
    auto size = [](const Storage& s, int64_t dim) { return s.ndim() == 0 ? 1 : s.size(dim); };
    for (int64_t dim = 0; fits && dim < rank; ++dim) {
        fits = dim == skip_dim || size(index, dim) <= size(x, dim);
    }
    if (fits || index.numel() == 0) return;
    ErrorBuilder(op, std::string("index does not fit into ") + name)
        .given(name, describe(x))
        .given("index", describe(index))
        .rule("equal ranks; index no larger than " + std::string(name) +
              (skip_dim < 0 ? "" : " outside dim " + std::to_string(skip_dim)))
        .raise<ShapeMismatch>();
}

LUCID_NAMESPACE_END
