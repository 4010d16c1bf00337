#include "core/stages/mask.h"

#include "core/expression/cell_expression.h"
#include "core/lookup.h"
#include "core/stages/expression_mask.h"
#include "core/stages/interval_masks.h"
#include "core/tensor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>

namespace attnlab {
namespace {

using Values = ParameterValues;

/// The shapes that cell_strides() accepts; a new one is a matrix.
constexpr std::string_view cell_dims = "B? H? L? S? | B*H L? S? | H? L? S? | S? | L? S?";

constexpr std::string_view alignments[] = {"top_left", "bottom_right"};

const Parameter causal_parameters[] = {
    {.name = "alignment",
     .type = ParameterType::Choice,
     .default_text = "top_left",
     .title = ATTNLAB_TEXT("alignment"),
     .help = ATTNLAB_TEXT("bottom_right lines the last query up with the last key: decoding with a cache"),
     .choices = alignments}};
constexpr std::string_view window_sides[] = {"equal", "separate"};
constexpr std::int64_t unlimited_reach = -1;
constexpr double farthest_reach = 1e9;
const Parameter reach_parameters[] = {
    {.name = "w",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("width w"),
     .help = ATTNLAB_TEXT("The full width: w/2 keys on either side. The sliding window of n keys that "
                          "language models have is causal with w = 2n - 2"),
     .minimum = 0,
     .maximum = farthest_reach,
     .unit = "keys",
     .when = "sides=equal"},
    {.name = "sides",
     .type = ParameterType::Choice,
     .default_text = "equal",
     .title = ATTNLAB_TEXT("sides"),
     .help = ATTNLAB_TEXT("equal: half of the width w before and after the query. separate: one reach for the keys "
                          "before it and one for those after it, as window_size of flash-attention has them"),
     .choices = window_sides},
    {.name = "left",
     .type = ParameterType::Integer,
     .default_text = "1",
     .title = ATTNLAB_TEXT("keys before"),
     .help = ATTNLAB_TEXT("How many keys before its own a query reads; -1: all of them"),
     .minimum = unlimited_reach,
     .maximum = farthest_reach,
     .unit = "keys",
     .when = "sides=separate"},
    {.name = "right",
     .type = ParameterType::Integer,
     .default_text = "1",
     .title = ATTNLAB_TEXT("keys after"),
     .help = ATTNLAB_TEXT("How many keys after its own a query reads; -1: all of them"),
     .minimum = unlimited_reach,
     .maximum = farthest_reach,
     .unit = "keys",
     .when = "sides=separate"}};
const Parameter prefix_parameters[] = {{.name = "p",
                                        .type = ParameterType::Integer,
                                        .default_text = "1",
                                        .title = ATTNLAB_TEXT("prefix p"),
                                        .help = ATTNLAB_TEXT("Every query may read the first p keys"),
                                        .minimum = 0,
                                        .maximum = 1e9,
                                        .unit = "keys"}};

const Input position_inputs[] = {query_offset_input};
const Input valid_lens_inputs[] = {
    {.name = "valid_lens",
     .dims = "B L | B",
     .fill = InputFill::KeyCount,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("How many of the first keys count, for each batch or for each query")}};
const Input key_padding_inputs[] = {{.name = "key_padding_mask",
                                     .dims = "B? S",
                                     .fill = InputFill::Zeros,
                                     .dtype = DType::Bool,
                                     .help = ATTNLAB_TEXT("True marks a key that is padding")}};
const Input attn_mask_inputs[] = {
    {.name = "attn_mask",
     .dims = cell_dims,
     .fill = InputFill::Zeros,
     .dtype = DType::Bool,
     .help = ATTNLAB_TEXT("True marks a blocked cell, or a kept one: see the meaning of True")}};
const Input attn_bias_inputs[] = {{.name = "attn_bias",
                                   .dims = cell_dims,
                                   .fill = InputFill::Zeros,
                                   .help = ATTNLAB_TEXT("Added to the scaled scores; -inf blocks a cell")}};
const Input painted_inputs[] = {{.name = "painted_mask",
                                 .dims = cell_dims,
                                 .fill = InputFill::Zeros,
                                 .dtype = DType::Bool,
                                 .help = ATTNLAB_TEXT("The cells that you painted: True is blocked")}};

/// Visits every cell in row-major order with its flat offset.
template <class Visit>
void for_each_cell(const MaskContext& c, Visit visit) {
    if (c.L == 0 || c.S == 0)
        return;
    std::size_t cell = 0;
    for (std::int64_t b = 0; b < c.B; ++b)
        for (std::int64_t h = 0; h < c.H; ++h)
            for (std::int64_t i = 0; i < c.L; ++i)
                for (std::int64_t j = 0; j < c.S; ++j)
                    visit(b, h, i, j, cell++);
}

Shape index_of(const Tensor& tensor, std::size_t flat) {
    Shape index(tensor.shape().size());
    for (std::size_t axis = index.size(); axis-- > 0;) {
        const auto size = static_cast<std::size_t>(tensor.shape()[axis]);
        index[axis] = static_cast<std::int64_t>(flat % size);
        flat /= size;
    }
    return index;
}

const Tensor& array(const TensorMap& tensors, std::string_view name) { return tensors.find(name)->second; }

template <class Allowed>
void require_values(const TensorMap& tensors, std::string_view name, Message complaint, Allowed allowed) {
    const auto& tensor = array(tensors, name);
    const auto values = tensor.values();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!allowed(values[k])) {
            complaint.arguments.insert(complaint.arguments.begin(),
                                       {std::string(name), to_text(values[k]), to_string(index_of(tensor, k))});
            throw Error(std::move(complaint));
        }
}

void require_booleans(const TensorMap& tensors, std::string_view name) {
    require_values(
        tensors, name,
        {ATTNLAB_TEXT("%1: has %2 at %3, expected only True and False (an additive mask goes in attn_bias)")},
        [](double value) { return value == 0.0 || value == 1.0; });
}

Band causal_band(const MaskContext& c, const Values& v) {
    return {.after = v.choice("alignment") == "bottom_right" ? c.S - c.L : 0};
}

Band window_band(const MaskContext&, const Values& v) {
    if (v.choice("sides") == "equal")
        return {.before = v.integer("w") / 2, .after = v.integer("w") / 2};
    const auto limit = [](std::int64_t reach) { return reach < 0 ? Band::unlimited : reach; };
    return {.before = limit(v.integer("left")), .after = limit(v.integer("right"))};
}

Band prefix_band(const MaskContext&, const Values& v) { return {.after = 0, .prefix = v.integer("p")}; }

void check_valid_lens(const MaskContext& c, const TensorMap& tensors) {
    const auto keys = static_cast<double>(c.S);
    require_values(tensors, "valid_lens",
                   {ATTNLAB_TEXT("%1: has %2 at %3, expected an integer from 0 to S = %4"), {std::to_string(c.S)}},
                   [&](double value) { return value >= 0.0 && value <= keys && value == std::floor(value); });
}

MaskRule read_lengths(const Tensor& array, const MaskContext& c, MaskTrue) {
    return array.rank() == 2 ? ValidLengths{array.data(), c.L, 1} : ValidLengths{array.data(), 1, 0};
}

void check_key_padding(const MaskContext&, const TensorMap& tensors) {
    require_values(tensors, "key_padding_mask", {ATTNLAB_TEXT("%1: has %2 at %3, expected only True and False")},
                   [](double value) { return value == 0.0 || value == 1.0; });
}

MaskRule read_padding(const Tensor& array, const MaskContext& c, MaskTrue) {
    return KeyPadding{array.data(), array.dim(0) == 1 ? 0 : c.S};
}

void check_attn_mask(const MaskContext&, const TensorMap& tensors) { require_booleans(tensors, "attn_mask"); }

MaskRule read_booleans(const Tensor& array, const MaskContext& c, MaskTrue mask_true) {
    return BooleanCells{cell_array(array, c), mask_true == MaskTrue::Keeps ? 1.0 : 0.0};
}

void check_attn_bias(const MaskContext&, const TensorMap& tensors) {
    require_values(tensors, "attn_bias", {ATTNLAB_TEXT("%1: has %2 at %3, expected finite numbers or -inf")},
                   [](double value) { return value < infinity; });
}

MaskRule read_bias(const Tensor& array, const MaskContext& c, MaskTrue) { return cell_array(array, c); }

void check_fill(const MaskFill& fill) {
    if (!(fill.value < infinity))
        throw Error({ATTNLAB_TEXT("mask fill: is %1, expected a finite number or -inf"), {to_text(fill.value)}});
}

void check_painted(const MaskContext&, const TensorMap& tensors) { require_booleans(tensors, "painted_mask"); }

MaskRule read_painted(const Tensor& array, const MaskContext& c, MaskTrue) {
    return BooleanCells{cell_array(array, c), 0.0};
}

using CellTest = std::function<bool(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j)>;

/// Whether the rule keeps a cell; empty for one that adds.
CellTest test_of(const MaskContext& c, const MaskRule& rule) {
    const ByForm tests{
        [&](const Band& band) -> CellTest {
            std::vector<Band> bands;
            for (std::int64_t b = 0; b < c.B; ++b)
                bands.push_back(band.of_batch(b));
            return [bands = std::move(bands)](auto b, auto, auto i, auto j) {
                return bands[static_cast<std::size_t>(b)].keeps(i, j);
            };
        },
        [](const ValidLengths& lengths) -> CellTest {
            return [lengths](auto b, auto, auto i, auto j) { return static_cast<double>(j) < lengths.of(b, i); };
        },
        [](const KeyPadding& padding) -> CellTest {
            return [padding](auto b, auto, auto, auto j) { return padding.of(b)[j] == 0.0; };
        },
        [](const KeyIntervals& intervals) -> CellTest {
            return [intervals](auto b, auto, auto i, auto j) { return intervals.keeps(b, i, j); };
        },
        [](const BooleanCells& mask) -> CellTest {
            return [mask](auto b, auto h, auto i, auto j) { return mask.cells.at(b, h, i, j) == mask.kept; };
        },
        [](const ComputedCells& computed) -> CellTest { return computed.keeps; },
        [](const CellArray&) -> CellTest { return nullptr; },
    };
    return std::visit(tests, rule);
}

/// A cell is kept where all tests keep it.
using CellTests = std::vector<CellTest>;

CellTests tests_of(const MaskContext& c, const std::vector<MaskRule>& rules) {
    CellTests tests;
    for (const auto& rule : rules)
        if (auto test = test_of(c, rule))
            tests.push_back(std::move(test));
    return tests;
}

/// Sets `blocked` (B,H,L,S) to 1 in the cells that `keeps` does not keep.
template <class Keeps>
void block(const MaskContext& c, std::span<double> blocked, const RunControl& control, const Keeps& keeps) {
    for_each_cell(c, [&](auto b, auto h, auto i, auto j, auto cell) {
        if (j == 0)
            control.checkpoint();
        if (blocked[cell] == 0.0 && !keeps(b, h, i, j))
            blocked[cell] = 1.0;
    });
}

/// The same for cells that any of the masks or an expression of them keeps.
void block_combined(const MaskContext& c, const std::vector<CellTests>& masks, const AttentionSpec& spec,
                    std::span<double> blocked, const RunControl& control) {
    std::optional<BoundExpression> joins;
    if (spec.mask_combine != "or") {
        const auto names = names_in_combination(spec.masks);
        joins.emplace(CellExpression(spec.mask_combine, CellExpression::Meaning::Combination, names), CellContext{});
    }
    const auto kept = std::make_unique<bool[]>(masks.size());
    block(c, blocked, control, [&](auto b, auto h, auto i, auto j) {
        bool any = false;
        for (std::size_t k = 0; k < masks.size(); ++k) {
            kept[k] = std::ranges::all_of(masks[k], [&](const CellTest& test) { return test(b, h, i, j); });
            any = any || kept[k];
        }
        return joins ? joins->keeps({.masks = kept.get()}) : any;
    });
}

/// The parameters of "2,1": negative numbers and "inf" are unlimited. Throws Error.
Values parsed_reaches(std::string_view argument, std::string_view owner) {
    const auto comma = argument.find(',');
    Values values;
    values.set("sides", std::string("separate"));
    const auto set = [&](const Parameter& side, std::string_view text) {
        std::int64_t number = 0;
        const auto* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, number);
        const bool is_negative = read.ec == std::errc() && read.ptr == end && number < 0;
        values.set(side.name,
                   is_negative || text == "inf" ? ParameterValue(unlimited_reach) : parse_value(side, text, owner));
    };
    set(reach_parameters[2], argument.substr(0, comma));
    set(reach_parameters[3], argument.substr(comma + 1));
    return values;
}

