#include "judge/forms.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <cerrno>
#include <fstream>
#include <set>
#include <system_error>

#include "describe/csv_rows.hpp"
#include "json/parse.hpp"
#include "judge/form_rows.hpp"

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

void refuse_existing(const std::filesystem::path& path, const char* option) {
  if (std::filesystem::exists(path))
    throw Error(ErrorKind::usage, "is there already, and judges may be at work on it",
                path.string(), std::string("name another with ") + option);
}

std::string form_of(const std::vector<Drawn>& drawn, std::size_t judge, std::uint64_t seed) {
  const std::string blank = fmt::format("{}{}\r\n", judge + 1, std::string(kDimensions, ','));
  std::string text = CsvRows::header(type_of<FormRow>());
  text += fmt::format("{},{}", kOwnPlay, blank);
  for (const std::size_t i : order_of(drawn, judge, seed))
    text += fmt::format("{},{}", drawn[i].label, blank);
  return text;
}

CsvRows rows_of(const Type& row, const std::string& file) {
  return {row, json::read_file(file), file,
          "use the files of 'agon judge'; their first lines name the columns"};
}

/// Reads the rows of one form.
class FormReader {
 public:
  FormReader(const std::map<std::string, Keyed>& key, ReadForms& out) : key_(key), out_(out) {}

  void read(const std::string& file) {
    const CsvRows rows = rows_of(type_of<FormRow>(), file);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      FormRow row;
      std::string problem = rows.read(i, &row);
      if (problem.empty()) problem = add(row);
      if (!problem.empty()) out_.bad.push_back({file, rows.line(i), std::move(problem)});
    }
  }

 private:
  /// Why it cannot be used; empty if it can.
  std::string add(FormRow& row) {
    const bool own = row.record == kOwnPlay;
    const auto keyed = key_.find(row.record);
    if (!own && keyed == key_.end()) return "the key has no record '" + row.record + "'";
    Rating rating{row.record, row.judge, {}};
    for (std::size_t d = 0; d < kDimensions; ++d)
      rating.values[d] = *static_cast<const std::optional<int>*>(kRatings[d].at(&row));
    if (rating.values == decltype(rating.values)()) {
      out_.blank += own ? 0 : 1;  // not every judge plays
      return {};
    }
    if (row.judge.empty()) return "says no judge";
    if (row.IA && (own || !keyed->second.identity))
      return "IA: the player of '" + row.record + "' was given no identity: leave the cell empty";
    if (!seen_.emplace(row.record, row.judge).second)
      return "judge " + row.judge + " has rated " + row.record + " before";
    (own ? out_.own : out_.ratings).push_back(std::move(rating));
    return {};
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
    std::string keys = CsvRows::header(type_of<KeyRow>());
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
  const CsvRows rows = rows_of(type_of<KeyRow>(), file.string());
  std::map<std::string, Keyed> key;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    KeyRow row;
    std::string problem = rows.read(i, &row);
    const auto id = archive::MatchId::read(row.match);
    if (problem.empty() && !id) problem = "'" + row.match + "' is no match";
    if (problem.empty() && !key.emplace(row.record, Keyed{*id, row.seat}).second)
      problem = "record '" + row.record + "' is there twice";
    if (!problem.empty())
      throw Error(ErrorKind::invalid, problem, file.string() + ":" + std::to_string(rows.line(i)),
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
