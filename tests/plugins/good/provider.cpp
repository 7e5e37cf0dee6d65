// A provider of models of its own: another URL, another header for its key, another wire format.
#include <agon/json_reader.hpp>
#include <agon/model/provider.hpp>
#include <agon/plugin.hpp>

namespace {

void write_dialogue(agon::JsonWriter& body, const agon::WireRequest& request) {
  body.name("engine").text(request.model).name("talk").open_list();
  for (const agon::ChatMessage& m : request.messages)
    body.open_object().name("by").text(m.role).name("says").text(m.text).close_object();
  body.close_list();
}

void write_parameters(agon::JsonWriter& body, const agon::WireRequest& request) {
  if (request.temperature) body.name("warmth").number(*request.temperature);
  if (request.max_tokens > 0) body.name("most").number(request.max_tokens);
  if (request.form == agon::WireForm::schema) body.name("shape").json(request.schema);
}

std::optional<agon::WireError> read(std::string_view reply, agon::ModelCall& call) {
  const agon::JsonDocument document(std::string(reply), "");
  const agon::JsonNode root = document.root();
  if (const auto excuse = root.find("excuse"))
    return agon::WireError{.type = "busy", .message = std::string(excuse->text())};
  call.text = root["said"].text();
  call.served_model = root["engine"].text();
  call.usage = {.input = root["read"].whole(), .output = root["written"].whole()};
  if (root["end"].text() == "full") call.fault = agon::Fault::truncated;
  return std::nullopt;
}

constexpr agon::WireFormat kWire{.call_path = "/talk",
                                 .write_dialogue = &write_dialogue,
                                 .write_parameters = &write_parameters,
                                 .read = &read};
constexpr std::string_view kUrlVariables[] = {"ACME_URL"};
constexpr std::string_view kHeaders[] = {"acme-version: 7"};
constexpr agon::UserHeader kUserHeaders[] = {{"acme-team", "ACME_TEAM"}};

}  // namespace

AGON_PLUGIN(
    "provider", "1.0", +[](agon::Registry& registry) {
      registry.add(agon::ProviderCard{.id = "acme",
                                      .doc = "Acme, which talks in its own way.",
                                      .wire = &kWire,
                                      .base_url = "https://acme.example/api",
                                      .url_variables = kUrlVariables,
                                      .key_variable = "ACME_KEY",
                                      .key_header = "acme-key: ",
                                      .headers = kHeaders,
                                      .user_headers = kUserHeaders,
                                      .takes = {.seed = false, .object = false}});
    })
