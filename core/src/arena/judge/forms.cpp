#include "judge/forms.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "text/csv.hpp"
#include "text/nearest.hpp"

namespace agon::judge {
namespace {

void write_file(const std::filesystem::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (!file)
    throw Error(ErrorKind::failure,
                "cannot be written: " + std::error_code(errno, std::generic_category()).message(),
                path.string());
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw Error(ErrorKind::not_found, "cannot be read", path.string(), "check the name");
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void refuse_existing(const std::filesystem::path& path, const char* option) {
  if (std::filesystem::exists(path))
    throw Error(ErrorKind::usage, "is there already, and judges may be at work on it",
                path.string(), std::string("name another with ") + option);
}

std::string form_of(const std::vector<Drawn>& drawn, std::size_t judge, std::uint64_t seed) {
  std::string text = "record,judge";
  for (const Dimension& d : dimensions()) text += "," + std::string(d.id);
  text += "\r\n";
  for (const std::size_t i : order_of(drawn, judge, seed))
    text += fmt::format("{},{}{}\r\n", drawn[i].label, judge + 1, std::string(kDimensions, ','));
  return text;
}

/// Where each wanted column stands. Throws Error if one is missing.
std::vector<std::size_t> columns_of(const text::CsvRow& header,
                                    const std::vector<std::string>& wanted,
                                    const std::string& file) {
  std::vector<std::size_t> places;
  for (const std::string& name : wanted) {
    const auto at = std::find(header.cells.begin(), header.cells.end(), name);
    if (at == header.cells.end())
      throw Error(ErrorKind::invalid,
                  "there is no column '" + name + "'" + text::did_you_mean(name, header.cells),
                  file + ":" + std::to_string(header.line),
                  "the first line names the columns, as in the forms of 'agon judge'");
    places.push_back(static_cast<std::size_t>(at - header.cells.begin()));
  }
  return places;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// Reads the rows of one form.
class FormReader {
 public:
  FormReader(const std::map<std::string, Keyed>& key, ReadForms& out) : key_(key), out_(out) {}

  void read(const std::string& file) {
    const auto rows = text::read_csv(read_text(file), file);
    if (rows.empty())
      throw Error(ErrorKind::invalid, "the form is empty", file, "read the one that was filled in");
    std::vector<std::string> wanted{"record", "judge"};
    for (const Dimension& d : dimensions()) wanted.emplace_back(d.id);
    const auto columns = columns_of(rows.front(), wanted, file);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].cells.size() != rows.front().cells.size()) {
        bad(file, rows[i].line,
            fmt::format("has {} cells where the first line has {}", rows[i].cells.size(),
                        rows.front().cells.size()));
        continue;
      }
      std::vector<std::string> cells;
      for (const std::size_t column : columns) cells.push_back(trimmed(rows[i].cells[column]));
      add(file, rows[i].line, cells);
    }
  }

 private:
  void bad(const std::string& file, std::size_t line, std::string problem) {
    out_.bad.push_back({file, line, std::move(problem)});
  }

  void add(const std::string& file, std::size_t line, const std::vector<std::string>& cells) {
    Rating rating{cells[0], cells[1], {}};
    if (!key_.contains(rating.record))
      return bad(file, line, "the key has no record '" + rating.record + "'");
    bool any = false;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const std::string& cell = cells[2 + d];
      if (cell.empty()) continue;
      any = true;
      if (cell.size() != 1 || cell[0] < '0' + kLowestRating || cell[0] > '0' + kHighestRating)
        return bad(file, line,
                   fmt::format("{} is '{}', not a whole number from {} to {}", dimensions()[d].id,
                               cell, kLowestRating, kHighestRating));
      rating.values[d] = cell[0] - '0';
    }
    if (!any) {
      ++out_.blank;
      return;
    }
    if (rating.judge.empty()) return bad(file, line, "says no judge");
    if (!seen_.emplace(rating.record, rating.judge).second)
      return bad(file, line, "judge " + rating.judge + " has rated " + rating.record + " before");
    out_.ratings.push_back(std::move(rating));
  }

  const std::map<std::string, Keyed>& key_;
  ReadForms& out_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

void write_forms(const archive::Archive& archive, const std::vector<Drawn>& drawn,
                 const DrawOptions& options, const TellRecord& tell,
                 const std::filesystem::path& out, const std::filesystem::path& key) {
  refuse_existing(out, "--out");
  refuse_existing(key, "--key");
  std::error_code code;
  std::filesystem::create_directories(out / "records", code);
  if (code) throw Error(ErrorKind::failure, "cannot be made: " + code.message(), out.string());
  try {
    std::string keys = "record,match,seat\r\n";
    for (const Drawn& record : drawn) {
      const archive::MatchRow match = archive.match(archive.find(record.match.hex()));
      write_file(out / "records" / (record.label + ".txt"), tell(match, record.seat));
      keys += fmt::format("{},{},{}\r\n", record.label, record.match.hex(), record.seat);
    }
    for (std::size_t judge = 0; judge < options.judges; ++judge)
      write_file(out / fmt::format("judge-{}.csv", judge + 1), form_of(drawn, judge, options.seed));
    write_file(out / "instructions.txt", instructions(options.per_record));
    write_file(key, keys);
  } catch (...) {
    // Half a study would only be in the way of the next try.
    std::filesystem::remove_all(out, code);
    std::filesystem::remove(key, code);
    throw;
  }
}

std::map<std::string, Keyed> read_key(const std::filesystem::path& file) {
  const auto rows = text::read_csv(read_text(file), file.string());
  if (rows.empty())
    throw Error(ErrorKind::invalid, "the key is empty", file.string(),
                "name the one that 'agon judge' wrote with --key");
  const auto columns = columns_of(rows.front(), {"record", "match", "seat"}, file.string());
  std::map<std::string, Keyed> key;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& cells = rows[i].cells;
    const std::string where = file.string() + ":" + std::to_string(rows[i].line);
    const auto cell = [&](std::size_t c) {
      return columns[c] < cells.size() ? cells[columns[c]] : std::string();
    };
    const auto id = archive::MatchId::read(cell(1));
    const std::string seat = cell(2);
    const bool number = !seat.empty() && seat.size() < 4 &&
                        seat.find_first_not_of("0123456789") == std::string::npos;
    if (cell(0).empty() || !id || !number)
      throw Error(ErrorKind::invalid, "is no line of a key: record, match, seat", where,
                  "use the key as 'agon judge' wrote it");
    if (!key.emplace(cell(0), Keyed{*id, std::stoi(seat)}).second)
      throw Error(ErrorKind::invalid, "record '" + cell(0) + "' is there twice", where,
                  "use the key as 'agon judge' wrote it");
  }
  return key;
}

ReadForms read_forms(const std::vector<std::string>& files,
                     const std::map<std::string, Keyed>& key) {
  ReadForms out;
  FormReader reader(key, out);
  for (const std::string& file : files) reader.read(file);
  return out;
}

}  // namespace agon::judge
