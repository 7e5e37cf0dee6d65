#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/database/sqlite.hpp"
#include "archive/recently_used.hpp"
#include "text/hash.hpp"

/// Records of matches and messages to models in compressed form: Zstandard (RFC 8878), with a
/// dictionary for each game and one for messages, because they are short and alike.
///
/// The bytes are a zero byte, the number of the dictionary's row in `content` in LEB128 (0: there
/// is none), and a frame. As format 6 has them, records begin with "AGR" and messages with a role,
/// and are read as they are.
///
/// A message that repeats most of an earlier one is stored as what differs: a byte 1, how long it
/// is in LEB128, the 32 bytes of the other one's digest, and a delta (record/delta.hpp), compressed
/// or as it is.
namespace agon::archive {

/// An earlier message that a later one may repeat most of. It is in the archive, or queued for it.
struct MessageBase {
  hash::Digest digest{};
  std::string_view text{};
};
/// Shorter messages are stored whole.
inline constexpr std::size_t kShortestDelta = 512;
/// A match stores a message whole after so many that are read one for the other, or so many bytes
/// of them.
inline constexpr int kLongestChain = 4096;
inline constexpr std::size_t kMostChainBytes = std::size_t{64} << 20;

/// Compresses what a writer gets. From any number of threads at once.
class AGON_API Compressor {
 public:
  /// Stores a dictionary and returns the number of its row, once the row is committed.
  using Store = std::function<std::int64_t(std::string dictionary)>;

  explicit Compressor(Store store);
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// Says which game the matches of a scenario are of.
  void add_scenario(std::int64_t scenario, std::int64_t game);

  /// The compressed form, or the bytes themselves where that is no longer. The first records of a
  /// game and the first messages have no dictionary: it is made from them. What is longer than 64
  /// MiB stays as it is. Throws Error where compressing fails.
  [[nodiscard]] std::string compress_record(std::int64_t scenario, std::string_view record);
  /// `base`: null, or what the message may repeat.
  [[nodiscard]] std::string compress_message(std::string_view message,
                                             const MessageBase* base = nullptr);

 private:
  struct Dictionary;
  struct Samples;
  struct ZstdContext;

  std::string compress(std::int64_t group, std::string_view bytes);
  /// The dictionary of a game, or of messages; null while there is none. `bytes` are a sample.
  std::shared_ptr<const Dictionary> dictionary_for(std::int64_t group, std::string_view bytes);
  std::unique_ptr<ZstdContext> take_context();

  const Store store_;
  std::mutex mutex_;
  std::map<std::int64_t, std::int64_t> games_;  ///< of scenarios
  std::map<std::int64_t, Samples> samples_;     ///< of groups without a dictionary
  std::map<std::int64_t, std::shared_ptr<const Dictionary>> dictionaries_;  ///< of groups
  std::vector<std::unique_ptr<ZstdContext>> contexts_;                      ///< that nobody uses
};

/// Reads what Compressor wrote, and what is not compressed. It remembers some messages that others
/// were stored against. One thread at a time.
class AGON_API Decompressor {
 public:
  explicit Decompressor(Connection& db);
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Puts what `bytes` stand for into `whole`, whose memory is used again. False, and the bytes as
  /// they are, where they cannot be read or stand for more than 64 MiB.
  bool decompress(std::span<const unsigned char> bytes, std::string& whole);
  /// The same of the message with this digest.
  bool message(const hash::Digest& digest, std::span<const unsigned char> bytes,
               std::string& whole);
  /// What a message is stored against; nothing if it is stored whole.
  [[nodiscard]] static std::optional<hash::Digest> base_of(std::span<const unsigned char> bytes);
  /// What was compressed, for an archive where dictionaries have other numbers: `number_of` gives
  /// the new one. Nothing where it cannot be told which dictionary it needs.
  [[nodiscard]] static std::optional<std::string> renumbered(
      std::span<const unsigned char> bytes,
      const std::function<std::int64_t(std::int64_t dictionary)>& number_of);
  /// How long that is; nothing where it cannot be told.
  [[nodiscard]] static std::optional<std::size_t> size(std::span<const unsigned char> bytes);

 private:
  struct FrameReader;
  /// Puts what a compressed text stands for into `whole`; false where it cannot be read.
  bool read_frame(std::string_view stored, std::string& whole);
  /// Of a text that is stored as a delta.
  bool read_delta(std::string_view stored, std::string& whole);
  /// A message as it is stored. False if there is none, or none below that number, so that going
  /// from one to the next ends.
  bool find_message(const hash::Digest& digest, std::int64_t& below, std::string& stored);

  Statement get_dictionary_;
  Statement get_message_;
  RecentlyUsed<hash::Digest, std::string> messages_;
  std::unique_ptr<FrameReader> state_;
};

}  // namespace agon::archive
