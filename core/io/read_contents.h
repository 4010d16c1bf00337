// Reads files into a list of their contents.
#pragma once

#include "core/io/file_formats.h"
#include "core/recognition/contents.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace attnlab::io {

/// Where the reader of a format puts what it finds in a file.
class FileContents {
public:
    /// Adds to `contents`, which outlives it as `path` and `limits` do. `has_types`: see HeldArray.
    FileContents(Contents& contents, const std::filesystem::path& path, const ReadLimits& limits, bool has_types)
        : contents_(contents), path_(path), name_(path.string()), stem_(path.stem().string()), limits_(limits),
          has_types_(has_types) {}

    const std::filesystem::path& path() const { return path_; }
    const std::string& name() const { return name_; } ///< for messages
    const std::string& stem() const { return stem_; } ///< the name of a single array
    const ReadLimits& limits() const { return limits_; }

    void hold(std::string name, Tensor tensor);
    void hold(std::string name, std::vector<std::string> labels);
    /// Something that is not read, and why.
    void leave(std::string name, Message what);
    /// Without the tensors. Throws Error for a second one.
    void hold_workspace(AttentionProblem problem, std::string view_json);
    /// Its tensors are held, too. Throws Error for a second one.
    void hold_capture(Capture capture);

private:
    Contents& contents_;
    const std::filesystem::path& path_;
    std::string name_, stem_;
    const ReadLimits& limits_;
    bool has_types_;
};

/// The contents of all `paths`, in order: arrays of every readable format, labels, and a workspace's settings. Throws
/// Error with the file and the member for damaged data, and where two files are workspaces; Cancelled
/// (ReadLimits::control).
Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits = {});

} // namespace attnlab::io
