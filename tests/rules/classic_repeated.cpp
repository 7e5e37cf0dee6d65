// Repeated play of classic games: how often, what is seen, what counts, and the strategies that
// answer what was played before.

#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <boost/json.hpp>

#include "catch.hpp"
#include "classic/game.hpp"
#include "classic/prepared.hpp"
#include "classic/strategies.hpp"
#include "classic_support.hpp"
#include "support/settings.hpp"

using namespace classic_test;
using agon::test::check_all_metrics;
using agon::test::ScriptedMatch;
using agon::test::undefined;

namespace {

using Grim = classic::Reciprocal<classic::Reciprocity::grim>;
using TitForTat = classic::Reciprocal<classic::Reciprocity::tit_for_tat>;
using Pavlov = classic::Reciprocal<classic::Reciprocity::win_stay_lose_shift>;

std::vector<std::string> choices(const std::string& places) {
  std::vector<std::string> answers;
  for (const char place : places) answers.push_back(choice(place - '0'));
  return answers;
}

/// What a seat chose, period by period: "1121".
std::string chosen(const agon::test::Played& played, int seat) {
  std::string text;
  for (const auto& asked : played.asked)
    if (asked.seat == seat && asked.stage == "choose")
      text += asked.answer_json[asked.answer_json.size() - 3];
  return text;
}

/// What `agent` chooses against somebody who plays `others`.
std::string against(const agon::Agent& agent, const std::string& game, const std::string& others) {
  return chosen(ScriptedMatch(classic::game(),
                              with_game(game, "\"periods\": " + std::to_string(others.size())))
                    .agent(0, agent)
                    .seat(1, choices(others))
                    .play(),
                0);
}

std::string continued(const std::string& chance, std::uint64_t luck) {
  const auto played =
      ScriptedMatch(classic::game(),
                    with_game("stag-hunt", "\"periods\": 40, \"continuation\": " + chance))
          .luck(luck)
          .play();
  return std::to_string(static_cast<int>(played.metric("periods")));
}

}  // namespace

TEST_CASE("classic: all metrics of a repeated prisoner's dilemma") {
  // (1,1) 3,3; (1,2) 0,5; (2,1) 5,0; (2,2) 1,1.
  const auto played =
      ScriptedMatch(classic::game(), with_game("prisoners-dilemma", "\"periods\": 4"))
          .seat(0, choices("1122"))
          .seat(1, choices("1212"))
          .play();
  CHECK(played.outcome[0].score == 9);
  CHECK(played.outcome[1].score == 9);
  // Four times what one period makes sure of, and four times the best that leaves the other that.
  CHECK(played.outcome[0].disagreement == 4);
  CHECK(played.outcome[0].ideal == 12);
  check_all_metrics(played, 0,
                    {{"payoff", 9},
                     {"choice", 1},
                     {"cooperated", 0.5},
                     {"regret", 2 + 1},
                     {"cooperated_first", 1}});
  check_all_metrics(played, -1,
                    {{"valid", 1},
                     {"nash", 0.25},
                     {"best_nash", 0.25},
                     {"spe", undefined},
                     {"cell", 3},
                     {"pareto", 0.75},
                     {"welfare", 18},
                     {"welfare_share", (1 + 0.75 + 0.75 + 0) / 4},
                     {"cooperation", 0.5},
                     {"moves", 8},
                     {"periods", 4},
                     {"cooperation_first", 1},
                     {"mutual_cooperation", 0.25}});
  CHECK(played.count("period") == 4);
  CHECK(played.event("period", 1).json ==
        R"({"period":2,"actions":["choice_1","choice_2"],"payoffs":[0.0,5.0]})");
  CHECK(played.event("ended").json == R"({"actions":[],"payoffs":[9.0,9.0]})");
}

TEST_CASE("classic: the mean of the periods counts if the settings say so") {
  const auto played =
      ScriptedMatch(classic::game(),
                    with_game("prisoners-dilemma", R"("periods": 4, "payoff": "average")"))
          .seat(0, choices("1122"))
          .seat(1, choices("1212"))
          .play();
  CHECK(played.outcome[0].score == 2.25);
  CHECK(played.outcome[0].disagreement == 1);
  CHECK(played.outcome[0].ideal == 3);
  CHECK(played.metric("regret", 0) == Approx(0.75));
}

