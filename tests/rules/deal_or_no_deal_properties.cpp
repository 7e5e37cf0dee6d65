// What holds in every match of Deal or No Deal, and how settings are taken.

#include <agon/error.hpp>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "deal-or-no-deal/play.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal_or_no_deal_support.hpp"
#include "settings/settings.hpp"
#include "support/folders.hpp"
#include "support/settings.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

const std::string several =
    R"({"instances": [
      {"id": "a", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]},
      {"id": "b", "counts": [2, 3, 1], "values": [[5, 0, 0], [1, 2, 2]]},
      {"id": "c", "counts": [4, 1, 1], "values": [[1, 6, 0], [2, 1, 1]]},
      {"id": "d", "counts": [5, 2], "values": [[2, 0], [0, 5]]},
      {"id": "e", "counts": [1, 1, 1, 1, 1, 1, 1, 1],
       "values": [[0, 1, 0, 2, 0, 3, 0, 4], [4, 0, 3, 0, 2, 0, 1, 0]]}])";

agon::DataFolders shipped_folders() {
  agon::DataFolders folders;
  folders.beside = (agon::test::source_folder() / "games/deal-or-no-deal/data").string();
  return folders;
}

std::string refusal(const std::string& settings) {
  try {
    (void)agon::test::read_settings(dond(), settings, "test");
  } catch (const agon::Error& error) {
    return error.problem();
  }
  return "";
}

