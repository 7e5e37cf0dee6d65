// A person who is gone: a substitute plays on, and the record says so.
#include <algorithm>

#include "catch.hpp"
#include "parley.hpp"
#include "support.hpp"

using agon::End;
using agon::MatchResult;
using agon::Reply;
using agon::record::Entry;
using namespace seam;

namespace {

const Scene& game_of_three() {
  static const Scene held(parley::game(), R"({"rounds": 4})");
  return held;
}

std::vector<Entry> questions_of(const std::string& record, int seat) {
  std::vector<Entry> found;
  for (const Entry& e : agon::record::read(record).entries)
    if (e.what == Entry::What::question && e.seat == seat) found.push_back(e);
  return found;
}

/// Answers so many questions, then hands its seat over for good.
class Leaver final : public agon::WaitingAgent {
 public:
  explicit Leaver(int answers) : left_(answers) {}
  void ask(agon::OwnedQuestion question, agon::Completion done) const override {
    ++asked;
    if (left_-- <= 0) return done({.hands_over = true});
    Reply reply;
    reply.declined = question.probe;
    if (!question.probe)
      reply.json = question.stage == "bid" ? R"({"amount": 1})" : R"({"text": "so be it"})";
    reply.timing = {1, 2, 3};
    done(std::move(reply));
  }
  void match_ended(agon::MatchEnding ending) const override { endings.push_back(ending.score); }
  [[nodiscard]] bool is_costly() const override { return true; }

  mutable int asked = 0;
  mutable std::vector<std::optional<double>> endings;

 private:
  mutable int left_;
};

Reply one(const Ask& ask) {
  return {.json = ask.stage == "bid" ? R"({"amount": 2})" : R"({"text": "mine"})"};
}

}  // namespace

TEST_CASE("a substitute plays on for whoever is gone and the record says where", "[seam][people]") {
  Post post(Post::Order::at_once);
  const Inline rule(one, false);
  const Inline substitute(one, false);
  const Waiting waiting_substitute(one, post);
  // What it says to a probe is no move that was forced.
  const Inline guessing(
      [](const Ask& ask) { return ask.probe ? Reply{.json = R"({"most": 1})"} : one(ask); });
  for (const agon::Agent* instead : {static_cast<const agon::Agent*>(&substitute),
                                     static_cast<const agon::Agent*>(&waiting_substitute),
                                     static_cast<const agon::Agent*>(&guessing)}) {
    const Leaver leaver(2);
    agon::MatchSetup setup = game_of_three().setup({&leaver, &rule, &rule});
    setup.seats[0].substitute = instead;
    std::string last;
    setup.make_durable = [&](const std::string& record) { last = record; };
    const MatchResult result = agon::play_match(setup);
    REQUIRE(result.end == End::finished);
    CHECK(leaver.asked == 3);
    // It is told how it ended all the same.
    REQUIRE(leaver.endings.size() == 1);
    CHECK(leaver.endings.front().has_value());
    const auto asked = questions_of(result.record, 0);
    const auto first =
        std::find_if(asked.begin(), asked.end(), [](const Entry& e) { return e.by_substitute; });
    REQUIRE(first != asked.end());
    CHECK(first - asked.begin() == 2);
    CHECK(std::all_of(first, asked.end(), [](const Entry& e) { return e.by_substitute; }));
    std::uint32_t moves = 0;
    for (auto e = first; e != asked.end(); ++e) moves += e->probe ? 0 : 1;
    CHECK(result.forced[0] == moves);
    CHECK(result.forced[1] == 0);
    // That the seat went to another is on the disk before the answer counts.
    const auto saved = questions_of(last, 0);
    CHECK(std::any_of(saved.begin(), saved.end(), [](const Entry& e) { return e.by_substitute; }));

    // Replayed without anybody.
    const MatchResult again = agon::play_match(game_of_three().replay(result.record));
    CHECK(again.end == End::finished);
    CHECK(again.record == result.record);
    CHECK(again.forced == result.forced);

    // Taken up again from the last save: nobody asks the person who is gone.
    const Leaver nobody(0);
    agon::MatchSetup resumed = game_of_three().setup({&nobody, &rule, &rule});
    resumed.seats[0].substitute = instead;
    resumed.past = last;
    const MatchResult end = agon::play_match(resumed);
    CHECK(end.end == End::finished);
    CHECK(nobody.asked == 0);
    CHECK(end.record == result.record);
    CHECK(end.forced == result.forced);
  }
}

TEST_CASE("without a substitute a match ends where somebody is gone", "[seam][people]") {
  const Inline rule(one, false);
  const Leaver leaver(1);
  const agon::MatchSetup setup = game_of_three().setup({&leaver, &rule, &rule});
  const MatchResult result = agon::play_match(setup);
  CHECK(result.end == End::unfinished);
  CHECK(result.problem == "the person at seat 0 is gone");
  REQUIRE(leaver.endings.size() == 1);
  CHECK(!leaver.endings.front());
}
