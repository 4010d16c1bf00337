#include "core/io/file_formats.h"

#include "core/io/csv.h"
#include "core/io/figure_file.h"
#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/torch_file.h"
#include "core/utf8.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

namespace attnlab::io {
namespace {

/// The memory of this machine, or of the control group of this process.
std::int64_t memory_of_machine() {
    auto memory = std::numeric_limits<std::int64_t>::max();
    if (const auto pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE); pages > 0 && size > 0)
        memory = static_cast<std::int64_t>(pages) * size;
    for (const auto* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::int64_t limit = 0;
        if (std::ifstream(file) >> limit && limit > 0) // "max": none
            memory = std::min(memory, limit);
    }
    return memory;
}

/// The same, or less after `ulimit -v`.
std::int64_t memory_of_process() {
    static const auto of_machine = memory_of_machine();
    auto memory = of_machine;
    for (const auto kind : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit{};
        if (::getrlimit(kind, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(memory))
            memory = static_cast<std::int64_t>(limit.rlim_cur);
    }
    return memory;
}

std::string lower_suffix(const std::filesystem::path& path) {
    auto suffix = path.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return suffix.empty() ? suffix : suffix.substr(1);
}

std::string listed(const std::vector<std::string>& suffixes) {
    std::string text;
    for (const auto& suffix : suffixes)
        text += (text.empty() ? "." : ", .") + suffix;
    return text;
}

TensorMap arrays_of(const std::filesystem::path& path, const ReadLimits& limits) {
    auto archive = read_npz(path, limits);
    if (archive.tensors.empty() && archive.others.empty() && !archive.unread.empty())
        throw Error({ATTNLAB_TEXT("%1: is a zip archive without arrays (.npy members); its first member is '%2'"),
                     {path.string(), archive.unread.front()}});
    return std::move(archive.tensors);
}

/// The tensors, and the labels for the rows of a matrix.
TensorMap tensors_of_torch(const std::filesystem::path& path, const ReadLimits& limits,
                           std::vector<std::string>* row_labels) {
    auto file = read_torch(path, limits);
    for (auto& [name, labels] : file.labels)
        if (row_labels && (name == "tokens" || name == "query_tokens"))
            *row_labels = std::move(labels);
    TensorMap tensors;
    for (auto& [name, tensor] : file.tensors)
        tensors.emplace(name, std::move(tensor));
    return tensors;
}

const Tensor& only_tensor(const std::filesystem::path& path, const TensorMap& tensors) {
    if (tensors.size() != 1)
        throw Error({ATTNLAB_TEXT("%1: a .%2 file holds one array, not %3; save as .npz"),
                     {path.string(), lower_suffix(path), std::to_string(tensors.size())}});
    return tensors.begin()->second;
}

/// A scalar, a row, or a matrix under leading axes of length 1.
Tensor as_matrix(const std::filesystem::path& path, const std::string& name, const Tensor& tensor) {
    if (tensor.size() == 0 || matrix_count(tensor) != 1)
        throw Error({ATTNLAB_TEXT("%1: '%2' has shape %3, expected one matrix; save as .npz or .npy"),
                     {path.string(), name, to_string(tensor.shape())}});
    const auto columns = tensor.rank() > 0 ? tensor.dim(-1) : 1;
    return tensor.reshaped({tensor.size() / columns, columns});
}

using Path = std::filesystem::path;
using Holds = TensorFormat::Holds;

void write_archive(const Path& path, const TensorMap& tensors, const MatrixLabels&, const RunControl& control) {
    write_npz(path, {tensors, {}}, control);
}

void write_array(const Path& path, const TensorMap& tensors, const MatrixLabels&, const RunControl& control) {
    const auto& tensor = only_tensor(path, tensors);
    write_file(
        path, [&](std::ostream& file) { write_npy(file, tensor, control); }, control);
}

void write_named(const Path& path, const TensorMap& tensors, const MatrixLabels&, const RunControl& control) {
    write_safetensors(path, tensors, control);
}

template <char separator>
void write_text(const Path& path, const TensorMap& tensors, const MatrixLabels& labels, const RunControl& control) {
    const auto matrix = as_matrix(path, tensors.begin()->first, only_tensor(path, tensors));
    write_file(
        path, [&](std::ostream& file) { write_table(file, matrix, separator, labels.rows, labels.columns, control); },
        control);
}

constexpr TensorFormat known_formats[] = {
    {"npz", FileFormat::Npz, Holds::Tensors, ATTNLAB_TEXT("NPZ: NumPy arrays by name"), write_archive},
    {"npy", FileFormat::Npy, Holds::Tensor, ATTNLAB_TEXT("NPY: one NumPy array"), write_array},
    {"safetensors", FileFormat::Safetensors, Holds::Tensors, ATTNLAB_TEXT("Safetensors: tensors by name"), write_named},
    {"pt", FileFormat::Torch},
    {"pth", FileFormat::Torch},
    {"bin", FileFormat::Torch},
    {"ckpt", FileFormat::Torch},
    {"csv", FileFormat::Table, Holds::Matrix, ATTNLAB_TEXT("CSV: text, commas"), write_text<','>, true},
    {"tsv", FileFormat::Table, Holds::Matrix, ATTNLAB_TEXT("TSV: text, tabs"), write_text<'\t'>, true},
    {"txt", FileFormat::Table, Holds::Matrix},
    {"json", FileFormat::Json},
    {"png", FileFormat::Figure},
    {"svg", FileFormat::Figure},
    {"pdf", FileFormat::Figure},
};

const TensorFormat* format_by_suffix(const Path& path) {
    const auto suffix = lower_suffix(path);
    const auto found = std::find_if(std::begin(known_formats), std::end(known_formats),
                                    [&](const TensorFormat& format) { return format.suffix == suffix; });
    return found == std::end(known_formats) ? nullptr : found;
}

template <class Has>
std::vector<std::string> suffixes_of(Has has) {
    std::vector<std::string> suffixes;
    for (const auto& format : known_formats)
        if (has(format))
            suffixes.emplace_back(format.suffix);
    return suffixes;
}

} // namespace

std::int64_t most_in_memory(const ReadLimits& limits) {
    return std::min(limits.max_bytes, limits.memory.value_or(memory_of_process() / 4 * 3));
}

FileFormat format_of(const std::filesystem::path& path, const RunControl* control) {
    const auto beginning = read_beginning(path, 9);
    if (beginning.starts_with("\x93NUMPY"))
        return FileFormat::Npy;
    if (beginning.starts_with("PK\3\4") || beginning.starts_with("PK\5\6"))
        return is_torch_file(path, control) ? FileFormat::Torch : FileFormat::Npz;
    if (has_safetensors_signature(beginning))
        return FileFormat::Safetensors;
    if (begins_figure(beginning))
        return FileFormat::Figure;
    const auto* format = format_by_suffix(path);
    const auto type = format ? format->read_as : FileFormat::Unknown;
    const bool is_text = type == FileFormat::Table || type == FileFormat::Unknown;
    return is_text && has_pickle_signature(beginning) ? FileFormat::Torch
                                                      : type; // an unsupported format, reported as such
}

void fail_by_format(const std::filesystem::path& path) {
    if (read_beginning(path, 4) == "GGUF")
        throw Error({ATTNLAB_TEXT("%1: holds a model (GGUF), which 'attnlab model' opens; expected arrays: %2"),
                     {path.string(), listed(readable_suffixes())}});
    throw Error({ATTNLAB_TEXT("%1: is of an unknown type, expected %2"), {path.string(), listed(readable_suffixes())}});
}

void add_label(std::string label, std::vector<std::string>& labels, std::string_view name) {
    if (std::ssize(labels) == most_labels)
        throw Error({ATTNLAB_TEXT("%1: has more than %2 labels"), {std::string(name), std::to_string(most_labels)}});
    if (std::ssize(label) > longest_label)
        throw Error({ATTNLAB_TEXT("%1: label '%2' has %3 bytes; at most %4 may be read"),
                     {std::string(name), excerpt(label), std::to_string(label.size()), std::to_string(longest_label)}});
    labels.push_back(std::move(label));
}

void check_name(std::string_view name, std::string_view file) {
    if (std::ssize(name) > longest_name)
        throw Error({ATTNLAB_TEXT("%1: the name '%2' has %3 bytes; at most %4 may be read"),
                     {std::string(file), excerpt(name), std::to_string(name.size()), std::to_string(longest_name)}});
}

std::string excerpt(std::string_view text, std::size_t most) {
    auto length = std::min(text.size(), most);
    while (length < text.size() && length > 0 && is_continuation(text[length]))
        --length;
    std::string result(text.substr(0, length));
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
    return result + (length < text.size() ? "…" : "");
}

TensorMap read_tensors(const std::filesystem::path& path, const ReadLimits& limits,
                       std::vector<std::string>* row_labels) {
    TensorMap tensors;
    switch (format_of(path, limits.control)) {
    case FileFormat::Npz:
        return arrays_of(path, limits);
    case FileFormat::Safetensors:
        return read_safetensors(path, limits);
    case FileFormat::Torch:
        return tensors_of_torch(path, limits, row_labels);
    case FileFormat::Npy:
        tensors.emplace(path.stem().string(), read_npy(path, limits));
        return tensors;
    case FileFormat::Table: {
        auto table = read_table(read_file(path, std::min(largest_text, most_in_memory(limits)), limits.control),
                                path.string(), limits);
        if (row_labels)
            *row_labels = std::move(table.row_labels);
        tensors.emplace(path.stem().string(), std::move(table.values));
        return tensors;
    }
    case FileFormat::Json:
        throw Error({ATTNLAB_TEXT("%1: may hold labels of tokens, expected arrays"), {path.string()}});
    case FileFormat::Figure:
        return read_figure(path, limits.control).problem.tensors;
    case FileFormat::Unknown:
        break;
    }
    fail_by_format(path);
}

bool is_archive(const std::filesystem::path& path) { return format_of(path) == FileFormat::Npz; }

std::span<const TensorFormat> tensor_formats() { return known_formats; }

void write_tensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control,
                   const MatrixLabels& labels) {
    const auto* format = format_by_suffix(path);
    if (!format || !format->write)
        throw Error({ATTNLAB_TEXT("%1: cannot be written as this type, expected %2"),
                     {path.string(), listed(writable_suffixes())}});
    format->write(path, tensors, labels, control);
}

const std::vector<std::string>& readable_suffixes() {
    static const auto suffixes = suffixes_of([](const TensorFormat&) { return true; });
    return suffixes;
}

const std::vector<std::string>& writable_suffixes() {
    static const auto suffixes = suffixes_of([](const TensorFormat& format) { return format.write != nullptr; });
    return suffixes;
}

} // namespace attnlab::io
