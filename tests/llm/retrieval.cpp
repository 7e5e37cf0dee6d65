// Memory that looks up the past events that have most to do with the question.
#include <agon/plugin.hpp>
#include <agon/table.hpp>
#include <memory>

#include "catch.hpp"
#include "llm/parts/parts.hpp"
#include "model_table.hpp"

namespace llm_retrieval_test {

using namespace agon;
using namespace agon::test;

TEST_CASE("relevance: rare words count for more, long texts for less, and case for nothing") {
  const std::vector<std::string> texts{"the river is low",
                                       "the Lamp is lit in the hall tonight and nobody knows why",
                                       "the lamp", "the cellar is dry"};
  const auto scores = llm::relevance(texts, "LAMP, the?");
  CHECK(scores[2] > scores[1]);
  CHECK(scores[1] > scores[0]);
  // Of words that all share little is left.
  CHECK(scores[0] > 0);
  CHECK(scores[0] < scores[1] / 2);
  CHECK(llm::relevance(texts, "lamp")[0] == 0);
  CHECK(llm::relevance({}, "lamp").empty());
  CHECK(llm::relevance(texts, "") == std::vector<std::int64_t>(4, 0));
  // Chinese writes no blanks.
  CHECK(llm::relevance({"\u6c34\u5f88\u5c11", "\u94b1\u5f88\u591a"}, "\u6c34")[0] > 0);
  CHECK(llm::relevance({"\u6c34\u5f88\u5c11", "\u94b1\u5f88\u591a"}, "\u6c34")[1] == 0);
}

// ---- a game that tells of one thing a round ----------------------------------------------------

struct Settings {
  int rounds = 8;
};
AGON_DESCRIBE(Settings, (rounds, "how many"))
struct Word {
  std::string word;
};
AGON_DESCRIBE(Word, (word, "what is told"))
struct Guess {
  int guess = 0;
};
AGON_DESCRIBE(Guess, (guess, "a number"))
struct Facts {
  std::string phase = "told";
};
AGON_DESCRIBE(Facts, (phase, "ends a round", agon::phase_event, agon::unit("round")))
Facts facts(const Settings&) {
  return {};
}
std::string tell_word(const Word& w, const Scene&) {
  return "Somebody spoke of the " + w.word + ", and of what has become of it.";
}
constexpr Stage<"guess", Guess, Word> kGuess{"Guess.", "", &tell_word};
constexpr Event<"told", Word> kTold{"a word", &tell_word};

constexpr std::string_view kWords[] = {"river", "lamp",  "cellar", "garden",
                                       "river", "attic", "bridge", "river"};

agon::Outcome play_words(Table<kGuess, kTold> table, const Settings& s) {
  for (int i = 0; i < s.rounds; ++i) {
    const std::string word(kWords[static_cast<std::size_t>(i) % std::size(kWords)]);
    (void)table.ask(0, kGuess, view([&] { return Word{word}; }));
    table.announce(kTold, Word{word});
  }
  return {{.score = 1, .disagreement = 0, .ideal = 1}};
}

/// The prompts of the questions under this memory.
std::vector<std::string> prompts(const std::string& memory) {
  GameCard card;
  card.title = "Words";
  card.rules = "Words are told, {{rounds}} of them.";
  card.facts = &agon::type_of<Facts>();
  card.facts_for = agon::facts<&facts>;
  card.seats = {1, 1};
  const Game words = game<&play_words>("words-of-tests", card);
  const auto model = saying(R"({"guess":4})");
  ModelTable(words).everybody("memory=" + memory, model).play_to_end();
  std::vector<std::string> all;
  for (const auto& asked : model->asked()) all.push_back(asked.text());
  return all;
}

TEST_CASE("memory: retrieval shows what has to do with the question in its order with dates") {
  const std::vector<std::string> all = prompts("retrieval");
  REQUIRE(all.size() == 8);
  CHECK_FALSE(has(all[0], "What happened before"));
  const std::string& last = all[7];
  INFO(last);
  const std::size_t heading = last.find("What happened before that may matter now, in its order:");
  REQUIRE(heading != std::string::npos);
  const std::string shown = last.substr(heading, last.find("\n\n", heading) - heading);
  const std::size_t first =
      shown.find("at the start:\n- you: guess 4\n- Somebody spoke of the river,");
  const std::size_t second =
      shown.find("after round 4:\n- you: guess 4\n- Somebody spoke of the river,");
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
  CHECK(first < second);
  // The news is not remembered as well.
  CHECK(has(last, "bridge"));
  CHECK_FALSE(has(shown, "bridge"));
  // It is a memory that shows no dialogue.
  CHECK_FALSE(has(last, "assistant:"));
}

TEST_CASE("memory: retrieval keeps to its room with the most relevant and of two alike the later") {
  const std::vector<std::string> all = prompts("retrieval:tokens=20");
  const std::string& last = all[7];
  INFO(last);
  CHECK(has(last, "after round 4:\n- Somebody spoke of the river,"));
  check_lacks(last, {"at the start:", "attic"});
  CHECK(prompts("retrieval:tokens=20") == all);
  CHECK_FALSE(has(prompts("none")[7], "attic"));
}

TEST_CASE("memory: retrieval plays every game") {
  for (const std::string_view game : game_ids()) {
    INFO(game);
    const auto model = std::make_shared<ScriptedModel>();
    CHECK(ModelTable(game).everybody("memory=retrieval:tokens=100", model).play().end ==
          End::finished);
  }
}

}  // namespace llm_retrieval_test
