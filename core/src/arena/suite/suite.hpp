#pragma once

#include <agon/export.hpp>
#include <agon/model/prompt_set.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "design/plan.hpp"
#include "design/shard.hpp"
#include "settings/settings.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/agents/models.hpp"
#include "suite/people/people_stages.hpp"
#include "suite/scenario/scenario.hpp"
#include "suite/stop_rule.hpp"
#include "suite/suite_file.hpp"

namespace agon {

/// How people take part in the browser, read and checked.
struct Participation {
  suite_file::People said;
  std::string consent;  ///< the text to agree to; empty: nobody is asked
  std::string texts;    ///< a JSON object: sentences over those of the pages; empty: none
  std::optional<AgentSpec> trial;       ///< none: there is no trial match
  std::optional<AgentSpec> substitute;  ///< none: the match ends
  std::vector<PeopleStage> stages;      ///< after the consent, in order; one of them plays
};

/// True if a person answers through the agent: what they say takes time, theirs.
[[nodiscard]] inline bool is_person(const Agent& agent) {
  return agent.waits() && agent.is_costly();
}

class Accesses;
class Branches;
class Catalogue;
class Probes;

[[nodiscard]] AGON_API std::string_view name(FaultPolicy policy);
[[nodiscard]] AGON_API FaultPolicy fault_policy(std::string_view name, const std::string& where);

/// One scenario of a suite under one treatment: settings ready to play.
struct Treatment {
  std::string values = "{}";  ///< JSON object: what was varied, and how it was set
  std::shared_ptr<const Settings> settings;
  std::optional<std::uint64_t> seed{};  ///< that its chance is drawn from; none: the suite's
};

/// A game with settings, line-ups and treatments.
struct Scenario {
  std::string name;
  const Game* game = nullptr;
  std::string plugin_version;
  std::vector<std::string> factors;   ///< names of the varied settings
  std::vector<Treatment> treatments;  ///< at least one
  LineUpDesign line_ups;
  std::uint64_t blocks = 1;
  std::uint64_t suite_blocks = 1;  ///< as the suite says, whatever --blocks does
  std::uint64_t repeats = 1;
  std::uint64_t sequence = 1;  ///< matches in a row that learn from one another
  int reasks = 3;
  std::shared_ptr<const design::MatchPlan> plan;  ///< of sequences, where sequence > 1
  /// By language, those that its agents read.
  std::map<std::string, std::shared_ptr<const PromptSet>, std::less<>> prompts;
  /// With the language in which people are told everything; null: English, also where the game has
  /// not all of what it says in theirs.
  std::shared_ptr<const PromptSet> people_prompts;
  /// Pages of HTML in which people answer, by stage; of all others they have the ordinary form.
  std::map<std::string, std::string> pages;
  PeopleText instructions{};               ///< for people, above the rules
  std::shared_ptr<const Probes> probes{};  ///< null: nothing is asked beside the game
  bool as_seated = false;     ///< one match, the agents in the order in which they were given
  std::string same_draws_as;  ///< the scenario whose name keys its chance; empty: itself
  /// What its matches go on from, where they are branches of others; null: they begin by
  /// themselves.
  std::shared_ptr<const Branches> branches{};

