#include "core/stages/similarity.h"

#include "core/tensor.h"

#include <utility>

namespace attnlab {

bool wants_similarity(const ParameterValues& parameters) {
    return parameters.find("similarity") && parameters.boolean("similarity");
}

Tensor similarity_of(const Tensor& rows, const RunControl& control) {
    auto shape = rows.shape();
    const auto count = shape[shape.size() - 2], width = shape.back();
    shape.back() = count;
    control.require_memory("similarity", shape, 1.0);
    Tensor similarity(shape);
    const auto cells = similarity.mutable_values();
    std::size_t cell = 0;
    for (std::int64_t matrix = 0; cell < cells.size(); ++matrix) {
        const auto o = matrix_at(rows, matrix);
        for (std::int64_t i = 0; i < count; ++i) {
            control.checkpoint();
            for (std::int64_t j = 0; j < count; ++j, ++cell)
                for (std::int64_t c = 0; c < width; ++c)
                    cells[cell] += o(i, c) * o(j, c);
        }
    }
    return similarity;
}

void add_similarity(Trace& trace, const RunControl& control) {
    const Stage& output = *trace.find("output");
    auto axes = output.axes;
    axes.back() = Axis::Query;
    auto similarity = similarity_of(output.value, control);
    trace.stages.push_back({"similarity",
                            std::move(similarity),
                            std::move(axes),
                            StageRole::Step,
                            {ATTNLAB_TEXT("outputs with each other")},
                            "o_i · o_j"});
}

} // namespace attnlab
