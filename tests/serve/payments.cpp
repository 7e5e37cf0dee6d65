// Points to money, as it is declared, and what people are told of how it adds up.
#include <agon/random.hpp>
#include <map>
#include <set>

#include "catch.hpp"
#include "people/payment/ending.hpp"
#include "people/payment/payment.hpp"

using agon::Money;
using agon::serve::account;
using agon::serve::Earned;
using agon::serve::EarnedMatch;
using agon::serve::EndReason;
using agon::serve::ParticipantRow;
using agon::serve::PayLine;
using agon::serve::PaymentAccount;
using agon::serve::PayPart;
using agon::serve::SeatEnding;
using agon::suite_file::PaidMatches;
using agon::suite_file::People;
using agon::suite_file::TextsByOutcome;

namespace {

People declared(double rate, std::int64_t show_up, std::int64_t round = 1) {
  People people;
  people.payment.per_point = rate;
  people.payment.show_up_fee = {show_up};
  people.payment.round = {round};
  return people;
}

Earned for_scores(const std::vector<std::string>& scores) {
  Earned earned{.came = true, .to_the_end = true};
  for (const std::string& score : scores)
    earned.matches.push_back({SeatEnding::played, score, {}, {}});
  return earned;
}

/// What is paid; checks that a person who adds up the lines gets the same.
Money payment(const People& people, const Earned& earned) {
  const PaymentAccount paid = account(people, earned);
  Money sum;
  for (const PayLine& line : paid.lines)
    if (line.counts) sum += line.amount;
  CHECK(sum == paid.total);
  Money parts;
  for (const PayPart part : agon::serve::paid_parts()) parts += paid_in(paid, part);
  CHECK(parts == paid.total);
  return paid.total;
}

}  // namespace

TEST_CASE("payments are exact and rounded as declared", "[serve][people]") {
  // 0.1 and 0.7 have no binary form: 3 x 0.1 is 0.30, and 1.005 is rounded up.
  CHECK(payment(declared(0.1, 0), for_scores({"1", "1", "1"})) == Money{30});
  CHECK(payment(declared(0.7, 0), for_scores({"1.15"})) == Money{81});  // 0.805
  CHECK(payment(declared(1, 0), for_scores({"1.005"})) == Money{101});  // half up
  CHECK(payment(declared(0.015, 250), for_scores({"100"})) == Money{400});
  CHECK(payment(declared(1e-05, 0), for_scores({"1234567"})) == Money{1235});
  CHECK(payment(declared(1, 500, 50), for_scores({"1.24"})) == Money{600});
  CHECK(payment(declared(1, 500, 50), for_scores({"1.25"})) == Money{650});
  CHECK(payment(declared(1, 500), for_scores({"-2.50"})) == Money{250});
  CHECK(payment(declared(1, 100), for_scores({"-2.50"})) == Money{0});
  CHECK(payment(declared(1, 100), for_scores({"-"})) == Money{100});
  // Fractions of cents are summed before they are rounded, and the lines add up all the same.
  CHECK(payment(declared(0.001, 0), for_scores({"4", "4", "4"})) == Money{1});
  CHECK(payment(declared(0.001, 0), for_scores({"6", "6", "6"})) == Money{2});
  // Below zero too: half of a cent goes up, what is more than half goes down.
  using agon::serve::paid_for;
  CHECK(paid_for(declared(0.01, 0), "-1.5") == Money{-1});
  CHECK(paid_for(declared(0.01, 0), "-1.51") == Money{-2});
  CHECK(paid_for(declared(0.01, 0), "-1.49") == Money{-1});
  CHECK(paid_for(declared(0.01, 0), "-0.5") == Money{0});
}

