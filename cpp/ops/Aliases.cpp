#include "lucid/ops/Aliases.h"

LUCID_NAMESPACE_BEGIN

std::vector<Tensor> broadcast_arrays(const std::vector<Tensor>& inputs, StreamOrDevice s) {
    Shape shape;
    for (const Tensor& input : inputs)
        shape = broadcast_shapes("broadcast_arrays", shape, input.shape());
    std::vector<Tensor> outputs;
    for (const Tensor& input : inputs)
        outputs.push_back(broadcast_to(input, Dims(shape.span()), s));
    return outputs;
}

LUCID_NAMESPACE_END
