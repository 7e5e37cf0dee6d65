#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon {

/// Names to values in the order of the file, which std::map would lose: agents of a suite are
/// numbered by it. Described as a map.
template <class V>
class InOrder {
 public:
  using key_type = std::string;
  using mapped_type = V;

  /// The value of that name, a new one at the end if there is none.
  V& operator[](const std::string& name) {
    for (auto& entry : entries_)
      if (entry.first == name) return entry.second;
    return entries_.emplace_back(name, V()).second;
  }
  [[nodiscard]] bool contains(std::string_view name) const {
    for (const auto& entry : entries_)
      if (entry.first == name) return true;
    return false;
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }
  [[nodiscard]] auto begin() { return entries_.begin(); }
  [[nodiscard]] auto end() { return entries_.end(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

 private:
  std::vector<std::pair<std::string, V>> entries_;
};

}  // namespace agon
