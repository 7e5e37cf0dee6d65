#include "command/failure.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <new>
#include <system_error>

#include "command/command.hpp"
#include "json/write.hpp"
#include "process/no_thread.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::command {
namespace {

int tell(const Error& error, bool json) {
  text::say("agon: {}\n", as_one_message(error.what()));
  const int code = static_cast<int>(error.kind());
  if (!json) return code;
  try {
    print_line(json::write_pretty(boost::json::object{
        {"error", boost::json::object{{"problem", text::printable(error.problem())},
                                      {"where", text::printable(error.where())},
                                      {"mend", text::printable(error.mend())},
                                      {"exit_code", code}}}}));
    flush();
  } catch (const Error&) {
    return code;  // standard output takes nothing; the words above are told
  }
  return code;
}

int tell_unforeseen(const std::exception& error, bool json) {
  return tell(
      Error(ErrorKind::failure, fmt::format("something broke that should not: {}", error.what()),
            "", "please report it"),
      json);
}

}  // namespace

int tell_failure(const std::exception_ptr& failure, bool json) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return tell(error, json);
  } catch (const std::bad_alloc&) {
    return tell(Error(ErrorKind::failure, "there is not enough memory"), json);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again)
      return tell_unforeseen(error, json);
    return tell(no_thread("no further thread"), json);
  } catch (const std::exception& error) {
    return tell_unforeseen(error, json);
  }
}

}  // namespace agon::command
