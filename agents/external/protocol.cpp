#include "external/protocol.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/random.hpp>
#include <agon/sdk_version.hpp>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <utility>

namespace agon::external {
namespace {

namespace bj = boost::json;

constexpr std::array<std::string_view, 4> kKinds{"boolean", "integer", "number", "text"};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// Past the value that begins at `at`, in well-formed JSON.
std::size_t skip_value(std::string_view text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
      if (c == '"' && depth == 0) return at + 1;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && (c == ',' || c == ':' || is_space(c))) return at;
  }
  return at;
}

/// The text member `name`; empty if it is missing. Sets `problem` if it is something else.
std::string text_of(const bj::object& o, std::string_view name, std::string& problem) {
  const bj::value* v = o.if_contains(name);
  if (v == nullptr || v->is_null()) return {};
  if (v->is_string()) return std::string(v->get_string());
  problem = "'" + std::string(name) + "' must be a text";
  return {};
}

bool fits(OptionKind kind, const bj::value& v) {
  switch (kind) {
    case OptionKind::boolean:
      return v.is_bool();
    case OptionKind::integer:
      return v.is_int64();
    case OptionKind::number:
      return v.is_number();
    case OptionKind::text:
      return v.is_string();
  }
  return false;
}

std::string read_options(const bj::object& o, std::string_view line, Message& message) {
  const bj::value* list = o.if_contains("options");
  if (list == nullptr || list->is_null()) return {};
  if (!list->is_array()) return "'options' must be a list";
  // Defaults are kept as they were written.
  const std::string_view raw = raw_member(line, "options");
  std::size_t at = 1;
  for (const bj::value& v : list->get_array()) {
    while (is_space(raw[at]) || raw[at] == ',') ++at;
    const std::size_t end = skip_value(raw, at);
    const std::string_view option = raw.substr(at, end - at);
    at = end;
    if (!v.is_object()) return "an option must be an object with name, type and default";
    std::string problem;
    OptionCard card;
    card.name = text_of(v.get_object(), "name", problem);
    card.doc = text_of(v.get_object(), "doc", problem);
    const std::string kind = text_of(v.get_object(), "type", problem);
    if (!problem.empty()) return "in an option " + problem;
    if (card.name.empty()) return "an option needs a name";
    for (const OptionCard& other : message.options)
      if (other.name == card.name) return "two options are called '" + card.name + "'";
    const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end())
      return "the type of option '" + card.name +
             "' must be boolean, integer, number or text, not '" + excerpt(kind) + "'";
    card.kind = static_cast<OptionKind>(found - kKinds.begin());
    const bj::value* fallback = v.get_object().if_contains("default");
    if (fallback == nullptr || !fits(card.kind, *fallback))
      return "option '" + card.name + "' needs a default of type " + kind;
    card.fallback = raw_member(option, "default");
    message.options.push_back(std::move(card));
  }
  return {};
}

bj::value parse(std::string_view text, bj::error_code& error) {
  bj::parse_options options;
  options.max_depth = 64;
  return bj::parse({text.data(), text.size()}, error, {}, options);
}

}  // namespace

std::string_view raw_member(std::string_view object, std::string_view name) {
  std::string_view found;
  std::size_t at = skip_space(object, 0) + 1;
  for (;;) {
    at = skip_space(object, at);
    if (at >= object.size() || object[at] == '}') return found;
    if (object[at] == ',') {
      ++at;
      continue;
    }
    const std::size_t key_end = skip_value(object, at);
    const std::string_view key = object.substr(at, key_end - at);
    at = skip_space(object, skip_space(object, key_end) + 1);
    const std::size_t end = skip_value(object, at);
    bj::error_code error;
    const bj::value read = bj::parse({key.data(), key.size()}, error);
    if (!error && read.is_string() && std::string_view(read.get_string()) == name)
      found = object.substr(at, end - at);
    at = end;
  }
}

