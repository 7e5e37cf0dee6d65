#include "report/report.hpp"

#include <fmt/format.h>

#include "command/command.hpp"

namespace agon::command {
namespace {

namespace po = boost::program_options;

int report(Invocation& call) {
  report::Choice choice;
  choice.against = call.text("against");
  choice.policy = call.text("policy");
  if (call.has("full")) choice.detail = report::Detail::full;
  if (call.json())
    print_line(report::json_of(call.argument("ARCHIVE"), choice));
  else
    print(report::text_of(call.argument("ARCHIVE"), choice, colours()));
  return 0;
}

}  // namespace

Command report_command() {
  Command c{{"report",
             "leaderboard, intervals and metrics of an archive",
             "",
             {{"ARCHIVE", "made by 'agon run'"}}},
            &report};
  // clang-format off
  c.synopsis.options.add_options()
      ("full", "every metric of every game too, strengths, TrueSkill and pairs")
      ("against", po::value<std::string>()->value_name("AGENT"), "the reference agent; default: the suite's")
      ("policy", po::value<std::string>()->value_name("NAME"), "forced answers: as-played, forfeit or exclude; default: the suite's");
  // clang-format on
  return c;
}

}  // namespace agon::command