TEST_CASE("classic: what was played stands in the views and how much is left only if it is told") {
  const auto views = [](const std::string& more) {
    const auto played =
        ScriptedMatch(classic::game(),
                      with_game("stag-hunt", "\"periods\": 3, \"rounds\": 1" + more))
            .seat(0, {message("a"), choice(1), message("b"), choice(2), message("c"), choice(1)})
            .seat(1, {message("d"), choice(1), message("e"), choice(1), message("f"), choice(1)})
            .play();
    std::vector<boost::json::object> all;
    for (const auto& asked : played.asked)
      if (asked.seat == 0 && asked.stage == "choose")
        all.push_back(boost::json::parse(asked.view_json).as_object());
    return all;
  };
  const auto told = views("");
  REQUIRE(told.size() == 3);
  CHECK(told[0].at("history").as_array().empty());
  CHECK(told[2].at("period") == 3);
  CHECK(told[0].at("periods_left") == 3);
  CHECK(told[2].at("periods_left") == 1);
  CHECK(boost::json::serialize(told[2].at("history")) ==
        R"([{"period":1,"actions":["choice_1","choice_1"],"payoffs":[3E0,3E0]},)"
        R"({"period":2,"actions":["choice_2","choice_1"],"payoffs":[1E0,0E0]}])");
  CHECK(told[1].at("messages").as_array().size() == 4);
  CHECK(views(R"(, "tell_horizon": false)")[1].at("periods_left").is_null());
  CHECK(views(R"(, "continuation": 0.999999)")[1].at("periods_left").is_null());
}

TEST_CASE(
    "classic: chance ends a repeated game, the same whoever plays, at the cap at the latest") {
  CHECK(continued("0", 1) == "1");
  CHECK(continued("1", 1) == "40");
  double sum = 0;
  for (std::uint64_t luck = 1; luck <= 400; ++luck) sum += std::stod(continued("0.75", luck));
  CHECK(sum / 400 == Approx(4).margin(0.5));  // 1 / (1 - 0.75)
  CHECK(continued("0.75", 7) == continued("0.75", 7));
}

TEST_CASE("classic: trees are repeated move by move") {
  const auto played = ScriptedMatch(classic::game(), with_game("monopoly", "\"periods\": 2"))
                          .seat(0, choices("21"))
                          .seat(1, choices("1"))
                          .play();
  // Alice enters and Bob makes room: 2 and 1. Then she stays out: 0 and 2.
  CHECK(played.outcome[0].score == 2);
  CHECK(played.outcome[1].score == 3);
  CHECK(played.metric("spe") == 0.5);
  CHECK(played.metric("moves") == 3);
  CHECK(boost::json::parse(played.asked.back().view_json).at("moves").as_array().empty());
}

TEST_CASE("classic: what players are told of how often they play") {
  const auto told = [](const std::string& more) {
    const auto settings = agon::test::read_settings(classic::game(), with_game("stag-hunt", more));
    return classic::facts(*static_cast<const classic::Settings*>(settings.get())).kind;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(told("\"scale\": 1"), "The game is played once."));
  CHECK(has(told("\"periods\": 10"), "played 10 times"));
  const std::string chance = told("\"periods\": 50, \"continuation\": 0.9");
  CHECK(has(chance, "probability of 90%"));
  CHECK(has(chance, "50 periods at most"));
  const std::string hidden =
      told("\"periods\": 50, \"continuation\": 0.9, \"tell_horizon\": false");
  CHECK_FALSE(has(hidden, "90"));
  CHECK_FALSE(has(hidden, "50"));
  CHECK(has(hidden, "How many periods there are is not told"));
}

TEST_CASE("classic: strategies of the repeated prisoner's dilemma") {
  const std::string game = "prisoners-dilemma";
  CHECK(against(Grim({}), game, "112111") == "111222");
  CHECK(against(TitForTat({}), game, "112122") == "111212");
  // Got 3: again. Got 0: shift. Got 1: shift. Got 5: again.
  CHECK(against(Pavlov({}), game, "122112") == "112111");
  // The best reply to anything is to defect.
  CHECK(against(classic::FictitiousPlay({}), game, "1111") == "2222");
}

TEST_CASE("classic: the same strategies in larger games") {
  // Both produce 1: 7 each. Who produces 2 or more takes from the other; who produces none gives.
  CHECK(against(Grim({}), "duopoly", "213222") == "222333");
  CHECK(against(TitForTat({}), "duopoly", "213261") == "222323");
  // 7: again. (1,2) gives 5: shift to 2. (2,1) gives 10: again.
  CHECK(against(Pavlov({}), "duopoly", "2322") == "2233");
  // The best reply to producing 1 is to produce 2, to 3 is 1, to nothing is 3.
  CHECK(against(classic::FictitiousPlay({.memory = 1}), "duopoly", "2416").substr(1) == "324");
}

