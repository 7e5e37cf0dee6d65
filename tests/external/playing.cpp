// Programs that play as they should: what they are told, and when they start and end.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "bots.hpp"
#include "catch.hpp"
#include "run/play/jobs.hpp"
#include "suite/agents/model_messages.hpp"

using agon::End;
using agon::Fault;
using agon::MatchResult;
using namespace bots;

namespace {

const char* const kGood = "while next; do good; done";

const agon::Agent& partner() {
  static const seam::Inline held([](const seam::Ask& ask) {
    return agon::Reply{.declined = ask.probe,
                       .json = ask.stage == "bid" ? R"({"amount": 1})" : R"({"text": ""})"};
  });
  return held;
}

long threads_of_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("Threads:")) return std::stol(line.substr(8));
  return 0;
}

std::vector<boost::json::object> messages_of(const std::string& heard) {
  std::vector<boost::json::object> messages;
  std::istringstream lines(heard);
  for (std::string line; std::getline(lines, line);)
    messages.push_back(boost::json::parse(line).as_object());
  return messages;
}

/// "event secret", "question bid", "answered".
std::vector<std::string> kinds_of(const std::string& heard) {
  std::vector<std::string> kinds;
  for (const auto& message : messages_of(heard)) {
    std::string kind(message.at("type").as_string());
    if (kind == "question" || kind == "asked")
      kind += " " + std::string(message.at("stage").as_string());
    if (kind == "event") kind += " " + std::string(message.at("name").as_string());
    kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

TEST_CASE("a program plays all seats of many matches", "[external]") {
  const Folder folder;
  {
    const auto agent = make(shell(kGood), folder);
    std::string first;
    for (int i = 0; i < 3; ++i) {
      const MatchResult result = agon::play_match(scene().setup({agent.get()}));
      REQUIRE(result.end == End::finished);
      CHECK(result.forced == std::vector<std::uint32_t>{0, 0, 0});
      if (first.empty()) first = result.record;
      CHECK(result.record == first);
    }
    CHECK(agon::play_match(scene().replay(first)).record == first);
    // A process a seat, and each goes on to the next match.
    CHECK(folder.lines("started") == 3);
    CHECK(running(folder) == 3);
  }
  CHECK(left_running(folder) == 0);
  CHECK(folder.lines("ended") == 3);
  // A process that is handed to another match is asked whether it is well.
  CHECK(folder.read("heard").find("\"type\":\"ping\"") != std::string::npos);
}

TEST_CASE("between two matches a program answers the very ping it was sent", "[external]") {
  // So long that no load matters to who answers, and so short that waiting for who does not ends.
  constexpr double kLong = 60, kShort = 0.2;
  // How a program answers a ping with the id $id; then two matches are played.
  const auto starts_with_pong = [](const std::string& pong, double seconds) {
    auto params = shell("");
    params.ping_seconds = seconds;
    params.quit_seconds = 0.2;
    std::string script(kPrelude);
    const std::string good_pong = R"(echo '{"type":"pong","id":"'$id'"}')";
    script.replace(script.find(good_pong), good_pong.size(), pong);
    params.command.back() = script + kGood;
    const Folder own;
    {
      const auto agent = make(params, own);
      for (int i = 0; i < 2; ++i) {
        const MatchResult result =
            agon::play_match(scene().setup({agent.get(), &partner(), &partner()}));
        CHECK(result.end == End::finished);
        CHECK(result.forced[0] == 0);
      }
    }
    CHECK(left_running(own) == 0);
    return own.lines("started");
  };
  CHECK(starts_with_pong(R"(echo '{"type":"pong","id":"'$id'"}')", kLong) == 1);
  // What it still says of the last match is passed over.
  CHECK(starts_with_pong(R"(echo hm; say '{"amount":1}'; echo '{"type":"pong","id":"'$id'"}')",
                         kLong) == 1);
  // A pong to another ping, or another message of that id, is none: a new process takes over.
  CHECK(starts_with_pong(R"(echo '{"type":"pong","id":"ping0"}')", kShort) == 2);
  CHECK(starts_with_pong(R"(say '{"amount":1}')", kShort) == 2);
  CHECK(starts_with_pong(":", kShort) == 2);
  CHECK(starts_with_pong("exit 0", kShort) == 2);
}

TEST_CASE("an answer has the program's time or the match's, whichever is less", "[external]") {
  const auto seconds_told = [](double of_program, std::chrono::milliseconds of_match) {
    const Folder folder;
    {
      auto params = shell(kGood);
      params.answer_seconds = of_program;
      const auto agent = make(params, folder);
      agon::MatchSetup setup = scene().setup({agent.get(), &partner(), &partner()});
      setup.answer_limit = of_match;
      REQUIRE(agon::play_match(setup).end == End::finished);
    }
    double most = 0;
    for (const auto& message : messages_of(folder.read("heard")))
      if (message.at("type") == "question")
        most = std::max(most, message.at("seconds").to_number<double>());
    return most;
  };
  CHECK(seconds_told(50, std::chrono::milliseconds(0)) == 50);
  CHECK(seconds_told(50, std::chrono::seconds(100)) == 50);
  const double of_match = seconds_told(100, std::chrono::seconds(50));
  CHECK(of_match > 0);
  CHECK(of_match <= 50);
}

TEST_CASE("a fresh process for every match", "[external]") {
  const Folder folder;
  {
    auto params = shell(kGood);
    params.per_match = true;
    const auto agent = make(params, folder);
    for (int i = 0; i < 3; ++i)
      REQUIRE(agon::play_match(scene().setup({agent.get(), &partner(), &partner()})).end ==
              End::finished);
  }
  CHECK(folder.lines("started") == 3);
  CHECK(folder.lines("ended") == 3);
  CHECK(left_running(folder) == 0);
  CHECK(folder.read("heard").find("ping") == std::string::npos);
}

TEST_CASE("many matches at the same time", "[external]") {
  const Folder folder;
  {
    const bool per_match = GENERATE(false, true);
    auto params = shell(kGood);
    params.per_match = per_match;
    const auto agent = make(params, folder);
    const std::string alone = agon::play_match(scene().setup({agent.get()})).record;
    std::vector<std::thread> threads;
    std::atomic<int> same{0};
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 3; ++i)
          same += agon::play_match(scene().setup({agent.get()})).record == alone ? 1 : 0;
      });
    for (std::thread& t : threads) t.join();
    CHECK(same == 12);
  }
  CHECK(left_running(folder) == 0);
}

