#include "record/record.hpp"

#include <agon/error.hpp>
#include <agon/learning.hpp>
#include <algorithm>
#include <bit>
#include <functional>

#include "describe/value.hpp"
#include "record/codec.hpp"
#include "record/shape.hpp"
#include "table/contract.hpp"

namespace agon::record {
namespace {

/// Places whose last name or shape is remembered.
constexpr std::size_t kMostPlaces = 64;

template <class T>
void remember(std::vector<T>& last, std::size_t place, T seen) {
  if (place >= kMostPlaces) return;
  if (last.size() <= place) last.resize(place + 1);
  last[place] = std::move(seen);
}

}  // namespace

CardNames::CardNames(const Game& game) {
  for (const StageCard& stage : game.stages)
    names_.emplace_back(stage.name, stage.probe ? kProbed : kAsked);
  for (const EventCard& event : game.events)
    names_.emplace_back(event.name, event.audience == Audience::everybody  ? kAnnounced
                                    : event.audience == Audience::one_seat ? kTold
                                                                           : kNoted);
  names_.emplace_back(kTakeAlong.name, kProbed);
  names_.emplace_back(kTakenAlong.name, kTold);
}

std::uint8_t CardNames::uses(std::string_view name, std::size_t place) {
  if (place < last_names_.size() && last_names_[place].first == name)
    return last_names_[place].second;
  std::uint8_t uses = 0;
  for (const auto& [known, use] : names_)
    if (known == name) uses = static_cast<std::uint8_t>(uses | use);
  remember(last_names_, place, {std::string(name), uses});
  return uses;
}

bool CardNames::has_shape(const hash::Digest& shape, std::size_t place, const Shapes& known) {
  if (place < last_shapes_.size() && last_shapes_[place] == shape) return true;
  if (!known.notation(shape)) return false;
  remember(last_shapes_, place, shape);
  return true;
}

std::uint8_t CardNames::use_of_event(std::uint32_t audience) {
  if (audience == ~std::uint32_t{0}) return kAnnounced;
  if (audience == 0) return kNoted;
  return std::has_single_bit(audience) ? kTold : 0;
}

namespace {

constexpr std::string_view kMark = "AGR";
// The version of the format, behind the mark: 2 has views of agents that wait as deltas.
constexpr std::uint8_t kWholeViews = 1;
constexpr std::uint8_t kDeltaViews = 2;

// A record starts with this much room: most end below it.
constexpr std::size_t kUsualSize = 4096;

// Tags below Entry::What define what later entries refer to by number.
constexpr char kName = 1;
constexpr char kShape = 2;

// A draw that was given.
constexpr std::uint8_t kGivenDraw = 8;

constexpr std::uint64_t kProbe = 1, kForced = 2, kDeclined = 4, kRemembers = 8, kPlain = 16,
                        kThought = 32, kView = 64, kByRules = 128, kBySubstitute = 256,
                        kViewDelta = 512;

// What a put of many questions may bring beyond kMostEntries, before the match is ended.
constexpr std::size_t kEntriesInFlight = 10'000;

void refuse_large(std::size_t bytes) {
  if (bytes > kLargestEntry)
    throw TooLarge{"an entry of the match's record has more than " +
                   std::to_string(kLargestEntry >> 20) + " MiB"};
}

char tag(Entry::What what) {
  return static_cast<char>(what);
}

}  // namespace

Recorder::Recorder(std::uint32_t waiting, Shapes& shapes, bool whole_views)
    : waiting_(waiting), has_whole_views_(whole_views || waiting == 0), shapes_(shapes) {
  bytes_.reserve(kUsualSize);
  bytes_ = kMark;
  bytes_ += static_cast<char>(has_whole_views_ ? kWholeViews : kDeltaViews);
  put_number(bytes_, waiting);
}

std::uint64_t Recorder::name_id(std::string_view name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::uint64_t>(found - names_.begin());
  ++entries_;
  bytes_ += kName;
  put_text(bytes_, name);
  names_.emplace_back(name);
  return names_.size() - 1;
}

std::uint64_t Recorder::shape_id(const Type& type) {
  const auto found = std::find(types_.begin(), types_.end(), &type);
  if (found != types_.end()) return static_cast<std::uint64_t>(found - types_.begin());
  bytes_ += kShape;
  for (const std::uint8_t b : shapes_.digest(type)) bytes_ += static_cast<char>(b);
  types_.push_back(&type);
  return types_.size() - 1;
}

void Recorder::encode_payload(const Type& type, const void* value) {
  scratch_.clear();
  encode(scratch_, type, value);
  refuse_large(scratch_.size());
  ++entries_;
}

void Recorder::event(std::uint32_t audience, std::string_view name, const Type& type,
                     const void* value) {
  encode_payload(type, value);
  const std::uint64_t n = name_id(name), s = shape_id(type);
  bytes_ += tag(Entry::What::event);
  // Everybody is the usual case and gets the shortest form.
  put_number(bytes_, static_cast<std::uint32_t>(audience + 1));
  put_number(bytes_, n);
  put_number(bytes_, s);
  put_text(bytes_, scratch_);
}

void Recorder::draw(std::string_view name, std::span<const std::int64_t> at, const Type& type,
                    const void* value, bool given) {
  encode_payload(type, value);
  const std::uint64_t n = name_id(name), s = shape_id(type);
  bytes_ += given ? static_cast<char>(kGivenDraw) : tag(Entry::What::draw);
  put_number(bytes_, n);
  put_number(bytes_, at.size());
  for (const std::int64_t i : at) put_signed(bytes_, i);
  put_number(bytes_, s);
  put_text(bytes_, scratch_);
}

void Recorder::carry(int seat, const Type& type, const void* value) {
  encode_payload(type, value);
  const std::uint64_t s = shape_id(type);
  bytes_ += tag(Entry::What::carry);
  put_number(bytes_, static_cast<std::uint64_t>(seat));
  put_number(bytes_, s);
  put_text(bytes_, scratch_);
}

void Recorder::question(const Asked& asked) {
  std::size_t size =
      asked.answer.size() + asked.thought.size() + asked.memo.size() + asked.view.size();
  for (const Attempt& a : asked.attempts) size += a.payload.size() + a.complaint.size();
  refuse_large(size);
  entries_ += std::max<std::size_t>(1, asked.attempts.size());
  const std::uint64_t n = name_id(asked.stage), s = shape_id(*asked.answer_type);
  // The usual case is one attempt that stood: its bytes are the answer's.
  const bool plain = asked.attempts.size() == 1 && asked.attempts[0].fault == Fault::ok &&
                     asked.attempts[0].form == Form::encoded && !asked.declined;
  const bool thoughtful = !asked.thought.empty() || asked.remembers;
  const std::size_t before = bytes_.size();
  const auto [view, is_delta] = encode_view(asked.seat, n, asked.view);
  bytes_ += tag(Entry::What::question);
  put_number(bytes_, asked.number);
  put_number(bytes_, static_cast<std::uint64_t>(asked.seat));
  put_number(bytes_, n);
  put_number(bytes_, s);
  put_number(bytes_, (asked.probe ? kProbe : 0) | (asked.forced ? kForced : 0) |
                         (asked.declined ? kDeclined : 0) | (asked.remembers ? kRemembers : 0) |
                         (plain ? kPlain : 0) | (thoughtful ? kThought : 0) |
                         (asked.view.empty() ? 0 : kView) | (asked.by_rules ? kByRules : 0) |
                         (asked.by_substitute ? kBySubstitute : 0) | (is_delta ? kViewDelta : 0));
  if (!plain) {
    put_number(bytes_, asked.attempts.size());
    for (const Attempt& a : asked.attempts) {
      bytes_ += static_cast<char>(a.fault);
      bytes_ += static_cast<char>(a.form);
      put_text(bytes_, a.payload);
      put_text(bytes_, a.complaint);
    }
  }
  put_text(bytes_, asked.answer);
  if (thoughtful) {
    put_text(bytes_, asked.thought);
    put_text(bytes_, asked.memo);
  }
  if (!asked.view.empty()) put_text(bytes_, view);
  if ((waiting_ >> asked.seat & 1U) != 0) waited_bytes_ += bytes_.size() - before;
}

std::pair<std::string, bool> Recorder::encode_view(int seat, std::uint64_t stage,
                                                   const std::string& view) {
  std::pair<std::string, bool> encoded{view, false};
  if (has_whole_views_ || view.empty()) return encoded;
  const std::string_view base = views_.base(seat, stage);
  if (!base.empty() && views_.has_room_for(view.size())) {
    std::string shorter = delta(base, view);
    if (shorter.size() < view.size()) {
      encoded = {std::move(shorter), true};
      views_.add_rebuilt(view.size());
    }
  }
  views_.keep(seat, stage, view);
  return encoded;
}

void Recorder::plain(std::uint32_t number, int seat, std::string_view stage,
                     const Type& answer_type, bool probe, const void* answer) {
  encode_payload(answer_type, answer);
  const std::uint64_t n = name_id(stage), s = shape_id(answer_type);
  bytes_ += tag(Entry::What::question);
  put_number(bytes_, number);
  put_number(bytes_, static_cast<std::uint64_t>(seat));
  put_number(bytes_, n);
  put_number(bytes_, s);
  put_number(bytes_, (probe ? kProbe : 0) | kPlain);
  put_text(bytes_, scratch_);
}

void Recorder::outcome(const Outcome& outcome) {
  ++entries_;
  bytes_ += tag(Entry::What::outcome);
  encode(bytes_, outcome);
}

namespace {

[[noreturn]] void damaged(std::size_t at) {
  throw Error(ErrorKind::invalid,
              "the record of the match is damaged at byte " + std::to_string(at), "",
              "restore the archive from a copy, or play the match again");
}

class BlobReader {
 public:
  explicit BlobReader(std::string_view bytes) : size_(bytes.size()), in_(bytes) {}
  /// Of a record that is held against a card, and whose attempts nobody looks at.
  BlobReader(std::string_view bytes, CardNames& card, const Shapes* known)
      : size_(bytes.size()), in_(bytes), card_(&card), known_(known) {}

