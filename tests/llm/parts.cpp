#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>

#include "catch.hpp"
#include "model_table.hpp"

namespace llm_parts_test {
namespace {

using namespace agon;
using namespace agon::test;

using Asked = ScriptedModel::Asked;

/// The calls of one purpose, in order.
std::vector<Asked> calls(const ScriptedModel& model, std::string_view purpose) {
  std::vector<Asked> found;
  for (const Asked& a : model.asked())
    if (a.purpose == purpose) found.push_back(a);
  return found;
}

/// A bargain in which the buyer is looked at and both talk on to the end.
std::shared_ptr<ScriptedModel> talker(const std::string& name) {
  auto turn = std::make_shared<int>(0);
  return std::make_shared<ScriptedModel>([turn, name](const ModelRequest& request) {
    if (request.purpose != "answer") return said("WROTE " + std::string(request.purpose));
    return said(R"({"talk":")" + name + std::to_string(++*turn) +
                R"(","action":{"kind":"reject"}})");
  });
}

std::shared_ptr<ScriptedModel> play_bargain(const std::string& parts,
                                            const std::string& settings = R"({"max_turns": 4})") {
  const auto buyer = talker("B");
  ModelTable("bargaining", settings).model(0, parts, buyer).model(1, "", talker("S")).play_to_end();
  return buyer;
}

/// Water for a few days: everybody bids 1, texts of their own are "WROTE purpose".
std::shared_ptr<ScriptedModel> play_water(const std::string& parts) {
  const auto bidder = [](const ModelRequest& request) {
    if (request.purpose != "answer") return said("WROTE " + std::string(request.purpose));
    return said(R"({"bid":1})");
  };
  const auto model = std::make_shared<ScriptedModel>(bidder);
  ModelTable("water-allocation", R"({"days": 3})")
      .model(0, parts, model)
      .everybody("", std::make_shared<ScriptedModel>(bidder))
      .play_to_end();
  return model;
}

/// An auction of two items in which probes are answered rightly but for the first belief.
struct Auction {
  std::shared_ptr<ScriptedModel> model;
  MatchResult result;
};
Auction play_auction(const std::string& parts, const std::string& bidder = "",
                     const std::string& carried = "") {
  Auction auction;
  auction.model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (request.purpose != "answer") return said("WROTE " + std::string(request.purpose));
    if (has(request.schema, "remaining_budget"))
      return said(
          R"({"remaining_budget":1,"total_profits":{"Bidder 1":0,"Bidder 2":0},"winning_bids":{"Bidder 1":[],"Bidder 2":[]}})");
    if (has(request.schema, "priorities"))
      return said(has(request.schema, "\"A\"") ? R"({"priorities":{"A":3,"B":1}})"
                                               : R"({"priorities":{"B":2}})");
    if (has(request.schema, "tips")) return said(R"({"tips":["bid LOW"]})");
    return said(R"({"move":{"kind":"withdraw"}})");
  });
  ModelTable table("english-auction", R"({"seats": 2, "shuffle": false, "everyone": {)" + bidder +
                                          R"(}, "items": [{"name": "A"}, {"name": "B"}]})");
  table.model(0, parts, auction.model).model(1, "", saying(R"({"move":{"kind":"withdraw"}})"));
  if (!carried.empty()) table.carried(0, carried);
  auction.result = table.play();
  INFO(auction.result.problem);
  REQUIRE(auction.result.end == End::finished);
  return auction;
}

std::vector<Asked> with_schema(const ScriptedModel& model, std::string_view member) {
  std::vector<Asked> found;
  for (const Asked& a : model.asked())
    if (has(a.schema, member)) found.push_back(a);
  return found;
}

}  // namespace

TEST_CASE("memory: whole has all, none has nothing, a window drops what is old") {
  const auto whole = play_bargain("memory=whole")->asked();
  REQUIRE(whole.size() == 4);
  check_has(whole[3].text(), {"\"B1\"", "\"S1\"", "\"S3\""});
  CHECK(whole[3].messages.size() == 8);  // system, three pairs, the task
  CHECK(whole[3].messages[2].role == "assistant");

  const auto none = play_bargain("memory=none")->asked();
  CHECK(none[3].messages.size() == 2);
  CHECK_FALSE(has(none[3].text(), "\"S2\""));
  CHECK(has(none[3].text(), "\"S3\""));  // news

  const auto window = play_bargain("memory=window:n=2")->asked();
  CHECK(window[3].messages.size() == 4);
  CHECK_FALSE(has(window[3].text(), "\"S1\""));
  CHECK(has(window[3].text(), "\"S2\""));
  CHECK(window[3].messages[1].role == "user");

  // The phases of the water game are days.
  const auto days = play_water("memory=window:phases=1")->asked();
  CHECK_FALSE(has(days[2].text(), "Day 1: "));
  CHECK(has(days[2].text(), "Day 2: "));
}

