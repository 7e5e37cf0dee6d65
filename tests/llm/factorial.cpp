#include <agon/plugin.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "catch.hpp"
#include "model_table.hpp"

namespace llm_factorial_test {

using namespace agon;
using namespace agon::test;

TEST_CASE("every architecture plays to the end, every two parts in every game") {
  // All of memory x planning x beliefs x reasoning, each in one or two of the games, so that each
  // game meets every pair of parts; persona, learning, form and tools vary along.
  const std::vector<std::string> memory{"whole",    "window:n=3", "window:phases=1",
                                        "notebook", "retrieval",  "none"};
  const std::vector<std::string> planning{"none", "static", "adaptive"};
  const std::vector<std::string> beliefs{"off", "on", "corrected"};
  const std::vector<std::string> reasoning{"direct", "chain-of-thought", "plan-bid-reflect",
                                           "k-level:k=1"};
  const std::vector<std::pair<std::string, std::string>> games{
      {"english-auction", R"({"arena": "demo", "seats": 2})"},
      {"water-allocation", R"({"days": 3})"},
      {"bargaining", R"({"max_turns": 2})"},
      {"deal-or-no-deal", R"({"max_rounds": 2})"},
      {"deal-or-no-deal", R"({"protocol": "alternating_offers", "max_turns": 4})"}};
  std::size_t n = 0;
  for (std::size_t g = 0; g < games.size(); ++g)
    for (std::size_t m = 0; m < memory.size(); ++m)
      for (std::size_t p = 0; p < planning.size(); ++p)
        for (std::size_t b = 0; b < beliefs.size(); ++b)
          for (std::size_t r = 0; r < reasoning.size(); ++r) {
            if ((g + m + p + b + r) % 3 != 0) continue;
            const std::string parts =
                "memory=" + memory[m] + " planning=" + planning[p] + " beliefs=" + beliefs[b] +
                " reasoning=" + reasoning[r] + (n % 2 == 0 ? " form=schema" : " form=tags") +
                (n % 3 == 0 ? " persona=stance:is=wary" : "") + (n % 4 == 0 ? " learning=on" : "") +
                (n % 5 == 0 ? " tools=calculator-and-own-moves" : "");
            ++n;
            const auto& [game, settings] = games[g];
            const auto model = std::make_shared<ScriptedModel>();
            const MatchResult result = ModelTable(game, settings).everybody(parts, model).play();
            if (result.end == End::finished && !model->asked().empty()) continue;
            FAIL(game << " " << parts << ": " << result.problem);
          }
  CHECK(n == 5 * 6 * 3 * 3 * 4 / 3);
}

// ---- what a part adds --------------------------------------------------------------------------

struct Added {
  std::string part;                ///< beside the defaults
  std::vector<std::string> marks;  ///< one of them is in each line that the part adds
};

/// All lines of the requests of that purpose, with how often each stands in each.
std::vector<std::map<std::string, int>> lines_of(const ScriptedModel& model,
                                                 std::string_view purpose) {
  std::vector<std::map<std::string, int>> all;
  for (const ScriptedModel::Asked& a : model.asked()) {
    if (a.purpose != purpose) continue;
    all.emplace_back();
    for (const ChatMessage& m : a.messages) {
      std::istringstream text(m.text);
      for (std::string line; std::getline(text, line);)
        if (!line.empty()) ++all.back()[line];
    }
  }
  return all;
}

TEST_CASE("two architectures differ in what the part that differs says and in nothing else") {
  const std::vector<Added> parts{
      {"planning=static", {"Your plan, written", "WROTE plan"}},
      {"planning=adaptive", {"Your plan, written", "WROTE plan"}},
      {"beliefs=on", {"by your own account, written", "WROTE beliefs"}},
      {"reasoning=chain-of-thought", {"Before you answer, think it through"}},
      {"reasoning=predict-then-act", {"Before you decide, predict"}},
      {"reasoning=k-level:k=1", {"What you expect of the others:", "WROTE k-level"}},
      {"reasoning=reflect", {"Your experience so far:", "WROTE reflect"}},
      {"reasoning=plan-bid-reflect", {"What you mean to do:", "WROTE intend"}},
      {"persona=text:words=MISER", {"MISER", "You are nobody"}},
      // A model that calls none of them is shown nothing else.
      {"tools=calculator-and-own-moves", {}},
      {"form=tags", {"between <answer> and </answer>", "{\"type\""}},
  };
  const auto kind = [](const std::string& part) { return part.substr(0, part.find('=')); };
  const std::vector<std::string> memories{"whole",    "window:n=3", "window:phases=1",
                                          "notebook", "retrieval",  "none"};
  const std::vector<std::pair<std::string, std::string>> games{
      {"water-allocation", R"({"days": 3})"}, {"bargaining", R"({"max_turns": 3})"}};
  for (const auto& [game, settings] : games) {
    const std::string answer =
        game == "bargaining" ? R"({"talk":"T","action":{"kind":"reject"}})" : R"({"bid":1})";
    const auto play = [&](const std::string& with) {
      const auto speak = [&](const ModelRequest& request) {
        return said(request.purpose == "answer" ? "<answer>" + answer + "</answer>"
                                                : "WROTE " + std::string(request.purpose));
      };
      auto model = std::make_shared<ScriptedModel>(speak);
      ModelTable(game, settings)
          .model(0, with, model)
          .everybody("", std::make_shared<ScriptedModel>(speak))
          .play_to_end();
      return model;
    };
    for (const std::string& memory : memories)
      for (std::size_t b = 0; b <= parts.size(); ++b) {
        // Beside every other part, and beside none.
        const std::string beside =
            "memory=" + memory + (b == parts.size() ? "" : " " + parts[b].part);
        const auto without = play(beside);
        for (const Added& added : parts) {
          if (b < parts.size() && kind(parts[b].part) == kind(added.part)) continue;
          const auto with = play(beside + " " + added.part);
          for (const std::string purpose : {"answer", "notebook", "plan", "beliefs"}) {
            if (purpose == kind(added.part) ||
                (purpose == "plan" && kind(added.part) == "planning"))
              continue;
            INFO(game << ": " << added.part << " beside " << beside << ", " << purpose);
            const auto off = lines_of(*without, purpose), on = lines_of(*with, purpose);
            REQUIRE(off.size() == on.size());
            for (std::size_t i = 0; i < off.size(); ++i) {
              for (const auto& [line, n] : off[i]) {
                INFO("left out: " << line);
                const auto found = on[i].find(line);
                CHECK((found != on[i].end() && found->second >= n));
              }
              for (const auto& [line, n] : on[i]) {
                const auto found = off[i].find(line);
                if (found != off[i].end() && found->second >= n) continue;
                INFO("added: " << line);
                CHECK(std::any_of(
                    added.marks.begin(), added.marks.end(),
                    [&](const std::string& m) { return line.find(m) != std::string::npos; }));
              }
            }
          }
        }
      }
  }
}

TEST_CASE("model agents are what they were: the same random numbers give the same record") {
  for (const std::string game : {"english-auction", "bargaining"}) {
    const std::string parts =
        "memory=notebook planning=adaptive beliefs=corrected reasoning=plan-bid-reflect";
    const auto play = [&] {
      return ModelTable(game).everybody(parts, std::make_shared<ScriptedModel>()).play().record;
    };
    const std::string first = play();
    CHECK_FALSE(first.empty());
    CHECK(play() == first);
  }
}

// ---- a game that nobody has met before ---------------------------------------------------------

struct Settings {
  int pie = 10;
};
AGON_DESCRIBE(Settings, (pie, "coins to split", at_least(1), unit("coins")))
struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over", unit("coins")))
struct Consent {
  bool accept = false;
};
AGON_DESCRIBE(Consent, (accept, "true takes the offer, false leaves both with nothing"))
struct Seen {
  int offered = 0;
};
AGON_DESCRIBE(Seen, (offered, "coins on the table", unit("coins")))

constexpr Stage<"offer", Offer> kOffer{"how many coins you hand over"};
constexpr Stage<"reply", Consent, Seen> kReply{"whether you take the offer"};
std::string tell_offer(const Offer& offer, const Scene&) {
  return "Seat 0 hands over " + std::to_string(offer.give) + " coins.";
}
constexpr Event<"offer", Offer> kOffered{"what seat 0 hands over", &tell_offer};

agon::Outcome play_ultimatum(Table<kOffer, kReply, kOffered> table, const Settings& s) {
  const auto offer = table.ask(0, kOffer, limit(&Offer::give, 0, s.pie));
  table.announce(kOffered, offer);
  const auto reply = table.ask(1, kReply, view([&] { return Seen{offer.give}; }));
  const int kept = reply.accept ? s.pie - offer.give : 0;
  return {{.score = kept, .disagreement = 0, .ideal = s.pie},
          {.score = reply.accept ? offer.give : 0, .disagreement = 0, .ideal = s.pie}};
}

TEST_CASE("a game without prompt files is played by its rules, views and schemas") {
  GameCard card;
  card.title = "Ultimatum";
  card.rules = "Seat 0 hands seat 1 some of {{pie}} coins; seat 1 agrees, or none gets any.";
  const Game ultimatum = game<&play_ultimatum>("ultimatum-of-tests", card);
  const auto model = std::make_shared<ScriptedModel>();
  const MatchResult result =
      ModelTable(ultimatum, R"({"pie": 37})")
          .everybody("memory=notebook planning=static reasoning=chain-of-thought", model)
          .play_to_end();
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::ok)] == 1);
  const auto asked = model->asked();
  CHECK(asked.front().text().find("37 coins") != std::string::npos);
  CHECK(asked.back().text().find("offered  ") != std::string::npos);
  CHECK(asked.back().text().find("- Seat 0 hands over ") != std::string::npos);
  CHECK(asked.back().last().find("coins on the table") == std::string::npos);
  CHECK(asked.back().schema.find("accept") != std::string::npos);
  for (const Finding& f : make_agent("", "ultimatum-of-tests", std::make_shared<ScriptedModel>())
                              ->preflight(ultimatum, prompts_of("ultimatum-of-tests").get(), {}))
    CHECK(f.level == Finding::Level::ok);
}

}  // namespace llm_factorial_test
