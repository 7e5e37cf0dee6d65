#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/model/tool.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/export/cell.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "describe/skinned_types.hpp"
#include "describe/value.hpp"
#include "design/plan.hpp"
#include "dialogue/rows.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "record/transcript.hpp"
#include "replay/branch_tree.hpp"
#include "replay/import_matches.hpp"
#include "replay/replay.hpp"
#include "replay/told_match.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

/// A text under a mark, indented and safe for a terminal; `limit`: of characters, 0: none.
void print_text(std::string_view mark, std::string_view text, std::size_t limit) {
  if (text.empty()) return;
  std::string safe = text::printable(text, text::Breaks::keep);
  std::size_t cut = 0;
  if (limit > 0 && safe.size() > limit) {
    // Not within a character.
    while (limit > 0 && (static_cast<unsigned char>(safe[limit]) & 0xC0U) == 0x80U) --limit;
    cut = safe.size() - limit;
    safe.resize(limit);
  }
  print_line(fmt::format("  {}", mark));
  std::size_t at = 0;
  while (at <= safe.size()) {
    const std::size_t end = std::min(safe.find('\n', at), safe.size());
    if (end > at || end < safe.size()) print_line("    " + safe.substr(at, end - at));
    at = end + 1;
  }
  if (cut > 0) print_line(fmt::format("    [{} more bytes; --full shows them]", cut));
}

std::string what_it_took(const archive::CallRow& row) {
  const ModelCall& c = row.call;
  const auto count = [](std::int64_t n) { return n < 0 ? std::string("?") : std::to_string(n); };
  std::string text = fmt::format("{} + {} tokens", count(c.usage.input), count(c.usage.output));
  if (c.usage.thought > 0) text += fmt::format(" ({} thinking)", c.usage.thought);
  text += row.cost ? ", " + archive::dollars(*row.cost) + " USD" : ", cost unknown";
  if (row.is_from_cache()) return text + ", from the cache";
  text += fmt::format(", {:.2f} s", c.latency_ms / 1000);
  if (c.waited_ms >= 10) text += fmt::format(" after {:.2f} s of waiting", c.waited_ms / 1000);
  if (c.tries > 1) text += fmt::format(", {} tries", c.tries);
  return text;
}

/// Whose call it is, at which question, what it took and what went wrong.
void print_head(const archive::CallRow& row, const archive::MatchRow& match) {
  const ModelCall& c = row.call;
  const archive::SeatRow& who = match.seats[static_cast<std::size_t>(row.seat)];
  const auto safe = [](const std::string& text) { return text::printable(text); };
  print_line("");
  print_line(
      heading(fmt::format("{}, question {}{}, {}", safe(who.name), row.question,
                          row.attempt > 0 ? fmt::format(", attempt {}", row.attempt + 1) : "",
                          safe(c.purpose))) +
      fmt::format(": {}/{}", safe(c.provider), safe(c.model)) +
      (c.served_model.empty() || c.served_model == c.model
           ? ""
           : " (served as " + safe(c.served_model) + ")"));
  print_line("  " + what_it_took(row) + (c.finish.empty() ? "" : ", ended: " + safe(c.finish)));
  if (!row.answered || c.fault != Fault::ok)
    print_line(fmt::format("  {}: {}", row.answered ? "fault" : "came to nothing",
                           safe(c.problem.empty() ? std::string(name_of(c.fault)) : c.problem)));
}

/// Refuses a call of a seat that is not there.
void check_seat(const archive::Archive& archive, const archive::MatchRow& match,
                const archive::CallRow& row) {
  if (static_cast<std::size_t>(row.seat) >= match.seats.size())
    archive.damaged("a call of a model is of a seat that the match does not have");
}