  /// Reads the entries in order, each into what `next` returns, until that is null. Returns which
  /// seats wait.
  template <class Next>
  std::uint32_t read(Next next) {
    for (const char c : kMark) {
      std::uint8_t b = 0;
      if (!in_.byte(b)) fail();
      if (b != static_cast<std::uint8_t>(c)) refuse_format();
    }
    std::uint8_t version = 0;
    if (!in_.byte(version)) fail();
    if (version != kWholeViews && version != kDeltaViews) refuse_format();
    has_whole_views_ = version == kWholeViews;
    const auto waiting = static_cast<std::uint32_t>(number());
    bool is_over = false;
    while (!in_.empty()) {
      std::uint8_t what = 0;
      if (!in_.byte(what) || is_over) fail();
      if (what == kName) {
        count();
        const std::string_view name = text();
        if (card_ != nullptr) uses_.push_back(card_->uses(name, names_.size()));
        names_.push_back(name);
      } else if (what == kShape) {
        count();
        hash::Digest digest;
        for (std::uint8_t& b : digest)
          if (!in_.byte(b)) fail();
        if (known_ != nullptr && !card_->has_shape(digest, shapes_.size(), *known_)) fail();
        shapes_.push_back(digest);
      } else if (what >= static_cast<std::uint8_t>(Entry::What::event) &&
                 what <= static_cast<std::uint8_t>(Entry::What::outcome)) {
        Entry* const entry = next();
        if (entry == nullptr) return waiting;
        read_entry(*entry, static_cast<Entry::What>(what));
        is_over = entry->what == Entry::What::outcome;
      } else if (what == kGivenDraw) {
        Entry* const draw = next();
        if (draw == nullptr) return waiting;
        read_entry(*draw, Entry::What::draw);
        draw->given = true;
      } else {
        fail();
      }
    }
    return waiting;
  }

