#include "llm/provider/http_provider.hpp"

#include <fmt/format.h>

#include <agon/secrets.hpp>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

#include "llm/mock/speech.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {
namespace {

/// By the name alone: gpt-5 and its kin, and o1, o3, o4-mini, ... also behind a router's
/// "openai/". Chat variants sample like any other model.
bool is_reasoning_model(std::string_view model) {
  if (const std::size_t slash = model.rfind('/'); slash != std::string_view::npos)
    model.remove_prefix(slash + 1);
  if (model.find("gpt-5") != std::string_view::npos)
    return model.find("chat") == std::string_view::npos;
  return model.size() >= 2 && model[0] == 'o' &&
         std::isdigit(static_cast<unsigned char>(model[1])) != 0;
}

}  // namespace

Capabilities capabilities_of(const ModelSpec& spec, const Endpoint& endpoint) {
  Capabilities can;
  const WireFormat* wire = endpoint.provider->wire;
  const bool reasons =
      wire != nullptr && wire->has_reasoning_models && is_reasoning_model(spec.model);
  can.completion_tokens = spec.token_limit == TokenLimit::automatic
                              ? reasons
                              : spec.token_limit == TokenLimit::max_completion_tokens;
  if (spec.sampling == Sampling::no || (spec.sampling == Sampling::automatic && reasons)) {
    can.without.insert("temperature");
    can.without.insert("top_p");
  }
  can.keeps_schema =
      endpoint.provider->caches_schema && endpoint.base_url == endpoint.provider->base_url;
  const ProviderTakes& takes = endpoint.provider->takes;
  switch (spec.structured) {
    case Structured::automatic:
    case Structured::schema:
      can.level = takes.schema ? Level::schema : takes.object ? Level::object : Level::text;
      break;
    case Structured::object:
      can.level = Level::object;
      break;
    case Structured::text:
      can.level = Level::text;
      break;
  }
  return can;
}

EndpointState::EndpointState(const ModelSpec& spec, const Endpoint& endpoint,
                             std::shared_ptr<Traffic> traffic)
    : name_(fmt::format("{} at {}", endpoint.model, endpoint.base_url)),
      traffic_(std::move(traffic)),
      capabilities_(capabilities_of(spec, endpoint)) {
  if (spec.sampling == Sampling::automatic && capabilities_.without.contains("temperature") &&
      (spec.temperature || spec.top_p))
    notice(
        "a reasoning model: temperature and top_p are not sent; \"sampling\": \"yes\" sends them");
}

Capabilities EndpointState::capabilities() const {
  const std::lock_guard lock(mutex_);
  return capabilities_;
}

bool EndpointState::learn(const std::string& parameter, const Capabilities& sent,
                          const ModelSpec& spec) {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    const bool is_form =
        parameter == "response_format" || parameter == "tools" || parameter == "tool_choice";
    if (is_form) {
      if (capabilities_.level != sent.level) return true;  // another call has learned it
      if (sent.level == Level::text || spec.structured != Structured::automatic) return false;
      capabilities_.level = static_cast<Level>(static_cast<int>(sent.level) + 1);
      static constexpr std::string_view kNames[] = {"a strict schema", "a schema without bounds",
                                                    "a JSON object", "plain text"};
      text = fmt::format("structured output is turned down; from now on {} is asked for",
                         kNames[static_cast<int>(capabilities_.level)]);
    } else if (parameter == "max_tokens" || parameter == "max_completion_tokens") {
      const bool is_completion = parameter == "max_completion_tokens";
      if (capabilities_.completion_tokens != sent.completion_tokens) return true;
      // Renamed once; an endpoint that knows neither cannot be held to the limit.
      if (is_completion != sent.completion_tokens || spec.token_limit != TokenLimit::automatic ||
          sent.without.contains(parameter))
        return false;
      capabilities_.without.insert(parameter);
      capabilities_.completion_tokens = !is_completion;
      text = fmt::format("{} is turned down; {} is sent instead", parameter,
                         is_completion ? "max_tokens" : "max_completion_tokens");
    } else {
      if (capabilities_.without.contains(parameter) && !sent.without.contains(parameter))
        return true;
      if (sent.without.contains(parameter)) return false;
      const bool is_sampling = parameter == "temperature" || parameter == "top_p";
      if (is_sampling && spec.sampling == Sampling::yes) return false;
      const bool is_system = parameter == kSystemRole;
      if (is_system && spec.system_role.value_or(SystemRole::automatic) != SystemRole::automatic)
        return false;
      capabilities_.without.insert(parameter);
      if (is_system)
        text = "a system prompt is turned down; from now on it begins the user's first message";
      else if (spec.drop_unsupported.value_or(false))  // else the run stops, and says so
        text = fmt::format("{} is turned down and not sent any more", parameter);
    }
  }
  if (!text.empty()) notice(text);
  return true;
}

