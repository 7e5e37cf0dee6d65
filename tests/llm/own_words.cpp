#include <agon/learning.hpp>
#include <algorithm>

#include "catch.hpp"
#include "llm/answer/words.hpp"
#include "llm/prompt/history.hpp"
#include "llm/prompt/prompts.hpp"
#include "model_table.hpp"

// What a model reads that is not a game's own text: said in words, dated, and nothing left to
// guess.
namespace llm_own_words_test {
namespace {

using namespace agon;
using namespace agon::test;
using Asked = ScriptedModel::Asked;

/// Water in which the first seat is asked; texts of its own are what `writes` says.
using Writes = std::function<std::string(const std::string& purpose, int n)>;
std::vector<Asked> water(const std::string& parts, const Writes& writes, int days = 4,
                         const std::string& bid = R"({"bid":1})") {
  auto n = std::make_shared<std::map<std::string, int>>();
  const auto model = std::make_shared<ScriptedModel>([=](const ModelRequest& request) {
    const std::string purpose(request.purpose);
    return said(purpose == "answer" ? bid : writes(purpose, ++(*n)[purpose]));
  });
  ModelTable("water-allocation", R"({"days": )" + std::to_string(days) + "}")
      .model(0, parts, model)
      .everybody("", saying(R"({"bid":1})"))
      .play_to_end();
  return model->asked();
}

std::vector<Asked> of(const std::vector<Asked>& asked, std::string_view purpose) {
  std::vector<Asked> found;
  for (const Asked& a : asked)
    if (a.purpose == purpose) found.push_back(a);
  return found;
}

std::string numbered(const std::string& purpose, int n) {
  return purpose + " no. " + std::to_string(n) + ".";
}

}  // namespace

TEST_CASE("the arena says answers in words and names no stage") {
  for (const std::string_view game : game_ids())
    for (const std::string parts : {"", "memory=notebook planning=adaptive beliefs=on"}) {
      INFO(game << " " << parts);
      // Now and then nothing that can be read, so that fallbacks are played.
      const auto model = std::make_shared<ScriptedModel>();
      auto n = std::make_shared<int>(0);
      const auto other = std::make_shared<ScriptedModel>([=](const ModelRequest& request) {
        if (request.purpose == "answer" && ++*n % 11 < 4) return said("nothing to read");
        return model
            ->call(request, llm::Provider::Time::max(), Dice(7, static_cast<std::uint32_t>(*n)))
            .call;
      });
      ModelTable(game).everybody(parts, other).play_to_end();
      for (const Asked& a : other->asked())
        for (const ChatMessage& m : a.messages) {
          if (m.role != "user") continue;
          INFO(m.text);
          CHECK_FALSE(has(m.text, "you were asked: "));
          for (const std::string_view words :
               {"played for you was: {", "was given for you: {", "was read as: {", "answered: {"})
            CHECK_FALSE(has(m.text, words));
        }
    }
}

TEST_CASE("what was played instead and what was read is said in words") {
  auto n = std::make_shared<int>(0);
  const auto model = std::make_shared<ScriptedModel>([n](const ModelRequest&) {
    const int i = (*n)++;
    return said(i < 4 ? "no" : i == 4 ? R"({"bid":"$50"})" : R"({"bid":1})");
  });
  ModelTable("water-allocation", R"({"days": 3})")
      .model(0, "", model)
      .everybody("", saying(R"({"bid":1})"))
      .play_to_end();
  const std::string last = model->asked().back().text();
  INFO(last);
  check_has(last, {"- no answer of yours could be played; played for you was: no bid",
                   "- your answer was read as: bid 50 dollars ("});
}

TEST_CASE("a memory that shows no answers still has what was made of the last one") {
  const auto news = [](const std::string& parts) {
    auto n = std::make_shared<int>(0);
    const auto model = std::make_shared<ScriptedModel>(
        [n](const ModelRequest&) { return said((*n)++ < 4 ? "no" : R"({"bid":1})"); });
    ModelTable("water-allocation", R"({"days": 3})")
        .model(0, parts, model)
        .everybody("", saying(R"({"bid":1})"))
        .play_to_end();
    return model->asked();
  };
  constexpr std::string_view kForced =
      "What has happened since you were last asked:\n- no answer of yours could be played; played "
      "for you was: no bid\n- Day 1";
  const auto none = news("memory=none");
  REQUIRE(none.size() == 6);
  CHECK(has(none[4].last(), kForced));
  CHECK_FALSE(has(none[5].last(), "could be played"));
  // Where the dialogue has it, it is not said again.
  CHECK_FALSE(has(news("memory=whole")[4].last(), kForced));
}

TEST_CASE("a question that nothing told of stands in the dialogue with what was seen") {
  const auto asked = water("memory=whole", numbered, 2);
  REQUIRE(asked.size() == 2);
  REQUIRE(asked[1].messages.size() == 4);
  CHECK(asked[1].messages[1].text.starts_with("It is the morning of day 1 of 2."));
}

TEST_CASE("what was said on the way to an account that the game tells is no account") {
  const auto mock = std::make_shared<ScriptedModel>();
  const auto model = std::make_shared<ScriptedModel>([mock](const ModelRequest& request) {
    ModelCall call = mock->call(request, llm::Provider::Time::max(), Dice(5, 6, 7)).call;
    call.text = "SAID ON THE WAY <answer>" + call.text + "</answer>";
    return call;
  });
  ModelTable("english-auction", R"({"arena": "demo", "seats": 2})")
      .everybody("beliefs=on form=tags memory=window:phases=1", model)
      .play_to_end();
  for (const Asked& a : model->asked())
    CHECK_FALSE(has(a.last(), "by your own account, written after item 1:\nSAID ON THE WAY"));
}

TEST_CASE("who is asked again is told how many tries are left and what is played then") {
  auto n = std::make_shared<int>(0);
  const auto model = std::make_shared<ScriptedModel>(
      [n](const ModelRequest&) { return said((*n)++ < 3 ? "no" : R"({"bid":1000000})"); });
  ModelTable("water-allocation", R"({"days": 1})")
      .model(0, "", model)
      .everybody("", saying(R"({"bid":1})"))
      .play_to_end();
  const auto asked = model->asked();
  REQUIRE(asked.size() == 4);
  CHECK_FALSE(has(asked[0].text(), "tries left"));
  CHECK(has(asked[1].last(), "You have 3 tries left; after them the arena plays for you: no bid."));
  CHECK(has(asked[2].last(), "You have 2 tries left; after them the arena plays for you: no bid."));
  CHECK(has(asked[3].last(),
            "This is your last try: if it is turned down too, the arena plays for you: no bid."));
  // What was said before stays as it was.
  CHECK(has(asked[3].text(), "You have 3 tries left"));
  // The form is said to who missed it, and only then.
  CHECK_FALSE(asked[0].says_form);
  CHECK(asked[1].says_form);
}

TEST_CASE("an answer that breaks a rule is not asked for by its form") {
  const auto model = std::make_shared<ScriptedModel>([n = 0](const ModelRequest&) mutable {
    return said(n++ == 0 ? R"({"bid":1000000})" : R"({"bid":1})");
  });
  ModelTable("water-allocation", R"({"days": 1})")
      .model(0, "", model)
      .everybody("", saying(R"({"bid":1})"))
      .play_to_end();
  REQUIRE(model->asked().size() == 2);
  CHECK(has(model->asked()[1].last(), "You have 3 tries left"));
  CHECK_FALSE(model->asked()[1].says_form);
}

TEST_CASE("a complaint about words speaks of words") {
  const auto model = std::make_shared<ScriptedModel>([n = 0](const ModelRequest& r) mutable {
    if (r.purpose == "say") return said("Perhaps.");
    return said(n++ == 0 ? "unclear" : R"({"bid":1})");
  });
  ModelTable("water-allocation", R"({"days": 1})")
      .model(0, "reasoning=free-text", model)
      .everybody("", saying(R"({"bid":1})"))
      .play_to_end();
  const auto asked = of(model->asked(), "say");
  REQUIRE(asked.size() == 2);
  check_has(asked[1].last(),
            {"your words do not say clearly what you decide", "You have 3 tries left"});
  CHECK_FALSE(has(asked[1].last(), "JSON"));
}

TEST_CASE("notes and plans and accounts say how far play was when they were written") {
  const auto asked = water("memory=notebook planning=adaptive beliefs=on", numbered);
  const auto bids = of(asked, "answer");
  REQUIRE(bids.size() == 4);
  CHECK(has(bids[0].last(), "Your plan, written at the start:\nplan no. 1."));
  check_has(bids[2].last(), {"Your notes, written after day 2:\nnotebook no. 2.",
                             "by your own account, written after day 2:\nbeliefs no. 2.",
                             "Your plan, written after day 2:\nplan no. 3."});
  // A plan that is never made anew keeps its date.
  CHECK(has(of(water("planning=static", numbered), "answer")[3].last(),
            "Your plan, written at the start:\nplan no. 1."));
  // Where a game has no phases, the agent's own answers count.
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (request.purpose != "answer") return said("WROTE");
    return said(R"({"talk":"T","action":{"kind":"reject"}})");
  });
  ModelTable("bargaining", R"({"max_turns": 3})").everybody("memory=notebook", model).play_to_end();
  CHECK(has(model->asked().back().last(), "Your notes, written after your answer 2:\nWROTE"));
}

