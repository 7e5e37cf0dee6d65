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

/// The text among a game's facts that `flag` marks; empty: there is none.
std::string marked_fact(const OwnedQuestion& question, bool Field::*flag) {
  if (question.facts_type != nullptr)
    for (const Field& f : question.facts_type->fields)
      if (f.*flag) return text_of(member(question.facts_json, f.name));
  return {};
}

/// What plans, beliefs and lessons are is shown by the part that keeps them, not by the memory.
bool belongs_to_a_part(const Delivery& d) {
  return d.purpose == Purpose::plan || d.purpose == Purpose::replan ||
         d.purpose == Purpose::belief || d.purpose == Purpose::learn;
}

/// Plans and what they are replaced by are one.
Purpose sort_of(Purpose purpose) {
  return purpose == Purpose::replan ? Purpose::plan : purpose;
}

bool holds_text(const Type* type) {
  return type != nullptr && type->kind == Kind::structure &&
         std::any_of(type->fields.begin(), type->fields.end(),
                     [](const Field& f) { return f.type->kind == Kind::text; });
}

}  // namespace

std::string end_of(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  std::size_t from = text.size() - longest;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return "[" + std::to_string(from) + " bytes before this are left out]\n" +
         std::string(text.substr(from));
}

HistoryText::HistoryText(const OwnedQuestion& question, const AnswerForm* form,
                         const DataStyle& style, LineCache& cache)
    : question_(question), form_(form), style_(style), cache_(cache) {
  for (const std::string& name : question.seat_names) scope_ += name + '\n';
  const std::string apart = marked_fact(question, &Field::apart);
  if (apart.empty()) return;
  is_apart_ = true;
  const std::string_view now = member(question.view_json, apart);
  for (begin_ = size(); begin_ > 0; --begin_) {
    const std::string_view then = member(at(begin_ - 1).json, apart);
    if (!then.empty() && then != now) break;
  }
}

std::size_t HistoryText::news_from() const {
  for (std::size_t i = size(); i > begin_; --i)
    if (at(i - 1).what == Delivery::What::answer) return i;
  return begin_;
}

