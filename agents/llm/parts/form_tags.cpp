#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

constexpr std::string_view kOpen = "<answer>";
constexpr std::string_view kClose = "</answer>";

class TagsForm final : public AnswerForm {
 public:
  using Params = NoParams;
  explicit TagsForm(const Params&) {}
  [[nodiscard]] std::string instructions(const OwnedQuestion& question,
                                         Thinking thinking) const override {
    return std::string(thinking == Thinking::first ? "Write your reasons first. Then write"
                                                   : "Write") +
           " your answer between <answer> and </answer>, as one JSON object that fits this JSON "
           "Schema:\n" +
           answer_schema(question, Thinking::none);
  }
  [[nodiscard]] std::string schema(const OwnedQuestion&, Thinking) const override { return {}; }
  [[nodiscard]] std::string written(std::string_view json) const override {
    return std::string(kOpen) + std::string(json) + std::string(kClose);
  }
  [[nodiscard]] ModelAnswer read(const OwnedQuestion& question,
                                 std::string_view text) const override {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return {.fault = Fault::empty, .problem = "nothing was said"};
    const std::size_t close = text.rfind(kClose);
    const std::size_t open =
        close == std::string_view::npos ? close : text.substr(0, close).rfind(kOpen);
    if (open == std::string_view::npos)
      return {.fault = Fault::unparsable, .problem = "there is no <answer> with its </answer>"};
    // Several that say the same are one; those that differ are told of.
    std::string answers;
    for (std::size_t at = text.find(kOpen); at != std::string_view::npos && at <= open;
         at = text.find(kOpen, at + 1)) {
      const std::size_t end = text.find(kClose, at);
      answers += text.substr(at + kOpen.size(), end - at - kOpen.size());
      answers += '\n';
    }
    ModelAnswer answer = read_answer(question, answers);
    if (answer.thought.empty()) answer.thought = text.substr(0, open);
    return answer;
  }
};

}  // namespace

PartCard tags_form_card() {
  return part<TagsForm>(
      {.id = "tags",
       .doc = "Free text with the answer, as JSON, between <answer> and </answer>: for models "
              "and endpoints without structured output.",
       .source = "Hua et al. 2024 (their <s> tags)"});
}

}  // namespace agon::llm
