#include "archive/tables.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

#include "json/parse.hpp"

namespace agon::archive::form {

void JsonObject::read(Statement& from, std::string& text, ColumnLimits /*limits*/) {
  text = from.text();
  if (text == "{}") return;
  try {
    if (json::parse(text, "").is_object()) return;
  } catch (const Error&) {
    // Told below: where in the text it breaks helps nobody.
  }
  from.refuse("no JSON object");
}

void Digests::bind(Statement& to, const std::vector<hash::Digest>& digests) {
  static_assert(sizeof(hash::Digest) == std::tuple_size_v<hash::Digest>);
  to.bind_bytes(
      {reinterpret_cast<const char*>(digests.data()), digests.size() * sizeof(hash::Digest)});
}

void Digests::read(Statement& from, std::vector<hash::Digest>& digests, ColumnLimits /*limits*/) {
  const auto bytes = from.bytes();
  if (bytes.size() % sizeof(hash::Digest) != 0) from.refuse("no list of digests");
  digests.resize(bytes.size() / sizeof(hash::Digest));
  for (std::size_t i = 0; i < digests.size(); ++i)
    std::ranges::copy(bytes.subspan(i * sizeof(hash::Digest), sizeof(hash::Digest)),
                      digests[i].begin());
}

}  // namespace agon::archive::form
