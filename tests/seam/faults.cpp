// Whose fault it is, how often it is asked again, and what a broken game can and cannot do.

#include <algorithm>
#include <atomic>

#include "catch.hpp"
#include "parley.hpp"
#include "support.hpp"

using agon::End;
using agon::Fault;
using agon::MatchResult;
using agon::Reply;
using namespace seam;

namespace {

MatchResult play(const std::string& settings, const std::vector<const agon::Agent*>& agents,
                 int reasks = 3) {
  const Scene scene(parley::game(), settings);
  agon::MatchSetup setup = scene.setup(agents);
  setup.reasks = reasks;
  return agon::play_match(setup);
}

bool has_outcome(const std::string& record) {
  const auto history = agon::record::read(record);
  return std::any_of(history.entries.begin(), history.entries.end(),
                     [](const auto& e) { return e.what == agon::record::Entry::What::outcome; });
}

const Inline& drawing() {
  static const Inline held(draws);
  return held;
}

/// Says the same legal thing each time.
Reply steady(const Ask& ask) {
  return {.declined = ask.probe,
          .json = ask.stage == "bid" ? R"({"amount": 3})" : R"({"text": "so"})"};
}

}  // namespace

TEST_CASE("whatever a game throws is charged to the game", "[seam][faults]") {
  struct Row {
    const char* trouble;
    const char* problem;
  };
  const auto row = GENERATE(
      Row{"throws_exception", "the game threw after a question of stage 'word': no such card"},
      Row{"throws_int",
          "the game threw after a question of stage 'word': something that is no exception"},
      Row{"throws_stop", "the game threw after a question of stage 'word': a stop of its own"},
      Row{"too_few_seats", "the outcome has 2 seats, the match 3"},
      Row{"no_such_seat", "the match has no such seat at stage 'bid'"},
      Row{"view_throws", "the game threw after a question of stage 'bid': no such view"},
      Row{"check_throws", "the game threw after a question of stage 'bid': no such check"},
      Row{"bad_fallback", "the game's own fallback is illegal"});
  // Who looks at the view meets what it throws; it is still not the player's fault.
  class Looks final : public agon::Agent {
   public:
    void answer(agon::Question& q) const override {
      (void)q.view();
      q.stage() == "word" ? q.decline() : q.draw();
    }
  };
  const Looks looks;
  Post post(Post::Order::first);
  const Waiting waits(
      [](const Ask& ask) {
        return ask.stage == "word" ? Reply{.status = Fault::refused} : draws(ask);
      },
      post);
  for (const agon::Agent* agent : std::initializer_list<const agon::Agent*>{&looks, &waits}) {
    const MatchResult result =
        play(R"({"trouble": ")" + std::string(row.trouble) + R"("})", {agent});
    INFO(row.trouble);
    CHECK(result.end == End::game_fault);
    CHECK(result.problem.find(row.problem) == 0);
    CHECK(!has_outcome(result.record));
    for (int seat = 0; seat < 3; ++seat) CHECK(faults(result, seat, Fault::crashed) == 0);
  }
}

TEST_CASE("what a game throws while a person is asked is its own fault", "[seam][faults]") {
  // As people are asked: what ends the match for them has to be meant.
  const Asked person([](const agon::OwnedQuestion& question, const agon::Completion& done) {
    Reply reply = draws(ask_of(question));
    if (question.stage == "word") reply.json = R"({"text": "no such end"})";
    CHECK_FALSE(agon::ends_match(question, reply.json));
    done(std::move(reply));
  });
  const MatchResult result = play("{}", {&person});
  CHECK(result.end == End::game_fault);
  CHECK(result.problem == "the game threw after a question of stage 'word': no such end");
  CHECK(result.questions > 3);
  for (int seat = 0; seat < 3; ++seat) {
    CHECK(faults(result, seat, Fault::crashed) == 0);
    CHECK(result.forced[static_cast<std::size_t>(seat)] == 0);
  }
}

