#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/secrets.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "llm/mock/speech.hpp"
#include "llm/provider/http_provider.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// What stands before each name in Google's list of models.
constexpr std::string_view kGoogleFolder = "models/";

/// An entry of an endpoint's list of models.
struct Listed {
  std::string id;
  std::int64_t context = 0;  ///< tokens that it takes, prompt and answer; 0: it does not say
};

/// What a list of models says, in the words of vLLM, OpenRouter, Groq, LM Studio, llama.cpp and
/// Google.
std::vector<Listed> models_in(const std::string& body) {
  std::vector<Listed> models;
  const std::optional<bj::object> all = wire::object_in(body, 32);
  if (!all) return models;
  for (const bj::object* entry :
       wire::entries_at(*all, wire::value_at(*all, "data") != nullptr ? "data" : "models")) {
    const bj::object& o = *entry;
    Listed model{.id = wire::text_at(o, "id")};
    if (model.id.empty()) model.id = wire::text_at(o, "name");
    if (model.id.starts_with(kGoogleFolder)) model.id.erase(0, kGoogleFolder.size());
    if (model.id.empty()) continue;
    for (const std::string_view name :
         {"max_model_len", "context_length", "context_window", "max_context_length"})
      model.context = std::max(model.context, wire::count_at(o, name));
    // Google's limits are for the prompt and for the answer alone.
    if (const std::int64_t input = wire::count_at(o, "inputTokenLimit"); input > 0)
      model.context = input + std::max<std::int64_t>(0, wire::count_at(o, "outputTokenLimit"));
    if (const bj::object* meta = wire::object_at(o, "meta"))
      model.context = std::max(model.context, wire::count_at(*meta, "n_ctx"));
    models.push_back(std::move(model));
  }
  return models;
}

/// `lists`: the endpoint has given a list of models, so that its URL is right.
std::string hint_for(const ModelResult& result, const Endpoint& endpoint, const ModelSpec& spec,
                     bool lists) {
  if (result.is_setting) return {};  // it says what to write
  if (result.halt == Halt::out_of_money) return "add credit to the account, or raise its limit";
  if (result.halt == Halt::configuration && (result.status == 401 || result.status == 403))
    return endpoint.key_env.empty()
               ? "the endpoint wants a key: say in key_env which variable of the environment has it"
               : fmt::format("look at the key in {}, and at what it may do", endpoint.key_env);
  if (result.halt == Halt::configuration && result.status == 404)
    return lists ? "look at model: the URL is right" : "look at base_url, then at model";
  if (result.halt == Halt::configuration) return "look at base_url";
  if (result.is_limited)
    return fmt::format(
        "the endpoint is there and limits how often it is asked: wait, have less else ask it, or "
        "raise total_s ({:g} s)",
        spec.total_s);
  if (result.is_rejected)
    return "the endpoint is there and turns this request down: look at the model's settings, such "
           "as "
           "max_tokens, temperature, top_p and extra";
  if (result.is_slow)
    return fmt::format(
        "the endpoint was reached, and the model did not answer in time: raise total_s ({:g} s) or "
        "idle_s ({:g} s), or have it think less",
        spec.total_s, spec.idle_s);
  if (result.status >= 500)
    return "the endpoint is there, and fails by itself: look at its log or its status page";
  if (result.status >= 200 && result.status < 300)
    return fmt::format("what answers does not speak as {} does: look at base_url and provider",
                       endpoint.provider->id);
  return fmt::format("look whether the endpoint is up, and whether {} is the right URL",
                     endpoint.base_url_from);
}

/// A short question whose answer shows whether a setting counts.
struct Echo {
  std::string_view setting{};  ///< as the model's settings have it; empty: none is tried
  std::string ask = "Say: ready.";
  int max_tokens = 0;
  std::string stop{};  ///< that is to end the answer
};

constexpr std::string_view kAfterStop = "afterwards";

