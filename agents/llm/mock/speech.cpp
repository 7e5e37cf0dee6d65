#include "llm/mock/speech.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "llm/answer/words.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm::mock {
namespace {

namespace bj = boost::json;

constexpr std::array<std::string_view, 24> kWords{
    "the",   "price", "seems", "fair",  "others", "may",   "wait", "and",
    "offer", "less",  "a",     "small", "step",   "keeps", "risk", "low",
    "we",    "share", "what",  "is",    "left",   "for",   "now",  "later"};

/// A few sentences that say nothing.
std::string small_talk(std::size_t words, Dice& dice) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) text += i % 11 == 0 ? ". " : " ";
    text += kWords[dice.below(kWords.size())];
  }
  return text;
}

/// A bound of a schema as a double; nothing where there is none.
std::optional<double> number_at(const bj::object& schema, std::string_view name) {
  const bj::value* found = schema.if_contains(name);
  if (found == nullptr || !found->is_number()) return {};
  return found->to_number<double>();
}

/// A list that has elements; null where there is none.
const bj::array* elements_at(const bj::object& schema, std::string_view name) {
  const bj::value* found = schema.if_contains(name);
  const bj::array* list = found == nullptr ? nullptr : found->if_array();
  return list == nullptr || list->empty() ? nullptr : list;
}

std::size_t size_at(const bj::object& schema, std::string_view name, std::size_t otherwise) {
  const std::optional<double> n = number_at(schema, name);
  if (!n || *n < 0) return otherwise;
  return *n > 1e9 ? std::size_t{1000000000} : static_cast<std::size_t>(*n);
}

/// Agon's schemas give bounds that differ from element to element in words, as strict structured
/// output knows no other way.
std::vector<std::int64_t> bounds_by_element(const bj::object& schema) {
  constexpr std::string_view kBegin = "element by element at most ";
  std::vector<std::int64_t> bounds;
  const std::string description = wire::text_at(schema, "description");
  const std::string_view text = description;
  std::size_t at = text.find(kBegin);
  if (at == std::string_view::npos) return bounds;
  at += kBegin.size();
  for (;;) {
    std::int64_t bound = 0;
    const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), bound);
    if (code != std::errc{}) return bounds;
    bounds.push_back(bound);
    at = static_cast<std::size_t>(end - text.data());
    if (text.substr(at, 2) != ", ") return bounds;
    at += 2;
  }
}

/// What a schema says in words that numbers add up to: as bounds_by_element(), English only.
struct SumInWords {
  double low = -1e300, high = 1e300;
  std::vector<std::string> names{};  ///< members that count; empty: all numbers
};

std::vector<SumInWords> sums_in(const bj::object& schema) {
  std::vector<SumInWords> sums;
  static const std::regex kSum(
      R"((?:([\w.]+(?: \+ [\w.]+)+): )?(?:(exactly|at most|at least) (-?[\d.]+)|(-?[\d.]+) to (-?[\d.]+)) in total)");
  const std::string text = wire::text_at(schema, "description");
  if (text.empty()) return sums;
  for (std::sregex_iterator at(text.begin(), text.end(), kSum), end; at != end; ++at) {
    const std::smatch& found = *at;
    SumInWords sum;
    const auto number = [&](int group) { return std::strtod(found[group].str().c_str(), nullptr); };
    if (found[2] == "exactly" || found[2] == "at least") sum.low = number(3);
    if (found[2] == "exactly" || found[2] == "at most") sum.high = number(3);
    if (found[4].matched) sum.low = number(4), sum.high = number(5);
    for (std::string names = found[1]; !names.empty();) {
      const std::size_t plus = names.find(" + ");
      sum.names.push_back(names.substr(0, plus));
      names = plus == std::string::npos ? "" : names.substr(plus + 3);
    }
    sums.push_back(std::move(sum));
  }
  return sums;
}

struct Writer {
  const bj::value& root;
  bool first;
  int spoil;  ///< which of the values that can be made illegal is; -1: none
  Dice& dice;
  std::uint64_t words;
  std::string out{};
  int spoilable = 0;

