#pragma once

#include <boost/json/error.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace agon::json {

/// What is wrong with a JSON text, in words.
struct Diagnosis {
  std::size_t offset = 0;  ///< the byte to point at
  std::string problem;     ///< one sentence, without a full stop
  std::string mend;        ///< what to do about it, possibly empty
};

/// Explains why the parser gave up with `code` at byte `offset` of `text`, which must hold no
/// comments (see Uncommented).
Diagnosis diagnose(std::string_view text, std::size_t offset, boost::json::error_code code);

/// A short printable quotation of untrusted text for messages: `'...'`.
std::string in_quotes(std::string_view text);

}  // namespace agon::json
