#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

namespace agon::report {

/// Maps figures to pixels, from one end of an axis to the other.
class AGON_API Scale {
 public:
  /// Widens what it has to show to round numbers. Figures that are not finite are left out.
  void show(double figure);

  /// True if there was nothing to show.
  [[nodiscard]] bool empty() const { return low_ > high_; }

  /// Lays the axis from pixel `from` to pixel `to`, with about `count` round numbers on it.
  void lay(double from, double to, std::size_t count);

  /// The pixel of a figure; what lies outside is at the end. Needs lay().
  [[nodiscard]] double at(double figure) const;

  /// The round numbers, rising.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

  /// A round number as it is written beside the others.
  [[nodiscard]] std::string tick_words(double tick) const;

 private:
  double low_ = 1;
  double high_ = 0;
  double from_ = 0;
  double to_ = 1;
  int decimals_ = 0;
  bool whole_ = true;  // all figures are: then round numbers are, too
  std::vector<double> ticks_{};
};

}  // namespace agon::report
