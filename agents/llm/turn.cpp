#include "llm/turn.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>

#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/data_text.hpp"
#include "llm/wire/call_outcome.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {
namespace {

/// The prompt that tells why an answer was turned down.
constexpr std::string_view kAgain = "part-again";

/// A note with the length of the history when notes were last written.
constexpr std::string_view kWrittenAt = "written-at";

bool same_messages(const std::vector<ChatMessage>& a, const std::vector<ChatMessage>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ChatMessage& x, const ChatMessage& y) {
                      return x.role == y.role && x.text == y.text;
                    });
}

/// Whether a recorded call asked for this, with or without the words for the form.
bool asks_for(const ModelCall& call, const ModelRequest& request) {
  if (call.purpose != request.purpose) return false;
  if (same_messages(call.messages, request.messages)) return true;
  if (request.messages.empty()) return false;
  for (const std::string& words :
       {form_after(request), bounds_after(request.schema, *request.language)}) {
    std::vector<ChatMessage> with_words = request.messages;
    last_of_user(with_words).text += words;
    if (same_messages(call.messages, with_words)) return true;
  }
  return false;
}

bool does_not_fit(const ModelCall& call) {
  return call.fault == Fault::truncated && call.finish == "context_length";
}

constexpr auto kAll = static_cast<std::size_t>(-1);

/// The messages without the older half of what is remembered, which is what stands between the
/// first message and the last; nothing if there is no more to leave out.
std::optional<std::vector<ChatMessage>> without_older_half(const std::vector<ChatMessage>& messages,
                                                           const Language& language) {
  if (messages.size() < 3) return {};
  const auto begin = messages.begin() + 1;
  const auto end = messages.end() - 1;
  std::size_t all = 0;
  for (auto m = begin; m != end; ++m) all += m->text.size();
  auto kept = begin;
  for (std::size_t dropped = 0; kept != end && dropped * 2 < all; ++kept)
    dropped += kept->text.size();
  while (kept != end && kept->role != "user") ++kept;
  std::vector<ChatMessage> shorter{messages.front()};
  shorter.insert(shorter.end(), kept, messages.end());
  shorter[1].text.insert(
      0, language.say(ModelLine("(What came before this is left out: there is no room for it.)")) +
             "\n\n");
  return shorter;
}

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

/// A reason without the sign for the whole answer before a member's name: next to money it reads
/// like dollars.
std::string in_words(std::string refusal) {
  for (std::size_t at = refusal.find("$."); at != std::string::npos; at = refusal.find("$.", at))
    if (at == 0 || refusal[at - 1] == ' ')
      refusal.erase(at, 2);
    else
      at += 2;
  return refusal;
}

/// The same with a full stop, where it has none.
std::string as_sentence(std::string text, const Language& language) {
  if (!text.empty() && std::string_view(".!?").find(text.back()) == std::string_view::npos)
    return language.say(ModelLine("{text}."), {{"text", std::move(text)}});
  return text;
}

/// A name from a setting, in a prompt.
std::string safe_name(std::string_view name) {
  constexpr std::size_t kLongest = 80;
  return printable(name.substr(0, kLongest));
}

}  // namespace

