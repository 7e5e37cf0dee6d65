#include "relay_table.hpp"

#include <agon/conversion.hpp>
#include <agon/dealing.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <optional>

#include "describe/description.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "remote/card_json.hpp"
#include "table/untyped_table.hpp"
#include "wire.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
using worker::key_of;
using worker::number_of;
using worker::read_into;
using worker::text_of;
using worker::truth_of;
using worker::value_of;

[[noreturn]] void unexpected(std::string_view type, std::string_view wanted) {
  throw Error(ErrorKind::failure, "the arena said '" + std::string(type) + "' where '" +
                                      std::string(wanted) + "' was expected");
}

}  // namespace

RelayTable::RelayTable(worker::Wire& wire, const RelayOrder& order) : wire_(wire), order_(order) {
  seats_ = static_cast<int>(order.names.size());
  listening_ = order.listening;
  stream_key_ = order.luck;
  // Probes that are declined unseen are numbered by the arena, so it hears of all of them.
  declines_probes_ = 0;
  std::copy(order.names.begin(), order.names.end(), names_.begin());
}

Given RelayTable::put(Question& question) {
  Given given;
  ask({&question, 1}, {&given, 1}, true);
  return given;
}

void RelayTable::put_all(std::span<Question> questions, std::span<Given> given) {
  ask(questions, given, false);
}

std::string RelayTable::question_json(Question& q) const {
  JsonWriter out;
  out.open_object().name("seat").number(q.seat_);
  if (q.view_type() != nullptr) out.name("view").json(write_json(*q.view_type(), q.view()));
  if (!q.limits_.empty())
    out.name("limits").json(remote::write_limits(*q.stage_->answer, q.limits_));
  if (q.fallback_ != nullptr) out.name("fallback").json(write_json(*q.stage_->answer, q.fallback_));
  if (q.check_ != nullptr) out.name("checks").truth(true);
  return out.close_object().take();
}

void RelayTable::ask(std::span<Question> questions, std::span<Given> given, bool single) {
  heed_stop();
  if (questions.empty()) return;
  JsonWriter out;
  out.open_object().name("type").text("ask").name("stage").text(questions[0].stage());
  out.name("single").truth(single).name("questions").open_list();
  for (Question& q : questions) {
    q.number_ = 0;
    out.json(question_json(q));
  }
  wire_.say(out.close_list().close_object().take());
  for (;;) {
    const bj::object message = hear();
    const std::string_view type = text_of(message, "type");
    if (type == "answers") return take(questions, given, message);
    if (type != "check" && type != "answer") unexpected(type, "answers");
    const auto place = static_cast<std::size_t>(number_of(message, "question"));
    if (place >= questions.size()) unexpected("question", "one that was asked");
    if (type == "check")
      check(questions[place], message.at("answer"));
    else
      wire_.say(answer(*order_.agent(message.at("agent")), questions[place], message));
  }
}

void RelayTable::check(Question& q, const bj::value& answer) {
  const Value value = value_of(*q.stage_->answer, answer);
  const std::string reason = q.check_ == nullptr ? "" : q.check_(q.asking_, value.get());
  JsonWriter out;
  out.open_object().name("type").text("checked").name("reason").text(reason);
  wire_.say(out.close_object().take());
}

std::string RelayTable::answer(const Agent& agent, Question& q, const bj::object& message) {
  const bj::array& dice = message.at("dice").as_array();
  const std::string memo(text_of(message, "memo"));
  const std::string complaint(text_of(message, "complaint"));
  q.number_ = static_cast<std::uint32_t>(number_of(message, "number"));
  q.dice_key_ = key_of(dice.at(0));
  q.dice_place_ = static_cast<std::uint32_t>(dice.at(1).as_int64());
  q.attempt_ = static_cast<std::uint32_t>(number_of(message, "attempt"));
  q.memo_ = memo;
  q.complaint_ = complaint;
  q.words_.reset();
  q.declined_ = q.drawn_ = q.by_json_ = q.remembers_ = false;
  reset_value(*q.stage_->answer, q.answer_, q.fallback_);

  JsonWriter out;
  out.open_object().name("type").text("answered");
  try {
    agent.answer(q);
    if (q.declined_) out.name("declined").truth(true);
    if (q.by_json_)
      out.name("said").text(q.words_->json);
    else
      out.name("answer").json(write_json(*q.stage_->answer, q.answer_));
  } catch (const std::exception& error) {
    out.name("crash").text(error.what());
  } catch (...) {
    out.name("crash").text("it threw something that is no exception");
  }
  // Also of an agent that threw: what it said before is recorded.
  if (q.words_ && !q.words_->thought.empty()) out.name("thought").text(q.words_->thought);
  if (q.remembers_) out.name("memo").text(q.words_->memo);
  q.memo_ = q.complaint_ = {};
  return out.close_object().take();
}

struct RelayTable::Described {
  worker::Wire& wire;
  const Type& answer;
  std::optional<OwnedType> view_type{};
  std::optional<Value> view{};

