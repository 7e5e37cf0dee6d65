#include "vector_environment.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <limits>

namespace agon {

VectorEnvironment::VectorEnvironment(const OpenGame& game, const EnvironmentOptions& options, int n,
                                     const agon_vec_buffers& buffers)
    : game_(game),
      options_(options),
      stages_(game.game(), static_cast<std::size_t>(options.entries)),
      agents_(game, options.agents),
      out_(buffers) {
  if (n < 1 || n > kMost)
    throw Error(ErrorKind::invalid,
                "a vector has 1 to " + std::to_string(kMost) + " tables, not " + std::to_string(n));
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
  Table& table = tables_[i];
  for (int tries = 0; tries < kMostWithoutQuestion; ++tries) {
    table.environment->reset(seed_, table.block);
    table.fallbacks = 0;
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
      open.answer.form = OutsideAnswer::Form::drawn;
    else
      open.answer = {OutsideAnswer::Form::places, places + i * stages_.places()};
    if (out_.over != nullptr) out_.over[i] = 0;
    environment.step();
    note_fallback(i);
    if (environment.is_over()) end(i);
    show(i);
  }
}

void VectorEnvironment::note_fallback(std::size_t i) {
  if (out_.fallback == nullptr) return;
  Table& table = tables_[i];
  std::uint32_t all = 0;
  for (int seat = 0; seat < game_.seats(); ++seat)
    if (table.environment->is_outside(seat)) all += table.environment->fallbacks(seat);
  out_.fallback[i] = all > table.fallbacks ? 1 : 0;
  table.fallbacks = all;
}

void VectorEnvironment::end(std::size_t i) {
  Table& table = tables_[i];
  const Outcome& outcome = table.environment->outcome();
  const auto seats = static_cast<std::size_t>(game_.seats());
  for (std::size_t s = 0; s < seats; ++s) {
    const SeatOutcome& own = outcome[static_cast<int>(s)];
    if (out_.payoff != nullptr) out_.payoff[i * seats + s] = own.score;
    if (out_.normalized != nullptr) out_.normalized[i * seats + s] = normalized(own);
  }
  if (out_.over != nullptr) out_.over[i] = 1;
  table.block += tables_.size();
  begin(i);
}

void VectorEnvironment::show(std::size_t i) {
  const Environment::Open& open = tables_[i].environment->open().front();
  Question& question = *open.question;
  const FlatStages::Stage& stage = stages_.all()[static_cast<std::size_t>(open.stage)];
  if (out_.seat != nullptr) out_.seat[i] = question.seat();
  if (out_.stage != nullptr) out_.stage[i] = open.stage;
  if (out_.view != nullptr) {
    double* const row = out_.view + i * stages_.view_width();
    const std::size_t width = stage.view ? stage.view->width() : 0;
    if (stage.view && question.view() != nullptr)
      stage.view->write(question.view(), tables_[i].environment->names(), row);
    std::fill(row + width, row + stages_.view_width(), 0.0);
  }
  if (out_.low != nullptr) {
    const std::size_t at = i * stages_.places();
    stage.answer.bounds(question.limits(), out_.low + at, out_.high + at, out_.mask + at);
    for (std::size_t k = stage.answer.width(); k < stages_.places(); ++k)
      out_.low[at + k] = out_.high[at + k] = 0, out_.mask[at + k] = 0;
  }
}

}  // namespace agon
