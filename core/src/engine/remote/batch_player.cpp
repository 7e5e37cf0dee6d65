#include "remote/batch_player.hpp"

#include <agon/describe.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "record/shape.hpp"
#include "table/contract.hpp"

namespace agon::remote {
namespace {

constexpr std::chrono::milliseconds kFarewell{100};

Process::Clock::time_point after(double seconds) {
  return Process::Clock::now() + std::chrono::duration_cast<Process::Clock::duration>(
                                     std::chrono::duration<double>(seconds));
}

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
  process_->send("{\"type\":\"hello\",\"protocol\":1}\n");
  std::string hello;
  if (process_->read(hello, after(plugin_.launch().limits.silence), kFarewell) !=
      Process::Got::line)
    throw Broken{};
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

std::string BatchPlayer::read_line(const std::function<bool()>& stop) {
  std::string line;
  if (process_->read(line, after(plugin_.launch().limits.silence), kFarewell, stop) !=
      Process::Got::line)
    throw Broken{};
  return line;
}

bool BatchPlayer::receive(const std::function<void(BatchResult)>& each,
                          const std::function<bool()>& stop) {
  const auto before = process_->processor_time();
  const auto most_time = std::chrono::duration<double>(plugin_.launch().limits.processor);
  // A game that never comes to an end is found before its silence is over.
  const auto halt = [&] {
    return (stop && stop()) || process_->processor_time() - before > most_time;
  };
  const std::string line = read_line(halt);
  if (line == R"({"type":"batch-over"})") return false;
  const std::string_view front = R"({"type":"played","bytes":)";
  std::size_t size = 0;
  const auto digits = std::string_view(line).substr(std::min(front.size(), line.size()));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  const auto most = static_cast<std::size_t>(plugin_.launch().limits.output) << 20;
  if (!line.starts_with(front) || error != std::errc() || std::string_view(end) != "}" ||
      size == 0 || size > most + kLargestRecord)
    throw Broken{};
  std::string bytes;
  if (process_->read_bytes(bytes, size, after(plugin_.launch().limits.silence), kFarewell, halt) !=
      Process::Got::line)
    throw Broken{};
  if (!read_results(bytes, each)) throw Broken{};
  return true;
}

void BatchPlayer::learn_shape(const MatchSetup& setup, const std::string& notation) {
  const Type* type = find_type(*setup.game, notation);
  if (type == nullptr) {
    auto known = types_.find(notation);
    if (known == types_.end()) {
      std::optional<OwnedType> read = record::read_shape(notation);
      if (!read) throw Broken{};
      known = types_.emplace(notation, *std::move(read)).first;
    }
    type = &known->second.get();
  }
  if (setup.shapes != nullptr) setup.shapes->digest(*type);
}

void BatchPlayer::check(const MatchSetup& setup, BatchResult& one) {
  MatchResult& result = one.result;
  const ProcessLimits& limits = plugin_.launch().limits;
  const std::size_t seats = setup.seats.size();
  // It has one thread, so that it used no more of the processor than that.
  if (one.wall_ms > limits.processor * 1000 ||
      result.questions > static_cast<std::uint64_t>(limits.questions) ||
      result.record.size() > static_cast<std::size_t>(limits.output) << 20)
    throw Broken{};
  // Who breaks a rule is named where the match is played again, question by question.
  if (result.faults.size() != seats || result.forced.size() != seats ||
      result.carried.size() != seats)
    throw Broken{};
  const GameCard& card = setup.game->card;
  if (result.end == End::finished) {
    result.outcome.declare_metrics(card.seat_metrics, card.match_metrics);
    if (static_cast<std::size_t>(result.outcome.seats()) != seats ||
        !problem_of_outcome(card, result.outcome).empty())
      throw Broken{};
  }
  for (const std::string& notation : one.shapes) learn_shape(setup, notation);
  result.shapes = setup.shapes;
}

std::size_t BatchPlayer::play(std::span<const WholeMatch> matches,
                              const std::function<void(std::size_t, BatchResult)>& played,
                              const std::function<bool()>& stop) {
  std::size_t done = 0;
  try {
    if (process_ == nullptr) start();
    send(matches);
    const auto take = [&](BatchResult result) {
      if (done == matches.size()) throw Broken{};
      check(*matches[done].setup, result);
      played(done++, std::move(result));
    };
    while (receive(take, stop)) {
    }
    if (done != matches.size()) throw Broken{};
  } catch (const Broken&) {
    process_.reset();
  } catch (...) {
    process_.reset();
    throw;
  }
  return done;
}

}  // namespace agon::remote
