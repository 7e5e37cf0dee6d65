#include <agon/error.hpp>
#include <algorithm>
#include <set>

#include "catch.hpp"
#include "llm/prompt/line_runs.hpp"
#include "model_table.hpp"
#include "record/record.hpp"

// What a model is shown of what was said: its own words, what was made of them, nothing twice.
namespace llm_dialogue_test {
namespace {

using namespace agon;
using namespace agon::test;
using Asked = ScriptedModel::Asked;

/// The answers in order, and the last of them over and over.
std::shared_ptr<ScriptedModel> says(std::vector<std::string> texts) {
  auto n = std::make_shared<std::size_t>(0);
  return std::make_shared<ScriptedModel>(
      [n, texts = std::move(texts)](const ModelRequest& request) {
        if (request.purpose != "answer") return said("WROTE " + std::string(request.purpose));
        return said(texts[std::min((*n)++, texts.size() - 1)]);
      });
}

const std::string kReject = R"({"talk":"T","action":{"kind":"reject"}})";

struct Bargain {
  std::shared_ptr<ScriptedModel> buyer;
  MatchResult result;
  [[nodiscard]] std::vector<Asked> asked() const { return buyer->asked(); }
};
Bargain bargain(const std::string& parts, std::vector<std::string> texts, int turns = 3) {
  Bargain b;
  b.buyer = says(std::move(texts));
  b.result = ModelTable("bargaining", R"({"max_turns": )" + std::to_string(turns) + "}")
                 .model(0, parts, b.buyer)
                 .model(1, "", says({R"({"talk":"SELLER","action":{"kind":"reject"}})"}))
                 .play();
  REQUIRE(b.result.end == End::finished);
  return b;
}

/// All that was said in the model's name in a request.
std::vector<std::string> own(const Asked& asked) {
  std::vector<std::string> texts;
  for (const ChatMessage& m : asked.messages)
    if (m.role == "assistant") texts.push_back(m.text);
  return texts;
}

}  // namespace

TEST_CASE("own turns stand as they were written in the form that is read") {
  const std::string first = "Low first. <answer>" + kReject + "</answer> That is it.";
  const auto tags = bargain("form=tags", {first}).asked();
  CHECK(own(tags[1]) == std::vector<std::string>{first});
  CHECK(own(tags[2]) == std::vector<std::string>{first, first});
  const std::string thought = R"({"thought":"WHY","talk":"T","action":{"kind":"reject"}})";
  const auto thinks = bargain("reasoning=chain-of-thought", {thought}).asked();
  CHECK(own(thinks[1]) == std::vector<std::string>{thought});
}

TEST_CASE("an answer that nobody said in words is written in the form that is read") {
  const auto form =
      std::static_pointer_cast<const AnswerForm>(catalogue().part(PartKind::form, "tags", ""));
  CHECK(form->written("{}") == "<answer>{}</answer>");
}

TEST_CASE("thoughts that the endpoint tells are left out unless they are to be shown") {
  const auto play = [](const std::string& parts) {
    const auto buyer = std::make_shared<ScriptedModel>([](const ModelRequest&) {
      ModelCall call = said(kReject);
      call.reasoning = "HIDDEN";
      return call;
    });
    ModelTable("bargaining", R"({"max_turns": 2})")
        .model(0, parts, buyer)
        .model(1, "", says({kReject}))
        .play_to_end();
    return own(buyer->asked().at(1));
  };
  CHECK(play("") == std::vector<std::string>{kReject});
  CHECK(play("show_thoughts=true") ==
        std::vector<std::string>{"<think>\nHIDDEN\n</think>\n" + kReject});
}

TEST_CASE("own thoughts are shown back as they were said or all of them or not at all") {
  const std::string with = R"({"thought":"WHY","talk":"T","action":{"kind":"reject"}})";
  const auto later = [&](const std::string& parts, const std::string& answer) {
    const auto asked = bargain(parts, {answer}).asked();
    std::vector<std::string> texts;
    for (const Asked& a : asked)
      if (a.purpose == "answer") texts = own(a);
    REQUIRE(texts.size() == 2);
    return texts.back();
  };
  CHECK(later("reasoning=chain-of-thought", with) == with);
  CHECK(later("reasoning=chain-of-thought own_thoughts=shown", with) == with);
  CHECK(later("reasoning=chain-of-thought own_thoughts=hidden", with) == kReject);
  // What was written in a call of its own stands in front of the answer only if it is asked for.
  CHECK(later("reasoning=plan-bid-reflect", kReject) == kReject);
  CHECK(later("reasoning=plan-bid-reflect own_thoughts=shown", kReject) ==
        R"({"thought":"WROTE intend","talk":"T","action":{"kind":"reject"}})");
  CHECK(later("reasoning=plan-bid-reflect form=tags own_thoughts=shown",
              "<answer>" + kReject + "</answer>") ==
        R"(<answer>{"thought":"WROTE intend","talk":"T","action":{"kind":"reject"}}</answer>)");
  // An answer that was read in spite of its form stands as it was played.
  const std::string cited = "My answer: ```json\n" + with + "\n```";
  CHECK(later("reasoning=chain-of-thought own_thoughts=hidden", cited) == kReject);
}

TEST_CASE("hidden thoughts are in no notes and a fallback is nobody's answer") {
  const std::string with = R"({"thought":"WHY","talk":"T","action":{"kind":"reject"}})";
  const auto all_of = [&](const std::string& parts, const std::vector<std::string>& texts) {
    std::string all;
    for (const Asked& a : bargain(parts, texts).asked()) all += a.text();
    return all;
  };
  const std::string notes = "reasoning=chain-of-thought memory=notebook";
  CHECK(has(all_of(notes, {with}), "your reasons: WHY"));
  CHECK_FALSE(has(all_of(notes + " own_thoughts=hidden", {with}), "WHY"));
  // Nothing that can be read, so that a fallback is played, which ends the bargain: in the water
  // game play goes on.
  const auto water = [](const std::string& parts) {
    auto n = std::make_shared<int>(0);
    const auto model = std::make_shared<ScriptedModel>(
        [n](const ModelRequest&) { return said((*n)++ < 4 ? "GARBLE" : R"({"bid":1})"); });
    ModelTable("water-allocation", R"({"days": 3})")
        .model(0, parts, model)
        .everybody("", saying(R"({"bid":1})"))
        .play_to_end();
    return model->asked().back();
  };
  CHECK(has(water("").text(), "GARBLE"));
  const Asked hidden = water("own_thoughts=hidden");
  CHECK_FALSE(has(hidden.text(), "GARBLE"));
  CHECK(has(hidden.text(), "- no answer of yours could be played; played for you was: no bid"));
  CHECK(own(hidden) == std::vector<std::string>{R"({"bid":1})"});
}

TEST_CASE("thoughts of the endpoint cannot be put before answers that hide all thoughts") {
  CHECK_THROWS_AS(make_agent("own_thoughts=hidden show_thoughts=true", "bargaining",
                             std::make_shared<ScriptedModel>()),
                  Error);
}

TEST_CASE("who is asked again sees the answer and then what was wrong with it") {
  const Bargain b =
      bargain("", {"no JSON", R"({"talk":"","action":{"kind":"buy","price":-1}})", kReject}, 1);
  const auto asked = b.asked();
  REQUIRE(asked.size() == 3);
  // What was asked stays as it was, and the dialogue goes on after it.
  CHECK(asked[1].messages.size() == asked[0].messages.size() + 2);
  CHECK(std::equal(asked[0].messages.begin(), asked[0].messages.end(), asked[1].messages.begin(),
                   [](const ChatMessage& x, const ChatMessage& y) {
                     return x.role == y.role && x.text == y.text;
                   }));
  CHECK(own(asked[1]) == std::vector<std::string>{"no JSON"});
  CHECK(has(asked[1].last(), "turned down: there is no JSON object"));
  CHECK(own(asked[2]).size() == 2);
  CHECK(has(asked[2].last(), "turned down: action.price"));
}

TEST_CASE("two requests of one question are never the same") {
  const std::string parts = GENERATE(
      std::string(""), std::string("memory=none form=tags"), std::string("reasoning=k-level"),
      std::string("reasoning=refine"), std::string("reasoning=plan-bid-reflect"),
      std::string("reasoning=reflect planning=adaptive beliefs=on memory=notebook"));
  for (const std::string wrong : {"no JSON", ""}) {
    INFO(parts << " " << wrong);
    const auto asked = bargain(parts, {wrong}, 2).asked();
    std::multiset<std::string> texts;
    for (const Asked& a : asked) {
      std::string text = a.purpose;
      for (const ChatMessage& m : a.messages) text += "\n" + m.role + ": " + m.text;
      texts.insert(text);
    }
    for (const std::string& text : texts) CHECK(texts.count(text) == 1);
  }
}

TEST_CASE("what was thought on the way is not asked for again when an answer is turned down") {
  const auto levels = bargain("reasoning=k-level:k=3", {"no JSON", kReject}, 1);
  CHECK(levels.buyer->count("k-level") == 3);
  CHECK(levels.buyer->count("answer") == 2);
}

TEST_CASE("after an answer that was cut off nothing asks for long thought") {
  const auto buyer = std::make_shared<ScriptedModel>([n = 0](const ModelRequest&) mutable {
    return ++n < 3 ? said("half", Fault::truncated) : said(kReject);
  });
  ModelTable("bargaining", R"({"max_turns": 1})")
      .model(0, "reasoning=chain-of-thought", buyer)
      .model(1, "", says({kReject}))
      .play_to_end();
  for (std::size_t i = 1; i < 3; ++i) {
    const std::string last = buyer->asked().at(i).last();
    INFO(last);
    check_lacks(last, {"think it through", "do not think"});
    CHECK(has(last, i == 1 ? "short" : "one short sentence"));
  }
}

TEST_CASE("what comes again at the front of later requests is told to the provider") {
  const std::string answer = R"({"bid":1})";
  for (const auto& [memory, whole] : {std::pair{"whole", true}, {"window:n=1", false}}) {
    INFO(memory);
    const auto bidder = says({answer});
    ModelTable("water-allocation", R"({"days": 3})")
        .model(0, std::string("memory=") + memory, bidder)
        .everybody("", says({answer}))
        .play_to_end();
    const auto last = bidder->asked().back();
    REQUIRE(last.messages.size() > 2);
    CHECK(last.stable == (whole ? last.messages.size() - 1 : 1));
  }
}

TEST_CASE("what stood in a request stands so in the next one, but for the question") {
  std::size_t followed = 0;
  for (const std::string_view game : game_ids()) {
    INFO(game);
    const auto model = std::make_shared<ScriptedModel>();
    ModelTable(game)
        .model(0, "", model)
        .everybody("", std::make_shared<ScriptedModel>())
        .play_to_end();
    const std::vector<Asked> asked = model->asked();
    for (std::size_t i = 1; i < asked.size(); ++i) {
      const std::vector<ChatMessage>& before = asked[i - 1].messages;
      const std::vector<ChatMessage>& after = asked[i].messages;
      // What was turned down does not come again at later questions.
      if (has(asked[i - 1].last(), "was turned down: ")) continue;
      REQUIRE(after.size() > before.size());
      for (std::size_t m = 0; m + 1 < before.size(); ++m) CHECK(after[m].text == before[m].text);
      INFO(before.back().text << "\n\nand then\n\n" << after[before.size() - 1].text);
      CHECK(before.back().text.starts_with(after[before.size() - 1].text));
      ++followed;
    }
  }
  CHECK(followed > 30);
}

TEST_CASE("news end the dialogue where it shows the last answer, and stand in the prompt else") {
  const std::string answer = R"({"bid":1})";
  const auto last_of = [&](const std::string& parts, std::shared_ptr<const PromptSet> prompts) {
    const auto bidder = says({answer});
    ModelTable table("water-allocation", R"({"days": 3})");
    if (prompts) table.prompts(std::move(prompts));
    REQUIRE(table.model(0, parts, bidder).everybody("", says({answer})).play().end ==
            End::finished);
    return bidder->asked().back();
  };
  constexpr std::string_view kHeading = "What has happened since you were last asked:\n- Day 2";
  CHECK(last_of("", nullptr).last().starts_with("- Day 2"));
  CHECK_FALSE(has(last_of("", nullptr).text(), "since you were last asked"));
  CHECK(has(last_of("memory=none", nullptr).last(), kHeading));
  // Plans stand behind what has happened.
  const std::string planned = last_of("planning=static", nullptr).last();
  CHECK(planned.find("- Day 2") < planned.find("Your plan, written at the start:"));
  // A prompt without the name does not show them.
  const Asked silent =
      last_of("", prompts_of("water-allocation", {{"bid", "BID\n\n{{plan}}{{beliefs}}{{notes}}"}}));
  CHECK(silent.last().starts_with("BID"));
  CHECK_FALSE(has(silent.last(), "- Day 2"));
  // Those of a source stay as they were there.
  auto published = std::make_shared<PromptSet>(*prompts_of("water-allocation"));
  published->folder.source = "a paper";
  const Asked old = last_of("", published);
  CHECK(has(old.last(), kHeading));
  CHECK(old.messages[1].text.starts_with("- you were asked, and saw:\n"));
}

TEST_CASE("an answer that the limit of tokens cut nothing off is played") {
  const std::string answer = R"({"bid":1})";
  struct Row {
    std::string said;
    std::string finish;
    std::size_t calls;
  };
  for (const Row& row : {Row{answer + "\n   \n\n", "length", 1}, Row{answer, "length", 1},
                         Row{answer + " becau", "length", 2}, Row{R"({"bid":1)", "length", 2},
                         Row{answer, "max_tokens", 2}}) {
    INFO(row.said << row.finish);
    const auto bidder = std::make_shared<ScriptedModel>([&, n = 0](const ModelRequest&) mutable {
      ModelCall call = said(n++ == 0 ? row.said : answer);
      if (n == 1) call.fault = Fault::truncated, call.finish = row.finish;
      return call;
    });
    const MatchResult result = ModelTable("water-allocation", R"({"days": 1})")
                                   .model(0, "", bidder)
                                   .everybody("", says({answer}))
                                   .play_to_end();
    CHECK(result.forced[0] == 0);
    CHECK(bidder->asked().size() == row.calls);
  }
}

TEST_CASE("what the arena played instead stands beside the answer as its words") {
  // Forced: four times nothing that can be read, and then an answer.
  const auto bidder = says({"A", "B", "C", "D", R"({"bid":1})"});
  ModelTable("water-allocation", R"({"days": 2})")
      .model(0, "", bidder)
      .everybody("", says({R"({"bid":1})"}))
      .play_to_end();
  const auto forced = bidder->asked();
  REQUIRE(forced.size() == 5);
  CHECK(own(forced[4]) == std::vector<std::string>{"D"});
  CHECK(has(forced[4].last(), "no answer of yours could be played; played for you was: "));
  // Repaired: what was read stands after what was said.
  const std::string written = R"({"talk":"T","action":{"kind":"buy","price":"$5"}})";
  const auto repaired = bargain("", {written, kReject}, 2).asked();
  CHECK(own(repaired[1]) == std::vector<std::string>{written});
  check_has(repaired[1].last(), {"your answer was read as: ", "\"$5\" is read as 5"});
  // Words around the object are no change of it.
  const auto around = bargain("", {"So: " + kReject}, 2).asked();
  CHECK(own(around[1]) == std::vector<std::string>{"So: " + kReject});
  CHECK_FALSE(has(around[1].last(), "was read as"));
}

TEST_CASE("own messages are no news where they stand in the dialogue") {
  const std::string mine = R"({"talk":"MINE","action":{"kind":"reject"}})";
  const auto whole = bargain("", {mine}).asked();
  for (const Asked& a : whole)
    for (const ChatMessage& m : a.messages)
      if (m.role == "user") CHECK_FALSE(has(m.text, "MINE"));
  CHECK(has(whole[1].last(), "SELLER"));
  // Who remembers nothing has them as news.
  CHECK(has(bargain("memory=none", {mine}).asked()[1].last(), "MINE"));
}

TEST_CASE("before the first answer there is nothing since the last one") {
  for (const std::string_view game : game_ids())
    for (const std::string memory : {"whole", "none", "notebook"}) {
      INFO(game << " " << memory);
      const auto model = std::make_shared<ScriptedModel>();
      ModelTable(game).everybody("memory=" + memory, model).play_to_end();
      CHECK_FALSE(has(model->asked().front().text(), "since you were last asked"));
    }
}

TEST_CASE("a match that is taken up again makes no prompt anew") {
  const std::string parts =
      GENERATE(std::string(""), std::string("form=tags memory=notebook"),
               std::string("memory=window:n=3 planning=adaptive reasoning=reflect"));
  INFO(parts);
  Ledgers ledgers;
  const auto play = [&](const std::string& past) {
    const auto model = says({"no JSON", "<answer>" + kReject + "</answer>", kReject});
    ModelTable table("bargaining", R"({"max_turns": 4})");
    table.everybody(parts, model).ledgers(ledgers).past(past);
    MatchResult result = table.play_to_end();
    return std::pair(std::move(result.record), model->asked().size());
  };
  const auto live = play("");
  CHECK(live.second > 0);
  // From the calls alone, as after kill -9: every request is found again, so it is the same.
  const auto again = play("");
  CHECK(again.second == 0);
  CHECK(again.first == live.first);
  // From the beginning of a record, as beside people: own words come from the calls.
  std::string beginning;
  for (std::size_t size = live.first.size() / 2; beginning.empty(); ++size) try {
      (void)record::read(std::string_view(live.first).substr(0, size));
      beginning = live.first.substr(0, size);
    } catch (const Error&) {
    }
  const auto resumed = play(beginning);
  CHECK(resumed.second == 0);
  CHECK(resumed.first == live.first);
}

TEST_CASE("where one answer alone is legal nobody is asked") {
  // Nobody can pay the start price: to withdraw is all that is left.
  const auto play = [](const std::string& parts, const std::string& past = "") {
    const auto model = says({R"({"move":{"kind":"withdraw"}})"});
    MatchResult result =
        ModelTable("english-auction", R"({"seats": 2, "items": [{"name": "A"}, {"name": "B"}],)"
                                      R"("everyone": {"budget": 1}})")
            .everybody(parts, model)
            .past(past)
            .play_to_end();
    return std::pair(std::move(result), model->asked());
  };
  const auto by_rules = [](const MatchResult& result) {
    std::size_t n = 0;
    for (const record::Entry& e : record::read(result.record).entries) n += e.by_rules ? 1 : 0;
    return n;
  };
  const auto [result, asked] = play("");
  CHECK(asked.empty());
  CHECK(by_rules(result) > 0);
  CHECK(result.forced[0] == 0);
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::ok)] > 0);
  CHECK(play("", result.record).first.record == result.record);
  const auto always = play("ask_always=true");
  CHECK_FALSE(always.second.empty());
  CHECK(by_rules(always.first) == 0);
  // It stands in the dialogue as the arena's words.
  bool told = false;
  for (const Asked& a : play("beliefs=on").second)
    told = told || has(a.text(), "only one answer was legal, and was given for you: ");
  CHECK(told);
}

