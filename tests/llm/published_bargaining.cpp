// What buyers and sellers are shown with the published prompts of bargaining.

#include "catch.hpp"
#include "llm/model_table.hpp"
#include "llm/prompt/prompts.hpp"

namespace llm_published_bargaining_test {
namespace {

using namespace agon;
using namespace agon::test;

/// A model that gives these answers one after another.
std::shared_ptr<ScriptedModel> answering(std::vector<std::string> answers) {
  return std::make_shared<ScriptedModel>(
      [answers, next = std::size_t{0}](const ModelRequest&) mutable {
        return said(answers[std::min(next++, answers.size() - 1)]);
      });
}

constexpr const char* kLamp = R"({"preset": "paper", "max_turns": 3, "products": [
    {"codename": "lamp_1", "category": "home", "title": "A lamp", "description": "It shines.",
     "list_price_cents": 1999, "cost_cents": 905}]})";

struct Session {
  std::shared_ptr<ScriptedModel> buyer =
      answering({R"({"talk":"Ten?","action":{"kind":"buy","price":10}})",
                 R"({"talk":"Fine.","action":{"kind":"deal","price":15.5}})"});
  std::shared_ptr<ScriptedModel> seller =
      answering({R"({"talk":"More.","action":{"kind":"sell","price":15.5}})"});
  explicit Session(const std::string& parts = "") {
    ModelTable("bargaining", kLamp)
        .prompts(prompts_in("bargaining", "published"))
        .model(0, parts, buyer)
        .model(1, parts, seller)
        .play_to_end();
    REQUIRE(buyer->asked().size() == 2);
    REQUIRE(seller->asked().size() == 1);
  }
};

}  // namespace

TEST_CASE("published prompts: those of bargaining fit the game, and name their licence") {
  const auto set = prompts_in("bargaining", "published");
  CHECK(has(set->folder.source, "AmazonPriceHistory"));
  CHECK(has(set->folder.licence, "Apache-2.0"));
  for (const Finding& finding : llm::check_prompts(catalogue().game("bargaining"), *set, {}))
    FAIL_CHECK(finding.what);
}

TEST_CASE("published prompts: each side of a bargain has its own system prompt, and its persona") {
  const Session session("persona=adversary:style=stubborn");
  const std::string buyer = session.buyer->asked()[0].messages.front().text;
  CHECK(buyer.starts_with(
      "You are a buyer looking forward to buying things on your Shopping List from me, the "
      "seller.\n"));
  CHECK(has(buyer, "\nAction: [BUY] $10 (1x apple_1)\n\nYou are a stubborn bargainer."));
  CHECK_FALSE(has(buyer, "You are a seller"));
  const std::string seller = session.seller->asked()[0].messages.front().text;
  CHECK(seller.starts_with(
      "You are a seller looking forward to selling things on your Inventory List to me, the "
      "buyer.\n"));
  CHECK(has(seller, "\nAction: [SELL] $15 (1x apple_1)\n"));
  CHECK_FALSE(has(seller, "You are a buyer"));
}

TEST_CASE("published prompts: a bargain, from the lists to the answer of the other side") {
  const Session session;
  const auto buyer = session.buyer->asked();
  CHECK(has(buyer[0].last(),
            "Inventory List:\nProduct1\nCodename: \"lamp_1\"\nTitle: \"A lamp\"\n"
            "Description: \"It shines.\"\nList Price: $19.99\n\n"
            "Shopping List\ncodename: \"lamp_1\"\nquantity: 1\nbudget: $15.99\n\n"
            "Now, I play the role of seller and you play the role of buyer. We are going to "
            "negotiate based on the Inventory List in 3 turns."));
  CHECK_FALSE(has(buyer[0].text(), "Cost:"));
  // The lists stay in the dialogue, and what was said last is all of the next question.
  CHECK(has(buyer[1].text(), "Inventory List:\nProduct1"));
  CHECK(buyer[1].last().starts_with("Talk: \"More.\"\nAction: \"[SELL] $15.5 (1x lamp_1)\""));
  CHECK_FALSE(has(buyer[1].last(), "Ten?"));

  const auto seller = session.seller->asked();
  check_has(
      seller[0].last(),
      {"Talk: \"Ten?\"\nAction: \"[BUY] $10 (1x lamp_1)\"",
       "List Price: $19.99\nCost: $9.05\n\nNow, I play the role of buyer and you play the role of "
       "seller. We are going to negotiate based on the Inventory List in 3 turns."});
  CHECK_FALSE(has(seller[0].text(), "budget: $"));
}

}  // namespace llm_published_bargaining_test