  bool spoils() { return spoilable++ == spoil; }
  std::uint64_t pick(std::size_t n) { return first || n < 2 ? 0 : dice.below(n); }

  static void append_text(std::string& to, std::string_view text) {
    to += bj::serialize(bj::string(text));
  }

  void write(const bj::value& schema, int depth) {
    if (!schema.is_object() || depth > 24) {
      out += "null";
      return;
    }
    const bj::object& s = schema.get_object();
    if (const bj::value* ref = s.if_contains("$ref"); ref != nullptr && ref->is_string())
      return write_ref(ref->get_string(), depth);
    if (const bj::value* value = s.if_contains("const")) {
      out += bj::serialize(*value);
      return;
    }
    if (const bj::array* values = elements_at(s, "enum")) return write_enum(*values);
    for (const std::string_view any : {"anyOf", "oneOf"})
      if (const bj::array* of = elements_at(s, any))
        return write((*of)[pick(of->size())], depth + 1);
    write_typed(s, depth);
  }

  void write_ref(std::string_view ref, int depth) {
    boost::system::error_code code;
    const bj::value* found =
        ref.starts_with("#") ? root.find_pointer(ref.substr(1), code) : nullptr;
    if (found == nullptr)
      out += "null";
    else
      write(*found, depth + 1);
  }

  void write_enum(const bj::array& values) {
    const bj::value& value = values[pick(values.size())];
    if (value.is_string() && spoils())
      out += "\"none of these\"";
    else if (value.is_number())
      out += fmt::format("{}", value.to_number<double>() + (spoils() ? 1000 : 0));
    else
      out += bj::serialize(value);
  }

  void write_typed(const bj::object& s, int depth) {
    std::string_view type = "object";
    if (const bj::array* types = elements_at(s, "type"); types && (*types)[0].is_string())
      type = (*types)[pick(types->size())].get_string();
    else if (const bj::value* one = s.if_contains("type"); one && one->is_string())
      type = one->get_string();
    if (type == "object" || type == "array") {
      const std::size_t begin = out.size();
      if (type == "object")
        write_members(s, depth);
      else
        write_items(s, depth);
      return keep_to_sums(s, begin);
    }
    if (type == "string") return write_string(s);
    if (type == "integer") return write_integer(s, {});
    if (type == "number") return write_number(s);
    if (type == "boolean") {
      out += pick(2) == 0 ? "true" : "false";
      return;
    }
    out += "null";
  }

  /// A number that a sum counts.
  struct Counted {
    bj::value* value;
    double least, most;
  };

  static void find_counted(const bj::value& schema, bj::value& value, const std::string& path,
                           const SumInWords& sum, std::vector<Counted>& found) {
    if (!schema.is_object()) return;
    const bj::object& s = schema.get_object();
    if (const bj::value* any = s.if_contains("anyOf"); any != nullptr && any->is_array())
      for (const bj::value& one : any->get_array())
        if (const bj::value* type =
                one.is_object() ? one.get_object().if_contains("type") : nullptr;
            type != nullptr && *type != "null" && value.is_number())
          return find_counted(one, value, path, sum, found);
    if (value.is_object() && s.contains("properties")) {
      for (auto& member : value.get_object())
        if (const bj::value* inner = s.at("properties").as_object().if_contains(member.key()))
          find_counted(*inner, member.value(),
                       (path.empty() ? "" : path + ".") + std::string(member.key()), sum, found);
    } else if (value.is_array() && s.contains("items")) {
      for (bj::value& item : value.get_array()) find_counted(s.at("items"), item, path, sum, found);
    } else if (value.is_number() &&
               (sum.names.empty() ||
                std::find(sum.names.begin(), sum.names.end(), path) != sum.names.end())) {
      found.push_back(
          {&value, number_at(s, "minimum").value_or(0), number_at(s, "maximum").value_or(9e15)});
    }
  }

