// Converts the user's masks to those of the flash forward.
#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"

#include <array>

namespace attnlab::flash {
namespace {

struct Source {
    const ResolvedProblem& problem;
    const Shape& shape;
    const ParameterValues& parameters;
    const QueryOffsets& offsets;

    const Tensor& array(std::string_view name) const { return problem.tensors.find(name)->second; }

    CellArray cells(std::string_view name) const {
        const auto& tensor = array(name);
        const auto strides = *cell_strides(tensor.shape(), {shape.B, shape.H, shape.L, shape.S});
        return {tensor.data(), strides.batch, strides.head, strides.row, strides.key};
    }
};

/// The band of a rule that is written for positions.
void add_band(const Source& source, Band band, Masks& masks) {
    if (const auto common = source.offsets.common()) {
        masks.bands.push_back(band.shifted(*common));
    } else {
        band.offsets = source.offsets.array()->data();
        masks.bands.push_back(band);
    }
}

void add_causal(const Source& source, Masks& masks) {
    const bool bottom_right = source.parameters.choice("alignment") == "bottom_right";
    add_band(source, {.after = bottom_right ? source.shape.S - source.shape.L : 0}, masks);
}

void add_window(const Source& source, Masks& masks) {
    const auto reach = window_reaches(source.parameters);
    add_band(source, {.before = reach.left.value_or(Band::unlimited), .after = reach.right.value_or(Band::unlimited)},
             masks);
}

void add_prefix(const Source& source, Masks& masks) {
    add_band(source, {.after = 0, .prefix = source.parameters.integer("p")}, masks);
}

void add_valid_lengths(const Source& source, Masks& masks) {
    const auto& lengths = source.array("valid_lens");
    if (lengths.rank() == 2)
        masks.valid_lengths.push_back({lengths.data(), source.shape.L, 1});
    else
        masks.valid_lengths.push_back({lengths.data(), 1, 0});
}

void add_key_padding(const Source& source, Masks& masks) {
    const auto& padding = source.array("key_padding_mask");
    masks.key_padding = {padding.data(), padding.dim(0) == 1 ? 0 : source.shape.S};
}

void add_attn_mask(const Source& source, Masks& masks) {
    const bool keeps = source.problem.spec.mask_true == MaskTrue::Keeps;
    masks.booleans.push_back({source.cells("attn_mask"), keeps ? 1.0 : 0.0});
}

void add_painted(const Source& source, Masks& masks) { masks.booleans.push_back({source.cells("painted_mask"), 0.0}); }

void add_bias(const Source& source, Masks& masks) { masks.bias = source.cells("attn_bias"); }

struct Known {
    std::string_view id;
    void (*add)(const Source&, Masks&);
};

constexpr std::array known_masks = {
    Known{"causal", add_causal},           Known{"window", add_window},
    Known{"prefix", add_prefix},           Known{"valid_lens", add_valid_lengths},
    Known{"key_padding", add_key_padding}, Known{"attn_mask", add_attn_mask},
    Known{"attn_bias", add_bias},          Known{"painted", add_painted},
};

const Known* find(std::string_view id) {
    for (const auto& known : known_masks)
        if (known.id == id)
            return &known;
    return nullptr;
}

} // namespace

std::optional<Message> refused_masks(const AttentionSpec& spec) {
    for (const auto& mask : spec.masks)
        if (!find(mask.id))
            return Message(ATTNLAB_TEXT("Attention in tiles does not know the mask %1"), {mask.id});
    return std::nullopt;
}

Masks masks_of(const ResolvedProblem& problem, const Shape& shape) {
    Masks masks;
    masks.fill = problem.spec.mask_fill.value;
    masks.fill_is_added = problem.spec.mask_fill.mode == MaskFill::Mode::Add;
    const auto offsets =
        uses_positions(problem.spec.masks) ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    for (const auto& mask : problem.spec.masks)
        find(mask.id)->add({problem, shape, mask.parameters, offsets}, masks);
    return masks;
}

} // namespace attnlab::flash
