#include "c_interface/error.hpp"

#include <boost/json/object.hpp>

#include "json/write.hpp"

namespace agon::c_interface {
namespace {

thread_local std::string t_error = "{}";  // of the last call that failed in this thread

int code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return AGON_USAGE;
    case ErrorKind::not_found:
    case ErrorKind::preflight:
    case ErrorKind::invalid:
      return AGON_INVALID;
    default:
      return AGON_FAILED;
  }
}

}  // namespace

int note(const Error& error) noexcept {
  const int code = code_of(error.kind());
  const char* const kinds[] = {"", "usage", "invalid", "failed"};
  try {
    t_error = json::write(boost::json::object{{"kind", kinds[code]},
                                              {"problem", error.problem()},
                                              {"where", error.where()},
                                              {"hint", error.hint()}});
  } catch (...) {
    t_error.clear();  // there is no memory left for words
  }
  return code;
}

}  // namespace agon::c_interface

extern "C" const char* agon_last_error(void) {
  const std::string& error = agon::c_interface::t_error;
  return error.empty() ? R"({"kind": "failed", "problem": "there is no memory left"})"
                       : error.c_str();
}
