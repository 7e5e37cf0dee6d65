#include "command/interruptible.hpp"

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/write.hpp"
#include "text/say.hpp"

namespace agon::command {

int interruptible(Invocation& call,
                  const std::function<int(const Interrupt& interrupt, bool& begun)>& work) {
  constexpr int kInterrupted = 130;
  const Interrupt interrupt;
  call.stop_at(interrupt.asked());
  bool begun = false;
  try {
    return work(interrupt, begun);
  } catch (const Error&) {
    if (begun || !interrupt.asked()) throw;
  }
  text::say("stopped before anything was played; begin again with: {}\n", call.to_resume());
  if (call.json())
    print_line(json::write_pretty(boost::json::value(boost::json::object{{"interrupted", true}})));
  return kInterrupted;
}

}  // namespace agon::command