TEST_CASE("a game that swallows the stop does not finish", "[seam][faults]") {
  const std::string trouble = GENERATE("swallows_stop", "replaces_stop");
  const std::string settings = R"({"trouble": ")" + trouble + R"("})";
  SECTION("cancelled") {
    std::stop_source cancel;
    cancel.request_stop();
    const Scene scene(parley::game(), settings);
    agon::MatchSetup setup = scene.setup({&drawing()});
    setup.cancel = cancel.get_token();
    const MatchResult result = agon::play_match(setup);
    CHECK(result.end == End::stopped);
    CHECK(!has_outcome(result.record));
  }
  SECTION("left unfinished") {
    const Asked failing([](const agon::OwnedQuestion&, agon::Completion done) {
      done({.status = Fault::provider_failed, .problem = "gone"});
    });
    const MatchResult result = play(settings, {&drawing(), &failing, &drawing()});
    CHECK(result.end == End::unfinished);
    CHECK(result.problem == "gone");
    CHECK(!has_outcome(result.record));
  }
}

TEST_CASE("what fails because the match was cancelled is no fault", "[seam][faults]") {
  std::stop_source cancel;
  bool has_failed = false;
  /// Its answer is taken before that of the seat behind it, which is there by then.
  class Canceller : public Asked {
   public:
    Canceller(const bool& has_failed, std::stop_source& cancel)
        : Asked([](const agon::OwnedQuestion& q, const agon::Completion& done) {
            done({.json = drawn(ask_of(q))});
          }),
          has_failed_(has_failed),
          cancel_(cancel) {}
    [[nodiscard]] bool is_costly() const override {
      if (has_failed_) cancel_.request_stop();
      return true;
    }

   private:
    const bool& has_failed_;
    std::stop_source& cancel_;
  };
  const Canceller canceller(has_failed, cancel);
  const Asked failing([&](const agon::OwnedQuestion& q, const agon::Completion& done) {
    has_failed = q.stage == "bid";
    if (!has_failed) return done({.json = drawn(ask_of(q))});
    done({.status = Fault::provider_failed, .problem = "the call was broken off"});
  });
  const Scene scene(parley::game());
  agon::MatchSetup setup = scene.setup({&canceller, &failing, &drawing()});
  setup.cancel = cancel.get_token();
  const MatchResult result = agon::play_match(setup);
  REQUIRE(has_failed);
  CHECK(result.end == End::stopped);
  CHECK(faults(result, 1, Fault::provider_failed) == 0);
}

namespace {

/// How often the table threw a stop at a game that goes on all the same.
int stops_thrown = 0;

constexpr agon::Probe<"ask-again", parley::Word> kProbe{"Say a word."};
constexpr agon::Event<"before", parley::Secret> kBefore{"before the stop"};
constexpr agon::Event<"after", parley::Secret> kAfter{"after the stop"};
constexpr agon::PrivateEvent<"after", parley::Secret> kTold{"after the stop"};
constexpr agon::Note<"after", parley::Secret> kNoted{"after the stop"};

agon::Outcome stubborn(agon::Table<parley::kWord, kProbe, kBefore, kAfter, kTold, kNoted> table,
                       const parley::Total&) {
  const auto stopped = [](auto&& what) {
    try {
      what();
    } catch (const agon::Stop&) {
      ++stops_thrown;
    }
  };
  table.announce(kBefore, parley::Secret{1});
  stopped([&] { (void)table.ask(0, parley::kWord); });
  stopped([&] { (void)table.ask(0, parley::kWord); });
  stopped([&] { (void)table.probe(0, kProbe); });
  stopped([&] { table.announce(kAfter, parley::Secret{2}); });
  stopped([&] { table.tell(0, kTold, parley::Secret{2}); });
  stopped([&] { table.note(kNoted, parley::Secret{2}); });
  stopped([&] { (void)table.chance("after").below(9); });
  stopped([&] { table.carry(0, parley::Total{1}); });
  return {{.score = 1}};
}

}  // namespace