TEST_CASE("classic: what cooperation is follows from the payoffs or is not defined") {
  const auto found = [](const std::string& game) {
    const auto settings = agon::test::read_settings(classic::game(), with_game(game));
    return classic::why_no_cooperation(*static_cast<const classic::Settings*>(settings.get()));
  };
  for (const std::string game : {"prisoners-dilemma", "stag-hunt", "duopoly", "golden-balls"})
    CHECK(found(game).empty());
  for (const std::string game : {"battle-of-sexes", "wait-go", "rock-paper-scissors"}) {
    INFO(game);
    CHECK(found(game).find("\"cooperate\"") != std::string::npos);
  }
  CHECK(found("draco").find("tree") != std::string::npos);

  // Three players, each may give 1 so that both others get 2: cell 0 is (give, give, give).
  std::vector<double> payoffs;
  for (int cell = 0; cell < 8; ++cell)
    for (int p = 0; p < 3; ++p) {
      double x = 0;
      for (int q = 0; q < 3; ++q)
        if ((cell >> (2 - q) & 1) == 0) x += q == p ? -1 : 2;
      payoffs.push_back(x);
    }
  const auto three = classic::cooperation_of(agon::theory::MatrixGame({2, 2, 2}, payoffs));
  REQUIRE(three);
  CHECK(three->action == std::vector<std::size_t>{0, 0, 0});
  CHECK(three->punish == std::vector<std::size_t>{1, 1, 1});

  // Two outcomes are the fairest, and one alone: the first has another beside it that pays the
  // same.
  CHECK_FALSE(classic::cooperation_of(
      agon::theory::MatrixGame({3, 3}, {2, 2, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1})));
  CHECK(classic::cooperation_of(
      agon::theory::MatrixGame({3, 3}, {2, 2, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 1, 1})));

  const auto duopoly = agon::test::read_settings(classic::game(), with_game("duopoly"));
  const auto made = classic::prepare(*static_cast<const classic::Settings*>(duopoly.get()));
  CHECK(made.cooperation->counts[1] == std::vector<bool>{true, true, false, false, false, false});
  // Games that name nothing count nothing, as long as they are played once.
  CHECK_FALSE(made.counts_cooperation);
}

TEST_CASE("classic: an action that the game's data names is cooperation whatever it pays") {
  const std::string game =
      R"({"name": "g", "players": ["A", "B"], "actions": [["a", "b"], ["a", "b"]],
          "cooperate": "b", "payoffs": [[2, 1], [0, 0], [0, 0], [1, 2]]})";
  const auto played = ScriptedMatch(classic::game(), R"({"game": )" + game + R"(, "periods": 3})")
                          .agent(0, TitForTat({}))
                          .seat(1, choices("221"))
                          .play();
  CHECK(chosen(played, 0) == "222");
  CHECK(played.metric("cooperation") == Approx(5 / 6.0));
}

