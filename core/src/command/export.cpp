#include <agon/error.hpp>
#include <optional>
#include <ostream>
#include <streambuf>

#include "archive/export/calls.hpp"
#include "archive/export/matches.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "record/transcript.hpp"
#include "results/scope.hpp"
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

int export_archive(Invocation& call) {
  archive::Archive archive = archive::Archive::open(call.argument("ARCHIVE"));
  const report::ScopeChoice scope = scope_of(call);
  if (!scope.suite.empty() || !scope.run.empty())
    report::narrow(archive, scope);
  else if (!scope.metrics.empty())
    report::add_metrics(archive, scope.metrics);
  archive::ExportOptions options;
  const std::string rows = call.text("rows").empty() ? "seats" : call.text("rows");
  if (call.has("fault-policy") && rows != "seats")
    throw Error(ErrorKind::usage, "--fault-policy requires --rows seats", "",
                "leave --fault-policy out; no other rows depend on it");
  options.policy = name(report::policy_of(asked_policy(call), report::suite_wishes(archive),
                                          call.argument("ARCHIVE")));
  if (rows == "seats")
    options.rows = archive::ExportRows::seats;
  else if (rows == "matches")
    options.rows = archive::ExportRows::matches;
  else if (rows == "records")
    options.rows = archive::ExportRows::records;
  else if (rows == "answers")
    options.rows = archive::ExportRows::answers;
  else if (rows != "calls")
    throw Error(ErrorKind::usage,
                "invalid value '" + rows +
                    "' for --rows; expected seats, matches, records, answers or calls");
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return archive.content(digest); });
  options.record_entries = [&](std::string_view bytes, const auto& each) {
    record::each_entry(bytes, [&](const record::Entry& entry) {
      each(record::entry_json(entry, recorded));
      return true;
    });
  };
  const std::string format = !call.text("format").empty() ? call.text("format")
                             : call.json()                ? "jsonl"
                                                          : "csv";
  if (format != "csv" && format != "jsonl" && format != "spreadsheet")
    throw Error(ErrorKind::usage,
                "invalid value '" + format + "' for --format; expected csv, spreadsheet or jsonl");
  if (call.json() && format != "jsonl")
    throw Error(ErrorKind::usage, "--json conflicts with --format " + format, "",
                "--json is short for --format jsonl");
  std::optional<archive::CsvAudience> csv;
  if (format != "jsonl")
    csv = format == "csv" ? archive::CsvAudience::data : archive::CsvAudience::spreadsheet;
  options.reader = csv.value_or(archive::CsvAudience::data);
  const std::string out = call.text("out");
  std::optional<OutFile> file;
  if (!out.empty()) file.emplace(out);
  Printed printed;
  std::ostream standard(&printed);
  standard.exceptions(std::ios::badbit);  // the reason of a failed write is told by `print`
  std::ostream& stream = file ? file->stream() : standard;
  try {
    if (rows == "calls")
      archive::export_calls(archive, stream, csv);
    else if (csv)
      archive::export_csv(archive, stream, options);
    else
      archive::export_jsonl(archive, stream, options);
  } catch (const Error& error) {
    if (!error.where().empty() || out.empty()) throw;
    throw Error(error.kind(), error.problem(), out, error.hint());
  }
  if (file) file->keep();
  return 0;
}

}  // namespace

Command export_command() {
  Command c{{"export",
             "write an archive as CSV or JSON Lines, for pandas, R or DuckDB",
             "",
             {{"ARCHIVE", "archive of 'agon run'"}}},
            &export_archive};
  // clang-format off
  c.synopsis.options.add_options()
      ("rows", po::value<std::string>()->value_name("KIND"), "seats, matches, records (all events, jsonl only), answers (field by field) or calls (of models) (default: seats)")
      ("fault-policy", po::value<std::string>()->value_name("as-played|forfeit|exclude"), "how gains of seats count forced answers (default: the suite's)")
      ("format", po::value<std::string>()->value_name("csv|spreadsheet|jsonl"), "output format; spreadsheet is CSV without formulas, jsonl is the same as --json (default: csv)")
      ("metrics", po::value<std::string>()->value_name("FILE"), "add your own metrics to the rows of seats, see docs/report.md")
      ("out", po::value<std::string>()->value_name("FILE"), "output file (default: standard output)");
  // clang-format on
  add_scope_options(c.synopsis, "all");
  c.synopsis.details = "The columns are listed in docs/archive.md.\n";
  return c;
}

}  // namespace agon::command