  static const void* seen(void* self) { return static_cast<Described*>(self)->view->get(); }
  /// The game that checks is elsewhere: it is asked.
  static std::string reason(void* self, const void* tried) {
    auto& [wire, answer, view_type, view] = *static_cast<Described*>(self);
    wire.say(R"({"type":"check","answer":)" + write_json(answer, tried) + "}");
    return std::string(text_of(wire.hear(), "reason"));
  }
};

std::string RelayTable::answer_described(worker::Wire& wire, const Agent& agent,
                                         const bj::object& message) {
  const auto described = [&](std::string_view name) {
    return read_description(json::write(message.at(name)), "");
  };
  const OwnedType answer_type = described("answer");
  StageCard stage{text_of(message, "stage"), "", &answer_type.get()};
  stage.probe = truth_of(message, "probe");
  const Value fallback = value_of(*stage.answer, message.at("fallback"));
  const OwnedLimits limits = remote::read_limits(*stage.answer, message.at("limits"));
  Value given = fallback;
  Question q;
  q.seat_ = static_cast<int>(number_of(message, "seat"));
  q.stage_ = &stage;
  q.answer_ = given.get();
  q.fallback_ = fallback.get();
  q.limits_ = limits.get();
  Described asked{wire, *stage.answer};
  q.asking_ = &asked;
  const bool checks = truth_of(message, "checks");
  if (checks) q.check_ = &Described::reason;
  q.draw_ = checks ? &Question::draw_checked : &UntypedTable::draw;
  q.is_legal_ = &UntypedTable::is_legal;
  if (message.contains("view")) {
    asked.view_type = described("shows");
    stage.view = &asked.view_type->get();
    asked.view = value_of(*stage.view, message.at("view"));
    q.build_view_ = &Described::seen;
  }
  return answer(agent, q, message);
}

void RelayTable::take(std::span<Question> questions, std::span<Given> given,
                      const bj::object& message) {
  const bj::array& answers = message.at("answers").as_array();
  if (answers.size() != questions.size()) unexpected("answers", "as many as were asked for");
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Question& q = questions[i];
    const bj::object& one = answers[i].as_object();
    q.declined_ = truth_of(one, "declined");
    reset_value(*q.stage_->answer, q.answer_, q.fallback_);
    if (const bj::value* answer = one.if_contains("answer"))
      read_into(*q.stage_->answer, q.answer_, *answer);
    const auto count = [&](std::string_view name) {
      return one.contains(name) ? static_cast<int>(number_of(one, name)) : 0;
    };
    given[i].rejected_attempts = count("rejected");
    given[i].illegal_attempts = count("illegal");
    given[i].was_forced = truth_of(one, "forced");
  }
}

void RelayTable::say(std::uint32_t audience, const EventCard& card, const void* event) {
  heed_stop();
  JsonWriter out;
  out.open_object().name("type");
  if (card.audience == Audience::one_seat) {
    int seat = 0;
    while ((audience >> seat & 1U) == 0) ++seat;
    out.text("tell").name("seat").number(seat);
  } else {
    out.text(card.audience == Audience::everybody ? "announce" : "note");
  }
  // What seats are told alone may differ by role: then one name has several types.
  out.name("event").text(card.name).name("number").number(&card - order_.events.data());
  out.name("data").json(write_json(*card.type, event));
  wire_.say(out.close_object().take());
}

bj::object RelayTable::hear() {
  bj::object message = wire_.hear();
  if (text_of(message, "type") == "stop") {
    stopped_ = true;
    throw Stop{};
  }
  return message;
}

bj::object RelayTable::hear(std::string_view wanted) {
  bj::object message = hear();
  if (const std::string_view type = text_of(message, "type"); type != wanted)
    unexpected(type, wanted);
  return message;
}

void RelayTable::drawn(std::string_view name, std::span<const std::int64_t> at, bool first,
                       const Type& type, void* value) {
  heed_stop();
  JsonWriter out;
  out.open_object().name("type").text("chance").name("name").text(name).name("at").open_list();
  for (const std::int64_t i : at) out.number(i);
  out.close_list().name("first").truth(first).name("integer").truth(type.kind == Kind::integer);
  out.name("value").json(write_json(type, value));
  wire_.say(out.close_object().take());
  read_into(type, value, hear("drawn").at("value"));
}

std::int64_t RelayTable::next_in_turn(std::string_view name, std::int64_t n) {
  heed_stop();
  JsonWriter out;
  out.open_object().name("type").text("turn").name("name").text(name).name("n").number(n);
  wire_.say(out.close_object().take());
  return number_of(hear("drawn"), "value");
}

bool RelayTable::bring(int seat, const Type& type, void* value) {
  heed_stop();
  JsonWriter out;
  out.open_object().name("type").text("carried").name("seat").number(seat);
  wire_.say(out.name("as").json(write_description(type)).close_object().take());
  const bj::object message = hear("carried");
  if (message.at("value").is_null()) return false;
  read_into(type, value, message.at("value"));
  return true;
}

void RelayTable::take_along(int seat, const Type& type, const void* value) {
  heed_stop();
  JsonWriter out;
  out.open_object().name("type").text("carry").name("seat").number(seat);
  out.name("as").json(write_description(type)).name("value").json(write_json(type, value));
  wire_.say(out.close_object().take());
}

}  // namespace agon
