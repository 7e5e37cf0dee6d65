#pragma once

#include <agon/export.hpp>
#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace agon::secrets {

/// What may stand between the letters and digits of a form.
enum class Gaps : std::uint8_t {
  any,     ///< anything but letters and digits
  spaces,  ///< spaces, and what the form itself has
  none,    ///< what the form itself has, in its places
};

/// A way in which a key may be written.
struct KeyForm {
  std::string whole;       ///< with what is no letter or digit
  std::string letters{};   ///< letters and digits of `whole`
  std::size_t enough = 0;  ///< so many of them in a row give it away
  Gaps gaps = Gaps::any;
  std::size_t edge = 0;  ///< so many digits of base64 at either end depend on the key too
  bool exact_case = false;
  bool whole_word = false;
};

/// All ways in which a key is looked for.
[[nodiscard]] AGON_API std::vector<KeyForm> forms_of(std::string_view key);

/// Finds forms in texts, in one pass over the letters and digits: the last eight of them are one
/// number, which is looked up among those of the forms, taken at every eighth place.
class AGON_API Matcher {
 public:
  explicit Matcher(std::vector<KeyForm> forms);

  /// `text` with "[key]" in the place of what was found, read with escapes of that depth.
  [[nodiscard]] std::string cut(std::string text, int depth) const;

 private:
  struct FormOffset {
    std::size_t form;
    std::size_t offset;
  };
  /// The numbers of forms, all of one length: short keys have fewer letters than eight.
  struct Anchors {
    std::size_t length;
    std::bitset<65536> some;  ///< by hash: most numbers are none of these
    std::unordered_map<std::uint64_t, std::vector<FormOffset>> places;

    [[nodiscard]] const std::vector<FormOffset>* find(std::uint64_t window) const;
  };
  struct TextLetter;
  struct ByteRange;

  [[nodiscard]] bool may_hold(std::string_view text, int depth) const;
  [[nodiscard]] std::vector<ByteRange> find(std::string_view text, int depth) const;
  [[nodiscard]] bool is_meant(const KeyForm& form, std::string_view text, int depth,
                              const std::vector<TextLetter>& letters, std::size_t first,
                              std::size_t last) const;

  std::vector<KeyForm> forms_;
  std::vector<Anchors> anchors_;
};

}  // namespace agon::secrets
