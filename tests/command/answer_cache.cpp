#include <csignal>
#include <map>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kKey = "sk-answers-0123456789";

std::string suite_at(const std::string& temperature) {
  return R"({"suite": "s", "seed": 3,
  "models": {"m": {"provider": "openai", "model": "m", "backoff_s": 0.01)" +
         temperature + R"(}}, "agents": {"one": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 2}, "blocks": 4,
    "design": {"focal": "one", "background": "floor"}}]})";
}

Start start_at(const Endpoint& endpoint) {
  return {.environment = {{"OPENAI_API_KEY", kKey}, {"OPENAI_BASE_URL", endpoint.url()}}};
}

Served bid(const Endpoint::Request&) {
  return {Endpoint::answer(R"({"bid": 3})")};
}

/// A run into an archive, with the cache "answers.cache".
Words cached_run(const std::string& archive, const Words& more = {}) {
  return joined({"run", "s.json", "--out", archive, "--jobs", "4", "--no-preflight", "--cache",
                 "answers.cache", "--prices", "prices.json"},
                more);
}

/// A folder with a suite at this temperature, and prices of its model.
struct CachedFolder : Folder {
  explicit CachedFolder(const std::string& temperature) {
    write("s.json", suite_at(temperature));
    write("prices.json", R"({"format": "agon.prices", "models":
      {"openai/*": {"input": 1, "output": 10}}})");
  }
};

/// The texts of the calls of an archive by their place, and how many came from the cache.
std::map<std::string, std::string> texts(const Folder& folder, const std::string& archive,
                                         int& from_cache) {
  std::map<std::string, std::string> all;
  from_cache = 0;
  agon::archive::Archive::open(folder.at(archive))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) {
        all[row.match.hex() + " " + std::to_string(row.question) + " " +
            std::to_string(row.attempt) + " " + std::to_string(row.place)] = row.call.text;
        if (!row.is_from_cache()) return;
        ++from_cache;
        CHECK(row.cost == 0);
        CHECK(row.call.latency_ms == 0);
        CHECK_FALSE(row.call.messages.empty());
      });
  return all;
}

}  // namespace

TEST_CASE("another archive has its answers from the cache, and makes no request") {
  const Endpoint endpoint(bid);
  const CachedFolder folder(R"(, "temperature": 0)");
  folder.succeeds(cached_run("a.agon"), start_at(endpoint));
  const int paid = endpoint.calls();
  REQUIRE(paid > 0);

  const Ended second = folder.succeeds(cached_run("b.agon"), start_at(endpoint));
  CHECK(endpoint.calls() == paid);
  int from_cache = 0;
  const auto before = texts(folder, "a.agon", from_cache);
  CHECK(texts(folder, "b.agon", from_cache) == before);
  CHECK(from_cache == static_cast<int>(before.size()));
  const std::string said = std::to_string(from_cache) + " more calls were answered from the cache";
  CHECK(contains(second.err, said));
  const auto totals = agon::archive::Archive::open(folder.at("b.agon")).calls().totals();
  CHECK(totals.calls == 0);
  CHECK(totals.tokens == 0);
  CHECK(totals.cost == 0);
  CHECK(totals.from_cache == from_cache);
  CHECK(totals.saved > 0);

  // A cap on calls stops nothing, and the archive is as good as any.
  CHECK(folder.agon(cached_run("c.agon", {"--max-calls", "1"}), start_at(endpoint)).code == 0);
  CHECK(endpoint.calls() == paid);
  CHECK(folder.agon({"replay", "b.agon"}).code == 0);

  const Ended report = folder.agon({"report", "b.agon", "--section", "use"});
  INFO(report.out);
  check_has(report.out, {"from cache", "USD saved"});
  folder.succeeds({"run", "s.json", "--out", "n.agon", "--no-preflight"}, start_at(endpoint));
  CHECK_FALSE(contains(folder.agon({"report", "n.agon", "--section", "use"}).out, "from cache"));
  CHECK(contains(lines(folder.agon({"export", "b.agon", "--rows", "calls", "--json"}).out).at(0),
                 R"("latency_ms":null)"));
  const Ended plan = folder.succeeds({"plan", "s.json", "--cache", "answers.cache"});
  check_has(plan.err, {"answers.cache has ", " of openai/m, 0 of them sampled"});

  // Nothing of the key, nor of the prompts, is in the file.
  for (const std::string name : {"answers.cache", "answers.cache-wal"})
    if (folder.has(name)) {
      check_lacks(folder.read(name), {kKey, "water"});
    }
}

