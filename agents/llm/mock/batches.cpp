#include "llm/mock/batches.hpp"

#include <fmt/format.h>

#include <agon/json_writer.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "llm/wire/reading.hpp"

namespace agon::llm::mock {
namespace {

namespace bj = boost::json;

constexpr std::string_view kOpenAi = "/v1/batches";
constexpr std::string_view kAnthropic = "/v1/messages/batches";
constexpr std::string_view kFiles = "/v1/files";

CannedReply no_such(Spoken wire, std::string_view what) {
  return error_reply(wire, 404,
                     wire == Spoken::anthropic ? "not_found_error" : "invalid_request_error",
                     "not_found", fmt::format("there is no {}", what));
}

/// The content of the file in an upload: what stands after the second head, up to the last
/// boundary.
std::string file_in(const std::string& body) {
  const std::string boundary = body.substr(0, body.find("\r\n"));
  const std::size_t head = body.find("filename=");
  const std::size_t begin = head == std::string::npos ? head : body.find("\r\n\r\n", head);
  const std::size_t end = body.rfind("\r\n" + boundary + "--");
  if (boundary.size() < 3 || begin == std::string::npos || end == std::string::npos ||
      end < begin + 4)
    return {};
  return body.substr(begin + 4, end - begin - 4);
}

/// What the member of an object that is in `path` is called: "/v1/batches/ID" gives "ID".
std::string_view after(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() + 1 ? path.substr(folder.size() + 1) : std::string_view();
}

/// The time that all batches are of: the mock keeps none, and no reader minds one to come.
constexpr std::string_view kCreated = "2100-01-01T00:00:00.000000Z";

}  // namespace

std::optional<CannedReply> BatchDesk::reply(std::string_view method, std::string_view path,
                                            const std::string& body) {
  const bool is_post = method == "POST";
  if (path == kFiles && is_post) {
    const std::string id = fmt::format("file-{}", files_.size() + 1);
    files_[id] = file_in(body);
    return CannedReply{.body = fmt::format(R"({{"id":"{}","object":"file"}})", id)};
  }
  if (path.starts_with(kFiles) && path.ends_with("/content")) {
    const std::string_view file = after(path, kFiles);
    return content(file.substr(0, file.find('/')));
  }
  for (const auto& [folder, is_anthropic] : {std::pair{kOpenAi, false}, {kAnthropic, true}}) {
    if (path == folder)
      return !is_post       ? list(is_anthropic)
             : is_anthropic ? make_anthropic(body)
                            : make_openai(body);
    if (!path.starts_with(folder)) continue;
    std::string_view id = after(path, folder);
    if (!id.ends_with("/results")) return look(id, is_anthropic);
    return results(id.substr(0, id.find('/')), is_anthropic);
  }
  return std::nullopt;
}

void BatchDesk::add(Batch& batch, std::map<std::size_t, std::string>& lines, Spoken wire,
                    const std::string& id, const std::string& body) {
  const std::size_t place = hash_of(id);  // results come in any order
  ++batch.calls;
  Dice dice(place, static_cast<std::uint32_t>(batches_.size()));
  if (dice.unit() < faults_.expired) {
    if (!batch.is_anthropic)
      batch.missing += fmt::format(
          R"({{"id":"r","custom_id":"{}","response":null,"error":{{"code":"batch_expired",)"
          R"("message":"This request could not be executed in time."}}}})"
          "\n",
          id);
    else
      lines[place] = fmt::format(R"({{"custom_id":"{}","result":{{"type":"expired"}}}})", id);
    return;
  }
  const CannedReply reply = answer_(wire, body, id);
  ++batch.answered;
  if (!batch.is_anthropic)
    lines[place] = fmt::format(
        R"({{"id":"r","custom_id":"{}","response":{{"status_code":{},"request_id":"q-{}","body":{}}},)"
        R"("error":null}})",
        id, reply.status, batch.answered, reply.body);
  else if (reply.status == 200)
    lines[place] = fmt::format(
        R"({{"custom_id":"{}","result":{{"type":"succeeded","message":{}}}}})", id, reply.body);
  else
    lines[place] = fmt::format(R"({{"custom_id":"{}","result":{{"type":"errored","error":{}}}}})",
                               id, reply.body);
}

void BatchDesk::keep(Batch batch, const std::map<std::size_t, std::string>& lines) {
  for (const auto& [place, line] : lines) batch.results += line + "\n";
  batches_.push_back(std::move(batch));
}

CannedReply BatchDesk::make_openai(const std::string& body) {
  const bj::object asked = wire::object_in(body).value_or(bj::object());
  const auto file = files_.find(wire::text_at(asked, "input_file_id"));
  if (file == files_.end()) return no_such(Spoken::chat, "such file");
  const bj::object* metadata = wire::object_at(asked, "metadata");
  Batch batch{.id = fmt::format("batch_{}", batches_.size() + 1),
              .key = metadata == nullptr ? std::string() : wire::text_at(*metadata, "agon")};
  const Spoken wire =
      wire::text_at(asked, "endpoint") == "/v1/responses" ? Spoken::responses : Spoken::chat;
  std::map<std::size_t, std::string> lines;
  std::string_view rest = file->second;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const bj::object call = wire::object_in(line).value_or(bj::object());
    add(batch, lines, wire, wire::text_at(call, "custom_id"), wire::json_at(line, "body"));
  }
  keep(std::move(batch), lines);
  return {.body = status(batches_.back())};
}