Turn::Turn(const OwnedQuestion& question, const Parts& parts, const Prompts& prompts,
           Provider& provider, const DataStyle& style, LineCache& cache,
           std::chrono::steady_clock::time_point deadline, bool own_words)
    : question_(question),
      parts_(parts),
      prompts_(prompts),
      provider_(provider),
      style_(style),
      deadline_(deadline),
      history_(question, parts.form.get(), style, cache, own_words) {
  if (question.kept != nullptr) kept_ = *static_cast<const Kept*>(question.kept.get());
  earlier_ = kept_.made.size();
  reused_.resize(earlier_);
  // What could be read may still have been against the rules.
  for (const auto& call : {kept_.last_read, kept_.last_said})
    if (call && kept_.made[*call].refusal.empty()) kept_.made[*call].refusal = question.complaint;
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

std::size_t Turn::phase_from(std::size_t place) const {
  return history_.phase_from(place);
}

std::string Turn::events(std::size_t from, std::size_t to) const {
  return history_.events(from, to, remembered_from());
}

std::size_t Turn::remembered_from() const {
  return std::max(parts_.memory->from(*this), history_.begin());
}

std::vector<ChatMessage> Turn::dialogue(std::size_t from, std::size_t to) const {
  return history_.dialogue(from, to);
}

std::size_t Turn::last_messages(std::size_t n, std::size_t to) const {
  return history_.last_messages(n, to);
}

std::string Turn::headed(std::string_view title, const OwnText& own) const {
  if (own.text.empty()) return {};
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

std::string Turn::memo() const {
  JsonWriter json;
  json.open_object();
  for (const auto& [part, text] : notes_)
    if (!text.empty() && part != kWrittenAt) json.name(part).text(text);
  if (history_.is_apart()) json.name(kWrittenAt).text(std::to_string(question_.history.size()));
  return json.close_object().take();
}

ModelCall Turn::call(const ModelRequest& request) {
  const std::size_t place = ask(request, request.is_answer);
  ModelCall call = kept_.made[place].call;
  if (request.is_answer) {
    kept_.last_said = place;
    kept_.made[place].was_refused = call.fault == Fault::refused;
  }
  // A thought without an end is no text.
  if (call.fault == Fault::ok && is_open_thought(call.text)) {
    call.fault = Fault::empty;
    call.text.clear();
  }
  return call;
}

std::string Turn::left_after(int attempt, bool has_refused) const {
  const int left = question_.attempt + question_.tries - attempt - 1;
  if (left < 1) return {};
  const Language& words = *question_.language;
  std::string then = words.say(ModelLine("the question is passed over"));
  if (!question_.probe) {
    const std::string answer =
        answer_in_words(question_.answer_type, question_.fallback,
                        {.names = question_.seat_names, .language = question_.language}, false);
    then = question_.fallback.empty() || answer.empty()
               ? words.say(ModelLine("the arena plays for you"))
               : words.say(ModelLine("the arena plays for you: {answer}"), {{"answer", answer}});
  }
  if (left == 1)
    return words.say(ModelLine("This is your last try: if it is turned down too, {then}."),
                     {{"then", then}});
  return words.say(has_refused ? ModelLine("You have {n} tries left, and another refusal is the "
                                           "last; then {then}.")
                               : ModelLine("You have {n} tries left; after them {then}."),
                   {{"n", std::to_string(left)}, {"then", then}});
}

void Turn::add_refusal(ModelRequest& request, int attempt, const Made& made, bool has_refused) {
  const PromptName names[] = {
      {"complaint", as_sentence(printable(in_words(made.refusal)), *question_.language)},
      {"left", left_after(attempt, has_refused)}};
  const std::string again = render(kAgain, names);
  told_complaint_ = true;
  request.messages.insert(request.messages.end(), made.tools.begin(), made.tools.end());
  if (made.call.text.find_first_not_of(" \t\r\n") != std::string::npos)
    request.messages.push_back({"assistant", end_of(made.call.text, style_)});
  request.append_user(again);
}

std::size_t Turn::ask(ModelRequest request, bool reads) {
  int refusals = 0;
  bool has_refused = false;
  for (std::size_t i = 0; i < kept_.made.size(); ++i) {
    const Made& m = kept_.made[i];
    if (m.purpose != request.purpose || !same_messages(m.messages, request.messages)) continue;
    if (!m.refusal.empty()) {
      has_refused = has_refused || m.was_refused;
      add_refusal(request, refusals++, m, has_refused);
      request.says_form = m.was_unreadable;
    } else if (i < earlier_ && !reused_[i]) {
      reused_[i] = true;
      return i;
    }
  }
  request.language = question_.language;
  if (reads && !told_complaint_ && !question_.complaint.empty())
    add_refusal(request, question_.attempt - 1, {.refusal = question_.complaint}, false);
  // The system prompt comes again always, and what is remembered where nothing is forgotten.
  request.stable = remembered_from() == history_.begin() ? request.messages.size() - 1 : 1;

  std::vector<ChatMessage> used;
  ModelCall made = call_with_tools(request, used);
  if (does_not_fit(made))
    if (auto shorter = without_older_half(request.messages, *request.language)) {
      ModelRequest again = request;
      again.messages = *std::move(shorter);
      used.clear();
      made = call_with_tools(std::move(again), used);
    }
  has_no_room_ = does_not_fit(made);
  kept_.made.push_back({std::string(request.purpose), std::move(request.messages), std::move(made),
                        std::move(used)});
  return kept_.made.size() - 1;
}

std::string Turn::tool_result(const ToolCall& call) {
  const Tools& tools = *parts_.tools;
  if (kept_.tool_calls >= tools.most_calls())
    return "Nothing came of this call: none is left for this question. Answer now.";
  ++kept_.tool_calls;
  std::string result;
  try {
    result = tools.result(*this, call.name, call.arguments);
  } catch (const Error& error) {
    result = "Nothing came of this call: " +
             as_sentence(printable(error.problem()), Language::english());
  }
  if (kept_.tool_calls == tools.most_calls()) result += "\n(That was the last call. Answer now.)";
  return result;
}

ModelCall Turn::call_with_tools(ModelRequest request, std::vector<ChatMessage>& used) {
  if (request.may_use_tools && parts_.tools != nullptr) request.tools = parts_.tools->offered();
  if (request.tools.empty()) return call_once(request);
  for (;;) {
    request.must_answer = kept_.tool_calls >= parts_.tools->most_calls();
    ModelCall made = call_once(request);
    if (made.fault != Fault::ok || made.finish != kToolCalls) return made;
    const std::vector<ToolCall> calls = read_tool_calls(made.text);
    if (calls.empty()) return made;
    used.push_back({std::string(kToolCalls), made.text});
    for (const ToolCall& call : calls)
      used.push_back({std::string(kToolResult), call.id + "\n" + tool_result(call)});
    const auto first = used.end() - static_cast<std::ptrdiff_t>(calls.size() + 1);
    request.messages.insert(request.messages.end(), first, used.end());
  }
}

void Turn::note_read(std::size_t call, const ModelAnswer& answer) {
  kept_.last_read = call;
  if (!is_played(answer.fault)) kept_.made[call].refusal = answer.problem;
  kept_.made[call].was_unreadable = answer.fault == Fault::unparsable;
  kept_.made[call].was_refused = answer.fault == Fault::refused;
}

std::shared_ptr<const void> Turn::take_kept() {
  return std::make_shared<const Kept>(std::move(kept_));
}

ModelCall Turn::call_once(const ModelRequest& request) {
  CallLedger* ledger = question_.ledger.get();
  // A closed ledger is read for what was said: the prompts may have been others, and calls made
  // that are not made now.
  if (is_reading()) {
    while (auto found = ledger->find(calls_++))
      if (found->purpose == request.purpose) return *std::move(found);
    throw CallFailed{
        {.status = Fault::provider_failed,
         .problem = "there is no record of a call for '" + std::string(request.purpose) + "'"}};
  }
  const int index = calls_++;
  if (ledger != nullptr)
    if (auto found = ledger->find(index); found && asks_for(*found, request))
      return *std::move(found);
  return make(request, index);
}

ModelCall Turn::make(const ModelRequest& request, int index) {
  CallLedger* ledger = question_.ledger.get();
  if (ledger != nullptr)
    if (const Halt halt = ledger->admit(provider_.estimate(request)); halt != Halt::no)
      throw CallFailed{{.status = Fault::provider_failed,
                        .problem = "a cap of the run is reached",
                        .halt = halt}};
  const Dice dice(combine(question_.dice_key, static_cast<std::uint64_t>(index) + 1),
                  question_.dice_place, static_cast<std::uint32_t>(question_.attempt));
  ModelResult result = provider_.call(request, deadline_, dice);
  ModelCall& made = result.call;
  made.purpose = request.purpose;
  split_thought(made.text, made.reasoning);
  // A call that may not be made any more is no call: its words are read as an answer.
  if (request.must_answer && made.finish == kToolCalls) made.finish = "tool_calls, too many";
  if (made.fault == Fault::provider_failed) {
    if (ledger != nullptr) ledger->give_back(index, made);
    throw CallFailed{
        {.status = Fault::provider_failed,
         .problem = made.problem.empty() ? "the model could not be called" : made.problem,
         .halt = result.halt}};
  }
  if (ledger != nullptr) ledger->keep(index, made);
  return std::move(made);
}

bool Turn::is_reading() const {
  return question_.ledger != nullptr && question_.ledger->is_closed();
}

bool Turn::has_prompt(std::string_view file) const {
  return prompts_.find(file) != nullptr;
}

std::string Turn::render(std::string_view file, std::span<const PromptName> more) const {
  // What was said is read whatever was asked; the prompts of then may know other names.
  if (is_reading()) return {};
  const Template& text = prompts_.get(file);
  return text.fill([&](std::string_view name) {
    for (const PromptName& own : more)
      if (own.name == name) return own.text;
    try {
      return name_text(name);
    } catch (const Error& error) {
      throw error.within(prompts_.file(file));
    }
  });
}

std::string Turn::view_text() const {
  if (!question_.view_told.empty()) return bounded_telling(question_.view_told, style_);
  return data_text(question_.view_type, question_.view_json, style_);
}

std::string Turn::member_text(std::string_view name, std::string_view wanted, const Type* type,
                              const std::vector<RawMember>& members) const {
  if (type != nullptr)
    for (const Field& f : type->fields) {
      if (f.name != wanted) continue;
      for (const RawMember& m : members) {
        if (m.name != wanted) continue;
        // Sentences of the game itself, about its own settings, are no data of others.
        const bool own = (type == question_.facts_type || f.prose) && f.type->kind == Kind::text;
        return own ? text_of(m.json) : data_text(f.type, m.json, style_);
      }
    }
  throw Error(ErrorKind::invalid,
              "at stage '" + question_.stage + "' nothing is called '" + std::string(name) + "'",
              "", "docs/prompts.md lists the names");
}

std::string Turn::name_text(std::string_view name) const {
  if (name.starts_with("view.")) {
    // Views can be long and prompts name many members: found once, looked up often.
    if (!view_members_) view_members_ = members_of(question_.view_json);
    return member_text(name, name.substr(5), question_.view_type, *view_members_);
  }
  if (name.starts_with("facts.")) {
    if (!facts_members_) facts_members_ = members_of(question_.facts_json);
    return member_text(name, name.substr(6), question_.facts_type, *facts_members_);
  }
  if (name == "rules") return question_.rules;
  if (name == "title") return question_.title;
  if (name == "seat") return safe_name(question_.seat_name);
  if (name == "role") return safe_name(question_.role);
  if (name == "others") {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < question_.seat_names.size(); ++i)
      if (static_cast<int>(i) != question_.seat)
        others.push_back(safe_name(question_.seat_names[i]));
    return question_.language->listed(others);
  }
  if (name == "persona") {
    std::string persona = parts_.persona->text(question_);
    return persona.empty() ? question_.persona : persona;
  }
  if (name == "task") return question_.stage_doc;
  if (name == "stage") return question_.stage;
  // Before the first answer there is no news: what was told so far stands in the opening.
  if (name == "news") return has_answered() ? history_.news(remembered_from()) : std::string();
  if (name == "plan") return plan_text_;
  if (name == "beliefs") return beliefs_text_;
  if (name == "notes") return notes_text_;
  if (name == "view") return view_text();
  return member_text(name, name, nullptr, {});
}

bool Turn::has_answered() const {
  const std::size_t news = history_.news_from();
  return news > history_.begin();
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

const std::vector<ChatMessage>& Turn::opening() {
  if (!heard_parts_) {
    hear_parts();
    return *opening_;
  }
  if (!opening_) {
    const auto said = [&](ModelLine heading) { return question_.language->say(heading) + "\n"; };
    std::vector<ChatMessage> messages{{"system", render("system", {})}};
    std::vector<ChatMessage> memory = parts_.memory->messages(*this);
    if (!has_answered()) {
      memory.clear();
      if (std::string told = history_.events(0, kAll, kAll); !told.empty())
        memory.push_back({"user", said(ModelLine("What has happened so far:")) + told});
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
    // Lines that no answer follows stand before the question: they are told what they are.
    ChatMessage& last = messages.back();
    if (has_answered() && last.role == "user" && last.text.starts_with("- "))
      last.text.insert(
          0, said(messages.size() > 2 ? ModelLine("What has happened since your last answer:")
                                      : ModelLine("What has happened so far:")));
    opening_ = std::move(messages);
  }
  return *opening_;
}

const std::string& Turn::task() {
  hear_parts();
  if (!task_) task_ = render(has_prompt(question_.stage) ? question_.stage : "task", {});
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
  if (request.schema.empty())
    request.messages.back().text += form_after(request), request.form = {};
  const std::size_t place = ask(std::move(request), true);
  const ModelCall& call = kept_.made[place].call;
  ModelAnswer answer = has_words(call) ? parts_.form->read(question_, call.text)
                                       : nothing_in(call, question_.attempt, *question_.language);
  answer.said = call.text;
  if (shows_thoughts_ && !call.reasoning.empty())
    answer.said = "<think>\n" + call.reasoning + "\n</think>\n" + call.text;
  note_read(place, answer);
  return answer;
}

ModelAnswer Turn::ask_for(const Type& type, ModelRequest request,
                          std::span<const LimitData> limits) {
  request.schema = schema_json(type, limits, *question_.language);
  if (const auto usual = usual_limits(type, limits); !usual.empty())
    request.usual = schema_json(type, usual, *question_.language);
  const std::size_t place = ask(std::move(request), true);
  const ModelCall& call = kept_.made[place].call;
  ModelAnswer answer = has_words(call) ? read_value(type, limits, call.text, *question_.language)
                                       : nothing_in(call, question_.attempt, *question_.language);
  note_read(place, answer);
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
