#include "core/stages/interval_masks.h"

#include "core/tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace attnlab {
namespace {

constexpr Input interval_position_inputs[] = {query_offset_input};

using PlaceAxis = KeyIntervals::Axis;

constexpr double infinity_of_places = std::numeric_limits<double>::infinity();
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

KeyIntervals intervals_of(std::vector<PlaceAxis> axes) {
    return {.axes = std::make_shared<const std::vector<PlaceAxis>>(std::move(axes))};
}

std::int64_t floor_of_quotient(std::int64_t number, std::int64_t divisor) {
    return number / divisor - (number % divisor < 0 ? 1 : 0);
}

/// The axis of masks that see positions only: place_of(p) for each query, interval_of(j) for each key.
PlaceAxis axis_of_positions(const IntervalSource& source, const std::function<double(std::int64_t)>& place_of,
                            const std::function<std::pair<double, double>(std::int64_t)>& interval_of) {
    const auto& c = source.sizes;
    PlaceAxis axis;
    const bool by_batch = !source.offsets.common();
    for (std::int64_t b = 0; b < (by_batch ? c.B : 1); ++b)
        for (std::int64_t i = 0; i < c.L; ++i)
            axis.places.push_back(place_of(i + source.offsets.of(b)));
    axis.place_stride = by_batch ? c.L : 0;
    for (std::int64_t j = 0; j < c.S; ++j) {
        const auto [first, last] = interval_of(j);
        axis.first.push_back(first);
        axis.last.push_back(last);
    }
    return axis;
}

std::string whole(std::int64_t number) { return std::to_string(number); }

std::string floor_in_latex(const std::string& position, const std::string& n) {
    return "\\lfloor " + position + " / " + n + " \\rfloor";
}

// dilated: a band, and a remainder.

KeyIntervals dilated_intervals(const IntervalSource& source) {
    const auto d = source.parameters.integer("d");
    const auto reach = static_cast<double>(source.parameters.integer("w") / 2) * static_cast<double>(d);
    const auto number = [](std::int64_t position) { return static_cast<double>(position); };
    const auto remainder = [d](std::int64_t position) {
        return static_cast<double>(position - floor_of_quotient(position, d) * d);
    };
    return intervals_of(
        {axis_of_positions(source, number,
                           [&](std::int64_t j) { return std::pair(number(j) - reach, number(j) + reach); }),
         axis_of_positions(source, remainder, [&](std::int64_t j) { return std::pair(remainder(j), remainder(j)); })});
}

std::string dilated_python(const IntervalCode& code) {
    const auto d = code.parameters.integer("d"), reach = code.parameters.integer("w") / 2 * d;
    return "(np.abs(" + code.position + " - j) <= " + whole(reach) + ") & ((" + code.position + " - j) % " + whole(d) +
           " == 0)";
}

std::string dilated_latex(const IntervalCode& code) {
    const auto d = code.parameters.integer("d"), reach = code.parameters.integer("w") / 2 * d;
    return "\\lvert " + code.position + " - j \\rvert \\le " + whole(reach) + " \\text{ and } " + whole(d) + " \\mid " +
           code.position + " - j";
}

constexpr Parameter dilated_parameters[] = {
    {.name = "w",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("width w"),
     .help = ATTNLAB_TEXT("How many keys beside its own a query reads: w/2 on either side"),
     .minimum = 0,
     .maximum = 1e9,
     .unit = "keys"},
    {.name = "d",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("step d"),
     .help = ATTNLAB_TEXT("The distance from one key that is read to the next"),
     .minimum = 1,
     .maximum = 1e9,
     .unit = "keys"}};
constexpr MaskKind dilated_mask{
    .id = "dilated",
    .title = ATTNLAB_TEXT("dilated"),
    .rule = "|i − j| ≤ d w/2 and (i − j) mod d = 0",
    .help = ATTNLAB_TEXT("A window with gaps: a token reads every d-th neighbour."),
    .parameters = dilated_parameters,
    .inputs = interval_position_inputs,
    .intervals = dilated_intervals,
    .python_of = dilated_python,
    .latex_of = dilated_latex,
    .source = "Beltagy, Peters, Cohan: Longformer: The Long-Document Transformer (2020), section 3.1",
    .aside = true};

// chunked and block_causal: blocks of n tokens.

std::function<double(std::int64_t)> block_of(const IntervalSource& source) {
    return [n = source.parameters.integer("n")](std::int64_t position) {
        return static_cast<double>(floor_of_quotient(position, n));
    };
}

KeyIntervals chunked_intervals(const IntervalSource& source) {
    const auto block = block_of(source);
    return intervals_of(
        {axis_of_positions(source, block, [&](std::int64_t j) { return std::pair(block(j), block(j)); })});
}

std::string chunked_python(const IntervalCode& code) {
    const auto n = whole(code.parameters.integer("n"));
    return code.position + " // " + n + " == j // " + n;
}

std::string chunked_latex(const IntervalCode& code) {
    const auto n = whole(code.parameters.integer("n"));
    return floor_in_latex(code.position, n) + " = " + floor_in_latex("j", n);
}

constexpr Parameter chunked_parameters[] = {{.name = "n",
                                             .type = ParameterType::Integer,
                                             .default_text = "2",
                                             .title = ATTNLAB_TEXT("chunk n"),
                                             .help = ATTNLAB_TEXT("The number of tokens in a chunk"),
                                             .minimum = 1,
                                             .maximum = 1e9,
                                             .unit = "tokens"}};
constexpr MaskKind chunked_mask{
    .id = "chunked",
    .title = ATTNLAB_TEXT("chunked"),
    .rule = "⌊i/n⌋ = ⌊j/n⌋",
    .help = ATTNLAB_TEXT("A token reads its own chunk of n tokens. Language models combine it with causal."),
    .parameters = chunked_parameters,
    .inputs = interval_position_inputs,
    .intervals = chunked_intervals,
    .python_of = chunked_python,
    .latex_of = chunked_latex,
    .source = "Meta: Llama 4 (2025); attention_chunk_size of Hugging Face's transformers",
    .aside = true};

KeyIntervals block_causal_intervals(const IntervalSource& source) {
    const auto block = block_of(source);
    return intervals_of(
        {axis_of_positions(source, block, [&](std::int64_t j) { return std::pair(block(j), infinity_of_places); })});
}

std::string block_causal_python(const IntervalCode& code) {
    const auto n = whole(code.parameters.integer("n"));
    return "j // " + n + " <= " + code.position + " // " + n;
}

std::string block_causal_latex(const IntervalCode& code) {
    const auto n = whole(code.parameters.integer("n"));
    return floor_in_latex("j", n) + " \\le " + floor_in_latex(code.position, n);
}

constexpr Parameter block_causal_parameters[] = {{.name = "n",
                                                  .type = ParameterType::Integer,
                                                  .default_text = "2",
                                                  .title = ATTNLAB_TEXT("block n"),
                                                  .help = ATTNLAB_TEXT("The number of tokens in a block"),
                                                  .minimum = 1,
                                                  .maximum = 1e9,
                                                  .unit = "tokens"}};
constexpr MaskKind block_causal_mask{
    .id = "block_causal",
    .title = ATTNLAB_TEXT("block causal"),
    .rule = "⌊j/n⌋ ≤ ⌊i/n⌋",
    .help = ATTNLAB_TEXT("A token reads its own block of n tokens and the blocks before it (block diffusion)."),
    .parameters = block_causal_parameters,
    .inputs = interval_position_inputs,
    .intervals = block_causal_intervals,
    .python_of = block_causal_python,
    .latex_of = block_causal_latex,
    .source = "Arriola et al.: Block Diffusion: Interpolating Between Autoregressive and Diffusion Language Models "
              "(2025), section 3",
    .aside = true};

// documents: equal ids.

const Tensor* tensor_in(const TensorMap& tensors, std::string_view name) {
    const auto found = tensors.find(name);
    return found == tensors.end() ? nullptr : &found->second;
}

/// Throws Error for other values than whole numbers.
void require_ids(const Tensor& array, std::string_view name) {
    const auto values = array.values();
    const auto columns = array.dim(-1);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double value = values[k];
        if (std::isfinite(value) && value == std::floor(value))
            continue;
        const auto at = static_cast<std::int64_t>(k);
        throw Error({ATTNLAB_TEXT("%1: has %2 at %3, expected whole numbers; a negative one marks padding"),
                     {std::string(name), to_text(value),
                      to_string(array.rank() == 1 ? Shape{at} : Shape{at / columns, at % columns})}});
    }
}

