#include "archive/calls.hpp"

#include <agon/table.hpp>
#include <algorithm>
#include <limits>
#include <map>

#include "archive/archive.hpp"
#include "archive/open_archive.hpp"
#include "archive/tables.hpp"

namespace agon::archive {
namespace {

/// What is longer was never sent to a model: a list may name one message any number of times.
constexpr std::size_t kMostShown = std::size_t{256} << 20;

// -1 where it is not known.
std::int64_t read_tokens(Statement& row) {
  std::int64_t tokens = -1;
  form::CountOrNull::read(row, tokens, {0, kMostTokens});
  return tokens;
}

}  // namespace

std::string message_bytes(const ChatMessage& message) {
  std::string bytes;
  bytes.reserve(message.role.size() + 1 + message.text.size());
  bytes.append(message.role).append(1, '\n').append(message.text);
  return bytes;
}

std::string Calls::content(const hash::Digest& hash) const {
  if (auto text = archive_.content(hash)) return *std::move(text);
  throw Error(ErrorKind::invalid, "the archive has lost a part of a model call",
              archive_.path().string(), "restore it from a copy");
}

void Calls::read(Statement& row, CallRow& out) const {
  out = {};
  ModelCall& c = out.call;
  read_row<CallRows>(row, out);
  if (!open_.lists.complete(out.messages))
    archive_.damaged("the messages of a model call are not there");
  // Outside a match the seat is the place of a model, of which there may be more.
  if (out.match != MatchId{} && out.seat >= static_cast<int>(kMaxSeats))
    archive_.damaged("'seat' of a row is " + std::to_string(out.seat));
  c.parameters = content(out.parameters);
  std::size_t shown = 0;
  for (const hash::Digest& digest : out.messages) {
    const std::string bytes = content(digest);
    shown += bytes.size();
    if (shown > kMostShown) archive_.damaged("the messages of a model call are longer than any");
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    c.messages.push_back({bytes.substr(0, end), bytes.substr(std::min(end + 1, bytes.size()))});
  }
}

void Calls::each(const MatchId* match, const std::function<void(const CallRow&)>& each) const {
  CallRow out;
  if (match != nullptr) {
    Statement& of_match = open_.calls_of_match;
    of_match.reset();
    of_match.bind(std::span(match->bytes));
    while (of_match.step()) {
      read(of_match, out);
      each(out);
    }
    return;
  }
  const Matches matches = archive_.matches();
  std::optional<MatchId> last;
  bool wanted = false;
  const MatchId no_match;
  Statement all(open_.db, "select " + names_of<CallRows>() +
                              " from call order by match, question, attempt, place, number");
  while (all.step()) {
    read(all, out);
    if (open_.selection) {
      if (out.match != last) {
        last = out.match;
        const auto finished = matches.number(out.match);
        wanted = finished ? open_.wants(*finished) : open_.wants_open(out.match);
      }
      // Drift checks belong to runs.
      if (!(out.match == no_match ? open_.selection->runs.contains(out.run) : wanted)) continue;
    }
    each(out);
  }
}

void Calls::by_agent(const std::function<void(const AgentCalls&)>& each) const {
  Statement row(open_.db, R"sql(
select t.agent, c.provider || iif(c.model = '', '', '/') || c.model as named, c.purpose = 'embed' as embeds, count(*),
  coalesce(sum(c.cost), 0), iif(instr(x.bytes, cast('"not_applied"' as blob)) > 0, x.bytes, x'') as p
  from call c join match m on m.id = c.match join seat t on t.match = m.number and t.seat = c.seat
  left join content x on x.hash = c.parameters
  where c.answered group by t.agent, named, embeds, p)sql");
  while (row.step()) {
    AgentCalls found;
    found.agent = row.integer();
    found.model = row.text();
    found.is_embedding = row.integer() != 0;
    found.calls = row.integer(0, kMostCount);
    found.cost = row.integer();
    const auto bytes = row.bytes();
    found.parameters.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    each(found);
  }
}

void Calls::by_host(const std::function<void(const HostCalls&)>& each) const {
  Statement row(open_.db, R"sql(
select m.number, c.seat, t.agent, c.provider || iif(c.model = '', '', '/') || c.model as named,
  c.served_model, c.fingerprint, count(*)
  from call c join match m on m.id = c.match join seat t on t.match = m.number and t.seat = c.seat
  where c.answered group by m.number, c.seat, t.agent, named, c.served_model, c.fingerprint)sql");
  while (row.step()) {
    HostCalls found;
    found.match = row.integer();
    found.seat = row.integer(0, kMostCount);
    found.agent = row.integer();
    found.model = row.text();
    found.served_model = row.text();
    found.fingerprint = row.text();
    found.calls = row.integer(0, kMostCount);
    each(found);
  }
}

void Calls::from_cache(
    const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& each) const {
  // Runs without a cache are passed over by a column that stands before the long ones.
  Statement row(open_.db, R"sql(
select m.number, c.seat, coalesce(c.provider_cost, 0) from call c join match m on m.id = c.match
  where c.run in (select number from run where instr(manifest, '"answer_cache"') > 0)
    and c.answered and c.tries = 0)sql");
  while (row.step()) {
    const std::int64_t match = row.integer();
    const std::int64_t seat = row.integer(0, kMostCount);
    each(match, seat, row.integer(0, std::numeric_limits<std::int64_t>::max()));
  }
}

CallTotals Calls::totals() const {
  Statement row(open_.db, R"sql(
select coalesce(sum(not reused), 0),
  coalesce(sum(iif(reused, 0, coalesce(input_tokens, 0) + coalesce(output_tokens, 0))), 0),
  coalesce(sum(coalesce(cost, 0)), 0), coalesce(sum(cost is null and answered), 0),
  coalesce(sum(reused), 0), coalesce(sum(iif(reused, coalesce(provider_cost, 0), 0)), 0)
  from (select *, answered and tries = 0 as reused from call))sql");
  CallTotals totals;
  if (row.step()) {
    totals.calls = row.integer();
    totals.tokens = row.integer();
    totals.cost = row.integer();
    totals.unpriced = row.integer();
    totals.from_cache = row.integer();
    totals.saved = row.integer();
  }
  return totals;
}

void Calls::by_purpose(const std::function<void(const PurposeCalls&)>& each) const {
  Statement row(open_.db, R"sql(
select provider, model, purpose, count(*),
  sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0)), sum(coalesce(cost, 0)),
  sum(cost is null and answered)
  from call where not (answered and tries = 0) group by provider, model, purpose)sql");
  while (row.step()) {
    PurposeCalls calls;
    calls.provider = row.text();
    calls.model = row.text();
    calls.purpose = row.text();
    calls.took.calls = row.integer();
    calls.took.tokens = row.integer();
    calls.took.cost = row.integer();
    calls.took.unpriced = row.integer();
    each(calls);
  }
}

