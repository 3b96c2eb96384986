// A Primitive on the two sides it meets: PrimitiveCall runs it inside the engine, PrimitiveBackward
// asks it for its vjp. Its grad_fn is called what it prints, plus "Backward": "AxpbyBackward".
#include "lucid/autograd/Primitive.h"

#include <sstream>

#include "lucid/autograd/CoreOps.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

std::string name_of_primitive(Primitive& primitive) {
    std::ostringstream text;
    primitive.print(text);
    return text.str();
}

[[noreturn]] void missing_rule(const Primitive& primitive, const char* rule, const char* need) {
    const std::string name = name_of_primitive(const_cast<Primitive&>(primitive));
    ErrorBuilder("", "[" + name + "] " + rule + " is not implemented")
        .rule(need)
        .raise<NotImplementedOp>();
}

class PrimitiveCall final : public OpaqueCall {
public:
    explicit PrimitiveCall(std::shared_ptr<Primitive> primitive)
        : primitive_(std::move(primitive)), name_(name_of_primitive(*primitive_)) {}
    const char* opaque_name() const noexcept override { return name_.c_str(); }

    void run(std::span<const Storage> inputs, std::span<Storage> outputs, Stream stream) override {
        std::vector<array> in;
        for (const Storage& input : inputs) in.emplace_back(input);
        std::vector<array> out;
        for (const Storage& output : outputs) out.emplace_back(output);
        Scoped<bool> no_grad(context().grad_enabled, false);
        const bool on_gpu = stream.device.type == DeviceType::CUDA;
        if (on_gpu) {
            primitive_->eval_gpu(in, out);
        } else {
            primitive_->eval_cpu(in, out);
        }
        const char* rule = on_gpu ? "eval_gpu" : "eval_cpu";
        if (out.size() != outputs.size()) {
            error(rule, "changed the number of outputs")
                .given("given", std::to_string(outputs.size()))
                .given("returned", std::to_string(out.size()))
                .raise<InvalidArgument>();
        }
        for (size_t i = 0; i < outputs.size(); ++i)
            outputs[i] = checked(rule, i, outputs[i], out[i]);
    }

private:
    ErrorBuilder error(const char* rule, const std::string& what) const {
        return ErrorBuilder("", "[" + name_ + "] " + rule + " " + what);
    }

    // The output as it was promised: the same dtype and shape, row-major, with memory.
    Storage checked(const char* rule, size_t i, const Storage& promised, const array& made) const {
        const std::string which = "output " + std::to_string(i);
        if (!made.defined() || !made.storage().box()->value()) {
            error(rule, "gave " + which + " no memory")
                .given(which, describe(promised))
                .rule("out.set_data(allocator::malloc(out.nbytes())) before writing")
                .raise<InvalidArgument>();
        }
        const Storage& storage = made.storage();
        if (storage.dtype() != promised.dtype() || !(storage.shape() == promised.shape()) ||
            !(storage.device() == promised.device())) {
            error(rule, "replaced " + which + " by another kind of array")
                .given("promised", describe(promised))
                .given("made", describe(storage))
                .raise<InvalidArgument>();
        }
        if (storage.offset() == 0 && storage.is_contiguous()) return storage;
        IBackend* backend = Dispatcher::for_device(promised.device());
        Ref<Buffer> memory = backend->allocate(static_cast<size_t>(promised.nbytes()));
        const Storage dense = Storage::dense(Value(std::move(memory)), promised.dtype(),
                                             promised.device(), promised.shape());
        core_ops().write_memory(dense, storage);
        return dense;
    }

    std::shared_ptr<Primitive> primitive_;
    std::string name_;
};

class PrimitiveBackward final : public Node {
public:
    PrimitiveBackward(std::shared_ptr<Primitive> primitive, const std::vector<array>& inputs)
        : primitive_(std::move(primitive)),
          op_name_(name_of_primitive(*primitive_)),
          name_(op_name_ + "Backward") {
        PooledVector<Edge> edges;
        for (const array& input : inputs) {
            edges.push_back(gradient_edge(input));
            inputs_.push_back(SavedTensor::of_input(input));
        }
        set_edges(std::move(edges));
    }
    const char* name() const noexcept override { return name_.c_str(); }
    void save_output(const array& output) {
        const uint32_t output_nr = add_output(output.storage());
        outputs_.push_back(SavedTensor::of_output(output, output_nr));
    }
    void release_saved() noexcept override {
        released_ = true;
        inputs_.clear();
        outputs_.clear();
    }

    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) override {
        if (released_) raise_released(name());
        std::vector<array> primals;
        std::vector<array> outputs;
        std::vector<array> cotangents;
        std::vector<int> argnums;
        for (size_t i = 0; i < inputs_.size(); ++i) {
            primals.push_back(inputs_[i].unpack(name(), "input " + std::to_string(i), this));
            if (needs(i)) argnums.push_back(static_cast<int>(i));
        }
        for (size_t i = 0; i < outputs_.size(); ++i) {
            outputs.push_back(outputs_[i].unpack(name(), "output " + std::to_string(i), this));
            const TensorMeta& meta = output_meta(i);
            cotangents.push_back(grads[i].defined() ? grads[i]
                                                    : core_ops().full(meta.shape, Scalar(0),
                                                                      meta.dtype, meta.device));
        }
        std::vector<array> results = primitive_->vjp(primals, cotangents, argnums, outputs);
        if (results.size() != argnums.size()) {
            ErrorBuilder("", "[" + op_name_ + "] vjp returned the wrong number of arrays")
                .given("argnums", std::to_string(argnums.size()))
                .given("returned", std::to_string(results.size()))
                .rule("one array for each entry of argnums")
                .raise<InvalidArgument>();
        }
        for (size_t k = 0; k < argnums.size(); ++k) {
            grad_inputs[static_cast<size_t>(argnums[k])] = std::move(results[k]);
        }
    }

