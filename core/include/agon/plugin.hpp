#pragma once

#include <agon/export.hpp>
#include <agon/sdk_version.hpp>
#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/version.hpp>
#include <cstddef>  // brings in the standard library's own configuration macros
#include <cstdint>

namespace agon {

struct AgentCard;
struct Game;
struct PartCard;
struct PluginCommand;
struct ProviderCard;
struct TableCard;

/// Where a plugin puts what it brings. Names that are taken are refused.
class AGON_API Registry {
 public:
  /// Adds one. The card is copied; what it points to must stay. Throws Error for a card that is
  /// wrong.
  ///@{
  virtual void add(const Game& game) = 0;
  virtual void add(const AgentCard& agent) = 0;
  virtual void add(const PartCard& part) = 0;
  virtual void add(const ProviderCard& provider) = 0;
  virtual void add(const PluginCommand& command) = 0;
  virtual void add(const TableCard& table) = 0;
  ///@}

 protected:
  ~Registry() = default;
};

/// What Plugin::magic must be.
inline constexpr std::uint32_t kPluginMagic = 0x41474F4E;  // "AGON"

/// The one object that a plugin exports, as `agon_plugin`.
struct Plugin {
  std::uint32_t magic;        ///< kPluginMagic
  std::uint32_t size;         ///< sizeof(Plugin)
  std::uint32_t sdk_version;  ///< major * 1000 + minor
  const char* name;           ///< unique among plugins
  const char* version;        ///< for people
  void (*enter)(Registry&);   ///< adds all that the plugin brings
};

}  // namespace agon

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
/// The ABI tag: a symbol whose *name* lists all that two libraries must share to exchange C++
/// objects. The loader reads it from the file before any code of the plugin runs.
#define AGON_ABI_TAG                                                                       \
  AGON_DETAIL_TAG(AGON_SDK_HASH, _GLIBCXX_USE_CXX11_ABI, AGON_DETAIL_DEBUG, BOOST_VERSION, \
                  AGON_DETAIL_SANITIZER)

/// AGON_PLUGIN("name", "version", enter): what a shared library exports. `enter` is a function
/// void(agon::Registry&) that adds the library's games, agents and the rest.
#define AGON_PLUGIN(NAME, VERSION, ENTER)               \
  extern "C" AGON_API const char AGON_ABI_TAG;          \
  const char AGON_ABI_TAG = 1;                          \
  extern "C" AGON_API const ::agon::Plugin agon_plugin; \
  const ::agon::Plugin agon_plugin{                     \
      ::agon::kPluginMagic, sizeof(::agon::Plugin), AGON_SDK_VERSION, NAME, VERSION, ENTER};
