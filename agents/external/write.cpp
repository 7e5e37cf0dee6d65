#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <agon/random.hpp>
#include <agon/sdk_version.hpp>
#include <cmath>

#include "external/protocol.hpp"

namespace agon::external {
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

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& t : texts) out += (out.empty() ? "[" : ",") + Line::json_text(t);
  return out.empty() ? "[]" : out + "]";
}

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
      .raw("seats", list_of(q.seat_names))
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

std::string question_line(const OwnedQuestion& q, std::chrono::milliseconds limit) {
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
  return line.end();
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
