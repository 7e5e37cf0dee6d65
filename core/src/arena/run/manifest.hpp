#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <string>
#include <vector>

#include "allocation/stop_state.hpp"
#include "drift/manifest.hpp"
#include "suite/suite.hpp"

namespace agon {

class RunLedger;

/// What a run planned and met, as its archive keeps it.
struct Manifest {
  /// An agent that plays a scenario.
  struct Agent {
    std::string name;
    std::string spec;
    std::optional<std::string> prompts;
    std::optional<std::string> program;
  };
  struct Scenario {
    std::string scenario;
    std::string game;
    std::uint64_t matches = 0;
    std::uint64_t blocks = 0;
    std::uint64_t repeats = 0;
    std::uint64_t treatments = 0;
    std::optional<std::uint64_t> suite_blocks;
    std::vector<Agent> agents;
  };
  /// A model that was called, as asked for.
  struct Model {
    std::string provider;
    std::string endpoint;
    std::string model;
    std::int64_t calls = 0;
    std::vector<std::string> served_as;
    std::vector<std::string> fingerprints;
    std::vector<JsonText> parameters;
  };
  std::optional<StopState> stop;
  std::optional<drift::Manifest> drift;
  std::string suite;
  std::uint64_t matches = 0;
  std::vector<Scenario> plan;
  std::optional<std::vector<Model>> models;
  std::optional<JsonText> prices;
};
AGON_DESCRIBE(Manifest::Agent, (name, "in the suite"), (spec, "SHA-256 of its spec"),
              (prompts, "SHA-256 of the prompts, if it reads any", left_out),
              (program, "of a program: SHA-256 of the files that its command names", left_out))
AGON_DESCRIBE(Manifest::Scenario, (scenario, "its name"), (game, "that it plays"),
              (matches, "to be played"), (blocks, "draws of random numbers"), (repeats, "of each"),
              (treatments, "that share a block"),
              (suite_blocks, "that the suite says, where --blocks says fewer", left_out),
              (agents, "that play it"))
AGON_DESCRIBE(Manifest::Model, (provider, "that was asked"),
              (endpoint, "base URL; empty in process"), (model, "as asked for"),
              (calls, "that were made"), (served_as, "names that the provider gave"),
              (fingerprints, "of the systems behind it"), (parameters, "all that were sent"))
AGON_DESCRIBE(Manifest, (stop, "how far the stop rule came, if there is one", left_out),
              (drift, "of the drift check, if there is one", left_out), (suite, "its name"),
              (matches, "to be played"), (plan, "by scenario"),
              (models, "in the end: those that were called", left_out),
              (prices, "in the end: the file as it was, if there is one", left_out))

/// What is known of a suite before a match is played.
[[nodiscard]] Manifest planned_manifest(const Suite& suite);

/// Adds what the calls of a run were.
void add_calls(Manifest& manifest, const RunLedger& ledger);

}  // namespace agon