/// True for an array (columns) or (1, columns).
bool is_shared(const Tensor& array) { return array.rank() == 1 || array.dim(0) == 1; }

double row_value(const Tensor& array, std::int64_t b, std::int64_t column) {
    return array.data()[(is_shared(array) ? 0 : b * array.dim(-1)) + column];
}

/// The id of the key at each query's position, NaN for padding and where there is no key.
std::vector<double> ids_at_positions(const IntervalSource& source, const Tensor& ids, bool by_batch) {
    const auto& c = source.sizes;
    std::vector<double> places;
    for (std::int64_t b = 0; b < (by_batch ? c.B : 1); ++b)
        for (std::int64_t i = 0; i < c.L; ++i) {
            const auto p = i + source.offsets.of(b);
            const double id = p < 0 || p >= c.S ? nowhere : row_value(ids, b, p);
            places.push_back(id < 0.0 ? nowhere : id);
        }
    return places;
}

KeyIntervals document_intervals(const IntervalSource& source) {
    const auto& c = source.sizes;
    const auto& ids = *tensor_in(source.tensors, "segment_ids");
    require_ids(ids, "segment_ids");
    PlaceAxis axis;
    axis.key_stride = is_shared(ids) ? 0 : c.S;
    for (const double id : ids.values()) {
        axis.first.push_back(id < 0.0 ? infinity_of_places : id);
        axis.last.push_back(id < 0.0 ? -infinity_of_places : id);
    }
    if (const auto* own = tensor_in(source.tensors, "query_segment_ids")) {
        require_ids(*own, "query_segment_ids");
        axis.place_stride = is_shared(*own) ? 0 : c.L;
        for (const double id : own->values())
            axis.places.push_back(id < 0.0 ? nowhere : id);
        return intervals_of({std::move(axis)});
    }
    const bool by_batch = axis.key_stride != 0 || !source.offsets.common();
    axis.place_stride = by_batch ? c.L : 0;
    axis.places = ids_at_positions(source, ids, by_batch);
    return intervals_of({std::move(axis)});
}

