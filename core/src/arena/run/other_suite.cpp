#include "run/other_suite.hpp"

#include <fmt/format.h>

#include "text/counted.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace agon {

std::string describe_other_suite(const RunArchive& archive, const std::string& path) {
  if (!archive.other()) return {};
  const OtherSuite& other = *archive.other();
  const Suite& suite = archive.suite();
  std::string what = "another version of this suite";
  if (other.number == 0)
    what = "an older version of Agon, which did not note the suites that asked for its matches";
  else if (other.row.digest == archive::digest_of_plays())
    what = "matches played by hand";
  else if (other.row.name != suite.name)
    what = "suite '" + text::printable(other.row.name) + "'";
  else if (other.row.seed != suite.seed)
    what = fmt::format("this suite under seed {}, not {}", other.row.seed, suite.seed);
  const std::uint64_t fresh = suite.matches() - archive.finished_before();
  const std::string which = other.number == 0 ? "--all" : "--suite " + std::to_string(other.number);
  return fmt::format(
      "{} was last run with {}: of {} there, {} shared with this suite, {} not asked for any more; "
      "{} new. Nothing is lost, and reports keep them apart: agon report {} {}\n",
      text::printable(path), what,
      text::counted(other.matches, "finished match", "finished matches"),
      text::counted(other.shared, "is", "are"),
      text::counted(other.matches - other.shared, "is", "are"), text::counted(fresh, "is", "are"),
      text::shell_word(path), which);
}

}  // namespace agon
