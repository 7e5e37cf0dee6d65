#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>

#include "llm/parts/arithmetic.hpp"
#include "llm/parts/tool.hpp"

namespace agon::llm {

struct CalculatorCall {
  std::string expression;
};
AGON_DESCRIBE(CalculatorCall, (expression,
                               "decimal numbers with + - * / ^ and parentheses, such as "
                               "\"(120 - 45.5) * 0.8\"",
                               agon::length(1, kLongestExpression)))

const Tool& calculator_tool() {
  static const Tool tool{
      {"calculator", "Works out an arithmetic expression.", schema_json(type_of<CalculatorCall>())},
      [](const ModelTurn&, std::string_view arguments) {
        CalculatorCall call;
        if (const auto problem = read_json(call, arguments, Missing::is_wrong))
          throw Error(ErrorKind::invalid, "the arguments are wrong: " + problem->text());
        return worked_out(call.expression);
      }};
  return tool;
}

}  // namespace agon::llm