TEST_CASE("memory: a refusal is no notebook") {
  auto n = std::make_shared<int>(0);
  const auto model = std::make_shared<ScriptedModel>([n](const ModelRequest& request) {
    if (request.purpose != "notebook") return said(R"({"bid":1})");
    return said(++*n == 1 ? "GOOD NOTES" : "I'm sorry, but I can't help with that.");
  });
  ModelTable("water-allocation", R"({"days": 4})")
      .model(0, "memory=notebook", model)
      .everybody("", saying(R"({"bid":1})"))
      .play_to_end();
  CHECK(*n > 1);
  CHECK(has(model->asked().back().last(),
            "Your notes, written after day 1 (asked to write it anew since"));
}

TEST_CASE("memory: a notebook is written after each phase and stands for what it covers") {
  const auto model = play_water("memory=notebook:words=77");
  const auto notes = calls(*model, "notebook");
  REQUIRE(notes.size() == 2);  // after the first and the second day
  check_has(notes[0].last(), {"at most 77 words", "- you answered: bid 1 dollar\n"});
  CHECK_FALSE(has(notes[0].last(), "Your notes so far"));
  CHECK(has(notes[1].last(), "Your notes so far, written after day 1:\nWROTE notebook"));
  const auto bids = calls(*model, "answer");
  REQUIRE(bids.size() == 3);
  CHECK_FALSE(has(bids[0].text(), "Your notes"));
  CHECK(has(bids[2].last(), "Your notes, written after day 2:\nWROTE notebook"));
  CHECK(bids[2].messages.size() == 2);
}

TEST_CASE("memory: learnings answer what the game asks, and are remembered") {
  const std::string memo = R"({"log":"LOG OF OLD","report":"","learnings":["old tip"]})";
  const Auction learns = play_auction("learning=on", R"("learning": true)", memo);
  const auto asked = with_schema(*learns.model, "\"tips\"");
  REQUIRE(asked.size() == 1);
  check_has(asked[0].last(), {"LOG OF OLD", "old tip"});
  const auto bids = with_schema(*learns.model, "\"move\"");
  REQUIRE_FALSE(bids.empty());
  for (const Asked& bid : bids) CHECK(has(bid.last(), "bid LOW"));

  const Auction whole = play_auction("memory=whole", R"("learning": true)", memo);
  CHECK(with_schema(*whole.model, "\"tips\"").empty());
}

TEST_CASE("planning answers the game's questions for plans, or makes its own") {
  const auto plans = [](const std::string& planning) {
    return with_schema(*play_auction("planning=" + planning).model, "priorities").size();
  };
  CHECK(plans("none") == 0);
  CHECK(plans("static") == 1);
  CHECK(plans("adaptive") == 2);

  const Auction adaptive = play_auction("planning=adaptive");
  const auto bids = with_schema(*adaptive.model, "\"move\"");
  REQUIRE(bids.size() == 2);
  // Without reasons a plan of priorities is what stands with the items.
  CHECK_FALSE(has(bids[0].last(), "Your plan"));
  CHECK(has(bids[0].last(), "priority"));
  CHECK(calls(*adaptive.model, "plan").empty());

  CHECK(calls(*play_water("planning=none"), "plan").empty());
  CHECK(calls(*play_water("planning=static"), "plan").size() == 1);
  const auto water = play_water("planning=adaptive");
  CHECK(calls(*water, "plan").size() == 3);
  for (const Asked& bid : calls(*water, "answer")) {
    check_has(bid.last(), {"Your plan, written ", ":\nWROTE plan"});
  }
}

