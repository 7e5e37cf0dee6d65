// What a model is shown with the published prompts of the classic games and of Deal or No Deal,
// beside the messages that the paper's program composes (Hua et al. 2024). Left out here is the
// sentence on tags, as the reply has Agon's format; empty lines do not count.

#include <sstream>

#include "catch.hpp"
#include "llm/model_table.hpp"
#include "llm/prompt/prompts.hpp"

namespace llm_published_games_test {
namespace {

using namespace agon;
using namespace agon::test;

/// Without blanks at the ends of lines and without empty lines.
std::string plain(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) out += line + "\n";
  }
  return out;
}

using Asked = std::vector<ScriptedModel::Asked>;

/// What Alice and Bob were asked; each says and chooses the same at every question.
std::array<Asked, 2> asked_both(const std::string& settings, const std::string& parts,
                                const std::string& choice = "choice_2") {
  ModelTable table("classic", settings);
  table.prompts(prompts_in("classic", "published"));
  std::array<std::shared_ptr<ScriptedModel>, 2> models;
  for (int seat = 0; seat < 2; ++seat) {
    models[seat] = std::make_shared<ScriptedModel>([seat, choice](const ModelRequest& r) {
      if (r.schema.find("\"halt\"") != std::string::npos)
        return said(seat == 0 ? R"({"text":"Hello Bob.","halt":false})"
                              : R"({"text":"Hello Alice.","halt":false})");
      return said(R"({"action":")" + choice + "\"}");
    });
    table.model(seat, parts, models[seat]);
  }
  INFO(settings);
  table.play_to_end();
  return {models[0]->asked(), models[1]->asked()};
}

const std::string kParts = "memory=none persona=personality:is=rational";

std::string dilemma(const std::string& self, const std::string& other) {
  return "### Game Introduction\n"
         "You are playing a one-round game with another player to maximize the reward you can "
         "obtain. This game involves two players, Alice and Bob.\n"
         "You are playing as " +
         self +
         ". You have 2 choices: choice_1, choice_2.\n"
         "The other player, " +
         other +
         ", also has 2 choices: choice_1, choice_2.\n"
         "### Game Rules\n"
         "- If both you and " +
         other + " choose choice_1, you will receive a reward of 3 and " + other +
         " will receive a reward of 3.\n"
         "- If you choose choice_1 while " +
         other + " chooses choice_2, you will receive a reward of 0 and " + other +
         " will receive a reward of 5.\n"
         "- If you choose choice_2 while " +
         other + " chooses choice_1, you will receive a reward of 5 and " + other +
         " will receive a reward of 0.\n"
         "- If both you and " +
         other + " choose choice_2, you will receive a reward of 1 and " + other +
         " will receive a reward of 1.\n";
}

const std::string kAct =
    "### Your Action\n"
    "Analyse the problem and the negotiation message if there is any.\n"
    "Please choose one of the following actions to maximize your reward.\n"
    "Action choices: choice_1, choice_2\n";

const std::string kTalk =
    "Analyze the situation and decide on what to say to the other player.\n"
    "You can also choose the halt the negotiation by saying 'halt negotiation'.\n";

}  // namespace

TEST_CASE("published prompts: those of games and deals fit, and name source and licence") {
  const auto warnings = [](const std::string& game, const std::string& parts) {
    std::string all;
    for (const Finding& f :
         make_agent(parts, game, std::make_shared<ScriptedModel>())
             ->preflight(catalogue().game(game), prompts_in(game, "published").get(), {}))
      if (f.level == Finding::Level::warning) all += f.what + "\n";
    return all;
  };
  for (const std::string game : {"classic", "deal-or-no-deal"}) {
    INFO(game);
    const auto set = prompts_in(game, "published");
    // With earlier questions, or without a persona, a model reads two wordings, or too little.
    const std::string usual = warnings(game, "prompts=published");
    CHECK(usual.find("the memory 'whole' shows earlier questions") != std::string::npos);
    CHECK(usual.find("begin with a personality, and the agent has none") != std::string::npos);
    CHECK(warnings(game, "prompts=published " + kParts).empty());
    CHECK(warnings(game, "prompts=own").find("personality") == std::string::npos);
    CHECK(set->folder.source.find("github.com/Wenyueh/game_theory") != std::string::npos);
    CHECK(set->folder.licence.starts_with("Apache-2.0"));
    const auto agent =
        make_agent("prompts=published " + kParts, game, std::make_shared<ScriptedModel>());
    for (const Finding& f : agent->preflight(catalogue().game(game), set.get(), {}))
      if (f.level == Finding::Level::error) FAIL_CHECK(f.what);
  }
}

