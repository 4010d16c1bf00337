#include "core/io/saved/attention_page.h"

#include "core/io/base64.h"
#include "core/io/json.h"
#include "core/utf8.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <zlib.h>

namespace attnlab::io {
namespace {

/// Bytes of cells; 1 to 250 are magnitudes.
enum CellCode : unsigned char {
    ZeroCell = 0,
    LevelCount = 250,
    MinusInfiniteCell = 252,
    PlusInfiniteCell = 253,
    NanCell = 254,
    BlockedCell = 255
};

/// The bits of a float without its sign, as the levels read them: exponent, then `mantissa_bits` of the mantissa.
template <class Float>
struct FloatBits;
template <>
struct FloatBits<float> {
    using Word = std::uint32_t;
    static constexpr int mantissa = 23;
};
template <>
struct FloatBits<double> {
    using Word = std::uint64_t;
    static constexpr int mantissa = 52;
};

template <class Float>
typename FloatBits<Float>::Word magnitude_bits(Float value) {
    return std::bit_cast<typename FloatBits<Float>::Word>(std::abs(value));
}

/// How the magnitudes of a group become levels 1 to `count`, the largest being `count`.
struct CellLevels {
    bool has_signs = false;
    std::int64_t top = 0; ///< the leading bits of the largest magnitude_bits

