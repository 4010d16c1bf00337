// The header of a .gguf file (versions 2 and 3, little-endian): metadata, and where each tensor's numbers are.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include "core/io/file_bytes.h"
#include "core/model/weights/gguf_metadata.h"
#include "core/model/weights/weight_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// A type of ggml.
struct GgufType {
    std::uint32_t id;
    std::string_view name;
    std::int64_t block, bytes;      ///< as in WeightTypeInfo
    std::optional<WeightType> type; ///< none for what is not read
};

struct GgufTensor {
    std::string name;
    std::string full_name; ///< with the file's name, for messages
    Shape shape;           ///< row-major: ggml's dimensions in reverse
    const GgufType* type = nullptr;
    std::int64_t begin = 0; ///< of its data, from the beginning of the file
    std::int64_t size = 0;  ///< bytes
};

struct GgufHeader {
    std::int64_t version = 0;
    std::int64_t alignment = 0;
    GgufMetadata metadata;
    std::vector<GgufTensor> tensors; ///< in the order of the file
};

/// The largest header with metadata: that of a vocabulary of a million tokens has some 50 MB.
inline constexpr std::int64_t largest_gguf_header = std::int64_t{256} << 20;

/// True for the first four bytes of such a file.
bool begins_gguf(std::string_view beginning);

/// Everything is checked against the size of the file before memory for it is asked for. Throws Error naming file, and
/// tensor or key; Cancelled where `control`, if not null, is.
GgufHeader read_gguf_header(const io::ByteSource& bytes, const std::string& name, const RunControl* control = nullptr);

} // namespace attnlab::model
