// Files of torch.save (.pt, .pth, .bin, .ckpt): zip archives whose pickle is read without executing anything.
#pragma once

#include "core/io/file_formats.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::io {

/// The contents of a file, in order. Names are the keys of dictionaries and the indices in lists and tuples, joined by
/// '.': "layer.0.weight", "attentions.11". A top-level value is named after the file's stem.
struct TorchFile {
    std::vector<std::pair<std::string, Tensor>> tensors;
    /// Lists of text, such as tokens.
    std::vector<std::pair<std::string, std::vector<std::string>>> labels;
    /// Everything else, with a description: "the number 3". Without the internal state of modules.
    std::vector<std::pair<std::string, Message>> others;
};

/// True for the first two bytes of a pickle of protocol 2 to 5, as PyTorch wrote them before it wrote zip archives.
bool begins_pickle(std::string_view beginning);

/// True for a zip archive that holds the data.pkl of torch.save or of TorchScript, regardless of its suffix. Throws
/// Error when the file cannot be read; Cancelled where `control`, if not null, is.
bool is_torch_file(const std::filesystem::path& path, const RunControl* control = nullptr);

/// Reads bool, (u)int8..64, (b)float16 and float32/64 in either byte order, views, and NumPy arrays. Refuses with a
/// named reason: classes and functions other than those of tensors and plain values, complex, quantized and 8-bit
/// floating numbers, TorchScript, the format before PyTorch 1.6, integers beyond 2^53, views that exceed their storage.
/// Large arrays of floats stay in the file (ReadLimits::map_from) without a checksum test; so do smaller ones where all
/// together would take several times that in memory. Throws Error naming file and tensor.
TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits = {});
/// The same for a file in memory, which is copied; `name` is used in messages.
TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

} // namespace attnlab::io
