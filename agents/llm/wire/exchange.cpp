#include "llm/wire/exchange.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <set>

#include "llm/answer/distribution.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/provider/provider.hpp"
#include "llm/wire/bounds.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {

namespace bj = boost::json;

ChatMessage& last_of_user(std::vector<ChatMessage>& messages) {
  const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                 [](const ChatMessage& m) { return m.role == "user"; });
  return last == messages.rend() ? messages.back() : *last;
}

namespace {

/// The schema as endpoints take it: its root an object (`wrapped` says whether one was put around
/// it), without "$schema"; `lean` without bounds.
std::string schema_for_wire(std::string_view schema, bool lean, bool& wrapped) {
  wrapped = false;
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  // Every call has one: its hundred small pieces lie in one block.
  std::array<unsigned char, 16384> block;
  bj::monotonic_resource memory(block.data(), block.size());
  const bj::storage_ptr blocks(&memory);
  bj::value root = bj::parse(bj::string_view(schema.data(), schema.size()), code, blocks, options);
  if (code || !root.is_object()) return std::string(schema);
  bj::object body(blocks);
  for (auto& member : root.get_object())
    if (member.key() != "$schema") body[member.key()] = std::move(member.value());
  bj::value result(std::move(body));
  if (lean) remove_bounds(result);
  const bj::value* type = result.get_object().if_contains("type");
  if (type == nullptr || !type->is_string() || type->get_string() != "object") {
    wrapped = true;
    bj::object properties(blocks);
    properties["answer"] = std::move(result);
    bj::object whole({{"type", "object"}}, blocks);
    whole["properties"] = std::move(properties);
    whole["required"] = bj::array({"answer"}, blocks);
    whole["additionalProperties"] = false;
    result = std::move(whole);
  }
  return bj::serialize(result);
}

/// Takes what is inside {"answer": ...} out of it, byte by byte as it is; leaves any other text.
void unwrap(std::string& text) {
  const std::optional<bj::object> read = wire::object_in(text, 64);
  if (!read || read->size() != 1 || !read->contains("answer")) return;
  const std::size_t colon = text.find(':', text.find("\"answer\""));
  const std::size_t end = text.rfind('}');
  text = text.substr(colon + 1, end - colon - 1);
}

/// True if a message speaks of JSON, which endpoints ask for before they promise a JSON object.
bool speaks_of_json(const std::vector<ChatMessage>& messages) {
  return std::any_of(messages.begin(), messages.end(), [](const ChatMessage& m) {
    return m.text.find("JSON") != std::string::npos || m.text.find("json") != std::string::npos;
  });
}

std::optional<double> number(std::string_view text, std::string_view* rest = nullptr) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || !std::isfinite(value) || value < 0) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (rest != nullptr)
    *rest = text;
  else if (!text.empty())
    return {};
  return value;
}

/// Milliseconds since 1970 of 2026-11-21T03:04:05Z.
std::optional<double> iso_time(const std::string& text) {
  std::tm t{};
  double seconds = 0;
  char zone = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf%c", &t.tm_year, &t.tm_mon, &t.tm_mday,
                  &t.tm_hour, &t.tm_min, &seconds, &zone) != 7 ||
      zone != 'Z')
    return {};
  t.tm_year -= 1900;
  t.tm_mon -= 1;
  return (static_cast<double>(timegm(&t)) + seconds) * 1000;
}

}  // namespace

std::optional<double> duration_ms(std::string_view text) {
  double total = 0;
  if (text.empty()) return {};
  while (!text.empty()) {
    const std::optional<double> n = number(text, &text);
    if (!n) return {};
    double scale = 0;
    std::size_t length = 1;
    if (text.starts_with("ms"))
      scale = 1, length = 2;
    else if (text.starts_with('s'))
      scale = 1000;
    else if (text.starts_with('m'))
      scale = 60e3;
    else if (text.starts_with('h'))
      scale = 3600e3;
    else if (text.starts_with('d'))
      scale = 86400e3;
    else if (text.empty())
      scale = 1000, length = 0;
    else
      return {};
    total += *n * scale;
    text.remove_prefix(length);
  }
  return total;
}

