#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "table/match.hpp"
#include "table/probes.hpp"

namespace agon {

class AnyTable;
class UntypedTable;

/// Asks in one match what its suite asks beside the game.
class ProbeAsker {
 public:
  explicit ProbeAsker(const MatchSetup& setup);

  /// False where nothing is ever asked: without probes, and where nothing is recorded.
  [[nodiscard]] bool asks() const { return !turns_.empty(); }
  /// The place of the next question among them, from 0.
  std::uint32_t take_number() { return next_number_++; }
  /// Asks what is to be asked after that event, of those who heard it, or that stage.
  void ask_after(AnyTable& table, std::string_view what, bool is_event, std::uint32_t audience);

 private:
  /// Seats that decline all unseen have their number all the same.
  void ask(UntypedTable& table, const Probes::Ready& probe, std::uint32_t audience);

  const MatchSetup& setup_;
  std::vector<std::int64_t> turns_;  ///< by probe: how often it could have been asked
  std::uint32_t next_number_ = 0;
};

}  // namespace agon