    int mantissa_bits() const { return has_signs ? 3 : 4; }
    std::int64_t count() const { return has_signs ? LevelCount / 2 : LevelCount; }
    template <class Float>
    std::int64_t leading(Float value) const {
        return static_cast<std::int64_t>(magnitude_bits(value) >> (FloatBits<Float>::mantissa - mantissa_bits()));
    }
    template <class Float>
    std::int64_t level(Float value) const {
        return std::max<std::int64_t>(1, leading(value) - top + count());
    }
    /// Where level `of` begins. The lowest level also has everything below it.
    template <class Float>
    typename FloatBits<Float>::Word begin(std::int64_t of) const {
        using Word = typename FloatBits<Float>::Word;
        return of <= 1 ? Word{0}
                       : static_cast<Word>(of + top - count()) << (FloatBits<Float>::mantissa - mantissa_bits());
    }
    /// The same scale for both kinds of groups, so that one threshold serves all: 1 to 250.
    std::int64_t rank(unsigned char code) const {
        if (!has_signs)
            return code;
        return 2 * (code > LevelCount / 2 ? code - LevelCount / 2 : code);
    }
};

bool is_blocked(const PageGroup& group, std::size_t cell) { return !group.blocked.empty() && group.blocked[cell]; }

template <class Float>
CellLevels levels_of(const PageGroup& group) {
    CellLevels found;
    Float largest = 0;
    for (std::size_t cell = 0; cell < group.values.size(); ++cell) {
        const auto value = static_cast<Float>(group.values[cell]);
        if (is_blocked(group, cell) || !std::isfinite(value))
            continue;
        found.has_signs = found.has_signs || value < 0;
        largest = std::max(largest, std::abs(value));
    }
    found.top = found.leading(largest);
    return found;
}

template <class Float>
unsigned char code_of(Float value, const CellLevels& scale) {
    if (std::isnan(value))
        return NanCell;
    if (std::isinf(value))
        return value < 0 ? MinusInfiniteCell : PlusInfiniteCell;
    if (value == 0)
        return ZeroCell;
    const auto level = scale.level(value);
    return static_cast<unsigned char>(scale.has_signs && value > 0 ? level + LevelCount / 2 : level);
}

bool is_level(unsigned char code) { return code != ZeroCell && code <= LevelCount; }

/// What all cells of a page become.
struct PackedCells {
    std::string codes;
    std::vector<CellLevels> scales;       ///< of the groups
    std::vector<std::int64_t> ranks_from; ///< ranks_from[t]: cells whose rank is at least t, for t from 0 to 251
    int width = 8;                        ///< bytes of a number
};

template <class Float>
PackedCells pack_codes(const AttentionPage& page, const RunControl& control) {
    PackedCells packed;
    packed.width = sizeof(Float);
    std::array<std::int64_t, LevelCount + 2> of_rank{};
    for (const auto& group : page.groups) {
        control.checkpoint();
        const auto scale = packed.scales.emplace_back(levels_of<Float>(group));
        for (std::size_t cell = 0; cell < group.values.size(); ++cell) {
            const auto code = is_blocked(group, cell) ? static_cast<unsigned char>(BlockedCell)
                                                      : code_of(static_cast<Float>(group.values[cell]), scale);
            packed.codes.push_back(static_cast<char>(code));
            if (is_level(code))
                ++of_rank[static_cast<std::size_t>(scale.rank(code))];
        }
    }
    packed.ranks_from.assign(of_rank.begin(), of_rank.end());
    for (std::size_t rank = packed.ranks_from.size() - 1; rank-- > 0;)
        packed.ranks_from[rank] += packed.ranks_from[rank + 1];
    return packed;
}

/// The codes, and behind them the rest of each number of at least rank `threshold` above the beginning of its level:
/// all first bytes, then all second bytes and so on, which compress better than whole numbers.
template <class Float>
std::string codes_with_numbers(const AttentionPage& page, const PackedCells& packed, std::int64_t threshold,
                               const RunControl& control) {
    const auto count = static_cast<std::size_t>(packed.ranks_from[static_cast<std::size_t>(threshold)]);
    std::string bytes = packed.codes;
    const auto cells = bytes.size();
    bytes.resize(cells + count * sizeof(Float));
    std::size_t at = cells, first = 0;
    for (std::size_t index = 0; index < page.groups.size(); ++index) {
        control.checkpoint();
        const auto& group = page.groups[index];
        const auto& scale = packed.scales[index];
        for (std::size_t cell = 0; cell < group.values.size(); ++cell) {
            const auto code = static_cast<unsigned char>(packed.codes[first + cell]);
            if (!is_level(code) || scale.rank(code) < threshold)
                continue;
            const auto value = static_cast<Float>(group.values[cell]);
            const auto rest = magnitude_bits(value) - scale.template begin<Float>(scale.level(value));
            for (std::size_t byte = 0; byte < sizeof(Float); ++byte)
                bytes[at + byte * count] = static_cast<char>(rest >> (8 * byte) & 0xff);
            ++at;
        }
        first += group.values.size();
    }
    return bytes;
}

std::string deflated_cells(const std::string& bytes, const RunControl& control) {
    std::string out;
    z_stream stream{};
    if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    std::string piece(1 << 16, '\0');
    constexpr std::size_t at_a_time = 1 << 18;
    for (std::size_t first = 0; first == 0 || first < bytes.size(); first += at_a_time) {
        auto part = bytes.substr(first, at_a_time);
        stream.next_in = reinterpret_cast<Bytef*>(part.data());
        stream.avail_in = static_cast<uInt>(part.size());
        const bool is_last = first + at_a_time >= bytes.size();
        do {
            stream.next_out = reinterpret_cast<Bytef*>(piece.data());
            stream.avail_out = static_cast<uInt>(piece.size());
            deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
            out.append(piece, 0, piece.size() - stream.avail_out);
        } while (stream.avail_out == 0);
        if (control.cancelled && control.cancelled()) {
            deflateEnd(&stream);
            throw Cancelled();
        }
    }
    deflateEnd(&stream);
    return out;
}

std::string packed_cells_text(const std::string& bytes, const RunControl& control) {
    return to_base64(deflated_cells(bytes, control));
}

/// The cells as text, and how their numbers are written.
struct PageCells {
    std::string text;
    PackedCells packed;
    std::int64_t threshold = 0; ///< numbers of at least this rank are there; 251: none
    bool rounded = false;       ///< to float32
};

bool are_float32(const AttentionPage& page) {
    return std::ranges::all_of(page.groups, [](const PageGroup& group) {
        return std::ranges::all_of(group.values, [](double value) {
            return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
        });
    });
}

bool fit_float32(const AttentionPage& page) {
    return std::ranges::all_of(page.groups, [](const PageGroup& group) {
        return std::ranges::all_of(group.values, [](double value) {
            const auto narrow = static_cast<float>(value);
            return !std::isfinite(value) || (std::isfinite(narrow) && (narrow == 0.0f) == (value == 0.0));
        });
    });
}

/// The smallest threshold with which the text has at most `room` characters.
template <class Float>
PageCells fitted_cells(const AttentionPage& page, PackedCells packed, std::int64_t room, const RunControl& control) {
    PageCells cells{packed_cells_text(packed.codes, control), std::move(packed), LevelCount + 1, false};
    std::int64_t too_low = -1;
    if (std::ssize(cells.text) > room)
        return cells;
    while (too_low + 1 < cells.threshold) {
        const auto tried = (too_low + cells.threshold) / 2;
        auto text = packed_cells_text(codes_with_numbers<Float>(page, cells.packed, tried, control), control);
        if (std::ssize(text) <= room) {
            cells.text = std::move(text);
            cells.threshold = tried;
        } else {
            too_low = tried;
        }
    }
    return cells;
}

template <class Float>
PageCells with_every_number(const AttentionPage& page, const RunControl& control) {
    auto packed = pack_codes<Float>(page, control);
    auto text = packed_cells_text(codes_with_numbers<Float>(page, packed, 0, control), control);
    return {std::move(text), std::move(packed), 0, false};
}

PageCells page_cells_of(const AttentionPage& page, std::int64_t room, const RunControl& control) {
    const bool exact_in_float32 = are_float32(page);
    if (page.every_number)
        return exact_in_float32 ? with_every_number<float>(page, control) : with_every_number<double>(page, control);
    if (!exact_in_float32) {
        std::int64_t cells = 0;
        for (const auto& group : page.groups)
            cells += std::ssize(group.values);
        // Six bytes of a mantissa do not compress.
        if (cells * 6 < room) {
            auto all = with_every_number<double>(page, control);
            if (std::ssize(all.text) <= room)
                return all;
        }
        if (!fit_float32(page))
            return fitted_cells<double>(page, pack_codes<double>(page, control), room, control);
    }
    auto cells = fitted_cells<float>(page, pack_codes<float>(page, control), room, control);
    cells.rounded = !exact_in_float32;
    return cells;
}

/// The index of a list of labels among those of the page, which many groups share.
std::int64_t index_of_labels(nlohmann::json& lists, const std::vector<std::string>& labels) {
    if (labels.empty())
        return -1;
    nlohmann::json list = nlohmann::json::array();
    for (const auto& label : labels)
        list.push_back(with_replacements(label));
    const auto found = std::ranges::find(lists, list);
    if (found == lists.end())
        lists.push_back(std::move(list));
    else
        return found - lists.begin();
    return std::ssize(lists) - 1;
}

nlohmann::json axis_json(const PageAxis& axis, nlohmann::json& lists) {
    nlohmann::json made{{"title", with_replacements(axis.title)},
                        {"labels", index_of_labels(lists, axis.labels)},
                        {"first", axis.first},
                        {"step", axis.step}};
    if (axis.end != std::numeric_limits<std::int64_t>::max())
        made["end"] = axis.end;
    return made;
}

nlohmann::json page_json(const AttentionPage& page, const PageViewer& viewer) {
    auto lists = nlohmann::json::array();
    auto groups = nlohmann::json::array();
    for (const auto& group : page.groups)
        groups.push_back({{"name", with_replacements(group.name)},
                          {"quantity", with_replacements(group.quantity)},
                          {"heads", group.heads},
                          {"names_heads", group.names_heads},
                          {"rows", group.rows},
                          {"columns", group.columns},
                          {"row_axis", axis_json(group.row_axis, lists)},
                          {"column_axis", axis_json(group.column_axis, lists)},
                          {"diverging", group.diverging}});
    nlohmann::json json{{"title", with_replacements(page.title)},
                        {"language", page.language},
                        {"map", page.is_map},
                        {"log", page.logarithmic},
                        {"group", page.group},
                        {"head", page.head},
                        {"labels", std::move(lists)},
                        {"groups", std::move(groups)},
                        {"sequential", to_base64(viewer.sequential)},
                        {"diverging", to_base64(viewer.diverging)},
                        {"diverging_dark", to_base64(viewer.diverging_dark)}};
    if (page.low)
        json["low"] = *page.low;
    if (page.high)
        json["high"] = *page.high;
    return json;
}

void add_page_cells(nlohmann::json& json, const PageCells& cells) {
    for (std::size_t group = 0; group < cells.packed.scales.size(); ++group) {
        json["groups"][group]["signs"] = cells.packed.scales[group].has_signs;
        json["groups"][group]["top"] = cells.packed.scales[group].top;
    }
    const auto& from = cells.packed.ranks_from;
    json["width"] = cells.packed.width;
    json["rounded"] = cells.rounded;
    json["threshold"] = cells.threshold;
    json["numbers"] = from[static_cast<std::size_t>(cells.threshold)];
    json["levels"] = from[0];
    json["cells"] = cells.text;
}

std::string as_html(std::string_view text) {
    std::string safe;
    for (const char byte : text)
        switch (byte) {
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '&':
            safe += "&amp;";
            break;
        case '"':
            safe += "&quot;";
            break;
        default:
            safe.push_back(byte);
        }
    return safe;
}

/// Nothing is loaded or sent, and only the page's own script and style run.
std::string policy_of(const PageViewer& viewer) {
    return "default-src 'none'; script-src '" + viewer.script_hash + "'; style-src '" + viewer.style_hash +
           "'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
}

/// Fills the places of a template in their order, so that no text that was with_places_filled in is read as a place.
std::string with_places_filled(std::string_view html,
                               const std::vector<std::pair<std::string_view, std::string>>& places) {
    std::string text;
    for (const auto& [place, content] : places) {
        const auto at = html.find(place);
        text.append(html.substr(0, at)).append(content);
        html.remove_prefix(at + place.size());
    }
    return text.append(html);
}

} // namespace

std::int64_t require_page_cells(std::int64_t cells) {
    if (cells == 0)
        throw Error(ATTNLAB_TEXT("There are no numbers to show on a page"));
    if (cells > most_page_cells)
        throw Error({ATTNLAB_TEXT("A page of HTML shows up to %1 numbers, there are %2"),
                     {std::to_string(most_page_cells), std::to_string(cells)}});
    return cells;
}

std::string attention_page(const AttentionPage& page, const PageViewer& viewer, const RunControl& control) {
    std::int64_t count = 0;
    for (const auto& group : page.groups)
        count += std::ssize(group.values);
    require_page_cells(count);
    auto json = page_json(page, viewer);
    const auto html = [&](const std::string& data) {
        return with_places_filled(
            viewer.html,
            {{"{{policy}}", policy_of(viewer)},
             {"{{title}}", as_html(with_replacements(page.title.empty() ? page.groups.front().quantity : page.title))},
             {"{{style}}", viewer.style},
             {"{{data}}", data},
             {"{{script}}", viewer.script}});
    };
    constexpr std::int64_t members_of_cells = 200;
    const auto groups = std::ssize(page.groups) * 40;
    const auto around = std::ssize(html(as_data_block(dump(json)))) + members_of_cells + groups;
    add_page_cells(json, page_cells_of(page, usual_page_bytes - around, control));
    return html(as_data_block(dump(json)));
}

std::string as_data_block(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char byte : json)
        if (byte == '<')
            safe += "\\u003c";
        else if (byte == '>')
            safe += "\\u003e";
        else if (byte == '&')
            safe += "\\u0026";
        else
            safe.push_back(byte);
    return safe;
}

} // namespace attnlab::io
