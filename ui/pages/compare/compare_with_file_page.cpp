// What a comparison with an array of other code found, in words.
#include "ui/pages/compare/compare_with_file_page.h"

#include "core/recognition/recognition.h"
#include "core/verify/array_comparison.h"
#include "core/verify/mistakes.h"
#include "ui/document/document.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/matrix_header.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QString>
#include <QVBoxLayout>

namespace attnlab::ui {

/// "Largest error 0.012 at head 1, query 3, key 2"; empty where no cell differs.
QString largestErrorText(const verify::ArrayComparison& found);
/// The other figures and the likely mistakes, a line each.
QString comparisonWords(const verify::ArrayComparison& found, const verify::Diagnosis& diagnosis);

namespace {

QString typeText(const verify::ArrayComparison& found) { return textOf(name_of(found.type)); }

} // namespace

QString largestErrorText(const verify::ArrayComparison& found) {
    if (!found.worst)
        return {};
    QStringList place;
    const auto& axes = found.comparison.difference.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const auto index = QString::number(found.worst->index[axis]);
        switch (axes[axis]) {
        case Axis::Batch:
            place << CompareWithFilePage::tr("batch %1").arg(index);
            break;
        case Axis::Head:
            place << CompareWithFilePage::tr("head %1").arg(index);
            break;
        default:
            place << QStringLiteral("%1 %2").arg(translated(title_of(axes[axis])), index);
        }
    }
    return CompareWithFilePage::tr("Largest error %1 at %2")
        .arg(numberText(found.comparison.all.max_absolute), place.join(QStringLiteral(", ")));
}

QString comparisonWords(const verify::ArrayComparison& found, const verify::Diagnosis& diagnosis) {
    const auto& all = found.comparison.all;
    QStringList lines;
    const auto& odd = found.not_finite;
    if (odd.given_nan + odd.given_infinite + odd.exact_nan + odd.exact_infinite > 0)
        lines << CompareWithFilePage::tr(
                     "Cells without a finite number are not counted. The file has %1 NaN and %2 infinite. The exact "
                     "result has %3 NaN and %4 infinite. In %5 cells both are the same.")
                     .arg(odd.given_nan)
                     .arg(odd.given_infinite)
                     .arg(odd.exact_nan)
                     .arg(odd.exact_infinite)
                     .arg(odd.alike);
    if (found.worst)
        lines << CompareWithFilePage::tr("There %1 is given, exact is %2.")
                     .arg(numberText(found.worst->given, 9), numberText(found.worst->exact, 9));
    else
        lines << (lines.isEmpty() ? CompareWithFilePage::tr("No cell differs.")
                                  : CompareWithFilePage::tr("No other cell differs."));
    lines.back() += QLatin1Char(' ') + CompareWithFilePage::tr("Mean error %1; relative error of the whole %2.")
                                           .arg(numberText(all.mean_absolute), numberText(found.relative));
    if (found.ulps) {
        const auto held =
            found.held_as == found.type ? QString() : CompareWithFilePage::tr(" (saved as %1)").arg(typeText(found));
        lines.back() += QLatin1Char(' ') + CompareWithFilePage::tr("In ulps of %1%2: largest %3, mean %4.")
                                               .arg(textOf(name_of(found.ulps->type)), held,
                                                    numberText(found.ulps->largest), numberText(found.ulps->mean));
    }
    for (const auto& mistake : diagnosis.likely)
        lines << CompareWithFilePage::tr("Likely mistake: %1. With it the relative error is %2 instead of %3.")
                     .arg(translated(mistake.words), numberText(mistake.distance),
                          numberText(diagnosis.exact_distance));
    for (const auto& cause : diagnosis.nan_causes)
        lines << translated(cause.words) + QStringLiteral(".");
    if (const auto& heads = found.comparison.heads; heads.size() > 1) {
        constexpr std::size_t most = 16;
        QStringList errors;
        for (std::size_t head = 0; head < std::min(most, heads.size()); ++head)
            errors << QStringLiteral("%1: %2").arg(head).arg(QString::number(heads[head].max_absolute, 'g', 2));
        lines << CompareWithFilePage::tr("Largest by head: %1").arg(errors.join(QStringLiteral(", "))) +
                     (heads.size() > most ? QStringLiteral(", …") : QString());
    }
    if (diagnosis.not_looked)
        lines << translated(*diagnosis.not_looked);
    return lines.join(QLatin1Char('\n'));
}

