#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <memory>
#include <string>
#include <vector>

namespace agon {

class Catalogue;

/// What a model agent would be told at a seat: the messages of `llm` with its components as they
/// are when nothing is said of them, made by it and sent to nobody. From any thread.
class AGON_API ModelMessages {
 public:
  /// `game`: its id. Throws Error at `where` if there is no `llm`.
  ModelMessages(const Catalogue& catalogue, const std::string& game, const std::string& where);

  /// At a question that has its prompts; none where the agent would decline. Throws Error for
  /// prompts that are wrong.
  [[nodiscard]] std::vector<ChatMessage> at(OwnedQuestion question) const;
  /// The same as RenderQuestion has it.
  [[nodiscard]] std::string json(const OwnedQuestion& question) const;

 private:
  std::shared_ptr<const Agent> agent_;
};

}  // namespace agon