  [[nodiscard]] bool has_whole_views() const { return has_whole_views_; }

 private:
  [[noreturn]] static void refuse_format() {
    throw Error(ErrorKind::invalid, "the record is of an unknown format or version", "",
                "read it with the version of agon that wrote it");
  }
  [[noreturn]] void fail() { damaged(size_ - in_.left()); }
  /// All that takes memory while a record is read entry by entry: one from elsewhere may have any
  /// number of it.
  void count() {
    if (++kept_ > kMostEntries + kEntriesInFlight) fail();
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    if (!in_.number(n)) fail();
    return n;
  }
  std::string_view text() {
    std::string_view t;
    if (!in_.text(t)) fail();
    return t;
  }
  std::size_t name() {
    const std::uint64_t i = number();
    if (i >= names_.size()) fail();
    return static_cast<std::size_t>(i);
  }
  /// The name of a stage or an event that the card has for this.
  std::string_view name_for(std::uint8_t use, std::size_t name) {
    if (card_ != nullptr && (uses_[name] & use) == 0) fail();
    return names_[name];
  }
  const hash::Digest& shape() {
    const std::uint64_t i = number();
    if (i >= shapes_.size()) fail();
    return shapes_[i];
  }
  int seat() {
    const std::uint64_t s = number();
    if (s >= kMaxSeats) fail();
    return static_cast<int>(s);
  }