TEST_CASE("plans keep their reasons and are shown where they are revised") {
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (has(request.schema, "priorities"))
      return said(has(request.schema, "\"A\"")
                      ? R"({"thought":"SAVE FOR B","priorities":{"A":1,"B":3}})"
                      : R"({"thought":"NOW","priorities":{"B":3}})");
    return said(R"({"move":{"kind":"withdraw"}})");
  });
  ModelTable("english-auction",
             R"({"seats": 2, "shuffle": false, "items": [{"name": "A"}, {"name": "B"}]})")
      .model(0, "planning=adaptive", model)
      .model(1, "", says({R"({"move":{"kind":"withdraw"}})"}))
      .play_to_end();
  std::vector<Asked> plans, bids;
  for (const Asked& a : model->asked()) (has(a.schema, "priorities") ? plans : bids).push_back(a);
  REQUIRE(plans.size() == 2);
  CHECK(has(plans[0].schema, "\"thought\""));
  CHECK(has(plans[1].last(), "SAVE FOR B"));
  REQUIRE(bids.size() == 2);
  CHECK(has(bids[0].last(), "SAVE FOR B"));
  CHECK_FALSE(has(bids[1].text(), "SAVE FOR B"));
  CHECK(has(bids[1].last(), "NOW"));
  // A plan stands in the prompt, and not in the dialogue too.
  for (const Asked& a : bids)
    for (const std::string& text : own(a)) CHECK_FALSE(has(text, "priorities"));
}

