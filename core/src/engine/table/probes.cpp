#include "table/probes.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "json/write.hpp"
#include "remote/card_json.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// How far probabilities of a distribution may add up to less or more than 1, as thirds do.
constexpr double kRounding = 0.01;

Field member(std::string_view name, std::string_view doc, const Type& type) {
  Field field;
  field.name = name;
  field.doc = doc;
  field.type = &type;
  return field;
}

Field bounded(Field field, double min, double max, std::string_view unit = {}) {
  field.min = min;
  field.max = max;
  field.unit = unit;
  return field;
}

OwnedType type_for(const ProbeForm& form) {
  TypeBuilder types;
  std::vector<Field> fields;
  std::string statement;
  if (form.choice) {
    fields.push_back(member("choice", "your choice", types.text()));
  } else if (form.probability) {
    // Pages have the statement over the entry, and the rest below it.
    statement = *form.probability + "; how likely, from 0 (no) to 1 (yes)";
    fields.push_back(bounded(member("probability", statement, types.number()), 0, 1));
  } else if (form.distribution) {
    fields.push_back(bounded(
        member("probabilities", "of each; they add up to 1", types.map(types.number())), 0, 1));
  } else if (form.number) {
    fields.push_back(bounded(member("number", "your estimate", types.number()), form.number->min,
                             form.number->max, form.number->unit));
  } else if (form.interval) {
    const auto end = [&](std::string_view name, std::string_view doc) {
      return bounded(member(name, doc, types.number()), form.interval->min, form.interval->max,
                     form.interval->unit);
    };
    fields = {end("low", "lower end"), end("high", "upper end, not below the lower one")};
  } else {
    fields.push_back(member("text", "your words", types.text()));
    fields.back().min_length = 1;
    fields.back().max_length = static_cast<std::size_t>(form.text.value_or(1000));
  }
  const Type& type = types.structure("Probe", std::move(fields));
  return std::move(types).take(type);
}

}  // namespace

Probes::Probes(const Game& game, std::vector<ProbeEntry> entries) : entries_(std::move(entries)) {
  ready_.reserve(entries_.size());
  for (const ProbeEntry& entry : entries_) {
    Ready& made = ready_.emplace_back(Ready{entry, type_for(entry.answer), {}});
    made.card.name = made.said.name;
    made.card.doc = made.said.ask;
    made.card.answer = &made.type.get();
    made.card.probe = true;
    made.card.purpose = Purpose::other;
    made.after_event =
        std::any_of(game.events.begin(), game.events.end(),
                    [&](const EventCard& event) { return event.name == entry.after; });
  }
}

bool Probes::has(const StageCard* card) const {
  return std::any_of(ready_.begin(), ready_.end(),
                     [&](const Ready& probe) { return &probe.card == card; });
}

std::string Probes::json() const {
  return write_json(entries_);
}

bool means_seat(std::string_view word, const SeatCard& seat) {
  return word == "all" || word == seat.name || (!seat.role.empty() && word == seat.role);
}

bool is_of_seats(const ProbeForm& form) {
  const auto& options = form.choice ? form.choice : form.distribution;
  return options && std::holds_alternative<std::string>(*options);
}

std::vector<std::string> options_of(const ProbeForm& form, std::span<const SeatCard> seats) {
  const auto& options = form.choice ? form.choice : form.distribution;
  if (!options) return {};
  if (const auto* words = std::get_if<std::vector<std::string>>(&*options)) return *words;
  std::vector<std::string> names;
  for (const SeatCard& seat : seats) names.emplace_back(seat.name);
  return names;
}

OwnedLimits limits_of(const Probes::Ready& probe, std::span<const SeatCard> seats) {
  bj::array names, list;
  for (const std::string& option : options_of(probe.said.answer, seats)) names.emplace_back(option);
  if (names.empty()) return {};
  const bool one = probe.said.answer.choice.has_value();
  const char* at = one ? "choice" : "probabilities";
  list.push_back({{"at", at}, {"kind", "names"}, {"names", std::move(names)}});
  if (!one)
    list.push_back({{"at", at}, {"kind", "sum"}, {"low", 1 - kRounding}, {"high", 1 + kRounding}});
  return remote::read_limits(probe.type.get(), list);
}

std::string problem_of_interval(const Type& type, const void* answer) {
  void* at = const_cast<void*>(answer);
  const auto end = [&](std::size_t i) { return *static_cast<double*>(type.fields[i].at(at)); };
  return end(0) <= end(1) ? "" : "the lower end is above the upper end.";
}

}  // namespace agon
