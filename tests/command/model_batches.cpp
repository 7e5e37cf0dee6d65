#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <csignal>
#include <map>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"
#include "costs/costs.hpp"

using namespace command_test;

namespace {

/// `agon mock-server`, which remembers its batches from one run to the next.
class BatchServer {
 public:
  explicit BatchServer(const Folder& folder, const Words& more = {})
      : log_(folder.at("server.jsonl")), child_(words(more), folder.start()) {
    REQUIRE(child_.until([this] { return contains(child_.out(), "\n"); }));
    url_ = lines(child_.out()).front();
  }
  [[nodiscard]] Start start() const {
    return {.environment = {{"OPENAI_API_KEY", "sk-batches-0123456789"},
                            {"OPENAI_BASE_URL", url_ + "/v1"},
                            {"ANTHROPIC_API_KEY", "sk-batches-0123456789"},
                            {"ANTHROPIC_BASE_URL", url_}}};
  }
  /// How often each call of a batch was answered; those that came by themselves are left out.
  [[nodiscard]] std::map<std::string, int> answered() const {
    std::map<std::string, int> ids;
    for (const std::string& line : lines(read_file(log_))) {
      const boost::json::object entry = json_of(line).as_object();
      if (const auto* id = entry.if_contains("id"); id != nullptr && entry.at("what") == "answered")
        ++ids[std::string(id->as_string())];
    }
    return ids;
  }
  [[nodiscard]] bool has_answered_once() const {
    for (const auto& [id, times] : answered())
      if (times != 1) return false;
    return true;
  }

 private:
  static Words words(const Words& more) {
    Words all{"mock-server", "--port", "0", "--log", "server.jsonl", "--answers", "first"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::filesystem::path log_;
  Child child_;
  std::string url_;
};

/// Two sealed bids in each match; `model`: members of the model.
std::string suite_with(const std::string& provider, const std::string& model, int days = 2) {
  return R"({"suite": "s", "seed": 3,
  "models": {"m": {"provider": ")" +
         provider + R"(", "model": "m", "max_tokens": 200, "backoff_s": 0.01)" + model +
         R"(}}, "agents": {"one": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": )" +
         std::to_string(days) + R"(}, "blocks": 4,
    "design": {"focal": "one", "background": "floor"}}]})";
}

constexpr const char* kQuickBatch = R"(, "batch": true, "batch_poll_s": 0.02)";
/// Nobody looks at such a batch while the test lasts.
constexpr const char* kSlowBatch = R"(, "batch": true, "batch_poll_s": 3600)";

struct BatchFolder : Folder {
  BatchFolder() {
    write("prices.json", R"({"format": "agon.prices", "models":
      {"openai/*": {"input": 1, "output": 10}, "anthropic/*": {"input": 1, "output": 10}}})");
  }
  [[nodiscard]] static Words words(const std::string& archive) {
    return {"run", "s.json", "--out", archive, "--no-preflight", "--prices", "prices.json"};
  }
  Ended run(const BatchServer& server, const std::string& archive, const std::string& suite) const {
    write("s.json", suite);
    return agon(words(archive), server.start());
  }
};

/// All matches of an archive, without what they cost.
std::vector<std::string> matches_of(const Folder& folder, const std::string& archive) {
  std::vector<std::string> matches;
  for (const std::string& line : content(folder, archive)) {
    boost::json::value match = json_of(line);
    match.as_object().erase("cost_usd");
    matches.push_back(boost::json::serialize(match));
  }
  return matches;
}

/// The calls in each batch of an archive.
std::vector<std::size_t> batches_in(const Folder& folder, const std::string& archive) {
  std::vector<std::size_t> sizes;
  agon::archive::Archive::open(folder.at(archive))
      .calls()
      .batch_notes([&](const std::string& note) {
        const boost::json::object read = json_of(note).as_object();
        if (const auto* calls = read.if_contains("calls"))
          sizes.push_back(calls->as_array().size());
      });
  return sizes;
}

}  // namespace