std::optional<double> retry_after_ms(const HttpReply& reply, std::int64_t now_ms,
                                     bool is_rate_limited) {
  const auto now = static_cast<double>(now_ms);
  const auto until = [&](double time) { return std::max(0.0, time - now); };
  if (const auto ms = number(reply.header("retry-after-ms"))) return *ms;
  if (const std::string_view after = reply.header("retry-after"); !after.empty()) {
    if (const auto s = number(after)) return *s * 1000;
    const time_t date = curl_getdate(std::string(after).c_str(), nullptr);
    if (date != -1) return until(static_cast<double>(date) * 1000);
  }
  // Many endpoints tell of their limits in every reply: of an error of another kind that says
  // nothing.
  if (!is_rate_limited) return {};
  std::optional<double> longest;
  for (const auto& [name, value] : reply.headers) {
    std::optional<double> wait;
    if (name.starts_with("x-ratelimit-reset-"))
      wait = duration_ms(value);
    else if (name.starts_with("anthropic-ratelimit-") && name.ends_with("-reset"))
      if (const auto time = iso_time(value)) wait = until(*time);
    if (wait && (!longest || *wait > *longest)) longest = wait;
  }
  return longest;
}

namespace {

/// What the member that limits an answer's tokens is called.
std::string_view limit_of_tokens(const Capabilities& can) {
  return can.completion_tokens ? "max_completion_tokens" : "max_tokens";
}

/// Leaves out what the endpoint turned down, by the names that these members have on the wire.
void leave_out(WireRequest& out, const Capabilities& can) {
  const auto without = [&](std::string_view name) { return can.without.contains(name); };
  if (without("temperature")) out.temperature.reset();
  if (without("top_p")) out.top_p.reset();
  if (without("seed")) out.seed.reset();
  if (without("stop") || without("stop_sequences")) out.stop = {};
  if (without("reasoning_effort")) out.reasoning_effort = {};
  if (without("include")) out.returns_thoughts = false;
  if (without("stream")) out.stream = false;
  if (without("stream_options")) out.counts_stream = false;
  if (without(limit_of_tokens(can))) out.max_tokens = 0;
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
  return !id.empty() && id.size() <= 128 && wire::is_plain(id);
}

/// Puts calls of tools in the place of an answer.
void read_tools(const WireFormat& wire, std::string_view reply, ModelCall& call) {
  constexpr std::size_t kMost = 16;  // of one reply: nobody needs more at once
  if (wire.read_tools == nullptr || call.fault != Fault::ok) return;
  WireToolCalls made = wire.read_tools(reply);
  if (made.calls.empty()) return;
  // A turn can be sent back as it is where all of its calls get a result under its own ids.
  bool is_whole = made.calls.size() <= kMost;
  if (!is_whole) made.calls.resize(kMost);
  std::uint64_t own = hash_of(reply);
  std::set<std::string> ids;
  for (ToolCall& tool : made.calls)
    while (!is_plain_id(tool.id) || !ids.insert(tool.id).second) {
      tool.id = fmt::format("call{:05x}", ++own & 0xFFFFFU);
      is_whole = false;
    }
  // What was said beside the calls is thought.
  std::string thought;  // is in the call already
  split_thought(made.said, thought);
  call.reasoning += made.said;
  call.text = write_tool_calls(made.calls, is_whole ? made.turn : "");
  call.finish = kToolCalls;
}

/// What is wrong with an answer that was read, and the answer alone in the call's text.
void finish_answer(ModelCall& call, bool is_wrapped) {
  if (call.finish != kToolCalls) split_thought(call.text, call.reasoning);
  if (call.fault == Fault::ok && trimmed(call.text).empty()) call.fault = Fault::empty;
  if (call.problem.empty() && call.fault == Fault::refused) call.problem = "an answer was refused";
  if (call.problem.empty() && call.fault == Fault::truncated)
    call.problem = "the answer was cut off at the limit of tokens";
  if (call.problem.empty() && call.fault == Fault::empty) call.problem = "nothing was said";
  if (is_wrapped && call.finish != kToolCalls) unwrap(call.text);
}

}  // namespace