namespace {

/// "(B, H, L, E)" of "BHLE".
QString axesText(const std::string& letters) {
    QStringList axes;
    for (const char letter : letters)
        axes << QString(QLatin1Char(letter));
    return QLatin1Char('(') + axes.join(QStringLiteral(", ")) + QLatin1Char(')');
}

} // namespace

struct CompareWithFilePage::Outcome {
    std::optional<verify::ArrayComparison> found;
    verify::Diagnosis diagnosis;
    Trace given; ///< the trace with the given array in place of its stage
    Message error;
};

CompareWithFilePage::CompareWithFilePage(const Document& document, ViewState& view, QWidget* parent)
    : ComparisonPage(view, parent), document_(document), heading_(new ElidedLabel(this)),
      layouts_label_(mutedLabel(this)), layouts_(new QComboBox(this)), arrays_(new QComboBox(this)),
      close_(new Chip(this)), pictures_(new CompareView(view, this)), worst_(new Chip(this)),
      tolerance_label_(mutedLabel(this)), tolerance_(new QLineEdit(this)), beyond_(new ElidedLabel(this)),
      words_(new WrappedLabel), words_room_(new FittingScrollArea(words_, FittingScrollArea::Scrolls::Down, this)),
      job_([this](std::shared_ptr<const Outcome> outcome) {
          outcome_ = std::move(outcome);
          refresh();
          emit settled();
      }) {
    build();
    offerColors();
    connect(close_, &QAbstractButton::clicked, this, &CompareWithFilePage::close);
    connect(worst_, &QAbstractButton::clicked, this, &CompareWithFilePage::goToWorst);
    connect(tolerance_, &QLineEdit::textChanged, this, &CompareWithFilePage::showTolerance);
    connect(arrays_, &QComboBox::activated, this, [this] {
        if (const auto* shown = stage()) {
            chosen_[shown->name] = arrays_->currentData().toString().toStdString();
            layout_of_.erase(shown->name);
        }
        compareAgain();
    });
    connect(layouts_, &QComboBox::activated, this, [this] {
        if (const auto* shown = stage())
            layout_of_[shown->name] = layouts_->currentData().toString().toStdString();
        compareAgain();
    });
    setTexts();
}

void CompareWithFilePage::build() {
    constexpr int lines_of_words = 4; ///< the others scroll
    close_->setCheckable(false);
    worst_->setCheckable(false);
    arrays_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    arrays_->setMinimumContentsLength(12);
    words_->setWordWrap(true);
    words_->setMargin(0);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 6, 12, 0);
    line->addWidget(heading_, 1);
    line->addWidget(scale_chip_ = new ScaleChip(view_, this));
    held_of_ = ScaleChip::Settings::A;
    line->addWidget(arrays_);
    line->addWidget(layouts_label_);
    line->addWidget(layouts_);
    line->addWidget(close_);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(12, 0, 12, 0);
    tolerance_->setFixedWidth(tolerance_->fontMetrics().averageCharWidth() * 10);
    auto* numbers_line = new QHBoxLayout;
    numbers_line->setSpacing(8);
    numbers_line->addWidget(worst_);
    numbers_line->addSpacing(12);
    numbers_line->addWidget(tolerance_label_);
    numbers_line->addWidget(tolerance_);
    numbers_line->addWidget(beyond_, 1);
    foot->setSpacing(4);
    foot->addLayout(numbers_line);
    // The same height for short and long texts, so that the pictures do not move.
    words_room_->setFixedHeight(lines_of_words * words_->fontMetrics().lineSpacing());
    foot->addWidget(words_room_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 8);
    column->setSpacing(6);
    column->addLayout(line);
    column->addWidget(pictures_, 1);
    column->addLayout(foot);
}

void CompareWithFilePage::open(std::shared_ptr<const Contents> contents, const QString& file) {
    contents_ = std::move(contents);
    file_ = file;
    chosen_.clear();
    layout_of_.clear();
    emit opened();
    compareAgain();
}

