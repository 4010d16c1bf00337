// Reads files into a list of their contents.
#pragma once

#include "core/io/file_formats.h"
#include "core/recognition/contents.h"

#include <filesystem>
#include <span>

namespace attnlab::io {

/// The contents of all `paths`, in order: arrays of every readable format, labels, and a workspace's settings. Throws
/// Error with the file and the member for damaged data, and where two files are workspaces; Cancelled
/// (ReadLimits::control).
Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits = {});

} // namespace attnlab::io
