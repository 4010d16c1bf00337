#include "ui/learn/lab/curve_card.h"

#include "core/lab/scene.h"
#include "ui/learn/cards/card_content.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr double least_shown = 1e-6;    ///< of logarithmic curves: smaller numbers would leave no height to the others
constexpr int quiet_milliseconds = 150; ///< how long a scene must be unchanged

/// The request without the swept size: changing it does not change the curves.
lab::SweepRequest requestOf(const SceneModel& model) {
    lab::SweepRequest request{model.scene(), model.view().curve.measure, model.view().curve.over, std::nullopt,
                              CurveCard::draws};
    request.scene = lab::scene_at(request, 2);
    return request;
}

} // namespace

CurveCard::CurveCard(SceneModel& model, QWidget* parent)
    : QWidget(parent), model_(model), title_(mutedLabel(this, true)), note_(mutedLabel(this)),
      uniform_(mutedLabel(this)), measure_(new QComboBox(this)), over_(new QComboBox(this)),
      chart_(new LineChart(this)), job_([this](const Curves& result) {
          shown_ = result.first;
          points_ = result.second;
          showCurves();
      }) {
    auto* heading = new FlowLayout(nullptr, 12, 2);
    for (QWidget* part : std::initializer_list<QWidget*>{title_, measure_, over_, note_, uniform_}) {
        heading->addWidget(part);
        heading->setAlignment(part, Qt::AlignVCenter);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(9, 6, 9, 6);
    column->setSpacing(2);
    column->addLayout(heading);
    column->addWidget(chart_, 1);
    for (std::size_t k = 0; k < static_cast<std::size_t>(lab::CurveMeasure::Loss); ++k)
        measure_->addItem(CardContents::measureTitle(static_cast<lab::CurveMeasure>(k)));
    over_->addItems({tr("against the width d"), tr("against the number of keys S")});
    connect(measure_, &QComboBox::activated, this, [this] {
        auto view = model_.view();
        view.curve.measure = static_cast<lab::CurveMeasure>(measure_->currentIndex());
        model_.setView(std::move(view));
    });
    connect(over_, &QComboBox::activated, this, [this] {
        auto view = model_.view();
        view.curve.over = static_cast<lab::DrawSize>(over_->currentIndex());
        model_.setView(std::move(view));
    });
    connect(chart_, &LineChart::picked, this, [this](double x) {
        if (!model_.scene().draw)
            return;
        if (showsLoss()) {
            model_.setTrainingStep(std::llround(x));
            return;
        }
        const auto size = std::max<std::int64_t>(2, std::llround(x));
        if (model_.view().curve.over == lab::DrawSize::S) {
            model_.setScene(lab::with_keys(model_.scene(), size, model_.view().board == lab::BoardKind::MaskLab));
            return;
        }
        lab::RandomInputs draw = *model_.scene().draw;
        draw.E = size;
        model_.setDraw(draw);
    });
    wait_.setSingleShot(true);
    wait_.setInterval(quiet_milliseconds);
    connect(&wait_, &QTimer::timeout, this, &CurveCard::compute);
    connect(&model_, &SceneModel::sceneChanged, this, &CurveCard::follow);
    connect(&model_, &SceneModel::viewChanged, this, &CurveCard::follow);
    connect(&model_, &SceneModel::computed, this, [this] {
        if (model_.view().shows(lab::BoardPart::Curve))
            showCurves();
    });
    measure_->setAccessibleName(tr("Measure of the curves"));
    over_->setAccessibleName(tr("What the curves run over"));
    chart_->setPlaceholder({PictureState::Look::Loading, tr("Computing the curves…")});
    follow();
}

bool CurveCard::isComputing() const { return wait_.isActive() || job_.isRunning(); }
QString CurveCard::title() const { return title_->text(); }

QString CurveCard::note() const {
    return uniform_->isHidden() ? note_->text()
                                : tr("%1 · %2", "what the lines and dots are, and the highest they can be")
                                      .arg(note_->text(), uniform_->text());
}

QSize CurveCard::sizeHint() const { return QSize(36, 13) * fontMetrics().height(); }

void CurveCard::follow() {
    const auto& view = model_.view();
    const bool shown = view.shows(lab::BoardPart::Curve) && model_.scene().draw.has_value();
    setVisible(shown);
    if (!shown) {
        wait_.stop();
        job_.cancel();
        wanted_.reset();
        return;
    }
    const bool choices = view.is_live(lab::BoardControl::Stage);
    measure_->setVisible(choices);
    over_->setVisible(choices);
    title_->setVisible(!choices);
    measure_->setCurrentIndex(static_cast<int>(view.curve.measure));
    over_->setCurrentIndex(static_cast<int>(view.curve.over));
    if (showsLoss()) {
        wait_.stop();
        job_.cancel();
        wanted_.reset();
        chart_->setPickable(view.is_live(lab::BoardControl::Steps));
        showCurves();
        return;
    }
    chart_->setPickable(
        view.is_live(view.curve.over == lab::DrawSize::S ? lab::BoardControl::S : lab::BoardControl::E));
    auto request = requestOf(model_);
    if (!wanted_ || !(*wanted_ == request)) {
        wanted_ = std::move(request);
        wait_.start();
    }
    showCurves();
}

void CurveCard::compute() {
    if (!wanted_)
        return;
    job_.request(
        [request = *wanted_](const RunControl& control) { return std::pair(request, lab::sweep(request, control)); });
}

bool CurveCard::showsLoss() const {
    return model_.view().shows(lab::BoardPart::Curve) && model_.view().curve.measure == lab::CurveMeasure::Loss &&
           model_.scene().training;
}

/// The losses up to the step on show. The dashed line keeps the axis where it is.
void CurveCard::showLoss() {
    const auto& scene = model_.computedScene();
    title_->setText(tr("loss against the steps of training"));
    note_->setText(model_.scene().training->at == 0 ? tr("nothing is learned yet") : QString());
    uniform_->hide();
    LineChartDrawing chart;
    chart.x_title = tr("steps");
    chart.marker = static_cast<double>(model_.scene().training->at);
    const auto& result = model_.result();
    if (result && scene.training && result->settings.size() == scene.settings.size()) {
        const QStringList titles = CardContents::settingTitles(scene);
        const auto colors = settingColors(scene);
        for (std::size_t k = 0; k < scene.settings.size(); ++k) {
            ChartLine line{titles.value(static_cast<qsizetype>(k)), colors[k], {}};
            const auto& loss = result->settings[k].loss;
            for (std::size_t step = 1; step < loss.size() && std::cmp_less_equal(step, scene.training->at); ++step)
                line.points.emplace_back(static_cast<double>(step), loss[step]);
            chart.lines.push_back(std::move(line));
        }
        const double even = lab::even_loss(result->settings.front().trace);
        chart.reference = {{1.0, even}, {static_cast<double>(scene.training->steps), even}};
        chart.reference_title = tr("even weights");
    }
    chart_->setAccessibleName(title_->text());
    chart_->setChart(std::move(chart));
}

/// The measure of every setting in the draw on the cards; empty while another one is being computed.
std::vector<double> CurveCard::numbersOfDraw() const {
    const auto& result = model_.result();
    const auto& scene = model_.computedScene();
    if (!result || scene.draw != model_.scene().draw || scene.settings.size() != result->settings.size())
        return {};
    std::vector<double> numbers;
    for (std::size_t k = 0; k < scene.settings.size(); ++k) {
        double number = std::numeric_limits<double>::quiet_NaN();
        try {
            if (!result->settings[k].error)
                number = lab::measure_of(lab::numbers_of(result->settings[k].trace, scene.settings[k].spec, 0, {}),
                                         model_.view().curve.measure);
        } catch (const Error&) { // a trace without the weights of one pass
        }
        numbers.push_back(number);
    }
    return numbers;
}

void CurveCard::showCurves() {
    if (showsLoss()) {
        showLoss();
        return;
    }
    const auto& view = model_.view();
    const auto& draw = model_.scene().draw;
    if (!draw)
        return;
    const bool over_keys = view.curve.over == lab::DrawSize::S;
    const QString measure = CardContents::measureTitle(view.curve.measure);
    title_->setText(over_keys ? tr("%1 against the number of keys S").arg(measure)
                              : tr("%1 against the width d").arg(measure));
    LineChartDrawing chart;
    chart.x_title = over_keys ? tr("keys S") : tr("width d");
    chart.marker = static_cast<double>(over_keys ? draw->S : draw->E);
    chart.logarithmic_y = view.curve.measure == lab::CurveMeasure::Variance ||
                          view.curve.measure == lab::CurveMeasure::MedianGradient ||
                          (over_keys && view.curve.measure == lab::CurveMeasure::EffectiveKeys);
    chart.marks_lines = false; // where they meet the marker they are means of several draws
    const auto now = numbersOfDraw();
    // Curves of another scene stay until the new ones are ready; those of another measure or size would be misleading.
    if (shown_ && shown_->measure == view.curve.measure && shown_->over == view.curve.over &&
        shown_->scene.settings.size() == model_.scene().settings.size()) {
        const QStringList titles = CardContents::settingTitles(model_.scene());
        const auto colors = settingColors(model_.scene());
        for (std::size_t k = 0; k < shown_->scene.settings.size(); ++k) {
            ChartLine line{titles.value(static_cast<qsizetype>(k)), colors[k], {}};
            for (const auto& point : points_)
                if (!(chart.logarithmic_y && point.values[k] < least_shown))
                    line.points.emplace_back(static_cast<double>(point.size), point.values[k]);
            if (k < now.size() && std::isfinite(now[k]) && !(chart.logarithmic_y && now[k] < least_shown))
                line.now = now[k];
            chart.lines.push_back(std::move(line));
        }
        const bool entropy = view.curve.measure == lab::CurveMeasure::Entropy,
                   keys = view.curve.measure == lab::CurveMeasure::EffectiveKeys;
        for (const auto& point : points_)
            if (entropy || keys) {
                const double count = static_cast<double>(over_keys ? point.size : draw->S);
                chart.reference.emplace_back(static_cast<double>(point.size), entropy ? std::log(count) : count);
            }
        chart.reference_title = entropy ? tr("uniform: log S") : tr("uniform: S");
    }
    const QString drawn =
        view.curve.measure == lab::CurveMeasure::MedianGradient
            ? tr("lines: medians of %n draws · dots: the draw on the cards", nullptr, CurveCard::draws)
            : tr("lines: means of %n draws · dots: the draw on the cards", nullptr, CurveCard::draws);
    const bool says_uniform = view.curve.measure == lab::CurveMeasure::Entropy && !over_keys;
    note_->setText(drawn);
    uniform_->setText(tr("%n keys: uniform = %1 nats", nullptr, static_cast<int>(draw->S))
                          .arg(numberText(std::log(static_cast<double>(draw->S)), 3)));
    uniform_->setVisible(says_uniform);
    chart_->setAccessibleName(title_->text());
    chart_->setChart(std::move(chart));
}

void CurveCard::paintEvent(QPaintEvent*) { paintCard(*this); }

LineChart::LineChart(QWidget* parent)
    : DrawingCanvas(parent), placeholder_box_(new StateBox(this, StateBox::Place::Middle)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setDrawing(&chart_);
    declareShortcuts(
        *this, {tr("Curve"), {{tr("Left, Right, Home, End"), tr("Choose a point of the curve, or read it off")}}});
    connect(this, &DrawingCanvas::clicked, this, &LineChart::pick);
    connect(this, &DrawingCanvas::pointed, this, [this](std::optional<QPointF> position) {
        chart_.hovered = position ? xAt(*position) : std::nullopt;
        update();
    });
}

void LineChart::setChart(LineChartDrawing chart) {
    chart_ = std::move(chart);
    refreshChart();
}

void LineChart::setPickable(bool on) {
    pickable_ = on;
    setCursor(on ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LineChart::setPlaceholder(const PictureState& state) {
    placeholder_ = state;
    refreshChart();
}

std::optional<double> LineChart::xAt(const QPointF& position) const { return chart_.xAt(position, area(), font()); }
QPointF LineChart::positionOf(const QPointF& point) const { return chart_.positionOf(point, area(), font()); }

QSize LineChart::sizeHint() const { return QSize(30, 12) * fontMetrics().height(); }
QSize LineChart::minimumSizeHint() const { return {DrawingCanvas::minimumSizeHint().width(), heightForWidth(width())}; }

void LineChart::refreshChart() {
    setAccessibleDescription(chart_.textOf(chart_.marker.value_or(0.0)));
    placeholder_box_->setState(chart_.isEmpty() ? placeholder_ : PictureState());
    update();
}

void LineChart::pick(const QPointF& position) {
    if (const auto x = xAt(position); x && pickable_)
        emit picked(*x);
}

void LineChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        pick(event->position());
    else
        DrawingCanvas::mouseMoveEvent(event);
}

void LineChart::keyPressEvent(QKeyEvent* event) {
    const auto all = chart_.positions();
    const auto at = pickable_ || !chart_.hovered ? chart_.marker : chart_.hovered;
    const double now = at.value_or(all.empty() ? 1.0 : all.front());
    std::optional<double> next;
    constexpr double near = 1e-9;
    if (all.empty())
        next.reset();
    else if (event->key() == Qt::Key_Home)
        next = all.front();
    else if (event->key() == Qt::Key_End)
        next = all.back();
    else if (event->key() == Qt::Key_Right)
        next = *std::ranges::find_if(all.begin(), all.end() - 1, [&](double x) { return x > now * (1.0 + near); });
    else if (event->key() == Qt::Key_Left)
        next = *std::ranges::find_if(all.rbegin(), all.rend() - 1, [&](double x) { return x < now * (1.0 - near); });
    if (!next)
        return QWidget::keyPressEvent(event);
    if (pickable_)
        emit picked(*next);
    else
        readOff(next);
}

/// As the mouse does.
void LineChart::readOff(std::optional<double> x) {
    chart_.hovered = x;
    setAccessibleDescription(chart_.textOf(x.value_or(chart_.marker.value_or(0.0))));
    update();
}

void LineChart::focusOutEvent(QFocusEvent* event) {
    DrawingCanvas::focusOutEvent(event);
    if (chart_.hovered)
        readOff({});
}

} // namespace attnlab::ui