void write_texts(JsonWriter& w, std::span<const std::string> texts) {
  w.open_list();
  for (const std::string& text : texts) w.text(text);
  w.close_list();
}

void set_system_role(std::vector<ChatMessage>& messages, std::size_t& stable, SystemRole role) {
  if (role == SystemRole::developer)
    for (ChatMessage& m : messages)
      if (m.role == "system") m.role = "developer";
  if (role != SystemRole::user) return;
  while (!messages.empty() && messages[0].role == "system") {
    if (messages.size() == 1 || (messages[1].role != "system" && messages[1].role != "user")) {
      messages[0].role = "user";
      return;
    }
    // The second message is as stable as both together.
    messages[1].text = messages[0].text + "\n\n" + messages[1].text;
    messages.erase(messages.begin());
    if (stable > 0) --stable;
  }
}

std::vector<NotApplied> not_applied(const ProviderCard& provider, const ModelSpec& spec,
                                    const Capabilities& can) {
  std::vector<NotApplied> all;
  const bool drops = spec.drop_unsupported.value_or(false);
  const auto look = [&](bool is_set, std::initializer_list<std::string_view> names,
                        std::string_view name, auto write) {
    if (!is_set || std::none_of(names.begin(), names.end(),
                                [&](std::string_view n) { return can.without.contains(n); }))
      return;
    JsonWriter value;
    write(value);
    const bool is_chosen =
        spec.sampling == Sampling::no && (name == "temperature" || name == "top_p");
    all.push_back({std::string(name), value.take(), drops || is_chosen, is_chosen});
  };
  const auto look_at_number = [&](const auto& setting, std::string_view on_wire,
                                  std::string_view name) {
    look(setting.has_value(), {on_wire}, name, [&](JsonWriter& w) { w.number(*setting); });
  };
  look_at_number(spec.temperature, "temperature", "temperature");
  look_at_number(spec.top_p, "top_p", "top_p");
  look_at_number(spec.seed, "seed", "seed");
  look(!spec.stop.empty(), {"stop", "stop_sequences"}, "stop",
       [&](JsonWriter& w) { write_texts(w, spec.stop); });
  look(!spec.reasoning_effort.empty(), {"reasoning_effort"}, "reasoning_effort",
       [&](JsonWriter& w) { w.text(spec.reasoning_effort); });
  look_at_number(spec.max_tokens, limit_of_tokens(can), "max_tokens");
  const auto as_distribution = [](JsonWriter& w) { w.text("distribution"); };
  look_at_number(spec.samples, "n", "samples");
  if (spec.samples)
    look(true, {"n"}, "sample", as_distribution);
  else
    look(asks_distribution(spec), {"logprobs", "top_logprobs"}, "sample", as_distribution);
  if (can.without.contains(kSystemRole)) all.push_back({std::string(kSystemRole), "", true});
  // How the form is asked for is found out before the run, and is not a setting.
  if (spec.structured == Structured::automatic && can.level == Level::lean &&
      !provider.sends_lean && !can.keeps_schema)
    all.push_back({"bounds of the schema", "", true});
  if (spec.structured == Structured::automatic && provider.takes.schema && can.level > Level::lean)
    all.push_back({"schema", "", true});
  return all;
}

namespace {

/// The parameters with what the user adds. Of an object that both have, such as Anthropic's
/// output_config, the members are put together; else what the user says counts.
std::string with_extra(const std::string& parameters, const bj::object& extra) {
  const JsonDocument document(parameters, "");
  const JsonNode ours = document.root();
  JsonWriter w;
  const auto add = [&w](const bj::object& members, const JsonNode& without) {
    for (const auto& member : members)
      if (!without.find(member.key())) w.name(member.key()).json(bj::serialize(member.value()));
  };
  w.open_object();
  for (std::size_t i = 0; i < ours.member_count(); ++i) {
    const JsonNode member = ours.member(i);
    const bj::value* added = extra.if_contains(ours.name(i));
    if (added == nullptr) {
      w.name(ours.name(i)).json(member.write());
    } else if (added->is_object() && member.kind() == JsonNode::Kind::object) {
      w.name(ours.name(i)).open_object();
      for (std::size_t k = 0; k < member.member_count(); ++k)
        w.name(member.name(k)).json(member.member(k).write());
      add(added->get_object(), member);
      w.close_object();
    } else {
      w.name(ours.name(i)).json(bj::serialize(*added));
    }
  }
  add(extra, ours);
  return w.close_object().take();
}

}  // namespace

