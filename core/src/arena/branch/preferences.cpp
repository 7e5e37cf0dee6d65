#include "branch/preferences.hpp"

#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/export/output.hpp"
#include "archive/export/turns.hpp"
#include "branch/effects.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

namespace agon::branch {
namespace {

using archive::ExportCell;

/// What a row says beside the answers.
archive::NamedCells value_cells(const PreferredAnswer& pair) {
  const archive::DecisionRow& row = *pair.chosen;
  return {{"match", row.match.hex()},
          {"question", row.question},
          {"seat", row.seat},
          {"stage", row.stage},
          {"reference", row.reference},
          {"chosen_value", pair.chosen_value},
          {"rejected_value", pair.rejected_value},
          {"difference", pair.difference.value.value_or(0)},
          {"difference_low", pair.difference.interval->low},
          {"difference_high", pair.difference.interval->high},
          {"n", static_cast<std::int64_t>(pair.difference.units)},
          {"chosen_was_played", std::int64_t{row.chosen ? 1 : 0}},
          {"rejected_was_played", std::int64_t{pair.rejected->chosen ? 1 : 0}}};
}

void write_json_line(archive::Output& output, const archive::NamedCells& cells) {
  std::string line;
  for (const auto& [name, cell] : cells) {
    line += line.empty() ? '{' : ',';
    json::append_string(line, name);
    line += ':';
    archive::append_json(line, cell);
  }
  output.line() += text::printable_json(line);
  output.line() += "}\n";
  output.line_done();
}

void write_csv_line(archive::Output& output, const archive::NamedCells& cells, bool head,
                    archive::CsvAudience reader) {
  std::string line;
  bool first = true;
  for (const auto& [name, cell] : cells) {
    if (!first) line += ',';
    first = false;
    if (head)
      line += name;
    else
      archive::append_csv(line, cell, reader);
  }
  output.line() += line + "\r\n";
  output.line_done();
}

archive::ExportJson chat(const std::vector<ChatMessage>& messages) {
  std::string text;
  for (const ChatMessage& message : messages) {
    text += text.empty() ? '[' : ',';
    archive::append_chat_message(text, message);
  }
  return {text.empty() ? "[]" : text + "]"};
}

archive::ExportJson said(const std::string& answer) {
  return chat({ChatMessage{.role = "assistant", .text = answer}});
}

/// The dialogue that led to the first attempt at a question; nothing without a call.
std::optional<std::vector<ChatMessage>> dialogue_of(const archive::Archive& archive,
                                                    const archive::DecisionRow& row) {
  std::optional<std::vector<ChatMessage>> messages;
  archive.calls().each(&row.match, [&](const archive::CallRow& call) {
    if (call.answered && call.seat == row.seat && call.question == row.question &&
        call.attempt == 0)
      messages = call.call.messages;
  });
  return messages;
}

/// Matches with people: they agreed to a text that may not cover the training of models.
std::set<archive::MatchId> matches_with_people(const archive::Archive& archive) {
  std::set<archive::MatchId> matches;
  for (const auto& [answered, pseudonym] : archive.people()) matches.insert(answered.first);
  return matches;
}

/// Calls `each` with every pair of an archive, but for those of matches with people.
template <class Each>
void each_pair(const archive::Archive& archive, const stats::IntervalOptions& options,
               const Each& each) {
  const std::vector<archive::DecisionRow> rows = archive::decisions_of(archive);
  const std::set<archive::MatchId> with_people = matches_with_people(archive);
  for (const PreferredAnswer& pair : preferred_answers(rows, options))
    if (!with_people.contains(pair.chosen->match)) each(pair);
}

}  // namespace

WrittenPreferences export_preferences(const archive::Archive& archive, std::ostream& out,
                                      std::optional<archive::CsvAudience> csv,
                                      const stats::IntervalOptions& options) {
  WrittenPreferences written;
  archive::Output output(out);
  each_pair(archive, options, [&](const PreferredAnswer& pair) {
    archive::NamedCells cells = value_cells(pair);
    const std::string &chosen = pair.chosen->answer, &rejected = pair.rejected->answer;
    cells.insert(cells.begin() + 5, {{"chosen", chosen}, {"rejected", rejected}});
    if (csv && written.pairs == 0) write_csv_line(output, cells, true, *csv);
    if (csv)
      write_csv_line(output, cells, false, *csv);
    else
      write_json_line(output, cells);
    ++written.pairs;
  });
  output.flush();
  return written;
}

WrittenPreferences export_preferences_trl(const archive::Archive& archive, std::ostream& out,
                                          const stats::IntervalOptions& options) {
  WrittenPreferences written;
  archive::Output output(out);
  each_pair(archive, options, [&](const PreferredAnswer& pair) {
    const auto messages = dialogue_of(archive, *pair.chosen);
    if (!messages) {
      ++written.without_prompt;
      return;
    }
    archive::NamedCells cells{{"prompt", chat(*messages)},
                              {"chosen", said(pair.chosen->answer)},
                              {"rejected", said(pair.rejected->answer)}};
    for (auto& cell : value_cells(pair)) cells.push_back(std::move(cell));
    write_json_line(output, cells);
    ++written.pairs;
  });
  output.flush();
  return written;
}

}  // namespace agon::branch
