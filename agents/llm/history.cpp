#include "llm/history.hpp"

#include <agon/form.hpp>
#include <algorithm>

#include "llm/prompt/members.hpp"

namespace agon::llm {
namespace {

/// False for an event of which its game shows nothing.
bool is_told(const Delivery& event) {
  return !event.told.empty() || (!event.untold && is_shown(event.type));
}

/// The event that parts two phases of the game; empty: its facts name none.
std::string phase_event_of(const OwnedQuestion& question) {
  if (question.facts_type != nullptr)
    for (const Field& f : question.facts_type->fields)
      if (f.phase) return text_of(member(question.facts_json, f.name));
  return {};
}

}  // namespace

HistoryText::HistoryText(const OwnedQuestion& question, const DataStyle& style, LineCache& cache)
    : question_(question), style_(style), cache_(cache) {
  for (const std::string& name : question.seat_names) scope_ += name + '\n';
}

std::size_t HistoryText::news_from() const {
  for (std::size_t i = size(); i > 0; --i)
    if (at(i - 1).what == Delivery::What::answer) return i;
  return 0;
}

std::size_t HistoryText::phase_from(std::size_t place) const {
  const std::string phase = phase_event_of(question_);
  for (std::size_t i = std::min(place, size()); i > 0; --i) {
    const Delivery& d = at(i - 1);
    if (phase.empty() ? d.what == Delivery::What::answer
                      : d.what == Delivery::What::event && d.name == phase)
      return i;
  }
  return 0;
}

std::string HistoryText::line(const Delivery& d) const {
  if (!d.told.empty())
    return "- " + std::string(d.is_private ? "(to you alone) " : "") +
           bounded_telling(d.told, style_.longest);
  const char what = d.what == Delivery::What::event ? (d.is_private ? 'p' : 'e') : 'q';
  return cache_.line({what, d.type, scope_, d.name, d.json}, [&] {
    if (d.what == Delivery::What::event)
      return "- " + d.name + (d.is_private ? " (to you alone): " : ": ") +
             data_line(d.type, d.json, style_);
    const std::string seen = d.untold ? "" : data_brief(d.type, d.json, style_);
    return "- you were asked: " + d.name + (seen.empty() ? "" : " (" + seen + ")");
  });
}

std::string HistoryText::events(std::size_t from, std::size_t to) const {
  std::string text;
  for (std::size_t i = from; i < std::min(to, size()); ++i) {
    if (at(i).what != Delivery::What::event || !is_told(at(i))) continue;
    if (!text.empty()) text += "\n";
    text += line(at(i));
  }
  return text;
}

std::vector<ChatMessage> HistoryText::dialogue(std::size_t from, std::size_t to) const {
  std::vector<ChatMessage> messages;
  const auto say = [&](const char* role, std::string text) {
    if (!messages.empty() && messages.back().role == role) {
      messages.back().text += "\n";
      messages.back().text += text;
    } else {
      messages.push_back({role, std::move(text)});
    }
  };
  for (std::size_t i = from; i < std::min(to, size()); ++i) {
    const Delivery& d = at(i);
    if (d.what == Delivery::What::answer) {
      say("assistant", d.json);
      continue;
    }
    if (d.what == Delivery::What::event && !is_told(d)) continue;
    if (d.what == Delivery::What::question) {
      // A probe that was declined was never put to the model.
      bool answered = false;
      for (std::size_t k = i + 1; k < size() && !answered; ++k) {
        if (at(k).what == Delivery::What::question) break;
        answered = at(k).what == Delivery::What::answer && at(k).number == d.number;
      }
      if (!answered) continue;
    }
    say("user", line(d));
  }
  return messages;
}

const Delivery* HistoryText::answer_to(std::uint32_t number) const {
  for (std::size_t i = size(); i > 0; --i)
    if (at(i - 1).what == Delivery::What::answer && at(i - 1).number == number) return &at(i - 1);
  return nullptr;
}

}  // namespace agon::llm
