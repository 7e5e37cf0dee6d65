#include <boost/json/object.hpp>
#include <chrono>
#include <csignal>
#include <map>
#include <set>
#include <tuple>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kKey = "sk-very-secret-0123456789";

/// `agon mock-server` on a port of its own.
class Server {
 public:
  Server(const Folder& folder, const Words& more = {}, const std::string& log = "server.jsonl")
      : log_(folder.at(log)), child_(words(log, more), folder.start({.environment = key()})) {
    REQUIRE(child_.until([this] { return contains(child_.out(), "\n"); }));
    url_ = lines(child_.out()).front();
  }
  [[nodiscard]] const std::string& url() const { return url_; }
  /// Calls that got an answer so far.
  [[nodiscard]] std::size_t answered() const {
    if (!std::filesystem::exists(log_)) return 0;
    return count(read_file(log_), "\"what\":\"answered\"");
  }
  static std::vector<std::pair<std::string, std::string>> key() {
    return {{"OPENAI_API_KEY", kKey}, {"SERVER_KEY", kKey}};
  }

 private:
  static Words words(const std::string& log, const Words& more) {
    // The first legal answer: else equal requests have answers by the order in which they come.
    return joined({"mock-server", "--port", "0", "--log", log, "--answers", "first"}, more);
  }
  std::filesystem::path log_;
  Child child_;
  std::string url_;
};

std::string suite_at(const std::string& url, const std::string& blocks = "4") {
  return R"({"suite": "served", "seed": 3,
  "models": {"m": {"provider": "openai", "model": "tiny", "base_url": ")" +
         url + R"(/v1", "max_tokens": 200, "backoff_s": 0.01}},
  "agents": {"llm": {"llm": "m", "memory": "whole"},
             "reference": "survivor"},
  "design": {"focal": ["llm"], "background": "reference", "blocks": )" +
         blocks + R"(},
  "scenarios": [{"game": "water-allocation", "set": {"days": 5}},
                {"game": "water-allocation", "set": {"days": 3, "supply": [10, 20]}}]})";
}

Words play(const std::string& archive, const Words& more = {}) {
  return joined({"run", "s.json", "--out", archive, "--jobs", "8", "--no-preflight", "--trust"},
                more);
}

/// Answered calls on record; a place that was answered twice fails the test.
std::size_t on_record(const Folder& folder, const std::string& archive) {
  std::set<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>> places;
  agon::archive::Archive::open(folder.at(archive))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) {
        if (row.answered)
          CHECK(places.emplace(row.match.hex(), row.question, row.attempt, row.place).second);
      });
  return places.size();
}

}  // namespace

