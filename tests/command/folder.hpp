#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "command/process.hpp"
#include "support/report_figures.hpp"
#include "support/text_checks.hpp"

namespace command_test {

using agon::test::check_has;
using agon::test::check_lacks;

/// A folder of its own for one test, removed in the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return path_ / name; }
  /// Writes a file and returns its name.
  std::string write(const std::string& name, std::string_view text) const;
  /// The same of a program that the owner may start.
  std::string write_program(const std::string& name, std::string_view text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;
  /// Runs `agon` here.
  [[nodiscard]] Ended agon(const Words& arguments, Start start = {}) const;
  /// The same, which has to succeed.
  Ended succeeds(const Words& arguments, Start start = {}) const;
  /// The same, which has to fail with this code and say all of this on standard error.
  Ended refuses(const Words& arguments, int code, const Words& said, Start start = {}) const;
  /// The start of a child here.
  [[nodiscard]] Start start(Start start = {}) const;

 private:
  std::filesystem::path path_;
};

/// The exit code of a shell's command line in the folder, where $AGON is the command.
int shell(const Folder& folder, const std::string& line);
/// The archive that grows in this folder in it, as FOLDER/FILE; empty while there is none.
std::string grows_in(const Folder& folder, const std::string& work);
/// Whether there is a part of a file that was to be put in its place as a whole.
bool has_part(const Folder& folder);

/// The words, and then more.
Words joined(Words words, const Words& more);

std::string read_file(const std::filesystem::path& path);
bool contains(std::string_view text, std::string_view part);
std::size_t count(std::string_view text, std::string_view part);
std::vector<std::string> lines(std::string_view text);

/// Strict JSON of a whole text; a test that cannot read it fails.
boost::json::value json_of(const std::string& text);
/// The same with comments, as suites have them.
boost::json::value json_with_comments(const std::string& text);

/// The rows that an archive exports of seats, matches, records, ..., in its order, without
/// "wall_ms", "waiting_ms" and "created", in which any two runs differ.
std::vector<boost::json::object> exported(const Folder& folder, const std::string& archive,
                                          const std::string& rows = "seats");

/// A table of a paper, as the report on an archive has it.
agon::test::PaperFigures paper_table(const Folder& folder, const std::string& archive,
                                     const std::string& id, const Words& more = {});

/// All finished matches of an archive as sorted lines of JSON: results, settings, records. What
/// differs between any two runs is left out: times, and the order in which matches ended.
std::vector<std::string> content(const Folder& folder, const std::string& archive);

/// How many matches the archive has finished, or parts of matches it keeps, as of now; 0 while
/// there is no archive. May be asked while a run writes it.
int finished(const std::filesystem::path& archive);
int partial(const std::filesystem::path& archive);
/// The number of the last save of a match that is not finished, -1 if there is none.
int last_save(const std::filesystem::path& archive);

/// Runs SQL on an archive, behind its back.
void run_sql(const std::filesystem::path& archive, const std::string& sql);

/// Changes the last place where a record has `from` into `to`, which is as long, in every record
/// that has it; returns how many.
int change_records(const std::filesystem::path& archive, std::string_view from,
                   std::string_view to);

/// The first lines of a suite: two rule agents that play all four games.
std::string suite(const std::string& scenarios, const std::string& more = "");

/// The folder of the published data; without it, the test is skipped.
std::filesystem::path published_data();

}  // namespace command_test
