#pragma once

#include <memory>
#include <string>

#include "command/command.hpp"
#include "http/door.hpp"
#include "http/router.hpp"
#include "run/interrupt.hpp"

namespace agon::command {

/// What `agon serve` serves.
class Served {
 public:
  Served() = default;
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  virtual ~Served() = default;

  /// Adds its pages. Handlers are called until the server has ended, which is before this object.
  virtual void add_routes(serve::Router& router, serve::Door& door) = 0;
  /// What it does while it is served, until it is asked to stop; returns the exit code. `url` is
  /// where others find it, without a slash at the end.
  virtual int attend(const Interrupt& interrupt, const std::string& url) = 0;
};

/// Returns when somebody wants to stop: what is served stays until then.
void wait_for(const Interrupt& interrupt);

/// A suite that is played while it is looked at.
[[nodiscard]] std::unique_ptr<Served> serve_suite(Invocation& call, const Interrupt& interrupt);

/// An archive that is looked at.
[[nodiscard]] std::unique_ptr<Served> serve_archive(Invocation& call);

/// A suite in which people take part.
[[nodiscard]] std::unique_ptr<Served> serve_people(Invocation& call, const Interrupt& interrupt);

}  // namespace agon::command
