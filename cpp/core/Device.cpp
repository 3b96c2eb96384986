#include "lucid/core/Device.h"

#include <charconv>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

// Digits only: no sign, no space, no leading zero; false when the text is anything else.
bool parse_index(std::string_view text, int16_t& index) noexcept {
    if (text.empty() || text[0] < '0' || text[0] > '9') return false;
    if (text.size() > 1 && text[0] == '0') return false;
    const char* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, index);
    return failure == std::errc() && stop == end;
}

}  // namespace

std::string to_string(Device device) {
    if (device.type == DeviceType::CPU) return "cpu";
    return "cuda:" + std::to_string(device.index);
}

Device device_from_name(std::string_view name) {
    const size_t colon = name.find(':');
    const std::string_view type = name.substr(0, colon);
    const bool is_cpu = type == "cpu";
    int16_t index = 0;
    const bool known = is_cpu || type == "cuda" || type == "gpu";
    const bool index_ok = colon == std::string_view::npos ||
                          (parse_index(name.substr(colon + 1), index) && (!is_cpu || index == 0));
    if (!known || !index_ok) {
        ErrorBuilder("device", known ? "the index is not valid" : "no device has this name")
            .given("name", "'" + std::string(name) + "'")
            .rule("'cpu', 'cuda' or 'cuda:<index>' ('gpu' means 'cuda'); the index is 0 or more")
            .raise<DeviceMismatch>();
    }
    return {is_cpu ? DeviceType::CPU : DeviceType::CUDA, index};
}

std::string to_string(Stream stream) {
    return "stream " + std::to_string(stream.index) + " of " + to_string(stream.device);
}

LUCID_NAMESPACE_END