/// The array with four axes, its columns along axis `axis`: 2 for queries, 3 for keys.
std::string with_four_axes(const Tensor& array, const std::string& name, int axis, const std::string& columns = ":") {
    const std::string first = array.rank() == 1 ? "None" : ":";
    return name + "[" + first + ", None, " + (axis == 2 ? columns + ", None]" : "None, " + columns + "]");
}

std::string document_python(const IntervalCode& code) {
    const std::string name = "segment_ids";
    const auto& ids = *tensor_in(code.tensors, name);
    const auto keys = with_four_axes(ids, name, 3);
    const auto& c = code.sizes;
    std::string queries;
    if (const auto* own = tensor_in(code.tensors, "query_segment_ids")) {
        queries = with_four_axes(*own, "query_segment_ids", 2);
    } else if (code.offset && *code.offset == 0 && c.L == c.S) {
        queries = with_four_axes(ids, name, 2);
    } else if (code.offset && *code.offset >= 0 && *code.offset + c.L <= c.S) {
        queries = with_four_axes(ids, name, 2, whole(*code.offset) + ":" + whole(*code.offset + c.L));
    } else { // a position without a key has no document
        const std::string last = whole(c.S - 1), position = code.position;
        queries = "np.where((" + position + " >= 0) & (" + position + " <= " + last + "), np.take_along_axis(" +
                  with_four_axes(ids, name, 2) + ", np.clip(" + position + " + np.zeros((1, 1, 1, 1), dtype=int), 0, " +
                  last + "), axis=2), -1)";
    }
    return "(" + queries + " == " + keys + ") & (" + keys + " >= 0)";
}

std::string document_latex(const IntervalCode& code) {
    const bool own = code.tensors.contains("query_segment_ids");
    return std::string(own ? "d'_{b,i}" : "d_{b," + code.position + "}") + " = d_{b,j} \\ge 0";
}