/// "4,2" as the first two parameters.
Values parsed_in_order(std::span<const Parameter> declared, std::string_view argument, std::string_view owner) {
    Values values;
    for (const auto& parameter : declared) {
        if (argument.empty())
            return values;
        const auto comma = argument.find(',');
        values.set(parameter.name, parse_value(parameter, argument.substr(0, comma), owner));
        argument = comma == argument.npos ? std::string_view{} : argument.substr(comma + 1);
    }
    if (!argument.empty())
        throw Error({ATTNLAB_TEXT("%1: takes %2 values, got another one: '%3'"),
                     {std::string(owner), std::to_string(declared.size()), std::string(argument)}});
    return values;
}

/// The masks that are bands, and those in an array.
constexpr std::array own_table = {
    MaskKind{.id = "causal",
             .title = ATTNLAB_TEXT("causal"),
             .rule = "j ≤ i",
             .help = ATTNLAB_TEXT("A token reads itself and the tokens before it."),
             .parameters = causal_parameters,
             .inputs = position_inputs,
             .keeps_first_keys = true,
             .band = causal_band},
    MaskKind{.id = "window",
             .title = ATTNLAB_TEXT("window"),
             .rule = "|i − j| ≤ w/2, or i − l ≤ j ≤ i + r",
             .help = ATTNLAB_TEXT("A token reads only its neighbours within a band around the diagonal."),
             .parameters = reach_parameters,
             .inputs = position_inputs,
             .band = window_band},
    MaskKind{.id = "prefix",
             .title = ATTNLAB_TEXT("prefix"),
             .rule = "j < p or j ≤ i",
             .help = ATTNLAB_TEXT("The first p tokens are open to all; the rest is causal (prefix language model)."),
             .parameters = prefix_parameters,
             .inputs = position_inputs,
             .keeps_first_keys = true,
             .band = prefix_band},
    MaskKind{.id = "valid_lens",
             .title = ATTNLAB_TEXT("ignore padding"),
             .rule = "j < valid_lens",
             .help = ATTNLAB_TEXT("Only the first keys of each sequence count; the rest is filling."),
             .inputs = valid_lens_inputs,
             .keeps_first_keys = true,
             .read = read_lengths,
             .check = check_valid_lens,
             .python = "j < <cells>[:, None, <rows>, None]",
             .latex = "j < \\ell_<row>"},
    MaskKind{.id = "key_padding",
             .title = ATTNLAB_TEXT("key padding"),
             .rule = "not key_padding_mask[j]",
             .help = ATTNLAB_TEXT("Keys marked as padding are read by no query."),
             .inputs = key_padding_inputs,
             .keeps_first_keys = true,
             .read = read_padding,
             .check = check_key_padding,
             .python = "~<cells>[:, None, None, :]",
             .latex = "\\text{key } j \\text{ is no padding}"},
    MaskKind{.id = "painted",
             .title = ATTNLAB_TEXT("painted"),
             .rule = "not painted_mask[i, j]",
             .help = ATTNLAB_TEXT("The cells that you painted on the grid are blocked."),
             .inputs = painted_inputs,
             .read = read_painted,
             .check = check_painted,
             .python = "~<cells>",
             .latex = "(i, j) \\text{ is not painted}"},
    MaskKind{.id = "attn_mask",
             .title = ATTNLAB_TEXT("attention mask"),
             .rule = "attn_mask[i, j]",
             .help = ATTNLAB_TEXT("A table of True and False, one cell for each query and key."),
             .inputs = attn_mask_inputs,
             .uses_mask_true = true,
             .read = read_booleans,
             .check = check_attn_mask,
             .python = "<not><cells>",
             .latex = "<not>M_{ij}<head>"},
    MaskKind{.id = "attn_bias",
             .title = ATTNLAB_TEXT("additive bias"),
             .rule = "s + attn_bias[i, j]",
             .help = ATTNLAB_TEXT("A table of numbers that is added to the scaled scores."),
             .inputs = attn_bias_inputs,
             .adds = true,
             .read = read_bias,
             .check = check_attn_bias,
             .python = "<cells>",
             .latex = "B_{ij}<head>"},
};