TEST_CASE("a table that stopped takes nothing more", "[seam][faults]") {
  const agon::Game game =
      agon::game<&stubborn>("stubborn", {.title = "Stubborn", .seats = {1, 1}, .rules = "Go on."});
  const Asked failing([](const agon::OwnedQuestion&, agon::Completion done) {
    done({.status = Fault::provider_failed, .problem = "gone"});
  });
  const Scene scene(game);
  stops_thrown = 0;
  const MatchResult result = agon::play_match(scene.setup({&failing}));
  CHECK(stops_thrown == 8);
  CHECK(result.end == End::unfinished);
  CHECK(std::all_of(result.carried.begin(), result.carried.end(),
                    [](const std::string& carried) { return carried.empty(); }));
  std::vector<std::string> names;
  for (const auto& e : agon::record::read(result.record).entries) names.emplace_back(e.name);
  CHECK(names == std::vector<std::string>{"before"});
}

TEST_CASE("cancelling stops a match at its next question", "[seam][faults]") {
  for (int stop_after = 0; stop_after < 6; ++stop_after) {
    std::stop_source cancel;
    if (stop_after == 0) cancel.request_stop();
    std::atomic<int> answers{0};
    const Inline counting(
        [&](const Ask& ask) {
          if (++answers == stop_after) cancel.request_stop();
          return steady(ask);
        },
        false);
    const Scene scene(parley::game());
    agon::MatchSetup setup = scene.setup({&counting});
    setup.cancel = cancel.get_token();
    const MatchResult result = agon::play_match(setup);
    CHECK(result.end == End::stopped);
    // The three bids of a round are one question to the table.
    CHECK(answers == (stop_after == 0 ? 0 : stop_after <= 3 ? 3 : stop_after == 4 ? 4 : 7));
    setup.cancel = {};
    setup.past = result.record;
    const Inline uncancelled(steady, false);
    CHECK(agon::play_match(setup).record == agon::play_match(scene.setup({&uncancelled})).record);
  }
}

TEST_CASE("every class of fault is counted, told and recorded", "[seam][faults]") {
  struct Row {
    Reply reply;
    Fault fault;
    const char* complaint;
    bool again;             ///< asked again
    int most_attempts = 4;  ///< however often the table asks
  };
  const std::vector<Row> rows{
      {{.json = R"({"amount": 11})"}, Fault::illegal, "$.amount: 11 is more than 10", true},
      {{.json = R"({"amount": 7})"}, Fault::illegal, "seven is taboo", true},
      {{.json = "eleven"}, Fault::unparsable, "", true},
      {{.json = " \n"}, Fault::empty, "nothing was said", true},
      {{.status = Fault::truncated, .json = R"({"amou)", .problem = "cut at 10 tokens"},
       Fault::truncated,
       "cut at 10 tokens",
       true},
      {{.status = Fault::truncated}, Fault::truncated, "there was no answer", true},
      {{.status = Fault::refused, .problem = "I will not bid"},
       Fault::refused,
       "I will not bid",
       true,
       2},
      {{.status = Fault::timed_out}, Fault::timed_out, "the answer came too late", false},
      {{.status = Fault::crashed, .problem = "it broke"}, Fault::crashed, "it broke", false},
  };
  for (const Row& row : rows) {
    for (int reasks = 0; reasks <= 3; ++reasks) {
      int attempts = 0;
      std::vector<std::string> complaints;
      const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
        if (q.number != 0) return done(steady(ask_of(q)));
        CHECK(q.attempt == attempts++);
        complaints.push_back(q.complaint);
        done(row.reply);
      });
      const Inline other(draws, false);
      const MatchResult result = play("{}", {&agent, &other, &other}, reasks);
      REQUIRE(result.end == End::finished);
      const int expected = row.again ? std::min(reasks + 1, row.most_attempts) : 1;
      INFO(row.complaint);
      CHECK(attempts == expected);
      CHECK(faults(result, 0, row.fault) == static_cast<std::uint32_t>(expected));
      CHECK(result.forced[0] == 1);
      CHECK(complaints[0].empty());
      const auto history = agon::record::read(result.record);
      const auto asked =
          std::find_if(history.entries.begin(), history.entries.end(),
                       [](const auto& e) { return e.what == agon::record::Entry::What::question; });
      CHECK(asked->forced);
      REQUIRE(asked->attempts.size() == static_cast<std::size_t>(expected));
      for (const auto& a : asked->attempts) {
        CHECK(a.fault == row.fault);
        CHECK(!a.complaint.empty());
        if (*row.complaint != 0) CHECK(a.complaint == row.complaint);
        if (!row.reply.json.empty()) CHECK(a.payload == row.reply.json);
      }
      for (std::size_t i = 1; i < complaints.size(); ++i)
        CHECK(complaints[i] == asked->attempts[i - 1].complaint);
      const Scene scene(parley::game());
      agon::MatchSetup replay = scene.replay(result.record);
      replay.reasks = reasks;
      CHECK(agon::play_match(replay).record == result.record);
    }
  }
}

