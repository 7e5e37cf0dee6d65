#include "command/run_outcome.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>

#include "text/utf8.hpp"

namespace agon::command {

std::string describe_run(const RunSummary& s, const std::string& archive) {
  const auto matches = [](std::uint64_t n) {
    return fmt::format("{} {}", n, n == 1 ? "match" : "matches");
  };
  std::string text = fmt::format("{} of {}", s.before + s.played, matches(s.total));
  if (s.before > 0) text += fmt::format(" ({} from before)", s.before);
  text += fmt::format(", {:.1f} s", s.seconds);
  if (!archive.empty()) text += ", in " + archive;
  text += "\n";
  if (s.game_faults > 0) text += matches(s.game_faults) + " ended because the game broke\n";
  if (s.unfinished > 0) text += matches(s.unfinished) + " could not be finished\n";
  if (!s.first_trouble.empty()) text += "the first: " + text::printable(s.first_trouble) + "\n";
  return text;
}

int exit_code(const RunSummary& s, const std::string& resume, const std::string& next) {
  if (s.interrupted || s.unfinished > 0) {
    fmt::print(stderr, "take it up again with: {}\n", resume);
    return s.interrupted ? 130 : static_cast<int>(ErrorKind::unfinished);
  }
  if (s.game_faults > 0) return static_cast<int>(ErrorKind::unfinished);
  if (!next.empty()) fmt::print(stderr, "next: {}\n", next);
  return 0;
}

}  // namespace agon::command
