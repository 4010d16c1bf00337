#include "core/capture/capture.h"

#include "core/lookup.h"
#include "core/stages/mask_rule.h"
#include "core/stages/query_offset.h"
#include "core/stages/sliding_window.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace attnlab {
namespace {

using KnownSizes = std::map<char, std::int64_t>;

struct Carried {
    std::string_view mechanism;
    std::vector<std::string> arrays;
};
const Carried carried[] = {{"gated_delta", {"log_gate", "beta"}},
                           {"delta_rule", {"beta"}},
                           {"gated_linear", {"log_gate"}},
                           {"retention", {"gamma"}}};

[[noreturn]] void refuse(const Capture& capture, const std::string& array, const Tensor& tensor,
                         const Message& expected) {
    throw Error({ATTNLAB_TEXT("%1: %2 has the shape %3, expected %4"),
                 {capture.file, array, to_string(tensor.shape()), expected}});
}

/// "(B = 1, H = 4, L, E)": sizes that are known.
std::string described(const std::string& axes, const KnownSizes& sizes) {
    std::string text;
    for (const char axis : axes) {
        const auto known = sizes.find(axis);
        text += (text.empty() ? "(" : ", ") + (axis == 'K' ? std::string("Hkv") : std::string(1, axis)) +
                (known == sizes.end() ? "" : " = " + std::to_string(known->second));
    }
    return text + ")";
}

/// Compares a shape with sizes that are known, and learns the others.
void bind_axes(const Capture& capture, const std::string& array, const Tensor& tensor, const std::string& axes,
               KnownSizes& sizes) {
    const auto& shape = tensor.shape();
    bool fits = shape.size() == axes.size();
    for (std::size_t axis = 0; fits && axis < axes.size(); ++axis)
        fits = sizes.try_emplace(axes[axis], shape[axis]).first->second == shape[axis];
    if (!fits)
        refuse(capture, array, tensor, {"%1", {described(axes, sizes)}});
}

const Tensor& required(const Capture& capture, const std::string& name) {
    if (const auto* tensor = capture.tensor(name))
        return *tensor;
    throw Error({ATTNLAB_TEXT("%1: the array %2 is missing"), {capture.file, name}});
}

/// (B|1, H|1, L|1, S), of numbers of the right kind.
void check_cells(const Capture& capture, const std::string& name, const KnownSizes& sizes, bool is_mask) {
    if (name.empty())
        return;
    const auto& cells = required(capture, name);
    const auto& shape = cells.shape();
    bool fits = shape.size() == 4 && shape[3] == sizes.at('S');
    for (std::size_t axis = 0; fits && axis < 3; ++axis)
        fits = shape[axis] == 1 || shape[axis] == sizes.at("BHL"[axis]);
    if (!fits)
        refuse(capture, name, cells,
               {ATTNLAB_TEXT("%1, where B, H and L may be 1"),
                {described("BHLS",
                           {{'B', sizes.at('B')}, {'H', sizes.at('H')}, {'L', sizes.at('L')}, {'S', sizes.at('S')}})}});
    if ((cells.dtype() == DType::Bool) != is_mask)
        throw Error({ATTNLAB_TEXT("%1: %2 has the type %3, expected %4"),
                     {capture.file, name, std::string(name_of(cells.dtype())),
                      is_mask ? Message("bool") : Message(ATTNLAB_TEXT("floats"))}});
}

void check_labels(const Capture& capture, const std::string& name, std::int64_t batch, std::int64_t count) {
    if (name.empty())
        return;
    const auto found = capture.tokens.find(name);
    if (found == capture.tokens.end())
        throw Error({ATTNLAB_TEXT("%1: the tokens '%2' are missing"), {capture.file, name}});
    const auto& lists = found->second;
    if (std::ssize(lists) != 1 && std::ssize(lists) != batch)
        throw Error({ATTNLAB_TEXT("%1: tokens '%2': has %3 lists, expected %4, one for each sequence, or 1"),
                     {capture.file, name, std::to_string(lists.size()), std::to_string(batch)}});
    for (const auto& labels : lists)
        if (std::ssize(labels) != count)
            throw Error({ATTNLAB_TEXT("%1: tokens '%2': has %3 labels, expected %4"),
                         {capture.file, name, std::to_string(labels.size()), std::to_string(count)}});
}

/// Of a layer that carries a state: as many keys as queries, and its gates.
void check_carried(const Capture& capture, const CapturedPass& pass, KnownSizes& sizes) {
    bind_axes(capture, pass.array("query"), required(capture, pass.array("query")), "BHLE", sizes);
    bind_axes(capture, pass.array("key"), required(capture, pass.array("key")), "BKLE", sizes);
    const auto needed = arrays_of_carried(pass.mechanism);
    if (!needed)
        throw Error({ATTNLAB_TEXT("%1: pass '%2': has the mechanism %3, expected one that carries a state: %4"),
                     {capture.file, pass.name, pass.mechanism, listed(carried, &Carried::mechanism)}});
    for (const auto& what : *needed) {
        const auto& array = required(capture, pass.array(what));
        const std::string axes = what == "gamma" ? "H" : what == "log_gate" && array.rank() == 4 ? "BHLE" : "BHL";
        bind_axes(capture, pass.array(what), array, axes, sizes);
    }
    if (!pass.mask.empty() || !pass.bias.empty() || pass.soft_cap > 0.0 || pass.window > 0 || pass.offset != 0 ||
        capture.tensor(pass.array("sinks")))
        throw Error({ATTNLAB_TEXT("%1: pass '%2': %3 has no mask, bias, sinks, soft cap, window or offset"),
                     {capture.file, pass.name, pass.mechanism}});
}

void check(const Capture& capture, const CapturedPass& pass) {
    KnownSizes sizes{{'H', pass.heads}, {'K', pass.key_value_heads}};
    const auto optional = [&](const char* what, const char* axes) {
        if (const auto* tensor = capture.tensor(pass.array(what)))
            bind_axes(capture, pass.array(what), *tensor, axes, sizes);
    };
    const auto weights = pass.array("weights");
    if (!pass.mechanism.empty()) {
        check_carried(capture, pass, sizes);
        optional("value", "BKLV");
        sizes['S'] = sizes.at('L');
    } else if (const auto* tensor = capture.tensor(weights); tensor && !capture.tensor(pass.array("query"))) {
        bind_axes(capture, weights, *tensor, "BHLS", sizes);
    } else {
        bind_axes(capture, pass.array("query"), required(capture, pass.array("query")), "BHLE", sizes);
        bind_axes(capture, pass.array("key"), required(capture, pass.array("key")), "BKSE", sizes);
        optional("value", "BKSV");
        optional("lse", "BHL");
        optional("sinks", "H");
        optional("weights", "BHLS");
    }
    if (pass.heads < 1 || pass.key_value_heads < 1 || pass.heads % pass.key_value_heads != 0)
        throw Error({ATTNLAB_TEXT("%1: pass '%2': has %3 heads and %4 key-value heads, expected a multiple"),
                     {capture.file, pass.name, std::to_string(pass.heads), std::to_string(pass.key_value_heads)}});
    check_cells(capture, pass.mask, sizes, true);
    check_cells(capture, pass.bias, sizes, false);
    check_labels(capture, pass.query_tokens, sizes.at('B'), sizes.at('L'));
    check_labels(capture, pass.key_tokens, sizes.at('B'), sizes.at('S'));
}

struct Reason {
    std::string_view id;
    const char* text;
};

constexpr std::array reasons{
    Reason{"mask", ATTNLAB_TEXT("the mask")},
    Reason{"causal", ATTNLAB_TEXT("the causal mask")},
    Reason{"window", ATTNLAB_TEXT("the window")},
    Reason{"padding", ATTNLAB_TEXT("the padding")},
    Reason{"documents", ATTNLAB_TEXT("the documents packed into one sequence")},
    Reason{"soft_cap", ATTNLAB_TEXT("the soft cap")},
    Reason{"sinks", ATTNLAB_TEXT("the sinks")},
    Reason{"scale", ATTNLAB_TEXT("the scale")},
    Reason{"dropout", ATTNLAB_TEXT("dropout")},
    Reason{"not_finite", ATTNLAB_TEXT("numbers that are not finite")},
};

Message listed_reasons(const std::vector<std::string>& ids) {
    std::vector<Message> texts;
    for (const auto& id : ids)
        texts.emplace_back(std::ranges::find(reasons, std::string_view(id), &Reason::id)->text);
    return joined(texts, ATTNLAB_TEXT("%1, %2"));
}

} // namespace

