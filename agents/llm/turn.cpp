#include "llm/turn.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>

#include "llm/answer/read_answer.hpp"
#include "llm/prompt/members.hpp"

namespace agon::llm {
namespace {

/// The note that says which question of a purpose was answered last.
std::string_view answered_note(Purpose purpose) {
  switch (purpose) {
    case Purpose::plan:
    case Purpose::replan:
      return "answered-plan";
    case Purpose::belief:
      return "answered-belief";
    case Purpose::learn:
      return "answered-learn";
    case Purpose::act:
    case Purpose::other:
      break;
  }
  return "";
}

bool same_messages(const std::vector<ChatMessage>& a, const std::vector<ChatMessage>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ChatMessage& x, const ChatMessage& y) {
                      return x.role == y.role && x.text == y.text;
                    });
}

bool does_not_fit(const ModelCall& call) {
  return call.fault == Fault::truncated && call.finish == "context_length";
}

/// The messages without the older half of what is remembered, which is what stands between the
/// first message and the last; nothing if there is no more to leave out.
std::optional<std::vector<ChatMessage>> without_older_half(
    const std::vector<ChatMessage>& messages) {
  if (messages.size() < 3) return {};
  const auto begin = messages.begin() + 1;
  const auto end = messages.end() - 1;
  std::size_t all = 0;
  for (auto m = begin; m != end; ++m) all += m->text.size();
  auto kept = begin;
  for (std::size_t dropped = 0; kept != end && dropped * 2 < all; ++kept)
    dropped += kept->text.size();
  while (kept != end && kept->role == "assistant") ++kept;
  std::vector<ChatMessage> shorter{messages.front()};
  shorter.insert(shorter.end(), kept, messages.end());
  shorter[1].text.insert(0, "(What came before this is left out: there is no room for it.)\n\n");
  return shorter;
}

/// What to say of a call that brought no text to read; an answer that was cut off is asked for
/// again, the shorter the more `attempt`s there were.
ModelAnswer nothing_in(const ModelCall& call, int attempt) {
  const std::string problem = !call.problem.empty()            ? call.problem
                              : call.fault == Fault::refused   ? "the model would not answer"
                              : call.fault == Fault::truncated ? "the answer was cut off"
                                                               : "nothing was said";
  if (call.fault != Fault::truncated || does_not_fit(call))
    return {.fault = call.fault, .problem = problem};
  return {.fault = call.fault,
          .problem = problem + (attempt == 0 ? "; answer briefly"
                                             : "; do not think at length: write down the answer "
                                               "at once, and nothing else")};
}

/// A name from a setting, in a prompt.
std::string safe_name(std::string_view name) {
  constexpr std::size_t kLongest = 80;
  return printable(name.substr(0, kLongest));
}

}  // namespace

Turn::Turn(const OwnedQuestion& question, const Parts& parts, const Prompts& prompts,
           Provider& provider, const DataStyle& style, LineCache& cache,
           std::chrono::steady_clock::time_point deadline)
    : question_(question),
      parts_(parts),
      prompts_(prompts),
      provider_(provider),
      style_(style),
      deadline_(deadline),
      history_(question, style, cache) {
  if (question.memo.empty()) return;
  boost::json::error_code error;
  const auto memo = boost::json::parse(question.memo, error);
  if (error || !memo.is_object())
    throw Error(ErrorKind::invalid, "the recorded memo is none of a model agent", question.match);
  for (const auto& entry : memo.get_object())
    if (entry.value().is_string())
      notes_.emplace(std::string(entry.key()), std::string(entry.value().get_string()));
}

Dice Turn::dice() const {
  return Dice(question_.dice_key, question_.dice_place,
              static_cast<std::uint32_t>(question_.attempt));
}

std::size_t Turn::phase_from(std::size_t place) const {
  return history_.phase_from(place);
}

std::string Turn::events(std::size_t from, std::size_t to) const {
  return history_.events(from, to);
}

std::vector<ChatMessage> Turn::dialogue(std::size_t from, std::size_t to) const {
  return history_.dialogue(from, to);
}

