// The new content of a file, written to a named temporary that then replaces the file.
#pragma once

#include <filesystem>
#include <optional>

namespace attnlab::io {

// Named temporaries of files being written: ".attnlab-HOST-PID-N.tmp", in the folder of their target. Their writer
// holds a lock (flock) on them.

/// Removes temporaries of dead writers in `folder`. Keeps those that may have a writer: from another host or user,
/// locked ones, and all where the file system does not support locks.
void remove_stale_temporaries(const std::filesystem::path& folder) noexcept;

/// Makes SIGHUP, SIGINT and SIGTERM remove the named temporaries of this process and print a message on standard error
/// before they end the process. Ignored signals stay ignored. For main().
void clean_up_on_signals();

/// A name for a temporary in `folder`, unique in this process; signals remove the file as long as this object exists.
class TemporaryName {
public:
    explicit TemporaryName(const std::filesystem::path& folder);
    ~TemporaryName();
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    int slot_;
};

/// A file, or a folder that is empty then, that signals remove as long as this object exists.
class RemovedBySignals {
public:
    explicit RemovedBySignals(const std::filesystem::path& path);
    ~RemovedBySignals();
    RemovedBySignals(const RemovedBySignals&) = delete;
    RemovedBySignals& operator=(const RemovedBySignals&) = delete;

private:
    int slot_;
};

// The new content of a file before it replaces the file.

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