Reading read_line(std::string_view line) {
  const auto wrong = [&](const std::string& what) {
    return Reading{std::nullopt, what + ": " + excerpt(line)};
  };
  bj::error_code error;
  const bj::value value = parse(line, error);
  if (error)
    return wrong("standard output is for messages, a JSON object a line; this line is none");
  if (!value.is_object()) return wrong("a message must be a JSON object");
  const bj::object& o = value.get_object();
  std::string problem;
  const std::string type = text_of(o, "type", problem);
  Message m;
  if (type == "hello") {
    m.what = Message::What::hello;
    const bj::value* protocol = o.if_contains("protocol");
    if (protocol == nullptr || !protocol->is_int64())
      return wrong("a hello needs 'protocol', a whole number");
    m.protocol = protocol->get_int64();
    m.name = text_of(o, "name", problem);
    if (problem.empty()) problem = read_options(o, line, m);
    if (!problem.empty()) return wrong(problem);
    return {std::move(m), {}};
  }
  if (type == "answer")
    m.what = Message::What::answer;
  else if (type == "decline")
    m.what = Message::What::decline;
  else if (type == "failed")
    m.what = Message::What::failed;
  else if (type == "pong")
    m.what = Message::What::pong;
  else
    return wrong(type.empty() ? "a message needs a 'type'"
                              : "an agent says hello, answer, decline, failed or pong, not '" +
                                    excerpt(type) + "'");
  m.id = text_of(o, "id", problem);
  m.thought = text_of(o, "thought", problem);
  m.problem = text_of(o, "problem", problem);
  if (const bj::value* memo = o.if_contains("memo"); memo != nullptr && !memo->is_null())
    m.memo = text_of(o, "memo", problem);
  if (problem.empty() && m.id.empty()) problem = "'id' must be that of the question or the ping";
  if (!problem.empty()) return wrong(problem);
  if (m.what == Message::What::answer) m.json = raw_member(line, "answer");
  return {std::move(m), {}};
}

Reply reply_of(Message m, bool probe, const std::string& who) {
  Reply reply;
  for (const auto& [what, size] : {std::pair("answer", m.json.size()),
                                   {"thought", m.thought.size()},
                                   {"memo", m.memo.value_or("").size()}})
    if (size > kLongestPart) {
      reply.status = Fault::unparsable;
      reply.problem = "'" + std::string(what) + "' has " + std::to_string(size) +
                      " bytes; expected at most " + std::to_string(kLongestPart >> 20U) + " MiB";
      return reply;
    }
  reply.thought = std::move(m.thought);
  if (m.memo) {
    reply.memo = std::move(*m.memo);
    reply.remembers = true;
  }
  if (m.what == Message::What::failed) {
    reply.status = Fault::provider_failed;
    reply.problem = who + " failed: " + excerpt(m.problem, 1000);
  } else if (m.what == Message::What::decline) {
    reply.declined = probe;
    if (!probe) {
      reply.status = Fault::refused;
      reply.problem = "this question cannot be declined";
    }
  } else if (m.json.empty()) {
    reply.status = Fault::empty;
    reply.problem = "there is no answer in the message";
  } else {
    reply.json = std::move(m.json);
  }
  return reply;
}

std::string option_values(const std::vector<OptionCard>& declared,
                          const std::map<std::string, std::string>& given,
                          const std::string& agent) {
  std::string known;
  for (const OptionCard& card : declared) known += (known.empty() ? "" : ", ") + card.name;
  for (const auto& entry : given) {
    const std::string& name = entry.first;
    const std::string& json = entry.second;
    const auto card = std::find_if(declared.begin(), declared.end(),
                                   [&](const OptionCard& c) { return c.name == name; });
    if (card == declared.end())
      throw Error(ErrorKind::invalid, "the agent '" + agent + "' has no option '" + name + "'", "",
                  declared.empty() ? "it declares no options at all" : "it has: " + known);
    bj::error_code error;
    const bj::value value = parse(json, error);
    if (error || !fits(card->kind, value))
      throw Error(ErrorKind::invalid,
                  "option '" + name + "' of the agent '" + agent + "' must be of type " +
                      std::string(kKinds[static_cast<std::size_t>(card->kind)]) + ", not " +
                      excerpt(json),
                  "", "its default is " + card->fallback);
  }
  std::string out;
  for (const OptionCard& card : declared) {
    const auto found = given.find(card.name);
    bj::string name(card.name);
    out += (out.empty() ? "{" : ",") + bj::serialize(bj::value(std::move(name))) + ":" +
           (found == given.end() ? card.fallback : found->second);
  }
  return out.empty() ? "{}" : out + "}";
}

namespace {

/// A JSON object written member by member, in order.
class Line {
 public:
  explicit Line(std::string_view type) { text("type", type); }

  Line& raw(std::string_view name, std::string_view json) {
    out_ += out_.empty() ? "{" : ",";
    out_ += json_text(name) + ":";
    out_ += json;
    return *this;
  }
  Line& text(std::string_view name, std::string_view value) { return raw(name, json_text(value)); }
  Line& number(std::string_view name, std::int64_t value) {
    return raw(name, std::to_string(value));
  }
  Line& flag(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }
  /// Only if there is something to say.
  Line& some(std::string_view name, std::string_view value) {
    return value.empty() ? *this : text(name, value);
  }
  [[nodiscard]] std::string end() const { return out_ + "}\n"; }

  static std::string json_text(std::string_view text) { return write_json(std::string(text)); }

 private:
  std::string out_;
};

}  // namespace

std::string id_of(const OwnedQuestion& q) {
  return std::to_string(q.number) + "." + std::to_string(q.attempt);
}

