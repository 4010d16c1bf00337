#include "ui/compare/against_page.h"

#include "core/against/fitted_array.h"
#include "core/recognition/recognition.h"
#include "ui/card.h"
#include "ui/compare/compare_view.h"
#include "ui/document.h"
#include "ui/failure.h"
#include "ui/mask/chip.h"
#include "ui/slice.h"
#include "ui/stages/stage_colors.h"
#include "ui/stages/stage_kinds.h"
#include "ui/stages/stage_title.h"
#include "ui/text.h"
#include "ui/wrapped_label.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QtConcurrent>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

QString typeText(const against::ArrayComparison& found) { return textOf(name_of(found.type)); }

} // namespace

AgainstPage::AgainstPage(const Document& document, ViewState& view, QWidget* parent)
    : QWidget(parent), document_(document), view_(view), heading_(new ElidedLabel(this)), arrays_(new QComboBox(this)),
      close_(new Chip(this)), pictures_(new CompareView(view, this)), worst_(new Chip(this)),
      words_(new WrappedLabel(this)) {
    close_->setCheckable(false);
    worst_->setCheckable(false);
    arrays_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    arrays_->setMinimumContentsLength(12);
    words_->setWordWrap(true);
    words_->setMargin(0);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 6, 12, 0);
    line->addWidget(heading_, 1);
    line->addWidget(arrays_);
    line->addWidget(close_);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(12, 0, 12, 0);
    foot->addWidget(worst_, 0, Qt::AlignLeft);
    foot->addWidget(words_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 8);
    column->setSpacing(6);
    column->addLayout(line);
    column->addWidget(pictures_, 1);
    column->addLayout(foot);
    connect(close_, &QAbstractButton::clicked, this, &AgainstPage::close);
    connect(worst_, &QAbstractButton::clicked, this, &AgainstPage::goToWorst);
    connect(arrays_, &QComboBox::activated, this, [this] {
        if (const auto* shown = stage())
            chosen_[shown->name] = arrays_->currentData().toString().toStdString();
        compareAgain();
    });
    connect(&view_, &ViewState::stageChanged, this, &AgainstPage::compareAgain);
    connect(&view_, &ViewState::sliceChanged, this, &AgainstPage::refresh);
    connect(&view_, &ViewState::colorsChanged, this, &AgainstPage::refresh);
    retranslate();
}

AgainstPage::~AgainstPage() {
    if (stop_)
        *stop_ = true;
}

void AgainstPage::open(std::shared_ptr<const Contents> contents, const QString& file) {
    contents_ = std::move(contents);
    file_ = file;
    chosen_.clear();
    emit opened();
    compareAgain();
}

void AgainstPage::close() {
    contents_.reset();
    outcome_.reset();
    matrices_.reset();
    compareAgain();
    emit closed();
}

void AgainstPage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    problem_ = document_.problem();
    compareAgain();
}

const Stage* AgainstPage::stage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

const HeldArray* AgainstPage::arrayFor(const Stage& stage) const {
    const auto& arrays = contents_->arrays;
    if (const auto chosen = chosen_.find(stage.name); chosen != chosen_.end())
        return &*std::ranges::find(arrays, chosen->second, &HeldArray::name);
    const auto candidates = against::arrays_for(*contents_, stage);
    return candidates.size() == 1 ? candidates.front() : nullptr;
}

QString AgainstPage::whyNoArray(const Stage& stage) const {
    const auto held = QString::fromStdString(held_text(*contents_));
    if (against::arrays_for(*contents_, stage).empty())
        return tr("%1 has no array for the stage %2. It has: %3").arg(file_, textOf(stage.name), held);
    return tr("Several arrays of %1 may be the stage %2. Choose one above: %3").arg(file_, textOf(stage.name), held);
}

