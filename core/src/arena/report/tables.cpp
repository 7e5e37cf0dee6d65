#include "report/tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "stats/estimate.hpp"

namespace agon::report {

std::string fixed(double value, int decimals, bool sign) {
  constexpr double most_in_full = 1e15;  // beyond, not even the units are known
  std::string text = std::abs(value) < most_in_full ? fmt::format("{:.{}f}", value, decimals)
                                                    : fmt::format("{:.6g}", value);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  if (sign && text.front() != '-' && text.find_first_not_of("0.") != std::string::npos)
    text.insert(0, 1, '+');
  return text;
}

std::string interval(const stats::Interval& interval, int decimals, bool sign) {
  return "[" + fixed(interval.low, decimals, sign) + ", " + fixed(interval.high, decimals, sign) +
         "]";
}

int decimals_for(double value) {
  const double size = std::abs(value);
  return size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
}

std::string note_words(stats::Note note) {
  if (note == stats::Note::no_variation) return "always";
  if (note == stats::Note::degenerate) return "unstable";
  if (note == stats::Note::not_connected) return "not linked";
  return stats::describe(note);
}

std::string why_no_interval(const stats::Estimate& estimate) {
  if (estimate.note != stats::Note::too_few || estimate.fewest_of.empty() ||
      estimate.fewest_units >= stats::kFewestOfTerm || estimate.units < stats::kFewestUnits)
    return note_words(estimate.note);
  return fmt::format("too few: {} of {}", estimate.fewest_units, estimate.fewest_of);
}

std::string with_interval(const stats::Estimate& estimate, int decimals, bool sign) {
  if (!estimate.value)
    return estimate.note == stats::Note::not_connected ? note_words(estimate.note) : "-";
  std::string text = fixed(*estimate.value, decimals, sign);
  if (estimate.interval) return text + " " + interval(*estimate.interval, decimals, sign);
  if (estimate.note == stats::Note::none) return text;
  if (estimate.note == stats::Note::no_variation && estimate.unseen)
    return fmt::format("{} (always; <{:.0f}%)", text, 100 * *estimate.unseen);
  return text + " (" + why_no_interval(estimate) + ")";
}

std::string interval_or_note(const stats::Estimate& estimate, int decimals, bool sign) {
  return estimate.interval ? interval(*estimate.interval, decimals, sign)
                           : why_no_interval(estimate);
}

std::string p_words(const std::optional<double>& p) {
  if (!p) return {};
  return *p < 0.0001 ? std::string("<0.0001") : fixed(*p, 4);
}

std::string count_words(double n) {
  return n == std::floor(n) ? fixed(n, 0) : fixed(n, 2);
}

stats::Estimate in_major_units(stats::Estimate estimate, int decimals) {
  if (decimals <= 0) return estimate;
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  if (estimate.value) *estimate.value /= scale;
  if (estimate.standard_error) *estimate.standard_error /= scale;
  if (estimate.interval)
    estimate.interval =
        stats::Interval{estimate.interval->low / scale, estimate.interval->high / scale};
  return estimate;
}

}  // namespace agon::report
