#pragma once

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/fault.hpp>
#include <agon/table.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "archive/calls.hpp"
#include "archive/database/table.hpp"
#include "archive/rows.hpp"
#include "describe/read.hpp"
#include "json/parse.hpp"

// The tables of an archive whose rows are structs (rows.hpp, calls.hpp); docs/archive.md is their
// reference. Running numbers and keys come before the columns, see schema.cpp.
namespace agon::archive {

/// Forms of columns other than Plain.
namespace form {

/// Lists of described values, as JSON.
struct Json {
  [[noreturn]] static void refuse(Statement& from) { from.refuse("not as Agon writes it"); }
  template <class T>
  static constexpr std::string_view declared() {
    return "text not null";
  }
  template <class T>
  static void bind(Statement& to, const std::vector<T>& list) {
    to.bind_copy(write_json(list));
  }
  template <class T>
  static void read(Statement& from, std::vector<T>& list, ColumnLimits /*limits*/) {
    auto read = read_recorded<std::vector<T>>(from.text());
    if (!read || find_problem(type_of<std::vector<T>>(), &*read)) refuse(from);
    list = *std::move(read);
  }
};

/// What metrics a game has.
struct MetricCards : Json {
  static void read(Statement& from, std::vector<Metric>& metrics, ColumnLimits limits) {
    Json::read(from, metrics, limits);
    for (const Metric& metric : metrics)
      if (metric.min && metric.max && *metric.min > *metric.max) refuse(from);
  }
};

/// Values of metrics, as JSON (write_metrics).
struct Metrics : Json {
  static void bind(Statement& to, const std::vector<double>& values) {
    to.bind_copy(write_metrics(values));
  }
  static void read(Statement& from, std::vector<double>& values, ColumnLimits /*limits*/) {
    if (!read_metrics(from.text(), values)) from.refuse("no list of numbers");
  }
};

/// A text that is a JSON object, on which its readers rely.
struct JsonObject : Plain {
  static void read(Statement& from, std::string& text, ColumnLimits /*limits*/) {
    text = from.text();
    if (text == "{}") return;
    try {
      if (json::parse(text, "").is_object()) return;
    } catch (const Error&) {
      // Told below: where in the text it breaks helps nobody.
    }
    from.refuse("no JSON object");
  }
};

/// A text as bytes.
struct Blob {
  template <class T>
  static constexpr std::string_view declared() {
    return "blob not null";
  }
  static void bind(Statement& to, const std::string& text) { to.bind_bytes(text); }
  static void read(Statement& from, std::string& text, ColumnLimits /*limits*/) {
    const auto bytes = from.bytes();
    text.assign(bytes.begin(), bytes.end());
  }
};

/// Digests, one after the other.
struct Digests : Blob {
  static void bind(Statement& to, const std::vector<hash::Digest>& digests) {
    static_assert(sizeof(hash::Digest) == std::tuple_size_v<hash::Digest>);
    to.bind_bytes(
        {reinterpret_cast<const char*>(digests.data()), digests.size() * sizeof(hash::Digest)});
  }
  static void read(Statement& from, std::vector<hash::Digest>& digests, ColumnLimits /*limits*/) {
    const auto bytes = from.bytes();
    if (bytes.size() % sizeof(hash::Digest) != 0) from.refuse("no list of digests");
    digests.resize(bytes.size() / sizeof(hash::Digest));
    for (std::size_t i = 0; i < digests.size(); ++i)
      std::ranges::copy(bytes.subspan(i * sizeof(hash::Digest), sizeof(hash::Digest)),
                        digests[i].begin());
  }
};

/// A count, NULL where it is not known, which is -1 in the row.
struct CountOrNull {
  template <class T>
  static constexpr std::string_view declared() {
    return "integer";
  }
  static void bind(Statement& to, std::int64_t count) {
    count < 0 ? to.bind_null() : to.bind(count);
  }
  static void read(Statement& from, std::int64_t& count, ColumnLimits limits) {
    count = -1;
    if (from.null())
      from.skip();
    else
      count = from.integer(0, limits.high);
  }
};

/// An enumerator by its name.
struct EnumName {
  template <class T>
  static constexpr std::string_view declared() {
    return "text not null";
  }
  template <class E>
  static void bind(Statement& to, E value) {
    to.bind(name_of(value));
  }
  template <class E>
  static void read(Statement& from, E& value, ColumnLimits /*limits*/) {
    const auto named = value_named<E>(from.text());
    if (!named) from.refuse("an unknown name");
    value = *named;
  }
};

/// A time; 0 is written as the present one.
struct Moment : Plain {
  static void bind(Statement& to, Time time) { to.bind(time == 0 ? now() : time); }
};

}  // namespace form

struct GameRows {
  using Row = GameRow;
  static constexpr std::string_view name = "game";
  static constexpr std::tuple columns{
      column("name", &Row::name),
      column("version", &Row::version),
      column("plugin", &Row::plugin),
      column("plugin_version", &Row::plugin_version),
      column("score_decimals", &Row::score_decimals).between(0, kMostDecimals),
      column("seat_metrics", &Row::seat_metrics).by(form::MetricCards{}),
      column("match_metrics", &Row::match_metrics).by(form::MetricCards{}),
      column("score_low", &Row::score_min),
      column("score_high", &Row::score_max)};
};

struct ScenarioRows {
  using Row = ScenarioRow;
  static constexpr std::string_view name = "scenario";
  static constexpr std::tuple columns{column("place", &Row::place),
                                      column("name", &Row::name),
                                      column("game", &Row::game).also("references game"),
                                      column("preset", &Row::preset),
                                      column("treatment", &Row::treatment).by(form::JsonObject{}),
                                      column("settings", &Row::settings),
                                      column("seed", &Row::seed)};
};

struct AgentRows {
  using Row = AgentRow;
  static constexpr std::string_view name = "agent";
  static constexpr std::tuple columns{
      column("hash", &Row::hash),
      column("name", &Row::name),
      column("spec", &Row::spec).by(form::JsonObject{}),
      column("family", &Row::family).also("default ''"),
      column("factors", &Row::factors).by(form::JsonObject{}).also("default '{}'"),
      column("prompts", &Row::prompts)};
};

struct SuiteRows {
  using Row = SuiteRow;
  static constexpr std::string_view name = "suite";
  static constexpr std::tuple columns{column("digest", &Row::digest).also("unique"),
                                      column("name", &Row::name), column("seed", &Row::seed)};
};

struct RunRows {
  using Row = RunRow;
  static constexpr std::string_view name = "run";
  static constexpr std::tuple columns{
      column("suite_number", &Row::suite_number).also("references suite"),
      column("started", &Row::started).between(0, kLastTime).by(form::Moment{}),
      column("ended", &Row::ended).between(0, kLastTime),
      column("status", &Row::status),
      column("suite_file", &Row::suite_file),
      column("seed", &Row::seed),
      column("command", &Row::command),
      column("versions", &Row::versions),
      column("plugins", &Row::plugins),
      column("manifest", &Row::manifest).also("default '{}'")};
};

/// The columns of a key, whose member of the row is `key`.
template <class Row>
constexpr auto key_columns(MatchKey Row::*key, std::string_view id) {
  return std::tuple{column("id", key, &MatchKey::id).as(id),
                    column("scenario", key, &MatchKey::scenario).also("references scenario"),
                    column("block", key, &MatchKey::block).between(0, kMostBlock),
                    column("repeat", key, &MatchKey::repeat).between(0, kMostBlock),
                    column("position", key, &MatchKey::position).between(0, kMostPosition),
                    column("line_up", key, &MatchKey::line_up),
                    column("assignment", key, &MatchKey::assignment)};
}

/// But for the seats and the record, which are tables of their own.
struct MatchRows {
  using Row = MatchRow;
  static constexpr std::string_view name = "match";
  static constexpr auto columns = std::tuple_cat(
      key_columns(&Row::key, "blob not null unique"),
      std::tuple{column("focal", &Row::focal).also("references agent"),
                 column("cluster", &Row::cluster), column("rng_key", &Row::rng_key),
                 column("status", &Row::status).by(form::EnumName{}), column("fault", &Row::fault),
                 column("metrics", &Row::metrics).by(form::Metrics{}),
                 column("questions", &Row::questions).between(0, kMostCount),
                 column("wall_ms", &Row::wall_ms), column("waiting_ms", &Row::waiting_ms),
                 column("created", &Row::created).between(0, kLastTime).by(form::Moment{})});
};

/// How often an attempt at an answer ended so.
template <Fault fault>
constexpr auto attempts(std::string_view name) {
  return column(
             name, [](auto& row) -> auto& { return row.attempts[static_cast<std::size_t>(fault)]; })
      .between(0, kMostCount);
}

struct SeatRows {
  using Row = SeatRow;
  static constexpr std::string_view name = "seat";
  static constexpr std::tuple columns{
      column("name", &Row::name),
      column("role", &Row::role),
      column("agent", &Row::agent).also("references agent"),
      column("payoff", &Row::payoff).as("real"),
      column("disagreement", &Row::disagreement).as("real"),
      column("ideal", &Row::ideal).as("real"),
      column("rank", &Row::rank).between(0, kMaxSeats),
      column("metrics", &Row::metrics).by(form::Metrics{}),
      column("fallbacks", &Row::fallbacks).between(0, kMostCount),
      attempts<Fault::ok>("ok"),
      attempts<Fault::repaired>("repaired"),
      attempts<Fault::illegal>("illegal"),
      attempts<Fault::unparsable>("unparsable"),
      attempts<Fault::empty>("empty"),
      attempts<Fault::truncated>("truncated"),
      attempts<Fault::refused>("refused"),
      attempts<Fault::timed_out>("timed_out"),
      attempts<Fault::crashed>("crashed"),
      attempts<Fault::provider_failed>("provider_failed"),
      column("input_tokens", &Row::input_tokens).between(0, kMostTokens),
      column("output_tokens", &Row::output_tokens).between(0, kMostTokens),
      column("cached_tokens", &Row::cached_tokens).between(0, kMostTokens),
      column("reasoning_tokens", &Row::reasoning_tokens).between(0, kMostTokens),
      column("cost", &Row::cost).between(0, std::numeric_limits<std::int64_t>::max()),
      column("waiting_ms", &Row::waiting_ms),
      column("calls", &Row::calls).between(0, kMostCount).also("default 0"),
      column("unpriced", &Row::unpriced).between(0, kMostCount).also("default 0"),
      attempts<Fault::in_words>("in_words").also("default 0")};
};

struct PartialRows {
  using Row = PartialMatch;
  static constexpr std::string_view name = "partial";
  static constexpr auto columns = std::tuple_cat(
      key_columns(&Row::key, "blob primary key"),
      std::tuple{column("agents", &Row::agents).by(form::Json{}),
                 column("focal", &Row::focal).also("references agent"),
                 column("sequence", &Row::sequence), column("reason", &Row::reason),
                 column("saved", &Row::saved).between(0, kLastTime).by(form::Moment{}),
                 column("record", &Row::record).by(form::Blob{})});
};

struct PersonRows {
  using Row = PersonRow;
  static constexpr std::string_view name = "person";
  static constexpr std::tuple columns{
      column("session", &Row::session).as("text primary key"),
      column("pseudonym", &Row::pseudonym),
      column("consent", &Row::consent),
      column("consented", &Row::consented),
      column("disclosure", &Row::disclosure),
      column("started", &Row::started).between(0, kLastTime).by(form::Moment{})};
};

struct PersonAnswerRows {
  using Row = PersonAnswer;
  static constexpr std::string_view name = "person_answer";
  static constexpr std::tuple columns{
      column("session", &Row::session).also("references person"),
      column("match", &Row::match),
      column("seat", &Row::seat),
      column("question", &Row::question),
      column("attempt", &Row::attempt),
      column("shown", &Row::shown).between(0, kLastTime).by(form::Moment{}),
      column("first_input", &Row::first_input).between(0, kLastTime),
      column("answered", &Row::answered).between(0, kLastTime),
      column("disconnects", &Row::disconnects)};
};

/// Made when the first branch is written: other archives have no such table.
struct BranchRows {
  using Row = BranchRow;
  static constexpr std::string_view name = "branch";
  static constexpr std::tuple columns{
      column("match", &Row::match).as("blob primary key"),
      column("unchanged", &Row::unchanged),
      column("archive", &Row::archive),
      column("parent", &Row::parent).between(1, std::numeric_limits<std::int64_t>::max()),
      column("question", &Row::question).between(0, kMostCount),
      column("seat", &Row::seat).between(0, kMostCount),
      column("stage", &Row::stage),
      column("change", &Row::change).by(form::EnumName{}),
      column("text", &Row::text),
      column("repeat", &Row::repeat).between(0, kMostBlock)};
};

/// Made when the first value of a decision is written.
struct DecisionRows {
  using Row = DecisionRow;
  static constexpr std::string_view name = "decision";
  static constexpr std::tuple columns{column("match", &Row::match),
                                      column("question", &Row::question).between(0, kMostCount),
                                      column("seat", &Row::seat).between(0, kMostCount),
                                      column("stage", &Row::stage),
                                      column("reference", &Row::reference),
                                      column("others", &Row::others),
                                      column("answer", &Row::answer),
                                      column("chosen", &Row::chosen),
                                      column("by_reference", &Row::by_reference),
                                      column("complete", &Row::complete),
                                      column("scores", &Row::scores).by(form::Metrics{})};
};

template <class Member>
constexpr auto of_call(std::string_view name, Member ModelCall::*member) {
  return column(name, &CallRow::call, member);
}
constexpr auto tokens(std::string_view name, std::int64_t TokenUsage::*member) {
  return column(name, &CallRow::call, &ModelCall::usage, member)
      .by(form::CountOrNull{})
      .between(0, kMostTokens);
}

/// Calls name their match by id, because they are there before it is finished.
struct CallRows {
  using Row = CallRow;
  static constexpr std::string_view name = "call";
  static constexpr std::tuple columns{
      column("match", &Row::match),
      column("seat", &Row::seat).between(0, kMostCount),
      column("question", &Row::question).between(0, kMostCount),
      column("attempt", &Row::attempt).between(0, kMostCount),
      column("place", &Row::place).between(0, kMostCount),
      column("answered", &Row::answered),
      column("run", &Row::run).between(0, kMostCount),
      of_call("provider", &ModelCall::provider),
      of_call("endpoint", &ModelCall::endpoint),
      of_call("model", &ModelCall::model),
      of_call("purpose", &ModelCall::purpose),
      column("parameters", &Row::parameters),
      column("messages", &Row::messages).by(form::Digests{}),
      of_call("text", &ModelCall::text),
      of_call("reasoning", &ModelCall::reasoning),
      of_call("finish", &ModelCall::finish),
      of_call("served_model", &ModelCall::served_model),
      of_call("fingerprint", &ModelCall::fingerprint),
      of_call("request_id", &ModelCall::request_id),
      tokens("input_tokens", &TokenUsage::input),
      tokens("output_tokens", &TokenUsage::output),
      tokens("cached_tokens", &TokenUsage::cached),
      tokens("reasoning_tokens", &TokenUsage::thought),
      column("cost", &Row::cost).between(0, std::numeric_limits<std::int64_t>::max()),
      of_call("provider_cost", &ModelCall::provider_cost).by(form::CountOrNull{}),
      of_call("fault", &ModelCall::fault).by(form::EnumName{}),
      of_call("problem", &ModelCall::problem),
      of_call("started", &ModelCall::started).between(0, kLastTime),
      of_call("latency_ms", &ModelCall::latency_ms),
      of_call("waited_ms", &ModelCall::waited_ms),
      of_call("tries", &ModelCall::tries).between(0, kMostCount)};
};

}  // namespace agon::archive
