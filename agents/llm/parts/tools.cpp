#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/model/model_parts.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "llm/answer/words.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {

/// A tool of the agent's own process.
struct Tool {
  ModelTool told;  ///< as the model is told of it
  /// What a call gives, from its arguments. Throws Error for a call that makes no sense.
  std::string (*run)(const ModelTurn& turn, std::string_view arguments) = nullptr;
};

namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr int kDeepest = 40;         // brackets and signs within one another
constexpr unsigned kMostBits = 500;  // of a numerator or a denominator
constexpr int kMostPower = 100;

/// Not boost's abs, whose result refers to what is gone by then.
template <typename Number>
Number magnitude(Number v) {
  return v < 0 ? Number(-v) : v;
}

/// Reads an expression from left to right; ^ binds first, and to the right.
class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text) {}

  cpp_rational value() {
    cpp_rational all = sum();
    if (at_ < text_.size()) fail("'" + std::string(1, text_[at_]) + "' is not expected here");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::invalid, "the expression cannot be worked out: " + what +
                                        " (character " + std::to_string(at_ + 1) +
                                        "); it takes numbers, + - * / ^ and parentheses");
  }

  bool takes(char sign) {
    while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  cpp_rational bounded(cpp_rational v) const {
    for (const cpp_int& part : {numerator(v), denominator(v)})
      if (part != 0 && msb(magnitude(part)) > kMostBits) fail("the numbers become too long");
    return v;
  }

  cpp_rational divided(const cpp_rational& a, const cpp_rational& b) const {
    if (b == 0) fail("division by zero");
    return bounded(a / b);
  }

  cpp_rational sum() {
    cpp_rational all = product();
    for (;;) {
      if (takes('+'))
        all = bounded(all + product());
      else if (takes('-'))
        all = bounded(all - product());
      else
        return all;
    }
  }

  cpp_rational product() {
    cpp_rational all = factor();
    for (;;) {
      if (takes('*'))
        all = bounded(all * factor());
      else if (takes('/'))
        all = divided(all, factor());
      else
        return all;
    }
  }

  cpp_rational factor() {
    if (++depth_ > kDeepest) fail("there are too many brackets or signs");
    cpp_rational v;
    if (takes('-'))
      v = -factor();
    else if (takes('+'))
      v = factor();
    else
      v = power();
    --depth_;
    return v;
  }

  cpp_rational power() {
    cpp_rational base = primary();
    if (!takes('^')) return base;
    const cpp_rational exponent = factor();
    if (denominator(exponent) != 1 || magnitude(exponent) > kMostPower)
      fail("an exponent is a whole number of at most " + std::to_string(kMostPower));
    const auto n = static_cast<int>(numerator(exponent));
    cpp_rational v = 1;
    for (int i = 0; i < std::abs(n); ++i) v = bounded(v * base);
    return n < 0 ? divided(1, v) : v;
  }

  cpp_rational primary() {
    if (takes('(')) {
      cpp_rational inside = sum();
      if (!takes(')')) fail("a closing bracket is missing");
      return inside;
    }
    return number();
  }

  cpp_rational number() {
    cpp_int digits = 0;
    cpp_int unit = 1;
    bool has_digits = false;
    bool has_point = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '.' && !has_point) {
        has_point = true;
        continue;
      }
      if (c < '0' || c > '9') break;
      has_digits = true;
      digits = digits * 10 + (c - '0');
      if (has_point) unit *= 10;
    }
    if (!has_digits) fail(at_ == text_.size() ? "a number is missing" : "no number begins here");
    return bounded(cpp_rational(digits, unit));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The number with as many decimals as it takes, ten at most where it is not near zero.
std::string decimal_text(const cpp_rational& v) {
  const cpp_int n = magnitude(numerator(v));
  const cpp_int d = denominator(v);
  cpp_int scale = 1;
  std::size_t decimals = 0;
  cpp_int scaled = n / d;
  // Rounded at ten decimals, or later where nothing but zeros would be left.
  while (n * scale % d != 0 && (decimals < 10 || scaled < 1000) && decimals < 170) {
    scale *= 10;
    ++decimals;
    scaled = (2 * n * scale + d) / (2 * d);
  }
  const bool is_exact = n * scale % d == 0;
  std::string digits = scaled.str();
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, ".");
  while (decimals > 0 && digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return (v < 0 ? "-" : "") + digits + (is_exact ? "" : " (rounded)");
}

}  // namespace

std::string worked_out(std::string_view expression) {
  const std::string_view text = trimmed(expression);
  if (text.size() > kLongestExpression)
    throw Error(ErrorKind::invalid,
                "an expression has at most " + std::to_string(kLongestExpression) + " characters");
  return std::string(text) + " = " + decimal_text(Expression(text).value());
}

struct CalculatorCall {
  std::string expression;
};
AGON_DESCRIBE(CalculatorCall, (expression,
                               "decimal numbers with + - * / ^ and parentheses, such as "
                               "\"(120 - 45.5) * 0.8\"",
                               agon::length(1, kLongestExpression)))

