#include <agon/secrets.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "process/environment.hpp"
#include "secret/matcher.hpp"
#include "secret/sign.hpp"
#include "text/lower.hpp"

namespace agon::secrets {
namespace {

constexpr int kDepth = 3;  ///< of escapes within escapes

/// What people set where an endpoint takes any key.
constexpr std::array<std::string_view, 20> kPlaceholders{
    "any",        "dummy",     "empty",    "fake",
    "key",        "llama.cpp", "llamacpp", "lm-studio",
    "lmstudio",   "local",     "no-key",   "none",
    "not-needed", "null",      "ollama",   "sk-no-key-required",
    "test",       "token",     "unused",   "vllm"};

struct Registry {
  std::mutex mutex;
  std::vector<std::string> keys;
  std::shared_ptr<const Matcher> matcher;
  std::atomic<bool> has_keys{false};
};

/// It outlives whatever still writes while the process ends.
Registry& registry() {
  static Registry& one = *new Registry;
  return one;
}

}  // namespace

KeyKind kind_of(std::string_view key) {
  if (std::find(kPlaceholders.begin(), kPlaceholders.end(), text::lower(key)) !=
      kPlaceholders.end())
    return KeyKind::placeholder;
  const auto letters = std::count_if(key.begin(), key.end(), &is_letter_or_digit);
  const bool is_number = std::none_of(
      key.begin(), key.end(), [](char c) { return is_letter_or_digit(c) && (c < '0' || c > '9'); });
  return key.size() < 4 || letters < 2 || (is_number && letters < 8) ? KeyKind::too_short
                                                                     : KeyKind::secret;
}

void add(std::string_view key) {
  if (kind_of(key) != KeyKind::secret) return;
  keep_memory_to_itself();
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (std::find(all.keys.begin(), all.keys.end(), key) != all.keys.end()) return;
  all.keys.emplace_back(key);
  std::vector<Form> forms;
  for (const std::string& k : all.keys)
    for (Form& form : forms_of(k)) forms.push_back(std::move(form));
  all.matcher = std::make_shared<const Matcher>(std::move(forms));
  all.has_keys = true;
}

std::string cut(std::string text) {
  Registry& all = registry();
  if (!all.has_keys.load(std::memory_order_acquire) || text.empty()) return text;
  std::shared_ptr<const Matcher> matcher;
  {
    const std::lock_guard lock(all.mutex);
    matcher = all.matcher;
  }
  // As it stands first: what looks like an escape may be a part of the key.
  text = matcher->cut(std::move(text), 0);
  return has_escapes(text) ? matcher->cut(std::move(text), kDepth) : text;
}

}  // namespace agon::secrets
