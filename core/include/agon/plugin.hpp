#pragma once

#include <agon/export.hpp>
#include <agon/sdk_version.hpp>
#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/version.hpp>
#include <cstddef>  // brings in the standard library's own configuration macros
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

struct AgentCard;
struct Game;
struct PartCard;
struct TableCard;

/// A file handed to an importer: core reads it, plugins open none.
struct InputFile {
  std::string name;  ///< as the person gave it, for messages
  std::string bytes;
};

/// A row that an importer could not take, and why.
struct BadRow {
  std::string file;
  std::size_t line = 0;  ///< 1-based line or entry
  std::string reason;
};

/// What an importer makes of its files.
struct Imported {
  std::string json;     ///< one of Agon's own data files
  std::string summary;  ///< a sentence with the counts
  std::vector<BadRow> bad_rows;
};

/// Turns a data set in its published format into one of Agon's own data files.
struct Importer {
  std::string_view id;
  std::string_view doc;          ///< what it reads and what it makes
  std::string_view extension{};  ///< of the files taken from a directory: ".json"; empty: one file
  Imported (*read)(std::span<const InputFile> files) = nullptr;
};

/// Settings of a game, read and checked.
struct GameSettings {
  std::string name;                      ///< of the scenario, or of the data file
  std::string treatment;                 ///< JSON object: what the scenario varied; "{}": nothing
  std::shared_ptr<const void> settings;  ///< of the type that the game's play() takes
};

/// What a plugin's command may ask of `agon`.
class AGON_API CommandServices {
 public:
  /// The settings that `what` names for a game: those of all its scenarios in a suite file, or the
  /// game's first preset with a data file, given by its path or by the name under which it ships.
  /// Throws Error for anything that `agon run` would refuse.
  [[nodiscard]] virtual std::vector<GameSettings> settings_of(std::string_view game,
                                                              const std::string& what) const = 0;

 protected:
  ~CommandServices() = default;
};

/// A command that a plugin adds to `agon`.
struct PluginCommand {
  std::string_view id;     ///< "mock-server"; none of the built-in ones
  std::string_view doc;    ///< what it does, in a sentence
  std::string_view usage;  ///< what follows the name: "--port P [--latency MS]"
  /// Runs with the arguments after the name; returns the exit code. Throws Error for wrong ones.
  int (*run)(std::span<const std::string> arguments) = nullptr;
  /// Instead of `run`, for a command that asks for something.
  int (*run_with)(std::span<const std::string> arguments,
                  const CommandServices& services) = nullptr;
};

/// Where a plugin puts what it brings. Names that are taken are refused.
class AGON_API Registry {
 public:
  virtual void add(const Game& game) = 0;
  virtual void add(const AgentCard& agent) = 0;
  virtual void add(const Importer& importer) = 0;
  virtual void add(const PartCard& part) = 0;
  virtual void add(const PluginCommand& command) = 0;
  virtual void add(const TableCard& table) = 0;

 protected:
  ~Registry() = default;
};

inline constexpr std::uint32_t kPluginMagic = 0x41474F4E;  // "AGON"

/// The one object that a plugin exports, as `agon_plugin`.
struct Plugin {
  std::uint32_t magic;
  std::uint32_t size;         ///< sizeof(Plugin)
  std::uint32_t sdk_version;  ///< major * 1000 + minor
  const char* name;
  const char* version;
  void (*enter)(Registry&);
};

}  // namespace agon

// The ABI tag is a symbol whose *name* lists all that two libraries must share to exchange C++
// objects. The loader reads it from the file before any code of the plugin runs.
#if defined(__SANITIZE_ADDRESS__)
#define AGON_DETAIL_SANITIZER address
#elif defined(__SANITIZE_THREAD__)
#define AGON_DETAIL_SANITIZER thread
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AGON_DETAIL_SANITIZER address
#elif __has_feature(thread_sanitizer)
#define AGON_DETAIL_SANITIZER thread
#endif
#endif
#ifndef AGON_DETAIL_SANITIZER
#define AGON_DETAIL_SANITIZER none
#endif
#ifdef _GLIBCXX_DEBUG
#define AGON_DETAIL_DEBUG 1
#else
#define AGON_DETAIL_DEBUG 0
#endif
#define AGON_DETAIL_TAG_(sdk, cxx11, debug, boost, san) \
  agon_abi__sdk_##sdk##__cxx11_##cxx11##__debug_##debug##__boost_##boost##__sanitizer_##san
#define AGON_DETAIL_TAG(sdk, cxx11, debug, boost, san) \
  AGON_DETAIL_TAG_(sdk, cxx11, debug, boost, san)
#define AGON_ABI_TAG                                                                       \
  AGON_DETAIL_TAG(AGON_SDK_HASH, _GLIBCXX_USE_CXX11_ABI, AGON_DETAIL_DEBUG, BOOST_VERSION, \
                  AGON_DETAIL_SANITIZER)

/// AGON_PLUGIN("name", "version", enter): what a shared library exports. `enter` is a function
/// void(agon::Registry&) that adds the library's games, agents and importers.
#define AGON_PLUGIN(NAME, VERSION, ENTER)               \
  extern "C" AGON_API const char AGON_ABI_TAG;          \
  const char AGON_ABI_TAG = 1;                          \
  extern "C" AGON_API const ::agon::Plugin agon_plugin; \
  const ::agon::Plugin agon_plugin{                     \
      ::agon::kPluginMagic, sizeof(::agon::Plugin), AGON_SDK_VERSION, NAME, VERSION, ENTER};
