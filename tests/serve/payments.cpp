// Points to money, as it is declared.
#include "catch.hpp"
#include "people/roster.hpp"

using agon::Money;
using agon::serve::Earned;
using agon::serve::payment;
using agon::suite_file::People;

namespace {

People declared(double rate, std::int64_t show_up, std::int64_t round = 1) {
  People people;
  people.payment.per_point = rate;
  people.payment.show_up_fee = {show_up};
  people.payment.round = {round};
  return people;
}

Earned for_scores(std::vector<std::string> scores) {
  return {.came = true, .to_the_end = true, .scores = std::move(scores)};
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
  // Below zero too: half of a cent goes up, what is more than half goes down.
  using agon::serve::paid_for_scores;
  CHECK(paid_for_scores(declared(0.01, 0), {"-1.5"}) == Money{-1});
  CHECK(paid_for_scores(declared(0.01, 0), {"-1.51"}) == Money{-2});
  CHECK(paid_for_scores(declared(0.01, 0), {"-1.49"}) == Money{-1});
  CHECK(paid_for_scores(declared(0.01, 0), {"-0.5"}) == Money{0});
}

TEST_CASE("payments heed who came and who stayed", "[serve][people]") {
  People people = declared(1, 300);
  people.payment.minimum = {1000};
  people.payment.unfinished = {150};
  people.waiting.pay = {75};
  CHECK(payment(people, {}) == Money{0});
  CHECK(payment(people, {.came = true}) == Money{300});
  CHECK(payment(people, {.came = true, .to_the_end = true}) == Money{1000});
  CHECK(payment(people, {.came = true, .scores = {"4"}, .unfinished = 2}) == Money{1000});
  people.payment.minimum = {0};
  CHECK(payment(people, {.came = true, .to_the_end = true, .waited_in_vain = true}) == Money{375});
  CHECK(agon::serve::amount_text(Money{1205}, "EUR") == "12.05 EUR");
  CHECK(agon::serve::amount_text(Money{-5}, "EUR") == "-0.05 EUR");
}
