#include "ui/document/view_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace attnlab::ui {

void ViewState::setPage(const QString& id) {
    if (page_ == id)
        return;
    page_ = id;
    emit pageChanged(page_);
}

void ViewState::setStage(const QString& name) {
    if (stage_ == name)
        return;
    stage_ = name;
    emit stageChanged(stage_);
}

void ViewState::setBatch(int batch) {
    if (batch_ == batch)
        return;
    batch_ = batch;
    emit sliceChanged();
}

void ViewState::setHead(int head) {
    lost_head_.reset();
    if (head_ == head)
        return;
    head_ = head;
    emit sliceChanged();
}

void ViewState::setHovered(std::optional<Cell> cell) {
    if (hovered_ == cell)
        return;
    hovered_ = cell;
    emit hoveredChanged(hovered_);
}

void ViewState::setPinned(std::optional<Cell> cell) {
    lost_pin_.reset();
    if (pinned_ == cell)
        return;
    pinned_ = cell;
    emit pinnedChanged(pinned_);
}

void ViewState::setColors(const ColorChoice& colors) {
    if (colors_ == colors)
        return;
    colors_ = colors;
    emit colorsChanged(colors_);
}

void ViewState::fitColors() {
    held_ = {};
    emit colorsChanged(colors_);
}

void ViewState::keepHead(int heads) {
    if (head_ >= heads) {
        const int lost = lost_head_.value_or(head_);
        setHead(0);
        lost_head_ = lost;
    } else if (lost_head_ && *lost_head_ < heads)
        setHead(*lost_head_);
}

void ViewState::keepWithin(std::int64_t rows, std::int64_t columns) {
    const auto outside = [&](const std::optional<Cell>& cell) {
        return cell && (cell->row >= rows || cell->column >= columns);
    };
    if (outside(pinned_)) {
        const auto lost = pinned_;
        setPinned({});
        lost_pin_ = lost;
    } else if (!pinned_ && lost_pin_ && !outside(lost_pin_))
        setPinned(lost_pin_);
    if (outside(hovered_))
        setHovered({});
}

namespace {

/// {"weights": [[low, high, smallest positive, is signed, linear hides], ...]}, one for each batch.
QJsonObject toJson(const HeldRanges& held) {
    QJsonObject stages;
    for (const auto& [name, stage] : held.stages) {
        QJsonArray batches;
        for (const auto& [range, is_signed, linear_hides] : stage.batches)
            batches.append(range.empty
                               ? QJsonArray()
                               : QJsonArray{range.low, range.high, range.smallest_positive, is_signed, linear_hides});
        stages[QString::fromStdString(name)] = batches;
    }
    return stages;
}

HeldRanges heldFromJson(const QJsonObject& stages) {
    HeldRanges held;
    for (auto stage = stages.begin(); stage != stages.end(); ++stage) {
        HeldRanges::Stage ranges;
        for (const auto batch : stage.value().toArray()) {
            const auto numbers = batch.toArray();
            HeldRange range;
            for (int i = 0; i < 3 && i < numbers.size(); ++i)
                if (const double number = numbers[i].toDouble(); i < 2 || number > 0.0) // 0: none is positive
                    range.range.include(number);
            range.is_signed = numbers.size() > 3 && numbers[3].toBool();
            range.linear_hides = numbers.size() > 4 && numbers[4].toBool();
            ranges.batches.push_back(range);
        }
        held.stages[stage.key().toStdString()] = std::move(ranges);
    }
    return held;
}

} // namespace

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
                       {"high", colors.high},
                       {"linear", colors.linear}};
    if (const auto& held = view.held(); !held.a.stages.empty() || !held.b.stages.empty())
        object["held"] = QJsonObject{{"a", toJson(held.a)}, {"b", toJson(held.b)}};
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
    colors.linear = object["linear"].toBool() && !colors.logarithmic;
    const auto held = object["held"].toObject();
    view.setHeld({heldFromJson(held["a"].toObject()), heldFromJson(held["b"].toObject()), true});
    view.setColors(colors);
    const auto figure = object["figure"].toObject();
    view.setFigure(figure.isEmpty() ? QString()
                                    : QString::fromUtf8(QJsonDocument(figure).toJson(QJsonDocument::Compact)));
}

void ValueRange::include(double value) {
    if (!std::isfinite(value))
        return;
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    if (value > 0.0 && (smallest_positive == 0.0 || value < smallest_positive))
        smallest_positive = value;
    empty = false;
}

void ValueRange::include(std::span<const double> values) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double least = infinity, largest = -infinity, positive = infinity;
    for (const double value : values) {
        const bool counts = std::abs(value) < infinity; // not NaN either
        least = counts && value < least ? value : least;
        largest = counts && value > largest ? value : largest;
        positive = counts && value > 0.0 && value < positive ? value : positive;
    }
    for (const double end : {least, largest, positive})
        include(end);
}

void ValueRange::include(const ValueRange& other) {
    if (other.empty)
        return;
    include(other.low);
    include(other.high);
    if (other.smallest_positive > 0.0)
        include(other.smallest_positive);
}

const HeldRange* HeldRanges::find(std::string_view stage, int batch) const {
    const auto found = stages.find(stage);
    if (found == stages.end() || batch < 0 || batch >= static_cast<int>(found->second.batches.size()))
        return nullptr;
    const HeldRange& held = found->second.batches[static_cast<std::size_t>(batch)];
    return held.range.empty ? nullptr : &held;
}

} // namespace attnlab::ui
