#include "core/stages/first_keys.h"

#include <algorithm>

namespace attnlab {
namespace {

/// The number of first keys that one mask keeps for query i of batch b, at position p among the keys.
std::int64_t count_of(const MaskContext& c, const Selection& mask, const Tensor* lens, std::int64_t b, std::int64_t i,
                      std::int64_t p) {
    if (mask.id == "causal")
        return p + 1 + (mask.parameters.choice("alignment") == "bottom_right" ? c.S - c.L : 0);
    if (mask.id == "prefix")
        return std::max(mask.parameters.integer("p"), p + 1);
    return static_cast<std::int64_t>(lens->data()[lens->rank() == 2 ? b * c.L + i : b]);
}

const Tensor* find_array(const ResolvedProblem& problem, std::string_view name) {
    const auto found = problem.tensors.find(name);
    return found == problem.tensors.end() ? nullptr : &found->second;
}

} // namespace

FirstKeys first_keys(const ResolvedProblem& problem) {
    check_masks(problem);
    const auto c = mask_context(problem.sizes);
    FirstKeys keys{std::vector<std::int64_t>(static_cast<std::size_t>(c.B * c.L), c.S),
                   std::vector<bool>(static_cast<std::size_t>(c.B * c.S), false)};
    const auto offsets = query_offsets(problem.spec, problem.tensors);
    const Tensor* lens = find_array(problem, "valid_lens");
    for (const auto& mask : problem.spec.masks) {
        if (mask.id == "key_padding") {
            // One row for each batch, or one for all.
            const auto padding = find_array(problem, "key_padding_mask")->values();
            for (std::size_t k = 0; k < keys.dropped.size(); ++k)
                keys.dropped[k] = keys.dropped[k] || padding[k % padding.size()] != 0.0;
            continue;
        }
        for (std::int64_t b = 0; b < c.B; ++b)
            for (std::int64_t i = 0; i < c.L; ++i) {
                auto& count = keys.count[static_cast<std::size_t>(b * c.L + i)];
                count = std::clamp<std::int64_t>(count_of(c, mask, lens, b, i, i + offsets.of(b)), 0, count);
            }
    }
    return keys;
}

} // namespace attnlab
