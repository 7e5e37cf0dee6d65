#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "describe/value.hpp"

namespace agon::remote {

/// Reads a whole value that a process says; `what` it is, for messages. Throws BadMessage.
void read_said(Value& value, const boost::json::value& said, const std::string& what);

}  // namespace agon::remote