TEST_CASE("batches give the matches of calls one by one, at half the price") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  const BatchFolder folder;
  const BatchServer server(folder, {"--batch-looks", "2"});
  const Ended alone = folder.run(server, "alone.agon", suite_with(provider, ""));
  INFO(alone.err);
  REQUIRE(alone.code == 0);
  REQUIRE(server.answered().empty());
  const Ended batched = folder.run(server, "b.agon", suite_with(provider, kQuickBatch));
  INFO(batched.err);
  REQUIRE(batched.code == 0);
  CHECK(matches_of(folder, "b.agon") == matches_of(folder, "alone.agon"));

  const auto archive = agon::archive::Archive::open(folder.at("b.agon"));
  const auto before = agon::archive::Archive::open(folder.at("alone.agon")).calls().totals();
  const auto totals = archive.calls().totals();
  REQUIRE(before.cost > 0);
  CHECK(totals.calls == before.calls);
  CHECK(2 * totals.cost == before.cost);
  archive.calls().each(
      nullptr, [](const agon::archive::CallRow& row) { CHECK(agon::is_batched(row.call)); });
  CHECK(server.has_answered_once());
  CHECK(server.answered().size() == static_cast<std::size_t>(totals.calls));
  // The matches' calls go out together.
  const std::vector<std::size_t> sizes = batches_in(folder, "b.agon");
  CHECK(sizes.size() >= 2);
  CHECK(*std::max_element(sizes.begin(), sizes.end()) > 1);
  CHECK(batches_in(folder, "alone.agon").empty());
  // As a pilot it says what the calls cost one by one.
  folder.write("s.json", suite_with(provider, ""));
  const auto expected = [&](const char* pilot) {
    const Ended plan =
        folder.succeeds({"plan", "s.json", "--json", "--prices", "prices.json", "--pilot", pilot});
    return json_of(plan.out).at("total").at("cost_usd").at("expected").to_number<double>();
  };
  REQUIRE(expected("alone.agon") > 0);
  CHECK(expected("b.agon") == Approx(expected("alone.agon")));
}

TEST_CASE("a run that ends while it waits for a batch pays for nothing twice") {
  const std::string provider = GENERATE("openai", "anthropic");
  const int signal = GENERATE(SIGKILL, SIGTERM, SIGINT);
  CAPTURE(provider, signal);
  const BatchFolder folder;
  const BatchServer server(folder);
  REQUIRE(folder.run(server, "whole.agon", suite_with(provider, "")).code == 0);
  folder.write("s.json", suite_with(provider, kSlowBatch));
  {
    Child child(BatchFolder::words("a.agon"), folder.start(server.start()));
    REQUIRE(child.until([&] { return contains(child.err(), "went out in the batch"); }));
    child.send(signal);
    CHECK(child.end().code == (signal == SIGKILL ? 128 + SIGKILL : 130));
  }
  const std::size_t sent = server.answered().size();
  REQUIRE(sent > 0);
  CHECK(finished(folder.at("a.agon")) == 0);
  const Ended rest = folder.run(server, "a.agon", suite_with(provider, kQuickBatch));
  INFO(rest.err);
  REQUIRE(rest.code == 0);
  CHECK(server.has_answered_once());
  CHECK(server.answered().size() > sent);
  CHECK(matches_of(folder, "a.agon") == matches_of(folder, "whole.agon"));
}

TEST_CASE("a run without its archive does not wait for a batch") {
  const BatchFolder folder;
  const BatchServer server(folder);
  folder.write("s.json", suite_with("openai", kSlowBatch));
  Child child(BatchFolder::words("a.agon"), folder.start(server.start()));
  REQUIRE(child.until([&] { return contains(child.err(), "went out in the batch"); }));
  std::filesystem::remove(folder.at("a.agon"));
  const Ended ended = child.end();
  INFO(ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "a.agon was moved, removed or replaced"));
  // What is saved knows the batch.
  const std::size_t sent = server.answered().size();
  folder.write("s.json", suite_with("openai", kQuickBatch));
  REQUIRE(folder.agon(BatchFolder::words("a.rescued.agon"), server.start()).code == 0);
  CHECK(server.has_answered_once());
  CHECK(server.answered().size() > sent);
}