TEST_CASE("payments depend on who came and who stayed", "[serve][people]") {
  People people = declared(1, 300);
  people.payment.minimum = {1000};
  people.payment.unfinished = {150};
  people.waiting.pay = {75};
  CHECK(payment(people, {}) == Money{0});
  CHECK(payment(people, {.came = true}) == Money{300});
  CHECK(payment(people, {.came = true, .to_the_end = true}) == Money{1000});
  Earned broken = for_scores({"4"});
  broken.to_the_end = false;
  broken.matches.push_back({SeatEnding::unfinished, {}, {}, {}});
  broken.matches.push_back({SeatEnding::left, "9", {}, {}});
  broken.matches.push_back({SeatEnding::substituted, "9", {}, {}});
  broken.matches.push_back({SeatEnding::unfinished, {}, {}, {}});
  CHECK(payment(people, broken) == Money{1000});
  people.payment.minimum = {0};
  CHECK(payment(people, {.came = true, .to_the_end = true, .waited_in_vain = true}) == Money{375});
  CHECK(agon::serve::amount_text(Money{1205}, "EUR") == "12.05 EUR");
  CHECK(agon::serve::amount_text(Money{-5}, "EUR") == "-0.05 EUR");
}

TEST_CASE("payments are capped, and the account has a line for it", "[serve][people]") {
  People people = declared(1, 300);
  people.payment.maximum = {1000};
  CHECK(payment(people, for_scores({"6.99"})) == Money{999});
  CHECK(payment(people, for_scores({"7.00"})) == Money{1000});
  CHECK(payment(people, for_scores({"7.01"})) == Money{1000});
  const PaymentAccount capped = account(people, for_scores({"50", "2.5"}));
  CHECK(paid_in(capped, PayPart::maximum) == Money{300 + 5250 - 1000} * -1);
  CHECK(paid_in(capped, PayPart::match) == Money{5250});
  CHECK(paid_in(capped, PayPart::show_up) == Money{300});
  // The lowest payment is for those who stay.
  people.payment.minimum = {500};
  CHECK(paid_in(account(people, for_scores({"0"})), PayPart::minimum) == Money{200});
  Earned left = for_scores({"0"});
  left.to_the_end = false;
  CHECK(payment(people, left) == Money{300});
  CHECK(paid_in(account(declared(1, 100), for_scores({"-3"})), PayPart::floor) == Money{200});
}

TEST_CASE("those who are screened out get what is declared for them", "[serve][people]") {
  People people = declared(1, 300);
  people.payment.minimum = {1000};
  CHECK(payment(people, {.came = true, .screened_out = true}) == Money{300});
  people.payment.screened_out = Money{150};
  CHECK(payment(people, {.came = true, .screened_out = true}) == Money{150});
  CHECK(payment(people, {.screened_out = true}) == Money{150});  // before the instructions
  CHECK(payment(people, {.came = true}) == Money{300});
}

TEST_CASE("one match is drawn by the key alone", "[serve][people]") {
  People people = declared(1, 300);
  people.payment.unfinished = {40};
  people.payment.pay = PaidMatches::one_match;
  Earned earned = for_scores({"1", "2", "4"});
  std::map<std::int64_t, int> drawn;
  for (std::uint64_t key = 0; key < 3000; ++key) {
    earned.draw = agon::mix(key);
    const PaymentAccount paid = account(people, earned);
    REQUIRE(paid.drawn);
    ++drawn[*paid.drawn];
    const std::int64_t points[] = {100, 200, 400};
    REQUIRE(paid.total == Money{300 + points[*paid.drawn - 1]});
    REQUIRE(paid.lines.size() == 4);  // the others are shown, and do not count
    // Points have no say in it, and a match more takes the draw only for itself.
    Earned other = earned;
    other.matches[0].score = "90";
    other.matches.push_back({SeatEnding::played, "8", {}, {}});
    const auto then = account(people, other).drawn;
    REQUIRE((then == paid.drawn || then == 4));
  }
  for (const auto& [number, times] : drawn) CHECK(std::abs(times - 1000) < 100);
  CHECK(drawn.size() == 3);
  // A match that they left is drawn like the others: nobody gets another draw by leaving.
  earned.matches[1].outcome = SeatEnding::left;
  earned.matches[2].outcome = SeatEnding::unfinished;
  for (std::uint64_t key = 0; key < 100; ++key) {
    earned.draw = agon::mix(key);
    const PaymentAccount paid = account(people, earned);
    REQUIRE(paid.total == Money{300 + (*paid.drawn == 1 ? 100 : *paid.drawn == 2 ? 0 : 40)});
    Earned stayed = for_scores({"1", "2", "4"});
    stayed.draw = earned.draw;
    REQUIRE(account(people, stayed).drawn == paid.drawn);
  }
  // Nobody is told before the end.
  earned.over = false;
  CHECK(!account(people, earned).drawn);
  CHECK(payment(people, earned) == Money{300});
  CHECK(!account(people, {.came = true}).drawn);
}

