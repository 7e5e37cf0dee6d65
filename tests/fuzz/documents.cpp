// Changes what people write and what matches leave, so that most of it still passes the parsers,
// and does with it what Agon would do: suites are read, planned and played; the data of games
// likewise; records are shown, played again and taken up; short forms are read.
//
//   fuzz_documents [--count N] [--seed S] [--first K] [--jobs J]
//
// Case K of a seed is always the same: one that is named is done again with --first K --count 1.
#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/plugin.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apart.hpp"
#include "design/plan.hpp"
#include "driver.hpp"
#include "games.hpp"
#include "json/parse.hpp"
#include "mutation.hpp"
#include "plugin/card.hpp"
#include "record/transcript.hpp"
#include "record_mutation.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace {

namespace fs = std::filesystem;
using namespace agon;
using namespace agon::fuzz;

enum Kind : std::size_t { suites, data, records, short_forms, kKinds };
constexpr std::array<const char*, kKinds> kNames{"suites", "data of games", "records",
                                                 "short forms"};

/// Counted over all processes.
struct Counts {
  std::array<std::atomic<std::uint64_t>, kKinds> tried{};
  std::array<std::atomic<std::uint64_t>, kKinds> accepted{};
  std::atomic<std::uint64_t> matches{0};
  std::atomic<std::uint64_t> questions{0};
};

/// Answers as another agent does, and stops the match when it goes on for long.
class Patient final : public Agent {
 public:
  Patient(const Agent& agent, std::atomic<std::int64_t>& left, std::stop_source& cancel)
      : agent_(agent), left_(left), cancel_(cancel) {}
  void answer(Question& question) const override {
    if (--left_ < 0) cancel_.request_stop();
    agent_.answer(question);
  }
  [[nodiscard]] bool answers_probes() const override { return agent_.answers_probes(); }

 private:
  const Agent& agent_;
  std::atomic<std::int64_t>& left_;
  std::stop_source& cancel_;
};

/// A match that was played, with what it takes to do so again.
struct Played {
  std::shared_ptr<const Suite> suite;
  MatchSetup setup;
  std::vector<std::unique_ptr<Agent>> patient;
  std::unique_ptr<std::atomic<std::int64_t>> left;
  std::unique_ptr<std::stop_source> cancel;
  MatchResult result;
};

constexpr std::int64_t kMostQuestions = 2000;

/// How match `number` of a scenario is played; nothing where an agent would have to be waited for.
std::optional<Played> prepare(const std::shared_ptr<const Suite>& suite, const Scenario& s,
                              std::uint64_t number) {
  const design::PlannedMatch planned = s.plan->match(number);
  const Treatment& t = s.treatments[planned.treatment];
  Played p;
  p.suite = suite;
  p.left = std::make_unique<std::atomic<std::int64_t>>(kMostQuestions);
  p.cancel = std::make_unique<std::stop_source>();
  p.setup.game = s.game;
  p.setup.settings = t.settings->get();
  p.setup.prepared = t.settings->prepared();
  p.setup.cards = t.settings->seating();
  p.setup.rules = t.settings->rules();
  p.setup.facts = t.settings->facts();
  p.setup.stream_key = stream_key(suite->seed, s.name, planned.block, 0);
  p.setup.turn = planned.block;
  p.setup.reasks = s.reasks;
  p.setup.cancel = p.cancel->get_token();
  for (std::size_t i = 0; i < planned.agents.size(); ++i) {
    const AgentInGame* in =
        suite->agents[static_cast<std::size_t>(planned.agents[i])].in(s.game->id);
    if (in->agent->waits()) return std::nullopt;
    p.patient.push_back(std::make_unique<Patient>(*in->agent, *p.left, *p.cancel));
    p.setup.seats.push_back(
        {p.patient.back().get(), dice_key(p.setup.stream_key, planned.repeat, in->digest, i), {}});
    p.setup.seats.back().prompts = s.prompts_of(*in->agent);
  }
  return p;
}

void play(Played& p, Counts& counts) {
  p.result = play_match(p.setup);
  ++counts.matches;
  counts.questions += p.result.questions;
}

struct Document {
  std::string name;
  std::string text;
};

