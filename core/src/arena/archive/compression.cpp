#include "archive/compression.hpp"

#include <zdict.h>
#include <zstd.h>

#include <agon/error.hpp>
#include <limits>
#include <new>
#include <utility>

#include "record/codec.hpp"
#include "record/delta.hpp"
#include "table/contract.hpp"

namespace agon::archive {
namespace {

constexpr char kCompressed = '\0';
constexpr char kDelta = '\1';

/// How a group of things that are alike is compressed.
struct CompressionEffort {
  int level;
  std::size_t dictionary;  ///< bytes, at most
  std::size_t samples;     ///< that it is made from, at most
};
// Measured on the records of the shipped games: a higher level or a larger dictionary saves less
// than a twentieth more, and takes longer than writing what it saves. Messages come slowly, and are
// more alike the more of them were seen.
constexpr CompressionEffort kRecordEffort{1, 16U << 10U, 64};
constexpr CompressionEffort kMessageEffort{3, 64U << 10U, 256};
constexpr std::size_t kMostSampleBytes = 1U << 20U;
// What is longer is compressed well by itself, and eight samples at least make a dictionary.
constexpr std::size_t kLargestSample = kMostSampleBytes / 8;
// Of a merged archive, where each shard brings its own, some are in memory at a time.
constexpr std::size_t kMostDictionaries = 256;
constexpr std::int64_t kMessages = -1;  // games have numbers from 1
// The last messages of as many matches as are played at the same time: their rows stand between
// each other.
constexpr std::size_t kMostRemembered = std::size_t{64} << 20;
constexpr std::size_t kBytesOfOne = 256;  // of what is remembered, with its place

constexpr const CompressionEffort& effort_for(std::int64_t group) {
  return group == kMessages ? kMessageEffort : kRecordEffort;
}

struct FreeZstd {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CDict* dictionary) const { ZSTD_freeCDict(dictionary); }
  void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
};
template <class T>
using Zstd = std::unique_ptr<T, FreeZstd>;

}  // namespace

struct Compressor::Dictionary {
  std::int64_t number = 0;
  Zstd<ZSTD_CDict> made;  ///< null: none can be made of this game's records
};

struct Compressor::Samples {
  std::string bytes;
  std::vector<std::size_t> sizes;
};

struct Compressor::ZstdContext {
  Zstd<ZSTD_CCtx> made{ZSTD_createCCtx()};
  std::string frame{};  ///< room for what is compressed
};

Compressor::Compressor(Store store) : store_(std::move(store)) {}
Compressor::~Compressor() = default;

void Compressor::add_scenario(std::int64_t scenario, std::int64_t game) {
  const std::lock_guard lock(mutex_);
  games_[scenario] = game;
}

std::shared_ptr<const Compressor::Dictionary> Compressor::dictionary_for(std::int64_t group,
                                                                         std::string_view bytes) {
  const CompressionEffort& effort = effort_for(group);
  Samples enough;
  {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = dictionaries_.try_emplace(group);
    if (!is_new && !samples_.contains(group)) return at->second;
    Samples& samples = samples_[group];
    if (bytes.size() > kLargestSample) return nullptr;
    samples.bytes += bytes;
    samples.sizes.push_back(bytes.size());
    if (samples.sizes.size() < effort.samples && samples.bytes.size() < kMostSampleBytes)
      return nullptr;
    enough = std::move(samples);
    samples_.erase(group);
  }
  // Others go on without it meanwhile.
  std::string made(effort.dictionary, '\0');
  const std::size_t size =
      ZDICT_trainFromBuffer(made.data(), made.size(), enough.bytes.data(), enough.sizes.data(),
                            static_cast<unsigned>(enough.sizes.size()));
  auto dictionary = std::make_shared<Dictionary>();
  if (ZDICT_isError(size) == 0) {
    made.resize(size);
    dictionary->made.reset(ZSTD_createCDict(made.data(), made.size(), effort.level));
    if (dictionary->made) dictionary->number = store_(std::move(made));
  }
  const std::lock_guard lock(mutex_);
  dictionaries_[group] = dictionary;
  return dictionary;
}

std::unique_ptr<Compressor::ZstdContext> Compressor::take_context() {
  {
    const std::lock_guard lock(mutex_);
    if (!contexts_.empty()) {
      std::unique_ptr<ZstdContext> one = std::move(contexts_.back());
      contexts_.pop_back();
      return one;
    }
  }
  return std::make_unique<ZstdContext>();
}

std::string Compressor::compress_record(std::int64_t scenario, std::string_view record) {
  if (record.empty()) return {};
  std::int64_t game = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const auto of = games_.find(scenario); of != games_.end()) game = of->second;
  }
  return compress(game, record);
}