TEST_CASE("of rounds a scenario is drawn first", "[serve][people]") {
  std::vector<EarnedMatch> matches;
  for (int i = 0; i < 9; ++i) matches.push_back({SeatEnding::played, "1", "often", {}});
  matches.push_back({SeatEnding::played, "1", "once", {}});
  int once_by_round = 0, once_by_match = 0;
  std::set<std::size_t> drawn;
  for (std::uint64_t key = 0; key < 2000; ++key) {
    const auto round = agon::serve::drawn_match(PaidMatches::one_round, agon::mix(key), matches);
    REQUIRE(round);
    drawn.insert(*round);
    once_by_round += *round == 9;
    once_by_match +=
        *agon::serve::drawn_match(PaidMatches::one_match, agon::mix(key), matches) == 9;
  }
  CHECK(std::abs(once_by_round - 1000) < 100);
  CHECK(std::abs(once_by_match - 200) < 60);
  CHECK(drawn.size() == 10);
  CHECK(!agon::serve::drawn_match(PaidMatches::sum, 1, matches));
}

TEST_CASE("codes and addresses are those of the outcome", "[serve][people]") {
  People people;
  ParticipantRow who;
  who.code = "OWN";
  const auto ended = [&](EndReason why, bool instructed = true) {
    who.end = why;
    who.instructed = instructed ? 1 : 0;
    return agon::serve::code_of(people, who).value_or("-") + " " +
           agon::serve::return_address(people, who).value_or("-");
  };
  CHECK(ended(EndReason::done) == "OWN -");
  CHECK(ended(EndReason::declined) == "- -");
  people.code = "ABC";
  people.return_to = "https://p.example/?cc={code}&s={survey_code}&x={other}";
  who.panel_parameters = R"({"survey_code": "1 2&{code}/ü"})";
  CHECK(ended(EndReason::done) == "ABC https://p.example/?cc=ABC&s=1%202%26%7Bcode%7D%2F%C3%BC&x=");
  CHECK(ended(EndReason::left) == "ABC https://p.example/?cc=ABC&s=1%202%26%7Bcode%7D%2F%C3%BC&x=");
  CHECK(ended(EndReason::declined) == "- -");
  TextsByOutcome codes, addresses;
  codes.complete = "ABC";
  codes.screened_out = "DEF";
  codes.timed_out = "GHI";
  codes.no_consent = "J&L";
  addresses.complete = "https://p.example/c";
  addresses.no_consent = "https://p.example/n?{code}";
  people.code = codes;
  people.return_to = addresses;
  CHECK(ended(EndReason::done) == "ABC https://p.example/c");
  CHECK(ended(EndReason::closed) == "ABC https://p.example/c");
  CHECK(ended(EndReason::no_match) == "ABC https://p.example/c");
  CHECK(ended(EndReason::waited) == "ABC https://p.example/c");
  CHECK(ended(EndReason::screened_out) == "DEF -");
  CHECK(ended(EndReason::gone) == "GHI -");
  CHECK(ended(EndReason::declined, false) == "J&L https://p.example/n?J%26L");
  CHECK(ended(EndReason::left) == "- -");
  CHECK(ended(EndReason::dropped) == "- -");
  // Who had not begun when the session ended has not completed it.
  CHECK(ended(EndReason::closed, false) == "- -");
  CHECK(ended(EndReason::no_match, false) == "- -");
  codes.waited = "W";
  codes.left = "L";
  people.code = codes;
  CHECK(ended(EndReason::waited).starts_with("W "));
  CHECK(ended(EndReason::dropped).starts_with("L "));
}