static_assert(std::ranges::all_of(own_table, is_complete), "a mask lacks its rule or its code");
static_assert(std::ranges::count(own_table, true, &MaskKind::adds) == 1, "engines have one array that is added");

} // namespace

MaskContext mask_context(const Bindings& sizes) {
    MaskContext context{sizes.at("B"), sizes.at("H"), sizes.at("L"), sizes.at("S")};
    const auto rows = sizes.find("grid_rows"), columns = sizes.find("grid_columns");
    if (rows != sizes.end() && columns != sizes.end())
        context.key_grid = KeyGrid{rows->second, columns->second};
    return context;
}

std::optional<CellStrides> cell_strides(const Shape& shape, const MaskContext& c) {
    const auto rank = shape.size();
    if (rank < 1 || rank > 4)
        return std::nullopt;
    Shape all(4 - rank, 1); // omitted axes repeat
    all.insert(all.end(), shape.begin(), shape.end());
    const bool fits = (all[3] == 1 || all[3] == c.S) && (all[2] == 1 || all[2] == c.L);
    const auto strides_of = [&](std::int64_t batches, std::int64_t heads) {
        const auto stride = [](std::int64_t size, std::int64_t elements) { return size == 1 ? 0 : elements; };
        return CellStrides{stride(batches, heads * all[2] * all[3]), stride(heads, all[2] * all[3]),
                           stride(all[2], all[3]), stride(all[3], 1)};
    };
    if (fits && rank == 3 && all[1] == c.B * c.H)
        return strides_of(c.B, c.H);
    if (fits && (all[1] == 1 || all[1] == c.H) && (all[0] == 1 || all[0] == c.B))
        return strides_of(all[0], all[1]);
    return std::nullopt;
}