TEST_CASE("beliefs: declined, answered once, or answered until they are right") {
  const auto beliefs = [](const std::string& part) {
    return with_schema(*play_auction("beliefs=" + part).model, "remaining_budget").size();
  };
  CHECK(beliefs("off") == 0);
  CHECK(beliefs("on") == 2);          // one for each item, though both are wrong
  CHECK(beliefs("corrected") == 10);  // four checks and a last try for each item
  const Auction corrected = play_auction("beliefs=corrected");
  const auto asked = with_schema(*corrected.model, "remaining_budget");
  CHECK_FALSE(has(asked[0].last(), "What was wrong"));
  check_has(asked[1].last(), {"What was wrong in your last answer", "10,000"});

  // Where the game does not ask, an account is made after each phase.
  const auto water = play_water("beliefs=on");
  CHECK(calls(*water, "beliefs").size() == 2);
  CHECK(has(calls(*water, "answer")[2].last(),
            "by your own account, written after day 2:\nWROTE beliefs"));
}

TEST_CASE("reasoning: how many calls, and what the last one is told") {
  const auto direct = play_bargain("reasoning=direct");
  CHECK(direct->asked().size() == 4);
  CHECK_FALSE(has(direct->asked()[0].schema, "thought"));

  const auto thinks = play_bargain("reasoning=chain-of-thought");
  CHECK(thinks->asked().size() == 4);
  CHECK(has(thinks->asked()[0].schema, "\"thought\""));
  CHECK(has(thinks->asked()[0].last(), "think it through"));

  const auto reflects = play_bargain("reasoning=plan-bid-reflect");
  CHECK(calls(*reflects, "intend").size() == 4);
  CHECK(calls(*reflects, "reflect").size() == 3);
  CHECK(has(calls(*reflects, "answer")[1].last(), "What you mean to do:\nWROTE intend"));
  CHECK(has(calls(*reflects, "reflect")[0].last(), "WROTE intend"));
  CHECK(has(calls(*reflects, "intend")[1].last(), "WROTE reflect"));

  const auto levels = play_bargain("reasoning=k-level:k=3");
  CHECK(calls(*levels, "k-level").size() == 12);
  CHECK(has(calls(*levels, "k-level")[1].last(), "WROTE k-level"));
  CHECK(has(calls(*levels, "answer")[0].last(), "What you expect of the others:\nWROTE k-level"));
}

TEST_CASE("another model answers the calls of a purpose, and no others") {
  const auto own = saying("I bid one dollar.");
  const auto others = saying(R"({"bid":0})");
  Ledgers ledgers;
  ModelTable("water-allocation", R"({"days": 2})")
      .model(0, "reasoning=free-text models.extract=small", own)
      .everybody("", others)
      .ledgers(ledgers)
      .play_to_end();
  CHECK(own->count("say") >= 2);
  CHECK(own->count("extract") == 0);
  std::size_t extracted = 0;
  for (const auto& [key, call] : ledgers.calls) {
    const bool is_extract = call.purpose == "extract";
    extracted += is_extract ? 1 : 0;
    CHECK((call.model == "small") == is_extract);
  }
  CHECK(extracted >= 2);
}

TEST_CASE("a model for a purpose that no component has is refused with the nearest one") {
  const auto problem = [](const std::string& parts) -> std::string {
    try {
      (void)make_agent(parts, "water-allocation", talker("A"));
      return "";
    } catch (const Error& error) {
      return error.problem() + "|" + error.where();
    }
  };
  CHECK(problem("reasoning=free-text models.extract=small").empty());
  const std::string typo = problem("reasoning=free-text models.extrct=small");
  check_has(typo, {"no component of the agent makes calls for 'extrct'", "did you mean 'extract'?",
                   "|$.models.extrct"});
  CHECK(has(problem("reasoning=direct models.extract=small"), "calls for 'extract'"));
}

TEST_CASE("components name the purposes of their calls") {
  for (const std::string parts :
       {"memory=notebook", "planning=static", "planning=adaptive", "beliefs=on",
        "beliefs=corrected", "reasoning=free-text", "reasoning=reflect",
        "reasoning=plan-bid-reflect", "reasoning=refine", "reasoning=k-level"}) {
    INFO(parts);
    std::size_t named = 0;
    for (const Asked& asked : play_water(parts)->asked()) {
      if (asked.purpose == "answer" || asked.purpose == "say") continue;
      INFO(asked.purpose);
      CHECK_NOTHROW(make_agent(parts + " models." + asked.purpose + "=small", "water-allocation",
                               talker("A")));
      ++named;
    }
    CHECK(named > 0);
  }
}

