#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/money.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "people/store.hpp"
#include "suite/people/people_file.hpp"

/// What people are paid, and how it adds up.
namespace agon::serve {

struct Participant;
struct Study;

/// A match that ended for somebody.
struct EarnedMatch {
  SeatEnding outcome = SeatEnding::played;
  std::string score{};  ///< as they were told: "12.50"
  std::string scenario{};
  std::string match{};  ///< its id
};

/// What somebody is paid for.
struct Earned {
  bool came = false;            ///< as far as the instructions, or where they would be
  bool to_the_end = false;      ///< did not leave, and was not gone
  bool waited_in_vain = false;  ///< nobody came for a match in time
  bool screened_out = false;
  bool over = true;                    ///< nothing is drawn before
  std::uint64_t draw = 0;              ///< key of what is drawn
  std::vector<EarnedMatch> matches{};  ///< in order
};

/// What a line of an account is.
enum class PayPart : std::uint8_t {
  show_up,
  match,
  unfinished,
  left,
  waiting,
  screened_out,
  rounding,
  floor,
  minimum,
  maximum,
};
AGON_DESCRIBE_ENUM(PayPart, (show_up, "the show-up fee"),
                   (match, "the points of a match", "scores"),
                   (unfinished, "a match without a score, through no fault of theirs"),
                   (left, "a match that they did not play to its end"),
                   (waiting, "for waiting without a match"),
                   (screened_out, "for those who are screened out"),
                   (rounding, "to a multiple of payment.round"), (floor, "up to 0"),
                   (minimum, "up to payment.minimum"), (maximum, "down to payment.maximum"))

struct PayLine {
  PayPart part = PayPart::show_up;
  std::int64_t number = 0;
  std::string match{};
  std::string points{};
  Money amount{};
  bool counts = true;
};
AGON_DESCRIBE(PayLine, (part, "what it is for"),
              (number, "of the match among theirs, from 1; 0: it is of no match"),
              (match, "its id; empty: none"), (points, "of the match; empty: none"),
              (amount, "of money"), (counts, "false: another match was drawn"))

/// How a payment adds up: the amounts of the lines that count are the total.
struct PaymentAccount {
  std::string currency{};
  std::string rate{};
  std::optional<std::int64_t> drawn{};
  std::vector<PayLine> lines{};
  Money total{};
};
AGON_DESCRIBE(PaymentAccount, (currency, "of all amounts"), (rate, "money for a point"),
              (drawn, "number of the match that was drawn; null: none was"), (lines, "in order"),
              (total, "what is paid"))

/// Of the points of one match: rate x points, to the cent (half up).
[[nodiscard]] AGON_API Money paid_for(const suite_file::People& people, const std::string& score);
/// show_up_fee + per_point x payoffs of all matches or of the one that is drawn + unfinished x
/// matches + waiting.pay, rounded to multiples of `round` (half of it up); raised to minimum for
/// those who stayed to the end, never below 0, lowered to maximum. Decimals are worked out as they
/// are written, without a binary fraction. Nothing for those who did not come.
[[nodiscard]] AGON_API PaymentAccount account(const suite_file::People& people,
                                              const Earned& earned);
/// Which of these matches the key draws; nothing: there is none, or all are paid. The key orders
/// all matches that somebody may ever play, so that it says before play which comes first; of those
/// that they did play the first in that order is paid.
[[nodiscard]] AGON_API std::optional<std::size_t> drawn_match(
    suite_file::PaidMatches paid, std::uint64_t key, const std::vector<EarnedMatch>& matches);
/// The parts that may pay something, in order.
[[nodiscard]] AGON_API std::vector<PayPart> paid_parts();
/// The sum of the lines of this part that count.
[[nodiscard]] AGON_API Money paid_in(const PaymentAccount& account, PayPart part);

/// What they are paid for so far.
[[nodiscard]] Earned earned(const Study& study, const Participant& who);
/// Of who has ended as it was kept, of others as it would be now; a draw comes at the end.
[[nodiscard]] PaymentAccount account(const Study& study, const Participant& who);
/// Reads what write_json wrote of an account; an empty one for an empty text.
[[nodiscard]] PaymentAccount read_account(const std::string& json);

/// "12.50 EUR".
[[nodiscard]] AGON_API std::string amount_text(Money amount, const std::string& currency);

}  // namespace agon::serve
