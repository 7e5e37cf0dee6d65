#include "archive/matches/result_columns.hpp"

#include <agon/outcome.hpp>
#include <agon/table.hpp>
#include <algorithm>
#include <bit>
#include <cmath>

#include "json/write.hpp"
#include "record/codec.hpp"

namespace agon::archive {
namespace {

using record::Bytes;
using record::put_number;
using record::put_real;
using record::put_signed;
using record::put_text;

// The form of the bytes that follow.
constexpr std::uint64_t kForm = 1;

// How a column is written. Most hold one value, or small whole numbers.
enum class ColumnKind : std::uint8_t { same, whole, whole_or_none, any };

constexpr double kMostWhole = 4'503'599'627'370'496.0;  // 2^52

bool is_whole(double value) {
  return std::abs(value) <= kMostWhole && value == std::trunc(value) &&
         !(value == 0 && std::signbit(value));
}

bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::uint64_t folded(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U);
}

void put_column(std::string& out, const std::vector<std::int64_t>& values) {
  const bool same = std::all_of(values.begin(), values.end(),
                                [&](std::int64_t value) { return value == values.front(); });
  out += static_cast<char>(same ? ColumnKind::same : ColumnKind::whole);
  if (same) return put_signed(out, values.empty() ? 0 : values.front());
  for (const std::int64_t value : values) put_number(out, folded(value));
}

void put_column(std::string& out, const std::vector<double>& values) {
  bool same = true, whole = true, none = false;
  for (const double value : values) {
    same = same && is_same(value, values.front());
    none = none || std::isnan(value);
    whole = whole && (std::isnan(value) || is_whole(value));
  }
  const ColumnKind column = same     ? ColumnKind::same
                            : !whole ? ColumnKind::any
                            : none   ? ColumnKind::whole_or_none
                                     : ColumnKind::whole;
  out += static_cast<char>(column);
  if (same) return put_real(out, values.empty() ? 0 : values.front());
  for (const double value : values) {
    if (column == ColumnKind::any)
      put_real(out, value);
    else if (column == ColumnKind::whole)
      put_number(out, folded(static_cast<std::int64_t>(value)));
    else
      put_number(out, std::isnan(value) ? 0 : folded(static_cast<std::int64_t>(value)) + 1);
  }
}

bool read_column(Bytes& in, std::size_t size, std::int64_t least, std::int64_t most,
                 std::vector<std::int64_t>& out) {
  std::uint8_t column = 0;
  std::int64_t value = 0;
  if (!in.byte(column) || column > static_cast<std::uint8_t>(ColumnKind::whole)) return false;
  const auto read = [&] { return in.signed_number(value) && value >= least && value <= most; };
  if (column == static_cast<std::uint8_t>(ColumnKind::same)) {
    if (size > 0 && !read()) return false;
    out.assign(size, value);
    return true;
  }
  out.resize(size);
  for (std::int64_t& place : out) {
    if (!read()) return false;
    place = value;
  }
  return true;
}

bool read_column(Bytes& in, std::size_t size, std::vector<double>& out) {
  std::uint8_t byte = 0;
  if (!in.byte(byte) || byte > static_cast<std::uint8_t>(ColumnKind::any)) return false;
  const auto column = static_cast<ColumnKind>(byte);
  double value = 0;
  if (column == ColumnKind::same) {
    if (size > 0 && (!in.real(value) || std::isinf(value))) return false;
    out.assign(size, value);
    return true;
  }
  out.resize(size);
  for (double& place : out) {
    if (column == ColumnKind::any) {
      if (!in.real(value) || std::isinf(value)) return false;
    } else if (column == ColumnKind::whole) {
      std::int64_t whole = 0;
      if (!in.signed_number(whole)) return false;
      value = static_cast<double>(whole);
    } else {
      std::uint64_t n = 0;
      if (!in.number(n)) return false;
      const std::uint64_t unfolded = (n - 1) >> 1U ^ (0 - ((n - 1) & 1U));
      value = n == 0 ? std::numeric_limits<double>::quiet_NaN()
                     : static_cast<double>(static_cast<std::int64_t>(unfolded));
    }
    place = value;
  }
  return true;
}

// A count that takes at least so many bytes for each, so that it cannot ask for more memory than
// there are bytes.
bool read_count(Bytes& in, std::size_t most, std::size_t& out) {
  std::uint64_t n = 0;
  if (!in.number(n) || n > most) return false;
  out = static_cast<std::size_t>(n);
  return true;
}

bool read_string(Bytes& in, std::string& out) {
  std::string_view text;
  if (!in.text(text)) return false;
  out = text;
  return true;
}

bool read_seated(Bytes& in, std::size_t seats, ResultColumns::SeatAssignment& seated) {
  std::uint8_t has_focal = 0;
  std::int64_t focal = 0;
  if (!read_string(in, seated.line_up) || !in.signed_number(seated.assignment) ||
      !in.byte(has_focal) || has_focal > 1 || (has_focal == 1 && !in.signed_number(focal)))
    return false;
  if (has_focal == 1) seated.focal = focal;
  for (std::int64_t& agent : seated.agents = std::vector<std::int64_t>(seats))
    if (!in.signed_number(agent)) return false;
  return true;
}

bool read_head(Bytes& in, ResultColumns& out) {
  std::uint64_t form = 0, faults = 0;
  std::size_t seats = 0, seated = 0, cluster = 0;
  if (!in.number(form) || form != kForm || !in.signed_number(out.created) || out.created < 0 ||
      out.created > kLastTime || !read_count(in, kMaxSeats, seats))
    return false;
  out.seats.resize(seats);
  for (auto& [name, role] : out.seats)
    if (!read_string(in, name) || !read_string(in, role)) return false;
  if (!read_count(in, kMostInColumns, seated)) return false;
  for (std::size_t i = 0; i < seated; ++i)
    if (!read_seated(in, seats, out.seated.emplace_back())) return false;
  if (!read_count(in, kMaxMetrics, out.match_metrics) ||
      !read_count(in, kMaxMetrics, out.seat_metrics) ||
      !read_count(in, out.match_metrics, cluster) || !read_count(in, kMostInColumns, out.matches))
    return false;
  if (cluster > 0) out.cluster = cluster - 1;
  // Their classes are those of this format.
  return in.number(faults) && faults == kFaults && out.matches > 0 && seated > 0;
}

}  // namespace

