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
  std::vector<std::string> game;  ///< its name or file, then the options that it is found by
};

Error wrong(const std::string& what) {
  return {ErrorKind::usage, what, "",
          "write: agon check-agent [--game GAME] [--json] [--seconds N] [--environment NAME]... "
          "COMMAND..."};
}

std::chrono::seconds seconds_of(const std::string& text) {
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || seconds < 1 || seconds > 86400)
    throw wrong("--seconds must be a whole number from 1 to 86400");
  return std::chrono::seconds(seconds);
}

Request parse(std::span<const std::string> arguments) {
  Request request;
  std::string game;
  std::vector<std::string> of_game;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("--"); ++i) {
    const std::string& word = arguments[i];
    const auto value = [&](const char* what) -> const std::string& {
      if (i + 1 >= arguments.size() || arguments[i + 1].empty())
        throw wrong(word + " needs " + what);
      return arguments[++i];
    };
    if (word == "--") {
      ++i;
      break;
    }
    if (word == "--json") {
      request.json = true;
    } else if (word == "--game") {
      if (!game.empty()) throw wrong("--game was given more than once");
      game = value("the name or the file of a game");
    } else if (word == "--plugin") {
      of_game.insert(of_game.end(), {word, value("a file")});
    } else if (word == "--trust") {
      of_game.push_back(word);
    } else if (word == "--environment") {
      request.program.variables.push_back(value("the name of a variable"));
    } else if (word == "--seconds") {
      request.program.start = request.program.answer = request.program.ping = request.program.quit =
          seconds_of(i + 1 < arguments.size() ? arguments[++i] : std::string());
    } else {
      throw wrong("check-agent has no option '" + word + "'");
    }
  }
  request.program.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i),
                                 arguments.end());
  if (request.program.command.empty()) throw wrong("check-agent needs a command");
  if (game.empty()) {
    if (!of_game.empty()) throw wrong(of_game.front() + " is for the game, which --game names");
    return request;
  }
  request.game.push_back(std::move(game));
  request.game.insert(request.game.end(), of_game.begin(), of_game.end());
  return request;
}

/// What to tell the author of an agent that plays one game alone.
std::string text_of_stages(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " point asks" : " points ask") +
         " questions of stages that no game has, so that answers of every form are tried. An agent "
         "that knows the stages of one game is checked with these: agon check-agent --game GAME "
         "COMMAND...\n";
}

std::string as_json(const Verdict& verdict, std::size_t number) {
  std::string out =
      "{\"number\":" + std::to_string(number) + ",\"check\":" + write_json(verdict.what) +
      ",\"ok\":" + (verdict.ok ? "true" : "false") + ",\"said\":" + write_json(verdict.said);
  if (const auto& stage = verdict.stage)
    out += ",\"preset\":" + write_json(stage->preset) + ",\"stage\":" + write_json(stage->stage) +
           ",\"questions\":" + std::to_string(stage->questions) +
           ",\"legal_at_once\":" + std::to_string(stage->legal_at_once) +
           ",\"failed\":" + std::to_string(stage->failed) +
           ",\"refusal\":" + (stage->refusal.empty() ? "null" : write_json(stage->refusal));
  return out + "}";
}

std::string as_json(const Request& request, const Report& report, bool passed) {
  std::string out = std::string("{\"passed\":") + (passed ? "true" : "false") + ",\"checks\":[";
  for (std::size_t i = 0; i < report.list.size(); ++i)
    out += (i == 0 ? "\n" : ",\n") + as_json(report.list[i], i + 1);
  out += "\n]";
  if (!request.game.empty())
    out += ",\"game\":" + write_json(request.game.front()) +
           ",\"not_tried\":" + write_json(report.not_tried);
  return out + "}\n";
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

std::string as_text(const Request& request, const Report& report, std::size_t failed) {
  const std::vector<Verdict>& list = report.list;
  std::string out;
  std::map<std::string, std::size_t> told;  // faults, by the first point that had them
  std::size_t of_shapes = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    out += std::string(number.size() < 2 ? 1 : 0, ' ') + number +
           (list[i].ok ? "  ok      " : "  FAILED  ") + list[i].what + ": ";
    of_shapes += !list[i].ok && list[i].asks_stage && request.game.empty() ? 1 : 0;
    const auto [first, is_new] = told.emplace(list[i].said, i + 1);
    if (list[i].ok || is_new)
      out += indented(list[i].said) + "\n";
    else
      out += "the same as point " + std::to_string(first->second) + "\n";
  }
  if (of_shapes > 0) out += text_of_stages(of_shapes);
  for (const std::string& stage : report.not_tried)
    out += "not tried: '" + stage + "', which no preset asked in these matches\n";
  out += failed == 0 ? "all " + std::to_string(list.size()) + " points are kept\n"
                     : std::to_string(failed) + " of " + std::to_string(list.size()) +
                           " points are not kept; see docs/external-agents.md\n";
  return out;
}

}  // namespace

int check_agent_command(std::span<const std::string> arguments, const CommandServices& services) {
  const Request request = parse(arguments);
  const Report report = request.game.empty()
                            ? Report{check_agent(request.program), {}}
                            : check_in_game(request.program, request.game, services);
  const auto failed = static_cast<std::size_t>(std::count_if(
      report.list.begin(), report.list.end(), [](const Verdict& v) { return !v.ok; }));
  const std::string out =
      request.json ? as_json(request, report, failed == 0) : as_text(request, report, failed);
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::failure, "cannot write the list to standard output");
  return failed == 0 ? 0 : 1;
}

}  // namespace agon::external
