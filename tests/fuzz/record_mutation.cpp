#include "record_mutation.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "mutation.hpp"
#include "record/record.hpp"

namespace agon::fuzz {
namespace {

using record::Entry;

/// Writes entries as record::Recorder does, whatever they say.
class Encoder {
 public:
  explicit Encoder(std::uint32_t waiting) {
    out_ = "AGR\x01";
    record::put_number(out_, waiting);
  }

  void add(const Entry& e) {
    const std::uint64_t name = e.what == Entry::What::carry || e.what == Entry::What::outcome
                                   ? 0
                                   : id(names_, std::string(e.name), 1);
    const std::uint64_t shape = e.what == Entry::What::outcome
                                    ? 0
                                    : id(shapes_, std::string(e.shape.begin(), e.shape.end()), 2);
    out_ += e.what == Entry::What::draw && e.given ? '\x08' : static_cast<char>(e.what);
    switch (e.what) {
      case Entry::What::event:
        record::put_number(out_, static_cast<std::uint32_t>(e.audience + 1));
        record::put_number(out_, name);
        record::put_number(out_, shape);
        record::put_text(out_, e.payload);
        break;
      case Entry::What::draw:
        record::put_number(out_, name);
        record::put_number(out_, e.at.size());
        for (const std::int64_t i : e.at) record::put_signed(out_, i);
        record::put_number(out_, shape);
        record::put_text(out_, e.payload);
        break;
      case Entry::What::carry:
        record::put_number(out_, static_cast<std::uint64_t>(e.seat));
        record::put_number(out_, shape);
        record::put_text(out_, e.payload);
        break;
      case Entry::What::question:
        question(e, name, shape);
        break;
      case Entry::What::outcome:
        outcome(*e.outcome);
        break;
    }
  }

  std::string take() { return std::move(out_); }

 private:
  // The number of a name or a shape, which is defined where it first occurs.
  std::uint64_t id(std::vector<std::string>& known, std::string text, char tag) {
    const auto found = std::find(known.begin(), known.end(), text);
    if (found != known.end()) return static_cast<std::uint64_t>(found - known.begin());
    out_ += tag;
    if (tag == 1)
      record::put_text(out_, text);
    else
      out_ += text;
    known.push_back(std::move(text));
    return known.size() - 1;
  }

  void question(const Entry& e, std::uint64_t name, std::uint64_t shape) {
    const bool thoughtful = !e.thought.empty() || e.remembers;
    record::put_number(out_, e.number);
    record::put_number(out_, static_cast<std::uint64_t>(e.seat));
    record::put_number(out_, name);
    record::put_number(out_, shape);
    record::put_number(out_, (e.probe ? 1U : 0U) | (e.forced ? 2U : 0U) | (e.declined ? 4U : 0U) |
                                 (e.remembers ? 8U : 0U) | (thoughtful ? 32U : 0U) |
                                 (e.view.empty() ? 0U : 64U));
    record::put_number(out_, e.attempts.size());
    for (const record::Attempt& a : e.attempts) {
      out_ += static_cast<char>(a.fault);
      out_ += static_cast<char>(a.form);
      record::put_text(out_, a.payload);
      record::put_text(out_, a.complaint);
    }
    record::put_text(out_, e.payload);
    if (thoughtful) {
      record::put_text(out_, e.thought);
      record::put_text(out_, e.memo);
    }
    if (!e.view.empty()) record::put_text(out_, e.view);
  }

  void outcome(const Outcome& outcome) {
    const auto metrics = [&](const auto& list) {
      record::put_number(out_, list.size());
      for (const double m : list) record::put_real(out_, m);
    };
    record::put_number(out_, static_cast<std::uint64_t>(outcome.seats()));
    for (int i = 0; i < outcome.seats(); ++i) {
      record::put_real(out_, outcome[i].score);
      record::put_real(out_, outcome[i].disagreement);
      record::put_real(out_, outcome[i].ideal);
      record::put_number(out_, static_cast<std::uint64_t>(outcome[i].rank));
      metrics(outcome[i].metrics);
    }
    metrics(outcome.match_metrics());
  }

  std::string out_;
  std::vector<std::string> names_;
  std::vector<std::string> shapes_;
};

/// What changed entries point to.
using Texts = std::deque<std::string>;

void change_entry(Entry& e, const Entry& other, Texts& texts, Dice& dice) {
  const auto text = [&](std::string value) -> std::string_view {
    return texts.emplace_back(std::move(value));
  };
  switch (dice.below(12)) {
    case 0:
      e.seat = static_cast<int>(dice.below(kMaxSeats));
      return;
    case 1:
      e.number = static_cast<std::uint32_t>(e.number + dice.below(3) - 1);
      return;
    case 2:
      e.audience = static_cast<std::uint32_t>(dice.bits());
      return;
    case 3:
      e.payload = other.payload;
      return;
    case 4:
      e.shape = other.shape;
      return;
    case 5:
      e.name = other.name;
      return;
    case 6:
      e.declined = !e.declined;
      return;
    case 7:
      e.forced = !e.forced;
      return;
    case 8:
      if (!e.attempts.empty()) {
        record::Attempt& a = e.attempts.front();
        a.fault = static_cast<Fault>(dice.below(kFaults));
        a.form = static_cast<record::Form>(dice.below(3));
        if (dice.below(2) == 0) a.payload = change_json(a.payload, dice);
        if (dice.below(4) == 0) e.attempts.push_back(a);
      }
      return;
    case 9:
      e.memo = e.thought = text(odd_text(dice));
      e.remembers = dice.below(2) == 0;
      return;
    case 10:
      if (e.what == Entry::What::outcome && e.outcome->seats() > 0)
        (*e.outcome)[0].score = std::numeric_limits<double>::quiet_NaN();
      for (std::int64_t& i : e.at) i += dice.between(-2, 2);
      return;
    default: {
      std::string bytes(e.payload);
      change_bytes(bytes, dice);
      e.payload = text(std::move(bytes));
    }
  }
}

}  // namespace

std::string change_record(std::string_view record, Dice& dice) {
  record::History history = record::read(record);
  std::vector<Entry>& entries = history.entries;
  Texts texts;
  for (std::uint64_t n = 1 + dice.below(3); n > 0 && !entries.empty(); --n) {
    const std::size_t at = dice.below(entries.size()), other = dice.below(entries.size());
    const auto place = entries.begin() + static_cast<std::ptrdiff_t>(at);
    switch (dice.below(8)) {
      case 0:
        entries.erase(place);
        break;
      case 1: {
        const Entry copy = entries[other];
        entries.insert(place, copy);
        break;
      }
      case 2:
        std::swap(entries[at], entries[other]);
        break;
      case 3:
        entries.resize(at);
        break;
      default:
        change_entry(entries[at], entries[other], texts, dice);
        break;
    }
  }
  if (dice.below(16) == 0) history.waiting = static_cast<std::uint32_t>(dice.bits());
  Encoder encoder(history.waiting);
  for (const Entry& e : entries) encoder.add(e);
  return encoder.take();
}

}  // namespace agon::fuzz