std::string cluster_text(double metric) {
  std::string text;
  if (std::isfinite(metric)) json::append_number(text, static_cast<std::int64_t>(metric));
  return text;
}

void ResultColumns::make_columns() {
  integers.resize(of_match + seats.size() * kOfSeat);
  numbers.resize(match_metrics + seats.size() * (kScores + seat_metrics));
}

void ResultColumns::read(std::size_t match, MatchRow& row, bool with_seats) const {
  const SeatAssignment& where = seated_of(match);
  row.key.scenario = scenario;
  row.key.block = integers[block][match];
  row.key.repeat = integers[repeat][match];
  row.key.position = 0;
  row.key.line_up = where.line_up;
  row.key.assignment = where.assignment;
  row.focal = where.focal;
  row.status = MatchStatus::finished;
  row.fault.reset();
  row.questions = integers[questions][match];
  row.wall_ms = static_cast<double>(integers[microseconds][match]) / 1000;
  row.waiting_ms = 0;
  row.created = created;
  row.record.clear();
  row.metrics.clear();
  for (std::size_t i = 0; i < match_metrics; ++i) row.metrics.push_back(numbers[i][match]);
  row.cluster = cluster ? cluster_text(row.metrics[*cluster]) : std::string();
  row.seats.resize(with_seats ? seats.size() : 0);
  for (std::size_t s = 0; s < row.seats.size(); ++s) {
    SeatRow& seat = row.seats[s];
    seat.name = seats[s].first;
    seat.role = seats[s].second;
    seat.agent = where.agents[s];
    const auto* whole = &integers[of_match + s * kOfSeat];
    seat.rank = static_cast<int>(whole[0][match]);
    seat.fallbacks = whole[1][match];
    for (std::size_t f = 0; f < kFaults; ++f) seat.attempts[f] = whole[2 + f][match];
    const auto* got = &numbers[match_metrics + s * (kScores + seat_metrics)];
    seat.payoff = got[0][match];
    seat.disagreement = got[1][match];
    seat.ideal = got[2][match];
    seat.metrics.clear();
    for (std::size_t i = 0; i < seat_metrics; ++i) seat.metrics.push_back(got[kScores + i][match]);
    seat.input_tokens = seat.output_tokens = seat.cached_tokens = seat.reasoning_tokens =
        seat.cost = 0;
    seat.calls = seat.unpriced = 0;
    seat.waiting_ms = 0;
  }
}

