#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class SchemaForm final : public WithParams<AnswerForm> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::string instructions(const OwnedQuestion& question,
                                         Thinking thinking) const override {
    return question.language->say(
               ModelLine("Answer with one JSON object and with nothing before or after it. It has "
                         "to fit this JSON Schema:")) +
           "\n" + schema(question, thinking);
  }
  [[nodiscard]] std::string schema(const OwnedQuestion& question,
                                   Thinking thinking) const override {
    return answer_schema(question, thinking);
  }
  [[nodiscard]] ModelAnswer read(const OwnedQuestion& question,
                                 std::string_view text) const override {
    return read_answer(question, text);
  }
};

constexpr std::string_view kOpen = "<answer>";
constexpr std::string_view kClose = "</answer>";

/// What stands between tags.
struct Tagged {
  std::size_t begin;  ///< of the opening tag
  std::size_t end;    ///< after the closing tag
  std::string_view inside;
  bool is_open = false;  ///< there is no closing tag: as where that stops the model
};

std::vector<Tagged> tagged_in(std::string_view text) {
  std::vector<Tagged> all;
  const std::string low = lower_case(text);
  for (std::size_t at = 0; at < low.size();) {
    const std::size_t close = low.find(kClose, at);
    const std::size_t end = std::min(close, low.size());
    const std::size_t open = std::string_view(low).substr(at, end - at).rfind(kOpen);
    const bool is_open = close == std::string::npos;
    const std::size_t next = end + (is_open ? 0 : kClose.size());
    if (open != std::string::npos) {
      const std::size_t inside = at + open + kOpen.size();
      all.push_back({at + open, next, text.substr(inside, end - inside), is_open});
    }
    at = next;
  }
  return all;
}

/// An answer without its tags. Where it is all that was said, there is no doubt.
ModelAnswer untagged(const OwnedQuestion& question, std::string_view text) {
  const std::string missing =
      question.language->say(ModelLine("there is no <answer> with its </answer>"));
  ModelAnswer answer = read_answer(question, text);
  if (answer.fault == Fault::empty || answer.fault == Fault::refused) return answer;
  const std::vector<std::string_view> objects = objects_in(text);
  if (answer.json.empty() || objects.size() != 1 || objects[0] != trimmed(text))
    return {.fault = Fault::unparsable, .problem = missing};
  answer.fault = Fault::repaired;
  answer.problem = missing + (answer.problem.empty() ? "" : "; " + answer.problem);
  return answer;
}

class TagsForm final : public WithParams<AnswerForm> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::string instructions(const OwnedQuestion& question,
                                         Thinking thinking) const override {
    const bool is_plan = question.purpose == Purpose::plan || question.purpose == Purpose::replan;
    // A part that asks for reasons says so itself.
    return question.language->say(
               is_plan && thinking == Thinking::first
                   ? ModelLine("Write the plan in words first, with its limits and the reasons for "
                               "them. Then write your answer between <answer> and </answer>, as "
                               "one JSON object that fits this JSON Schema:")
                   : ModelLine("Write your answer between <answer> and </answer>, as one JSON "
                               "object that fits this JSON Schema:")) +
           "\n" + answer_schema(question, Thinking::none);
  }
  [[nodiscard]] std::string schema(const OwnedQuestion&, Thinking) const override { return {}; }
  [[nodiscard]] std::string written(std::string_view json) const override {
    return std::string(kOpen) + std::string(json) + std::string(kClose);
  }
  [[nodiscard]] ModelAnswer read(const OwnedQuestion& question,
                                 std::string_view given) const override {
    std::string said(given);
    std::string thought;
    split_thought(said, thought);
    const std::string_view text = said;
    const std::vector<Tagged> tagged = tagged_in(text);
    const bool is_thought = is_open_thought(text);
    // What stands in a thought without an end is an answer only if nothing comes after it.
    if (tagged.empty() || (is_thought && !trimmed(text.substr(tagged.back().end)).empty()))
      return untagged(question, text);
    // Several that say the same are one; those that differ are told of.
    std::string answers;
    for (const Tagged& t : tagged) answers += std::string(t.inside) + '\n';
    const Tagged& last = tagged.back();
    ModelAnswer answer =
        read_marked(question, answers, is_thought ? answers : text, is_thought ? 0 : last.begin,
                    is_thought ? answers.size() : last.end - last.begin);
    if (answer.fault == Fault::ok && (last.is_open || is_thought)) answer.fault = Fault::repaired;
    if (answer.thought.empty()) answer.thought = text.substr(0, tagged.back().begin);
    return answer;
  }
};

}  // namespace

void add_forms(Registry& registry) {
  registry.add(part<SchemaForm>(
      {.id = "schema",
       .doc = "JSON by the answer's schema, which the endpoint is asked to enforce if it can. The "
              "JSON object that fits is the answer."}));
  registry.add(part<TagsForm>(
      {.id = "tags",
       .doc = "Free text with the answer, as JSON, between <answer> and </answer>: for models "
              "and endpoints without structured output.",
       .source = "Hua et al. 2024 (their <s> tags)"}));
}

}  // namespace agon::llm
