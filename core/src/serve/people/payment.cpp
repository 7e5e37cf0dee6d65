#include "people/payment.hpp"

#include <charconv>
#include <string_view>

#include "json/write.hpp"

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

Wide worth(const suite_file::People& people, const std::vector<std::string>& scores) {
  std::string rate;
  json::append_number(rate, people.payment.per_point);
  Wide sum = 0;
  for (const std::string& score : scores) sum += product(decimal(rate), decimal(score));
  return sum;
}

/// The nearest multiple of `step`, half of one up.
Money rounded(Wide amount, Money step) {
  const Wide unit = power(kDecimals - 2) * step.cents;
  Wide steps = (2 * amount + unit) / (2 * unit);
  if (2 * amount + unit < 0 && (2 * amount + unit) % (2 * unit) != 0) --steps;
  return {static_cast<std::int64_t>(steps) * step.cents};
}

}  // namespace

Money paid_for_scores(const suite_file::People& people, const std::vector<std::string>& scores) {
  return rounded(worth(people, scores), Money{1});
}

Money payment(const suite_file::People& people, const Earned& earned) {
  if (!earned.came) return {};
  const suite_file::Payment& terms = people.payment;
  Money fixed = terms.show_up_fee + terms.unfinished * earned.unfinished;
  if (earned.waited_in_vain) fixed += people.waiting.pay;
  Wide amount = worth(people, earned.scores) + power(kDecimals - 2) * fixed.cents;
  if (const Wide least = power(kDecimals - 2) * terms.minimum.cents;
      earned.to_the_end && amount < least)
    amount = least;
  if (amount < 0) amount = 0;
  return rounded(amount, terms.round);
}

std::string amount_text(Money amount, const std::string& currency) {
  const std::int64_t cents = amount.cents < 0 ? -amount.cents : amount.cents;
  std::string text = (amount.cents < 0 ? "-" : "") + std::to_string(cents / 100) + ".";
  const std::string rest = std::to_string(cents % 100);
  text += rest.size() < 2 ? "0" + rest : rest;
  return text + " " + currency;
}

}  // namespace agon::serve
