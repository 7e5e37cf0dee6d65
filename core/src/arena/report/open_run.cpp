#include "report/open_run.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <vector>

#include "json/parse.hpp"
#include "text/counted.hpp"
#include "text/shell.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

std::string what_happened(const archive::RunRow& run) {
  if (!run.outcome) return "has not ended, or was killed";
  if (*run.outcome == "interrupted") return "was interrupted";
  if (*run.outcome == "moved") return "was stopped, as its archive was moved or removed";
  if (*run.outcome == "budget") return "reached a cap";
  if (*run.outcome == "out-of-money") return "ran out of money";
  if (*run.outcome == "configuration") return "was stopped by a wrong key, endpoint or model";
  return "left matches unfinished";
}

/// As it was typed, with the archive's name where that followed from the suite's.
std::string resume(const archive::RunRow& run, const std::string& path) {
  std::vector<std::string> words;
  const bj::value command = json::parse(run.command, "command");
  if (const bj::array* list = command.if_array())
    for (const bj::value& word : *list)
      if (word.is_string()) words.emplace_back(word.get_string());
  if (std::none_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "--out" || word.starts_with("--out=");
      }))
    words.insert(words.end(), {"--out", path});
  return text::shell_line(words);
}

}  // namespace

std::optional<StopState> last_stop(const archive::Archive& archive) {
  const auto runs = archive.runs();
  if (runs.empty()) return std::nullopt;
  try {
    const bj::value manifest = json::parse(runs.back().manifest, "manifest");
    const bj::value* stop =
        manifest.is_object() ? manifest.get_object().if_contains("stop") : nullptr;
    std::optional<StopState> state;
    if (stop != nullptr) state = read_stop_state(*stop);
    // Looks are written down when a run ends: what stands there until then is its beginning.
    if (state && !runs.back().outcome) {
      state->verdict =
          "not known how far it came: the run has not ended, or was killed before it wrote that "
          "down; the same command works it out again";
      state->looks.reset();
      state->agents.clear();
    }
    return state;
  } catch (const Error&) {
    return std::nullopt;  // not written by this version
  }
}

OpenRun open_run(const archive::Archive& archive, const std::string& path, std::string_view game) {
  const auto runs = archive.runs();
  // Of plays that older versions stored there may be no run.
  if (runs.empty() && archive.finished() > 0) return {};
  if (runs.empty())
    return {"no run has begun in this archive: what made it was stopped before that",
            "Give the same command again"};
  const archive::RunRow& run = runs.back();
  if (run.outcome && *run.outcome == "done") return {};
  try {
    const bj::value manifest = json::parse(run.manifest, "manifest");
    const bj::value* planned =
        manifest.is_object() ? manifest.get_object().if_contains("matches") : nullptr;
    const bj::value* plan =
        manifest.is_object() ? manifest.get_object().if_contains("plan") : nullptr;
    if (planned == nullptr || !planned->is_number() || plan == nullptr || !plan->is_array())
      return {};
    const auto wanted = planned->to_number<std::int64_t>();
    // Killed after its last match: nothing is missing.
    if (!run.outcome && runs.size() == 1 && archive.finished() >= wanted) return {};
    const auto plays = [&](const bj::value& scenario) {
      const bj::value* name =
          scenario.is_object() ? scenario.get_object().if_contains("game") : nullptr;
      return name != nullptr && name->is_string() && std::string_view(name->get_string()) == game;
    };
    if (!game.empty() && std::none_of(plan->get_array().begin(), plan->get_array().end(), plays))
      return {};
    return {"the last run, of " + text::counted(wanted, "match", "matches") + ", " +
                what_happened(run) + "; the archive has " +
                text::counted(archive.finished(), "finished match", "finished matches"),
            (run.outcome == "budget" ? "With a higher cap, take it up again with: "
                                     : "Take it up again with: ") +
                resume(run, path)};
  } catch (const Error&) {
    return {};  // not written by this version: there is nothing to say
  }
}

}  // namespace agon::report