CompareWithFilePage::State CompareWithFilePage::saveState() const {
    return {contents_, file_, chosen_, layout_of_, tolerance_->text(), stale_ ? nullptr : outcome_};
}

void CompareWithFilePage::restoreState(const State& state) {
    if (!state.contents)
        return;
    contents_ = state.contents;
    file_ = state.file;
    chosen_ = state.chosen;
    layout_of_ = state.layouts;
    tolerance_->setText(state.tolerance);
    outcome_ = state.outcome;
    stale_ = outcome_ == nullptr;
    if (const Stage* shown = stage(); shown && !stale_) {
        fillArrays(*shown, arrayFor(*shown));
        fillLayouts(*shown, arrayFor(*shown));
    }
    emit opened();
}

void CompareWithFilePage::close() {
    contents_.reset();
    outcome_.reset();
    matrices_.reset();
    compareAgain();
    emit closed();
}

void CompareWithFilePage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    matrices_.reset();
    problem_ = document_.problem();
    compareAgain();
}

const HeldArray* CompareWithFilePage::arrayFor(const Stage& stage) const {
    const auto& arrays = contents_->arrays;
    if (const auto chosen = chosen_.find(stage.name); chosen != chosen_.end())
        return &*std::ranges::find(arrays, chosen->second, &HeldArray::name);
    const auto candidates = verify::arrays_for(*contents_, stage);
    return candidates.size() == 1 ? candidates.front() : nullptr;
}

QString CompareWithFilePage::missingArrayReason(const Stage& stage) const {
    const auto held = QString::fromStdString(held_text(*contents_));
    if (verify::arrays_for(*contents_, stage).empty())
        return tr("%1 has no array for the stage %2. It has: %3").arg(file_, textOf(stage.name), held);
    return tr("Several arrays of %1 may be the stage %2. Choose one above: %3").arg(file_, textOf(stage.name), held);
}

CompareWithFilePage::Outcome CompareWithFilePage::outcomeOf(const AttentionProblem& problem, const Trace& exact,
                                                            const std::string& stage, const HeldArray& array,
                                                            const std::string& layout, const RunControl& control) {
    Outcome outcome;
    const auto error = caughtFailure(
        [&] {
            const Stage& right = *exact.find(stage);
            const auto given = verify::fitted(array.tensor, right, array.name, layout);
            outcome.found = verify::compare_array(right, given);
            outcome.given = exact;
            for (auto& other : outcome.given.stages)
                if (other.name == stage)
                    other.value = given;
            outcome.diagnosis = verify::diagnose(problem, exact, stage, given, control);
            verify::blame_layout(outcome.diagnosis, exact, right, array.tensor, layout);
        },
        computing_failed);
    if (error) {
        outcome.found.reset();
        outcome.error = *error;
    }
    return outcome;
}

void CompareWithFilePage::compareAgain() {
    stale_ = true;
    job_.cancel();
    if (!isVisible() || !contents_)
        return;
    stale_ = false;
    outcome_.reset();
    const Stage* shown = stage();
    const auto* array = shown ? arrayFor(*shown) : nullptr;
    if (shown) {
        fillArrays(*shown, array);
        fillLayouts(*shown, array);
    }
    if (!shown || !array) {
        refresh();
        emit settled();
        return;
    }
    job_.request([problem = problem_, computed = computed_, name = shown->name, held = *array,
                  layout = layouts_->currentData().toString().toStdString()](const RunControl& control) {
        return std::make_shared<const Outcome>(outcomeOf(problem, computed->trace, name, held, layout, control));
    });
    refresh();
}

/// Lists every array of the file: names may be misleading.
void CompareWithFilePage::fillArrays(const Stage& stage, const HeldArray* chosen) {
    arrays_->clear();
    if (!chosen)
        arrays_->addItem(tr("Choose an array…"));
    for (const auto& array : contents_->arrays) {
        const auto name = textOf(array.name);
        arrays_->addItem(QStringLiteral("%1  %2").arg(name, shapeText(array.tensor.shape())), name);
        if (chosen == &array)
            arrays_->setCurrentIndex(arrays_->count() - 1);
    }
    arrays_->setVisible(contents_->arrays.size() > 1 || !chosen);
    arrays_->setToolTip(tr("Which array of the file is compared with the stage %1").arg(textOf(stage.name)));
}