void EndpointState::level_worked(Level level) {
  const std::lock_guard lock(mutex_);
  worked_.insert(level);
}
void EndpointState::distribution_worked(bool by_count) {
  const std::lock_guard lock(mutex_);
  (by_count ? capabilities_.gives_choices : capabilities_.gives_likely) = true;
}
bool EndpointState::has_worked(Level level) const {
  const std::lock_guard lock(mutex_);
  return worked_.contains(level);
}

bool EndpointState::only_thinks(const ModelCall& answer) {
  if (answer.fault == Fault::provider_failed) return false;
  // One that was cut while it thought says nothing of the server.
  if (answer.fault == Fault::truncated && answer.text.empty()) return false;
  const std::lock_guard lock(mutex_);
  has_spoken_ = has_spoken_ || answer.fault != Fault::empty || answer.reasoning.empty();
  return !has_spoken_ && ++thoughts_alone_ >= 3;
}

std::vector<Finding> EndpointState::once(const std::string& name,
                                         const std::function<std::vector<Finding>()>& look) {
  // Held while looking: others wait for what comes of it.
  const std::lock_guard lock(looking_);
  const auto known = found_.find(name);
  if (known != found_.end()) return known->second;
  return found_.emplace(name, look()).first->second;
}

void EndpointState::notice(const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (!told_.insert(text).second) return;
  }
  say(text);
}

void EndpointState::say(const std::string& text) const {
  tell(stderr, fmt::format("agon: {}: {}\n", name_, text));
}

std::shared_ptr<EndpointState> EndpointState::shared(const ModelSpec& spec,
                                                     const Endpoint& endpoint,
                                                     std::uint64_t key_hash) {
  // What is learned depends on the settings that change how things are sent; the traffic does not.
  using Place = std::tuple<std::string_view, std::string, std::string, std::uint64_t, bool, int,
                           int, int, int>;
  static std::mutex mutex;
  static std::map<Place, std::weak_ptr<EndpointState>> states;
  const Place place{endpoint.provider->id,
                    endpoint.url({}),
                    endpoint.model,
                    key_hash,
                    thinks(extra_of(spec)),
                    static_cast<int>(spec.system_role.value_or(SystemRole::automatic)),
                    static_cast<int>(spec.structured),
                    static_cast<int>(spec.sampling),
                    static_cast<int>(spec.token_limit)};
  auto traffic = Traffic::shared(endpoint.base_url, key_hash, endpoint.model, spec.concurrency);
  const std::lock_guard lock(mutex);
  std::shared_ptr<EndpointState> state = states[place].lock();
  if (state == nullptr)
    states[place] = state = std::make_shared<EndpointState>(spec, endpoint, std::move(traffic));
  return state;
}

