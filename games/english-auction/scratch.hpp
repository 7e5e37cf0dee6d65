#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace english_auction {

/// Room for up to `Capacity` values in place, of which only those in use are ever touched: a match
/// needs room for the longest auction that settings allow, and must not pay for it.
template <class T, std::size_t Capacity>
class Scratch {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Scratch() {}  // NOLINT: leaves the storage as it is
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void push_back(const T& value) { add(value); }
  /// push_back() for a caller that goes on writing where the value stays.
  T& add(const T& value) {
    if (size_ == Capacity) throw std::length_error("scratch is full");
    return *std::construct_at(data() + size_++, value);
  }
  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(storage_); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(storage_); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  [[nodiscard]] std::span<T> all() { return {data(), size_}; }
  /// The values from `first` on.
  [[nodiscard]] std::span<const T> from(std::size_t first) const {
    return {data() + first, size_ - first};
  }

 private:
  alignas(T) std::byte storage_[sizeof(T) * Capacity];
  std::size_t size_ = 0;
};

}  // namespace english_auction
