#pragma once

#include <agon/model/model_parts.hpp>
#include <agon/plugin.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "llm/lines.hpp"

namespace agon::llm {

/// For parts without parameters.
struct NoParams {};
AGON_DESCRIBE(NoParams)

/// A part of a kind that keeps its parameters as they were given.
template <class Kind, class P = NoParams>
class WithParams : public Kind {
 public:
  using Params = P;
  explicit WithParams(const Params& params) : params_(params) {}

 protected:
  Params params_;
};

/// Asks the model for a text of its own to be kept; for JSON or code once more. Empty if nothing
/// usable came back.
[[nodiscard]] std::string write_words(ModelTurn& turn, ModelRequest request);

/// A paragraph under a heading in the language of the seat, as it follows a prompt; empty without
/// text.
[[nodiscard]] std::string under(const ModelTurn& turn, std::string_view heading,
                                const std::string& text);

/// Asks the model for a text that is not the answer, after all that it has been told; empty if
/// nothing usable came back.
[[nodiscard]] std::string write_aside(ModelTurn& turn, std::string_view purpose,
                                      std::string_view asked);

/// How much each document has to do with a query: Okapi BM25 with k1 = 1.2 and b = 0.75 (Robertson
/// and Zaragoza 2009, The Probabilistic Relevance Framework), in millionths, so that equal scores
/// are equal on every machine. 0: they share no word. Words are runs of letters and digits in lower
/// case; signs of scripts that write no blanks are words of their own.
[[nodiscard]] std::vector<std::int64_t> relevance(const std::vector<std::string>& documents,
                                                  std::string_view query);

/// Bytes of an expression, at most.
inline constexpr std::size_t kLongestExpression = 200;

/// "12.5 * 3 = 37.5": what an expression of decimal numbers, + - * / ^ and parentheses comes to.
/// Worked out in fractions, and rounded at the end alone, where ten decimals do not hold it. Throws
/// Error for what is no expression, for division by zero, and beyond 150 digits.
[[nodiscard]] std::string worked_out(std::string_view expression);

/// Adds the parts of this library, file by file; what a model writes for itself (plans, beliefs and
/// lessons) is in one.
///@{
void add_personas(Registry& registry);
void add_memories(Registry& registry);
void add_kept_texts(Registry& registry);
void add_reasonings(Registry& registry);
void add_forms(Registry& registry);
void add_tools(Registry& registry);
///@}

}  // namespace agon::llm
