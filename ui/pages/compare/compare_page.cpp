#include "ui/pages/compare/compare_page.h"

#include "ui/document/document.h"
#include "ui/drawing/formula_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/map_comparison.h"
#include "ui/pages/matrix_header.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

/// With more cells the comparison takes noticeable time.
constexpr std::int64_t most_at_once = 500'000;

bool hasKeyRows(const Stage& stage) { return !stage.axes.empty() && stage.axes.back() == Axis::Key; }

std::span<const double> cellsOf(const MatrixView& view) {
    return {view.data, static_cast<std::size_t>(view.rows * view.columns)};
}

} // namespace

ComparePage::ComparePage(Document& document, ViewState& view, LargeInputs* large, QWidget* parent)
    : ComparisonPage(view, parent), document_(document), header_(new QWidget(this)), title_(new ElidedLabel(header_)),
      formula_(new NotationLabel(header_)), controls_(new CompareControls(document, this)),
      pictures_(new CompareView(view, this)), numbers_(new CompareNumbers(this)), large_(large),
      marks_(new OutdatedOverlay(this)), job_([this](Outcome outcome) {
          outcome_ = std::move(outcome);
          result_pending_ = false;
          refresh();
      }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 8);
    column->setSpacing(6);
    column->addWidget(controls_);
    column->addWidget(pictures_, 1);
    column->addWidget(numbers_);
    if (large_) {
        maps_ = new MapComparison(*large_, view, this);
        column->addWidget(maps_, 1);
        maps_->hide();
        connect(maps_, &MapComparison::settled, this, &ComparePage::settled);
        connect(large_, &LargeInputs::closed, maps_, &MapComparison::close);
    }
    auto* heading = new QHBoxLayout(header_);
    heading->setContentsMargins(0, 0, 0, 0);
    heading->setSpacing(10);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    formula_->setForegroundRole(QPalette::PlaceholderText);
    formula_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    heading->addWidget(title_);
    heading->addWidget(formula_, 1);
    heading->addWidget(scale_chip_ = new ScaleChip(view, header_));
    offerColors();
    marks_->cover(pictures_, OutdatedOverlay::Words::Shown);
    marks_->cover(numbers_, OutdatedOverlay::Words::None);
    connect(pictures_->words(), &StateBox::clicked, this, [this] {
        if (const Stage* shown = stage())
            if (const Stage* weights = weightsBeside(computed_->trace, shown))
                view_.setStage(QString::fromStdString(weights->name));
    });
    connect(&view_, &ViewState::hoveredChanged, this, &ComparePage::showRow);
    connect(&view_, &ViewState::pinnedChanged, this, &ComparePage::showRow);
}

void ComparePage::setLow(bool low) {
    controls_->setLow(low);
    numbers_->setLow(low);
}

void ComparePage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    const AttentionProblem& problem = document_.problem();
    spec_a_ = problem.spec;
    spec_b_ = problem.compared_with.value_or(problem.spec);
    compareAgain();
}

ComparePage::Outcome ComparePage::outcomeOf(const Computed& computed, const std::string& stage,
                                            const RunControl& control) {
    Outcome outcome;
    if (!computed.compared)
        return outcome;
    if (computed.compared->error) {
        outcome.problem = *computed.compared->error;
        return outcome;
    }
    const auto problem = caughtFailure(
        [&] {
            const Trace& other = computed.compared->trace;
            outcome.output = output_gap(computed.trace, other);
            outcome.comparison = std::make_shared<const Comparison>(compare(computed.trace, other, stage, control));
        },
        computing_failed);
    control.checkpoint();
    outcome.problem = problem.value_or(Message());
    return outcome;
}

