#include "bargaining/strategies/narrator.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "bargaining/action_text.hpp"
#include "bargaining/strategies/offer_generator.hpp"

namespace bargaining {

/// What the model is asked for.
struct Narration {
  std::string talk;
};
AGON_DESCRIBE(Narration, (talk, "what the buyer says to the seller", agon::length(0, max_talk)))

namespace {

namespace bj = boost::json;

constexpr std::string_view kNames[] = {"product", "dialogue", "action"};

agon::Money money(const bj::value& dollars) {
  return {std::llround(dollars.to_number<double>() * 100)};
}

std::string dollars(const bj::value& amount) {
  const std::int64_t cents = money(amount).cents;
  return fmt::format("${}.{:02}", cents / 100, cents % 100);
}

/// What the generator looks at, out of the JSON of a BuyerView.
struct Seen {
  BuyerView view{};
  std::string codename;
  std::vector<agon::Money> offers;
};

void read_view(const bj::object& json, Seen& seen) {
  seen.codename = json.at("product").at("codename").as_string();
  seen.view.product.codename = seen.codename;
  seen.view.budget = money(json.at("budget"));
  seen.view.budget_rest = json.at("budget_rest").to_number<std::int64_t>();
  seen.view.turn = json.at("turn").to_number<int>();
  seen.view.max_turns = json.at("max_turns").to_number<int>();
  for (const bj::value& price : json.at("seller_offers").as_array())
    seen.offers.push_back(money(price));
  seen.view.seller_offers = seen.offers;
}

/// Others' words, in quotes and bounded.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 2000;
  std::string out;
  agon::append_json_text(out, text.substr(0, kLongest));
  return out;
}

/// One line for the product and one a message, without anything that is secret.
std::string product_text(const bj::object& product) {
  return quoted(std::string_view(product.at("title").as_string())) + ", list price " +
         dollars(product.at("list_price")) + ". " +
         quoted(std::string_view(product.at("description").as_string()));
}
std::string dialogue_text(const bj::array& history) {
  std::string text;
  for (const bj::value& message : history) {
    const bj::object& action = message.at("action").as_object();
    text += "- " + std::string(message.at("side").as_string()) + ", " +
            std::string(action.at("kind").as_string());
    if (const bj::value* price = action.if_contains("price")) text += " " + dollars(*price);
    text += ": " + quoted(std::string_view(message.at("talk").as_string())) + "\n";
  }
  return text;
}

/// The talk of the last JSON object that is a narration.
std::optional<std::string> talk_in(std::string_view text) {
  const std::size_t end = text.rfind('}');
  if (end == std::string_view::npos) return std::nullopt;
  for (std::size_t at = text.rfind('{', end);; at = text.rfind('{', at - 1)) {
    if (at == std::string_view::npos) return std::nullopt;
    Narration narration;
    if (!agon::read_json(narration, text.substr(at, end - at + 1), agon::Missing::is_wrong))
      return narration.talk;
    if (at == 0) return std::nullopt;
  }
}

class Narrator final : public agon::Reasoning {
 public:
  using Params = OfferGeneratorParams;
  explicit Narrator(const Params& params)
      : generator_(params), seed_(static_cast<std::uint64_t>(params.seed)) {}

  [[nodiscard]] std::vector<agon::PromptUse> prompts() const override {
    return {{"part-narrate", kNames}};
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    if (turn.question().stage != "buy") return turn.ask_for_answer(turn.task(), "answer");
    const bj::object view = bj::parse(turn.question().view_json).as_object();
    Seen seen;
    read_view(view, seen);
    Message message;
    message.action =
        generator_.decide(seen.view, agon::combine(seed_, agon::hash_of(seen.codename)));
    const agon::PromptName names[] = {
        {"product", product_text(view.at("product").as_object())},
        {"dialogue", dialogue_text(view.at("history").as_array())},
        {"action", action_text(message.action, seen.codename, seen.view.product.quantity)}};
    agon::ModelRequest request;
    request.purpose = "narrate";
    request.schema = agon::schema_json(agon::type_of<Narration>());
    // The narrator knows what both sides know: no budget, and no notes of the buyer.
    request.messages = {{"user", turn.render("part-narrate", names)}};
    const agon::ModelCall call = turn.call(request);
    if (call.fault != agon::Fault::ok) return {.fault = call.fault, .problem = call.problem};
    auto talk = talk_in(call.text);
    if (!talk)
      return {.fault = agon::Fault::unparsable, .problem = "there is no JSON object with the talk"};
    message.talk = *std::move(talk);
    return {.json = agon::write_json(message), .thought = "the offer generator's price"};
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
