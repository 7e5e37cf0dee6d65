#pragma once

#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/describe.hpp"
#include "report/report.hpp"

/// What commands take from libagon_analysis. A build without it (AGON_ANALYSIS=OFF) compiles
/// left_out.cpp in the place of this folder's other sources.
namespace agon::command {

/// The commands that are built with it.
[[nodiscard]] std::vector<Command> analysis_commands();

/// Throws Error (not_found) for a command, ours or a plugin's, or a file format that this build
/// lacks.
void refuse_left_out(const std::string& name);

/// The game that --metagame and the options beside it ask for. Throws Error as
/// report::make_meta does.
[[nodiscard]] report::Document metagame(const Invocation& call,
                                        const report::ReportRequest& choice);
/// The names of its sections.
[[nodiscard]] const std::vector<std::string>& metagame_sections();

/// The files of `agon judge`.
[[nodiscard]] std::vector<FileCard> judging_files();

}  // namespace agon::command
