#include "report/plot/scale.hpp"

#include <algorithm>
#include <cmath>

#include "report/numbers.hpp"

namespace agon::report {
namespace {

/// The round number nearest above: 1, 2 or 5 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= step * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

}  // namespace

void Scale::show(double figure) {
  if (!std::isfinite(figure)) return;
  if (empty()) low_ = high_ = figure;
  whole_ = whole_ && figure == std::floor(figure);
  low_ = std::min(low_, figure);
  high_ = std::max(high_, figure);
}

void Scale::lay(double from, double to, std::size_t count) {
  from_ = from;
  to_ = to;
  if (empty()) low_ = 0, high_ = 1;
  // A single figure has no extent of its own, and one that is lost in rounding is none.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= size * 1e-9) {
    const double around = size > 0 ? size / 2 : 1;
    low_ -= around;
    high_ += around;
  }
  double step = round_step((high_ - low_) / static_cast<double>(std::max<std::size_t>(count, 1)));
  if (whole_) step = std::max(step, 1.0);
  decimals_ = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  const double first = std::floor(low_ / step + 1e-9), last = std::ceil(high_ / step - 1e-9);
  const auto steps = static_cast<std::size_t>(std::max(0.0, last - first));
  ticks_.clear();
  for (std::size_t i = 0; i <= steps; ++i)
    ticks_.push_back((first + static_cast<double>(i)) * step);
  low_ = ticks_.front();
  high_ = ticks_.back();
}

double Scale::at(double figure) const {
  const double share = std::clamp((figure - low_) / (high_ - low_), 0.0, 1.0);
  return from_ + share * (to_ - from_);
}

std::string Scale::tick_words(double tick) const {
  return fixed(tick, decimals_);
}

}  // namespace agon::report
