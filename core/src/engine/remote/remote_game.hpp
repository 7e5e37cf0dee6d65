#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "remote/card_json.hpp"
#include "remote/pool.hpp"

namespace agon::remote {

/// A game of another process as one of this: what its card's functions do is asked of a process of
/// the pool.
class RemoteGame {
 public:
  /// `pool` must outlive this. Throws Error (invalid) that says where the card is wrong.
  RemoteGame(const JsonNode& card, Pool& pool);
  RemoteGame(const RemoteGame&) = delete;
  RemoteGame& operator=(const RemoteGame&) = delete;

  [[nodiscard]] const Game& game() const { return card_.game; }

 private:
  /// What a telling of a stage or an event works on.
  struct Told {
    const RemoteGame* of;
    std::size_t number;
  };

  void bind_card();
  void bind_stages();
  void bind_events();
  [[nodiscard]] Outcome play(AnyTable& table, const void* settings, const void* prepared) const;
  [[nodiscard]] std::vector<SeatCard> seating(const void* settings) const;
  /// The answer to a request as it was given before, or anew. `rest`: further members.
  [[nodiscard]] std::string kept_reply(std::string_view what, const void* settings,
                                       const std::string& rest = {},
                                       const Language& language = Language::english()) const;
  /// The answer to a request: a text, or JSON where it is another value. Throws Error (failure).
  [[nodiscard]] std::string reply(std::string_view what, const std::string& settings,
                                  const std::string& rest,
                                  const Language& language = Language::english()) const;
  [[nodiscard]] std::string read_reply(std::string_view what, const Message& reply) const;
  [[nodiscard]] std::string told(std::string_view what, const std::string& of,
                                 const Scene& scene) const;

  RemoteCard card_;
  Pool& pool_;
  std::vector<Told> stages_, events_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, std::string> replies_;  ///< by request
};

}  // namespace agon::remote
