// Programs that misbehave: the right class of fault, the match goes on, and nothing is left
// running.

#include <agon/error.hpp>

#include "bots.hpp"
#include "catch.hpp"

using agon::End;
using agon::Fault;
using agon::MatchResult;
using namespace bots;
using Catch::Matchers::Contains;

namespace {

const agon::Agent& other() {
  static const seam::Inline held([](const seam::Ask& ask) {
    return agon::Reply{.declined = ask.probe,
                       .json = ask.stage == "bid" ? R"({"amount": 1})" : R"({"text": ""})"};
  });
  return held;
}

struct Played {
  MatchResult result;
  std::vector<std::string> problems;  ///< of seat 0's attempts that were turned down
};

/// Plays seat 0; whatever the program does, the match is finished and nothing of it is left.
Played play(const agon::external::ExternalParams& params, int reasks = 1) {
  const Folder folder;
  Played played;
  {
    const auto agent = make(params, folder);
    agon::MatchSetup setup = scene().setup({agent.get(), &other(), &other()});
    setup.reasks = reasks;
    played.result = agon::play_match(setup);
    CHECK(played.result.end == End::finished);
    CHECK(agon::play_match(scene().replay(played.result.record)).record == played.result.record);
  }
  for (const auto& e : agon::record::read(played.result.record).entries)
    for (const auto& attempt : e.attempts)
      if (e.seat == 0 && attempt.fault != Fault::ok)
        played.problems.emplace_back(attempt.complaint.empty() ? attempt.payload
                                                               : attempt.complaint);
  CHECK(left_running(folder) == 0);
  return played;
}

std::string refusal(const agon::external::ExternalParams& params) {
  const Folder folder;
  std::string what = "started";
  try {
    (void)make(params, folder);
  } catch (const agon::Error& error) {
    what = error.what();
  }
  CHECK(left_running(folder) == 0);
  return what;
}

agon::external::ExternalParams raw(const std::string& script) {
  agon::external::ExternalParams p;
  p.command = {"/bin/sh", "-c", "echo $$ >> pids\n" + script};
  return p;
}

}  // namespace

TEST_CASE("programs that do not start are refused before a match", "[external][faults]") {
  agon::external::ExternalParams missing;
  missing.command = {"no-such-program-anywhere"};
  CHECK_THAT(refusal(missing), Contains("cannot start 'no-such-program-anywhere'"));
  missing.command = {"./bot"};
  CHECK_THAT(refusal(missing), Contains("cannot start './bot'"));
  missing.command.clear();
  CHECK_THAT(refusal(missing), Contains("needs a command"));

  CHECK_THAT(refusal(raw("echo no chance >&2; exit 3")),
             Contains("ended before it said hello (it may take 30 s)") && Contains("status 3") &&
                 Contains("no chance"));
  CHECK_THAT(refusal(raw("kill -9 $$")), Contains("ended by signal 9"));
  CHECK_THAT(refusal(raw("echo hello")), Contains("this line is none: hello"));
  CHECK_THAT(refusal(raw("echo '{\"type\":\"pong\",\"id\":\"1\"}'")),
             Contains("first message must be a hello"));
  CHECK_THAT(refusal(raw("echo '{\"type\":\"hello\",\"protocol\":99}'")),
             Contains("version 99 of the protocol, not 1"));
  CHECK_THAT(refusal(raw("printf '{\"type\":\"hel'")), Contains("in the middle of a line"));
  auto silent = raw("while :; do sleep 60; done");
  silent.start_seconds = 0.02;
  CHECK_THAT(refusal(silent),
             Contains("let the time run out before it said hello (it may take 0.02 s)"));
  auto option = shell("while next; do good; done");
  option.options["depth"] = "3";
  CHECK_THAT(refusal(option), Contains("no option 'depth'"));
}

TEST_CASE("a hello without a line break counts", "[external][faults]") {
  CHECK(refusal(raw("printf '{\"type\":\"hello\",\"protocol\":1}'")) == "started");
}

TEST_CASE("crashes", "[external][faults]") {
  SECTION("at every question") {
    const Played p = play(shell("next; exit 3"));
    CHECK(faults(p.result, 0, Fault::crashed) == p.result.forced[0]);
    CHECK(p.result.forced[0] >= 2);
    CHECK_THAT(p.problems.at(0),
               Contains("ended before it answered 'bid': it exited with status 3"));
  }
  SECTION("by a signal") {
    CHECK_THAT(play(shell("next; kill -SEGV $$")).problems.at(0), Contains("ended by signal 11"));
  }
  SECTION("at its second start") {
    const Played p = play(shell("[ $(wc -l < started) = 1 ] || exit 4\nnext; exit 3"));
    CHECK(faults(p.result, 0, Fault::crashed) == p.result.forced[0]);
    CHECK(p.problems.size() >= 2);
  }
  SECTION("once it answered") {
    // Its end is the next question's fault, however soon it comes.
    const Played p = play(shell("next; good; exit 0"));
    CHECK(faults(p.result, 0, Fault::crashed) >= 1);
    CHECK(faults(p.result, 0, Fault::crashed) == p.result.forced[0]);
  }
}

