#pragma once

#include <agon/export.hpp>
#include <agon/purpose.hpp>
#include <agon/type.hpp>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace agon {

/// One thing that a seat was told, asked or has answered, as it was delivered.
struct Delivery {
  /// What was delivered.
  enum class What : std::uint8_t { event, question, answer };
  What what = What::event;     ///< which of them
  bool is_private = false;     ///< an event for this seat alone
  std::string name;            ///< of the event, or the stage
  std::uint32_t number = 0;    ///< of the question; 0 for events
  std::string json{};          ///< the event, the view or the answer
  const Type* type = nullptr;  ///< description of `json`
  std::string told{};          ///< the event in sentences, if its game narrates it
  /// Nothing of `json` is for the memory of people and models: an event of which the game tells
  /// them nothing, or a view that it puts into words, which events have told or will tell.
  bool untold = false;
  std::string seen{};  ///< of a question: its view in sentences, if its game tells it so
  std::string said{};  ///< an answer as a model gave it in its own words; empty: as `json`
  /// Who decided an answer.
  enum class By : std::uint8_t {
    seat,      ///< its player
    fallback,  ///< the game: no attempt was legal
    rules,     ///< the rules: nothing else was legal, and nobody was asked
  };
  By by = By::seat;      ///< of an answer
  std::string mended{};  ///< of an answer: what was repaired in what was said; empty: nothing
  Purpose purpose = Purpose::act;  ///< of the question; act for events

  /// What a seat is shown of it, whatever plays the seat.
  enum class Shown : std::uint8_t {
    nothing,
    sentences,  ///< sentences() alone
    members,    ///< the members of `json`
  };
  /// The one rule that terminal, browser and prompts follow.
  [[nodiscard]] AGON_API Shown shown() const;
  /// The game's sentences for an event or for the view of a question; empty: it has none.
  [[nodiscard]] std::string_view sentences() const { return what == What::question ? seen : told; }
  /// Whether it is to be shown as told to this seat alone: a telling that begins with a bracket
  /// says itself who hears it.
  [[nodiscard]] bool is_for_one() const { return is_private && !sentences().starts_with('('); }
};

/// What a seat was told, asked and has answered up to some moment. A copy shares what there is and
/// stays as it is, whatever is appended to the original, so that questions of a long match cost no
/// more than those of a short one. Copies may be read in one thread while another appends to the
/// original.
class SeatHistory {
 public:
  /// How many deliveries there are.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// True if there are none.
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The i-th of what was delivered; i < size().
  [[nodiscard]] const Delivery& operator[](std::size_t i) const {
    const Place at = place(i);
    return log_->blocks[at.block][at.offset];
  }
  /// The last one; there must be one.
  [[nodiscard]] const Delivery& back() const { return (*this)[size_ - 1]; }

  /// Appends. Of all copies that share a beginning only one may be appended to.
  void push_back(Delivery delivery) {
    if (log_ == nullptr) log_ = std::make_shared<Log>();
    const Place at = place(size_);
    auto& block = log_->blocks[at.block];
    if (block == nullptr) block = std::make_unique<Delivery[]>(kFirst << at.block);
    block[at.offset] = std::move(delivery);
    ++size_;
  }

  /// Goes over the deliveries in order.
  class Iterator {
   public:
    /// What a range-based for loop takes; the history must outlive it.
    ///@{
    Iterator(const SeatHistory& history, std::size_t i) : history_(&history), i_(i) {}
    const Delivery& operator*() const { return (*history_)[i_]; }
    Iterator& operator++() { return ++i_, *this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.i_ == b.i_; }
    ///@}

   private:
    const SeatHistory* history_;
    std::size_t i_;
  };
  /// The first one.
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  /// Behind the last one.
  [[nodiscard]] Iterator end() const { return {*this, size_}; }

 private:
  // Blocks double in size and never move: what was handed out stays where it is.
  static constexpr std::size_t kFirst = 16;
  struct Log {
    std::array<std::unique_ptr<Delivery[]>, 28> blocks;
  };
  struct Place {
    std::size_t block, offset;
  };
  static Place place(std::size_t i) {
    const std::size_t block = static_cast<std::size_t>(std::bit_width(i / kFirst + 1)) - 1;
    return {block, i - kFirst * ((std::size_t{1} << block) - 1)};
  }

  std::shared_ptr<Log> log_;
  std::size_t size_ = 0;
};

}  // namespace agon