std::optional<std::vector<std::string>> arrays_of_carried(std::string_view mechanism) {
    const auto* found = lookup(carried, mechanism, &Carried::mechanism);
    return found ? std::optional(found->arrays) : std::nullopt;
}

bool is_capture_reason(std::string_view reason) { return lookup(reasons, reason) != nullptr; }

std::vector<Message> CapturedPass::remarks() const {
    std::vector<Message> found;
    if (!ignored.empty())
        found.push_back({ATTNLAB_TEXT("%1: the attention function ignored: %2. The pass is recorded as computed"),
                         {name, listed_reasons(ignored)}});
    if (differs > 0.0) {
        const auto percent = to_text(std::max(0.01, std::round(1e4 * differs) / 100.0));
        if (likely.empty())
            found.push_back({ATTNLAB_TEXT("%1: the record differs from what the attention function returned, by %2% of "
                                          "its largest number"),
                             {name, percent}});
        else
            found.push_back({ATTNLAB_TEXT("%1: the record differs from what the attention function returned, by %2% of "
                                          "its largest number. Likely reason: %3"),
                             {name, percent, listed_reasons(likely)}});
    }
    return found;
}

std::vector<std::string> CapturedPass::arrays() const {
    std::vector<std::string> names;
    for (const char* what : {"query", "key", "value", "lse", "sinks", "weights", "beta", "log_gate", "gamma"})
        names.push_back(array(what));
    for (const auto& cells : {mask, bias})
        if (!cells.empty())
            names.push_back(cells);
    return names;
}

