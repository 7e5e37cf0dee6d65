#include "llm/turn_calls.hpp"

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/model/prompt_set.hpp>
#include <algorithm>

#include "llm/answer/distribution.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/wire/bounds.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {
namespace {

/// The prompt that tells why an answer was turned down.
constexpr std::string_view kAgain = "part-again";

/// Whether it begins with a system prompt that says nothing: of prompts that have a persona alone
/// there, for an agent without one.
bool has_mute_system(const std::vector<ChatMessage>& messages) {
  return messages.size() > 1 && messages[0].role == "system" && messages[0].text.empty();
}

/// A system prompt that says nothing makes no difference: it is not sent.
bool same_messages(const std::vector<ChatMessage>& a, const std::vector<ChatMessage>& b) {
  return std::equal(a.begin() + has_mute_system(a), a.end(), b.begin() + has_mute_system(b),
                    b.end(), [](const ChatMessage& x, const ChatMessage& y) {
                      return x.role == y.role && x.text == y.text;
                    });
}

/// Whether a recorded call asked for this, with the system prompt in any of its places, with or
/// without the words for the form.
bool asks_for(const ModelCall& call, const ModelRequest& request) {
  if (call.purpose != request.purpose) return false;
  if (same_messages(call.messages, request.messages)) return true;
  if (request.messages.empty()) return false;
  const std::string words[] = {{},
                               form_after(request),
                               bounds_after(request.schema, *request.language),
                               "\n\n" + request.options_form};
  for (const SystemRole role : {SystemRole::system, SystemRole::user, SystemRole::developer})
    for (const std::string& after : words) {
      std::vector<ChatMessage> sent = request.messages;
      std::size_t stable = 0;
      set_system_role(sent, stable, role);
      last_of_user(sent).text += after;
      if (same_messages(call.messages, sent)) return true;
    }
  return false;
}

/// The request without a system prompt that says nothing: some endpoints refuse an empty text.
ModelRequest without_mute_system(ModelRequest request) {
  request.messages.erase(request.messages.begin());
  if (request.stable > 0) --request.stable;
  return request;
}

/// The request as the model is shown it under a skin; `tools` holds what is offered.
ModelRequest in_skin(ModelRequest request, const Skin& skin, std::vector<ModelTool>& tools) {
  for (ChatMessage& message : request.messages) message.text = skin.shown(message.text);
  for (std::string* schema : {&request.schema, &request.usual})
    if (!schema->empty()) *schema = skin.shown_schema(*schema);
  request.form = skin.shown(request.form);
  request.options_form = skin.shown(request.options_form);
  for (AnswerOption& option : request.options) {
    option.label = skin.shown(option.label);
    option.answer.text = skin.shown(option.answer.text);
  }
  tools.assign(request.tools.begin(), request.tools.end());
  for (ModelTool& tool : tools) tool.doc = skin.shown(tool.doc);
  request.tools = tools;
  return request;
}

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

/// What a model is shown of a tool's result: so many bytes, and how many are missing.
std::string bounded_result(std::string result, std::size_t longest) {
  const std::string_view kept = first_bytes(result, longest);
  if (kept.size() == result.size()) return result;
  return std::string(kept) + "\n[cut off here: " + std::to_string(result.size() - kept.size()) +
         " of " + std::to_string(result.size()) + " bytes are missing]";
}

}  // namespace

TurnCalls::TurnCalls(ModelTurn& turn, const HistoryText& history, const Tools* tools,
                     const AgentModels& models, const DataStyle& style,
                     std::chrono::steady_clock::time_point deadline)
    : turn_(turn),
      question_(turn.question()),
      history_(history),
      tools_(tools),
      models_(models),
      style_(style),
      deadline_(deadline) {
  if (question_.kept != nullptr) kept_ = *static_cast<const Kept*>(question_.kept.get());
  earlier_ = kept_.made.size();
  reused_.resize(earlier_);
  // What could be read may still have been against the rules.
  for (const auto& call : {kept_.last_read, kept_.last_said})
    if (call && kept_.made[*call].refusal.empty()) kept_.made[*call].refusal = question_.complaint;
}