TEST_CASE(
    "a plan that the game turns down is shown with the reason beside the plan that it revises") {
  auto n = std::make_shared<int>(0);
  const auto model = std::make_shared<ScriptedModel>([n](const ModelRequest& request) {
    if (!has(request.schema, "priorities")) return said(R"({"move":{"kind":"withdraw"}})");
    if (has(request.schema, "\"A\""))
      return said(R"({"thought":"SAVE FOR B","priorities":{"A":1,"B":3}})");
    return said((*n)++ == 0 ? R"({"thought":"TOO MUCH","priorities":{"B":9}})"
                            : R"({"thought":"NOW","priorities":{"B":2}})");
  });
  ModelTable("english-auction",
             R"({"seats": 2, "shuffle": false, "items": [{"name": "A"}, {"name": "B"}]})")
      .model(0, "planning=adaptive", model)
      .model(1, "", says({R"({"move":{"kind":"withdraw"}})"}))
      .play_to_end();
  std::vector<Asked> plans;
  for (const Asked& a : model->asked())
    if (has(a.schema, "priorities")) plans.push_back(a);
  REQUIRE(plans.size() == 3);
  CHECK(has(plans[2].text(), "SAVE FOR B"));
  CHECK(own(plans[2]).back() == R"({"thought":"TOO MUCH","priorities":{"B":9}})");
  INFO(plans[2].last());
  CHECK(has(plans[2].last(), "turned down: priorities.B: 9 is more than 3"));
}