TEST_CASE("kill -9 of a run against a server: nothing that was answered is paid again") {
  const Folder folder;
  // A match that waits for a person holds the run, so that it cannot end before it is killed; and
  // each run has a server of its own, so that what one paid for is not counted with another.
  const std::string person = R"({"talk": "too much", "action": {"kind": "quit"}})"
                             "\n";
  folder.write("s.json", R"({"suite": "held", "seed": 3,
  "models": {"m": {"provider": "openai", "model": "tiny", "max_tokens": 200, "backoff_s": 0.01}},
  "agents": {"llm": {"llm": "m", "memory": "whole"}, "reference": "survivor",
             "ladder": "offer-generator", "person": {"human": {"pseudonym": "p"}}},
  "scenarios": [{"game": "water-allocation", "set": {"days": 5}, "blocks": 4,
                 "design": {"focal": ["llm"], "background": "reference"}},
                {"game": "water-allocation", "set": {"days": 3, "supply": [10, 20]}, "blocks": 4,
                 "design": {"focal": ["llm"], "background": "reference"}},
                {"game": "bargaining", "design": {"fixed": [["ladder", "person"]]}}]})");
  const auto start_at = [&](const Server& server, bool with_person) {
    Start start{.in = with_person ? person : "", .hold_in = !with_person};
    start.environment = Server::key();
    start.environment.emplace_back("OPENAI_BASE_URL", server.url() + "/v1");
    return start;
  };
  const Words faulty{"--latency-ms", "10", "--server-error", "0.03"};
  std::size_t whole = 0;
  {
    const Server server(folder, faulty, "whole.jsonl");
    folder.succeeds(play("whole.agon"), start_at(server, true));
    whole = on_record(folder, "whole.agon");
    REQUIRE(whole > 20);
    REQUIRE(server.answered() == whole);
  }
  const std::vector<std::string> content_whole = content(folder, "whole.agon");

  for (const std::size_t at : {std::size_t{3}, whole / 3, whole - 5}) {
    const std::string name = "k" + std::to_string(at), archive = name + ".agon";
    {
      const Server server(folder, faulty, name + "-killed.jsonl");
      Child child(play(archive), folder.start(start_at(server, false)));
      REQUIRE(child.until([&] { return server.answered() >= at; }));
      const std::size_t seen = server.answered();
      child.send(SIGKILL);
      CHECK(child.end().code == 128 + SIGKILL);
      // What is answered and not on record was on its way: at most a call for each of the 8 jobs.
      CHECK(on_record(folder, archive) + 8 >= seen);
    }
    const std::size_t durable = on_record(folder, archive);
    const Server server(folder, faulty, name + "-rest.jsonl");
    folder.succeeds(play(archive), start_at(server, true));
    CHECK(server.answered() == whole - durable);
    CHECK(on_record(folder, archive) == whole);
    CHECK(content(folder, archive) == content_whole);
    CHECK(folder.agon({"replay", archive, "--reparse"}).code == 0);
  }
}

TEST_CASE("the preflight pays for its calls once a model, not once an agent and game") {
  const Folder folder;
  const Server server(folder);
  folder.write("s.json", R"({"models": {"m": {"provider": "openai", "model": "tiny",
      "base_url": ")" + server.url() +
                             R"(/v1"}},
    "agents": {"llm": {"llm": "m", "factors": {"memory": ["whole", "none"],
                                               "planning": ["none", "static"]}}},
    "design": {"round_robin": true},
    "scenarios": [{"game": "bargaining"}, {"game": "deal-or-no-deal"}]})");
  const Ended doctor =
      folder.succeeds({"doctor", "s.json", "--trust"}, {.environment = Server::key()});
  check_has(doctor.out, {"is set (llm/memory=whole,planning=none and 3 more)", "warning  "});
  // A few words and structured output, for the kind of schema that each of the two games has.
  CHECK(server.answered() == 4);
}

TEST_CASE("two runs share an endpoint that limits them") {
  const Folder folder;
  const Server server(folder, {"--latency-ms", "5", "--rate-limited-plain", "0.1"});
  folder.write("s.json", suite_at(server.url(), "2"));
  const Start start{.environment = Server::key()};
  Child one(play("one.agon"), folder.start(start));
  Child two(play("two.agon"), folder.start(start));
  const Ended first = one.end(), second = two.end();
  INFO(first.err << second.err);
  CHECK(first.code == 0);
  CHECK(second.code == 0);
  CHECK(content(folder, "one.agon") == content(folder, "two.agon"));
}

TEST_CASE("the key is nowhere: not in the archive, a log, a message or what --verbose tells") {
  const Folder folder;
  const Server server(folder, {"--key-env", "SERVER_KEY"});
  folder.write("s.json", suite_at(server.url(), "1"));
  const auto everything = [&](const Ended& ended) {
    std::string all = ended.out + ended.err;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      if (entry.is_regular_file()) all += read_file(entry.path());
    return all;
  };
  Words words{"run", "s.json", "--out", "a.agon", "--verbose", "--trust"};
  const Ended ended = folder.agon(words, {.environment = Server::key()});
  INFO(ended.err.substr(0, 2000));
  CHECK(ended.code == 0);
  check_lacks(everything(ended), {kKey, kKey.substr(3)});

  // A wrong one is refused before the run, and by the first call where nobody looked before.
  const std::string wrong = "sk-wrong-but-secret-987654321";
  const Start start{.environment = {{"OPENAI_API_KEY", wrong}}};
  const Ended told = folder.refuses({"run", "s.json", "--out", "w.agon", "--verbose", "--trust"}, 4,
                                    {"OPENAI_API_KEY"}, start);
  CHECK_FALSE(contains(everything(told), wrong));
  const Ended met = folder.agon(play("w.agon", {"--verbose"}), start);
  INFO(met.err.substr(0, 2000));
  CHECK(met.code == 4);
  CHECK(contains(met.err, "take it up again with: agon run"));
  CHECK_FALSE(contains(everything(met), wrong));
  // With the right one the run goes on from there.
  CHECK(folder.agon(play("w.agon"), {.environment = Server::key()}).code == 0);
}

