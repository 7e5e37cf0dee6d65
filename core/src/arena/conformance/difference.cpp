#include "conformance/difference.hpp"

#include "record/transcript.hpp"

namespace agon::conformance {
namespace {

/// An entry as one line of a transcript.
std::vector<std::string> lines_of(const MatchResult& result) {
  const record::History history = record::read(result.record);
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return result.shapes->notation(digest); });
  record::TranscriptOptions options;
  for (int i = 0; i < static_cast<int>(kMaxSeats); ++i)
    options.seat_names.push_back("seat " + std::to_string(i));
  std::vector<std::string> lines;
  for (const record::Entry& entry : history.entries)
    lines.push_back(record::entry_line(entry, recorded, options));
  return lines;
}

}  // namespace

std::string first_difference(const MatchResult& a, const MatchResult& b) {
  if (a.record == b.record) return {};
  const std::vector<std::string> one = lines_of(a), other = lines_of(b);
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
    const std::string x = i < one.size() ? one[i] : "the end";
    const std::string y = i < other.size() ? other[i] : "the end";
    if (x != y) return "first '" + x + "', then '" + y + "'";
  }
  return "in what no transcript shows";
}

}  // namespace agon::conformance
