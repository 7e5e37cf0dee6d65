#include <agon/error.hpp>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "costs/costs.hpp"

using agon::Caps;
using agon::Halt;
using agon::MatchLedger;
using agon::ModelCall;
using agon::PriceList;
using agon::RunLedger;
using agon::archive::CallRow;
using agon::archive::CallTotals;

namespace {

// One dollar a million tokens, in and out: a token is 1000 billionths.
PriceList prices() {
  return PriceList::parse(
      R"({"format": "agon.prices", "models": {"p/*": {"input": 1, "output": 1, "cached": 0}}})",
      "prices.json");
}

/// A ledger of a match of two seats, without an archive.
struct Book {
  explicit Book(Caps caps = {}) {
    run = std::make_shared<RunLedger>(nullptr, 1, caps, prices(), CallTotals{});
    match = std::make_shared<MatchLedger>(run, agon::archive::MatchId{}, 2);
  }
  /// What all calls took so far.
  [[nodiscard]] CallTotals spent() const { return run->budget().spent(); }

  std::shared_ptr<RunLedger> run;
  std::shared_ptr<MatchLedger> match;
};

ModelCall call_of(std::int64_t input, std::int64_t output, std::string text = "an answer") {
  ModelCall call;
  call.provider = "p";
  call.model = "m";
  call.usage.input = input;
  call.usage.output = output;
  call.text = std::move(text);
  return call;
}

const agon::CallEstimate kEstimate{.provider = "p", .model = "m", .input = 70, .output = 30};

CallRow past_call(std::int64_t question, std::int64_t attempt, std::int64_t place,
                  const std::string& text, bool answered = true) {
  CallRow row;
  row.seat = 1;
  row.question = question;
  row.attempt = attempt;
  row.place = place;
  row.answered = answered;
  row.call = call_of(10, 5, text);
  return row;
}

}  // namespace

TEST_CASE("ledger: what was answered is counted, for the run and for the seat") {
  const Book book;
  const auto calls = book.match->attempt(1, 0, 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  CHECK(book.run->budget().in_flight() == 1);
  ModelCall call = call_of(100, 20);
  call.usage.cached = 40;
  call.usage.thought = 5;
  calls->keep(0, call);
  CHECK(book.run->budget().in_flight() == 0);
  CHECK(book.spent().calls == 1);
  CHECK(book.spent().tokens == 120);
  CHECK(book.spent().cost == 120'000 - 40'000);  // what came from a cache costs nothing here
  CHECK(book.spent().unpriced == 0);
  REQUIRE(book.match->taken().size() == 2);
  CHECK(book.match->taken()[0].calls == 0);
  const agon::SeatCalls seat = book.match->taken()[1];
  CHECK(seat.calls == 1);
  CHECK(seat.input == 100);
  CHECK(seat.output == 20);
  CHECK(seat.cached == 40);
  CHECK(seat.thought == 5);
  CHECK(seat.cost == 80'000);
  CHECK(seat.unpriced == 0);
}

TEST_CASE("ledger: what the provider did not count is taken as estimated, for the caps only") {
  const Book book;
  const auto calls = book.match->attempt(0, 0, 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  ModelCall call = call_of(-1, -1, std::string(36, 'a'));
  call.reasoning = std::string(4, 'b');
  calls->keep(0, call);
  CHECK(book.spent().tokens == 70 + 10);  // four bytes a token
  CHECK(book.spent().cost == 80'000);
  CHECK(book.spent().unpriced == 1);
  const agon::SeatCalls seat = book.match->taken()[0];
  CHECK(seat.calls == 1);
  CHECK(seat.input == 0);
  CHECK(seat.output == 0);
  CHECK(seat.cost == 0);
  CHECK(seat.unpriced == 1);
}

TEST_CASE("ledger: a call that failed counts as one, with what is known of it") {
  const Book book;
  const auto calls = book.match->attempt(0, 0, 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  calls->give_back(0, call_of(-1, -1, ""));
  CHECK(book.spent().calls == 1);
  CHECK(book.spent().tokens == 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  calls->give_back(0, call_of(60, 0, ""));
  CHECK(book.spent().calls == 2);
  CHECK(book.spent().tokens == 60);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  calls->give_back(0, call_of(0, 5, ""));  // nothing in is known too
  CHECK(book.spent().tokens == 65);
  CHECK(book.run->budget().in_flight() == 0);
  CHECK(book.match->taken()[0].calls == 3);
  CHECK(book.match->taken()[0].unpriced == 0);  // not answered
  CHECK_FALSE(calls->find(0));
}

TEST_CASE("ledger: a call that was never sent leaves no trace") {
  const Book book({.calls = 1});
  const auto calls = book.match->attempt(0, 0, 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  ModelCall unsent = call_of(-1, -1, "");
  unsent.tries = 0;
  calls->give_back(0, unsent);
  CHECK(book.spent().calls == 0);
  CHECK(book.run->budget().in_flight() == 0);
  CHECK(book.match->taken()[0].calls == 0);
  CHECK(book.run->met().empty());
  CHECK(calls->admit(kEstimate) == Halt::no);
}

TEST_CASE("ledger: an agent that breaks between leave and answer gives its leaves back") {
  const Book book({.tokens = 100});
  {
    const auto calls = book.match->attempt(0, 0, 0);
    REQUIRE(calls->admit(kEstimate) == Halt::no);
    CHECK(book.run->budget().in_flight() == 1);
  }
  CHECK(book.run->budget().in_flight() == 0);
  CHECK(book.spent().calls == 0);
  // All of the cap is free again.
  const auto calls = book.match->attempt(0, 0, 1);
  CHECK(calls->admit(kEstimate) == Halt::no);
}

TEST_CASE("ledger: calls side by side give back one leave each") {
  const Book book;
  auto calls = book.match->attempt(0, 0, 0);
  for (int i = 0; i < 3; ++i) REQUIRE(calls->admit(kEstimate) == Halt::no);
  CHECK(book.run->budget().in_flight() == 3);
  calls->keep(0, call_of(1, 1));
  calls->give_back(1, call_of(1, 1));
  CHECK(book.run->budget().in_flight() == 1);
  calls->keep(2, call_of(1, 1));
  CHECK(book.run->budget().in_flight() == 0);
  calls.reset();
  CHECK(book.run->budget().in_flight() == 0);  // none is given back twice
}

TEST_CASE("ledger: a call that was refused holds nothing") {
  const Book book({.calls = 0});
  {
    const auto calls = book.match->attempt(0, 0, 0);
    CHECK(calls->admit(kEstimate) == Halt::budget);
  }
  CHECK(book.run->budget().in_flight() == 0);
}

TEST_CASE("ledger: an answered call is found in its place, the later one of two") {
  const Book book;
  book.match->add_past(past_call(3, 1, 0, "first"));
  book.match->add_past(past_call(3, 1, 0, "second"));
  book.match->add_past(past_call(3, 1, 1, "next"));
  book.match->add_past(past_call(4, 0, 0, "failed", false));
  const auto found = [&](std::uint32_t question, int attempt, int index) {
    const auto call = book.match->attempt(1, question, attempt)->find(index);
    return call ? call->text : std::string("none");
  };
  CHECK(found(3, 1, 0) == "second");
  CHECK(found(3, 1, 1) == "next");
  CHECK(found(3, 1, 2) == "none");
  CHECK(found(3, 0, 0) == "none");
  CHECK(found(2, 1, 0) == "none");
  CHECK(found(4, 0, 0) == "none");
  // Those of earlier runs count for their seat, answered or not.
  CHECK(book.match->taken()[1].calls == 4);
  CHECK(book.match->taken()[1].input == 40);
  CHECK(book.match->taken()[1].unpriced == 3);
  CHECK(book.spent().calls == 0);
}

TEST_CASE("ledger: of each model it tells what was met") {
  const Book book;
  const auto calls = book.match->attempt(0, 0, 0);
  ModelCall call = call_of(1, 1);
  call.served_model = "m-2026";
  calls->keep(0, call);
  call.fingerprint = "fp";
  call.parameters = R"({"temperature":1})";
  calls->keep(1, call);
  const auto met = book.run->met();
  REQUIRE(met.size() == 1);
  const agon::ModelMet& m = met.begin()->second;
  CHECK(m.calls == 2);
  CHECK(m.served == std::set<std::string>{"m-2026"});
  CHECK(m.fingerprints == std::set<std::string>{"fp"});
  CHECK(m.parameters == std::set<std::string>{"{}", R"({"temperature":1})"});
}

TEST_CASE("ledger: of an endpoint that names each answer anew the first 32 names are kept") {
  const Book book;
  const auto calls = book.match->attempt(0, 0, 0);
  for (int i = 0; i < 40; ++i) {
    ModelCall call = call_of(1, 1);
    call.served_model = call.fingerprint = std::to_string(i);
    call.parameters = "{\"seed\":" + std::to_string(i) + "}";
    calls->keep(i, call);
  }
  const agon::ModelMet m = book.run->met().begin()->second;
  CHECK(m.calls == 40);
  CHECK(m.served.size() == 32);
  CHECK(m.fingerprints.size() == 32);
  CHECK(m.parameters.size() == 32);
}

TEST_CASE("ledger: when the run is over nothing more is taken") {
  const Book book;
  const auto calls = book.match->attempt(0, 0, 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  book.run->close();
  CHECK_THROWS_AS(calls->keep(0, call_of(1, 1)), agon::Error);
  CHECK(book.run->budget().in_flight() == 0);  // its leave is given back all the same
  CHECK(calls->admit(kEstimate) == Halt::budget);
}

TEST_CASE("ledger: draining waits for calls in flight, until somebody has had enough") {
  const Book book;
  const auto calls = book.match->attempt(0, 0, 0);
  REQUIRE(calls->admit(kEstimate) == Halt::no);
  int asked = 0;
  book.run->drain([&] {
    if (++asked == 2) calls->keep(0, call_of(1, 1));
    return asked == 5;
  });
  CHECK(asked == 2);
  CHECK(calls->admit(kEstimate) == Halt::budget);

  const Book other;
  const auto stuck = other.match->attempt(0, 0, 0);
  REQUIRE(stuck->admit(kEstimate) == Halt::no);
  asked = 0;
  other.run->drain([&] { return ++asked == 3; });
  CHECK(asked == 3);
  CHECK(other.run->budget().in_flight() == 1);
}

TEST_CASE("ledger: the calls of an archive count for the caps, what is not known as estimated") {
  const archive_samples::Folder folder;
  const auto file = folder / "a.agon";
  {
    agon::archive::Writer writer(file);
    const auto numbers = archive_samples::add_rows(writer);
    const std::string bytes(400, 'q');
    const auto message = agon::hash::sha256(bytes);
    const auto save = [&](std::int64_t place, std::int64_t input, std::int64_t output,
                          std::optional<std::int64_t> cost, bool answered = true,
                          const std::string& parameters = "{}") {
      CallRow row;
      row.match = archive_samples::sample_match(numbers, 0).key.id;
      row.place = place;
      row.answered = answered;
      row.run = 1;
      row.call = call_of(input, output, std::string(80, 'a'));
      row.cost = cost;
      row.messages = {message};
      row.parameters = writer.store("parameters", parameters);
      row.call.parameters.clear();
      writer.save_call(std::move(row));
    };
    agon::archive::RunRow run;
    (void)writer.begin_run(run);
    writer.store_as(message, "message", bytes);
    save(0, 1000, 200, 5'000);             // all known
    save(1, -1, 200, 5'000);               // 400 bytes and a little, 2 bytes of parameters
    save(2, 1000, -1, 5'000);              // 80 bytes
    save(3, 1000, 200, std::nullopt);      // by price
    save(4, -1, -1, std::nullopt, false);  // came to nothing
    save(5, 1000, 200, std::nullopt, true, R"({"seed":1,"batched":true})");  // by half the price
  }
  const auto archive = agon::archive::Archive::open(file);
  const CallTotals known = archive.calls().totals();
  CHECK(known.calls == 6);
  CHECK(known.tokens == 1200 + 200 + 1000 + 1200 + 1200);
  CHECK(known.cost == 15'000);
  CHECK(known.unpriced == 2);
  const CallTotals taken = agon::taken_before(archive, prices());
  CHECK(taken.calls == 6);
  CHECK(taken.tokens == known.tokens + (100 + 4 + 1) + 20);
  CHECK(taken.cost == 15'000 + 1'200'000 + 600'000);
  CHECK(agon::taken_before(archive, PriceList()).cost == 15'000);
}

TEST_CASE("ledger: calls are kept in the archive, and found there by the next run") {
  const archive_samples::Folder folder;
  const auto file = folder / "a.agon";
  const auto message = [](const std::string& text) { return agon::ChatMessage{"user", text}; };
  agon::archive::MatchId id;
  {
    agon::archive::Writer writer(file);
    const auto numbers = archive_samples::add_rows(writer);
    id = archive_samples::sample_match(numbers, 3).key.id;
    (void)writer.begin_run({});
    const std::int64_t number = writer.begin_run({});
    const auto run = std::make_shared<RunLedger>(&writer, number, Caps{}, prices(), CallTotals{});
    const auto match = std::make_shared<MatchLedger>(run, id, 2);
    const auto calls = match->attempt(1, 5, 2);
    ModelCall call = call_of(100, 20, "first");
    call.parameters = R"({"seed":1})";
    call.messages = {message("rules"), message("one")};
    calls->keep(0, call);
    call.text = "second";
    call.messages.push_back(message("two"));
    calls->keep(1, call);
    call.problem = "broke";
    calls->give_back(2, call);
    run->close();
    call.messages.push_back(message("late"));
    CHECK_THROWS_AS(calls->keep(3, call), agon::Error);
    CHECK(match->taken()[1].calls == 3);
  }
  agon::archive::Connection db(file, agon::archive::OpenMode::read);
  CHECK(db.integer("select count(*) from content where kind = 'message'") ==
        3);  // none of them late
  const auto archive = agon::archive::Archive::open(file);
  std::vector<CallRow> rows;
  archive.calls().each(&id, [&](const CallRow& row) { rows.push_back(row); });
  REQUIRE(rows.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(rows[i].run == 2);
    CHECK(rows[i].seat == 1);
    CHECK(rows[i].question == 5);
    CHECK(rows[i].attempt == 2);
    CHECK(rows[i].place == static_cast<std::int64_t>(i));
    CHECK(rows[i].call.parameters == R"({"seed":1})");
    REQUIRE(rows[i].call.messages.size() == (i == 0 ? 2 : 3));
    CHECK(rows[i].call.messages[0].text == "rules");
    CHECK(rows[i].call.messages[1].text == "one");
  }
  CHECK(rows[1].call.messages[2].text == "two");
  CHECK(rows[1].call.text == "second");
  CHECK(rows[1].answered);
  CHECK_FALSE(rows[2].answered);

  const Book next;
  for (const CallRow& row : rows) next.match->add_past(row);
  CHECK(next.match->attempt(1, 5, 2)->find(0)->text == "first");
  CHECK(next.match->attempt(1, 5, 2)->find(1)->text == "second");
  CHECK_FALSE(next.match->attempt(1, 5, 2)->find(2));
}

TEST_CASE("ledger: notes of batches are in the archive, and of a match's calls alone") {
  const archive_samples::Folder folder;
  const auto file = folder / "a.agon";
  {
    agon::archive::Writer writer(file);
    const auto numbers = archive_samples::add_rows(writer);
    const agon::archive::MatchId id = archive_samples::sample_match(numbers, 3).key.id;
    const std::int64_t number = writer.begin_run({});
    const auto run = std::make_shared<RunLedger>(&writer, number, Caps{}, prices(), CallTotals{});
    run->add_past_batch("of before");
    const auto calls = std::make_shared<MatchLedger>(run, id, 2)->attempt(1, 5, 2);
    CHECK(calls->name_of(3) == id.hex() + "-5-2-3");
    const auto notes = calls->batches();
    REQUIRE(notes != nullptr);
    CHECK(notes->is_idle());
    notes->add("first");
    notes->add("second");
    CHECK(notes->all() == std::vector<std::string>{"of before", "first", "second"});
    // A drift check is about what is answered now.
    const auto drift = std::make_shared<MatchLedger>(run, agon::archive::MatchId{}, 2);
    CHECK(drift->attempt(0, 0, 0)->name_of(0).empty());
    CHECK_FALSE(notes->is_over());
    run->close();
    CHECK(notes->is_over());
    CHECK_THROWS_AS(notes->add("late"), agon::Error);
    CHECK(calls->batches() == nullptr);
  }
  std::vector<std::string> found;
  agon::archive::Archive::open(file).calls().batch_notes(
      [&](std::string note) { found.push_back(std::move(note)); });
  CHECK(found == std::vector<std::string>{"first", "second"});
  // Without an archive nothing can be noted.
  CHECK(Book().match->attempt(0, 0, 0)->batches() == nullptr);
}

TEST_CASE("ledger: a cap holds half as much for a call in a batch") {
  const Book book({.cost = 110'000});
  const auto calls = book.match->attempt(0, 0, 0);
  agon::CallEstimate batched = kEstimate;
  batched.is_batched = true;
  REQUIRE(calls->admit(batched) == Halt::no);
  REQUIRE(calls->admit(batched) == Halt::no);  // 50 000 each; a whole one would have to wait
  ModelCall call = call_of(70, 30);
  call.parameters = R"({"batched":true})";
  calls->keep(0, call);
  calls->keep(1, call);
  CHECK(book.spent().cost == 100'000);
}
