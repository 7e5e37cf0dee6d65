#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>

#include "table/process_end.hpp"

namespace agon::remote {

/// What a request came to that a game's process did not answer, as people are told it.
class AGON_API FailedRequest : public Error {
 public:
  FailedRequest(const Error& error, ProcessEnd process_end)
      : Error(error), process_end_(process_end) {}
  [[nodiscard]] ProcessEnd process_end() const { return process_end_; }

 private:
  ProcessEnd process_end_;
};

}  // namespace agon::remote
