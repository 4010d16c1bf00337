#include "core/io/saved/figure_file.h"

#include "core/io/base64.h"
#include "core/io/file_bytes.h"
#include "core/io/json.h"
#include "core/io/png.h"
#include "core/io/safetensors.h"
#include "core/io/saved/workspace_file.h"

#include <nlohmann/json.hpp>

#include <array>
#include <sstream>
#include <stdexcept>

namespace attnlab::io {
namespace {

constexpr std::string_view pdf_signature = "%PDF-";
constexpr std::string_view png_keyword = "attnlab"; ///< of a tEXt chunk
constexpr std::string_view before_svg_settings = "<metadata id=\"attnlab\">", after_svg_settings = "</metadata>";
constexpr std::int64_t settings_version = 1;

/// The text of the chunk; nullopt without one.
std::optional<std::string> settings_in_png(const ByteSource& file, const std::string& name) {
    const auto broken = [&name] { return Error({ATTNLAB_TEXT("%1: is broken: a chunk does not fit it"), {name}}); };
    for (std::int64_t at = std::ssize(png_signature); at + 12 <= file.size();) {
        const auto header = file.text(at, 8);
        const auto length = static_cast<std::int64_t>(png_number(header));
        if (length > file.size() - at - 12)
            throw broken();
        const auto kind = header.substr(4);
        if (kind == "IEND")
            break;
        if (kind == "tEXt" && length > std::ssize(png_keyword) && length <= largest_figure_settings &&
            file.text(at + 8, std::ssize(png_keyword) + 1) == std::string(png_keyword) + '\0') {
            const auto chunk = file.text(at + 4, length + 4);
            if (png_number(file.text(at + 8 + length, 4)) != png_checksum(chunk))
                throw broken();
            return chunk.substr(4 + png_keyword.size() + 1);
        }
        at += length + 12;
    }
    return std::nullopt;
}

/// Some programs write quotes in other words when they save.
std::string without_entities(std::string_view text, const RunControl* control) {
    constexpr std::array<std::pair<std::string_view, char>, 2> known{{{"&quot;", '"'}, {"&apos;", '\''}}};
    std::string plain;
    constexpr std::size_t between_checkpoints = 1 << 16;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (control && plain.size() % between_checkpoints == 0)
            control->checkpoint();
        plain += text[i];
        for (const auto& [word, letter] : known)
            if (text[i] == '&' && text.substr(i, word.size()) == word) {
                plain.back() = letter;
                i += word.size() - 1;
                break;
            }
    }
    return plain;
}

std::optional<std::string> settings_between(std::string_view text, std::string_view before, std::string_view after,
                                            const RunControl* control) {
    const auto begin = text.find(before);
    if (begin == text.npos)
        return std::nullopt;
    const auto rest = text.substr(begin + before.size());
    const auto length = rest.find(after);
    return length == rest.npos ? std::nullopt : std::optional(without_entities(rest.substr(0, length), control));
}

std::optional<std::string> settings_in(const ByteSource& file, const std::string& name, const RunControl* control) {
    if (file.size() > largest_figure)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes; of a picture at most %3 are read"),
                     {name, std::to_string(file.size()), std::to_string(largest_figure)}});
    const auto beginning = file.text(0, std::min<std::int64_t>(file.size(), std::ssize(png_signature)));
    if (beginning == png_signature)
        return settings_in_png(file, name);
    const auto text = file.text(0, file.size(), control);
    return beginning.starts_with(pdf_signature)
               ? settings_between(text, before_pdf_settings, after_pdf_settings, control)
               : settings_between(text, before_svg_settings, after_svg_settings, control);
}

FigureSettings parse_settings(const std::string& text, const std::string& name, const RunControl* control) {
    const auto json = parse_json(text, name + ": settings", {.max_bytes = largest_figure_settings, .control = control});
    const auto& root = json.root();
    if (const auto& version = root.at("attnlab_figure"); version.integer() != settings_version)
        version.fail_expecting(ATTNLAB_TEXT("1: a newer version may mean something else"));
    root.require_keys({"attnlab_figure", "workspace", "arrays", "left_out"});
    FigureSettings settings;
    spec_from_json(dump(to_json(root.at("workspace"))), settings.problem, &settings.view_json);
    if (const auto* arrays = root.find("arrays")) {
        const auto bytes = from_base64(arrays->text());
        settings.problem.tensors = read_safetensors(std::as_bytes(std::span(bytes)), name);
        settings.has_arrays = true;
    }
    if (const auto* left_out = root.find("left_out"))
        for (const auto& array : left_out->items()) {
            array.require_keys({"name", "type", "shape"});
            ArrayLeftOut known{array.at("name").text(), array.at("type").text(), {}};
            for (const auto& size : array.at("shape").items())
                known.shape.push_back(size.integer());
            settings.left_out.push_back(std::move(known));
        }
    return settings;
}

