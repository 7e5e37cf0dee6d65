#pragma once

#include <string>

namespace command_test {

/// Fails unless `text` equals the committed file of this name. With AGON_UPDATE_SNAPSHOTS=1 the
/// file is written anew, and what changed is printed.
void same_as_snapshot(const std::string& file, const std::string& text);

/// `text` without what differs between machines: the identity of the SDK and the folder of the
/// build.
std::string normalised(std::string text);

}  // namespace command_test
