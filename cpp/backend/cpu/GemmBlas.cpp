// The only file that sees a BLAS header. scipy-openblas32 prefixes its symbols, so that they cannot
// clash with NumPy's or torch's copies. Its own threads change bits with their number: it always
// runs on one.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <cblas.h>
#pragma GCC diagnostic pop

#include "lucid/backend/cpu/GemmBlas.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

// matrix (rows, columns) row-major in memory; y = matrix x, or its transpose times x.
template <typename T>
void gemv(CBLAS_TRANSPOSE trans, int64_t rows, int64_t columns, const BlasMatrix& matrix,
          const void* x, int64_t x_stride, void* y, int64_t y_stride) {
    const auto call = [&](auto* function) {
        function(CblasRowMajor, trans, static_cast<blasint>(rows), static_cast<blasint>(columns),
                 T(1), static_cast<const T*>(matrix.data), static_cast<blasint>(matrix.leading),
                 static_cast<const T*>(x), static_cast<blasint>(x_stride), T(0), static_cast<T*>(y),
                 static_cast<blasint>(y_stride));
    };
    if constexpr (sizeof(T) == 4) {
        call(scipy_cblas_sgemv);
    } else {
        call(scipy_cblas_dgemv);
    }
}

template <typename T>
void vector_product(int64_t m, int64_t n, int64_t k, const BlasMatrix& a, const BlasMatrix& b,
                    void* c, int64_t c_leading) {
    // With beta = 0 some gemv kernels scale y first, and nan * 0 stays.
    T* out = static_cast<T*>(c);
    const int64_t stride = n == 1 ? c_leading : 1;
    for (int64_t i = 0; i < (n == 1 ? m : n); ++i) out[i * stride] = T(0);
    if (n == 1) {
        const int64_t x_stride = b.transposed ? 1 : b.leading;
        if (a.transposed) return gemv<T>(CblasTrans, k, m, a, b.data, x_stride, c, c_leading);
        return gemv<T>(CblasNoTrans, m, k, a, b.data, x_stride, c, c_leading);
    }
    const int64_t x_stride = a.transposed ? a.leading : 1;
    if (b.transposed) return gemv<T>(CblasNoTrans, n, k, b, a.data, x_stride, c, 1);
    return gemv<T>(CblasTrans, k, n, b, a.data, x_stride, c, 1);
}

}  // namespace

void blas_gemm(Dtype dtype, int64_t m, int64_t n, int64_t k, BlasMatrix a, BlasMatrix b, void* c,
               int64_t c_leading) {
    static const bool one_thread = [] {
        scipy_openblas_set_num_threads(1);
        return true;
    }();
    static_cast<void>(one_thread);
    if ((m == 1 || n == 1) && dtype == Dtype::Float32) {
        return vector_product<float>(m, n, k, a, b, c, c_leading);
    }
    if ((m == 1 || n == 1) && dtype == Dtype::Float64) {
        return vector_product<double>(m, n, k, a, b, c, c_leading);
    }
    const auto trans = [](const BlasMatrix& matrix) {
        return matrix.transposed ? CblasTrans : CblasNoTrans;
    };
    const blasint rows = static_cast<blasint>(m);
    const blasint columns = static_cast<blasint>(n);
    const blasint inner = static_cast<blasint>(k);
    const blasint lda = static_cast<blasint>(a.leading);
    const blasint ldb = static_cast<blasint>(b.leading);
    const blasint ldc = static_cast<blasint>(c_leading);
    switch (dtype) {
        case Dtype::Float32:
            return scipy_cblas_sgemm(CblasRowMajor, trans(a), trans(b), rows, columns, inner, 1.0f,
                                     static_cast<const float*>(a.data), lda,
                                     static_cast<const float*>(b.data), ldb, 0.0f,
                                     static_cast<float*>(c), ldc);
        case Dtype::Float64:
            return scipy_cblas_dgemm(CblasRowMajor, trans(a), trans(b), rows, columns, inner, 1.0,
                                     static_cast<const double*>(a.data), lda,
                                     static_cast<const double*>(b.data), ldb, 0.0,
                                     static_cast<double*>(c), ldc);
        case Dtype::Complex64: {
            const complex64_t one(1);
            const complex64_t zero(0);
            return scipy_cblas_cgemm(CblasRowMajor, trans(a), trans(b), rows, columns, inner, &one,
                                     a.data, lda, b.data, ldb, &zero, c, ldc);
        }
        case Dtype::Complex128: {
            const complex128_t one(1);
            const complex128_t zero(0);
            return scipy_cblas_zgemm(CblasRowMajor, trans(a), trans(b), rows, columns, inner, &one,
                                     a.data, lda, b.data, ldb, &zero, c, ldc);
        }
        default: assertion_failed("a dtype of BLAS", __FILE__, __LINE__);
    }
}

}  // namespace cpu
LUCID_NAMESPACE_END