TEST_CASE("a repaired answer stands and stays known as such, as one found in words",
          "[seam][faults]") {
  const Fault how = GENERATE(Fault::repaired, Fault::in_words);
  const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
    done({.status = q.number == 0 ? how : Fault::ok,
          .declined = q.probe,
          .json = q.stage == "bid" ? R"({"amount": 3})" : R"({"text": ""})"});
  });
  const MatchResult result = play("{}", {&agent});
  REQUIRE(result.end == End::finished);
  CHECK(faults(result, 0, how) == 1);
  CHECK(result.forced[0] == 0);
  const Scene scene(parley::game());
  const MatchResult again = agon::play_match(scene.replay(result.record));
  CHECK(again.record == result.record);
  CHECK(again.faults == result.faults);
}

TEST_CASE("the attempted and the accepted answer are both kept", "[seam][faults]") {
  const Inline agent([](const Ask& ask) {
    if (ask.stage != "bid") return Reply{.declined = ask.probe, .json = R"({"text": ""})"};
    const char* tries[] = {R"({"amount": 11})", R"({"amount": 7})", R"({"amount": 5})"};
    return Reply{.json = tries[std::min(ask.attempt, 2)], .thought = ask.complaint};
  });
  const MatchResult result = play("{}", {&agent});
  REQUIRE(result.end == End::finished);
  const auto history = agon::record::read(result.record);
  int bids = 0;
  for (const auto& e : history.entries) {
    if (e.name != "bid") continue;
    ++bids;
    REQUIRE(e.attempts.size() == 3);
    CHECK(e.attempts[0].payload == R"({"amount": 11})");
    CHECK(e.attempts[1].complaint == "seven is taboo");
    CHECK(e.attempts[2].fault == Fault::ok);
    CHECK(!e.forced);
    CHECK(e.thought == "seven is taboo");
    const agon::record::RecordedTypes recorded(
        [&](const agon::hash::Digest& shape) { return result.shapes->notation(shape); });
    CHECK(recorded.json(e.shape, e.payload) == R"({"amount":5})");
  }
  CHECK(bids == 6);
  CHECK(faults(result, 1, Fault::illegal) == 4);
  CHECK(faults(result, 1, Fault::ok) >= 2);
}

TEST_CASE("an inline agent that breaks is not asked again", "[seam][faults]") {
  int kind = GENERATE(0, 1, 2);
  std::atomic<int> asked{0};
  class Breaks final : public agon::Agent {
   public:
    Breaks(int kind, std::atomic<int>& asked) : kind_(kind), asked_(asked) {}
    void answer(agon::Question&) const override {
      ++asked_;
      if (kind_ == 0) throw std::runtime_error("my head hurts");
      if (kind_ == 1) throw 3;
      throw agon::Stop{};  // not an agent's to throw
    }

   private:
    int kind_;
    std::atomic<int>& asked_;
  };
  const Breaks agent(kind, asked);
  const MatchResult result = play("{}", {&agent});
  REQUIRE(result.end == End::finished);
  std::uint32_t crashed = 0, forced = 0;
  for (int seat = 0; seat < 3; ++seat) {
    crashed += faults(result, seat, Fault::crashed);
    forced += result.forced[static_cast<std::size_t>(seat)];
  }
  CHECK(crashed == forced);
  CHECK(crashed == static_cast<std::uint32_t>(asked));
  CHECK(forced == 8);
}

