#include "core/model/untrained.h"

#include "core/model/weights/weight_files.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace attnlab::model {
namespace {

bool is_filled_with(const Weight& weight, float value) {
    std::vector<float> numbers(static_cast<std::size_t>(weight.rows() * weight.columns()));
    weight.read_rows(0, weight.rows(), numbers);
    return std::ranges::all_of(numbers, [value](float number) { return number == value; });
}

/// nullopt: it has no weight.
std::optional<bool> is_as_created(const std::optional<Norm>& norm) {
    if (!norm || !norm->weight)
        return std::nullopt;
    return is_filled_with(*norm->weight, norm->adds_one ? 0.0F : 1.0F) &&
           (!norm->bias || is_filled_with(*norm->bias, 0.0F));
}

} // namespace

bool is_untrained(const Description& description) {
    bool has_norms = false;
    for (const auto* stack : {&description.encoder, &description.decoder}) {
        if (!*stack)
            continue;
        for (const auto& block : (*stack)->blocks)
            for (const Norms* norms : {&block.self_norms, &block.cross_norms, &block.feed_forward_norms})
                for (const auto* norm : {&norms->before, &norms->after, &norms->sum}) {
                    const auto created = is_as_created(*norm);
                    if (created && !*created)
                        return false;
                    has_norms = has_norms || created;
                }
    }
    return has_norms;
}

} // namespace attnlab::model