/// What a seat was asked and told, as one text.
std::string seen_by(int seat, const Played& played) {
  std::string text;
  for (const auto& asked : played.asked) {
    if (asked.seat == seat) text += asked.stage + asked.view_json + "\n";
  }
  for (const auto& said : played.said) {
    if ((said.audience >> seat & 1U) != 0) text += said.name + said.json + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("Deal or No Deal: in random play every deal keeps to what there is") {
  const agon::test::DrawingAgent drawing;
  for (const std::string protocol :
       {R"("negotiation", "deal_match": "le")", R"("negotiation", "deal_match": "eq")",
        R"("alternating_offers", "discount": 0.9, "prob_end": 0.05)"}) {
    int deals = 0;
    for (std::uint64_t luck = 1; luck <= 150; ++luck) {
      const auto played =
          ScriptedMatch(dond(),
                        several + R"(, "swap_sides": "drawn", "protocol": )" + protocol + "}")
              .agent(0, drawing)
              .agent(1, drawing)
              .luck(luck)
              .play();
      const double joint = played.metric("value", 0) + played.metric("value", 1);
      CHECK(joint == played.metric("joint_value"));
      CHECK(joint <= played.metric("best_joint"));
      for (const int seat : {0, 1}) {
        CHECK(played.outcome[seat].score >= played.outcome[seat].disagreement);
        CHECK(played.outcome[seat].score <= played.outcome[seat].ideal);
        CHECK(played.outcome[seat].score == played.metric("value", seat) * played.metric("factor"));
        CHECK(played.outcome[seat].ideal == 10);
      }
      if (played.metric("agreement") > 0) {
        ++deals;
        CHECK(played.metric("left_over") >= 0);
        if (protocol.find("le") == std::string::npos) CHECK(played.metric("left_over") == 0);
      } else {
        CHECK(played.outcome[0].score == 0);
        CHECK(played.outcome[1].score == 0);
        CHECK(played.metric("fair") == 0);
      }
      if (played.metric("fair") > 0) CHECK(played.metric("fair_possible") == 1);
      const double ended = played.metric("agreement") + played.metric("misfit") +
                           played.metric("walked_away") + played.metric("broken_down");
      CHECK(ended <= 1);
    }
    CHECK(deals > 0);
  }
}

TEST_CASE("Deal or No Deal: all metrics lie within their declared bounds") {
  const agon::test::DrawingAgent drawing;
  const EnvyFreeBayes bayes({});
  const auto check = [](const agon::Type& type, const auto& values) {
    REQUIRE(values.size() == type.fields.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      INFO(type.fields[i].name);
      CHECK(values[i] >= type.fields[i].min);
      CHECK(values[i] <= type.fields[i].max);
    }
  };
  for (std::uint64_t luck = 1; luck <= 60; ++luck) {
    // Exact beliefs over eight types take seconds: they sit at the small instances only.
    const bool exact = luck % 3 == 0;
    ScriptedMatch match(
        dond(), several +
                    (exact ? R"(, "instance": )" + std::to_string(luck / 3 % 4) : std::string()) +
                    (luck % 2 == 0 ? R"(, "protocol": "alternating_offers"})" : "}"));
    match.agent(0, drawing).luck(luck);
    if (exact) {
      match.agent(1, bayes);
    } else {
      match.agent(1, drawing);
    }
    const auto played = match.play();
    check(agon::type_of<MatchMetrics>(), played.outcome.match_metrics());
    for (const int seat : {0, 1}) {
      check(agon::type_of<SeatMetrics>(), played.outcome[seat].metrics);
    }
  }
}

TEST_CASE("Deal or No Deal: a seat sees nothing that depends on the other's values") {
  // The same values for seat 0; two different ones, of the same total, for seat 1.
  const auto with = [](const std::string& values, const std::string& protocol) {
    return R"({"instances": [{"id": "x", "counts": [1, 1, 3], "values": [[1, 3, 2], )" + values +
           R"(]}], "protocol": ")" + protocol + "\"}";
  };
  const Concede concede({});
  const auto spoken = [](const std::string& part) {
    return R"({"text": "", "action": {"kind": "offer", "keep": )" + part + "}}";
  };
  for (const std::string protocol : {"negotiation", "alternating_offers"}) {
    std::set<std::string> seen;
    for (const std::string values : {"[4, 0, 2]", "[1, 0, 3]", "[0, 10, 0]"}) {
      ScriptedMatch match(dond(), with(values, protocol));
      match.agent(0, concede);
      if (protocol == "negotiation") {
        match.seat(1, times(20, say("all mine", "[1, 1, 3]")) +
                          std::vector<std::string>{take("[1, 0, 1]")});
      } else {
        match.seat(1, times(5, spoken("[1, 1, 3]")));
      }
      seen.insert(seen_by(0, match.play()));
    }
    CHECK(seen.size() == 1);
  }
}

TEST_CASE("Deal or No Deal: both are told their own values, and only those") {
  const auto played = ScriptedMatch(dond(), over_point_0("")).play();
  CHECK(played.event("private", 0).audience == 1);
  CHECK(played.event("private", 1).audience == 2);
  CHECK(played.event("private", 1).json ==
        R"({"items":[{"item":"book","count":1,"value":4},{"item":"hat","count":1,"value":0},)"
        R"({"item":"ball","count":3,"value":2}],"maximum":10})");
  CHECK(played.event("instance").audience == 0);
}

TEST_CASE("Deal or No Deal: swapped sides change seats, not chance") {
  const auto off = ScriptedMatch(dond(), over_point_0("")).play();
  const auto on = ScriptedMatch(dond(), over_point_0(R"("swap_sides": "on")")).play();
  CHECK(on.event("private", 0).json == off.event("private", 1).json);
  CHECK(on.event("private", 1).json == off.event("private", 0).json);
  std::set<std::string> drawn;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    drawn.insert(ScriptedMatch(dond(), over_point_0(R"("swap_sides": "drawn")"))
                     .luck(luck)
                     .play()
                     .event("private", 0)
                     .json);
  }
  CHECK(drawn.size() == 2);
}

TEST_CASE("Deal or No Deal: the instance is fixed or drawn, each as often") {
  std::array<int, 5> drawn{};
  for (std::uint64_t luck = 1; luck <= 500; ++luck) {
    const auto played = ScriptedMatch(dond(), several + "}").luck(luck).play();
    ++drawn[static_cast<std::size_t>(played.metric("instance"))];
  }
  for (const int n : drawn) {
    CHECK(n > 65);
    CHECK(n < 135);
  }
  for (std::uint64_t luck = 1; luck <= 5; ++luck) {
    const auto played = ScriptedMatch(dond(), several + R"(, "instance": 3})").luck(luck).play();
    CHECK(played.metric("instance") == 3);
    CHECK(played.event("private", 0).json ==
          R"({"items":[{"item":"book","count":5,"value":2},{"item":"hat","count":2,"value":0}],)"
          R"("maximum":10})");
  }
}

