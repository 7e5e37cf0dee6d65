#include "command/outcome.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <new>
#include <system_error>

#include "command/command.hpp"
#include "costs/forecast.hpp"
#include "json/write.hpp"
#include "process/children.hpp"
#include "suite/models.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

int tell(const Error& error, bool json) {
  const Error bare(error.kind(), error.problem(), error.where());
  text::say("agon: error: {}\n", as_one_message(bare.what()));
  if (!error.hint().empty()) text::say("hint: {}\n", as_one_message(error.hint()));
  const int code = static_cast<int>(error.kind());
  if (!json) return code;
  try {
    print_line(json::write_pretty(boost::json::object{
        {"error", boost::json::object{{"problem", text::printable(error.problem())},
                                      {"where", text::printable(error.where())},
                                      {"hint", text::printable(error.hint())},
                                      {"exit_code", code}}}}));
    flush();
  } catch (const Error&) {
    return code;  // standard output takes nothing; the words above are told
  }
  return code;
}

int tell_unforeseen(const std::exception& error, bool json) {
  return tell(Error(ErrorKind::failure, fmt::format("internal error: {}", error.what()), "",
                    "please report it"),
              json);
}

}  // namespace

int tell_failure(const std::exception_ptr& failure, bool json) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return tell(error, json);
  } catch (const std::bad_alloc&) {
    return tell(Error(ErrorKind::failure, "out of memory"), json);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again)
      return tell_unforeseen(error, json);
    return tell(no_thread("no further thread"), json);
  } catch (const std::exception& error) {
    return tell_unforeseen(error, json);
  }
}

int interruptible(Invocation& call, const std::function<int(const Interrupt& interrupt)>& work) {
  constexpr int kInterrupted = 130;
  const Interrupt interrupt(call.host() != nullptr ? call.host()->stop : nullptr);
  call.stop_at(interrupt.asked());
  try {
    return work(interrupt);
  } catch (const Error&) {
    if (interrupt.flags().begun || !interrupt.asked()) throw;
  }
  if (const std::string resume = call.to_resume(); !resume.empty())
    text::say("stopped before anything was played; begin again with: {}\n", resume);
  if (call.json())
    print_line(json::write_pretty(boost::json::value(boost::json::object{{"interrupted", true}})));
  return kInterrupted;
}

std::string describe_unasked(const UnaskedStage& one) {
  return fmt::format("{}: its answers for the stage '{}' were never asked for in {}\n",
                     text::printable(one.agent), text::printable(one.stage), one.game);
}

std::string first_fallback(const RunSummary::Fallbacks& one) {
  std::string lines = text::printable(one.first, text::Breaks::keep);
  while (lines.ends_with('\n')) lines.pop_back();
  for (std::size_t i = lines.find('\n'); i != std::string::npos; i = lines.find('\n', i + 1))
    lines.insert(i + 1, "    ");
  return lines;
}

std::string describe_run(const RunSummary& s, const std::string& archive) {
  const auto matches = [](std::uint64_t n) { return text::counted(n, "match", "matches"); };
  std::string text = fmt::format("{} of {}", s.before + s.played, matches(s.total));
  if (s.before > 0) text += fmt::format(" ({} from before)", s.before);
  text += fmt::format(", {:.1f} s", s.seconds);
  if (!archive.empty()) text += ", in " + archive;
  text += "\n";
  if (s.stop)
    text += text::printable(s.stop->words) + ": " + text::printable(s.stop->verdict) + "\n";
  for (const RunSummary::Fallbacks& one : s.fallbacks) {
    text += fmt::format("{}: {} in {} ({}) because no answer of the agent could be played\n",
                        text::printable(one.agent), text::counted(one.answers, "fallback answer"),
                        one.game, matches(one.matches));
    if (!one.first.empty()) text += "  the first: " + first_fallback(one) + "\n";
  }
  for (const UnaskedStage& one : s.unasked) text += describe_unasked(one);
  if (s.game_faults > 0) text += matches(s.game_faults) + " ended because the game broke\n";
  if (s.set_aside > 0)
    text +=
        text::counted(s.set_aside, "of these was", "of these were") +
        " set aside, as it took the run down twice; --retry-quarantined plays such matches again\n";
  if (s.unfinished > 0) text += matches(s.unfinished) + " could not be finished\n";
  if (s.calls.calls > 0) {
    text +=
        text::counted(s.calls.calls, "model call") + ", " + text::counted(s.calls.tokens, "token");
    if (s.calls.unpriced > 0)
      text += ", cost unknown: " +
              text::counted(s.calls.unpriced, "call has no price", "calls have no price");
    else if (s.calls.tokens > 0)  // else none was answered, and none had to be paid
      text += fmt::format(", {:.4f} USD", static_cast<double>(s.calls.cost) / 1e9);
    text += "\n";
  }
  for (const drift::ModelDrift& row : s.drift) text += text::printable(drift::describe(row)) + "\n";
  if (s.halt != Halt::no) text += "stopped: " + text::printable(s.halt_reason) + "\n";
  if (!s.first_trouble.empty()) text += "the first: " + text::printable(s.first_trouble) + "\n";
  return text;
}

