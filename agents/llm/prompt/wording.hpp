#pragma once

#include <agon/error.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/prompt/data_text.hpp"
#include "llm/prompt/prompts.hpp"

namespace agon::llm {

/// The words of a prompt set for what belongs to a match: its names, its views and its events.
class Wording {
 public:
  /// All must outlive this.
  Wording(const OwnedQuestion& question, const Prompts& prompts, const DataStyle& style)
      : question_(question),
        prompts_(prompts),
        style_(style),
        view_{"view.", question.view_type, members_of(question.view_json)},
        facts_{"facts.", question.facts_type, members_of(question.facts_json)} {}

  /// What a name stands for at any moment of the match, or in the question's view; none: a name
  /// that is not of these. Throws Error for a member that there is not.
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  /// The error for a name that stands for nothing at this question.
  [[nodiscard]] Error unknown(std::string_view name) const;
  /// The elements of a list among the facts or in the view, for sections of a template.
  [[nodiscard]] std::vector<TemplateValues> each(std::string_view name) const;

  /// The prompts' own words for who the seat is; empty: there are none.
  [[nodiscard]] std::string persona() const;
  /// What the prompts say in place of the game's narration: of an event that they have words for
  /// (event-NAME.txt), and of an earlier question if they keep those. None: the narration stands.
  [[nodiscard]] std::optional<std::string> told(const Delivery& delivery) const;
  /// See Prompts::have_source().
  [[nodiscard]] bool has_source() const { return prompts_.have_source(); }

 private:
  /// Members of a value by the names that begin with `prefix`.
  struct Members {
    std::string_view prefix;
    const Type* type;
    std::vector<RawMember> all;

    /// The value as it stands in the text; empty if there is none.
    [[nodiscard]] std::string_view json_of(std::string_view member) const;
  };
  [[nodiscard]] std::string member_text(const Members& of, std::string_view name) const;
  [[nodiscard]] std::optional<std::string> name_text(std::string_view name,
                                                     const Members& seen) const;
  [[nodiscard]] std::vector<TemplateValues> each_of(std::string_view name,
                                                    const Members& seen) const;
  /// What names stand for outside of all sections; it points to `seen`.
  [[nodiscard]] TemplateValues outside(const Members& seen) const;
  /// Inside a section, a name that is no member of the element means what it means around it.
  [[nodiscard]] std::vector<TemplateValues> elements(const Field& of, std::string_view json,
                                                     const TemplateValues& around) const;
  /// One of these, or all of the member itself if it is no list.
  [[nodiscard]] TemplateValues element(const Field& of, const Type* type, std::string_view json,
                                       const TemplateValues& around) const;
  /// A value as it stands in a sentence that is printed as published: numbers without a unit.
  [[nodiscard]] std::string bare(const Field& field, const Type* type, std::string_view json) const;

  const OwnedQuestion& question_;
  const Prompts& prompts_;
  const DataStyle& style_;
  const Members view_;
  const Members facts_;
};

}  // namespace agon::llm
