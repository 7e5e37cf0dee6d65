#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "archive/export/export.hpp"
#include "archive/export/output.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

namespace agon::archive {
namespace {

bool is_refused(const Turn& turn) {
  const auto& faults = type_of<Fault>().enumerators;
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (turn.fault == faults[i].name) return !is_played(static_cast<Fault>(i));
  return false;
}

// Where a call is in the archive, so that its texts need not be kept.
struct CallPlace {
  MatchId match;
  int seat = 0;
  std::int64_t question = 0, attempt = 0, place = 0;
  double reward = 0, advantage = 0;
  hash::Digest said{};
};

// What was said to one prompt in one group.
struct PreferencePair {
  CallPlace best, worst;
  std::string group;
};

class TrlRows {
 public:
  TrlRows(const Archive& archive, std::ostream& out, TrlLayout layout)
      : archive_(archive), output_(out), layout_(layout) {
    for (const auto& [number, agent] : archive.agents())
      if (agent.spec.find("\"tools\":") != std::string::npos) members_ = ChatMembers::all;
  }

  void begin(const MatchRow& match) {
    const std::pair block{match.key.scenario, match.key.block};
    if (block_ != block) write_pairs();
    block_ = block;
  }

  void add(const MatchRow& match, const Turn& turn) {
    if (turn.call == nullptr || is_refused(turn)) return;
    if (layout_ == TrlLayout::preference)
      pair(match, turn);
    else
      write_turn(match, turn);
  }

  void end() {
    write_pairs();
    output_.flush();
  }

 private:
  using Cells = std::vector<std::pair<std::string_view, ExportCell>>;

  void write(const Cells& cells) {
    std::string line;
    for (const auto& [name, cell] : cells) {
      line += line.empty() ? '{' : ',';
      json::append_string(line, name);
      line += ':';
      append_json(line, cell);
    }
    output_.line() += text::printable_json(line);
    output_.line() += "}\n";
    output_.line_done();
  }

  [[nodiscard]] ExportJson chat(const std::vector<ChatMessage>& messages) const {
    std::string text;
    for (const ChatMessage& message : messages) {
      text += text.empty() ? '[' : ',';
      append_chat_message(text, message, members_);
    }
    return {text.empty() ? "[]" : text + "]"};
  }
  [[nodiscard]] ExportJson said(const ModelCall& call) const { return chat({said_message(call)}); }

  // As text: schemas of tools have members of their own each, which a column cannot have.
  [[nodiscard]] static ExportCell tools(const ModelCall& call) {
    std::string text = tools_json(call);
    return text.empty() ? ExportCell(Absent{}) : ExportCell(std::move(text));
  }

  void write_turn(const MatchRow& match, const Turn& turn) {
    const ModelCall& call = turn.call->call;
    Cells cells;
    if (layout_ == TrlLayout::messages) {
      std::vector<ChatMessage> all = call.messages;
      all.push_back(said_message(call));
      cells = {{"messages", chat(all)}};
    } else {
      cells = {{"prompt", chat(call.messages)}, {"completion", said(call)}};
    }
    const Cells others{
        {"tools", tools(call)},
        {"reasoning", call.reasoning.empty() ? ExportCell(Absent{}) : ExportCell(call.reasoning)},
        {"match", match.key.id.hex()},
        {"seat", std::int64_t{turn.seat}},
        {"agent", turn.agent},
        {"question", turn.question},
        {"purpose", call.purpose},
        {"reward", turn.reward},
        {"advantage", turn.advantage},
        {"group", std::string(turn.group)}};
    cells.insert(cells.end(), others.begin(), others.end());
    write(cells);
  }

  void pair(const MatchRow& match, const Turn& turn) {
    if (std::isnan(turn.advantage)) return;
    const CallRow& row = *turn.call;
    std::string key = std::string(turn.group) + tools_json(row.call);
    for (const hash::Digest& message : row.messages) key += hash::hex(message);
    const CallPlace here{match.key.id, turn.seat,   turn.question,  turn.attempt,
                         row.place,    turn.reward, turn.advantage, hash::sha256(row.call.text)};
    const auto [at, added] = places_.try_emplace(hash::sha256(key), pairs_.size());
    if (added) pairs_.push_back({here, here, std::string(turn.group)});
    PreferencePair& known = pairs_[at->second];
    if (here.advantage > known.best.advantage) known.best = here;
    if (here.advantage < known.worst.advantage) known.worst = here;
  }

  [[nodiscard]] CallRow call_at(const CallPlace& wanted) const {
    CallRow found;
    archive_.calls().each(&wanted.match, [&](const CallRow& row) {
      if (row.answered && row.seat == wanted.seat && row.question == wanted.question &&
          row.attempt == wanted.attempt && row.place == wanted.place)
        found = row;
    });
    return found;
  }

  // The pairs of a block whose turns are all known.
  void write_pairs() {
    for (const PreferencePair& pair : pairs_) {
      if (pair.best.advantage <= pair.worst.advantage || pair.best.said == pair.worst.said)
        continue;
      const CallRow chosen = call_at(pair.best), rejected = call_at(pair.worst);
      write({{"prompt", chat(chosen.call.messages)},
             {"chosen", said(chosen.call)},
             {"rejected", said(rejected.call)},
             {"tools", tools(chosen.call)},
             {"chosen_match", pair.best.match.hex()},
             {"rejected_match", pair.worst.match.hex()},
             {"chosen_reward", pair.best.reward},
             {"rejected_reward", pair.worst.reward},
             {"chosen_advantage", pair.best.advantage},
             {"rejected_advantage", pair.worst.advantage},
             {"group", pair.group}});
    }
    pairs_.clear();
    places_.clear();
  }

  const Archive& archive_;
  Output output_;
  TrlLayout layout_;
  ChatMembers members_ = ChatMembers::needed;
  std::pair<std::int64_t, std::int64_t> block_;  // scenario, block
  std::vector<PreferencePair> pairs_;
  std::map<hash::Digest, std::size_t> places_;  // of a group and a prompt in `pairs_`
};

}  // namespace

void export_trl(const Archive& archive, std::ostream& out, TurnReader& turns, TrlLayout layout) {
  TrlRows rows(archive, out, layout);
  archive.matches().each({.record = true}, [&](std::int64_t, const MatchRow& match) {
    rows.begin(match);
    turns.each(match, [&](const Turn& turn) { rows.add(match, turn); });
    return true;
  });
  rows.end();
}

}  // namespace agon::archive
