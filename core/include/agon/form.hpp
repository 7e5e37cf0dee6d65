#pragma once

#include <agon/export.hpp>
#include <agon/limits.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace agon {

/// Where a form is filled in: a terminal, a pipe, a test.
class AGON_API Dialogue {
 public:
  Dialogue() = default;
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;
  virtual ~Dialogue();

  /// Shows whole lines, each ended by a line break.
  virtual void show(std::string_view lines) = 0;
  /// Asks for one line and returns it without its line break; nothing if the person has left.
  virtual std::optional<std::string> ask(std::string_view prompt) = 0;
  /// Obeys a command such as `help`; false if there is no such command. A form tries it with
  /// `/word` lines, and with words that do not fit the entry that it asks for.
  virtual bool command(std::string_view word);
};

/// The form of an answer for people who type, made from its description and the limits of the
/// moment alone. It asks for one entry after another: for the kind of a variant first, for the
/// length of a list unless that is fixed, for every key of a map. Each entry is checked at once,
/// and asked for again with the reason if it does not fit.
///
/// An empty line leaves out what may be left out, and is an empty text; nothing else has a default,
/// since an Enter too many must not be a move. Numbers and amounts are read as people write them
/// (read_number_text()). A line that begins with `{` is the whole answer as JSON (at a text, only
/// if that is the first entry). `again` starts over. Where a text is asked for, every line is the
/// text, but for `/word` commands; `//` stands for a first `/`.
class AGON_API Form {
 public:
  /// Both must outlive the form.
  explicit Form(const Type& type, std::span<const LimitData> limits = {});

  /// The answer as JSON text, legal under the description and the limits; nothing if the person
  /// left. What only the game can check is not checked here.
  [[nodiscard]] std::optional<std::string> fill(Dialogue& dialogue) const;

  /// Everything that is asked for, with bounds, units and meanings, and an example of the JSON.
  [[nodiscard]] std::string outline() const;

 private:
  const Type& type_;
  std::span<const LimitData> limits_;
};

/// How texts within a value are shown where others stand on the same line.
enum class Texts {
  quoted,  ///< in quotes, so that none passes for further members; names (one word, or words that
           ///< each begin with a capital or a digit) and enumerations as they are
  bare,    ///< all as they are: they were quoted when the JSON was made
};

/// How a value is told.
struct Telling {
  bool docs = false;            ///< what each member means is told beside it
  bool unshown = false;         ///< members that are agon::unshown too
  Texts texts = Texts::quoted;  ///< how texts are shown
  /// An agon::seat_number that is one of these is told as its name.
  std::span<const std::string> seats{};
};

/// A value for people, over as many lines as it takes: members aligned, lists of structs as
/// tables. Everything in it is made printable. A text that has lines of its own has no quotes.
/// JSON that is not of the type is shown as it is; `type` may be null.
[[nodiscard]] AGON_API std::string plain_text(const Type* type, std::string_view json,
                                              const Telling& telling = {});

/// The same on one line: `give 4 coins, to Bob, saying "take it, or leave it"`.
[[nodiscard]] AGON_API std::string plain_line(const Type* type, std::string_view json,
                                              const Telling& telling = {});

/// False for an event of which players are told nothing: all its members are agon::unshown.
[[nodiscard]] AGON_API bool is_shown(const Type* type);

/// Makes text from elsewhere safe to show on a terminal: control characters, invalid bytes and
/// characters that reorder text become visible escapes. Line breaks stay if `lines` is true.
[[nodiscard]] AGON_API std::string printable(std::string_view text, bool lines = false);

}  // namespace agon
