#pragma once

#include <agon/random.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace agon::fuzz {

/// Changes a few bytes, anywhere.
void change_bytes(std::string& bytes, Dice& dice);

/// A number written out that is likely to be at some limit.
[[nodiscard]] std::string odd_number(Dice& dice);

/// A text that is likely to be mishandled: empty, long, no UTF-8, JSON that does not end.
[[nodiscard]] std::string odd_text(Dice& dice);

/// JSON with one or two of its values or members changed, left out, doubled or taken from elsewhere
/// in it, mostly by others of their kind: still JSON, and often still what it should be, so that it
/// gets past the parsers. Text that is no JSON gets other bytes.
[[nodiscard]] std::string change_json(std::string_view text, Dice& dice);

/// One of several, all as likely.
template <class T>
const T& one_of(const std::vector<T>& several, Dice& dice) {
  return several[dice.below(several.size())];
}

}  // namespace agon::fuzz
