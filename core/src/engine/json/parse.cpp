#include "json/parse.hpp"

#include <agon/error.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "json/comments.hpp"
#include "json/diagnose.hpp"
#include "json/position.hpp"
#include "text/utf8.hpp"

namespace agon::json {
namespace {

namespace bj = boost::json;

// Builds the value from the parser's events. Boost's own handler is not used, because it lets the
// last of two equal names win and keeps the parser's inexact doubles.
class Builder {
 public:
  static constexpr std::size_t max_array_size = bj::array::max_size();
  static constexpr std::size_t max_object_size = bj::object::max_size();
  static constexpr std::size_t max_string_size = bj::string::max_size();
  static constexpr std::size_t max_key_size = bj::string::max_size();

  explicit Builder(std::string_view text) : text_(text) {}

  bj::value& result() { return root_; }

  // Set when the handler itself refused something; its offset is npos when not known.
  [[nodiscard]] const Diagnosis& refusal() const { return refusal_; }

  bool on_document_begin(bj::error_code&) { return true; }
  bool on_document_end(bj::error_code&) { return true; }
  bool on_comment_part(bj::string_view, bj::error_code&) { return true; }
  bool on_comment(bj::string_view, bj::error_code&) { return true; }

  bool on_array_begin(bj::error_code&) {
    open_.push_back({bj::array(), {}});
    return true;
  }
  bool on_object_begin(bj::error_code&) {
    open_.push_back({bj::object(), {}});
    return true;
  }
  bool on_array_end(std::size_t, bj::error_code&) { return close(); }
  bool on_object_end(std::size_t, bj::error_code&) { return close(); }

  bool on_key_part(bj::string_view part, std::size_t, bj::error_code&) { return collect(part); }
  bool on_key(bj::string_view part, std::size_t, bj::error_code& code) {
    collect(part);
    Open& object = open_.back();
    object.name = std::exchange(collected_, {});
    if (!object.container.get_object().contains(object.name)) return true;
    return refuse(code, offset_of(part) - (object.name.size() - part.size()) - 1,
                  "the name " + in_quotes(object.name) + " appears twice in one object",
                  "remove or rename one of the two");
  }

  bool on_string_part(bj::string_view part, std::size_t, bj::error_code&) { return collect(part); }
  bool on_string(bj::string_view part, std::size_t, bj::error_code&) {
    collect(part);
    add(bj::value(bj::string_view(collected_)));
    collected_.clear();
    return true;
  }

  bool on_number_part(bj::string_view part, bj::error_code&) { return collect(part); }
  bool on_int64(std::int64_t number, bj::string_view, bj::error_code&) { return number_is(number); }
  bool on_uint64(std::uint64_t number, bj::string_view, bj::error_code&) {
    return number_is(number);
  }
  bool on_double(double approximate, bj::string_view part, bj::error_code& code) {
    collect(part);
    const std::string digits = std::exchange(collected_, {});
    const std::size_t offset = offset_of(part);
    if (digits.find_first_of(".eE") == std::string::npos) {
      return refuse(code, offset, "the integer " + in_quotes(digits) + " does not fit 64 bits",
                    "use a smaller number, or a string");
    }
    double exact = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
    if (read.ec == std::errc::result_out_of_range) {
      // Too small to tell from zero is harmless; too large is not.
      if (!(std::abs(approximate) < 1)) {
        return refuse(code, offset, "the number " + in_quotes(digits) + " is too large",
                      "the largest is about 1.8e308");
      }
      exact = std::copysign(0.0, digits.front() == '-' ? -1.0 : 1.0);
    }
    add(exact);
    return true;
  }

  bool on_bool(bool truth, bj::error_code&) {
    add(truth);
    return true;
  }
  bool on_null(bj::error_code&) {
    add(nullptr);
    return true;
  }

 private:
  struct Open {
    bj::value container;
    std::string name;  // of the member that is being read
  };

