#include "arguments.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace engine {

namespace {

#if defined(MAP_POPULATE)
constexpr int kNow = MAP_POPULATE;  // all pages at once, before the kernel's clock runs
#else
constexpr int kNow = 0;
#endif

std::size_t up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

void* fresh(std::size_t bytes, int access) {
    void* const at = mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? nullptr : at;
}

}  // namespace

Arguments::Arguments(const char* path, bool checked) : checked_(checked), file_(open(path, O_RDWR)) {}

Arguments::~Arguments() {
    if (room_) munmap(room_, room_bytes_);
    if (block_) munmap(block_, block_bytes_);
    if (file_ >= 0) close(file_);
}

void Arguments::add(const std::string& field) {
    Argument argument{field[0] == 'b', 0, {}};
    if (argument.buffer) {
        argument.part = part_at(std::stoull(field.substr(2)), std::stoull(field.substr(field.find(' ', 2))));
    } else {
        for (std::size_t i = 2; i + 1 < field.size(); i += 2)
            argument.value.push_back(static_cast<unsigned char>(std::stoul(field.substr(i, 2), nullptr, 16)));
    }
    arguments_.push_back(std::move(argument));
}

std::size_t Arguments::part_at(std::size_t offset, std::size_t bytes) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (bytes && parts_[i].bytes && parts_[i].offset == offset) return i;
    parts_.push_back({unsigned(arguments_.size()), offset, bytes, nullptr});
    return parts_.size() - 1;
}

std::string Arguments::misfit(const Signature& wanted) const {
    if (wanted.count != arguments_.size())
        return "the kernel has " + std::to_string(wanted.count) + " parameters, but " + std::to_string(arguments_.size()) +
               " arguments were given";
    for (std::size_t i = 0; i < wanted.count; ++i) {
        const Parameter& parameter = wanted.parameters[i];
        const Argument& argument = arguments_[i];
        const std::string which = "argument " + std::to_string(i);
        if (argument.buffer && !parameter.pointer) return which + " is an array, but the kernel takes a value there";
        if (argument.buffer) continue;
        // A pointer may be given as its bytes: null, say.
        if (argument.value.size() != parameter.bytes)
            return which + " has " + std::to_string(argument.value.size()) + " bytes, but the kernel's parameter has " +
                   std::to_string(parameter.bytes);
    }
    return "";
}

bool Arguments::map() {
    constexpr std::size_t page = check::kPage;
    room_bytes_ = 2 * page;
    for (const Part& part : parts_) room_bytes_ += up(part.bytes, page) + page;
    room_ = static_cast<char*>(fresh(room_bytes_, checked_ ? PROT_READ | PROT_WRITE : PROT_NONE));
    if (!room_) return false;
    char* at = room_ + (page - reinterpret_cast<std::uintptr_t>(room_) % page);
    for (Part& part : parts_) {
        part.at = at;
        if (part.bytes && mmap(at, part.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | kNow, file_,
                               off_t(part.offset)) == MAP_FAILED)
            return false;
        at += up(part.bytes, page) + page;
    }
    block_bytes_ = (2 * arguments_.size() + 2) * sizeof(void*);
    for (const Argument& argument : arguments_) block_bytes_ += up(argument.value.size(), 64) + 64;
    block_ = static_cast<char*>(fresh(block_bytes_, PROT_READ | PROT_WRITE));
    if (!block_) return false;
    lay_out_values();
    return true;
}

// argv, then the buffers' addresses, then the values, each aligned for any type.
void Arguments::lay_out_values() {
    const std::size_t count = arguments_.size();
    auto* const pointers = reinterpret_cast<void**>(block_) + count;
    std::size_t at = up(2 * count * sizeof(void*), 64);
    for (std::size_t i = 0; i < count; ++i) {
        const Argument& argument = arguments_[i];
        if (argument.buffer) {
            pointers[i] = parts_[argument.part].at;
            argv()[i] = &pointers[i];
        } else {
            if (!argument.value.empty()) std::memcpy(block_ + at, argument.value.data(), argument.value.size());
            argv()[i] = block_ + at;
            at += up(argument.value.size(), 64);
        }
    }
}

check::Range Arguments::values() const {
    const auto begin = reinterpret_cast<std::uintptr_t>(block_);
    return {begin, begin + block_bytes_};
}

check::Range Arguments::room() const {
    const auto begin = up(reinterpret_cast<std::uintptr_t>(room_), check::kPage);
    return {begin, begin + room_bytes_ - check::kPage};
}

std::vector<check::Buffer> Arguments::buffers() const {
    std::vector<check::Buffer> rows;
    for (const Part& part : parts_) {
        const auto begin = reinterpret_cast<std::uintptr_t>(part.at);
        rows.push_back({begin, begin + part.bytes, part.argument});
    }
    return rows;
}

}  // namespace engine