std::string who_met(const std::vector<std::string>& agents) {
  std::string who = agents.empty() ? std::string() : text::shorten(text::printable(agents[0]), 60);
  if (agents.size() > 1) who += fmt::format(" and {} more", agents.size() - 1);
  return who;
}

std::int64_t longest_prompt(const Suite& dry, const Catalogue& catalogue) {
  std::int64_t longest = 0;
  for (const AgentForecast& row : forecast(dry, catalogue, PriceList(), 1, nullptr).rows)
    longest = std::max(longest, row.longest_prompt);
  return longest;
}

void check_before_run(const Suite& suite, const std::atomic<bool>& stop, std::int64_t longest) {
  const Preflight found = preflight(suite, longest, &stop);
  if (stop) throw Error(ErrorKind::failure, "stopped while the agents were looked at");
  std::string first;
  for (const Preflight::FindingRow& row : found.rows) {
    if (row.finding.level == Finding::Level::ok) continue;
    const bool error = row.finding.level == Finding::Level::error;
    const std::string line = text::printable(row.finding.what) +
                             (row.finding.hint.empty() ? "" : "; ") +
                             text::printable(row.finding.hint) + " (" + who_met(row.agents) + ")";
    text::say("{}: {}\n", error ? "error" : "warning", line);
    if (error && first.empty()) first = row.finding.what;
  }
  if (!found.fine())
    throw Error(ErrorKind::preflight, "preflight failed: " + first, suite.file,
                "'agon doctor SUITE' lists all problems; --no-preflight skips this check");
}

int exit_code(const RunSummary& s, const std::string& resume, const std::string& next) {
  const auto tell_resume = [&](std::string_view what) {
    if (!resume.empty()) text::say("{} with: {}\n", what, resume);
  };
  if (!s.rescued.empty()) {
    text::say(
        "the archive or its log was moved, removed, replaced or overwritten while the run wrote "
        "it; all that it held was saved in {}\n",
        text::printable(s.rescued));
    tell_resume("take it up again");
    return static_cast<int>(ErrorKind::failure);
  }
  if (s.halt == Halt::budget)
    tell_resume("with a higher cap, take it up again");
  else if (s.halt != Halt::no)
    tell_resume("once that is mended, take it up again");
  if (s.halt != Halt::no)
    return static_cast<int>(s.halt == Halt::configuration ? ErrorKind::preflight
                                                          : ErrorKind::budget);
  if (s.interrupted || s.unfinished > 0) {
    tell_resume("take it up again");
    return s.interrupted ? 130 : static_cast<int>(ErrorKind::unfinished);
  }
  if (s.game_faults > 0) {
    if (!resume.empty())
      text::say(
          "a broken match is not played again before the game or its plugin has another "
          "version; 'agon report' tells what broke\n");
    return static_cast<int>(ErrorKind::unfinished);
  }
  if (!next.empty()) text::say("next: {}\n", next);
  return 0;
}

}  // namespace agon::command
