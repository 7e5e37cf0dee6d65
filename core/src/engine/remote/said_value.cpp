#include "remote/said_value.hpp"

#include "describe/read.hpp"
#include "remote/message.hpp"

namespace agon::remote {

void read_said(Value& value, const boost::json::value& said, const std::string& what) {
  if (const auto problem = read_value(value.type(), value.get(), said, Missing::is_wrong))
    throw BadMessage(what + " does not fit: " + problem->text());
}

}  // namespace agon::remote
