#include "core/io/csv.h"
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/label_files.h"
#include "core/io/matrix_text.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

std::string text_of(const Path& path, const ReadLimits& limits) {
    return read_file(path, std::min(largest_text, most_in_memory(limits)), limits.control);
}

TensorMap read_text_table(const Path& path, const ReadLimits& limits, std::vector<std::string>* row_labels) {
    auto table = read_table(text_of(path, limits), path.string(), limits);
    if (row_labels)
        *row_labels = std::move(table.row_labels);
    TensorMap tensors;
    tensors.emplace(path.stem().string(), std::move(table.values));
    return tensors;
}

/// A .txt may be a list of labels.
void hold_text(FileContents& file) {
    const auto text = text_of(file.path(), file.limits());
    if (file.path().extension() == ".txt" && !is_matrix_text(text) && is_label_text(text, file.limits().control))
        return file.hold(file.stem(), read_label_text(text, file.name(), file.limits().control));
    auto table = read_table(text, file.name(), file.limits());
    file.hold(file.stem(), std::move(table.values));
    const bool both = !table.row_labels.empty() && !table.column_labels.empty(); // as weights with their tokens are
    file.hold("query_tokens", std::move(table.row_labels));
    if (both)
        file.hold("key_tokens", std::move(table.column_labels));
    else if (!table.column_labels.empty())
        file.leave("column labels", {ATTNLAB_TEXT("%1 column labels are not read: labels of keys come as key_tokens"),
                                     {std::to_string(table.column_labels.size())}});
}

/// A scalar, a row, or a matrix under leading axes of length 1.
Tensor as_matrix(const std::filesystem::path& path, const std::string& name, const Tensor& tensor) {
    if (tensor.size() == 0 || matrix_count(tensor) != 1)
        throw Error({ATTNLAB_TEXT("%1: '%2' has shape %3, expected one matrix; save as .npz or .npy"),
                     {path.string(), name, to_string(tensor.shape())}});
    const auto columns = tensor.rank() > 0 ? tensor.dim(-1) : 1;
    return tensor.reshaped({tensor.size() / columns, columns});
}

template <char separator>
void write_text(const Path& path, const TensorMap& tensors, const MatrixLabels& labels, const RunControl& control) {
    const auto matrix = as_matrix(path, tensors.begin()->first, only_tensor(path, tensors));
    write_file(
        path, [&](std::ostream& file) { write_table(file, matrix, separator, labels.rows, labels.columns, control); },
        control);
}

constexpr TensorFormat table_suffixes[] = {
    {"csv", TensorFormat::Holds::Matrix, ATTNLAB_TEXT("CSV: text, commas"), write_text<','>, true},
    {"tsv", TensorFormat::Holds::Matrix, ATTNLAB_TEXT("TSV: text, tabs"), write_text<'\t'>, true},
    {"txt", TensorFormat::Holds::Matrix}};

} // namespace

FileFormat table_format() {
    return {
        .place = 50, .suffixes = table_suffixes, .read = read_text_table, .read_contents = hold_text, .is_text = true};
}

} // namespace attnlab::io
