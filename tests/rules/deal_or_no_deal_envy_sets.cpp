// Section 3.8 of the game's rules: what the published workflow makes of proposals and refusals.

#include "catch.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal-or-no-deal/workflows.hpp"

namespace envy_sets_test {
namespace {

using namespace deal_or_no_deal;

const Amounts counts{1, 1, 3};
const Amounts alice{1, 3, 2};

/// Alice, after Bob's first proposal: the hat and two balls for him.
EnvyFilter after_first_offer() {
  EnvyFilter filter(counts, alice, 10);
  filter.hear(Amounts{0, 1, 2});
  return filter;
}

std::string value_of(const std::vector<agon::PromptName>& names, std::string_view name) {
  for (const agon::PromptName& entry : names)
    if (entry.name == name) return entry.text;
  FAIL("there is no name " << name);
  return {};
}

}  // namespace

TEST_CASE("Deal or No Deal 3.8: before this side proposed, their proposal must not make envious") {
  const EnvyFilter filter = after_first_offer();
  CHECK(filter.prior().size() == 26);
  CHECK(filter.offered() == Amounts{1, 0, 1});
  CHECK(filter.sets().envious.size() == 17);
  CHECK(filter.sets().greedy.empty());
  for (const Amounts& v : filter.sets().envious)
    CHECK(worth(Amounts{0, 1, 2}, v) >= worth(Amounts{1, 0, 1}, v));
}

TEST_CASE(
    "Deal or No Deal 3.8: stated values are believed, and forgotten once deeds contradict them") {
  const auto after = [](const Amounts& stated, bool checks) {
    EnvyFilter filter(counts, alice, 10);
    filter.believe(stated, checks);
    filter.hear(Amounts{0, 1, 2});
    return filter.possible();
  };
  const Amounts fits{1, 3, 2}, contradicted{4, 0, 2};
  for (const bool checks : {false, true}) CHECK(after(fits, checks) == std::vector<Amounts>{fits});
  CHECK(after(contradicted, false) == std::vector<Amounts>{contradicted});
  CHECK(after(contradicted, true) == after_first_offer().possible());
  // What cannot be true is not heard.
  CHECK(after({9, 9, 9}, false) == after_first_offer().possible());
}

TEST_CASE("Deal or No Deal 3.8: a refused proposal divides what is left into envy and greed") {
  EnvyFilter filter = after_first_offer();
  filter.propose({0, 1, 2});
  filter.hear(Amounts{0, 1, 2});
  CHECK(filter.sets().envious.size() == 14);
  CHECK(filter.sets().greedy.empty());
  CHECK(filter.envy_share() == 100);
  CHECK(filter.greed_share() == 0);
  // Saying the same again tells nothing new.
  filter.hear(Amounts{0, 1, 2});
  CHECK(filter.sets().envious.size() == 14);
  // And neither do words without a proposal.
  filter.hear(std::nullopt);
  CHECK(filter.sets().envious.size() == 14);
}

TEST_CASE("Deal or No Deal 3.8: who could live with a proposal and wants more is greedy") {
  EnvyFilter filter(counts, alice, 10);
  filter.propose({0, 1, 1});  // leaves the book and two balls
  filter.hear(Amounts{1, 0, 3});
  for (const Amounts& v : filter.sets().greedy) {
    CHECK(worth(Amounts{1, 0, 2}, v) >= worth(Amounts{0, 1, 1}, v));
    CHECK(worth(Amounts{1, 0, 3}, v) > worth(Amounts{1, 0, 2}, v));
  }
  for (const Amounts& v : filter.sets().envious) {
    CHECK(worth(Amounts{1, 0, 2}, v) < worth(Amounts{0, 1, 1}, v));
    CHECK(worth(Amounts{1, 0, 3}, v) >= worth(Amounts{0, 1, 0}, v));
  }
  CHECK_FALSE(filter.sets().greedy.empty());
  CHECK_FALSE(filter.sets().envious.empty());
  CHECK(filter.envy_share() + filter.greed_share() == 100);
  CHECK(filter.possible().size() == filter.sets().envious.size() + filter.sets().greedy.size());
}

TEST_CASE(
    "Deal or No Deal 3.8: an agreement changes nothing, an impossible refusal keeps the sets") {
  EnvyFilter filter = after_first_offer();
  filter.propose({1, 0, 1});
  filter.hear(Amounts{0, 1, 2});  // the very split that was proposed
  CHECK(filter.sets().envious.size() == 17);
  // It wants nothing: no valuation explains that, so what was known stays.
  filter.propose({1, 0, 0});
  filter.hear(Amounts{0, 0, 0});
  CHECK(filter.sets().envious.size() == 17);
  // Without anything known before, the prior stays.
  EnvyFilter fresh(counts, alice, 10);
  fresh.hear(Amounts{0, 0, 0});
  CHECK_FALSE(fresh.sets().known());
  CHECK(fresh.possible().size() == 26);
}

TEST_CASE("Deal or No Deal 3.8: sets that contradict each other are made anew from the prior") {
  EnvyFilter filter(counts, alice, 10);
  filter.hear(Amounts{1, 0, 0});  // content with the book alone: it is worth 5 or more
  const auto before = filter.possible();
  for (const Amounts& v : before) CHECK(v[0] >= 5);
  filter.propose({0, 1, 3});
  filter.hear(Amounts{0, 0, 3});  // and now with the balls alone, though refusing the book
  CHECK(filter.sets().known());
  for (const Amounts& v : filter.possible()) CHECK(3 * v[2] >= v[0] + v[1]);
}

TEST_CASE("Deal or No Deal 3.8: shares are rounded to hundredths, halves to the even one") {
  CHECK(hundredths(1, 3) == 33);
  CHECK(hundredths(2, 3) == 67);
  CHECK(hundredths(1, 8) == 12);
  CHECK(hundredths(3, 8) == 38);
  CHECK(hundredths(0, 5) == 0);
  CHECK(hundredths(26, 26) == 100);
}

TEST_CASE(
    "Deal or No Deal 3.8: acceptance falls with each refusal, but not of what they proposed") {
  EnvyFilter filter = after_first_offer();
  const Amounts wish{0, 1, 2};
  const auto content = filter.envy_free(wish);
  CHECK(filter.acceptance(wish, 0.1) == content);
  filter.propose(wish);
  filter.hear(Amounts{0, 1, 2});
  filter.propose(wish);
  filter.hear(Amounts{0, 1, 2});
  CHECK(filter.refused(wish) == 2);
  // Who refuses it now is always envious of it.
  CHECK(filter.envy_free(wish) == 0);
  const Amounts other{1, 0, 2};
  filter.propose(other);
  filter.hear(Amounts{0, 1, 2});
  const auto base = filter.envy_free(other);
  CHECK(filter.refused(other) == 1);
  CHECK(filter.acceptance(other, 0) == base);
  CHECK(filter.acceptance(other, 1) == 0);
  // What the other side itself proposed is not refused.
  filter.propose({1, 0, 1});
  CHECK(filter.refused({1, 0, 1}) == 0);
}

TEST_CASE("Deal or No Deal 3.8: the two lists of options") {
  EnvyFilter filter = after_first_offer();
  filter.propose({0, 1, 2});
  filter.hear(Amounts{0, 1, 2});
  const Amounts draft{0, 1, 1};
  const auto score = worth(draft, alice);
  const auto fairer = filter.fairer(draft, 0);
  const auto better = filter.better(draft, 0);
  REQUIRE_FALSE(fairer.empty());
  REQUIRE_FALSE(better.empty());
  for (const SplitOption& option : fairer) {
    CHECK(option.take != draft);
    CHECK(option.acceptance > 50);
    CHECK(2 * option.score >= worth(counts, alice));
  }
  for (const SplitOption& option : better) {
    CHECK(option.score > score);
    CHECK(option.acceptance > 0);
    CHECK(2 * option.score >= worth(counts, alice));
  }
}

TEST_CASE("Deal or No Deal 3.8: what a draft is told about itself, whichever set is empty") {
  Talk talk;
  talk.items = {"book", "hat", "ball"};
  talk.counts = counts;
  talk.values = alice;
  talk.total_value = 10;
  EnvyFilter filter = after_first_offer();
  filter.propose({0, 1, 2});
  filter.hear(Amounts{0, 1, 2});
  REQUIRE(filter.sets().greedy.empty());
  const auto names = reflection(talk, filter, {0, 1, 1}, "{}", 0);
  CHECK(value_of(names, "take") == "0 books, 1 hat and 1 ball");
  CHECK(value_of(names, "score") == "5");
  CHECK(value_of(names, "theirs") == "5");
  CHECK(value_of(names, "envied").empty());
  CHECK(value_of(names, "useless").empty());
  // Mean worth of the book and two balls to the fourteen who refused out of envy.
  std::int64_t sum = 0;
  for (const Amounts& v : filter.sets().envious) sum += worth(Amounts{1, 0, 2}, v);
  const Hundredths mean = hundredths(sum, 14);
  const std::string text = value_of(names, "expected-envy");
  CHECK(std::stod(text) == Approx(static_cast<double>(mean) / 100));
  CHECK_FALSE(value_of(names, "chance-envy").empty());
  CHECK(value_of(names, "expected-greed").empty());
  CHECK(value_of(names, "chance-greed").empty());

  const auto told = standing(talk, filter);
  CHECK(value_of(told, "counter") == "1 book, 0 hats and 1 ball");
  CHECK(value_of(told, "agreed").empty());
  CHECK(value_of(told, "envy") == "1.00");
  CHECK(value_of(told, "greed").empty());

  // A bad deal is called one, and so is taking what is worth nothing.
  talk.values = {0, 4, 2};
  EnvyFilter other(counts, talk.values, 10);
  const auto bad = reflection(talk, other, {1, 0, 1}, "{}", 0);
  CHECK(value_of(bad, "envied") == "8");
  CHECK(value_of(bad, "useless") == "book");
  CHECK(value_of(bad, "expected-envy").empty());
}

TEST_CASE("Deal or No Deal 3.8: a repeated proposal carries a warning with its count") {
  Talk talk;
  talk.items = {"book", "hat", "ball"};
  talk.counts = counts;
  talk.values = alice;
  EnvyFilter filter(counts, alice, 10);
  const auto told = [&](double rate) {
    return value_of(reflection(talk, filter, {0, 1, 1}, "{}", rate), "better");
  };
  for (int i = 0; i < 2; ++i) {
    filter.propose({0, 1, 2});
    filter.hear(Amounts{1, 1, 0});
  }
  const std::string twice = told(0);
  INFO(twice);
  CHECK(twice.find(
            "- take 0 books, 1 hat and 2 balls: worth 7 to you, probability that it is accepted "
            "0.44 (moderate); careful, you have proposed this 2 times and it was not "
            "accepted\n") != std::string::npos);
  CHECK(twice.find(
            "- take 0 books, 0 hats and 3 balls: worth 6 to you, probability that it is accepted "
            "1.00 (high)\n") != std::string::npos);
  CHECK(twice.find("3 balls: worth 9 to you, probability that it is accepted 0.38 (low)") !=
        std::string::npos);
  // Each refusal halves the chance: 44, 22, 11.
  CHECK(told(0.5).find("accepted 0.11 (low); careful") != std::string::npos);
}

}  // namespace envy_sets_test