/// Works out an expression (parts/parts.hpp).
static const Tool& calculator_tool() {
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

struct OwnMovesCall {
  int last = 10;
};
AGON_DESCRIBE(OwnMovesCall, (last, "how many of your moves, the latest ones", agon::range(1, 50),
                             agon::unit("moves")))

namespace {

constexpr std::size_t kLongestRow = 800;
constexpr std::size_t kLongestTable = 4000;

/// A move with when it was made and what was told after it, until the next one.
std::string move_row(const ModelTurn& turn, const OwnMove& move, std::size_t next) {
  std::string row = "- " + turn.history().date(move.at) + ": " + move.answer;
  if (const std::string followed = turn.history().events(move.at + 1, next); !followed.empty())
    row += "\n  What followed:\n" + followed;
  return beginning(row, kLongestRow);
}

std::string own_moves_table(const ModelTurn& turn, std::size_t last) {
  const std::vector<OwnMove> moves = turn.history().own_moves();
  if (moves.empty()) return "You have made no move yet.";
  std::string rows;
  std::size_t shown = 0;
  for (std::size_t next = turn.question().history.size(); shown < std::min(last, moves.size());
       ++shown) {
    const OwnMove& move = moves[moves.size() - shown - 1];
    const std::string row = move_row(turn, move, next);
    if (rows.size() + row.size() > kLongestTable) break;
    rows.insert(0, "\n" + row);
    next = move.at;
  }
  return "Your last " + std::to_string(shown) + " of " + std::to_string(moves.size()) +
         " moves, the oldest first:" + rows;
}

/// Shows the seat's own last moves, and what followed each.
const Tool& own_moves_tool() {
  static const Tool tool{
      {"own_moves",
       "Shows your own past moves in this game: when you made each, what it was, "
       "and what followed.",
       schema_json(type_of<OwnMovesCall>())},
      [](const ModelTurn& turn, std::string_view arguments) {
        OwnMovesCall call;
        if (const auto problem = read_json(call, arguments, Missing::keeps))
          throw Error(ErrorKind::invalid, "the arguments are wrong: " + problem->text());
        return own_moves_table(turn, static_cast<std::size_t>(call.last));
      }};
  return tool;
}

}  // namespace

struct ToolsParams {
  int calls = 8;
  std::optional<int> longest{};
};
AGON_DESCRIBE(ToolsParams,
              (calls, "that may be made of them for one question, at most", agon::range(1, 100),
               agon::unit("calls")),
              (longest,
               "of one result, as the model is shown it; the rest is cut off (absent: 16000)",
               agon::range(100, 1000000), agon::unit("bytes"), agon::left_out))

namespace {

class NoTools final : public WithParams<Tools> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::span<const ModelTool> offered() const override { return {}; }
  [[nodiscard]] int most_calls() const override { return 0; }
  [[nodiscard]] std::string result(ModelTurn&, std::string_view, std::string_view) const override {
    return {};
  }
};

/// The tools that these functions name.
template <const Tool& (*... kTools)()>
class Toolbox final : public WithParams<Tools, ToolsParams> {
 public:
  explicit Toolbox(const Params& params) : WithParams(params), offered_{kTools().told...} {}
  [[nodiscard]] std::span<const ModelTool> offered() const override { return offered_; }
  [[nodiscard]] int most_calls() const override { return params_.calls; }
  [[nodiscard]] std::size_t longest_result() const override {
    return params_.longest ? static_cast<std::size_t>(*params_.longest) : kLongestToolResult;
  }
  [[nodiscard]] std::string result(ModelTurn& turn, std::string_view tool,
                                   std::string_view arguments) const override {
    for (const Tool* one : {&kTools()...})
      if (one->told.name == tool) return one->run(turn, arguments);
    std::string names;
    for (const ModelTool& one : offered_) names += (names.empty() ? "" : ", ") + one.name;
    throw Error(ErrorKind::invalid,
                "there is no tool '" + std::string(tool.substr(0, 80)) + "'; there are: " + names);
  }

 private:
  std::vector<ModelTool> offered_;
};

constexpr PartOverlap kOwnMovesOverlaps[] = {
    {PartKind::memory, "none", "the tool shows what the memory forgets"},
    {PartKind::memory, "window", "the tool shows what the memory forgets"},
    {PartKind::memory, "retrieval", "both look up past events"},
    {PartKind::memory, "notebook", "the tool shows what the notes are kept in place of"},
};

constexpr std::string_view kAlympicsTools = "Mao et al. 2023, Alympics, the tool plug-in";

}  // namespace

void add_tools(Registry& registry) {
  registry.add(part<NoTools>({.id = "none", .doc = "Is offered no tools."}));
  registry.add(part<Toolbox<&calculator_tool>>(
      {.id = "calculator",
       .doc = "May have arithmetic on decimal numbers worked out, exactly, before it answers. A "
              "call more for each round of calls.",
       .source = kAlympicsTools}));
  registry.add(part<Toolbox<&own_moves_tool>>(
      {.id = "own-moves",
       .doc = "May look up its own past moves before it answers: when each was made, what it was, "
              "and what followed. A call more for each round of calls.",
       .source = kAlympicsTools,
       .overlaps = kOwnMovesOverlaps}));
  registry.add(part<Toolbox<&calculator_tool, &own_moves_tool>>(
      {.id = "calculator-and-own-moves",
       .doc = "Both: the calculator, and the table of its own past moves.",
       .source = kAlympicsTools,
       .overlaps = kOwnMovesOverlaps}));
}

}  // namespace agon::llm
