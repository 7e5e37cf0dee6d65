#include "llm/parts/write_aside.hpp"

namespace agon::llm {

std::string write_aside(ModelTurn& turn, std::string_view purpose, std::string_view asked) {
  ModelRequest request;
  request.purpose = purpose;
  request.messages = turn.opening();
  request.append_user(asked);
  const ModelCall call = turn.call(request);
  return call.fault == Fault::ok || call.fault == Fault::truncated ? call.text : std::string();
}

}  // namespace agon::llm