  /// Moves the numbers of what was written from `begin` on until they add up as the schema says.
  void keep_to_sums(const bj::object& s, std::size_t begin) {
    const std::vector<SumInWords> sums = sums_in(s);
    if (sums.empty() || spoil >= 0) return;
    boost::system::error_code code;
    bj::value value = bj::parse(bj::string_view(out.data() + begin, out.size() - begin), code);
    if (code) return;
    for (const SumInWords& sum : sums) {
      std::vector<Counted> counted;
      find_counted(bj::value(s), value, "", sum, counted);
      dice.shuffle(std::span(counted));
      for (const Counted& one : counted) {
        double total = 0;
        for (const Counted& each : counted) total += each.value->to_number<double>();
        total = std::round(total * 1e6) / 1e6;
        const double own = one.value->to_number<double>();
        const double to = total > sum.high  ? std::max(one.least, own - (total - sum.high))
                          : total < sum.low ? std::min(one.most, own + (sum.low - total))
                                            : own;
        if (to == own) continue;
        const double rounded = std::round(to * 1e6) / 1e6;
        if (one.value->is_double() && rounded != std::floor(rounded))
          *one.value = rounded;
        else
          *one.value = static_cast<std::int64_t>(rounded);
      }
    }
    out.resize(begin);
    out += bj::serialize(value);
  }

  void write_members(const bj::object& s, int depth) {
    out += '{';
    if (const bj::object* properties = wire::object_at(s, "properties")) {
      bool more = false;
      for (const auto& property : *properties) {
        if (more) out += ',';
        more = true;
        append_text(out, property.key());
        out += ':';
        write(property.value(), depth + 1);
      }
    }
    out += '}';
  }

  void write_items(const bj::object& s, int depth) {
    const std::size_t least = size_at(s, "minItems", 0);
    const std::size_t most = std::max(least, size_at(s, "maxItems", least + 3));
    const std::size_t n = least + pick(std::min<std::size_t>(most - least, 5) + 1);
    const bj::value* items = s.if_contains("items");
    const std::vector<std::int64_t> bounds = bounds_by_element(s);
    out += '[';
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) out += ',';
      if (items == nullptr)
        out += "null";
      else if (i < bounds.size() && items->is_object())
        write_integer(items->get_object(), bounds[i]);
      else
        write(*items, depth + 1);
    }
    out += ']';
  }

  void write_string(const bj::object& s) {
    const std::size_t least = size_at(s, "minLength", 0);
    const std::size_t most = size_at(s, "maxLength", 400);
    std::string text = small_talk(first ? 3 : 3 + dice.below(words), dice);
    while (text.size() < least) text += " so";
    if (text.size() > most) text.resize(most);
    append_text(out, text);
  }

  void write_integer(const bj::object& s, std::optional<std::int64_t> bound) {
    constexpr double kFar = 9e15;
    const std::optional<double> min = number_at(s, "minimum");
    std::optional<double> max = number_at(s, "maximum");
    if (bound) max = static_cast<double>(*bound);
    const double low = min ? *min : (max ? std::min(0.0, *max) : 0);
    const double high = max ? *max : low + 100;
    const auto lo = static_cast<std::int64_t>(std::ceil(std::clamp(low, -kFar, kFar)));
    const auto hi = static_cast<std::int64_t>(std::floor(std::clamp(high, -kFar, kFar)));
    std::int64_t value = lo >= hi || first ? lo : dice.between(lo, hi);
    if (max && spoils())
      value = hi + 1000;
    else if (!max && min && spoils())
      value = lo - 1000;
    out += fmt::format("{}", value);
  }

  void write_number(const bj::object& s) {
    const std::optional<double> min = number_at(s, "minimum");
    const std::optional<double> max = number_at(s, "maximum");
    const double low = min ? *min : (max ? std::min(0.0, *max) : 0);
    const double high = std::max(low, max ? *max : low + 100);
    // Whole hundredths, so that money has at most cents; between narrow bounds, millionths, unless
    // the schema has a step.
    const double parts = high - low < 0.05 && !number_at(s, "multipleOf") ? 1e6 : 100;
    constexpr double kFar = 9e15;
    const auto lo =
        static_cast<std::int64_t>(std::ceil(std::clamp(low * parts - 1e-6, -kFar, kFar)));
    const auto hi =
        static_cast<std::int64_t>(std::floor(std::clamp(high * parts + 1e-6, -kFar, kFar)));
    const std::int64_t value = lo >= hi || first ? lo : dice.between(lo, hi);
    double number = static_cast<double>(value) / parts;
    if (lo > hi) number = low;
    if (max && spoils())
      number = std::floor(high) + 1000;
    else if (!max && min && spoils())
      number = std::ceil(low) - 1000;
    out += fmt::format("{}", number);
  }
};

