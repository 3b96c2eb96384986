#include "axpby/axpby.h"

#include <stdexcept>

namespace sample {

namespace lc = lucid;

lc::array axpby(const lc::array& x, const lc::array& y, float alpha, float beta,
                lc::StreamOrDevice s) {
    const lc::Dtype promoted = lc::promote_types(x.dtype(), y.dtype());
    // Half types stay half; bool and integers go to float32.
    const lc::Dtype out_dtype =
        lc::issubdtype(promoted, lc::inexact) ? promoted : lc::promote_types(promoted, lc::float32);
    const lc::array x_cast = lc::astype(x, out_dtype, s);
    const lc::array y_cast = lc::astype(y, out_dtype, s);
    const std::vector<lc::array> inputs = lc::broadcast_arrays({x_cast, y_cast}, s);
    return lc::array(inputs[0].shape(), out_dtype,
                     std::make_shared<Axpby>(lc::to_stream(s), alpha, beta), inputs);
}

template <typename T>
void axpby_impl(const lc::array& x, const lc::array& y, lc::array& out, float alpha_, float beta_,
                lc::Stream stream) {
    out.set_data(lc::allocator::malloc(out.nbytes()));
    auto& encoder = lc::cpu::get_command_encoder(stream);
    encoder.set_input_array(x);
    encoder.set_input_array(y);
    encoder.set_output_array(out);
    encoder.dispatch([x_ptr = x.data<T>(), y_ptr = y.data<T>(), out_ptr = out.data<T>(),
                      size = out.size(), shape = out.shape(), x_strides = x.strides(),
                      y_strides = y.strides(), alpha_, beta_]() {
        const T alpha = static_cast<T>(alpha_);
        const T beta = static_cast<T>(beta_);
        for (int64_t i = 0; i < size; ++i) {
            const int64_t x_offset = lc::elem_to_loc(i, shape, x_strides);
            const int64_t y_offset = lc::elem_to_loc(i, shape, y_strides);
            out_ptr[i] = static_cast<T>(alpha * x_ptr[x_offset] + beta * y_ptr[y_offset]);
        }
    });
}

void Axpby::eval_cpu(const std::vector<lc::array>& inputs, std::vector<lc::array>& outputs) {
    const lc::array& x = inputs[0];
    const lc::array& y = inputs[1];
    lc::array& out = outputs[0];
    switch (out.dtype()) {
        case lc::float32: return axpby_impl<float>(x, y, out, alpha_, beta_, stream());
        case lc::float64: return axpby_impl<double>(x, y, out, alpha_, beta_, stream());
        case lc::float16: return axpby_impl<lc::float16_t>(x, y, out, alpha_, beta_, stream());
        case lc::bfloat16: return axpby_impl<lc::bfloat16_t>(x, y, out, alpha_, beta_, stream());
        case lc::complex64: return axpby_impl<lc::complex64_t>(x, y, out, alpha_, beta_, stream());
        default: throw std::runtime_error("Axpby is only supported for floating point types.");
    }
}

std::vector<lc::array> Axpby::jvp(const std::vector<lc::array>& primals,
                                  const std::vector<lc::array>& tangents,
                                  const std::vector<int>& argnums) {
    // One argument: its scale times its tangent. Both: the contributions of both.
    if (argnums.size() == 1) {
        const float scale = argnums[0] == 0 ? alpha_ : beta_;
        return {lc::multiply(lc::array(scale, tangents[0].dtype()), tangents[0], stream())};
    }
    (void)primals;
    return {axpby(tangents[0], tangents[1], alpha_, beta_, stream())};
}

std::vector<lc::array> Axpby::vjp(const std::vector<lc::array>& primals,
                                  const std::vector<lc::array>& cotangents,
                                  const std::vector<int>& argnums,
                                  const std::vector<lc::array>& outputs) {
    (void)primals;
    (void)outputs;
    std::vector<lc::array> vjps;
    for (int argnum : argnums) {
        const float scale = argnum == 0 ? alpha_ : beta_;
        vjps.push_back(
            lc::multiply(lc::array(scale, cotangents[0].dtype()), cotangents[0], stream()));
    }
    return vjps;
}

std::pair<std::vector<lc::array>, std::vector<int>> Axpby::vmap(
    const std::vector<lc::array>& inputs, const std::vector<int>& axes) {
    // Both are elementwise of one shape: bring the batch axis to the front of each; an unbatched
    // input broadcasts along it.
    std::vector<lc::array> moved;
    for (size_t i = 0; i < inputs.size(); ++i) {
        lc::array x = inputs[i];
        if (axes[i] > 0) {
            lc::Dims order{axes[i]};
            for (int64_t d = 0; d < x.ndim(); ++d) {
                if (d != axes[i]) order.push_back(d);
            }
            x = lc::permute(x, order);
        }
        moved.push_back(x);
    }
    return {{axpby(moved[0], moved[1], alpha_, beta_, stream())}, {0}};
}

bool Axpby::is_equivalent(const lc::Primitive& other) const {
    const auto* same = dynamic_cast<const Axpby*>(&other);
    return same != nullptr && same->alpha_ == alpha_ && same->beta_ == beta_;
}

}  // namespace sample
