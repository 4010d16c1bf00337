#include "core/stages/sliding_window.h"

#include "core/stages/mask.h"

#include <algorithm>

namespace attnlab {
namespace {

constexpr std::string_view causal_id = "causal", window_id = "window";

const Parameter parameters[] = {
    {.name = "n",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("keys n"),
     .help = ATTNLAB_TEXT("A query reads itself and the n - 1 keys before it, as sliding_window says in the "
                          "configuration of Mistral and other models. It is causal with a window of w = 2n - 2"),
     .minimum = 1,
     .maximum = 5e8,
     .unit = "keys"}};

} // namespace

std::span<const Parameter> sliding_window_parameters() { return parameters; }

bool is_of_sliding_window(std::string_view mask_id) { return mask_id == causal_id || mask_id == window_id; }

std::vector<Selection> sliding_window(std::int64_t keys) {
    Selection window{std::string(window_id), {}};
    window.parameters.set("w", 2 * keys - 2);
    return {parse_mask(causal_id), std::move(window)};
}

std::optional<std::int64_t> sliding_window_of(std::span<const Selection> masks) {
    const auto causal = std::ranges::find(masks, causal_id, &Selection::id),
               window = std::ranges::find(masks, window_id, &Selection::id);
    if (causal == masks.end() || window == masks.end())
        return std::nullopt;
    try {
        if (complete_mask(*causal) != complete_mask({std::string(causal_id), {}}))
            return std::nullopt;
        const auto values = complete_mask(*window).parameters;
        // Causal blocks the keys after the query, whatever the reach to the right is.
        const auto before = mask_kind(window_id).band({}, values).before;
        const bool is_rounded = values.choice("sides") == "equal" && values.integer("w") % 2 != 0;
        if (is_rounded || static_cast<double>(before) >= parameters[0].maximum) // or unlimited
            return std::nullopt;
        return before + 1;
    } catch (const Error&) {
        return std::nullopt; // a file may have values that are not allowed
    }
}

std::vector<Selection> with_sliding_window(std::vector<Selection> masks, std::optional<std::int64_t> keys) {
    std::erase_if(masks, [](const Selection& mask) { return is_of_sliding_window(mask.id); });
    if (keys) {
        const auto two = sliding_window(*keys);
        masks.insert(masks.begin(), two.begin(), two.end());
    }
    return masks;
}

std::vector<Selection> parse_masks(std::string_view text) {
    const auto [id, argument] = id_and_argument(text);
    if (id != sliding_window_id)
        return {parse_mask(text)};
    const auto values =
        with_defaults(parameters, parse_argument(parameters, argument, sliding_window_id), sliding_window_id);
    return sliding_window(values.integer("n"));
}

} // namespace attnlab
