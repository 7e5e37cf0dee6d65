#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>

namespace agon {

/// A list of at most `Capacity` values held in place. It never allocates, and copying it copies no
/// more than what is in it, so that answers and outcomes stay cheap on the hot path.
/// Going over the capacity throws std::length_error.
template <class T, std::size_t Capacity>
class InlineList {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr InlineList() {  // NOLINT(modernize-use-equals-default): large lists are left as they
                            // are
    if constexpr (kSmall) items_ = {};
  }
  constexpr InlineList(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }
  constexpr InlineList(std::size_t n, const T& item) { resize(n, item); }
  constexpr InlineList(const InlineList& other) { assign(other); }
  constexpr InlineList& operator=(const InlineList& other) {
    if (this != &other) assign(other);
    return *this;
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] static constexpr std::size_t max_size() { return Capacity; }
  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }
  constexpr T* begin() { return items_.data(); }
  constexpr T* end() { return items_.data() + size_; }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }
  constexpr T* data() { return items_.data(); }
  constexpr const T* data() const { return items_.data(); }
  constexpr T& back() { return items_[size_ - 1U]; }
  constexpr const T& back() const { return items_[size_ - 1U]; }

  constexpr void push_back(const T& item) {
    if (size_ == Capacity) throw std::length_error("InlineList is full");
    items_[size_++] = item;
  }
  constexpr void pop_back() { --size_; }
  constexpr void clear() { size_ = 0; }
  /// resize() for a caller that writes every element next.
  constexpr void resize_for_overwrite(std::size_t n) {
    if (n > Capacity) throw std::length_error("InlineList is full");
    size_ = static_cast<std::uint32_t>(n);
  }
  constexpr void resize(std::size_t n, const T& item = T{}) {
    if (n > Capacity) throw std::length_error("InlineList is full");
    for (std::size_t i = size_; i < n; ++i) items_[i] = item;
    size_ = static_cast<std::uint32_t>(n);
  }

  friend constexpr bool operator==(const InlineList& a, const InlineList& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.items_[i] == b.items_[i])) return false;
    return true;
  }

 private:
  // A list that fits a cache line is copied whole, which is a move or two.
  static constexpr bool kSmall =
      std::is_trivially_copyable_v<T> && sizeof(T) * Capacity <= std::size_t{64};

  constexpr void assign(const InlineList& other) {
    if constexpr (kSmall) {
      items_ = other.items_;
      size_ = other.size_;
      return;
    }
    for (std::size_t i = 0; i < other.size_; ++i) items_[i] = other.items_[i];
    size_ = other.size_;
  }

  // Not filled in advance: what is not in the list is never read.
  std::array<T, Capacity> items_;
  std::uint32_t size_ = 0;
};

}  // namespace agon