CellArray cell_array(const Tensor& tensor, const MaskContext& context) {
    const auto strides = *cell_strides(tensor.shape(), context);
    return {tensor.data(), strides.batch, strides.head, strides.row, strides.key};
}

std::span<const MaskKind> mask_kinds() {
    static const auto all = [] {
        std::vector<MaskKind> kinds(own_table.begin(), own_table.end());
        kinds.insert(kinds.end(), interval_masks().begin(), interval_masks().end());
        kinds.push_back(expression_mask);
        return kinds;
    }();
    return all;
}

const MaskKind& mask_kind(std::string_view id) {
    if (const auto* found = lookup(mask_kinds(), id))
        return *found;
    throw UnknownName(
        {ATTNLAB_TEXT("mask: '%1' is not one of %2"), {std::string(id), listed(mask_kinds(), &MaskKind::id)}});
}

Selection parse_mask(std::string_view text) {
    const auto [id, argument] = id_and_argument(text);
    const auto& kind = mask_kind(id);
    if (is_window(kind) && argument.find(',') != argument.npos)
        return {std::string(id), parsed_reaches(argument, id)};
    if (!is_window(kind) && kind.parameters.size() > 1)
        return {std::string(id), parsed_in_order(kind.parameters, argument, id)};
    return {std::string(id), parse_argument(kind.parameters, argument, id)};
}