/// Prints the dialogue of a match's seats with their models as a person would read it: made
/// printable, each message once, long texts cut unless --full says otherwise. `seat`: -1 for all.
/// `question`: all that was asked at it, every message, whole; -1: of all questions.
void show_calls(const Invocation& call, const archive::Archive& archive,
                const archive::MatchRow& match, int seat, std::int64_t question) {
  const bool one = question >= 0;
  const std::size_t limit = one || call.has("full") ? 0 : 2000;
  std::vector<std::set<hash::Digest>> shown(match.seats.size());
  bool any = false;
  archive.calls().each(&match.key.id, [&](const archive::CallRow& row) {
    if ((seat >= 0 && row.seat != seat) || (one && row.question != question)) return;
    check_seat(archive, match, row);
    any = true;
    const ModelCall& c = row.call;
    print_head(row, match);
    std::size_t before = 0;
    for (std::size_t i = 0; i < c.messages.size(); ++i) {
      if (!one && !shown[static_cast<std::size_t>(row.seat)].insert(row.messages[i]).second) {
        ++before;
        continue;
      }
      if (before > 0) print_line(fmt::format("  [{} messages as before]", before));
      before = 0;
      print_text("> " + text::printable(c.messages[i].role), c.messages[i].text, limit);
    }
    if (before > 0) print_line(fmt::format("  [{} messages as before]", before));
    print_text("< thinking", c.reasoning, limit);
    print_text(c.finish == kToolCalls ? "< called" : "< said", c.text, limit);
  });
  if (!any)
    print_line("\nno model was called" +
               (one ? " at question " + std::to_string(question) : std::string()));
}

/// The calls of a match as a JSON list: who was asked what at which question, and what was said.
/// `seat`: of this one only; `question`: at this one only; -1: all.
std::string calls_json(const archive::Archive& archive, const archive::MatchRow& match, int seat,
                       std::int64_t question) {
  bj::array calls;
  archive.calls().each(&match.key.id, [&](const archive::CallRow& row) {
    if ((seat >= 0 && row.seat != seat) || (question >= 0 && row.question != question)) return;
    check_seat(archive, match, row);
    const ModelCall& c = row.call;
    bj::array messages;
    for (const ChatMessage& m : c.messages)
      messages.push_back(bj::object{{"role", m.role}, {"text", m.text}});
    calls.push_back(bj::object{{"seat", match.seats[static_cast<std::size_t>(row.seat)].name},
                               {"question", row.question},
                               {"attempt", row.attempt},
                               {"purpose", c.purpose},
                               {"provider", c.provider},
                               {"model", c.model},
                               {"answered", row.answered},
                               {"fault", name_of(c.fault)},
                               {"problem", c.problem},
                               {"messages", std::move(messages)},
                               {"thinking", c.reasoning},
                               {"said", c.text}});
  });
  return json::write_pretty(bj::value(std::move(calls)));
}

bj::value branch_json(const BranchTree& branches, const archive::MatchRow& match) {
  const archive::BranchRow* found = branches.row(match.key.id);
  if (found == nullptr) return nullptr;
  const archive::BranchRow& row = *found;
  const auto number = [](const std::optional<std::int64_t>& value) {
    return value ? bj::value(*value) : bj::value();
  };
  return bj::object{
      {"parent", row.unchanged.hex()},       {"archive", row.archive},   {"match", row.parent},
      {"question", number(row.question)},    {"seat", number(row.seat)}, {"stage", row.stage},
      {"change", agon::name_of(row.change)}, {"text", row.text},         {"repeat", row.repeat}};
}

void show_unfinished(const archive::Archive& archive) {
  std::int64_t open = 0;
  archive.matches().partials([&](const archive::PartialMatch& p) {
    if (open++ == 0) print_line("\nNot finished:");
    print_line("  " + p.key.id.hex().substr(0, 8) +
               (p.reason.empty() ? "" : ": " + text::printable(p.reason)));
  });
}

