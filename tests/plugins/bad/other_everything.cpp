// Differs in everything that a tag can name; two of the five come from CMakeLists.txt.
#include <agon/sdk_version.hpp>
#undef AGON_SDK_HASH
#define AGON_SDK_HASH h000000000000
#include <agon/plugin.hpp>
#undef BOOST_VERSION
#define BOOST_VERSION 109900
#undef AGON_DETAIL_SANITIZER
#define AGON_DETAIL_SANITIZER another

AGON_PLUGIN(
    "other-everything", "1", +[](agon::Registry&) {})
