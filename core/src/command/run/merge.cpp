#include "run/merge/merge.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <vector>

#include "command/command.hpp"
#include "command/output.hpp"
#include "report/report.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {

namespace bj = boost::json;
namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

bj::array numbers_of(const std::vector<std::uint64_t>& shards) {
  return bj::array(shards.begin(), shards.end());
}

bj::object merge_json(const MergeSummary& s, const std::string& out) {
  return {{"suite", s.suite},
          {"archive", out},
          {"archives", s.archives},
          {"shards", s.shards},
          {"missing", numbers_of(s.missing)},
          {"unfinished", numbers_of(s.unfinished)},
          {"matches", s.matches},
          {"total", s.total},
          {"repeated", s.repeated},
          {"partial", s.partials},
          {"calls", s.calls},
          {"calls_left_out", s.calls_left_out},
          {"cost_left_out_usd", static_cast<double>(s.cost_left_out) / 1e9}};
}

std::string describe_merge(const MergeSummary& s, const std::string& out) {
  std::string text = fmt::format("{} of {}: {} of {}, in {}\n",
                                 text::counted(s.archives, "archive"), text::printable(s.suite),
                                 s.matches, text::counted(s.total, "match", "matches"), out);
  const auto tell = [&](std::uint64_t count, std::string_view one, std::string_view many,
                        std::string_view what) {
    if (count > 0) text += fmt::format("{} {}\n", text::counted(count, one, many), what);
  };
  tell(s.repeated, "match", "matches", "that several archives had alike, taken once");
  tell(s.missing.size(), "shard", "shards", fmt::format("of {} missing", s.shards));
  tell(s.unfinished.size(), "shard", "shards", fmt::format("of {} unfinished", s.shards));
  if (s.calls_left_out > 0)
    text += fmt::format("{} for matches that another archive has, {:.4f} USD: left out\n",
                        text::counted(s.calls_left_out, "model call"),
                        static_cast<double>(s.cost_left_out) / 1e9);
  return text;
}

void tell_merge(Invocation& call, const MergeSummary& summary, const std::string& out) {
  if (call.json())
    print_json(merge_json(summary, out));
  else
    text::say("{}", describe_merge(summary, out));
  if (!call.has("report")) return;
  report::ReportRequest choice;
  choice.rates = report::rates_of(call.catalogue());
  // Who looks before all is played, and again, needs intervals that hold whenever one looks.
  choice.anytime = !summary.is_complete();
  print(report::text_of(out, choice, colours()));
  flush();
}

/// What changes where an archive is written: sizes and times of its file and of its log.
using FileStamps = std::vector<std::tuple<std::uintmax_t, fs::file_time_type>>;

FileStamps stamps_of(const std::vector<std::string>& files) {
  FileStamps stamps;
  for (const std::string& file : files)
    for (const char* side : {"", "-wal"}) {
      std::error_code none;
      const auto size = fs::file_size(file + side, none);
      const auto time = fs::last_write_time(file + side, none);
      stamps.emplace_back(size, time);
    }
  return stamps;
}

int watch_shards(Invocation& call, const Interrupt& interrupt, MergeOptions options) {
  using namespace std::chrono_literals;
  const std::vector<std::string> files = call.arguments("SHARD");
  const std::string out = call.argument("OUT");
  const std::chrono::seconds every(call.number("every", 10, 1, 86'400));
  options.partial = options.replace = options.skip_absent = true;
  std::optional<FileStamps> last;
  for (;;) {
    if (FileStamps now = stamps_of(files); last != now) {
      last = std::move(now);
      try {
        const MergeSummary summary = merge(files, out, options);
        if (summary.archives > 0) tell_merge(call, summary, out);
        if (summary.is_complete()) return 0;
      } catch (const Error& error) {
        // An archive that is being made, or a full disk, may be fine when it is looked at again.
        if (error.kind() != ErrorKind::failure || interrupt.asked()) throw;
        last.reset();
        text::say("not merged: {}\n", text::printable(std::string(error.what())));
      }
    }
    const auto until = std::chrono::steady_clock::now() + every;
    while (std::chrono::steady_clock::now() < until) {
      if (interrupt.asked()) return kInterrupted;
      std::this_thread::sleep_for(50ms);
    }
  }
}

int merge_shards(Invocation& call, const Interrupt& interrupt) {
  MergeOptions options;
  options.stop = &interrupt.asked();
  options.partial = call.has("partial");
  interrupt.begin();  // from now on it stops by itself, and leaves nothing behind
  try {
    if (call.has("watch")) return watch_shards(call, interrupt, options);
    const std::string out = call.argument("OUT");
    tell_merge(call, merge(call.arguments("SHARD"), out, options), out);
    return 0;
  } catch (const Error&) {
    if (!interrupt.asked()) throw;
    text::say("stopped: nothing was merged\n");
    if (call.json()) print_json(bj::object{{"interrupted", true}});
    return kInterrupted;
  }
}

int merge_command_line(Invocation& call) {
  return interruptible(call,
                       [&](const Interrupt& interrupt) { return merge_shards(call, interrupt); });
}

}  // namespace

Command merge_command() {
  Command c{{"merge",
             "merge the archives of the shards of a suite",
             "",
             {{"OUT", "the merged archive", true, "FILE"},
              {"SHARD", "archive of 'agon run --shard I/N'", true, "ARCHIVE", true}}},
            &merge_command_line};
  // clang-format off
  c.synopsis.options.add_options()
      ("partial", "merge what is there, although shards are missing or unfinished")
      ("report", "print the report; with anytime-valid intervals while shards are missing")
      ("watch", "merge what is there, and again when it changes, until all shards are done")
      ("every", po::value<std::string>()->value_name("SECONDS"), "with --watch: look so often whether something changed (default: 10)");
  // clang-format on
  c.synopsis.rules = {{"every", {"watch"}}, {"report", {}, {"json"}}, {"watch", {}, {"partial"}}};
  c.synopsis.details =
      "Takes archives in any order. A match that several have is taken once; if they have\n"
      "it with different results, merge names it and writes nothing. A report and an\n"
      "export of OUT are those of a run of the whole suite.\n"
      "Exit codes: 0 merged, 5 archives of different suites, versions or splits, 6 shards\n"
      "are missing or unfinished, 130 interrupted.\n";
  return c;
}

}  // namespace agon::command
