// What holds for every game, whoever plays: the same random numbers give the same match.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <thread>

#include "catch.hpp"
#include "json/parse.hpp"
#include "parley.hpp"
#include "run/bench.hpp"
#include "support.hpp"
#include "support/folders.hpp"
#include "table/match_table.hpp"
#include "text/hash.hpp"

using agon::End;
using agon::MatchResult;
using namespace seam;
using What = agon::record::Entry::What;

namespace {

struct LineUp {
  explicit LineUp(const Case& c) : scene(c.game, c.settings) {
    for (const std::string& text : c.agents) held.push_back(agent(text, c.game));
    for (const auto& a : held) agents.push_back(a.get());
  }
  Scene scene;
  std::vector<std::shared_ptr<const agon::Agent>> held;
  std::vector<const agon::Agent*> agents;
};

/// Declines every probe unseen, or lets the agent see them.
class ProbesOnly final : public agon::Agent {
 public:
  ProbesOnly(const agon::Agent& agent, bool answers) : agent_(agent), answers_(answers) {}
  void answer(agon::Question& q) const override {
    if (q.is_probe() && !answers_) return q.decline();
    agent_.answer(q);
  }
  [[nodiscard]] bool answers_probes() const override { return answers_ && agent_.answers_probes(); }

 private:
  const agon::Agent& agent_;
  bool answers_;
};

/// Draws every answer, probes included.
class DrawsAll final : public agon::Agent {
 public:
  void answer(agon::Question& q) const override { q.draw(); }
  [[nodiscard]] bool answers_probes() const override { return true; }
};

bool about_probes(std::string_view name) {
  static const std::set<std::string_view> names{"belief-checked", "engagement", "belief",
                                                "belief-judged", "guessed"};
  return names.contains(name);
}

/// What the match was, probes left out: draws, events, answers, scores.
std::vector<std::string> play_of(const MatchResult& result) {
  std::vector<std::string> texts;
  const auto history = agon::record::read(result.record);
  for (agon::record::Entry e : history.entries) {
    if (e.probe || (e.what == What::event && about_probes(e.name))) continue;
    e.number = 0;
    if (e.what == What::outcome) {
      for (int i = 0; i < e.outcome->seats(); ++i) (*e.outcome)[i].metrics.clear();
      e.outcome->match_metrics().clear();
    }
    texts.push_back(text_of(e));
  }
  return texts;
}

std::size_t probes_in(const MatchResult& result) {
  std::size_t n = 0;
  for (const auto& e : agon::record::read(result.record).entries) n += e.probe ? 1 : 0;
  return n;
}

bool same(const agon::Outcome& a, const agon::Outcome& b) {
  agon::record::Entry x, y;
  x.outcome = std::make_shared<agon::Outcome>(a), y.outcome = std::make_shared<agon::Outcome>(b);
  return text_of(x) == text_of(y);
}

agon::Suite signature_suite() {
  const std::string file = (agon::test::source_folder() / "scenarios" / "signature.json").string();
  return agon::Suite::parse(catalogue(), agon::json::read_file(file), file,
                            {.data_folders = data_folders()});
}

}  // namespace

TEST_CASE("one digest over all games: with 1 and 8 jobs, and in another process",
          "[seam][determinism]") {
  const agon::Suite suite = signature_suite();
  const agon::hash::Digest one = agon::signature(suite, 1);
  CHECK(agon::signature(suite, 8) == one);

  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int code = 1;
    try {
      const agon::hash::Digest there = agon::signature(signature_suite(), 2);
      code =
          write(ends[1], there.data(), there.size()) == static_cast<ssize_t>(there.size()) ? 0 : 1;
    } catch (...) {
    }
    _exit(code);
  }
  close(ends[1]);
  agon::hash::Digest there{};
  CHECK(read(ends[0], there.data(), there.size()) == static_cast<ssize_t>(there.size()));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(there == one);
}

TEST_CASE("eight matches at once leave the records of one after another", "[seam][determinism]") {
  for (const Case& c : all_cases()) {
    const LineUp line_up(c);
    constexpr std::size_t kMatches = 24;
    const auto play_all = [&](unsigned jobs) {
      std::vector<std::string> records(kMatches);
      std::atomic<std::size_t> next{0};
      std::vector<std::jthread> threads;
      for (unsigned job = 0; job < jobs; ++job)
        threads.emplace_back([&] {
          for (std::size_t i = next++; i < kMatches; i = next++)
            records[i] = agon::play_match(line_up.scene.setup(line_up.agents, i + 1)).record;
        });
      threads.clear();
      return records;
    };
    const auto one = play_all(1), eight = play_all(8);
    INFO(c.game << " " << c.settings);
    CHECK((one == eight));
    CHECK(std::set<std::string>(one.begin(), one.end()).size() > 1);
  }
}

TEST_CASE("a match comes out the same with and without a record", "[seam][determinism]") {
  for (const Case& c : all_cases()) {
    const LineUp line_up(c);
    agon::MatchSetup again = line_up.scene.setup(line_up.agents, 1);
    again.record = false;
    agon::MatchTable table(again);
    for (std::uint64_t luck = 1; luck <= 20; ++luck) {
      agon::MatchSetup setup = line_up.scene.setup(line_up.agents, luck);
      const MatchResult with = agon::play_match(setup);
      setup.record = false;
      const MatchResult without = agon::play_match(setup);
      INFO(c.game << " " << c.settings << " chance " << luck << ": " << with.problem);
      REQUIRE(with.end == End::finished);
      CHECK(same(with.outcome, without.outcome));
      CHECK(without.record.empty());
      CHECK(with.questions == without.questions);
      std::vector<std::uint64_t> dice;
      for (const agon::SeatSetup& s : setup.seats) dice.push_back(s.dice_key);
      CHECK(same(with.outcome, table.play_next(setup.stream_key, dice).outcome));
    }
  }
}

