#include <agon/error.hpp>
#include <map>
#include <optional>
#include <ostream>
#include <utility>

#include "archive/export/export.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

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
    if (const auto number = archive_.matches().number(match)) {
      for (const SeatRow& seat : archive_.matches().at(*number).seats) seats_.push_back(seat.agent);
    } else if (const auto partial = archive_.matches().partial(match)) {
      seats_ = partial->agents;
    }
  }

  const Archive& archive_;
  std::map<std::int64_t, AgentRow> agents_;
  std::optional<MatchId> match_;
  std::vector<std::int64_t> seats_;
};

NamedCells call_cells(const CallRow& row, const std::string& agent) {
  const ModelCall& c = row.call;
  const ExportCell latency = row.is_from_cache() ? ExportCell(Absent{}) : ExportCell(c.latency_ms);
  return {{"match", row.match.hex()},
          {"seat", std::int64_t{row.seat}},
          {"agent", agent},
          {"question", row.question},
          {"attempt", row.attempt},
          {"place", row.place},
          {"answered", std::int64_t{row.answered ? 1 : 0}},
          {"run", row.run},
          {"provider", c.provider},
          {"endpoint", c.endpoint},
          {"model", c.model},
          {"purpose", c.purpose},
          {"parameters", ExportJson{c.parameters}},
          {"messages", messages_cell(c)},
          {"text", c.text},
          {"reasoning", c.reasoning},
          {"finish", c.finish},
          {"served_model", c.served_model},
          {"fingerprint", c.fingerprint},
          {"request_id", c.request_id},
          {"input_tokens", cell_if_known(c.usage.input)},
          {"output_tokens", cell_if_known(c.usage.output)},
          {"cached_tokens", cell_if_known(c.usage.cached)},
          {"reasoning_tokens", cell_if_known(c.usage.thought)},
          {"cost_usd", money_cell(row.cost)},
          {"provider_cost_usd", money_cell(c.provider_cost)},
          {"fault", std::string(name_of(c.fault))},
          {"problem", c.problem},
          {"started", utc(c.started)},
          {"latency_ms", latency},
          {"waited_ms", c.waited_ms},
          {"tries", std::int64_t{c.tries}},
          {"from_cache", std::int64_t{row.is_from_cache() ? 1 : 0}}};
}

}  // namespace

void export_calls(const Archive& archive, std::ostream& out, std::optional<CsvAudience> csv) {
  std::string line;
  AgentNames agents(archive);
  if (csv) {
    for (const auto& [name, none] : call_cells({}, ""))
      line.append(line.empty() ? "" : ",").append(name);
    out << line + "\r\n";
  }
  archive.calls().each(nullptr, [&](const CallRow& row) {
    line.clear();
    bool first = true;
    for (const auto& [name, cell] : call_cells(row, agents.of(row.match, row.seat))) {
      if (!std::exchange(first, false)) line += ',';
      if (csv) {
        append_csv(line, cell, *csv);
      } else {
        json::append_string(line, name);
        line += ':';
        append_json(line, cell);
      }
    }
    line = csv ? line + "\r\n" : text::printable_json("{" + line) + "}\n";
    out << line;
    if (!out) throw Error(ErrorKind::failure, "the output could not be written completely");
  });
}

}  // namespace agon::archive