void ComparePage::compareAgain() {
    stale_ = true;
    result_pending_ = false;
    job_.cancel();
    if (maps_ && !document_.problem().compared_with)
        maps_->close();
    if (!isVisible())
        return;
    stale_ = false;
    const bool is_map = showsMaps();
    if (maps_)
        maps_->setVisible(is_map);
    pictures_->setVisible(!is_map);
    header_->setVisible(!is_map);
    if (is_map) {
        outcome_ = {};
        matrices_.reset();
        numbers_->hide();
        marks_->clear();
        return maps_->compare(document_.problem(), spec_b_);
    }
    const Stage* shown = stage();
    if (!shown) {
        outcome_ = {};
        refresh();
        return;
    }
    if (shown->value.size() <= most_at_once) {
        outcome_ = outcomeOf(*computed_, shown->name, {});
        refresh();
        return;
    }
    result_pending_ = true;
    matrices_.reset(); // what is drawn stays until then
    showRow();
    if (const auto* before = pictures_->a(); !before->isHidden() && before->tableRows() > 0)
        marks_->wait();
    job_.request([computed = computed_, name = shown->name](const RunControl& control) {
        return outcomeOf(*computed, name, control);
    });
}

void ComparePage::refresh() {
    if (stale_ || result_pending_ || !isVisible() || showsMaps())
        return;
    marks_->clear();
    const Stage* shown = stage();
    title_->setText(title());
    formula_->setFormula(shown ? formulaText(shown->formula) : QString());
    formula_->setToolTip(formula_->text());
    pictures_->setTitles(tr("A: %1").arg(SettingWords::of(spec_a_, spec_b_)),
                         spec_a_ == spec_b_ ? tr("B: as A") : tr("B: %1").arg(SettingWords::of(spec_b_, spec_a_)),
                         tr("B − A: %1").arg(title()));
    matrices_.reset();
    if (shown && outcome_.comparison)
        matrices_ = comparedMatrices(computed_->trace, computed_->compared->trace, *outcome_.comparison, view_.batch(),
                                     head(), view_.colors(), &view_.held());
    if (!matrices_) {
        pictures_->words()->setState(PictureState());
        numbers_->hide();
        const bool failed =
            (computed_ && computed_->compared && computed_->compared->error) || !outcome_.problem.empty();
        showProblem(problemText(), failed ? PictureState::Look::Error : PictureState::Look::Empty);
        emit settled();
        return;
    }
    CompareNumbers::Figures figures;
    figures.shown = gap_over(cellsOf(matrices_->difference.view()));
    figures.all = outcome_.comparison->all;
    figures.several = figures.all.cells + figures.all.left_out > figures.shown.cells + figures.shown.left_out;
    figures.output = outcome_.output;
    std::vector<double> divergences;
    if (hasKeyRows(*shown)) {
        figures.a_from_b = row_divergence(matrices_->a.view(), matrices_->b.view());
        figures.b_from_a = row_divergence(matrices_->b.view(), matrices_->a.view());
        const auto rows = figures.a_from_b->rows.values();
        if (figures.a_from_b->finite + figures.a_from_b->infinite > 0)
            divergences.assign(rows.begin(), rows.end());
    }
    showMatrices(std::move(divergences));
    // Before what the settings change there are only zeros.
    const bool comes_before = figures.all.max_absolute == 0.0 && figures.output && figures.output->max_absolute > 0.0;
    const Stage* weights = comes_before ? weightsBeside(computed_->trace, shown) : nullptr;
    pictures_->words()->setState(
        weights && weights != shown ? PictureState{PictureState::Look::Empty, tr("Equal in A and B"),
                                                   tr("The settings differ only after this stage."), tr("Show weights")}
                                    : PictureState());
    numbers_->setFigures(std::move(figures));
    numbers_->show();
    showRow();
    emit settled();
}

QString ComparePage::problemText() const {
    if (computed_ && computed_->compared && computed_->compared->error)
        return tr("Setting B cannot be computed: %1").arg(translated(*computed_->compared->error));
    if (!outcome_.problem.empty())
        return translated(outcome_.problem);
    const Stage* shown = stage();
    return shown ? tr("%1 is empty").arg(textOf(shown->name)) : tr("Nothing computed yet");
}