constexpr Input document_inputs[] = {
    {.name = "segment_ids",
     .dims = "B? S | S",
     .fill = InputFill::RowHalves,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("The document of each key, as any whole number; a negative number marks padding")},
    {.name = "query_segment_ids",
     .dims = "B? L | L",
     .fill = InputFill::RowHalves,
     .dtype = DType::Int64,
     .required = false,
     .help = ATTNLAB_TEXT("The document of each query; without it, that of the key at the position of the query")},
    query_offset_input};
constexpr MaskKind documents_mask{
    .id = "documents",
    .title = ATTNLAB_TEXT("documents"),
    .rule = "segment_ids[i] = segment_ids[j]",
    .help =
        ATTNLAB_TEXT("A token reads its own document only, where several are packed into one sequence for training. "
                     "The input segment_ids has the documents."),
    .inputs = document_inputs,
    .intervals = document_intervals,
    .python_of = document_python,
    .latex_of = document_latex,
    .source = "Krell et al.: Efficient Sequence Packing without Cross-contamination (2021)",
    .aside = true};

// tree: a token reads its ancestors, whose numbers are those of an Euler tour.

/// The number at which a tour enters each token, and the last number below it.
struct Tour {
    std::vector<double> enter, last;
};

Tour tour_of(const Tensor& parents, std::int64_t row) {
    const auto L = parents.dim(-1);
    const auto at = [](auto& numbers, std::int64_t k) -> auto& { return numbers[static_cast<std::size_t>(k)]; };
    std::vector<std::int64_t> parent(static_cast<std::size_t>(L)), size(parent.size(), 1), next(parent.size());
    for (std::int64_t i = 0; i < L; ++i) {
        const double value = parents.data()[row * L + i];
        if (!(value >= -1.0 && value < static_cast<double>(i)) || value != std::floor(value))
            throw Error({ATTNLAB_TEXT("parents: has %1 at %2, expected a whole number from -1 to %3: a parent is "
                                      "before its children, and -1 is a root"),
                         {to_text(value), to_string(parents.rank() == 1 ? Shape{i} : Shape{row, i}), whole(i - 1)}});
        at(parent, i) = static_cast<std::int64_t>(value);
    }
    for (auto i = L - 1; i >= 0; --i)
        if (at(parent, i) >= 0)
            at(size, at(parent, i)) += at(size, i);
    Tour tour;
    std::int64_t of_roots = 0;
    for (std::int64_t i = 0; i < L; ++i) {
        auto& enter = at(parent, i) < 0 ? of_roots : at(next, at(parent, i));
        tour.enter.push_back(static_cast<double>(enter));
        tour.last.push_back(static_cast<double>(enter + at(size, i) - 1));
        at(next, i) = enter + 1;
        enter += at(size, i);
    }
    return tour;
}

/// The number of keys before the drafted tokens.
std::int64_t keys_before(const IntervalSource& source, std::int64_t b) {
    return source.offsets.is_given() ? source.offsets.of(b) : source.sizes.S - source.sizes.L;
}

KeyIntervals tree_intervals(const IntervalSource& source) {
    const auto& c = source.sizes;
    const auto& parents = *tensor_in(source.tensors, "parents");
    const bool many = !is_shared(parents);
    const bool by_batch = many || !source.offsets.common();
    PlaceAxis axis;
    axis.place_stride = many ? c.L : 0;
    axis.key_stride = by_batch ? c.S : 0;
    Tour tour;
    for (std::int64_t b = 0; b < (by_batch ? c.B : 1); ++b) {
        if (b == 0 || many) {
            tour = tour_of(parents, many ? b : 0);
            axis.places.insert(axis.places.end(), tour.enter.begin(), tour.enter.end());
        }
        const auto before = keys_before(source, b);
        for (std::int64_t j = 0; j < c.S; ++j) {
            const auto token = static_cast<std::size_t>(j - before);
            const bool is_open = j < before, is_draft = !is_open && j - before < c.L;
            axis.first.push_back(is_open ? -infinity_of_places : is_draft ? tour.enter[token] : infinity_of_places);
            axis.last.push_back(is_open ? infinity_of_places : is_draft ? tour.last[token] : -infinity_of_places);
        }
    }
    return intervals_of({std::move(axis)});
}

