#include "core/stages/mask_notes.h"

#include "core/stages/normaliser.h"
#include "core/stages/notes.h"
#include "core/stages/sliding_window.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnlab {
namespace {

/// The problem, its sizes, and the list of notes.
struct Noting {
    const ResolvedProblem& problem;
    const MaskContext& sizes;
    std::vector<Note>& notes;

    const Tensor& array(std::string_view name) const { return problem.tensors.find(name)->second; }
    /// The array of the first mask whose kind has the property; null if there is none.
    const Tensor* array_with(bool MaskKind::*property) const {
        const auto* mask = find_mask(problem.spec.masks, property);
        return mask ? &array(array_of(mask_kind(mask->id)).name) : nullptr;
    }
    void info(Message message) const { notes.push_back({Note::Severity::Info, std::move(message)}); }
    void warn(Message message) const { notes.push_back({Note::Severity::Warning, std::move(message)}); }
};

/// The value of attn_mask that keeps a cell.
double kept_value(const AttentionSpec& spec) { return spec.mask_true == MaskTrue::Keeps ? 1.0 : 0.0; }

bool holds_only(const Tensor& tensor, double value) {
    const auto values = tensor.values();
    return std::all_of(values.begin(), values.end(), [=](double one) { return one == value; });
}

/// True when every query of every sequence is at a position that `open` accepts; it is called for the lowest and the
/// highest position of each sequence.
template <class Open>
bool at_all_positions(const Noting& n, Open open) {
    const auto offsets = query_offsets(n.problem.spec, n.problem.tensors);
    for (std::int64_t b = 0; b < n.sizes.B; ++b)
        if (!open(offsets.of(b)) || !open(offsets.of(b) + n.sizes.L - 1))
            return false;
    return true;
}

/// The band keeps all S keys for a query at position p.
bool keeps_all_keys(const Band& band, std::int64_t p, std::int64_t S) {
    return p - band.before <= 0 && (p + band.after >= S - 1 || band.prefix >= S);
}

/// Every place lies in every interval.
bool keep_all(const Noting& n, const KeyIntervals& intervals) {
    const auto& c = n.sizes;
    for (const auto& axis : *intervals.axes)
        for (std::int64_t b = 0; b < c.B; ++b) {
            const auto* places = axis.places.data() + b * axis.place_stride;
            const auto [lowest, highest] = std::minmax_element(places, places + c.L);
            const auto row = intervals.row(axis, b, 0);
            if (std::any_of(places, places + c.L, [](double place) { return std::isnan(place); }) ||
                *std::max_element(row.first, row.first + c.S) > *lowest ||
                *std::min_element(row.last, row.last + c.S) < *highest)
                return false;
        }
    return true;
}

/// Excludes masks with an alignment, which note_corner() handles.
bool blocks_nothing(const Noting& n, const Selection& mask) {
    const auto& c = n.sizes;
    const auto& kind = mask_kind(mask.id);
    if (has_alignment(kind))
        return false;
    if (kind.band) {
        const auto band = kind.band(c, mask.parameters);
        return at_all_positions(n, [&](std::int64_t p) { return keeps_all_keys(band, p, c.S); });
    }
    if (kind.intervals)
        return keep_all(n, kind.intervals({c, mask.parameters, n.problem.tensors,
                                           query_offsets(n.problem.spec, n.problem.tensors)}));
    if (kind.rules)
        return false; // would take as long as the mask itself
    const auto& array = n.array(array_of(kind).name);
    const ByForm is_idle{[](const Band&) { return false; },          // above
                         [](const KeyIntervals&) { return false; },  // above
                         [](const ComputedCells&) { return false; }, // above
                         [&](const ValidLengths&) { return holds_only(array, static_cast<double>(c.S)); },
                         [&](const KeyPadding&) { return holds_only(array, 0.0); },
                         [&](const BooleanCells& cells) { return holds_only(array, cells.kept); },
                         [](const CellArray&) { return false; }};
    return std::visit(is_idle, kind.read(array, c, n.problem.spec.mask_true));
}

void note_idle(const Noting& n) {
    const auto& c = n.sizes;
    for (const auto& mask : n.problem.spec.masks)
        if (c.L * c.S > 1 && blocks_nothing(n, mask))
            n.info({ATTNLAB_TEXT("The mask %1 blocks none of the %2 cells"),
                    {mask.id, std::to_string(c.B * c.H * c.L * c.S)}});
}

/// Without query_segment_ids, a query has the document of the key at its position.
void note_no_document(const Noting& n) {
    const auto& c = n.sizes;
    for (const auto& mask : n.problem.spec.masks) {
        if (!find_input(mask_kind(mask.id).inputs, "query_segment_ids") ||
            n.problem.tensors.contains("query_segment_ids"))
            continue;
        const auto offsets = query_offsets(n.problem.spec, n.problem.tensors);
        std::int64_t count = 0, first = 0;
        for (std::int64_t b = 0; b < c.B; ++b)
            for (std::int64_t i = 0; i < c.L; ++i)
                if (const auto p = i + offsets.of(b); (p < 0 || p >= c.S) && count++ == 0)
                    first = i;
        if (count > 0)
            n.warn({ATTNLAB_TEXT("Queries at a position without a key belong to no document and read nothing: %1 of %2 "
                                 "(first: %3). query_segment_ids (B, L) gives their documents"),
                    {std::to_string(count), std::to_string(c.B * c.L), std::to_string(first)}});
    }
}

/// The masks that would block other cells if the last query were at the last key instead of the first at the first.
std::vector<Selection> masks_in_doubt(const Noting& n) {
    const auto L = n.sizes.L, S = n.sizes.S;
    std::vector<Selection> masks;
    if (L == S || n.problem.spec.query_offset || n.problem.tensors.contains(query_offset_input.name))
        return masks;
    const auto lowest = std::min<std::int64_t>(0, S - L), highest = std::max(L, S) - 1;
    std::ranges::copy_if(n.problem.spec.masks, std::back_inserter(masks), [&](const Selection& mask) {
        const auto& kind = mask_kind(mask.id);
        if (kind.intervals) {
            const auto at = [&](const QueryOffsets& offsets) {
                return *kind.intervals({n.sizes, mask.parameters, n.problem.tensors, offsets}).axes;
            };
            return uses_positions(kind) && at({}) != at({S - L, true});
        }
        if (!kind.band || is_bottom_right(mask))
            return false;
        const auto band = kind.band(n.sizes, mask.parameters);
        return !keeps_all_keys(band, lowest, S) || !keeps_all_keys(band, highest, S);
    });
    return masks;
}

/// The normaliser or decay that leaves out keys after the query, where its position is a choice; else an empty text.
std::string order_in_doubt(const Noting& n) {
    const auto& spec = n.problem.spec;
    if (!implies_order(spec) || n.sizes.L == n.sizes.S || spec.query_offset ||
        n.problem.tensors.contains(query_offset_input.name))
        return {};
    return spec.decay.id.empty() ? spec.normaliser.id : spec.decay.id;
}

/// "window, prefix", or "sliding_window" where causal and window are one.
std::string names_of(std::span<const Selection> masks) {
    const bool slides = sliding_window_of(masks).has_value();
    std::string names = slides ? "sliding_window" : "";
    for (const auto& mask : masks)
        if (!slides || !is_of_sliding_window(mask.id))
            names += (names.empty() ? "" : ", ") + mask.id;
    return names;
}

/// Where the numbers of keys and queries differ, the position of the first query is a choice.
void note_corner(const Noting& n) {
    const auto L = n.sizes.L, S = n.sizes.S;
    const auto with = [&](std::int64_t count) {
        return std::vector<Argument>{std::to_string(L), std::to_string(S), std::to_string(count)};
    };
    const bool bottom_right = std::ranges::any_of(n.problem.spec.masks, is_bottom_right);
    if (bottom_right && L > S)
        n.warn({ATTNLAB_TEXT("causal:bottom_right lines up the last query with the last key. With L = %1 and S = %2 it "
                             "blocks every key for the first %3 queries"),
                with(L - S)});
    const auto masks = masks_in_doubt(n);
    auto names = names_of(masks);
    if (const auto order = order_in_doubt(n); !order.empty())
        names += (names.empty() ? "" : ", ") + order;
    if (names.empty())
        return;
    const auto option = [](std::int64_t offset) { return "--query-offset " + std::to_string(offset); };
    const bool is_causal = masks.size() == 1 && names == masks.front().id && has_alignment(mask_kind(masks.front().id));
    if (bottom_right)
        n.warn({ATTNLAB_TEXT("causal:bottom_right moves the causal mask alone. In %1 the first query is still at the "
                             "first key (L = %2, S = %3). Use causal with %4 to put the last query at the last key in "
                             "every mask"),
                {names, std::to_string(L), std::to_string(S), option(S - L)}});
    else if (is_causal && L < S)
        n.warn({ATTNLAB_TEXT(
                    "causal lines up the first query with the first key. With L = %1 and S = %2 it blocks the last %3 "
                    "keys for every query. causal:bottom_right lines up the last query with the last key"),
                with(S - L)});
    else if (is_causal)
        n.info({ATTNLAB_TEXT(
                    "causal lines up the first query with the first key. With L = %1 and S = %2 it blocks nothing for "
                    "the last %3 queries. causal:bottom_right lines up the last query with the last key"),
                with(L - S + 1)});
    else
        n.notes.push_back(
            {L < S ? Note::Severity::Warning : Note::Severity::Info,
             {ATTNLAB_TEXT("In %1 the first query is at the first key (%4), and L = %2 and S = %3 differ. In a model "
                           "with a cache the last query is at the last key (%5)"),
              {names, std::to_string(L), std::to_string(S), option(0), option(S - L)}}});
}

/// The number of keys before the padding at the end of sequence b.
std::int64_t keys_of(const Noting& n, std::int64_t b) {
    std::vector<MaskRule> rules;
    for (const auto& mask : n.problem.spec.masks)
        if (const auto& kind = mask_kind(mask.id); kind.read)
            rules.push_back(kind.read(n.array(array_of(kind).name), n.sizes, n.problem.spec.mask_true));
    auto keys = n.sizes.S;
    for (const auto& rule : rules)
        if (const auto* lengths = std::get_if<ValidLengths>(&rule); lengths && lengths->row_stride == 0)
            keys = std::min(keys, static_cast<std::int64_t>(lengths->of(b, 0)));
    for (const auto& rule : rules)
        if (const auto* padding = std::get_if<KeyPadding>(&rule))
            while (keys > 0 && padding->of(b)[keys - 1] != 0.0)
                --keys;
    return keys;
}

/// One position of the last query for all sequences is wrong where a cache holds fewer keys of some.
void note_shorter_sequences(const Noting& n) {
    const auto& c = n.sizes;
    const auto& masks = n.problem.spec.masks;
    if (c.L >= c.S || !uses_positions(masks) || n.problem.tensors.contains(query_offset_input.name))
        return;
    const auto last =
        std::ranges::any_of(masks, is_bottom_right) ? c.S - 1 : query_offsets(n.problem.spec, {}).of(0) + c.L - 1;
    std::int64_t count = 0, first = 0, keys = 0;
    for (std::int64_t b = 0; b < c.B; ++b)
        if (const auto own = keys_of(n, b); own > 0 && own <= last && count++ == 0) {
            first = b;
            keys = own;
        }
    if (count > 0)
        n.warn(
            {ATTNLAB_TEXT("The last query is at position %1, beyond the keys of sequences that are shorter: %2 of %3 "
                          "(first: %4, with %5 keys). Where each has its own place in its cache, an array %6 (B) gives "
                          "it"),
             {std::to_string(last), std::to_string(count), std::to_string(c.B), std::to_string(first),
              std::to_string(keys), "query_offset"}});
}

/// Three axes are read as heads where there are as many batches; the other reading is likely enough for a note.
void note_three_axes(const Noting& n) {
    const auto& c = n.sizes;
    for (const auto& mask : n.problem.spec.masks)
        for (const auto& input : mask_kind(mask.id).inputs) {
            if (!input.required)
                continue; // an offset, which has no heads
            const auto& tensor = n.array(input.name);
            if (tensor.rank() != 3 || c.B != c.H || c.H < 2 || tensor.dim(0) != c.H)
                continue;
            const auto values = tensor.values();
            const auto matrix = values.size() / static_cast<std::size_t>(c.H);
            const bool all_same =
                std::equal(values.begin() + static_cast<std::ptrdiff_t>(matrix), values.end(), values.begin());
            if (!all_same)
                n.info({ATTNLAB_TEXT(
                            "%1 has %2 matrices, as many as there are heads, and batches: each is that of a head, "
                            "for every batch. One for each batch has shape (%2, 1, L, S)"),
                        {std::string(input.name), std::to_string(c.H)}});
        }
}

/// Patterns that hold in every matrix of attn_mask, where queries and keys are at the same positions.
struct MatrixLook {
    bool inverted_causal = true; ///< keeps the cells above the diagonal, and no other
    bool blocks_diagonal = true;
    bool keeps_any = false;
};

MatrixLook look_of(const Noting& n, const Tensor& mask) {
    const auto& c = n.sizes;
    const auto strides = *cell_strides(mask.shape(), c);
    const double kept = kept_value(n.problem.spec);
    MatrixLook look;
    for (std::int64_t b = 0; b < (strides.batch == 0 ? 1 : c.B); ++b)
        for (std::int64_t h = 0; h < (strides.head == 0 ? 1 : c.H); ++h)
            for (std::int64_t i = 0; i < c.L && look.blocks_diagonal; ++i) {
                const double* row = mask.data() + b * strides.batch + h * strides.head + i * strides.row;
                look.blocks_diagonal = row[i * strides.key] != kept;
                for (std::int64_t j = 0; j < c.S; ++j) {
                    const bool keeps = row[j * strides.key] == kept;
                    look.keeps_any = look.keeps_any || keeps;
                    look.inverted_causal = look.inverted_causal && keeps == (j > i);
                }
            }
    return look;
}

void note_inverted_mask(const Noting& n) {
    const auto& c = n.sizes;
    const auto* mask = n.array_with(&MaskKind::uses_mask_true);
    if (!mask || c.L != c.S || c.L < 2)
        return;
    const auto look = look_of(n, *mask);
    if (!look.blocks_diagonal || !look.keeps_any)
        return;
    if (!look.inverted_causal)
        n.info({ATTNLAB_TEXT(
                    "attn_mask blocks the diagonal: each of the %1 queries may not read the key in its own place"),
                {std::to_string(c.L)}});
    else if (n.problem.spec.mask_true == MaskTrue::Blocks)
        n.warn(
            {ATTNLAB_TEXT("attn_mask blocks exactly the cells that a causal mask keeps. Where True means keep, it is a "
                          "causal mask (%1)"),
             {"--mask-true keeps"}});
    else
        n.warn(
            {ATTNLAB_TEXT("attn_mask blocks exactly the cells that a causal mask keeps. Where True means block, it is "
                          "a causal mask (%1)"),
             {"--mask-true blocks"}});
}

/// A mask in which 1 keeps marks the first keys, not the padding after them.
void note_inverted_padding(const Noting& n, const Tensor& padding) {
    const auto S = n.sizes.S;
    if (S < 2)
        return;
    const auto values = padding.values();
    const auto width = static_cast<std::size_t>(S);
    std::int64_t marked = 0;
    for (std::size_t first = 0; first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        const auto end = std::find(row.begin(), row.end(), 0.0);
        if (end == row.begin() || std::any_of(end, row.end(), [](double value) { return value != 0.0; }))
            return;
        marked += end - row.begin();
    }
    const auto all = std::ssize(values);
    if (2 * marked > all && marked < all)
        n.warn({ATTNLAB_TEXT("key_padding_mask marks the first keys of every row as padding, %1 of %2: right where the "
                             "padding is on the left. In it True is padding; where 1 means keep, turn it round"),
                {std::to_string(marked), std::to_string(all)}});
}

void note_inverted_padding(const Noting& n) {
    for (const auto& mask : n.problem.spec.masks)
        if (const auto& kind = mask_kind(mask.id); kind.read) {
            const auto& array = n.array(array_of(kind).name);
            if (std::holds_alternative<KeyPadding>(kind.read(array, n.sizes, n.problem.spec.mask_true)))
                note_inverted_padding(n, array);
        }
}

/// Adding a constant up to this to the scores of a row practically preserves their differences.
constexpr double small_bias = 1e4;

/// The same finite number for all keys of each query, and not 0 everywhere.
bool is_constant_along_rows(const Noting& n, const Tensor& bias) {
    const auto strides = *cell_strides(bias.shape(), n.sizes);
    const auto width = strides.key == 0 ? std::size_t{1} : static_cast<std::size_t>(n.sizes.S);
    const auto values = bias.values();
    for (std::size_t first = 0; first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        const auto differs = [&](double value) { return value != row.front(); };
        if (!(std::abs(row.front()) <= small_bias) || std::any_of(row.begin(), row.end(), differs))
            return false;
    }
    return true;
}

void note_bias(const Noting& n, const Trace& trace) {
    const auto* given = n.array_with(&MaskKind::adds);
    if (!given)
        return;
    const auto& bias = *given;
    const auto values = bias.values();
    const auto ones = std::count(values.begin(), values.end(), 1.0);
    const auto zeros = std::count(values.begin(), values.end(), 0.0);
    if (values.empty())
        return;
    if (zeros == std::ssize(values)) {
        n.info({ATTNLAB_TEXT("attn_bias holds only 0: it adds nothing")});
        return;
    }
    if (ones > 0 && zeros > 0 && ones + zeros == std::ssize(values)) {
        n.warn({ATTNLAB_TEXT("attn_bias holds only 0 and 1 (%1 of %2 are 1), which are added to the scores and block "
                             "nothing. A mask of 0 and 1 is attn_mask"),
                {std::to_string(ones), std::to_string(values.size())}});
        return;
    }
    // Appended keys get no bias, and a replacing fill is not affected by it.
    const auto& masks = n.problem.spec.masks;
    const bool blocks =
        std::any_of(masks.begin(), masks.end(), [](const Selection& mask) { return !mask_kind(mask.id).adds; });
    const auto& fill = n.problem.spec.mask_fill;
    const bool replaced = blocks && fill.mode == MaskFill::Mode::Replace && std::isfinite(fill.value);
    const Stage* weights = trace.find("weights");
    if (n.sizes.S > 1 && !replaced && weights && weights->value.rank() == 4 && weights->value.dim(3) == n.sizes.S &&
        is_constant_along_rows(n, bias))
        n.info(
            {ATTNLAB_TEXT("attn_bias has one number for all keys of a query, which the softmax cancels: it changes no "
                          "weight")});
}

/// The least magnitude that becomes infinite in a type; infinity where no finite number does.
double overflow_of(DType type) {
    switch (type) {
    case DType::Float16:
        return 65520.0;
    case DType::BFloat16:
        return std::ldexp(2.0 - std::ldexp(1.0, -8), 127);
    case DType::Float32:
        return std::ldexp(2.0 - std::ldexp(1.0, -24), 127);
    default:
        return infinity;
    }
}

/// A large number may overflow in the type that the model computes in.
void note_overflow(const Noting& n) {
    for (const char* name : {"query", "x"}) {
        const auto found = n.problem.tensors.find(name);
        if (found == n.problem.tensors.end())
            continue;
        const auto type = found->second.dtype();
        const double least = overflow_of(type);
        const auto overflows = [&](double value) { return value <= -least && value > -infinity; };
        const auto& masks = n.problem.spec.masks;
        const bool blocks =
            std::any_of(masks.begin(), masks.end(), [](const Selection& mask) { return !mask_kind(mask.id).adds; });
        if (const double fill = n.problem.spec.mask_fill.value; blocks && overflows(fill))
            n.info({ATTNLAB_TEXT("The fill %1 is -inf in %2, the type of %3"),
                    {to_text(fill), std::string(name_of(type)), name}});
        const auto* bias = n.array_with(&MaskKind::adds);
        if (!bias || least == infinity)
            return;
        const auto values = bias->values();
        if (const auto count = std::count_if(values.begin(), values.end(), overflows); count > 0)
            n.info({ATTNLAB_TEXT("attn_bias holds finite numbers that are -inf in %1, the type of %2: %3 of %4"),
                    {std::string(name_of(type)), name, std::to_string(count), std::to_string(values.size())}});
        return;
    }
}

} // namespace

