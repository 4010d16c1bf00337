#include "ui/inspector/inspector_panel.h"

#include "core/stages/scale.h"
#include "core/statistics.h"
#include "core/variants.h"
#include "ui/card.h"
#include "ui/inspector/arithmetic_html.h"
#include "ui/inspector/measures_card.h"
#include "ui/inspector/number_table.h"
#include "ui/inspector/row_bars.h"
#include "ui/key_grid/key_picture.h"
#include "ui/plot/bar_chart.h"
#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr int parts_on_show = 8, parts_in_tip = 256;
constexpr int bars_on_show = 24;
constexpr int narrowest = 280, widest = 340;

/// As setVisible, which has all layouts around laid out at once, each time; this leaves it to the next turn, when all
/// of them are as they should be.
void setShown(QWidget* widget, const QWidget* content, bool shown) {
    if (widget->isHidden() != shown)
        return;
    const auto layouts = content->findChildren<QLayout*>();
    for (auto* layout : layouts)
        layout->setEnabled(false);
    widget->setVisible(shown);
    for (auto* layout : layouts)
        layout->setEnabled(true);
}

/// Variances that theory predicts before and after the scale, for scores that are dot products of independent numbers
/// with mean 0 and variance 1.
struct Prediction {
    std::optional<double> scores;
    std::optional<double> scaled;
};

Prediction predictionFor(const Trace& trace, const Stage& scores, const AttentionSpec& spec) {
    if (!trace.dot_product_scores || !trace.score_terms || scores.value.size() == 0)
        return {};
    const auto terms = trace.score_terms(0, 0, 0, 0);
    if (terms.empty())
        return {};
    try {
        const Selection scale = effective_scale(spec);
        if (scale_mode(scale.id).row_norm != RowNorm::None)
            return {};
        const auto width = static_cast<std::int64_t>(terms.size());
        Prediction prediction{static_cast<double>(width), {}};
        if (!spec.scale_after_softmax)
            prediction.scaled = predicted_variance(scale, {width, scores.value.dim(-1)});
        return prediction;
    } catch (const Error&) {
        return {}; // a scale that cannot be used has no theory; its own message stands elsewhere
    }
}

} // namespace

InspectorPanel::InspectorPanel(ViewState& view, QWidget* parent) : QWidget(parent), view_(view) {
    build();
    connect(&view_, &ViewState::stageChanged, this, &InspectorPanel::traceChanged);
    connect(&view_, &ViewState::sliceChanged, this, &InspectorPanel::traceChanged);
    connect(&view_, &ViewState::colorsChanged, this, &InspectorPanel::traceChanged);
    connect(&view_, &ViewState::pinnedChanged, this, &InspectorPanel::refreshCell);
    connect(&view_, &ViewState::hoveredChanged, this, [this] {
        if (!view_.pinned())
            refreshCell();
    });
    connect(bars_, &BarChart::barHovered, this, &InspectorPanel::hoverBar);
    connect(bars_, &BarChart::barClicked, this, &InspectorPanel::pinBar);
    connect(key_picture_->picture(), &KeyPicture::keyClicked, this, &InspectorPanel::chooseKey);
    connect(terms_, &QLabel::linkActivated, this, [this] {
        all_parts_ = !all_parts_;
        renderTerms();
    });
    connect(copy_, &QAction::triggered, this, &InspectorPanel::copyArithmetic);
    retranslate();
}