namespace {

constexpr std::string_view kTrustMend =
    "; --ca-file or SSL_CERT_FILE names certificates to trust beside the system's";

/// What a failure below HTTP means for the call.
CallOutcome outcome_of_failure(const HttpReply& reply, const Endpoint& endpoint,
                               const ModelSpec& spec, ModelCall& call) {
  CallOutcome out;
  out.problem = reply.problem;
  switch (reply.failure) {
    case NetFailure::too_large:
      // Paid for, and of no use: as an answer without an end.
      call.fault = Fault::truncated;
      call.finish = "too_large";
      call.problem = "the reply is larger than 8 MiB (64 MiB with \"stream\")";
      return out;
    case NetFailure::tls:
    case NetFailure::bad_url:
    case NetFailure::odd:
      out.sort = Sort::configuration;
      out.is_plain = reply.failure != NetFailure::odd;
      out.problem =
          fmt::format("{} ({}): {}", endpoint.base_url, endpoint.base_url_from, reply.problem);
      if (reply.failure == NetFailure::tls) out.problem += kTrustMend;
      return out;
    default:
      out.sort = Sort::transient;
      out.is_slow = reply.failure == NetFailure::idle || reply.failure == NetFailure::deadline;
      if (reply.failure == NetFailure::idle)
        out.problem =
            fmt::format("no byte came for {:g} s (idle_s){}", spec.idle_s,
                        spec.stream.value_or(false)
                            ? ""
                            : "; with \"stream\": true a model that thinks is not silent");
      if (reply.failure == NetFailure::deadline)
        out.problem += fmt::format(" (total_s: {:g} s)", spec.total_s);
      out.problem = fmt::format("{}: {}", endpoint.base_url, out.problem);
      return out;
  }
}

/// Says which setting to look at.
void explain_configuration(CallOutcome& out, const Endpoint& endpoint, const HttpReply& reply) {
  if (const std::string_view place = reply.header("location");
      out.status >= 300 && out.status < 400 && !place.empty())
    out.problem =
        fmt::format("status {}: the endpoint is elsewhere, at {}; redirects are not followed",
                    out.status, excerpt(place));
  std::string more = fmt::format("; the URL is {} ({})", endpoint.base_url, endpoint.base_url_from);
  if (out.status == 401 || out.status == 403)
    more += endpoint.key_env.empty() ? "" : fmt::format(", the key is from {}", endpoint.key_env);
  if (out.status == 404) more += fmt::format(", the model is \"{}\"", endpoint.model);
  out.problem += more;
}

/// Whether a request that offers tools was turned down for them: without them it would be another
/// agent's.
bool turns_tools_down(const ModelRequest& request, const CallOutcome& out) {
  return !request.tools.empty() && (out.sort == Sort::unsupported || out.sort == Sort::rejected) &&
         (out.parameter == "tools" || out.parameter == "tool_choice" ||
          out.problem.find("tool") != std::string::npos ||
          out.problem.find("unction call") != std::string::npos);  // also as the first word
}

std::string origin_of(const std::string& url) {
  const std::size_t authority = url.find("://") + 3;
  return url.substr(0, url.find('/', authority));
}

/// Some servers quote the key: in the error that it causes, in an answer, in a header. Cut here,
/// where everything is decoded, it goes nowhere from here.
void cut_keys(ModelCall& call, CallOutcome& out) {
  for (std::string* text : {&call.text, &call.reasoning, &call.finish, &call.served_model,
                            &call.fingerprint, &call.request_id, &call.problem, &out.problem})
    *text = secrets::cut(std::move(*text));
}

/// What a provider that is no server says to a request.
HttpReply reply_in_process(const ProviderCard& provider, const HttpRequest& request) {
  if (!request.post) return {.status = 404};
  const auto begun = std::chrono::steady_clock::now();
  HttpReply reply{.status = 200};
  try {
    reply.body = provider.complete(request.body);
  } catch (const std::exception& error) {
    reply.status = 500;
    JsonWriter body;
    body.open_object().name("error").open_object().name("message").text(error.what());
    reply.body = body.close_object().close_object().take();
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun;
  reply.latency_ms = took.count();
  return reply;
}

}  // namespace

HttpProvider::HttpProvider(const ModelSpec& spec, const ProviderCard& card,
                           const AgentServices& services, std::shared_ptr<Clock> clock)
    : spec_(spec),
      endpoint_(resolve(spec, card)),
      key_(endpoint_),
      ca_file_(services.ca_file),
      verbose_(services.verbose),
      wire_(*card.wire),
      stop_(services.stop),
      clock_(std::move(clock)),
      transport_(endpoint_.provider->complete ? nullptr : Transport::shared()),
      state_(EndpointState::shared(spec_, endpoint_, key_.hash())) {
  if (!goes_in_batches(spec_)) return;
  spec_.stream.reset();
  batches_ = Batches::shared(endpoint_, key_.hash());
  patient_ = spec_;
  constexpr double kYear = 365.0 * 86400;
  patient_.total_s = kYear;
  // One call that looks whether an endpoint is over its outage would do so in a batch of its own.
  patient_.outage_share = 1;
  patient_.outage_calls = std::numeric_limits<int>::max();
}

CallEstimate HttpProvider::estimate(const ModelRequest& request) const {
  CallEstimate e;
  e.provider = endpoint_.provider->id;
  e.model = request.embedder.empty() ? std::string_view(endpoint_.model) : request.embedder;
  e.input = mock::estimate_tokens(request.messages) + estimate_tokens(request.schema) +
            estimate_tokens(form_after(request)) + mock::estimate_tokens(request.tools);
  e.output = request.max_tokens > 0 ? request.max_tokens : spec_.max_tokens.value_or(0);
  if (!request.options.empty()) e.output *= spec_.samples.value_or(1);
  if (!request.embedder.empty()) e.output = 0;
  return e;
}

ModelCall HttpProvider::call_for(const ModelRequest& request) const {
  ModelCall call;
  call.provider = endpoint_.provider->id;
  call.endpoint = endpoint_.base_url;
  call.model = request.embedder.empty() ? endpoint_.model : request.embedder;
  call.purpose = request.purpose;
  return call;
}

std::optional<PlannedCall> HttpProvider::planned(const ModelRequest& request) const {
  // The code of a model in process may change under the same name.
  if (!request.embedder.empty() || endpoint_.provider->complete) return {};
  const Capabilities can = state_->capabilities();
  SentRequest wire = encode(*endpoint_.provider, spec_, request, can);
  PlannedCall planned{.call = call_for(request)};
  planned.call.parameters = std::move(wire.parameters);
  planned.call.messages = std::move(wire.messages);
  // A seed is no reason to take one answer for all: many endpoints do without it.
  // What `extra` says of the temperature counts in the place of the setting.
  // An option is drawn from a distribution, whatever the temperature.
  planned.is_sampled = !wire.options.empty() || spec_.temperature != 0.0 ||
                       can.without.contains("temperature") ||
                       spec_.extra.find("\"temperature\"") != std::string::npos;
  return planned;
}

namespace {

/// Whether OpenAI's embeddings may stand beside a provider's calls.
bool has_embeddings(const ProviderCard& provider) {
  return !provider.complete &&
         (provider.wire == &openai_wire() || provider.wire == &responses_wire() ||
          provider.wire == &completions_wire());
}

}  // namespace

HttpReply HttpProvider::exchange(HttpRequest request, Time deadline, std::size_t most) const {
  if (stop_.asked()) return {.failure = NetFailure::stopped, .problem = kStopped};
  const bool has_type = !request.headers.empty();
  request.headers.reserve(8);
  request.headers.emplace_back("Accept: application/json");
  request.headers.emplace_back("User-Agent: agon/0.1");
  if (request.post && !has_type) request.headers.emplace_back("Content-Type: application/json");
  for (const std::string_view header : endpoint_.provider->headers)
    request.headers.emplace_back(header);
  request.secret_header = key_.header();
  // These are the user's own: a URL that stands in a suite has no business with them.
  if (!endpoint_.is_named_by_spec)
    for (const UserHeader& header : endpoint_.provider->user_headers)
      if (const char* value = std::getenv(std::string(header.variable).c_str());
          value != nullptr && *value != '\0')
        request.headers.push_back(fmt::format("{}: {}", header.name, value));

  ExchangeLimits limits;
  limits.connect = std::chrono::duration<double>(spec_.connect_s);
  limits.idle = std::chrono::duration<double>(spec_.idle_s);
  limits.deadline = deadline;
  // A piece takes hundreds of bytes for a word.
  if (spec_.stream.value_or(false)) limits.max_body *= 8;
  if (most > 0) limits.max_body = most;
  limits.ca_file = ca_file_;
  limits.stop = stop_.flag();
  if (verbose_)
    tell(stderr, fmt::format("> {} {} {}\n", request.post ? "POST" : "GET", request.url,
                             excerpt(request.body, 4000)));
  HttpReply reply = transport_ == nullptr ? reply_in_process(*endpoint_.provider, request)
                                          : transport_->perform(request, limits);
  if (verbose_)
    tell(stderr, fmt::format("< {} {:.0f} ms {}\n", reply.status, reply.latency_ms,
                             reply.problem.empty() ? excerpt(reply.body, 4000) : reply.problem));
  return reply;
}

bool HttpProvider::is_loading(Time deadline) const {
  const HttpReply reply =
      exchange({.post = false, .url = origin_of(endpoint_.base_url) + "/health"}, deadline);
  return reply.status == 503;
}

void HttpProvider::notice_cut(const ModelRequest& request, const ModelCall& call) const {
  // Below this the estimate is too rough to accuse anybody.
  constexpr std::int64_t kLong = 2000;
  const std::int64_t ours = mock::estimate_tokens(request.messages);
  if (ours < kLong || call.usage.input < 0 || call.usage.input >= ours / 2) return;
  state_->notice(
      "prompts are counted as less than half of their estimated size: the server seems to cut them "
      "without a word; give it more context (Ollama: OLLAMA_CONTEXT_LENGTH)");
}

std::optional<CallOutcome> HttpProvider::refused_setting(const Capabilities& can,
                                                         const std::string& why) const {
  for (const NotApplied& one : not_applied(*endpoint_.provider, spec_, can)) {
    if (one.is_allowed) continue;
    const bool by_name = spec_.sampling == Sampling::automatic &&
                         capabilities_of(spec_, endpoint_).without.contains(one.name);
    CallOutcome out{.sort = Sort::configuration, .is_setting = true};
    out.problem = fmt::format(
        "{} takes no {} for \"{}\", and the model's settings say {}{}; leave it out, {}or write "
        "\"drop_unsupported\": true to play without it{}",
        endpoint_.base_url, one.name, endpoint_.model, one.value,
        why.empty() || by_name ? "" : " (" + why + ")",
        one.name == "sample" ? "add \"samples\": 20 to count answers, " : "",
        by_name
            ? "; it is a reasoning model by its name: \"sampling\": \"yes\" sends it all the same"
            : "");
    return out;
  }
  return {};
}

CallOutcome HttpProvider::embed_once(const ModelRequest& request, ModelCall& call, Time deadline) {
  const WireFormat& wire = embeddings_wire();
  SentRequest sent;
  sent.parameters = "{}";
  sent.messages = call.messages = request.messages;
  JsonWriter body;
  body.open_object();
  wire.write_dialogue(body, {.model = request.embedder, .messages = request.messages});
  sent.body = body.close_object().take();
  const HttpReply reply =
      exchange({.url = endpoint_.url(wire.call_path), .body = sent.body}, {}, deadline);
  call.latency_ms = reply.latency_ms;
  if (reply.failure != NetFailure::none) return outcome_of_failure(reply, endpoint_, spec_, call);
  CallOutcome out = decode(wire, reply, sent, call);
  if (out.sort == Sort::rate_limited || out.sort == Sort::transient)
    out.retry_after_ms =
        retry_after_ms(reply, clock_->milliseconds_since_1970(), out.sort == Sort::rate_limited);
  // Nothing can be left out of such a request.
  if (out.sort == Sort::unsupported) out.sort = Sort::configuration;
  if (out.sort != Sort::answered)
    out.problem = fmt::format("{}: embeddings of \"{}\": {}", endpoint_.base_url, request.embedder,
                              out.problem);
  // That chats are answered says nothing of embeddings; a key that was right may be again.
  if (out.sort == Sort::configuration && out.status != 401 && out.status != 403) {
    out.is_setting = true;
    out.problem += fmt::format("; look whether {} serves {} and has this model for it",
                               endpoint_.base_url, wire.call_path);
  }
  return out;
}

HttpReply HttpProvider::exchange(HttpRequest request, const BatchPlace& place,
                                 Time deadline) const {
  if (!place.is_known()) {
    const LiveExchange live;
    return exchange(std::move(request), deadline);
  }
  const auto send = [this](HttpRequest one, std::size_t most) {
    return exchange(std::move(one),
                    clock_->now() + std::chrono::duration_cast<Time::duration>(
                                        std::chrono::duration<double>(spec_.total_s)),
                    most);
  };
  const auto say = [this](const std::string& text) { state_->say(text); };
  return batches_->exchange({.spec = spec_,
                             .endpoint = endpoint_,
                             .clock = *clock_,
                             .stop = stop_,
                             .send = send,
                             .say = say},
                            place, request.body, deadline);
}

CallOutcome HttpProvider::try_once(const ModelRequest& request, const BatchPlace& place,
                                   ModelCall& call, Time deadline) {
  if (!request.embedder.empty()) return embed_once(request, call, deadline);
  // What the endpoint does not know is left out, and the request sent again: no try is used up.
  constexpr int kMostLessons = 16;
  std::optional<CallOutcome> rejected;  // what was said before the form was given up
  std::string why;                      // what the endpoint said of what it does not take
  for (int lesson = 0;; ++lesson) {
    const Capabilities sent = state_->capabilities();
    if (auto refused = refused_setting(sent, why)) return *std::move(refused);
    SentRequest wire = encode(*endpoint_.provider, spec_, request, sent);
    call.parameters = std::move(wire.parameters);
    call.messages = std::move(wire.messages);
    if (place.is_known()) add_parameter(call.parameters, "batched", "true");
    const HttpReply reply =
        exchange({.url = endpoint_.url(wire.path), .body = std::move(wire.body)}, place, deadline);
    call.latency_ms = reply.latency_ms;
    // It is left to the next run.
    if (place.is_known() && reply.failure == NetFailure::stopped)
      return {.sort = Sort::rejected, .problem = kStopped};
    if (reply.failure != NetFailure::none) return outcome_of_failure(reply, endpoint_, spec_, call);
    CallOutcome out = decode(wire_, reply, wire, call);
    if (out.sort == Sort::answered && out.status < 400 && wire.is_structured)
      state_->level_worked(sent.level);
    if (out.sort == Sort::answered && call.finish == kDistribution)
      state_->distribution_worked(wire.samples > 0);
    if (out.sort == Sort::answered && out.status < 400) notice_cut(request, call);
    if (turns_tools_down(request, out)) {
      out.sort = Sort::rejected;
      out.problem = endpoint_.base_url + " does not take the agent's tools: " + out.problem;
      return out;
    }
    // Servers that know no schema may just break on one, or say no more than "invalid".
    const bool breaks = out.sort == Sort::transient && out.status == 500 && call.tries >= 2;
    const bool invalid = out.sort == Sort::rejected || out.status == 422;
    if ((breaks || invalid) && wire.is_structured && !state_->has_worked(sent.level)) {
      rejected = rejected ? rejected : out;
      out.sort = Sort::unsupported;
      out.parameter = "response_format";
    }
    const bool is_form = out.parameter == "response_format" || out.parameter == "tools" ||
                         out.parameter == "tool_choice";
    const bool is_system = out.parameter == kSystemRole;
    // Prompts do not change their form in the middle of a run.
    if (out.sort == Sort::unsupported && (is_system || (is_form && sent.level != Level::text)) &&
        state_->is_settled() && request.purpose != kPreflight &&
        !spec_.drop_unsupported.value_or(false)) {
      out.sort = Sort::configuration;
      out.is_setting = true;
      out.problem = fmt::format(
          "{} does not take {} any more that it took before the run ({}); take "
          "the run up again to have the server checked again, or write \"drop_unsupported\": true",
          endpoint_.base_url, is_system ? "the system prompt" : "the form of an answer",
          out.problem);
      return out;
    }
    if (out.sort == Sort::unsupported && lesson < kMostLessons) {
      why = out.problem;
      if (state_->learn(out.parameter, sent, spec_)) continue;
    }
    if (out.sort == Sort::unsupported && is_system) {
      out.sort = Sort::configuration;
      out.is_setting = true;
      out.problem = fmt::format(
          "{} does not take the system prompt of \"{}\" ({}); write "
          "\"system_role\": \"user\", or leave system_role out",
          endpoint_.base_url, endpoint_.model, out.problem);
      return out;
    }
    if (out.sort == Sort::unsupported && out.status >= 500) out.sort = Sort::transient;
    if (out.sort == Sort::unsupported && rejected) out = *rejected;
    if (out.sort == Sort::loading && !is_loading(deadline)) out.sort = Sort::transient;
    if (out.sort == Sort::rate_limited || out.sort == Sort::transient)
      if (const auto wish = retry_after_ms(reply, clock_->milliseconds_since_1970(),
                                           out.sort == Sort::rate_limited))
        out.retry_after_ms = wish;
    // Fewer calls in flight would be more batches.
    if (place.is_known() && out.sort == Sort::rate_limited) out.sort = Sort::transient;
    if (out.sort == Sort::configuration) explain_configuration(out, endpoint_, reply);
    // What is wrong with a whole reply is wrong with the place that it is from.
    if (out.sort == Sort::transient) out.problem = endpoint_.base_url + ": " + out.problem;
    return out;
  }
}

std::string HttpProvider::missing_for(const ModelRequest& request) const {
  if (endpoint_.needs_key && !key_.is_set()) return endpoint_.key_env + " is not set";
  if (!request.tools.empty() && wire_.read_tools == nullptr)
    return fmt::format("the provider '{}' knows no tools", endpoint_.provider->id);
  if (!request.embedder.empty() && !has_embeddings(*endpoint_.provider))
    return fmt::format(
        "the provider '{}' has no embeddings: they require a provider with OpenAI's format",
        endpoint_.provider->id);
  return {};
}

ModelResult HttpProvider::call_by(const CallLoop& loop, const ModelRequest& request,
                                  const BatchPlace& place, Time deadline, Dice dice) {
  ModelCall call = call_for(request);
  if (std::string missing = missing_for(request); !missing.empty()) {
    call.fault = Fault::provider_failed;
    call.tries = 0;
    call.problem = std::move(missing);
    call.messages = request.messages;
    return {std::move(call), Halt::configuration};
  }
  ModelResult result =
      loop.run(std::move(call), deadline, dice, [&](ModelCall& c, Clock::Time until) {
        CallOutcome out = try_once(request, place, c, until);
        cut_keys(c, out);
        return out;
      });
  if (result.call.messages.empty()) result.call.messages = request.messages;  // nothing was sent
  if (request.embedder.empty() && state_->only_thinks(result.call)) {
    result.halt = Halt::configuration;
    result.is_setting = true;
    result.call.fault = Fault::provider_failed;
    result.call.problem = fmt::format(
        "{} sends the answers of \"{}\" as thoughts, and no words beside them, three times so far: "
        "{}",
        endpoint_.base_url, endpoint_.model, kReasoningParser);
  }
  return result;
}

ModelResult HttpProvider::call_in_batch(const ModelRequest& request, const BatchPlace& place,
                                        Time deadline, Dice dice) {
  const CallLoop loop{patient_, batches_->traffic(), *clock_, stop_,
                      [this](const std::string& text) { state_->say(text); }};
  ModelResult result = call_by(loop, request, place, deadline, dice);
  // Nothing has come of it yet: the next run finds the batch.
  if (result.call.fault == Fault::provider_failed && result.call.problem == kStopped) {
    result.call.tries = 0;
    result.is_rejected = false;
  }
  return result;
}

ModelResult HttpProvider::call(const ModelRequest& request, Time deadline, Dice dice) {
  const CallLoop loop{spec_, state_->traffic(), *clock_, stop_,
                      [this](const std::string& text) { state_->say(text); }};
  ModelResult result = call_by(loop, request, {}, deadline, dice);
  // What was given up may have been worked on to its end: it counts as what it may have taken.
  if (result.is_slow && result.call.fault == Fault::provider_failed) {
    const CallEstimate most = estimate(request);
    const std::string output = most.output > 0 ? fmt::format("{}", most.output) : "unknown";
    result.call.usage = {.input = most.input, .output = most.output > 0 ? most.output : -1};
    result.call.problem +=
        fmt::format("; counted as {} tokens in and {} out (max_tokens), since it may be charged",
                    most.input, output);
  }
  return result;
}

}  // namespace agon::llm