std::vector<Note> notes_on_masks(const ResolvedProblem& problem, const Trace& trace, const RunControl& control) {
    std::vector<Note> notes;
    if (problem.spec.masks.empty() && !implies_order(problem.spec))
        return notes;
    const auto context = mask_context(problem.sizes);
    if (context.B * context.H == 0 || context.L == 0 || context.S == 0)
        return notes;
    const Noting noting{problem, context, notes};
    note_idle(noting);
    note_no_document(noting);
    note_corner(noting);
    note_shorter_sequences(noting);
    note_three_axes(noting);
    note_inverted_mask(noting);
    note_inverted_padding(noting);
    note_bias(noting, trace);
    note_overflow(noting);
    control.checkpoint();
    note_leaks(notes, problem, context, trace, control);
    return notes;
}

// Detects weights of cells that a mask should hide.

namespace {

/// A bias this low is meant to block; equally low ends of a position's bias have no weight.
constexpr double low_bias = -1000.0;
/// Beside a bias this low, float64 rounds scores below 64 away.
constexpr double drowning_bias = -0x1p60;

/// Cells that should have no weight, and the largest weight of one.
struct Leak {
    std::int64_t hidden = 0, read = 0;
    double largest = 0.0;
    Shape place;

    void take(double weight, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
        ++hidden;
        if (!(std::abs(weight) > 0.0)) // NaN is reported elsewhere
            return;
        ++read;
        if (std::abs(weight) > largest) {
            largest = std::abs(weight);
            place = {b, h, i, j};
        }
    }
};

/// The padding of a problem: the keys that arrays like key_padding_mask and valid_lens mark.
class Padding {
public:
    Padding(const ResolvedProblem& problem, const MaskContext& context) {
        const ByForm take{[](const Band&) {},
                          [](const KeyIntervals&) {},
                          [&](const ValidLengths& lengths) { lengths_.push_back(lengths); },
                          [&](const KeyPadding& padding) { padded_.push_back(padding); },
                          [](const BooleanCells&) {},
                          [](const ComputedCells&) {},
                          [](const CellArray&) {}};
        for (const auto& mask : problem.spec.masks)
            if (const auto& kind = mask_kind(mask.id); kind.read)
                std::visit(take, kind.read(problem.tensors.find(array_of(kind).name)->second, context,
                                           problem.spec.mask_true));
    }
    bool is_there() const { return !padded_.empty() || !lengths_.empty(); }
    bool operator()(std::int64_t b, std::int64_t i, std::int64_t j) const {
        const auto is_beyond = [&](const ValidLengths& lengths) { return static_cast<double>(j) >= lengths.of(b, i); };
        return of_token(b, j) || std::ranges::any_of(lengths_, is_beyond);
    }
    /// By arrays of padded keys only, which mark tokens.
    bool of_token(std::int64_t b, std::int64_t j) const {
        return std::ranges::any_of(padded_, [&](const KeyPadding& padding) { return padding.of(b)[j] != 0.0; });
    }

private:
    std::vector<KeyPadding> padded_;
    std::vector<ValidLengths> lengths_;
};

/// True when queries and keys are certainly the same tokens: both are made from x.
bool same_tokens(const ResolvedProblem& problem, const MaskContext& c) {
    return c.L == c.S && problem.tensors.contains("x") && !problem.tensors.contains("context") &&
           !problem.tensors.contains("query");
}

class LeakSearch {
public:
    LeakSearch(const ResolvedProblem& problem, const MaskContext& context, const Tensor& weights, const Tensor* blocked,
               const std::vector<std::string>& labels)
        : problem_(problem), c_(context), weights_(weights), blocked_(blocked), labels_(labels),
          padding_(problem, context), tokens_(same_tokens(problem, context)) {
        if (const auto* mask = find_mask(problem.spec.masks, &MaskKind::adds))
            bias_ = cell_array(problem.tensors.find(array_of(mask_kind(mask->id)).name)->second, context);
    }

