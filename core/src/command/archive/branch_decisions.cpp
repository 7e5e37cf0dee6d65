#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <filesystem>

#include "archive/decisions.hpp"
#include "branch/decisions.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "text/words.hpp"

namespace agon::command {

namespace bj = boost::json;
namespace po = boost::program_options;

void add_decision_options(Synopsis& synopsis) {
  // clang-format off
  synopsis.options.add_options()
      ("decisions", "value each answer against its alternatives, continued by --reference at all seats")
      ("reference", po::value<std::string>()->value_name("AGENT"), "with --decisions: the rule agent that plays on")
      ("others", "with --decisions: at the other seats their own agents play on, where they are rule agents")
      ("alternatives", po::value<std::string>()->value_name("N"), "with --decisions: all legal answers if there are at most N, else N drawn ones (default: 12)");
  // clang-format on
  synopsis.rules.push_back(
      {"decisions",
       {"reference"},
       {"at", "all-points", "every", "sample", "answer", "without", "persona"}});
  synopsis.rules.push_back({"reference", {"decisions"}});
  synopsis.rules.push_back({"alternatives", {"decisions"}});
  synopsis.rules.push_back({"others", {"decisions"}});
}

int value_decisions(Invocation& call) {
  const std::string path = call.argument("ARCHIVE"), out = call.text("out");
  if (out.empty())
    throw Error(ErrorKind::usage, "--decisions requires --out", "", "add --out FILE");
  if (std::filesystem::exists(out))
    throw Error(ErrorKind::usage, "there is a file already", out,
                "name another file, or remove this one");
  constexpr std::int64_t kMostAlternatives = 10'000, kMostRepeats = 100'000;
  branch::DecisionRequest request{
      .reference = call.text("reference"),
      .alternatives =
          static_cast<std::size_t>(call.number("alternatives", 12, 1, kMostAlternatives)),
      // Half of them choose, and the other half are to have an interval.
      .repeats = static_cast<std::uint64_t>(call.number("repeats", 24, 20, kMostRepeats)),
      .others = call.has("others"),
      .seat = call.text("seat"),
      .threads = static_cast<std::size_t>(call.number("jobs", 0, 0, kMostJobs))};
  const archive::Archive archive = archive::Archive::open(path);
  if (const std::string match = call.argument("MATCH"); !match.empty() && match != "all")
    request.matches = {archive.matches().find(match)};
  Progress progress(request.matches.empty() ? static_cast<std::size_t>(archive.matches().count())
                                            : request.matches.size(),
                    call.quiet() || call.json());
  const branch::ValuedDecisions valued =
      branch::value_decisions(archive, call.catalogue(), request,
                              [&](std::size_t done, std::size_t) { progress.show(done, 0, 0); });
  progress.clear();
  if (valued.matches == 0)
    throw Error(ErrorKind::failure, "no match has a record to go on from", path,
                "play without --no-records");
  archive::copy_with_decisions(path, out, valued.rows);
  if (call.json()) {
    print_json(bj::object{{"out", out},
                          {"matches", valued.matches},
                          {"unrecorded", valued.unrecorded},
                          {"decisions", valued.decisions},
                          {"answers", valued.rows.size()},
                          {"continuations", valued.continuations}});
    return 0;
  }
  print_line(fmt::format("{}: {} of {} valued by {}", out,
                         text::counted(valued.decisions, "decision"),
                         text::counted(valued.matches, "match", "matches"),
                         text::counted(valued.continuations, "continuation")));
  print_line("agon report " + text::shell_word(out) + " --section blunders");
  return 0;
}

}  // namespace agon::command