std::string Turn::last_answer(Purpose purpose) const {
  const std::string number = note(answered_note(purpose));
  if (number.empty()) return {};
  const Delivery* answer =
      history_.answer_to(static_cast<std::uint32_t>(std::strtoul(number.c_str(), nullptr, 10)));
  return answer == nullptr ? std::string() : data_text(answer->type, answer->json, style_);
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
    if (!text.empty()) json.name(part).text(text);
  return json.close_object().take();
}

ModelCall Turn::call(const ModelRequest& request) {
  ModelCall made = call_once(request);
  if (does_not_fit(made))
    if (auto shorter = without_older_half(request.messages)) {
      ModelRequest again = request;
      again.messages = *std::move(shorter);
      made = call_once(again);
    }
  has_no_room_ = does_not_fit(made);
  return made;
}

ModelCall Turn::call_once(const ModelRequest& request) {
  const int index = calls_++;
  CallLedger* ledger = question_.ledger.get();
  if (ledger != nullptr) {
    auto found = ledger->find(index);
    if (found && found->purpose == request.purpose &&
        same_messages(found->messages, request.messages))
      return *std::move(found);
    if (ledger->is_closed())
      throw CallFailed{
          {.status = Fault::provider_failed,
           .problem = found ? "the recorded call " + std::to_string(index) +
                                  " asks for something else than the agent does now: its prompts "
                                  "or its parts have changed"
                            : "there is no record of call " + std::to_string(index) + " (" +
                                  std::string(request.purpose) + ")"}};
  }
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

bool Turn::has_prompt(std::string_view file) const {
  return prompts_.find(file) != nullptr;
}

std::string Turn::render(std::string_view file, std::span<const PromptName> more) const {
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
  if (!question_.view_told.empty()) return bounded_telling(question_.view_told, style_.longest);
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
    return listed(others);
  }
  if (name == "persona") {
    std::string persona = parts_.persona->text(question_);
    return persona.empty() ? question_.persona : persona;
  }
  if (name == "task") return question_.stage_doc;
  if (name == "stage") return question_.stage;
  if (name == "news") return history_.events(history_.news_from(), static_cast<std::size_t>(-1));
  if (name == "plan") return plan_text_;
  if (name == "beliefs") return beliefs_text_;
  if (name == "notes") return notes_text_;
  if (name == "complaint") return printable(question_.complaint);
  if (name == "view") return view_text();
  return member_text(name, name, nullptr, {});
}

void Turn::hear_parts() {
  if (heard_parts_) return;
  heard_parts_ = true;
  notes_text_ = parts_.memory->notes(*this);
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
    std::vector<ChatMessage> messages{{"system", render("system", {})}};
    std::vector<ChatMessage> memory = parts_.memory->messages(*this);
    // What is remembered begins with what was told: an answer to nothing only confuses.
    const auto first = std::find_if(memory.begin(), memory.end(),
                                    [](const ChatMessage& m) { return m.role != "assistant"; });
    messages.insert(messages.end(), std::move_iterator(first), std::move_iterator(memory.end()));
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
  ModelRequest request;
  request.purpose = purpose;
  request.messages = opening();
  std::string text = prompt + "\n\n" + form(thinking);
  if (request.messages.back().role == "user")
    request.messages.back().text += "\n\n" + text;
  else
    request.messages.push_back({"user", std::move(text)});
  request.schema = parts_.form->schema(question_, thinking);
  const ModelCall call = this->call(request);
  if (call.fault != Fault::ok) return nothing_in(call, question_.attempt);
  return parts_.form->read(question_, call.text);
}

ModelAnswer Turn::ask_for(const Type& type, ModelRequest request,
                          std::span<const LimitData> limits) {
  request.schema = schema_json(type, limits);
  const ModelCall call = this->call(request);
  if (call.fault != Fault::ok) return nothing_in(call, question_.attempt);
  return read_value(type, limits, call.text);
}

bool Turn::wants_to_answer() const {
  if (!question_.probe || parts_.reasoning->answers_probe(question_)) return true;
  switch (question_.purpose) {
    case Purpose::plan:
      return parts_.planning->answers(false);
    case Purpose::replan:
      return parts_.planning->answers(true);
    case Purpose::learn:
      return parts_.memory->learns();
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

void Turn::remember_answer() {
  const std::string_view key = question_.probe ? answered_note(question_.purpose) : "";
  if (!key.empty()) write_note(key, std::to_string(question_.number));
}

}  // namespace agon::llm
