#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "archive/archive.hpp"
#include "command/command.hpp"
#include "command/judged_record.hpp"
#include "command/scope_options.hpp"
#include "json/write.hpp"
#include "judge/draw.hpp"
#include "judge/forms.hpp"
#include "judge/results.hpp"
#include "text/counted.hpp"
#include "text/say.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace agon::command {
namespace {

namespace po = boost::program_options;

std::filesystem::path beside(const std::string& archive, const std::string& ending) {
  std::filesystem::path path(archive);
  return path.parent_path() / (path.stem().string() + ending);
}

void tell_missing(const std::set<std::string>& games) {
  for (const std::string& game : games)
    text::say("note: {}; without it, what the game told its seats is not known\n", game);
}

int read_back(Invocation& call, const archive::Archive& archive, const std::filesystem::path& key) {
  for (const char* option :
       {"records", "judges", "per-record", "agent", "game", "seed", "out", "suite", "run", "all"})
    if (call.has(option))
      throw Error(ErrorKind::usage, std::string("--read does not go with --") + option, "",
                  "see 'agon judge --help'");
  std::error_code none;
  if (!std::filesystem::exists(key, none))
    throw Error(ErrorKind::not_found, "there is no such key of the records", key.string(),
                "name it with --key; it was written when the records were drawn");
  std::map<std::string, judge::Keyed> keyed = judge::read_key(key);
  judge::Identities identities(archive, call.catalogue());
  for (auto& [record, of] : keyed)
    if (const auto number = archive.number(of.match)) {
      const archive::MatchRow match = archive.match(*number);
      if (static_cast<std::size_t>(of.seat) < match.seats.size())
        of.identity = identities(match, of.seat);
    }
  tell_missing(identities.missing());
  const judge::ReadForms forms = judge::read_forms(call.texts("read"), keyed);
  for (const judge::BadRow& row : forms.bad)
    text::say("{}:{}: {}\n", text::printable(row.file), row.line, text::printable(row.problem));
  if (!forms.bad.empty())
    throw Error(ErrorKind::invalid,
                fmt::format("{} row{} of the forms cannot be used", forms.bad.size(),
                            forms.bad.size() == 1 ? "" : "s"),
                "", "mend what is named above, and read the forms again");
  if (forms.ratings.empty())
    throw Error(ErrorKind::invalid, "nothing is filled in yet", call.texts("read").front());
  const judge::Results found = judge::results(archive, keyed, forms);
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
  if (call.has("read")) return read_back(call, archive, key);
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
  judge::write_forms(archive, drawn, options, std::ref(tell), out, key);
  if (call.json())
    print_line(json::write_pretty(boost::json::object{{"records", drawn.size()},
                                                      {"forms", options.judges},
                                                      {"folder", out.string()},
                                                      {"key", key.string()}}));
  tell_missing(tell.missing());
  for (const auto& [name_left, count] : tell.names_left())
    text::say(
        "note: the word '{}' stands in {} of the records; an agent is called by it, and "
        "ordinary words are not masked: rename the agent if it could tell who played\n",
        name_left, count);
  if (!call.quiet())
    text::say(
        "wrote {} and {} into {}; keep {} from the judges\n"
        "when the forms are filled in: agon judge {}{} --read {}/judge-*.csv\n",
        text::counted(drawn.size(), "record"), text::counted(options.judges, "form"), out.string(),
        key.string(), text::shell_word(name),
        call.has("key") ? " --key " + text::shell_word(key.string()) : "",
        text::shell_word(out.string()));
  return 0;
}

}  // namespace

Command judge_command() {
  Command c{{"judge",
             "records for human judges, and what their filled forms say",
             "",
             {{"ARCHIVE", "made by 'agon run'"}}},
            &judge_records};
  // clang-format off
  c.synopsis.options.add_options()
      ("records", po::value<std::string>()->value_name("N"), "draw this many seats of finished matches, half of them with an identity where there are such, evenly over agents; default 30")
      ("judges", po::value<std::string>()->value_name("N"), "how many judges there are; default 10")
      ("per-record", po::value<std::string>()->value_name("N"), "how many judges rate each record; default 5")
      ("agent", po::value<std::vector<std::string>>()->composing()->value_name("NAME"), "only seats of this agent; may be given again")
      ("game", po::value<std::string>()->value_name("GAME"), "only matches of this game")
      ("seed", po::value<std::string>()->value_name("N"), "picks the records; default 1")
      ("out", po::value<std::string>()->value_name("FOLDER"), "what the judges get; default: ARCHIVE's name with -judging")
      ("key", po::value<std::string>()->value_name("FILE"), "which record is which match; default: ARCHIVE's name with -judging-key.csv")
      ("read", po::value<std::vector<std::string>>()->multitoken()->composing()->value_name("FILE..."), "read these filled forms, and report");
  // clang-format on
  add_scope_options(c.synopsis.options, "the one that was run last");
  c.synopsis.details =
      "Without --read: draws records, blinded and seeded, and writes them with instructions and a\n"
      "form in CSV for each judge. With --read: means, spread and agreement of the judges.\n";
  return c;
}

}  // namespace agon::command