std::span<const Parameter> window_parameters() { return reach_parameters; }

bool is_window(const MaskKind& kind) { return kind.parameters.data() == std::data(reach_parameters); }

bool has_alignment(const MaskKind& kind) { return lookup(kind.parameters, "alignment", &Parameter::name) != nullptr; }

const Input& array_of(const MaskKind& kind) { return kind.inputs.front(); }

const Selection* find_mask(std::span<const Selection> masks, bool MaskKind::*property) {
    const auto has_property = [&](const Selection& mask) {
        const auto* kind = lookup(mask_kinds(), mask.id);
        return kind && kind->*property;
    };
    const auto found = std::ranges::find_if(masks, has_property);
    return found == masks.end() ? nullptr : &*found;
}

bool uses_positions(const MaskKind& kind) {
    return lookup(kind.inputs, query_offset_input.name, &Input::name) != nullptr;
}

bool uses_positions(std::span<const Selection> masks) {
    return std::ranges::any_of(masks, [](const Selection& mask) { return uses_positions(mask_kind(mask.id)); });
}

std::vector<MaskRule> rules_of(const Selection& mask, const MaskContext& context, const TensorMap& tensors,
                               MaskTrue mask_true, const QueryOffsets& offsets) {
    const auto& kind = mask_kind(mask.id);
    if (kind.rules)
        return kind.rules({context, mask.parameters, tensors, offsets});
    if (kind.intervals)
        return {kind.intervals({context, mask.parameters, tensors, offsets})};
    if (!kind.band)
        return {kind.read(array(tensors, array_of(kind).name), context, mask_true)};
    auto band = kind.band(context, mask.parameters);
    if (const auto common = offsets.common())
        return {band.shifted(*common)};
    band.offsets = offsets.array()->data();
    return {band};
}