/// Lists matches below those that they branch from.
void show_tree(const Invocation& call, const archive::Archive& archive, const BranchTree& branches,
               std::int64_t limit) {
  const auto games = archive.games();
  const auto scenarios = archive.scenarios();
  const auto agents = archive.agents();
  text::TextTable table({{"match", text::Align::right},
                         {"scenario"},
                         {"block", text::Align::right},
                         {"branch", text::Align::left, 60},
                         {"agents by seat", text::Align::left, 50},
                         {"scores"}});
  std::map<std::int64_t, std::vector<std::string>> rows;
  std::vector<archive::MatchId> met;  // trees stand in the order in which they are met
  archive.matches().each({}, [&](std::int64_t number, const archive::MatchRow& m) {
    const archive::ScenarioRow& scenario = archive.row(scenarios, m.key.scenario);
    std::string who, scores, from;
    for (const archive::SeatRow& s : m.seats) {
      who += (who.empty() ? "" : ", ") + archive.row(agents, s.agent).name;
      scores += (scores.empty() ? "" : ", ") +
                score_text(s.payoff, archive.row(games, scenario.game).score_decimals);
    }
    if (const archive::BranchRow* branch = branches.row(m.key.id))
      from = (branch->question ? "  " : "") + branch_words(*branch, m.seats);
    rows[number] = {
        std::to_string(number), scenario.name, std::to_string(m.key.block), from, who, scores};
    met.push_back(m.key.id);
    return true;
  });
  const auto n = static_cast<std::int64_t>(rows.size());
  std::int64_t shown = 0;
  for (const archive::MatchId& match : met) {
    if (shown >= limit) break;
    for (const std::int64_t number : branches.of(match))
      if (const auto row = rows.find(number); row != rows.end() && shown++ < limit)
        table.add(std::move(rows.extract(row).mapped()));
  }
  print(table.str());
  if (n > limit)
    print_line(text::counted(n, "match", "matches") + " in all; --limit shows more, 'agon show " +
               text::shell_word(call.argument("ARCHIVE")) + " MATCH' shows one");
}

/// Which match it branches from, and where, in a line; nothing of others.
void print_branch(const archive::Archive& archive, const archive::MatchRow& match,
                  const Skin* skin) {
  const BranchTree branches(archive);
  const archive::BranchRow* found = branches.row(match.key.id);
  if (found == nullptr) return;
  const archive::BranchRow& row = *found;
  const auto parent = archive.matches().number(row.unchanged);
  const std::string from = text::printable(fmt::format("match {} of {}", row.parent, row.archive));
  print_line(row.question
                 ? "  branches from " +
                       (parent ? fmt::format("match {} ({})", *parent, from) : from) + " " +
                       (skin == nullptr ? branch_words(row, match.seats)
                                        : skin->shown(branch_words(row, match.seats)))
                 : "  " + from + ", unchanged");
}

