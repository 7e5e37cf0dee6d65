#include "llm/wire/exchange.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "llm/answer/thought.hpp"
#include "llm/provider.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// Leaves out what the endpoint turned down, by the names that these members have on the wire.
void leave_out(WireRequest& out, const Capabilities& can) {
  const auto without = [&](std::string_view name) { return can.without.contains(name); };
  if (without("temperature")) out.temperature.reset();
  if (without("top_p")) out.top_p.reset();
  if (without("seed")) out.seed.reset();
  if (without("stop") || without("stop_sequences")) out.stop = {};
  if (without("reasoning_effort")) out.reasoning_effort = {};
  if (without(can.completion_tokens ? "max_completion_tokens" : "max_tokens")) out.max_tokens = 0;
}

/// What a reply said before it broke off the reading is not kept.
void forget_answer(ModelCall& call) {
  ModelCall fresh;
  call.text.clear();
  call.reasoning.clear();
  call.finish.clear();
  call.served_model.clear();
  call.fingerprint.clear();
  call.usage = fresh.usage;
  call.provider_cost = fresh.provider_cost;
  call.fault = fresh.fault;
  call.problem.clear();
}

/// An id that any endpoint takes back.
bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= 128 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-';
  });
}

/// Puts calls of tools in the place of an answer.
void read_tools(const WireFormat& wire, std::string_view reply, ModelCall& call) {
  constexpr std::size_t kMost = 16;  // of one reply: nobody needs more at once
  if (wire.read_tools == nullptr || call.fault != Fault::ok) return;
  WireToolCalls made = wire.read_tools(reply);
  if (made.calls.empty()) return;
  if (made.calls.size() > kMost) made.calls.resize(kMost);
  std::uint64_t own = hash_of(reply);
  std::set<std::string> ids;
  for (ToolCall& tool : made.calls)
    while (!is_plain_id(tool.id) || !ids.insert(tool.id).second)
      tool.id = fmt::format("call{:05x}", ++own & 0xFFFFFU);
  // What was said beside the calls is thought.
  std::string thought;  // is in the call already
  split_thought(made.said, thought);
  call.reasoning += made.said;
  call.text = write_tool_calls(made.calls);
  call.finish = kToolCalls;
}

/// What is wrong with an answer that was read, and the answer alone in the call's text.
void finish_answer(ModelCall& call, bool is_wrapped) {
  split_thought(call.text, call.reasoning);
  const bool is_blank = call.text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (call.fault == Fault::ok && is_blank) call.fault = Fault::empty;
  if (call.problem.empty() && call.fault == Fault::refused) call.problem = "an answer was refused";
  if (call.problem.empty() && call.fault == Fault::truncated)
    call.problem = "the answer was cut off at the limit of tokens";
  if (call.problem.empty() && call.fault == Fault::empty) call.problem = "nothing was said";
  if (is_wrapped && call.finish != kToolCalls) unwrap(call.text);
}

}  // namespace

std::vector<NotApplied> not_applied(const ProviderCard& provider, const ModelSpec& spec,
                                    const Capabilities& can) {
  std::vector<NotApplied> all;
  const bool drops = spec.drop_unsupported.value_or(false);
  const auto look = [&](bool is_set, std::initializer_list<std::string_view> names,
                        std::string_view name, auto write, bool is_allowed) {
    if (!is_set || std::none_of(names.begin(), names.end(),
                                [&](std::string_view n) { return can.without.contains(n); }))
      return;
    JsonWriter value;
    write(value);
    const bool is_chosen =
        spec.sampling == Sampling::no && (name == "temperature" || name == "top_p");
    all.push_back({std::string(name), value.take(), is_allowed || is_chosen, is_chosen});
  };
  look(
      spec.temperature.has_value(), {"temperature"}, "temperature",
      [&](JsonWriter& w) { w.number(*spec.temperature); }, drops);
  look(
      spec.top_p.has_value(), {"top_p"}, "top_p", [&](JsonWriter& w) { w.number(*spec.top_p); },
      drops);
  look(
      spec.seed.has_value(), {"seed"}, "seed", [&](JsonWriter& w) { w.number(*spec.seed); }, drops);
  look(
      !spec.stop.empty(), {"stop", "stop_sequences"}, "stop",
      [&](JsonWriter& w) {
        w.open_list();
        for (const std::string& stop : spec.stop) w.text(stop);
        w.close_list();
      },
      drops);
  look(
      !spec.reasoning_effort.empty(), {"reasoning_effort"}, "reasoning_effort",
      [&](JsonWriter& w) { w.text(spec.reasoning_effort); }, drops);
  look(
      spec.max_tokens.has_value(), {can.completion_tokens ? "max_completion_tokens" : "max_tokens"},
      "max_tokens", [&](JsonWriter& w) { w.number(*spec.max_tokens); }, drops);
  // How the form is asked for is found out before the run, and is none of the settings.
  if (spec.structured == Structured::automatic && can.level == Level::lean && !provider.sends_lean)
    all.push_back({"bounds of the schema", "", true});
  if (spec.structured == Structured::automatic && provider.takes.schema && can.level > Level::lean)
    all.push_back({"schema", "", true});
  return all;
}

