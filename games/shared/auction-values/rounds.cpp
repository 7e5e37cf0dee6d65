#include "shared/auction-values/rounds.hpp"

namespace auction_values {

namespace {

/// Stretches without white space.
int words_of(std::string_view text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    words += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return words;
}

}  // namespace

void Written::add_plan(std::string_view text) {
  const int words = words_of(text);
  plans += words > 0 ? 1 : 0;
  plan_words += words;
}

void Written::add_reflection(std::string_view text) {
  const int words = words_of(text);
  reflections += words > 0 ? 1 : 0;
  reflection_words += words;
}

}  // namespace auction_values