    void run(const RunControl& control) {
        for (std::int64_t b = 0; b < c_.B; ++b)
            for (std::int64_t h = 0; h < c_.H; ++h) {
                control.checkpoint();
                for (std::int64_t i = 0; i < c_.L; ++i)
                    take_row(b, h, i);
            }
    }

    void add_to(std::vector<Note>& notes) const {
        const auto warn = [&](Message message) { notes.push_back({Note::Severity::Warning, std::move(message)}); };
        const auto fill = to_text(problem_.spec.mask_fill.value);
        const auto figures = [](const Leak& leak) {
            return std::vector<Argument>{std::to_string(leak.read), std::to_string(leak.hidden), to_text(leak.largest),
                                         to_string(leak.place)};
        };
        const auto with_fill = [&](const Leak& leak) {
            auto arguments = figures(leak);
            arguments.push_back(fill);
            return arguments;
        };
        if (padded_.read > 0)
            warn(
                {ATTNLAB_TEXT("Cells of padded keys that are read all the same: %1 of %2. The largest weight is %3, at "
                              "%4. The fill %5 is finite; -inf hides a key whatever the scores are"),
                 with_fill(padded_)});
        if (masked_.read > 0)
            warn({ATTNLAB_TEXT(
                      "Blocked cells that are read all the same: %1 of %2. The largest weight is %3, at %4. The "
                      "fill %5 is finite; -inf hides a cell whatever the scores are"),
                  with_fill(masked_)});
        if (biased_.read > 0)
            warn({ATTNLAB_TEXT("Cells with a bias of -1000 or less that are read all the same: %1 of %2. The largest "
                               "weight is %3, at %4. -inf hides a cell whatever the scores are"),
                  figures(biased_)});
        if (pushed_rows_.count > 0)
            warn({ATTNLAB_TEXT("Rows in which every key that is open has a bias of -1000 or less: %1 (first: %2). They "
                               "are read all the same, since the softmax cancels what a row has in common"),
                  {pushed_rows_.counted({c_.B, c_.H}), pushed_rows_.first}});
        if (drowned_rows_.count > 0)
            warn({ATTNLAB_TEXT("Rows in which every key that is open has a bias so low that the scores are lost: %1 "
                               "(first: %2). The sum of a score and such a bias is rounded to the bias, so these "
                               "weights come from the bias alone. -inf hides a key"),
                  {drowned_rows_.counted({c_.B, c_.H}), drowned_rows_.first}});
        if (padded_queries_.count > 0)
            notes.push_back(
                {Note::Severity::Info,
                 {ATTNLAB_TEXT("Rows of the output that belong to padding: %1 (first: %2). key_padding_mask hides "
                               "only keys, so these rows are computed all the same: ignore them"),
                  {padded_queries_.counted({c_.B, c_.H}), padded_queries_.first}}});
    }

private:
    double bias_at(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        return bias_->at(b, h, i, j);
    }