TEST_CASE("what is asked for the first time is not spoken of as if it stood above") {
  const auto asked = water("planning=adaptive beliefs=on", numbered);
  for (const Asked& a : asked) CHECK_FALSE(has(a.text(), "If a"));
  const auto plans = of(asked, "plan");
  REQUIRE(plans.size() > 1);
  CHECK_FALSE(has(plans[0].last(), "above"));
  check_has(plans[1].last(), {"the plan above", "Your plan, written at the start:\nplan no. 1."});
  const auto beliefs = of(asked, "beliefs");
  REQUIRE(beliefs.size() > 1);
  CHECK_FALSE(has(beliefs[0].last(), "above"));
  CHECK(has(beliefs[1].last(), "the account above"));
}

TEST_CASE(
    "what is empty or refused replaces nothing and the model is told that the old one stands") {
  for (const std::string none : {"", "  \n ", "I'm sorry, but I can't help with that."}) {
    INFO(none);
    const auto asked = water(
        "memory=notebook planning=adaptive beliefs=on",
        [&](const std::string& purpose, int n) { return n == 1 ? numbered(purpose, 1) : none; });
    const auto bids = of(asked, "answer");
    REQUIRE(bids.size() == 4);
    const std::string& last = bids[3].last();
    INFO(last);
    const std::string stands =
        " (asked to write it anew since, you gave nothing that could be kept):\n";
    check_has(last, {"Your notes, written after day 1" + stands + "notebook no. 1.",
                     "Your plan, written at the start" + stands + "plan no. 1.",
                     "by your own account, written after day 1" + stands + "beliefs no. 1."});
    CHECK_FALSE(has(bids[1].last(), "this one stands):\nnotebook"));
  }
}