std::vector<Document> documents_in(const fs::path& folder) {
  std::vector<Document> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".json" && entry.path().stem() != "prices")
      all.push_back({entry.path().stem().string(), json::read_file(entry.path())});
  std::sort(all.begin(), all.end(),
            [](const Document& a, const Document& b) { return a.name < b.name; });
  return all;
}

class Fuzzer {
 public:
  Fuzzer(fs::path folder, Counts& counts)
      : folder_(std::move(folder)),
        counts_(counts),
        catalogue_(all_games()),
        suites_(documents_in(AGON_FUZZ_SOURCE "/scenarios")),
        games_(documents_in(AGON_FUZZ_SOURCE "/games/classic/data")) {
    options_.data_folders = {AGON_FUZZ_SHARE "/data"};
    options_.prompt_folders = {AGON_FUZZ_SHARE "/prompts"};
    options_.most_blocks = 1;
    options_.dry_run = true;
    for (const char* suite : {"rules", "models"}) {
      const std::string file = AGON_FUZZ_SEEDS "/" + std::string(suite) + ".json";
      const auto read = std::make_shared<Suite>(
          Suite::read(*catalogue_, file, options_for(json::read_file(file))));
      for (const Scenario& s : read->scenarios)
        if (auto played = prepare(read, s, 0)) {
          play(*played, counts_);
          played_.push_back(std::move(*played));
        }
    }
  }

  /// Case `k`; what is wrong with it, or nothing.
  std::string one(std::uint64_t key, std::uint64_t k) {
    Dice dice(combine(key, k));
    static constexpr std::array<Kind, 8> kShares{suites, suites,  suites,     suites,
                                                 data,   records, short_forms};
    const Kind kind = kShares[dice.below(kShares.size())];
    ++counts_.tried[kind];
    try {
      if (kind == suites) suite(dice);
      if (kind == data) game(dice);
      if (kind == records) record(dice);
      if (kind == short_forms) short_form(dice);
      ++counts_.accepted[kind];
      return {};
    } catch (const Error&) {
      return {};  // told in our own words
    } catch (const std::exception& error) {
      return fmt::format("case {} ({}): {}", k, kNames[kind], error.what());
    }
  }

 private:
  /// Random answers take the place of models, where there are any.
  [[nodiscard]] SuiteOptions options_for(std::string_view text) const {
    SuiteOptions options = options_;
    if (text.find("\"llm\"") != std::string_view::npos) options.agents = {"random"};
    return options;
  }

  /// Reads a suite, and plays a few matches of each of its scenarios.
  void read_and_play(std::string text, const SuiteOptions& options, Dice& dice) {
    const auto suite = std::make_shared<const Suite>(
        Suite::parse(*catalogue_, std::move(text), (folder_ / "s.json").string(), options));
    (void)suite->matches();
    std::size_t scenarios = 0;
    for (const Scenario& s : suite->scenarios) {
      if (++scenarios > 3) break;
      for (int match = 0; match < 2; ++match)
        if (auto played = prepare(suite, s, dice.below(s.plan->size()))) play(*played, counts_);
    }
  }

  void suite(Dice& dice) {
    const std::string& text = one_of(suites_, dice).text;
    read_and_play(change_json(text, dice), options_for(text), dice);
  }

