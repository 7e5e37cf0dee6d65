// What the mock says to questions that it understands.
#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "llm/mock/speech.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm::mock {
namespace {

/// The name of the first member of an answer; empty without a schema.
std::string first_member(std::string_view schema) {
  boost::system::error_code error;
  const boost::json::value read =
      boost::json::parse(boost::json::string_view(schema.data(), schema.size()), error);
  if (error || !read.is_object()) return {};
  const boost::json::object* properties = wire::object_at(read.get_object(), "properties");
  return properties == nullptr || properties->empty() ? std::string()
                                                      : std::string(properties->begin()->key());
}

}  // namespace

std::regex expression_of(const MockReply& reply) {
  try {
    return std::regex(reply.when);
  } catch (const std::regex_error&) {
    throw Error(ErrorKind::invalid, "'" + reply.when + "' is no regular expression",
                "$.mock.replies", "put a \\ before signs that are meant as they are");
  }
}

std::optional<std::string> reply_to(const std::vector<MockReply>& replies, const Heard& heard) {
  for (const MockReply& reply : replies) {
    const std::regex when = expression_of(reply);
    for (auto message = heard.messages.rbegin(); message != heard.messages.rend(); ++message) {
      std::smatch last;
      std::sregex_iterator at(message->text.begin(), message->text.end(), when), end;
      for (; at != end; ++at) last = *at;
      if (last.empty()) continue;
      std::string say = reply.say;
      if (const std::size_t name = say.find("$name"); name != std::string::npos)
        say.replace(name, 5, first_member(heard.schema));
      return last.format(say);
    }
  }
  return {};
}

}  // namespace agon::llm::mock
