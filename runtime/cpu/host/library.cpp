#include <cstddef>

#include "host.h"

#if defined(__APPLE__)
#include <dlfcn.h>
#include <mach-o/loader.h>

namespace engine::host {

check::Range library_range(const void* symbol) {
    Dl_info info;
    if (!dladdr(symbol, &info)) return {};
    const auto* header = static_cast<const mach_header_64*>(info.dli_fbase);
    const auto begin = reinterpret_cast<std::uintptr_t>(header);
    std::uintptr_t end = begin;
    const auto* command = reinterpret_cast<const load_command*>(header + 1);
    for (std::uint32_t i = 0; i < header->ncmds; ++i) {
        if (command->cmd == LC_SEGMENT_64) {
            const auto* segment = reinterpret_cast<const segment_command_64*>(command);
            const std::uintptr_t last = begin + segment->vmaddr + segment->vmsize;  // a library is linked at 0
            if (segment->filesize && last > end) end = last;
        }
        command = reinterpret_cast<const load_command*>(reinterpret_cast<const char*>(command) + command->cmdsize);
    }
    return {begin, end};
}

}  // namespace engine::host

#else
#include <link.h>

namespace engine::host {

namespace {
struct Search {
    std::uintptr_t symbol, begin, end;
};

int look(dl_phdr_info* info, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    std::uintptr_t begin = ~std::uintptr_t(0), end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        const std::uintptr_t first = info->dlpi_addr + header.p_vaddr, last = first + header.p_memsz;
        if (first < begin) begin = first;
        if (last > end) end = last;
    }
    if (search.symbol < begin || search.symbol >= end) return 0;
    search.begin = begin;
    search.end = end;
    return 1;
}
}  // namespace

check::Range library_range(const void* symbol) {
    Search search{reinterpret_cast<std::uintptr_t>(symbol), 0, 0};
    dl_iterate_phdr(look, &search);
    return {search.begin, search.end};
}

}  // namespace engine::host
#endif
