// The new content of a file, until it takes the file's place.
#pragma once

#include "core/io/temporaries.h"

#include <filesystem>
#include <optional>

namespace attnlab::io {

/// An empty file in the folder of its target. Where the file system can (O_TMPFILE) it has no name until all is
/// written: a program that is killed leaves nothing. Removed again unless it has replaced the target.
class TemporaryFile {
public:
    enum class Kind { Unnamed, Named };

    /// Named as well where the file system has none without a name. Throws Error that names `target`.
    TemporaryFile(const std::filesystem::path& target, Kind kind);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return descriptor_; }
    bool has_name() const { return name_.has_value(); }

    /// Gives it a name, if it has none. False where the file system does not let it: then all has to be written again,
    /// into a file of Kind::Named.
    bool take_name();
    /// Puts a file that has a name into the target's place, with the permissions of what was there. Throws Error.
    void replace_target();

private:
    bool open_unnamed();
    void open_named();

    std::filesystem::path target_;
    std::filesystem::path folder_;
    std::optional<TemporaryName> name_;
    int descriptor_ = -1;
};

} // namespace attnlab::io
