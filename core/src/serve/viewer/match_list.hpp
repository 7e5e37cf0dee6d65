#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "viewer/archive_rows.hpp"

namespace agon::serve {

/// A seat of a match in a list.
struct ListedSeat {
  std::string agent;
  std::string score;
};
AGON_DESCRIBE(ListedSeat, (agent, "that played it"), (score, "as people read it"))

/// A match in a list.
struct ListedMatch {
  std::int64_t number = 0;
  std::string game;
  std::string treatment;
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;
  std::string ended;
  bool faulty = false;
  bool forced = false;
  std::vector<ListedSeat> seats;
};
AGON_DESCRIBE(ListedMatch, (number, "as 'agon show' takes it"), (game, "its name"),
              (treatment, "the scenario with what was varied, in words"),
              (block, "matches of a block had the same luck"), (repeat, "of the block"),
              (position, "in a learning sequence"), (ended, "finished, or how else"),
              (faulty, "some attempt was at fault"), (forced, "some answer was not the agent's"),
              (seats, "in their order"))

/// A name and how many matches it is behind.
struct NameCount {
  std::string name;
  std::int64_t matches = 0;
};
AGON_DESCRIBE(NameCount, (name, "as it is shown"), (matches, "behind it"))

/// What was found.
struct MatchList {
  std::int64_t total = 0;
  std::int64_t from = 0;
  std::vector<ListedMatch> matches;
  std::vector<NameCount> games;
  std::vector<NameCount> treatments;
  std::vector<NameCount> agents;
};
AGON_DESCRIBE(MatchList, (total, "matches found"), (from, "the place of the first shown, from 0"),
              (matches, "those that are shown"), (games, "of all that were found"),
              (treatments, "likewise"), (agents, "in how many each has a seat"))

/// What an address asks for, by name: suite, game, treatment, agent, other, ended, faults (any or
/// forced), block, luck (the number of a match that was dealt the same), from, most (at most 1000),
/// order (last: the last ones first). Throws Error (usage, not_found) for what it cannot be.
[[nodiscard]] AGON_API MatchList list_matches(const archive::Archive& archive,
                                              const ArchiveRows& rows, const MatchIndex& index,
                                              const std::map<std::string, std::string>& asked);

}  // namespace agon::serve
