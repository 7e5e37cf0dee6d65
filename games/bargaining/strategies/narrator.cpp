#include "bargaining/strategies/narrator.hpp"

#include <agon/conversion.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <cmath>

#include "bargaining/strategies/offer_generator.hpp"
#include "bargaining/telling.hpp"

namespace bargaining {

/// What the model is asked for.
struct Narration {
  std::string talk;
};
AGON_DESCRIBE(Narration, (talk, "what the buyer says to the seller", agon::length(0, kMaxTalk)))

namespace {

constexpr std::string_view kNarratorNames[] = {"product", "dialogue", "action"};

agon::Money dollars_of(const agon::JsonNode& amount) {
  return {std::llround(amount.number() * 100)};
}

/// What the generator looks at, out of the JSON of a BuyerView.
struct Seen {
  BuyerView view{};
  std::string codename;
  std::vector<agon::Money> offers;
};

void read_view(const agon::JsonNode& json, Seen& seen) {
  seen.codename = json["product"]["codename"].text();
  seen.view.product.codename = seen.codename;
  seen.view.budget = dollars_of(json["budget"]);
  seen.view.budget_rest = json["budget_rest"].whole();
  seen.view.turn = static_cast<int>(json["turn"].whole(1, kMaxTurnsLimit));
  seen.view.max_turns = static_cast<int>(json["max_turns"].whole(1, kMaxTurnsLimit));
  const agon::JsonNode offers = json["seller_offers"];
  for (std::size_t i = 0; i < offers.size(); ++i) seen.offers.push_back(dollars_of(offers[i]));
  seen.view.seller_offers = seen.offers;
}

/// As the narrator has it, who is neither side.
const agon::Scene kNobody({}, nullptr);

/// The product without anything that is secret.
std::string product_text(const agon::JsonNode& product) {
  const std::string category(product["category"].text()), title(product["title"].text()),
      description(product["description"].text());
  return goods_text({.category = category,
                     .title = title,
                     .description = description,
                     .list_price = dollars_of(product["list_price"])});
}

/// A line a message.
std::string dialogue_text(const agon::JsonNode& history) {
  std::string text;
  for (std::size_t i = 0; i < history.size(); ++i) {
    Utterance said;
    agon::read_json(said, history[i].write(), agon::Missing::is_wrong);
    text +=
        (text.empty() ? "- " : "\n- ") + message_text(said.side, said.action, said.talk, kNobody);
  }
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
    const agon::JsonDocument document(turn.question().view_json, "view");
    const agon::JsonNode view = document.root();
    Seen seen;
    read_view(view, seen);
    Message message;
    message.action =
        generator_.decide(seen.view, agon::combine(seed_, agon::hash_of(seen.codename)));
    const agon::PromptName names[] = {
        {"product", product_text(view["product"])},
        {"dialogue", dialogue_text(view["history"])},
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

agon::PartCard narrator_card() {
  return agon::part<Narrator>(
      {.id = "og-narrator",
       .game = "bargaining",
       .doc = "As the buyer: the offer generator decides on action and price, and the model only "
              "finds the words. As the seller it asks the model for everything.",
       .source = "Xia et al. 2024, section 5 (OG-Narrator)"});
}

}  // namespace bargaining