bj::value parsed(std::string_view schema) {
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  bj::value value = bj::parse(bj::string_view(schema.data(), schema.size()), code, {}, options);
  if (code) throw Error(ErrorKind::invalid, "the schema of an answer is not JSON");
  return value;
}

bool looks_like_schema(const bj::value& value) {
  if (!value.is_object()) return false;
  const bj::object& o = value.get_object();
  if (o.contains("$schema")) return true;
  if (wire::object_at(o, "properties") != nullptr) return o.contains("type");
  const bj::value* any = o.if_contains("anyOf");
  return any != nullptr && any->is_array();
}

/// The last JSON object in the text that looks like a schema.
std::string last_schema(std::string_view text) {
  std::string found;
  if (text.find("\"properties\"") == std::string_view::npos &&
      text.find("\"anyOf\"") == std::string_view::npos &&
      text.find("\"$schema\"") == std::string_view::npos)
    return found;
  bj::parse_options options;
  options.max_depth = 64;
  for (std::size_t at = text.find('{'); at != std::string_view::npos;) {
    bj::parser parser({}, options);
    boost::system::error_code code;
    const std::size_t n = parser.write_some(text.data() + at, text.size() - at, code);
    if (!code) {
      if (looks_like_schema(parser.release())) found = text.substr(at, n);
      at = text.find('{', at + n);
    } else {
      at = text.find('{', at + 1);
    }
  }
  return found;
}