std::string Compressor::compress_message(std::string_view message, const MessageBase* base) {
  if (base == nullptr || message.size() < kShortestDelta || message.size() > record::kLongestBase ||
      base->text.size() > record::kLongestBase)
    return compress(kMessages, message);
  const std::string delta = record::delta(base->text, message);
  // A half is about what compressing it without the other one makes of it.
  if (2 * delta.size() > message.size()) return compress(kMessages, message);
  std::string bytes(1, kDelta);
  record::put_number(bytes, message.size());
  bytes.append(base->digest.begin(), base->digest.end());
  return bytes + compress(kMessages, delta);
}

std::string Compressor::compress(std::int64_t group, std::string_view whole) {
  const bool starts_alike =
      !whole.empty() && (whole.front() == kCompressed || whole.front() == kDelta);
  if (whole.size() > kLargestRecord && !starts_alike) return std::string(whole);
  const std::shared_ptr<const Dictionary> dictionary = dictionary_for(group, whole);
  const bool has_dictionary = dictionary != nullptr && dictionary->number > 0;
  std::string bytes(1, kCompressed);
  record::put_number(bytes, has_dictionary ? static_cast<std::uint64_t>(dictionary->number) : 0);
  std::unique_ptr<ZstdContext> context = take_context();
  ZSTD_CCtx* const zstd = context->made.get();
  if (zstd == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_reset(zstd, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, effort_for(group).level);
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  if (has_dictionary) ZSTD_CCtx_refCDict(zstd, dictionary->made.get());
  std::string& frame = context->frame;
  if (const std::size_t most = ZSTD_compressBound(whole.size()); frame.size() < most)
    frame.resize(most);
  const std::size_t size =
      ZSTD_compress2(zstd, frame.data(), frame.size(), whole.data(), whole.size());
  if (ZSTD_isError(size) == 0) bytes.append(frame, 0, size);
  if (frame.size() > kLargestSample) frame = {};
  {
    const std::lock_guard lock(mutex_);
    contexts_.push_back(std::move(context));
  }
  if (ZSTD_isError(size) != 0)
    throw Error(ErrorKind::failure, std::string("compressing failed: ") + ZSTD_getErrorName(size));
  if (bytes.size() >= whole.size() && !starts_alike) return std::string(whole);
  return bytes;
}

struct Decompressor::FrameReader {
  Zstd<ZSTD_DCtx> context{ZSTD_createDCtx()};
  std::map<std::uint64_t, Zstd<ZSTD_DDict>> dictionaries{};
};

Decompressor::Decompressor(Connection& db)
    : get_dictionary_(db, "select bytes from content where number = ? and kind = 'dictionary'"),
      get_message_(db, "select number, bytes from content where hash = ? and kind = 'message'"),
      messages_(kMostRemembered),
      state_(std::make_unique<FrameReader>()) {}
Decompressor::~Decompressor() = default;

namespace {

std::string_view as_text(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_compressed(std::string_view bytes) {
  return !bytes.empty() && bytes.front() == kCompressed;
}

bool is_delta(std::string_view bytes) {
  return !bytes.empty() && bytes.front() == kDelta;
}

/// What a message differs from, and how.
struct StoredDelta {
  std::uint64_t size = 0;  ///< of the message
  hash::Digest base{};
  std::string_view delta;  ///< perhaps compressed
};

std::optional<StoredDelta> delta_of(std::string_view bytes) {
  StoredDelta stored;
  record::Bytes front(bytes.substr(1));
  if (!front.number(stored.size) || stored.size > record::kLongestBase) return std::nullopt;
  for (std::uint8_t& b : stored.base)
    if (!front.byte(b)) return std::nullopt;
  stored.delta = bytes.substr(bytes.size() - front.left());
  return stored;
}

/// Where a frame is and what it needs.
struct Frame {
  std::string_view bytes;
  std::uint64_t dictionary = 0;  ///< 0: none
  std::size_t size = 0;          ///< of what it stands for
};

std::optional<Frame> frame_of(std::string_view bytes) {
  Frame frame;
  record::Bytes front(bytes.substr(1));
  if (!front.number(frame.dictionary)) return std::nullopt;
  frame.bytes = bytes.substr(bytes.size() - front.left());
  const unsigned long long size = ZSTD_getFrameContentSize(frame.bytes.data(), frame.bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kLargestRecord)
    return std::nullopt;
  frame.size = size;
  return frame;
}

}  // namespace

std::optional<std::size_t> Decompressor::size(std::span<const unsigned char> bytes) {
  if (is_delta(as_text(bytes))) {
    const std::optional<StoredDelta> stored = delta_of(as_text(bytes));
    return stored ? std::optional(static_cast<std::size_t>(stored->size)) : std::nullopt;
  }
  if (!is_compressed(as_text(bytes))) return bytes.size();
  const std::optional<Frame> frame = frame_of(as_text(bytes));
  return frame ? std::optional(frame->size) : std::nullopt;
}

std::optional<std::string> Decompressor::renumbered(
    std::span<const unsigned char> bytes,
    const std::function<std::int64_t(std::int64_t dictionary)>& number_of) {
  const std::string_view stored = as_text(bytes);
  if (!is_compressed(stored)) return std::string(stored);
  const std::optional<Frame> frame = frame_of(stored);
  if (!frame) return std::nullopt;
  std::string whole(1, kCompressed);
  record::put_number(whole, frame->dictionary == 0
                                ? 0
                                : static_cast<std::uint64_t>(
                                      number_of(static_cast<std::int64_t>(frame->dictionary))));
  return whole += frame->bytes;
}

bool Decompressor::decompress(std::span<const unsigned char> bytes, std::string& whole) {
  const std::string_view stored = as_text(bytes);
  if (is_compressed(stored) && read_frame(stored, whole)) return true;
  if (is_delta(stored) && read_delta(stored, whole)) return true;
  whole.assign(stored);
  return !is_compressed(stored) && !is_delta(stored);
}

bool Decompressor::message(const hash::Digest& digest, std::span<const unsigned char> bytes,
                           std::string& whole) {
  if (!decompress(bytes, whole)) return false;
  // The next one of the same match may be stored against it.
  if (is_delta(as_text(bytes))) messages_.keep(digest, whole, whole.size() + kBytesOfOne);
  return true;
}

std::optional<hash::Digest> Decompressor::base_of(std::span<const unsigned char> bytes) {
  if (!is_delta(as_text(bytes))) return std::nullopt;
  const std::optional<StoredDelta> stored = delta_of(as_text(bytes));
  return stored ? std::optional(stored->base) : std::nullopt;
}

bool Decompressor::find_message(const hash::Digest& digest, std::int64_t& below,
                                std::string& stored) {
  get_message_.bind(std::span(digest));
  bool is_found = get_message_.step();
  if (is_found) {
    const std::int64_t number = get_message_.integer();
    const auto bytes = get_message_.bytes();
    stored.assign(bytes.begin(), bytes.end());
    is_found = number < below && !stored.empty();
    below = number;
  }
  get_message_.reset();
  return is_found;
}

bool Decompressor::read_delta(std::string_view stored, std::string& whole) {
  struct DeltaLink {
    std::uint64_t size;
    std::string delta;
  };
  // Matches that have a message in common, or were taken up again, have longer ones.
  constexpr std::size_t kMostRead = std::size_t{16} * kLongestChain;
  constexpr std::size_t kMostBytesRead = std::size_t{64} * kMostChainBytes;
  std::vector<DeltaLink> chain;
  std::string here(stored);
  std::string text;
  std::size_t held = 0;
  std::size_t made = 0;
  std::int64_t below = std::numeric_limits<std::int64_t>::max();
  while (is_delta(here)) {
    const std::optional<StoredDelta> found = delta_of(here);
    DeltaLink link{found ? found->size : 0, {}};
    if (!found || chain.size() >= kMostRead) return false;
    if (!is_compressed(found->delta))
      link.delta = found->delta;
    else if (!read_frame(found->delta, link.delta))
      return false;
    held += link.delta.size();
    made += link.size;
    if (held > kLargestRecord || made > kMostBytesRead) return false;
    chain.push_back(std::move(link));
    if (const std::string* const known = messages_.find(found->base)) {
      text = *known;
      break;
    }
    if (!find_message(found->base, below, here)) return false;
    if (is_delta(here)) continue;
    if (!is_compressed(here))
      text = here;
    else if (!read_frame(here, text))
      return false;
    break;
  }
  std::string next;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    if (!record::apply_delta(text, link->delta, record::kLongestBase, next) ||
        next.size() != link->size)
      return false;
    std::swap(text, next);
  }
  whole = std::move(text);
  return true;
}

bool Decompressor::read_frame(std::string_view stored, std::string& whole) {
  const std::optional<Frame> frame = frame_of(stored);
  if (!frame) return false;
  const ZSTD_DDict* dictionary = nullptr;
  if (frame->dictionary != 0) {
    if (state_->dictionaries.size() > kMostDictionaries) state_->dictionaries.clear();
    Zstd<ZSTD_DDict>& known = state_->dictionaries[frame->dictionary];
    if (!known) {
      get_dictionary_.bind(static_cast<std::int64_t>(frame->dictionary));
      if (get_dictionary_.step()) {
        const auto found = get_dictionary_.bytes();
        known.reset(ZSTD_createDDict(found.data(), found.size()));
      }
      get_dictionary_.reset();
    }
    if (!known) return false;
    dictionary = known.get();
  }
  whole.resize(frame->size);
  const std::size_t size =
      ZSTD_decompress_usingDDict(state_->context.get(), whole.data(), whole.size(),
                                 frame->bytes.data(), frame->bytes.size(), dictionary);
  return ZSTD_isError(size) == 0 && size == frame->size;
}

}  // namespace agon::archive