TEST_CASE("plans and accounts of its own are made with the last one in view") {
  const auto play = [](const std::string& parts) {
    auto n = std::make_shared<int>(0);
    const auto model = std::make_shared<ScriptedModel>([n](const ModelRequest& request) {
      if (request.purpose != "answer")
        return said(std::string(request.purpose) + " no. " + std::to_string(++*n));
      return said(R"({"bid":1})");
    });
    ModelTable("water-allocation", R"({"days": 4})")
        .model(0, parts, model)
        .everybody("", says({R"({"bid":1})"}))
        .play_to_end();
    std::vector<Asked> kept;
    for (const Asked& a : model->asked())
      if (a.purpose != "answer") kept.push_back(a);
    return kept;
  };
  const auto plans = play("planning=adaptive");
  REQUIRE(plans.size() > 1);
  CHECK(has(plans[1].last(), "Your plan, written at the start:\nplan no. 1"));
  const auto beliefs = play("beliefs=on");
  REQUIRE(beliefs.size() > 1);
  CHECK(has(beliefs[1].last(), "by your own account, written after day 1:\nbeliefs no. 1"));
}

TEST_CASE("a correction of beliefs shows what is to be corrected") {
  const std::string wrong = R"({"remaining_budget":1,"total_profits":{"Bidder 1":0,"Bidder 2":0},)"
                            R"("winning_bids":{"Bidder 1":[],"Bidder 2":[]}})";
  const std::string memory = GENERATE(std::string("whole"), std::string("none"));
  const auto model = std::make_shared<ScriptedModel>([&](const ModelRequest& request) {
    return said(has(request.schema, "remaining_budget") ? wrong
                                                        : R"({"move":{"kind":"withdraw"}})");
  });
  ModelTable("english-auction", R"({"seats": 2, "items": [{"name": "A"}]})")
      .model(0, "beliefs=corrected memory=" + memory, model)
      .model(1, "", says({R"({"move":{"kind":"withdraw"}})"}))
      .play_to_end();
  std::vector<Asked> beliefs;
  for (const Asked& a : model->asked())
    if (has(a.schema, "remaining_budget")) beliefs.push_back(a);
  REQUIRE(beliefs.size() > 1);
  for (const std::string& text : own(beliefs[0])) CHECK(text != wrong);
  REQUIRE_FALSE(own(beliefs[1]).empty());
  CHECK(own(beliefs[1]).back() == wrong);
  CHECK(has(beliefs[1].last(), "What was wrong in your last answer"));
}

