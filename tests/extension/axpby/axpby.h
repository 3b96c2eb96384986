// z = alpha * x + beta * y as a Primitive: the second seed's example (tests/seed/CHANGES.md names
// what was changed).
#pragma once

#include "lucid/lucid.h"

namespace sample {

/// Scale and sum two tensors elementwise: z = alpha * x + beta * y.
/// NumPy-style broadcasting between x and y; integer inputs become floats.
lucid::array axpby(const lucid::array& x, const lucid::array& y, float alpha, float beta,
                   lucid::StreamOrDevice s = {});

class Axpby : public lucid::Primitive {
public:
    Axpby(lucid::Stream stream, float alpha, float beta)
        : lucid::Primitive(stream), alpha_(alpha), beta_(beta) {}

    void eval_cpu(const std::vector<lucid::array>& inputs,
                  std::vector<lucid::array>& outputs) override;

    std::vector<lucid::array> jvp(const std::vector<lucid::array>& primals,
                                  const std::vector<lucid::array>& tangents,
                                  const std::vector<int>& argnums) override;
    std::vector<lucid::array> vjp(const std::vector<lucid::array>& primals,
                                  const std::vector<lucid::array>& cotangents,
                                  const std::vector<int>& argnums,
                                  const std::vector<lucid::array>& outputs) override;
    std::pair<std::vector<lucid::array>, std::vector<int>> vmap(
        const std::vector<lucid::array>& inputs, const std::vector<int>& axes) override;
    void print(std::ostream& os) override { os << "Axpby"; }
    bool is_equivalent(const lucid::Primitive& other) const override;

private:
    float alpha_;
    float beta_;
};

}  // namespace sample
