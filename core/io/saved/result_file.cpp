#include "core/io/saved/result_file.h"

#include "core/io/csv.h"
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/temporary_file.h"
#include "core/message.h"
#include "core/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace attnlab::io {
namespace {

constexpr std::string_view excel_mark = "\xEF\xBB\xBF";

std::string escaped(std::string text, const TableOptions& options) {
    if (options.escapes_formulas && !text.empty() &&
        std::string_view("=+-@\t\r").find(text.front()) != std::string::npos)
        text.insert(text.begin(), '\'');
    return text;
}

std::vector<std::string> escaped(std::vector<std::string> texts, const TableOptions& options) {
    for (auto& text : texts)
        text = escaped(std::move(text), options);
    return texts;
}

/// A field of a table, in quotes where it needs them.
std::string table_field(const std::string& text, const TableOptions& options) {
    std::string plain = escaped(text, options);
    if (plain.find_first_of(std::string("\"\n\r") + options.separator) == std::string::npos)
        return plain;
    std::string quoted = "\"";
    for (const char letter : plain)
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    return quoted + '"';
}

} // namespace

std::string_view axis_name(Axis axis) {
    switch (axis) {
    case Axis::Batch:
        return "batch";
    case Axis::Head:
        return "head";
    case Axis::Query:
        return "query";
    case Axis::Key:
        return "key";
    case Axis::Feature:
        return "feature";
    case Axis::Tile:
        return "tile";
    case Axis::Hash:
        return "hash";
    case Axis::Vocabulary:
        return "vocabulary";
    }
    return {};
}

std::string about_text(const std::vector<const Stage*>& stages, const ResultInfo& info) {
    auto axes = nlohmann::json::object();
    for (const Stage* stage : stages) {
        auto names = nlohmann::json::array();
        for (const Axis axis : stage->axes)
            names.push_back(axis_name(axis));
        axes[stage->name] = names;
    }
    nlohmann::json about{{"program", info.program}, {"axes", axes}};
    if (!info.query_tokens.empty())
        about["query_tokens"] = info.query_tokens;
    if (!info.key_tokens.empty())
        about["key_tokens"] = info.key_tokens;
    if (!info.settings.empty())
        about["settings"] = nlohmann::json::parse(info.settings);
    return about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_result(const std::filesystem::path& path, const std::vector<const Stage*>& stages, const ResultInfo& info,
                  const RunControl& control) {
    TensorMap tensors;
    for (const Stage* stage : stages)
        tensors.emplace(stage->name, stage->value);
    if (path.extension() == ".npz") {
        Archive archive{std::move(tensors), {{std::string(about_member), about_text(stages, info)}}};
        for (const auto& [name, tokens] :
             {std::pair("query_tokens", &info.query_tokens), {"key_tokens", &info.key_tokens}})
            if (!tokens->empty() && !archive.tensors.contains(name))
                archive.labels.emplace(name, *tokens);
        return write_npz(path, archive, control);
    }
    if (path.extension() == ".safetensors")
        return write_safetensors(path, tensors, control, {{std::string(about_key), about_text(stages, info)}});
    write_tensors(path, tensors, control);
}

void write_arrays(const std::filesystem::path& path, const TensorMap& arrays, const ArrayInfo& info,
                  const RunControl& control) {
    nlohmann::json about{{"program", info.program}, {"axes", info.axes}};
    if (!info.tokens.empty())
        about["tokens"] = info.tokens;
    if (!info.settings.empty())
        about["settings"] = nlohmann::json::parse(info.settings);
    const auto text = about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (path.extension() == ".npz")
        return write_npz(path, {arrays, {{std::string(about_member), text}}}, control);
    if (path.extension() == ".safetensors")
        return write_safetensors(path, arrays, control, {{std::string(about_key), text}});
    write_tensors(path, arrays, control);
}

void write_matrix_table(const std::filesystem::path& path, const Tensor& matrix, const std::vector<std::string>& rows,
                        const std::vector<std::string>& columns, const TableOptions& options,
                        const RunControl& control) {
    write_file(
        path,
        [&](std::ostream& file) {
            if (options.byte_order_mark)
                file << excel_mark;
            write_table(file, matrix, options.separator,
                        options.labels ? escaped(rows, options) : std::vector<std::string>(),
                        options.labels ? escaped(columns, options) : std::vector<std::string>(), control);
        },
        control);
}

void write_long_table(const std::filesystem::path& path, const std::vector<const Stage*>& stages,
                      const ResultInfo& info, const TableOptions& options, const RunControl& control) {
    const auto& axes = stages.front()->axes;
    for (const Stage* stage : stages)
        if (stage->axes != axes)
            throw Error({ATTNLAB_TEXT("stage %1 has other axes than %2, expected stages with the same for one table"),
                         {stage->name, stages.front()->name}});
    const auto& keys = info.key_tokens.empty() ? info.query_tokens : info.key_tokens;
    const auto tokens_of = [&](Axis axis) -> const std::vector<std::string>* {
        return axis == Axis::Query && !info.query_tokens.empty() ? &info.query_tokens
               : axis == Axis::Key && !keys.empty()              ? &keys
                                                                 : nullptr;
    };
    write_file(
        path,
        [&](std::ostream& file) {
            const std::string separator(1, options.separator);
            if (options.byte_order_mark)
                file << excel_mark;
            file << "stage";
            for (const Axis axis : axes)
                file << separator << axis_name(axis);
            for (const Axis axis : axes)
                if (tokens_of(axis))
                    file << separator << axis_name(axis) << "_token";
            file << separator << "value\n";
            for (const Stage* stage : stages) {
                const auto& shape = stage->value.shape();
                std::vector<std::int64_t> index(shape.size(), 0);
                const auto* numbers = stage->value.data();
                for (std::int64_t i = 0; i < stage->value.size() && file; ++i) {
                    if (index.empty() || index.back() == 0)
                        control.checkpoint();
                    std::string line = table_field(stage->name, options);
                    for (const auto at : index)
                        line += separator + std::to_string(at);
                    for (std::size_t axis = 0; axis < axes.size(); ++axis)
                        if (const auto* tokens = tokens_of(axes[axis]))
                            line += separator +
                                    (index[axis] < std::ssize(*tokens)
                                         ? table_field((*tokens)[static_cast<std::size_t>(index[axis])], options)
                                         : std::string());
                    file << line << separator << to_text(numbers[i]) << '\n';
                    for (std::size_t axis = shape.size(); axis-- > 0;) {
                        if (++index[axis] < shape[axis])
                            break;
                        index[axis] = 0;
                    }
                }
            }
        },
        control);
}

} // namespace attnlab::io
