#include "ui/learn/lab/costs_board.h"

#include "ui/drawing/drawing_canvas.h"
#include "ui/learn/lab/cache_controls.h"
#include "ui/learn/lab/card_content.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/lab/setting_color.h"
#include "ui/widgets/markdown_label.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
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
double largest(const lab::Scene& scene, const std::string& name) {
    double most = 0.0;
    auto cache = *scene.cache;
    for (const auto groups : lab::group_choices(cache)) {
        cache.groups = groups;
        for (const auto& setting : scene.settings)
            most = std::max(most, costOf(cache, setting.sharing, name).value);
    }
    return most;
}

void addLines(CostsDrawing::Panel& panel, const lab::Scene& scene, const std::string& name, lab::BoardControl over,
              const QStringList& titles) {
    const bool tokens = over == lab::BoardControl::Context;
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
            addLines(panel, scene, name, *view.over, titles);
            continue;
        }
        panel.most = largest(scene, name);
        for (std::size_t k = 0; k < scene.settings.size(); ++k) {
            const QString said = plainText(words.value(QString::fromStdString(scene.settings[k].id)));
            const QString title = titles.value(static_cast<qsizetype>(k));
            panel.bars.push_back({said.isEmpty() ? title : title + QStringLiteral(" · ") + said, colors[k],
                                  costOf(*scene.cache, scene.settings[k].sharing, name).value});
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

} // namespace attnlab::ui