ResultColumns ResultColumns::some(const std::vector<std::size_t>& wanted) const {
  ResultColumns out;
  out.scenario = scenario;
  out.created = created;
  out.seats = seats;
  out.seated = seated;
  out.cluster = cluster;
  out.match_metrics = match_metrics;
  out.seat_metrics = seat_metrics;
  out.matches = wanted.size();
  const auto gather = [&](const auto& from, auto& to) {
    for (const auto& column : from) {
      auto& values = to.emplace_back();
      values.reserve(wanted.size());
      for (const std::size_t match : wanted) values.push_back(column[match]);
    }
  };
  gather(integers, out.integers);
  gather(numbers, out.numbers);
  return out;
}

std::string ResultColumns::encode() const {
  std::string out;
  put_number(out, kForm);
  put_signed(out, created);
  put_number(out, seats.size());
  for (const auto& [name, role] : seats) {
    put_text(out, name);
    put_text(out, role);
  }
  put_number(out, seated.size());
  for (const SeatAssignment& one : seated) {
    put_text(out, one.line_up);
    put_signed(out, one.assignment);
    out += static_cast<char>(one.focal ? 1 : 0);
    if (one.focal) put_signed(out, *one.focal);
    for (const std::int64_t agent : one.agents) put_signed(out, agent);
  }
  put_number(out, match_metrics);
  put_number(out, seat_metrics);
  put_number(out, cluster ? *cluster + 1 : 0);
  put_number(out, matches);
  put_number(out, kFaults);
  for (const auto& column : integers) put_column(out, column);
  for (const auto& column : numbers) put_column(out, column);
  return out;
}

std::optional<BlockRange> ResultColumns::blocks(std::string_view bytes) {
  Bytes in(bytes);
  ResultColumns head;
  std::vector<std::int64_t> blocks;
  if (!read_head(in, head) || !read_column(in, head.matches, 0, kMostBlock, blocks))
    return std::nullopt;
  const auto [least, most] = std::minmax_element(blocks.begin(), blocks.end());
  return BlockRange{*least, *most};
}

std::optional<ResultColumns> ResultColumns::decode(std::string_view bytes) {
  Bytes in(bytes);
  ResultColumns out;
  if (!read_head(in, out)) return std::nullopt;
  out.make_columns();
  for (std::size_t i = 0; i < out.integers.size(); ++i) {
    const std::int64_t most = i == block || i == repeat ? kMostBlock
                              : i == seated_as ? static_cast<std::int64_t>(out.seated.size()) - 1
                              : i >= of_match && (i - of_match) % kOfSeat == 0
                                  ? static_cast<std::int64_t>(kMaxSeats)
                                  : kMostCount;
    if (!read_column(in, out.matches, 0, most, out.integers[i])) return std::nullopt;
  }
  for (auto& column : out.numbers)
    if (!read_column(in, out.matches, column)) return std::nullopt;
  if (!in.empty()) return std::nullopt;
  return out;
}

}  // namespace agon::archive
