#include "remote/batch.hpp"

#include <utility>

#include "record/outcome_codec.hpp"

namespace agon::remote {
namespace {

using record::Bytes;
using record::put_number;
using record::put_real;
using record::put_text;

/// A match has few; each of no bytes would still take some here.
constexpr std::size_t kMostShapes = 1000;

void put_texts(std::string& out, const std::vector<std::string>& texts) {
  put_number(out, texts.size());
  for (const std::string& text : texts) put_text(out, text);
}

/// Reads what was put; throws Damaged where it is something else.
class Reader {
 public:
  struct Damaged {};
  explicit Reader(std::string_view bytes) : in_(bytes) {}

  [[nodiscard]] bool at_end() const { return in_.empty(); }
  std::uint64_t number(std::uint64_t most = ~std::uint64_t{0}) {
    std::uint64_t n = 0;
    if (!in_.number(n) || n > most) throw Damaged{};
    return n;
  }
  /// Of things that follow, each of which takes a byte or more.
  std::size_t count() { return static_cast<std::size_t>(number(in_.left())); }
  double real() {
    double value = 0;
    if (!in_.real(value)) throw Damaged{};
    return value;
  }
  std::string text() {
    std::string_view text;
    if (!in_.text(text)) throw Damaged{};
    return std::string(text);
  }
  std::vector<std::string> texts(std::size_t most) {
    std::vector<std::string> texts(number(most));
    for (std::string& one : texts) one = text();
    return texts;
  }
  void outcome(Outcome& outcome) {
    if (!record::decode(in_, outcome)) throw Damaged{};
  }

 private:
  Bytes in_;
};

void read_result(Reader& in, MatchResult& result) {
  result.end = in.number(1) == 0 ? End::finished : End::game_fault;
  result.problem = in.text();
  result.record = in.text();
  if (result.end == End::finished && result.record.empty()) in.outcome(result.outcome);
  result.carried = in.texts(kMaxSeats);
  result.faults.resize(in.number(kMaxSeats));
  for (auto& seat : result.faults)
    for (std::uint32_t& times : seat) times = static_cast<std::uint32_t>(in.number(~0U));
  result.forced.resize(in.number(kMaxSeats));
  for (std::uint32_t& times : result.forced) times = static_cast<std::uint32_t>(in.number(~0U));
  result.waiting_ms.resize(result.faults.size());
  result.questions = in.number();
}

}  // namespace

std::string write_matches(const std::vector<BatchMatch>& matches) {
  std::string out;
  put_number(out, matches.size());
  for (const BatchMatch& match : matches) {
    put_number(out, match.table);
    put_number(out, match.stream_key);
    put_number(out, match.turn);
    put_number(out, match.seats.size());
    for (const BatchMatch::Seat& seat : match.seats) {
      put_number(out, seat.agent);
      put_number(out, seat.dice_key);
    }
  }
  return out;
}

std::optional<std::vector<BatchMatch>> read_matches(std::string_view bytes) {
  Reader in(bytes);
  try {
    std::vector<BatchMatch> matches(in.count());
    for (BatchMatch& match : matches) {
      match.table = in.number();
      match.stream_key = in.number();
      match.turn = in.number();
      match.seats.resize(in.number(kMaxSeats));
      for (BatchMatch::Seat& seat : match.seats) {
        seat.agent = in.number();
        seat.dice_key = in.number();
      }
    }
    return matches;
  } catch (const Reader::Damaged&) {
    return std::nullopt;
  }
}

void write_result(std::string& out, const BatchResult& match) {
  const MatchResult& result = match.result;
  put_number(out, result.end == End::finished ? 0 : 1);
  put_text(out, result.problem);
  put_text(out, result.record);
  if (result.end == End::finished && result.record.empty()) record::encode(out, result.outcome);
  put_texts(out, result.carried);
  put_number(out, result.faults.size());
  for (const auto& seat : result.faults)
    for (const std::uint32_t times : seat) put_number(out, times);
  put_number(out, result.forced.size());
  for (const std::uint32_t times : result.forced) put_number(out, times);
  put_number(out, result.questions);
  put_texts(out, match.shapes);
  put_real(out, match.wall_ms);
}

bool read_results(std::string_view bytes, const std::function<void(BatchResult&&)>& each) {
  Reader in(bytes);
  while (!in.at_end()) {
    BatchResult one;
    try {
      read_result(in, one.result);
      one.shapes = in.texts(kMostShapes);
      one.wall_ms = in.real();
    } catch (const Reader::Damaged&) {
      return false;
    }
    each(std::move(one));
  }
  return true;
}

}  // namespace agon::remote