void add_parameter(std::string& parameters, std::string_view name, std::string_view json) {
  JsonWriter added;
  const std::string one = added.open_object().name(name).json(json).close_object().take();
  parameters.pop_back();
  if (parameters.size() > 1) parameters += ',';
  parameters.append(one, 1);
}

namespace {

/// Records which settings are not sent.
void add_not_applied(SentRequest& sent, const std::vector<NotApplied>& missing) {
  if (missing.empty()) return;
  JsonWriter names;
  names.open_list();
  for (const NotApplied& one : missing) names.text(one.name);
  add_parameter(sent.parameters, "not_applied", names.close_list().take());
}

/// Asks for the probabilities of a request's options, where that is set and the endpoint takes it.
void ask_for_distribution(WireRequest& out, SentRequest& sent, const ModelSpec& spec,
                          const ModelRequest& request, const Capabilities& can) {
  constexpr int kLikely = 20;      // as many as OpenAI and vLLM name
  constexpr int kMostTokens = 16;  // within which a label is said
  const auto without = [&](std::string_view name) { return can.without.contains(name); };
  if (!asks_distribution(spec) || request.options.empty() ||
      (spec.samples ? without("n") : without("logprobs") || without("top_logprobs")))
    return;
  sent.options = request.options;
  sent.samples = spec.samples.value_or(0);
  sent.has_worked = sent.samples > 0 ? can.gives_choices : can.gives_likely;
  out.stream = false;  // pieces have one answer, and few servers send probabilities with them
  out.choices = sent.samples;
  if (sent.samples > 0) return;
  out.likely = kLikely;
  if (!without(limit_of_tokens(can)))
    out.max_tokens = out.max_tokens > 0 ? std::min(out.max_tokens, kMostTokens) : kMostTokens;
}

}  // namespace

SentRequest encode(const ProviderCard& provider, const ModelSpec& spec, const ModelRequest& request,
                   const Capabilities& can) {
  bj::object extra = extra_of(spec);
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
      .must_answer = request.must_answer,
      .thinks = thinks(extra),
      .returns_thoughts = true,
      .stream = spec.stream.value_or(false),
      .counts_stream = true};
  leave_out(out, can);
  SentRequest sent;
  ask_for_distribution(out, sent, spec, request, can);
  // It bounds what a distribution asks for; without log-probabilities endpoints refuse it.
  if (out.likely == 0 && !extra.contains("logprobs")) extra.erase("top_logprobs");
  const WireFormat& wire = *provider.wire;
  sent.path = out.stream && !wire.stream_path.empty() ? wire.stream_path : wire.call_path;
  const bool has_schema = !request.schema.empty() && sent.options.empty();
  const std::string& form = sent.options.empty() ? request.form : request.options_form;
  sent.messages = request.messages;
  std::size_t stable = request.stable;
  set_system_role(sent.messages, stable,
                  can.without.contains(kSystemRole)
                      ? SystemRole::user
                      : spec.system_role.value_or(SystemRole::automatic));
  sent.may_call = !request.tools.empty() && !request.must_answer;
  std::string schema;
  const bool lean = can.level == Level::lean || provider.sends_lean || can.keeps_schema;
  if (has_schema && can.level <= Level::lean) {
    out.form = WireForm::schema;
    schema = schema_for_wire(request.schema, lean, sent.is_wrapped);
    out.schema = schema;
  }
  const bool is_shown = out.form == WireForm::schema && provider.shows_schema;
  if (!sent.messages.empty()) {
    if ((!is_shown || spec.schema_in_prompt || request.says_form) && !form.empty())
      last_of_user(sent.messages).text += "\n\n" + form;
    else if (out.form == WireForm::schema && lean)
      last_of_user(sent.messages).text += bounds_after(request.schema, *request.language);
  }
  out.messages = sent.messages;
  out.stable = std::min(stable, out.messages.size());
  if (has_schema && can.level == Level::object && provider.takes.object &&
      speaks_of_json(sent.messages))
    out.form = WireForm::object;
  sent.is_structured = out.form != WireForm::text;

  JsonWriter parameters;
  parameters.open_object();
  wire.write_parameters(parameters, out);
  std::string taken = parameters.close_object().take();
  if (!extra.empty()) taken = with_extra(taken, extra);
  JsonWriter body;
  body.open_object();
  wire.write_dialogue(body, out);
  sent.body = body.take();
  if (taken.size() > 2) {
    sent.body += ',';
    sent.body.append(taken, 1);
  } else {
    sent.body += '}';
  }
  sent.parameters = std::move(taken);
  add_not_applied(sent, not_applied(provider, spec, can));
  return sent;
}

