#pragma once

#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "archive/database/sqlite.hpp"
#include "text/hash.hpp"

namespace agon {

/// A file of answers of models by request, which the runs of several archives share. An answer goes
/// into it right after its call is in the archive. Used from any thread, and by several runs at
/// once. It holds digests of requests, not their texts.
class AnswerCache {
 public:
  /// Makes the file where there is none. `for_sampling`: agents that sample use it too. Throws
  /// Error for a file that is no cache of answers, or one of another version.
  AGON_API AnswerCache(const std::filesystem::path& file, bool for_sampling);
  AGON_API ~AnswerCache();
  AnswerCache(const AnswerCache&) = delete;
  AnswerCache& operator=(const AnswerCache&) = delete;

  [[nodiscard]] bool is_for_sampling() const { return for_sampling_; }

  /// The digest of a request by provider, endpoint, model, parameters and messages. `place`: which
  /// call it is for, of agents that sample; empty: any.
  [[nodiscard]] AGON_API static hash::Digest digest_of(const ModelCall& request,
                                                       std::string_view place);

  /// The answer to the request: text, reasoning, finish, served_model, fingerprint, request_id,
  /// usage, fault and problem. Its provider_cost is what it cost when it was paid; -1: not known.
  [[nodiscard]] AGON_API std::optional<ModelCall> find(const hash::Digest& request);
  /// Keeps an answer and what it cost, unless it has no words. What cannot be kept is said once on
  /// standard error: the answer is in the archive, and the run goes on without the cache.
  AGON_API void add(const hash::Digest& request, const ModelCall& answer,
                    const std::optional<std::int64_t>& cost, bool is_sampled);

  /// How many answers of a model a file has.
  struct ModelAnswers {
    std::int64_t answers = 0;
    std::int64_t sampled = 0;  ///< of these: of agents that sample
  };
  /// What a file has, by "provider/model". Throws Error as the constructor does, and for a file
  /// that does not exist.
  [[nodiscard]] AGON_API static std::map<std::string, ModelAnswers> contents(
      const std::filesystem::path& file);

 private:
  /// Stops using the file, and says why.
  void give_up(const std::string& why);

  std::mutex mutex_;
  const bool for_sampling_;
  bool is_usable_ = true;
  archive::Connection db_;
  std::optional<archive::Statement> find_;
  std::optional<archive::Statement> insert_;
};

}  // namespace agon
