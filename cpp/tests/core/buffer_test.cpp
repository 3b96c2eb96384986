#include "lucid/core/Buffer.h"

#include <gtest/gtest.h>

namespace {

using namespace lucid;

TEST(Buffer, ReleaseRunsOnceWithTheBufferAlive) {
    struct Log {
        int calls = 0;
        void* data = nullptr;
    } log;
    int memory[4] = {};
    const auto release = [](Buffer* buffer) noexcept {
        auto* seen = static_cast<Log*>(buffer->context());
        ++seen->calls;
        seen->data = buffer->data();
        delete buffer;
    };
    Ref<Buffer> buffer = make_ref<Buffer>(memory, sizeof(memory), kCpu, release, &log);
    EXPECT_EQ(buffer->data(), memory);
    EXPECT_EQ(buffer->nbytes(), sizeof(memory));
    EXPECT_EQ(buffer->device(), kCpu);
    EXPECT_FALSE(buffer->pinned());
    EXPECT_FALSE(buffer->read_only());
    buffer->pin();
    EXPECT_TRUE(buffer->pinned());
    Ref<Buffer> second = buffer;
    buffer.reset();
    EXPECT_EQ(log.calls, 0);
    second.reset();
    EXPECT_EQ(log.calls, 1);
    EXPECT_EQ(log.data, memory);
}

TEST(Buffer, WrapFreesItsContextOnce) {
    int frees = 0;
    double memory[2] = {1, 2};
    const Device cuda{DeviceType::CUDA, 1};
    Ref<Buffer> buffer =
        Buffer::wrap(memory, sizeof(memory), cuda, &frees,
                     [](void* context) noexcept { ++*static_cast<int*>(context); });
    EXPECT_EQ(buffer->use_count(), 1);
    EXPECT_EQ(buffer->data(), memory);
    EXPECT_EQ(buffer->nbytes(), sizeof(memory));
    EXPECT_EQ(buffer->device(), cuda);
    EXPECT_TRUE(buffer->pinned());
    buffer->set_read_only();
    EXPECT_TRUE(buffer->read_only());
    Ref<Buffer> second = buffer;
    buffer.reset();
    EXPECT_EQ(frees, 0);
    second.reset();
    EXPECT_EQ(frees, 1);
    EXPECT_EQ(memory[1], 2);
}

TEST(Buffer, WrapWithoutAFunction) {
    char byte = 7;
    Buffer::wrap(&byte, 1, kCpu, nullptr, nullptr).reset();
    EXPECT_EQ(byte, 7);
}

}  // namespace
