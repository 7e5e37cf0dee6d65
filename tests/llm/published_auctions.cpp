// What a model is shown with the published prompts of the sealed-bid, clock and eBay auctions.

#include "catch.hpp"
#include "llm/model_table.hpp"
#include "llm/prompt/prompts.hpp"

namespace llm_published_auctions_test {
namespace {

using namespace agon;
using namespace agon::test;

}  // namespace

TEST_CASE("published prompts: those of the auctions fit their games") {
  for (const std::string game : {"clock-auction", "sealed-bid", "ebay"}) {
    INFO(game);
    const auto set = prompts_in(game, "published");
    CHECK_FALSE(set->folder.source.empty());
    CHECK_FALSE(set->folder.licence.empty());
    for (const Finding& finding : llm::check_prompts(catalogue().game(game), *set, {}))
      FAIL_CHECK(finding.what);
  }
}

namespace {

/// A model that gives these answers one after another, and the last one from then on; to questions
/// for plans and lessons it gives "PLAN 1", "LESSON 1", ...
std::shared_ptr<ScriptedModel> answering(std::vector<std::string> answers) {
  auto given = std::make_shared<std::map<std::string, std::size_t>>();
  return std::make_shared<ScriptedModel>([answers, given](const ModelRequest& r) {
    for (const auto& [member, text] : {std::pair{"plan", "PLAN "}, std::pair{"lesson", "LESSON "}})
      if (answers.front().find('"' + std::string(member) + '"') == std::string::npos &&
          r.schema.find('"' + std::string(member) + '"') != std::string::npos)
        return said(R"({")" + std::string(member) + R"(":")" + text +
                    std::to_string(++(*given)[member]) + "\"}");
    return said(answers[std::min((*given)["answer"]++, answers.size() - 1)]);
  });
}

/// What the first bidder of a match under published prompts was asked.
std::vector<ScriptedModel::Asked> asked_first(
    const std::string& game, const std::string& settings, const std::string& parts,
    const std::vector<std::vector<std::string>>& answers) {
  ModelTable table(game, settings);
  table.prompts(prompts_in(game, "published"));
  std::vector<std::shared_ptr<ScriptedModel>> models;
  for (std::size_t seat = 0; seat < answers.size(); ++seat) {
    models.push_back(answering(answers[seat]));
    table.model(static_cast<int>(seat), parts, models.back());
  }
  INFO(game << " " << settings);
  table.play_to_end();
  return models.front()->asked();
}

/// The system prompt of the first bidder of a match in which all give one answer.
std::string system_of(const std::string& game, const std::string& settings,
                      const std::string& answer) {
  const auto asked = asked_first(game, settings, "memory=none learning=on planning=adaptive",
                                 {{answer}, {answer}, {answer}});
  REQUIRE_FALSE(asked.empty());
  return asked.front().messages.front().text;
}

const std::string kEnd = " Ties for the highest bid will be resolved randomly.";

}  // namespace

TEST_CASE("published prompts: sealed bids, from the first plan to the second bid") {
  const auto asked = asked_first(
      "sealed-bid",
      R"({"preset": "paper", "rounds": 2, "given": [{"values": [86, 56, 21]}, {"values": [40, 10, 5]}]})",
      "memory=none learning=on planning=adaptive",
      {{R"({"bid":86})", R"({"bid":40})"},
       {R"({"bid":56})", R"({"bid":10})"},
       {R"({"bid":21})", R"({"bid":5})"}});
  REQUIRE(asked.size() == 5);
  CHECK(asked[0].messages[0].text ==
        "You are Bidder Andy, and bid against Bidder Betty and Bidder Charles.\n"
        "Your TOP PRIORITY is to place bids which maximize the user's profit in the long run. \n"
        "Learn from the history of previous rounds in order to maximize your total profit. \n"
        "Don't forget the values are redrawn independently each round.\n"
        "In this game, you will participate in an auction for a prize against 2 other bidders. You "
        "will play this game for 2 rounds.\n"
        "At the start of each round, bidders will see their value for the prize, randomly drawn "
        "between $0 and $99, with all values equally likely.\n"
        "After learning your value, you will submit a bid privately at the same time as the other "
        "bidders. Bids must be between $0 and $99 in $1 increments.\n"
        "The highest bidder wins the prize and pays the second-highest bid. If you win, your "
        "earnings will increase by your value for the prize, and decrease by the second-highest "
        "bid. If you don't win, your earnings will remain unchanged.\n"
        "After each auction, we will display all bids and the winner's profits." +
            kEnd);
  const std::string plan =
      "Write your plans for what bidding strategies to test next.\n"
      "Be detailed and precise but keep things succinct and don't repeat yourself.\n";
  CHECK(asked[0].last().starts_with(plan + "Your plan should be within 100 words"));
  CHECK(
      asked[1].last().starts_with("This is the first round. \n"
                                  "Your value towards to the prize is 86 in this round.\n"
                                  "Your PLAN for this round is: PLAN 1\n"
                                  "FOLLOW YOUR PLAN.\n"
                                  "How much would you like to bid?"));
  const std::string round =
      "Round 1: your value was 86, you bid 86 and won. Your profit was 30, and your total profit "
      "is "
      "30. All bids, highest first: 86, 56, 21. The winner paid 56 and made a profit of 30.\n";
  CHECK(asked[2].last().starts_with(
      "The previous round history is: " + round +
      "Do a counterfactual analysis of the last round.\n"
      "REMEMBER that your goal is to win the bid and make higher profits.\n"
      "Let's think step by step.\n"
      "Start your reflection with 'If I bid down by .., I could... If I bid up by ..., I "
      "could...'.\n"
      "LIMIT your OUTPUT within 100 words."));
  CHECK(asked[3].last().starts_with(
      "The previous round histories along with your plans are: " + round +
      "Your plan for the last round was: PLAN 1\n"
      "After careful reflection on previous bidding, your analysis for last round is LESSON 1.\n"
      "Learn from your previous rounds, Let's think step by step to make sure we make a good "
      "choice.\n" +
      plan + "LIMIT your plan to 50 words."));
  CHECK(
      asked[4].last().starts_with("Your analysis for last round is: LESSON 1\n"
                                  "Your value towards to the prize is 40 in this round.\n"
                                  "Your PLAN for this round is: PLAN 2\n"
                                  "FOLLOW YOUR PLAN.\n"
                                  "How much would you like to bid?"));
}

