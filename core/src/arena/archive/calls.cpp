#include "archive/calls.hpp"

#include <agon/table.hpp>
#include <algorithm>
#include <map>

#include "archive/tables.hpp"

namespace agon::archive {
namespace {

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

CallInserter::CallInserter(Connection& db) : add_(db, insert_into<CallRows>()) {}

void CallInserter::call(const CallRow& row) {
  bind_row<CallRows>(add_, row).run();
}

CallReader::CallReader(Connection& db)
    : db_(&db),
      of_match_(db, "select " + names_of<CallRows>() +
                        " from call where match = ? order by question, attempt, place, number"),
      content_(db, "select bytes from content where hash = ?") {}

std::string CallReader::content(std::span<const std::uint8_t> hash) {
  content_.reset();
  content_.bind(hash);
  if (!content_.step())
    throw Error(ErrorKind::invalid, "the archive has lost a part of a model call",
                db_->path().string(), "restore it from a copy");
  const auto bytes = content_.bytes();
  std::string text(bytes.begin(), bytes.end());
  content_.reset();
  return text;
}

void CallReader::read(Statement& row, CallRow& out) {
  out = {};
  ModelCall& c = out.call;
  read_row<CallRows>(row, out);
  // Outside a match the seat is the place of a model, of which there may be more.
  if (out.match != MatchId{} && out.seat >= static_cast<int>(kMaxSeats))
    throw damaged(db_->path(), "'seat' of a row is " + std::to_string(out.seat));
  c.parameters = content(out.parameters);
  for (const hash::Digest& digest : out.messages) {
    const std::string bytes = content(digest);
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    c.messages.push_back({bytes.substr(0, end), bytes.substr(std::min(end + 1, bytes.size()))});
  }
}

void CallReader::calls(const MatchId* match, const std::function<void(const CallRow&)>& each) {
  CallRow out;
  if (match != nullptr) {
    of_match_.reset();
    of_match_.bind(std::span(match->bytes));
    while (of_match_.step()) {
      read(of_match_, out);
      each(out);
    }
    return;
  }
  Statement all(*db_, "select " + names_of<CallRows>() +
                          " from call order by match, question, attempt, place, number");
  while (all.step()) {
    read(all, out);
    each(out);
  }
}

void CallReader::by_agent(
    const std::function<void(std::int64_t, std::int64_t, std::string_view)>& each) {
  Statement row(*db_, R"sql(
select t.agent, count(*), iif(instr(x.bytes, cast('"not_applied"' as blob)) > 0, x.bytes, x'') as p
  from call c join match m on m.id = c.match join seat t on t.match = m.number and t.seat = c.seat
  left join content x on x.hash = c.parameters
  where c.answered group by t.agent, p)sql");
  while (row.step()) {
    const std::int64_t agent = row.integer();
    const std::int64_t calls = row.integer(0, kMostCount);
    const auto bytes = row.bytes();
    each(agent, calls, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

CallTotals CallReader::totals() {
  Statement row(
      *db_,
      "select count(*), coalesce(sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0)), "
      "0), coalesce(sum(coalesce(cost, 0)), 0), coalesce(sum(cost is null and answered), "
      "0) from call");
  CallTotals totals;
  if (row.step()) {
    totals.calls = row.integer();
    totals.tokens = row.integer();
    totals.cost = row.integer();
    totals.unpriced = row.integer();
  }
  return totals;
}

void CallReader::uncounted(const std::function<void(const UncountedCall&)>& each) {
  Statement row(*db_,
                "select c.provider, c.model, c.input_tokens, c.output_tokens, c.cost is not null, "
                "c.messages, length(p.bytes), length(cast(c.text as blob)) + "
                "length(cast(c.reasoning as blob)) from call c left join content p on "
                "p.hash = c.parameters where c.answered and "
                "(c.input_tokens is null or c.output_tokens is null or c.cost is null)");
  Statement size(*db_, "select length(bytes) from content where hash = ?");
  std::map<std::string, std::int64_t> tokens_of;  // messages come again and again
  while (row.step()) {
    UncountedCall call;
    call.provider = row.text();
    call.model = row.text();
    const std::int64_t in = read_tokens(row);
    const std::int64_t out = read_tokens(row);
    call.has_cost = row.integer() != 0;
    const auto digests = row.bytes();
    call.has_input = in >= 0;
    call.input = in;
    if (!call.has_input) {
      call.input = 0;
      for (std::size_t i = 0; i + sizeof(hash::Digest) <= digests.size();
           i += sizeof(hash::Digest)) {
        const std::string digest(reinterpret_cast<const char*>(digests.data()) + i,
                                 sizeof(hash::Digest));
        const auto [known, is_new] = tokens_of.try_emplace(digest, 0);
        if (is_new) {
          size.reset();
          size.bind(digests.subspan(i, sizeof(hash::Digest)));
          constexpr std::int64_t kOfMessage = 4;  // the form around each
          if (size.step())
            known->second = tokens_in(static_cast<std::size_t>(size.integer())) + kOfMessage;
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
    each(call);
  }
}

}  // namespace agon::archive
