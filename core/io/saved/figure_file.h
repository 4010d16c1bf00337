// Pictures that carry the settings that made them: in a text chunk of PNG, in the metadata of SVG and PDF.
// docs/file-formats.md#figures
#pragma once

#include "core/attention.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// The largest sizes of a picture that is searched for settings, and of these settings, in bytes.
inline constexpr std::int64_t largest_figure = std::int64_t{1} << 28;
inline constexpr std::int64_t largest_figure_settings = std::int64_t{1} << 23;
/// The largest size of the arrays in a picture, in bytes; larger arrays are left out.
inline constexpr std::int64_t largest_figure_arrays = std::int64_t{1} << 20;

/// Whether a figure has room for them.
bool fits_figure(const TensorMap& arrays);

/// An array that a figure has no room for.
struct ArrayLeftOut {
    std::string name;
    std::string type; ///< "float32"
    Shape shape;
};
std::vector<ArrayLeftOut> left_out_of(const TensorMap& arrays);
/// "key float32 (1, 2, 4096, 64), query float32 (1, 2, 4096, 64)".
std::string text_of(const std::vector<ArrayLeftOut>& arrays);

struct FigureSettings {
    AttentionProblem problem;
    std::string view_json = "{}"; ///< as in a workspace
    /// False where the arrays were too large; `problem` has none then.
    bool has_arrays = false;
    std::vector<ArrayLeftOut> left_out = {}; ///< the arrays that it had no room for
};

/// The settings as one line of JSON, of ASCII without <, > and &. Arrays are in it where they are small enough; so are
/// labels. Of arrays that are too large, as of those `left_out` before, it has names, types and shapes. Throws Error as
/// spec_to_json.
std::string figure_settings_text(const AttentionProblem& problem, const std::string& view_json,
                                 std::vector<ArrayLeftOut> left_out = {});

/// A PNG or an SVG with such a text in it. Throws std::invalid_argument for other bytes.
std::string png_with_settings(std::string_view png, std::string_view settings);
std::string svg_with_settings(std::string_view svg, std::string_view settings);
/// The markup before and after the text in the metadata (XMP) of a PDF.
inline constexpr std::string_view before_pdf_settings = "<attnlab:settings>",
                                  after_pdf_settings = "</attnlab:settings>";

/// True for the first bytes (nine are enough) of a PNG or PDF.
bool begins_figure(std::string_view beginning);

/// Throws Error naming the file where there are no settings, or where they are broken; Cancelled where `control`, if
/// not null, is.
FigureSettings read_figure(const std::filesystem::path& path, const RunControl* control = nullptr);
/// The same of the bytes of a file, called `name` in errors.
FigureSettings read_figure(std::span<const std::byte> bytes, const std::string& name);

} // namespace attnlab::io
