#pragma once

#include <agon/agon.h>

#include <agon/error.hpp>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

/// agon.h: errors as codes, and their words as the last error of a thread.
namespace agon::c_interface {

/// What a call that makes no sense here is refused with.
[[nodiscard]] inline Error misuse(std::string problem, std::string hint) {
  return {ErrorKind::usage, std::move(problem), "", std::move(hint)};
}

/// Makes it the thread's last error. Returns its code.
int note(const Error& error) noexcept;

/// Runs `f`, and makes what it throws the thread's last error.
template <class F>
int guarded(F&& f) noexcept {
  try {
    f();
    return AGON_OK;
  } catch (const Error& error) {
    return note(error);
  } catch (const std::bad_alloc&) {
    return note({ErrorKind::failure, "there is no memory left"});
  } catch (const std::exception& error) {
    return note({ErrorKind::failure, std::string("something broke inside: ") + error.what()});
  } catch (...) {
    return note({ErrorKind::failure, "something broke inside"});
  }
}

/// What a pointer of the caller points to. Throws Error (usage) if it is null.
template <class T>
T& given(T* place, const char* what) {
  if (place == nullptr) throw misuse(std::string(what) + " is null", "give its address");
  return *place;
}

}  // namespace agon::c_interface