TEST_CASE("the last words of a program are kept, as many as fit", "[external][faults]") {
  const Played p = play(
      shell("next; i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 3"));
  CHECK_THAT(p.problems.at(0), Contains("line 2999") && !Contains("line 2000"));
  CHECK(p.problems.at(0).size() < 700);
}

TEST_CASE("the last words of a program begin with a whole line", "[external][faults]") {
  const auto words_of = [](const std::string& script) {
    const std::string problem = play(shell("next; " + script + "; exit 3"), 0).problems.at(0);
    return problem.substr(problem.find("it said: ") + 9);
  };
  const std::string digits = "0123456789";
  std::string row;
  for (int i = 0; i < 30; ++i) row += digits;
  // 300 bytes twice: of the first line a part would be left, so all of it goes.
  CHECK(words_of("echo " + row + " >&2; echo " + row + " >&2") == row);
  // One line that is longer has no beginning to go to: the end of it is shown.
  CHECK(words_of("echo " + row + row + " >&2") == (row + row).substr(200));
  // 400 bytes are shown as they are.
  const std::string first(199, 'a'), second(200, 'b');
  const std::string all = words_of("echo " + first + " >&2; echo " + second + " >&2");
  CHECK(all.starts_with(first));
  CHECK(all.ends_with(second));
  // Blank lines at the end say nothing, and who said nothing has no last words.
  CHECK(words_of("echo ouch >&2; echo >&2; echo '  ' >&2") == "ouch");
  CHECK_THAT(play(shell("next; echo '  ' >&2; exit 3")).problems.at(0), !Contains("it said"));
}

TEST_CASE("hangs", "[external][faults]") {
  auto params = shell("while next; do while :; do sleep 60; done; done");
  params.answer_seconds = 0.02;
  const Played p = play(params);
  CHECK(faults(p.result, 0, Fault::timed_out) == p.result.forced[0]);
  CHECK(p.result.forced[0] >= 2);
}

TEST_CASE("chatter and garbage", "[external][faults]") {
  SECTION("a line before each answer") {
    const Played p = play(shell("while next; do echo thinking...; good; done"));
    CHECK(faults(p.result, 0, Fault::unparsable) >= 4);
    CHECK(faults(p.result, 0, Fault::unparsable) == 2 * p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("this line is none: thinking..."));
  }
  SECTION("a line after each answer is the next question's fault") {
    const Played p = play(shell("while next; do good; echo done; done"), 3);
    CHECK(faults(p.result, 0, Fault::unparsable) >= 1);
  }
  SECTION("bytes that are no text") {
    const Played p = play(shell("while next; do printf '\\377\\376\\033\\n'; done"));
    CHECK(faults(p.result, 0, Fault::unparsable) == 2 * p.result.forced[0]);
  }
  SECTION("an answer without its envelope is no answer") {
    const Played p = play(shell("while next; do echo '{\"amount\":2}'; done"));
    CHECK(faults(p.result, 0, Fault::unparsable) == 2 * p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("needs a 'type'"));
  }
  SECTION("a pong that nobody asked for is nothing") {
    const Played p =
        play(shell(R"sh(while next; do echo '{"type":"pong","id":"ping7"}'; good; done)sh"));
    CHECK(p.result.forced[0] == 0);
    CHECK(p.problems.empty());
  }
  SECTION("empty lines are nothing") {
    const Played p = play(shell("while next; do echo; echo '   '; good; done"));
    CHECK(p.result.forced[0] == 0);
    CHECK(p.problems.empty());
  }
  SECTION("a line without an end") {
    const Played p =
        play(shell("next; head -c 17000000 /dev/zero | tr '\\0' x; while :; do sleep 60; done"), 0);
    CHECK(faults(p.result, 0, Fault::unparsable) == p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("more than 16 MiB"));
  }
  SECTION("an answer, a thought or a memo that no record has room for") {
    for (const char* part : {"answer", "thought", "memo"}) {
      const Played p = play(
          shell("while next; do printf '{\"type\":\"answer\",\"id\":\"%s\",\"" + std::string(part) +
                "\":\"' \"$id\"; head -c 9000000 /dev/zero | tr '\\0' x; echo '\"}'; done"),
          0);
      CHECK(p.result.end == End::finished);
      CHECK(faults(p.result, 0, Fault::unparsable) == p.result.forced[0]);
      CHECK_THAT(p.problems.at(0), Contains("'" + std::string(part) + "' has 9") &&
                                       Contains("expected at most 1 MiB"));
    }
  }
  SECTION("half a line, then the end") {
    const Played p = play(shell("next; printf '{\"type\":\"answer\",\"id\":\"'; exit 0"));
    CHECK(faults(p.result, 0, Fault::truncated) == 2 * p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("in the middle of a line") && Contains("status 0"));
  }
  SECTION("a whole answer without a line break, then the end") {
    const Played p = play(shell("next; printf %s \"$(good)\"; exit 0"), 0);
    CHECK(faults(p.result, 0, Fault::ok) >= 1);
    CHECK(faults(p.result, 0, Fault::truncated) == 0);
  }
}