  bool collect(bj::string_view part) {
    collected_.append(part.data(), part.size());
    return true;
  }

  template <typename Number>
  bool number_is(Number number) {
    collected_.clear();
    add(number);
    return true;
  }

  bool close() {
    bj::value done = std::move(open_.back().container);
    open_.pop_back();
    add(std::move(done));
    return true;
  }

  void add(bj::value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& top = open_.back(); top.container.is_array()) {
      top.container.get_array().push_back(std::move(value));
    } else {
      top.container.get_object().emplace(top.name, std::move(value));
    }
  }

  // Strings with escapes arrive from a buffer of the parser, where their offset is unknown.
  [[nodiscard]] std::size_t offset_of(bj::string_view part) const {
    const std::less<> before;
    if (before(part.data(), text_.data()) || before(text_.data() + text_.size(), part.data())) {
      return std::string_view::npos;
    }
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  bool refuse(bj::error_code& code, std::size_t offset, std::string problem, std::string mend) {
    code = bj::error::syntax;
    refusal_ = {offset < text_.size() ? offset : std::string_view::npos, std::move(problem),
                std::move(mend)};
    return false;
  }

  std::string_view text_;
  std::vector<Open> open_;
  std::string collected_;
  bj::value root_;
  Diagnosis refusal_;
};

[[noreturn]] void fail(std::string_view text, std::string_view file, const Diagnosis& diagnosis) {
  throw Error(ErrorKind::invalid, diagnosis.problem,
              place(file, position_at(text, diagnosis.offset)), diagnosis.mend);
}

bj::parse_options options() {
  bj::parse_options result;
  result.max_depth = max_depth;
  return result;
}

}  // namespace

bj::value parse(std::string_view text, std::string_view file) {
  if (const std::size_t bad = text::find_invalid_utf8(text); bad != std::string_view::npos) {
    fail(text, file,
         {bad, "the text is not valid UTF-8: byte " + in_quotes(text.substr(bad, 1)),
          "save the file as UTF-8"});
  }
  const Uncommented bare(text);
  if (bare.unclosed() != std::string_view::npos) {
    fail(text, file, {bare.unclosed(), "this comment is never closed", "end it with */"});
  }
  bj::basic_parser<Builder> parser(options(), bare.text());
  bj::error_code code;
  const std::size_t used = parser.write_some(false, bare.text().data(), bare.text().size(), code);
  if (!code && used < bare.text().size()) code = bj::error::extra_data;
  if (!code) return std::move(parser.handler().result());
  Diagnosis diagnosis = parser.handler().refusal();
  if (diagnosis.problem.empty()) diagnosis = diagnose(bare.text(), used, code);
  if (diagnosis.offset == std::string_view::npos) diagnosis.offset = used;
  fail(text, file, diagnosis);
}

bool is_value(std::string_view text) {
  if (text::find_invalid_utf8(text) != std::string_view::npos) return false;
  bj::basic_parser<Builder> parser(options(), text);
  bj::error_code code;
  return parser.write_some(false, text.data(), text.size(), code) == text.size() && !code;
}

std::string read_file(const std::filesystem::path& path) {
  constexpr std::size_t limit = std::size_t{256} << 20U;
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw Error(ErrorKind::not_found, "there is no such file", path.string());
  }
  if (std::filesystem::is_directory(status)) {
    throw Error(ErrorKind::failure, "this is a directory", path.string(), "name a file in it");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  const bool are_too_many = !stream && errno == EMFILE;
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16U);
  while (stream && text.size() <= limit) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > limit) {
    throw Error(ErrorKind::failure, "the file is larger than 256 MiB", path.string());
  }
  if (!stream.eof()) {
    throw Error(
        ErrorKind::failure, "the file cannot be read", path.string(),
        are_too_many ? "too many files are open; see 'ulimit -n'" : "check its permissions");
  }
  return text;
}

bj::value parse_file(const std::filesystem::path& path) {
  return parse(read_file(path), path.string());
}

}  // namespace agon::json
