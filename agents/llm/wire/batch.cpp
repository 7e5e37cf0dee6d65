#include "llm/wire/batch.hpp"

#include <fmt/format.h>

#include <agon/json_writer.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// Letters, digits, hyphens and underscores: nothing that leads to another path.
std::string name_in(const bj::object& object, std::string_view member) {
  constexpr std::size_t kLongest = 200;
  std::string name = wire::text_at(object, member);
  return name.size() <= kLongest && wire::is_plain(name) ? name : std::string();
}

/// An error as an endpoint of OpenAI's kind has it in the reply to a call.
HttpReply openai_error(int status, std::string_view code, std::string_view message) {
  JsonWriter w;
  w.open_object().name("error").open_object();
  w.name("message").text(message).name("code").text(code);
  return {.status = status, .body = w.close_object().close_object().take()};
}

/// The body without line breaks, which JSON has between its parts alone.
std::string on_one_line(std::string_view body) {
  std::string line(body);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string openai_call(const BatchedCall& call, std::string_view call_path) {
  return fmt::format(R"({{"custom_id":"{}","method":"POST","url":"/v1{}","body":{}}})", call.id,
                     call_path, on_one_line(call.body));
}

std::string openai_batch(std::string_view /*calls*/, std::string_view file, std::string_view key,
                         std::string_view call_path) {
  JsonWriter w;
  w.open_object().name("input_file_id").text(file);
  w.name("endpoint").text(fmt::format("/v1{}", call_path)).name("completion_window").text("24h");
  w.name("metadata").open_object().name("agon").text(key).close_object();
  return w.close_object().take();
}

/// Why nothing of a batch was taken on, as the reply to each of its calls.
HttpReply openai_failure(const bj::object& body) {
  std::string code, message = "the batch was turned down";
  if (const bj::object* errors = wire::object_at(body, "errors"))
    if (const bj::object* first = wire::first_at(*errors, "data")) {
      code = wire::text_at(*first, "code");
      if (std::string words = wire::text_at(*first, "message"); !words.empty())
        message += ": " + words;
    }
  // Too much is queued of this account: later there may be room.
  return openai_error(code == "token_limit_exceeded" ? 429 : 400, code, message);
}

std::optional<BatchStatus> openai_status(std::string_view reply) {
  const auto body = wire::object_in(reply);
  if (!body) return {};
  BatchStatus status;
  status.id = name_in(*body, "id");
  if (status.id.empty()) return {};
  if (const bj::object* metadata = wire::object_at(*body, "metadata"))
    status.key = wire::text_at(*metadata, "agon");
  const std::string word = wire::text_at(*body, "status");
  if (word == "completed" || word == "expired" || word == "cancelled")
    status.state = BatchStatus::State::ended;
  if (word == "failed") {
    status.state = BatchStatus::State::failed;
    status.failure = openai_failure(*body);
  }
  for (const std::string_view member : {"output_file_id", "error_file_id"})
    if (const std::string file = name_in(*body, member); !file.empty())
      status.results.push_back(fmt::format("/files/{}/content", file));
  // Each call is in one of them: before they are there, nothing is known of it.
  if (word == "completed" && status.results.empty()) status.state = BatchStatus::State::working;
  return status;
}

std::optional<BatchResult> openai_result(std::string_view line) {
  const auto body = wire::object_in(line);
  if (!body) return {};
  BatchResult result{.id = wire::text_at(*body, "custom_id")};
  if (result.id.empty()) return {};
  if (const bj::object* response = wire::object_at(*body, "response")) {
    HttpReply reply{.status = static_cast<int>(wire::count_at(*response, "status_code"))};
    if (reply.status < 100) reply.status = 500;
    reply.body = wire::json_at(wire::json_at(line, "response"), "body");
    if (std::string id = wire::text_at(*response, "request_id"); !id.empty())
      reply.headers.emplace_back("x-request-id", std::move(id));
    result.reply = std::move(reply);
    return result;
  }
  const bj::object* error = wire::object_at(*body, "error");
  const std::string code = error == nullptr ? std::string() : wire::text_at(*error, "code");
  if (code == "batch_expired" || code == "batch_cancelled") return result;
  result.reply = openai_error(500, code, error == nullptr ? "" : wire::text_at(*error, "message"));
  return result;
}

std::string anthropic_call(const BatchedCall& call, std::string_view /*call_path*/) {
  return fmt::format(R"({{"custom_id":"{}","params":{}}})", call.id, on_one_line(call.body));
}

std::string anthropic_batch(std::string_view calls, std::string_view /*file*/,
                            std::string_view /*key*/, std::string_view /*call_path*/) {
  std::string body = R"({"requests":[)";
  body.append(calls);
  std::replace(body.begin(), body.end(), '\n', ',');  // they are between two calls
  return body + "]}";
}

std::optional<BatchStatus> anthropic_status(std::string_view reply) {
  const auto body = wire::object_in(reply);
  if (!body) return {};
  BatchStatus status;
  status.id = name_in(*body, "id");
  if (status.id.empty()) return {};
  status.created = wire::text_at(*body, "created_at");
  if (wire::text_at(*body, "processing_status") == "ended")
    status.state = BatchStatus::State::ended;
  if (const bj::object* counts = wire::object_at(*body, "request_counts")) {
    status.calls = 0;
    for (const std::string_view member :
         {"processing", "succeeded", "errored", "canceled", "expired"})
      status.calls += std::max<std::int64_t>(0, wire::count_at(*counts, member));
  }
  // The reply names a URL of the results; the key goes to no other host than the endpoint's.
  status.results.push_back(fmt::format("/v1/messages/batches/{}/results", status.id));
  return status;
}

/// The status that an error of this type has in the reply to a call by itself.
int anthropic_error_status(std::string_view type) {
  static constexpr std::pair<std::string_view, int> kStatuses[] = {
      {"invalid_request_error", 400}, {"invalid_request", 400},  {"authentication_error", 401},
      {"billing_error", 402},         {"permission_error", 403}, {"not_found_error", 404},
      {"request_too_large", 413},     {"rate_limit_error", 429}, {"api_error", 500},
      {"timeout_error", 504},         {"overloaded_error", 529}};
  for (const auto& [name, status] : kStatuses)
    if (name == type) return status;
  return 500;
}

std::optional<BatchResult> anthropic_result(std::string_view line) {
  const auto body = wire::object_in(line);
  if (!body) return {};
  BatchResult result{.id = wire::text_at(*body, "custom_id")};
  const bj::object* what = wire::object_at(*body, "result");
  if (result.id.empty() || what == nullptr) return {};
  const std::string type = wire::text_at(*what, "type");
  const std::string whole = wire::json_at(line, "result");
  if (type == "succeeded")
    result.reply = HttpReply{.status = 200, .body = wire::json_at(whole, "message")};
  if (type == "errored") {
    std::string error = wire::json_at(whole, "error");
    const bj::object* outer = wire::object_at(*what, "error");
    const bj::object* inner = outer == nullptr ? nullptr : wire::object_at(*outer, "error");
    if (inner == nullptr) error = R"({"type":"error","error":)" + error + "}";
    const bj::object* told = inner == nullptr ? outer : inner;
    result.reply = HttpReply{.status = anthropic_error_status(
                                 told == nullptr ? std::string() : wire::text_at(*told, "type")),
                             .body = std::move(error)};
  }
  return result;
}

constexpr BatchFormat kOpenAiBatches{.most_calls = 50'000,
                                     .most_bytes = 200'000'000,
                                     .path = "/batches",
                                     .files_path = "/files",
                                     .next = "after",
                                     .write_call = &openai_call,
                                     .write_batch = &openai_batch,
                                     .read_status = &openai_status,
                                     .read_result = &openai_result};
constexpr BatchFormat kAnthropicBatches{.most_calls = 100'000,
                                        .most_bytes = 256'000'000,
                                        .path = "/v1/messages/batches",
                                        .files_path = {},
                                        .next = "after_id",
                                        .write_call = &anthropic_call,
                                        .write_batch = &anthropic_batch,
                                        .read_status = &anthropic_status,
                                        .read_result = &anthropic_result};

}  // namespace