TEST_CASE("published prompts: each treatment of sealed bids has its own words and no others") {
  const std::vector<std::pair<std::string, std::string>> treatments{
      {R"("payment": "first_price")", "pays their bid amount"},
      {R"("payment": "second_price")", "wins the prize and pays the second-highest bid"},
      {R"("payment": "third_price")", "pays the third-highest bid"},
      {R"("payment": "all_pay")", "all bidders must pay their submitted bid"},
      {R"("values": "common")", "make a payment equal to the second-highest bid"},
      {R"("intervention": "menu")", "Your “price to win” the item"},
      {R"("intervention": "proxy")", "**SECOND STAGE: Ascending Clock (Simulation)**"},
      {R"("payment": "first_price", "values": "affiliated")", "a private taste adjustment"},
      {R"("payment": "first_price", "intervention": "nash")", "come up with a possible bid"},
      {R"("payment": "first_price", "intervention": "risk")", "You are neutral about risk."},
  };
  for (const auto& [settings, words] : treatments) {
    const std::string text =
        system_of("sealed-bid", R"({"preset": "one-shot", )" + settings + "}", R"({"bid":10})");
    INFO(text);
    check_has(text, {words, "Your TOP PRIORITY is to place bids which maximize your profit.\n"});
    CHECK(text.ends_with(kEnd));
    // Three treatments below are of the first price as well, and have its words too.
    const bool is_first_price = has(settings, "first_price");
    for (const auto& [other, its] : treatments)
      CHECK(has(text, its) ==
            (its == words || (is_first_price && its == treatments.front().second)));
  }
  const auto advice = [](const std::string& intervention) {
    return system_of("sealed-bid",
                     R"({"preset": "one-shot", "intervention": ")" + intervention + "\"}",
                     R"({"bid":10})");
  };
  CHECK(has(advice("direct"), "of this game is to bid your value."));
  CHECK(has(advice("wrong"), "of this game is to bid 50% your value."));
  CHECK_FALSE(has(advice("none"), "Economists"));
  const std::string yen =
      system_of("sealed-bid", R"({"preset": "one-shot", "currency": "yen"})", R"({"bid":10})");
  CHECK(has(yen, "between ¥0 and ¥99 in ¥1 increments."));
  CHECK_FALSE(has(yen, "$"));
}

