#include "ui/panels/inspector/inspector_cards.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "core/statistics.h"
#include "ui/document/view_state.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <QGridLayout>
#include <QHash>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr std::size_t longest_row_with_blocked = 12;

Bar barOf(const MatrixData& weights, std::int64_t row, int key) {
    return {weights.columnLabel(key), weights.view()(row, key), weights.isBlocked(row, key)};
}

} // namespace

RowBars rowBars(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key, int most) {
    const auto values = weights.view().row(row);
    const auto is_blocked = [&](int key) { return weights.isBlocked(row, key); };
    const bool all = values.size() <= longest_row_with_blocked;
    RowBars result;
    auto& keys = result.keys;
    for (int key = 0; key < static_cast<int>(values.size()); ++key) {
        if (all || key == chosen_key || !is_blocked(key))
            keys.push_back(key);
        else
            ++result.blocked;
    }
    const auto limit = static_cast<std::size_t>(most);
    if (keys.size() > limit) {
        const auto size_of = [&](int key) {
            const double value = values[static_cast<std::size_t>(key)];
            return is_blocked(key) || std::isnan(value) ? -1.0 : std::abs(value);
        };
        std::partial_sort(keys.begin(), keys.begin() + most, keys.end(), [&](int a, int b) {
            const double size_a = size_of(a), size_b = size_of(b);
            return size_a > size_b || (size_a == size_b && a < b);
        });
        result.smaller = static_cast<int>(keys.size() - limit);
        keys.resize(limit);
        std::sort(keys.begin(), keys.end());
    }
    for (const int key : keys) {
        if (key == chosen_key)
            result.highlighted = static_cast<int>(result.bars.size());
        result.bars.push_back(barOf(weights, row, key));
    }
    return result;
}

RowBars withChosen(RowBars bars, const MatrixData& weights, std::int64_t row, int chosen_key) {
    if (bars.highlighted >= 0 || bars.smaller == 0 || chosen_key < 0 || chosen_key >= weights.view().columns)
        return bars;
    const auto place = std::lower_bound(bars.keys.begin(), bars.keys.end(), chosen_key) - bars.keys.begin();
    bars.keys.insert(bars.keys.begin() + place, chosen_key);
    bars.bars.insert(bars.bars.begin() + place, barOf(weights, row, chosen_key));
    bars.highlighted = static_cast<int>(place);
    --bars.smaller;
    return bars;
}

void numberEqualLabels(RowBars& of) {
    QHash<QString, int> times;
    for (const auto& bar : of.bars)
        ++times[bar.label];
    for (std::size_t i = 0; i < of.bars.size(); ++i)
        if (const QString label = of.bars[i].label; times[label] > 1)
            of.bars[i].label = QStringLiteral("%1 (%2)").arg(label).arg(of.keys[i]);
}

namespace {

constexpr int usual_bars = 8, most_bars = 300; ///< the latter where the user wants more
constexpr int title_letters = 16;

/// The largest weights and the chosen one. One more bar is not longer than the button that would show it.
RowBars barsOf(const MatrixData& weights, std::int64_t row, std::optional<int> key, int most) {
    auto bars = rowBars(weights, row, key, most + 1);
    if (bars.smaller > 0)
        bars = rowBars(weights, row, key, most);
    if (key)
        bars = withChosen(std::move(bars), weights, row, *key);
    numberEqualLabels(bars);
    return bars;
}

/// Five digits; a sum that is 1 but for rounding, or 0, in one.
QString weightSumText(double sum) {
    constexpr double rounding = 1e-6;
    const double whole = std::round(sum);
    return std::abs(sum - whole) < rounding ? numberText(whole, 1) : numberText(sum, 5);
}

} // namespace

RowCard::RowCard(QWidget* parent)
    : Card(parent), bars_(new BarChart(this)), left_out_(mutedLabel(this)), legend_(mutedLabel(this)),
      numbers_(new NumberTiles(this)), further_(new NumberTiles(this)), order_(new SegmentSwitch(this)),
      more_(new QToolButton(this)), show_further_(new QToolButton(this)) {
    body()->setSpacing(4);
    body()->addWidget(bars_);
    body()->addWidget(left_out_);
    body()->addWidget(legend_);
    QSizePolicy keeps_room = legend_->sizePolicy();
    keeps_room.setRetainSizeWhenHidden(true); // nothing moves when a setting changes
    legend_->setSizePolicy(keeps_room);
    legend_->hide();
    body()->addWidget(controls());
    body()->addWidget(numbers_);
    body()->addWidget(further_);
    showFurther(false);
    const auto key_of = [this](int bar) {
        return bar < 0 ? std::nullopt : std::optional(keys_[static_cast<std::size_t>(bar)]);
    };
    connect(bars_, &BarChart::barHovered, this, [this, key_of](int bar) { emit keyHovered(key_of(bar)); });
    connect(bars_, &BarChart::barClicked, this, [this, key_of](int bar) {
        if (const auto key = key_of(bar))
            emit keyClicked(*key);
    });
    bars_->setLimit(most_bars + 1);
    bars_->setTitle(tr("Weights of the row"));
    bars_->setOrder(BarChart::Order::Largest);
}