private:
    std::shared_ptr<Primitive> primitive_;
    std::string op_name_;
    std::string name_;
    std::vector<SavedTensor> inputs_;
    std::vector<SavedTensor> outputs_;
    bool released_ = false;
};

void check_inputs(Primitive& primitive, const std::vector<array>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
        const std::string which = "input " + std::to_string(i);
        const bool defined = inputs[i].defined();
        if (defined && inputs[i].device() == primitive.device()) continue;
        ErrorBuilder error(
            "", "[" + name_of_primitive(primitive) + "] " + which +
                    (defined ? " is on another device than the stream" : " is not an array"));
        if (!defined) error.raise<InvalidArgument>();
        error.given(which, describe(inputs[i]))
            .given("stream", to_string(primitive.stream()))
            .raise<DeviceMismatch>();
    }
}

}  // namespace

Primitive::~Primitive() = default;

void Primitive::eval_gpu(const std::vector<array>&, std::vector<array>&) {
    missing_rule(*this, "eval_gpu", "override eval_gpu, or move the inputs to the CPU");
}

std::vector<array> Primitive::jvp(const std::vector<array>&, const std::vector<array>&,
                                  const std::vector<int>&) {
    missing_rule(*this, "jvp", "override jvp to use forward-mode derivatives");
}

std::vector<array> Primitive::vjp(const std::vector<array>&, const std::vector<array>&,
                                  const std::vector<int>&, const std::vector<array>&) {
    missing_rule(*this, "vjp", "override vjp to differentiate through the primitive");
}

std::pair<std::vector<array>, std::vector<int>> Primitive::vmap(const std::vector<array>&,
                                                                const std::vector<int>&) {
    missing_rule(*this, "vmap", "override vmap to vectorize the primitive");
}

bool Primitive::is_equivalent(const Primitive& other) const { return this == &other; }

std::vector<Tensor> Tensor::make_arrays(const std::vector<Shape>& shapes,
                                        const std::vector<Dtype>& dtypes,
                                        const std::shared_ptr<Primitive>& primitive,
                                        const std::vector<Tensor>& inputs) {
    if (!primitive)
        throw InvalidArgument("array(shape, dtype, primitive, inputs): primitive is null");
    if (shapes.size() != dtypes.size()) {
        ErrorBuilder("[" + name_of_primitive(*primitive) + "] make_arrays",
                     "there must be one dtype for each shape")
            .given("shapes", std::to_string(shapes.size()))
            .given("dtypes", std::to_string(dtypes.size()))
            .raise<InvalidArgument>();
    }
    check_inputs(*primitive, inputs);
    std::vector<const Storage*> operands;
    for (const Tensor& input : inputs) operands.push_back(&input.storage());
    std::vector<OutputSpec> specs;
    for (size_t i = 0; i < shapes.size(); ++i)
        specs.push_back(OutputSpec::dense(dtypes[i], shapes[i]));
    OpCall call;
    call.inputs = operands;
    call.outputs = specs;
    call.stream = primitive->stream();
    call.opaque = std::make_shared<PrimitiveCall>(primitive);
    std::vector<Storage> storages(shapes.size());
    Dispatcher::for_device(primitive->device())->submit(call, storages);

    std::vector<Tensor> outputs;
    outputs.reserve(storages.size());
    for (Storage& storage : storages) outputs.emplace_back(std::move(storage));
    std::vector<const Tensor*> pointers;
    for (const Tensor& input : inputs) pointers.push_back(&input);
    if (!context().grad_enabled || !any_requires_grad(pointers)) return outputs;
    auto node = make_ref<PrimitiveBackward>(primitive, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
        node->save_output(outputs[i]);
        if (is_inexact(outputs[i].dtype())) set_edge(outputs[i], node, static_cast<uint32_t>(i));
    }
    return outputs;
}

Tensor::Tensor(const Shape& shape, Dtype dtype, std::shared_ptr<Primitive> primitive,
               const std::vector<Tensor>& inputs)
    : impl_(make_arrays({shape}, {dtype}, primitive, inputs).front().impl()) {}

void Tensor::set_data(Ref<Buffer> buffer) {
    const size_t needed = static_cast<size_t>(nbytes());
    if (!buffer || buffer->nbytes() < needed) {
        ErrorBuilder("set_data(buffer)", "the memory is too small")
            .given("array", describe(*this))
            .given("buffer", std::to_string(buffer ? buffer->nbytes() : 0) + " bytes")
            .rule("allocator::malloc(out.nbytes())")
            .raise<InvalidArgument>();
    }
    storage().box()->rebind(Value(std::move(buffer)));
}

LUCID_NAMESPACE_END
