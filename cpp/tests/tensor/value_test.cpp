#include <gtest/gtest.h>

#include "lucid/backend/Allocator.h"
#include "lucid/core/Error.h"
#include "lucid/tensor/TensorImpl.h"

namespace {

using namespace lucid;

class Promise final : public PendingRef {
public:
    explicit Promise(Ref<Buffer> buffer) : buffer_(std::move(buffer)) {}
    Ref<Buffer> force() override {
        ++forced;
        if (!buffer_) throw ShapeMismatch("the op failed");
        return buffer_;
    }
    void start() override {}
    bool is_ready() const noexcept override { return false; }
    size_t nbytes() const noexcept override { return 16; }
    int forced = 0;

private:
    Ref<Buffer> buffer_;
};

TEST(Value, ReadyGivesItsBuffer) {
    const Ref<Buffer> buffer = allocate_cpu(16);
    const Value value(buffer);
    EXPECT_EQ(value.kind(), Value::Kind::Ready);
    EXPECT_EQ(value.force(), buffer);
    EXPECT_EQ(value.ready_buffer(), buffer.get());
    EXPECT_GE(value.nbytes(), 16u);
}

TEST(Value, PendingIsForcedOnRead) {
    auto promise = make_ref<Promise>(allocate_cpu(16));
    const Value value{Ref<PendingRef>(promise)};
    EXPECT_TRUE(value.is_pending());
    EXPECT_EQ(value.nbytes(), 16u);
    EXPECT_EQ(promise->forced, 0);
    value.force();
    EXPECT_EQ(promise->forced, 1);
}

TEST(Value, FailureRaisesEveryTime) {
    const Value value(make_ref<Failure>(std::make_exception_ptr(OutOfMemory("no room"))));
    for (int i = 0; i < 2; ++i) EXPECT_THROW(value.force(), OutOfMemory);
}

TEST(Value, UniqueMeansOneHolder) {
    Value value(allocate_cpu(16));
    EXPECT_TRUE(value.unique());
    const Value other = value;
    EXPECT_FALSE(value.unique());
}

TEST(Box, RebindLeavesTheOldValueToItsHolders) {
    const Ref<Buffer> first = allocate_cpu(4);
    Box box{Value(first)};
    const Value saved = box.value();
    box.rebind(Value(allocate_cpu(4)));
    EXPECT_EQ(saved.force(), first);
    EXPECT_FALSE(box.value() == saved);
}

TEST(Box, VersionCounts) {
    auto box = make_ref<Box>(Value(allocate_cpu(4)));
    EXPECT_EQ(box->version(), 0u);
    box->bump_version();
    EXPECT_EQ(box->version(), 1u);
}

TEST(Storage, ViewSharesTheBoxAndSnapshotDoesNot) {
    const Storage storage = Storage::dense(Value(allocate_cpu(24)), float32, kCpu, Shape{2, 3});
    EXPECT_EQ(storage.strides(), (Strides{3, 1}));
    const Storage column = storage.view(Shape{2}, Strides{3}, 1);
    EXPECT_EQ(column.box(), storage.box());
    EXPECT_EQ(column.data<float>(), storage.data<float>() + 1);
    const Storage snapshot = storage.snapshot();
    EXPECT_FALSE(snapshot.box() == storage.box());
    EXPECT_EQ(snapshot.data(), storage.data());
}

TEST(Tensor, ItemNeedsOneElement) {
    Tensor pair(Storage::dense(Value(allocate_cpu(8)), float32, kCpu, Shape{2}));
    EXPECT_THROW(pair.item(), ShapeMismatch);
    EXPECT_EQ(Tensor(Scalar(2.5), float64).item().to_double(), 2.5);
    EXPECT_THROW(Tensor(Scalar(300), uint8), Overflow);
}

}  // namespace
