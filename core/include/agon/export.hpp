#pragma once

/// @namespace agon
/// Games, agents, what they are made of, and what their plugins export.

/// Marks what a library gives others: everything is hidden but what names this. So plugins never
/// share a symbol by accident, and what the two libraries export can be counted. An exception that
/// crosses a border is marked too, so that it is the same type on both sides.
#define AGON_API __attribute__((visibility("default")))
