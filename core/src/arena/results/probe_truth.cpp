#include "results/probe_truth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;
using What = record::Entry::What;

/// Looks for the truth of one answer.
class TruthSearch {
 public:
  TruthSearch(const ProbeEntry& probe, const ProbedMatch& match, std::size_t at)
      : probe_(probe),
        truth_(*probe.truth),
        match_(match),
        at_(at),
        asked_(match.history.entries[at].seat) {}

  /// The value at the place that the truth names; nothing if it does not occur.
  [[nodiscard]] std::optional<bj::value> value() const {
    if (truth_.score) return score();
    if (truth_.event) return truth_.is && is_of_seats(probe_.answer) ? seat_told() : event();
    return answer();
  }

  /// Whether a member is what the statement says.
  [[nodiscard]] bool holds(const bj::value& value) const {
    if (truth_.at_least) return value.is_number() && value.to_number<double>() >= *truth_.at_least;
    if (!truth_.is) return value.is_bool() && value.get_bool();
    if (const bool* yes = std::get_if<bool>(&*truth_.is))
      return value.is_bool() && value.get_bool() == *yes;
    if (const double* number = std::get_if<double>(&*truth_.is))
      return value.is_number() && value.to_number<double>() == *number;
    const std::string& words = std::get<std::string>(*truth_.is);
    const std::string& name = match_.seats[static_cast<std::size_t>(asked_)].name;
    const std::string& meant = words == "asked" ? name : words;
    return words_of(value) == meant || name_of_seat(value) == meant;
  }

  static std::string words_of(const bj::value& value) {
    return value.is_string() ? std::string(value.get_string()) : json::write(value);
  }
  /// The name of the seat whose number it is; empty: of none.
  [[nodiscard]] std::string name_of_seat(const bj::value& value) const {
    const std::int64_t* number = value.if_int64();
    return number == nullptr || *number < 0 ||
                   *number >= static_cast<std::int64_t>(match_.seats.size())
               ? std::string()
               : match_.seats[static_cast<std::size_t>(*number)].name;
  }

 private:
  [[nodiscard]] bool is_meant(const std::string& word, int seat) const {
    if (word == "asked") return seat == asked_;
    if (word == "others") return seat != asked_;
    return means_seat(word, match_.seats[static_cast<std::size_t>(seat)]);
  }

  [[nodiscard]] std::optional<bj::value> score() const {
    for (std::size_t seat = 0; seat < match_.seats.size(); ++seat)
      if (is_meant(*truth_.score, static_cast<int>(seat)) && std::isfinite(match_.scores[seat]))
        return bj::value(match_.scores[seat]);
    return {};
  }

  [[nodiscard]] std::optional<bj::value> member(const std::string& json) const {
    const bj::value whole = json::parse(json, "");
    boost::system::error_code error;
    const bj::value* found = whole.find_pointer(*truth_.member, error);
    if (found == nullptr) return {};
    return *found;
  }

  /// The seat that alone was told an event; -1: it was not one.
  static int told_to(const record::Entry& entry) {
    return std::has_single_bit(entry.audience) ? std::countr_zero(entry.audience) : -1;
  }

  [[nodiscard]] bool is_event(const record::Entry& entry) const {
    if (entry.what != What::event || entry.name != *truth_.event) return false;
    const int seat = told_to(entry);
    return !truth_.seat || (seat >= 0 && is_meant(*truth_.seat, seat));
  }

  [[nodiscard]] std::optional<bj::value> event() const {
    const auto& entries = match_.history.entries;
    const ProbeWhen when = truth_.when.value_or(ProbeWhen::next);
    const record::Entry* found = nullptr;
    for (std::size_t i = when == ProbeWhen::next ? at_ + 1 : 0; i < entries.size(); ++i) {
      if (!is_event(entries[i])) continue;
      found = &entries[i];
      if (when != ProbeWhen::last) break;
    }
    if (found == nullptr) return {};
    return member(match_.json(*found));
  }

  [[nodiscard]] std::optional<bj::value> seat_told() const {
    for (const record::Entry& entry : match_.history.entries) {
      if (!is_event(entry) || told_to(entry) < 0) continue;
      const auto value = member(match_.json(entry));
      if (value && holds(*value)) return bj::value(told_to(entry));
    }
    return {};
  }

  [[nodiscard]] std::optional<bj::value> answer() const {
    const std::string& stage = truth_.next ? *truth_.next : *truth_.view;
    const auto& entries = match_.history.entries;
    for (std::size_t i = at_ + 1; i < entries.size(); ++i) {
      const record::Entry& entry = entries[i];
      if (entry.what != What::question || entry.probe || entry.name != stage ||
          !is_meant(*truth_.seat, entry.seat))
        continue;
      if (truth_.next) return member(match_.json(entry));
      if (entry.view.empty()) return {};
      return member(std::string(entry.view));
    }
    return {};
  }

  const ProbeEntry& probe_;
  const ProbeTruth& truth_;
  const ProbedMatch& match_;
  std::size_t at_;
  int asked_;
};

}  // namespace

std::optional<ProbeOutcome> outcome_of(const ProbeEntry& probe, const ProbedMatch& match,
                                       std::size_t at) {
  if (!probe.truth) return {};
  const TruthSearch search(probe, match, at);
  const std::optional<bj::value> value = search.value();
  if (!value) return {};
  ProbeOutcome outcome;
  if (probe.answer.probability) {
    const bool yes = search.holds(*value);
    outcome.option = yes ? 0 : 1;
    outcome.words = yes ? "true" : "false";
    return outcome;
  }
  if (probe.answer.number || probe.answer.interval) {
    if (!value->is_number()) return {};
    outcome.number = value->to_number<double>();
    outcome.words = json::write(*value);
    return outcome;
  }
  const std::vector<std::string> options = options_of(probe.answer, match.seats);
  const std::string seat = is_of_seats(probe.answer) ? search.name_of_seat(*value) : "";
  outcome.words = seat.empty() ? TruthSearch::words_of(*value) : seat;
  const auto found = std::find(options.begin(), options.end(), outcome.words);
  if (found == options.end()) return {};
  outcome.option = static_cast<std::size_t>(found - options.begin());
  return outcome;
}

}  // namespace agon::report
