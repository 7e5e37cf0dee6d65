#include <agon/number_text.hpp>
#include <algorithm>
#include <array>
#include <vector>

#include "text/lower.hpp"

namespace agon {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string_view::npos
             ? std::string_view()
             : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

/// What may stand between digits beside points and commas: blanks, some of them not of ASCII, and
/// apostrophes. All count as a blank.
constexpr std::array<std::string_view, 7> kGaps{" ", "\u00a0", "\u202f", "\u2009",
                                                "'", "\u2019", "_"};

/// Digits in groups, and the sign before each group but the first.
struct Groups {
  std::vector<std::string_view> digits;
  std::string signs;
};

/// False for a text that is anything else.
bool split(std::string_view text, Groups& groups) {
  for (;;) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    groups.digits.push_back(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) return true;
    std::string_view sign = text.substr(0, text[0] == '.' || text[0] == ',' ? 1 : 0);
    char kind = text[0];
    for (const std::string_view gap : kGaps)
      if (text.starts_with(gap)) sign = gap, kind = ' ';
    if (sign.empty()) return false;
    groups.signs += kind;
    text.remove_prefix(sign.size());
  }
}

/// Whether the first `n` groups are thousands: 1 to 3 digits that begin with no zero, then threes.
bool are_thousands(const Groups& groups, std::size_t n) {
  const std::string_view first = groups.digits[0];
  return !first.empty() && first.size() <= 3 && first[0] != '0' &&
         std::all_of(groups.digits.begin() + 1,
                     groups.digits.begin() + static_cast<std::ptrdiff_t>(n),
                     [](std::string_view group) { return group.size() == 3; });
}

std::string joined(const Groups& groups, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += groups.digits[i];
  // JSON has no zeros at the front, and one before a point.
  out.erase(0, std::min(out.find_first_not_of('0'), out.size()));
  return out.empty() ? "0" : out;
}

/// "1" of "1.000", "1.25" of "1.250".
std::string shortest(std::string whole, std::string_view part) {
  const std::size_t end = part.find_last_not_of('0');
  return end == std::string_view::npos ? whole : whole + "." + std::string(part.substr(0, end + 1));
}

/// The number without the unit after it: "58 dollars", "58$", "3 coins" and "1 coin" of coins.
std::string_view without_unit(std::string_view text, std::string_view unit) {
  std::vector<std::string_view> ends{unit};
  if (unit.ends_with('s')) ends.push_back(unit.substr(0, unit.size() - 1));
  if (unit == "dollars") ends.insert(ends.end(), {"$", "usd"});
  if (unit == "percent") ends.emplace_back("%");
  const std::string low = text::lower(text);
  for (const std::string_view end : ends)
    if (!end.empty() && low.ends_with(text::lower(end)))
      return trimmed(text.substr(0, low.size() - end.size()));
  return text;
}

}  // namespace

NumberText read_number_text(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  std::string minus;
  if (text.starts_with('-') || text.starts_with('+')) {
    if (text[0] == '-') minus = "-";
    text.remove_prefix(1);
  }
  text = text.starts_with('$') ? trimmed(text.substr(1)) : without_unit(text, unit);
  Groups groups;
  if (text.find_first_of("0123456789") == std::string_view::npos || !split(text, groups)) return {};

  const std::size_t n = groups.digits.size();
  const std::string& signs = groups.signs;
  if (n == 1) return {.json = minus + joined(groups, 1)};
  const auto same = [&](std::size_t count) { return signs.find_first_not_of(signs[0]) >= count; };
  if (same(n - 1) && are_thousands(groups, n)) {
    const std::string thousands = joined(groups, n);
    if (signs[0] == ',') return {.json = minus + thousands};
    if (signs[0] != '.' || n > 2) return {.meant = minus + thousands};
    return {.meant = minus + thousands,
            .other = minus + shortest(joined(groups, 1), groups.digits[1])};
  }
  if (n > 2 && (!same(n - 2) || signs.back() == signs[0] || !are_thousands(groups, n - 1)))
    return {};
  const std::string_view decimals = groups.digits.back();
  const std::string number =
      joined(groups, n - 1) + (decimals.empty() ? "" : "." + std::string(decimals));
  if (signs.back() == '.' && (n == 2 || signs[0] == ',')) return {.json = minus + number};
  if (signs.back() == ' ' || decimals.empty()) return {};
  return {.meant = minus + number};
}

}  // namespace agon