TEST_CASE("an answer changed after a draw is checked, with and without a record",
          "[seam][faults]") {
  class Greedy final : public agon::Agent {
   public:
    void answer(agon::Question& q) const override {
      q.draw();
      if (auto* bid = q.answer<parley::Bid>()) bid->amount += 100;
    }
  };
  const Greedy agent;
  const Scene scene(parley::game());
  agon::MatchSetup setup = scene.setup({&agent});
  const MatchResult with = agon::play_match(setup);
  setup.record = false;
  const MatchResult without = agon::play_match(setup);
  CHECK(with.forced == std::vector<std::uint32_t>{2, 2, 2});
  CHECK(without.forced == with.forced);
  CHECK(without.faults[0][static_cast<std::size_t>(Fault::illegal)] ==
        with.faults[0][static_cast<std::size_t>(Fault::illegal)]);
}

TEST_CASE("a probe that was first answered wrong and then declined leaves its attempts",
          "[seam][faults]") {
  const Inline agent([](const Ask& ask) {
    if (!ask.probe) return draws(ask);
    return ask.attempt == 0 ? Reply{.json = R"({"most": 11})"} : Reply{.declined = true};
  });
  const MatchResult result = play("{}", {&agent});
  REQUIRE(result.end == End::finished);
  int probes = 0;
  for (const auto& e : agon::record::read(result.record).entries) {
    if (!e.probe) continue;
    ++probes;
    CHECK(e.declined);
    REQUIRE(e.attempts.size() == 1);
    CHECK(e.attempts[0].fault == Fault::illegal);
  }
  CHECK(probes == 6);
  const Scene scene(parley::game());
  const MatchResult again = agon::play_match(scene.replay(result.record));
  CHECK(again.record == result.record);
  CHECK(again.faults == result.faults);
}

// ---- learning sequences
// ------------------------------------------------------------------------------

TEST_CASE("what a seat takes along reaches its next match", "[seam][carry]") {
  const Scene scene(parley::game(), R"({"rounds": 4})");
  std::vector<std::string> carried(3);
  int won = 0;
  for (std::uint64_t position = 1; position <= 3; ++position) {
    agon::MatchSetup setup = scene.setup({&drawing()}, position);
    for (std::size_t i = 0; i < 3; ++i) setup.seats[i].carried = carried[i];
    const MatchResult result = agon::play_match(setup);
    REQUIRE(result.end == End::finished);
    carried = result.carried;
    int total = 0;
    for (const std::string& json : carried) {
      REQUIRE(json.find(R"({"won":)") == 0);
      total += std::stoi(json.substr(7));
    }
    won += 4;
    CHECK(total == won);
    // A replay is given the same, and comes out the same.
    agon::MatchSetup replay = scene.replay(result.record, position);
    for (std::size_t i = 0; i < 3; ++i) replay.seats[i].carried = setup.seats[i].carried;
    CHECK(agon::play_match(replay).record == result.record);
  }
}

TEST_CASE("what was carried over and does not fit is named", "[seam][carry]") {
  const char* json = GENERATE(R"({"won": "three"})", R"({"lost": 3})", "{", "[]", "\xff");
  const Scene scene(parley::game());
  agon::MatchSetup setup = scene.setup({&drawing()});
  setup.seats[1].carried = json;
  const MatchResult result = agon::play_match(setup);
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find("what seat 1 carried over does not fit: ") == 0);
  CHECK(!has_outcome(result.record));
}