/// Axes of equal size are ambiguous, so the user chooses.
void CompareWithFilePage::fillLayouts(const Stage& stage, const HeldArray* chosen) {
    layouts_->clear();
    const auto orders = chosen ? verify::orders_for(chosen->tensor.shape(), stage) : std::vector<std::string>();
    const auto own = verify::axes_of(stage);
    const auto place = [&](char letter) { return own.find(letter); };
    const auto shape = chosen ? chosen->tensor.shape() : Shape();
    const bool unclear = orders.size() > 1 && !verify::merged_layout(shape, stage, orders.front()).empty();
    const bool lies_so = orders.empty() || (!unclear && std::ranges::is_sorted(orders.front(), {}, place));
    if (!lies_so)
        layouts_->addItem(tr("Choose…"), QString()); // the first one does not fit: the page asks for a choice
    for (const auto& order : orders) {
        const bool as_stage = lies_so && layouts_->count() == 0;
        layouts_->addItem(axesText(order), as_stage ? QString() : textOf(order));
    }
    if (const auto known = layout_of_.find(stage.name); known != layout_of_.end())
        layouts_->setCurrentIndex(std::max(0, layouts_->findData(textOf(known->second))));
    layouts_->setVisible(layouts_->count() > 1);
    layouts_label_->setVisible(!layouts_->isHidden());
    layouts_->setToolTip(tr("The order of the axes of %1").arg(chosen ? textOf(chosen->name) : QString()));
}

void CompareWithFilePage::showNothing(const QString& why) {
    worst_->hide();
    words_->setText({});
    showTolerance();
    showProblem(why);
}

QString CompareWithFilePage::differenceName() const {
    return computed_ && computed_->trace.rounding ? tr("given − here") : tr("given − exact");
}

void CompareWithFilePage::refresh() {
    if (stale_ || !isVisible() || !contents_)
        return;
    const Stage* shown = stage();
    const auto* array = shown ? arrayFor(*shown) : nullptr;
    matrices_.reset();
    heading_->setText(array ? tr("Compared with the array %1 of %2").arg(textOf(array->name), file_)
                            : tr("Compared with %1").arg(file_));
    const bool found = outcome_ && outcome_->found;
    const bool rounds = computed_ && computed_->trace.rounding;
    const auto here = rounds ? tr("Here: %1").arg(title()) : tr("Exact: %1").arg(title());
    pictures_->setTitles(found && array ? tr("Given: %1").arg(textOf(array->name)) : here, here, differenceName());
    if (!shown)
        return showNothing(
            tr("The inputs are too large to keep every stage, and are drawn as a map: there is no stage to "
               "compare with. “Preferences” in the Edit menu says from which size on"));
    if (!array)
        return showNothing(missingArrayReason(*shown));
    if (!outcome_)
        return showNothing(tr("Comparing…"));
    if (!found)
        return showNothing(translated(outcome_->error));
    HeldColors held; // of the document's setting, which is B here
    held.b = view_.held().a;
    matrices_ = comparedMatrices(outcome_->given, computed_->trace, outcome_->found->comparison, view_.batch(), head(),
                                 view_.colors(), &held);
    if (!matrices_)
        return showNothing(tr("%1 is empty").arg(textOf(shown->name)));
    showMatrices(rowErrors(), DivergenceBars::Of::Error);
    worst_->setVisible(outcome_->found->worst.has_value());
    setWords(*worst_, largestErrorText(*outcome_->found));
    worst_->setToolTip(tr("Goes to the cell with the largest error"));
    worst_->updateGeometry();
    words_->setText(comparisonWords(*outcome_->found, outcome_->diagnosis));
    showTolerance();
}

