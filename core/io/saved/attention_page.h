// One HTML file that shows matrices of attention: the heads of layers, A beside B, or the levels of a map. It needs no
// network and no other file. Texts are data: a token that looks like markup stays a text.
#pragma once

#include "core/run_control.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// The labels of one side of a matrix.
struct PageAxis {
    std::string title;                ///< "query token"
    std::vector<std::string> labels;  ///< empty: numbers
    std::int64_t first = 0, step = 1; ///< the first number and the step: a bin of a map is several tokens
    std::int64_t end = std::numeric_limits<std::int64_t>::max(); ///< one beyond the last number of a map
};

/// The heads of one pass of a model, one side of a comparison, or one level of a map: matrices of one shape.
struct PageGroup {
    std::string name = {};           ///< "decoder.3.self", "A"; empty if it is the only one
    std::string quantity = {};       ///< "weights"
    std::vector<std::int64_t> heads; ///< their numbers; mean_of_page_heads: their mean. At least one
    bool names_heads = true;         ///< false: the stage has no heads
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values = {}; ///< (heads, rows, columns)
    std::vector<bool> blocked = {};  ///< the same shape, or empty: nothing is blocked
    PageAxis row_axis = {}, column_axis = {};
    bool diverging = false; ///< colours are centred on 0
};
inline constexpr std::int64_t mean_of_page_heads = -1;

struct AttentionPage {
    std::string title = {};
    std::string language = {}; ///< "en" or "zh_CN"; empty: the browser's
    std::vector<PageGroup> groups = {};
    bool is_map = false; ///< groups are levels of one map, the finest first; bins of the next are 2 x 2 bins
    bool logarithmic = false;
    std::optional<double> low = std::nullopt, high = std::nullopt; ///< ends of the colours; nullopt: of the numbers
    bool every_number = false; ///< all numbers are exact, however large the page becomes
    std::size_t group = 0;     ///< shown first
    std::size_t head = 0;      ///< its index in `heads`
};

/// The program inside the page, the same for all pages.
struct PageViewer {
    std::string html; ///< with {{policy}}, {{title}}, {{style}}, {{data}} and {{script}}
    std::string style;
    std::string script;
    std::string style_hash; ///< "sha256-…" of the text between the tags
    std::string script_hash;
    std::string sequential; ///< 256 colours: 768 bytes, red, green, blue
    std::string diverging;
    std::string diverging_dark;
};

/// Beyond this size no more exact numbers are added. Every page has a byte for each cell.
inline constexpr std::int64_t usual_page_bytes = 300'000;
/// More cells are refused.
inline constexpr std::int64_t most_page_cells = std::int64_t{1} << 24;

/// Each cell is one byte, which gives its colour: the sign and the logarithm, to within 3.2 % of the number (6.3 %
/// where numbers have signs), or 0, an infinity, NaN, or blocked. Numbers follow where usual_page_bytes has room: all
/// of them in float64, else all in float32, else the largest ones in float32. The page says which numbers are exact.
/// Throws Error for a page without cells or with more than most_page_cells; Cancelled.
std::string attention_page(const AttentionPage& page, const PageViewer& viewer, const RunControl& control = {});

/// The number of cells that a page with these groups has. Throws Error as attention_page.
std::int64_t require_page_cells(std::int64_t cells);

/// JSON text as the contents of a script element: it neither ends the element nor begins a comment in it.
std::string as_data_block(std::string_view json);

} // namespace attnlab::io