bool ComparePage::showsMaps() const {
    return maps_ && large_->isOpen() && document_.problem().compared_with.has_value();
}

QString ComparePage::title() const { return showsMaps() ? maps_->title() : ComparisonPage::title(); }

void ComparePage::zoom(Zoom how) { showsMaps() ? Page::zoom(*maps_->heatmap(), how) : ComparisonPage::zoom(how); }

QString ComparePage::copyMatrix() { return showsMaps() ? maps_->copyMatrix() : ComparisonPage::copyMatrix(); }
QString ComparePage::copyPicture() { return showsMaps() ? maps_->copyPicture() : ComparisonPage::copyPicture(); }

std::optional<StyledFigure> ComparePage::shownFigure() const {
    return showsMaps() ? std::nullopt : ComparisonPage::shownFigure();
}

std::optional<ExportSubject> ComparePage::exportSubject() const {
    return showsMaps() ? maps_->exportSubject() : ComparisonPage::exportSubject();
}

std::string ComparePage::markedStage() const { return showsMaps() ? "weights" : ComparisonPage::markedStage(); }

void ComparePage::showRow() {
    const auto cell = view_.hovered() ? view_.hovered() : view_.pinned();
    const bool there = cell && matrices_ && cell->row < matrices_->a.view().rows;
    numbers_->setRow(there ? cell->row : -1, there ? matrices_->a.rowLabel(cell->row) : QString());
}

ComputedPtr ComparePage::exportedStages() const {
    if (!matrices_)
        return nullptr;
    const Trace& a = computed_->trace;
    const Trace& b = computed_->compared->trace;
    auto result = std::make_shared<Computed>();
    result->trace.query_tokens = a.query_tokens;
    result->trace.key_tokens = a.key_tokens;
    const auto add = [&](const char* prefix, Stage stage) {
        stage.name = prefix + stage.name;
        result->trace.stages.push_back(std::move(stage));
    };
    for (const Stage& stage : a.stages) {
        add("a.", stage);
        const Stage* other = b.find(stage.name);
        if (other && other->value.shape() == stage.value.shape())
            add("difference.", compare(a, b, stage.name).difference);
    }
    for (const Stage& stage : b.stages)
        add("b.", stage);
    return result;
}

namespace {

/// One that can shrink.
ElidedLabel* line(QWidget* parent, QPalette::ColorRole color) {
    auto* label = new ElidedLabel(parent);
    label->setForegroundRole(color);
    label->setMinimumWidth(1);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return label;
}

} // namespace

