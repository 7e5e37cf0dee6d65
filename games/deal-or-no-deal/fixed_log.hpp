#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

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

  /// There must be room: callers' settings are bounded by Capacity.
  T& add(T entry) { return *std::construct_at(data() + size_++, std::move(entry)); }
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
