#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "allocation/stop_state.hpp"
#include "archive/rows.hpp"
#include "design/shard.hpp"
#include "drift/result.hpp"
#include "suite/suite.hpp"

namespace agon {

class RunLedger;

/// Which shards a merged archive was made of.
struct MergeRecord {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> shards;
};
AGON_DESCRIBE(MergeRecord, (count, "of the shards of the plan"),
              (shards, "that were there, from 1"))

/// What a run planned and met, as its archive keeps it.
struct Manifest {
  /// An agent that plays a scenario.
  struct AgentRecord {
    std::string name;
    std::string spec;
    std::optional<std::string> prompts;
    std::optional<std::string> program;
  };
  struct ScenarioRecord {
    std::string scenario;
    std::string game;
    std::uint64_t matches = 0;
    std::uint64_t blocks = 0;
    std::uint64_t repeats = 0;
    std::uint64_t treatments = 0;
    std::optional<std::uint64_t> suite_blocks;
    std::vector<AgentRecord> agents;
  };
  /// A model that was called, as asked for.
  struct ModelRecord {
    std::string provider;
    std::string endpoint;
    std::string model;
    std::int64_t calls = 0;
    std::optional<std::int64_t> from_cache;
    std::vector<std::string> served_as;
    std::vector<std::string> fingerprints;
    std::vector<JsonText> parameters;
  };
  std::optional<StopState> stop;
  std::optional<drift::DriftManifest> drift;
  std::optional<bool> answer_cache;
  std::optional<design::Shard> shard;
  std::optional<MergeRecord> merged;
  std::optional<std::vector<PartCaps>> part_caps;
  std::string suite;
  std::uint64_t matches = 0;
  std::vector<ScenarioRecord> plan;
  std::optional<std::vector<ModelRecord>> models;
  std::optional<JsonText> prices;
};
AGON_DESCRIBE(Manifest::AgentRecord, (name, "in the suite"), (spec, "SHA-256 of its spec"),
              (prompts, "SHA-256 of the prompts, if it reads any", left_out),
              (program, "of a program: SHA-256 of the files that its command names", left_out))
AGON_DESCRIBE(Manifest::ScenarioRecord, (scenario, "its name"), (game, "that it plays"),
              (matches, "to be played"), (blocks, "draws of random numbers"), (repeats, "of each"),
              (treatments, "that share a block"),
              (suite_blocks, "that the suite says, where --blocks says fewer", left_out),
              (agents, "that play it"))
AGON_DESCRIBE(Manifest::ModelRecord, (provider, "that was asked"),
              (endpoint, "base URL; empty in process"), (model, "as asked for"),
              (calls, "that were made"),
              (from_cache, "beside these: answered from a cache of answers", left_out),
              (served_as, "names that the provider gave"),
              (fingerprints, "of the systems behind it"), (parameters, "all that were sent"))
AGON_DESCRIBE(Manifest, (stop, "how far the stop rule came, if there is one", left_out),
              (drift, "of the drift check, if there is one", left_out),
              (answer_cache, "true: the run used a cache of answers", left_out),
              (shard, "the part of the plan that was to be played; absent: all of it", left_out),
              (merged, "the shards that this run merged, and played nothing", left_out),
              (part_caps, "caps on the calls to one model, or for one purpose", left_out),
              (suite, "its name"), (matches, "to be played"), (plan, "by scenario, all of it"),
              (models, "in the end: those that were called", left_out),
              (prices, "in the end: the file as it was, if there is one", left_out))

/// What is known of a suite before a match is played.
[[nodiscard]] Manifest planned_manifest(const Suite& suite);

/// The versions of Agon and of what it was built with, as a run keeps them.
[[nodiscard]] std::string versions_at_hand();

/// Adds what the calls of a run were.
void add_calls(Manifest& manifest, const RunLedger& ledger);

class Catalogue;
struct Manifest;

/// A plugin's file that is not what it was when matches were played, under the same version.
struct ChangedPlugin {
  std::string game;  ///< that it brings
  std::string path;
};

/// The plugins at hand, as archives keep them.
[[nodiscard]] AGON_API std::vector<archive::PluginOfRun> plugins_at_hand(
    const Catalogue& catalogue);

/// Which plugins supplied these games that do not come with Agon, in sentences; empty if all do.
[[nodiscard]] AGON_API std::string describe_suppliers(
    const std::vector<archive::PluginOfRun>& plugins, const std::set<std::string>& games);

/// Which of the plugins of these games are at hand as another file than one of those runs had.
[[nodiscard]] AGON_API std::vector<ChangedPlugin> changed_plugins(
    const std::vector<archive::RunRow>& runs, const Catalogue& catalogue,
    const std::vector<archive::PluginOfRun>& at_hand, const std::vector<const Game*>& games);

/// Which agents of a run that are programs had other files in one of those runs, under the same
/// version.
[[nodiscard]] std::vector<std::string> changed_programs(const std::vector<archive::RunRow>& runs,
                                                        const Manifest& now);

/// Warns, before a run plays, of plugins and programs that are not what they were when matches of
/// the suite were played which it takes as they are; empty if there are none.
[[nodiscard]] std::string describe_changed(const std::vector<ChangedPlugin>& plugins,
                                           const std::vector<std::string>& programs);

}  // namespace agon