std::size_t HistoryText::phase_from(std::size_t place) const {
  const std::string phase = marked_fact(question_, &Field::phase);
  for (std::size_t i = std::min(place, size()); i > begin_; --i) {
    const Delivery& d = at(i - 1);
    if (phase.empty() ? d.what == Delivery::What::answer
                      : d.what == Delivery::What::event && d.name == phase)
      return i;
  }
  return begin_;
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

bool HistoryText::is_echo(std::size_t i, std::size_t from) const {
  const Delivery& event = at(i);
  if (!holds_text(event.type)) return false;
  std::size_t k = i;
  while (k > from && at(k - 1).what != Delivery::What::answer) --k;
  if (k <= from || !holds_text(at(k - 1).type)) return false;
  const std::vector<RawMember> told = members_of(event.json);
  // Whose it is: by number, by name or by role.
  const std::string own = std::to_string(question_.seat);
  const bool is_own =
      std::any_of(event.type->fields.begin(), event.type->fields.end(), [&](const Field& f) {
        const std::string_view json = member(event.json, f.name);
        if (f.seat) return json == own;
        const std::string name = text_of(json);
        return !name.empty() && (name == question_.seat_name || name == question_.role);
      });
  if (!is_own) return false;
  const std::vector<RawMember> said = members_of(at(k - 1).json);
  return std::all_of(said.begin(), said.end(), [&](const RawMember& own_member) {
    return std::any_of(told.begin(), told.end(), [&](const RawMember& m) {
      return m.name == own_member.name && m.json == own_member.json;
    });
  });
}

bool HistoryText::was_answered(std::size_t i) const {
  for (std::size_t k = i + 1; k < size() && at(k).what != Delivery::What::question; ++k)
    if (at(k).what == Delivery::What::answer && at(k).number == at(i).number) return true;
  return false;
}

std::vector<ChatMessage> HistoryText::answer(const Delivery& d) const {
  std::vector<ChatMessage> out;
  const bool said = d.by == Delivery::By::seat || !d.said.empty();
  if (d.by != Delivery::By::rules && said)
    out.push_back({"assistant", d.said.empty() ? form_ == nullptr ? d.json : form_->written(d.json)
                                               : end_of(d.said, style_.longest)});
  if (d.by == Delivery::By::rules)
    out.push_back({"user", "- only one answer was legal, and was given for you: " + d.json});
  else if (d.by == Delivery::By::fallback)
    out.push_back({"user", "- no answer of yours could be played; played for you was: " + d.json});
  else if (!d.mended.empty() && !d.said.empty())
    out.push_back({"user", "- your answer was read as: " + d.json + " (" + d.mended + ")"});
  return out;
}

std::vector<ChatMessage> HistoryText::messages(std::size_t i, std::size_t from) const {
  const Delivery& d = at(i);
  switch (d.what) {
    case Delivery::What::event:
      if (!is_told(d) || is_echo(i, from)) return {};
      return {{"user", line(d)}};
    case Delivery::What::question:
      // A probe that was declined was never put to the model.
      if (belongs_to_a_part(d) || !was_answered(i)) return {};
      return {{"user", line(d)}};
    case Delivery::What::answer:
      break;
  }
  return belongs_to_a_part(d) ? std::vector<ChatMessage>() : answer(d);
}

std::string HistoryText::events(std::size_t from, std::size_t to, std::size_t shown_from) const {
  std::string text;
  for (std::size_t i = std::max(from, begin_); i < std::min(to, size()); ++i) {
    if (at(i).what != Delivery::What::event || !is_told(at(i)) || is_echo(i, shown_from)) continue;
    if (!text.empty()) text += "\n";
    text += line(at(i));
  }
  return text;
}

std::vector<ChatMessage> HistoryText::dialogue(std::size_t from, std::size_t to) const {
  std::vector<ChatMessage> all;
  from = std::max(from, begin_);
  for (std::size_t i = from; i < std::min(to, size()); ++i)
    for (ChatMessage& m : messages(i, from)) {
      if (!all.empty() && all.back().role == m.role) {
        all.back().text += "\n";
        all.back().text += m.text;
      } else {
        all.push_back(std::move(m));
      }
    }
  return all;
}

std::size_t HistoryText::last_messages(std::size_t n, std::size_t to) const {
  std::size_t count = 0;
  std::string first;  // role of the earliest message so far
  std::size_t i = std::min(to, size());
  for (; i > begin_; --i) {
    const std::vector<ChatMessage> more = messages(i - 1, begin_);
    for (auto m = more.rbegin(); m != more.rend(); ++m)
      if (m->role != first) first = m->role, ++count;
    if (count > n) break;
  }
  return i;
}

const Delivery* HistoryText::last_answer(Purpose purpose) const {
  for (std::size_t i = size(); i > begin_; --i) {
    const Delivery& d = at(i - 1);
    // What the game put in the place of an answer is nobody's plan or account.
    if (d.what == Delivery::What::answer && sort_of(d.purpose) == sort_of(purpose) &&
        d.by != Delivery::By::fallback)
      return &d;
  }
  return nullptr;
}

std::vector<ChatMessage> HistoryText::to_correct() const {
  if (!question_.probe || size() < begin_ + 2) return {};
  const Delivery& last = at(size() - 1);
  const Delivery& asked = at(size() - 2);
  if (last.what != Delivery::What::answer || last.name != question_.stage ||
      asked.what != Delivery::What::question || !belongs_to_a_part(last))
    return {};
  std::vector<ChatMessage> out{{"user", line(asked)}};
  for (ChatMessage& m : answer(last)) out.push_back(std::move(m));
  return out;
}

}  // namespace agon::llm
