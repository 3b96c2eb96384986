#include "lucid/core/Device.h"

#include <gtest/gtest.h>

#include "lucid/core/Error.h"

namespace {

using namespace lucid;

TEST(Device, NamesGoBothWays) {
    EXPECT_EQ(to_string(kCpu), "cpu");
    EXPECT_EQ(to_string(Device{DeviceType::CUDA, 0}), "cuda:0");
    EXPECT_EQ(device_from_name("cpu"), kCpu);
    EXPECT_EQ(device_from_name("cpu:0"), kCpu);
    EXPECT_EQ(device_from_name("cuda"), (Device{DeviceType::CUDA, 0}));
    EXPECT_EQ(device_from_name("gpu"), (Device{DeviceType::CUDA, 0}));
    EXPECT_EQ(device_from_name("gpu:0"), (Device{DeviceType::CUDA, 0}));
    for (const int16_t index : {0, 1, 7, 10, 32767}) {
        const Device device{DeviceType::CUDA, index};
        EXPECT_EQ(device_from_name(to_string(device)), device);
    }
}

TEST(Device, RefusesEverythingElse) {
    for (const char* name : {"",         ":",        "cpu:",       "cpu:1",
                             "cpu:-1",   "cuda:",    "cuda:-1",    "cuda:+1",
                             "cuda: 1",  "cuda:1 ",  "cuda:01",    "cuda:00",
                             "cuda:1.0", "cuda:0x1", "cuda:32768", "cuda:99999999999999999999",
                             "cuda:1:2", "cuda1",    "CPU",        "Cuda",
                             " cpu",     "cpu ",     "tpu",        "mps:0"}) {
        EXPECT_THROW(device_from_name(name), DeviceMismatch) << "'" << name << "'";
    }
    EXPECT_THROW(device_from_name(std::string_view("cpu\0", 4)), DeviceMismatch);
}

TEST(Device, TheErrorNamesTheText) {
    try {
        device_from_name("cuda:-1");
        FAIL();
    } catch (const DeviceMismatch& error) {
        EXPECT_STREQ(error.what(),
                     "device: the index is not valid\n"
                     "  name  'cuda:-1'\n"
                     "  rule  'cpu', 'cuda' or 'cuda:<index>' ('gpu' means 'cuda'); the index is 0 "
                     "or more");
    }
    try {
        device_from_name("tpu");
        FAIL();
    } catch (const DeviceMismatch& error) {
        EXPECT_EQ(std::string(error.what()).find("device: no device has this name\n  name  'tpu'"),
                  0u);
    }
}

TEST(Stream, Text) {
    EXPECT_EQ(to_string(Stream{{DeviceType::CUDA, 1}, 3}), "stream 3 of cuda:1");
    EXPECT_EQ(to_string(Stream{}), "stream 0 of cpu");
}

}  // namespace
