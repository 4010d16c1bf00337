#include "ui/learn/lab/costs_board.h"

#include "core/lab/cover.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/cards/card_content.h"
#include "ui/learn/cards/card_part.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr double line_panel_lines = 12.0; ///< height in lines

} // namespace

QSizeF CostsDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    double height = 0.0;
    for (const auto& panel : panels)
        height +=
            2 * card_margin + board_gap + 1.4 * line +
            (panel.bars.rows.empty() ? line_panel_lines * line : panel.bars.smallest(labelFont(font), 0).height());
    return QSizeF(22 * line, height);
}

/// One below the other.
QRectF CostsDrawing::placeOf(std::size_t panel, const QRectF& area, const QFont&) const {
    const auto count = static_cast<double>(panels.size());
    const double height = (area.height() - (count - 1.0) * board_gap) / count;
    return QRectF(area.left(), area.top() + static_cast<double>(panel) * (height + board_gap), area.width(), height);
}

QRectF CostsDrawing::bodyOf(const QRectF& panel, const QFont& font) {
    const double line = QFontMetricsF(labelFont(font)).height();
    return panel.adjusted(card_margin, card_margin + 1.4 * line, -card_margin, -card_margin);
}

void CostsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const QRectF place = placeOf(k, area, style.font), body = bodyOf(place, style.font);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        paintCardFrame(painter, place, std::nullopt, 0.0, style);
        paintHeading(
            painter,
            QRectF(body.left(), place.top() + card_margin, body.width(), body.top() - place.top() - card_margin),
            panels[k].title, style);
        if (panels[k].bars.rows.empty())
            panels[k].lines.paint(painter, body, style);
        else
            panels[k].bars.paint(painter, body, {style.look, labelFont(style.font), style.vectors});
        painter.restore();
    }
}

QString CostsDrawing::textOf(const Panel& panel) {
    QStringList all{panel.title};
    for (const auto& bar : panel.bars.rows)
        all << tr("%1: %2", "name of a bar, its amount").arg(bar.name, bar.numbers.front());
    if (panel.bars.rows.empty())
        all << panel.lines.textOf(panel.lines.marker.value_or(1.0));
    return all.join(QLatin1Char('\n'));
}

QString CostsDrawing::words() const {
    QStringList all;
    for (const auto& panel : panels)
        all << textOf(panel);
    return all.join(QLatin1Char('\n'));
}

QString CostsDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    for (std::size_t k = 0; k < panels.size(); ++k)
        if (placeOf(k, area, font).contains(position))
            return panels[k].bars.rows.empty()
                       ? panels[k].lines.textAt(position, bodyOf(placeOf(k, area, font), font), font)
                       : textOf(panels[k]);
    return {};
}

namespace {

struct CostWords {
    Q_DECLARE_TR_FUNCTIONS(CostWords)
};

/// Units in which the numbers of an axis are short.
struct AxisUnit {
    double size = 1.0;
    QString name;
};

AxisUnit unitOf(Measure::Unit unit) {
    constexpr double giga = 1e9;
    if (unit == Measure::Unit::Bytes)
        return {giga, QStringLiteral("GB")};
    if (unit == Measure::Unit::Operations)
        return {giga, CostWords::tr("10⁹ operations")};
    return {};
}

Measure costOf(const lab::CacheModel& cache, lab::CacheSharing sharing, const std::string& name) {
    const auto all = lab::cache_costs(cache, sharing);
    return *std::ranges::find(all, name, &Measure::name);
}

/// The largest cost of any setting with any number of groups.
double largest(const lab::Scene& scene, const lab::BoardSpec& view, const std::string& name) {
    double most = 0.0;
    auto cache = *scene.cache;
    for (const auto groups : lab::group_choices(cache)) {
        cache.groups = groups;
        for (const auto& setting : scene.settings)
            if (!lab::hides(setting.id, "measure." + name, view.hidden))
                most = std::max(most, costOf(cache, setting.sharing, name).value);
    }
    return most;
}

void addLines(CostsDrawing::Panel& panel, const lab::Scene& scene, const lab::BoardSpec& view, const std::string& name,
              const QStringList& titles) {
    const bool tokens = view.over == lab::BoardControl::Context;
    const auto choices = tokens ? lab::context_choices() : lab::reader_choices();
    const AxisUnit unit = unitOf(panel.unit);
    auto cache = *scene.cache;
    auto& chart = panel.lines;
    chart.x_title = tokens ? CostWords::tr("tokens") : CostWords::tr("readers");
    chart.marker = static_cast<double>(tokens ? cache.context : cache.readers);
    chart.logarithmic_y = true;
    if (!unit.name.isEmpty())
        panel.title = CostWords::tr("%1, %2", "a cost, its unit").arg(panel.title, unit.name);
    const auto colors = settingColors(scene);
    for (std::size_t k = 0; k < scene.settings.size(); ++k) {
        if (lab::hides(scene.settings[k].id, "measure." + name, view.hidden))
            continue;
        ChartLine line{titles.value(static_cast<qsizetype>(k)), colors[k], {}};
        for (const auto choice : choices) {
            (tokens ? cache.context : cache.readers) = choice;
            line.points.emplace_back(static_cast<double>(choice),
                                     costOf(cache, scene.settings[k].sharing, name).value / unit.size);
        }
        chart.lines.push_back(std::move(line));
    }
    const auto refer = [&](double level, const QString& title) {
        chart.reference = {{static_cast<double>(choices.front()), level}, {static_cast<double>(choices.back()), level}};
        chart.reference_title = title;
    };
    if (name == "cache_bytes")
        refer(costOf(cache, lab::CacheSharing::MultiHead, "weight_bytes").value / unit.size,
              CostWords::tr("weights of the model"));
    else if (name == "intensity" || name == "attention_intensity")
        refer(static_cast<double>(cache.balance), CostWords::tr("what the device could do meanwhile"));
}

} // namespace