CannedReply BatchDesk::make_anthropic(const std::string& body) {
  const bj::object asked = wire::object_in(body).value_or(bj::object());
  const bj::value* requests = wire::value_at(asked, "requests");
  if (requests == nullptr || !requests->is_array())
    return error_reply(Spoken::anthropic, 400, "invalid_request_error", "", "requests: missing");
  Batch batch{.id = fmt::format("msgbatch_{}", batches_.size() + 1), .key = {}};
  batch.is_anthropic = true;
  std::map<std::size_t, std::string> lines;
  for (const bj::value& request : requests->get_array()) {
    if (!request.is_object()) continue;
    const std::string whole = bj::serialize(request);
    add(batch, lines, Spoken::anthropic, wire::text_at(request.get_object(), "custom_id"),
        wire::json_at(whole, "params"));
  }
  keep(std::move(batch), lines);
  return {.body = status(batches_.back())};
}

std::string BatchDesk::status(const Batch& batch) const {
  const bool ended = has_ended(batch);
  JsonWriter w;
  w.open_object().name("id").text(batch.id);
  if (batch.is_anthropic) {
    w.name("type").text("message_batch");
    w.name("processing_status").text(ended ? "ended" : "in_progress");
    w.name("created_at").text(kCreated).name("request_counts").open_object();
    w.name("processing").number(ended ? 0 : batch.calls);
    w.name("succeeded").number(ended ? batch.answered : 0).name("errored").number(0);
    w.name("canceled").number(0);
    w.name("expired").number(ended ? batch.calls - batch.answered : 0).close_object();
  } else {
    const bool is_whole = batch.answered == batch.calls;
    w.name("object").text("batch");
    w.name("status").text(!ended ? "in_progress" : is_whole ? "completed" : "expired");
    w.name("metadata").open_object().name("agon").text(batch.key).close_object();
    if (ended) w.name("output_file_id").text("file-of-" + batch.id);
    if (ended && !is_whole) w.name("error_file_id").text("file-of-errors-" + batch.id);
  }
  return w.close_object().take();
}

CannedReply BatchDesk::list(bool is_anthropic) {
  std::string data;
  for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
    if (batch->is_anthropic != is_anthropic) continue;
    ++batch->looks;
    data += (data.empty() ? "" : ",") + status(*batch);
  }
  return {.body = fmt::format(R"({{"data":[{}],"has_more":false}})", data)};
}

CannedReply BatchDesk::look(std::string_view id, bool is_anthropic) {
  for (Batch& batch : batches_)
    if (batch.id == id && batch.is_anthropic == is_anthropic) {
      ++batch.looks;
      return {.body = status(batch)};
    }
  return no_such(is_anthropic ? Spoken::anthropic : Spoken::chat, "such batch");
}

CannedReply BatchDesk::results(std::string_view id, bool is_anthropic) const {
  for (const Batch& batch : batches_)
    if (batch.id == id && batch.is_anthropic == is_anthropic && has_ended(batch))
      return {.body = batch.results};
  return no_such(Spoken::anthropic, "result of such a batch");
}

CannedReply BatchDesk::content(std::string_view file) const {
  for (const Batch& batch : batches_) {
    if (!has_ended(batch)) continue;
    if (file == "file-of-" + batch.id) return {.body = batch.results};
    if (file == "file-of-errors-" + batch.id) return {.body = batch.missing};
  }
  return no_such(Spoken::chat, "such file");
}

}  // namespace agon::llm::mock