/// The JSON Schema that the messages hold in their texts, looked for from the last message on;
/// empty: none.
std::string schema_in(std::span<const ChatMessage> messages) {
  for (std::size_t i = messages.size(); i > 0; --i) {
    std::string found = last_schema(messages[i - 1].text);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string answer_to(std::string_view schema, Taste taste, Dice& dice, std::int64_t words) {
  const auto most = static_cast<std::uint64_t>(words);
  const bj::value root = parsed(schema);
  int spoil = -1;
  if (taste == Taste::illegal) {
    const Dice before = dice;
    Writer counter{root, false, -1, dice, most};
    counter.write(root, 0);
    // The alternatives taken must be the same the second time.
    dice = before;
    if (counter.spoilable == 0) return R"({"no such member": true})";
    spoil = static_cast<int>(Dice(before).below(static_cast<std::uint64_t>(counter.spoilable)));
  }
  Writer writer{root, taste == Taste::first, spoil, dice, most};
  writer.write(root, 0);
  return std::move(writer.out);
}

namespace {

Fate draw_fate(const MockSpec& spec, Dice& dice) {
  const std::array<std::pair<Fate, double>, 10> rates{{
      {Fate::rate_limited, spec.rate_limited},
      {Fate::rate_limited_plain, spec.rate_limited_plain},
      {Fate::server_error, spec.server_error},
      {Fate::hang, spec.hang},
      {Fate::cut, spec.cut},
      {Fate::truncated, spec.truncated},
      {Fate::refused, spec.refused},
      {Fate::malformed, spec.malformed},
      {Fate::illegal, spec.illegal},
      {Fate::empty, spec.empty},
  }};
  double x = dice.unit();
  for (const auto& [fate, rate] : rates) {
    if (x < rate) return fate;
    x -= rate;
  }
  return Fate::answered;
}

/// Log-normal around the median, by Box and Muller's transform (Annals of Mathematical Statistics
/// 29, 1958).
double draw_latency(const MockSpec& spec, Dice& dice) {
  const double u = 1 - dice.unit();  // never 0
  const double v = dice.unit();
  const double slow = dice.unit();
  double latency = spec.latency_ms;
  if (spec.latency_spread > 0)
    latency *= std::exp(spec.latency_spread * std::sqrt(-2 * std::log(u)) *
                        std::cos(2 * std::numbers::pi * v));
  if (slow < spec.slow) latency = std::max(2000.0, latency * 10);
  return latency;
}

/// Cuts a text without cutting a character of it in two.
void cut_to(std::string& text, std::size_t size) {
  text.resize(first_bytes(text, size).size());
}

bool asks_for_tag(std::span<const ChatMessage> messages) {
  return std::any_of(messages.begin(), messages.end(), [](const ChatMessage& m) {
    return m.text.find("<answer>") != std::string::npos;
  });
}

std::string answer_text(const MockSpec& spec, const Heard& heard, Fate fate, Dice& dice) {
  if (spec.answers == MockAnswers::script && fate != Fate::illegal)
    return spec.script[heard.number % spec.script.size()];
  const bool in_prompt = heard.schema.empty();
  const std::string found = in_prompt ? schema_in(heard.messages) : std::string(heard.schema);
  if (found.empty()) {
    Dice steady(0, 0, 0);
    Dice& words = spec.answers == MockAnswers::first ? steady : dice;
    const auto most = static_cast<std::uint64_t>(spec.words);
    const std::size_t length =
        std::max<std::uint64_t>(20, most) + words.below(std::max<std::uint64_t>(40, most * 5 / 3));
    return small_talk(length, words);
  }
  const Taste taste = fate == Fate::illegal                ? Taste::illegal
                      : spec.answers == MockAnswers::first ? Taste::first
                                                           : Taste::random;
  const bool usual = taste == Taste::random && !heard.usual.empty();
  std::string text = answer_to(usual ? heard.usual : found, taste, dice, spec.words);
  if (in_prompt && asks_for_tag(heard.messages)) text = "<answer>" + text + "</answer>";
  return text;
}

/// Says labels by shares drawn at random, or the first one; a little always lies outside.
void say_label(const MockSpec& spec, const Heard& heard, Dice& dice, Speech& speech) {
  constexpr double kOutside = 0.02;
  const bool is_first = spec.answers == MockAnswers::first;
  double sum = 0;
  for (const std::string& label : heard.labels) {
    const double share = is_first ? (speech.likely.empty() ? 1.0 : 0.0) : 0.01 + dice.unit();
    speech.likely.emplace_back(label, share);
    sum += share;
  }
  for (auto& [label, share] : speech.likely) share *= (1 - kOutside) / sum;
  const auto say = [&] {
    double left = dice.unit() * (1 - kOutside);
    for (const auto& [label, share] : speech.likely) {
      if (left < share) return label;
      left -= share;
    }
    return speech.likely.front().first;
  };
  speech.text = say();
  for (int i = 1; i < heard.choices; ++i) speech.more.push_back(say());
  speech.likely.emplace_back("the", kOutside);
}

/// The mock that answers at random calls tools in every second reply, and now and then in a wrong
/// way.
std::vector<ToolCall> tool_calls(const MockSpec& spec, const Heard& heard, Fate fate, Dice& dice) {
  std::vector<ToolCall> calls;
  if (heard.tools.empty() || spec.answers != MockAnswers::random || fate != Fate::answered ||
      dice.below(2) == 0)
    return calls;
  const std::uint64_t id = dice.bits64();
  const std::size_t n = 1 + dice.below(2);
  for (std::size_t i = 0; i < n; ++i) {
    const ModelTool& tool = heard.tools[dice.below(heard.tools.size())];
    const bool works_out = tool.schema.find("\"expression\"") != std::string::npos;
    calls.push_back(
        {fmt::format("call_{:08x}_{}", id >> 32U, i), tool.name,
         works_out && dice.below(4) > 0
             ? fmt::format(R"({{"expression":"{} * {}.5"}})", 1 + dice.below(99), dice.below(9))
             : answer_to(tool.schema, Taste::random, dice, 3)});
  }
  return calls;
}

}  // namespace

std::int64_t estimate_tokens(std::span<const ModelTool> tools) {
  std::int64_t tokens = 0;
  for (const ModelTool& t : tools)
    tokens += 8 + llm::estimate_tokens(t.name) + llm::estimate_tokens(t.doc) +
              llm::estimate_tokens(t.schema);
  return tokens;
}

std::int64_t estimate_tokens(std::span<const ChatMessage> messages) {
  std::int64_t tokens = 0;
  for (const ChatMessage& m : messages) tokens += 4 + llm::estimate_tokens(m.text);
  return tokens;
}

std::vector<std::string> labels_in(std::span<const ChatMessage> messages) {
  std::vector<std::string> labels;
  if (messages.empty()) return labels;
  std::string_view text = messages.back().text;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // The list ends the message; a list above it is of something else.
    const bool is_option = line.starts_with("- ");
    if (is_option) labels.emplace_back(line.substr(2, line.find(": ") - 2));
    if (!is_option && text.find("\n- ") != std::string_view::npos) labels.clear();
  }
  return labels;
}

std::vector<WireChoice> choices_of(const Speech& speech) {
  std::vector<WireChoice> all;
  const auto add = [&](const std::string& text) {
    WireToken token{.text = text, .probability = 1, .likely = speech.likely};
    for (const auto& [other, share] : speech.likely)
      if (other == text) token.probability = share;
    if (token.likely.empty()) token.likely = {{text, 1}, {"the", 0}};
    all.push_back({.text = text, .tokens = {std::move(token)}});
  };
  add(speech.text);
  for (const std::string& text : speech.more) add(text);
  return all;
}

Speech speak(const MockSpec& spec, const Heard& heard, Dice dice) {
  Speech speech;
  speech.fate = draw_fate(spec, dice);
  speech.latency_ms = draw_latency(spec, dice);
  speech.usage.input = estimate_tokens(heard.messages) + llm::estimate_tokens(heard.schema) +
                       estimate_tokens(heard.tools);
  speech.usage.cached = 0;
  speech.usage.thought = spec.thought;
  switch (speech.fate) {
    case Fate::rate_limited:
    case Fate::rate_limited_plain:
    case Fate::server_error:
    case Fate::hang:
      speech.usage = {};
      return speech;
    case Fate::refused:
      speech.text = "I cannot help with that.";
      break;
    case Fate::empty:
      break;
    default:
      speech.calls = tool_calls(spec, heard, speech.fate, dice);
      if (!speech.calls.empty()) {
        speech.usage.output =
            llm::estimate_tokens(write_tool_calls(speech.calls)) + speech.usage.thought;
        return speech;
      }
      if (auto said = spec.replies && speech.fate == Fate::answered ? reply_to(*spec.replies, heard)
                                                                    : std::nullopt)
        speech.text = *std::move(said);
      else if (!heard.labels.empty() && speech.fate == Fate::answered &&
               spec.answers != MockAnswers::script)
        say_label(spec, heard, dice, speech);
      else
        speech.text = answer_text(spec, heard, speech.fate, dice);
  }
  if (speech.fate == Fate::malformed) {
    // No brace is left, so nobody finds an object in it.
    std::replace(speech.text.begin(), speech.text.end(), '{', '(');
    std::replace(speech.text.begin(), speech.text.end(), '}', ')');
    speech.text.insert(0, "I would say ");
  }
  if (speech.fate == Fate::truncated) cut_to(speech.text, speech.text.size() / 2);
  // The same limit for the mock as for any model.
  if (heard.max_tokens > 0 && speech.text.size() > static_cast<std::size_t>(heard.max_tokens) * 4) {
    cut_to(speech.text, static_cast<std::size_t>(heard.max_tokens) * 4);
    if (speech.fate != Fate::cut) speech.fate = Fate::truncated;
  }
  speech.usage.output = std::max<std::int64_t>(1, llm::estimate_tokens(speech.text)) + spec.thought;
  if (speech.fate == Fate::truncated && heard.max_tokens > 0)
    speech.usage.output = heard.max_tokens;
  speech.usage.output *= heard.choices;
  speech.usage.thought *= heard.choices;
  return speech;
}

}  // namespace agon::llm::mock
