#include "archive/export/spans.hpp"

#include <agon/analysis/paper_table.hpp>
#include <bit>
#include <span>

#include "json/write.hpp"
#include "text/hash.hpp"
#include "text/utf8.hpp"

namespace agon::archive {
namespace {

constexpr std::string_view kService = "agon";
constexpr int kErrorStatus = 2;

// Fields of protobuf, with the numbers of opentelemetry-proto 1.
class ProtobufMessage {
 public:
  void number(unsigned field, std::uint64_t value) {
    tag(field, 0);
    varint(value);
  }
  void fixed(unsigned field, std::uint64_t value) {
    tag(field, 1);
    for (unsigned i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFFU);
  }
  void text(unsigned field, std::string_view value) {
    tag(field, 2);
    varint(value.size());
    bytes_ += value;
  }
  void text(unsigned field, std::span<const std::uint8_t> value) {
    text(field, std::string_view(reinterpret_cast<const char*>(value.data()), value.size()));
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void tag(unsigned field, unsigned type) { varint(std::uint64_t{field} << 3U | type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// A text of protobuf must be UTF-8, or the whole request is refused.
std::string utf8(std::string_view text) {
  std::string out;
  for (std::size_t bad = 0; (bad = text::find_invalid_utf8(text)) != std::string_view::npos;) {
    out.append(text.substr(0, bad)).append("\xEF\xBF\xBD");  // U+FFFD
    text.remove_prefix(bad + 1);
  }
  return out.append(text);
}

ProtobufMessage value_message(const SpanValue& value) {
  ProtobufMessage out;
  std::visit(
      Overloaded{[&](const std::string& text) { out.text(1, utf8(text)); },
                 [&](std::int64_t number) { out.number(3, static_cast<std::uint64_t>(number)); },
                 [&](double number) { out.fixed(4, std::bit_cast<std::uint64_t>(number)); },
                 [&](bool is) { out.number(2, is ? 1 : 0); },
                 [&](const std::vector<std::string>& texts) {
                   ProtobufMessage list;
                   for (const std::string& text : texts) list.text(1, value_message(text).bytes());
                   out.text(5, list.bytes());
                 }},
      value);
  return out;
}

ProtobufMessage attribute_message(std::string_view name, const SpanValue& value) {
  ProtobufMessage out;
  out.text(1, name);
  out.text(2, value_message(value).bytes());
  return out;
}

void append_protobuf_span(std::string& out, const Span& span) {
  ProtobufMessage m;
  m.text(1, std::span(span.trace));
  m.text(2, std::span(span.id));
  if (span.parent != Span::Id{}) m.text(4, std::span(span.parent));
  m.text(5, utf8(span.name));
  m.number(6, static_cast<std::uint64_t>(span.kind));
  m.fixed(7, static_cast<std::uint64_t>(span.start));
  m.fixed(8, static_cast<std::uint64_t>(span.end));
  for (const auto& [name, value] : span.attributes)
    m.text(9, attribute_message(name, value).bytes());
  if (!span.error.empty()) {
    ProtobufMessage status;
    status.text(2, utf8(span.error));
    status.number(3, kErrorStatus);
    m.text(15, status.bytes());
  }
  ProtobufMessage spans;
  spans.text(2, m.bytes());  // ScopeSpans.spans
  out += spans.bytes();
}

void append_value(std::string& out, const SpanValue& value) {
  const auto text = [&](const std::string& t) {
    out += R"({"stringValue":)";
    json::append_string(out, t);
    out += '}';
  };
  std::visit(
      Overloaded{
          text,
          [&](std::int64_t number) { out += R"({"intValue":")" + std::to_string(number) + "\"}"; },
          [&](double number) {
            out += R"({"doubleValue":)";
            json::append_number(out, number);
            out += '}';
          },
          [&](bool is) { out += is ? R"({"boolValue":true})" : R"({"boolValue":false})"; },
          [&](const std::vector<std::string>& texts) {
            out += R"({"arrayValue":{"values":[)";
            for (std::size_t i = 0; i < texts.size(); ++i) {
              if (i > 0) out += ',';
              text(texts[i]);
            }
            out += "]}}";
          }},
      value);
}

void append_attribute(std::string& out, std::string_view name, const SpanValue& value) {
  out += R"({"key":)";
  json::append_string(out, name);
  out += R"(,"value":)";
  append_value(out, value);
  out += '}';
}

void append_json_span(std::string& out, const Span& span) {
  std::string line =
      R"({"traceId":")" + hash::hex(span.trace) + R"(","spanId":")" + hash::hex(span.id) + '"';
  if (span.parent != Span::Id{}) line += R"(,"parentSpanId":")" + hash::hex(span.parent) + '"';
  line += R"(,"name":)";
  json::append_string(line, span.name);
  line += R"(,"kind":)" + std::to_string(static_cast<int>(span.kind)) +
          R"(,"startTimeUnixNano":")" + std::to_string(span.start) + R"(","endTimeUnixNano":")" +
          std::to_string(span.end) + R"(","attributes":[)";
  for (std::size_t i = 0; i < span.attributes.size(); ++i) {
    if (i > 0) line += ',';
    append_attribute(line, span.attributes[i].first, span.attributes[i].second);
  }
  line += ']';
  if (!span.error.empty()) {
    line += R"(,"status":{"message":)";
    json::append_string(line, span.error);
    line += R"(,"code":)" + std::to_string(kErrorStatus) + '}';
  }
  out += text::printable_json(line + '}');
}

}  // namespace

void append_span(std::string& out, const Span& span, SpanEncoding encoding) {
  if (encoding == SpanEncoding::protobuf) return append_protobuf_span(out, span);
  if (!out.empty()) out += ',';
  append_json_span(out, span);
}

std::string resource_spans(std::string_view spans, SpanEncoding encoding) {
  const SpanValue service = std::string(kService);
  if (encoding == SpanEncoding::json) {
    std::string out = R"({"resource":{"attributes":[)";
    append_attribute(out, "service.name", service);
    out += R"(]},"scopeSpans":[{"scope":{"name":"agon"},"spans":[)";
    return out.append(spans).append("]}]}");
  }
  ProtobufMessage resource, scope, scope_spans, all, request;
  resource.text(1, attribute_message("service.name", service).bytes());
  scope.text(1, kService);
  scope_spans.text(1, scope.bytes());
  all.text(1, resource.bytes());
  all.text(2, scope_spans.bytes() + std::string(spans));
  request.text(1, all.bytes());
  return request.bytes();
}

}  // namespace agon::archive
