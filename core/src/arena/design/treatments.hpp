#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agon::design {

/// A named factor and how many levels it has.
struct Factor {
  std::string name;
  int levels = 1;
};

/// The full crossing of factors. The order is that of counting: the factors keep the order in which
/// they were given and the last one changes first. Without factors there is one, empty, treatment.
/// Nothing is listed in advance.
class AGON_API Treatments {
 public:
  Treatments() = default;

  /// Throws Error if a factor has no name or no level, if two have the same name, or beyond 64
  /// bits.
  explicit Treatments(std::vector<Factor> factors);

  /// The factors, as given.
  [[nodiscard]] const std::vector<Factor>& factors() const { return factors_; }
  /// The product of the numbers of levels.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The level of every factor, counted from 0; throws Error unless i < size().
  [[nodiscard]] std::vector<int> levels(std::uint64_t i) const;
  /// The inverse of levels(); throws Error for a wrong number of levels or a level out of range.
  [[nodiscard]] std::uint64_t index(const std::vector<int>& levels) const;

 private:
  std::vector<Factor> factors_;
  std::uint64_t size_ = 1;
};

}  // namespace agon::design
