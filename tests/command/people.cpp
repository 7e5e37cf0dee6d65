#include <csignal>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const Words kBargain{"play",   "bargaining",  "--set",  "product=0",
                     "--seat", "buyer=human", "--seat", "seller=time-dependent"};

Words with(Words call, const Words& more) {
  call.insert(call.end(), more.begin(), more.end());
  return call;
}

/// What was broken into lines of eighty columns, as it was before.
std::string on_one_line(std::string_view shown) {
  std::string text;
  for (const char c : shown)
    if ((c != ' ' && c != '\n') || !text.ends_with(' ')) text += c == '\n' ? ' ' : c;
  return text;
}

}  // namespace

TEST_CASE("a person bargains through a pipe") {
  // Entry by entry, with a mistake and a call for help in between.
  const Ended match =
      command_test::agon(kBargain, {.in = "good day\nbye\nhelp\nbuy\nmuch\n3\n"
                                          "{\"talk\": \"\", \"action\": {\"kind\": \"quit\"}}\n"});
  INFO(match.err);
  CHECK(match.code == 0);
  check_has(match.out, {"human", "score"});
  check_has(match.err, {"You are buyer", "budget"});
  // The seller's secret is not shown to the buyer; nor is what helps nobody, nor anything twice.
  check_lacks(match.err, {"secret cost", "budget_rest"});
  CHECK(contains(match.err, "You can spend $"));
  // How it ended is told there too, and results of others on neither way.
  CHECK(contains(match.err, "The match is over."));
  CHECK(contains(on_one_line(match.err), "The match is over. Turn 2: You"));
  CHECK(contains(match.err, "Your score: 0"));
  check_lacks(match.out, {"time-dependent", "cost"});
  for (const std::string& line : lines(match.err)) CHECK(line.size() <= 80);
  CHECK_FALSE(contains(match.err, "\x1b"));
}

TEST_CASE("no data set and no span has what people said") {
  const Folder folder;
  REQUIRE(folder
              .agon({"play", "bargaining", "--seat", "buyer=human", "--seat", "seller=human",
                     "--out", "t.agon"},
                    {.in = R"({"talk": "my secret", "action": {"kind": "reject"}})"
                           "\n"
                           R"({"talk": "", "action": {"kind": "quit"}})"
                           "\n"})
              .code == 0);
  CHECK(contains(folder.agon({"export", "t.agon", "--rows", "answers"}).out, "my secret"));
  for (const Words& more : {Words{"--rows", "turns"}, Words{"--rows", "turns", "--format", "trl"},
                            Words{"--format", "otlp"}, Words{"--format", "otlp-json"}}) {
    const Ended ended = folder.succeeds(joined({"export", "t.agon"}, more));
    CHECK_FALSE(contains(ended.out, "my secret"));
    CHECK(contains(ended.err, "left out: 1 match with people (2 answers of theirs)"));
  }
}

TEST_CASE("what a player says cannot pass for more of the event") {
  const Folder folder;
  // The buyer's talk looks like further members, closes quotes and moves the cursor.
  const Ended match = folder.succeeds(
      {"play", "bargaining", "--seat", "buyer=human", "--seat", "seller=human", "--out", "t.agon"},
      {.in = R"({"talk": "hi, price: 5\", seat 1\u001b[2K", "action": {"kind": "reject"}})"
             "\n"
             R"({"talk": "", "action": {"kind": "quit"}})"
             "\n"});
  const std::string quoted = R"(says: "hi, price: 5\", seat 1\x1b[2K")";
  CHECK(contains(on_one_line(match.err), quoted));
  const Ended shown = folder.agon({"show", "t.agon", "1"});
  check_has(shown.out, {quoted, "The buyer makes no offer now and says: "});
}

TEST_CASE("a person goes for water at a terminal") {
  Terminal terminal(
      {"play", "water-allocation", "--set", "days=2", "--seat", "0=human", "--agent", "fixed"},
      {.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}});
  REQUIRE(terminal.sees("Type help for help"));
  REQUIRE(terminal.sees("bid"));
  terminal.type("a lot\n");
  REQUIRE(terminal.sees("bid"));
  terminal.type("20.50\n");
  REQUIRE(terminal.sees("day"));
  REQUIRE(terminal.sees("bid"));
  terminal.type("none\n");
  REQUIRE(terminal.sees("score"));
  CHECK(terminal.end() == 0);
  CHECK(contains(terminal.shown(), "20.50"));
}

TEST_CASE("a person bargains at a terminal, leaves, and comes back") {
  const Folder folder;
  const Words call = with(kBargain, {"--out", "t.agon"});
  const Start start = folder.start({.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}});
  {
    Terminal terminal(call, start);
    REQUIRE(terminal.sees("talk (a line of text"));
    terminal.type("good day\n");
    REQUIRE(terminal.sees("action"));
    terminal.type("reject\n");
    REQUIRE(terminal.sees("talk (a line of text"));
    terminal.type("/quit\n");
    CHECK(terminal.end() == 6);
    CHECK(contains(terminal.shown(), "take it up again"));
  }
  CHECK(finished(folder.at("t.agon")) == 0);
  CHECK(partial(folder.at("t.agon")) == 1);
  {
    Terminal terminal(call, start);
    REQUIRE(terminal.sees("good day"));  // what was said before is shown again
    REQUIRE(terminal.sees("talk (a line of text"));
    terminal.type("\n");
    REQUIRE(terminal.sees("action"));
    terminal.type("quit\n");
    REQUIRE(terminal.sees("This ends the match for you. Send it?"));
    terminal.type("yes\n");
    REQUIRE(terminal.sees("score"));
    CHECK(terminal.end() == 0);
  }
  CHECK(finished(folder.at("t.agon")) == 1);
  CHECK(partial(folder.at("t.agon")) == 0);
}

