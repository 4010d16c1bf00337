// Recovery copies of unsaved work, and the lock that shows whether their program still runs.
#pragma once

#include "core/attention.h"
#include "core/io/file_bytes.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::io {

// A lock file of a running program: the system releases the lock when the program ends for any reason.

class FileLock {
public:
    /// Null when a running program holds it, or the file cannot be created.
    static std::unique_ptr<FileLock> take(const std::filesystem::path& path);
    /// Removes the file.
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    FileLock(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    std::filesystem::path path_;
    int descriptor_;
};

// Recovery copies of unsaved work, in case the program crashes.

struct UnsavedWork {
    AttentionProblem problem;
    std::string view_json = "{}";
    std::string title = {};                        ///< title of the document
    std::filesystem::path path = {};               ///< the document's file; empty if none
    std::optional<FileStamp> stamp = std::nullopt; ///< stamp of that file when it was opened or saved
};

/// Writes one folder. An array backed by a user's file is stored as its position there and the numbers written on top;
/// another large one is written once to a separate file, and then as differences from it. The cost depends on the
/// changes, not on the size.
class RecoveryCopy {
public:
    explicit RecoveryCopy(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The previous copy remains until this one is complete. Throws Error, Cancelled.
    void write(const UnsavedWork& work, const RunControl& control = {});
    /// Removes the folder, or the file of an earlier program version.
    void remove();

private:
    friend class RecoveryWriter;
    /// An array as written to a separate file.
    struct Base {
        Tensor tensor;
        std::string file;
    };

    std::filesystem::path folder_;
    std::map<std::string, Base> bases_; ///< by the name of the array
    std::string about_;                 ///< contents of the folder
    int files_ = 0;                     ///< number of files so far
};

struct RecoveredWork {
    UnsavedWork work;
    std::vector<Message> missing; ///< one for each array that is lost because its file is gone or has changed
};

/// A copy is a folder; earlier versions wrote a workspace. Throws Error where it is damaged, Cancelled.
RecoveredWork read_recovery_copy(const std::filesystem::path& copy, const RunControl& control = {});

/// Identifies a copy.
struct RecoveryLabel {
    std::string title;      ///< empty if unknown
    std::int64_t saved = 0; ///< seconds since 1970
};

/// nullopt without a complete copy. Reads no array.
std::optional<RecoveryLabel> recovery_label(const std::filesystem::path& copy);

} // namespace attnlab::io