TEST_CASE("a window and a notebook hold to what they are whatever is asked") {
  // Each day has a bid that is seen nowhere else. The look back, the plan and the account are asked
  // for with the same memory as the move.
  const auto play = [](const std::string& memory) {
    const auto model =
        std::make_shared<ScriptedModel>([n = 0](const ModelRequest& request) mutable {
          if (request.purpose != "answer") return said("WROTE");
          return said(R"({"bid":)" + std::to_string(++n) + ".25}");
        });
    ModelTable("water-allocation", R"({"days": 6})")
        .model(0, "planning=adaptive beliefs=on reasoning=reflect memory=" + memory, model)
        .everybody("", says({R"({"bid":1})"}))
        .play_to_end();
    return model->asked();
  };
  for (const std::string memory : {"window:phases=1", "notebook", "none"}) {
    INFO(memory);
    const auto asked = play(memory);
    int bids = 0;
    for (const Asked& a : asked) {
      // Bids of the day before may be news; those of earlier days are gone.
      for (int day = 1; day < bids - 1; ++day)
        CHECK_FALSE(has(a.text(), std::to_string(day) + ".25"));
      bids += a.purpose == "answer" ? 1 : 0;
    }
    CHECK(bids == 6);
  }
}

TEST_CASE("rounds that are to know nothing of each other do not") {
  const std::string memory = GENERATE(std::string("whole"), std::string("notebook"));
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (request.purpose != "answer") return said("PLAN of a round");
    return said(has(request.messages.back().text, "price is 0 ") ? R"({"stay":true})"
                                                                 : R"({"stay":false})");
  });
  ModelTable("clock-auction", R"({"rounds": 3, "plan": false, "reflect": false, "history": false})")
      .everybody("planning=static beliefs=on memory=" + memory, model)
      .play_to_end();
  // Each round begins as the first one did: with the plan made anew, and nothing before it.
  std::size_t plans = 0, seats = 0;
  for (const Asked& a : model->asked()) {
    CHECK(a.messages.size() <= 4);
    if (a.purpose == "plan") {
      ++plans;
      CHECK(a.messages.size() == 2);
      CHECK_FALSE(has(a.text(), "PLAN"));
    }
    seats = std::max(seats, a.messages.size());
  }
  CHECK(model->count("beliefs") == 0);
  CHECK(model->count("notebook") == 0);
  CHECK(plans % 3 == 0);
  CHECK(plans >= 6);
}

