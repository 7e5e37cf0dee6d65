#include <algorithm>
#include <boost/json/parse.hpp>

#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

/// True for JSON, and for what stands in a fence from beginning to end.
bool is_code(std::string_view text) {
  if (text.starts_with("```") && text.size() > 3 && text.ends_with("```")) return true;
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  boost::system::error_code code;
  const boost::json::value value =
      boost::json::parse(boost::json::string_view(text.data(), text.size()), code);
  return !code && (value.is_object() || value.is_array());
}

/// What the model said, as a text of its own to be kept: empty if it said nothing or refused, and
/// up to its last whole sentence if it was cut off.
std::string kept_words(const ModelCall& call) {
  const std::string_view text = trimmed(call.text);
  if ((call.fault != Fault::ok && call.fault != Fault::truncated) || is_refusal(text)) return {};
  return std::string(call.fault == Fault::ok ? text : whole_sentences(text));
}

}  // namespace

std::string write_words(ModelTurn& turn, ModelRequest request) {
  const ModelCall call = turn.call(request);
  std::string text = kept_words(call);
  if (!is_code(text)) return text;
  const PromptName names[] = {
      {"complaint", turn.question().language->say(
                        ModelLine("Write it in plain sentences, not as JSON or code."))},
      {"left", ""}};
  request.messages.push_back({"assistant", text});
  request.append_user(turn.render("part-again", names));
  text = kept_words(turn.call(request));
  return is_code(text) ? std::string() : text;
}

std::string under(const ModelTurn& turn, std::string_view heading, const std::string& text) {
  if (text.empty()) return {};
  return "\n\n" + turn.question().language->say(heading) + "\n" + text;
}

std::string write_aside(ModelTurn& turn, std::string_view purpose, std::string_view asked) {
  ModelRequest request;
  request.purpose = purpose;
  request.messages = turn.opening();
  request.append_user(asked);
  request.may_use_tools = true;
  return write_words(turn, std::move(request));
}

namespace {

/// When a text that an agent keeps for itself is rewritten.
enum class Upkeep : std::uint8_t {
  once,           ///< before the first move
  every_phase,    ///< before the first move, and after each phase
  after_a_phase,  ///< after each phase
};

/// A text that the model writes for itself in games that do not ask for one.
struct KeptText {
  std::string_view note;   ///< where it is kept, and its name in prompts
  std::string_view title;  ///< what it is called where it is shown
  std::string_view first;  ///< the prompt file that asks for it
  std::string_view again;  ///< the one that asks for it again
};

constexpr KeptText kPlan{"plan", ModelLine("Your plan"), "part-plan", "part-plan-again"};

/// The text, rewritten where that is due: its prompt follows the prompt of the stage with the text
/// as it was. Made only for moves; probes see what there is.
OwnText kept_text(ModelTurn& turn, const KeptText& kept, Upkeep when) {
  const std::string mark = std::string(kept.note) + "-covers";
  const std::string missed = std::string(kept.note) + "-missed";
  const std::string covers = turn.note(mark);
  OwnText held{turn.note(kept.note),
               static_cast<std::size_t>(std::strtoull(covers.c_str(), nullptr, 10)),
               !turn.note(missed).empty()};
  if (turn.question().probe) return held;
  const std::size_t phase = turn.history().phase_from(turn.question().history.size());
  const bool is_first = covers.empty();
  // A play that knows nothing of the one before begins with no phase behind it.
  const bool phase_ended = phase > std::max(turn.history().phase_from(0), held.at);
  const bool due = when == Upkeep::once          ? is_first
                   : when == Upkeep::every_phase ? is_first || phase_ended
                                                 : phase_ended;
  if (!due) return held;
  // As before a move, with the text as it is: what still holds is kept.
  const PromptName names[] = {{kept.note, turn.headed(kept.title, held)}};
  const std::string& stage = turn.question().stage;
  const std::string text =
      write_aside(turn, kept.note,
                  turn.render(turn.has_prompt(stage) ? stage : "task", names) + "\n\n" +
                      turn.render(held.text.empty() ? kept.first : kept.again));
  turn.write_note(missed, text.empty() ? "yes" : "");
  if (text.empty()) {
    held.was_missed = true;
    return held;
  }
  turn.write_note(kept.note, text);
  turn.write_note(mark, std::to_string(phase));
  return {text, phase};
}

// What a model keeps so: plans, beliefs and lessons.

class NoPlanning final : public WithParams<Planning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] bool answers(bool) const override { return false; }
  [[nodiscard]] std::string plan(ModelTurn&) const override { return {}; }
};

constexpr std::string_view kPlanPurposes[] = {kPlan.note};

constexpr PartOverlap kPlanOverlaps[] = {
    {PartKind::reasoning, "plan-bid-reflect", "both write down what the agent means to do"},
};

