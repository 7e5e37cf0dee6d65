#include "security/secrets.hpp"

#include <agon/secrets.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "process/isolation.hpp"
#include "security/sign.hpp"
#include "text/hash.hpp"
#include "text/words.hpp"

namespace agon::secrets {
namespace {

constexpr std::size_t kLong = 8;      ///< letters and digits of a key that is cut anywhere
constexpr std::size_t kEnough = 16;   ///< of a long key's characters
constexpr std::size_t kShortest = 4;  ///< of a key in another alphabet

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (is_letter_or_digit(c)) letters += c;
  return letters;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string codes(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += std::to_string(static_cast<unsigned char>(c));
  return out;
}

/// Bytes after `before` others as digits of so many bits: those that depend on these bytes alone.
std::string in_digits(std::string_view bytes, std::size_t before, std::size_t bits,
                      std::string_view alphabet) {
  const std::string all = std::string(before, '\0') + std::string(bytes);
  const auto bit = [&](std::size_t at) {
    return (static_cast<unsigned char>(all[at / 8]) >> (7 - at % 8)) & 1U;
  };
  std::string out;
  for (std::size_t at = (before * 8 + bits - 1) / bits * bits; at + bits <= all.size() * 8;
       at += bits) {
    unsigned value = 0;
    for (std::size_t i = 0; i < bits; ++i) value = value << 1U | bit(at + i);
    out += alphabet[value];
  }
  return out;
}

/// What base64 makes of them.
std::string base64(std::string_view bytes, std::size_t before) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return in_digits(bytes, before, 6, kAlphabet);
}

// Of base32, and of base32hex.
constexpr std::array<std::string_view, 2> kAlphabetsOf32{"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                                                         "0123456789ABCDEFGHIJKLMNOPQRSTUV"};

/// The key as a reader of escapes sees it.
std::string decoded(std::string_view key) {
  std::string out;
  SignReader signs(key, 3);
  for (Sign sign; signs.next(sign);) out += sign.c;
  return out;
}

class Forms {
 public:
  void add(KeyForm form) {
    form.letters = letters_of(form.whole);
    form.enough = std::min(form.enough, form.letters.size());
    const bool known = std::any_of(all_.begin(), all_.end(), [&](const KeyForm& f) {
      return f.letters == form.letters && f.gaps == form.gaps;
    });
    if (!known) all_.push_back(std::move(form));
  }
  std::vector<KeyForm> take() { return std::move(all_); }

 private:
  std::vector<KeyForm> all_;
};

}  // namespace

std::vector<KeyForm> forms_of(std::string_view key) {
  const std::string plain(key);
  const std::string letters = letters_of(plain);
  const bool is_long = letters.size() >= kLong;
  const bool is_number = letters.find_first_not_of("0123456789") == std::string::npos;
  Forms forms;
  for (const std::string& whole : {plain, decoded(key)}) {
    KeyForm form{.whole = whole, .enough = kEnough};
    // Lists of numbers are in every answer.
    form.gaps = !is_long ? Gaps::none : is_number ? Gaps::spaces : Gaps::any;
    form.whole_word = !is_long;
    if (!is_long) form.enough = letters.size();
    forms.add(form);
    if (!is_long) continue;
    std::reverse(form.whole.begin(), form.whole.end());
    forms.add(form);
  }
  for (const std::string& bytes : {plain, text::lower(plain), upper(plain)}) {
    forms.add(
        {.whole = hash::hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}),
         .enough = 24});
    if (is_long) forms.add({.whole = codes(bytes), .enough = 24});
    for (const std::size_t before : {0U, 1U, 2U}) {
      KeyForm form{.whole = base64(bytes, before), .enough = kEnough};
      if (letters_of(form.whole).size() < kShortest) continue;
      form.gaps = is_long ? Gaps::any : Gaps::none;
      form.exact_case = !is_long;
      forms.add(std::move(form));
    }
    for (std::size_t before = 0; is_long && before < 5; ++before)
      for (const std::string_view alphabet : kAlphabetsOf32)
        forms.add({.whole = in_digits(bytes, before, 5, alphabet), .enough = 24});
  }
  // Twice over: what was encoded once may begin anywhere of what is encoded then.
  for (std::size_t once = 0; is_long && once < 3; ++once)
    for (std::size_t twice = 0; twice < 3; ++twice)
      forms.add({.whole = base64(base64(plain, once), twice), .enough = 24, .edge = 4});
  return forms.take();
}

