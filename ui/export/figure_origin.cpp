#include "ui/export/figure_origin.h"

#include "core/io/figure_file.h"
#include "ui/document/view_json.h"
#include "ui/document/view_state.h"
#include "ui/drawing/figure_json.h"

#include <QJsonDocument>

namespace attnlab::ui {

FigureOrigin originOf(AttentionProblem problem, const ViewState& view) {
    std::int64_t numbers = 0;
    for (const auto& [name, tensor] : problem.tensors)
        numbers += tensor.size();
    if (numbers > io::largest_figure_arrays)
        problem.tensors.clear();
    return {std::move(problem), viewToJson(view)};
}

std::string settingsText(const FigureOrigin& origin, const FigureOptions& options) {
    auto view = QJsonDocument::fromJson(QByteArray::fromStdString(origin.view_json)).object();
    view["figure"] = figureToJson(options);
    const auto colors = colorsOf(options);
    view["colormap"] = colors.colormap;
    view["logarithmic"] = colors.logarithmic;
    view["locked"] = options.low && options.high;
    view["low"] = options.low.value_or(0.0);
    view["high"] = options.high.value_or(1.0);
    return io::figure_settings_text(origin.problem, QJsonDocument(view).toJson(QJsonDocument::Compact).toStdString());
}

} // namespace attnlab::ui
