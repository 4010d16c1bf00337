// Opening and saving tensors by file name, and the rules that all readers share.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// Limits that every reader applies before it asks for memory.
struct ReadLimits {
    std::int64_t max_elements = std::int64_t{1} << 30; ///< per array
    std::int64_t max_bytes = std::int64_t{8} << 30;    ///< all arrays of one file together, as held in memory
    /// Bytes from which on an array of floats stays in its file, mapped (see Tensor::in_memory), and counts towards
    /// neither limit. Arrays in archives and in Fortran order are always read.
    std::int64_t map_from = std::int64_t{64} << 20;
};

/// Bytes of a text table, which is held as a whole while it is read.
inline constexpr std::int64_t largest_text = std::int64_t{1} << 30;

/// Names of rows, columns and tokens: so many along an axis, and so many bytes each.
inline constexpr std::int64_t most_labels = 1'000'000;
inline constexpr std::int64_t longest_label = std::int64_t{1} << 16;
/// Appends a label that was read from `name`. Throws Error beyond the limits.
void add_label(std::string label, std::vector<std::string>& labels, std::string_view name);

/// One line of at most `most` bytes for a message about `text`, with "…" for what is cut off, and no character of UTF-8
/// cut in two.
std::string excerpt(std::string_view text, std::size_t most = 40);

enum class FileFormat { Npy, Npz, Safetensors, Torch, Table, Json, Unknown };

/// By its content where it has a signature, and by extension otherwise. Throws Error when the file cannot be read.
FileFormat format_of(const std::filesystem::path& path);
/// Throws the Error that names the types that can be read.
[[noreturn]] void fail_by_format(const std::filesystem::path& path);

/// Reads any supported file by its content where it has a signature (.npy, .npz, .safetensors, .pt) and by extension
/// otherwise (.csv, .tsv, .txt). A file with one array names it after the file's stem. Throws Error that names the file
/// and the member. `row_labels`, when not null, receives those of a text table, or the list "tokens" of a .pt.
TensorMap read_tensors(const std::filesystem::path& path, const ReadLimits& limits = {},
                       std::vector<std::string>* row_labels = nullptr);

/// True for .npz archives (by signature, or by extension where the file has none). Throws Error as read_tensors.
bool is_archive(const std::filesystem::path& path);

/// Labels of a matrix, which text tables hold beside its numbers.
struct MatrixLabels {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
};

/// A type of file that holds tensors.
struct TensorFormat {
    /// What one file of it holds.
    enum class Holds { Matrix, Tensor, Tensors };

    std::string_view suffix; ///< without the dot
    FileFormat read_as;
    Holds holds = Holds::Tensors;
    const char* title = nullptr; ///< for people; ATTNLAB_TEXT
    /// Null for a type that is only read.
    void (*write)(const std::filesystem::path& path, const TensorMap& tensors, const MatrixLabels& labels,
                  const RunControl& control) = nullptr;
    bool has_labels = false; ///< holds MatrixLabels
};
/// All of them. Readers, writers, dialogs and commands take theirs from here.
std::span<const TensorFormat> tensor_formats();

/// Writes by extension, one matrix, one tensor or all tensors as the type holds them (Error for others). The file
/// appears whole or not at all (see write_file). Throws Error, Cancelled.
void write_tensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control = {},
                   const MatrixLabels& labels = {});

/// Suffixes of all tensor_formats, and of those that can be written.
const std::vector<std::string>& readable_suffixes();
const std::vector<std::string>& writable_suffixes();

/// Throws the Error that writing to `path` would end with, as far as that is known beforehand: it is a folder or a
/// device, or may not be written. Also removes what writers that died have left in its folder.
void check_output(const std::filesystem::path& path);

} // namespace attnlab::io
