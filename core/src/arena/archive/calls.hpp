#pragma once

#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/database/sqlite.hpp"
#include "archive/matches/match_id.hpp"

namespace agon::archive {

/// One call of a model: for which question it was made, and what came of it.
struct CallRow {
  MatchId match;
  int seat = 0;
  std::int64_t question = 0;
  std::int64_t attempt = 0;
  std::int64_t place = 0;  ///< among the calls of the attempt, from 0
  bool answered = true;    ///< false: it came to nothing, and was made again if at all
  std::int64_t run = 0;    ///< number of the run
  ModelCall call{};        ///< its messages and parameters: empty when writing, see below
  std::optional<std::int64_t> cost{};    ///< billionths of a US dollar; none: not known
  std::vector<hash::Digest> messages{};  ///< content, kind "message": role, line break, text
  hash::Digest parameters{};             ///< content, kind "parameters"
};

/// What calls took in all.
struct CallTotals {
  std::int64_t calls = 0;
  std::int64_t tokens = 0;    ///< in and out, where they are known
  std::int64_t cost = 0;      ///< billionths of a US dollar, where it is known
  std::int64_t unpriced = 0;  ///< answered calls whose cost is not known
};

/// An answered call of which something is not known: the tokens, because the provider did not count
/// them, or the cost.
struct UncountedCall {
  std::string provider;
  std::string model;
  bool has_input = false;   ///< whether the provider counted the tokens in,
  bool has_output = false;  ///< and out
  bool has_cost = false;
  std::int64_t input = 0;   ///< tokens, else estimated
  std::int64_t output = 0;  ///< tokens, else estimated
};

/// Tokens of a text of so many bytes, roughly.
[[nodiscard]] constexpr std::int64_t tokens_in(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + 3) / 4);
}

/// A message as it is stored under its digest.
[[nodiscard]] AGON_API std::string message_bytes(const ChatMessage& message);

/// The statement that writes calls.
class CallInserter {
 public:
  explicit CallInserter(Connection& db);
  void call(const CallRow& row);

 private:
  Statement add_;
};

/// What reads calls.
class CallReader {
 public:
  explicit CallReader(Connection& db);

  /// Calls `each` with the calls of a match, by question, attempt, place and number, messages and
  /// parameters included; of all matches for null, match by match.
  void calls(const MatchId* match, const std::function<void(const CallRow&)>& each);
  [[nodiscard]] CallTotals totals();
  void uncounted(const std::function<void(const UncountedCall&)>& each);
  /// See Archive::calls_by_agent.
  void by_agent(const std::function<void(std::int64_t agent, std::int64_t calls,
                                         std::string_view parameters)>& each);

 private:
  std::string content(std::span<const std::uint8_t> hash);
  void read(Statement& row, CallRow& out);

  Connection* db_;
  Statement of_match_;
  Statement content_;
};

}  // namespace agon::archive
