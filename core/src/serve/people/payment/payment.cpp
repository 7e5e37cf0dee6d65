#include "people/payment/payment.hpp"

#include <agon/conversion.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

#include "describe/value.hpp"
#include "people/roster.hpp"

namespace agon::serve {
namespace {

__extension__ using Wide = __int128;

/// A decimal number as it is written: digits x 10^-decimals.
struct Decimal {
  Wide digits = 0;
  int decimals = 0;
};

Decimal decimal(std::string_view text) {
  Decimal number;
  bool negative = false, fraction = false;
  std::size_t i = 0;
  if (i < text.size() && text[i] == '-') negative = true, ++i;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return {};  // "-": a match without a score
    number.digits = number.digits * 10 + (text[i] - '0');
    number.decimals += fraction ? 1 : 0;
  }
  if (i < text.size()) {
    int exponent = 0;
    std::from_chars(text.data() + i + 1 + (text[i + 1] == '+' ? 1 : 0), text.data() + text.size(),
                    exponent);
    number.decimals -= exponent;
  }
  for (; number.decimals < 0; ++number.decimals) number.digits *= 10;
  if (negative) number.digits = -number.digits;
  return number;
}

// Rates have at most 17 digits and scores 4 decimals or cents: 10^-18 of a cent is finer than all.
constexpr int kDecimals = 18;

Wide power(int decimals) {
  Wide value = 1;
  for (int i = 0; i < decimals; ++i) value *= 10;
  return value;
}

/// In 10^-18 of a unit of money.
Wide product(const Decimal& rate, const Decimal& score) {
  const int decimals = rate.decimals + score.decimals;
  const Wide exact = rate.digits * score.digits;
  return decimals <= kDecimals ? exact * power(kDecimals - decimals)
                               : exact / power(decimals - kDecimals);
}

/// The nearest multiple of `step`, half of one up.
Money rounded(Wide amount, Money step) {
  const Wide unit = power(kDecimals - 2) * step.cents;
  Wide steps = (2 * amount + unit) / (2 * unit);
  if (2 * amount + unit < 0 && (2 * amount + unit) % (2 * unit) != 0) --steps;
  return {static_cast<std::int64_t>(steps) * step.cents};
}

std::string rate_of(const suite_file::People& people) {
  return number_text(people.payment.per_point);
}

Wide worth(const suite_file::People& people, const std::string& score) {
  return product(decimal(rate_of(people)), decimal(score));
}

/// Adds lines, and what they come to.
class Adding {
 public:
  explicit Adding(PaymentAccount& account) : account_(account) {}

  void add(PayLine line, Wide exact) {
    if (line.counts) {
      account_.total += line.amount;
      exact_ += exact;
    }
    account_.lines.push_back(std::move(line));
  }
  void add(PayPart part, Money amount) {
    if (amount.cents != 0)
      add({.part = part, .amount = amount}, power(kDecimals - 2) * amount.cents);
  }
  /// What remains to the total that is paid.
  void settle(const suite_file::Payment& terms, bool to_the_end) {
    add(PayPart::rounding, rounded(exact_, terms.round) - account_.total);
    if (to_the_end && terms.minimum > Money{} && account_.total < terms.minimum)
      add(PayPart::minimum, terms.minimum - account_.total);
    if (account_.total < Money{}) add(PayPart::floor, -account_.total);
    if (terms.maximum && account_.total > *terms.maximum)
      add(PayPart::maximum, *terms.maximum - account_.total);
  }

 private:
  PaymentAccount& account_;
  Wide exact_ = 0;  // 10^-18 of a unit of money
};

void add_match(Adding& adding, const suite_file::People& people, const EarnedMatch& match,
               std::int64_t number, bool counts) {
  PayLine line{.number = number, .match = match.match, .counts = counts};
  switch (match.outcome) {
    case SeatEnding::played:
      line.part = PayPart::match;
      line.points = match.score;
      line.amount = paid_for(people, match.score);
      return adding.add(std::move(line), worth(people, match.score));
    case SeatEnding::unfinished:
      line.part = PayPart::unfinished;
      line.amount = people.payment.unfinished;
      return adding.add(line, power(kDecimals - 2) * line.amount.cents);
    case SeatEnding::substituted:
    case SeatEnding::left:
      line.part = PayPart::left;
      return adding.add(std::move(line), 0);
  }
}

}  // namespace

