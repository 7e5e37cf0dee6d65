#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class SchemaForm final : public AnswerForm {
 public:
  using Params = NoParams;
  explicit SchemaForm(const Params&) {}
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

}  // namespace

PartCard schema_form_card() {
  return part<SchemaForm>(
      {.id = "schema",
       .doc = "JSON by the answer's schema, which the endpoint is asked to enforce if it can. The "
              "JSON object that fits is the answer."});
}

}  // namespace agon::llm
