// A copy of work that is in no file of the user's, for the case that the program dies.
#pragma once

#include "core/attention.h"
#include "core/io/file_stamp.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::io {

struct UnsavedWork {
    AttentionProblem problem;
    std::string view_json = "{}";
    std::string title = {};                        ///< what the document is called
    std::filesystem::path path = {};               ///< the document's file; empty where it has none
    std::optional<FileStamp> stamp = std::nullopt; ///< what that file was when it was opened or saved
};

/// Writes one folder. An array that stays in a file of the user's is written as the place where it lies and what was
/// written on top of it; another large one once, as a file of its own, and from then on as what differs from that. So a
/// copy costs what was changed, not what there is.
class RecoveryCopy {
public:
    explicit RecoveryCopy(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The copy before stays as it is until this one is complete. Throws Error, Cancelled.
    void write(const UnsavedWork& work, const RunControl& control = {});
    /// Removes the folder, or the file of an earlier version.
    void remove();

private:
    friend class RecoveryWriter;
    /// An array as it was written to a file of its own.
    struct Base {
        Tensor tensor;
        std::string file;
    };

    std::filesystem::path folder_;
    std::map<std::string, Base> bases_; ///< by the name of the array
    std::string about_;                 ///< what is in the folder
    int files_ = 0;                     ///< made so far
};

struct RecoveredWork {
    UnsavedWork work;
    std::vector<Message> missing; ///< of each array that is not in it because its file is gone or has changed
};

/// A copy is a folder; versions before that wrote a workspace. Throws Error where it is damaged.
RecoveredWork read_recovery_copy(const std::filesystem::path& copy);

/// What a copy is of.
struct RecoveryLabel {
    std::string title;      ///< empty where it is not known
    std::int64_t saved = 0; ///< seconds since 1970
};

/// Nothing where there is no complete copy. Reads no array.
std::optional<RecoveryLabel> recovery_label(const std::filesystem::path& copy);

} // namespace attnlab::io
