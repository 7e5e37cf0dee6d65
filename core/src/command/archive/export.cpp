#include "archive/export/export.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <streambuf>

#include "branch/preferences.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "dialogue/rows.hpp"
#include "people/payment/person_table.hpp"
#include "record/transcript.hpp"
#include "results/probe_answers.hpp"
#include "results/results.hpp"
#include "results/scope.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace po = boost::program_options;

/// Standard output as a stream, with what `print` knows of readers that go away.
class Printed : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    print({text, static_cast<std::size_t>(size)});
    return size;
  }
  int_type overflow(int_type c) override {
    if (c != traits_type::eof()) {
      const char one = traits_type::to_char_type(c);
      print({&one, 1});
    }
    return traits_type::not_eof(c);
  }
};

/// Null: model calls, preferences, or answers to probes.
std::optional<archive::ExportRows> rows_of(const Invocation& call) {
  using Rows = archive::ExportRows;
  for (const std::string of_seats : {"fault-policy", "metrics"})
    if (call.has(of_seats) && call.has("rows") && call.text("rows") != "seats")
      throw Error(ErrorKind::usage, "--" + of_seats + " requires --rows seats", "",
                  "leave --" + of_seats + " out; no other rows depend on it");
  constexpr std::array<std::optional<Rows>, 11> kKinds{
      Rows::seats,      Rows::matches, Rows::records, Rows::answers, std::nullopt, Rows::turns,
      Rows::statements, std::nullopt,  std::nullopt,  std::nullopt,  std::nullopt};
  return kKinds.at(chosen_word(
      call, "rows",
      "seats|matches|records|answers|calls|turns|statements|preferences|probes|people|codebook"));
}

constexpr const char* kFormats = "csv|spreadsheet|jsonl|trl|otlp|otlp-json";

std::string format_of(const Invocation& call) {
  (void)chosen_word(call, "format", kFormats);
  std::string format = call.has("format") ? call.text("format") : call.json() ? "jsonl" : "csv";
  if (call.json() && format != "jsonl")
    throw Error(ErrorKind::usage, "--json conflicts with --format " + format, "",
                "--json is short for --format jsonl");
  if (format == "trl" && call.text("rows") != "turns" && call.text("rows") != "preferences")
    throw Error(ErrorKind::usage, "--format trl requires --rows turns or preferences", "",
                "add --rows turns");
  if (format.starts_with("otlp") && call.has("rows"))
    throw Error(ErrorKind::usage, "--rows conflicts with --format " + format, "",
                "leave --rows out; spans are of matches, questions and model calls");
  if (format == "otlp" && !call.has("out") && call.host() == nullptr && isatty(STDOUT_FILENO) == 1)
    throw Error(ErrorKind::usage, "--format otlp is binary, and standard output is a terminal", "",
                "add --out FILE, or use --format otlp-json");
  return format;
}

archive::TrlLayout layout_of(const Invocation& call, const std::string& format) {
  if (call.has("layout") && format != "trl")
    throw Error(ErrorKind::usage, "--layout requires --format trl");
  return static_cast<archive::TrlLayout>(
      chosen_word(call, "layout", "messages|prompt-completion|preference", 1));
}

/// Where an export goes: a file, or standard output.
class Destination {
 public:
  explicit Destination(const std::string& out) : out_(out), standard_(&printed_) {
    if (!out.empty()) file_.emplace(out);
    standard_.exceptions(std::ios::badbit);  // the reason of a failed write is told by `print`
  }

  void write(const std::function<void(std::ostream&)>& write) {
    try {
      write(file_ ? file_->stream() : standard_);
    } catch (const Error& error) {
      if (!error.where().empty() || out_.empty()) throw;
      throw Error(error.kind(), error.problem(), out_, error.hint());
    }
    if (file_) file_->keep();
  }

 private:
  std::string out_;
  std::optional<OutFile> file_;
  Printed printed_;
  std::ostream standard_;
};

void tell(const archive::WithoutTurns& without, bool keeps_matches) {
  if (without.with_people > 0)
    text::say("left out: {} with people ({} of theirs); see docs/training.md#people\n",
              text::counted(without.with_people, "match", "matches"),
              text::counted(without.answers, "answer"));
  if (without.unrecorded > 0)
    text::say("left out: {}{} without a record (agon run --no-records)\n",
              keeps_matches ? "questions of " : "",
              text::counted(without.unrecorded, "match", "matches"));
}

/// Answers in pairs, of an archive with values of decisions.
void write_preferences(const archive::Archive& archive, std::ostream& out, bool trl,
                       std::optional<archive::CsvAudience> csv) {
  const branch::WrittenPreferences written = trl ? branch::export_preferences_trl(archive, out)
                                                 : branch::export_preferences(archive, out, csv);
  if (written.without_prompt > 0)
    text::say("left out: {} at questions for which no model was called\n",
              text::counted(written.without_prompt, "pair"));
  if (written.pairs == 0 && written.without_prompt == 0)
    text::say("no pairs: value answers with 'agon branch ARCHIVE --decisions' first\n");
}

