// The header of a .safetensors file: where each tensor's numbers are. Nothing of the numbers is read.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_bytes.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

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
