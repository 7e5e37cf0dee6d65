// What holds in every round of every clock, whoever plays.

#include <algorithm>

#include "clock_auction_support.hpp"

using namespace clock_auction_test;

namespace {

class RandomClock final : public agon::Agent {
 public:
  void answer(agon::Question& question) const override {
    // Stays, or waits, most of the time, so that rounds last.
    auto dice = question.dice();
    if (question.is_probe()) return question.draw();
    const bool rare = dice.below(12) == 0;
    if (question.stage() == "take")
      question.answer_json(rare ? R"({"take": true})" : R"({"take": false})");
    else
      question.answer_json(rare ? R"({"stay": false})" : R"({"stay": true})");
  }
  [[nodiscard]] bool answers_probes() const override { return true; }
};

Played play_random(const std::string& settings, int bidders, std::uint64_t luck) {
  const RandomClock random;
  ScriptedMatch made(the_clock(), settings);
  for (int seat = 0; seat < bidders; ++seat) made.agent(seat, random);
  return made.luck(luck).play();
}

std::optional<std::int64_t> whole(const boost::json::value& v) {
  return v.is_null() ? std::nullopt : std::optional(v.as_int64());
}

}  // namespace

TEST_CASE("clock properties: the winner pays the last rival's exit, and money adds up") {
  for (const std::string how : {"ascending", "ascending_blind"})
    for (std::uint64_t luck = 1; luck <= 15; ++luck) {
      const int bidders = 2 + static_cast<int>(luck % 5);
      const auto played = play_random(R"({"rounds": 4, "clock": ")" + how + R"(", "bidders": )" +
                                          std::to_string(bidders) + R"(, "start": 3, "step": 2})",
                                      bidders, luck);
      std::vector<double> profit(static_cast<std::size_t>(bidders));
      double revenue = 0;
      for (std::size_t round = 0; round < 4; ++round) {
        const auto sold = json(played.event("sold", round).json);
        const auto values = json(played.event("values", round).json);
        const std::int64_t price = *whole(sold.at("price"));
        CHECK(price >= 3);
        CHECK(price <= 40);
        CHECK(((price - 3) % 2 == 0 || price == 40));
        std::int64_t last = 0;
        std::size_t here = 0, at_price = 0;
        for (const auto& e : sold.at("exits").as_array()) {
          here += e.is_null();
          if (!e.is_null()) last = std::max(last, e.as_int64());
          at_price += whole(e) == price;
        }
        CHECK(last == price);
        CHECK(here <= 1);
        // Drawn only if nobody was left over.
        CHECK((sold.at("tied").as_int64() == 1 || here == 0));
        CHECK(sold.at("tied").as_int64() <= static_cast<std::int64_t>(at_price + here));
        for (int seat = 0; seat < bidders; ++seat) {
          const auto s = static_cast<std::size_t>(seat);
          if (std::string(clock_auction_test::winner(played, round)) !=
              auction_values::bidder_name(seat))
            continue;
          profit[s] += static_cast<double>(values.at("values").as_array()[s].as_int64() - price);
          revenue += static_cast<double>(price);
          CHECK((sold.at("exits").as_array()[s].is_null() ||
                 sold.at("exits").as_array()[s].as_int64() == price));
        }
      }
      CHECK(profits(played) == profit);
      CHECK(played.metric("revenue_sum") == revenue);
      CHECK(played.metric("efficient") <= played.metric("sold"));
      CHECK(played.metric("winner_value_sum") <= played.metric("best_value_sum"));
      for (int seat = 0; seat < bidders; ++seat) {
        CHECK(played.outcome[seat].score <= played.outcome[seat].ideal);
        CHECK(played.metric("exits", seat) + played.metric("wins", seat) == 4);
        CHECK(played.metric("early_exits", seat) + played.metric("exact_exits", seat) +
                  played.metric("late_exits", seat) ==
              played.metric("exits", seat));
      }
    }
}

TEST_CASE("clock properties: a falling clock sells at the first taken price or not at all") {
  for (std::uint64_t luck = 1; luck <= 15; ++luck) {
    const auto played =
        play_random(R"({"preset": "dutch", "rounds": 4, "bidders": 2, "ceiling": 30})", 2, luck);
    double revenue = 0;
    for (std::size_t round = 0; round < 4; ++round) {
      const auto sold = json(played.event("sold", round).json);
      CHECK(sold.at("winner").is_null() == sold.at("price").is_null());
      if (!sold.at("price").is_null()) revenue += sold.at("price").to_number<double>();
    }
    CHECK(played.metric("revenue_sum") == revenue);
    CHECK(played.metric("exits") == 0);
  }
}
