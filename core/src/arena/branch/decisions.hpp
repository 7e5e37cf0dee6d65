#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon {
class Catalogue;
}

namespace agon::branch {

/// Which answers are valued, and how.
struct DecisionRequest {
  std::string reference{};        ///< who plays on, as the command line has agents
  std::size_t alternatives = 12;  ///< most answers beside the chosen and the reference's
  std::uint64_t repeats = 24;     ///< of each answer, with other dice of the reference
  /// At the other seats their own agents play on, where they answer at once.
  bool others = false;
  std::string seat{};                   ///< name of a seat; empty: all
  std::vector<std::int64_t> matches{};  ///< running numbers; empty: all
  std::size_t threads = 0;              ///< 0: as many as there are processors; changes no value
};

/// What was valued.
struct ValuedDecisions {
  std::vector<archive::DecisionRow> rows;  ///< by match, question and answer
  std::size_t matches = 0;
  std::size_t unrecorded = 0;  ///< matches without a record, left out
  std::size_t decisions = 0;   ///< with two legal answers at least
  std::uint64_t continuations = 0;
};

/// Values the answers to each question that had an effect on play: all legal ones where they are
/// few, else drawn ones, the one that was given and the reference's. `told`: called with the
/// matches done so far; null: nobody is. Throws Error for a reference that has to be waited for.
[[nodiscard]] AGON_API ValuedDecisions value_decisions(
    const archive::Archive& archive, const Catalogue& catalogue, const DecisionRequest& request,
    const std::function<void(std::size_t done, std::size_t all)>& told = {});

}  // namespace agon::branch