const CapturedPass* Capture::find(std::string_view pass) const { return lookup(passes, pass, &CapturedPass::name); }

const Tensor* Capture::tensor(const std::string& name) const {
    const auto found = tensors.find(name);
    return found == tensors.end() ? nullptr : &found->second;
}

std::vector<std::string> Capture::pass_names() const {
    std::vector<std::string> names;
    for (const auto& pass : passes)
        names.push_back(pass.name);
    return names;
}

std::vector<std::string> Capture::labels(std::string_view name, std::int64_t batch) const {
    const auto found = tokens.find(name);
    if (found == tokens.end() || (batch > 1 && found->second.size() > 1))
        return {};
    return found->second.front();
}

void check(const Capture& capture) {
    for (const auto& pass : capture.passes)
        check(capture, pass);
}

namespace {

bool read_number(std::string_view text, std::int64_t& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0;
}

} // namespace

std::optional<PassNameParts> parts_of_pass_name(std::string_view name) {
    PassNameParts parts;
    const auto at = name.find('@');
    if (at != std::string_view::npos && !read_number(name.substr(at + 1), parts.run))
        return std::nullopt;
    name = name.substr(0, at);
    const auto first = name.find('.'), last = name.rfind('.');
    if (first == std::string_view::npos)
        return std::nullopt;
    const bool has_kind = last != first;
    if (!read_number(name.substr(first + 1, has_kind ? last - first - 1 : name.npos), parts.layer))
        return std::nullopt;
    parts.stack = name.substr(0, first);
    parts.kind = has_kind ? name.substr(last + 1) : "self";
    if (parts.kind != "self" && parts.kind != "cross")
        return std::nullopt;
    return parts;
}

// Implements problem_of of core/capture/capture.h.

namespace {

constexpr const char* sink_label = "sink";

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(b); }

Selection selected(const char* id, const char* name, ParameterValue value) {
    Selection selection{id, {}};
    selection.parameters.set(name, std::move(value));
    return selection;
}

struct Sizes {
    std::int64_t B, H, L, S, E;
};

/// The keys that a query may read.
Band diagonal_band(const CapturedPass& pass) {
    Band band;
    if (pass.window > 0)
        band = {.before = pass.window - 1, .after = pass.window - 1};
    if (pass.causal)
        band.after = 0;
    return band.shifted(pass.offset);
}

/// The masks of the table and the query offset that say the band.
struct NamedBand {
    std::vector<Selection> masks = {};
    std::optional<std::int64_t> offset = std::nullopt;
};

/// nullopt where the masks cannot say the band.
std::optional<NamedBand> named_band(const CapturedPass& pass, const Sizes& sizes) {
    if (pass.window == 0 && !pass.causal)
        return NamedBand{};
    const bool is_square = sizes.L == sizes.S;
    if (pass.window == 0 && pass.offset == sizes.S - sizes.L && !is_square)
        return NamedBand{{selected("causal", "alignment", std::string("bottom_right"))}};
    constexpr double farthest_window = 5e8;
    if (std::abs(static_cast<double>(pass.offset)) > farthest_query_offset ||
        static_cast<double>(pass.window) > farthest_window)
        return std::nullopt;
    NamedBand band;
    if (pass.offset != 0 || !is_square) // otherwise no corner is in doubt
        band.offset = pass.offset;
    if (!pass.causal)
        band.masks = {selected("window", "w", 2 * pass.window - 2)};
    else
        band.masks = pass.window > 0 ? sliding_window(pass.window) : std::vector<Selection>{{"causal", {}}};
    return band;
}

