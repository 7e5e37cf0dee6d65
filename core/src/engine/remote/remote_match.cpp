#include "remote/remote_match.hpp"

#include <agon/conversion.hpp>
#include <agon/dealing.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "describe/description.hpp"
#include "describe/read.hpp"
#include "json/write.hpp"
#include "remote/card_json.hpp"
#include "remote/message.hpp"
#include "text/words.hpp"

namespace agon::remote {
namespace {

namespace bj = boost::json;

/// A metric as outcomes hold it: a number, amounts in cents; not a number where it is not defined.
double metric(const Field& field, const Message& metrics) {
  const bj::value* json = metrics.find(field.name);
  if (json == nullptr) return std::numeric_limits<double>::quiet_NaN();
  const Type& type = field.type->kind == Kind::optional ? *field.type->element : *field.type;
  if (type.kind == Kind::number) return metrics.number(field.name);
  Value value(type);
  read_said(value, *json, "the metric '" + std::string(field.name) + "'");
  return static_cast<double>(type.get(value.get()));
}

void read_metrics(const Type* type, const Message& holder, InlineList<double, kMaxMetrics>& out) {
  const bj::value* json = holder.find("metrics");
  if (json == nullptr) return;
  const Message metrics = Message::part(*json, "metrics");
  const std::size_t n = type == nullptr ? 0 : type->fields.size();
  if (n == 0) throw BadMessage("it has metrics, and the card declares none");
  for (const bj::key_value_pair& said : json->get_object())
    if (std::none_of(type->fields.begin(), type->fields.end(),
                     [&](const Field& f) { return f.name == std::string_view(said.key()); }))
      throw BadMessage("the card declares no metric '" + std::string(said.key()) + "'");
  out.resize_for_overwrite(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = metric(type->fields[i], metrics);
}

double number_or_none(const Message& message, std::string_view name) {
  return message.find(name) == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                       : message.number(name);
}

std::vector<int> seats_of(const bj::array& list) {
  std::vector<int> seats;
  for (const bj::value& value : list) {
    const std::int64_t seat = whole_of(value, "a seat");
    if (seat < 0 || seat >= static_cast<std::int64_t>(kMaxSeats))
      throw BadMessage("there is no seat " + std::to_string(seat));
    seats.push_back(static_cast<int>(seat));
  }
  return seats;
}

}  // namespace

Outcome RemoteMatch::play(std::string_view settings) {
  channel_.begin("outcome");
  try {
    begin(settings);
    for (;;) {
      const Message* message = channel_.next([this] { return table_.is_stopped(); });
      if (message == nullptr) {
        table_.heed_stop();
        continue;
      }
      try {
        if (message->type() == "outcome") {
          Outcome got = outcome(*message);
          channel_.finish();
          return got;
        }
        if (!heed(*message))
          throw BadMessage("no message of type '" + std::string(message->type()) +
                           "' is expected in a match");
      } catch (const BadMessage& bad) {
        channel_.refuse(bad.what());
      }
    }
  } catch (...) {
    channel_.stop();
    throw;
  }
}

void RemoteMatch::begin(std::string_view settings) {
  JsonWriter out;
  out.open_object().name("type").text("play").name("game").text(card_.game.id);
  out.name("settings").json(settings).name("names").open_list();
  for (int seat = 0; seat < table_.seats(); ++seat) out.text(table_.name(seat));
  out.close_list().name("declines").open_list();
  for (int seat = 0; seat < table_.seats(); ++seat)
    if (!table_.answers_probes(seat)) out.number(seat);
  out.close_list().name("listening").truth(table_.is_listening());
  if (process_ != nullptr) out.name("luck").text(std::to_string(table_.luck_key()));
  channel_.send(out.close_object().take());
}

bool RemoteMatch::heed(const Message& message) {
  const std::string_view type = message.type();
  if (type == "ask")
    ask(message);
  else if (type == "announce")
    say(message, Audience::everybody);
  else if (type == "tell")
    say(message, Audience::one_seat);
  else if (type == "note")
    say(message, Audience::record);
  else if (type == "draw")
    draw(message);
  else if (type == "deal")
    deal(message);
  else if (type == "carried")
    bring(message);
  else if (type == "carry")
    take_along(message);
  else if (type == "chance" && process_ != nullptr)
    drawn(message);
  else if (type == "turn" && process_ != nullptr)
    deal_in_turn(message);
  else
    return false;
  return true;
}

const StageCard& RemoteMatch::stage(const Message& message) const {
  const std::string_view name = message.text("stage");
  for (const StageCard& stage : card_.stages)
    if (stage.name == name) return stage;
  throw BadMessage(
      "the card has no stage '" + std::string(name) + "'; it has " +
      (card_.stages.empty() ? "none" : text::joined(card_.stages, ", ", &StageCard::name)));
}

UntypedAsking RemoteMatch::asking(const StageCard& stage, const Message& question,
                                  std::size_t number, std::deque<Value>& views) {
  const std::int64_t seat = question.whole("seat");
  if (seat < std::numeric_limits<int>::min() || seat > std::numeric_limits<int>::max())
    throw BadMessage("there is no seat " + std::to_string(seat));
  UntypedAsking one{static_cast<int>(seat), {}, Value(*stage.answer)};
  if (const bj::value* limits = question.find("limits")) {
    try {
      one.limits = read_limits(*stage.answer, *limits);
    } catch (const Error& error) {
      throw BadMessage(error.problem());
    }
  }
  if (const bj::value* fallback = question.find("fallback"))
    read_said(one.fallback, *fallback, "the fallback");
  if (const bj::value* view = question.find("view")) {
    if (stage.view == nullptr)
      throw BadMessage("the stage '" + std::string(stage.name) + "' has no view on the card");
    read_said(views.emplace_back(*stage.view), *view, "the view");
    one.view = &views.back();
  }
  if (question.truth("checks"))
    one.check = [this, &stage, number](const void* answer) { return check(stage, number, answer); };
  if (process_ != nullptr)
    one.inside = [this, number](Question& asked, const void* process, std::string_view agent) {
      if (process == process_) answer_inside(asked, number, agent);
      return process == process_;
    };
  return one;
}

void RemoteMatch::ask(const Message& message) {
  const StageCard& asked = stage(message);
  const bj::array& questions = message.list("questions");
  const bool single = message.truth("single");
  if (questions.size() > kMaxSeats || (single && questions.size() != 1))
    throw BadMessage("it asks " + std::to_string(questions.size()) + " questions at once");
  std::deque<Value> views;
  std::vector<UntypedAsking> asking_all;
  for (const bj::value& question : questions)
    asking_all.push_back(
        asking(asked, Message::part(question, "a question"), asking_all.size(), views));
  channel_.asks(asked.name, asking_all.size());
  send_answers(asked, table_.ask(asked, asking_all, single));
}

template <class Work>
auto RemoteMatch::while_asked(Work work) {
  // The caller may not let it through, and ask again whose fault it was.
  if (fault_) throw *fault_;
  try {
    try {
      return work();
    } catch (const BadMessage& bad) {
      channel_.refuse(bad.what());
    }
  } catch (const RemoteFault& fault) {
    fault_ = fault;
    throw;
  }
}

std::string RemoteMatch::check(const StageCard& stage, std::size_t question, const void* answer) {
  return while_asked([&] {
    JsonWriter out;
    out.open_object().name("type").text("check").name("question").number(question);
    out.name("answer").json(write_json(*stage.answer, answer)).close_object();
    channel_.send(out.take());
    return std::string(channel_.expect("checked").text("reason"));
  });
}

void RemoteMatch::answer_inside(Question& question, std::size_t number, std::string_view agent) {
  while_asked([&] {
    JsonWriter out;
    out.open_object().name("type").text("answer").name("question").number(number);
    out.name("agent").json(agent);
    put_dealt(out, question);
    channel_.send(out.close_object().take());
    read_answer(question, channel_.expect("answered"));
  });
}

void RemoteMatch::send_answers(const StageCard& stage, const std::vector<UntypedAnswer>& answers) {
  JsonWriter out;
  out.open_object().name("type").text("answers").name("answers").open_list();
  for (const UntypedAnswer& answer : answers) {
    out.open_object();
    if (answer.declined) {
      out.name("declined").truth(true);
    } else {
      out.name("answer").json(write_json(*stage.answer, answer.value.get()));
      out.name("rejected").number(answer.given.rejected());
      out.name("illegal").number(answer.given.illegal());
      out.name("forced").truth(answer.given.forced());
    }
    out.close_object();
  }
  channel_.send(out.close_list().close_object().take());
}

void RemoteMatch::say(const Message& message, Audience audience) {
  const std::string_view name = message.text("event");
  const bj::value& data = message.need("data");
  const int seat = audience == Audience::one_seat ? message.below("seat", kMaxSeats) : -1;
  // What seats are told alone may differ by role: then one name has several types.
  std::string problem;
  const bool is_numbered = message.find("number") != nullptr;
  for (const EventCard& event : card_.events) {
    if (event.name != name || event.audience != audience) continue;
    if (is_numbered &&
        &event !=
            &card_.events[static_cast<std::size_t>(message.below("number", card_.events.size()))])
      continue;
    Value said(*event.type);
    if (const auto wrong = read_value(*event.type, said.get(), data, Missing::is_wrong)) {
      if (problem.empty()) problem = "the event does not fit: " + wrong->text();
      continue;
    }
    return table_.say(event, said.get(), seat);
  }
  throw BadMessage(!problem.empty() ? problem
                                    : "the card has no event '" + std::string(name) +
                                          "' that is for whom this is said");
}

RandomStream& RemoteMatch::stream(const Message& message) {
  const std::int64_t number = message.whole("stream");
  if (message.find("name") != nullptr) {
    std::vector<std::int64_t> at;
    if (message.find("at") != nullptr)
      for (const bj::value& index : message.list("at"))
        at.push_back(whole_of(index, "a place of chance"));
    return table_.stream(number, message.name("name"), at);
  }
  RandomStream* known = table_.stream(number);
  if (known == nullptr)
    throw BadMessage("there is no stream " + std::to_string(number) + ": its first draw names it");
  return *known;
}

void RemoteMatch::draw(const Message& message) {
  RandomStream& from = stream(message);
  const std::string_view what = message.text("what");
  const bool is_shuffle = what == "shuffle";
  JsonWriter out;
  out.open_object().name("type").text("drawn").name("value");
  if (what == "between") {
    out.number(from.between(message.whole("low"), message.whole("high")));
  } else if (what == "unit") {
    out.number(from.unit());
  } else if (what == "one_of") {
    out.number(from.one_of(seats_of(message.list("seats"))));
  } else if (is_shuffle) {
    std::vector<std::int64_t> items(static_cast<std::size_t>(message.below("n", 1'000'001)));
    std::iota(items.begin(), items.end(), 0);
    from.shuffle(std::span(items));
    out.open_list();
    for (const std::int64_t item : items) out.number(item);
    out.close_list();
  } else {
    throw BadMessage("'" + std::string(what) +
                     "' is no draw: say between, unit, one_of or shuffle");
  }
  const std::string drawn = out.close_object().take();
  // One line asks for up to a million draws, each of which the record keeps.
  if (is_shuffle) channel_.count_as_said(drawn.size());
  channel_.send(drawn);
}

void RemoteMatch::drawn(const Message& message) {
  const bj::array& places = message.list("at");
  std::vector<std::int64_t> at;
  for (const bj::value& index : places) at.push_back(whole_of(index, "a place of chance"));
  if (at.size() > 2) throw BadMessage("a place of chance has at most two indices");
  const std::string_view name = message.name("name");
  const bool first = message.truth("first");
  JsonWriter out;
  out.open_object().name("type").text("drawn").name("value");
  if (message.truth("integer")) {
    std::int64_t value = message.whole("value");
    table_.drawn(name, at, first, type_of<std::int64_t>(), &value);
    out.number(value);
  } else {
    double value = message.number("value");
    table_.drawn(name, at, first, type_of<double>(), &value);
    out.number(value);
  }
  channel_.send(out.close_object().take());
}

void RemoteMatch::deal_in_turn(const Message& message) {
  const std::int64_t value = table_.next_in_turn(message.name("name"), message.whole("n"));
  channel_.send(R"({"type":"drawn","value":)" + std::to_string(value) + "}");
}

void RemoteMatch::deal(const Message& message) {
  const std::string_view how = message.text("how");
  if (how != "in_turn" && how != "by_draw")
    throw BadMessage("things are dealt in_turn or by_draw, not '" + std::string(how) + "'");
  const std::int64_t value = table_.deal(message.name("name"), message.whole("n"),
                                         how == "in_turn" ? Dealing::in_turn : Dealing::drawn);
  channel_.send(R"({"type":"drawn","value":)" + std::to_string(value) + "}");
}

const Type& RemoteMatch::described(const Message& message) {
  const std::string json = json::write(message.need("as"));
  auto found = types_.find(json);
  if (found == types_.end()) {
    try {
      found = types_.emplace(json, read_description(json, "")).first;
    } catch (const Error& error) {
      throw BadMessage("its member 'as' is no description: " + error.problem());
    }
  }
  return found->second.get();
}

void RemoteMatch::bring(const Message& message) {
  Value value(described(message));
  const bool brought = table_.bring(message.below("seat", kMaxSeats), value.type(), value.get());
  channel_.send(R"({"type":"carried","value":)" +
                (brought ? write_json(value.type(), value.get()) : "null") + "}");
}

void RemoteMatch::take_along(const Message& message) {
  Value value(described(message));
  read_said(value, message.need("value"), "what is carried");
  if (write_json(value.type(), value.get()).size() > kLongestText)
    throw BadMessage("what is carried is longer than 1 MiB");
  table_.take_along(message.below("seat", kMaxSeats), value.type(), value.get());
}

Outcome RemoteMatch::outcome(const Message& message) const {
  const bj::array& seats = message.list("seats");
  if (seats.size() > kMaxSeats)
    throw BadMessage("it has " + std::to_string(seats.size()) + " seats");
  Outcome out(static_cast<int>(seats.size()));
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const Message seat = Message::part(seats[i], "a seat");
    SeatOutcome& got = out[static_cast<int>(i)];
    got.score = seat.number("score");
    got.disagreement = number_or_none(seat, "disagreement");
    got.ideal = number_or_none(seat, "ideal");
    got.rank = seat.find("rank") == nullptr ? 0 : seat.below("rank", kMaxSeats + 1);
    read_metrics(card_.game.card.seat_metrics, seat, got.metrics);
  }
  read_metrics(card_.game.card.match_metrics, message, out.match_metrics());
  return out;
}

}  // namespace agon::remote