/// People, one a row, or what the columns are: from NAME.people, beside the archive.
void export_people(const Invocation& call, const std::string& format) {
  for (const char* of_matches : {"suite", "run", "all-suites", "fault-policy", "metrics"})
    if (call.has(of_matches))
      throw Error(ErrorKind::usage,
                  "--" + std::string(of_matches) + " conflicts with --rows " + call.text("rows"),
                  "", "leave it out; people are of the whole session");
  if (format != "csv" && format != "spreadsheet" && format != "jsonl")
    throw Error(ErrorKind::usage,
                "--format " + format + " conflicts with --rows " + call.text("rows"), "",
                "use csv, spreadsheet or jsonl");
  std::filesystem::path file = call.argument("ARCHIVE");
  if (file.extension() != ".people") file = serve::people_file(file);
  serve::PersonTable table = serve::person_table(serve::read_people(file));
  if (call.text("rows") == "codebook") table = serve::codebook(table);
  Destination(call.text("out")).write([&](std::ostream& out) {
    out << (format == "jsonl"
                ? serve::jsonl_of(table)
                : serve::csv_of(table, format == "csv" ? archive::CsvAudience::data
                                                       : archive::CsvAudience::spreadsheet));
  });
}

int export_archive(Invocation& call) {
  if (const std::string rows = call.text("rows"); rows == "people" || rows == "codebook")
    return export_people(call, format_of(call)), 0;
  archive::Archive archive = archive::Archive::open(call.argument("ARCHIVE"));
  const report::ScopeChoice scope = scope_of(call);
  if (!scope.suite.empty() || !scope.run.empty())
    report::narrow(archive, scope);
  else if (!scope.metrics.empty())
    report::add_metrics(archive, scope.metrics);
  const std::optional<archive::ExportRows> rows = rows_of(call);
  const std::string format = format_of(call);
  archive::ExportOptions options;
  options.rows = rows.value_or(options.rows);
  options.policy = name(report::policy_of(asked_policy(call), report::suite_wishes(archive),
                                          call.argument("ARCHIVE")));
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return archive.content(digest); });
  options.record_entries = [&](std::string_view bytes, const auto& each) {
    record::each_entry(bytes, [&](const record::Entry& entry) {
      each(record::entry_json(entry, recorded));
      return true;
    });
  };
  options.statements = dialogue::statement_reader(archive, call.catalogue(), recorded);
  const archive::TrlLayout layout = layout_of(call, format);
  std::optional<archive::CsvAudience> csv;
  if (format == "csv") csv = archive::CsvAudience::data;
  if (format == "spreadsheet") csv = archive::CsvAudience::spreadsheet;
  options.reader = csv.value_or(archive::CsvAudience::data);
  Destination destination(call.text("out"));
  archive.together([&] {
    std::optional<archive::TurnReader> turns;
    const bool is_otlp = format.starts_with("otlp");
    if (is_otlp || rows == archive::ExportRows::turns)
      options.turns = &turns.emplace(archive, options.record_entries);
    destination.write([&](std::ostream& out) {
      if (is_otlp)
        archive::export_otlp(
            archive, out, *turns,
            format == "otlp" ? archive::SpanEncoding::protobuf : archive::SpanEncoding::json);
      else if (call.text("rows") == "preferences")
        write_preferences(archive, out, format == "trl", csv);
      else if (format == "trl")
        archive::export_trl(archive, out, *turns, layout);
      else if (call.has("rows") && call.text("rows") == "probes")
        report::export_probes(report::probe_answers(archive, report::collect(archive, {}).apart),
                              out, csv);
      else if (!rows)
        archive::export_calls(archive, out, csv);
      else if (csv)
        archive::export_csv(archive, out, options);
      else
        archive::export_jsonl(archive, out, options);
    });
    if (turns) tell(turns->without_turns(), is_otlp);
  });
  return 0;
}

}  // namespace

Command export_command() {
  Command c{{"export",
             "write an archive as CSV or JSON Lines, for pandas, R, DuckDB or trainers",
             "",
             {{"ARCHIVE", "archive of 'agon run'"}}},
            &export_archive};
  // clang-format off
  c.synopsis.options.add_options()
      ("rows", po::value<std::string>()->value_name("KIND"), "seats, matches, records (all events, jsonl only), answers (field by field), calls (of models), turns (prompts, answers and rewards, to train on), statements (what was said, against the record), preferences (better and worse answers, of 'agon branch --decisions'), probes (answers to questions of the suite, scored), people (who took part, from NAME.people beside the archive) or codebook (what the columns of people mean) (default: seats)")
      ("fault-policy", po::value<std::string>()->value_name("as-played|forfeit|exclude"), "how gains of seats count forced answers (default: the suite's)")
      ("format", po::value<std::string>()->value_name(kFormats), "output format; spreadsheet is CSV without formulas, jsonl is the same as --json, trl is for trainers of Hugging Face, otlp are spans of OpenTelemetry (default: csv)")
      ("layout", po::value<std::string>()->value_name("messages|prompt-completion|preference"), "with --format trl: what a row is (default: prompt-completion)")
      ("metrics", po::value<std::string>()->value_name("FILE"), "add your own metrics to the rows of seats, see docs/report.md")
      ("out", po::value<std::string>()->value_name("FILE"), "output file (default: standard output)");
  // clang-format on
  add_scope_options(c.synopsis, "all");
  c.synopsis.rules.push_back({"layout", {"format"}});
  c.synopsis.details = "The columns are listed in docs/archive.md.\n";
  return c;
}

}  // namespace agon::command