TEST_CASE("published prompts: a simultaneous game, as either player sees it") {
  const auto asked = asked_both(R"({"preset": "paper"})", kParts);
  REQUIRE(asked[0].size() == 1);
  REQUIRE(asked[1].size() == 1);
  for (const Asked& own : asked)
    CHECK(own[0].messages[0].text ==
          "You are a rational assistant that carefully answer the question.");
  CHECK(plain(asked[0][0].last()).starts_with(dilemma("Alice", "Bob") + kAct));
  CHECK(plain(asked[1][0].last()).starts_with(dilemma("Bob", "Alice") + kAct));
  CHECK(asked[0][0].messages.size() == 2);
}

TEST_CASE("published prompts: a negotiation, and each of the six closing prompts") {
  const std::string said_so_far =
      "The previous rounds of negotiation are presented below:\n"
      "Alice said in round 1: \"Hello Bob.\"\n"
      "Bob replied in round 1: \"Hello Alice.\"\n";
  // The numbers of the paper; its program has 1, 2, 6, 3, 4, 5.
  const std::string closings[] = {
      "",
      "Please carefully analyze the negotiation messages, think about whether you can trust Bob "
      "message, and make your own decision.\n",
      "Please carefully analyze the negotiation messages and make your own decision.\n",
      "Carefully analyze and think about whether you can trust Bob message, and then make your own "
      "decision.\n",
      "You can choose your own choice regardless what Bob says.\n",
      "You should make your own choice regardless what Bob says.\n",
      "You must make your own choice regardless what Bob says.\n"};
  for (std::size_t n = 0; n < std::size(closings); ++n) {
    const auto asked =
        asked_both(R"({"preset": "paper", "honour_halt": false, "rounds": 2, "prompt": )" +
                       std::to_string(n) + "}",
                   kParts);
    INFO("closing prompt " << n);
    REQUIRE(asked[0].size() == 3);
    CHECK(plain(asked[0][1].last())
              .starts_with(dilemma("Alice", "Bob") +
                           "### Negotiation\n"
                           "You can discuss with Bob to maximize the reward you can obtain. You "
                           "have a maximum of 2 rounds to negotiate.\n" +
                           kTalk + said_so_far));
    const std::string last = plain(asked[0][2].last());
    CHECK(last.starts_with(dilemma("Alice", "Bob") + "### Negotiation Messages\n" + said_so_far +
                           "Alice said in round 2: \"Hello Bob.\"\n"
                           "Bob replied in round 2: \"Hello Alice.\"\n" +
                           kAct + closings[n]));
    for (const std::string& other : closings)
      if (!other.empty()) CHECK((last.find(other) != std::string::npos) == (other == closings[n]));
  }
}

TEST_CASE("published prompts: a sequential game with a negotiation before every move") {
  const auto asked =
      asked_both(R"({"preset": "paper", "honour_halt": false, "game": "escalation", "rounds": 1,
                     "prompt": 6})",
                 kParts);
  const auto tree = [](const std::string& self, const std::string& other) {
    return "### Game Introduction\n"
           "You are playing a sequential move game with another player to maximize the reward you "
           "can obtain. This game involves two players, Alice and Bob.\n"
           "You are playing as " +
           self +
           ". You have different sets of actions to choose from for each round, same for the other "
           "player, " +
           other +
           ".\n"
           "### Game Rules\n"
           "If Alice chooses choice_1, Alice will receive a reward of 0 and Bob will receive a "
           "reward of 0.\n"
           "If Alice chooses choice_2, then Bob chooses choice_1, Alice will receive a reward of 1 "
           "and Bob will receive a reward of -2.\n"
           "If Alice chooses choice_2, then Bob chooses choice_2, then Alice chooses choice_1, "
           "Alice will receive a reward of -2 and Bob will receive a reward of 1.\n"
           "If Alice chooses choice_2, then Bob chooses choice_2, then Alice chooses choice_2, "
           "Alice will receive a reward of -1 and Bob will receive a reward of -1.\n";
  };
  const std::string before_first =
      "Alice said in round 1 before the first action:\n\"Hello Bob.\"\n"
      "Bob replied in round 1 before the first action:\n\"Hello Alice.\"\n";
  const std::string moved =
      "### Previous Actions Done in the Game\n"
      "The previous actions done in the game are presented below:\n"
      "Alice chooses choice_2\n";
  // Bob: a message before each of three moves, and a move of his own.
  REQUIRE(asked[1].size() == 4);
  CHECK(plain(asked[1][1].last())
            .starts_with(tree("Bob", "Alice") + moved +
                         "### Negotiation\n"
                         "You can discuss with Alice to maximize the reward you can obtain. You "
                         "have a maximum of 1 rounds to negotiate.\n" +
                         kTalk + "## The previous rounds of negotiation are presented below:\n" +
                         before_first +
                         "Alice said in round 1 before the second action:\n\"Hello Bob.\"\n"));
  CHECK(plain(asked[1][2].last())
            .starts_with(
                tree("Bob", "Alice") + "### Negotiation Messages\n" +
                "The previous rounds of negotiation are presented below:\n" + before_first +
                "Alice said in round 1 before the second action:\n\"Hello Bob.\"\n"
                "Bob replied in round 1 before the second action:\n\"Hello Alice.\"\n" +
                moved + kAct + "You must make your own choice regardless what Alice says.\n"));
}

