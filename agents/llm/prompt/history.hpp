#pragma once

#include <agon/agent.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/type.hpp>
#include <array>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "llm/prompt/data_text.hpp"
#include "llm/prompt/wording.hpp"

namespace agon::llm {

/// Lines made from deliveries, kept so that a long memory is not rendered again at each question.
/// It remembers and changes nothing: a line is a pure function of what it is made from.
class LineCache {
 public:
  /// What a line is made from.
  struct Source {
    char what;               ///< which kind of line
    const Type* type;        ///< of `json`
    std::string_view scope;  ///< names of the seats
    std::string_view name;
    std::string_view json;
    friend bool operator==(const Source&, const Source&) = default;
  };

  /// What `make()` returns for the source, from memory where it was made before.
  [[nodiscard]] std::string line(const Source& source, const std::function<std::string()>& make);

 private:
  struct Entry {
    char what = 0;
    const Type* type = nullptr;
    std::string scope;
    std::string name;
    std::string json;
    std::string line;
    [[nodiscard]] Source source() const { return {what, type, scope, name, json}; }
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::size_t, Entry> entries;
  };
  std::array<Shard, 16> shards_;
};

/// What a seat was told, asked and has answered, as texts for a model.
class HistoryText final : public TurnHistory {
 public:
  /// All must outlive this. `wording`: the prompts' own words for events and questions; `form`: how
  /// answers are written down that nobody said in words. Without `own_words` all are written so,
  /// and none comes with its reasons.
  HistoryText(const ModelTurn& turn, const Memory& memory, const AnswerForm* form,
              const Wording& wording, const DataStyle& style, LineCache& cache, bool own_words);

  /// Where the play began that the question belongs to: see agon::apart_by. Nothing before it is
  /// shown by any function here.
  [[nodiscard]] std::size_t begin() const { return begin_; }
  /// Whether there are plays that know nothing of each other.
  [[nodiscard]] bool is_apart() const { return is_apart_; }
  [[nodiscard]] bool has_answered() const { return news_from() > begin_; }
  /// Place from which on the agent's memory may show what was told.
  [[nodiscard]] std::size_t remembered_from() const;

  [[nodiscard]] std::size_t news_from() const override;
  [[nodiscard]] std::size_t phase_from(std::size_t place) const override;
  [[nodiscard]] std::string events(std::size_t from, std::size_t to) const override {
    return events(from, to, remembered_from());
  }
  [[nodiscard]] std::vector<ChatMessage> dialogue(std::size_t from, std::size_t to) const override;
  [[nodiscard]] std::size_t last_messages(std::size_t n, std::size_t to) const override;
  [[nodiscard]] std::string account(std::size_t from, std::size_t to) const override;
  [[nodiscard]] OwnText last_answer(Purpose purpose) const override;
  [[nodiscard]] std::string date(std::size_t place) const override;
  [[nodiscard]] std::vector<OwnMove> own_moves() const override;

  /// `shown_from`: own messages from there on stand in the dialogue, and are no news.
  [[nodiscard]] std::string events(std::size_t from, std::size_t to, std::size_t shown_from) const;
  /// The events since the seat's last answer, and before them what the arena made of that answer
  /// where the memory does not show it: where it shows nothing before news_from().
  [[nodiscard]] std::string news() const;
  /// A question with the answer to it, if they are the last that there was and of this stage: the
  /// game then asks once more because the answer was wrong.
  [[nodiscard]] std::vector<ChatMessage> to_correct() const;

 private:
  [[nodiscard]] const Delivery& at(std::size_t i) const { return question_.history[i]; }
  /// A sentence in the seat's language.
  [[nodiscard]] std::string say(std::string_view sentence,
                                std::initializer_list<Filled> with = {}) const {
    return style_.language->say(sentence, with);
  }
  /// A line for an event, or for a question with what was seen with it.
  [[nodiscard]] std::string line(const Delivery& delivery) const;
  /// The line for an event, which says whether it is a message of the seat's own; empty: nothing
  /// is shown of it in a dialogue that goes back to `from`.
  [[nodiscard]] std::string told_line(std::size_t i, std::size_t from) const;
  /// What the delivery adds to a dialogue that goes back to `from`.
  [[nodiscard]] std::vector<ChatMessage> messages(std::size_t i, std::size_t from) const;
  [[nodiscard]] std::vector<ChatMessage> answer(const Delivery& delivery) const;
  /// A line of the arena's on what was made of an answer; empty: it was played as it was said.
  [[nodiscard]] std::string remark(const Delivery& answer) const;
  /// True if something was told from `from` on and after the answer before `i`.
  [[nodiscard]] bool was_told(std::size_t i, std::size_t from) const;

  const ModelTurn& turn_;
  const Memory& memory_;
  const OwnedQuestion& question_;
  const AnswerForm* form_;
  const Wording& wording_;
  const DataStyle& style_;
  LineCache& cache_;
  bool own_words_;
  std::string scope_;
  std::size_t begin_ = 0;
  bool is_apart_ = false;
};

/// A text that may be long, with its end kept and the rest left out.
[[nodiscard]] std::string end_of(std::string_view text, const DataStyle& style);

}  // namespace agon::llm