CompareNumbers::CompareNumbers(QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(12, 0, 12, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(0);
    for (std::size_t i = 0; i < count; ++i) {
        auto* value = line(this, QPalette::WindowText);
        QFont large = value->font();
        large.setBold(true);
        if (large.pointSizeF() > 0.0)
            large.setPointSizeF(large.pointSizeF() * 1.15);
        value->setFont(large);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        tiles_[i] = {line(this, QPalette::PlaceholderText), value, line(this, QPalette::PlaceholderText)};
        setAccessibleLabelOf(*tiles_[i].caption, *value);
        int row = 0;
        for (QLabel* label : {tiles_[i].caption, tiles_[i].value, tiles_[i].note})
            grid->addWidget(label, row++, static_cast<int>(i));
        grid->setColumnStretch(static_cast<int>(i), 1);
    }
    refresh();
}

void CompareNumbers::setFigures(Figures figures) {
    figures_ = std::move(figures);
    refresh();
}

void CompareNumbers::setLow(bool low) {
    low_ = low;
    refresh();
}

void CompareNumbers::setRow(int row, const QString& label) {
    if (row == row_ && label == row_label_)
        return;
    row_ = row;
    row_label_ = label;
    refresh();
}

bool CompareNumbers::shows(Figure figure) const { return !tiles_[figure].value->isHidden(); }
QString CompareNumbers::caption(Figure figure) const { return tiles_[figure].caption->text(); }
QString CompareNumbers::value(Figure figure) const { return tiles_[figure].value->text(); }
QString CompareNumbers::note(Figure figure) const { return tiles_[figure].note->text(); }

void CompareNumbers::showFigure(Figure figure, const QString& caption, const QString& value, const QString& note,
                                const QString& help) {
    const Tile& tile = tiles_[figure];
    showTile(figure, true);
    tile.caption->setText(caption);
    tile.value->setText(value);
    tile.note->setText(note);
    const QString all = QStringList{caption + QStringLiteral(": ") + value, note, help}.join(QLatin1Char('\n'));
    for (QLabel* label : {tile.caption, tile.value, tile.note})
        label->setToolTip(all);
    tile.value->setAccessibleName(caption + QStringLiteral(": ") + value);
    tile.value->setAccessibleDescription(all);
}

void CompareNumbers::showTile(Figure figure, bool shown) {
    const Tile& tile = tiles_[figure];
    tile.caption->setVisible(shown);
    tile.value->setVisible(shown);
    tile.note->setVisible(shown && !low_);
    static_cast<QGridLayout*>(layout())->setColumnStretch(figure, shown ? 1 : 0);
}

void CompareNumbers::showDivergence(Figure figure, const QString& caption,
                                    const std::optional<RowDivergence>& divergence, const QString& zero,
                                    const QString& help) {
    if (!divergence || divergence->finite + divergence->infinite == 0) // of a stage that has no weights
        return showTile(figure, false);
    const QString value = divergence->infinite > 0 ? tr("∞ in %n rows", nullptr, static_cast<int>(divergence->infinite))
                                                   : numberText(divergence->mean);
    QString note = divergence->infinite == 0 ? tr("mean of the rows") : zero;
    const auto rows = divergence->rows.values();
    if (row_ >= 0 && row_ < static_cast<int>(rows.size()))
        if (const double row = rows[static_cast<std::size_t>(row_)]; !std::isinf(row))
            note = tr("%1: %2").arg(row_label_, numberText(row));
    showFigure(figure, caption, value, note, help);
}

void CompareNumbers::refresh() {
    const auto gap_note = [this](double all) {
        const auto left_out = figures_.shown.left_out;
        if (left_out > 0)
            return tr("%n cells left out", nullptr, static_cast<int>(left_out));
        return figures_.several ? tr("all heads: %1").arg(numberText(all)) : QString();
    };
    const QString help = tr("Cells that are finite in only one of both do not count.");
    showFigure(Largest, tr("Largest |B − A|"), numberText(figures_.shown.max_absolute),
               gap_note(figures_.all.max_absolute), help);
    showFigure(Mean, tr("Mean |B − A|"), numberText(figures_.shown.mean_absolute), gap_note(figures_.all.mean_absolute),
               help);
    const auto& output = figures_.output;
    showFigure(Output, tr("Output error"), output ? percentText(output->relative) : QStringLiteral("–"),
               output ? tr("largest: %1").arg(numberText(output->max_absolute)) : tr("shapes differ"),
               tr("The norm of the difference of the outputs divided by that of B's output, all heads and batches."));
    showDivergence(
        AFromB, tr("KL(A‖B), nats"), figures_.a_from_b, tr("∞: B has a 0 where A reads"),
        tr("Kullback–Leibler divergence: how badly B stands in for A. Σ a ln(a/b) of each row, mean over the rows, in "
           "nats (1 nat = 1.44 bits). 0 where both are equal, infinite where B has a 0 and A has not."));
    showDivergence(
        BFromA, tr("KL(B‖A), nats"), figures_.b_from_a, tr("∞: A has a 0 where B reads"),
        tr("Kullback–Leibler divergence: how badly A stands in for B. Σ b ln(b/a) of each row, mean over the rows, in "
           "nats (1 nat = 1.44 bits). 0 where both are equal, infinite where A has a 0 and B has not."));
}

} // namespace attnlab::ui
