#include "llm/prompt/line_runs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "llm/lines.hpp"

namespace agon::llm {
namespace {

/// So many lines are worth a summary.
constexpr std::size_t kFewestAlike = 4;

/// Longer numbers are texts.
constexpr std::size_t kMostDigits = 15;

constexpr std::string_view kTenDigits = "0123456789";

bool starts_with_digit(std::string_view text) {
  return !text.empty() && kTenDigits.find(text[0]) != std::string_view::npos;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kTenDigits, at), text.size()) - at;
}

/// A number in a line: "1,250.50" is 125050 with two decimals.
struct LineNumber {
  std::int64_t value = 0;
  std::size_t decimals = 0;
};

/// Takes the number that the text begins with off it; nothing for one that is too long.
std::optional<LineNumber> take_number(std::string_view& text) {
  std::size_t end = digits_at(text, 0);
  std::string digits(text.substr(0, end));
  constexpr std::size_t kThousands = 3;
  const bool has_groups = end <= kThousands;
  while (has_groups && end < text.size() && text[end] == ',' &&
         digits_at(text, end + 1) == kThousands) {
    digits += text.substr(end + 1, kThousands);
    end += 1 + kThousands;
  }
  LineNumber number;
  if (end + 1 < text.size() && text[end] == '.') number.decimals = digits_at(text, end + 1);
  if (number.decimals > 0) {
    digits += text.substr(end + 1, number.decimals);
    end += 1 + number.decimals;
  }
  if (digits.size() > kMostDigits) return {};
  for (const char c : digits) number.value = number.value * 10 + (c - '0');
  text.remove_prefix(end);
  return number;
}

using Steps = std::vector<std::int64_t>;

/// By how much each number grows from one line to the other; nothing if they are not alike, or
/// longer than a line.
std::optional<Steps> steps_between(std::string_view a, std::string_view b) {
  Steps steps;
  while (!a.empty() && !b.empty()) {
    if (starts_with_digit(a) && starts_with_digit(b)) {
      const auto x = take_number(a), y = take_number(b);
      if (!x || !y || x->decimals != y->decimals) return {};
      steps.push_back(y->value - x->value);
    } else if (a[0] != b[0] || a[0] == '\n') {
      return {};
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (!a.empty() || !b.empty()) return {};
  return steps;
}

/// Without the mark before it.
std::string unmarked(std::string_view line) {
  return std::string(line.starts_with("- ") ? line.substr(2) : line);
}

}  // namespace

std::string with_line_runs(const std::vector<std::string>& lines, const Language& language) {
  std::string text;
  const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i + 1;  // of the run
    std::optional<Steps> steps;
    if (end < lines.size()) steps = steps_between(lines[i], lines[end]);
    if (steps)
      for (++end; end < lines.size() && steps_between(lines[end - 1], lines[end]) == steps;) ++end;
    const std::size_t n = end - i;
    if (n < kFewestAlike) {
      add(lines[i++]);
      continue;
    }
    const bool is_equal = lines[i] == lines[end - 1];
    add(is_equal ? language.say(ModelLine("{line} ({n} times)"),
                                {{"line", lines[i]}, {"n", std::to_string(n)}})
                 : language.say(
                       ModelLine("{line} And so on in equal steps, {n} times in all, to: {last}"),
                       {{"line", lines[i]},
                        {"n", std::to_string(n)},
                        {"last", unmarked(lines[end - 1])}}));
    i = end;
  }
  return text;
}

}  // namespace agon::llm
