// A workspace: an .npz of the inputs with one extra member, "workspace.json", so that numpy.load reads the arrays.
#pragma once

#include "core/attention.h"
#include "core/io/file_formats.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attnlab::io {

/// The largest size of the "view" object in bytes; the window's own takes a few hundred.
inline constexpr std::int64_t largest_view = std::int64_t{1} << 16;

/// Reads a workspace; an ordinary .npz (no workspace.json) gives its arrays and a default spec. `view_json`, when not
/// null, receives the "view" object that the window saved (opaque here; "{}" if none).
AttentionProblem read_workspace(const std::filesystem::path& path, std::string* view_json = nullptr,
                                const ReadLimits& limits = {});

/// The same for the bytes of a file, called `name` in errors.
AttentionProblem read_workspace(std::span<const std::byte> bytes, const std::string& name, std::string* view_json);

struct Archive;
/// Everything except the tensors, from the archive `name`; without workspace.json, only `view_json` changes, to "{}".
/// Throws Error; Cancelled where `control`, if not null, is.
void read_workspace_member(const Archive& archive, const std::string& name, AttentionProblem& problem,
                           std::string* view_json, const RunControl* control = nullptr);

/// A workspace, or any file of arrays as a problem with a default spec; the row labels of a text table are its
/// query_tokens.
AttentionProblem read_problem(const std::filesystem::path& path, std::string* view_json = nullptr,
                              const ReadLimits& limits = {});

/// The "view" object of a workspace, without reading its arrays; nullopt where a file is not a workspace. Throws Error.
std::optional<std::string> read_view(const std::filesystem::path& path);
/// The same of an archive.
std::optional<std::string> read_workspace_view(const std::filesystem::path& path);

void write_workspace(const std::filesystem::path& path, const AttentionProblem& problem,
                     const std::string& view_json = "{}", const RunControl& control = {});

/// The spec and token labels as JSON text, and back. Unknown keys are an Error that names them, so that a file from a
/// newer version is not silently half read. "version" is 1.
std::string spec_to_json(const AttentionProblem& problem, const std::string& view_json = "{}");
void spec_from_json(const std::string& text, AttentionProblem& problem, std::string* view_json = nullptr);

} // namespace attnlab::io
