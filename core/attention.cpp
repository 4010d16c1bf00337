#include "core/attention.h"

#include "core/inputs.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/variants.h"

#include <algorithm>
#include <cmath>

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
    case Axis::Vocabulary:
        return ATTNLAB_TEXT("vocabulary");
    }
    return "";
}

const Stage* Trace::find(std::string_view name) const {
    const auto found =
        std::find_if(stages.begin(), stages.end(), [&](const Stage& stage) { return stage.name == name; });
    return found == stages.end() ? nullptr : &*found;
}

const Stage* Trace::beside(const Stage& stage, std::string_view name) const {
    return find(std::string(prefix_of(stage.name)) + std::string(name));
}

const Pass& Trace::pass(std::string_view prefix) const {
    static const Pass unknown;
    const auto found = passes.find(prefix);
    return found == passes.end() ? unknown : found->second;
}

std::string_view prefix_of(std::string_view stage_name) {
    const auto dot = stage_name.rfind('.');
    return dot == stage_name.npos ? std::string_view{} : stage_name.substr(0, dot + 1);
}

void RunControl::checkpoint() const {
    if (cancelled && cancelled())
        throw Cancelled();
}

void RunControl::report(double fraction) const {
    if (progress)
        progress(fraction);
}

RunControl RunControl::part(double from, double to) const {
    RunControl inner = *this;
    if (progress)
        inner.progress = [whole = progress, from, to](double fraction) { whole(from + fraction * (to - from)); };
    return inner;
}

bool RunControl::has_room(const Shape& shape, double count) const {
    double bytes = count * sizeof(double);
    for (const auto size : shape)
        bytes *= static_cast<double>(size);
    return bytes <= static_cast<double>(memory_limit);
}

void RunControl::require_memory(std::string_view name, const Shape& shape, double count) const {
    const double bytes = static_cast<double>(element_count(shape, name)) * count * sizeof(double);
    if (!has_room(shape, count))
        throw Error({ATTNLAB_TEXT("%1: would have shape %2; all stages together need %3 GB, the limit is %4 GB"),
                     {std::string(name), to_string(shape), to_text(std::ceil(bytes / 1e8) / 10.0),
                      to_text(std::floor(static_cast<double>(memory_limit) / 1e8) / 10.0)}});
}

std::vector<Message> issues_in(const AttentionProblem& problem) {
    std::vector<Message> issues;
    const auto check = [&](auto&& test) {
        try {
            test();
        } catch (const Error& error) {
            if (std::find(issues.begin(), issues.end(), error.message()) == issues.end())
                issues.push_back(error.message());
        }
    };
    check([&] { check_spec(problem.spec); });
    check([&] {
        const auto& chosen = variant(problem.spec.variant);
        const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
        attnlab::bind(inputs_of(chosen, parameters), adopted_tensors(problem),
                      parameters); // an unqualified call finds std::bind
    });
    if (!issues.empty())
        return issues;
    check([&] {
        const auto resolved = resolve(problem);
        const auto& sizes = resolved.sizes;
        const auto width = [&](const char* symbol) { return sizes.contains(symbol) ? sizes.find(symbol)->second : 0; };
        check_position(resolved, {sizes.at("B"), sizes.at("H"), sizes.at("L"), sizes.at("S"), width("E"), width("Ek")});
        check_masks(resolved);
    });
    return issues;
}

} // namespace attnlab