AgainstPage::Outcome AgainstPage::outcomeOf(const AttentionProblem& problem, const Trace& exact,
                                            const std::string& stage, const HeldArray& array,
                                            const RunControl& control) {
    Outcome outcome;
    const auto error = failureOf(
        [&] {
            const Stage& right = *exact.find(stage);
            const auto given = against::fitted(array.tensor, right, array.name);
            outcome.found = against::compare_array(right, given);
            outcome.given = exact;
            for (auto& other : outcome.given.stages)
                if (other.name == stage)
                    other.value = given;
            outcome.diagnosis = against::diagnose(problem, exact, stage, given, control);
        },
        computing_failed);
    if (error) {
        outcome.found.reset();
        outcome.error = *error;
    }
    return outcome;
}

void AgainstPage::compareAgain() {
    stale_ = true;
    if (stop_)
        *stop_ = true;
    stop_.reset();
    if (!isVisible() || !contents_)
        return;
    stale_ = false;
    outcome_.reset();
    const Stage* shown = stage();
    const auto* array = shown ? arrayFor(*shown) : nullptr;
    if (shown)
        fillArrays(*shown, array);
    if (!shown || !array) {
        refresh();
        emit settled();
        return;
    }
    stop_ = std::make_shared<std::atomic<bool>>(false);
    RunControl control;
    control.cancelled = [stop = stop_] { return stop->load(); };
    QtConcurrent::run([problem = problem_, computed = computed_, name = shown->name, held = *array, control] {
        return std::make_shared<const Outcome>(outcomeOf(problem, computed->trace, name, held, control));
    }).then(this, [this, stop = stop_](std::shared_ptr<const Outcome> outcome) {
        if (stop != stop_)
            return;
        outcome_ = std::move(outcome);
        refresh();
        emit settled();
    });
    refresh();
}

/// Every array of the file: what its name says may be wrong.
void AgainstPage::fillArrays(const Stage& stage, const HeldArray* chosen) {
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

void AgainstPage::showNothing(const QString& why) {
    const Stage* shown = stage();
    worst_->hide();
    words_->setText({});
    const auto exact =
        shown ? sliceOf(computed_->trace, *shown, view_.batch(), headWithin(computed_->trace, view_.head()))
              : std::nullopt;
    const auto scale = shown ? scaleFor(computed_->trace, *shown, view_.batch(), view_.colors()) : ColorScale();
    pictures_->setProblem(exact, scale, why);
}

void AgainstPage::refresh() {
    if (stale_ || !isVisible() || !contents_)
        return;
    const Stage* shown = stage();
    const auto* array = shown ? arrayFor(*shown) : nullptr;
    const int head = computed_ ? headWithin(computed_->trace, view_.head()) : 0;
    const auto title = shown ? stageTitle(computed_->trace, *shown, view_.batch(), head) : QString();
    matrices_.reset();
    heading_->setText(array ? tr("Compared with the array %1 of %2").arg(textOf(array->name), file_)
                            : tr("Compared with %1").arg(file_));
    const bool found = outcome_ && outcome_->found;
    pictures_->setTitles(found && array ? tr("Given: %1").arg(textOf(array->name)) : tr("Exact: %1").arg(title),
                         tr("Exact: %1").arg(title), tr("given − exact"));
    if (!shown)
        return showNothing(tr("Nothing computed yet"));
    if (!array)
        return showNothing(whyNoArray(*shown));
    if (!outcome_)
        return showNothing(tr("Comparing…"));
    if (!found)
        return showNothing(translated(outcome_->error));
    matrices_ = comparedMatrices(outcome_->given, computed_->trace, outcome_->found->comparison, view_.batch(), head,
                                 view_.colors());
    if (!matrices_)
        return showNothing(tr("%1 is empty").arg(textOf(shown->name)));
    pictures_->setMatrices(*matrices_, {});
    worst_->setVisible(outcome_->found->worst.has_value());
    setWords(*worst_, placeText());
    worst_->setToolTip(tr("Goes to the cell with the largest error"));
    worst_->updateGeometry();
    words_->setText(numbers());
}

QString AgainstPage::placeText() const {
    const auto& worst = outcome_->found->worst;
    if (!worst)
        return {};
    QStringList place;
    const auto& axes = outcome_->found->comparison.difference.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const auto index = QString::number(worst->index[axis]);
        switch (axes[axis]) {
        case Axis::Batch:
            place << tr("batch %1").arg(index);
            break;
        case Axis::Head:
            place << tr("head %1").arg(index);
            break;
        default:
            place << QStringLiteral("%1 %2").arg(translated(title_of(axes[axis])), index);
        }
    }
    return tr("Largest error %1 at %2")
        .arg(numberText(outcome_->found->comparison.all.max_absolute), place.join(QStringLiteral(", ")));
}