Money paid_for(const suite_file::People& people, const std::string& score) {
  return rounded(worth(people, score), Money{1});
}

std::optional<std::size_t> drawn_match(suite_file::PaidMatches paid, std::uint64_t key,
                                       const std::vector<EarnedMatch>& matches) {
  if (paid == suite_file::PaidMatches::sum || matches.empty()) return {};
  const auto by_scenario = [&](const EarnedMatch& match) {
    return paid == suite_file::PaidMatches::one_round ? combine(key, hash_of(match.scenario)) : 0;
  };
  std::size_t drawn = 0;
  std::pair<std::uint64_t, std::uint64_t> least;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::pair rank{by_scenario(matches[i]), mix(combine(key, i + 1))};
    if (i == 0 || rank < least) drawn = i, least = rank;
  }
  return drawn;
}

PaymentAccount account(const suite_file::People& people, const Earned& earned) {
  const suite_file::Payment& terms = people.payment;
  PaymentAccount made{.currency = terms.currency, .rate = rate_of(people)};
  Adding adding(made);
  if (earned.screened_out && terms.screened_out) {
    adding.add(PayPart::screened_out, *terms.screened_out);
    adding.settle(terms, false);
    return made;
  }
  if (!earned.came) return made;
  const auto paid = terms.pay.value_or(suite_file::PaidMatches::sum);
  if (earned.over)
    if (const auto drawn = drawn_match(paid, earned.draw, earned.matches))
      made.drawn = static_cast<std::int64_t>(*drawn) + 1;
  const std::int64_t drawn = made.drawn.value_or(0);
  adding.add(PayPart::show_up, terms.show_up_fee);
  std::int64_t number = 0;
  for (const EarnedMatch& match : earned.matches) {
    ++number;
    add_match(adding, people, match, number,
              paid == suite_file::PaidMatches::sum || number == drawn);
  }
  if (earned.waited_in_vain) adding.add(PayPart::waiting, people.waiting.pay);
  adding.settle(terms, earned.to_the_end);
  return made;
}

std::vector<PayPart> paid_parts() {
  std::vector<PayPart> parts;
  for (const Enumerator& part : type_of<PayPart>().enumerators)
    if (const auto value = static_cast<PayPart>(part.value); value != PayPart::left)
      parts.push_back(value);
  return parts;
}

Money paid_in(const PaymentAccount& account, PayPart part) {
  Money sum;
  for (const PayLine& line : account.lines)
    if (line.part == part && line.counts) sum += line.amount;
  return sum;
}

Earned earned(const Study& study, const Participant& who) {
  Earned earned;
  earned.came = who.row.instructed != 0;
  earned.waited_in_vain = who.row.end == EndReason::waited;
  earned.to_the_end = earned.waited_in_vain || who.row.end == EndReason::done ||
                      who.row.end == EndReason::closed || who.row.end == EndReason::no_match;
  earned.screened_out = who.row.end == EndReason::screened_out;
  earned.over = who.row.end.has_value();
  earned.draw = combine(combine(mix(study.suite.seed), hash_of("paid match")),
                        static_cast<std::uint64_t>(who.row.place));
  for (const SeatedRow& row : who.seated)
    if (row.outcome)
      earned.matches.push_back({*row.outcome, row.score, row.label, row.match.hex()});
  return earned;
}

PaymentAccount account(const Study& study, const Participant& who) {
  if (who.row.end && !who.row.account.empty()) return read_account(who.row.account);
  return account(study.people.said, earned(study, who));
}

PaymentAccount read_account(const std::string& json) {
  return json.empty() ? PaymentAccount{} : *read_back<PaymentAccount>(json);
}

std::string amount_text(Money amount, const std::string& currency) {
  const std::int64_t cents = amount.cents < 0 ? -amount.cents : amount.cents;
  std::string text = (amount.cents < 0 ? "-" : "") + std::to_string(cents / 100) + ".";
  const std::string rest = std::to_string(cents % 100);
  text += rest.size() < 2 ? "0" + rest : rest;
  return text + " " + currency;
}

}  // namespace agon::serve