SentRequest encode(const ProviderCard& provider, const ModelSpec& spec, const ModelRequest& request,
                   const Capabilities& can) {
  WireRequest out{
      .model = spec.model,
      .messages = request.messages,
      .temperature = spec.temperature,
      .top_p = spec.top_p,
      .seed = spec.seed,
      .max_tokens = request.max_tokens > 0 ? request.max_tokens : spec.max_tokens.value_or(0),
      .is_completion_limit = can.completion_tokens,
      .stop = spec.stop,
      .reasoning_effort = spec.reasoning_effort,
      .tools = request.tools,
      .must_answer = request.must_answer};
  leave_out(out, can);
  SentRequest sent;
  sent.messages = request.messages;
  sent.may_call = !request.tools.empty() && !request.must_answer;
  std::string schema;
  const bool lean = can.level == Level::lean || provider.sends_lean;
  if (!request.schema.empty() && can.level <= Level::lean) {
    out.form = WireForm::schema;
    schema = schema_for_wire(request.schema, lean, sent.is_wrapped);
    out.schema = schema;
  }
  const bool is_shown = out.form == WireForm::schema && provider.shows_schema;
  if (!sent.messages.empty()) {
    if ((!is_shown || spec.schema_in_prompt || request.says_form) && !request.form.empty())
      last_of_user(sent.messages).text += form_after(request);
    else if (out.form == WireForm::schema && lean)
      last_of_user(sent.messages).text += bounds_after(request.schema, *request.language);
  }
  out.messages = sent.messages;
  out.stable = std::min(request.stable, out.messages.size());
  if (!request.schema.empty() && can.level == Level::object && provider.takes.object &&
      speaks_of_json(sent.messages))
    out.form = WireForm::object;
  sent.is_structured = out.form != WireForm::text;

  JsonWriter parameters;
  parameters.open_object();
  provider.wire->write_parameters(parameters, out);
  if (!spec.extra.empty()) {
    const bj::value extra = bj::parse(spec.extra);  // checked when the spec was resolved
    for (const auto& member : extra.get_object())
      parameters.name(member.key()).json(bj::serialize(member.value()));
  }
  const std::string taken = parameters.close_object().take();
  JsonWriter body;
  body.open_object();
  provider.wire->write_dialogue(body, out);
  sent.body = body.take();
  if (taken.size() > 2) {
    sent.body += ',';
    sent.body.append(taken, 1);
  } else {
    sent.body += '}';
  }
  sent.parameters = taken;
  if (const auto missing = not_applied(provider, spec, can); !missing.empty()) {
    JsonWriter names;
    names.open_list();
    for (const NotApplied& one : missing) names.text(one.name);
    sent.parameters.pop_back();
    sent.parameters +=
        (taken.size() > 2 ? "," : "") + ("\"not_applied\":" + names.close_list().take()) + "}";
  }
  return sent;
}

CallOutcome decode(const WireFormat& wire, const HttpReply& reply, const SentRequest& sent,
                   ModelCall& call) {
  CallOutcome out;
  out.status = reply.status;
  for (const std::string_view name : {"x-request-id", "request-id"})
    if (call.request_id.empty()) call.request_id = reply.header(name);
  const auto failed = [&](const WireError& error) {
    return classify(wire::status_of(reply, error), error, sent.is_structured, call);
  };
  if (reply.status < 300) {
    try {
      if (const auto error = wire.read(reply.body, call)) return failed(*error);
      if (sent.may_call) read_tools(wire, reply.body, call);
      finish_answer(call, sent.is_wrapped);
      return out;
    } catch (const std::exception& error) {
      forget_answer(call);
      const auto* said = dynamic_cast<const Error*>(&error);
      out.sort = Sort::transient;
      out.problem = fmt::format("{}: {}", said == nullptr ? error.what() : said->problem(),
                                excerpt(reply.body, 80));
    }
  }
  CallOutcome unread;
  const std::optional<bj::object> body = wire::body_of(reply, unread, call);
  if (!body) return unread;
  if (call.request_id.empty()) call.request_id = wire::text_at(*body, "request_id");
  if (const auto error = wire::error_in(*body, reply.status)) return failed(*error);
  if (reply.status >= 300)
    return classify(reply.status, {.message = reply.body}, sent.is_structured, call);
  return out;
}

}  // namespace agon::llm
