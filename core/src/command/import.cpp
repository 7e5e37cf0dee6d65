#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <algorithm>
#include <filesystem>
#include <span>

#include "command/command.hpp"
#include "command/out_file.hpp"
#include "json/parse.hpp"
#include "text/counted.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// The files an importer reads: the one named, or those of a folder with its extension, by name.
std::vector<InputFile> read_input(const Importer& importer, const std::string& path) {
  std::vector<fs::path> paths;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    if (importer.extension.empty())
      throw Error(ErrorKind::usage, "this is a folder; the importer reads one file", path);
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
      if (entry.is_regular_file() && entry.path().extension() == importer.extension)
        paths.push_back(entry.path());
    if (error) throw Error(ErrorKind::failure, "cannot be read: " + error.message(), path);
    if (paths.empty())
      throw Error(ErrorKind::not_found,
                  "the folder has no file that ends in " + std::string(importer.extension), path);
    std::sort(paths.begin(), paths.end());
  } else {
    paths.emplace_back(path);
  }
  std::vector<InputFile> files;
  for (const fs::path& p : paths)
    files.push_back({paths.size() == 1 ? p.string() : p.filename().string(), json::read_file(p)});
  return files;
}

int import_data(Invocation& call) {
  const Importer& importer = call.catalogue().importer(call.argument("IMPORTER"));
  const std::string path = call.argument("PATH"), out = call.text("out");
  std::error_code none;
  if (!out.empty() && fs::is_regular_file(out, none) && fs::equivalent(path, out, none))
    throw Error(ErrorKind::usage, "the data set itself would be written over", out,
                "name another file with --out");
  const Imported imported = importer.read(read_input(importer, path));
  // Somebody mends one kind of row after another; a hundred thousand lines hide the first.
  constexpr std::size_t most_told = 100;
  const std::size_t bad = imported.bad_rows.size();
  for (const BadRow& row : std::span(imported.bad_rows).first(std::min(bad, most_told)))
    text::say("{}:{}: {}\n", text::printable(row.file), row.line, text::printable(row.reason));
  if (bad > most_told) text::say("and {} more\n", bad - most_told);
  if (out.empty()) {
    print(imported.json);
  } else {
    OutFile file(out);
    file.stream() << imported.json;
    file.keep();
  }
  text::say("{}\n", imported.summary);
  if (bad == 0) return 0;
  text::say("{} left out, named above\n", text::counted(bad, "bad row was", "bad rows were"));
  return static_cast<int>(ErrorKind::invalid);
}

}  // namespace

Command import_command() {
  Command c{
      {"import",
       "turn a published data set into a data file for scenarios",
       "",
       {{"IMPORTER", "see 'agon list importers'"}, {"PATH", "the file or folder of the data set"}}},
      &import_data};
  c.synopsis.options.add_options()("out", po::value<std::string>()->value_name("FILE"),
                                   "the data file; default: standard output");
  c.synopsis.details =
      "Example\n"
      "  agon import amazon-history-price FOLDER --out products.json\n"
      "Bad rows, the first hundred of them, are named with file, line and reason on standard "
      "error;\n"
      "then the exit code is 5, and the data file holds the good ones.\n";
  return c;
}

}  // namespace agon::command
