#include "ui/pages/compare/comparison_page.h"

#include "ui/export/matrix_export.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/matrix_header.h"
#include "ui/widgets/card.h"

namespace attnlab::ui {
namespace {

/// Three panels beside each other.
constexpr QSizeF comparison_points(900, 320);

} // namespace

ComparisonPage::ComparisonPage(ViewState& view, QWidget* parent)
    : Page(parent), view_(view), colors_(new ColorsPopup(view, this)) {
    connect(&view_, &ViewState::stageChanged, this, &ComparisonPage::compareAgain);
    connect(&view_, &ViewState::sliceChanged, this, &ComparisonPage::refresh);
    connect(&view_, &ViewState::colorsChanged, this, &ComparisonPage::refresh);
}

const Stage* ComparisonPage::stage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

int ComparisonPage::head() const { return computed_ ? headWithin(computed_->trace, view_.head()) : 0; }

QString ComparisonPage::title() const {
    const Stage* shown = stage();
    return shown ? stageTitle(computed_->trace, *shown, view_.batch(), head()) : QString();
}

void ComparisonPage::zoom(Zoom how) { Page::zoom(*view()->difference(), how); }

FigurePanels ComparisonPage::figurePanels() const {
    return matrices_ ? matrices_->panels(view()->title(0), view()->title(1), differenceName()) : FigurePanels();
}

void ComparisonPage::offerColors() {
    for (HeatmapView* side : {view()->a(), view()->b()})
        colors_->openAtColorBarOf(*side);
}

void ComparisonPage::showMatrices(std::vector<double> rows, DivergenceBars::Of of) {
    view()->setMatrices(*matrices_, std::move(rows), of);
    colors_->rangeBar()->setScale(matrices_->values);
    if (scale_chip_)
        scale_chip_->setScale(matrices_->values, stage()->name, held_of_);
}

void ComparisonPage::showProblem(const QString& why, PictureState::Look look) {
    const Stage* shown = stage();
    const auto alone = shown ? sliceOf(computed_->trace, *shown, view_.batch(), head()) : std::nullopt;
    const auto scale = shown ? shownScale(computed_->trace, *shown, view_.batch(), view_) : ColorScale();
    view()->setProblem(alone, scale, {look, why});
    colors_->rangeBar()->setScale(scale);
    if (scale_chip_)
        scale_chip_->setScale(scale, shown ? shown->name : std::string());
}

std::optional<NamedMatrix> ComparisonPage::shownMatrix() const {
    return matrices_ ? std::optional<NamedMatrix>({matrices_->difference, differenceName()}) : std::nullopt;
}

std::optional<StyledFigure> ComparisonPage::shownFigure() const {
    if (!matrices_)
        return std::nullopt;
    StyledFigure shown{{figurePanels(), matrices_->values}, {}};
    shown.options.title = title();
    shown.options.size_points = comparison_points;
    return shown;
}

std::optional<ExportSubject> ComparisonPage::exportSubject() const {
    auto shown = shownFigure();
    const auto stages = exportedStages();
    if (!shown || !stages)
        return std::nullopt;
    setColors(shown->options, choiceLike(view_.colors(), matrices_->values));
    return figureExport(stages, "difference." + stage()->name, shown->figure, shown->options);
}

std::string ComparisonPage::markedStage() const { return stage() ? stage()->name : std::string(); }

void ComparisonPage::paintEvent(QPaintEvent*) { paintCard(*this); }

void ComparisonPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    stale_ ? compareAgain() : refresh();
}

} // namespace attnlab::ui