    template <class IsOpen>
    bool reads_all_open(std::int64_t first, IsOpen is_open, std::int64_t b, std::int64_t h, std::int64_t i) const {
        for (std::int64_t j = 0; j < c_.S; ++j)
            if (is_open(j) && bias_at(b, h, i, j) != -infinity && !(std::abs(weights_.data()[first + j]) > 0.0))
                return false;
        return true;
    }

    void take_row(std::int64_t b, std::int64_t h, std::int64_t i) {
        const auto columns = weights_.dim(3);
        const auto first = ((b * c_.H + h) * c_.L + i) * columns;
        const auto is_open = [&](std::int64_t j) { return !blocked_ || blocked_->data()[first + j] == 0.0; };
        std::int64_t open = columns - c_.S, low = 0, blocked = 0; // appended keys are always open
        double highest = -infinity;
        for (std::int64_t j = 0; j < c_.S; ++j) {
            blocked += is_open(j) ? 0 : 1;
            if (!is_open(j) || (bias_ && bias_at(b, h, i, j) == -infinity))
                continue;
            ++open;
            if (bias_) {
                low += bias_at(b, h, i, j) <= low_bias;
                highest = std::max(highest, bias_at(b, h, i, j));
            }
        }
        if (open == 0 && blocked == c_.S)
            return; // reported for the whole row
        if (tokens_ && padding_.of_token(b, i))
            padded_queries_.take(labels_, i, b * c_.H + h);
        if (open > 0 && low == open && highest <= drowning_bias)
            drowned_rows_.take(labels_, i, b * c_.H + h);
        else if (open > 0 && low == open && reads_all_open(first, is_open, b, h, i))
            pushed_rows_.take(labels_, i, b * c_.H + h);
        for (std::int64_t j = 0; j < c_.S; ++j)
            if (const double weight = weights_.data()[first + j]; !is_open(j))
                (padding_.is_there() && padding_(b, i, j) ? padded_ : masked_).take(weight, b, h, i, j);
            else if (low < open && bias_ && bias_at(b, h, i, j) <= low_bias)
                biased_.take(weight, b, h, i, j);
    }

    const ResolvedProblem& problem_;
    const MaskContext& c_;
    const Tensor& weights_;
    const Tensor* blocked_;
    const std::vector<std::string>& labels_;
    const Padding padding_;
    const bool tokens_;
    std::optional<CellArray> bias_;
    Leak padded_, masked_, biased_;
    NotedRows pushed_rows_, drowned_rows_, padded_queries_;
};

} // namespace

void note_leaks(std::vector<Note>& notes, const ResolvedProblem& problem, const MaskContext& context,
                const Trace& trace, const RunControl& control) {
    const Stage* weights = trace.find("weights");
    const Stage* blocked = trace.find("blocked");
    if (!weights || weights->value.rank() != 4 || (blocked && blocked->value.shape() != weights->value.shape()))
        return;
    const auto& shape = weights->value.shape();
    if (Shape(shape.begin(), shape.end() - 1) != Shape{context.B, context.H, context.L} || shape[3] < context.S)
        return;
    LeakSearch search(problem, context, weights->value, blocked ? &blocked->value : nullptr, trace.query_tokens);
    search.run(control);
    search.add_to(notes);
}

} // namespace attnlab
