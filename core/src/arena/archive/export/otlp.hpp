#pragma once

#include <agon/export.hpp>
#include <iosfwd>

#include "archive/archive.hpp"
#include "archive/export/spans.hpp"
#include "archive/export/turns.hpp"

namespace agon::archive {

/// Writes matches, questions and model calls as spans of OpenTelemetry: one
/// ExportTraceServiceRequest. A match is a trace whose id is the match's, and its spans' ids follow
/// from that: a viewer that gets them twice has them once. docs/training.md lists the attributes.
/// Throws Error when the stream fails.
AGON_API void export_otlp(const Archive& archive, std::ostream& out, TurnReader& turns,
                          SpanEncoding encoding);

}  // namespace agon::archive