/// What the short call before a run asks, two things if both an end and a limit are set. `most`:
/// its limit of tokens.
std::vector<Echo> echoes_of(const ModelSpec& spec, int most) {
  constexpr int kFew = 32;
  std::vector<Echo> all;
  if (!spec.stop.empty())
    all.push_back({.setting = "stop",
                   .ask = fmt::format("Repeat this as it is, and say nothing else:\n\nready {} {}",
                                      spec.stop.front(), kAfterStop),
                   .max_tokens = most,
                   .stop = spec.stop.front()});
  if (spec.max_tokens)
    all.push_back({.setting = "max_tokens",
                   .ask = "Write all whole numbers from 1 to 100, with spaces between them, and "
                          "nothing else.",
                   .max_tokens = std::min(most, kFew)});
  if (all.empty()) all.push_back({.max_tokens = most});
  return all;
}

/// Whether an answer went on beyond the setting. Sure only where it did: a model that thinks may
/// use up its tokens and say nothing, and any may answer something else.
bool is_ignored(const Echo& echo, std::string_view answer) {
  if (echo.setting == "stop") {
    const std::size_t at = answer.find(echo.stop);
    return at != std::string_view::npos &&
           answer.find(kAfterStop, at + echo.stop.size()) != std::string_view::npos;
  }
  if (echo.setting != "max_tokens") return false;
  // Each number takes a token at least.
  int numbers = 0;
  bool was_digit = false;
  for (const char c : answer) {
    const bool is_digit = c >= '0' && c <= '9';
    numbers += is_digit && !was_digit ? 1 : 0;
    was_digit = is_digit;
  }
  return numbers > 2 * echo.max_tokens;
}

/// A member that the schema asks for and the prompt does not name: an answer without it was given
/// by a model that was neither shown the schema nor held to it.
constexpr std::string_view kOnlyInSchema = "mark_71";

/// A schema with a member for each keyword that questions of the run may have: what an endpoint
/// takes of it, it takes of them.
std::string schema_with(std::span<const std::string> keywords) {
  struct Member {
    std::string_view name;
    std::string_view type;
    std::vector<std::pair<std::string_view, std::string_view>> bounds;
  };
  const Member members[] = {
      {"amount",
       R"("type":"number")",
       {{"minimum", "0"}, {"maximum", "10"}, {"multipleOf", "0.01"}}},
      {"words",
       R"("type":"string")",
       {{"minLength", "1"}, {"maxLength", "40"}, {"pattern", R"("a*")"}}},
      {"counts",
       R"("type":"array","items":{"type":"integer"})",
       {{"minItems", "1"}, {"maxItems", "3"}}},
      {"colour", R"("type":"string")", {{"enum", R"(["red","blue"])"}}},
      {"kind", R"("type":"string")", {{"const", R"("one")"}}},
      {"either", "", {{"anyOf", R"([{"type":"string"},{"type":"integer"}])"}}}};
  std::string properties =
      fmt::format(R"("wet":{{"type":"boolean"}},"{}":{{"type":"boolean"}})", kOnlyInSchema);
  std::string required = fmt::format(R"("wet","{}")", kOnlyInSchema);
  for (const Member& m : members) {
    std::string bounds(m.type);
    bool is_used = false;
    for (const auto& [keyword, value] : m.bounds) {
      if (std::find(keywords.begin(), keywords.end(), keyword) == keywords.end()) continue;
      is_used = true;
      bounds += (bounds.empty() ? "" : ",") + fmt::format("\"{}\":{}", keyword, value);
    }
    if (!is_used) continue;
    properties += fmt::format(",\"{}\":{{{}}}", m.name, bounds);
    required += fmt::format(",\"{}\"", m.name);
  }
  return fmt::format(
      R"({{"type":"object","properties":{{{}}},"required":[{}],"additionalProperties":false}})",
      properties, required);
}

}  // namespace

Provider::Time HttpProvider::until_end() const {
  return clock_->now() + Clock::seconds(spec_.total_s);
}