  void read_entry(Entry& e, Entry::What what) {
    e.what = what;
    switch (what) {
      case Entry::What::event:
        e.audience = static_cast<std::uint32_t>(number()) - 1;
        e.name = name_for(CardNames::use_of_event(e.audience), name());
        e.shape = shape();
        e.payload = text();
        break;
      case Entry::What::draw: {
        e.name = names_[name()];
        const std::uint64_t n = number();
        if (n > 2) fail();
        for (std::uint64_t i = 0; i < n; ++i) {
          std::int64_t v = 0;
          if (!in_.signed_number(v)) fail();
          e.at.push_back(v);
        }
        e.shape = shape();
        e.payload = text();
        break;
      }
      case Entry::What::carry:
        e.seat = seat();
        e.shape = shape();
        e.payload = text();
        break;
      case Entry::What::question:
        question(e);
        break;
      case Entry::What::outcome:
        e.outcome = std::make_shared<Outcome>();
        if (!decode(in_, *e.outcome)) fail();
        break;
    }
  }

  void question(Entry& e) {
    e.number = static_cast<std::uint32_t>(number());
    e.seat = seat();
    const std::size_t stage = name();
    e.shape = shape();
    const std::uint64_t flags = number();
    e.probe = (flags & kProbe) != 0;
    e.name = name_for(e.probe ? CardNames::kProbed : CardNames::kAsked, stage);
    e.forced = (flags & kForced) != 0;
    e.declined = (flags & kDeclined) != 0;
    e.remembers = (flags & kRemembers) != 0;
    e.by_rules = (flags & kByRules) != 0;
    e.by_substitute = (flags & kBySubstitute) != 0;
    // What was remembered stands beside the thought.
    if (e.remembers && (flags & kThought) == 0) fail();
    if ((flags & kPlain) == 0) {
      const std::uint64_t n = number();
      for (std::uint64_t i = 0; i < n; ++i) {  // each takes bytes, so it ends with them
        if (i > 0) count();
        Attempt a;
        std::uint8_t fault = 0, form = 0;
        if (!in_.byte(fault) || !in_.byte(form) || fault >= kFaults || form > 2) fail();
        a.fault = static_cast<Fault>(fault);
        a.form = static_cast<Form>(form);
        a.payload = text();
        a.complaint = text();
        if (card_ == nullptr) e.attempts.push_back(std::move(a));
      }
    }
    e.payload = text();
    if ((flags & kPlain) != 0 && card_ == nullptr)
      e.attempts.push_back({Fault::ok, Form::encoded, std::string(e.payload), {}});
    if ((flags & kThought) != 0) {
      e.thought = text();
      e.memo = text();
    }
    if ((flags & kViewDelta) != 0 && ((flags & kView) == 0 || has_whole_views_)) fail();
    if ((flags & kView) != 0) e.view = view(e.seat, stage, (flags & kViewDelta) != 0);
  }

  /// Valid until the next view of that seat at that stage.
  std::string_view view(int seat, std::uint64_t stage, bool is_delta) {
    const std::string_view stored = text();
    if (has_whole_views_) return stored;
    if (!is_delta) {
      views_.keep(seat, stage, stored);
      return stored;
    }
    const std::string_view base = views_.base(seat, stage);
    if (base.empty() || !apply_delta(base, stored, kLongestBase, rebuilt_) ||
        !views_.has_room_for(rebuilt_.size()))
      fail();
    views_.add_rebuilt(rebuilt_.size());
    return views_.keep(seat, stage, rebuilt_);
  }

