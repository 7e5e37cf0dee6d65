#include "archive/stored_settings.hpp"

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::archive {

namespace bj = boost::json;

namespace {

constexpr std::string_view kNoSettings = "the settings of a scenario are not as a run stores them";

bj::value stored_json(const Archive& archive, const std::string& text) {
  try {
    return json::parse(text, "");
  } catch (const Error&) {
    archive.damaged(kNoSettings);
  }
}

/// A recorded document of settings, with the data that it refers to in their place.
bj::object whole_document(const Archive& archive, const hash::Digest& digest) {
  const std::optional<std::string> text = archive.content(digest);
  if (!text) archive.damaged("the settings of a scenario are missing");
  bj::value document = stored_json(archive, *text);
  bj::object* members = document.if_object();
  bj::value* settings = members == nullptr ? nullptr : members->if_contains("settings");
  if (settings == nullptr || !settings->is_object()) archive.damaged(kNoSettings);
  for (auto& entry : settings->get_object()) {
    const bj::object* reference = entry.value().if_object();
    if (reference == nullptr || !reference->contains("sha256") || !reference->contains("data"))
      continue;
    const std::optional<hash::Digest> named =
        reference->at("sha256").is_string()
            ? hash::read_hex(std::string_view(reference->at("sha256").get_string()))
            : std::nullopt;
    const std::optional<std::string> data = named ? archive.content(*named) : std::nullopt;
    if (!data)
      archive.damaged("the data of setting '" + std::string(entry.key()) + "' are missing");
    entry.value() = stored_json(archive, *data);
  }
  return std::move(*members);
}

}  // namespace

std::string stored_settings(const Archive& archive, const hash::Digest& digest) {
  return json::write(whole_document(archive, digest).at("settings"));
}

StoredSettings read_stored_settings(const Game& game, const Archive& archive,
                                    const hash::Digest& digest) {
  const std::string place = archive.path().string();
  const bj::object document = whole_document(archive, digest);
  const bj::value* preset = document.if_contains("preset");
  const bj::value* reasks = document.if_contains("reasks");
  constexpr std::int64_t most_reasks = 100;
  if (preset == nullptr || !preset->is_string() || reasks == nullptr || !reasks->is_int64() ||
      reasks->get_int64() < 0 || reasks->get_int64() > most_reasks)
    archive.damaged(kNoSettings);
  return {Settings::read(game, std::string(preset->get_string()),
                         document.at("settings").get_object(), place + " (recorded settings)", {}),
          static_cast<int>(reasks->get_int64())};
}

}  // namespace agon::archive