bool HttpProvider::check_models(std::vector<Finding>& findings, std::int64_t& context) const {
  if (wire_.models_path.empty()) return false;
  const HttpReply reply =
      exchange({.post = false, .url = endpoint_.url(wire_.models_path)}, until_end());
  if (reply.status == 0) {
    const bool is_slow = reply.failure == NetFailure::idle || reply.failure == NetFailure::deadline;
    findings.push_back(
        {Finding::Level::error,
         fmt::format("{} {}: {}", endpoint_.base_url,
                     is_slow                            ? "was reached, and says nothing"
                     : reply.failure == NetFailure::odd ? "does not speak HTTP"
                                                        : "cannot be reached",
                     reply.problem),
         is_slow ? fmt::format("look at the server, or raise total_s ({:g} s) or idle_s ({:g} s)",
                               spec_.total_s, spec_.idle_s)
                 : fmt::format("the URL is {}", endpoint_.base_url_from)});
    return false;
  }
  findings.push_back({.what = fmt::format("{} answers", endpoint_.base_url)});
  // Not every endpoint has the list; the call that follows tells as well.
  const std::vector<Listed> models =
      reply.status == 200 ? models_in(reply.body) : std::vector<Listed>();
  if (models.empty()) return false;
  const auto found = std::find_if(models.begin(), models.end(), [&](const Listed& m) {
    return m.id == endpoint_.model || m.id == endpoint_.model + ":latest" ||
           std::string(kGoogleFolder) + m.id == endpoint_.model;
  });
  if (found != models.end()) {
    findings.push_back(
        {.what = fmt::format("the model \"{}\" is there{}", endpoint_.model,
                             found->context == 0
                                 ? std::string()
                                 : fmt::format(", with {} tokens of context", found->context))});
    context = found->context;
    return true;
  }
  std::string some;
  for (std::size_t i = 0; i < std::min<std::size_t>(models.size(), 5); ++i)
    some += (i == 0 ? "" : ", ") + excerpt(models[i].id, 60);
  // Aliases are not always listed, so this is no error yet.
  findings.push_back({Finding::Level::warning,
                      fmt::format("the model \"{}\" is not among the {} that {} lists",
                                  endpoint_.model, models.size(), endpoint_.base_url),
                      fmt::format("there are {}{}", some, models.size() > 5 ? ", ..." : "")});
  return true;
}

void HttpProvider::check_call(std::vector<Finding>& findings, bool lists) {
  const int most = spec_.max_tokens.value_or(256);
  const auto ask = [&](const Echo& echo) {
    const ModelRequest request{
        .purpose = kPreflight,
        .messages = {{"system", "You are asked whether you are there."}, {"user", echo.ask}},
        .max_tokens = std::min(most, echo.max_tokens)};
    return call(request, until_end(), Dice(0));
  };
  bool is_first = true;
  for (const Echo& echo : echoes_of(spec_, most)) {
    ModelResult result = ask(echo);
    // Models that think may take no limit as low as that.
    if (result.is_rejected && echo.max_tokens < most) result = ask({.max_tokens = most});
    if (result.call.fault == Fault::provider_failed) {
      findings.push_back({Finding::Level::error,
                          (result.is_setting ? "" : "a call fails: ") + result.call.problem,
                          hint_for(result, endpoint_, spec_, lists)});
      return;
    }
    if (is_first) {
      findings.push_back(
          {.what = fmt::format("a call is answered in {:.0f} ms, by \"{}\"", result.call.latency_ms,
                               excerpt(result.call.served_model, 80))});
      if (result.call.usage.input < 0)
        findings.push_back({Finding::Level::warning, "the endpoint does not count tokens",
                            "costs and caps rest on estimates then"});
    }
    is_first = false;
    const std::vector<NotApplied> missing =
        not_applied(*endpoint_.provider, spec_, state_->capabilities());
    const bool is_sent = std::none_of(missing.begin(), missing.end(), [&](const NotApplied& one) {
      return one.name == echo.setting;
    });
    if (is_sent && is_ignored(echo, result.call.text))
      findings.push_back(
          {Finding::Level::warning,
           fmt::format("{} seems to ignore {}: \"{}\" went on where it was to end",
                       endpoint_.base_url, echo.setting, endpoint_.model),
           fmt::format("look whether a proxy drops it; treatments that differ in {} are equal then",
                       echo.setting)});
  }
}

