#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

#include "external/check.hpp"

namespace agon::external {
namespace {

struct Request {
  bool json = false;
  Program program;
};

Request parse(std::span<const std::string> arguments) {
  const char* const usage =
      "write: agon check-agent [--json] [--seconds N] [--environment NAME]... COMMAND...";
  Request request;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("--"); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      ++i;
      break;
    }
    if (word == "--json") {
      request.json = true;
    } else if (word == "--environment") {
      if (i + 1 >= arguments.size() || arguments[i + 1].empty())
        throw Error(ErrorKind::usage, "--environment needs the name of a variable", "", usage);
      request.program.variables.push_back(arguments[++i]);
    } else if (word == "--seconds") {
      int seconds = 0;
      const std::string text = i + 1 < arguments.size() ? arguments[++i] : std::string();
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
      if (error != std::errc{} || end != text.data() + text.size() || seconds < 1 ||
          seconds > 86400)
        throw Error(ErrorKind::usage, "--seconds must be a whole number from 1 to 86400", "",
                    usage);
      const std::chrono::seconds limit(seconds);
      request.program.start = request.program.answer = request.program.ping = request.program.quit =
          limit;
    } else {
      throw Error(ErrorKind::usage, "check-agent has no option '" + word + "'", "", usage);
    }
  }
  request.program.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i),
                                 arguments.end());
  if (request.program.command.empty())
    throw Error(ErrorKind::usage, "check-agent needs a command", "", usage);
  return request;
}

/// What to tell the author of an agent that plays one game alone.
std::string text_of_stages(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " point asks" : " points ask") +
         " questions of stages that no game has, so that answers of every form are tried. An agent "
         "that knows the stages of one game fails them unless it answers all others by their "
         "schema; in Python: return question.draw()\n";
}

std::string as_json(const std::vector<Verdict>& list, bool passed) {
  std::string out = std::string("{\"passed\":") + (passed ? "true" : "false") + ",\"checks\":[";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i == 0 ? "\n" : ",\n") + ("{\"number\":" + std::to_string(i + 1)) +
           ",\"check\":" + write_json(list[i].what) + ",\"ok\":" + (list[i].ok ? "true" : "false") +
           ",\"said\":" + write_json(list[i].said) + "}";
  return out + "\n]}\n";
}

/// Over as many lines as it has, the further ones set in.
std::string indented(std::string_view text) {
  std::string out;
  for (const char c : printable(text, true)) {
    out += c;
    if (c == '\n') out += "              ";
  }
  return out;
}

std::string as_text(const std::vector<Verdict>& list, std::size_t failed) {
  std::string out;
  std::map<std::string, std::size_t> told;  // faults, by the first point that had them
  std::size_t of_shapes = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    out += std::string(number.size() < 2 ? 1 : 0, ' ') + number +
           (list[i].ok ? "  ok      " : "  FAILED  ") + list[i].what + ": ";
    of_shapes += !list[i].ok && list[i].asks_stage ? 1 : 0;
    const auto [first, is_new] = told.emplace(list[i].said, i + 1);
    if (list[i].ok || is_new)
      out += indented(list[i].said) + "\n";
    else
      out += "the same as point " + std::to_string(first->second) + "\n";
  }
  if (of_shapes > 0) out += text_of_stages(of_shapes);
  out += failed == 0 ? "all " + std::to_string(list.size()) + " points are kept\n"
                     : std::to_string(failed) + " of " + std::to_string(list.size()) +
                           " points are not kept; see docs/external-agents.md\n";
  return out;
}

}  // namespace

int check_agent_command(std::span<const std::string> arguments) {
  const Request request = parse(arguments);
  const std::vector<Verdict> list = check_agent(request.program);
  const auto failed = static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [](const Verdict& v) { return !v.ok; }));
  const std::string out = request.json ? as_json(list, failed == 0) : as_text(list, failed);
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::failure, "cannot write the list to standard output");
  return failed == 0 ? 0 : 1;
}

}  // namespace agon::external
