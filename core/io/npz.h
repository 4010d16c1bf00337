// NumPy's .npz: a zip archive of .npy members, stored or deflated.
#pragma once

#include "core/io/file_formats.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// The member that describes how the arrays are used; see workspace_file.h.
inline constexpr std::string_view workspace_member = "workspace.json";
/// A member with this ending is an array; its name is the part before.
inline constexpr std::string_view array_suffix = ".npy";

/// An archive: arrays by name (without ".npy") and other members as raw bytes.
struct Archive {
    TensorMap tensors;
    std::map<std::string, std::string, std::less<>> others;
    std::vector<std::string> unread = {}; ///< names of members that read_npz does not read
    /// Arrays of text along one axis: all with OtherTypes::Name, query_tokens and key_tokens always; and, with the
    /// former, the reasons why other arrays are not read.
    std::map<std::string, std::vector<std::string>, std::less<>> labels = {};
    std::map<std::string, Message, std::less<>> refused = {};
};

/// Which members read_npz reads: `workspace_member` beside the arrays, every member, or only `workspace_member`.
enum class Members { Workspace, All, WorkspaceAlone };

/// How arrays of text, objects or complex numbers are handled: by an error, or by skipping and reporting them. The
/// labels query_tokens and key_tokens, which results have beside their numbers, are never an error.
enum class OtherTypes { Refuse, Name };

/// Reads the selected members; others are not inflated. Sizes in the directory are checked against `limits` before a
/// member is inflated, and again meanwhile (a zip bomb gives an Error). Large uncompressed arrays stay in the file
/// (ReadLimits::map_from) once their checksum is verified. Throws Error naming file and member.
Archive read_npz(const std::filesystem::path& path, const ReadLimits& limits = {}, Members members = Members::Workspace,
                 OtherTypes other_types = OtherTypes::Refuse);
/// The same for an archive in memory; `name` is used in messages.
Archive read_npz(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {},
                 OtherTypes other_types = OtherTypes::Refuse);

/// Deflated members in name order, arrays last: a desktop recognizes a workspace by its first member. Equal
/// archives give equal bytes. Large file-backed arrays (Tensor::source) are
/// stored uncompressed in their own type, so that they can stay in the new file. Atomic as write_tensors. Throws Error,
/// Cancelled.
void write_npz(const std::filesystem::path& path, const Archive& archive, const RunControl& control = {});

/// Those of `written` that write_npz has stored uncompressed in `path`, as arrays backed by that file. Throws Error.
TensorMap stored_tensors(const std::filesystem::path& path, const TensorMap& written);

} // namespace attnlab::io
