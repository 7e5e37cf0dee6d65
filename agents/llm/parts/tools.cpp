#include <agon/error.hpp>
#include <vector>

#include "llm/parts/parts.hpp"
#include "llm/parts/tool.hpp"

namespace agon::llm {

struct ToolsParams {
  int calls = 8;
};
AGON_DESCRIBE(ToolsParams, (calls, "that may be made of them for one question, at most",
                            agon::range(1, 100), agon::unit("calls")))

namespace {

class NoTools final : public Tools {
 public:
  using Params = NoParams;
  explicit NoTools(const Params&) {}
  [[nodiscard]] std::span<const ModelTool> offered() const override { return {}; }
  [[nodiscard]] int most_calls() const override { return 0; }
  [[nodiscard]] std::string result(const ModelTurn&, std::string_view,
                                   std::string_view) const override {
    return {};
  }
};

/// The tools that these functions name.
template <const Tool& (*... kTools)()>
class Toolbox final : public Tools {
 public:
  using Params = ToolsParams;
  explicit Toolbox(const Params& params) : params_(params), offered_{kTools().told...} {}
  [[nodiscard]] std::span<const ModelTool> offered() const override { return offered_; }
  [[nodiscard]] int most_calls() const override { return params_.calls; }
  [[nodiscard]] std::string result(const ModelTurn& turn, std::string_view tool,
                                   std::string_view arguments) const override {
    for (const Tool* one : {&kTools()...})
      if (one->told.name == tool) return one->run(turn, arguments);
    std::string names;
    for (const ModelTool& one : offered_) names += (names.empty() ? "" : ", ") + one.name;
    throw Error(ErrorKind::not_found,
                "there is no tool '" + std::string(tool.substr(0, 80)) + "'; there are: " + names);
  }

 private:
  Params params_;
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

PartCard no_tools_card() {
  return part<NoTools>({.id = "none", .doc = "Is offered no tools."});
}

PartCard calculator_card() {
  return part<Toolbox<&calculator_tool>>(
      {.id = "calculator",
       .doc = "May have arithmetic on decimal numbers worked out, exactly, before it answers. A "
              "call more for each round of calls.",
       .source = kAlympicsTools});
}

PartCard own_moves_card() {
  return part<Toolbox<&own_moves_tool>>(
      {.id = "own-moves",
       .doc = "May look up its own past moves before it answers: when each was made, what it was, "
              "and what followed. A call more for each round of calls.",
       .source = kAlympicsTools,
       .overlaps = kOwnMovesOverlaps});
}

PartCard calculator_and_own_moves_card() {
  return part<Toolbox<&calculator_tool, &own_moves_tool>>(
      {.id = "calculator-and-own-moves",
       .doc = "Both: the calculator, and the table of its own past moves.",
       .source = kAlympicsTools,
       .overlaps = kOwnMovesOverlaps});
}

}  // namespace agon::llm
