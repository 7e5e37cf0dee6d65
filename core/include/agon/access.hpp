#pragma once

#include <agon/describe.hpp>
#include <string>
#include <vector>

namespace agon {

/// What kind of thing outside of Agon is reached for.
enum class AccessKind : std::uint8_t { command, host, file };
AGON_DESCRIBE_ENUM(AccessKind, (command, "a program is started"),
                   (host, "questions are sent to a host"), (file, "a file is read"))

/// Something outside of Agon that an agent would reach for, and for which its user has to
/// trust the author of its parameters. A host and the variable whose value it gets are one access:
/// who trusts the two together has not trusted either with another.
struct Access {
  AccessKind kind = AccessKind::command;  ///< what is done
  std::vector<std::string> command{};     ///< program and arguments
  std::string folder{};                   ///< that the command runs in; empty: the suite's
  std::string target{};                   ///< "https://host.example:443", or the path of a file
  std::vector<std::string> variables{};   ///< of the environment, whose values the other side gets
};
AGON_DESCRIBE(Access, (kind, "what is done"), (command, "program and arguments"),
              (folder, "that the command runs in"), (target, "scheme, host and port, or a path"),
              (variables, "whose values the other side gets"))

}  // namespace agon
