#pragma once

#include <agon/language.hpp>

namespace agon {

/// What the arena says to players in their language.
inline constexpr std::string_view kArenaSentences[] = {
    // how things are put together
    "{first} {second}",
    "{first}, {second}",
    "{some} and {last}",
    // why an answer is turned down
    "{value} is less than {bound}",
    "{value} is more than {bound}",
    "is too large",
    "must be a finite number",
    "must be a whole number",
    "has more than two decimals",
    "must be {wanted}, not {found}",
    "true or false",
    "a number",
    "a whole number",
    "an amount",
    "a text",
    "a list",
    "an object",
    "must be one of {names}, not {found}",
    "null",
    "'{value}' is not allowed now; choose one of {names}",
    "'{value}' is none of {names}",
    "must be true now",
    "must be false now",
    "must be null now",
    "must not be null now",
    "is not valid UTF-8",
    "is not valid JSON",
    "is missing",
    "is missing; it is one of {names}",
    "'{value}' is missing",
    "is not known here",
    "is out of the range of its type",
    "{n} element, but it holds at most {bound}",
    "{n} elements, but it holds at most {bound}",
    "{n} element, but it holds exactly {bound}",
    "{n} elements, but it holds exactly {bound}",
    "{n} element, but it must be {bound}",
    "{n} elements, but it must be {bound}",
    "{n} element, fewer than {bound}",
    "{n} elements, fewer than {bound}",
    "{n} element, more than {bound}",
    "{n} elements, more than {bound}",
    "{n} character, but it must be {bound}",
    "{n} characters, but it must be {bound}",
    "{n} character, fewer than {bound}",
    "{n} characters, fewer than {bound}",
    "{n} character, more than {bound}",
    "{n} characters, more than {bound}",
    "{n} entry, but it must be {bound}",
    "{n} entries, but it must be {bound}",
    "{n} entry, fewer than {bound}",
    "{n} entries, fewer than {bound}",
    "{n} entry, more than {bound}",
    "{n} entries, more than {bound}",
    "nothing was said",
    "the answer came too late",
    "there was no answer",
    // what people typed
    "{given} is not a number",
    "{given} may mean {one} or {other}: write the one that you mean",
    "{given} is not certain: write {number} if that is what you mean",
    "{given} is neither yes nor no",
    "{given} is none of the choices",
    "something has to be entered here",
    "choose one of these",
    "nothing can be entered here now",
    "only yes is possible now",
    "only no is possible now",
    "this is not what the form asks for",
    "yes",
    "no",
    "none",
    // what an answer is to be
    "{doc} ({unit})",
    "element by element at most {numbers}",
    // from match to match
    "Your score: {score} ({what}).",
    "Your score: {score}.",
    ("This is match {n} of the same game with the same players. How the one before ended for you: "
     "{ended}"),
};
using ArenaLine = OneOf<kArenaSentences>;

}  // namespace agon
