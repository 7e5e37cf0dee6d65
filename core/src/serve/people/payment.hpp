#pragma once

#include <agon/export.hpp>
#include <agon/money.hpp>
#include <string>
#include <vector>

#include "suite/suite_file.hpp"

namespace agon::serve {

/// What somebody is paid for.
struct Earned {
  bool came = false;                  ///< as far as the instructions, or where they would be
  bool to_the_end = false;            ///< did not leave, and was not gone
  bool waited_in_vain = false;        ///< nobody came for a match in time
  std::vector<std::string> scores{};  ///< of matches that count, as they were told: "12.50"
  int unfinished = 0;                 ///< matches that ended without a score, not through them
};

/// Of the scores alone: their sum times the rate, to the cent (half up).
[[nodiscard]] AGON_API Money paid_for_scores(const suite_file::People& people,
                                             const std::vector<std::string>& scores);
/// show_up + rate x sum of scores + unfinished x matches + waiting.pay, raised to at_least for
/// whoever stayed to the end, never below 0, rounded to multiples of `round`, half of it up.
/// Decimals are worked out as they are written, without a binary fraction. Nothing for whoever did
/// not come.
[[nodiscard]] AGON_API Money payment(const suite_file::People& people, const Earned& earned);

/// "12.50 EUR".
[[nodiscard]] AGON_API std::string amount_text(Money amount, const std::string& currency);

}  // namespace agon::serve
