// TensorImpl: a Storage with optional autograd metadata and at most one Python object. Tensor: the
// value handle that C++ code passes around (alias `array`).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lucid/core/Context.h"
#include "lucid/core/Scalar.h"
#include "lucid/tensor/GraphNode.h"
#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

class Primitive;  // autograd/Primitive.h
class TensorImpl;
using TensorImplPtr = Ref<TensorImpl>;
class Tensor;

// A hook sees a gradient and may return another one (an undefined Tensor leaves it as it is).
// `owner` is the Python callable, for the garbage collector; it may be null.
struct TensorHook {
    uint64_t id;
    std::function<Tensor(const Tensor&)> run;
    void* owner = nullptr;
};

// What autograd knows about a tensor. A tensor that never met autograd has none.
struct AutogradMeta : Pooled {
    bool requires_grad = false;  // of a leaf; a tensor with an edge always requires grad
    bool retains_grad = false;
    bool inference = false;      // made under inference_mode
    Edge edge;                   // where its gradient flows: grad_fn, or empty for a leaf
    Ref<GraphNode> accumulator;  // of a leaf: its AccumulateGrad node, made on first use
    TensorImplPtr grad;
    std::vector<TensorHook> hooks;
    std::vector<TensorHook> post_accumulate_hooks;
    // A differentiable view remembers the tensor that owns the Box. When the Box's version moved
    // on, its edge is made again from the base's (autograd/InPlace.h).
    TensorImplPtr base;
    uint32_t edge_version = 0;
};

class LUCID_API TensorImpl final : public DeferredDelete, public Pooled {
public:
    // NumPy's limit; beyond it no loop is written for.
    static constexpr size_t kMaxRank = 64;

    // Throws ShapeMismatch above kMaxRank dimensions.
    explicit TensorImpl(Storage storage) : storage_(std::move(storage)) {
        if (storage_.shape().size() > kMaxRank) [[unlikely]]
            refuse_rank();
        if (context().inference) [[unlikely]]
            ensure_autograd().inference = true;
    }
    ~TensorImpl() override;

    const Storage& storage() const noexcept { return storage_; }
    // Rebinds the handle itself (set_data, `x.data = y`); views do not follow.
    void set_storage(Storage storage) noexcept { storage_ = std::move(storage); }

    AutogradMeta* autograd() const noexcept { return autograd_.get(); }
    AutogradMeta& ensure_autograd() {
        if (!autograd_) autograd_ = std::make_unique<AutogradMeta>();
        return *autograd_;
    }
    bool requires_grad() const noexcept {
        return autograd_ && (autograd_->requires_grad || autograd_->edge);
    }
    bool is_leaf() const noexcept { return !autograd_ || !autograd_->edge; }

    // A Python scalar in disguise: it does not widen the dtype within its category.
    bool is_weak() const noexcept { return weak_; }
    void set_weak() noexcept { weak_ = true; }

    // The Python object of this impl, owned by Python; null when there is none. The bindings keep
    // it, and install the hook that runs when an impl dies while it owns its Python object.
    void* python_object() const noexcept { return python_object_.load(std::memory_order_acquire); }
    void set_python_object(void* object) noexcept {
        python_object_.store(object, std::memory_order_release);
    }
    // Whether the impl, not Python, keeps the object alive (nobody in Python refers to it now).
    bool owns_python_object() const noexcept { return owns_python_object_; }
    void set_owns_python_object(bool owns) noexcept { owns_python_object_ = owns; }
    static void set_python_release(void (*release)(void* object) noexcept) noexcept;

private:
    [[noreturn]] void refuse_rank() const;

    Storage storage_;
    std::unique_ptr<AutogradMeta> autograd_;
    std::atomic<void*> python_object_{nullptr};
    bool owns_python_object_ = false;
    bool weak_ = false;
};

class LUCID_API Tensor {
public:
    Tensor() noexcept = default;
    explicit Tensor(TensorImplPtr impl) noexcept : impl_(std::move(impl)) {}
    explicit Tensor(Storage storage) : impl_(make_ref<TensorImpl>(std::move(storage))) {}
    // 0-d, on the CPU: a bool, int64, or the default floating or complex dtype; or as `dtype`.
    explicit Tensor(Scalar value);
    Tensor(Scalar value, Dtype dtype);
    // The result of a primitive on `inputs` (autograd/Primitive.h defines it).
    Tensor(const Shape& shape, Dtype dtype, std::shared_ptr<Primitive> primitive,
           const std::vector<Tensor>& inputs);
    static std::vector<Tensor> make_arrays(const std::vector<Shape>& shapes,
                                           const std::vector<Dtype>& dtypes,
                                           const std::shared_ptr<Primitive>& primitive,
                                           const std::vector<Tensor>& inputs);
    // Gives memory to an output inside Primitive::eval_cpu or eval_gpu.
    void set_data(Ref<Buffer> buffer);

    bool defined() const noexcept { return static_cast<bool>(impl_); }
    const TensorImplPtr& impl() const noexcept { return impl_; }
    TensorImpl* operator->() const noexcept { return impl_.get(); }
    const Storage& storage() const noexcept { return impl_->storage(); }

    Dtype dtype() const noexcept { return storage().dtype(); }
    Device device() const noexcept { return storage().device(); }
    const Shape& shape() const noexcept { return storage().shape(); }
    const Strides& strides() const noexcept { return storage().strides(); }
    int64_t ndim() const noexcept { return storage().ndim(); }
    int64_t size(int64_t axis) const noexcept { return storage().size(axis); }
    int64_t size() const noexcept { return storage().numel(); }
    int64_t numel() const noexcept { return storage().numel(); }
    int64_t itemsize() const noexcept { return storage().itemsize(); }
    int64_t nbytes() const noexcept { return storage().nbytes(); }
    bool is_contiguous() const noexcept { return storage().is_contiguous(); }
    bool requires_grad() const noexcept { return impl_ && impl_->requires_grad(); }
    template <typename T>
    T* data() const {
        return storage().template data<T>();
    }
    // The one element, forced. Throws ShapeMismatch unless numel() is 1.
    Scalar item() const;
    friend bool operator==(const Tensor& a, const Tensor& b) noexcept { return a.impl_ == b.impl_; }

private:
    TensorImplPtr impl_;
};

using array = Tensor;

// "float32 (2, 3)  cpu": how error texts describe an input.
LUCID_API std::string describe(const Storage& storage);
inline std::string describe(const Tensor& tensor) { return describe(tensor.storage()); }

LUCID_NAMESPACE_END