TEST_CASE("who looks back at a move sees what came of it, whatever was asked since") {
  const std::string reasoning = GENERATE(std::string("plan-bid-reflect"), std::string("reflect"));
  const Auction auction = play_auction("planning=adaptive beliefs=on reasoning=" + reasoning);
  REQUIRE(auction.result.end == End::finished);
  const auto reflections = calls(*auction.model, "reflect");
  REQUIRE_FALSE(reflections.empty());
  // The first item went, an account of it and a new plan were asked for, and the second came up.
  const std::string& asked = reflections.front().last();
  INFO(asked);
  check_has(asked, {"- A, round 1: ", "- A was not sold."});
  // What the memory shows is not told once more.
  const std::string all = reflections.front().text();
  CHECK(all.find("- A was not sold.") == all.rfind("- A was not sold."));
  CHECK(all.find("- A, round 1: ") == all.rfind("- A, round 1: "));
}

TEST_CASE("a text of its own that comes as JSON or code is asked for once more and else not kept") {
  const bool learns = GENERATE(true, false);
  const std::string code = GENERATE(std::string(R"({"plan": "low", "limit": 5})"),
                                    std::string("```python\nbid = 5\n```"));
  const auto model =
      std::make_shared<ScriptedModel>([n = 0, learns, code](const ModelRequest& request) mutable {
        if (request.purpose != "plan") return said(R"({"bid":1})");
        return said(learns && n++ == 1 ? "I bid five at most." : code);
      });
  ModelTable("water-allocation", R"({"days": 2})")
      .model(0, "planning=static", model)
      .everybody("", saying(R"({"bid":0})"))
      .play_to_end();
  const auto plans = calls(*model, "plan");
  REQUIRE(plans.size() >= 2);
  CHECK(plans[1].messages.rbegin()[1].text == code);
  CHECK(has(plans[1].last(), "Write it in plain sentences, not as JSON or code."));
  const std::string move = calls(*model, "answer").back().text();
  CHECK(has(move, "I bid five at most.") == learns);
  CHECK_FALSE(has(move, code));
}

TEST_CASE("nobody is told to look at what others have done before they did anything") {
  const auto model = std::make_shared<ScriptedModel>();
  REQUIRE(ModelTable("guess-average").everybody("reasoning=predict-then-act", model).play().end ==
          End::finished);
  const std::string first = model->asked().front().text();
  CHECK(has(first, "Before you decide, predict"));
  CHECK_FALSE(has(first, "have done"));
}

TEST_CASE("ways of reasoning of the k-level paper, with their calls and their texts") {
  // Four moves: looking back begins with the second.
  const auto reflects = play_bargain("reasoning=reflect");
  CHECK(calls(*reflects, "reflect").size() == 3);
  CHECK(calls(*reflects, "answer").size() == 4);
  CHECK_FALSE(has(calls(*reflects, "answer")[0].last(), "experience"));
  CHECK(has(calls(*reflects, "answer")[1].last(), "Your experience so far:\nWROTE reflect"));
  CHECK(has(calls(*reflects, "reflect")[0].last(), "S1"));
  CHECK_FALSE(has(calls(*reflects, "reflect")[0].last(), "WROTE"));
  CHECK(has(calls(*reflects, "reflect")[1].last(), "WROTE reflect"));

  const auto once = play_bargain("reasoning=refine");
  CHECK(calls(*once, "draft").size() == 4);
  CHECK(calls(*once, "criticise").size() == 4);
  CHECK(calls(*once, "revise").empty());
  CHECK(has(calls(*once, "criticise")[0].last(), "WROTE draft"));
  check_has(calls(*once, "answer")[0].last(), {"WROTE draft", "WROTE criticise"});
  const auto twice = play_bargain("reasoning=refine:times=2");
  CHECK(calls(*twice, "criticise").size() == 8);
  CHECK(calls(*twice, "revise").size() == 4);
  CHECK(has(calls(*twice, "criticise")[1].last(), "WROTE revise"));
  CHECK(has(calls(*twice, "answer")[0].last(), "WROTE revise"));

  for (const std::string one : {"predict-then-act", "solo-performance:people=5"}) {
    INFO(one);
    const auto model = play_bargain("reasoning=" + one);
    CHECK(model->asked().size() == 4);
    CHECK(has(model->asked()[0].schema, "thought"));
    CHECK(has(model->asked()[0].last(),
              one == "predict-then-act" ? "predict: from all" : "up to 5 people"));
  }
}