QString AgainstPage::numbers() const {
    const auto& found = *outcome_->found;
    const auto& all = found.comparison.all;
    QStringList lines;
    if (found.worst)
        lines << tr("There the file has %1, exact is %2.")
                     .arg(numberText(found.worst->given, 9), numberText(found.worst->exact, 9));
    else
        lines << tr("No cell differs.");
    lines.back() += QLatin1Char(' ') + tr("Mean error %1; relative error of the whole %2.")
                                           .arg(numberText(all.mean_absolute), numberText(found.relative));
    if (found.ulps) {
        const auto held = found.held_as == found.type ? QString() : tr(" (saved as %1)").arg(typeText(found));
        lines.back() += QLatin1Char(' ') + tr("In ulps of %1%2: largest %3, mean %4.")
                                               .arg(textOf(name_of(found.ulps->type)), held,
                                                    numberText(found.ulps->largest), numberText(found.ulps->mean));
    }
    const auto& odd = found.not_finite;
    if (odd.given_nan + odd.given_infinite + odd.exact_nan + odd.exact_infinite > 0)
        lines
            << tr("Cells that are no finite number and count nowhere: in the file %1 NaN and %2 infinite, exact %3 NaN "
                  "and %4 infinite; alike in %5.")
                   .arg(odd.given_nan)
                   .arg(odd.given_infinite)
                   .arg(odd.exact_nan)
                   .arg(odd.exact_infinite)
                   .arg(odd.alike);
    if (const auto& heads = found.comparison.heads; heads.size() > 1) {
        constexpr std::size_t most = 16;
        QStringList errors;
        for (std::size_t head = 0; head < std::min(most, heads.size()); ++head)
            errors << QStringLiteral("%1: %2").arg(head).arg(numberText(heads[head].max_absolute, 2));
        lines << tr("Largest by head: %1").arg(errors.join(QStringLiteral(", "))) +
                     (heads.size() > most ? QStringLiteral(", …") : QString());
    }
    for (const auto& mistake : outcome_->diagnosis.likely)
        lines << tr("Likely mistake: %1. With it the relative error is %2 instead of %3.")
                     .arg(translated(mistake.words), numberText(mistake.distance),
                          numberText(outcome_->diagnosis.exact_distance));
    if (outcome_->diagnosis.not_looked)
        lines << translated(*outcome_->diagnosis.not_looked);
    return lines.join(QLatin1Char('\n'));
}

void AgainstPage::goToWorst() {
    if (!outcome_ || !outcome_->found || !outcome_->found->worst)
        return;
    const auto worst = *outcome_->found->worst; // the view may change while this runs
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

QString AgainstPage::heading() const { return heading_->text(); }
QString AgainstPage::words() const { return words_->text(); }

void AgainstPage::retranslate() {
    setWords(*close_, tr("Close"));
    close_->setToolTip(tr("Compares with this file no longer; the document stays as it is"));
    close_->setAccessibleName(tr("Close the comparison with a file"));
    close_->updateGeometry();
    arrays_->setAccessibleName(tr("Array of the file"));
}

void AgainstPage::paintEvent(QPaintEvent*) { paintCard(*this); }

void AgainstPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_)
        compareAgain();
    else
        refresh();
}

void AgainstPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (contents_ && computed_ && stage())
            fillArrays(*stage(), arrayFor(*stage()));
        refresh();
    }
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