TEST_CASE("programs that think take no threads", "[external]") {
  constexpr int kMatches = 200;
  const Folder folder;
  const std::string gate = folder.str() + "/gate";
  REQUIRE(mkfifo(gate.c_str(), 0600) == 0);
  const auto questions = [&] {
    const std::string heard = folder.read("heard");
    int n = 0;
    for (std::size_t at = 0; (at = heard.find(R"({"type":"question")", at)) != std::string::npos;
         ++at)
      ++n;
    return n;
  };
  {
    // Each waits at its first question until the gate is opened, and not again.
    const auto agent = make(shell("while next; do : < gate; good; done"), folder);
    const long before = threads_of_process();
    std::atomic<int> finished{0};
    agon::Jobs jobs(
        kMatches,
        [&](int) {
          const MatchResult result =
              agon::play_match(scene().setup({agent.get(), &partner(), &partner()}));
          finished += result.end == End::finished && result.forced[0] == 0 ? 1 : 0;
        },
        agon::Jobs::On::coroutine);
    for (int i = 0; i < 3000 && questions() < kMatches; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(questions() == kMatches);
    CHECK(threads_of_process() <= before + static_cast<long>(std::thread::hardware_concurrency()));
    CHECK(finished == 0);
    const int opened = open(gate.c_str(), O_RDWR | O_CLOEXEC);
    jobs.finish();
    close(opened);
    CHECK(finished == kMatches);
    CHECK(folder.lines("started") == kMatches);
  }
  CHECK(left_running(folder) == 0);
}

TEST_CASE("what a program is told, message by message", "[external]") {
  const Folder folder;
  {
    auto params = shell(R"sh(while next; do
      case $stage in
        bid) case $line in
          *'"attempt":0'*) say '{"amount":70}' ;;
          *) echo '{"type":"answer","id":"'$id'","answer":{"amount":9},"memo":"nine",'\
                  '"thought":"t"}' ;;
        esac ;;
        word) say '{"text":"aye"}' ;;
      esac
    done)sh");
    const auto agent = make(params, folder);
    const MatchResult result =
        agon::play_match(scene().setup({agent.get(), &partner(), &partner()}));
    REQUIRE(result.end == End::finished);
    CHECK(faults(result, 0, Fault::illegal) == 2);
    CHECK(result.forced[0] == 0);
    for (const auto& e : agon::record::read(result.record).entries)
      if (e.name == "bid" && e.seat == 0) {
        CHECK(e.memo == "nine");
        CHECK(e.thought == "t");
      }
  }
  const std::vector<boost::json::object> messages = messages_of(folder.read("heard"));
  CHECK(kinds_of(folder.read("heard")) ==
        std::vector<std::string>{"hello", "match", "event secret", "question bid",
                                 "question bid",                                            //
                                 "answered", "event closed", "question word",               //
                                 "answered", "event said", "question bid", "question bid",  //
                                 "answered", "event closed", "question word",               //
                                 "answered", "event said", "over", "end"});
  CHECK(messages[3].at("asked_at_once") == 3);
  CHECK(messages[3].at("asked_index") == 0);
  CHECK(messages[7].at("asked_at_once") == 1);
  const auto& over = messages[messages.size() - 2];
  CHECK(over.at("finished") == true);
  CHECK(over.at("payoff").is_number());
  CHECK(over.at("rank").is_number());
  CHECK(messages[2].at("private") == true);
  CHECK(messages[3].at("memo") == "");
  CHECK(messages[4].at("complaint").as_string().starts_with("$.amount"));
  CHECK(messages[10].at("memo") == "nine");
  CHECK(messages[5].at("answer").at("amount") == 9);
}

