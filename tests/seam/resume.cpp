// A match that was cut after any question, or is played from its record, comes out to the byte.

#include <agon/error.hpp>

#include "catch.hpp"
#include "parley.hpp"
#include "record/shape.hpp"
#include "record/transcript.hpp"
#include "support.hpp"

using agon::End;
using agon::MatchResult;
using namespace seam;
using What = agon::record::Entry::What;

namespace {

/// What a tampered record comes to.
enum class Verdict { refused, differs, passes };

Verdict replayed(const Scene& scene, const std::string& record) {
  try {
    const MatchResult result = agon::play_match(scene.replay(record));
    // What people would look at must not break either.
    const agon::record::RecordedTypes recorded(
        [&](const agon::hash::Digest& d) { return result.shapes->notation(d); });
    agon::record::transcript(record, recorded, {{"a", "b"}, -1}, [](const std::string&) {});
    agon::record::each_entry(record, [&](const agon::record::Entry& e) {
      return !agon::record::entry_json(e, recorded).empty();
    });
    return result.end == End::finished && result.record == record ? Verdict::passes
                                                                  : Verdict::differs;
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::invalid);
    return Verdict::refused;
  }
}

/// All entries, but for the private words of agents and what probes came to.
std::vector<std::string> what_was_played(const std::string& record) {
  std::vector<std::string> texts;
  const agon::record::History history = agon::record::read(record);
  for (agon::record::Entry e : history.entries) {
    if (e.probe) continue;
    e.thought = e.memo = {};
    texts.push_back(text_of(e));
  }
  return texts;
}

/// Where the parts of a record (names, shapes, entries) begin, and its end.
std::vector<std::size_t> parts_of(const std::string& record) {
  std::vector<std::size_t> starts;
  for (std::size_t n = 0; n <= record.size(); ++n) {
    try {
      (void)agon::record::read(std::string_view(record).substr(0, n));
      starts.push_back(n);
    } catch (const agon::Error&) {
    }
  }
  return starts;
}

}  // namespace

TEST_CASE("cut after every question and taken up again: the same bytes", "[seam][resume]") {
  std::vector<Case> cases = all_cases();
  std::size_t cuts_in_all = 0;
  for (const Case& c : cases) {
    const Scene scene(c.game, c.settings);
    std::vector<std::shared_ptr<const agon::Agent>> rules;
    for (const std::string& text : c.agents) rules.push_back(agent(text, c.game));
    Post post(Post::Order::at_once);
    std::uint64_t asked = 0;
    const Waiting costly(
        [&asked](const Ask& ask) {
          ++asked;
          return wild(ask);
        },
        post, true);
    // One seat that waits among rule agents, then all seats.
    for (const bool all : {false, true}) {
      std::vector<const agon::Agent*> agents;
      for (std::size_t i = 0; i < scene.seats(); ++i)
        agents.push_back(all || i == scene.seats() - 1 ? static_cast<const agon::Agent*>(&costly)
                                                       : rules[i % rules.size()].get());
      for (std::uint64_t luck = 1; luck <= 2; ++luck) {
        std::vector<std::pair<std::string, std::uint64_t>> cuts;
        agon::MatchSetup setup = scene.setup(agents, luck);
        asked = 0;
        setup.make_durable = [&](const std::string& record) { cuts.emplace_back(record, asked); };
        const MatchResult uncut = agon::play_match(setup);
        const std::uint64_t in_all = asked;
        INFO(c.game << " " << c.settings << (all ? " all wait" : " one waits") << ": "
                    << uncut.problem);
        REQUIRE(uncut.end == End::finished);
        if (cuts.empty()) continue;  // over before the one who waits was asked
        // Long matches are cut at some sixty places.
        const std::size_t step = 1 + cuts.size() / 60;
        for (std::size_t i = 0; i < cuts.size(); i += step) {
          CHECK(uncut.record.compare(0, cuts[i].first.size(), cuts[i].first) == 0);
          agon::MatchSetup resume = scene.setup(agents, luck);
          resume.past = cuts[i].first;
          asked = 0;
          const MatchResult resumed = agon::play_match(resume);
          // What is in the record was paid for once, and once only.
          const bool bytes = resumed.record == uncut.record;
          CHECK(bytes);
          CHECK(asked == in_all - cuts[i].second);
          CHECK(resumed.faults == uncut.faults);
          CHECK(resumed.forced == uncut.forced);
          ++cuts_in_all;
        }
      }
    }
  }
  CHECK(cuts_in_all > 300);
}

