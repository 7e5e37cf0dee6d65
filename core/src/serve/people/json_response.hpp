#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "http/exchange.hpp"
#include "json/write.hpp"

namespace agon::serve {

inline Response json_response(int status, boost::json::object body) {
  return {.status = status, .body = json::write(boost::json::value(std::move(body)))};
}

}  // namespace agon::serve