namespace {

/// Puts the distribution over the options in the place of the answer; an endpoint that does not
/// send what it rests on is treated as one that refused to. Where it has sent it before, one such
/// reply is an odd one: half of the answers are enough then, and fewer are asked for again.
void read_distribution(const WireFormat& wire, std::string_view reply, const SentRequest& sent,
                       ModelCall& call, CallOutcome& out) {
  const bool says_nothing = trimmed(call.text).empty() || call.fault == Fault::refused;
  // Of several answers others may say something.
  if (wire.read_choices == nullptr || (says_nothing && sent.samples == 0))
    return finish_answer(call, false);
  const std::vector<WireChoice> choices = wire.read_choices(reply);
  const auto unsupported = [&](std::string_view parameter, std::string problem) {
    forget_answer(call);
    out.sort = sent.has_worked ? Sort::transient : Sort::unsupported;
    out.parameter = parameter;
    out.problem = std::move(problem);
  };
  if (sent.samples > 0) {
    const auto all = static_cast<std::size_t>(sent.samples);
    if (sent.has_worked ? 2 * choices.size() < all : choices.size() < all)
      return unsupported("n", fmt::format("it accepts n, and returned {} of {} answers",
                                          choices.size(), sent.samples));
    return set_distribution(call, distribution_by_count(choices, sent.options));
  }
  if (choices.empty() || choices[0].tokens.empty())
    return unsupported("logprobs", "it accepts logprobs, and returned no log-probabilities");
  if (choices[0].tokens[0].likely.size() < 2)
    return unsupported("top_logprobs",
                       "it accepts top_logprobs, and returned the log-probability of one token");
  set_distribution(call, distribution_by_tokens(choices[0], sent.options));
}

}  // namespace

CallOutcome decode(const WireFormat& wire, const HttpReply& got, const SentRequest& sent,
                   ModelCall& call) {
  CallOutcome out;
  HttpReply whole;
  bool is_stream = wire::is_stream(got.body);
  if (is_stream) {
    try {
      whole = {.status = got.status, .headers = got.headers};
      whole.body = got.status < 300 ? wire::join_stream(got.body) : wire::first_event(got.body);
      is_stream = !whole.body.empty();  // else it only begins as one
    } catch (const Error& error) {
      out.status = got.status;
      out.sort = Sort::transient;
      out.problem = fmt::format("{}: {}", error.problem(), excerpt(got.body, 80));
      return out;
    }
  }
  const HttpReply& reply = is_stream ? whole : got;
  out.status = reply.status;
  for (const std::string_view name : {"x-request-id", "request-id"})
    if (call.request_id.empty()) call.request_id = reply.header(name);
  const auto failed = [&](const WireError& error) {
    return classify(wire::status_of(reply, error), error, sent.is_structured, call);
  };
  if (reply.status < 300) {
    try {
      if (const auto error = wire.read(reply.body, call)) return failed(*error);
      if (!sent.options.empty()) {
        read_distribution(wire, reply.body, sent, call, out);
        return out;
      }
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
