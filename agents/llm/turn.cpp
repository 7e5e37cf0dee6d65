#include "llm/turn.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>

#include "llm/answer/distribution.hpp"
#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/data_text.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {
namespace {

/// A note with the length of the history when notes were last written.
constexpr std::string_view kWrittenAt = "written-at";

constexpr auto kAll = static_cast<std::size_t>(-1);

/// Whether there is something to read in a call: also where its limit of tokens cut nothing off but
/// blanks, of which local servers write without end. Only where the endpoint hands on the words as
/// they came: what it puts together of a call that was cut need not be what was meant.
bool has_words(const ModelCall& call) {
  return call.fault == Fault::ok ||
         (call.fault == Fault::truncated && call.finish == "length" && is_complete(call.text));
}

/// What to say of a call that brought no text to read; an answer that was cut off is asked for
/// again, the shorter the more `attempt`s there were.
ModelAnswer nothing_in(const ModelCall& call, int attempt, const Language& language) {
  // What endpoints and providers say of it is in English.
  const std::string problem =
      !call.problem.empty() && language.is_english() ? call.problem
      : call.fault == Fault::refused   ? language.say(ModelLine("a refusal is no answer"))
      : call.fault == Fault::truncated ? language.say(ModelLine("the answer was cut off"))
                                       : language.say(ModelLine("nothing was said"));
  if (call.fault != Fault::truncated || does_not_fit(call))
    return {.fault = call.fault, .problem = problem};
  return {
      .fault = call.fault,
      .problem = language.say(
          attempt == 0 ? ModelLine("{problem}; keep all that comes before the answer itself short")
                       : ModelLine("{problem}; this time one short sentence may come before the "
                                   "answer, and no more"),
          {{"problem", problem}})};
}

/// Plans are kept with the reasons and limits that are in them: one that has no room for words is
/// asked for with its reasons.
bool needs_reasons(const OwnedQuestion& question) {
  return (question.purpose == Purpose::plan || question.purpose == Purpose::replan) &&
         question.answer_type->kind == Kind::structure &&
         std::none_of(question.answer_type->fields.begin(), question.answer_type->fields.end(),
                      [](const Field& f) { return f.type->kind == Kind::text; });
}

std::string view_text(const OwnedQuestion& question, const DataStyle& style) {
  if (!question.view_told.empty()) return bounded_telling(question.view_told, style);
  return data_text(question.view_type, question.view_json, style);
}

}  // namespace

Turn::Turn(const OwnedQuestion& question, const Parts& parts, const Prompts& prompts,
           const AgentModels& models, const DataStyle& style, LineCache& cache,
           std::chrono::steady_clock::time_point deadline, bool own_words)
    : question_(question),
      parts_(parts),
      prompts_(prompts),
      style_(style),
      wording_(question, prompts, style),
      history_(*this, *parts.memory, parts.form.get(), wording_, style, cache, own_words),
      calls_(*this, history_, parts.tools.get(), models, style, deadline) {
  if (question.memo.empty()) return;
  boost::json::error_code error;
  const auto memo = boost::json::parse(question.memo, error);
  if (error || !memo.is_object())
    throw Error(ErrorKind::invalid, "the recorded memo is not a model agent's", question.match);
  for (const auto& entry : memo.get_object())
    if (entry.value().is_string())
      notes_.emplace(std::string(entry.key()), std::string(entry.value().get_string()));
  // Nothing is known of a play that this one is to know nothing of.
  if (history_.begin() > std::strtoul(note(kWrittenAt).c_str(), nullptr, 10)) notes_.clear();
}

Dice Turn::dice() const {
  return Dice(question_.dice_key, question_.dice_place,
              static_cast<std::uint32_t>(question_.attempt));
}

std::string Turn::headed(std::string_view title, const OwnText& own) const {
  if (own.text.empty() || prompts_.folder().without_headings) return own.text;
  const Language& words = *question_.language;
  return words.say(own.was_missed
                       ? ModelLine("{title}, written {when} (asked to write it anew since, you "
                                   "gave nothing that could be kept):")
                       : ModelLine("{title}, written {when}:"),
                   {{"title", std::string(words.text(title))}, {"when", history_.date(own.at)}}) +
         "\n" + own.text;
}

std::string Turn::note(std::string_view part) const {
  const auto found = notes_.find(part);
  return found == notes_.end() ? std::string() : found->second;
}