FigureSettings settings_of_figure(const ByteSource& file, const std::string& name, const RunControl* control) {
    const auto text = settings_in(file, name, control);
    if (!text)
        throw Error({ATTNLAB_TEXT("%1: is a picture without settings of AttnLab, expected one that AttnLab has "
                                  "exported with its inputs, as it was written"),
                     {name}});
    try {
        return parse_settings(*text, name, control);
    } catch (const Error& error) {
        throw Error({ATTNLAB_TEXT("%1: has settings that cannot be read: %2"), {name, error.what()}});
    }
}

std::int64_t bytes_of_number(DType dtype) {
    switch (dtype) {
    case DType::Bool:
        return 1;
    case DType::BFloat16:
    case DType::Float16:
        return 2;
    case DType::Float32:
        return 4;
    case DType::Int64:
    case DType::Float64:
        return 8;
    }
    return 8;
}

} // namespace

bool fits_figure(const TensorMap& arrays) {
    constexpr std::int64_t header = 256; // of each array, at most
    std::int64_t bytes = header;
    for (const auto& [name, tensor] : arrays)
        bytes += tensor.size() * bytes_of_number(tensor.dtype()) + header + std::ssize(name);
    return bytes <= largest_figure_arrays;
}

std::vector<ArrayLeftOut> left_out_of(const TensorMap& arrays) {
    std::vector<ArrayLeftOut> left_out;
    for (const auto& [name, tensor] : arrays)
        left_out.push_back({name, std::string(name_of(tensor.dtype())), tensor.shape()});
    return left_out;
}

std::string text_of(const std::vector<ArrayLeftOut>& arrays) {
    std::string text;
    for (const auto& array : arrays)
        text += (text.empty() ? "" : ", ") + array.name + ' ' + array.type + ' ' + to_string(array.shape);
    return text;
}

std::string figure_settings_text(const AttentionProblem& problem, const std::string& view_json,
                                 std::vector<ArrayLeftOut> left_out) {
    auto described = problem;
    described.tensors.clear();
    if (std::ssize(spec_to_json(described, view_json)) > largest_figure_arrays)
        described.query_tokens = described.key_tokens = {};
    auto json = nlohmann::json{{"attnlab_figure", settings_version},
                               {"workspace", nlohmann::json::parse(spec_to_json(described, view_json))}};
    if (!problem.tensors.empty() && fits_figure(problem.tensors)) {
        std::ostringstream bytes;
        write_safetensors(bytes, problem.tensors, "figure");
        json["arrays"] = to_base64(bytes.view());
    } else if (left_out.empty()) {
        left_out = left_out_of(problem.tensors);
    }
    for (const auto& array : left_out)
        json["left_out"].push_back({{"name", array.name}, {"type", array.type}, {"shape", array.shape}});
    std::string safe;
    for (const char letter : json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
        if (letter == '<' || letter == '>' || letter == '&')
            safe += letter == '<' ? "\\u003c" : letter == '>' ? "\\u003e" : "\\u0026";
        else
            safe += letter;
    }
    return safe;
}

std::string png_with_settings(std::string_view png, std::string_view settings) {
    if (!png.starts_with(png_signature) || png.size() < png_header_end)
        throw std::invalid_argument("png_with_settings: no PNG");
    const auto text = std::string(png_keyword) + '\0' + std::string(settings);
    return std::string(png.substr(0, png_header_end)) + png_chunk("tEXt", text) +
           std::string(png.substr(png_header_end));
}

std::string svg_with_settings(std::string_view svg, std::string_view settings) {
    const auto root = svg.find("<svg");
    const auto end = root == svg.npos ? root : svg.find('>', root);
    if (end == svg.npos)
        throw std::invalid_argument("svg_with_settings: no SVG");
    return std::string(svg.substr(0, end + 1)) + "\n" + std::string(before_svg_settings) + std::string(settings) +
           std::string(after_svg_settings) + std::string(svg.substr(end + 1));
}

bool begins_figure(std::string_view beginning) {
    return beginning.starts_with(png_signature) || beginning.starts_with(pdf_signature);
}

FigureSettings read_figure(const std::filesystem::path& path, const RunControl* control) {
    return settings_of_figure(InputFile(path), path.string(), control);
}

FigureSettings read_figure(std::span<const std::byte> bytes, const std::string& name) {
    return settings_of_figure(MemoryBytes(bytes), name, nullptr);
}

} // namespace attnlab::io
