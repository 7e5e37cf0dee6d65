#pragma once

#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace agon::report {

/// Which bins belong together because their blocks share an item, directly or through others.
class Clusters {
 public:
  /// Says that a bin's blocks are about this item.
  void link(std::size_t bin, const std::string& item) {
    const auto [at, added] = items_.try_emplace(item, parent_.size());
    if (added) {
      parent_.push_back(at->second);
      names_.push_back(item);
    }
    if (bin >= bins_.size()) bins_.resize(bin + 1, none);
    if (bins_[bin] == none) {
      bins_[bin] = at->second;
      return;
    }
    const std::size_t a = root(bins_[bin]);
    const std::size_t b = root(at->second);
    // The name that sorts first stands for all, so that the order of matches does not matter.
    if (names_[a] <= names_[b])
      parent_[b] = a;
    else
      parent_[a] = b;
  }

  /// The name of a bin's cluster; empty if it has none.
  [[nodiscard]] std::string name(std::size_t bin) const {
    if (bin >= bins_.size() || bins_[bin] == none) return {};
    return names_[root(bins_[bin])];
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t root(std::size_t at) const {
    while (parent_[at] != at) at = parent_[at];
    return at;
  }

  std::map<std::string, std::size_t> items_;
  std::vector<std::size_t> parent_;
  std::vector<std::string> names_;
  std::vector<std::size_t> bins_;
};

/// The first bin of what each bin belongs to, as numbers of units; empty where bins share nothing.
/// `item_of(bin)`: what it is about, empty for itself.
template <class ItemOf>
[[nodiscard]] std::vector<std::size_t> shared_units(std::size_t bins, ItemOf item_of) {
  std::map<std::string, std::size_t> units;
  std::vector<std::size_t> unit_of;
  bool shared = false;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::string item = item_of(bin);
    unit_of.push_back(item.empty() ? bin : units.try_emplace(item, bin).first->second);
    shared = shared || unit_of.back() != bin;
  }
  return shared ? unit_of : std::vector<std::size_t>{};
}

}  // namespace agon::report
