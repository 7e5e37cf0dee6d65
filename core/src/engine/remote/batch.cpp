#include "remote/batch.hpp"

#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "json/parse.hpp"
#include "record/codec.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "remote/channel.hpp"
#include "remote/message.hpp"
#include "table/contract.hpp"
#include "table/match_state.hpp"

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
class BatchReader {
 public:
  struct Damaged {};
  explicit BatchReader(std::string_view bytes) : in_(bytes) {}

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

void read_result(BatchReader& in, MatchResult& result) {
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
    for (const BatchMatch::BatchSeat& seat : match.seats) {
      put_number(out, seat.agent);
      put_number(out, seat.dice_key);
    }
  }
  return out;
}

std::optional<std::vector<BatchMatch>> read_matches(std::string_view bytes) {
  BatchReader in(bytes);
  try {
    std::vector<BatchMatch> matches(in.count());
    for (BatchMatch& match : matches) {
      match.table = in.number();
      match.stream_key = in.number();
      match.turn = in.number();
      match.seats.resize(in.number(kMaxSeats));
      for (BatchMatch::BatchSeat& seat : match.seats) {
        seat.agent = in.number();
        seat.dice_key = in.number();
      }
    }
    return matches;
  } catch (const BatchReader::Damaged&) {
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
  BatchReader in(bytes);
  while (!in.at_end()) {
    BatchResult one;
    try {
      read_result(in, one.result);
      one.shapes = in.texts(kMostShapes);
      one.wall_ms = in.real();
    } catch (const BatchReader::Damaged&) {
      return false;
    }
    each(std::move(one));
  }
  return true;
}

namespace {

constexpr std::chrono::milliseconds kFarewell{100};

/// A process that computes is not silent, even if a crowded machine gives it only one part in so
/// many of a processor.
constexpr int kShare = 10;
/// What a worker is sent again when there is more: treatments and agents of a long suite.
constexpr std::size_t kMostKnown = 256;
/// Shapes that are on no card.
constexpr std::size_t kMostTypes = 1000;
/// What a byte of the record and a question are in messages, at most, with rare exceptions.
constexpr std::size_t kSaidByByte = 64, kSaidByQuestion = 1024;

using Seconds = std::chrono::duration<double>;

/// The type of that notation among what every game draws and what this one asks and says.
const Type* find_type(const Game& game, const std::string& notation) {
  for (const Type* type : {&type_of<std::int64_t>(), &type_of<double>()})
    if (record::shape_of(*type) == notation) return type;
  for (const StageCard& stage : game.stages)
    if (record::shape_of(*stage.answer) == notation) return stage.answer;
  for (const EventCard& event : game.events)
    if (record::shape_of(*event.type) == notation) return event.type;
  return nullptr;
}

}  // namespace

BatchPlayer::BatchPlayer(const RemotePlugin& plugin, const std::vector<std::string>& files)
    : plugin_(plugin), files_(files) {}

BatchPlayer::~BatchPlayer() = default;

void BatchPlayer::start() {
  process_.reset();
  tables_.clear();
  agents_.clear();
  process_ = plugin_.start(files_);
  process_->send(std::string(kHello) + '\n');
  std::string hello;
  if (process_->read(hello, Process::Clock::now() + as_time(plugin_.launch().limits.silence),
                     kFarewell) != Process::Got::line)
    throw BatchFailure{};
  // Another one is told question by question, where the game is charged with it.
  if (hello != plugin_.hello()) throw BatchFailure{};
  if (!lock_problem(plugin_.launch(), *process_).empty()) throw BatchFailure{};
  process_->forget_complaints();
}

std::uint64_t BatchPlayer::number_of_table(const WholeMatch& match, std::string& message) {
  const MatchSetup& setup = *match.setup;
  const auto [at, is_new] = tables_.try_emplace(
      {setup.settings, setup.reasks * 2 + (setup.record ? 1 : 0)}, tables_.size());
  if (!is_new) return at->second;
  JsonWriter out;
  out.open_object().name("type").text("table").name("number").number(at->second);
  out.name("game").text(setup.game->id).name("settings").json(*match.settings);
  out.name("names").open_list();
  for (const SeatCard& seat : setup.cards) out.text(seat.name);
  out.close_list().name("reasks").number(setup.reasks).name("record").truth(setup.record);
  message += out.close_object().take() + '\n';
  return at->second;
}

std::uint64_t BatchPlayer::number_of_agent(const WholeMatch& match, std::size_t seat,
                                           std::string& message) {
  const auto [at, is_new] = agents_.try_emplace(match.setup->seats[seat].agent, agents_.size());
  if (!is_new) return at->second;
  JsonWriter out;
  out.open_object().name("type").text("agent").name("number").number(at->second);
  out.name("game").text(match.setup->game->id).name("spec").json(*match.agents[seat]);
  message += out.close_object().take() + '\n';
  return at->second;
}

void BatchPlayer::send(std::span<const WholeMatch> matches) {
  std::string message;
  if (tables_.size() + agents_.size() > kMostKnown) {
    tables_.clear();
    agents_.clear();
    message = "{\"type\":\"forget\"}\n";
  }
  std::vector<BatchMatch> batch;
  batch.reserve(matches.size());
  for (const WholeMatch& match : matches) {
    BatchMatch& one = batch.emplace_back();
    one.table = number_of_table(match, message);
    one.stream_key = match.setup->stream_key;
    one.turn = match.setup->turn;
    for (std::size_t seat = 0; seat < match.setup->seats.size(); ++seat)
      one.seats.push_back(
          {number_of_agent(match, seat, message), match.setup->seats[seat].dice_key});
  }
  const std::string bytes = write_matches(batch);
  message += "{\"type\":\"batch\",\"bytes\":" + std::to_string(bytes.size()) + "}\n";
  process_->send(message);
  process_->send(bytes);
}

bool BatchPlayer::receive(const std::function<void(BatchResult&&)>& each,
                          const std::function<bool()>& stop) {
  const ProcessLimits& limits = plugin_.launch().limits;
  const auto before = process_->processor_time();
  const auto begun = Process::Clock::now();
  // Nothing is said during a match, however long it is: it is silent when it does not compute.
  const auto halt = [&] {
    const Seconds used = std::max<Seconds>(process_->processor_time() - before, Seconds(0));
    const bool is_too_much =
        used > Seconds(limits.processor) ||
        Process::Clock::now() - begun > Seconds(limits.silence) + kShare * used ||
        process_->complained() > static_cast<std::uint64_t>(limits.output) << 20U;
    // It would cost the next batch as much again.
    given_up_ = given_up_ || is_too_much;
    return is_too_much || (stop && stop());
  };
  const auto until = begun + as_time(limits.silence + kShare * limits.processor);
  std::string line;
  if (process_->read(line, until, kFarewell, halt) != Process::Got::line) throw BatchFailure{};
  if (line == R"({"type":"batch-over"})") return false;
  const std::string_view front = R"({"type":"played","bytes":)";
  std::size_t size = 0;
  const auto digits = std::string_view(line).substr(std::min(front.size(), line.size()));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  const auto most = static_cast<std::size_t>(limits.output) << 20;
  if (!line.starts_with(front) || error != std::errc() || std::string_view(end) != "}" ||
      size == 0 || size > most + kLargestRecord)
    throw BatchFailure{};
  std::string bytes;
  if (process_->read_bytes(bytes, size, until, kFarewell, halt) != Process::Got::line)
    throw BatchFailure{};
  if (!read_results(bytes, each)) throw BatchFailure{};
  return true;
}

void BatchPlayer::learn_shape(const MatchSetup& setup, const std::string& notation) {
  const Type* type = find_type(*setup.game, notation);
  if (type == nullptr) {
    auto known = types_.find(notation);
    if (known == types_.end()) {
      std::optional<OwnedType> read = record::read_shape(notation);
      if (!read || types_.size() >= kMostTypes) throw BatchFailure{};
      known = types_.emplace(notation, *std::move(read)).first;
    }
    type = &known->second.get();
  }
  if (setup.shapes != nullptr) setup.shapes->digest(*type);
}

bool BatchPlayer::may_be_too_much(const BatchResult& one) const {
  const ProcessLimits& limits = plugin_.launch().limits;
  // It has one thread, so that it used no more of the processor than that.
  return one.wall_ms > limits.processor * 1000 ||
         one.result.questions > static_cast<std::uint64_t>(limits.questions) ||
         one.result.record.size() * kSaidByByte + one.result.questions * kSaidByQuestion >
             static_cast<std::size_t>(limits.output) << 20;
}

bool BatchPlayer::are_possible(const MatchSetup& setup, const MatchResult& result) {
  const std::uint64_t questions = result.questions;
  const std::uint64_t attempts = questions * static_cast<std::uint64_t>(setup.reasks + 1);
  for (const auto& seat : result.faults)
    for (const std::uint32_t times : seat)
      if (times > attempts) return false;
  return std::all_of(result.forced.begin(), result.forced.end(),
                     [&](std::uint32_t times) { return times <= questions; });
}

bool BatchPlayer::can_be_carried(const MatchResult& result) {
  return std::all_of(result.carried.begin(), result.carried.end(), [](const std::string& json) {
    return json.empty() || (json.size() <= kLongestText && json::is_value(json));
  });
}

Outcome BatchPlayer::outcome_of(const MatchSetup& setup, const std::string& record) {
  record::CardNames& names = names_.try_emplace(setup.game, *setup.game).first->second;
  try {
    return record::check(record, static_cast<int>(setup.seats.size()), names, setup.shapes.get());
  } catch (const Error&) {
    throw BatchFailure{};
  }
}

bool BatchPlayer::check(const MatchSetup& setup, BatchResult& one) {
  MatchResult& result = one.result;
  const std::size_t seats = setup.seats.size();
  if (!(one.wall_ms >= 0) || result.faults.size() != seats || result.forced.size() != seats ||
      result.carried.size() != seats || !are_possible(setup, result) || !can_be_carried(result))
    throw BatchFailure{};
  // Also of a match that is played again: the process says each shape once.
  for (const std::string& notation : one.shapes) learn_shape(setup, notation);
  const GameCard& card = setup.game->card;
  if (result.end == End::finished) {
    if (setup.record) result.outcome = outcome_of(setup, result.record);
    result.outcome.declare_metrics(card.seat_metrics, card.match_metrics);
    if (static_cast<std::size_t>(result.outcome.seats()) != seats ||
        !problem_of_outcome(card, result.outcome).empty())
      throw BatchFailure{};
  }
  if (result.end != End::finished || may_be_too_much(one)) return false;
  result.shapes = setup.shapes;
  return true;
}

std::vector<std::size_t> BatchPlayer::play(
    std::span<const WholeMatch> matches,
    const std::function<void(std::size_t, BatchResult&&)>& played,
    const std::function<bool()>& stop) {
  std::vector<std::size_t> rest;
  std::size_t done = 0;
  const auto take = [&](BatchResult&& result) {
    if (done == matches.size()) throw BatchFailure{};
    if (check(*matches[done].setup, result))
      played(done, std::move(result));
    else
      rest.push_back(done);
    ++done;
    came_ = true;
  };
  try {
    if (given_up_) throw BatchFailure{};
    if (process_ == nullptr) start();
    send(matches);
    while (receive(take, stop)) {
    }
    if (plugin_.launch().overhear) {
      (void)process_->peek();
      plugin_.launch().overhear(process_->complaints());
      process_->forget_complaints();
    }
    if (done != matches.size()) throw BatchFailure{};
  } catch (const BatchFailure&) {
    process_.reset();
    given_up_ = given_up_ || !came_;
  } catch (const MachineFault&) {
    // One by one there may be room for them, or they are left for later.
    process_.reset();
  } catch (...) {
    process_.reset();
    throw;
  }
  while (done < matches.size()) rest.push_back(done++);
  return rest;
}

}  // namespace agon::remote
