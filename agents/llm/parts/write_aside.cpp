#include "llm/parts/write_aside.hpp"

namespace agon::llm {

std::string write_aside(ModelTurn& turn, std::string_view purpose, std::string asked) {
  ModelRequest request;
  request.purpose = purpose;
  request.messages = turn.opening();
  // Providers want the two roles in turn.
  if (request.messages.back().role == "user")
    request.messages.back().text += "\n\n" + asked;
  else
    request.messages.push_back({"user", std::move(asked)});
  const ModelCall call = turn.call(request);
  return call.fault == Fault::ok || call.fault == Fault::truncated ? call.text : std::string();
}

}  // namespace agon::llm
