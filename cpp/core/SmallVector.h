// A vector with inline room for N trivially copyable elements; longer ones go to the heap. Shapes,
// strides and attribute lists are made by it: no allocation up to rank 6.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

template <typename T, size_t N>
class SmallVector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    SmallVector() noexcept = default;
    explicit SmallVector(size_t count, T value = T()) { resize(count, value); }
    SmallVector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
    explicit SmallVector(std::span<const T> values) {
        assign(values.data(), values.data() + values.size());
    }
    template <typename It>
    requires(!std::is_integral_v<It>) SmallVector(It first, It last) { assign(first, last); }
    SmallVector(const SmallVector& other) { copy(other); }
    SmallVector(SmallVector&& other) noexcept { take(other); }
    SmallVector& operator=(const SmallVector& other) {
        if (this != &other) {
            size_ = 0;
            copy(other);
        }
        return *this;
    }
    SmallVector& operator=(SmallVector&& other) noexcept {
        if (this != &other) {
            release();
            take(other);
        }
        return *this;
    }
    ~SmallVector() { release(); }

    T* data() noexcept { return is_inline() ? inline_data() : heap_; }
    const T* data() const noexcept { return is_inline() ? inline_data() : heap_; }
    size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T* begin() noexcept { return data(); }
    T* end() noexcept { return data() + size_; }
    const T* begin() const noexcept { return data(); }
    const T* end() const noexcept { return data() + size_; }
    T& operator[](size_t i) noexcept { return data()[i]; }
    const T& operator[](size_t i) const noexcept { return data()[i]; }
    T& back() noexcept { return data()[size_ - 1]; }
    const T& back() const noexcept { return data()[size_ - 1]; }
    T& front() noexcept { return data()[0]; }
    const T& front() const noexcept { return data()[0]; }

    void push_back(T value) {
        reserve(size_ + 1);
        data()[size_++] = value;
    }
    void pop_back() noexcept { --size_; }
    void clear() noexcept { size_ = 0; }
    void resize(size_t count, T value = T()) {
        reserve(count);
        for (size_t i = size_; i < count; ++i) data()[i] = value;
        size_ = count;
    }
    void reserve(size_t count) {
        if (count <= capacity_) return;
        const size_t grown = std::max(count, capacity_ * 2);
        T* fresh = static_cast<T*>(std::malloc(grown * sizeof(T)));
        if (fresh == nullptr) throw std::bad_alloc();
        std::memcpy(static_cast<void*>(fresh), data(), size_ * sizeof(T));
        release();
        heap_ = fresh;
        capacity_ = grown;
    }
    template <typename It>
    void assign(It first, It last) {
        size_ = 0;
        reserve(static_cast<size_t>(last - first));
        T* out = data();
        for (; first != last; ++first) out[size_++] = static_cast<T>(*first);
    }
    iterator insert(const_iterator where, T value) {
        const size_t at = static_cast<size_t>(where - begin());
        push_back(value);
        std::rotate(begin() + at, end() - 1, end());
        return begin() + at;
    }
    iterator erase(const_iterator where) noexcept {
        T* at = begin() + (where - begin());
        std::move(at + 1, end(), at);
        --size_;
        return at;
    }

    operator std::span<const T>() const noexcept { return {data(), size_}; }
    std::span<const T> span() const noexcept { return {data(), size_}; }
    friend bool operator==(const SmallVector& a, const SmallVector& b) noexcept {
        if (a.size_ != b.size_) return false;
        const T* x = a.data();
        const T* y = b.data();
        for (size_t i = 0; i < a.size_; ++i) {  // a few elements: a call of memcmp costs more
            if (!(x[i] == y[i])) return false;
        }
        return true;
    }

private:
    bool is_inline() const noexcept { return capacity_ == N; }
    T* inline_data() noexcept { return reinterpret_cast<T*>(inline_); }
    const T* inline_data() const noexcept { return reinterpret_cast<const T*>(inline_); }
    // Of the usual short vector: a copy of a constant number of bytes.
    void copy(const SmallVector& other) {
        if (is_inline() && other.is_inline()) {
            std::memcpy(inline_, other.inline_, sizeof inline_);
            size_ = other.size_;
        } else {
            assign(other.begin(), other.end());
        }
    }
    void release() noexcept {
        if (!is_inline()) std::free(heap_);
        capacity_ = N;
    }
    void take(SmallVector& other) noexcept {
        size_ = other.size_;
        capacity_ = other.capacity_;
        if (other.is_inline()) {
            std::memcpy(inline_, other.inline_, sizeof inline_);  // a constant number of bytes
        } else {
            heap_ = other.heap_;
        }
        other.size_ = 0;
        other.capacity_ = N;
    }

    size_t size_ = 0;
    size_t capacity_ = N;
    union {
        T* heap_;
        alignas(T) std::byte inline_[N * sizeof(T)];
    };
};

LUCID_NAMESPACE_END
