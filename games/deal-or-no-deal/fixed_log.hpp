#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace deal_or_no_deal {

/// A list of at most `Capacity` entries that only grows. It neither allocates nor touches places
/// that are not used, and entries stay where they are, so that views may point to them.
template <class T, std::size_t Capacity>
class FixedLog {
 public:
  FixedLog() = default;
  FixedLog(const FixedLog&) = delete;
  FixedLog& operator=(const FixedLog&) = delete;
  ~FixedLog() { std::destroy_n(data(), size_); }

  /// Adds what `make()` returns, built in place. There must be room: callers' settings are bounded
  /// by Capacity.
  template <class Make>
  const T& add(Make make) {
    return *::new (static_cast<void*>(data() + size_++)) T(make());
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T& back() const { return data()[size_ - 1]; }
  [[nodiscard]] std::span<const T> all() const { return {data(), size_}; }

 private:
  T* data() { return reinterpret_cast<T*>(storage_); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(storage_); }

  alignas(T) std::byte storage_[sizeof(T) * Capacity];
  std::size_t size_ = 0;
};

}  // namespace deal_or_no_deal
