#include "text/nearest.hpp"

#include <agon/nearest.hpp>
#include <algorithm>
#include <utility>

#include "text/lower.hpp"
#include "text/utf8.hpp"

namespace agon::text {
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
  std::string list;
  for (const std::string& name : known) {
    list += (list.empty() ? "" : ", ") + printable(name);
  }
  return width(list) <= kFewColumns ? " (known: " + list + ")" : std::string();
}

}  // namespace agon::text

namespace agon {

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  return text::did_you_mean(word, {known.begin(), known.end()});
}

}  // namespace agon