TEST_CASE("models that sample have answers from the cache on request alone") {
  const Endpoint endpoint(bid);
  const CachedFolder folder(GENERATE(as<std::string>{}, "", R"(, "temperature": 0.7)",
                                     R"(, "seed": 5)",
                                     R"(, "temperature": 0, "extra": {"temperature": 1})"));
  REQUIRE(folder.agon(cached_run("a.agon"), start_at(endpoint)).code == 0);
  const int paid = endpoint.calls();
  REQUIRE(folder.agon(cached_run("b.agon"), start_at(endpoint)).code == 0);
  CHECK(endpoint.calls() == 2 * paid);
  REQUIRE(folder.agon(cached_run("c.agon", {"--cache-sampled"}), start_at(endpoint)).code == 0);
  CHECK(endpoint.calls() == 3 * paid);  // each call is a draw of its own
  REQUIRE(folder.agon(cached_run("d.agon", {"--cache-sampled"}), start_at(endpoint)).code == 0);
  CHECK(endpoint.calls() == 3 * paid);
}

TEST_CASE("two runs use a cache at once, and a killed one leaves it sound") {
  const Endpoint endpoint(bid);
  const CachedFolder folder(R"(, "temperature": 0)");
  {
    Child one(cached_run("a.agon"), folder.start(start_at(endpoint)));
    Child two(cached_run("b.agon"), folder.start(start_at(endpoint)));
    const Ended ended[] = {one.end(), two.end()};
    for (const Ended& run : ended) {
      INFO(run.err);
      CHECK(run.code == 0);
      CHECK_FALSE(contains(run.err, "not used any more"));
    }
  }
  std::filesystem::remove(folder.at("answers.cache"));
  const int before = endpoint.calls();
  {
    Child run(cached_run("c.agon", {"--jobs", "1"}), folder.start(start_at(endpoint)));
    run.until([&] { return endpoint.calls() >= before + 3; });
    run.send(SIGKILL);
    (void)run.end();
  }
  REQUIRE(folder.agon(cached_run("d.agon"), start_at(endpoint)).code == 0);
  const int paid = endpoint.calls();
  REQUIRE(folder.agon(cached_run("e.agon"), start_at(endpoint)).code == 0);
  CHECK(endpoint.calls() == paid);
}

TEST_CASE("a file that is no cache of answers is refused before a run") {
  const Endpoint endpoint(bid);
  const CachedFolder folder(R"(, "temperature": 0)");
  folder.write("answers.cache", std::string(4096, 'x'));
  // The preflight check makes calls too.
  for (const Words& words : {cached_run("a.agon"), Words{"run", "s.json", "--out", "a.agon",
                                                         "--cache", "answers.cache"}}) {
    const Ended run = folder.agon(words, start_at(endpoint));
    CHECK(run.code != 0);
    check_has(run.err, {"this is no file of cached answers", "answers.cache"});
    CHECK(endpoint.calls() == 0);
    CHECK_FALSE(folder.has("a.agon"));
  }
  const Ended nowhere = folder.agon(
      {"run", "s.json", "--no-preflight", "--cache", "missing/answers.cache"}, start_at(endpoint));
  INFO(nowhere.err);
  CHECK(nowhere.code != 0);
  check_has(nowhere.err, {"the file of cached answers cannot be used: it cannot be opened",
                          "give another file with --cache, or leave it out"});
  CHECK_FALSE(contains(nowhere.err, "archive"));
  CHECK(folder.agon({"plan", "s.json", "--cache", "none.cache"}).code != 0);
  CHECK(folder.agon({"run", "s.json", "--cache-sampled"}).code == 2);
}