  /// What keys its chance, beside seed and block.
  [[nodiscard]] const std::string& draws() const {
    return same_draws_as.empty() ? name : same_draws_as;
  }
  /// The agents that have a seat in it, by their numbers in the suite, each once.
  [[nodiscard]] AGON_API std::set<int> players() const;
  /// The prompts of an agent, in its language, and those of people; null where there are none.
  [[nodiscard]] AGON_API std::shared_ptr<const PromptSet> prompts_of(const Agent& agent) const;
};

/// What the reading of a suite takes from beside the suite.
struct AGON_API SuiteOptions {
  std::vector<std::string> data_folders{};    ///< roots of shipped data: `<root>/<game>/`
  std::vector<std::string> prompt_folders{};  ///< roots of shipped prompts, likewise
  std::vector<std::string> page_folders{};    ///< roots of shipped pages of stages, likewise
  std::vector<std::string> models{};          ///< of --model, see Models::choose
  std::vector<std::string> agents{};          ///< of --agent, see replace_agents
  std::uint64_t most_blocks = 0;              ///< of --blocks: no scenario has more; 0: no limit
  std::string until{};                        ///< of --until: over the suite's "stop"
  Caps caps{};                                ///< of --max-cost and so on: over the suite's
  std::string prices{};                       ///< file, of --prices: over the suite's
  bool dry_run = false;                       ///< see AgentServices, as for what follows
  bool verbose = false;
  std::string ca_file{};
  const std::atomic<bool>* stop = nullptr;
  Accesses* accesses = nullptr;  ///< what the suite reaches for outside; null: nobody is asked

  /// What ships with Agon, for Accesses.
  [[nodiscard]] std::vector<std::string> shipped_folders() const;
};

/// A benchmark: scenarios, agents and a design, read from a file.
struct AGON_API Suite {
  std::string name;
  std::string file;        ///< as it was given
  std::string text;        ///< of the file, for the archive
  std::uint64_t seed = 0;  ///< of chance only
  std::vector<AgentSpec> agents;
  std::vector<Scenario> scenarios;
  FaultPolicy policy = FaultPolicy::as_played;
  int stop_after = 20;  ///< fallbacks of a model agent that gave no legal answer; 0: never
  std::string against;  ///< the reference agent of reports; empty: none
  double level = 0.95;  ///< of intervals
  stats::Aggregate aggregate = stats::Aggregate::mean;  ///< of reports
  int jobs = 0;                                         ///< 0: as many as there are processors
  std::chrono::milliseconds answer_limit{0};
  Caps caps;
  std::vector<PartCaps> part_caps{};      ///< on the calls to one model, or for one purpose
  std::string prices;                     ///< file; empty: none is named
  std::optional<StopRule> stop{};         ///< none: all is played
  std::optional<Participation> people{};  ///< none: nothing is said of people in the browser
  std::string branched_from;              ///< archive whose matches are branched; empty: none are
  std::vector<std::string> former_names;  ///< see FileText::former_names
  std::optional<design::Shard> shard{};   ///< which part of the plan is played; none: all of it
  /// With a shard: where the blocks of each scenario begin among those that are dealt out, and how
  /// many these are.
  std::vector<std::uint64_t> first_units{};

  /// Reads and checks a suite; everything that can be wrong is found before anything is played.
  /// Throws Error with file, JSON path and how to fix it.
  static Suite read(const Catalogue& catalogue, const std::string& file,
                    const SuiteOptions& options);
  /// The text of a suite file, for parse(). Throws Error, also for an archive.
  static std::string read_text(const std::string& file);
  static Suite parse(const Catalogue& catalogue, std::string text, const std::string& file,
                     const SuiteOptions& options);

  /// Of its shard, if it has one.
  [[nodiscard]] std::uint64_t matches() const;
  /// Plays this shard alone, under its part of the caps: one of as many as there are shards, or so
  /// many of so many (`caps_share`). Throws Error (usage) where a stopping rule looks at all
  /// blocks, if there are fewer blocks than shards, and for a share where there is no cap.
  void take(const design::Shard& part, const std::optional<design::Shard>& caps_share);
  /// Whether a block of a scenario, by its place in the plan, is played: all are, without a shard.
  [[nodiscard]] bool has_block(std::size_t scenario, std::uint64_t block) const;
  /// The first match of a scenario from this one on whose block is played; as many as its plan has
  /// if there is none.
  [[nodiscard]] std::uint64_t next_played(std::size_t scenario, std::uint64_t match) const;
  /// How many blocks of a scenario are played.
  [[nodiscard]] std::uint64_t blocks_of(std::size_t scenario) const;
};

}  // namespace agon