void InspectorPanel::build() {
    setMinimumWidth(narrowest);
    setMaximumWidth(widest);
    auto* content = new QWidget;
    scroll_ = new QScrollArea(this);
    scroll_->setWidget(content);
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);

    measures_card_ = new MeasuresCard(content);
    cell_card_ = new Card(content);
    hint_ = mutedLabel(cell_card_);
    hint_->setWordWrap(true);
    terms_ = new QLabel(cell_card_);
    terms_->setWordWrap(true);
    steps_ = new QLabel(cell_card_);
    steps_->setWordWrap(true);
    for (QLabel* label : {terms_, steps_}) {
        label->setTextFormat(Qt::RichText);
        label->setMinimumWidth(40); // what does not fit wraps
        label->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
        label->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{hint_, terms_, steps_})
        cell_card_->body()->addWidget(widget);
    copy_ = new QAction(this);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(copy_);
    for (QLabel* label : {terms_, steps_})
        label->addAction(copy_);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setFocusPolicy(Qt::ClickFocus); // for Tab there are the texts, which show the focus

    row_card_ = new Card(content);
    bars_ = new BarChart(row_card_);
    row_numbers_ = new NumberTable(row_card_);
    left_out_ = mutedLabel(row_card_);
    bars_->setLimit(bars_on_show);
    row_card_->body()->addWidget(bars_);
    row_card_->body()->addWidget(left_out_);
    row_card_->body()->addWidget(row_numbers_);
    key_picture_ = new KeyPictureCard(content);
    scores_card_ = new Card(content);
    score_numbers_ = new NumberTable(scores_card_);
    scores_card_->body()->addWidget(score_numbers_);

    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    for (QWidget* card :
         std::initializer_list<QWidget*>{measures_card_, cell_card_, key_picture_, row_card_, scores_card_})
        column->addWidget(card);
    column->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);
    scroll_->viewport()->installEventFilter(this);
}

void InspectorPanel::setTrace(ComputedPtr computed, std::optional<int> row) {
    computed_ = std::move(computed);
    first_row_ = row.value_or(0);
    one_row_ = row.has_value();
    measures_card_->setMeasures(computed_ ? computed_->trace.measures : std::vector<Measure>());
    traceChanged();
}

void InspectorPanel::setProblem(const AttentionProblem& problem) {
    problem_ = problem;
    key_picture_->setProblem(problem);
    refreshScores();
}

const Stage* InspectorPanel::stage() const {
    return computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
}

const Stage* InspectorPanel::rowWeights() const {
    const Stage* shown = stage();
    const Stage* weights = computed_ ? weightsBeside(computed_->trace, shown) : nullptr;
    const bool rows_are_queries =
        shown && (endsWithAxes(*shown, Axis::Query, Axis::Key) || endsWithAxes(*shown, Axis::Query, Axis::Feature) ||
                  (!shown->axes.empty() && shown->axes.back() == Axis::Query));
    return rows_are_queries && weights && weights->axes.size() >= 2 ? weights : nullptr;
}

int InspectorPanel::head() const { return computed_ ? headWithin(computed_->trace, view_.head()) : 0; }

std::optional<Cell> InspectorPanel::cell() const {
    for (auto candidate : {view_.pinned(), view_.hovered()}) {
        if (!shown_ || !candidate)
            continue;
        candidate->row -= first_row_;
        if (candidate->row >= 0 && candidate->column >= 0 && candidate->row < shown_->view().rows &&
            candidate->column < shown_->view().columns)
            return candidate;
    }
    return std::nullopt;
}

/// What is pointed at lies in a row whose trace will come.
bool InspectorPanel::awaitsRow() const {
    const auto candidate = view_.pinned() ? view_.pinned() : view_.hovered();
    return one_row_ && candidate && candidate->row != first_row_;
}

void InspectorPanel::traceChanged() {
    const auto slice = [this](const Stage* of) {
        return of ? sliceOf(computed_->trace, *of, view_.batch(), head()) : std::nullopt;
    };
    shown_ = slice(stage());
    row_weights_ = slice(rowWeights());
    if (const Stage* weights = rowWeights())
        weights_scale_ = thumbnailScale(computed_->trace, *weights, view_.batch(), view_);
    refreshCell();
    refreshScores();
}

void InspectorPanel::refreshCell() {
    if (awaitsRow())
        return;
    const auto chosen = cell();
    lines_.clear();
    setShown(hint_, scroll_->widget(), !chosen);
    cell_card_->setAside({});
    if (!chosen) {
        cell_card_->setTitle(tr("Cell"));
    } else {
        const MatrixData& matrix = *shown_;
        const QString row = matrix.rowLabel(chosen->row), column = matrix.columnLabel(chosen->column);
        const bool keys = !stage()->axes.empty() && stage()->axes.back() == Axis::Key;
        const bool one_column = matrix.view().columns == 1 && matrix.column_title.isEmpty();
        cell_card_->setTitle(
            one_column ? row
            : keys     ? tr("%1 → %2", "query token → key token").arg(row, column)
                       : tr("%1, %2 %3", "row label, column axis, column label").arg(row, matrix.column_title, column));
        // Tokens are counted from 1; without tokens the axes show indices from 0.
        const bool numbered = row == QString::number(first_row_ + chosen->row);
        cell_card_->setAside(tr("row %1, column %2")
                                 .arg(first_row_ + chosen->row + (numbered ? 0 : 1))
                                 .arg(chosen->column + (matrix.column_labels.isEmpty() ? 0 : 1)));
        lines_ = arithmeticOf(computed_->trace, *stage(), view_.batch(), head(), *chosen);
    }
    renderArithmetic();
    refreshRow();
}

