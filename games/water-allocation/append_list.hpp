#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace water_allocation {

/// Room for `Capacity` values held in place, of which only those in use are ever touched: a long
/// history costs nothing to set up. Addresses of values stay as they are.
template <class T, std::size_t Capacity>
class AppendList {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  AppendList() {}  // NOLINT: leaves the room as it is, which `= default` in a {} would clear
  AppendList(const AppendList&) = delete;
  AppendList& operator=(const AppendList&) = delete;

  /// Appends T{parts...}, built where it stays. The caller sees to it that there is room.
  template <class... Parts>
  void add(Parts&&... parts) {
    ::new (static_cast<void*>(data() + size_++)) T{std::forward<Parts>(parts)...};
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<T> from(std::size_t first) { return {data() + first, size_ - first}; }

 private:
  T* data() { return reinterpret_cast<T*>(room_); }
  alignas(T) std::byte room_[sizeof(T) * Capacity];
  std::size_t size_ = 0;
};

}  // namespace water_allocation
