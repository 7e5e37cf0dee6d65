#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "branch/branches.hpp"
#include "describe/file_text.hpp"
#include "json/path.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/suite.hpp"
#include "suite/suite_file.hpp"

namespace agon {

/// Reads what a suite says of branches. Throws Error with its place for what cannot be branched so.
/// What it is given must outlive it.
class BranchDesign {
 public:
  /// Opens the archive `file`.
  BranchDesign(const suite_file::BranchEntry& said, const FileText& suite,
               const std::filesystem::path& file);

  /// The games of the matches.
  [[nodiscard]] std::vector<std::string> games() const;
  /// Adds the scenarios to the suite, and the agents that play in them beside the suite's own.
  /// `context`: of its agents.
  void add_to(Suite& suite, const SpecContext& context, const SuiteOptions& options) const;

 private:
  const suite_file::BranchEntry& said_;
  const FileText& text_;
  std::shared_ptr<ParentArchive> parents_;
};

}  // namespace agon
