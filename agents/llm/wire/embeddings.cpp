#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <vector>

#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

void write_inputs(JsonWriter& body, const WireRequest& request) {
  body.name("model").text(request.model).name("input").open_list();
  for (const ChatMessage& message : request.messages) body.text(message.text);
  body.close_list();
}

void write_nothing(JsonWriter&, const WireRequest&) {}

/// Numbers with five digits: what is near to what does not depend on more, and records stay short.
std::string vector_text(const bj::value& vector) {
  if (!vector.is_array() || vector.get_array().empty())
    throw Error(ErrorKind::invalid, "the reply holds a text without a vector");
  std::string text = "[";
  for (const bj::value& number : vector.get_array()) {
    if (!number.is_number()) throw Error(ErrorKind::invalid, "a vector holds more than numbers");
    text += fmt::format("{}{:.5g}", text.size() == 1 ? "" : ",", number.to_number<double>());
  }
  return text + "]";
}

std::optional<WireError> read_vectors(std::string_view reply, ModelCall& call) {
  const bj::object body = wire::object_of(reply);
  if (auto error = wire::error_in(body, 200)) return error;
  const bj::value* data = wire::value_at(body, "data");
  if (data == nullptr || !data->is_array() || data->get_array().size() != call.messages.size())
    throw Error(ErrorKind::invalid, "the reply holds no vector for each text");
  std::vector<std::string> vectors(call.messages.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const bj::object* entry = data->get_array()[i].if_object();
    const bj::value* vector = entry == nullptr ? nullptr : wire::value_at(*entry, "embedding");
    const std::int64_t at = entry == nullptr ? -1 : wire::count_at(*entry, "index");
    const std::size_t place = at < 0 ? i : static_cast<std::size_t>(at);
    if (vector == nullptr || place >= vectors.size() || !vectors[place].empty())
      throw Error(ErrorKind::invalid, "the reply holds no vector for each text");
    vectors[place] = vector_text(*vector);
  }
  wire::read_openai_account(body, call);
  call.usage.output = 0;  // vectors are no tokens, and replies name none
  call.finish = "stop";
  call.text = fmt::format("[{}]", fmt::join(vectors, ","));
  return std::nullopt;
}

}  // namespace

const WireFormat& embeddings_wire() {
  static constexpr WireFormat wire{.call_path = "/embeddings",
                                   .write_dialogue = &write_inputs,
                                   .write_parameters = &write_nothing,
                                   .read = &read_vectors};
  return wire;
}

}  // namespace agon::llm
