#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "judge/forms.hpp"
#include "judge/records.hpp"
#include "judge/results.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "record/transcript.hpp"
#include "replay/replay.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace po = boost::program_options;

/// Tells a match to a judge as one seat lived through it: the rules and the identity that a model
/// was given, what the seat was told, what it thought in private, and what it did. Names of agents
/// and models are taken out; seats keep theirs.
class JudgedRecord {
 public:
  /// Both must outlive this.
  JudgedRecord(const archive::Archive& archive, const Catalogue& catalogue);

  /// `match` with its record.
  std::string operator()(const archive::MatchRow& match, int seat);

  /// Whether the seat was given an identity.
  bool has_identity(const archive::MatchRow& match, int seat) { return identities_(match, seat); }

  /// Of each game of the records told so far that is not at hand: which plugin brought it.
  [[nodiscard]] const std::set<std::string>& missing() const { return identities_.missing(); }
  /// In how many of the records told so far an ordinary word stands that is the name of an agent.
  [[nodiscard]] const std::map<std::string, std::size_t>& names_left() const { return names_left_; }

 private:
  /// What a seat's model was given and what it said to itself.
  struct Private {
    std::string given;                                          ///< its first system message
    std::map<std::int64_t, std::vector<std::string>> thoughts;  ///< by question
  };
  [[nodiscard]] Private private_of(const archive::MatchRow& match, int seat) const;

  const archive::Archive& archive_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  Replayer replayer_;
  judge::Blindfold blindfold_;
  judge::Identities identities_;
  std::map<std::string, std::size_t> names_left_;
};

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

JudgedRecord::JudgedRecord(const archive::Archive& archive, const Catalogue& catalogue)
    : archive_(archive),
      games_(archive.games()),
      scenarios_(archive.scenarios()),
      replayer_(archive, catalogue),
      blindfold_(archive),
      identities_(archive, catalogue) {}

