#pragma once

#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/matches/match_id.hpp"

namespace agon::archive {

class Archive;
class Statement;
struct OpenArchive;

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

  /// Nothing was sent: the answer is from the run's cache of answers.
  [[nodiscard]] bool is_from_cache() const { return answered && call.tries == 0; }
};

/// What calls took in all.
struct CallTotals {
  std::int64_t calls = 0;       ///< that were sent
  std::int64_t tokens = 0;      ///< in and out, where they are known
  std::int64_t cost = 0;        ///< billionths of a US dollar, where it is known
  std::int64_t unpriced = 0;    ///< answered calls whose cost is not known
  std::int64_t from_cache = 0;  ///< beside `calls`: answered from a cache of answers
  std::int64_t saved = 0;       ///< what these answers cost when they were paid, where known
};

/// An answered call of which something is not known: the tokens, because the provider did not count
/// them, or the cost.
struct UncountedCall {
  std::string provider;
  std::string model;
  std::string purpose;
  bool has_input = false;   ///< whether the provider counted the tokens in,
  bool has_output = false;  ///< and out
  bool has_cost = false;
  bool is_batched = false;  ///< it went out in a batch
  std::int64_t input = 0;   ///< tokens, else estimated
  std::int64_t output = 0;  ///< tokens, else estimated
};

/// Content of this kind is what a run wrote down of a batch of calls (BatchNotes).
inline constexpr std::string_view kBatchNote = "batch";
/// Among the parameters of a call that went out in a batch, as agents write it.
inline constexpr std::string_view kBatched = R"("batched":true)";

/// Tokens of a text of so many bytes, roughly.
[[nodiscard]] constexpr std::int64_t tokens_in(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + 3) / 4);
}

/// A message as it is stored under its digest.
[[nodiscard]] AGON_API std::string message_bytes(const ChatMessage& message);

/// The calls of models in an archive, failed ones included. Not longer than the Archive is there,
/// where it is.
class AGON_API Calls {
 public:
  Calls(const Archive& archive, OpenArchive& open) : archive_(archive), open_(open) {}

  /// Calls `each` with the calls made for a match, finished or not, messages and parameters
  /// included; null: for all matches. By question, attempt, place, and order of recording.
  void each(const MatchId* match, const std::function<void(const CallRow&)>& each) const;
  /// The answered calls of an agent to one model.
  struct AgentCalls {
    std::int64_t agent = 0;     ///< its number
    std::string model{};        ///< ModelName::text()
    bool is_embedding = false;  ///< of texts, and no question was put
    std::int64_t calls = 0;
    std::int64_t cost = 0;     ///< billionths of a US dollar, where it is known
    std::string parameters{};  ///< of calls that some setting was not applied in; else empty
  };
  /// Counts the answered calls of finished matches by agent, model and parameters.
  void by_agent(const std::function<void(const AgentCalls&)>& each) const;
  /// The answered calls of a seat of a finished match to one model that one system answered.
  struct HostCalls {
    std::int64_t match = 0;  ///< its running number
    std::int64_t seat = 0;
    std::int64_t agent = 0;  ///< its number
    std::string model{};     ///< ModelName::text()
    std::string served_model{};
    std::string fingerprint{};
    std::int64_t calls = 0;
  };
  /// Counts the answered calls of finished matches by seat, model and system.
  void by_host(const std::function<void(const HostCalls&)>& each) const;
  /// Calls `each` with the match (its running number) and the seat of each call of a finished match
  /// that was answered from a cache of answers, and what the answer cost when it was paid; 0 if
  /// that is not known.
  void from_cache(const std::function<void(std::int64_t match, std::int64_t seat,
                                           std::int64_t saved)>& each) const;
  [[nodiscard]] CallTotals totals() const;
  /// What the calls to one model for one purpose took, but for answers from a cache.
  struct PurposeCalls {
    std::string provider{};
    std::string model{};
    std::string purpose{};
    CallTotals took{};
  };
  /// Counts all calls, as totals(), by model and purpose.
  void by_purpose(const std::function<void(const PurposeCalls&)>& each) const;
  /// Calls `each` with the notes of batches, in order.
  void batch_notes(const std::function<void(std::string)>& each) const;
  /// The answered calls of which tokens or cost are not known.
  void uncounted(const std::function<void(const UncountedCall&)>& each) const;

 private:
  [[nodiscard]] std::string content(const hash::Digest& hash) const;
  void read(Statement& row, CallRow& out) const;

  const Archive& archive_;
  OpenArchive& open_;
};

}  // namespace agon::archive
