#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "command/command.hpp"
#include "json/parse.hpp"
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
  for (const fs::path& p : paths) files.push_back({p.filename().string(), json::read_file(p)});
  return files;
}

/// Written beside and moved into place, so that a full disk leaves no half file. What is no
/// ordinary file, such as a pipe or /dev/null, is written to as it stands.
void write_whole(const std::string& out, std::string_view text) {
  std::error_code none;
  const fs::file_status status = fs::status(out, none);
  const bool beside = !fs::exists(status) || fs::is_regular_file(status);
  const std::string target = beside ? out + ".part" : out;
  std::ofstream file(target, std::ios::binary);
  file << text;
  file.close();
  const int reason = errno;
  std::error_code error;
  if (!file) error.assign(reason != 0 ? reason : EIO, std::generic_category());
  if (file && beside) fs::rename(target, out, error);
  if (!error) return;
  if (beside) fs::remove(target, none);
  throw Error(ErrorKind::failure, "cannot write: " + error.message(), out);
}

int import_data(Invocation& call) {
  const Importer& importer = call.catalogue().importer(call.argument("FORMAT"));
  const Imported imported = importer.read(read_input(importer, call.argument("PATH")));
  for (const BadRow& row : imported.bad_rows)
    fmt::print(stderr, "{}:{}: {}\n", text::printable(row.file), row.line,
               text::printable(row.reason));
  const std::string out = call.text("out");
  if (out.empty())
    print(imported.json);
  else
    write_whole(out, imported.json);
  fmt::print(stderr, "{}\n", imported.summary);
  if (imported.bad_rows.empty()) return 0;
  const std::size_t bad = imported.bad_rows.size();
  fmt::print(stderr, "{} left out, named above\n",
             bad == 1 ? "1 bad row was" : fmt::format("{} bad rows were", bad));
  return static_cast<int>(ErrorKind::invalid);
}

}  // namespace

Command import_command() {
  Command c{
      {"import",
       "turn a published data set into a data file for scenarios",
       "",
       {{"FORMAT", "see 'agon list importers'"}, {"PATH", "the file or folder of the data set"}}},
      &import_data};
  c.synopsis.options.add_options()("out", po::value<std::string>()->value_name("FILE"),
                                   "the data file; default: standard output");
  c.synopsis.details =
      "Example\n"
      "  agon import amazon-history-price FOLDER --out products.json\n"
      "Bad rows are named with file, line and reason on standard error; then the exit code is 5,\n"
      "and the data file holds the good ones.\n";
  return c;
}

}  // namespace agon::command