void InspectorPanel::renderArithmetic() {
    const QString table = tableHtml(lines_);
    steps_->setText(table);
    setShown(steps_, scroll_->widget(), !table.isEmpty());
    renderTerms();
    copy_->setEnabled(!lines_.empty());
}

void InspectorPanel::renderTerms() {
    const auto found =
        std::find_if(lines_.begin(), lines_.end(), [](const ArithmeticLine& line) { return !line.parts.isEmpty(); });
    setShown(terms_, scroll_->widget(), found != lines_.end());
    terms_->setToolTip({});
    if (found == lines_.end())
        return;
    const auto count = static_cast<int>(found->parts.size());
    QString html =
        wrappedHtml(partsText(*found, all_parts_ ? count : parts_on_show), termsWidth(), terms_->fontMetrics());
    if (count > parts_on_show + 1) {
        html += QStringLiteral(" <a href=\"fold\" style=\"color:%1\">%2</a>")
                    .arg(theme().accent.name(), all_parts_ ? tr("fewer") : tr("all"));
        terms_->setToolTip(
            QStringLiteral("<p>%1</p>").arg(found->parts.mid(0, parts_in_tip).join(found->separator).toHtmlEscaped()));
    }
    terms_->setText(html);
}

int InspectorPanel::termsWidth() const {
    const auto margins = cell_card_->layout()->contentsMargins();
    return scroll_->viewport()->width() - margins.left() - margins.right();
}

bool InspectorPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == scroll_->viewport() && event->type() == QEvent::Resize)
        renderTerms();
    return QWidget::eventFilter(watched, event);
}

void InspectorPanel::refreshRow() {
    const auto chosen = cell();
    const bool shown = row_weights_ && chosen && chosen->row < row_weights_->view().rows;
    setShown(row_card_, scroll_->widget(), shown);
    showOnPicture(shown ? chosen : std::nullopt);
    if (!shown)
        return;
    const auto row = row_weights_->view().row(chosen->row);
    showBars(*row_weights_, *chosen);
    row_card_->setTitle(tr("Row: what “%1” reads").arg(row_weights_->rowLabel(chosen->row)));
    row_card_->setAside(tr("sum %1").arg(numberText(std::accumulate(row.begin(), row.end(), 0.0), 5)));
    const auto statistics = row_statistics(row);
    // A row that reads nothing is no distribution.
    const auto number = [&statistics](double value) {
        return statistics.max_weight > 0 ? numberText(value) : QStringLiteral("–");
    };
    row_numbers_->setEntries(
        {{tr("entropy"),
          statistics.max_weight > 0 ? tr("%1 nats").arg(numberText(statistics.entropy)) : QStringLiteral("–"),
          tr("−Σ a log a over the row")},
         {tr("effective keys"), number(statistics.effective_keys), tr("exp(entropy)")},
         {tr("max weight"), number(statistics.max_weight), tr("The largest weight of the row")},
         {QStringLiteral("‖∂a/∂s‖"), number(statistics.jacobian_norm),
          tr("Frobenius norm of diag(a) − a aᵀ: how much gradient the softmax of this row lets through")}});
}

void InspectorPanel::showBars(const MatrixData& weights, Cell chosen) {
    const bool keys_chosen = stage()->axes.back() == Axis::Key;
    auto row = rowBars(weights, chosen.row, keys_chosen ? std::optional(chosen.column) : std::nullopt, bars_on_show);
    bar_keys_ = std::move(row.keys);
    bars_->setBars(std::move(row.bars), weights_scale_, row.highlighted, row.smaller);
    left_out_->setText(tr("Blocked keys that are not shown: %1").arg(row.blocked));
    setShown(left_out_, scroll_->widget(), row.blocked > 0);
}