std::string tree_python(const IntervalCode& code) {
    const auto L = whole(code.sizes.L);
    // Row t of the inverse of 1 - "s is the parent of t" has ones at t and its ancestors.
    const auto parents = with_four_axes(*tensor_in(code.tensors, "parents"), "parents", 2);
    auto drafts = "(np.linalg.inv(np.eye(" + L + ") - 1.0 * (" + parents + " == np.arange(" + L + "))) > 0.5)";
    if (!code.offset) {
        const std::string token = "(j - query_offset[:, None, None, None])";
        return "(" + token + " < 0) | ((" + token + " < " + L + ") & np.take_along_axis(" + drafts + ", np.clip(" +
               token + " + 0 * i, 0, " + whole(code.sizes.L - 1) + "), axis=-1))";
    }
    const auto before = code.offset_is_given ? *code.offset : code.sizes.S - code.sizes.L;
    if (before == 0 && code.sizes.S == code.sizes.L)
        return drafts;
    const std::string token =
        before == 0 ? "j" : "(j " + std::string(before < 0 ? "+ " : "- ") + whole(std::abs(before)) + ")";
    return "(" + token + " < 0) | ((" + token + " < " + L + ") & " + drafts + "[..., np.clip(" + token + ", 0, " +
           whole(code.sizes.L - 1) + ")])";
}

std::string tree_latex(const IntervalCode& code) {
    const auto before = !code.offset           ? std::string("o_b")
                        : code.offset_is_given ? whole(*code.offset)
                                               : whole(code.sizes.S - code.sizes.L);
    if (before == "0")
        return "\\text{token } j \\text{ is } i \\text{ or an ancestor of } i";
    return "j < " + before + " \\text{ or token } j - " + (before.starts_with('-') ? "(" + before + ")" : before) +
           " \\text{ is } i \\text{ or an ancestor of } i";
}

constexpr Input tree_inputs[] = {
    {.name = "parents",
     .dims = "B? L | L",
     .fill = InputFill::Tree,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("The token before each drafted token, counted from 0; -1 for a root. A parent is before its "
                          "children")},
    query_offset_input};
constexpr MaskKind tree_mask{
    .id = "tree",
    .title = ATTNLAB_TEXT("tree"),
    .rule = "j < c or i → … → j − c",
    .help = ATTNLAB_TEXT("Drafted tokens form a tree: each reads itself, the tokens on its way to the root, and the c "
                         "keys before all drafts (speculative decoding). c is the query offset, or S - L without one. "
                         "The input parents has the tree."),
    .inputs = tree_inputs,
    .intervals = tree_intervals,
    .python_of = tree_python,
    .latex_of = tree_latex,
    .source = "Miao et al.: SpecInfer (2023); Cai et al.: Medusa (2024)",
    .aside = true};

// neighborhood: an interval of rows and one of columns of the image.

/// One axis of the image: `size` lines, the line of query and key k is line_of(k).
PlaceAxis axis_of_image(const IntervalSource& source, std::int64_t size,
                        const std::function<std::int64_t(std::int64_t)>& line_of) {
    const auto w = source.parameters.integer("w"), half = w / 2;
    const bool shifts = source.parameters.choice("border") == "shift";
    PlaceAxis axis;
    for (std::int64_t i = 0; i < source.sizes.L; ++i) {
        const auto line = line_of(i);
        axis.places.push_back(
            static_cast<double>(shifts && w <= size ? std::clamp(line, half, size - 1 - half) : line));
    }
    for (std::int64_t j = 0; j < source.sizes.S; ++j) {
        const bool reads_all = shifts && w > size;
        axis.first.push_back(reads_all ? -infinity_of_places : static_cast<double>(line_of(j) - half));
        axis.last.push_back(reads_all ? infinity_of_places : static_cast<double>(line_of(j) + half));
    }
    return axis;
}

/// The condition for the lines `query` and `key` of one axis of the image; empty where all keys are in reach.
std::string box_in_python(const IntervalCode& code, std::int64_t size, std::string query, const std::string& key) {
    const auto w = code.parameters.integer("w"), half = w / 2;
    if (code.parameters.choice("border") == "shift") {
        if (w > size)
            return {};
        query = "np.clip(" + query + ", " + whole(half) + ", " + whole(size - 1 - half) + ")";
    }
    return "(np.abs(" + query + " - " + key + ") <= " + whole(half) + ")";
}

