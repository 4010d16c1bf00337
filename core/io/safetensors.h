// The .safetensors format: a JSON header with the offset of each tensor, followed by their numbers.
#pragma once

#include "core/io/file_formats.h"

#include <cstddef>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

/// True for the first bytes (nine are enough) of such a file: a plausible length and the '{' of a header.
bool begins_safetensors(std::string_view beginning);

/// Reads BOOL, (U)I8..64, F16, BF16, F32 and F64. As in the official implementation, the header takes at most 100 MB
/// and the tensors fill the rest of the file without gaps and overlaps; other files are refused, as are repeated names,
/// integers beyond 2^53 and sizes beyond `limits`. The whole header is checked before memory for numbers is allocated.
/// Throws Error naming file and tensor.
/// `refused`, if not null, receives tensors of other types with the reason instead; `metadata` the texts of the header.
TensorMap read_safetensors(const std::filesystem::path& path, const ReadLimits& limits = {},
                           std::map<std::string, Message>* refused = nullptr,
                           std::map<std::string, std::string, std::less<>>* metadata = nullptr);
/// The same for a file in memory; `name` is used in messages.
TensorMap read_safetensors(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

/// Numbers keep their tensor's dtype; a tensor with a value that its dtype cannot represent exactly becomes F64. Equal
/// maps give equal bytes, those of the official implementation. Atomic as write_tensors. Throws Error, Cancelled; empty
/// names, names that are not UTF-8 and "__metadata__" are refused.
void write_safetensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control = {});
/// The same to a stream, whose state tells whether all was written; `name` is used in messages.
void write_safetensors(std::ostream& stream, const TensorMap& tensors, std::string_view name,
                       const RunControl& control = {});

} // namespace attnlab::io
