#include <memory>

#include "catch.hpp"
#include "llm/turn.hpp"
#include "model_table.hpp"

// What a model is told after an answer that came to nothing, and how often.
namespace {

using namespace agon;
using namespace agon::test;

/// A bargain in which the buyer, on its third turn, is met by what `answer` makes of the first,
/// second, ... call for that turn.
struct Bargain {
  using Answer = std::function<ModelCall(int attempt, const ModelRequest& request)>;
  Bargain(Answer answer, Ledgers* ledgers = nullptr) {
    model = std::make_shared<ScriptedModel>([n = 0, answer](const ModelRequest& request) mutable {
      ++n;
      if (n >= 3) {
        ModelCall call = answer(n - 3, request);
        if (call.fault != Fault::ok) return call;
      }
      return said(R"({"talk":"TURN )" + std::to_string(n) + R"(","action":{"kind":"reject"}})");
    });
    const auto seller = saying(R"({"talk":"no","action":{"kind":"reject"}})");
    ModelTable table("bargaining", R"({"max_turns": 6})");
    table.model(0, "", model).model(1, "", seller);
    if (ledgers != nullptr) table.ledgers(*ledgers);
    result = table.play();
  }
  [[nodiscard]] std::size_t faults(Fault fault) const {
    return result.faults[0][static_cast<std::size_t>(fault)];
  }
  [[nodiscard]] std::string prompt(std::size_t call) const {
    return model->asked().at(call).text();
  }

  std::shared_ptr<ScriptedModel> model;
  MatchResult result;
};

ModelCall too_long() {
  ModelCall call = said("", Fault::truncated);
  call.finish = "context_length";
  return call;
}

TEST_CASE("an answer that was cut off is asked for again, ever more briefly") {
  const Bargain b([](int attempt, const ModelRequest&) {
    return said("half an ans", attempt < 2 ? Fault::truncated : Fault::ok);
  });
  REQUIRE(b.result.end == End::finished);
  CHECK(b.faults(Fault::truncated) == 2);
  CHECK_FALSE(has(b.prompt(2), "short"));
  CHECK(has(b.prompt(3), "before the answer itself short"));
  CHECK(has(b.prompt(4), "one short sentence"));
  CHECK(b.result.forced[0] == 0);
}

TEST_CASE("a refusal is asked about once more, and no more") {
  const Bargain b([](int, const ModelRequest&) { return said("", Fault::refused); });
  REQUIRE(b.result.end == End::finished);
  CHECK(b.faults(Fault::refused) == 2);
  CHECK(b.result.forced[0] == 1);
}

TEST_CASE(
    "who refused is told that another refusal is the last, and others how many tries are left") {
  const auto model = std::make_shared<ScriptedModel>([n = 0](const ModelRequest&) mutable {
    ++n;
    return n == 2 ? said("", Fault::refused) : said(n < 4 ? "no JSON" : R"({"bid":5})");
  });
  ModelTable("water-allocation", R"({"days": 1})")
      .model(0, "", model)
      .everybody("", saying(R"({"bid":0})"))
      .play_to_end();
  const auto asked = model->asked();
  REQUIRE(asked.size() == 4);
  const std::string prompt = asked.back().text();
  check_has(prompt,
            {"You have 3 tries left; after them the arena plays for you: no bid.",
             "You have 2 tries left, and another refusal is the last; then the arena plays for "
             "you: no bid.",
             "This is your last try"});
}

TEST_CASE("words that could not be read come back with the reason like any other answer") {
  const auto model = std::make_shared<ScriptedModel>([n = 0](const ModelRequest& request) mutable {
    if (request.purpose == "extract") return said(++n < 3 ? "{}" : R"({"bid":5})");
    return said("WORDS " + std::to_string(n));
  });
  const MatchResult result = ModelTable("water-allocation", R"({"days": 1})")
                                 .model(0, "reasoning=free-text", model)
                                 .everybody("", saying(R"({"bid":0})"))
                                 .play_to_end();
  REQUIRE(model->count("say") == 3);
  const auto asked = model->asked();
  const auto& last = asked.at(4).messages;
  std::string said_before;
  for (const ChatMessage& m : last)
    if (m.role == "assistant") said_before += m.text + ";";
  CHECK(said_before == "WORDS 0;WORDS 1;");
  CHECK(has(asked.at(4).text(),
            "Your answer was turned down: your words do not say clearly what you decide.\n"
            "You have 3 tries left; after them the arena plays for you: no bid."));
  CHECK(has(asked.at(4).last(), "You have 2 tries left"));
  // The second call reads, and is told of no refusal.
  CHECK_FALSE(has(asked.at(5).text(), "turned down"));
  // A refusal to speak is one.
  CHECK(result.forced[0] == 0);
}

TEST_CASE("what does not fit is sent once more with half of the memory") {
  Ledgers ledgers;
  const Bargain b(
      [](int attempt, const ModelRequest&) { return attempt == 0 ? too_long() : said("ok"); },
      &ledgers);
  REQUIRE(b.result.end == End::finished);
  CHECK(b.faults(Fault::truncated) == 0);
  CHECK(b.result.forced[0] == 0);
  const std::string first = R"({"talk":"TURN 1")";
  CHECK(has(b.prompt(2), first));
  CHECK(has(b.prompt(3), "no room for it"));
  CHECK_FALSE(has(b.prompt(3), first));
  CHECK(has(b.prompt(3), "The rules:"));
  CHECK(b.model->asked().at(3).messages.at(1).role == "user");
  CHECK(b.model->asked().at(3).last().ends_with(b.model->asked().at(2).last()));

  // The record has both, and is enough to play the match again.
  ledgers.close();
  const Bargain again([](int, const ModelRequest&) { return said("never asked"); }, &ledgers);
  CHECK(again.result.end == End::finished);
  CHECK(again.model->asked().empty());
  CHECK(again.result.record == b.result.record);
}

/// What a part that asks with these messages has sent, the first one being too long.
std::vector<std::vector<ChatMessage>> sent_for(const std::vector<ChatMessage>& messages) {
  const auto model = std::make_shared<ScriptedModel>(
      [n = 0](const ModelRequest&) mutable { return n++ == 0 ? too_long() : said("so"); });
  const llm::AgentModels models{model};
  const OwnedQuestion question;
  llm::Parts parts;
  parts.memory = catalogue().make<PartKind::memory>("whole", "");
  parts.learning = catalogue().make<PartKind::learning>("none", "");
  const llm::Prompts prompts(std::make_shared<PromptSet>());
  const llm::DataStyle style;
  llm::LineCache cache;
  llm::Turn turn(question, parts, prompts, models, style, cache,
                 std::chrono::steady_clock::time_point::max());
  (void)turn.call({.purpose = "answer", .messages = messages});
  std::vector<std::vector<ChatMessage>> sent;
  for (const ScriptedModel::Asked& a : model->asked()) sent.push_back(a.messages);
  return sent;
}

/// "user:text" and so on, without the words that say that something is left out.
std::vector<std::string> kept(const std::vector<ChatMessage>& messages) {
  std::vector<std::string> all;
  for (const ChatMessage& m : messages) {
    const std::string note = "(What came before this is left out: there is no room for it.)\n\n";
    const bool noted = m.text.starts_with(note);
    all.push_back(m.role + (noted ? "!" : ":") + m.text.substr(noted ? note.size() : 0));
  }
  return all;
}

TEST_CASE("of what is remembered the older half goes, and answers whose question is gone") {
  using Texts = std::vector<std::string>;
  // Nothing stands between the first message and the last.
  CHECK(sent_for({{"system", "s"}, {"user", "q"}}).size() == 1);
  // However little does, it can go.
  const auto one = sent_for({{"system", "s"}, {"user", "old"}, {"user", "q"}});
  REQUIRE(one.size() == 2);
  CHECK(kept(one[1]) == Texts{"system:s", "user!q"});

  const auto halves = sent_for({{"system", "s"},
                                {"user", "1111"},
                                {"assistant", "2222"},
                                {"user", "3333"},
                                {"assistant", "4444"},
                                {"user", "q"}});
  REQUIRE(halves.size() == 2);
  CHECK(kept(halves[1]) == Texts{"system:s", "user!3333", "assistant:4444", "user:q"});

  const auto answers = sent_for({{"system", "s"},
                                 {"user", "a long one"},
                                 {"assistant", "2"},
                                 {"user", "3"},
                                 {"assistant", "4"},
                                 {"user", "q"}});
  REQUIRE(answers.size() == 2);
  CHECK(kept(answers[1]) == Texts{"system:s", "user!3", "assistant:4", "user:q"});
}

TEST_CASE("with nothing remembered there is nothing to leave out") {
  const auto model =
      std::make_shared<ScriptedModel>([](const ModelRequest&) { return too_long(); });
  const auto other = saying(R"({"talk":"no","action":{"kind":"reject"}})");
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 1})")
                                 .model(0, "", model)
                                 .model(1, "", other)
                                 .play_to_end();
  CHECK(model->asked().size() == 1);
  CHECK(result.forced[0] == 1);
}