TEST_CASE("a plan that the game asked for and could not read leaves the old one") {
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (!has(request.schema, "priorities")) return said(R"({"move":{"kind":"withdraw"}})");
    return said(has(request.schema, "\"A\"")
                    ? R"({"thought":"SAVE FOR B","priorities":{"A":1,"B":3}})"
                    : "no plan at all");
  });
  ModelTable("english-auction",
             R"({"seats": 2, "shuffle": false, "items": [{"name": "A"}, {"name": "B"}]})")
      .model(0, "planning=adaptive", model)
      .model(1, "", saying(R"({"move":{"kind":"withdraw"}})"))
      .play_to_end();
  const std::string last = model->asked().back().last();
  INFO(last);
  check_has(last, {"Your plan, written at the start (asked to write it anew since", "SAVE FOR B"});
}

TEST_CASE("a plan of words alone stands without the name of its member") {
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (has(request.schema, "\"plan\"")) return said(R"({"plan":"Bid \"half\"."})");
    if (has(request.schema, "\"lesson\"")) return said(R"({"lesson":"Bid more."})");
    return said(R"({"bid":1})");
  });
  ModelTable("sealed-bid", R"({"rounds": 2})")
      .everybody("planning=adaptive memory=none learning=on", model)
      .play_to_end();
  const std::string last = model->asked().back().last();
  INFO(last);
  bool planned = false, learnt = false;
  for (const Asked& a : model->asked()) {
    planned = planned || has(a.last(), ":\nBid \"half\".");
    learnt = learnt || has(a.last(), "What you have learnt, written after round 1:\nBid more.");
  }
  CHECK(planned);
  CHECK(learnt);
}