void Turn::write_note(std::string_view part, std::string text) {
  auto& held = notes_[std::string(part)];
  if (held == text) return;
  held = std::move(text);
  notes_changed_ = true;
}

std::optional<std::string> Turn::memo() const {
  if (!notes_changed_) return {};
  JsonWriter json;
  json.open_object();
  for (const auto& [part, text] : notes_)
    if (!text.empty() && part != kWrittenAt) json.name(part).text(text);
  if (history_.is_apart()) json.name(kWrittenAt).text(std::to_string(question_.history.size()));
  return json.close_object().take();
}

ModelCall Turn::call(const ModelRequest& request) {
  const std::size_t place = calls_.ask(request, request.is_answer);
  if (request.is_answer) calls_.note_said(place);
  ModelCall call = calls_.at(place);
  // A thought without an end is no text.
  if (call.fault == Fault::ok && is_open_thought(call.text)) {
    call.fault = Fault::empty;
    call.text.clear();
  }
  return call;
}

bool Turn::has_prompt(std::string_view file) const {
  return prompts_.find(file) != nullptr;
}

std::string Turn::render(std::string_view file, std::span<const PromptName> more) const {
  // What was said is read whatever was asked; the prompts of then may know other names.
  if (calls_.is_reading()) return {};
  const Template& text = prompts_.get(file);
  return text.fill({[&](std::string_view name) {
                      for (const PromptName& own : more)
                        if (own.name == name) return own.text;
                      try {
                        return name_text(name);
                      } catch (const Error& error) {
                        throw error.within(prompts_.file(file));
                      }
                    },
                    [&](std::string_view name) { return wording_.each(name); }});
}

std::string Turn::name_text(std::string_view name) const {
  if (name == "persona") {
    std::string persona = parts_.persona->text(question_);
    if (persona.empty() && !question_.persona.empty()) persona = wording_.persona();
    return persona.empty() ? question_.persona : persona;
  }
  if (name == "task") return question_.stage_doc;
  if (name == "stage") return question_.stage;
  // Before the first answer there is no news: what was told so far stands in the opening.
  if (name == "news")
    return history_.has_answered() && !ends_with_news() ? history_.news() : std::string();
  if (name == "plan") return plan_text_;
  if (name == "beliefs") return beliefs_text_;
  if (name == "notes") return notes_text_;
  if (name == "view") return view_text(question_, style_);
  if (std::optional<std::string> text = wording_.text(name)) return *std::move(text);
  throw wording_.unknown(name);
}

void Turn::hear_parts() {
  if (heard_parts_) return;
  heard_parts_ = true;
  notes_text_ = parts_.memory->notes(*this);
  if (const std::string lessons = parts_.learning->lessons(*this); !lessons.empty())
    notes_text_.insert(0, notes_text_.empty() ? lessons : lessons + "\n\n");
  opening();
  beliefs_text_ = parts_.beliefs->text(*this);
  plan_text_ = parts_.planning->plan(*this);
}

std::string_view Turn::task_file() const {
  return has_prompt(question_.stage) ? std::string_view(question_.stage) : "task";
}

bool Turn::ends_with_news() const {
  if (prompts_.have_source() || calls_.is_reading()) return false;
  return history_.remembered_from() < history_.news_from() && prompts_.get(task_file()).has("news");
}

namespace {

/// Says of the lines that were told what they are. `is_all`: they go back to the beginning.
void head_lines(std::vector<ChatMessage>& messages, const Language& language, bool has_source,
                bool is_all) {
  const auto head = [&](ChatMessage& m, ModelLine heading) {
    if (m.role == "user" && m.text.starts_with("- "))
      m.text.insert(0, language.say(heading) + "\n");
  };
  if (!has_source) {
    // As at the first question, and the same at all: what comes later follows an answer.
    if (messages.size() == 2 || (messages.size() > 2 && is_all))
      head(messages[1], ModelLine("What has happened so far:"));
    return;
  }
  // Lines that no answer follows stand before the question: they are told what they are.
  head(messages.back(), messages.size() > 2 ? ModelLine("What has happened since your last answer:")
                                            : ModelLine("What has happened so far:"));
}

}  // namespace

