#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <span>

#include "command/command.hpp"
#include "command/output.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "plugin/importer.hpp"
#include "replay/import_matches.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;
namespace bj = boost::json;
namespace po = boost::program_options;

/// The files of a folder with the importer's extension, by name. Logs of matches may lie in folders
/// of their own, whose names say what they are of.
std::vector<fs::path> files_of(const Importer& importer, const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  const auto take = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file() && entry.path().extension() == importer.extension)
      paths.push_back(entry.path());
  };
  if (importer.imports == Imports::matches)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error))
      take(entry);
  else
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) take(entry);
  if (error) throw Error(ErrorKind::failure, "cannot be read: " + error.message(), folder);
  if (paths.empty())
    throw Error(ErrorKind::not_found, "the folder has no file ending in " + importer.extension,
                folder, "pass the folder with the published files; see 'agon list importers'");
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The files an importer reads: the one named, or those of a folder.
std::vector<InputFile> read_input(const Importer& importer, const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {{path, json::read_file(path)}};
  if (importer.extension.empty())
    throw Error(ErrorKind::usage, "expected a file, got a folder", path);
  // The folder itself may be one whose name says what the logs in it are of.
  const fs::path above = importer.imports == Imports::matches
                             ? fs::canonical(path, error).parent_path()
                             : fs::path(path);
  std::vector<InputFile> files;
  for (const fs::path& p : files_of(importer, path)) {
    const fs::path there =
        importer.imports == Imports::matches ? fs::canonical(path) / p.lexically_relative(path) : p;
    files.push_back({there.lexically_relative(above).string(), json::read_file(p)});
  }
  return files;
}

// Somebody mends one kind of row after another; a hundred thousand lines hide the first.
constexpr std::size_t kMostTold = 100;

void tell_bad_rows(const std::vector<BadRow>& rows) {
  for (const BadRow& row : std::span(rows).first(std::min(rows.size(), kMostTold)))
    text::say("{}:{}: {}\n", text::printable(row.file), row.line, text::printable(row.reason));
  if (rows.size() > kMostTold) text::say("and {} more\n", rows.size() - kMostTold);
}

int import_data(const Imported& imported, const std::string& out) {
  tell_bad_rows(imported.bad_rows);
  const std::string json = text::printable_json(imported.data);
  if (out.empty()) {
    print(json);
  } else {
    OutFile file(out);
    file.stream() << json;
    file.keep();
  }
  text::say("{}\n", text::printable(imported.summary));
  const std::size_t bad = imported.bad_rows.size();
  if (bad == 0) return 0;
  text::say("{} left out, named above\n", text::counted(bad, "bad row was", "bad rows were"));
  return static_cast<int>(ErrorKind::invalid);
}

void show_json(const Importer& importer, const std::string& out, const ImportedMatches& imported) {
  bj::array disagreements;
  for (const Disagreement& d : imported.disagreements)
    disagreements.push_back(bj::object{{"file", d.file},
                                       {"line", d.line},
                                       {"scenario", d.scenario},
                                       {"block", d.block},
                                       {"what", d.what},
                                       {"ours", json::parse(d.ours, "ours")},
                                       {"published", json::parse(d.published, "published")}});
  print_json(bj::object{{"importer", importer.id},
                        {"source", importer.source},
                        {"licence", importer.licence},
                        {"archive", out},
                        {"matches", imported.matches},
                        {"before", imported.before},
                        {"figures", imported.figures},
                        {"disagreements", std::move(disagreements)},
                        {"left_out", json_value(imported.left_out)}});
}

void show(const Imported& read, const std::string& out, const ImportedMatches& imported) {
  std::string match;
  std::size_t told = 0;
  for (const Disagreement& d : imported.disagreements) {
    if (told++ == kMostTold) {
      print_line(
          fmt::format("and {} more; --json lists all", imported.disagreements.size() - kMostTold));
      break;
    }
    const std::string where = fmt::format("{} ({}, block {})", text::printable(d.file),
                                          text::printable(d.scenario), d.block);
    if (where != match) print_line(where);
    match = where;
    print_line(fmt::format(
        "  {}{}: ours {}, published {}", d.line == 0 ? "" : fmt::format("line {}: ", d.line),
        text::printable(d.what), text::printable(d.ours), text::printable(d.published)));
  }
  print_line(text::printable(read.summary));
  std::string agree = "no figure is published with them";
  if (imported.figures > 0)
    agree = fmt::format("{} of {} published figures {} with our rules",
                        imported.figures - imported.disagreements.size(), imported.figures,
                        imported.figures == 1 ? "agrees" : "agree");
  print_line(fmt::format(
      "{} in {}{}; {}", text::counted(imported.matches, "match", "matches"), text::printable(out),
      imported.before == 0 ? "" : fmt::format(" ({} there before)", imported.before), agree));
}

int import_runs(Invocation& call, const Importer& importer, const Imported& read,
                const std::string& out) {
  ImportOptions options;
  options.archive = out;
  options.command = call.command_line();
  options.data_folders = data_folders();
  ImportedMatches imported = import_matches(importer, read, call.catalogue(), options);
  imported.left_out.insert(imported.left_out.begin(), read.bad_rows.begin(), read.bad_rows.end());
  tell_bad_rows(imported.left_out);
  if (imported.matches == 0)
    throw Error(ErrorKind::invalid, "no match could be imported", "",
                imported.left_out.empty() ? "pass the published logs; see 'agon list importers'"
                                          : "the lines above say what is wrong with each file");
  if (call.json())
    show_json(importer, out, imported);
  else
    show(read, out, imported);
  if (!imported.left_out.empty())
    text::say("{} left out, named above\n",
              text::counted(imported.left_out.size(), "match was", "matches were"));
  return imported.left_out.empty() && imported.disagreements.empty()
             ? 0
             : static_cast<int>(ErrorKind::invalid);
}

int import_published(Invocation& call) {
  const Importer& importer = call.importer(call.argument("IMPORTER"));
  const std::string path = call.argument("PATH"), out = call.text("out");
  std::error_code none;
  if (!out.empty() && fs::is_regular_file(out, none) && fs::equivalent(path, out, none))
    throw Error(ErrorKind::usage, "refusing to overwrite the data set", out,
                "choose another --out file");
  const bool matches = importer.imports == Imports::matches;
  if (matches && out.empty())
    throw Error(ErrorKind::usage, "importing matches requires --out", "",
                "add an archive, such as --out published.agon");
  const Imported imported = importer.read(read_input(importer, path));
  return matches ? import_runs(call, importer, imported, out) : import_data(imported, out);
}

}  // namespace

Command import_command() {
  Command c{{"import",
             "convert published data or runs to a data file or an archive",
             "",
             {{"IMPORTER", "see 'agon list importers', or a file of your own"},
              {"PATH", "published file or folder"}}},
            &import_published};
  c.synopsis.options.add_options()("out", po::value<std::string>()->value_name("FILE"),
                                   "data file (default: standard output) or archive");
  c.synopsis.details =
      "Examples\n"
      "  agon import amazon-history-price FOLDER --out products.json\n"
      "  agon import alympics-water FOLDER --out published.agon\n"
      "The first hundred bad rows are printed to standard error with file, line and\n"
      "reason; the exit code is then 5, and the data file contains the good rows.\n"
      "Published runs are replayed under Agon's rules with their own answers and draws\n"
      "and stored under their agents' names (\"published: gpt-4\"). Figures that differ\n"
      "are listed match by match; runs that cannot be replayed are listed and left out.\n"
      "The exit code is then 5, too.\n";
  return c;
}

}  // namespace agon::command