  void game(Dice& dice) {
    const Document& document = one_of(games_, dice);
    fs::create_directories(folder_ / "classic");
    std::ofstream(folder_ / "classic" / "odd.json") << change_json(document.text, dice);
    SuiteOptions options = options_;
    options.data_folders.insert(options.data_folders.begin(), folder_.string());
    read_and_play(R"({"suite": "s", "agents": {"a": "random"}, "design": {"fixed": [["a", "a"]]},
                      "scenarios": [{"game": "classic", "set": {"game": "odd"}}]})",
                  options, dice);
  }

  void record(Dice& dice) {
    Played& played = played_[dice.below(played_.size())];
    const std::string changed = change_record(played.result.record, dice);
    const auto& shapes = *played.result.shapes;
    const record::RecordedTypes recorded(
        [&](const hash::Digest& digest) { return shapes.notation(digest); });
    record::TranscriptOptions options;
    for (const SeatCard& card : played.setup.cards) options.seat_names.push_back(card.name);
    options.types = [&](const hash::Digest& digest) { return shapes.types(digest); };
    options.seat =
        dice.below(2) == 0 ? -1 : static_cast<int>(dice.below(options.seat_names.size()));
    record::transcript(changed, recorded, options, [](const std::string&) {});
    record::each_entry(changed, [&](const record::Entry& entry) {
      (void)json::parse(record::entry_json(entry, recorded), "an entry");
      return true;
    });
    MatchSetup again = played.setup;
    again.past = changed;
    again.strict_replay = dice.below(2) == 0;
    *played.left = kMostQuestions;
    *played.cancel = std::stop_source();
    again.cancel = played.cancel->get_token();
    const MatchResult result = play_match(again);
    (void)record::read(result.record);
    ++counts_.matches;
    counts_.questions += result.questions;
  }

  void short_form(Dice& dice) {
    static const std::vector<std::string> kForms{
        "random",
        "time-dependent:beta=0.5",
        "value-cap:cap=1.5,x=\"a,b\"",
        "llm:model=mock,memory=whole,planning=adaptive",
        "openai/gpt-4o:temperature=0.5,base_url=\"http://127.0.0.1:9/v1\"",
        "personality:is=rational",
        "x:{\"a\":[1,2,{\"b\":null}]}",
        "a:b=[1,2],c={\"d\":1},e=f"};
    std::string form = one_of(kForms, dice);
    if (dice.below(4) != 0) change_bytes(form, dice);
    (void)plugin::parse_short(form, "--agent");
    SuiteOptions options = options_;
    options.agents = {form};
    read_and_play(one_of(suites_, dice).text, options, dice);
  }

  const fs::path folder_;
  Counts& counts_;
  const std::shared_ptr<const Catalogue> catalogue_;
  const std::vector<Document> suites_;
  const std::vector<Document> games_;
  SuiteOptions options_;
  std::vector<Played> played_;
};

/// Cases first, first + step, ...: some at a time in a process, and each by itself where they met
/// trouble.
std::uint64_t work(Fuzzer& fuzzer, const Share& share) {
  constexpr double most_seconds = 120;
  constexpr std::size_t together = 32;
  std::uint64_t findings = 0;
  std::vector<std::uint64_t> cases;
  const auto done_apart = [&](const std::vector<std::uint64_t>& some) {
    return apart(most_seconds,
                 [&](const Printed&) {
                   std::string trouble;
                   for (const std::uint64_t k : some) trouble += fuzzer.one(share.key, k);
                   return trouble;
                 })
        .trouble;
  };
  const auto all = [&] {
    if (cases.empty() || done_apart(cases).empty()) return cases.clear();
    for (const std::uint64_t k : cases) {
      const std::string trouble = done_apart({k});
      if (trouble.empty()) continue;
      ++findings;
      fmt::print("case {}:\n{}\n", k, trouble);
      std::fflush(stdout);
    }
    cases.clear();
  };
  for (std::uint64_t k = share.first; k < share.last; k += share.step) {
    cases.push_back(k);
    if (cases.size() == together) all();
  }
  all();
  return findings;
}

}  // namespace

int main(int argc, char** argv) {
  return drive(argc, argv, "fuzz_documents", [](const Drive& drive) {
    auto* counts = shared<Counts>();
    const std::uint64_t findings = drive.share_out([&](const Share& share) {
      const fs::path own = drive.folder / fmt::format("worker-{}", share.place);
      fs::create_directory(own);
      Fuzzer fuzzer(own, *counts);
      return work(fuzzer, share);
    });
    for (std::size_t kind = 0; kind < kKinds; ++kind)
      fmt::print("{}: {} tried, {} accepted\n", kNames[kind], counts->tried[kind].load(),
                 counts->accepted[kind].load());
    fmt::print("{} matches of {} questions; {} findings\n", counts->matches.load(),
               counts->questions.load(), findings);
    // A fuzzer that the parsers turn away tests nothing behind them.
    const bool reached = counts->accepted[suites] * 3 >= counts->tried[suites];
    if (!reached) fmt::print("fewer than a third of the suites were accepted\n");
    return findings == 0 && reached;
  });
}
