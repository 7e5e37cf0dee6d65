#include <agon/telling.hpp>

#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {

struct FreeTextParams {
  bool view = true;
};
AGON_DESCRIBE(FreeTextParams,
              (view,
               "the second call is shown what the player saw with the question, so that it "
               "knows what \"the least amount\" is"))

namespace {

constexpr std::string_view kExtractNames[] = {"text"};
constexpr std::string_view kExtract = "part-extract";

class FreeText final : public Reasoning {
 public:
  using Params = FreeTextParams;
  explicit FreeText(const Params& params) : params_(params) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{kExtract, kExtractNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    const Language& words = *turn.question().language;
    std::string said = speak(turn);
    if (said.empty())
      return {.fault = Fault::empty, .problem = words.say(ModelLine("nothing was said"))};
    std::vector<PromptName> names{{"text", speech(said)}};
    if (!params_.view) names.push_back({"view", ""});
    ModelRequest request;
    request.purpose = "extract";
    // Asked without the rules and the past, so that the text decides.
    request.messages = {{"user", turn.render(kExtract, names)}};
    request.form = turn.form();
    ModelAnswer answer = turn.ask_for(*turn.question().answer_type, std::move(request),
                                      turn.question().limits.get());
    // What is wrong with a value is said; what is wrong with the second call's JSON is not.
    if (answer.json.empty())
      answer.problem = answer.problem.starts_with('$')
                           ? words.say(ModelLine("read out of your words was this: {problem}"),
                                       {{"problem", answer.problem}})
                           : words.say(ModelLine("your words do not say clearly what you decide"));
    answer.thought = said;
    answer.said = std::move(said);
    return answer;
  }

 private:
  /// What the model says.
  static std::string speak(ModelTurn& turn) {
    ModelRequest request;
    request.purpose = "say";
    request.messages = turn.opening();
    request.append_user(turn.task());
    request.is_answer = true;
    request.may_use_tools = true;
    const ModelCall call = turn.call(request);
    return call.fault == Fault::ok || call.fault == Fault::truncated ? call.text : std::string();
  }

  Params params_;
};

}  // namespace

PartCard free_text_card() {
  return part<FreeText>(
      {.id = "free-text",
       .doc = "Has the model answer as it likes, in words, and reads the decision out of them by a "
              "second call that sees these words and what was seen with the question.",
       .source = "Mao et al. 2023, Alympics, published code"});
}

}  // namespace agon::llm
