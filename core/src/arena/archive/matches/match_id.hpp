#pragma once

#include <agon/export.hpp>
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/hash.hpp"

namespace agon::archive {

/// What a match is known by: 16 bytes, shown as 32 hexadecimal digits.
struct AGON_API MatchId {
  std::array<std::uint8_t, 16> bytes{};

  auto operator<=>(const MatchId&) const = default;

  /// 32 lower-case hexadecimal digits.
  [[nodiscard]] std::string hex() const { return hash::hex(bytes); }
  /// Reads what `hex` writes; nothing for any other text.
  static std::optional<MatchId> read(std::string_view text);
};

/// Everything that decides how a match comes out, before it is played. Two matches with equal parts
/// are the same match; a run that is taken up again plays those whose ids are not in the archive.
struct MatchParts {
  std::string_view game;
  std::int64_t game_version = 0;
  std::string_view plugin_version;
  /// The scenario's name as chance knows it: another scenario of equal settings has other random
  /// numbers.
  std::string_view scenario;
  hash::Digest settings{};           ///< of the settings' text, data and prompts included
  std::vector<hash::Digest> agents;  ///< of the agent's spec, prompts included, for every seat
  std::uint64_t seed = 0;            ///< of the suite
  std::int64_t block = 0;
  std::int64_t position = 0;  ///< within a sequence of matches that learn from one another
  std::int64_t repeat = 0;
  /// Tells apart matches of the same agents on the same seats in one block. Must not depend on who
  /// else is in the suite, or else adding an agent would make finished matches unknown.
  std::int64_t assignment = 0;
  std::string_view branch{};  ///< of which match it is a branch, and how; empty: of none
};

/// The first 16 bytes of SHA-256 over the parts, each preceded by its length.
AGON_API MatchId match_id(const MatchParts& parts);

/// Ids of matches that differ in block, position and repeat alone, for much less time each.
class AGON_API MatchIds {
 public:
  /// Of the parts as they are but for these three.
  explicit MatchIds(const MatchParts& parts);
  [[nodiscard]] MatchId operator()(std::int64_t block, std::int64_t position,
                                   std::int64_t repeat) const;

 private:
  hash::Sha256 common_;
  std::int64_t assignment_;
};

}  // namespace agon::archive