int show_matches(Invocation& call, const archive::Archive& archive) {
  const BranchTree branches(archive);
  const auto games = archive.games();
  const auto scenarios = archive.scenarios();
  const auto agents = archive.agents();
  const std::int64_t limit = call.number("limit", 50, 1, 1'000'000'000);
  text::TextTable table({{"match", text::Align::right},
                         {"id"},
                         {"scenario"},
                         {"treatment", text::Align::left, 30},
                         {"block", text::Align::right},
                         {"agents by seat", text::Align::left, 50},
                         {"scores"}});
  if (!branches.empty() && !call.json()) {
    show_tree(call, archive, branches, limit);
    show_unfinished(archive);
    return 0;
  }
  bj::array rows;
  std::int64_t n = 0;
  archive.matches().each({}, [&](std::int64_t number, const archive::MatchRow& m) {
    if (n++ >= limit) return false;
    const archive::ScenarioRow& scenario = archive.row(scenarios, m.key.scenario);
    std::string who, scores;
    for (const archive::SeatRow& s : m.seats) {
      who += (who.empty() ? "" : ", ") + archive.row(agents, s.agent).name;
      scores += (scores.empty() ? "" : ", ") +
                score_text(s.payoff, archive.row(games, scenario.game).score_decimals);
    }
    if (call.json()) {
      rows.push_back(bj::object{{"match", number},
                                {"id", m.key.id.hex()},
                                {"scenario", scenario.name},
                                {"treatment", json::parse(scenario.treatment, "treatment")},
                                {"block", m.key.block},
                                {"agents", who},
                                {"scores", scores}});
      if (!branches.empty()) rows.back().as_object()["branch"] = branch_json(branches, m);
    } else {
      table.add({std::to_string(number), m.key.id.hex().substr(0, 8), scenario.name,
                 scenario.treatment == "{}" ? "" : scenario.treatment, std::to_string(m.key.block),
                 who, scores});
    }
    return true;
  });
  if (call.json()) {
    print_json(std::move(rows));
    return 0;
  }
  print(table.str());
  if (archive.matches().count() > limit)
    print_line(text::counted(archive.matches().count(), "match", "matches") +
               " in all; --limit shows more, 'agon show " +
               text::shell_word(call.argument("ARCHIVE")) + " MATCH' shows one");
  show_unfinished(archive);
  return 0;
}

/// A match that is not finished, by its id or the beginning of it; none of that name: as
/// Matches::find() says of finished ones.
archive::MatchRow find_match(const archive::Archive& archive, const std::string& text,
                             bool& finished, const Catalogue& catalogue) {
  finished = true;
  try {
    return archive.matches().at(archive.matches().find(text));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    std::vector<archive::PartialMatch> open;
    archive.matches().partials([&](const archive::PartialMatch& p) {
      if (text.size() >= 4 && p.key.id.hex().starts_with(text)) open.push_back(p);
    });
    if (open.size() != 1) throw;
    finished = false;
    archive::MatchRow match;
    match.key = open[0].key;
    match.record = open[0].record;
    match.status = archive::MatchStatus::unfinished;
    const auto scenarios = archive.scenarios();
    const archive::ScenarioRow& scenario = archive.row(scenarios, match.key.scenario);
    if (scenario.seed)
      match.rng_key =
          stream_key(*scenario.seed, scenario.draws(), static_cast<std::uint64_t>(match.key.block),
                     static_cast<std::uint64_t>(match.key.position));
    std::vector<std::string> names;
    try {
      names = Replayer(archive, catalogue).seat_names(match);
    } catch (const Error&) {
      // Without the game they have no names.
    }
    for (std::size_t i = 0; i < open[0].agents.size(); ++i)
      match.seats.push_back({.name = i < names.size() ? names[i] : "seat " + std::to_string(i),
                             .agent = open[0].agents[i]});
    return match;
  }
}

/// The record as a JSON array, an entry at a time: it may be much larger than its bytes.
void print_record(std::string_view record, const record::RecordedTypes& recorded) {
  bool is_first = true;
  record::each_entry(record, [&](const record::Entry& entry) {
    const bj::value json = json::parse(record::entry_json(entry, recorded), "record");
    print((std::exchange(is_first, false) ? "[\n  " : ",\n  ") +
          hanging(json::write_pretty(json), 2));
    return true;
  });
  print_line(is_first ? "[]" : "\n]");
}

int find_seat(const std::string& wanted, const std::vector<archive::SeatRow>& seats) {
  int found = -1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    names.push_back(seats[i].name);
    if (seats[i].name == wanted || seats[i].role == wanted || std::to_string(i) == wanted)
      found = static_cast<int>(i);
  }
  if (found < 0)
    throw Error(ErrorKind::usage, "unknown seat '" + wanted + "'", "",
                text::suggestion(
                    wanted, names,
                    fmt::format("use a number from 0, or one of: {}", fmt::join(names, ", "))));
  return found;
}

/// The seats of a match as they were called in it.
std::vector<archive::SeatRow> seats_in(const Skin* skin, std::vector<archive::SeatRow> seats) {
  if (skin != nullptr)
    for (archive::SeatRow& seat : seats) {
      seat.name = skin->shown(seat.name);
      seat.role = skin->shown(seat.role);
    }
  return seats;
}

/// Which match it is, and what came of it.
void print_result(const archive::Archive& archive, const archive::MatchRow& match, const Skin* skin,
                  const archive::ScenarioRow& scenario, bool finished, int decimals) {
  print_line(heading("Match " + match.key.id.hex()) + ": " + text::printable(scenario.name) +
             (scenario.treatment == "{}" ? "" : " " + text::printable(scenario.treatment)) +
             ", block " + std::to_string(match.key.block) +
             (match.key.repeat > 0 ? ", repeat " + std::to_string(match.key.repeat) : "") +
             (match.key.position > 0 ? ", position " + std::to_string(match.key.position) : ""));
  text::TextTable table({{"seat"},
                         {"role"},
                         {"agent"},
                         {"payoff", text::Align::right},
                         {"disagreement", text::Align::right},
                         {"ideal", text::Align::right},
                         {"rank", text::Align::right},
                         {"fallbacks", text::Align::right}});
  const auto agents = archive.agents();
  const auto number = [&](double v) { return score_text(v, decimals); };
  if (!finished) print_line("  not finished");
  if (const auto origin = origin_of(archive, match))
    print_line("  published: " + text::printable(*origin));
  if (skin != nullptr)
    print_line("  told in the words of '" + text::printable(skin->name()) +
               "'; --json has the game's own");
  print_branch(archive, match, skin);
  for (const archive::SeatRow& s : seats_in(skin, match.seats))
    table.add({s.name, s.role, archive.row(agents, s.agent).name, number(s.payoff),
               number(s.disagreement), number(s.ideal), std::to_string(s.rank),
               std::to_string(s.fallbacks)});
  print(table.str(2));
  if (match.fault) print_line("  the game broke: " + text::printable(*match.fault));
}