JudgedRecord::Private JudgedRecord::private_of(const archive::MatchRow& match, int seat) const {
  Private out;
  archive_.calls().each(&match.key.id, [&](const archive::CallRow& row) {
    if (row.seat != seat || !row.answered) return;
    const ModelCall& call = row.call;
    if (out.given.empty() && !call.messages.empty() &&
        (call.messages.front().role == "system" || call.messages.front().role == "developer"))
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
    options.tellings = replayer_.tellings(match);
    options.types = [&](const hash::Digest& shape) { return replayer_.types(shape); };
  } catch (const Error&) {
    // Without its game the record is told as JSON.
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
  const record::History history = record::read(archive_.matches().record_of(match));
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

std::filesystem::path beside(const std::string& archive, const std::string& ending) {
  std::filesystem::path path(archive);
  return path.parent_path() / (path.stem().string() + ending);
}

void tell_missing(const std::set<std::string>& games) {
  for (const std::string& game : games)
    text::say("note: {}; without it, what the game told its seats is not known\n", game);
}

/// Forms as people fill them in, and archives of matches in which ratings were asked for.
judge::ReadForms read_all(Invocation& call, const std::map<std::string, judge::Keyed>& key) {
  std::vector<std::string> forms, archives;
  for (const std::string& file : call.texts("forms"))
    (is_archive(file) ? archives : forms).push_back(file);
  judge::ReadForms read = judge::read_forms(forms, key);
  if (archives.empty()) return read;
  const std::vector<judge::RatingGame> games = judge::rating_games(call.catalogue());
  if (games.empty())
    throw Error(ErrorKind::not_found, "no game that asks for ratings is loaded", archives.front(),
                "'agon list plugins' shows what was loaded");
  judge::read_rated(archives, games, key, read);
  return read;
}

void tell_left_out(const judge::ReadForms& forms) {
  const auto tell = [](const std::map<std::string, std::size_t>& counts, std::string_view what) {
    for (const auto& [judge, count] : counts)
      text::say("note: {}: {} {}\n", text::printable(judge), text::counted(count, "rating"), what);
  };
  tell(forms.unanswered, "missing, as no answer was legal");
  tell(forms.repeated, "left out, as it had rated the same before");
  tell(forms.own_of_agents, "of its own play left out, as it is no person");
}

[[noreturn]] void throw_unrated(Invocation& call, const judge::ReadForms& forms) {
  const std::vector<std::string> files = call.texts("forms");
  const bool archives = std::any_of(files.begin(), files.end(), is_archive);
  if (!archives)
    throw Error(ErrorKind::invalid, "the form is empty", files.front(),
                "fill in the ratings, from 1 to 5");
  std::size_t own = 0;
  for (const auto& [judge, count] : forms.own_of_agents) own += count;
  std::string what = "no judge has rated a record";
  if (forms.blank > 0) what += fmt::format("; left empty: {}", forms.blank);
  if (own > 0) what += fmt::format("; agents' ratings of their own play: {}", own);
  throw Error(ErrorKind::invalid, what, files.front(),
              "judges.json rates nothing as it stands: run it with --agent judge=..., and with "
              "--model for a model");
}

int read_back(Invocation& call, const archive::Archive& archive, const std::filesystem::path& key) {
  std::error_code none;
  if (!std::filesystem::exists(key, none))
    throw Error(ErrorKind::not_found, "judging key not found", key.string(),
                "pass it with --key; agon judge wrote it when it drew the records");
  std::map<std::string, judge::Keyed> keyed = judge::read_key(key);
  judge::Identities identities(archive, call.catalogue());
  for (auto& [record, of] : keyed)
    if (const auto number = archive.matches().number(of.match)) {
      const archive::MatchRow match = archive.matches().at(*number);
      if (static_cast<std::size_t>(of.seat) < match.seats.size())
        of.identity = identities(match, of.seat);
    }
  tell_missing(identities.missing());
  const judge::ReadForms forms = read_all(call, keyed);
  for (const judge::BadFormRow& row : forms.bad)
    text::say("{}:{}: {}\n", text::printable(row.file), row.line, text::printable(row.problem));
  if (!forms.bad.empty())
    throw Error(
        ErrorKind::invalid,
        fmt::format("{} of the forms cannot be used", text::counted(forms.bad.size(), "row")), "",
        "fix the rows listed above and run the command again");
  tell_left_out(forms);
  if (forms.ratings.empty()) throw_unrated(call, forms);
  const judge::JudgingResults found = judge::results(archive, keyed, forms);
  if (call.json())
    print_line(judge::json(found));
  else
    print(judge::text(found, colours()));
  return 0;
}

int judge_records(Invocation& call) {
  const std::string name = call.argument("ARCHIVE");
  archive::Archive archive = archive::Archive::open(name);
  const std::filesystem::path key =
      call.has("key") ? std::filesystem::path(call.text("key")) : beside(name, "-judging-key.csv");
  if (call.has("forms")) return read_back(call, archive, key);
  const report::Scope scope = report::narrow(archive, scope_of(call));
  if (!call.quiet())
    for (const std::string& words : {scope.what(), scope.others()})
      if (!words.empty()) text::say("{}\n", words);
  judge::DrawOptions options;
  options.records = static_cast<std::size_t>(call.number("records", 30, 1, 100'000));
  options.judges = static_cast<std::size_t>(call.number("judges", 10, 1, 10'000));
  options.per_record = static_cast<std::size_t>(
      call.number("per-record",
                  std::min<std::int64_t>(5, static_cast<std::int64_t>(options.judges)), 1, 10'000));
  options.seed = static_cast<std::uint64_t>(
      call.number("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
  options.agents = call.texts("agent");
  options.game = call.text("game");
  const std::filesystem::path out =
      call.has("out") ? std::filesystem::path(call.text("out")) : beside(name, "-judging");
  JudgedRecord tell(archive, call.catalogue());
  options.identity = [&](const archive::MatchRow& match, int seat) {
    return tell.has_identity(match, seat);
  };
  const auto drawn = judge::draw(archive, options);
  const std::vector<judge::RatingGame> games = judge::rating_games(call.catalogue());
  judge::write_forms(archive, drawn, options, std::ref(tell), out, key,
                     games.empty() ? nullptr : &games.front());
  if (call.json())
    print_json(boost::json::object{{"records", drawn.size()},
                                   {"forms", options.judges},
                                   {"folder", out.string()},
                                   {"key", key.string()}});
  tell_missing(tell.missing());
  for (const auto& [name_left, count] : tell.names_left())
    text::say(
        "note: the word '{}' stands in {} of the records; an agent is called by it, and "
        "ordinary words are not masked: rename the agent if it could tell who played\n",
        name_left, count);
  if (!call.quiet())
    text::say(
        "wrote {} and {} into {}; keep {} from the judges\n"
        "when the forms are filled in: agon judge {}{} --forms {}/judge-*.csv\n"
        "{}",
        text::counted(drawn.size(), "record"), text::counted(options.judges, "form"), out.string(),
        key.string(), text::shell_word(name),
        call.has("key") ? " --key " + text::shell_word(key.string()) : "",
        text::shell_word(out.string()),
        games.empty() ? ""
                      : fmt::format("models, and people in the browser, judge with {}\n",
                                    text::shell_word((out / "judges.json").string())));
  return 0;
}

}  // namespace

Command judge_command() {
  Command c{{"judge",
             "draw records for judges, people or models, or report on their ratings",
             "",
             {{"ARCHIVE", "archive of 'agon run'"}}},
            &judge_records};
  // clang-format off
  c.synopsis.options.add_options()
      ("records", po::value<std::string>()->value_name("N"), "number of seats to draw from finished matches, evenly over agents, half of them with an identity if possible (default: 30)")
      ("judges", po::value<std::string>()->value_name("N"), "number of judges (default: 10)")
      ("per-record", po::value<std::string>()->value_name("N"), "number of judges for each record (default: 5)")
      ("agent", po::value<std::vector<std::string>>()->composing()->value_name("NAME"), "only seats of this agent (repeatable)")
      ("game", po::value<std::string>()->value_name("GAME"), "only matches of this game")
      ("seed", po::value<std::string>()->value_name("N"), "random seed of the draw (default: 1)")
      ("out", po::value<std::string>()->value_name("FOLDER"), "output folder for the judges (default: ARCHIVE-judging)")
      ("key", po::value<std::string>()->value_name("FILE"), "file that maps records to matches (default: ARCHIVE-judging-key.csv)")
      ("forms", po::value<std::vector<std::string>>()->multitoken()->composing()->value_name("FILE..."), "read these completed forms, and archives of judges.json, and report");
  // clang-format on
  c.synopsis.rules = {{"forms",
                       {},
                       {"records", "judges", "per-record", "agent", "game", "seed", "out", "suite",
                        "run", "all-suites"}}};
  add_scope_options(c.synopsis, "the last one run");
  c.synopsis.details =
      "Without --forms: draws blinded, seeded records and writes them, instructions, a\n"
      "CSV form for each judge, and a suite in which models or people in the browser\n"
      "judge them (judges.json). With --forms: mean, spread and agreement of judges.\n";
  return c;
}

}  // namespace agon::command
