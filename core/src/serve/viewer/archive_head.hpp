#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <optional>
#include <string>
#include <vector>

#include "viewer/archive_rows.hpp"

namespace agon::serve {

/// A suite that matches of the archive were played for.
struct ShownSuite {
  std::int64_t number = 0;
  std::string name;
  std::string seed;
  std::int64_t matches = 0;
};
AGON_DESCRIBE(ShownSuite, (number, "in the archive"), (name, "its name"), (seed, "its seed"),
              (matches, "that ended"))

/// A start of the command that wrote the archive.
struct ShownRun {
  std::int64_t number = 0;
  std::int64_t started = 0;
  std::optional<std::int64_t> ended;
  std::string outcome;
  std::string suite;
  std::string command;
};
AGON_DESCRIBE(ShownRun, (number, "from 1"), (started, "milliseconds since 1970"),
              (ended, "likewise; absent: it has not, or was killed", left_out),
              (outcome, "how it ended; empty: it has not"), (suite, "its name; empty: not known"),
              (command, "as it was typed"))

/// A scenario under one treatment.
struct ShownTreatment {
  std::string game;
  std::string treatment;
  std::int64_t matches = 0;
  std::int64_t broken = 0;
};
AGON_DESCRIBE(ShownTreatment, (game, "its name"),
              (treatment, "the scenario with what was varied, in words"), (matches, "that ended"),
              (broken, "of these, broken by the game or set aside"))

/// What an agent did, whatever suite it was for.
struct ShownAgent {
  std::string name;
  std::int64_t seats = 0;
  std::int64_t faults = 0;
  std::int64_t forced = 0;
  std::int64_t calls = 0;
  std::int64_t tokens = 0;
  std::string cost;
};
AGON_DESCRIBE(ShownAgent, (name, "as reports show it"), (seats, "in matches that ended"),
              (faults, "attempts at fault"), (forced, "answers that were not its own"),
              (calls, "of models"), (tokens, "of these"),
              (cost, "of these, in words; empty: no calls"))

/// What an archive holds.
struct ArchiveHead {
  std::int64_t suite = 0;
  std::int64_t matches = 0;
  std::vector<ShownSuite> suites;
  std::vector<ShownRun> runs;
  std::vector<ShownTreatment> treatments;
  std::vector<ShownAgent> agents;
};
AGON_DESCRIBE(ArchiveHead, (suite, "whose matches these are; 0: everything that is here"),
              (matches, "of these, that ended"), (suites, "all that are here"),
              (runs, "the last ones first, at most 100"),
              (treatments, "of the suite, by game and name"), (agents, "of the suite, by name"))

/// `suite`: as view_of takes it.
[[nodiscard]] AGON_API ArchiveHead archive_head(const archive::Archive& archive,
                                                const ArchiveRows& rows, const MatchIndex& index,
                                                const std::string& suite);

}  // namespace agon::serve
