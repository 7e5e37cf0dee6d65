#include "judge/forms.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <cerrno>
#include <fstream>
#include <set>
#include <system_error>

#include "describe/file_text.hpp"
#include "json/parse.hpp"

namespace agon::judge {

std::string_view published_source() {
  return "Alympics (Mao and others 2023), water game, 30 records of model agents, 5 judges each";
}

std::string instructions(std::size_t judges_a_record) {
  std::string text = fmt::format(
      "How to rate\n"
      "\n"
      "Each file in 'records' tells one match as one player lived through it: what it was told,\n"
      "what it thought in private where it said so, and what it did. Who or what played is not\n"
      "said; please do not try to find out, and do not talk with the other judges before all\n"
      "forms are in. {} of you rate{} each record.\n"
      "\n"
      "Read a record to its end before you rate it, in the order of your form. Rate the player\n"
      "named at the top of the record, not the others and not the outcome: chance decides too. "
      "Write\n"
      "a whole number from {} to {} into each column of your form. Leave a cell empty only if the\n"
      "record gives you nothing to go by; IA stays empty where the record says that the player "
      "was\n"
      "given no identity (no character, profession or way of life).\n"
      "\n"
      "The row '{}' of your form is for your own play, if you play the game yourself before you\n"
      "read the records: rate how you played, and leave it empty if you did not. IA stays empty.\n"
      "\n"
      "Marks in a record: [all] or [NAME, ...] says who was told; > is what the player did; what\n"
      "stands under \"thought\" or \"in private\" was seen by nobody else.\n",
      judges_a_record, judges_a_record == 1 ? "s" : "", kLowestRating, kHighestRating, kOwnPlay);
  return text + judging::scale_text();
}

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

/// The data file of these rows, JSON objects with commas between.
std::string data_file_of(const std::string& rows) {
  const std::size_t slash = judging::kRecordsFormat.rfind('/');
  return fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"rows\": [\n{}\n]}}\n",
                     judging::kRecordsFormat.substr(0, slash),
                     judging::kRecordsFormat.substr(slash + 1), rows);
}

std::string form_of(const std::vector<SampledRecord>& drawn, std::size_t judge,
                    std::uint64_t seed) {
  const std::string blank = fmt::format("{}{}\r\n", judge + 1, std::string(kDimensions, ','));
  std::string text = CsvRows::header(type_of<FormRow>());
  text += fmt::format("{},{}", kOwnPlay, blank);
  for (const std::size_t i : order_of(drawn, judge, seed))
    text += fmt::format("{},{}", drawn[i].label, blank);
  return text;
}

/// What models, or people in the browser, judge the records by: a suite beside its data file.
std::string suite_of(const DrawOptions& options, std::size_t records, const RatingGame& game) {
  const std::size_t matches = (records * options.per_record + options.judges - 1) / options.judges;
  return fmt::format(
      R"(// Judges of the records in records.json, one rating a match; each block has the next record.
// "judge" rates nothing as it stands. A model is asked with
//     agon run judges.json --agent judge=AGENT --model PROVIDER/MODEL
// and people in the browser with
//     agon serve judges.json --people --agent judge=AGENT
// where "repeats" is how many judges rate each record. Then pass the archive to 'agon judge
// ARCHIVE --forms', with forms or without.
{{
  "suite": "judges",
  "seed": {},
  "agents": {{ "judge": "default" }},
  "design": {{ "fixed": [["judge"]], "blocks": {}, "repeats": 1 }},
  "people": {{ "title": "How was it played?", "participants": {}, "matches": {} }},
  "scenarios": [{{ "game": "{}", "set": {{ "{}": "records.json" }} }}]
}}
)",
      options.seed, records, options.judges, matches, game.id, game.records);
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
    JudgeRating rating{row.record, row.judge, {}};
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

void write_forms(const archive::Archive& archive, const std::vector<SampledRecord>& drawn,
                 const DrawOptions& options, const TellRecord& tell,
                 const std::filesystem::path& out, const std::filesystem::path& key,
                 const RatingGame* game) {
  refuse_existing(out, "--out");
  refuse_existing(key, "--key");
  std::error_code code;
  std::filesystem::create_directories(out / "records", code);
  if (code) throw Error(ErrorKind::failure, "cannot be made: " + code.message(), out.string());
  try {
    std::string keys = CsvRows::header(type_of<KeyRow>());
    std::string rows;
    for (const SampledRecord& record : drawn) {
      const archive::MatchRow match =
          archive.matches().at(archive.matches().find(record.match.hex()));
      const std::string told = tell(match, record.seat);
      write_file(out / "records" / (record.label + ".txt"), told);
      keys += fmt::format("{},{},{}\r\n", record.label, record.match.hex(), record.seat);
      const bool identity = options.identity && options.identity(match, record.seat);
      rows += (rows.empty() ? "" : ",\n") +
              write_json(judging::RecordToRate{record.label, digest_of(record.match, record.seat),
                                               identity, told});
    }
    if (game != nullptr) {
      write_file(out / "records.json", data_file_of(rows));
      write_file(out / "judges.json", suite_of(options, drawn.size(), *game));
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