TEST_CASE("published prompts: each personality has the paper's sentence, and others have ours") {
  for (const std::string is :
       {"compassionate", "friendly", "helpful", "pragmatic", "rational", "witty"}) {
    const auto asked =
        asked_both(R"({"preset": "paper"})", "memory=none persona=personality:is=" + is);
    CHECK(asked[0][0].messages[0].text ==
          "You are a " + is + " assistant that carefully answer the question.");
  }
  const auto model = std::make_shared<ScriptedModel>();
  REQUIRE(ModelTable("classic", "{}").everybody("persona=personality:is=witty", model).play().end ==
          End::finished);
  CHECK(model->asked().front().messages.front().text.find("assistant that carefully") ==
        std::string::npos);
  // A text that knows no such name is refused before a match.
  PromptSet own = *prompts_in("classic", "published");
  own.texts["part-personality"].text = "You are {{adjectif}}.";
  const auto agent =
      make_agent("prompts=published " + kParts, "classic", std::make_shared<ScriptedModel>());
  std::string all;
  for (const Finding& f : agent->preflight(catalogue().game("classic"), &own, {})) all += f.what;
  CHECK(all.find("'adjectif'") != std::string::npos);
}

TEST_CASE("published prompts: without a persona no system message is sent, nor an empty one") {
  const auto asked = asked_both(R"({"preset": "paper"})", "memory=none")[0];
  REQUIRE(asked.size() == 1);
  REQUIRE(asked[0].messages.size() == 1);
  CHECK(asked[0].messages[0].role == "user");
  CHECK(asked[0].stable == 0);
  CHECK(plain(asked[0].messages[0].text).starts_with("### Game Introduction\n"));
}

TEST_CASE("published prompts: with a memory, earlier questions stand before the last one") {
  const auto asked = asked_both(R"({"preset": "paper", "honour_halt": false, "rounds": 1})",
                                "persona=personality:is=rational")[0];
  REQUIRE(asked.size() == 2);
  CHECK(asked[1].messages.size() > 2);
  CHECK(asked[1].text().find("- you were asked, and saw:") != std::string::npos);
  CHECK(plain(asked[1].last()).starts_with(dilemma("Alice", "Bob")));
}

TEST_CASE("published prompts: money is told with its sign, and repeated play in our words") {
  const auto balls =
      asked_both(R"({"preset": "paper", "game": "golden-balls", "scale": 500})", kParts);
  const std::string money = balls[0][0].last();
  CHECK(money.find("to maximize the money reward you can obtain") != std::string::npos);
  CHECK(money.find("you will receive a reward of $250 and Bob will receive a reward of $250.") !=
        std::string::npos);
  CHECK(money.find("to maximize your reward (money).") != std::string::npos);
  const std::string losses =
      asked_both(R"({"preset": "paper", "game": {"name": "g", "players": ["Alice", "Bob"],
          "prefix": "$", "actions": [["a", "b"], ["a", "b"]],
          "payoffs": [[-15, 0.3], [0, 1], [1, 0], [2, 2]]}})",
                 kParts)[0][0]
          .last();
  CHECK(losses.find("you will receive a reward of -$15 and Bob will receive a reward of $0.30.") !=
        std::string::npos);
  const auto repeated = asked_both(R"({"preset": "paper", "periods": 2, "rounds": 1})", kParts);
  REQUIRE(repeated[0].size() == 4);
  CHECK(repeated[0][3].text().find("The game is played 2 times") != std::string::npos);
  CHECK(repeated[0][3].text().find("Bob says: \"Hello Alice.\"") != std::string::npos);
  CHECK(repeated[0][3].text().find("### Game Introduction") == std::string::npos);
}

