#include <agon/telling.hpp>

#include "llm/parts/parts.hpp"
#include "llm/parts/write_aside.hpp"

namespace agon::llm {
namespace {

constexpr std::string_view kExtractNames[] = {"text"};

class FreeText final : public Reasoning {
 public:
  using Params = NoParams;
  explicit FreeText(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-extract", kExtractNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    std::string said = write_aside(turn, "say", turn.task());
    if (said.empty()) return {.fault = Fault::empty, .problem = "nothing was said"};
    const PromptName names[] = {{"text", speech(said)}};
    ModelRequest request;
    request.purpose = "extract";
    // Asked without anything else, so that nothing but the text decides.
    request.messages = {{"user", turn.render("part-extract", names) + "\n\n" + turn.form()}};
    ModelAnswer answer = turn.ask_for(*turn.question().answer_type, std::move(request),
                                      turn.question().limits.get());
    answer.thought = std::move(said);
    return answer;
  }
};

}  // namespace

PartCard free_text_card() {
  return part<FreeText>(
      {.id = "free-text",
       .doc = "Has the model answer as it likes, in words, and reads the decision out of them by a "
              "second call that sees nothing but these words.",
       .source = "Mao et al. 2023, Alympics, published code"});
}

}  // namespace agon::llm
