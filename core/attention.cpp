#include "core/attention.h"

#include "core/inputs.h"
#include "core/stages/mask.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab {

const char* title_of(Axis axis) {
    switch (axis) {
    case Axis::Batch:
        return ATTNLAB_TEXT("batch");
    case Axis::Head:
        return ATTNLAB_TEXT("head");
    case Axis::Query:
        return ATTNLAB_TEXT("query token");
    case Axis::Key:
        return ATTNLAB_TEXT("key token");
    case Axis::Feature:
        return ATTNLAB_TEXT("feature");
    case Axis::Tile:
        return ATTNLAB_TEXT("tile");
    case Axis::Hash:
        return ATTNLAB_TEXT("hash round");
    }
    return "";
}

const Stage* Trace::find(std::string_view name) const {
    const auto found =
        std::find_if(stages.begin(), stages.end(), [&](const Stage& stage) { return stage.name == name; });
    return found == stages.end() ? nullptr : &*found;
}

void RunControl::checkpoint() const {
    if (cancelled && cancelled())
        throw Cancelled();
}

void RunControl::report(double fraction) const {
    if (progress)
        progress(fraction);
}

std::vector<Message> issues_in(const AttentionProblem& problem) {
    std::vector<Message> issues;
    const auto check = [&](auto&& test) {
        try {
            test();
        } catch (const Error& error) {
            issues.push_back(error.message());
        }
    };
    check([&] { effective_scale(problem.spec); });
    check([&] {
        for (const auto& mask : problem.spec.masks)
            with_defaults(mask_kind(mask.id).parameters, mask.parameters, mask.id);
        const auto sizes = bind(problem);
        const MaskContext context{sizes.at("B"), sizes.at("H"), sizes.at("L"), sizes.at("S")};
        blocked_cells(problem, context);
        attention_bias(problem, context);
    });
    return issues;
}

} // namespace attnlab