Selection complete_mask(const Selection& mask) {
    const auto& kind = mask_kind(mask.id);
    auto given = mask.parameters;
    // A reach alone, as a file may have it, says that the sides are separate.
    if (is_window(kind) && !given.find("sides") && (given.find("left") || given.find("right"))) {
        if (given.find("w"))
            throw Error(
                Message(ATTNLAB_TEXT("window: has a width w and a reach (left or right), expected one of them")));
        given.set("sides", std::string("separate"));
    }
    return {mask.id, with_defaults(kind.parameters, given, kind.id)};
}

std::vector<std::string> names_in_combination(std::span<const Selection> masks) {
    std::vector<std::string> names;
    for (auto mask = masks.begin(); mask != masks.end(); ++mask) {
        if (mask_kind(mask->id).adds)
            continue;
        const auto before = std::count_if(masks.begin(), mask, [&](const Selection& m) { return m.id == mask->id; });
        names.push_back(before == 0 ? mask->id : mask->id + "_" + std::to_string(before + 1));
    }
    return names;
}

bool combines_otherwise(const AttentionSpec& spec) {
    if (spec.mask_combine == "or")
        return names_in_combination(spec.masks).size() > 1;
    return !spec.mask_combine.empty() && spec.mask_combine != "and";
}

std::string parse_combination(std::string_view text) {
    const auto first = text.find_first_not_of(" \n\t"), last = text.find_last_not_of(" \n\t");
    const auto trimmed = first == text.npos ? std::string_view{} : text.substr(first, last - first + 1);
    return trimmed == "and" ? std::string() : std::string(trimmed);
}

void check_combination(const AttentionSpec& spec) {
    const auto& text = spec.mask_combine;
    if (text.empty() || text == "and" || text == "or")
        return;
    const auto names = names_in_combination(spec.masks);
    const CellExpression expression(text, CellExpression::Meaning::Combination, names);
    for (const auto& name : names)
        if (!expression.reads(name))
            throw Error({ATTNLAB_TEXT("mask_combine: '%1' does not name the mask %2, expected all of %3"),
                         {text, name, listed(names)}});
}

void fit_combination(AttentionSpec& spec) {
    try {
        check_combination(spec);
    } catch (const Error&) {
        spec.mask_combine.clear();
    }
}

void add_mask(AttentionSpec& spec, Selection mask) {
    const bool joins = combines_otherwise(spec) && spec.mask_combine != "or" && !mask_kind(mask.id).adds;
    spec.masks.push_back(std::move(mask));
    if (joins)
        spec.mask_combine = "(" + spec.mask_combine + ") and " + names_in_combination(spec.masks).back();
}

void add_implied_mask(AttentionSpec& spec, Selection mask) {
    if (combines_otherwise(spec)) {
        const auto names = names_in_combination(spec.masks);
        std::string any;
        for (const auto& name : names)
            any += (any.empty() ? "" : " or ") + name;
        const auto joined = spec.mask_combine == "or" ? any : spec.mask_combine;
        spec.masks.push_back(std::move(mask));
        spec.mask_combine = "(" + joined + ") and " + names_in_combination(spec.masks).back();
        return;
    }
    spec.mask_combine.clear(); // "or" of one mask
    if (!lookup(spec.masks, mask.id))
        spec.masks.insert(spec.masks.begin(), std::move(mask));
}