TEST_CASE("learnings are carried without what they were taken from") {
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    return said(has(request.schema, "\"tips\"") ? R"({"tips":["bid LOW"]})"
                                                : R"({"move":{"kind":"withdraw"}})");
  });
  ModelTable("english-auction", R"({"seats": 2, "items": [{"name": "A"}, {"name": "B"}],)"
                                R"("everyone": {"learning": true}})")
      .model(0, "learning=on", model)
      .model(1, "", says({R"({"move":{"kind":"withdraw"}})"}))
      .carried(0, R"({"log":"LOG\nOF OLD","report":"","learnings":["old tip"]})")
      .play_to_end();
  std::size_t bids = 0;
  for (const Asked& a : model->asked()) {
    CHECK_FALSE(has(a.text(), "\\n"));
    if (has(a.schema, "\"tips\"")) {
      CHECK(has(a.text(), "OF OLD"));
      continue;
    }
    ++bids;
    check_lacks(a.text(), {"OF OLD", "old tip"});
    const std::string text = a.text();
    const std::size_t tip = text.find("bid LOW");
    REQUIRE(tip != std::string::npos);
    CHECK(text.find("bid LOW", tip + 1) == std::string::npos);
  }
  CHECK(bids == 2);
}

TEST_CASE("parts that share content or undo one another are named before a run") {
  const auto warnings = [](const std::string& parts) {
    const auto agent = make_agent(parts, "water-allocation", std::make_shared<ScriptedModel>());
    std::vector<std::string> found;
    for (const Finding& f : agent->preflight(catalogue().game("water-allocation"),
                                             prompts_of("water-allocation").get(), {}))
      if (f.level == Finding::Level::warning) found.push_back(f.what);
    return found;
  };
  CHECK(warnings("").empty());
  CHECK(warnings("planning=adaptive memory=window:n=4").empty());
  const auto both = warnings("beliefs=on memory=notebook:words=50");
  REQUIRE(both.size() == 1);
  CHECK(has(both[0], "OVERLAP: beliefs on and memory notebook: "));
  // What a card names is there.
  for (const PartCard* card : catalogue().all<PartCard>())
    for (const PartOverlap& o : card->overlaps)
      CHECK_NOTHROW(catalogue().part_card(o.kind, o.id, card->game));
}