std::string hello_line() {
  return Line("hello")
      .number("protocol", kProtocol)
      .text("arena", "agon")
      .text("version", AGON_SDK_VERSION_TEXT)
      .end();
}

std::string match_line(const OwnedQuestion& q, std::string_view options) {
  return Line("match")
      .text("game", q.game)
      .text("title", q.title)
      .text("rules", q.rules)
      .text("match", q.match)
      .number("seat", q.seat)
      .text("name", q.seat_name)
      .text("role", q.role)
      .raw("seats", write_json(q.seat_names))
      .raw("facts", q.facts_json.empty() ? "null" : std::string_view(q.facts_json))
      .raw("options", options)
      .end();
}

std::string delivery_line(const Delivery& d) {
  if (d.what == Delivery::What::event)
    return Line("event")
        .text("name", d.name)
        .flag("private", d.is_private)
        .raw("data", d.json)
        .end();
  const bool asked = d.what == Delivery::What::question;
  return Line(asked ? "asked" : "answered")
      .number("number", d.number)
      .text("stage", d.name)
      .raw(asked ? "view" : "answer", d.json)
      .end();
}

std::string Told::news(const SeatHistory& history) {
  std::string lines;
  for (; told_ < history.size(); ++told_) {
    const Delivery& d = history[told_];
    if (d.what != Delivery::What::question || !numbers_.contains(d.number))
      lines += delivery_line(d);
  }
  return lines;
}

std::string question_line(const OwnedQuestion& q, std::chrono::milliseconds limit,
                          std::string_view rendered) {
  Line line("question");
  line.text("id", id_of(q))
      .number("number", q.number)
      .number("attempt", q.attempt)
      .text("stage", q.stage)
      .text("doc", q.stage_doc)
      .flag("probe", q.probe)
      .number("asked_at_once", q.asked_at_once)
      .number("asked_index", q.asked_index)
      .raw("view", q.view_json.empty() ? "null" : std::string_view(q.view_json))
      .raw("schema", schema_json(*q.answer_type, q.limits.get()))
      .some("complaint", q.complaint)
      .text("memo", q.memo);
  // Chance that is the agent's own: playing the match again gives the same. Fits any language's
  // integers and doubles.
  Dice dice(q.dice_key, q.dice_place, static_cast<std::uint32_t>(q.attempt));
  line.number("seed", static_cast<std::int64_t>(dice.bits64() >> 11U));
  if (limit == std::chrono::milliseconds::max())
    line.raw("seconds", "null");
  else
    line.raw("seconds", write_json(std::chrono::duration<double>(limit).count()));
  if (!rendered.empty()) line.raw("rendered", rendered);
  return line.end();
}

RenderQuestion renderer_of(bool asked, const AgentServices& services) {
  if (!asked) return nullptr;
  const std::string hint = "or leave 'rendered' out";
  if (services.renderer == nullptr)
    throw Error(ErrorKind::invalid, "parameter rendered: no model agent is here to write messages",
                "", "let the agent play in a run of agon, " + hint);
  try {
    return services.renderer();
  } catch (const Error& error) {
    throw Error(error.kind(), "parameter rendered: " + error.problem(), "",
                error.hint() + "; " + hint);
  }
}

std::optional<Reply> put_rendered(std::string& rendered, const RenderQuestion& render,
                                  const OwnedQuestion& question) {
  try {
    if (render != nullptr) rendered = render(question);
    return std::nullopt;
  } catch (const Error& error) {
    // Wrong prompts: no other question would fare better.
    return Reply{.status = Fault::provider_failed,
                 .problem = "what a model would be sent cannot be written: " + error.problem(),
                 .halt = Halt::configuration};
  }
}

std::string over_line(const MatchEnding& ending) {
  const auto figure = [](std::optional<double> value) {
    return value && std::isfinite(*value) ? write_json(*value) : std::string("null");
  };
  std::optional<double> payoff = ending.score;
  if (payoff) *payoff /= std::pow(10.0, ending.score_decimals);
  Line line("over");
  line.flag("finished", ending.finished)
      .raw("payoff", figure(payoff))
      .raw("normalised_score", figure(ending.normalised));
  if (ending.finished && ending.rank > 0)
    line.number("rank", ending.rank);
  else
    line.raw("rank", "null");
  return line.raw("metrics", ending.metrics_json.empty() ? "null" : ending.metrics_json).end();
}

std::string ping_line(std::string_view id) {
  return Line("ping").text("id", id).end();
}

std::string end_line() {
  return Line("end").end();
}

std::string excerpt(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  text = text.substr(0, most);
  // Never cuts a character in two.
  while (cut && !text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0 &&
         (static_cast<unsigned char>(text.back()) & 0x40U) == 0)
    text.remove_suffix(1);
  if (cut && !text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0xC0U)
    text.remove_suffix(1);
  return printable(text) + (cut ? "..." : "");
}

}  // namespace agon::external