const BatchFormat* batch_format_of(const ProviderCard& provider) {
  // Many servers speak as OpenAI's do, and few of them take batches: who names OpenAI's provider
  // for another endpoint says that it does.
  if (provider.id == "openai" || provider.id == "openai-responses") return &kOpenAiBatches;
  return provider.id == "anthropic" ? &kAnthropicBatches : nullptr;
}

std::string upload_of(std::string_view calls, std::string& content_type) {
  // Of the calls themselves: so that it stands in none of them.
  const std::string boundary = fmt::format("agon-{:016x}", hash_of(calls));
  content_type = "multipart/form-data; boundary=" + boundary;
  std::string body = fmt::format(
      "--{0}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n"
      "--{0}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"agon.jsonl\"\r\n"
      "Content-Type: application/jsonl\r\n\r\n",
      boundary);
  body.append(calls);
  return body + fmt::format("\r\n--{}--\r\n", boundary);
}

std::string batch_id_in(std::string_view reply) {
  const auto body = wire::object_in(reply);
  return body ? name_in(*body, "id") : std::string();
}

std::optional<std::vector<BatchStatus>> read_batches(const BatchFormat& format,
                                                     std::string_view reply, bool& has_more) {
  has_more = false;
  const auto body = wire::object_in(reply);
  const bj::value* data = body ? wire::value_at(*body, "data") : nullptr;
  if (data == nullptr || !data->is_array()) return std::nullopt;
  std::vector<BatchStatus> batches;
  for (const bj::value& one : data->get_array())
    if (auto status = format.read_status(bj::serialize(one))) batches.push_back(*std::move(status));
  const bj::value* more = wire::value_at(*body, "has_more");
  has_more = more != nullptr && more->is_bool() && more->get_bool() && !batches.empty();
  return batches;
}

std::vector<BatchResult> read_results(const BatchFormat& format, std::string_view file) {
  std::vector<BatchResult> results;
  while (!file.empty()) {
    const std::string_view line = file.substr(0, file.find('\n'));
    file.remove_prefix(std::min(file.size(), line.size() + 1));
    if (auto result = format.read_result(line)) results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace agon::llm
