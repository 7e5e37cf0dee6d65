#include <agon/model/model_parts.hpp>
#include <string>

#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

/// Memories that overlap with parts that write down what they learn.
constexpr PartOverlap kLessonOverlaps[] = {
    {PartKind::memory, "none", "what it has learnt carries on what the memory forgets"},
    {PartKind::memory, "window", "what it has learnt carries on what the memory forgets"},
    {PartKind::memory, "retrieval", "what it has learnt carries on what the memory leaves out"},
    {PartKind::memory, "notebook", "both are the agent's own account of what happened"},
    {PartKind::learning, "on", "both write down what was learnt"},
};

constexpr std::string_view kMoved = "moved";  ///< a note: the length of the history at the move

/// Notes that a move is made now; probes in between do not count.
void mark_move(ModelTurn& turn) {
  turn.write_note(kMoved, std::to_string(turn.question().history.size()));
}

/// Whether a move was marked.
bool has_moved(const ModelTurn& turn) {
  return !turn.note(kMoved).empty();
}

/// Keeps what the model writes when it is asked this, if it writes anything.
void write_aside_into(ModelTurn& turn, std::string_view note, std::string_view purpose,
                      std::string_view asked) {
  const std::string text = write_aside(turn, purpose, asked);
  if (!text.empty()) turn.write_note(note, text);
}

/// Asks for the answer with `more` below the task. The thought of an answer that comes without one
/// is what was `written` before.
ModelAnswer answer_after(ModelTurn& turn, const std::string& more, const std::string& written) {
  ModelAnswer answer = turn.ask_for_answer(turn.task() + more, "answer");
  if (answer.thought.empty()) answer.thought = written;
  return answer;
}

class Direct final : public WithParams<Reasoning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    return turn.ask_for_answer(turn.task(), "answer");
  }
};

class ChainOfThought final : public WithParams<Reasoning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return {{"part-think"}}; }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    return turn.ask_for_answer(turn.task() + "\n\n" + turn.render("part-think"), "answer",
                               Thinking::first);
  }
};

}  // namespace

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
constexpr std::string_view kFreeTextPurposes[] = {"extract"};

class FreeText final : public WithParams<Reasoning, FreeTextParams> {
 public:
  using WithParams::WithParams;
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
};

class PredictThenAct final : public WithParams<Reasoning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return {{"part-predict"}}; }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    return turn.ask_for_answer(turn.task() + "\n\n" + turn.render("part-predict"), "answer",
                               Thinking::first);
  }
};

}  // namespace

struct KLevelParams {
  int k = 2;
};
AGON_DESCRIBE(KLevelParams, (k,
                             "how deep: 1 answers to others who do not think about others, 2 to "
                             "others of level 1, and so on",
                             agon::range(1, 8), agon::unit("levels"),
                             agon::source("Zhang et al. 2024, K-Level Reasoning: k = 2")))

namespace {

constexpr std::string_view kLevelNames[] = {"expected", "alone"};
constexpr std::string_view kLevelPurposes[] = {"k-level"};

class KLevel final : public WithParams<Reasoning, KLevelParams> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-k-level", kLevelNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    std::string expected;
    for (int level = 0; level < params_.k; ++level) {
      const PromptName names[] = {
          {"expected", expected},
          {"alone", expected.empty()
                        ? turn.question().language->say(ModelLine("its own position alone"))
                        : ""}};
      std::string said =
          write_aside(turn, "k-level", turn.task() + "\n\n" + turn.render("part-k-level", names));
      if (said.empty()) break;
      expected = std::move(said);
    }
    return answer_after(turn, under(turn, ModelLine("What you expect of the others:"), expected),
                        expected);
  }
};

constexpr std::string_view kExperience = "experience";
constexpr std::string_view kLookBackNames[] = {"experience"};
constexpr std::string_view kLookBackPurposes[] = {"reflect"};

class Reflect final : public WithParams<Reasoning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-look-back", kLookBackNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    // There is something to look back at once a move was made; a move that was turned down is
    // mended without.
    if (turn.question().attempt == 0 && has_moved(turn)) {
      const PromptName names[] = {{"experience", turn.note(kExperience)}};
      write_aside_into(turn, kExperience, "reflect", turn.render("part-look-back", names));
    }
    mark_move(turn);
    const std::string experience = turn.note(kExperience);
    return answer_after(turn, under(turn, ModelLine("Your experience so far:"), experience),
                        experience);
  }
};

constexpr std::string_view kIntention = "intention";
constexpr std::string_view kLesson = "lesson";
constexpr std::string_view kReflectNames[] = {"intention", "lesson"};
constexpr std::string_view kIntendNames[] = {"lesson"};
constexpr std::string_view kIntendPurposes[] = {"reflect", "intend"};

class PlanBidReflect final : public WithParams<Reasoning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-reflect", kReflectNames}, {"part-intend", kIntendNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    // An attempt that was turned down is mended, not planned again.
    if (turn.question().attempt == 0) {
      reflect(turn);
      mark_move(turn);
      const PromptName names[] = {{"lesson", turn.note(kLesson)}};
      write_aside_into(turn, kIntention, "intend",
                       turn.task() + "\n\n" + turn.render("part-intend", names));
    }
    const std::string intention = turn.note(kIntention);
    return answer_after(turn, under(turn, ModelLine("What you mean to do:"), intention), intention);
  }

 private:
  /// Once there is something to look back at: what was meant, and what came of it.
  static void reflect(ModelTurn& turn) {
    const std::string meant = turn.note(kIntention);
    if (meant.empty()) return;
    const PromptName names[] = {{"intention", meant}, {"lesson", turn.note(kLesson)}};
    write_aside_into(turn, kLesson, "reflect", turn.render("part-reflect", names));
  }
};

}  // namespace

