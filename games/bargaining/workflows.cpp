#include <agon/conversion.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/plugin.hpp>

#include "bargaining/game.hpp"
#include "bargaining/messages.hpp"
#include "bargaining/strategies.hpp"

namespace bargaining {

/// What the model is asked for.
struct Narration {
  std::string talk;
};
AGON_DESCRIBE(Narration, (talk, "what the buyer says to the seller", agon::length(0, kMaxTalk)))

namespace {

constexpr std::string_view kNarratorNames[] = {"product", "dialogue", "action"};
constexpr std::string_view kNarratorPurposes[] = {"narrate"};

/// As the narrator has it, who is neither side.
const agon::Scene kNobody({}, nullptr);

/// A line a message.
std::string dialogue_text(std::span<const Utterance> history) {
  std::string text;
  for (const Utterance& said : history)
    text +=
        (text.empty() ? "- " : "\n- ") + message_text(said.side, said.action, said.talk, kNobody);
  return text;
}

class Narrator final : public agon::Reasoning {
 public:
  using Params = OfferGeneratorParams;
  explicit Narrator(const Params& params)
      : generator_(params), seed_(static_cast<std::uint64_t>(params.seed)) {}

  [[nodiscard]] std::vector<agon::PromptUse> prompts() const override {
    return {{"part-narrate", kNarratorNames}};
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    if (turn.question().stage != "buy") return turn.ask_for_answer(turn.task(), "answer");
    const auto view = agon::read_back<BuyerView>(turn.question().view_json);
    Message message;
    message.action =
        generator_.decide(*view, agon::combine(seed_, agon::hash_of(view->product.codename)));
    const agon::PromptName names[] = {
        {"product", goods_text(view->product)},
        {"dialogue", dialogue_text(view->history)},
        {"action", message_text(Side::buyer, message.action, {}, kNobody)}};
    agon::ModelRequest request;
    request.purpose = "narrate";
    // The narrator knows what both sides know: no budget, and no notes of the buyer.
    request.messages = {{"user", turn.render("part-narrate", names)}};
    agon::ModelAnswer told = turn.ask_for(agon::type_of<Narration>(), std::move(request));
    if (told.json.empty()) return told;
    Narration narration;
    agon::read_json(narration, told.json, agon::Missing::is_wrong);
    message.talk = std::move(narration.talk);
    return {.fault = told.fault,
            .json = agon::write_json(message),
            .thought = "the offer generator's price"};
  }

 private:
  OfferGenerator generator_;
  std::uint64_t seed_;
};

}  // namespace

struct AdversaryPersonaParams {
  Pressure style = Pressure::anchoring;
};
AGON_DESCRIBE(AdversaryPersonaParams, (style, "how it presses the other side"))

namespace {

/// What both roles are told, and then what is the buyer's and the seller's.
struct Words {
  std::string_view both, buyer, seller;
};

Words words_of(Pressure style) {
  switch (style) {
    case Pressure::anchoring:
      return {
          "You are a hard bargainer who sets the anchor. Your first price is far out, and you "
          "speak of it as the natural place to begin. Every later price of yours is about half "
          "of the way to the other side's last one, never more, and whatever is offered to you "
          "you measure by your first price.",
          "Open at a fifth of your budget or less.",
          "Open at half as much again as the list price, or as near to that as you may."};
    case Pressure::stubborn:
      return {
          "You are a stubborn bargainer. You choose one price at the beginning, a good one for "
          "you, and say it again at every turn, whatever you hear: no reason moves you. You "
          "take an offer that is at least as good as your price, and would rather have no deal "
          "than any other.",
          "A good price is about six tenths of your budget.",
          "A good price is about three quarters of the list price, and never less than your "
          "cost."};
    case Pressure::exploiting:
      break;
  }
  return {
      "You are a bargainer who lives off the patience of others. As long as the other side's "
      "prices come nearer, you repeat yours and ask for more. Only when it has stopped do you "
      "make a step, and a small one. What it says of its needs, its hurry or its liking for "
      "the product you turn against it. Offers stay on the table, so you wait until your last "
      "turn, and take the best one then.",
      "Open at about half of your budget.", "Open at the list price."};
}

class AdversaryPersona final : public agon::Persona {
 public:
  using Params = AdversaryPersonaParams;
  explicit AdversaryPersona(const Params& params) : words_(words_of(params.style)) {}
  [[nodiscard]] std::string text(const agon::OwnedQuestion& question) const override {
    const std::string_view own = question.role == "buyer" ? words_.buyer : words_.seller;
    return std::string(words_.both) + " " + std::string(own);
  }

 private:
  Words words_;
};

constexpr agon::PartOverlap kOverlaps[] = {
    {agon::PartKind::reasoning, "og-narrator",
     "as the buyer, prices are the generator's and the narrator is told of no persona"}};

}  // namespace

void add_workflows(agon::Registry& registry) {
  // OG-Narrator (Xia et al. 2024, section 5): as the buyer, the offer generator decides on action
  // and price, and the model only finds the words for them.
  registry.add(agon::part<Narrator>(
      {.id = "og-narrator",
       .game = "bargaining",
       .doc = "As the buyer: the offer generator decides on action and price, and the model only "
              "finds the words. As the seller it asks the model for everything.",
       .source = "Xia et al. 2024, section 5 (OG-Narrator)",
       .purposes = kNarratorPurposes}));
  // A model agent that is told to bargain as Adversary does.
  registry.add(agon::part<AdversaryPersona>(
      {.id = "adversary",
       .game = "bargaining",
       .doc = "A hard bargainer, as buyer or seller: one that anchors, one that is stubborn, one "
              "that exploits opponents who give way. The rule agent 'adversary' does the same.",
       .source = "Xia et al. 2024 (adversarial bargaining; no detail is published)",
       .overlaps = kOverlaps}));
}

}  // namespace bargaining