/// What was said that the record can check, below the transcript; nothing where nobody talks.
void print_statements(const archive::Archive& archive, const archive::ScenarioRow& scenario,
                      std::string_view record, const record::RecordedTypes& recorded,
                      const Catalogue& catalogue, const record::TranscriptOptions& options) {
  const auto in_skin = [&](const std::string& text) {
    return text::printable(options.skin == nullptr ? text : options.skin->skin().shown(text));
  };
  const std::string game = archive.row(archive.games(), scenario.game).name;
  bool any = false;
  for (const dialogue::CheckedStatement& s :
       dialogue::StatementReading(archive, catalogue, recorded)
           .statements(game, scenario.settings, record)) {
    if (options.seat >= 0 && s.seat != options.seat) continue;
    if (!std::exchange(any, true)) print_line("\nWords and deeds (docs/words.md):");
    const auto seat = static_cast<std::size_t>(s.seat);
    print_line(fmt::format(
        "  question {}, {}: {}{}", s.question, text::printable(options.seat_names.at(seat)),
        in_skin(dialogue::in_words(s)), s.words.empty() ? "" : " (\"" + in_skin(s.words) + "\")"));
  }
}

/// The entries of a match's transcript, each with its lines.
std::vector<std::vector<std::string>> entries_of(const archive::Archive& archive,
                                                 Replayer& replayer, const archive::MatchRow& match,
                                                 int decimals) {
  record::TranscriptOptions options;
  options.score_decimals = decimals;
  for (const archive::SeatRow& s : match.seats) options.seat_names.push_back(s.name);
  replayer.put_in_words(match, options);
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return archive.content(digest); });
  std::vector<std::vector<std::string>> entries;
  record::transcript(archive.matches().record_of(match), recorded, options,
                     [&](std::string_view text) {
                       auto& lines = entries.emplace_back();
                       while (text.ends_with('\n')) text.remove_suffix(1);
                       for (std::size_t end = 0; end != std::string_view::npos;) {
                         end = text.find('\n');
                         lines.emplace_back(text.substr(0, end));
                         if (end != std::string_view::npos) text.remove_prefix(end + 1);
                       }
                     });
  return entries;
}

/// A branch and its parent side by side, from where they part on.
void show_beside(Invocation& call, const archive::Archive& archive, const archive::MatchRow& match,
                 int decimals) {
  const BranchTree branches(archive);
  const archive::BranchRow* row = branches.row(match.key.id);
  const auto parent =
      row == nullptr || !row->question ? std::nullopt : archive.matches().number(row->unchanged);
  const auto branch = archive.matches().number(match.key.id);
  if (!parent || !branch)
    throw Error(ErrorKind::usage, "--beside needs a branch whose parent is in the archive", "",
                "'agon show ARCHIVE' lists branches below their parents");
  MatchTeller teller(archive, call.catalogue());
  SharedTexts texts;
  const SideBySide sides = side_by_side(teller.tell(*parent, texts), teller.tell(*branch, texts));
  Replayer replayer(archive, call.catalogue());
  const auto left = entries_of(archive, replayer, archive.matches().at(*parent), decimals);
  const auto right = entries_of(archive, replayer, match, decimals);
  constexpr std::size_t kWidth = 60;
  text::TextTable table({{fmt::format("match {}, the parent", *parent), text::Align::left, kWidth},
                         {""},
                         {"this branch", text::Align::left, kWidth}});
  const auto lines = [](const auto& entries, const std::optional<std::int64_t>& place) {
    return place ? entries.at(static_cast<std::size_t>(*place)) : std::vector<std::string>();
  };
  for (const StepPair& step : sides.steps) {
    const auto of_left = lines(left, step.left), of_right = lines(right, step.right);
    for (std::size_t i = 0; i < std::max(of_left.size(), of_right.size()); ++i)
      table.add({i < of_left.size() ? of_left[i] : "", step.differs && i == 0 ? "*" : "",
                 i < of_right.size() ? of_right[i] : ""});
  }
  print_line(fmt::format("\n{} before are the same; * marks what differs.",
                         text::counted(sides.same, "entry", "entries")));
  print("\n" + table.str());
}