void HttpProvider::check_structured(std::vector<Finding>& findings,
                                    std::span<const std::string> keywords, bool lists) {
  ModelRequest request{
      .purpose = kPreflight,
      .messages =
          {{"user",
            "Answer in JSON: is water wet? {\"wet\": true} or {\"wet\": false}. Whatever else "
            "you are asked for may be anything."}},
      .max_tokens = spec_.max_tokens.value_or(1024)};
  request.schema = schema_with(keywords);
  const ModelResult result = call(request, until_end(), Dice(1));
  if (result.call.fault == Fault::provider_failed) {
    findings.push_back({Finding::Level::error,
                        "a call with structured output fails: " + result.call.problem,
                        result.is_rejected ? "set \"structured\": \"text\" for this model"
                                           : hint_for(result, endpoint_, spec_, lists)});
    return;
  }
  if (result.call.fault == Fault::truncated) {
    findings.push_back({Finding::Level::warning,
                        "the model used up its tokens before it gave a short answer",
                        "raise max_tokens, or lower reasoning_effort"});
    return;
  }
  if (result.call.fault == Fault::empty && !result.call.reasoning.empty()) {
    findings.push_back({Finding::Level::warning,
                        "the answer came as a thought, and no words beside it: " +
                            excerpt(result.call.reasoning, 80),
                        std::string(kReasoningParser)});
    return;
  }
  boost::system::error_code code;
  const bj::value value = bj::parse(result.call.text, code);
  if (code || !value.is_object() || !value.get_object().contains("wet")) {
    findings.push_back(
        {Finding::Level::warning,
         "structured output is accepted and not kept to: " + excerpt(result.call.text, 80),
         "answers are checked in any case; \"structured\": \"text\" may do better"});
    return;
  }
  const Level level = state_->capabilities().level;
  if (level <= Level::lean && !value.get_object().contains(kOnlyInSchema)) {
    findings.push_back(
        {Finding::Level::warning,
         fmt::format("{} seems to ignore the schema of an answer: \"{}\" did not keep to it",
                     endpoint_.base_url, endpoint_.model),
         endpoint_.provider->shows_schema && !spec_.schema_in_prompt
             ? "look whether a proxy drops response_format; answers are checked in any case, and "
               "\"structured\": \"text\" puts the schema into the prompt"
             : "look at the server's structured output; answers are checked in any case, and "
               "prompts of the run have the schema already"});
    return;
  }
  static constexpr std::string_view kNames[] = {"a strict schema", "a schema without bounds",
                                                "a JSON object", "text"};
  findings.push_back(
      {.what = fmt::format("structured output works, by {}", kNames[static_cast<int>(level)])});
}

