#include "text/words.hpp"

#include <fmt/format.h>

#include <agon/nearest.hpp>
#include <agon/number_text.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "text/utf8.hpp"

namespace agon::text {

std::string percent(double share) {
  constexpr int usual = 6;
  constexpr int all = 17;
  std::string text;
  for (int digits = usual; digits <= all; ++digits) {
    text = fmt::format("{:.{}g}", 100 * share, digits);
    if (share >= 1 || text != "100") break;
  }
  return text + "%";
}

namespace {

// What counts as a short list in a message.
constexpr std::size_t kFewNames = 10;
constexpr std::size_t kFewColumns = 100;

// Bounds the work that a wrong word can cause.
constexpr std::size_t kLongestWord = 64;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string wanted = text::lower(word);
  const std::string* best = nullptr;
  std::size_t fewest = 0;
  for (const std::string& name : known) {
    if (name.empty() || name.size() > 2 * kLongestWord) continue;
    const std::size_t edits = edit_distance(wanted, text::lower(name));
    const std::size_t length = std::max(word.size(), name.size());
    // A name of one or two letters is one edit away from every other.
    const std::size_t allowed = length <= 2 ? 0 : std::max<std::size_t>(1, length / 3);
    if (edits <= allowed && (best == nullptr || edits < fewest)) {
      best = &name;
      fewest = edits;
    }
  }
  if (best != nullptr) return *best;
  // A name of which only the beginning was written, if it can be but one.
  constexpr std::size_t kTelling = 3;
  if (wanted.size() < kTelling) return {};
  for (const std::string& name : known) {
    if (!text::lower(name).starts_with(wanted)) continue;
    if (best != nullptr) return {};
    best = &name;
  }
  return best == nullptr ? std::string() : *best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (const std::string name = nearest(word, known); !name.empty()) {
    return " (did you mean '" + printable(name) + "'?)";
  }
  if (known.empty() || known.size() > kFewNames) return {};
  const std::string list =
      joined(known, ", ", [](const std::string& name) { return printable(name); });
  return width(list) <= kFewColumns ? " (known: " + list + ")" : std::string();
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known,
                       std::string otherwise) {
  const std::string name = nearest(word, known);
  return name.empty() ? std::move(otherwise) : "did you mean '" + printable(name) + "'?";
}

}  // namespace agon::text

namespace agon {

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  return text::did_you_mean(word, {known.begin(), known.end()});
}

}  // namespace agon

namespace agon::text {

std::set<std::string> names_in_braces(std::string_view sentence) {
  std::set<std::string> names;
  for (std::size_t at = sentence.find('{'); at != std::string_view::npos;
       at = sentence.find('{', at + 1))
    if (const std::size_t end = sentence.find('}', at); end != std::string_view::npos)
      names.emplace(sentence.substr(at + 1, end - at - 1));
  return names;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  return joined(words, " ", shell_word);
}

std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         std::initializer_list<std::string_view> options) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (std::ranges::find(options, std::string_view(words[i]).substr(0, equals)) == options.end())
      kept.push_back(words[i]);
    else if (equals == std::string::npos)
      ++i;
  }
  return kept;
}

}  // namespace agon::text

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

/// What a currency is called, as words and signs, in lower case: longer ones before those that they
/// end or begin with.
using Names = std::array<std::string_view, 8>;
constexpr std::array<Names, 6> kCurrencies{{
    {"us dollars", "dollars", "dollar", "us$", "usd", "$", "\u7f8e\u5143", ""},
    {"euros", "euro", "eur", "\u20ac", "\u6b27\u5143", "", "", ""},
    {"roubles", "rouble", "rubles", "ruble", "rubel", "rub", "\u20bd", "\u5362\u5e03"},
    {"yen", "jpy", "\u00a5", "\uffe5", "\u5186", "\u65e5\u5143", "", ""},
    {"rupees", "rupee", "rupien", "inr", "\u20b9", "rs.", "rs", "\u5362\u6bd4"},
    {"pounds", "pound", "gbp", "\u00a3", "\u82f1\u9551", "", "", ""},
}};

/// The number without its unit: "58 dollars", "$58" and "58$" of dollars, "3 coins" and "1 coin" of
/// coins.
std::string_view without_unit(std::string_view text, std::string_view unit) {
  const std::string name = text::lower(unit);
  const std::string low = text::lower(text);
  const auto is_of = [&](const Names& names) {
    return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
  };
  if (const auto own = std::find_if(kCurrencies.begin(), kCurrencies.end(), is_of);
      own != kCurrencies.end()) {
    for (const std::string_view sign : *own) {
      if (sign.empty()) continue;
      if (low.ends_with(sign)) return trimmed(text.substr(0, low.size() - sign.size()));
      if (low.starts_with(sign)) return trimmed(text.substr(sign.size()));
    }
    return text;
  }
  std::vector<std::string> ends{name};
  if (name.ends_with('s')) ends.push_back(name.substr(0, name.size() - 1));
  if (name == "percent") ends.emplace_back("%");
  for (const std::string& end : ends)
    if (!end.empty() && low.ends_with(end)) return trimmed(text.substr(0, low.size() - end.size()));
  return text;
}

/// Digits, signs and points of full width as those of ASCII.
std::string narrow(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view sign = text.substr(at, 3);
    char c = 0;
    if (sign >= "\uff10" && sign <= "\uff19")
      c = static_cast<char>('0' + (static_cast<unsigned char>(sign[2]) - 0x90));
    else if (sign == "\u2212" || sign == "\uff0d")
      c = '-';
    else if (sign == "\uff0b")
      c = '+';
    else if (sign == "\uff0e")
      c = '.';
    else if (sign == "\uff0c")
      c = ',';
    else if (sign == "\uff04")
      c = '$';
    out += c == 0 ? text[at] : c;
    at += c == 0 ? 1 : sign.size();
  }
  return out;
}

}  // namespace

NumberText read_number_text(std::string_view given, std::string_view unit) {
  const std::string plain = narrow(given);
  std::string_view text = trimmed(plain);
  std::string minus;
  if (text.starts_with('-') || text.starts_with('+')) {
    if (text[0] == '-') minus = "-";
    text.remove_prefix(1);
  }
  text = without_unit(text, unit);
  // "$-5" as well as "-$5".
  if (minus.empty() && text.starts_with('-')) {
    minus = "-";
    text.remove_prefix(1);
  }
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