// Minutes long: run by name, `test_command "[long]"`.
TEST_CASE("ten thousand matches with 5% faults of every kind", "[.][long]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "faults", "seed": 9,
  "models": {"m": {"provider": "mock", "model": "tiny", "backoff_s": 0.001, "mock": {
    "rate_limited": 0.05, "rate_limited_plain": 0.05, "server_error": 0.05, "hang": 0.05,
    "cut": 0.05, "truncated": 0.05, "refused": 0.05, "malformed": 0.05, "illegal": 0.05,
    "empty": 0.05, "slow": 0.05}}},
  "agents": {"llm": {"llm": "m", "memory": "window:n=4"}, "reference": "time-dependent"},
  "design": {"focal": ["llm"], "background": "reference", "blocks": 5000},
  "scenarios": [{"game": "bargaining"}]})");
  const auto begin = std::chrono::steady_clock::now();
  const Ended first = folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"});
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  INFO(first.err.substr(0, 3000));
  // A question that meets five faults of the wire in a row leaves its match to be taken up again.
  const int open = partial(folder.at("a.agon"));
  CHECK(first.code == (open > 0 ? 6 : 0));
  CHECK(finished(folder.at("a.agon")) + open == 10000);
  CHECK(open < 100);

  struct Counts {
    std::int64_t calls = 0, answered = 0, failed = 0, of_finished = 0, of_seats = 0;
    std::map<agon::Fault, std::int64_t> of_calls, of_attempts;
  };
  const auto counted = [&] {
    Counts c;
    const auto archive = agon::archive::Archive::open(folder.at("a.agon"));
    std::set<std::string> done;
    archive.matches().ids(
        [&](const agon::archive::MatchId& id, std::int64_t) { done.insert(id.hex()); });
    archive.calls().each(nullptr, [&](const agon::archive::CallRow& row) {
      ++c.calls;
      ++(row.answered ? c.answered : c.failed);
      CHECK((row.call.fault == agon::Fault::provider_failed) == !row.answered);
      if (!done.contains(row.match.hex())) return;
      ++c.of_finished;
      if (row.answered && row.call.purpose == "answer") ++c.of_calls[row.call.fault];
    });
    archive.matches().each({}, [&](std::int64_t, const agon::archive::MatchRow& m) {
      for (const auto& seat : m.seats) {
        c.of_seats += seat.calls;
        for (std::size_t f = 0; f < agon::kFaults && seat.calls > 0; ++f)
          c.of_attempts[static_cast<agon::Fault>(f)] += seat.attempts[f];
      }
      return true;
    });
    return c;
  };
  const Counts c = counted();
  // No call is lost, and each that was cut off, refused or empty is one attempt of that class.
  CHECK(c.of_seats == c.of_finished);
  for (const agon::Fault f : {agon::Fault::truncated, agon::Fault::refused, agon::Fault::empty}) {
    CHECK(c.of_calls.at(f) > 1000);
    CHECK(c.of_attempts.at(f) == c.of_calls.at(f));
  }
  CHECK(c.of_attempts.at(agon::Fault::provider_failed) == 0);
  CHECK(c.of_attempts.at(agon::Fault::crashed) == 0);
  // The mock in process fails for the same question again; nothing that was answered is asked.
  CHECK(folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"}).code == first.code);
  CHECK(counted().answered == c.answered);
  WARN(c.calls << " calls, " << c.failed << " came to nothing, " << open << " matches open, "
               << seconds << " s");
}