void Calls::batch_notes(const std::function<void(std::string)>& each) const {
  Statement row(open_.db, "select bytes from content where kind = ? order by number");
  row.bind(kBatchNote);
  while (row.step()) {
    const auto bytes = row.bytes();
    each({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

void Calls::uncounted(const std::function<void(const UncountedCall&)>& each) const {
  Statement row(
      open_.db,
      "select c.provider, c.model, c.purpose, c.input_tokens, c.output_tokens, c.cost is not null, "
      "c.messages, length(p.bytes), length(cast(c.text as blob)) + "
      "length(cast(c.reasoning as blob)), coalesce(instr(cast(p.bytes as text), ?), 0) "
      "from call c left join content p on "
      "p.hash = c.parameters where c.answered and c.tries > 0 and "
      "(c.input_tokens is null or c.output_tokens is null or c.cost is null)");
  row.bind(kBatched);
  Statement size(open_.db, "select bytes from content where hash = ?");
  std::map<hash::Digest, std::int64_t> tokens_of;  // messages come again and again
  while (row.step()) {
    UncountedCall call;
    call.provider = row.text();
    call.model = row.text();
    call.purpose = row.text();
    const std::int64_t in = read_tokens(row);
    const std::int64_t out = read_tokens(row);
    call.has_cost = row.integer() != 0;
    MessageList messages;
    form::Digests::read(row, messages, {});
    call.has_input = in >= 0;
    call.input = in;
    if (!call.has_input) {
      call.input = 0;
      if (!open_.lists.complete(messages))
        throw damaged(open_.db.path(), "the messages of a model call are not there");
      for (const hash::Digest& digest : messages) {
        const auto [known, is_new] = tokens_of.try_emplace(digest, 0);
        if (is_new) {
          size.reset();
          size.bind(std::span(digest));
          constexpr std::int64_t kOfMessage = 4;  // the form around each
          if (size.step()) {
            const std::optional<std::size_t> bytes = Decompressor::size(size.bytes());
            if (!bytes) throw damaged(open_.db.path(), "a message to a model cannot be read");
            known->second = tokens_in(*bytes) + kOfMessage;
          }
        }
        call.input += known->second;
      }
    }
    const std::int64_t schema = read_tokens(row);
    if (!call.has_input)
      call.input += tokens_in(static_cast<std::size_t>(std::max<std::int64_t>(0, schema)));
    const std::int64_t written = row.integer();
    call.has_output = out >= 0;
    call.output = call.has_output ? out : tokens_in(static_cast<std::size_t>(written));
    call.is_batched = row.integer() > 0;
    each(call);
  }
}

}  // namespace agon::archive