TEST_CASE("classic: settings of repeated play that make no sense are refused") {
  const auto why = [](const std::string& more) -> std::string {
    try {
      agon::test::read_settings(classic::game(), with_game("stag-hunt", more));
    } catch (const agon::Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(why("\"continuation\": 0.5").find("set periods") != std::string::npos);
  CHECK(why("\"tell_horizon\": false").find("set periods") != std::string::npos);
  CHECK(why("\"periods\": 0").find("periods") != std::string::npos);
  CHECK(why("\"periods\": 1001").find("periods") != std::string::npos);
  CHECK(why("\"periods\": 5, \"continuation\": 1.5").find("continuation") != std::string::npos);
  CHECK(why("\"periods\": 1000, \"continuation\": 0.5").empty());
}

namespace {

/// What the planner and `other` choose against each other.
std::pair<std::string, std::string> foreseen(const agon::Agent& planner, const agon::Agent& other,
                                             const std::string& game, int periods,
                                             const std::string& more = "") {
  const auto played =
      ScriptedMatch(classic::game(),
                    with_game(game, "\"periods\": " + std::to_string(periods) + more))
          .agent(0, planner)
          .agent(1, other)
          .play();
  return {chosen(played, 0), chosen(played, 1)};
}

}  // namespace

TEST_CASE("classic: two who look ahead play the equilibrium in every known period") {
  const classic::Foresight planner({});
  for (const int periods : {2, 5, 20})
    CHECK(foreseen(planner, planner, "prisoners-dilemma", periods) ==
          std::pair(std::string(static_cast<std::size_t>(periods), '2'),
                    std::string(static_cast<std::size_t>(periods), '2')));
  CHECK(foreseen(planner, planner, "stag-hunt", 4) ==
        std::pair<std::string, std::string>("1111", "1111"));
  CHECK(foreseen(planner, planner, "battle-of-sexes", 3).first == "111");
}

TEST_CASE("classic: who looks ahead finds the best plan against a strategy that it expects") {
  const auto expecting = [](classic::Rival rival) {
    classic::ForesightParams params;
    params.expects = rival;
    return classic::Foresight(params);
  };
  // Cooperation pays until the last period, after which nobody can answer.
  const std::pair<std::string, std::string> best{"111112", "111111"};
  CHECK(foreseen(expecting(classic::Rival::grim), Grim({}), "prisoners-dilemma", 6) == best);
  CHECK(foreseen(expecting(classic::Rival::tit_for_tat), TitForTat({}), "prisoners-dilemma", 6) ==
        best);
  CHECK(foreseen(expecting(classic::Rival::win_stay_lose_shift), Pavlov({}), "prisoners-dilemma",
                 6) == best);
  // Without a known end there is no last period.
  CHECK(foreseen(expecting(classic::Rival::grim), Grim({}), "prisoners-dilemma", 6,
                 ", \"tell_horizon\": false")
            .first == "111111");
  // Who is not what was expected is seen through.
  CHECK(against(expecting(classic::Rival::grim), "prisoners-dilemma", "222222") == "122222");
}

TEST_CASE("classic: who looks ahead replies to what was seen") {
  const classic::Foresight planner({});
  using Both = std::pair<std::string, std::string>;
  // Nobody rational begins with 1: what follows tells grim, which never forgives, from tit-for-tat.
  CHECK(foreseen(planner, Grim({}), "prisoners-dilemma", 6) == Both{"221122", "122222"});
  CHECK(foreseen(planner, TitForTat({}), "prisoners-dilemma", 6) == Both{"221112", "122111"});
  CHECK(foreseen(planner, TitForTat({}), "prisoners-dilemma", 10) ==
        Both{"2211111112", "1221111111"});
  CHECK(foreseen(planner, Pavlov({}), "prisoners-dilemma", 6) == Both{"221112", "121111"});
  // Too near to the end it does not pay to make peace.
  CHECK(foreseen(planner, TitForTat({}), "prisoners-dilemma", 3) == Both{"222", "122"});
  CHECK(against(planner, "prisoners-dilemma", "111111") == "222222");
  CHECK(against(planner, "stag-hunt", "22222") == "12222");
  CHECK(against(planner, "battle-of-sexes", "2222") == "1222");
  // One who always plays the same is beaten even where the equilibrium is a draw.
  CHECK(against(planner, "rock-paper-scissors", "111111").substr(3) == "222");
}

TEST_CASE("classic: who looks ahead leaves a drawn equilibrium for what was seen") {
  const classic::Foresight planner({});
  // No strategy plays 1 and now and then 2: the reply is to how often it did.
  CHECK(against(planner, "rock-paper-scissors", "111111121111111211111").substr(3) ==
        std::string(18, '2'));
  // Nobody rational plays 3, which is worse than anything: one period is enough to see it.
  const std::string pennies =
      R"({"game": {"name": "g", "players": ["A", "B"], "actions": [["a", "b"], ["a", "b", "c"]],
          "payoffs": [[1, -1], [-1, 1], [5, -5], [-1, 1], [1, -1], [6, -5]]}, "periods": 3})";
  for (std::uint64_t luck = 1; luck <= 5; ++luck)
    CHECK(chosen(ScriptedMatch(classic::game(), pennies)
                     .luck(luck)
                     .agent(0, planner)
                     .seat(1, choices("333"))
                     .play(),
                 0)
              .substr(1) == "22");
}

TEST_CASE("classic: who looks ahead counts a period as much as it is likely to come") {
  classic::ForesightParams params;
  params.expects = classic::Rival::grim;
  const classic::Foresight planner(params);
  const auto first = [&](const std::string& more) {
    return foreseen(planner, Grim({}), "prisoners-dilemma", 30, more).first.front();
  };
  CHECK(first(R"(, "continuation": 0.05)") == '2');
  CHECK(first(R"(, "continuation": 0.9)") == '1');
  // What nobody tells it cannot count.
  CHECK(first(R"(, "continuation": 0.05, "tell_horizon": false)") == '1');
  const auto played =
      ScriptedMatch(classic::game(), with_game("stag-hunt", R"("periods": 2, "continuation": 1)"))
          .seat(0, choices("11"))
          .seat(1, choices("11"))
          .play();
  CHECK(played.asked.front().view_json.find("continuation") == std::string::npos);
}

TEST_CASE("classic: where cooperation is not defined nobody is expected to reciprocate") {
  classic::ForesightParams params;
  params.expects = classic::Rival::grim;
  for (const std::string game : {"rock-paper-scissors", "battle-of-sexes"})
    CHECK(against(classic::Foresight(params), game, "11212") ==
          against(classic::Foresight({}), game, "11212"));
}

TEST_CASE("classic: who looks ahead says which games it does not play") {
  const agon::AgentCard card = classic::foresight_card();
  const auto why = [&](const std::string& game) {
    const agon::Settings settings =
        agon::test::read_settings(classic::game(), with_game(game, "\"rounds\": 0"));
    return card.check(settings.get());
  };
  CHECK(why("escalation").find("tree") != std::string::npos);
  CHECK(why("duopoly").empty());
}
