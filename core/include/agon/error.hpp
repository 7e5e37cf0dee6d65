#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace agon {

/// What kind of failure an Error reports. The value is the exit code of the command line.
enum class ErrorKind : std::uint8_t {
  failure = 1,     ///< something broke that none of the other kinds names
  usage = 2,       ///< the command line itself is wrong
  not_found = 3,   ///< a file, game, agent or plugin is missing or was refused
  preflight = 4,   ///< a key or an endpoint is missing
  invalid = 5,     ///< a scenario, suite, setting or data file says something impossible
  unfinished = 6,  ///< some matches could not be finished
  budget = 7,      ///< a cap on money or tokens was reached
};

/// The one exception that Agon throws at people. It says what is wrong, where (a file, a place in
/// it, a JSON path) and how to fix it. `what()` joins the three into one printable message.
class AGON_API Error : public std::runtime_error {
 public:
  /// `where` and `hint` may be empty. `problem` and `hint` are plain sentences without a final
  /// stop.
  Error(ErrorKind kind, std::string problem, std::string where = {}, std::string hint = {});
  ~Error() override;

  /// What kind of failure it is.
  [[nodiscard]] ErrorKind kind() const { return kind_; }
  /// What is wrong.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Where: file, place in it, JSON path; may be empty.
  [[nodiscard]] const std::string& where() const { return where_; }
  /// How to fix it; may be empty.
  [[nodiscard]] const std::string& hint() const { return hint_; }

  /// The same error, with `outer` put in front of the place: `outer` + `where`.
  [[nodiscard]] Error within(std::string_view outer) const;

 private:
  ErrorKind kind_;
  std::string problem_;
  std::string where_;
  std::string hint_;
};

}  // namespace agon