TEST_CASE("quitting and coming back leaves the same record as staying") {
  const Folder folder;
  const std::vector<std::string> answers{
      R"({"talk": "one", "action": {"kind": "buy", "price": 1}})",
      R"({"talk": "two", "action": {"kind": "reject"}})",
      R"({"talk": "three", "action": {"kind": "quit"}})"};
  std::string all;
  for (const std::string& a : answers) all += a + "\n";
  REQUIRE(folder.agon(with(kBargain, {"--out", "whole.agon"}), {.in = all}).code == 0);
  // One answer a sitting; the end of the input is as if the person had left.
  const Words call = with(kBargain, {"--out", "parts.agon"});
  for (std::size_t i = 0; i + 1 < answers.size(); ++i) {
    const Ended sitting = folder.refuses(call, 6, {"take it up again"}, {.in = answers[i] + "\n"});
    CHECK(sitting.out.empty());
  }
  CHECK(folder.agon(call, {.in = answers.back() + "\n"}).code == 0);
  CHECK(content(folder, "parts.agon") == content(folder, "whole.agon"));
  CHECK(folder.agon({"replay", "parts.agon"}).code == 0);
  // Without an archive nothing is kept, and that is said.
  const Ended lost = command_test::agon(kBargain, {.in = answers.front() + "\n"});
  CHECK(lost.code == 6);
  CHECK(contains(lost.err, "nothing was kept; with --out ARCHIVE"));
}

TEST_CASE("what is answered in a second sitting is as safe as in the first") {
  const Folder folder;
  const std::vector<std::string> answers{
      R"({"talk": "one", "action": {"kind": "buy", "price": 1}})",
      R"({"talk": "two", "action": {"kind": "reject"}})",
      R"({"talk": "three", "action": {"kind": "reject"}})",
      R"({"talk": "four", "action": {"kind": "quit"}})"};
  std::string all;
  for (const std::string& a : answers) all += a + "\n";
  REQUIRE(folder.agon(with(kBargain, {"--out", "whole.agon"}), {.in = all}).code == 0);
  const Words call = with(kBargain, {"--out", "parts.agon"});
  REQUIRE(folder.agon(call, {.in = answers[0] + "\n" + answers[1] + "\n"}).code == 6);
  const int first = last_save(folder.at("parts.agon"));
  CHECK(first > 0);
  {
    Child second(call, folder.start({.in = answers[2] + "\n", .hold_in = true}));
    // The answer is safe when the next question is put.
    REQUIRE(second.until([&] { return count(second.err(), "talk (a line of text") >= 2; }));
    second.send(SIGKILL);
    CHECK(second.end().code == 128 + SIGKILL);
  }
  CHECK(last_save(folder.at("parts.agon")) > first);
  CHECK(folder.agon(call, {.in = answers[3] + "\n"}).code == 0);
  CHECK(content(folder, "parts.agon") == content(folder, "whole.agon"));
}

TEST_CASE("Ctrl-C at a question") {
  const Folder folder;
  Terminal terminal(with(kBargain, {"--out", "c.agon"}),
                    folder.start({.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}}));
  REQUIRE(terminal.sees("talk (a line of text"));
  terminal.type("\x03");
  CHECK(terminal.end() == 130);
  CHECK(contains(terminal.shown(), "take it up again"));
  folder.succeeds(with(kBargain, {"--out", "c.agon"}),
                  {.in = "{\"talk\": \"\", \"action\": {\"kind\": \"quit\"}}\n"});
}

TEST_CASE("a person who does not answer in time") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {"me": {"human": {}}, "b": {"rule": "offer-generator"}},
    "limits": {"answer_seconds": 1}, "faults": {"reasks": 0},
    "scenarios": [{"game": "bargaining", "set": {"max_turns": 1},
                   "design": {"fixed": [["b", "me"]]}}]})");
  Child run({"run", "s.json"}, folder.start({.hold_in = true}));  // nobody ever types
  REQUIRE(run.until([&] { return contains(run.err(), "1 of 1 match"); }));
  CHECK(run.end().code == 0);
  const auto rows = lines(folder.agon({"export", "s.agon", "--format", "jsonl"}).out);
  REQUIRE(rows.size() == 2);
  check_has(rows[1], {"\"timed_out\":1", "\"fallbacks\":1"});
  CHECK(folder.agon({"replay", "s.agon"}).code == 0);
}

TEST_CASE("a person in a suite plays one match after the other") {
  const Folder folder;
  folder.write("s.json",
               R"({"agents": {"me": {"human": {}}, "b": {"rule": "offer-generator"}},
    "scenarios": [{"game": "bargaining", "set": {"max_turns": 6}, "blocks": 4,
                   "design": {"fixed": [["me", "b"]]}}]})");
  std::string typed;
  for (int i = 0; i < 4; ++i)
    typed +=
        "{\"talk\": \"one\", \"action\": {\"kind\": \"reject\"}}\n"
        "{\"talk\": \"two\", \"action\": {\"kind\": \"quit\"}}\n";
  const Ended run = folder.succeeds({"run", "s.json", "--jobs", "4"}, {.in = typed});
  CHECK(count(run.err, "with you at the table") == 4);
  CHECK(count(run.err, "The match is over.") == 4);
  std::size_t at = 0;
  for (int i = 0; i < 4; ++i) {
    const std::size_t begins = run.err.find("with you at the table", at);
    const std::size_t over = run.err.find("The match is over.", at);
    CHECK(begins < over);
    at = over + 1;
  }
  CHECK(finished(folder.at("s.agon")) == 4);
}
