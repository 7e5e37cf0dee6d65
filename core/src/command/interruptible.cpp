#include "command/interruptible.hpp"

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/write.hpp"
#include "text/say.hpp"

namespace agon::command {

int interruptible(Invocation& call, const std::function<int(const Interrupt& interrupt)>& work) {
  constexpr int kInterrupted = 130;
  const Interrupt interrupt;
  call.stop_at(interrupt.asked());
  try {
    return work(interrupt);
  } catch (const Error&) {
    if (interrupt.flags().begun || !interrupt.asked()) throw;
  }
  text::say("stopped before anything was played; begin again with: {}\n", call.to_resume());
  if (call.json())
    print_line(json::write_pretty(boost::json::value(boost::json::object{{"interrupted", true}})));
  return kInterrupted;
}

}  // namespace agon::command
