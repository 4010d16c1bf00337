// Files that are being written and have a name already: ".attnlab-HOST-PID-N.tmp", beside their target. Their writer
// holds a lock (flock) on them as long as it lives.
#pragma once

#include <filesystem>

namespace attnlab::io {

/// Removes what writers that died have left in `folder`. A file stays where it may have a writer: one made on another
/// host or by another user, one that is locked, and every one where the file system has no locks.
void remove_stale_temporaries(const std::filesystem::path& folder) noexcept;

/// From now on SIGHUP, SIGINT and SIGTERM first remove the named temporaries of this process and say on standard error
/// what happened; then they end it, as they would have. One that is ignored stays ignored. For main().
void clean_up_on_signals();

/// A name for a temporary in `folder` that this process has not given before; signals remove what has it as long as
/// this object lives.
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

/// A file, or a folder that is empty then, that signals remove as long as this object lives.
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