CostsDrawing costsOf(const lab::Scene& scene, const lab::BoardSpec& view, const QMap<QString, QString>& words) {
    CostsDrawing drawing;
    if (!scene.cache)
        return drawing;
    const QStringList titles = CardContents::settingTitles(scene);
    const auto colors = settingColors(scene);
    for (const auto& name : view.costs) {
        auto& panel = drawing.panels.emplace_back();
        const auto first = costOf(*scene.cache, scene.settings.front().sharing, name);
        panel.title = translated(first.title);
        panel.unit = first.unit;
        if (view.over) {
            addLines(panel, scene, view, name, titles);
            continue;
        }
        panel.bars.names = BarsDrawing::Names::AboveBars;
        panel.bars.whole_length = true;
        panel.bars.high = largest(scene, view, name);
        for (std::size_t k = 0; k < scene.settings.size(); ++k) {
            const QString said = plainText(words.value(QString::fromStdString(scene.settings[k].id)));
            const QString title = titles.value(static_cast<qsizetype>(k));
            const double cost = costOf(*scene.cache, scene.settings[k].sharing, name).value;
            const bool covered = lab::hides(scene.settings[k].id, "measure." + name, view.hidden);
            panel.bars.rows.push_back({.name = said.isEmpty() ? title : title + QStringLiteral(" · ") + said,
                                       .value = covered ? 0.0 : cost,
                                       .numbers = {covered ? QStringLiteral("?") : amountText(cost, panel.unit)},
                                       .color = colors[k]});
        }
    }
    return drawing;
}

CostsBoard::CostsBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), controls_(new CacheControls(model, this)), canvas_(new DrawingCanvas(this, 0)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(controls_);
    column->addWidget(canvas_, 1);
    canvas_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    canvas_->setAccessibleName(tr("Costs of the cache"));
    connect(&model_, &SceneModel::computed, this, &CostsBoard::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &CostsBoard::refresh);
    refresh();
}

void CostsBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

std::shared_ptr<const Drawing> CostsBoard::picture() const {
    return drawing_.panels.empty() ? nullptr : std::make_shared<CostsDrawing>(drawing_);
}

void CostsBoard::refresh() {
    drawing_ = costsOf(model_.computedScene(), model_.view(), words_);
    canvas_->setAccessibleDescription(drawing_.words());
    canvas_->setDrawing(&drawing_);
}

CacheControls::CacheControls(SceneModel& model, QWidget* parent)
    : QWidget(parent), model_(model), groups_(new ValueSlider(ValueSlider::Value::Shown, this)),
      context_(new ValueSlider(ValueSlider::Value::Shown, this)),
      readers_(new ValueSlider(ValueSlider::Value::Shown, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(18);
    for (auto* slider : {groups_, context_, readers_})
        row->addWidget(slider, 1);
    groups_->setTitles(tr("groups"), tr("Groups of heads that share keys and values"));
    context_->setTitles(tr("tokens"), tr("Tokens in the cache of each reader"));
    readers_->setTitles(tr("readers"), tr("Texts that are written at once"));
    connect(groups_, &ValueSlider::chosen, this,
            [this](qint64 value) { change([&](lab::CacheModel& cache) { cache.groups = value; }); });
    connect(context_, &ValueSlider::chosen, this,
            [this](qint64 value) { change([&](lab::CacheModel& cache) { cache.context = value; }); });
    connect(readers_, &ValueSlider::chosen, this,
            [this](qint64 value) { change([&](lab::CacheModel& cache) { cache.readers = value; }); });
    connect(&model_, &SceneModel::sceneChanged, this, &CacheControls::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &CacheControls::refresh);
    refresh();
}

void CacheControls::change(const std::function<void(lab::CacheModel&)>& change) {
    auto scene = model_.scene();
    if (!scene.cache)
        return;
    change(*scene.cache);
    model_.setScene(std::move(scene));
}

void CacheControls::refresh() {
    const auto& cache = model_.scene().cache;
    const auto& view = model_.view();
    groups_->setVisible(view.is_live(lab::BoardControl::Groups));
    context_->setVisible(view.is_live(lab::BoardControl::Context));
    readers_->setVisible(view.is_live(lab::BoardControl::Readers));
    setVisible(cache && (!groups_->isHidden() || !context_->isHidden() || !readers_->isHidden()));
    if (!cache)
        return;
    groups_->setChoices(lab::group_choices(*cache));
    context_->setChoices(lab::context_choices());
    readers_->setChoices(lab::reader_choices());
    groups_->setValue(cache->groups);
    context_->setValue(cache->context);
    readers_->setValue(cache->readers);
}

} // namespace attnlab::ui