TEST_CASE("ways of reasoning of the k-level paper play every game") {
  for (const std::string_view game : game_ids())
    for (const std::string reasoning :
         {"reflect", "refine", "predict-then-act", "solo-performance"}) {
      INFO(game << " " << reasoning);
      const auto model = std::make_shared<ScriptedModel>();
      ModelTable(game).everybody("memory=none reasoning=" + reasoning, model).play_to_end();
      CHECK_FALSE(model->asked().empty());
    }
}

TEST_CASE("a thought is recorded, and nobody else is shown it") {
  const auto buyer = saying(R"({"thought":"SECRET","talk":"hi","action":{"kind":"reject"}})");
  const auto seller = talker("S");
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 2})")
                                 .model(0, "reasoning=chain-of-thought", buyer)
                                 .model(1, "", seller)
                                 .play_to_end();
  CHECK(has(result.record, "SECRET"));
  for (const Asked& a : seller->asked()) CHECK_FALSE(has(a.text(), "SECRET"));
}

TEST_CASE("what the endpoint shows of a model's reasoning is never read for a move") {
  const auto buyer = std::make_shared<ScriptedModel>([](const ModelRequest&) {
    ModelCall call = said("I would rather not say.");
    call.reasoning = R"({"talk":"hi","action":{"kind":"reject"}})";
    return call;
  });
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 2})")
                                 .model(0, "", buyer)
                                 .model(1, "", talker("S"))
                                 .play_to_end();
  CHECK(result.forced[0] == 1);
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::unparsable)] == 4);
}

TEST_CASE("an answer that is turned down is asked for again with the reason") {
  int n = 0;
  const auto buyer = std::make_shared<ScriptedModel>([&](const ModelRequest&) {
    ++n;
    if (n == 1) return said("no JSON");
    if (n == 2) return said(R"({"talk":"","action":{"kind":"buy","price":99999999}})");
    if (n == 3) return said("", Fault::refused);
    return said(R"({"talk":"","action":{"kind":"quit"}})");
  });
  const MatchResult result =
      ModelTable("bargaining").model(0, "", buyer).model(1, "", talker("S")).play_to_end();
  const auto asked = buyer->asked();
  REQUIRE(asked.size() == 4);
  CHECK_FALSE(has(asked[0].last(), "turned down"));
  CHECK(has(asked[1].last(), "turned down: there is no JSON object"));
  CHECK(has(asked[2].last(), "99999999"));
  CHECK(has(asked[3].last(), "a refusal is no answer"));
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::refused)] == 1);
  CHECK(result.forced[0] == 0);
}

TEST_CASE("personas are in the system prompt") {
  const auto system = [](const std::string& persona) {
    return play_water("persona=" + persona)->asked().front().messages.front().text;
  };
  CHECK(has(system("personality:is=witty"), "You are a witty person"));
  CHECK(has(system("text:words=JUDGE,character=CALM,past=WON"), "JUDGE CALM WON"));
  // The lives of the water game are told by the game alone.
  for (const std::string old : {"resident", "resident:name=Eric"}) {
    try {
      (void)make_agent("persona=" + old, "water-allocation", nullptr);
      FAIL_CHECK(old << " was not refused");
    } catch (const Error& error) {
      CHECK(has(error.what(), "no persona 'resident' any more"));
      CHECK(has(error.hint(), "\"persona\": true"));
    }
  }
  CHECK_THROWS_AS(make_agent("persona=text", "", nullptr), Error);
  CHECK_THROWS_AS(make_agent("memory=window", "", nullptr), Error);
  CHECK_THROWS_AS(make_agent("reasoning=og-narrator", "water-allocation", nullptr), Error);
}

TEST_CASE("an adversary of a model is told how to press as the side that it is") {
  const auto system = [](int seat, const std::string& style) {
    const auto model = std::make_shared<ScriptedModel>();
    ModelTable("bargaining", R"({"max_turns": 1})")
        .model(seat, "persona=adversary:style=" + style, model)
        .everybody("", saying(R"({"talk":"","action":{"kind":"reject"}})"))
        .play_to_end();
    return model->asked().front().messages.front().text;
  };
  CHECK(has(system(0, "anchoring"), "Open at a fifth of your budget or less."));
  CHECK(has(system(0, "stubborn"), "about six tenths of your budget"));
  CHECK(has(system(0, "exploiting"), "lives off the patience of others"));
  CHECK(has(system(1, "anchoring"), "half as much again as the list price"));
  CHECK_THROWS_AS(make_agent("persona=adversary:style=rude", "bargaining", nullptr), Error);
  CHECK_THROWS_AS(make_agent("persona=adversary", "water-allocation", nullptr), Error);
}

