#pragma once

/// `AGON_SANITIZED` is defined under a sanitizer of addresses or threads: it makes system calls of
/// its own, takes terabytes of addresses, and tells of crashes itself. g++ and clang++ say so in
/// different ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AGON_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AGON_SANITIZED 1
#endif
#endif

namespace agon {

#ifdef AGON_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace agon
