// The numbers of a result with their tokens, the names of their axes, and the settings of the computation.
#pragma once

#include "core/attention.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// "batch", "head", "query", "key", "feature", "tile", "hash", "vocabulary".
std::string_view axis_name(Axis axis);

/// The member of an .npz, and the key in the metadata of a .safetensors, whose JSON explains the arrays.
inline constexpr std::string_view about_member = "about.json", about_key = "attnlab_about";

/// What is written beside some stages.
struct ResultInfo {
    std::string program;  ///< "AttnLab 1.0.0"
    std::string settings; ///< JSON, as spec_to_json() gives it; empty: none
    std::vector<std::string> query_tokens, key_tokens;
};
/// The program, the axes of each stage, tokens and settings as JSON.
std::string about_text(const std::vector<const Stage*>& stages, const ResultInfo& info);

/// Writes stages by extension, as write_tensors(). An .npz has also `query_tokens` and `key_tokens` as arrays of text,
/// and about.json; a .safetensors has the JSON in its metadata. Throws Error, Cancelled.
void write_result(const std::filesystem::path& path, const std::vector<const Stage*>& stages, const ResultInfo& info,
                  const RunControl& control = {});

/// The description of arrays that are not the stages of one trace, such as the weights of every layer of a model.
struct ArrayInfo {
    std::string program;
    std::string settings;                                   ///< JSON; empty: none
    std::map<std::string, std::vector<std::string>> axes;   ///< by array: "head", "query", "key"
    std::map<std::string, std::vector<std::string>> tokens; ///< by the part that reads them: "encoder", "decoder"
};
/// An .npz has about.json, a .safetensors the same text in its metadata. Throws Error, Cancelled.
void write_arrays(const std::filesystem::path& path, const TensorMap& arrays, const ArrayInfo& info,
                  const RunControl& control = {});

// Tables.

struct TableOptions {
    char separator = ',';
    bool labels = false; ///< tokens as the first row and column
    bool byte_order_mark = false;
    bool escapes_formulas = false; ///< texts that a spreadsheet would take for formulas begin with an apostrophe
};
/// One matrix of a stage. Throws Error, Cancelled.
void write_matrix_table(const std::filesystem::path& path, const Tensor& matrix, const std::vector<std::string>& rows,
                        const std::vector<std::string>& columns, const TableOptions& options,
                        const RunControl& control = {});
/// One line for each number: stage, an index for each axis, the tokens of queries and keys, value. The stages have the
/// same axes. Throws Error where they have not, Cancelled.
void write_long_table(const std::filesystem::path& path, const std::vector<const Stage*>& stages,
                      const ResultInfo& info, const TableOptions& options, const RunControl& control = {});

} // namespace attnlab::io
