// An output stream into an open file, with errors that give the reason.
#pragma once

#include <filesystem>
#include <ostream>
#include <streambuf>
#include <vector>

namespace attnlab::io {

class DescriptorBuffer : public std::streambuf {
public:
    /// `path` is used in errors.
    DescriptorBuffer(int descriptor, std::filesystem::path path);

protected:
    int_type overflow(int_type next) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;
    pos_type seekoff(off_type offset, std::ios::seekdir from, std::ios::openmode which) override;
    pos_type seekpos(pos_type position, std::ios::openmode which) override;

private:
    void put(const char* bytes, std::size_t count);
    void empty();

    int descriptor_;
    std::filesystem::path path_;
    std::vector<char> room_;
};

/// Throws Error with the system's reason as soon as something cannot be written. Call flush(): the destructor does not
/// write.
class OutputStream : public std::ostream {
public:
    OutputStream(int descriptor, std::filesystem::path path);

private:
    DescriptorBuffer buffer_;
};

/// Throws the Error of a file that cannot be written, for the reason `code` (errno).
[[noreturn]] void fail_to_write(const std::filesystem::path& path, int code);

} // namespace attnlab::io
