#include "core/model/architectures/shared/fused_projection.h"

#include "core/model/architectures.h"

namespace attnlab::model {

Attention fused_by_head(Linear fused, std::int64_t hidden, std::int64_t heads) {
    const auto width = hidden / heads;
    fused.group = width;
    fused.stride = 3 * width;
    return {.heads = heads,
            .key_value_heads = heads,
            .width = width,
            .scale = root_scale(width),
            .query = part_of(fused, 0, hidden),
            .key = part_of(fused, width, hidden),
            .value = part_of(fused, 2 * width, hidden),
            .causal = true};
}

} // namespace attnlab::model