TEST_CASE("wrong answers", "[external][faults]") {
  const auto fault_of = [](const std::string& script, Fault fault) {
    const Played p = play(shell("while next; do " + script + "; done"));
    INFO(script);
    CHECK(faults(p.result, 0, fault) == 2 * p.result.forced[0]);
    CHECK(p.result.forced[0] >= 2);
    return p.problems.empty() ? std::string() : p.problems.front();
  };
  CHECK_THAT(fault_of("say '{\"amount\":70}'", Fault::illegal), Contains("$.amount"));
  CHECK_THAT(fault_of("say '{\"amount\":7}'", Fault::illegal), Contains("seven is taboo"));
  CHECK_THAT(fault_of("say '{\"amont\":2}'", Fault::unparsable), Contains("amont"));
  CHECK_THAT(fault_of("say '\"two\"'", Fault::unparsable), Contains("object"));
  CHECK_THAT(fault_of("echo '{\"type\":\"answer\",\"id\":\"'$id'\"}'", Fault::empty),
             Contains("no answer in the message"));
  CHECK_THAT(fault_of("echo '{\"type\":\"decline\",\"id\":\"'$id'\"}'", Fault::refused),
             Contains("cannot be declined"));
  CHECK_THAT(fault_of("id=99.9; good", Fault::unparsable),
             Contains("no question '99.9'; the open one is '0.0'"));
  CHECK_THAT(fault_of("echo '{\"type\":\"answer\",\"answer\":{\"amount\":2}}'", Fault::unparsable),
             Contains("'id' must be"));
  CHECK_THAT(fault_of("echo '{\"type\":\"hello\",\"protocol\":1}'", Fault::unparsable),
             Contains("said once"));
}

TEST_CASE("an answer to an attempt that was turned down is passed over", "[external][faults]") {
  const Played p = play(shell(R"sh(while next; do
    case $id in *.1) new=$id; id=${id%1}0; good; id=$new; good;; *) say '{"amount":70}';; esac
  done)sh"));
  CHECK(faults(p.result, 0, Fault::ok) >= 2);
  CHECK(p.result.forced[0] == 0);
}

TEST_CASE("a program whose own service failed leaves the match to be taken up again",
          "[external][faults]") {
  const Folder folder;
  const auto agent =
      make(shell("next; echo '{\"type\":\"failed\",\"id\":\"'$id'\",\"problem\":\"503\"}'; next"),
           folder);
  const MatchResult result = agon::play_match(scene().setup({agent.get(), &other(), &other()}));
  CHECK(result.end == End::unfinished);
  CHECK_THAT(result.problem, Contains("failed: 503"));
}

TEST_CASE("streams that are closed", "[external][faults]") {
  SECTION("standard input, before the first question") {
    auto params = shell("exec < /dev/null; while :; do sleep 60; done");
    params.quit_seconds = 0.02;
    const Played p = play(params);
    CHECK(faults(p.result, 0, Fault::crashed) == p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("closed its standard input"));
  }
  SECTION("standard output") {
    auto params = shell("next; exec > /dev/null; while :; do sleep 60; done");
    params.quit_seconds = 0.02;
    const Played p = play(params);
    CHECK(faults(p.result, 0, Fault::crashed) == p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("closed its standard output"));
  }
  SECTION("a child holds the pipes open after the end") {
    const Played p = play(shell("next; sleep 1000 & echo $! >> pids; exit 5"));
    CHECK(faults(p.result, 0, Fault::crashed) == p.result.forced[0]);
    CHECK_THAT(p.problems.at(0), Contains("status 5"));
  }
}

TEST_CASE("programs that do not end when they are told to", "[external][faults]") {
  auto params = shell("trap '' TERM INT HUP; while :; do if next; then good; fi; done");
  params.command.back() += "\n";
  // It goes on after `end` and the end of its input.
  const std::string exit = "exit 0";
  std::string& script = params.command.back();
  for (std::size_t at; (at = script.find(exit)) != std::string::npos;)
    script.replace(at, exit.size(), "sleep 60");
  params.quit_seconds = 0.02;
  CHECK(play(params).result.forced[0] == 0);
}

TEST_CASE("a program that talks more than it is read from does not block", "[external][faults]") {
  // It fills standard error before it reads a long history, and the pipe of its answers too.
  const Played p = play(shell(R"sh(while next; do
    head -c 300000 /dev/zero | tr '\0' e >&2; good
  done)sh"));
  CHECK(p.result.forced[0] == 0);
}
