// Arrays of any dtype and layout for kernel tests: logical values on one side, strided memory on
// the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "lucid/backend/cpu/View.h"
#include "lucid/core/Scalar.h"

namespace lucid_tests {

struct Layout {
    std::vector<int> order;     // axes from the slowest to the fastest in memory; empty: row-major
    std::vector<int> flipped;   // axes with a negative stride
    std::vector<int> expanded;  // axes with stride 0
    int64_t gap = 1;            // distance of neighbours along the fastest axis
};

class Array {
public:
    Array(lucid::Dtype dtype, std::vector<int64_t> shape, Layout layout = {})
        : dtype_(dtype), shape_(shape.begin(), shape.end()), strides_(shape.size(), 0) {
        if (layout.order.empty()) {
            for (size_t i = 0; i < shape.size(); ++i) layout.order.push_back(static_cast<int>(i));
        }
        int64_t extent = layout.gap;
        for (size_t i = shape.size(); i-- > 0;) {
            const size_t axis = static_cast<size_t>(layout.order[i]);
            bool expanded = false;
            for (int other : layout.expanded) expanded |= static_cast<size_t>(other) == axis;
            if (expanded) continue;
            strides_[axis] = extent;
            extent *= shape_[axis];
        }
        for (int axis : layout.flipped) {
            const size_t a = static_cast<size_t>(axis);
            if (shape_[a] > 0) offset_ += (shape_[a] - 1) * strides_[a];
            strides_[a] = -strides_[a];
        }
        bytes_.assign(static_cast<size_t>(std::max<int64_t>(extent, 1) * lucid::size_of(dtype)),
                      std::byte{0x5a});
    }

    lucid::Dtype dtype() const { return dtype_; }
    const lucid::Shape& shape() const { return shape_; }
    int64_t numel() const { return lucid::numel_of(shape_); }
    lucid::cpu::View view() {
        return {bytes_.data() + offset_ * lucid::size_of(dtype_), dtype_, shape_, strides_};
    }
    lucid::cpu::ConstView view() const {
        return {bytes_.data() + offset_ * lucid::size_of(dtype_), dtype_, shape_, strides_};
    }

    // The address of a logical element by its row-major index.
    std::byte* at(int64_t flat) {
        int64_t offset = offset_;
        for (size_t i = shape_.size(); i-- > 0;) {
            offset += flat % shape_[i] * strides_[i];
            flat /= shape_[i];
        }
        return bytes_.data() + offset * lucid::size_of(dtype_);
    }
    const std::byte* at(int64_t flat) const { return const_cast<Array*>(this)->at(flat); }
    template <typename T>
    T get(int64_t flat) const {
        T value;
        std::memcpy(&value, at(flat), sizeof(T));
        return value;
    }
    template <typename T>
    void set(int64_t flat, T value) {
        std::memcpy(at(flat), &value, sizeof(T));
    }
    double number(int64_t flat) const { return lucid::Scalar::load(dtype_, at(flat)).to_double(); }
    void set_number(int64_t flat, double value) {
        if (lucid::is_integral(dtype_) || dtype_ == lucid::Dtype::Bool) {
            lucid::Scalar(static_cast<int64_t>(value)).store(dtype_, at(flat));
        } else {
            lucid::Scalar(value).store(dtype_, at(flat));
        }
    }

    // Normal values (small integers for integral dtypes), a function of seed and logical index.
    void randomize(unsigned seed) {
        std::mt19937 engine(seed);
        std::normal_distribution<double> normal;
        for (int64_t i = 0; i < numel(); ++i) {
            double value = normal(engine);
            if (dtype_ == lucid::Dtype::Bool) {
                value = value > 1.5;
            } else if (lucid::is_integral(dtype_)) {
                value = static_cast<double>(static_cast<int>(std::abs(value) * 20) % 100);
            } else if (lucid::is_complex(dtype_)) {
                const double imaginary = normal(engine);
                lucid::Scalar(std::complex<double>(value, imaginary)).store(dtype_, at(i));
                continue;
            }
            set_number(i, value);
        }
    }
    // All of it, also what lies between the elements (0x5a until somebody writes there).
    const std::vector<std::byte>& memory() const { return bytes_; }
    // The logical values, row-major, as bytes.
    std::vector<std::byte> logical_bytes() const {
        const size_t item = static_cast<size_t>(lucid::size_of(dtype_));
        std::vector<std::byte> result(static_cast<size_t>(numel()) * item);
        for (int64_t i = 0; i < numel(); ++i) {
            std::memcpy(result.data() + static_cast<size_t>(i) * item, at(i), item);
        }
        return result;
    }
    void copy_logical(const Array& other) {
        for (int64_t i = 0; i < numel(); ++i) {
            std::memcpy(at(i), other.at(i), static_cast<size_t>(lucid::size_of(dtype_)));
        }
    }

private:
    lucid::Dtype dtype_;
    lucid::Shape shape_;
    lucid::Strides strides_;
    int64_t offset_ = 0;
    std::vector<std::byte> bytes_;
};

}  // namespace lucid_tests
