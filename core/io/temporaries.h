// Named temporaries of files being written: ".attnlab-HOST-PID-N.tmp", in the folder of their target. Their writer
// holds a lock (flock) on them.
#pragma once

#include <filesystem>

namespace attnlab::io {

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

} // namespace attnlab::io
