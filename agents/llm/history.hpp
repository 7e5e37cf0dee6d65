#pragma once

#include <agon/agent.hpp>
#include <agon/model/model_call.hpp>
#include <string>
#include <vector>

#include "llm/prompt/data_text.hpp"
#include "llm/prompt/line_cache.hpp"

namespace agon::llm {

/// What a seat was told, asked and has answered, as texts for a model.
class HistoryText {
 public:
  /// All three must outlive this.
  HistoryText(const OwnedQuestion& question, const DataStyle& style, LineCache& cache);

  /// See ModelTurn.
  [[nodiscard]] std::size_t news_from() const;
  [[nodiscard]] std::size_t phase_from(std::size_t place) const;
  [[nodiscard]] std::string events(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::vector<ChatMessage> dialogue(std::size_t from, std::size_t to) const;
  /// The answer to the question of that number; null if there is none.
  [[nodiscard]] const Delivery* answer_to(std::uint32_t number) const;

 private:
  [[nodiscard]] std::size_t size() const { return question_.history.size(); }
  [[nodiscard]] const Delivery& at(std::size_t i) const { return question_.history[i]; }
  /// A line for an event, or for a question with what was seen with it.
  [[nodiscard]] std::string line(const Delivery& delivery) const;

  const OwnedQuestion& question_;
  const DataStyle& style_;
  LineCache& cache_;
  std::string scope_;
};

}  // namespace agon::llm