QWidget* RowCard::controls() {
    auto* line = new QWidget(this);
    auto* layout = new FlowLayout(line);
    layout->addWidget(more_);
    layout->addWidget(order_);
    layout->addWidget(show_further_);
    for (auto* button : {more_, show_further_}) {
        layout->setAlignment(button, Qt::AlignVCenter);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    setWords(*show_further_, tr("entropy"));
    show_further_->setToolTip(tr("Entropy of the row, and the slope of its softmax"));
    connect(show_further_, &QToolButton::clicked, this, [this] { showFurther(further_->isHidden()); });
    connect(more_, &QToolButton::clicked, this, [this] {
        all_ = !all_;
        refresh();
    });
    for (const QString& name : {tr("by weight"), tr("by position")})
        order_->addTab(name);
    order_->setAccessibleName(tr("Order of the bars"));
    connect(order_, &QTabBar::currentChanged, this,
            [this](int index) { bars_->setOrder(index == 0 ? BarChart::Order::Largest : BarChart::Order::Given); });
    return line;
}

void RowCard::setRow(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key,
                     const ColorScale& scale) {
    shown_ = {weights, row, chosen_key, scale};
    const QString label = weights.rowLabel(row), brief = shortenedLabel(label, fontMetrics(), title_letters);
    setTitle(tr("What “%1” reads").arg(brief), brief == label ? QString() : label);
    refresh();
}

void RowCard::refresh() {
    if (!shown_)
        return;
    const auto& [weights, row, key, scale] = *shown_;
    const auto few = barsOf(weights, row, key, usual_bars);
    auto shown = all_ && few.smaller > 0 ? barsOf(weights, row, key, most_bars) : few;
    keys_ = shown.keys;
    const bool has_before =
        before_ && before_->view().rows == weights.view().rows && before_->view().columns == weights.view().columns;
    for (std::size_t i = 0; has_before && i < keys_.size(); ++i)
        if (const double value = before_->view()(row, keys_[i]); std::isfinite(value))
            shown.bars[i].before = value;
    bars_->setBars(std::move(shown.bars), scale, shown.highlighted, all_ ? shown.smaller : 0);
    setWords(*more_, all_ ? tr("fewer") : tr("%n more", "keys", few.smaller));
    setAccessibleExpanded(*more_, all_);
    more_->setArrowType(all_ ? Qt::UpArrow : Qt::DownArrow);
    more_->setToolTip(all_ ? tr("Show only the largest weights") : tr("Show the smaller weights too"));
    showWithin(more_, few.smaller > 0);
    left_out_->setText(tr("Blocked keys that are not shown: %1").arg(shown.blocked));
    showWithin(left_out_, shown.blocked > 0);
}

void RowCard::setBefore(std::optional<MatrixData> weights, const QString& setting) {
    before_ = std::move(weights);
    legend_->setText(before_ ? tr("Frames: before, with %1").arg(setting) : QString());
    showWithin(legend_, before_.has_value());
}

void RowCard::setReach(std::span<const double> weights) {
    double low = 0.0, high = 0.0;
    for (const double weight : weights)
        if (std::isfinite(weight)) {
            low = std::min(low, weight);
            high = std::max(high, weight);
        }
    bars_->setReach(low, high);
}

QString RowCard::legend() const { return legend_->text(); }

void RowCard::showFurther(bool shown) {
    showWithin(further_, shown);
    setAccessibleExpanded(*show_further_, shown);
    show_further_->setArrowType(shown ? Qt::UpArrow : Qt::DownArrow);
}

void RowCard::setNumbers(std::span<const double> row, bool by_softmax) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    setHeadingNote(tr("sum %1").arg(weightSumText(sum)));
    const auto statistics = row_statistics(row);
    const bool shares = are_shares(row); // only these have an entropy
    // A row that reads nothing is not a distribution.
    const auto number = [&statistics](double value) {
        return statistics.max_weight > 0 ? shareText(value, 4) : QStringLiteral("–");
    };
    const auto of_shares = [&](double value) { return shares ? number(value) : QStringLiteral("–"); };
    const QString nats = shares ? tr("nats") : QString();
    const bool has_before = before_ && shown_ && shown_->row < before_->view().rows;
    const auto before = has_before ? before_->view().row(shown_->row) : std::span<const double>();
    const auto then = row_statistics(before);
    const auto was = [&](double value, double now) {
        const QString text = shareText(value, 4);
        return before.empty() || then.max_weight <= 0 || text == shareText(now, 4) ? QString() : tr("was %1").arg(text);
    };
    numbers_->setEntries(
        {{tr("effective keys"), of_shares(statistics.effective_keys),
          shares && are_shares(before) ? was(then.effective_keys, statistics.effective_keys) : QString(),
          tr("How many keys share the weight: 1 if one has all, n if n have the same")},
         {tr("largest"), number(statistics.max_weight), was(then.max_weight, statistics.max_weight),
          tr("The largest weight of the row")}});
    further_->setEntries(
        {{tr("entropy"), of_shares(statistics.entropy), nats, tr("−Σ a log a over a row that sums to 1")},
         {QStringLiteral("‖∂a/∂s‖"),
          by_softmax ? of_shares(statistics.jacobian_norm) : QStringLiteral("–"),
          {},
          tr("Frobenius norm of diag(a) − a aᵀ: how much gradient the softmax of this row lets through")}});
}