TEST_CASE("notes over their words end with a sentence within them and say so") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "One two three four. ";
  const auto asked = water(
      "memory=notebook:words=10", [&](const std::string&, int) { return text; }, 2);
  CHECK(has(asked.back().last(),
            "Your notes, written after day 1:\nOne two three four. One two three four.\n"
            "[the rest was over 10 words, and is left out]"));
  CHECK(llm::first_words("one two three", 3) == "one two three");
  CHECK(llm::first_words("one two three", 2) == "one two ");
  CHECK(llm::first_words(std::string(240, 'x'), 10).size() == 240);
  CHECK(llm::first_words(std::string(241, 'x'), 10).size() == 240);
  // Not within a sign.
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\u6c34";
  CHECK(llm::first_words(wide, 2).size() % 3 == 0);
  CHECK(llm::whole_sentences("It is $1.50. Then no") == "It is $1.50.");
  CHECK(llm::whole_sentences("no end") == "no end");
  CHECK(llm::whole_sentences("\u6c34\u3002\u6c34") == "\u6c34\u3002");
}

TEST_CASE("notes are asked for with what the question shows, and what was answered in words") {
  const auto notes = of(water("memory=notebook reasoning=chain-of-thought", numbered, 3,
                              R"({"thought":"SAVE","bid":1})"),
                        "notebook");
  REQUIRE(notes.size() == 2);
  INFO(notes[1].last());
  check_has(notes[1].last(), {"- you answered: bid 1 dollar\n  your reasons: SAVE\n- Day 2: ",
                              "It is the morning of day 3 of 3.",
                              "Your notes so far, written after day 1:\nnotebook no. 1."});
  CHECK_FALSE(has(notes[0].last(), "Your notes so far"));
}

TEST_CASE("own messages in the news are told as own ones") {
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (request.purpose != "answer") return said("WROTE");
    return said(has(request.schema, "\"halt\"") ? R"({"text":"MINE","halt":false})"
                                                : R"({"action":"choice_1"})");
  });
  ModelTable("classic", R"({"rounds": 2})")
      .model(0, "memory=notebook", model)
      .model(1, "", std::make_shared<ScriptedModel>())
      .play_to_end();
  bool told = false;
  for (const Asked& a : model->asked())
    for (std::size_t at = a.last().find("\n- "); at != std::string::npos;
         at = a.last().find("\n- ", at + 1)) {
      const std::string line = a.last().substr(at + 1, a.last().find('\n', at + 1) - at - 1);
      if (!has(line, "\"MINE\"")) continue;
      INFO(line);
      CHECK(line.starts_with("- You say"));
      told = true;
    }
  CHECK(told);
}

TEST_CASE("notes and accounts and plans and news stand in one order in all prompts") {
  for (const std::string_view game : game_ids()) {
    const auto set = prompts_of(game);
    for (const auto& [name, text] : set->texts) {
      if (name == "system" || name.starts_with("part-")) continue;
      INFO(game << " " << name);
      std::vector<std::string_view> order{"{{notes}}", "{{beliefs}}", "{{plan}}"};
      // The classic games begin with their payoffs, as published.
      if (game == "classic" && name != "task" && name != kTakeAlong.name)
        order.insert(order.end(), {"{{view}}", "{{news}}"});
      else
        order.insert(order.end(), {"{{news}}", "{{view}}"});
      std::size_t last = 0;
      for (const std::string_view each : order) {
        const std::size_t at = text.text.find(each);
        if (at == std::string::npos) continue;
        CHECK(at >= last);
        last = at;
      }
    }
  }
}

TEST_CASE("reasons are asked for once") {
  const auto asked = water("reasoning=chain-of-thought form=tags", numbered, 1,
                           "Because. <answer>{\"bid\":1}</answer>");
  REQUIRE(asked.size() == 1);
  const std::string& text = asked[0].last();
  INFO(text);
  CHECK(has(text, "reasons down first"));
  CHECK_FALSE(has(text, "reasons first"));
  CHECK(has(text, "Write your answer between <answer>"));
}

TEST_CASE("what is kept of a long text begins with a whole sign") {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "\u6c34";
  for (std::size_t longest = 1; longest < text.size(); ++longest) {
    const std::string end = llm::end_of(text, {.longest = longest});
    const std::string kept = end.substr(end.find('\n') + 1);
    CHECK(kept.size() <= longest);
    CHECK(kept.size() % 3 == 0);
    CHECK(end.starts_with("[" + std::to_string(text.size() - kept.size()) + " bytes before"));
  }
  CHECK(llm::end_of(text, {.longest = text.size()}) == text);
}

}  // namespace llm_own_words_test
