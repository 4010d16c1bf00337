// Reads files into a list of what they hold.
#pragma once

#include "core/io/file_formats.h"
#include "core/recognition/contents.h"

#include <filesystem>
#include <span>

namespace attnlab::io {

/// Everything that `paths` hold, in their order: arrays of every readable format, labels, and a workspace's settings.
/// Throws Error that names the file and the member for what is damaged, and where two files are workspaces.
Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits = {});

} // namespace attnlab::io
