#pragma once

#include <agon/analysis/paper_table.hpp>

namespace auction_values {

/// A cell with a figure of ours and, where there is one, the published number beside it.
[[nodiscard]] inline agon::TableCell cell(const agon::Figure& ours, int decimals,
                                          double published = agon::kNothing) {
  agon::TableCell made;
  made.ours = ours;
  // Nothing out of nothing is no news.
  if (!(ours.n > 0)) made.ours.n = agon::kNothing;
  made.published = published;
  made.decimals = decimals;
  return made;
}

/// The same in percent of a share; `published` is in percent already.
[[nodiscard]] inline agon::TableCell percent(agon::Figure share, int decimals,
                                             double published = agon::kNothing) {
  share.value *= 100;
  share.low *= 100;
  share.high *= 100;
  return cell(share, decimals, published);
}

/// A bare number.
[[nodiscard]] inline agon::TableCell number(double value, int decimals,
                                            double published = agon::kNothing) {
  agon::Figure figure;
  figure.value = value;
  return cell(figure, decimals, published);
}

}  // namespace auction_values