  std::size_t size_;
  std::size_t kept_ = 0;
  Bytes in_;
  CardNames* card_ = nullptr;
  const Shapes* known_ = nullptr;
  bool has_whole_views_ = true;
  LastViews views_;
  std::string rebuilt_;
  std::vector<std::string_view> names_;
  std::vector<std::uint8_t> uses_;
  std::vector<hash::Digest> shapes_;
};

/// Gives the last entry's view to the history, where the blob has it as a delta.
void keep_view(std::string_view bytes, History& history, std::size_t& kept) {
  if (history.entries.empty()) return;
  std::string_view& view = history.entries.back().view;
  const std::less<const char*> lies_before;
  const bool is_in_blob = !lies_before(view.data(), bytes.data()) &&
                          lies_before(view.data(), bytes.data() + bytes.size());
  if (view.empty() || is_in_blob) return;
  kept += view.size();
  if (history.views == nullptr) history.views = std::make_shared<std::deque<std::string>>();
  view = kept > kLargestRecord ? std::string_view() : history.views->emplace_back(view);
}

}  // namespace

History read(std::string_view bytes) {
  History history;
  std::size_t kept = 0;
  BlobReader reader(bytes);
  history.waiting = reader.read([&] {
    keep_view(bytes, history, kept);
    if (history.entries.size() > kMostEntries + kEntriesInFlight)
      throw Error(ErrorKind::invalid,
                  "the record of the match has more than " + std::to_string(kMostEntries) +
                      " entries, as no match has now",
                  "", "'agon show' and 'agon export' show what it has");
    return &history.entries.emplace_back();
  });
  keep_view(bytes, history, kept);
  history.has_whole_views = reader.has_whole_views();
  return history;
}

void each_entry(std::string_view bytes, const std::function<bool(const Entry&)>& each) {
  std::optional<Entry> entry;
  bool is_enough = false;
  BlobReader reader(bytes);  // as long as the last entry, whose view it may hold
  reader.read([&]() -> Entry* {
    is_enough = entry && !each(*entry);
    return is_enough ? nullptr : &entry.emplace();
  });
  if (entry && !is_enough) each(*entry);
}

Outcome check(std::string_view bytes, int seats, CardNames& names, const Shapes* shapes) {
  const auto wrong = [](const char* problem) { throw Error(ErrorKind::invalid, problem); };
  // One for all: a new one takes longer than reading it.
  Entry entry;
  bool is_over = false;
  const auto judge = [&] {
    is_over = entry.what == Entry::What::outcome;
    if (entry.seat >= seats) wrong("the record has more seats than the match");
    if (is_over && entry.outcome->seats() != seats) wrong("its outcome has other seats");
    if (!entry.view.empty()) wrong("the record has a view of an agent that does not wait");
  };
  BlobReader(bytes, names, shapes).read([&] {
    judge();
    entry.at.clear();
    return &entry;
  });
  judge();
  if (!is_over) wrong("the record has no outcome");
  return *entry.outcome;
}

std::string why_turned_down(const Attempt& attempt) {
  std::string why(name_of(attempt.fault));
  if (!attempt.complaint.empty())
    why += ": " + attempt.complaint;
  else if (!attempt.payload.empty() && attempt.form != Form::encoded)
    why += ": " + attempt.payload;
  return why;
}

namespace {

std::string why_forced(const Entry& question) {
  if (question.by_substitute) return "a substitute answered";
  if (question.attempts.empty()) return "it gave no answer";
  return why_turned_down(question.attempts.back());
}

}  // namespace

std::string first_fallback(std::string_view bytes, int seat) {
  if (bytes.empty()) return {};
  std::string first;
  each_entry(bytes, [&](const Entry& entry) {
    if (entry.what == Entry::What::question && entry.forced && entry.seat == seat)
      first = "stage '" + std::string(entry.name) + "': " + why_forced(entry);
    return first.empty();
  });
  return first;
}

}  // namespace agon::record