void check_masks(const ResolvedProblem& problem) {
    const auto sizes = mask_context(problem.sizes);
    for (const auto& mask : problem.spec.masks)
        if (const auto check = mask_kind(mask.id).check)
            check(sizes, problem.tensors);
    const auto offsets =
        uses_positions(problem.spec.masks) ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    for (const auto& mask : problem.spec.masks)
        if (const auto& kind = mask_kind(mask.id); kind.intervals)
            kind.intervals({sizes, mask.parameters, problem.tensors, offsets});
        else if (kind.rules)
            check_expression_cells({sizes, mask.parameters, problem.tensors, offsets});
    check_fill(problem.spec.mask_fill);
}

Tensor blocked_cells(const ResolvedProblem& problem, const RunControl& control) {
    check_masks(problem);
    const auto& masks = problem.spec.masks;
    if (std::all_of(masks.begin(), masks.end(), [](const Selection& m) { return mask_kind(m.id).adds; }))
        return {};
    const auto c = mask_context(problem.sizes);
    Tensor blocked({c.B, c.H, c.L, c.S}, 0.0, DType::Bool);
    const auto cells = blocked.mutable_values();
    const auto offsets = uses_positions(masks) ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    std::vector<CellTests> tests;
    for (const auto& mask : masks)
        if (!mask_kind(mask.id).adds)
            tests.push_back(tests_of(c, rules_of(mask, c, problem.tensors, problem.spec.mask_true, offsets)));
    if (combines_otherwise(problem.spec)) {
        block_combined(c, tests, problem.spec, cells, control);
        return blocked;
    }
    for (const auto& of_mask : tests)
        for (const auto& test : of_mask)
            block(c, cells, control, test);
    return blocked;
}

Tensor blocked_by(const Selection& mask, const AttentionProblem& problem, const MaskContext& c) {
    const auto& kind = mask_kind(mask.id);
    ParameterValues sizes;
    for (const auto& [symbol, size] :
         {std::pair{"B", c.B}, std::pair{"H", c.H}, std::pair{"L", c.L}, std::pair{"S", c.S}})
        sizes.set(symbol, size);
    // Kinds rely on checked shapes. Unqualified, it would be std::bind.
    attnlab::bind(kind.inputs, problem.tensors, sizes);
    const auto complete = complete_mask(mask);
    if (kind.check)
        kind.check(c, problem.tensors);
    const auto offsets = uses_positions(kind) ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    check_fill(problem.spec.mask_fill);
    if (kind.adds)
        return {};
    Tensor blocked({c.B, c.H, c.L, c.S}, 0.0, DType::Bool);
    for (const auto& test : tests_of(c, rules_of(complete, c, problem.tensors, problem.spec.mask_true, offsets)))
        block(c, blocked.mutable_values(), {}, test);
    return blocked;
}

Tensor attention_bias(const ResolvedProblem& problem) {
    check_masks(problem);
    const auto* mask = find_mask(problem.spec.masks, &MaskKind::adds);
    if (!mask)
        return {};
    const auto c = mask_context(problem.sizes);
    const auto bias = cell_array(array(problem.tensors, array_of(mask_kind(mask->id)).name), c);
    Tensor spread({c.B, c.H, c.L, c.S});
    const auto cells = spread.mutable_values();
    for_each_cell(c, [&](auto b, auto h, auto i, auto j, auto cell) { cells[cell] = bias.at(b, h, i, j); });
    return spread;
}

double shifted(double score, double shift) { return shift == -infinity ? shift : score + shift; }

Tensor apply_masks(const Tensor& scaled, const Tensor& bias, const Tensor& blocked, const MaskFill& fill,
                   std::int64_t appended) {
    Tensor masked = scaled;
    const auto columns = scaled.dim(-1);
    const auto rows = columns == 0 ? 0 : scaled.size() / columns;
    const auto keys = columns - appended;
    const auto cells = masked.mutable_values();
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t j = 0; j < keys; ++j) {
            double& s = cells[static_cast<std::size_t>(row * columns + j)];
            if (bias.size() > 0)
                s = shifted(s, bias.data()[row * keys + j]);
            if (blocked.size() > 0 && blocked.data()[row * keys + j] != 0.0)
                s = fill.mode == MaskFill::Mode::Replace ? fill.value : shifted(s, fill.value);
        }
    }
    return masked;
}

} // namespace attnlab
