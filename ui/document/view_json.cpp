#include "ui/document/view_json.h"

#include "ui/document/view_state.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace attnlab::ui {

std::string viewToJson(const ViewState& view) {
    const auto& colors = view.colors();
    QJsonArray pinned;
    if (const auto cell = view.pinned())
        pinned = {cell->row, cell->column};
    QJsonObject object{{"page", view.page()},
                       {"stage", view.stage()},
                       {"batch", view.batch()},
                       {"head", view.head()},
                       {"pinned", pinned},
                       {"colormap", colors.colormap},
                       {"logarithmic", colors.logarithmic},
                       {"locked", colors.locked},
                       {"low", colors.low},
                       {"high", colors.high}};
    if (const auto figure = QJsonDocument::fromJson(view.figure().toUtf8()).object(); !figure.isEmpty())
        object["figure"] = figure;
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

void viewFromJson(const std::string& json, ViewState& view) {
    const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    view.setPage(object["page"].toString(QStringLiteral("matrix")));
    view.setStage(object["stage"].toString(view.stage()));
    view.setBatch(std::max(0, object["batch"].toInt(0)));
    view.setHead(std::max(int{ViewState::mean_of_heads}, object["head"].toInt(0)));
    const auto pinned = object["pinned"].toArray();
    const Cell cell{pinned[0].toInt(-1), pinned[1].toInt(-1)};
    view.setPinned(cell.row >= 0 && cell.column >= 0 ? std::optional(cell) : std::nullopt);
    ColorChoice colors;
    colors.colormap = object["colormap"].toString();
    colors.logarithmic = object["logarithmic"].toBool();
    colors.locked = object["locked"].toBool();
    colors.low = object["low"].toDouble(0.0);
    colors.high = object["high"].toDouble(1.0);
    view.setColors(colors);
    const auto figure = object["figure"].toObject();
    view.setFigure(figure.isEmpty() ? QString()
                                    : QString::fromUtf8(QJsonDocument(figure).toJson(QJsonDocument::Compact)));
}

} // namespace attnlab::ui
