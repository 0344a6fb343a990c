// os_log: what a kernel logs comes back as its output.
#pragma once
#include "../engine.h"

namespace metal {

struct os_log {
    constexpr os_log(const char*, const char*) {}
    template <class... A>
    void log(const char* format, A... values) const {
        engine::print(format, values...);
        engine::print("\n");
    }
    template <class... A>
    void log_debug(const char* format, A... values) const {
        log(format, values...);
    }
    template <class... A>
    void log_info(const char* format, A... values) const {
        log(format, values...);
    }
    template <class... A>
    void log_error(const char* format, A... values) const {
        log(format, values...);
    }
};
inline constexpr os_log os_log_default{"", ""};

}  // namespace metal