TEST_CASE("lines that are alike are one line, and nothing is lost") {
  const auto shown = [](const std::vector<std::string>& lines) {
    return llm::with_line_runs(lines, Language::english());
  };
  CHECK(shown({}).empty());
  CHECK(shown({"- a 1", "- a 2", "- a 3", "- a 4", "- b"}) ==
        "- a 1 And so on in equal steps, 4 times in all, to: a 4\n- b");
  CHECK(shown({"- x", "- at $999.50", "- at $1,000.00", "- at $1,000.50", "- at $1,001.00"}) ==
        "- x\n- at $999.50 And so on in equal steps, 4 times in all, to: at $1,001.00");
  CHECK(shown({"- x", "- x", "- x", "- x", "- x"}) == "- x (5 times)");
  // Two numbers may change, each in steps of its own; a step that changes ends the run.
  CHECK(shown({"1: 9", "2: 7", "3: 5", "4: 3", "5: 2"}) ==
        "1: 9 And so on in equal steps, 4 times in all, to: 4: 3\n5: 2");
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"a 1", "a 2", "a 3"},
        {"a 1", "a 2", "a 4", "a 8", "a 16"},
        {"a 1.5", "a 2", "a 2.5", "a 3"},
        {"a 1,2", "a 1,3", "b 1,4", "b 1,5"},
        {"a\n1", "a\n2", "a\n3", "a\n4"},
        {"a 1234567890123456", "a 1234567890123457", "a 1234567890123458", "a 1234567890123459"}}) {
    std::string all;
    for (const std::string& line : other) all += (all.empty() ? "" : "\n") + line;
    CHECK(shown(other) == all);
  }
}

TEST_CASE("a bidder who left a clock is told of the calls after it in a line") {
  const auto leaves = saying(R"({"stay":false})");
  const auto stays = saying(R"({"stay":true})");
  ModelTable("clock-auction", R"({"rounds": 2, "ceiling": 30, "plan": false, "reflect": false})")
      .model(0, "", leaves)
      .everybody("", stays)
      .play_to_end();
  const std::string last = leaves->asked().back().text();
  INFO(last);
  CHECK(last.find("nobody left. And so on in equal steps, ") != std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = last.find("nobody left."); at != std::string::npos;
       at = last.find("nobody left.", at + 1))
    ++lines;
  CHECK(lines < 6);
}

}  // namespace llm_dialogue_test