KeyIntervals neighborhood_intervals(const IntervalSource& source) {
    const auto& c = source.sizes;
    if (source.parameters.integer("w") % 2 == 0)
        throw Error(
            {ATTNLAB_TEXT("neighborhood: w is %1, expected an odd number"), {whole(source.parameters.integer("w"))}});
    if (!c.key_grid)
        throw Error(
            {ATTNLAB_TEXT(
                 "neighborhood: needs the arrangement of the %1 keys as an image: the menu Attention has it, or "
                 "%2"),
             {whole(c.S), "--key-grid ROWSxCOLUMNS"}});
    const auto [rows, columns] = *c.key_grid;
    if (const bool is_empty = c.L == 0 && c.S == 0; !is_empty && (c.L != c.S || rows * columns != c.S))
        throw Error({ATTNLAB_TEXT("neighborhood: has %1 queries, %2 keys and an image of %3 x %4; expected as many "
                                  "queries and keys as the image has patches"),
                     {whole(c.L), whole(c.S), whole(rows), whole(columns)}});
    return intervals_of({axis_of_image(source, rows, [n = columns](std::int64_t k) { return k / n; }),
                         axis_of_image(source, columns, [n = columns](std::int64_t k) { return k % n; })});
}

std::string neighborhood_python(const IntervalCode& code) {
    const auto [rows, columns] = *code.sizes.key_grid;
    const auto n = whole(columns);
    const auto vertical = box_in_python(code, rows, "i // " + n, "j // " + n),
               horizontal = box_in_python(code, columns, "i % " + n, "j % " + n);
    if (vertical.empty() || horizontal.empty())
        return vertical.empty() && horizontal.empty() ? "(i >= 0) & (j >= 0)" : vertical + horizontal;
    return vertical + " & " + horizontal;
}

std::string neighborhood_latex(const IntervalCode& code) {
    const auto w = whole(code.parameters.integer("w"));
    const auto [rows, columns] = *code.sizes.key_grid;
    return "j \\text{ is in the } " + w + " \\times " + w + " \\text{ box of } i \\text{ in the image of } " +
           whole(rows) + " \\times " + whole(columns) +
           (code.parameters.choice("border") == "shift" ? " \\text{, moved inside}" : "");
}

constexpr std::string_view neighborhood_borders[] = {"shift", "clip"};
constexpr Parameter neighborhood_parameters[] = {
    {.name = "w",
     .type = ParameterType::Integer,
     .default_text = "3",
     .title = ATTNLAB_TEXT("width w"),
     .help = ATTNLAB_TEXT("The width and height of the box of keys, an odd number"),
     .minimum = 1,
     .maximum = 1e9,
     .unit = "keys"},
    {.name = "border",
     .type = ParameterType::Choice,
     .default_text = "shift",
     .title = ATTNLAB_TEXT("at the border"),
     .help = ATTNLAB_TEXT("shift: the box moves inside the image, so that every query reads w x w keys. clip: the part "
                          "outside is cut off"),
     .choices = neighborhood_borders}};
constexpr MaskKind neighborhood_mask{
    .id = "neighborhood",
    .title = ATTNLAB_TEXT("2-D neighbours"),
    .rule = "(y_j, x_j) ∈ W_i",
    .help = ATTNLAB_TEXT(
        "The tokens are the patches of an image: each reads W_i, a box of w x w patches around itself. The "
        "arrangement of the keys gives rows and columns."),
    .parameters = neighborhood_parameters,
    .intervals = neighborhood_intervals,
    .python_of = neighborhood_python,
    .latex_of = neighborhood_latex,
    .needs_key_grid = true,
    .source = "Hassani et al.: Neighborhood Attention Transformer (2022), section 3",
    .aside = true};

constexpr std::array interval_table = {dilated_mask,   chunked_mask, block_causal_mask,
                                       documents_mask, tree_mask,    neighborhood_mask};
static_assert(std::ranges::all_of(interval_table, is_complete), "a mask lacks its rule or its code");

} // namespace

std::span<const MaskKind> interval_masks() { return interval_table; }

} // namespace attnlab