TEST_CASE("calls that a batch did not answer, or answered with an error, are asked again") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  const BatchFolder folder;
  const BatchServer server(folder, {"--batch-expired", "0.3", "--server-error", "0.1"});
  const Ended run = folder.run(
      server, "a.agon",
      suite_with(provider, std::string(kQuickBatch) + R"(, "structured": "schema", "tries": 50)"));
  INFO(run.err);
  REQUIRE(run.code == 0);
  CHECK(contains(run.err, "were not answered, and are asked again"));
  CHECK(server.has_answered_once());
  const auto totals = agon::archive::Archive::open(folder.at("a.agon")).calls().totals();
  CHECK(totals.calls == static_cast<std::int64_t>(server.answered().size()));
}

TEST_CASE("a plan gives rounds, waiting time and saving of batches") {
  const BatchFolder folder;
  const auto plan = [&](const std::string& suite) {
    folder.write("s.json", suite);
    const Ended ended = folder.agon({"plan", "s.json", "--json", "--prices", "prices.json"});
    INFO(ended.err);
    REQUIRE(ended.code == 0);
    return json_of(ended.out).as_object();
  };
  CHECK_FALSE(plan(suite_with("openai", "")).contains("batches"));
  const boost::json::object few = plan(suite_with("openai", kQuickBatch));
  const boost::json::object batches = few.at("batches").as_object();
  const boost::json::object scenario = batches.at("scenarios").as_array().at(0).as_object();
  CHECK(scenario.at("rounds").to_number<double>() == 2);
  CHECK(scenario.at("most_hours").to_number<double>() == 48);
  const double cost = few.at("total").at("cost_usd").at("expected").to_number<double>();
  REQUIRE(cost > 0);
  CHECK(batches.at("saved_usd").to_number<double>() == Approx(cost));  // half of what it would be
  const auto warns = [](const boost::json::object& made) {
    return contains(boost::json::serialize(made.at("notes")), "batches one after the other");
  };
  CHECK_FALSE(warns(few));

  // With a stopping rule fewer matches are played at a time, and each turn has its rounds.
  std::string stopped = suite_with("openai", kQuickBatch);
  const std::string blocks = R"("blocks": 4)";
  stopped.replace(stopped.find(blocks), blocks.size(), R"("blocks": 100)");
  const std::string focal = R"("focal": "one")";
  stopped.replace(stopped.find(focal), focal.size(), R"("focal": ["one", "floor"])");
  const auto rounds = [&](const std::string& suite) {
    return plan(suite).at("batches").at("scenarios").at(0).at("rounds").to_number<double>();
  };
  CHECK(rounds(stopped) == 2);
  stopped.insert(stopped.rfind('}'),
                 R"(, "report": {"reference": "floor"}, "stop": {"difference": 0.3})");
  CHECK(rounds(stopped) >= 4);

  const boost::json::object many = plan(suite_with("openai", kQuickBatch, 6));
  CHECK(many.at("batches").at("scenarios").at(0).at("rounds").to_number<double>() > 3);
  CHECK(warns(many));
}

TEST_CASE("settings that batches rule out are refused") {
  const BatchFolder folder;
  const auto refused = [&](const std::string& suite) {
    folder.write("s.json", suite);
    const Ended ended = folder.agon({"run", "s.json"});
    CHECK(ended.code != 0);
    return ended.err;
  };
  CHECK(contains(refused(suite_with("gemini", kQuickBatch)), "takes no batches"));
  std::string limited = suite_with("openai", kQuickBatch);
  limited.insert(limited.rfind('}'), R"(, "limits": {"answer_seconds": 60})");
  CHECK(contains(refused(limited), "is answered in batches"));
  const auto agent = [&](const std::string& own, const std::string& extract) {
    return R"({"suite": "s", "models": {"own": {"provider": "openai", "model": "m")" + own +
           R"(}, "other": {"provider": "openai", "model": "m")" + extract +
           R"(}}, "agents": {"floor": "random", "one": {"llm": "own", "reasoning": "free-text", "answer_seconds": 60,
      "models": {"extract": "other"}}}, "scenarios": [{"game": "water-allocation",
      "blocks": 1, "design": {"focal": "one", "background": "floor"}}]})";
  };
  const std::string batched = R"(, "batch": true)";
  CHECK(contains(refused(agent(batched, "")), "answer_seconds is shorter"));
  CHECK(contains(refused(agent("", batched)), "answer_seconds is shorter"));
  CHECK_FALSE(contains(refused(agent("", "")), "answer_seconds is shorter"));  // it lacks a key
}
