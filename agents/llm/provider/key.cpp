#include "llm/provider/key.hpp"

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <agon/secrets.hpp>

namespace agon::llm {

Key::Key(const Endpoint& endpoint)
    : text_(read_key(endpoint)), before_(endpoint.provider->key_header) {
  if (!is_set()) return;
  if (secrets::kind_of(text_) == secrets::KeyKind::too_short)
    throw Error(ErrorKind::preflight,
                "the key in " + endpoint.key_env +
                    " is too short: it could not be kept out of what is written without spoiling "
                    "answers",
                "$.key_env",
                "use a key of 4 characters or more (8 if it is a number); where the endpoint needs "
                "none, unset " +
                    endpoint.key_env);
  secrets::add(text_);
}

std::string Key::header() const {
  return is_set() ? std::string(before_) + text_ : std::string();
}

std::uint64_t Key::hash() const {
  return hash_of(text_);
}

}  // namespace agon::llm