void InspectorPanel::refreshScores() {
    const Stage* weights = computed_ ? weightsBeside(computed_->trace, stage()) : nullptr;
    const Stage* scores = weights ? computed_->trace.beside(*weights, "scores") : nullptr;
    const Stage* scaled = weights ? computed_->trace.beside(*weights, "scaled") : nullptr;
    const auto raw = scores ? sliceOf(computed_->trace, *scores, view_.batch(), head()) : std::nullopt;
    setShown(scores_card_, scroll_->widget(), raw.has_value());
    if (!raw) {
        score_numbers_->setEntries({});
        scores_card_->setTitle({});
        return;
    }
    const auto momentsOf = [](const MatrixData& matrix) {
        const auto view = matrix.view();
        return moments({view.data, static_cast<std::size_t>(view.rows * view.columns)});
    };
    const Moments before = momentsOf(*raw);
    const auto after_matrix = scaled ? sliceOf(computed_->trace, *scaled, view_.batch(), head()) : std::nullopt;
    const Moments after = after_matrix ? momentsOf(*after_matrix) : before;
    std::vector<NumberTable::Entry> entries{
        {tr("mean"), numberText(before.mean, 3), tr("Mean of the scores before the scale")},
        {tr("after scale"), numberText(after.mean, 3), tr("Mean of the scores after the scale")},
        {tr("variance"), numberText(before.variance, 3), tr("Variance of the scores before the scale")},
        {tr("after scale"), numberText(after.variance, 3), tr("Variance of the scores after the scale")}};
    const bool mean_of_heads = head() == ViewState::MeanOfHeads;
    const auto theory = mean_of_heads ? Prediction{} : predictionFor(computed_->trace, *scores, problem_.spec);
    if (theory.scores) {
        const QString help = tr("The variance for independent entries of query and key with mean 0 and variance 1");
        entries.push_back({tr("theory"), numberText(*theory.scores, 3), help});
        entries.push_back({tr("theory"), theory.scaled ? numberText(*theory.scaled, 3) : QStringLiteral("–"), help});
    }
    score_numbers_->setEntries(entries);
    scores_card_->setTitle(mean_of_heads ? tr("Mean scores of the heads") : tr("Scores of this head"));
}

void InspectorPanel::showOnPicture(std::optional<Cell> chosen) {
    const bool key = chosen && stage()->axes.back() == Axis::Key;
    key_picture_->setRow(chosen ? &*row_weights_ : nullptr, chosen ? chosen->row : 0,
                         key ? std::optional(chosen->column) : std::nullopt, weights_scale_);
}

void InspectorPanel::chooseKey(int key) {
    if (const auto chosen = cell(); chosen && stage()->axes.back() == Axis::Key)
        view_.setPinned(Cell{first_row_ + chosen->row, key});
}

void InspectorPanel::hoverBar(int bar) {
    const auto chosen = cell();
    if (!chosen || stage()->axes.back() != Axis::Key || !view_.pinned())
        return; // without a pin, the row on show would follow the mouse away
    view_.setHovered(bar < 0
                         ? std::nullopt
                         : std::optional<Cell>({first_row_ + chosen->row, bar_keys_[static_cast<std::size_t>(bar)]}));
}

void InspectorPanel::pinBar(int bar) {
    if (bar >= 0)
        chooseKey(bar_keys_[static_cast<std::size_t>(bar)]);
}

QString InspectorPanel::hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

QString InspectorPanel::arithmeticText() const {
    if (lines_.empty())
        return {};
    return QStringLiteral("%1 (%2)\n%3\n").arg(cell_card_->title(), cell_card_->aside(), plainText(lines_));
}

void InspectorPanel::copyArithmetic() const {
    if (!lines_.empty())
        QApplication::clipboard()->setText(arithmeticText());
}

QSize InspectorPanel::sizeHint() const { return {300, 600}; }
QSize InspectorPanel::minimumSizeHint() const { return {narrowest, 200}; }

void InspectorPanel::retranslate() {
    setAccessibleName(tr("Inspector"));
    hint_->setText(tr("Point at a cell to see how its number came about. Click it, or press Enter on it, to pin it."));
    copy_->setText(tr("Copy the arithmetic"));
    terms_->setAccessibleName(tr("Terms of the sum"));
    steps_->setAccessibleName(tr("Arithmetic of the cell"));
    bars_->setAccessibleName(tr("Weights of the row"));
    traceChanged();
}

void InspectorPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange && steps_)
        renderArithmetic();
}

} // namespace attnlab::ui