TEST_CASE("declining every probe leaves play unchanged", "[seam][probes]") {
  const std::vector<Case> cases{
      {"english-auction", "{}", {"value-cap", "random:probes=true", "value-cap"}},
      {"english-auction", R"({"preset": "published-code"})", {"random:probes=true"}},
      {"deal-or-no-deal", "{}", {"envy-free-bayes", "random:probes=true"}},
      {"deal-or-no-deal",
       R"({"preset": "openspiel", "beliefs": true})",
       {"random:probes=true", "envy-free-bayes"}},
      {"bargaining", "{}", {"time-dependent", "random:probes=true"}},
      {"water-allocation", "{}", {"survivor", "random:probes=true"}},
  };
  const DrawsAll draws_all;
  std::size_t answered = 0;
  for (const Case& c : cases) {
    const LineUp line_up(c);
    std::vector<std::vector<const agon::Agent*>> all{line_up.agents, {&draws_all}};
    for (const auto& agents : all) {
      for (std::uint64_t luck = 1; luck <= 6; ++luck) {
        const auto play = [&](const std::vector<bool>& answers) {
          std::vector<std::unique_ptr<ProbesOnly>> wrapped;
          std::vector<const agon::Agent*> seats;
          for (std::size_t i = 0; i < line_up.scene.seats(); ++i) {
            wrapped.push_back(std::make_unique<ProbesOnly>(*agents[i % agents.size()], answers[i]));
            seats.push_back(wrapped.back().get());
          }
          return agon::play_match(line_up.scene.setup(seats, luck));
        };
        const std::size_t seats = line_up.scene.seats();
        const MatchResult with = play(std::vector<bool>(seats, true));
        const MatchResult without = play(std::vector<bool>(seats, false));
        std::vector<bool> one(seats, true);
        one[0] = false;
        const MatchResult mixed = play(one);
        INFO(c.game << " " << c.settings << " chance " << luck);
        REQUIRE(with.end == End::finished);
        CHECK(probes_in(without) == 0);
        answered += probes_in(with);
        CHECK(first_difference(play_of(with), play_of(without)) == "");
        CHECK(first_difference(play_of(with), play_of(mixed)) == "");
      }
    }
  }
  CHECK(answered > 100);
}

TEST_CASE("how often a probe is asked again changes no other dice", "[seam][probes]") {
  // Guesses that are wrong are asked for again, so that the number of questions differs.
  const Scene scene(parley::game(), R"({"rounds": 5})");
  const Inline guesses(draws), declines(draws, false);
  bool differ = false;
  for (std::uint64_t luck = 1; luck <= 5; ++luck) {
    const MatchResult with = agon::play_match(scene.setup({&guesses}, luck));
    const MatchResult without = agon::play_match(scene.setup({&declines}, luck));
    CHECK(first_difference(play_of(with), play_of(without)) == "");
    differ = differ || with.questions != without.questions;
  }
  CHECK(differ);
}

TEST_CASE("one agent changed leaves shared draws equal", "[seam][luck]") {
  const std::map<std::string, std::vector<std::string>> others{
      {"english-auction", {"random", "default", "rule", "value-cap"}},
      {"water-allocation", {"random", "default", "survivor", "fraction"}},
      {"bargaining", {"random", "default", "time-dependent", "tit-for-tat"}},
      {"deal-or-no-deal", {"random", "default", "concede", "envy-free-bayes"}},
      {"clock-auction", {"random", "default", "truthful", "shade"}},
      {"sealed-bid", {"random", "default", "truthful", "shade"}},
  };
  using Place = std::pair<std::string, std::vector<std::int64_t>>;
  const auto draws_of = [](const MatchResult& r) {
    std::map<Place, std::vector<std::string>> draws;
    const auto history = agon::record::read(r.record);
    for (const auto& e : history.entries)
      // A tie is drawn among those who share the bid: with another agent that is another question.
      if (e.what == What::draw && e.name != "tie")
        draws[{std::string(e.name), e.at}].emplace_back(e.payload);
    return draws;
  };
  std::map<std::string, std::size_t> shared;
  for (const Case& c :
       {Case{"english-auction", "{}", {"rule"}}, Case{"water-allocation", "{}", {"fraction"}},
        Case{"bargaining", "{}", {"time-dependent"}},
        Case{"clock-auction", R"({"rounds": 3})", {"truthful"}},
        Case{"sealed-bid", R"({"rounds": 3, "values": "common"})", {"equilibrium-bid"}},
        Case{"deal-or-no-deal",
             R"({"preset": "openspiel", "prob_end": 0.3, "swap_sides": "drawn"})",
             {"concede"}}}) {
    const LineUp line_up(c);
    for (std::uint64_t luck = 1; luck <= 10; ++luck) {
      const auto before = draws_of(agon::play_match(line_up.scene.setup(line_up.agents, luck)));
      for (const std::string& other : others.at(c.game)) {
        for (std::size_t seat = 0; seat < line_up.scene.seats(); ++seat) {
          const auto changed = agent(other, c.game);
          agon::MatchSetup setup = line_up.scene.setup(line_up.agents, luck);
          setup.seats[seat] = {changed.get(), 12345, ""};
          const auto after = draws_of(agon::play_match(setup));
          for (const auto& [place, values] : before) {
            const auto there = after.find(place);
            if (there == after.end()) continue;
            INFO(c.game << ": " << place.first << ", " << other << " at seat " << seat);
            CHECK(there->second == values);
            shared[c.game] += values.size();
          }
        }
      }
    }
  }
  for (const auto& [game, list] : others) CHECK(shared[game] > 0);
}
