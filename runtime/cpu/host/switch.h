#pragma once

extern "C" void engine_switch(void** save, void* load);

namespace engine {

// A stack that, switched to, calls `start` (which never returns). `top` is 16-byte aligned.
void* first_frame(char* top, void (*start)());

}  // namespace engine