TEST_CASE("published prompts: a negotiation over items, and the deal that is presented") {
  ModelTable table("deal-or-no-deal", R"({"preset": "paper", "max_rounds": 2, "instances": [
      {"id": "p", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]}]})");
  table.prompts(prompts_in("deal-or-no-deal", "published"));
  const auto speaker = [](const std::string& words) {
    return std::make_shared<ScriptedModel>([words](const ModelRequest& r) {
      if (r.schema.find("\"halt\"") == std::string::npos)
        return said(R"({"choice":{"kind":"take","items":[0,0,1]}})");
      return said(R"({"text":")" + words + R"(","proposal":null,"halt":false})");
    });
  };
  const auto alice = speaker("Books are mine."), bob = speaker("No.");
  table.model(0, kParts, alice).model(1, kParts, bob).play_to_end();
  REQUIRE(bob->asked().size() == 3);
  CHECK(bob->asked()[0].messages[0].text ==
        "You are a rational assistant that carefully answer the question.");
  CHECK(bob->asked()[0].text().find("Proposed to take") == std::string::npos);
  const std::string game =
      "### Game Description\n"
      "This is a negotiation game. There are 1 books, 1 hats, and 3 balls in total.\n"
      "Each item has a value (range minimum 0 - maximum 10) to you and Alice which is unknown to "
      "you and can be very different from yours.\n"
      "And you only know that sum of all values of all items to both playes is 10.\n"
      "Thus do not assume the value of the items to Alice is the same as yours.\n"
      "Your goal is to MAXIMIZE the total VALUE you alone can obtain by taking the items after "
      "negotiation (NOTICE THAT SINGLE ITEM CANNOT BE SPLITTED).\n"
      "You need to negotiate with Alice to decide which and how many items you and your partner "
      "Alice will each get.\n"
      "DO NOT REVEAL your values of the items to Alice through out the game.\n"
      "Notice that if you come to disagreement on the negotiation, neither of you will obtain any "
      "reward.\n"
      "You are playing the role of Bob. The player you negotiate with is Alice.\n"
      "### Item Values to You\n"
      "There are 1 books whose values to you are 4. There are 1 hats whose values to you are 0. "
      "There are 3 balls whose values to you are 2.\n"
      "Thus, the highest total value you could obtain is 10 by taking all items.\n";
  const std::string first =
      "## The previous rounds of negotiation are presented below:\n"
      "Alice said in round 1: \"Books are mine.\"\n";
  const std::string rest =
      "Bob replied in round 1: \"No.\"\n"
      "Alice said in round 2: \"Books are mine.\"\n";
  const std::string second = plain(bob->asked()[1].last());
  CHECK(second.starts_with(game + "### Negotiation\n" +
                           "You can negotiate with Alice to MAXIMIZE the total value you can "
                           "obtain. You have a maximum of 2 rounds to negotiate.\n"));
  CHECK(second.find("Remember, do not reveal your values of the items to the other player through "
                    "out the game.\n" +
                    first + rest) != std::string::npos);
  CHECK(plain(bob->asked()[2].last())
            .starts_with(game + first + rest + "Bob replied in round 2: \"No.\"\n" +
                         "### Present Deal\n"
                         "You have finished the negotiation. Now, you need to present the deal to "
                         "the other player.\n"));
}

TEST_CASE("published prompts: what was proposed and who asked to halt stands beside the words") {
  ModelTable table("deal-or-no-deal", R"({"preset": "paper", "max_rounds": 1, "instances": [
      {"id": "p", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]}]})");
  table.prompts(prompts_in("deal-or-no-deal", "published"));
  const auto speaker = [](const std::string& words, const std::string& rest) {
    return std::make_shared<ScriptedModel>([words, rest](const ModelRequest& r) {
      if (r.schema.find("\"halt\"") == std::string::npos)
        return said(R"({"choice":{"kind":"take","items":[0,0,1]}})");
      return said(R"({"text":")" + words + "\"," + rest + "}");
    });
  };
  const auto alice = speaker("Balls.", R"("proposal":{"take":[0,1,3]},"halt":true)");
  const auto bob = speaker("No.", R"("proposal":null,"halt":false)");
  table.model(0, kParts, alice).model(1, kParts, bob).play_to_end();
  const std::string told =
      "Alice said in round 1: \"Balls.\" Proposed to take 0, 1, 3, in the order of the items. "
      "Asked to halt.\n";
  REQUIRE(bob->asked().size() == 2);
  CHECK(plain(bob->asked()[0].last()).find(told) != std::string::npos);
  CHECK(plain(bob->asked()[1].last()).find(told + "Bob replied in round 1: \"No.\"\n") !=
        std::string::npos);
}

}  // namespace llm_published_games_test