int show(Invocation& call) {
  const archive::Archive archive = archive::Archive::open(call.argument("ARCHIVE"));
  const bool one = !call.argument("MATCH").empty();
  if (!one) return show_matches(call, archive);
  bool finished = true;
  const archive::MatchRow match =
      find_match(archive, call.argument("MATCH"), finished, call.catalogue());
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return archive.content(digest); });
  const auto scenarios = archive.scenarios();
  const archive::ScenarioRow& scenario = archive.row(scenarios, match.key.scenario);
  record::TranscriptOptions options;
  for (const archive::SeatRow& s : match.seats) options.seat_names.push_back(s.name);
  Replayer replayer(archive, call.catalogue());
  const std::shared_ptr<const Skin> skin = replayer.skin_of(match);
  const std::string seat = call.text("seat");
  if (!seat.empty()) options.seat = find_seat(seat, seats_in(skin.get(), match.seats));
  const std::int64_t question =
      call.has("question") ? call.number("question", 0, 0, 1'000'000'000) : -1;
  if (call.json()) {
    if (call.has("calls") || question >= 0)
      print_line(calls_json(archive, match, options.seat, question));
    else
      print_record(archive.matches().record_of(match), recorded);
    return 0;
  }
  options.score_decimals = archive.row(archive.games(), scenario.game).score_decimals;
  print_result(archive, match, skin.get(), scenario, finished, options.score_decimals);
  if (call.has("beside")) {
    show_beside(call, archive, match, options.score_decimals);
    return 0;
  }
  if (call.has("calls")) {
    show_calls(call, archive, match, options.seat, -1);
    return 0;
  }
  if (question >= 0) show_calls(call, archive, match, -1, question);
  print_line("");
  const std::string& record = archive.matches().record_of(match);
  replayer.put_in_words(match, options);
  if (question < 0) {
    record::transcript(record, recorded, options, [](const std::string& line) { print(line); });
    print_statements(archive, scenario, record, recorded, call.catalogue(), options);
    return 0;
  }
  bool is_answered = false;
  record::each_entry(record, [&](const record::Entry& e) {
    is_answered = e.what == record::Entry::What::question && e.number == question;
    if (is_answered) print_line("What came of it:\n" + record::entry_line(e, recorded, options));
    return !is_answered;
  });
  if (!is_answered) print_line("The question is not answered yet, or nobody was asked it.");
  return 0;
}

}  // namespace

Command show_command() {
  Command c{
      {"show",
       "list the matches of an archive, or show one",
       "",
       {{"ARCHIVE", "archive of 'agon run' or 'agon play --out'"},
        {"MATCH", "number or start of the id of a match (default: list all matches)", false}}},
      &show};
  // clang-format off
  c.synopsis.options.add_options()
      ("seat", po::value<std::string>()->value_name("NAME"), "show only this seat's news, questions and answers")
      ("calls", "show the dialogues with models instead of the events")
      ("beside", "show a branch and its parent side by side, from where they part on")
      ("full", "with --calls: show long texts in full")
      ("question", po::value<std::string>()->value_name("N"), "show the prompt, the reply and the result of question N, from 0")
      ("limit", po::value<std::string>()->value_name("N"), "list at most N matches (default: 50)");
  // clang-format on
  c.synopsis.rules = {{"beside", {"MATCH"}, {"seat", "calls", "question", "json"}},
                      {"seat", {"MATCH"}},
                      {"calls", {"MATCH"}},
                      {"full", {"MATCH"}},
                      {"full", {"calls"}},
                      {"question", {"MATCH"}},
                      {"question", {}, {"calls"}},
                      {"limit", {}, {"MATCH"}}};
  c.synopsis.details =
      "Matches are shown in words if the plugin of their game is loaded, else as JSON.\n";
  return c;
}

}  // namespace agon::command