const std::vector<ChatMessage>& Turn::opening() {
  if (!heard_parts_) {
    hear_parts();
    return *opening_;
  }
  if (!opening_) {
    const auto said = [&](ModelLine heading) { return question_.language->say(heading) + "\n"; };
    std::vector<ChatMessage> messages{{"system", render("system", {})}};
    std::vector<ChatMessage> memory = parts_.memory->messages(*this);
    if (!history_.has_answered()) {
      memory.clear();
      if (std::string told = history_.events(0, kAll, kAll); !told.empty())
        memory.push_back(
            {"user",
             (told.starts_with("- ") ? said(ModelLine("What has happened so far:")) : "") + told});
    } else if (ends_with_news()) {
      if (std::string told = history_.events(history_.news_from(), kAll); !told.empty())
        memory.push_back({"user", std::move(told)});
    }
    for (ChatMessage& m : history_.to_correct()) memory.push_back(std::move(m));
    // What is remembered begins with what was told: an answer to nothing only confuses.
    const auto first = std::find_if(memory.begin(), memory.end(),
                                    [](const ChatMessage& m) { return m.role != "assistant"; });
    for (auto m = first; m != memory.end(); ++m) {
      if (m->role == messages.back().role)
        messages.back().text += "\n" + m->text;
      else
        messages.push_back(std::move(*m));
    }
    if (history_.has_answered())
      head_lines(messages, *question_.language, prompts_.have_source(),
                 history_.remembered_from() == history_.begin());
    opening_ = std::move(messages);
  }
  return *opening_;
}

const std::string& Turn::task() {
  hear_parts();
  if (!task_) task_ = render(task_file(), {});
  return *task_;
}

std::string Turn::form(Thinking thinking) const {
  return parts_.form->instructions(question_, thinking);
}

ModelAnswer Turn::ask_for_answer(const std::string& prompt, std::string_view purpose,
                                 Thinking thinking) {
  if (needs_reasons(question_)) thinking = Thinking::first;
  ModelRequest request;
  request.purpose = purpose;
  request.messages = opening();
  request.append_user(prompt);
  request.schema = parts_.form->schema(question_, thinking);
  if (const auto usual = usual_limits(*question_.answer_type, question_.limits.get());
      !usual.empty())
    request.usual =
        answer_schema(question_, request.schema.empty() ? Thinking::none : thinking, usual);
  request.form = form(thinking);
  request.may_use_tools = true;
  if (draws_answers_ && thinking == Thinking::none) ask_for_option(request, question_);
  if (request.schema.empty() && request.options.empty())
    request.messages.back().text += form_after(request), request.form = {};
  const std::size_t place = calls_.ask(std::move(request), true);
  const ModelCall& call = calls_.at(place);
  const bool is_drawn = call.finish == kDistribution;
  ModelAnswer answer = is_drawn          ? drawn_answer(call, *question_.language)
                       : has_words(call) ? parts_.form->read(question_, call.text)
                                         : nothing_in(call, question_.attempt, *question_.language);
  if (!is_drawn) answer.said = call.text;
  if (shows_thoughts_ && !is_drawn && !call.reasoning.empty())
    answer.said = "<think>\n" + call.reasoning + "\n</think>\n" + call.text;
  calls_.note_read(place, answer);
  return answer;
}

ModelAnswer Turn::ask_for(const Type& type, ModelRequest request,
                          std::span<const LimitData> limits) {
  request.schema = schema_json(type, limits, *question_.language);
  if (const auto usual = usual_limits(type, limits); !usual.empty())
    request.usual = schema_json(type, usual, *question_.language);
  const std::size_t place = calls_.ask(std::move(request), true);
  const ModelCall& call = calls_.at(place);
  ModelAnswer answer = has_words(call) ? read_value(type, limits, call.text, *question_.language)
                                       : nothing_in(call, question_.attempt, *question_.language);
  calls_.note_read(place, answer);
  return answer;
}

bool Turn::wants_to_answer() const {
  if (!question_.probe || parts_.reasoning->answers_probe(question_)) return true;
  switch (question_.purpose) {
    case Purpose::plan:
      return parts_.planning->answers(false);
    case Purpose::replan:
      return parts_.planning->answers(true);
    case Purpose::learn:
      return parts_.learning->answers();
    case Purpose::belief: {
      // The same question once more, with nothing told in between: the last answer was corrected.
      bool corrected = false;
      if (!question_.history.empty()) {
        const Delivery& last = question_.history.back();
        corrected = last.what == Delivery::What::answer && last.name == question_.stage;
      }
      return parts_.beliefs->answers(corrected);
    }
    case Purpose::act:
    case Purpose::other:
      break;
  }
  return true;
}

}  // namespace agon::llm