TEST_CASE("a costly agent that answers at once is made durable too", "[seam][resume]") {
  class Costly final : public agon::Agent {
   public:
    void answer(agon::Question& q) const override { q.draw(); }
    [[nodiscard]] bool is_costly() const override { return true; }
  };
  const Costly costly;
  const Inline free(draws, false);
  const Scene scene(parley::game());
  agon::MatchSetup setup = scene.setup({&free, &costly, &free});
  std::vector<std::string> cuts;
  setup.make_durable = [&](const std::string& record) { cuts.push_back(record); };
  const MatchResult uncut = agon::play_match(setup);
  CHECK(cuts.size() >= 2);
  for (const std::string& cut : cuts) {
    agon::MatchSetup resume = scene.setup({&free, &costly, &free});
    resume.past = cut;
    CHECK(agon::play_match(resume).record == uncut.record);
  }
}

TEST_CASE("a record answers everything: all games, all kinds of answers", "[seam][replay]") {
  for (const Case& c : all_cases()) {
    const Scene scene(c.game, c.settings);
    std::vector<std::shared_ptr<const agon::Agent>> rules;
    std::vector<const agon::Agent*> agents;
    for (const std::string& text : c.agents) rules.push_back(agent(text, c.game));
    for (const auto& a : rules) agents.push_back(a.get());
    const Inline wild_agent(wild);
    Post post(Post::Order::last);
    const Waiting waiting(wild, post);
    for (const auto& line_up : std::vector<std::vector<const agon::Agent*>>{
             agents, {&wild_agent}, {&waiting, agents[0]}, {&waiting}}) {
      for (std::uint64_t luck = 1; luck <= 4; ++luck) {
        const MatchResult played = agon::play_match(scene.setup(line_up, luck));
        INFO(c.game << " " << c.settings << " chance " << luck << ": " << played.problem);
        REQUIRE(played.end == End::finished);
        const MatchResult again = agon::play_match(scene.replay(played.record, luck));
        const bool bytes = again.record == played.record;
        CHECK(bytes);
        CHECK(again.end == End::finished);
        CHECK(again.problem == "");
        CHECK(again.faults == played.faults);
        CHECK(again.forced == played.forced);
      }
    }
  }
}

TEST_CASE("the wild agent is wild enough", "[seam][replay]") {
  const Scene scene(parley::game(), R"({"rounds": 100})");
  const Inline agent(wild);
  const MatchResult played = agon::play_match(scene.setup({&agent}));
  std::size_t forced = 0, thoughts = 0, memos = 0, faults = 0;
  for (const auto& e : agon::record::read(played.record).entries) {
    forced += e.forced ? 1 : 0;
    thoughts += e.thought.empty() ? 0 : 1;
    memos += e.remembers ? 1 : 0;
    faults += e.attempts.size() > 1 ? 1 : 0;
  }
  CHECK(forced > 5);
  CHECK(thoughts > 5);
  CHECK(memos > 5);
  CHECK(faults > 5);
}

TEST_CASE("no flipped byte of a record passes", "[seam][replay][tampered]") {
  const Scene scene(parley::game());
  const Inline agent([](const Ask& ask) {
    agon::Reply reply = draws(ask);
    if (ask.number == 1 && ask.attempt == 0) reply.json = R"({"amount":11})";
    return reply;
  });
  const std::string record = agon::play_match(scene.setup({&agent}, 1)).record;
  REQUIRE(replayed(scene, record) == Verdict::passes);
  std::size_t refused = 0, differs = 0;
  for (std::size_t i = 0; i < record.size(); ++i)
    for (const int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF}) {
      std::string tampered = record;
      tampered[i] = static_cast<char>(static_cast<unsigned char>(tampered[i]) ^ flip);
      const Verdict verdict = replayed(scene, tampered);
      INFO("byte " << i << " of " << record.size() << " flipped by " << flip);
      if (verdict == Verdict::passes) CHECK(verdict != Verdict::passes);
      (verdict == Verdict::refused ? refused : differs) += 1;
    }
  CHECK(refused > 0);
  CHECK(differs > 0);
}

