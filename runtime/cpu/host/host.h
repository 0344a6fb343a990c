// What the rest of the machine needs from the host program.
#pragma once
#include <cstdint>
#include <string>

#include "check.h"

namespace engine::host {

// Where the library that holds `symbol` lies in memory.
check::Range library_range(const void* symbol);
// Answers with what was found so far and ends the process: the kernel cannot go on.
[[noreturn]] void leave_launch();
[[noreturn]] void crash(const std::string& message);

}  // namespace engine::host