namespace {

constexpr std::size_t kAnchor = 8;
constexpr unsigned kBits = 6;  ///< of a letter in a window

/// 1 to 36 for letters, in either case, and digits; 0 for the rest.
constexpr std::array<std::uint8_t, 256> make_numbers() {
  std::array<std::uint8_t, 256> numbers{};
  for (unsigned c = '0'; c <= '9'; ++c) numbers[c] = static_cast<std::uint8_t>(1 + c - '0');
  for (unsigned c = 'a'; c <= 'z'; ++c) {
    numbers[c] = static_cast<std::uint8_t>(11 + c - 'a');
    numbers[c - 'a' + 'A'] = numbers[c];
  }
  return numbers;
}
constexpr std::array<std::uint8_t, 256> kNumbers = make_numbers();

std::uint64_t number_of(char c) {
  return kNumbers[static_cast<unsigned char>(c)];
}
std::uint64_t last(std::uint64_t window, std::size_t letters) {
  return window & ((std::uint64_t{1} << (kBits * letters)) - 1);
}
std::uint64_t hash(std::uint64_t window) {
  return (window * 0x9E3779B97F4A7C15ULL) >> 48U;
}
bool is_same(char a, char b) {
  return number_of(a) == number_of(b);
}
bool is_of_base64(char c) {
  return is_letter_or_digit(c) || c == '+' || c == '/' || c == '-' || c == '_';
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

/// A letter or digit of a text, and where it stands.
struct Matcher::TextLetter {
  std::uint32_t at;
  std::uint16_t length;
  char c;
};

/// The bytes that a form takes in a text.
struct Matcher::ByteRange {
  std::size_t begin;
  std::size_t end;
};

const std::vector<Matcher::FormOffset>* Matcher::Anchors::find(std::uint64_t window) const {
  const std::uint64_t own = last(window, length);
  if (!some[hash(own)]) return nullptr;
  const auto found = places.find(own);
  return found == places.end() ? nullptr : &found->second;
}

Matcher::Matcher(std::vector<KeyForm> forms) : forms_(std::move(forms)) {
  for (std::size_t f = 0; f < forms_.size(); ++f) {
    const std::string& letters = forms_[f].letters;
    const std::size_t length = std::min(kAnchor, letters.size());
    auto anchors = std::find_if(anchors_.begin(), anchors_.end(),
                                [&](const Anchors& a) { return a.length == length; });
    if (anchors == anchors_.end()) {
      anchors_.push_back({length, {}, {}});
      anchors = anchors_.end() - 1;
    }
    for (std::size_t offset = 0; offset + length <= letters.size(); offset += kAnchor) {
      std::uint64_t window = 0;
      for (std::size_t i = 0; i < length; ++i)
        window = window << kBits | number_of(letters[offset + i]);
      anchors->some.set(hash(window));
      anchors->places[window].push_back({f, offset});
    }
  }
}

bool Matcher::may_hold(std::string_view text, int depth) const {
  std::uint64_t window = 0;
  const auto found = [&](std::uint64_t number) {
    window = window << kBits | number;
    return std::any_of(anchors_.begin(), anchors_.end(),
                       [&](const Anchors& a) { return a.find(window) != nullptr; });
  };
  SignReader signs(text, depth);
  for (Sign sign; signs.next(sign);)
    if (const std::uint64_t number = number_of(sign.c); number != 0 && found(number)) return true;
  return false;
}

bool Matcher::is_meant(const KeyForm& form, std::string_view text, int depth,
                       const std::vector<TextLetter>& letters, std::size_t first,
                       std::size_t last) const {
  const auto touch = [&](std::size_t a, std::size_t b) {
    return letters[a].at + letters[a].length == letters[b].at;
  };
  if (form.whole_word && ((first > 0 && touch(first - 1, first)) ||
                          (last + 1 < letters.size() && touch(last, last + 1))))
    return false;
  if (form.exact_case)
    for (std::size_t i = first; i <= last; ++i)
      if (letters[i].c != form.letters[i - first]) return false;
  if (form.gaps == Gaps::any) return true;
  std::string between;
  SignReader signs(text.substr(letters[first].at, letters[last].at - letters[first].at), depth);
  for (Sign sign; signs.next(sign);)
    if (!is_letter_or_digit(sign.c)) between += sign.c;
  if (form.gaps == Gaps::spaces)
    return std::all_of(between.begin(), between.end(), [&](char c) {
      return is_space(c) || form.whole.find(c) != std::string::npos;
    });
  std::string own;
  const std::size_t begin = form.whole.find(form.letters.front());
  const std::size_t end = form.whole.rfind(form.letters.back());
  for (std::size_t i = begin; i < end; ++i)
    if (!is_letter_or_digit(form.whole[i])) own += form.whole[i];
  return between == own;
}

std::vector<Matcher::ByteRange> Matcher::find(std::string_view text, int depth) const {
  std::vector<TextLetter> letters;
  SignReader signs(text, depth);
  for (Sign sign; signs.next(sign);)
    if (is_letter_or_digit(sign.c))
      letters.push_back({static_cast<std::uint32_t>(sign.at),
                         static_cast<std::uint16_t>(sign.end - sign.at), sign.c});
  std::vector<ByteRange> found;
  std::size_t done = 0;  // letters before this are in a range, or cannot begin one
  std::uint64_t window = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    window = window << kBits | number_of(letters[i].c);
    for (const Anchors& anchors : anchors_) {
      if (i + 1 < anchors.length || i + 1 - anchors.length < done) continue;
      const std::vector<FormOffset>* places = anchors.find(window);
      if (places == nullptr) continue;
      std::size_t taken = done;
      for (const FormOffset& place : *places) {
        const KeyForm& form = forms_[place.form];
        std::size_t first = i + 1 - anchors.length;
        std::size_t from = place.offset;
        while (first > 0 && from > 0 && is_same(letters[first - 1].c, form.letters[from - 1]))
          --first, --from;
        std::size_t last = i;
        std::size_t to = place.offset + anchors.length;
        while (last + 1 < letters.size() && to < form.letters.size() &&
               is_same(letters[last + 1].c, form.letters[to]))
          ++last, ++to;
        if (last - first + 1 < form.enough) continue;
        if (!is_meant(form, text, depth, letters, first, last)) continue;
        std::size_t begin = letters[first].at, end = letters[last].at + letters[last].length;
        for (std::size_t n = 0; n < form.edge && begin > 0 && is_of_base64(text[begin - 1]); ++n)
          --begin;
        for (std::size_t n = 0; n < form.edge && end < text.size() && is_of_base64(text[end]); ++n)
          ++end;
        found.push_back({begin, end});
        taken = std::max(taken, last + 1);
      }
      done = taken;
    }
  }
  return found;
}

std::string Matcher::cut(std::string text, int depth) const {
  if (!may_hold(text, depth)) return text;
  std::vector<ByteRange> ranges = find(text, depth);
  if (ranges.empty()) return text;
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ranges.size();) {
    const std::size_t begin = ranges[i].begin;
    std::size_t end = ranges[i].end;
    for (; i < ranges.size() && ranges[i].begin <= end; ++i) end = std::max(end, ranges[i].end);
    out.append(text, kept, begin - kept);
    out += "[key]";
    kept = end;
  }
  return out.append(text, kept);
}

