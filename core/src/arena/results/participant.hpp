#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "archive/archive.hpp"

namespace agon {
class Catalogue;
}

namespace agon::report {

/// An agent that took part in matches, and what it is.
struct Participant {
  std::string agent;       ///< its name in the suite, by which tables call it
  std::string plays;       ///< what it is: "mock/x", "fraction"
  std::string with{};      ///< its parameters or parts, where they are not as by default
  std::int64_t seats = 0;  ///< that it had
  bool is_mock = false;    ///< a mock stood in for a model
  bool is_model = false;   ///< it calls a model, or a mock in its place
};

/// What the spec of an agent says of it. `catalogue`: tells the defaults of agents for `game`;
/// without it, or where it does not know the agent, all parameters are told.
[[nodiscard]] Participant participant(const archive::AgentRow& row, std::int64_t seats = 0,
                                      const Catalogue* catalogue = nullptr,
                                      std::string_view game = {});

/// For which of the archive's agents a mock played, in a sentence; empty if for none. Agents that
/// factors made of one entry are named once. `rows`: only agents with these numbers; null: all.
[[nodiscard]] std::string mock_words(const archive::Archive& archive,
                                     const std::set<std::int64_t>* rows = nullptr);

/// Which settings the endpoints of the archive's agents did not take, by agent, and whose requests
/// were alike for it, in sentences; empty if all were applied. `rows` as above.
[[nodiscard]] AGON_API std::string not_applied_words(const archive::Archive& archive,
                                                     const std::set<std::int64_t>* rows = nullptr);

}  // namespace agon::report