namespace {

/// Theoretical variances before and after the scale, for scores that are dot products of independent numbers with mean
/// 0 and variance 1.
struct Prediction {
    std::optional<double> scores;
    std::optional<double> scaled;
};

Prediction predictionFor(const Trace& trace, const Stage& scores, const AttentionSpec& spec) {
    const Pass& pass = trace.pass(prefix_of(scores.name));
    if (!pass.dot_product_scores || !pass.score_terms || scores.value.size() == 0)
        return {};
    const auto terms = pass.score_terms(0, 0, 0, 0);
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
        return {}; // no theory for an invalid scale, which is reported elsewhere
    }
}

Moments momentsOf(const MatrixData& matrix) {
    const auto view = matrix.view();
    return moments({view.data, static_cast<std::size_t>(view.rows * view.columns)});
}

} // namespace

ScoresCard::ScoresCard(QWidget* parent) : Card(parent), numbers_(new NumberTable(this)) {
    body()->addWidget(numbers_);
    setNoScores();
}

void ScoresCard::setNoScores() {
    showWithin(this, false);
    numbers_->setEntries({});
    setTitle({});
}

void ScoresCard::setScores(const Trace& trace, const Stage& weights, int batch, int head, const AttentionSpec& spec,
                           const Extent& extent) {
    const auto slice = [&](const Stage* stage) { return stage ? sliceOf(trace, *stage, batch, head) : std::nullopt; };
    const Stage* scores = trace.beside(weights, "scores");
    const auto raw = slice(scores), scaled = slice(trace.beside(weights, "scaled"));
    if (!raw) {
        setNoScores();
        return;
    }
    const bool of_row = extent.one_row && !extent.head;
    const Moments before = extent.head ? extent.head->scores : momentsOf(*raw), after = extent.head
                                                                                            ? extent.head->scaled
                                                                                        : scaled ? momentsOf(*scaled)
                                                                                                 : before;
    std::vector<NumberTable::Entry> entries{
        {tr("mean"), numberText(before.mean, 3), tr("Mean of the scores before the scale"), tr("mean of scores")},
        {tr("after scale"), numberText(after.mean, 3), tr("Mean of the scores after the scale"),
         tr("mean after scale")},
        {tr("variance"), numberText(before.variance, 3), tr("Variance of the scores before the scale"),
         tr("variance of scores")},
        {tr("after scale"), numberText(after.variance, 3), tr("Variance of the scores after the scale"),
         tr("variance after scale")}};
    const bool mean_of_heads = head == ViewState::mean_of_heads;
    const auto theory = mean_of_heads || of_row ? Prediction{} : predictionFor(trace, *scores, spec);
    if (theory.scores) {
        const QString help =
            tr("The variance expected for random entries of query and key: independent, with mean 0 and variance 1");
        entries.push_back({tr("expected"), numberText(*theory.scores, 3), help, tr("expected variance")});
        entries.push_back({tr("expected"), theory.scaled ? numberText(*theory.scaled, 3) : QStringLiteral("–"), help,
                           tr("expected variance after scale")});
    }
    numbers_->setEntries(entries);
    setTitle(of_row          ? tr("Scores of this row")
             : mean_of_heads ? tr("Mean scores of the heads")
                             : tr("Scores of this head"));
    showWithin(this, true);
}