std::string TurnCalls::left_after(int attempt, bool has_refused) const {
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

void TurnCalls::add_refusal(ModelRequest& request, int attempt, const Made& made,
                            bool has_refused) {
  const PromptName names[] = {
      {"complaint", as_sentence(printable(in_words(made.refusal)), *question_.language)},
      {"left", left_after(attempt, has_refused)}};
  const std::string again = turn_.render(kAgain, names);
  told_complaint_ = true;
  request.messages.insert(request.messages.end(), made.tools.begin(), made.tools.end());
  const std::string& said = made.call.finish == kDistribution ? made.drawn : made.call.text;
  if (said.find_first_not_of(" \t\r\n") != std::string::npos)
    request.messages.push_back({"assistant", end_of(said, style_)});
  request.append_user(again);
}

std::size_t TurnCalls::ask(ModelRequest request, bool reads) {
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
  request.stable = history_.remembered_from() == history_.begin() ? request.messages.size() - 1 : 1;

  std::vector<ChatMessage> used;
  ModelCall made = send(request, used);
  // Of texts to be embedded none can be left out: each has its vector.
  if (request.embedder.empty() && does_not_fit(made))
    if (auto shorter = without_older_half(request.messages, *request.language)) {
      ModelRequest again = request;
      again.messages = *std::move(shorter);
      used.clear();
      made = send(again, used);
    }
  has_no_room_ = does_not_fit(made);
  kept_.made.push_back({std::string(request.purpose), std::move(request.messages), std::move(made),
                        std::move(used)});
  return kept_.made.size() - 1;
}

std::string TurnCalls::tool_result(const ToolCall& call) {
  const Tools& tools = *tools_;
  if (kept_.tool_calls >= tools.most_calls())
    return "Nothing came of this call: none is left for this question. Answer now.";
  ++kept_.tool_calls;
  std::string result;
  try {
    result = tools.result(turn_, call.name, call.arguments);
  } catch (const Error& error) {
    // The model is told what its call lacked; what broke elsewhere is nothing that it can mend.
    if (error.kind() != ErrorKind::invalid) throw;
    result = "Nothing came of this call: " +
             as_sentence(printable(error.problem()), Language::english());
  }
  result = bounded_result(std::move(result), tools.longest_result());
  if (kept_.tool_calls == tools.most_calls()) result += "\n(That was the last call. Answer now.)";
  return result;
}

ModelCall TurnCalls::send(const ModelRequest& request, std::vector<ChatMessage>& used) {
  if (has_mute_system(request.messages)) return call_with_tools(without_mute_system(request), used);
  if (tools_ == nullptr || (request.tools.empty() && tools_->offered().empty()))
    return call_once(request);
  return call_with_tools(request, used);
}

ModelCall TurnCalls::call_with_tools(ModelRequest request, std::vector<ChatMessage>& used) {
  if (tools_ == nullptr) return call_once(request);
  if (request.may_use_tools && models_.is_own(request.purpose)) request.tools = tools_->offered();
  if (request.tools.empty()) return call_once(request);
  for (;;) {
    request.must_answer = kept_.tool_calls >= tools_->most_calls();
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

void TurnCalls::note_said(std::size_t call) {
  kept_.last_said = call;
  kept_.made[call].was_refused = kept_.made[call].call.fault == Fault::refused;
}

void TurnCalls::note_read(std::size_t call, const ModelAnswer& answer) {
  kept_.last_read = call;
  if (kept_.made[call].call.finish == kDistribution) kept_.made[call].drawn = answer.said;
  if (!is_played(answer.fault)) kept_.made[call].refusal = answer.problem;
  kept_.made[call].was_unreadable = answer.fault == Fault::unparsable;
  kept_.made[call].was_refused = answer.fault == Fault::refused;
}

ModelCall TurnCalls::call_once(const ModelRequest& request) {
  const Skin* skin = question_.prompts == nullptr ? nullptr : question_.prompts->skin.get();
  // What is embedded never leaves the agent's memory.
  if (skin == nullptr || !request.embedder.empty()) return call_as_shown(request);
  std::vector<ModelTool> tools;
  ModelCall made = call_as_shown(in_skin(request, *skin, tools));
  made.text = skin->original(made.text);
  made.reasoning = skin->original(made.reasoning);
  return made;
}

ModelCall TurnCalls::call_as_shown(const ModelRequest& request) {
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
  if (auto reused = reuse(request, index)) return *std::move(reused);
  return make(request, index);
}

std::optional<ModelCall> TurnCalls::reuse(const ModelRequest& request, int index) {
  CallLedger* ledger = question_.ledger.get();
  if (ledger == nullptr || !ledger->has_cache()) return std::nullopt;
  const std::optional<PlannedCall> planned = models_.of(request.purpose).planned(request);
  if (!planned) return std::nullopt;
  return ledger->reuse(index, planned->call, planned->is_sampled);
}

ModelCall TurnCalls::make(const ModelRequest& request, int index) {
  CallLedger* ledger = question_.ledger.get();
  Provider& provider = models_.of(request.purpose);
  BatchPlace place;
  if (ledger != nullptr && provider.takes_batches(request))
    place = {ledger->name_of(index), ledger->batches()};
  if (ledger != nullptr) {
    CallEstimate estimate = provider.estimate(request);
    estimate.purpose = request.purpose;
    estimate.is_batched = place.is_known();
    if (const Halt halt = ledger->admit(estimate); halt != Halt::no)
      throw CallFailed{{.status = Fault::provider_failed,
                        .problem = "a cap of the run is reached",
                        .halt = halt}};
  }
  const Dice dice(combine(question_.dice_key, static_cast<std::uint64_t>(index) + 1),
                  question_.dice_place, static_cast<std::uint32_t>(question_.attempt));
  ModelResult result = place.is_known() ? provider.call_in_batch(request, place, deadline_, dice)
                                        : provider.call(request, deadline_, dice);
  ModelCall& made = result.call;
  made.purpose = request.purpose;
  if (made.finish == kDistribution)
    draw_option(made, turn_.dice().unit());
  else if (made.finish != kToolCalls)
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

bool TurnCalls::is_reading() const {
  return question_.ledger != nullptr && question_.ledger->is_closed();
}

}  // namespace agon::llm
