#pragma once

#include <agon/export.hpp>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace agon::archive {

/// The value of a span's attribute.
using SpanValue = std::variant<std::string, std::int64_t, double, bool, std::vector<std::string>>;

/// A span of OpenTelemetry.
struct Span {
  enum class SpanKind : std::uint8_t { internal = 1, client = 3 };
  using Id = std::array<std::uint8_t, 8>;

  std::array<std::uint8_t, 16> trace{};
  Id id{};
  Id parent{};  ///< zeros: none
  std::string name;
  SpanKind kind = SpanKind::internal;
  std::int64_t start = 0, end = 0;  ///< nanoseconds since 1970-01-01 UTC
  std::vector<std::pair<std::string_view, SpanValue>> attributes{};
  std::string error{};  ///< what went wrong; empty: nothing did
};

/// How an ExportTraceServiceRequest (OTLP) is written.
enum class SpanEncoding : std::uint8_t { protobuf, json };

/// Appends a span as the request holds it: of protobuf with its tag.
AGON_API void append_span(std::string& out, const Span& span, SpanEncoding encoding);

/// A ResourceSpans of spans that were appended (of JSON with commas between them), as the request
/// holds it. In protobuf any number of these, one after the other, are a request; in JSON they
/// are the list "resourceSpans".
[[nodiscard]] AGON_API std::string resource_spans(std::string_view spans, SpanEncoding encoding);

}  // namespace agon::archive
