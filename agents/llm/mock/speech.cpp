#include "llm/mock/speech.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "llm/mock/answer.hpp"

namespace agon::llm::mock {
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
  if (size >= text.size()) return;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  text.resize(size);
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

/// Whoever answers at random calls tools in every second reply, and now and then in a wrong way.
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
  return speech;
}

}  // namespace agon::llm::mock
