// The new content of a file before it replaces the file.
#pragma once

#include "core/io/temporaries.h"

#include <filesystem>
#include <optional>

namespace attnlab::io {

/// An empty file in the folder of its target. Where the file system supports it (O_TMPFILE) it has no name until all is
/// written: a killed program leaves nothing. Removed unless it has replaced the target.
class TemporaryFile {
public:
    enum class Kind { Unnamed, Named };

    /// Uses a named file where the file system does not support unnamed ones. Throws Error that names `target`.
    TemporaryFile(const std::filesystem::path& target, Kind kind);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return descriptor_; }
    bool has_name() const { return name_.has_value(); }

    /// Gives it a name, if it has none. False where the file system does not allow this: all must then be written
    /// again, into a file of Kind::Named.
    bool take_name();
    /// Renames a named file over the target, with the permissions of the old target. Throws Error.
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
