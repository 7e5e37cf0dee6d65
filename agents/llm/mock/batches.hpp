#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/mock/server.hpp"

namespace agon::llm::mock {

/// The batches of a mock server, in OpenAI's format and in Anthropic's. A batch's calls are
/// answered when it is made, and its results come in an order of their own, once it was looked at
/// often enough. One thread.
class BatchDesk {
 public:
  /// Answers a call of a batch as if it had come by itself.
  using Answer =
      std::function<CannedReply(Spoken wire, const std::string& body, const std::string& id)>;

  BatchDesk(const BatchFaults& faults, Answer answer)
      : faults_(faults), answer_(std::move(answer)) {}

  /// The reply to a request that is about batches or their files; nothing if it is not.
  [[nodiscard]] std::optional<CannedReply> reply(std::string_view method, std::string_view path,
                                                 const std::string& body);

 private:
  struct Batch {
    std::string id;
    std::string key;  ///< in its metadata
    bool is_anthropic = false;
    int looks = 0;
    std::size_t calls = 0, answered = 0;
    std::string results{};
    std::string missing{};  ///< results of OpenAI's calls that were not worked on
  };

  CannedReply make_openai(const std::string& body);
  CannedReply make_anthropic(const std::string& body);
  /// Answers one call into the batch.
  void add(Batch& batch, std::map<std::size_t, std::string>& lines, Spoken wire,
           const std::string& id, const std::string& body);
  void keep(Batch batch, const std::map<std::size_t, std::string>& lines);
  [[nodiscard]] bool has_ended(const Batch& batch) const { return batch.looks > faults_.looks; }
  [[nodiscard]] std::string status(const Batch& batch) const;
  [[nodiscard]] CannedReply list(bool is_anthropic);
  [[nodiscard]] CannedReply look(std::string_view id, bool is_anthropic);
  [[nodiscard]] CannedReply results(std::string_view id, bool is_anthropic) const;
  [[nodiscard]] CannedReply content(std::string_view file) const;

  const BatchFaults faults_;
  const Answer answer_;
  std::map<std::string, std::string, std::less<>> files_;
  std::vector<Batch> batches_;
};

}  // namespace agon::llm::mock
