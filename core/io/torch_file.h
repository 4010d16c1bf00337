// Files of PyTorch's torch.save (.pt, .pth, .bin, .ckpt): zip archives whose pickle is read without running anything.
#pragma once

#include "core/io/file_formats.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::io {

/// What is in a file, in its order. Names are the keys of dictionaries and the places in lists and tuples, joined by
/// '.': "layer.0.weight", "attentions.11". What stands alone is named after the file's stem.
struct TorchFile {
    std::vector<std::pair<std::string, Tensor>> tensors;
    /// Lists of text, such as tokens.
    std::vector<std::pair<std::string, std::vector<std::string>>> labels;
    /// All else, with what it is: "the number 3". State that modules keep for themselves is not among them.
    std::vector<std::pair<std::string, Message>> others;
};

/// True for the first two bytes of a pickle of protocol 2 to 5, as PyTorch wrote them before it wrote zip archives.
bool begins_pickle(std::string_view beginning);

/// True for a zip archive that holds the data.pkl of torch.save or of TorchScript, whatever its suffix. Throws Error
/// when the file cannot be read.
bool is_torch_file(const std::filesystem::path& path);

/// Reads bool, (u)int8..64, (b)float16 and float32/64 in either byte order, views, and NumPy's arrays among them.
/// Refuses by name: classes and functions other than those that tensors and plain values are made of, complex,
/// quantized and 8-bit floating numbers, TorchScript, the format of before PyTorch 1.6, integers beyond 2^53, views
/// that reach out of their storage. Large arrays of floats stay in the file (ReadLimits::map_from), unchecked by a
/// checksum; so do smaller ones where all together would take several times that in memory. Throws Error naming file
/// and tensor.
TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits = {});
/// The same for a file in memory, of which it keeps a copy; `name` is what messages call it.
TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

} // namespace attnlab::io
