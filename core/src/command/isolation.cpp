#include "command/isolation.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>

#include "describe/enumeration.hpp"
#include "isolation/lock_support.hpp"
#include "text/nearest.hpp"

namespace agon::command {

Isolate read_isolate(const std::string& option) {
  if (const auto when = value_named<Isolate>(option)) return *when;
  throw Error(ErrorKind::usage, "--isolate is auto, always or never, not '" + option + "'" +
                                    text::did_you_mean(option, names_of<Isolate>()));
}

void require_possible(const Isolation& isolation) {
  if (isolation.when != Isolate::always) return;
  const std::vector<std::string> gaps = gaps_of(lock_support_of_machine());
  if (gaps.empty()) return;
  throw Error(ErrorKind::preflight,
              fmt::format("this machine cannot lock games in: {}", fmt::join(gaps, "; ")), "",
              "allow it (in a container: its seccomp profile), or play with --isolate auto, which "
              "locks what can be locked");
}

}  // namespace agon::command
