// The appearance of a figure as JSON, in the view that a figure carries.
#pragma once

#include "ui/drawing/figure.h"

#include <QJsonObject>

namespace attnlab::ui {

/// Without the map of colours, which a view has itself.
QJsonObject figureToJson(const FigureOptions& options);
/// Leaves out what is invalid. Title and ends of the colours are for the `same_matrix` alone.
void figureFromJson(const QJsonObject& json, FigureOptions& options, bool same_matrix);

} // namespace attnlab::ui