TEST_CASE("a recorded call is used for the purpose it was made for, and for no other") {
  Ledgers ledgers;
  const auto play = [&] {
    const auto model = saying(R"({"talk":"so","action":{"kind":"quit"}})");
    const MatchResult result = ModelTable("bargaining", R"({"max_turns": 1})")
                                   .model(0, "", model)
                                   .model(1, "", std::make_shared<ScriptedModel>())
                                   .ledgers(ledgers)
                                   .play();
    return std::pair(result.end, model->asked().size());
  };
  CHECK(play() == std::pair(End::finished, std::size_t{1}));
  CHECK(play() == std::pair(End::finished, std::size_t{0}));
  REQUIRE(ledgers.calls.size() == 1);
  ledgers.calls.begin()->second.purpose = "reflect";
  CHECK(play() == std::pair(End::finished, std::size_t{1}));
  ledgers.calls.begin()->second.messages.back().text += "?";
  CHECK(play() == std::pair(End::finished, std::size_t{1}));
  ledgers.calls.begin()->second.messages.back().role = "assistant";
  CHECK(play() == std::pair(End::finished, std::size_t{1}));
}

TEST_CASE("what does not fit with half of the memory is not asked again") {
  Ledgers ledgers;
  const Bargain b([](int, const ModelRequest&) { return too_long(); }, &ledgers);
  REQUIRE(b.result.end == End::finished);
  CHECK(b.faults(Fault::truncated) == 1);
  CHECK(b.model->asked().size() == 2 + 2);
  CHECK(b.result.forced[0] == 1);

  ledgers.close();
  const Bargain again([](int, const ModelRequest&) { return said("never asked"); }, &ledgers);
  CHECK(again.result.record == b.result.record);
}

}  // namespace