TEST_CASE("a process that starts in the middle of a match is told all of it first", "[external]") {
  const Folder folder;
  {
    // The first process breaks at its first word.
    const auto agent = make(shell(R"sh(while next; do
      if [ $stage = word ] && [ ! -e broke ]; then echo x > broke; echo ouch >&2; exit 7; fi
      case $stage in bid) say '{"amount":9}';; *) good;; esac
    done)sh"),
                            folder);
    const MatchResult result =
        agon::play_match(scene().setup({agent.get(), &partner(), &partner()}));
    REQUIRE(result.end == End::finished);
    CHECK(faults(result, 0, Fault::crashed) == 1);
    CHECK(result.forced[0] == 1);
    for (const auto& e : agon::record::read(result.record).entries)
      if (e.forced)
        CHECK(std::string(e.attempts.at(0).payload) ==
              "the agent '/bin/sh' ended before it answered 'word': it exited with status 7; "
              "on standard error it said: ouch");
  }
  CHECK(folder.lines("started") == 2);
  std::vector<std::string> after;
  for (const std::string& kind : kinds_of(folder.read("heard"))) {
    if (kind == "hello") after.clear();
    after.push_back(kind);
  }
  CHECK(after == std::vector<std::string>{
                     "hello", "match", "event secret", "asked bid", "answered", "event closed",
                     "asked word", "answered", "event said", "question bid", "answered",
                     "event closed", "question word", "answered", "event said", "over", "end"});
  CHECK(left_running(folder) == 0);
}

TEST_CASE("a match that is taken up again goes on as if it had never been cut", "[external]") {
  const Folder folder;
  auto params = shell("while next; do good; done");
  params.costly = true;
  std::vector<std::string> cuts;
  std::string whole;
  {
    const auto agent = make(params, folder);
    agon::MatchSetup setup = scene().setup({agent.get(), &partner(), &partner()});
    setup.make_durable = [&](const std::string& record) { cuts.push_back(record); };
    whole = agon::play_match(setup).record;
  }
  REQUIRE(cuts.size() >= 3);
  for (const std::string& cut : cuts) {
    const auto agent = make(params, folder);
    agon::MatchSetup setup = scene().setup({agent.get(), &partner(), &partner()});
    setup.past = cut;
    CHECK(agon::play_match(setup).record == whole);
  }
}