struct RefineParams {
  int times = 1;
};
AGON_DESCRIBE(RefineParams,
              (times, "how often the draft is criticised and rewritten", agon::range(1, 8),
               agon::source("Zhang et al. 2024, K-Level Reasoning, published code: 1")))

namespace {

constexpr std::string_view kCriticiseNames[] = {"draft"};
constexpr std::string_view kReviseNames[] = {"draft", "criticism"};
constexpr std::string_view kRefinePurposes[] = {"draft", "criticise", "revise"};

class Refine final : public WithParams<Reasoning, RefineParams> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-draft"}, {"part-criticise", kCriticiseNames}, {"part-revise", kReviseNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    std::string draft =
        write_aside(turn, "draft", turn.task() + "\n\n" + turn.render("part-draft"));
    std::string revise;
    for (int time = 0; time < params_.times && !draft.empty(); ++time) {
      if (time > 0) draft = write_aside(turn, "revise", turn.task() + "\n\n" + revise);
      const PromptName drafted[] = {{"draft", draft}};
      const std::string criticism = write_aside(
          turn, "criticise", turn.task() + "\n\n" + turn.render("part-criticise", drafted));
      const PromptName names[] = {{"draft", draft}, {"criticism", criticism}};
      revise = turn.render("part-revise", names);
    }
    return answer_after(turn, revise.empty() ? "" : "\n\n" + revise, draft);
  }
};

}  // namespace

struct SoloPerformanceParams {
  int people = 3;
};
AGON_DESCRIBE(SoloPerformanceParams,
              (people, "how many people it imagines at most, itself not counted",
               agon::range(1, 8)))

namespace {

constexpr std::string_view kPanelNames[] = {"people"};

class SoloPerformance final : public WithParams<Reasoning, SoloPerformanceParams> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-panel", kPanelNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    const PromptName names[] = {{"people", std::to_string(params_.people)}};
    return turn.ask_for_answer(turn.task() + "\n\n" + turn.render("part-panel", names), "answer",
                               Thinking::first);
  }
};

}  // namespace

void add_reasonings(Registry& registry) {
  registry.add(part<Direct>({.id = "direct", .doc = "Asks once and takes the answer."}));
  registry.add(part<ChainOfThought>(
      {.id = "chain-of-thought",
       .doc = "Has the model write its reasons down before the answer, in the same call. In the "
              "bargaining game this is the agent with Thought, Talk and Action.",
       .source = "Wei et al. 2022; Xia et al. 2024, section 3"}));
  registry.add(part<FreeText>(
      {.id = "free-text",
       .doc = "Has the model answer as it likes, in words, and reads the decision out of them by a "
              "second call that sees these words and what was seen with the question.",
       .source = "Mao et al. 2023, Alympics, published code",
       .purposes = kFreeTextPurposes}));
  registry.add(part<PlanBidReflect>(
      {.id = "plan-bid-reflect",
       .doc = "Three steps a move: it looks back at what came of its last move, writes down what "
              "it means to do, and then answers. Two or three calls a move.",
       .source = "Mao et al. 2023, Alympics, the reasoning plug-in; Shinn et al. 2023",
       .overlaps = kLessonOverlaps,
       .purposes = kIntendPurposes}));
  registry.add(part<Reflect>(
      {.id = "reflect",
       .doc = "Looks back at the game before each move but the first, writes down what it has "
              "learnt, and answers with that in view. One call more a move.",
       .source = "Shinn et al. 2023, Reflexion; Zhang et al. 2024, K-Level Reasoning, section 3.2",
       .overlaps = kLessonOverlaps,
       .purposes = kLookBackPurposes}));
  registry.add(part<Refine>(
      {.id = "refine",
       .doc = "Writes a draft of its move with the reasons, has a critic look for what is wrong in "
              "it, and answers after that. 2 x times calls more a move.",
       .source = "Madaan et al. 2023, Self-Refine; Zhang et al. 2024, K-Level Reasoning, section "
                 "3.2",
       .purposes = kRefinePurposes}));
  registry.add(part<PredictThenAct>(
      {.id = "predict-then-act",
       .doc = "Has the model say first what each of the others will do next, then what follows for "
              "its own move, in the same call.",
       .source =
           "Zhang et al. 2024, K-Level Reasoning, section 3.2: prediction chain of thought"}));
  registry.add(part<KLevel>(
      {.id = "k-level",
       .doc = "Imagines what the others will do, first as people who think of nobody, then as "
              "people who expect that of each other, k times over, and answers to the last. k "
              "calls more a move.",
       .source = "Zhang et al. 2024, K-Level Reasoning with Large Language Models",
       .purposes = kLevelPurposes}));
  registry.add(part<SoloPerformance>(
      {.id = "solo-performance",
       .doc = "Has the model imagine people who know about the matter, let them talk it over and "
              "criticise each other until they agree, and answer so, in one call.",
       .source = "Wang et al. 2023, solo performance prompting, arXiv 2307.05300"}));
}

}  // namespace agon::llm
