#include "report/plan_reader.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "record/record.hpp"
#include "record/recorded_types.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

/// A number or truth value of an object; nothing where it is absent, null or something else.
std::optional<double> number(const bj::object& note, std::string_view name) {
  const bj::value* value = note.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_bool()) return value->get_bool() ? 1.0 : 0.0;
  if (!value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

void append(PlanPairs::Items& items, std::optional<double> priority, double bids, double won) {
  if (!priority) return;
  items.priority.push_back(*priority);
  items.bids.push_back(bids);
  items.won.push_back(won);
}

}  // namespace

void PlanReader::add(const archive::MatchRow& match, std::map<std::size_t, PlanPairs>& agents) {
  if (match.record.empty()) return;
  const record::History history = record::read(match.record);
  for (const record::Entry& entry : history.entries) {
    if (entry.what != record::Entry::What::event || entry.name != "engagement") continue;
    const auto text = recorded_.json(entry.shape, entry.payload);
    if (!text) continue;
    const bj::value note = json::parse(*text, "record");
    if (!note.is_object()) continue;
    const bj::object& object = note.get_object();
    const bj::value* bidder = object.if_contains("bidder");
    const auto bids = number(object, "bids");
    const auto won = number(object, "won");
    if (bidder == nullptr || !bidder->is_string() || !bids || !won) continue;
    for (const archive::SeatRow& seat : match.seats) {
      if (seat.name != std::string_view(bidder->get_string())) continue;
      if (match.focal && seat.agent != *match.focal) continue;
      const auto initial = number(object, "initial_priority");
      const auto current = number(object, "current_priority");
      if (!initial && !current) continue;
      PlanPairs& pairs = agents[static_cast<std::size_t>(seat.agent)];
      if (std::max(pairs.initial.bids.size(), pairs.current.bids.size()) >= most_) {
        pairs.all = false;
        continue;
      }
      append(pairs.initial, initial, *bids, *won);
      append(pairs.current, current, *bids, *won);
    }
  }
}

}  // namespace agon::report