void HttpProvider::check_tools(std::vector<Finding>& findings, std::span<const ModelTool> tools,
                               bool lists) {
  constexpr std::string_view kMend = "leave out the agent's \"tools\", or take another model";
  if (wire_.read_tools == nullptr) {
    findings.push_back({Finding::Level::error,
                        fmt::format("the provider '{}' knows no tools", endpoint_.provider->id),
                        std::string(kMend)});
    return;
  }
  // With the form of an answer, as in play: some endpoints take each of the two alone.
  ModelRequest request{.purpose = kPreflight,
                       .messages = {{"user", fmt::format("Call the tool {} once, with arguments of "
                                                         "your choice, before you answer in JSON.",
                                                         tools.front().name)}},
                       .schema = R"({"type":"object","properties":{"done":{"type":"boolean"}},)"
                                 R"("required":["done"],"additionalProperties":false})",
                       .max_tokens = spec_.max_tokens.value_or(1024),
                       .tools = tools};
  const ModelResult result = call(request, until_end(), Dice(3));
  if (result.call.fault == Fault::provider_failed) {
    findings.push_back(
        {Finding::Level::error, "a call that offers tools fails: " + result.call.problem,
         result.is_rejected ? fmt::format("{}; where it is the form of the answer beside them, set "
                                          "\"structured\": \"text\"",
                                          kMend)
                            : hint_for(result, endpoint_, spec_, lists)});
  } else if (result.call.finish != kToolCalls) {
    findings.push_back({Finding::Level::warning,
                        "tools are taken, and the model did not call the one that it was told to",
                        "it may never do so: look at its calls with 'agon show'"});
  } else {
    findings.push_back({.what = "tools are taken, and called"});
  }
}

void HttpProvider::check_distribution(std::vector<Finding>& findings, bool lists) {
  ModelRequest request{.purpose = kPreflight,
                       .messages = {{"user", "Is water wet?"}},
                       .form = "Answer with yes or no.",
                       .options = {{.label = "yes"}, {.label = "no"}}};
  request.options_form = "Answer with one of these words and with nothing else:\n- yes\n- no";
  const ModelResult result = call(request, until_end(), Dice(4));
  AnswerDistribution found;
  if (result.call.fault == Fault::provider_failed) {
    findings.push_back(
        {Finding::Level::error,
         (result.is_setting ? "" : "a call for a distribution fails: ") + result.call.problem,
         hint_for(result, endpoint_, spec_, lists)});
  } else if (result.call.finish == kDistribution &&
             !read_json(found, result.call.text, Missing::keeps)) {
    constexpr double kMuch = 0.5;
    const std::string shares =
        fmt::format("yes {:.2f}, no {:.2f}, outside {:.2f}", found.options[0].probability,
                    found.options[1].probability, found.outside);
    if (found.outside < kMuch)
      findings.push_back({.what = "a call gives a distribution over answers: " + shares});
    else
      findings.push_back({Finding::Level::warning,
                          "the distribution over answers misses most of what the model says: " +
                              shares + "; it said " + excerpt(found.said, 80),
                          "a model that thinks before its answer needs \"samples\": 20"});
  } else if (asks_distribution(spec_) && result.call.fault != Fault::ok) {
    findings.push_back({Finding::Level::warning,
                        "a call for a distribution brought no answer: " + result.call.problem,
                        "raise max_tokens, or lower reasoning_effort"});
  }
}

void HttpProvider::check_context(const Expected& expected, std::int64_t context,
                                 std::vector<Finding>& findings) {
  if (expected.longest_prompt <= 0) return;
  const std::int64_t answer = spec_.max_tokens.value_or(0);
  if (context > 0 && expected.longest_prompt + answer > context)
    findings.push_back(
        {Finding::Level::error,
         fmt::format("the longest prompt expected, about {} tokens, and {} for the answer do not "
                     "fit into {} tokens of context",
                     expected.longest_prompt, answer, context),
         "use a memory that forgets, such as window, a smaller max_tokens, or a model with more "
         "context; \"context\" in the model's settings overrides what the endpoint lists"});
  // Servers of this kind cut a prompt that is too long and say nothing; only their count of its
  // tokens gives it away. It costs nothing there.
  if (!endpoint_.provider->cuts_prompts) return;
  std::string filler;
  const auto bytes =
      static_cast<std::size_t>(std::min<std::int64_t>(expected.longest_prompt, 200000)) * 4;
  // Short plain words: close to one token each, so that the count is near the estimate.
  for (std::size_t i = 0; filler.size() < bytes; ++i) filler += i % 2 == 0 ? "tree " : "river ";
  ModelRequest request{
      .purpose = kPreflight, .messages = {{"user", filler + "\nSay: ready."}}, .max_tokens = 16};
  const std::int64_t ours = mock::estimate_tokens(request.messages);
  const ModelResult result = call(request, until_end(), Dice(2));
  if (result.call.fault == Fault::truncated && result.call.finish == "context_length") {
    findings.push_back({Finding::Level::error,
                        fmt::format("a prompt of about {} tokens does not fit", ours),
                        "give the server more context"});
  } else if (result.call.usage.input >= 0 && result.call.usage.input < ours / 2) {
    findings.push_back(
        {Finding::Level::error,
         fmt::format("a prompt of about {} tokens was cut to {}, without a word", ours,
                     result.call.usage.input),
         "start the server with OLLAMA_CONTEXT_LENGTH (llama.cpp: --ctx-size) large enough"});
  } else if (result.call.usage.input >= 0) {
    findings.push_back({.what = fmt::format("a prompt of about {} tokens arrives whole", ours)});
  }
}