TEST_CASE("Deal or No Deal: types beyond the named ones get names of their own") {
  const auto played = ScriptedMatch(dond(), several + R"(, "instance": 4})").play();
  CHECK(played.event("private", 0).json.find(R"({"item":"item 8","count":1,"value":4})") !=
        std::string::npos);
}

TEST_CASE("Deal or No Deal 2.2: instances from chance keep the constraints") {
  deal_or_no_deal::Settings settings;
  std::set<std::string> texts;
  for (std::uint64_t key = 1; key <= 10; ++key) {
    const Instance instance = make_instance(settings, key);
    CHECK(problems(instance).empty());
    CHECK(keeps(instance));
    CHECK(instance == make_instance(settings, key));
    texts.insert(text(instance.counts) + ";" + text(instance.values[0]) + ";" +
                 text(instance.values[1]));
  }
  CHECK(texts.size() == 10);
  const auto once = ScriptedMatch(dond(), R"({"instances": []})").play();
  const auto again = ScriptedMatch(dond(), R"({"instances": []})").play();
  CHECK(once.record == again.record);
  CHECK(std::isnan(once.metric("instance")));
  CHECK(once.outcome[0].ideal == 10);
}

TEST_CASE("Deal or No Deal: settings that make no sense are refused with the reason") {
  CHECK(refusal(over_point_0("")).empty());
  CHECK(refusal(R"({"instances": [{"id": "z", "counts": [1, 1], "values": [[5, 5], [5, 4]]}]})") ==
        "instance 0 (\"z\"): everything is worth 9 to side 1, but total_value is 10; set "
        "total_value to 0 if it differs");
  CHECK(refusal(R"({"total_value": 0,
                    "instances": [{"id": "z", "counts": [1, 1], "values": [[5, 5], [5, 4]]}]})")
            .empty());
  CHECK(refusal(R"({"instances": [{"id": "z", "counts": [1, 1], "values": [[5, 5], [5]]}]})") ==
        "instance 0 (\"z\"): the second side has 1 values for 2 item types");
  CHECK(refusal(over_point_0(R"("instance": 1)")) ==
        "instance is 1, but there are 1 instances, counted from 0");
  CHECK(refusal(R"({"instances": [], "instance": 0})") ==
        "there is no list of instances to take a fixed instance from");
  CHECK(refusal(over_point_0(R"("items": ["pen", "pen"])")) == "two item types are called \"pen\"");
  CHECK_FALSE(refusal(over_point_0(R"("max_turns": 0)")).empty());
  CHECK_FALSE(refusal(over_point_0(R"("prob_end": 1.5)")).empty());
}

TEST_CASE("Deal or No Deal: every preset is playable over the shipped instances") {
  for (const agon::Preset& preset : presets()) {
    const auto settings = agon::test::read_settings(
        dond(), R"({"preset": ")" + std::string(preset.name) + "\"}", "test", shipped_folders());
    CHECK(settings.reasks() == preset.reasks);
    const auto& read = *static_cast<const deal_or_no_deal::Settings*>(settings.get());
    CHECK(read.instances.size() == 1000);
    CHECK(check(read).empty());
    const bool offers = preset.name == "openspiel";
    CHECK((read.protocol == Protocol::alternating_offers) == offers);
    CHECK((settings.rules().find("10 points") != std::string::npos));
    CHECK((settings.rules().find("Offer number 10") != std::string::npos) == offers);
  }
}

TEST_CASE("Deal or No Deal: the rules text follows the settings") {
  deal_or_no_deal::Settings settings;
  settings.protocol = Protocol::alternating_offers;
  settings.discount = 0.9;
  settings.prob_end = 0.25;
  const auto text = rules_text(settings);
  CHECK(text.find("multiplies the scores of both sides by 0.9") != std::string::npos);
  CHECK(text.find("with probability 0.25") != std::string::npos);
  settings.protocol = Protocol::negotiation;
  CHECK(rules_text(settings).find("If no item is taken twice") != std::string::npos);
  settings.deal_match = DealMatch::eq;
  CHECK(rules_text(settings).find("If every item is taken exactly once") != std::string::npos);
}
