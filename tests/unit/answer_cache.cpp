#include "costs/answer_cache.hpp"

#include <agon/error.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/writer.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "costs/costs.hpp"

using agon::AnswerCache;
using agon::Caps;
using agon::Halt;
using agon::MatchLedger;
using agon::ModelCall;
using agon::PriceList;
using agon::RunLedger;
using agon::archive::CallTotals;

namespace {

ModelCall request(const std::string& text = "Your bid?") {
  ModelCall call;
  call.provider = "p";
  call.endpoint = "http://127.0.0.1:1/v1";
  call.model = "m";
  call.purpose = "answer";
  call.parameters = R"({"temperature":0})";
  call.messages = {{"system", "You play."}, {"user", text}};
  return call;
}

ModelCall answered(const std::string& text = "three") {
  ModelCall call = request();
  call.text = text;
  call.finish = "stop";
  call.served_model = "m-1";
  call.usage = {.input = 100, .output = 20};
  call.latency_ms = 900;
  return call;
}

agon::archive::MatchId match_id(std::uint8_t number) {
  agon::archive::MatchId id;
  id.bytes[0] = number;
  return id;
}

// A dollar a million tokens.
PriceList cache_prices() {
  return PriceList::parse(
      R"({"format": "agon.prices", "models": {"p/*": {"input": 1, "output": 1}}})", "prices.json");
}

/// The run of an archive with a cache of answers.
struct CachedRun {
  explicit CachedRun(const std::filesystem::path& file, bool for_sampling = false, Caps caps = {})
      : run(std::make_shared<RunLedger>(nullptr, 1, caps, cache_prices(), CallTotals{},
                                        std::make_shared<AnswerCache>(file, for_sampling))) {}
  /// The ledger of the first question of a match.
  [[nodiscard]] std::shared_ptr<agon::CallLedger> attempt(std::uint8_t match) {
    matches.push_back(std::make_shared<MatchLedger>(run, match_id(match), 2));
    return matches.back()->attempt(1, 0, 0);
  }
  /// Asks for an answer, and pays for one if the cache has none. True if it had one.
  bool call(std::uint8_t match, bool is_sampled = false) {
    const auto calls = attempt(match);
    REQUIRE(calls->has_cache());
    if (calls->reuse(0, request(), is_sampled)) return true;
    REQUIRE(calls->admit({.provider = "p", .model = "m", .input = 1, .output = 1}) == Halt::no);
    calls->keep(0, answered());
    return false;
  }

  std::shared_ptr<RunLedger> run;
  std::vector<std::shared_ptr<MatchLedger>> matches;
};

}  // namespace

TEST_CASE("answer cache: what one run paid, the next one has for nothing") {
  const archive_samples::Folder folder;
  const auto file = folder / "answers.cache";
  CHECK_FALSE(CachedRun(file).call(1));
  CachedRun next(file, false, {.calls = 1});
  const auto found = next.attempt(2)->reuse(0, request(), false);
  REQUIRE(found);
  CHECK(found->text == "three");
  CHECK(found->finish == "stop");
  CHECK(found->served_model == "m-1");
  CHECK(found->purpose == "answer");
  CHECK(found->messages.size() == 2);
  CHECK(found->usage.input == 100);
  CHECK(found->provider_cost == 120'000);
  CHECK(found->tries == 0);
  CHECK(found->latency_ms == 0);
  const CallTotals spent = next.run->budget().spent();
  CHECK(spent.calls == 0);
  CHECK(spent.tokens == 0);
  CHECK(spent.cost == 0);
  CHECK(spent.unpriced == 0);
  CHECK(spent.from_cache == 1);
  CHECK(spent.saved == 120'000);
  CHECK(next.matches.back()->taken()[1].calls == 1);
  CHECK(next.matches.back()->taken()[1].input == 100);
  CHECK(next.matches.back()->taken()[1].cost == 0);
  CHECK(next.run->met().begin()->second.calls == 0);
  CHECK(next.run->met().begin()->second.from_cache == 1);
  // Another match asks the same in the same run, and a cap on calls is no matter.
  CHECK(next.call(3));
}

TEST_CASE("answer cache: another request is another call") {
  const archive_samples::Folder folder;
  CachedRun run(folder / "answers.cache");
  CHECK_FALSE(run.call(1));
  for (std::string ModelCall::*member :
       {&ModelCall::provider, &ModelCall::endpoint, &ModelCall::model, &ModelCall::parameters}) {
    ModelCall other = request();
    other.*member += "x";
    CHECK_FALSE(run.attempt(2)->reuse(0, other, false));
  }
  CHECK_FALSE(run.attempt(2)->reuse(0, request("Your offer?"), false));
  ModelCall other = request();
  other.messages[1].role = "assistant";
  CHECK_FALSE(run.attempt(2)->reuse(0, other, false));
  // What a call is for is not sent.
  other = request();
  other.purpose = "notebook";
  CHECK(run.attempt(2)->reuse(0, other, false));
}

TEST_CASE("answer cache: agents that sample use it on request, for the same call of a match") {
  const archive_samples::Folder folder;
  const auto file = folder / "answers.cache";
  CHECK_FALSE(CachedRun(file).call(1, true));
  CHECK_FALSE(CachedRun(file).call(1, true));
  CachedRun first(file, true);
  CHECK_FALSE(first.call(1, true));
  CHECK_FALSE(first.call(2, true));  // draws of one run stay independent
  CachedRun second(file, true);
  CHECK(second.call(1, true));
  CHECK(second.call(2, true));
  CHECK_FALSE(second.call(3, true));
  CHECK_FALSE(second.call(3, false));  // and no draw is taken for the answer
  CHECK(AnswerCache::contents(file).at("p/m").answers == 4);
  CHECK(AnswerCache::contents(file).at("p/m").sampled == 3);
}

TEST_CASE("answer cache: a drift check asks the model, and answers without words are not kept") {
  const archive_samples::Folder folder;
  CachedRun run(folder / "answers.cache");
  CHECK_FALSE(run.attempt(0)->has_cache());  // outside any match
  CHECK_FALSE(run.attempt(0)->reuse(0, request(), false));
  const auto calls = run.attempt(1);
  CHECK_FALSE(calls->reuse(0, request(), false));
  calls->keep(0, answered(""));
  CHECK_FALSE(run.attempt(2)->reuse(0, request(), false));
}

TEST_CASE("answer cache: two runs use one file at once") {
  const archive_samples::Folder folder;
  const auto file = folder / "answers.cache";
  CachedRun one(file);
  CachedRun two(file);
  CHECK_FALSE(one.call(1));
  CHECK(two.call(1));
  CHECK(AnswerCache::contents(file).at("p/m").answers == 1);
}

TEST_CASE("answer cache: another file is refused, and stays as it is") {
  const archive_samples::Folder folder;
  const auto refused = [](const std::filesystem::path& file, const std::string& why) {
    for (const bool reads : {false, true}) {
      try {
        if (reads)
          (void)AnswerCache::contents(file);
        else
          (void)AnswerCache(file, false);
        FAIL("it was taken");
      } catch (const agon::Error& error) {
        CHECK(error.problem().find(why) != std::string::npos);
        CHECK(error.where() == file.string());
        CHECK(error.hint().find("--cache") != std::string::npos);
      }
    }
  };
  const auto text = folder / "notes.txt";
  std::ofstream(text) << std::string(5000, 'a');
  refused(text, "this is no file of cached answers");
  CHECK(std::filesystem::file_size(text) == 5000);
  const auto archive = folder / "a.agon";
  { const agon::archive::Writer writer(archive); }
  refused(archive, "it is of another kind");
  const auto newer = folder / "newer.cache";
  { const AnswerCache made(newer, false); }
  {
    agon::archive::Connection db(newer, agon::archive::OpenMode::write);
    db.run("pragma user_version = 99");
  }
  refused(newer, "it has version 99");
  CHECK_THROWS_AS(AnswerCache::contents(folder / "none.cache"), agon::Error);
  CHECK_FALSE(std::filesystem::exists(folder / "none.cache"));
}

TEST_CASE("answer cache: a file that breaks during a run ends its use, and nothing else") {
  const archive_samples::Folder folder;
  const auto file = folder / "answers.cache";
  CachedRun run(file);
  CHECK_FALSE(run.call(1));
  {
    agon::archive::Connection db(file, agon::archive::OpenMode::write);
    db.run("update answer set fault = 'unheard'");
  }
  CHECK_FALSE(run.call(2));
  CHECK_FALSE(run.call(3));
  CHECK(run.run->budget().spent().calls == 3);
}