TEST_CASE("a match that is stopped leaves nothing behind", "[external]") {
  const Folder folder;
  {
    // It never answers; whoever plays it has long been told to stop.
    const auto agent = make(shell("next; echo x > asked; while :; do sleep 60; done"), folder);
    std::stop_source cancel;
    agon::MatchSetup setup = scene().setup({agent.get(), &partner(), &partner()});
    setup.cancel = cancel.get_token();
    std::thread stopper([&] {
      while (folder.lines("asked") == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      cancel.request_stop();
    });
    CHECK(agon::play_match(setup).end == End::stopped);
    stopper.join();
  }
  CHECK(left_running(folder) == 0);
}

TEST_CASE("probes may be answered, declined, or not even asked", "[external]") {
  const Folder folder;
  auto params = shell(R"sh(while next; do
    case $line in
      *'"stage":"guess"'*) case $line in
        *'"round":0'*) say '{"most":2}';;
        *) echo '{"type":"decline","id":"'$id'"}';;
      esac;;
      *) good;;
    esac
  done)sh");
  params.probes = true;
  {
    const auto agent = make(params, folder);
    CHECK(agent->answers_probes());
    const MatchResult result =
        agon::play_match(scene().setup({agent.get(), &partner(), &partner()}));
    REQUIRE(result.end == End::finished);
    CHECK(result.forced[0] == 0);
    CHECK(folder.read("heard").find("\"probe\":true") != std::string::npos);
  }
  params.probes = false;
  const auto silent = make(params, folder);
  CHECK(!silent->answers_probes());
}

TEST_CASE("what a model would be sent goes with the questions to a program that asks for it",
          "[external]") {
  using Renderer = std::function<agon::RenderQuestion()>;
  const auto played = [](std::optional<bool> asked, const Renderer& renderer,
                         const Folder& folder) {
    auto params = shell(kGood);
    params.rendered = asked;
    const std::string path = folder.str();
    agon::AgentServices services;
    services.folder = path;
    services.renderer = renderer;
    const agon::external::External agent(params, services);
    CHECK(agent.language() == (asked.value_or(false) ? "en" : ""));
    return agon::play_match(scene().setup({&agent, &partner(), &partner()}));
  };
  const Renderer by_stage = [] {
    return [](const agon::OwnedQuestion& question) {
      return R"([{"role":"user","content":")" + question.stage + R"("}])";
    };
  };
  for (const std::optional<bool> asked : {std::optional<bool>(), {false}, {true}}) {
    const Folder folder;
    CHECK(played(asked, by_stage, folder).end == End::finished);
    int questions = 0;
    for (const auto& message : messages_of(folder.read("heard"))) {
      if (message.at("type") != "question") continue;
      ++questions;
      REQUIRE(message.contains("rendered") == asked.value_or(false));
      if (asked.value_or(false))
        CHECK(message.at("rendered").at(0).at("content") == message.at("stage"));
    }
    CHECK(questions > 0);
  }
  {
    const Folder folder;
    const MatchResult result = played(
        true,
        [] {
          return [](const agon::OwnedQuestion&) -> std::string {
            throw agon::Error(agon::ErrorKind::invalid, "a bad prompt");
          };
        },
        folder);
    CHECK(result.end == End::unfinished);
    CHECK(result.problem.find("cannot be written: a bad prompt") != std::string::npos);
  }
  const auto refusal = [&](const Renderer& renderer) {
    const Folder folder;
    try {
      (void)played(true, renderer, folder);
    } catch (const agon::Error& error) {
      return error.problem() + "; " + error.hint();
    }
    return std::string();
  };
  CHECK(refusal(nullptr) ==
        "parameter rendered: no model agent is here to write messages; let the agent play in a "
        "run of agon, or leave 'rendered' out");
  // These tests are linked without one.
  CHECK(refusal([]() -> agon::RenderQuestion {
          const agon::ModelMessages none(seam::catalogue(), "bargaining", "");
          return [](const agon::OwnedQuestion&) { return std::string(); };
        }) ==
        "parameter rendered: what a model would be sent is written by the agent 'llm', which is "
        "not there for bargaining; is the installation complete? see 'agon list agents'; or leave "
        "'rendered' out");
}