namespace {

constexpr int numbers = 3; ///< this, exact, ratio

} // namespace

QString amountText(double value, Measure::Unit unit) {
    if (unit == Measure::Unit::Number)
        return significantText(value);
    static constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
    std::size_t power = 0;
    // 999.6 would be rounded to 1000, which belongs to the next prefix.
    while (std::isfinite(value) && std::abs(value) >= 999.5 && power + 1 < prefixes.size()) {
        value /= 1000.0;
        ++power;
    }
    const bool whole = power == 0 && value == std::floor(value);
    const QString number = whole ? QString::number(value, 'f', 0) : numberText(value, 3);
    const QString suffix =
        QLatin1String(prefixes[power]) + (unit == Measure::Unit::Bytes ? QStringLiteral("B") : QString());
    return suffix.isEmpty() ? number : QStringLiteral("%1 %2").arg(number, suffix);
}

MeasuresCard::MeasuresCard(QWidget* parent) : Card(parent) { refresh(); }

void MeasuresCard::setMeasures(std::vector<Measure> measures) {
    if (measures.empty() && measures_.empty())
        return;
    measures_ = std::move(measures);
    refresh();
}

QStringList MeasuresCard::headings() { return {tr("this"), tr("exact"), tr("ratio")}; }

QStringList MeasuresCard::textsOf(const Measure& measure) const {
    const QString own = amountText(measure.value, measure.unit);
    if (!measure.exact)
        return {translated(measure.title), own};
    return {translated(measure.title), own, amountText(*measure.exact, measure.unit),
            *measure.exact == 0.0 ? QStringLiteral("–") : significantText(measure.value / *measure.exact)};
}

QStringList MeasuresCard::line(const std::string& name) const {
    const Measure* found = lookup(measures_, name, &Measure::name);
    return found ? textsOf(*found) : QStringList();
}

void MeasuresCard::addLine(const QStringList& texts, const QString& help) {
    const int row = grid_->rowCount();
    auto* name = mutedLabel(table_);
    name->setWordWrap(true);
    name->setMinimumWidth(40);
    name->setText(texts.front());
    name->setToolTip(help);
    const auto count = static_cast<int>(texts.size()) - 1;
    const QStringList columns = count > 1 ? headings() : QStringList{QString()};
    // A lone number is at the right end: its name gets the remaining columns.
    grid_->addWidget(name, row, 0, 1, 1 + numbers - count);
    for (int i = 0; i < count; ++i) {
        auto* number = new Label(texts[i + 1], table_);
        number->setAlignment(Qt::AlignRight | Qt::AlignTop);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        const QString column = columns[i].isEmpty() ? QString() : QStringLiteral(", ") + columns[i];
        number->setAccessibleName(QStringLiteral("%1%2: %3").arg(texts.front(), column, texts[i + 1]));
        number->setToolTip(help);
        if (i == 0)
            setAccessibleLabelOf(*name, *number);
        grid_->addWidget(number, row, 1 + numbers - count + i);
    }
}

void MeasuresCard::refresh() {
    setTitle(lookup(measures_, "state_difference", &Measure::name) ? tr("Matrix, state and cost")
                                                                   : tr("Against exact attention"));
    setVisible(!measures_.empty());
    removeSafely(table_);
    table_ = new QWidget(this);
    grid_ = new QGridLayout(table_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(3);
    grid_->setColumnStretch(0, 1);
    body()->addWidget(table_);
    const auto has_exact = [](const Measure& measure) { return measure.exact.has_value(); };
    for (const auto& measure : measures_)
        if (!has_exact(measure))
            addLine(textsOf(measure), exactText(measure.value));
    if (std::none_of(measures_.begin(), measures_.end(), has_exact))
        return;
    const int row = grid_->rowCount();
    int column = 1;
    for (const auto& text : headings()) {
        auto* heading = mutedLabel(table_);
        heading->setText(text);
        heading->setAlignment(Qt::AlignRight);
        grid_->addWidget(heading, row, column++);
    }
    for (const auto& measure : measures_)
        if (has_exact(measure))
            addLine(textsOf(measure),
                    tr("%1; exact attention: %2").arg(exactText(measure.value), exactText(*measure.exact)));
}

} // namespace attnlab::ui
