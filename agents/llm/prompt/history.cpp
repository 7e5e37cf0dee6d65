#include "llm/prompt/history.hpp"

#include <agon/form.hpp>
#include <agon/learning.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <exception>

#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/data_text.hpp"
#include "llm/prompt/line_runs.hpp"

namespace agon::llm {
namespace {

/// Entries of a shard; when there are more, it starts again.
constexpr std::size_t kMostEntries = 4096;

/// Large values are told apart by their length and three samples; equality is checked in full.
std::size_t quick_hash(std::string_view name, std::string_view json) {
  const std::hash<std::string_view> hash;
  std::size_t h = hash(name) ^ json.size() * 0x9E3779B97F4A7C15ULL;
  if (json.size() <= 256) return h ^ hash(json);
  for (const std::size_t at : {std::size_t{0}, json.size() / 2, json.size() - 64})
    h = h * 31 + hash(json.substr(at, 64));
  return h;
}

}  // namespace

std::string LineCache::line(const Source& source, const std::function<std::string()>& make) {
  const std::size_t key =
      quick_hash(source.name, source.json) + static_cast<unsigned char>(source.what);
  Shard& shard = shards_[key % shards_.size()];
  {
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(key);
    if (found != shard.entries.end() && found->second.source() == source) return found->second.line;
  }
  std::string line = make();
  const std::lock_guard lock(shard.mutex);
  if (shard.entries.size() >= kMostEntries) shard.entries.clear();
  shard.entries.insert_or_assign(
      key, Entry{source.what, source.type, std::string(source.scope), std::string(source.name),
                 std::string(source.json), line});
  return line;
}

namespace {

/// The text among a game's facts that `flag` marks; null: there is none.
const Field* marked_field(const OwnedQuestion& question, bool Field::*flag) {
  if (question.facts_type != nullptr)
    for (const Field& f : question.facts_type->fields)
      if (f.*flag) return &f;
  return nullptr;
}

/// What it says; empty: there is none.
std::string marked_fact(const OwnedQuestion& question, bool Field::*flag) {
  const Field* field = marked_field(question, flag);
  return field == nullptr ? std::string() : text_of(member(question.facts_json, field->name));
}

/// True for a value without a word or a figure in it, and for refusals.
bool says_nothing(const boost::json::value& v) {
  if (const auto* text = v.if_string())
    return trimmed(std::string_view(*text)).empty() || is_refusal(std::string_view(*text));
  if (const auto* list = v.if_array()) return std::all_of(list->begin(), list->end(), says_nothing);
  if (const auto* object = v.if_object())
    return std::all_of(object->begin(), object->end(),
                       [](const auto& m) { return says_nothing(m.value()); });
  return v.is_null();
}

bool says_nothing(std::string_view json) {
  boost::json::error_code error;
  const auto value = boost::json::parse(json, error);
  return !error && says_nothing(value);
}

/// What the agent wrote for itself in answer to a question: it stands without quotes, and a text
/// alone without its member's name.
std::string own_text(const Type* type, std::string_view json, const DataStyle& style) {
  if (type != nullptr && type->kind == Kind::structure && type->fields.size() == 1) {
    const Field& only = type->fields[0];
    const std::string_view value = member(json, only.name);
    if (only.type->kind == Kind::text) return end_of(printable(text_of(value), true), style);
    if (only.type->kind == Kind::list && only.type->element->kind == Kind::text) {
      std::string lines;
      boost::json::error_code error;
      const auto list = boost::json::parse(value, error);
      if (!error && list.is_array())
        for (const auto& item : list.get_array())
          lines += (lines.empty() ? "- " : "\n- ") + printable(std::string_view(item.get_string()));
      return end_of(lines, style);
    }
  }
  if (!style.language->is_english()) return std::string(json);
  return plain_text(type, json, {.seats = style.names});
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

std::string end_of(std::string_view text, const DataStyle& style) {
  const std::string_view kept = last_bytes(text, style.longest);
  if (kept.size() == text.size()) return std::string(text);
  return style.language->say(ModelLine("[{n} bytes before this are left out]"),
                             {{"n", std::to_string(text.size() - kept.size())}}) +
         "\n" + std::string(kept);
}

namespace {

/// True for an event that says no more than the seat's own answer before it, at `from` or later.
bool is_echo(const OwnedQuestion& question, std::size_t i, std::size_t from) {
  const auto at = [&](std::size_t place) -> const Delivery& { return question.history[place]; };
  const Delivery& event = at(i);
  if (!holds_text(event.type)) return false;
  std::size_t k = i;
  while (k > from && at(k - 1).what != Delivery::What::answer) --k;
  if (k <= from || !holds_text(at(k - 1).type)) return false;
  // Whose it is: by number, by name or by role.
  const std::string own = std::to_string(question.seat);
  const bool is_own =
      std::any_of(event.type->fields.begin(), event.type->fields.end(), [&](const Field& f) {
        const std::string_view json = member(event.json, f.name);
        if (f.seat) return json == own;
        const std::string name = text_of(json);
        return !name.empty() && (name == question.seat_name || name == question.role);
      });
  if (!is_own) return false;
  const std::vector<RawMember> told = members_of(event.json);
  const std::vector<RawMember> said = members_of(at(k - 1).json);
  return std::all_of(said.begin(), said.end(), [&](const RawMember& own_member) {
    return std::any_of(told.begin(), told.end(), [&](const RawMember& m) {
      return m.name == own_member.name && m.json == own_member.json;
    });
  });
}

/// Whether the question at that place was put to the seat and answered.
bool was_answered(const SeatHistory& history, std::size_t i) {
  for (std::size_t k = i + 1; k < history.size() && history[k].what != Delivery::What::question;
       ++k)
    if (history[k].what == Delivery::What::answer && history[k].number == history[i].number)
      return true;
  return false;
}

/// What an answer says in words: "bid 5 dollars".
std::string in_words(const Delivery& d, const DataStyle& style) {
  const std::string words = answer_in_words(d.type, d.json, style, true);
  return words.empty() ? d.name : words;
}

/// What a model said when it gave this answer, read again. What the form makes of it may need the
/// question, which is not there any more: a form that breaks has not read it.
ModelAnswer read_again(const Delivery& d, const AnswerForm* form) {
  if (form == nullptr || d.said.empty()) return {.fault = Fault::empty};
  OwnedQuestion asked;
  asked.answer_type = d.type;
  try {
    return form->read(asked, d.said);
  } catch (const std::exception& broken) {
    return {.fault = Fault::unparsable, .problem = broken.what()};
  }
}

/// What the seat took along from the match before (agon/learning.hpp); empty: nothing.
std::string taken_along(const SeatHistory& history, const DataStyle& style) {
  for (std::size_t i = 0; i < history.size() && history[i].what == Delivery::What::event; ++i)
    if (history[i].name == kTakenAlong.name)
      return end_of(printable(text_of(member(history[i].json, "learnings")), true), style);
  return {};
}

}  // namespace

HistoryText::HistoryText(const ModelTurn& turn, const Memory& memory, const AnswerForm* form,
                         const Wording& wording, const DataStyle& style, LineCache& cache,
                         bool own_words)
    : turn_(turn),
      memory_(memory),
      question_(turn.question()),
      form_(form),
      wording_(wording),
      style_(style),
      cache_(cache),
      own_words_(own_words) {
  scope_ = style.language->id() + '\n';
  for (const std::string& name : question_.seat_names) scope_ += name + '\n';
  const std::string apart = marked_fact(question_, &Field::apart);
  if (apart.empty()) return;
  is_apart_ = true;
  const std::string_view now = member(question_.view_json, apart);
  for (begin_ = question_.history.size(); begin_ > 0; --begin_) {
    const std::string_view then = member(at(begin_ - 1).json, apart);
    if (!then.empty() && then != now) break;
  }
}

std::size_t HistoryText::news_from() const {
  for (std::size_t i = question_.history.size(); i > begin_; --i)
    if (at(i - 1).what == Delivery::What::answer) return i;
  return begin_;
}

std::size_t HistoryText::remembered_from() const {
  return std::max(memory_.from(turn_), begin_);
}

std::size_t HistoryText::phase_from(std::size_t place) const {
  const std::string phase = marked_fact(question_, &Field::phase);
  for (std::size_t i = std::min(place, question_.history.size()); i > begin_; --i) {
    const Delivery& d = at(i - 1);
    if (phase.empty() ? d.what == Delivery::What::answer
                      : d.what == Delivery::What::event && d.name == phase)
      return i;
  }
  return begin_;
}

std::string HistoryText::line(const Delivery& d) const {
  if (d.shown() == Delivery::Shown::sentences) {
    const std::string words = bounded_telling(d.sentences(), style_);
    if (d.what == Delivery::What::question)
      return say(ModelLine("- you were asked, and saw:")) + "\n" + words;
    return d.is_for_one() ? say(ModelLine("- (to you alone) {text}"), {{"text", words}})
                          : "- " + words;
  }
  const char what = d.what == Delivery::What::event ? (d.is_private ? 'p' : 'e') : 'q';
  return cache_.line({what, d.type, scope_, d.name, d.json}, [&] {
    if (d.what == Delivery::What::event)
      return "- " + d.name + (d.is_private ? " (to you alone): " : ": ") +
             data_line(d.type, d.json, style_);
    const std::string seen =
        d.shown() == Delivery::Shown::nothing ? "" : data_brief(d.type, d.json, style_);
    return say(ModelLine("- you were asked")) + (seen.empty() ? "" : ", and saw: " + seen);
  });
}

std::string HistoryText::told_line(std::size_t i, std::size_t from) const {
  if (std::optional<std::string> own = wording_.told(at(i))) return *std::move(own);
  if (at(i).shown() == Delivery::Shown::nothing || is_echo(question_, i, from)) return {};
  const std::string told = line(at(i));
  // A telling says "you" by itself.
  return at(i).told.empty() && is_echo(question_, i, begin_)
             ? "- (your own message) " + told.substr(2)
             : told;
}

bool HistoryText::was_told(std::size_t i, std::size_t from) const {
  for (; i > from; --i) {
    const Delivery& d = at(i - 1);
    if (d.what == Delivery::What::answer && !belongs_to_a_part(d)) return false;
    if (d.what == Delivery::What::event && !told_line(i - 1, from).empty()) return true;
  }
  return false;
}

std::string HistoryText::remark(const Delivery& d) const {
  if (d.by == Delivery::By::rules)
    return say(ModelLine("- only one answer was legal, and was given for you: {answer}"),
               {{"answer", in_words(d, style_)}});
  if (d.by == Delivery::By::fallback)
    return say(ModelLine("- no answer of yours could be played; played for you was: {answer}"),
               {{"answer", in_words(d, style_)}});
  if (!d.mended.empty() && !d.said.empty() && own_words_)
    return say(ModelLine("- your answer was read as: {answer} ({changes})"),
               {{"answer", in_words(d, style_)}, {"changes", d.mended}});
  return {};
}

std::vector<ChatMessage> HistoryText::answer(const Delivery& d) const {
  std::vector<ChatMessage> out;
  const bool in_own_words = own_words_ && !d.said.empty();
  if (d.by != Delivery::By::rules && (d.by == Delivery::By::seat || in_own_words))
    out.push_back({"assistant", in_own_words       ? end_of(d.said, style_)
                                : form_ == nullptr ? d.json
                                                   : form_->written(d.json)});
  if (std::string words = remark(d); !words.empty()) out.push_back({"user", std::move(words)});
  return out;
}

namespace {

/// What was seen with a question stands in the dialogue as it stood in the prompt.
bool shows_question(const Delivery& d, const Wording& wording) {
  return d.what == Delivery::What::question && d.shown() == Delivery::Shown::sentences &&
         !wording.has_source();
}

}  // namespace

std::vector<ChatMessage> HistoryText::messages(std::size_t i, std::size_t from) const {
  const Delivery& d = at(i);
  switch (d.what) {
    case Delivery::What::event:
      if (std::string told = told_line(i, from); !told.empty()) return {{"user", std::move(told)}};
      return {};
    case Delivery::What::question:
      // A probe that was declined was never put to the model.
      if (belongs_to_a_part(d) || !was_answered(question_.history, i)) return {};
      if (std::optional<std::string> own = wording_.told(d)) return {{"user", *std::move(own)}};
      // What was told asks for the answer by itself.
      if (d.untold && was_told(i, from)) return {};
      return {
          {"user", shows_question(d, wording_) ? bounded_telling(d.sentences(), style_) : line(d)}};
    case Delivery::What::answer:
      break;
  }
  return belongs_to_a_part(d) ? std::vector<ChatMessage>() : answer(d);
}

std::string HistoryText::events(std::size_t from, std::size_t to, std::size_t shown_from) const {
  std::vector<std::string> lines;
  for (std::size_t i = std::max(from, begin_); i < std::min(to, question_.history.size()); ++i)
    if (at(i).what == Delivery::What::event)
      if (std::string told = told_line(i, shown_from); !told.empty())
        lines.push_back(std::move(told));
  return with_line_runs(lines, *style_.language);
}

std::string HistoryText::account(std::size_t from, std::size_t to) const {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  from = std::max(from, begin_);
  for (std::size_t i = from; i < std::min(to, question_.history.size()); ++i) {
    const Delivery& d = at(i);
    if (d.what == Delivery::What::event) {
      add(told_line(i, from));
    } else if (d.what == Delivery::What::question) {
      if (!d.untold && !belongs_to_a_part(d) && was_answered(question_.history, i)) add(line(d));
    } else if (!belongs_to_a_part(d)) {
      const ModelAnswer said = own_words_ ? read_again(d, form_) : ModelAnswer{};
      if (d.by == Delivery::By::seat) {
        const bool is_read = d.said.empty() || is_played(said.fault);
        if (!is_read) add(say(ModelLine("- you said: {text}"), {{"text", end_of(d.said, style_)}}));
        add(say(is_read ? ModelLine("- you answered: {answer}")
                        : ModelLine("- that was read as: {answer}"),
                {{"answer", in_words(d, style_)}}));
        if (!said.thought.empty())
          add(say(ModelLine("  your reasons: {text}"),
                  {{"text", std::string(trimmed(end_of(said.thought, style_)))}}));
      } else {
        add(remark(d));
      }
    }
  }
  return with_line_runs(lines, *style_.language);
}

std::string HistoryText::date(std::size_t place) const {
  const Field* phase = marked_field(question_, &Field::phase);
  const std::string event = marked_fact(question_, &Field::phase);
  std::size_t n = 0;
  for (std::size_t i = 0; i < std::min(place, question_.history.size()); ++i) {
    const Delivery& d = at(i);
    n += event.empty() ? d.what == Delivery::What::answer && !belongs_to_a_part(d)
                       : d.what == Delivery::What::event && d.name == event;
  }
  if (n == 0) return say(ModelLine("at the start"));
  const std::string_view unit = event.empty()         ? ModelLine("your answer")
                                : phase->unit.empty() ? phase->name
                                                      : phase->unit;
  return say(ModelLine("after {unit} {n}"),
             {{"unit", std::string(style_.language->text(unit))}, {"n", std::to_string(n)}});
}

std::string HistoryText::news() const {
  const std::size_t shown_from = remembered_from();
  const std::size_t from = news_from();
  std::string text = events(from, question_.history.size(), shown_from);
  if (from == begin_ || shown_from < from || belongs_to_a_part(at(from - 1))) return text;
  // A memory that shows no answers shows nothing of what was made of the last one.
  const std::string made = remark(at(from - 1));
  if (made.empty() || text.empty()) return made + text;
  return made + "\n" + text;
}

std::vector<ChatMessage> HistoryText::dialogue(std::size_t from, std::size_t to) const {
  std::vector<ChatMessage> all;
  std::vector<std::string> lines;  // at the end of the last message, if it is no answer
  const auto add = [&](std::string_view gap, const std::string& text) {
    all.back().text += all.back().text.empty() ? text : std::string(gap) + text;
  };
  const auto close = [&] {
    if (!lines.empty()) add("\n", with_line_runs(lines, *style_.language));
    lines.clear();
  };
  from = std::max(from, begin_);
  for (std::size_t i = from; i < std::min(to, question_.history.size()); ++i) {
    for (ChatMessage& m : messages(i, from)) {
      if (all.empty() || all.back().role != m.role) {
        close();
        all.push_back({m.role, {}});
      }
      if (m.role == "assistant") {
        add("\n", m.text);
      } else if (shows_question(at(i), wording_)) {
        close();
        add("\n\n", m.text);
      } else {
        lines.push_back(std::move(m.text));
      }
    }
    // What stood in a request stands so in later ones: a run does not go on behind an answer.
    if (at(i).what == Delivery::What::answer && !wording_.has_source()) close();
  }
  close();
  return all;
}

std::size_t HistoryText::last_messages(std::size_t n, std::size_t to) const {
  std::size_t count = 0;
  std::string first;  // role of the earliest message so far
  std::size_t i = std::min(to, question_.history.size());
  for (; i > begin_; --i) {
    const std::vector<ChatMessage> more = messages(i - 1, begin_);
    for (auto m = more.rbegin(); m != more.rend(); ++m)
      if (m->role != first) first = m->role, ++count;
    if (count > n) break;
  }
  return i;
}

OwnText HistoryText::last_answer(Purpose purpose) const {
  OwnText own;
  for (std::size_t i = question_.history.size(); i > begin_; --i) {
    const Delivery& d = at(i - 1);
    if (d.what != Delivery::What::answer || sort_of(d.purpose) != sort_of(purpose)) continue;
    // An account that was worked out without the model is not its own.
    if (d.by == Delivery::By::seat && d.said.empty() && purpose == Purpose::belief) {
      own.was_given = true;
      return own;
    }
    // The reasons that were given with it are part of it.
    std::string reasons(trimmed(end_of(read_again(d, form_).thought, style_)));
    // What the game put in the place of an answer is nobody's plan or account.
    if (d.by == Delivery::By::fallback || (reasons.empty() && says_nothing(d.json))) {
      own.was_missed = true;
      continue;
    }
    own.was_given = true;
    own.at = i - 1;
    own.text = trimmed(own_text(d.type, d.json, style_));
    // What was said on the way to an account that the game shows itself is none.
    if (purpose == Purpose::belief && own.text.empty()) reasons.clear();
    if (!reasons.empty()) own.text = reasons + (own.text.empty() ? "" : "\n\n" + own.text);
    return own;
  }
  if (purpose == Purpose::learn) own.text = taken_along(question_.history, style_);
  return own;
}

std::vector<OwnMove> HistoryText::own_moves() const {
  std::vector<OwnMove> all;
  for (std::size_t i = begin_; i < question_.history.size(); ++i)
    if (at(i).what == Delivery::What::answer && at(i).purpose == Purpose::act)
      all.push_back({i, in_words(at(i), style_) +
                            (at(i).by == Delivery::By::seat ? "" : " (played for you)")});
  return all;
}

std::vector<ChatMessage> HistoryText::to_correct() const {
  if (!question_.probe || question_.history.size() < begin_ + 2) return {};
  const Delivery& last = at(question_.history.size() - 1);
  if (last.what != Delivery::What::answer || last.name != question_.stage ||
      at(question_.history.size() - 2).what != Delivery::What::question || !belongs_to_a_part(last))
    return {};
  std::vector<ChatMessage> out{{"user", say(ModelLine("- you were asked the same before:"))}};
  for (ChatMessage& m : answer(last)) out.push_back(std::move(m));
  return out;
}

}  // namespace agon::llm
