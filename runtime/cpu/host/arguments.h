// A launch's arguments in memory: values in one block, buffers as parts of one mapped file.
#pragma once
#include <string>
#include <vector>

#include "check.h"

namespace engine {

class Arguments {
public:
    // `checked`: the room around each buffer can be read and written, so that a near miss is reported and the
    // kernel goes on. Otherwise it traps.
    Arguments(const char* path, bool checked);
    ~Arguments();
    Arguments(const Arguments&) = delete;

    void add(const std::string& field);  // "b OFFSET BYTES" or "v HEX"; the same part of the file is one buffer
    std::string misfit(const Signature& wanted) const;  // why these do not fit a kernel; empty if they do
    bool map();                                         // false: no memory

    void** argv() { return reinterpret_cast<void**>(block_); }
    check::Range values() const;  // argv and all it points to
    check::Range room() const;    // all buffers and what lies around them
    std::vector<check::Buffer> buffers() const;

private:
    struct Part {
        unsigned argument;
        std::size_t offset, bytes;
        char* at;
    };
    struct Argument {
        bool buffer;
        std::size_t part;
        std::vector<unsigned char> value;
    };
    std::size_t part_at(std::size_t offset, std::size_t bytes);
    void lay_out_values();

    bool checked_;
    int file_;
    std::vector<Argument> arguments_;
    std::vector<Part> parts_;
    char* room_ = nullptr;
    std::size_t room_bytes_ = 0;
    char* block_ = nullptr;
    std::size_t block_bytes_ = 0;
};

}  // namespace engine