namespace {

constexpr int kDepth = 3;  ///< of escapes within escapes

/// What people set where an endpoint takes any key.
constexpr std::array<std::string_view, 20> kPlaceholders{
    "any",        "dummy",     "empty",    "fake",
    "key",        "llama.cpp", "llamacpp", "lm-studio",
    "lmstudio",   "local",     "no-key",   "none",
    "not-needed", "null",      "ollama",   "sk-no-key-required",
    "test",       "token",     "unused",   "vllm"};

struct KeyRegistry {
  std::mutex mutex;
  std::vector<std::string> keys;
  std::shared_ptr<const Matcher> matcher;
  std::atomic<bool> has_keys{false};
};

/// It outlives whatever still writes while the process ends.
KeyRegistry& registry() {
  static KeyRegistry& one = *new KeyRegistry;
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
  KeyRegistry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (std::find(all.keys.begin(), all.keys.end(), key) != all.keys.end()) return;
  all.keys.emplace_back(key);
  std::vector<KeyForm> forms;
  for (const std::string& k : all.keys)
    for (KeyForm& form : forms_of(k)) forms.push_back(std::move(form));
  all.matcher = std::make_shared<const Matcher>(std::move(forms));
  all.has_keys = true;
}

std::string cut(std::string text) {
  KeyRegistry& all = registry();
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