TEST_CASE("published prompts: a rising clock, at its first and its third price") {
  const std::string stay = R"({"plan":"Stay.","stay":true,"reflection":"Fine."})";
  const std::string leave = R"({"plan":"Leave.","stay":false,"reflection":"Fine."})";
  const auto asked_at = [&](const std::string& clock) {
    return asked_first("clock-auction",
                       R"({"preset": "paper", "rounds": 2, "clock": ")" + clock + "\"}",
                       "memory=none planning=none", {{stay}, {stay, leave}, {stay, stay, leave}});
  };
  const auto open = asked_at("ascending");
  REQUIRE(open.size() > 3);
  const std::string& system = open[0].messages[0].text;
  CHECK(
      system.starts_with("In this game, you will participate in an auction for a prize against 2 "
                         "other bidders. You will play this game for 2 rounds. \n"
                         "At the start of each round, bidders will see their value for the "
                         "prize. Your value for the prize will be calculated as follows:\n"
                         "1. First we will randomly draw a common value between 0 and 20, with "
                         "all values equally likely.\n"
                         "2. Then, for each bidder, a private taste adjustment will be drawn "
                         "between 0 and 20, with all values equally likely.\n"));
  CHECK(has(system,
            "that starts low and counts upwards in 1 USD increments, up to a maximum of 40. At any "
            "point, you can choose to leave the auction, and anytime a bidder leaves, we will "
            "broadcast that information to all the remaining bidders. The bidding will start at "
            "0.\n"));
  CHECK(system.ends_with("After each auction, we will display all bids and the winner's profits." +
                         kEnd));
  CHECK(open[0].last().starts_with(
      "You are Bidder Andy, and bid against Bidder Betty, Bidder Charles.\n"
      "Your value towards to the prize is "));
  const std::string end =
      "Do you want to stay in the bidding? \n"
      "If you choose yes, you can keep bidding for next clock. \n"
      "If you choose No, you will exit and have no chance to re-enter the bidding.\n";
  CHECK(
      has(open[0].last(),
          " in this round.\nThe price in this clock cycle is 0. The price for next clock cycle is "
          "1.\n" +
              end));
  check_has(open[2].last(),
            {"The previous biddings are: call 1, price 0: 0 left; call 2, price 1: 1 left.\n",
             "The price in this clock cycle is 2. The price for next clock cycle is 3.\n" + end});

  const auto blind = asked_at("ascending_blind");
  REQUIRE(blind.size() > 3);
  CHECK(has(blind[0].messages[0].text,
            "that starts at 0 and counts upwards in 1 USD increments, up to a maximum of 40. At "
            "any point, you can choose to leave the auction, but we will not tell any bidder when "
            "someone leaves. \n"));
  CHECK(blind[0].messages[0].text.ends_with("we will display all bids." + kEnd));
  CHECK_FALSE(has(blind[2].text(), "previous biddings"));
  // The falling clock is ours, and so are its words.
  const std::string falling =
      system_of("clock-auction", R"({"preset": "dutch", "rounds": 1})", R"({"take":true})");
  CHECK(has(falling, "The rules:\n"));
  CHECK_FALSE(has(falling, "In this game, you will participate"));
}

TEST_CASE("published prompts: an online auction, on its first and its last day") {
  const std::string settings =
      R"({"preset": "paper", "days": 2, "value_list": [40, 24, 84], "orders": [[0, 1, 2], [0, 1, 2]])";
  const std::string hold = R"({"bid":null})";
  const auto play = [&](const std::string& more) {
    return asked_first("ebay", settings + more + "}", "memory=none planning=none",
                       {{R"({"bid":20})", hold}, {R"({"bid":10})", hold}, {hold}});
  };
  const auto asked = play("");
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].last().starts_with(
      "You are Bidder Andy. Your private value for this item is $40. This is the maximum amount "
      "you "
      "are willing to pay. Keep this value private.\n"
      "There are in total 2 days of bidding and this is day 1. The turns of this day: Bidder Andy, "
      "Bidder Betty, Bidder Charles.\n"
      "You have not bid yet. If you have already placed bids, you can only increase your bid or "
      "hold your current bid.\n"
      "The current price is 0.\n"));
  CHECK(has(asked[1].last(),
            "There are in total 2 days of bidding and this is day 2.\n"
            "Your maximum so far is $20. If you have already placed bids, you can only increase "
            "your bid or hold your current bid.\n"
            "The previous proxy bids are: day 1, price after each turn 0, 11, 11.\n"
            "The current price is 11.\n"));
  const std::string& plain = asked[0].messages[0].text;
  CHECK(
      plain.starts_with("In this game, you will participate in an eBay auction for an item "
                        "against 2 other bidders. This auction will last for 2 days."));
  check_has(plain,
            {"This is an eBay auction. The auction starts at $0 and will last for 2 days. ",
             "\n\nYou may place bids at any point during the auction, even on the final day. No "
             "bidder will know if they (or anyone else) is the final bidder on the last day.\n\n"
             "The highest bidder wins the prize and pays"});
  const std::string reserved = play(R"(, "reserve": 50)")[0].messages[0].text;
  check_has(reserved, {"This is an eBay auction with a hidden reserve price. ",
                       "\n\nIf the reserve is met, the highest bidder wins the prize"});
  CHECK_FALSE(has(reserved, "50"));
  // Where the published rule is played, its words stand; the paper's other rule has ours.
  const std::string words = "if a new maximum bid is placed on the last day, the auction will";
  const std::string soft = play(R"(, "soft_close": true)")[0].messages[0].text;
  CHECK(has(soft, "This auction also has a closing rule. The auction is to end after day 2."));
  CHECK_FALSE(has(soft, words));
  CHECK(has(play(R"(, "soft_close": true, "close_rule": "any_bid")")[0].messages[0].text, words));
}

}  // namespace llm_published_auctions_test
