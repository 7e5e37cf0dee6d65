#pragma once

#include <agon/model/provider.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llm/http/transport.hpp"

/// How providers take many calls at once, and give their answers within a day: pure functions, as a
/// WireFormat is.
namespace agon::llm {

/// A call of a batch.
struct BatchedCall {
  std::string id;         ///< by which its answer is known: at most 64 letters, digits and hyphens
  std::string_view body;  ///< as it would be sent by itself
};

/// What an endpoint says of a batch.
struct BatchStatus {
  enum class State : std::uint8_t {
    working,
    ended,   ///< what was answered can be fetched
    failed,  ///< nothing was taken on; `problem` says why
  };
  State state = State::working;
  std::string id{};                    ///< the endpoint's
  std::string key{};                   ///< ours; empty where the format keeps none
  std::string created{};               ///< ISO 8601 in UTC, where the format keeps no key
  std::int64_t calls = -1;             ///< how many it has; -1: it does not say
  std::vector<std::string> results{};  ///< paths after the base URL, to be fetched
  HttpReply failure{};                 ///< of `failed`: what each of its calls is answered with
};

/// What became of a call of a batch.
struct BatchResult {
  std::string id{};
  /// As the reply to the call by itself; nothing: it was not worked on, and is not charged.
  std::optional<HttpReply> reply{};
};

/// A way to take batches.
struct BatchFormat {
  std::size_t most_calls = 0;   ///< of a batch
  std::size_t most_bytes = 0;   ///< of its body or file
  std::string_view path;        ///< of batches, after the base URL
  std::string_view files_path;  ///< where a file of calls is put first; empty: they are in the body
  std::string_view next;        ///< parameter of a list that names the last batch of the one before
  /// Writes a call as it is in a batch, without what stands between two.
  std::string (*write_call)(const BatchedCall& call, std::string_view call_path) = nullptr;
  /// The body that makes a batch: of calls, or of the id of the file that holds them.
  std::string (*write_batch)(std::string_view calls, std::string_view file, std::string_view key,
                             std::string_view call_path) = nullptr;
  /// Reads what an endpoint says of a batch; nothing if it is no such reply.
  std::optional<BatchStatus> (*read_status)(std::string_view reply) = nullptr;
  /// Reads a line of results; nothing if it is none.
  std::optional<BatchResult> (*read_result)(std::string_view line) = nullptr;
};

/// How a provider takes batches; null: it takes none.
[[nodiscard]] const BatchFormat* batch_format_of(const ProviderCard& provider);

/// The body of an upload of a file of calls, and its Content-Type.
[[nodiscard]] std::string upload_of(std::string_view calls, std::string& content_type);

/// The member "id" of a reply, where it is made of letters, digits, hyphens and underscores: it
/// becomes part of a path. Else empty.
[[nodiscard]] std::string batch_id_in(std::string_view reply);

/// The batches of a list of them, and whether there are more; nothing if it is no such reply.
[[nodiscard]] std::optional<std::vector<BatchStatus>> read_batches(const BatchFormat& format,
                                                                   std::string_view reply,
                                                                   bool& has_more);

/// The results in a file of them, in any order; lines that are none are left out.
[[nodiscard]] std::vector<BatchResult> read_results(const BatchFormat& format,
                                                    std::string_view file);

}  // namespace agon::llm
