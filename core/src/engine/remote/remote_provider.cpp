#include "remote/remote_provider.hpp"

#include <agon/conversion.hpp>

#include "json/write.hpp"

namespace agon::remote {

RemoteProvider::RemoteProvider(const JsonNode& node, Pool& pool) : pool_(pool) {
  node.allow_only({"id", "doc", "wire"});
  ProviderCard& card = served_.card;
  card.id = storage_.keep(node["id"].text());
  card.doc = storage_.keep(node["doc"].text());
  served_.wire = node["wire"].text();
  card.needs_key = KeyNeed::never;
  // It names the provider in records: nothing is sent there.
  card.base_url = storage_.keep("http://localhost/" + std::string(card.id));
  card.complete = {[](const void* self, std::string_view body) {
                     return static_cast<const RemoteProvider*>(self)->complete(body);
                   },
                   this};
}

std::string RemoteProvider::complete(std::string_view body) const {
  const std::string id(served_.card.id);
  ProcessRequest request{.what = "complete",
                         .members = member("provider", write_json(id)) + member("body", body),
                         .who = "the provider '" + id + "'"};
  if (pool_.launch().stop != nullptr) request.stop = [this] { return pool_.launch().stop->load(); };
  return pool_.ask(request, [](const Message& reply) { return json::write(reply.need("value")); });
}

}  // namespace agon::remote