std::vector<Finding> HttpProvider::preflight(const Expected& expected) {
  std::string offered;
  for (const ModelTool& tool : expected.tools) offered += tool.name + ' ';
  for (const std::string& keyword : expected.keywords) offered += keyword + ' ';
  if (expected.draws_answers && asks_distribution(spec_)) offered += "draws ";
  return state_->once(fmt::format("{} {}{}", expected.longest_prompt, offered, write_json(spec_)),
                      [&] {
                        std::vector<Finding> findings = look(expected);
                        for (Finding& f : findings) {
                          f.what = secrets::cut(std::move(f.what));
                          f.hint = secrets::cut(std::move(f.hint));
                        }
                        return findings;
                      });
}

std::vector<Finding> HttpProvider::look(const Expected& expected) {
  std::vector<Finding> findings;
  const auto has_error = [&] {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.level == Finding::Level::error; });
  };
  if (key_.is_set()) {
    findings.push_back({.what = fmt::format("{} is set", endpoint_.key_env)});
  } else if (endpoint_.needs_key) {
    findings.push_back({Finding::Level::error, fmt::format("{} is not set", endpoint_.key_env),
                        fmt::format("export {}=...", endpoint_.key_env)});
    return findings;
  }
  std::int64_t context = 0;
  const bool lists = check_models(findings, context);
  if (spec_.context > 0) context = spec_.context;
  if (!has_error()) check_call(findings, lists);
  if (!has_error() && state_->capabilities().level != Level::text)
    check_structured(findings, expected.keywords, lists);
  if (!has_error() && !expected.tools.empty()) check_tools(findings, expected.tools, lists);
  if (!has_error() && expected.draws_answers && asks_distribution(spec_))
    check_distribution(findings, lists);
  if (!has_error()) check_context(expected, context, findings);
  if (const std::string_view pin = endpoint_.provider->pinned_by;
      !pin.empty() && !extra_of(spec_).contains(pin))
    findings.push_back(
        {Finding::Level::warning,
         fmt::format("{} may serve \"{}\" from another host at each call, in another "
                     "version: the host is a factor that nobody holds fixed",
                     endpoint_.provider->id, endpoint_.model),
         fmt::format("pin it: \"extra\": {{\"{}\": {{\"order\": [\"HOST\"], "
                     "\"allow_fallbacks\": false}}}}",
                     pin)});
  if (!has_error()) {
    state_->settle();
    for (const NotApplied& one : not_applied(*endpoint_.provider, spec_, state_->capabilities()))
      if (one.name == kSystemRole)
        findings.push_back({.what = "the endpoint takes no system prompt; it stands at the "
                                    "beginning of the user's first message"});
      else if (!one.value.empty())
        findings.push_back({Finding::Level::warning,
                            one.is_chosen
                                ? fmt::format("{} is not sent: \"sampling\" is \"no\"", one.name)
                                : fmt::format("{} is not applied: {} does not take it", one.name,
                                              endpoint_.base_url),
                            "reports say so, too"});
  }
  return findings;
}

}  // namespace agon::llm