/// The largest error of each displayed row; empty where a row is one number.
std::vector<double> CompareWithFilePage::rowErrors() const {
    const auto view = matrices_->difference.view();
    std::vector<double> rows;
    for (std::int64_t i = 0; i < view.rows && view.columns > 1; ++i) {
        double largest = std::numeric_limits<double>::quiet_NaN();
        for (std::int64_t j = 0; j < view.columns; ++j)
            if (const double error = std::abs(view(i, j)); std::isfinite(error))
                largest = std::isnan(largest) ? error : std::max(largest, error);
        rows.push_back(largest);
    }
    return rows;
}

void CompareWithFilePage::showTolerance() {
    const bool found = matrices_ && outcome_ && outcome_->found;
    for (QWidget* part : std::initializer_list<QWidget*>{tolerance_label_, tolerance_, beyond_})
        part->setVisible(found);
    if (!found)
        return;
    const auto usual = verify::default_tolerance(outcome_->found->type, computed_->trace);
    tolerance_->setPlaceholderText(exactText(usual));
    bool read = tolerance_->text().isEmpty();
    const double tolerance =
        read ? usual : QString(tolerance_->text()).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&read);
    if (!read || !(tolerance >= 0.0) || !std::isfinite(tolerance)) {
        beyond_->setText(tr("expected a number from 0, such as 1e-5"));
        return;
    }
    const auto beyond = verify::cells_beyond(*outcome_->found, *stage(), tolerance);
    const auto cells = QString::number(stage()->value.size());
    beyond_->setText(beyond == 0 ? tr("all %1 cells within").arg(cells)
                                 : tr("%1 of %2 cells beyond").arg(beyond).arg(cells));
}

ComputedPtr CompareWithFilePage::exportedStages() const {
    const Stage* shown = stage();
    if (!matrices_ || !shown)
        return nullptr;
    auto result = std::make_shared<Computed>();
    result->trace.query_tokens = computed_->trace.query_tokens;
    result->trace.key_tokens = computed_->trace.key_tokens;
    const auto add = [&](const char* prefix, const Tensor& value) {
        Stage stage = *shown;
        stage.name = prefix + stage.name;
        stage.value = value;
        result->trace.stages.push_back(std::move(stage));
    };
    add("given.", outcome_->found->given);
    add("exact.", shown->value);
    add("difference.", outcome_->found->comparison.difference.value);
    return result;
}

void CompareWithFilePage::goToWorst() {
    if (!outcome_ || !outcome_->found || !outcome_->found->worst)
        return;
    const auto worst = *outcome_->found->worst; // the view may change during this
    const auto axes = outcome_->found->comparison.difference.axes;
    std::vector<int> within;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const auto index = static_cast<int>(worst.index[axis]);
        if (axes[axis] == Axis::Batch)
            view_.setBatch(index);
        else if (axes[axis] == Axis::Head)
            view_.setHead(index);
        else
            within.push_back(index);
    }
    if (!matrices_ || within.empty() || within.size() > 2)
        return;
    const bool one_row = matrices_->difference.view().rows == 1;
    view_.setPinned(within.size() == 2 ? Cell{within[0], within[1]}
                    : one_row          ? Cell{0, within[0]}
                                       : Cell{within[0], 0});
}

QString CompareWithFilePage::heading() const { return heading_->text(); }
QString CompareWithFilePage::words() const { return words_->text(); }
QString CompareWithFilePage::beyondText() const { return beyond_->isHidden() ? QString() : beyond_->text(); }

void CompareWithFilePage::setTexts() {
    layouts_label_->setText(tr("Axes"));
    tolerance_label_->setText(tr("Tolerance"));
    tolerance_label_->setBuddy(tolerance_);
    tolerance_->setAccessibleName(tr("Tolerance"));
    tolerance_->setToolTip(tr("A cell is beyond it where |given − exact| > T + T |exact|. Empty: what is usual for the "
                              "type of the array"));
    layouts_->setAccessibleName(tr("Order of the array's axes"));
    setWords(*close_, tr("Close"));
    close_->setToolTip(tr("Ends the comparison with this file; the document does not change"));
    close_->setAccessibleName(tr("Close the comparison with a file"));
    close_->updateGeometry();
    arrays_->setAccessibleName(tr("Array of the file"));
}

} // namespace attnlab::ui
