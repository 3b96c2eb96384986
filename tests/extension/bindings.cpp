#include <nanobind/nanobind.h>

#include "axpby/axpby.h"
#include "axpby/scaled_square.h"
#include "lucid/nanobind.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(_ext, m) {
    m.doc() = "Sample extension for lucid";
    sample::register_ops();
    m.def("axpby", &sample::axpby, "x"_a, "y"_a, "alpha"_a, "beta"_a, nb::kw_only(),
          "stream"_a = nb::none(),
          R"(Scale and sum two tensors elementwise: ``z = alpha * x + beta * y``.

Args:
    x (Tensor): Input tensor.
    y (Tensor): Input tensor; broadcasts with ``x``.
    alpha (float): Scaling factor for ``x``.
    beta (float): Scaling factor for ``y``.

Returns:
    Tensor: ``alpha * x + beta * y``
)");
    m.def(
        "scaled_square",
        [](const lucid::Tensor& x, const lucid::Tensor& scale) {
            return lucid::Tensor(sample::ScaledSquareBackward::forward(x.impl(), scale.impl()));
        },
        "x"_a, "scale"_a);
}
