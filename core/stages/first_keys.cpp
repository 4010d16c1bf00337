#include "core/stages/first_keys.h"

#include <algorithm>

namespace attnlab {
namespace {

/// The number of first keys that one mask keeps for query i of batch b.
std::int64_t count_of(const MaskContext& c, const Selection& mask, const Tensor* lens, std::int64_t b, std::int64_t i) {
    if (mask.id == "causal")
        return i + 1 + (mask.parameters.choice("alignment") == "bottom_right" ? c.S - c.L : 0);
    if (mask.id == "prefix")
        return std::max(mask.parameters.integer("p"), i + 1);
    if (lens)
        return static_cast<std::int64_t>(lens->data()[lens->rank() == 2 ? b * c.L + i : b]);
    return c.S;
}

} // namespace

FirstKeys first_keys(const ResolvedProblem& problem) {
    check_masks(problem);
    const auto c = mask_context(problem.sizes);
    FirstKeys keys{std::vector<std::int64_t>(static_cast<std::size_t>(c.B * c.L), c.S),
                   std::vector<bool>(static_cast<std::size_t>(c.B * c.S), false)};
    for (const auto& mask : problem.spec.masks) {
        const auto inputs = mask_kind(mask.id).inputs;
        const Tensor* array = inputs.empty() ? nullptr : &problem.tensors.find(inputs.front().name)->second;
        if (mask.id == "key_padding") {
            const auto padding = array->values(); // one row for each batch, or one for all
            for (std::size_t k = 0; k < keys.dropped.size(); ++k)
                keys.dropped[k] = keys.dropped[k] || padding[k % padding.size()] != 0.0;
            continue;
        }
        for (std::int64_t b = 0; b < c.B; ++b)
            for (std::int64_t i = 0; i < c.L; ++i) {
                auto& count = keys.count[static_cast<std::size_t>(b * c.L + i)];
                count = std::clamp<std::int64_t>(count_of(c, mask, array, b, i), 0, count);
            }
    }
    return keys;
}

} // namespace attnlab