TEST_CASE("flipped bytes of the games' records never break anything", "[seam][replay][tampered]") {
  const std::vector<Case> cases{
      {"english-auction", R"({"arena": "demo", "seats": 2})", {"rule", "value-cap"}},
      {"water-allocation", R"({"days": 3})", {"survivor", "fraction"}},
      {"bargaining", "{}", {"time-dependent", "tit-for-tat"}},
      {"deal-or-no-deal", R"({"max_rounds": 2})", {"envy-free-bayes", "concede"}},
      {"deal-or-no-deal", R"({"preset": "openspiel"})", {"random", "concede"}},
      {"ebay", R"({"days": 2})", {"truthful", "random"}},
      {"guess-average", R"({"rounds": 3})", {"monorand", "k-level"}},
      {"survival-auction", R"({"days": 3})", {"adaptive", "fraction"}},
      {"clock-auction", R"({"rounds": 1})", {"truthful", "random", "random"}},
      {"sealed-bid", R"({"rounds": 2})", {"truthful", "random", "random:probes=true"}},
      {"classic", R"({"game": "trigame", "rounds": 2})", {"random", "nash"}},
  };
  for (const Case& c : cases) {
    const Scene scene(c.game, c.settings);
    std::vector<std::shared_ptr<const agon::Agent>> held;
    std::vector<const agon::Agent*> agents;
    for (const std::string& text : c.agents) held.push_back(agent(text, c.game));
    for (const auto& a : held) agents.push_back(a.get());
    const std::string record = agon::play_match(scene.setup(agents, 1)).record;
    REQUIRE(replayed(scene, record) == Verdict::passes);
    const std::size_t step = 1 + record.size() / 1500;
    for (std::size_t i = 0; i < record.size(); i += step)
      for (const int flip : {0x01, 0x80}) {
        std::string tampered = record;
        tampered[i] = static_cast<char>(static_cast<unsigned char>(tampered[i]) ^ flip);
        if (replayed(scene, tampered) != Verdict::passes) continue;
        // What an agent thinks and believes is its own affair: nothing that is played follows.
        INFO(c.game << ", byte " << i << " of " << record.size() << " flipped by " << flip);
        CHECK(first_difference(what_was_played(tampered), what_was_played(record)) == "");
      }
  }
}

TEST_CASE("a record cut anywhere is refused or seen to be short", "[seam][replay][tampered]") {
  const Scene scene(parley::game());
  const Inline agent(wild);
  const std::string record = agon::play_match(scene.setup({&agent}, 1)).record;
  for (std::size_t n = 1; n < record.size(); ++n)
    CHECK(replayed(scene, record.substr(0, n)) != Verdict::passes);
}

TEST_CASE("a record with an entry removed, doubled or moved does not pass",
          "[seam][replay][tampered]") {
  const Scene scene(parley::game());
  // No probe is declined here: without such an entry a record is that of an agent that was silent.
  const Inline agent(draws);
  const std::string record = agon::play_match(scene.setup({&agent}, 1)).record;
  const std::vector<std::size_t> starts = parts_of(record);
  REQUIRE(starts.size() > 20);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    const std::string before = record.substr(0, starts[k]);
    const std::string part = record.substr(starts[k], starts[k + 1] - starts[k]);
    const std::string after = record.substr(starts[k + 1]);
    INFO("part " << k);
    CHECK(replayed(scene, before + after) != Verdict::passes);
    CHECK(replayed(scene, before + part + part + after) != Verdict::passes);
    if (k + 2 < starts.size()) {
      const std::string next = record.substr(starts[k + 1], starts[k + 2] - starts[k + 1]);
      if (next != part)
        CHECK(replayed(scene, before + next + part + record.substr(starts[k + 2])) !=
              Verdict::passes);
    }
  }
}

TEST_CASE("a record of another match, game or chance does not pass", "[seam][replay][tampered]") {
  const Scene scene(parley::game());
  const Inline agent(draws);
  const std::string record = agon::play_match(scene.setup({&agent}, 1)).record;
  const std::string other = agon::play_match(scene.setup({&agent}, 2)).record;
  CHECK(replayed(scene, other) == Verdict::differs);
  CHECK(replayed(Scene("water-allocation"), record) == Verdict::differs);
  CHECK(replayed(Scene(parley::game(), R"({"rounds": 3})"), record) == Verdict::differs);
  CHECK(replayed(Scene(parley::game(), R"({"rounds": 1})"), record) == Verdict::differs);
  CHECK(replayed(scene, "not a record") == Verdict::refused);
}