void require_room(const char* name, const Shape& shape, std::int64_t limit) {
    RunControl{.memory_limit = limit}.require_memory(name, shape, 1.0);
}

/// What `mask`, (B|1,H|1,L|1,S) or null, and the band keep, with a column that is kept for a sink. The band counts
/// where `band` is given.
Tensor kept_cells(const Tensor* mask, const Band* band, const Sizes& sizes, std::int64_t columns, std::int64_t limit) {
    Shape shape = mask ? mask->shape() : Shape{1, 1, 1, sizes.S};
    const bool repeats = shape[2] == 1;
    if (band)
        shape[2] = sizes.L;
    shape[3] = columns;
    require_room("attn_mask", shape, limit);
    Tensor kept(shape, 1.0, DType::Bool);
    const auto values = kept.mutable_values();
    for (std::int64_t outer = 0, at = 0; outer < shape[0] * shape[1]; ++outer)
        for (std::int64_t row = 0; row < shape[2]; ++row, at += columns)
            for (std::int64_t key = 0; key < sizes.S; ++key) {
                const auto source = (repeats ? outer : outer * shape[2] + row) * sizes.S + key;
                const bool blocked = (mask && mask->data()[source] == 0.0) || (band && !band->keeps(row, key));
                values[static_cast<std::size_t>(at + key)] = blocked ? 0.0 : 1.0;
            }
    return kept;
}

/// A row of zeros behind each head.
Tensor with_sink_row(const Tensor& heads, std::int64_t limit) {
    auto shape = heads.shape();
    const auto numbers = shape[2] * shape[3];
    ++shape[2];
    require_room("key", shape, limit);
    Tensor longer(shape, 0.0, heads.dtype());
    const auto values = longer.mutable_values();
    const auto width = shape[3];
    for (std::int64_t head = 0; head < shape[0] * shape[1]; ++head)
        heads.read(head * numbers, values.subspan(static_cast<std::size_t>(head * (numbers + width)),
                                                  static_cast<std::size_t>(numbers)));
    return longer;
}

/// Returns what queries are multiplied by.
double set_scale(AttentionSpec& spec, const CapturedPass& pass, std::int64_t width) {
    const double usual = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, width)));
    if (pass.soft_cap > 0.0) {
        spec.scale = selected("softcap", "c", pass.soft_cap);
        return is_near(pass.scale, usual) ? 1.0 : pass.scale / usual;
    }
    if (is_near(pass.scale, usual))
        spec.scale = {"sqrt_dk", {}};
    else if (pass.scale == 1.0)
        spec.scale = {"none", {}};
    else
        spec.scale = selected("custom", "c", pass.scale);
    return 1.0;
}

Tensor multiplied(const Tensor& tensor, double factor) {
    Tensor product = tensor;
    for (double& value : product.mutable_values())
        value *= factor;
    return product.with_dtype(DType::Float64);
}

/// The mask and the band as masks of the problem.
void set_masks(AttentionProblem& problem, const Capture& capture, const CapturedPass& pass, const Sizes& sizes,
               std::int64_t columns, std::int64_t limit) {
    const bool blocks_sink = columns > sizes.S && (pass.causal || pass.window > 0);
    auto named = blocks_sink ? std::nullopt : named_band(pass, sizes);
    const Tensor* mask = pass.mask.empty() ? nullptr : capture.tensor(pass.mask);
    if (named) {
        problem.spec.masks = std::move(named->masks);
        problem.spec.query_offset = named->offset;
    }
    if (!mask && named)
        return;
    const auto band = diagonal_band(pass);
    problem.spec.masks.push_back({"attn_mask", {}});
    problem.spec.mask_true = MaskTrue::Keeps;
    const bool is_whole = named && columns == sizes.S;
    problem.tensors["attn_mask"] = is_whole ? *mask : kept_cells(mask, named ? nullptr : &band, sizes, columns, limit);
}

