#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/money.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "describe/value.hpp"
#include "design/seats.hpp"
#include "process/isolation.hpp"
#include "stats/score_table.hpp"
#include "suite/people/people_file.hpp"
#include "table/probes.hpp"

/// What a suite's file may say, as it says it: nothing is looked up or resolved. Reading, checking,
/// defaults, `agon describe suite` and the JSON Schema come from these descriptions. What belongs
/// to a game or an agent is any JSON here and read by their descriptions.
namespace agon {

/// What becomes of matches with forced answers when results are counted.
enum class FaultPolicy : std::uint8_t { as_played, forfeit, exclude };
AGON_DESCRIBE_ENUM(FaultPolicy, (as_played, "the fallback's result stands", "as-played"),
                   (forfeit, "the seat gains nothing by it"),
                   (exclude, "the whole block is left out, which conditions on nobody's fault"))

/// Matches at a time, at most: each has a thread, and where models are waited for many are little.
inline constexpr int kMostJobs = 65'536;
/// Matches at a time where models are called, unless the suite says otherwise.
inline constexpr int kModelJobs = 64;
/// The same where calls go out in batches: what has not begun is in no batch. Ten thousand take
/// about 1.3 GB.
inline constexpr int kBatchJobs = 10'000;

namespace suite_file {

/// A name, or several.
using Names = std::variant<std::string, std::vector<std::string>>;

/// What plays one game: "AGENT:key=value", or { "AGENT": {parameters} }.
using Strategy = std::variant<std::string, InOrder<InOrder<JsonText>>>;

/// An agent's entry with a "rule". Those that name an agent otherwise may have the last two.
struct AgentEntry {
  std::variant<std::string, InOrder<Strategy>> rule;
  InOrder<JsonText> params;
  std::optional<InOrder<std::vector<JsonText>>> factors;
  InOrder<std::string> labels;
};
AGON_DESCRIBE(AgentEntry, (rule, "the agent, or games to what plays them"),
              (params, "of the agent; see 'agon describe AGENT'"),
              (factors, "parameters to the levels to try: an agent of each combination",
               length(1, 1000), left_out),
              (labels, "texts by which reports sort agents"))

struct Design {
  std::optional<Names> focal;
  std::optional<Names> background;
  std::optional<std::variant<bool, std::string, std::vector<std::string>>> round_robin;
  std::optional<Names> gauntlet;
  std::optional<Names> opponents;
  std::optional<std::vector<Names>> fixed;
  std::optional<design::SeatDesign> seat_rotation;
  std::optional<std::uint64_t> blocks;
  std::optional<std::uint64_t> repeats;
};
AGON_DESCRIBE(
    Design, (focal, "line-ups about each of these agents; names may have a *", left_out),
    (background, "with focal: the agent whose copies fill the other seats, or a list of seats - 1",
     formerly("field"), left_out),
    (round_robin, "line-ups of every combination of different agents: true, or of which", left_out),
    (gauntlet, "line-ups of each of these challengers and combinations of the others", left_out),
    (opponents, "with gauntlet: the others (default: all)", formerly("against"), left_out),
    (fixed, "exactly these line-ups, each a list of agents", length(1, 1'000'000), left_out),
    (seat_rotation, "how a line-up is moved over the seats within a block", formerly("seats"),
     left_out),
    (blocks, "draws of random numbers, each shared by all assignments and treatments (default: 1)",
     range(1, 1e9), left_out),
    (repeats, "how often each draw of random numbers is played (default: 1)", range(1, 1e9),
     left_out))

/// A skin whose words mean nothing, drawn by a seed.
struct GeneratedSkin {
  std::uint64_t generated = 1;
};
AGON_DESCRIBE(GeneratedSkin, (generated, "seed of the words"))

/// How many skins, or which: names, files, or seeds of generated ones.
using Skins = std::variant<std::uint64_t, std::vector<std::variant<std::string, GeneratedSkin>>>;

struct ScenarioEntry {
  std::string game;
  std::optional<std::string> name;
  std::string preset;
  InOrder<JsonText> set;
  InOrder<std::vector<JsonText>> treatments;
  std::optional<Design> design;
  std::optional<design::SeatDesign> seat_rotation;
  std::optional<std::uint64_t> blocks;
  std::optional<std::uint64_t> repeats;
  std::uint64_t sequence = 1;
  std::optional<std::string> same_draws_as;
  std::optional<std::variant<std::string, std::map<std::string, std::string>>> prompts;
  std::optional<std::vector<ProbeEntry>> probes;
  std::optional<Skins> skins;
  std::optional<std::map<std::string, std::string>> pages;
  std::optional<std::string> instructions;
};
AGON_DESCRIBE(
    ScenarioEntry,
    (game,
     "see 'agon list games'; or the file of a plugin, from the suite's folder: './my-game.py'",
     length(1, 1000)),
    (name, "keys chance and heads reports; unique (default: the game's, numbered)", left_out),
    (preset, "a named set of the game's settings (default: its first)"),
    (set, "settings over those of the preset; see 'agon describe GAME'"),
    (treatments, "settings to the values to try; all combinations are played on the same blocks"),
    (design, "over the suite's", left_out),
    (seat_rotation, "over the design's", formerly("seats"), left_out),
    (blocks, "over the design's", range(1, 1e9), left_out),
    (repeats, "over the design's", range(1, 1e9), left_out),
    (sequence, "matches in a row that learn from one another; the unit of blocks and of intervals",
     range(1, 10'000)),
    (same_draws_as,
     "the scenario, of this game or another with as many seats, whose random draws this one has in "
     "each block (default: its own)",
     left_out),
    (prompts, "a folder of NAME.txt, or names to files, over the prompts that ship", left_out),
    (probes, "over the suite's", length(0, 100), left_out), (skins, "over the suite's", left_out),
    (pages,
     "stages to files of HTML, in which people in the browser answer (\"\": the ordinary form), "
     "over the pages that ship",
     left_out),
    (instructions,
     "file of Markdown that people read before their first match of it, from the suite's folder",
     left_out))

struct Faults {
  std::optional<int> reasks;
  FaultPolicy policy = FaultPolicy::as_played;
  std::optional<int> stop_after;
};
AGON_DESCRIBE(Faults,
              (reasks, "how often a turned-down answer is asked again (default: the preset's)",
               range(0, 100), left_out),
              (policy, "how matches with forced answers count in reports"),
              (stop_after,
               "fallback answers of a model agent without a legal answer of its own, after which "
               "the run stops (default: 20); 0: never",
               range(0, 1e9), left_out))

struct Report {
  std::optional<std::string> reference;
  double level = 0.95;
  stats::Aggregate aggregate = stats::Aggregate::mean;
};
AGON_DESCRIBE(Report,
              (reference,
               "the agent that differences are taken to (default: the one called reference)",
               formerly("against"), left_out),
              (level, "of intervals, between 0.5 and 1", range(0.5, 1)),
              (aggregate, "what is over all games is the mean of"))

struct PartLimits {
  std::optional<std::variant<double, std::string>> cost;
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> calls;
};
AGON_DESCRIBE(PartLimits, (cost, "of these calls, such as \"5 USD\" (default: no limit)", left_out),
              (tokens, "in and out, of these calls (default: no limit)", at_least(0), left_out),
              (calls, "of models (default: no limit)", at_least(0), left_out))

struct Limits {
  std::optional<int> jobs;
  std::optional<std::variant<double, std::string>> cost;
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> calls;
  std::optional<std::map<std::string, PartLimits>> models;
  std::optional<std::map<std::string, PartLimits>> purposes;
  std::optional<std::int64_t> answer_seconds;
};
AGON_DESCRIBE(Limits,
              (jobs, "matches at a time (default: processors; at least 64 with models)",
               range(1, kMostJobs), left_out),
              (cost, "of all model calls of the run, such as \"25 USD\" (default: no limit)",
               left_out),
              (tokens, "in and out, of all model calls (default: no limit)", at_least(0), left_out),
              (calls, "of models (default: no limit)", at_least(0), left_out),
              (models, "caps on the calls to one model, by its name in \"models\"", left_out),
              (purposes,
               "caps on the calls for one purpose, for which an agent names another model",
               left_out),
              (answer_seconds, "how long an agent that waits may take (default: no limit)",
               unit("seconds"), range(1, 1'000'000), left_out))

struct Budget {
  double blocks = 0;
};
AGON_DESCRIBE(Budget, (blocks, "what so many blocks of all agents cost", range(2, 1e9)))

struct StopEntry {
  std::optional<double> difference;
  std::optional<std::variant<double, Budget>> best;
  std::optional<std::string> decide;
  std::optional<std::vector<std::string>> agents;
  std::optional<double> level;
  std::optional<std::uint64_t> min_blocks;
  std::optional<double> worst;
};
AGON_DESCRIBE(
    StopEntry,
    (difference, "stop when every difference to the reference is known to this on either side",
     left_out),
    (best, "stop when it is known with this certainty which agent is best, or a budget is spent",
     left_out),
    (decide, "\"a > b\": stop when it is known which of the two is better", left_out),
    (agents, "with best or difference: those that it is about (default: all)", left_out),
    (level, "with difference or decide: of the interval (default: report.level)", left_out),
    (min_blocks,
     "nothing is decided under so many independent blocks (default: 60: what happens in under 5% "
     "of blocks does not matter; none where intervals reckon with all that declared ranges of "
     "scores allow)",
     range(1, 1e9), left_out),
    (worst,
     "with best or decide: the largest difference of normalised scores that a block can have; it "
     "is only decided what blocks of a kind not seen cannot turn round (default: as the games "
     "declare, if all do)",
     left_out))

/// Questions of matches, chosen by what they are.
struct BranchPoints {
  std::optional<std::string> every;
  std::optional<std::uint64_t> sample;
};
AGON_DESCRIBE(BranchPoints, (every, "all questions of this stage", left_out),
              (sample, "so many questions of each match, drawn at random", range(1, 1'000'000),
               left_out))

/// What differs in a branch from its cut on: one of these.
struct BranchChangeEntry {
  std::optional<std::string> agent;
  std::optional<JsonText> answer;
  std::optional<std::vector<std::string>> without;
  std::optional<std::string> persona;
};
AGON_DESCRIBE(BranchChangeEntry,
              (agent, "the agent of \"agents\" that plays the seat from there on", left_out),
              (answer, "what the seat answers there", left_out),
              (without,
               "components that the seat's model agent lacks: memory, plan, belief, "
               "reasoning, learning, persona, tools",
               length(1, 10), left_out),
              (persona, "words that say who the seat's model agent is to be", length(1, 10'000),
               left_out))

/// Matches that go on from recorded ones (`agon branch`).
struct BranchEntry {
  std::string archive;
  std::variant<std::string, std::vector<std::int64_t>> matches = "all";
  std::variant<std::string, std::vector<std::int64_t>, BranchPoints> at = "all";
  std::optional<std::string> seat;
  std::vector<BranchChangeEntry> changes;
  std::uint64_t repeats = 1;
};
AGON_DESCRIBE(BranchEntry, (archive, "of the matches, from the suite's folder", length(1, 10'000)),
              (matches, "numbers of matches, or \"all\" that were finished"),
              (at,
               "where branches leave them: numbers of questions, as 'agon show --json' has them; "
               "{\"every\": stage}; {\"sample\": number}; or \"all\""),
              (seat, "only at questions of the seat of this name or role (default: any seat's)",
               left_out),
              (changes, "what differs, each in a branch of its own; none: the matches as they are"),
              (repeats, "how often each is played, with other random numbers of the agents",
               range(1, 1'000'000)))

struct SuiteDocument {
  std::string suite = "suite";
  std::uint64_t seed = 0;
  InOrder<Entry> models;
  InOrder<Entry> agents;
  Design design;
  std::vector<ScenarioEntry> scenarios;
  std::optional<BranchEntry> branch;
  std::optional<std::vector<ProbeEntry>> probes;
  std::optional<Skins> skins;
  Faults faults;
  std::optional<Report> report;
  std::optional<std::variant<std::string, StopEntry>> stop;
  std::optional<std::string> prices;
  Limits limits;
  std::optional<std::variant<Isolate, Isolation>> sandbox;
  std::optional<People> people;
};
AGON_DESCRIBE(
    SuiteDocument, (suite, "a name, for people"),
    (seed, "with a scenario's name and the block it decides all chance"),
    (models, "names to models, which agents may name: \"provider/model\" or an object"),
    (agents,
     "names to agents: \"AGENT\", \"AGENT:key=value\", {\"rule\": ...} or {\"AGENT\": {...}}",
     length(0, 1'000'000)),
    (design, "who meets whom (default: round robin of all, one block)"),
    (scenarios, "what is played", length(0, 1'000'000)),
    (branch, "in the place of scenarios: recorded matches, changed from a question on", left_out),
    (probes, "questions that no game asks; they have no effect on play", length(0, 100), left_out),
    (skins,
     "stories in which models play each scenario too, on the same blocks: how many, or a list of "
     "names, files and {\"generated\": SEED}; see docs/skins.md",
     left_out),
    (faults, "answers that are turned down"), (report, "what reports say", left_out),
    (stop, "when to stop before all is played", left_out),
    (prices, "file of prices, from the suite's folder (default: --prices, AGON_PRICES)", left_out),
    (limits, "what a run may take"),
    (sandbox, "which games are played in processes of their own, and what these may take",
     formerly("isolate"), left_out),
    (people, "how people take part in the browser, see 'agon serve'", left_out))

}  // namespace suite_file

/// How a suite wants plugins to be kept apart.
struct AskedIsolation {
  Isolation isolation;
  std::string where;  ///< "suite.json:4:12 ($.sandbox)"
};

/// None if it says nothing of it. Needs no plugins, since they are loaded by it. Throws Error for a
/// suite that cannot be read, and for impossible limits.
[[nodiscard]] AGON_API std::optional<AskedIsolation> asked_isolation(const std::string& text,
                                                                     const std::string& file);

/// A plugin that a suite names in the place of a game.
struct NamedGameFile {
  std::filesystem::path file;  ///< full path, links followed
  std::string where;           ///< "suite.json:4:12 ($.scenarios[0].game)"
};

/// Each once, in order. Needs no plugins, since they are loaded by it. Throws Error for a suite
/// that cannot be read.
[[nodiscard]] AGON_API std::vector<NamedGameFile> game_files(const std::string& text,
                                                             const std::string& file);

class Catalogue;

/// The JSON Schema of suites: of their own keys, and of the settings and parameters of all games
/// and agents at hand, so that an editor completes and checks them too.
[[nodiscard]] AGON_API std::string suite_schema(const Catalogue& catalogue);

}  // namespace agon
