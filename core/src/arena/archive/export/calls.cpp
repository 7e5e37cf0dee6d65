#include "archive/export/calls.hpp"

#include <agon/error.hpp>
#include <map>
#include <optional>
#include <ostream>

#include "archive/export/cell.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::archive {
namespace {

ExportCell messages_cell(const ModelCall& call) {
  std::string text = "[";
  for (const ChatMessage& m : call.messages) {
    text += text.size() > 1 ? ",{\"role\":" : "{\"role\":";
    json::append_string(text, m.role);
    text += ",\"text\":";
    json::append_string(text, m.text);
    text += '}';
  }
  return ExportJson{text + "]"};
}

/// Names of the agents of a match by seat, finished or not.
class AgentNames {
 public:
  explicit AgentNames(const Archive& archive) : archive_(archive), agents_(archive.agents()) {}

  /// Calls come match by match, so that only the last one is kept.
  [[nodiscard]] std::string of(const MatchId& match, int seat) {
    if (!match_ || *match_ != match) look_up(match);
    const auto at = static_cast<std::size_t>(seat);
    if (at >= seats_.size()) return {};
    const auto found = agents_.find(seats_[at]);
    return found == agents_.end() ? std::string() : found->second.name;
  }

 private:
  void look_up(const MatchId& match) {
    match_ = match;
    seats_.clear();
    if (const auto number = archive_.number(match)) {
      for (const SeatRow& seat : archive_.match(*number).seats) seats_.push_back(seat.agent);
    } else if (const auto partial = archive_.partial(match)) {
      seats_ = partial->agents;
    }
  }

  const Archive& archive_;
  std::map<std::int64_t, AgentRow> agents_;
  std::optional<MatchId> match_;
  std::vector<std::int64_t> seats_;
};

std::vector<ExportCell> call_cells(const CallRow& row, const std::string& agent) {
  const ModelCall& c = row.call;
  const std::string_view fault =
      type_of<Fault>().enumerators[static_cast<std::size_t>(c.fault)].name;
  return {row.match.hex(),
          std::int64_t{row.seat},
          agent,
          row.question,
          row.attempt,
          row.place,
          std::int64_t{row.answered ? 1 : 0},
          row.run,
          c.provider,
          c.endpoint,
          c.model,
          c.purpose,
          ExportJson{c.parameters},
          messages_cell(c),
          c.text,
          c.reasoning,
          c.finish,
          c.served_model,
          c.fingerprint,
          c.request_id,
          cell_if_known(c.usage.input),
          cell_if_known(c.usage.output),
          cell_if_known(c.usage.cached),
          cell_if_known(c.usage.thought),
          money_cell(row.cost),
          money_cell(c.provider_cost),
          std::string(fault),
          c.problem,
          utc(c.started),
          c.latency_ms,
          c.waited_ms,
          std::int64_t{c.tries}};
}

}  // namespace

const std::vector<std::string_view>& call_columns() {
  static const std::vector<std::string_view> names{"match",         "seat",
                                                   "agent",         "question",
                                                   "attempt",       "place",
                                                   "answered",      "run",
                                                   "provider",      "endpoint",
                                                   "model",         "purpose",
                                                   "parameters",    "messages",
                                                   "text",          "reasoning",
                                                   "finish",        "served_model",
                                                   "fingerprint",   "request_id",
                                                   "input_tokens",  "output_tokens",
                                                   "cached_tokens", "reasoning_tokens",
                                                   "cost_usd",      "provider_cost_usd",
                                                   "fault",         "problem",
                                                   "started",       "latency_ms",
                                                   "waited_ms",     "tries"};
  return names;
}

void export_calls(const Archive& archive, std::ostream& out, std::optional<CsvAudience> csv) {
  const std::vector<std::string_view>& names = call_columns();
  std::string line;
  AgentNames agents(archive);
  if (csv) out << text::joined(names, ",") + "\r\n";
  archive.calls(nullptr, [&](const CallRow& row) {
    line.clear();
    const std::vector<ExportCell> all = call_cells(row, agents.of(row.match, row.seat));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (csv) {
        if (i > 0) line += ',';
        append_csv(line, all[i], *csv);
      } else {
        line += i == 0 ? '{' : ',';
        json::append_string(line, names[i]);
        line += ':';
        append_json(line, all[i]);
      }
    }
    line = csv ? line + "\r\n" : text::printable_json(line) + "}\n";
    out << line;
    if (!out) throw Error(ErrorKind::failure, "the output could not be written completely");
  });
}

}  // namespace agon::archive