void set_bias(AttentionProblem& problem, const Capture& capture, const CapturedPass& pass, const Sizes& sizes,
              std::int64_t columns, std::int64_t limit) {
    const Tensor* bias = pass.bias.empty() ? nullptr : capture.tensor(pass.bias);
    const Tensor* sinks = capture.tensor(pass.array("sinks"));
    if (!bias && !sinks)
        return;
    problem.spec.masks.push_back({"attn_bias", {}});
    if (!sinks) {
        problem.tensors["attn_bias"] = *bias;
        return;
    }
    Shape shape = bias ? bias->shape() : Shape{1, 1, 1, sizes.S};
    const Shape from = shape;
    shape[1] = sizes.H;
    shape[3] = columns;
    require_room("attn_bias", shape, limit);
    Tensor made(shape, 0.0, DType::Float32);
    const auto values = made.mutable_values();
    std::size_t at = 0;
    for (std::int64_t b = 0; b < shape[0]; ++b)
        for (std::int64_t h = 0; h < shape[1]; ++h)
            for (std::int64_t row = 0; row < shape[2]; ++row)
                for (std::int64_t key = 0; key < columns; ++key) {
                    const auto source = ((b * from[1] + (from[1] == 1 ? 0 : h)) * shape[2] + row) * sizes.S + key;
                    values[at++] = key == sizes.S ? sinks->value(h) : bias ? bias->value(source) : 0.0;
                }
    problem.tensors["attn_bias"] = std::move(made);
}

/// Without a window that reaches every key.
CapturedPass with_needed_window(CapturedPass pass, const Sizes& sizes) {
    if (pass.window >= std::max(sizes.L, sizes.S) + std::abs(pass.offset))
        pass.window = 0;
    return pass;
}

void set_labels(AttentionProblem& problem, const Capture& capture, const CapturedPass& pass, const Sizes& sizes,
                bool has_sink) {
    problem.query_tokens = capture.labels(pass.query_tokens, sizes.B);
    if (pass.key_tokens != pass.query_tokens || has_sink)
        problem.key_tokens = capture.labels(pass.key_tokens, sizes.B);
    if (has_sink && !problem.key_tokens.empty())
        problem.key_tokens.push_back(sink_label);
}

} // namespace

AttentionProblem problem_of(const Capture& capture, const CapturedPass& recorded, std::int64_t memory_limit) {
    AttentionProblem problem;
    const auto* query = capture.tensor(recorded.array("query"));
    if (!query) {
        const auto& weights = *capture.tensor(recorded.array("weights"));
        problem.spec.variant = "given_weights";
        problem.tensors["weights"] = weights;
        const Sizes sizes{weights.dim(0), weights.dim(1), weights.dim(2), weights.dim(3), 0};
        set_labels(problem, capture, recorded, sizes, false);
        return problem;
    }
    const auto& key = *capture.tensor(recorded.array("key"));
    if (!recorded.mechanism.empty()) {
        problem.spec.variant = recorded.mechanism;
        set_scale(problem.spec, recorded, query->dim(3));
        problem.tensors = {{"query", *query}, {"key", key}};
        for (const char* what : {"value", "beta", "log_gate", "gamma"})
            if (const auto* tensor = capture.tensor(recorded.array(what)))
                problem.tensors[what] = *tensor;
        set_labels(problem, capture, recorded, {query->dim(0), query->dim(1), query->dim(2), query->dim(2), 0}, false);
        return problem;
    }
    const Sizes sizes{query->dim(0), query->dim(1), query->dim(2), key.dim(2), query->dim(3)};
    const auto pass = with_needed_window(recorded, sizes);
    const bool has_sink = capture.tensor(pass.array("sinks")) != nullptr;
    const auto columns = sizes.S + (has_sink ? 1 : 0);
    problem.spec.variant = "scaled_dot_product";
    const double factor = set_scale(problem.spec, pass, sizes.E);
    problem.tensors["query"] = factor == 1.0 ? *query : multiplied(*query, factor);
    problem.tensors["key"] = has_sink ? with_sink_row(key, memory_limit) : key;
    if (const auto* value = capture.tensor(pass.array("value")))
        problem.tensors["value"] = has_sink ? with_sink_row(*value, memory_limit) : *value;
    set_masks(problem, capture, pass, sizes, columns, memory_limit);
    set_bias(problem, capture, pass, sizes, columns, memory_limit);
    set_labels(problem, capture, pass, sizes, has_sink);
    return problem;
}

} // namespace attnlab