/// One plan for the match, or one that is made again after each phase.
template <Upkeep kWhen>
class OwnPlanning final : public WithParams<Planning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    if (kWhen == Upkeep::once) return {{kPlan.first}};
    return {{kPlan.first}, {kPlan.again}};
  }
  [[nodiscard]] bool answers(bool again) const override { return !again || kWhen != Upkeep::once; }
  [[nodiscard]] std::string plan(ModelTurn& turn) const override {
    OwnText own = turn.history().last_answer(Purpose::plan);
    if (!own.was_given) own = kept_text(turn, kPlan, kWhen);
    return turn.headed(kPlan.title, own);
  }
};

class NoBeliefs final : public WithParams<Beliefs> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] bool answers(bool) const override { return false; }
  [[nodiscard]] std::string text(ModelTurn&) const override { return {}; }
};

constexpr KeptText kBeliefs{"beliefs", ModelLine("How things stand, by your own account"),
                            "part-beliefs", "part-beliefs-again"};

/// `kCorrected`: answers again where the game shows it what was wrong.
template <bool kCorrected>
class OwnBeliefs final : public WithParams<Beliefs> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{kBeliefs.first}, {kBeliefs.again}};
  }
  [[nodiscard]] bool answers(bool corrected) const override { return kCorrected || !corrected; }
  [[nodiscard]] std::string text(ModelTurn& turn) const override {
    OwnText own = turn.history().last_answer(Purpose::belief);
    if (!own.was_given) own = kept_text(turn, kBeliefs, Upkeep::after_a_phase);
    return turn.headed(kBeliefs.title, own);
  }
};

constexpr std::string_view kBeliefPurposes[] = {kBeliefs.note};

constexpr PartOverlap kBeliefOverlaps[] = {
    {PartKind::memory, "none", "the account carries on what the memory forgets"},
    {PartKind::memory, "window", "the account carries on what the memory forgets"},
    {PartKind::memory, "retrieval", "the account carries on what the memory leaves out"},
    {PartKind::memory, "notebook", "both are the agent's own account of what happened"},
};

class NoLearning final : public WithParams<Learning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] bool answers() const override { return false; }
  [[nodiscard]] std::string lessons(ModelTurn&) const override { return {}; }
};

class OwnLessons final : public WithParams<Learning> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] bool answers() const override { return true; }
  [[nodiscard]] std::string lessons(ModelTurn& turn) const override {
    return turn.headed(ModelLine("What you have learnt"),
                       turn.history().last_answer(Purpose::learn));
  }
};

}  // namespace

void add_kept_texts(Registry& registry) {
  registry.add(part<NoLearning>(
      {.id = "none", .doc = "Declines to say what it has learnt, and takes nothing along."}));
  registry.add(part<OwnLessons>(
      {.id = "on",
       .doc = "Writes down what it has learnt where a game asks for that, and at the end of each "
              "match of a sequence but the last. It is reminded of what it wrote, and not of what "
              "that was taken from.",
       .source = "Chen et al. 2023, AucArena, the learning module; arXiv:2507.09083, the loop of "
                 "plan, bid and reflection"}));
  registry.add(part<NoPlanning>({.id = "none",
                                 .doc = "Makes no plans and declines questions for them.",
                                 .source = "Chen et al. 2023, AucArena, section 3.2"}));
  registry.add(part<OwnPlanning<Upkeep::once>>(
      {.id = "static",
       .doc = "Makes one plan and keeps to it: where the game asks for one, in answer to that, and "
              "declines to make it again; else by a call of its own before the first move.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kPlanOverlaps,
       .purposes = kPlanPurposes}));
  registry.add(part<OwnPlanning<Upkeep::every_phase>>(
      {.id = "adaptive",
       .doc = "Makes a plan and makes it again after each phase: where the game asks for plans, in "
              "answer to that; else by calls of its own.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kPlanOverlaps,
       .purposes = kPlanPurposes}));
  registry.add(part<NoBeliefs>(
      {.id = "off", .doc = "Keeps no account of how things stand and declines questions for it."}));
  registry.add(part<OwnBeliefs<false>>(
      {.id = "on",
       .doc = "Keeps an account of how things stand: where the game asks for it, in answer to that "
              "and once only; else by a call of its own after each phase.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kBeliefOverlaps,
       .purposes = kBeliefPurposes}));
  registry.add(part<OwnBeliefs<true>>(
      {.id = "corrected",
       .doc = "Like on, and answers again where the game shows it what was wrong.",
       .source = "Chen et al. 2023, AucArena, section 3.2: the auctioneer's correction",
       .overlaps = kBeliefOverlaps,
       .purposes = kBeliefPurposes}));
}

}  // namespace agon::llm
