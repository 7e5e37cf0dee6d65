#include "vector_environment.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <limits>

#include "table/contract.hpp"

namespace agon {

VectorEnvironment::VectorEnvironment(const OpenGame& game, const EnvironmentOptions& options, int n,
                                     const agon_vec_buffers& buffers)
    : game_(game),
      options_(options),
      stages_(game.game(), game.entries(options.entries)),
      agents_(game, options.agents),
      out_(buffers) {
  if (n < 1 || n > kMost)
    throw Error(ErrorKind::invalid,
                "a vector has 1 to " + std::to_string(kMost) + " tables, not " + std::to_string(n));
  if ((out_.low == nullptr) != (out_.high == nullptr) ||
      (out_.low == nullptr) != (out_.mask == nullptr))
    throw Error(ErrorKind::usage, "of low, high and mask some are there and some are null", "",
                "give all three buffers or none");
  options_.events = options_.record = false;
  for (int i = 0; i < n; ++i)
    tables_.push_back({std::make_unique<Environment>(game_, stages_, agents_, options_,
                                                     Environment::Asks::one_by_one)});
}

void VectorEnvironment::reset(std::uint64_t seed) {
  seed_ = seed;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].block = i;
    begin(i);
    if (out_.over != nullptr) out_.over[i] = 0;
    if (out_.fallback != nullptr) out_.fallback[i] = 0;
    show(i);
  }
}

void VectorEnvironment::begin(std::size_t i) {
  // A match may ask nobody outside at all.
  constexpr int kMostWithoutQuestion = 1000;
  EnvironmentState& table = tables_[i];
  for (int tries = 0; tries < kMostWithoutQuestion; ++tries) {
    table.environment->reset(seed_, table.block);
    if (!table.environment->is_over()) return;
    (void)table.environment->outcome();
    table.block += tables_.size();
  }
  throw Error(ErrorKind::invalid, "no match asks a seat that is played from outside",
              std::string(game_.game().id), "choose other seats in \"agents\"");
}

void VectorEnvironment::step(const double* places) {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    Environment& environment = *tables_[i].environment;
    Environment::Open& open = environment.open().front();
    if (places == nullptr)
      open.answer.form = OutsideAnswer::ReplyForm::drawn;
    else
      open.answer = {OutsideAnswer::ReplyForm::places, places + i * stages_.places()};
    if (out_.over != nullptr) out_.over[i] = 0;
    const int seat = open.question->seat();
    environment.step();
    if (out_.fallback != nullptr)
      out_.fallback[i] = environment.fallbacks(seat) > tables_[i].fallbacks ? 1 : 0;
    if (environment.is_over()) end(i);
    show(i);
  }
}

void VectorEnvironment::end(std::size_t i) {
  EnvironmentState& table = tables_[i];
  const Outcome& outcome = table.environment->outcome();
  const auto seats = static_cast<std::size_t>(game_.seats());
  const auto write = [&](double* buffer, double (*of)(const SeatOutcome&)) {
    if (buffer == nullptr) return;
    double* const to = row(buffer, i * seats, seats, scratch_);
    for (std::size_t s = 0; s < seats; ++s) to[s] = of(outcome[static_cast<int>(s)]);
    put(buffer, i * seats, scratch_);
  };
  write(out_.payoff, [](const SeatOutcome& own) { return static_cast<double>(own.score); });
  write(out_.normalized, [](const SeatOutcome& own) { return normalized(own); });
  if (out_.over != nullptr) out_.over[i] = 1;
  table.block += tables_.size();
  begin(i);
}

double* VectorEnvironment::row(double* buffer, std::size_t at, std::size_t width,
                               std::vector<double>& scratch) const {
  if (!options_.float32) return buffer + at;
  scratch.assign(width, 0.0);
  return scratch.data();
}

void VectorEnvironment::put(double* buffer, std::size_t at, std::span<const double> scratch) const {
  if (!options_.float32) return;
  auto* const floats = static_cast<float*>(static_cast<void*>(buffer));
  std::ranges::transform(scratch, floats + at,
                         [](double value) { return static_cast<float>(value); });
}

void VectorEnvironment::show(std::size_t i) {
  EnvironmentState& table = tables_[i];
  const Environment::Open& open = table.environment->open().front();
  Question& question = *open.question;
  const FlatStages::FlatStage& stage = stages_.all()[static_cast<std::size_t>(open.stage)];
  // Behind a narrower stage there are zeros already where it was the last one too.
  const bool is_another = table.stage != open.stage;
  table.stage = open.stage;
  if (out_.seat != nullptr) out_.seat[i] = question.seat();
  if (out_.stage != nullptr) out_.stage[i] = open.stage;
  if (out_.fallback != nullptr) table.fallbacks = table.environment->fallbacks(question.seat());
  if (out_.view != nullptr) {
    const std::size_t at = i * stages_.view_width(), width = stages_.view_width();
    double* const to = row(out_.view, at, width, scratch_);
    const bool is_seen = stage.view && question.view() != nullptr;
    if (is_seen) stage.view->write(question.view(), table.environment->names(), to);
    if (is_another || !is_seen)
      std::fill(to + (is_seen ? stage.view->width() : 0), to + width, 0.0);
    put(out_.view, at, scratch_);
  }
  if (out_.low != nullptr) {
    const std::size_t at = i * stages_.places(), width = stage.answer.width();
    double* const low = row(out_.low, at, stages_.places(), scratch_);
    double* const high = row(out_.high, at, stages_.places(), high_);
    stage.answer.bounds(question.limits(), low, high, out_.mask + at);
    if (is_another) {
      std::fill_n(low + width, stages_.places() - width, 0.0);
      std::fill_n(high + width, stages_.places() - width, 0.0);
      std::fill_n(out_.mask + at + width, stages_.places() - width, std::uint64_t{0});
    }
    put(out_.low, at, scratch_);
    put(out_.high, at, high_);
  }
}

}  // namespace agon
