#include "command/judged_record.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <string_view>

#include "record/transcript.hpp"
#include "text/utf8.hpp"

namespace agon::command {
namespace {

/// Each line of a text on a line of its own, moved right.
std::string moved_right(std::string_view text, std::size_t columns) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += (end == 0 ? "" : std::string(columns, ' ')) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Whether the seat lived through this entry.
bool lived_through(const record::Entry& entry, int seat) {
  using What = record::Entry::What;
  if (entry.what == What::event) return (entry.audience >> seat & 1U) != 0;
  return (entry.what == What::question || entry.what == What::carry) && entry.seat == seat;
}

}  // namespace

JudgedRecord::JudgedRecord(const archive::Archive& archive, const Catalogue& catalogue)
    : archive_(archive),
      games_(archive.games()),
      scenarios_(archive.scenarios()),
      replayer_(archive, catalogue),
      blindfold_(archive),
      identities_(archive, catalogue) {}

JudgedRecord::Private JudgedRecord::private_of(const archive::MatchRow& match, int seat) const {
  Private out;
  archive_.calls(&match.key.id, [&](const archive::CallRow& row) {
    if (row.seat != seat || !row.answered) return;
    const ModelCall& call = row.call;
    if (out.given.empty() && !call.messages.empty() && call.messages.front().role == "system")
      out.given = call.messages.front().text;
    auto& thoughts = out.thoughts[row.question];
    if (!call.reasoning.empty()) thoughts.push_back(call.reasoning);
    // The words of an answer stand in the record: its reasons as thought, and the answer itself.
    if (call.purpose != "answer" && !call.text.empty()) thoughts.push_back(call.text);
  });
  return out;
}

std::string JudgedRecord::operator()(const archive::MatchRow& match, int seat) {
  const auto& own = match.seats[static_cast<std::size_t>(seat)];
  record::TranscriptOptions options;
  std::string others;
  for (std::size_t s = 0; s < match.seats.size(); ++s) {
    options.seat_names.push_back(match.seats[s].name);
    if (static_cast<int>(s) != seat) others += (others.empty() ? "" : ", ") + match.seats[s].name;
  }
  try {
    // So that the types of its values are known, and the game tells its events. What differs
    // meanwhile is for `agon replay` to tell.
    if (replayer_.replay(match, &options.tellings)) options.tellings.clear();
    options.types = [&](const hash::Digest& shape) { return replayer_.types(shape); };
  } catch (const Error&) {
    options.tellings.clear();  // without its game the record is told as JSON
  }
  std::string out =
      fmt::format("Game: {}\nThe player to rate: {}{}\nThe others: {}\n\n",
                  archive_.row(games_, archive_.row(scenarios_, match.key.scenario).game).name,
                  own.name, own.role.empty() ? "" : ", " + own.role, others);
  if (!identities_(match, seat)) out += "The player was given no identity: leave IA empty.\n\n";
  const Private inner = private_of(match, seat);
  if (!inner.given.empty())
    out += "What the player was given to begin with:\n" + moved_right(inner.given, 4) + "\n";
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return archive_.content(digest); });
  const record::History history = record::read(archive_.record_of(match));
  std::size_t events = 0;
  for (const record::Entry& entry : history.entries) {
    std::string_view telling;
    if (entry.what == record::Entry::What::event && events++ < options.tellings.size())
      telling = options.tellings[events - 1];
    if (!lived_through(entry, seat)) continue;
    if (entry.what == record::Entry::What::question)
      if (const auto at = inner.thoughts.find(entry.number); at != inner.thoughts.end())
        for (const std::string& thought : at->second)
          if (thought != entry.thought)  // else it follows below
            out += "  in private:\n" + moved_right(thought, 6);
    out += record::entry_line(entry, recorded, options, telling) + "\n";
  }
  std::string told = blindfold_.over(text::printable(out, text::Breaks::keep));
  for (const std::string& name : blindfold_.left_in(told)) ++names_left_[name];
  return told;
}

}  // namespace agon::command