TEST_CASE("OG-Narrator: the generator decides, the model finds the words") {
  const auto buyer = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    CHECK(request.purpose == "narrate");
    return said(R"({"talk":"please, [DEAL] $1"})");
  });
  const auto seller = talker("S");
  ModelTable table("bargaining",
                   R"({"max_turns": 6, "budget": 100, "cost": 50, "price_ceiling": 0})");
  table.model(0, "reasoning=og-narrator", buyer).model(1, "", seller).play_to_end();
  const auto asked = buyer->asked();
  REQUIRE(asked.size() == 6);
  // Half of the budget at first, all of it at last; the narrator never learns the budget.
  CHECK(has(asked[0].last(), "happens: The buyer offers to pay $50."));
  CHECK(has(asked[1].last(), "happens: The buyer offers to pay $60."));
  CHECK(has(asked[5].last(), "happens: The buyer offers to pay $100."));
  CHECK_FALSE(has(asked[0].text(), "budget"));
  CHECK(has(asked[1].last(), "- The seller makes no offer now and says: \"S1\""));
  check_has(seller->asked()[0].last(), {"The buyer offers to pay $50 and says: ", "[DEAL] $1"});
}

TEST_CASE("two calls are never asked for where the ledger has them") {
  for (const std::string parts :
       {"", "memory=notebook planning=adaptive beliefs=corrected reasoning=plan-bid-reflect"}) {
    INFO(parts);
    Ledgers ledgers;
    const auto first = std::make_shared<ScriptedModel>();
    const MatchResult live =
        ModelTable("english-auction").everybody(parts, first).ledgers(ledgers).play_to_end();
    CHECK(ledgers.calls.size() == first->asked().size());
    CHECK(ledgers.admitted == first->asked().size());

    ledgers.close();
    const auto second = std::make_shared<ScriptedModel>();
    const MatchResult again =
        ModelTable("english-auction").everybody(parts, second).ledgers(ledgers).play_to_end();
    CHECK(second->asked().empty());
    CHECK(again.record == live.record);
  }
}

TEST_CASE("another request under the same number is another call") {
  Ledgers ledgers;
  const auto first = talker("B");
  const auto play = [&](const std::string& parts, const std::shared_ptr<ScriptedModel>& model) {
    return ModelTable("bargaining", R"({"max_turns": 2})")
        .model(0, parts, model)
        .model(1, "", talker("S"))
        .ledgers(ledgers)
        .play();
  };
  REQUIRE(play("", first).end == End::finished);
  const auto second = talker("B");
  REQUIRE(play("persona=personality:is=witty", second).end == End::finished);
  CHECK(second->asked().size() == 2);
  // A closed ledger is read for what was said, whatever the prompts were.
  ledgers.close();
  const auto third = talker("B");
  CHECK(play("persona=personality:is=helpful", third).end == End::finished);
  CHECK(third->asked().empty());
  // What was never said is not there.
  const MatchResult closed = play("reasoning=k-level", talker("B"));
  CHECK(closed.end == End::unfinished);
  CHECK(has(closed.problem, "no record of a call for 'k-level'"));
}

TEST_CASE("a call that comes to nothing leaves the match unfinished") {
  Ledgers ledgers;
  const auto buyer = std::make_shared<ScriptedModel>([](const ModelRequest&) {
    ModelCall call = said("", Fault::provider_failed);
    call.problem = "503 for ever";
    return call;
  });
  const MatchResult result = ModelTable("bargaining")
                                 .model(0, "", buyer)
                                 .model(1, "", talker("S"))
                                 .ledgers(ledgers)
                                 .play();
  CHECK(result.end == End::unfinished);
  CHECK(has(result.problem, "503 for ever"));
  CHECK(ledgers.given_back.size() == 1);
  CHECK(ledgers.calls.empty());

  Ledgers capped;
  capped.halt = Halt::budget;
  const auto other = talker("B");
  const MatchResult stopped =
      ModelTable("bargaining").model(0, "", other).model(1, "", talker("S")).ledgers(capped).play();
  CHECK(stopped.end == End::unfinished);
  CHECK(stopped.halt == Halt::budget);
  CHECK(other->asked().empty());
}

}  // namespace llm_parts_test
