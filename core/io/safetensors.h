// Reads and writes .safetensors: a JSON header with the offset of each tensor, followed by their numbers.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// True for the first bytes (nine are enough) of such a file: a plausible length and the '{' of a header.
bool has_safetensors_signature(std::string_view beginning);

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
/// `metadata`: texts beside the tensors.
void write_safetensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control = {},
                       const std::map<std::string, std::string, std::less<>>& metadata = {});
/// The same to a stream, whose state tells whether all was written; `name` is used in messages.
void write_safetensors(std::ostream& stream, const TensorMap& tensors, std::string_view name,
                       const RunControl& control = {},
                       const std::map<std::string, std::string, std::less<>>& metadata = {});

// The header of a .safetensors file: where each tensor's numbers are. Nothing of the numbers is read.

/// The limit of the official implementation.
inline constexpr std::int64_t largest_safetensors_header = 100'000'000;
/// The key of the header that is no tensor.
inline constexpr const char* safetensors_metadata = "__metadata__";

/// A tensor as the header declares it.
struct SafetensorsEntry {
    std::string name;
    std::string full_name;             ///< with the file's name, for messages
    std::string type_name;             ///< "F32"
    const ElementType* type = nullptr; ///< null for a type that is not in element_types()
    Shape shape;
    std::int64_t count = 0; ///< of numbers, where the type is known
    std::int64_t begin = 0; ///< of its data, from the beginning of the file
    std::int64_t end = 0;
};

using SafetensorsMetadata = std::map<std::string, std::string, std::less<>>;

/// The message about an entry without a type.
Message unreadable_type(const SafetensorsEntry& entry);

/// The tensors in the order of their data, which fill the rest of the file without gaps and overlaps. `accept` sees
/// each in the order of the header and may throw. `metadata`, if not null, receives the texts beside them. Throws Error
/// naming file and tensor; Cancelled where `control`, if not null, is.
std::vector<SafetensorsEntry> safetensors_entries(const ByteSource& bytes, const std::string& name,
                                                  const std::function<void(const SafetensorsEntry&)>& accept = {},
                                                  SafetensorsMetadata* metadata = nullptr,
                                                  const RunControl* control = nullptr);

/// The number in the first eight bytes, or in fewer.
std::uint64_t safetensors_header_length(std::string_view bytes);

} // namespace attnlab::io
