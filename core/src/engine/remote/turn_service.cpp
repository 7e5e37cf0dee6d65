#include "remote/turn_service.hpp"

#include <agon/json_reader.hpp>
#include <algorithm>
#include <boost/json/object.hpp>

#include "describe/value.hpp"
#include "json/write.hpp"

namespace agon::remote {
namespace {

namespace bj = boost::json;

void put_messages(JsonWriter& out, const std::vector<ChatMessage>& messages) {
  out.open_list();
  for (const ChatMessage& message : messages) {
    out.open_object().name("role").text(message.role);
    out.name("content").text(message.text).close_object();
  }
  out.close_list();
}

Thinking thinking(const Message& message) {
  return message.truth("think") ? Thinking::first : Thinking::none;
}

}  // namespace

std::vector<ChatMessage> read_messages(const bj::array& list) {
  std::vector<ChatMessage> messages;
  for (const bj::value& each : list) {
    const Message message = Message::part(each, "a message");
    const std::string_view role = message.name("role");
    if (role != "system" && role != "user" && role != "assistant")
      throw BadMessage("the role of a message must be 'system', 'user' or 'assistant'");
    messages.push_back({std::string(role), message.words("content")});
  }
  return messages;
}

void TurnService::refuse_circles(std::string_view what) const {
  if ((what == "task" || what == "answer") && doing_ != "answer")
    throw BadMessage("'" + std::string(what) +
                     "' is for a reasoning part alone: it is made of what the others say");
  if (what == "opening" && doing_ == "messages")
    throw BadMessage("the opening is made of the messages that are asked for");
}

std::string TurnService::reply(const Message& message) const {
  JsonWriter out;
  out.open_object().name("type").text("turned").name("value");
  put_value(out, message);
  return out.close_object().take();
}

void TurnService::put_value(JsonWriter& out, const Message& message) const {
  const std::string_view what = message.text("what");
  refuse_circles(what);
  const TurnHistory& history = turn_.history();
  const auto [from, to] = span_of(message);
  if (what == "opening")
    put_messages(out, turn_.opening());
  else if (what == "task")
    out.text(turn_.task());
  else if (what == "form")
    out.text(turn_.form(thinking(message)));
  else if (what == "render")
    out.text(rendered(message));
  else if (what == "past")
    put_past(out);
  else if (what == "events")
    out.text(history.events(from, to));
  else if (what == "account")
    out.text(history.account(from, to));
  else if (what == "dialogue")
    put_messages(out, history.dialogue(from, to));
  else if (what == "note")
    put_note(out, message);
  else if (what == "call")
    put_call(out, message);
  else if (what == "embed")
    put_vectors(out, message);
  else if (what == "answer")
    put_answer(out, message);
  else
    throw BadMessage("a turn knows no '" + std::string(what) + "'");
}

std::pair<std::size_t, std::size_t> TurnService::span_of(const Message& message) const {
  const std::size_t size = turn_.question().history.size();
  const auto place = [&](std::string_view name, std::size_t otherwise) {
    return message.find(name) == nullptr ? otherwise
                                         : static_cast<std::size_t>(message.below(name, size + 1));
  };
  const std::size_t from = place("from", 0);
  return {from, std::max(from, place("to", size))};
}

std::string TurnService::rendered(const Message& message) const {
  const bj::value* said = message.find("names");
  if (said != nullptr && !said->is_object())
    throw BadMessage("its member 'names' must be an object");
  std::vector<PromptName> names;
  if (said != nullptr)
    for (const auto& [name, text] : said->get_object()) {
      if (!text.is_string()) throw BadMessage("what stands for a name must be a text");
      names.push_back({std::string_view(name), std::string(std::string_view(text.get_string()))});
    }
  return turn_.render(message.name("file"), names);
}

void TurnService::put_past(JsonWriter& out) const {
  const TurnHistory& history = turn_.history();
  const std::vector<OwnMove> moves = history.own_moves();
  auto move = moves.begin();
  out.open_list();
  for (std::size_t i = 0; i < turn_.question().history.size(); ++i) {
    const bool own = move != moves.end() && move->at == i;
    const std::string text = own ? (move++)->answer : history.events(i, i + 1);
    if (text.empty()) continue;
    out.open_object().name("at").number(i).name("when").text(history.date(i));
    out.name("own").truth(own).name("text").text(text).close_object();
  }
  out.close_list();
}

void TurnService::put_note(JsonWriter& out, const Message& message) const {
  // Without a text it is asked for: a memory's messages may have changed it meanwhile.
  if (message.find("text") == nullptr) {
    out.text(turn_.note(note_));
    return;
  }
  turn_.write_note(note_, message.words("text"));
  out.truth(true);
}

void TurnService::put_call(JsonWriter& out, const Message& message) const {
  const std::string purpose(message.name("purpose"));
  constexpr std::size_t kMostTokens = 10'000'000;
  ModelRequest request;
  request.purpose = purpose;
  request.messages = read_messages(message.list("messages"));
  if (request.messages.empty()) throw BadMessage("a call of the model has no messages");
  if (const bj::value* schema = message.find("schema")) request.schema = json::write(*schema);
  if (message.find("max_tokens") != nullptr)
    request.max_tokens = message.below("max_tokens", kMostTokens);
  const ModelCall call = turn_.call(request);
  out.open_object().name("text").text(call.text).name("reasoning").text(call.reasoning);
  out.name("fault").text(name_of(call.fault)).close_object();
}

void TurnService::put_vectors(JsonWriter& out, const Message& message) const {
  const std::string embedder(message.name("model"));
  if (embedder.empty()) throw BadMessage("no model for the vectors is named");
  ModelRequest request;
  request.purpose = "embed";
  request.embedder = embedder;
  for (const bj::value& text : message.list("texts")) {
    if (!text.is_string()) throw BadMessage("what is embedded must be texts");
    request.messages.push_back({"user", std::string(std::string_view(text.get_string()))});
  }
  if (request.messages.empty()) throw BadMessage("there are no texts to embed");
  const ModelCall call = turn_.call(request);
  if (call.fault == Fault::ok)
    out.json(JsonDocument(call.text, "").root().write());
  else
    out.null();
}

void TurnService::put_answer(JsonWriter& out, const Message& message) const {
  const std::string purpose(message.name("purpose"));
  const ModelAnswer answer =
      turn_.ask_for_answer(message.words("prompt"), purpose, thinking(message));
  out.open_object().name("fault").text(name_of(answer.fault)).name("json").text(answer.json);
  out.name("thought").text(answer.thought).name("problem").text(answer.problem);
  out.name("said").text(answer.said).close_object();
}

}  // namespace agon::remote
