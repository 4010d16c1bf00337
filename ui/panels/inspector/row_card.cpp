#include "ui/panels/inspector/row_card.h"

#include "core/statistics.h"
#include "ui/drawing/bar_chart.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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
    : Card(parent), bars_(new BarChart(this)), left_out_(mutedLabel(this)), numbers_(new NumberTiles(this)),
      order_(new SegmentSwitch(this)), more_(new QToolButton(this)) {
    body()->addWidget(bars_);
    body()->addWidget(left_out_);
    body()->addWidget(controls());
    body()->addWidget(numbers_);
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
    layout->setAlignment(more_, Qt::AlignVCenter);
    more_->setAutoRaise(true);
    more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
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
    bars_->setBars(std::move(shown.bars), scale, shown.highlighted, all_ ? shown.smaller : 0);
    setWords(*more_, all_ ? tr("fewer") : tr("%n more", "keys", few.smaller));
    setAccessibleExpanded(*more_, all_);
    more_->setArrowType(all_ ? Qt::UpArrow : Qt::DownArrow);
    more_->setToolTip(all_ ? tr("Show only the largest weights") : tr("Show the smaller weights too"));
    showWithin(more_, few.smaller > 0);
    left_out_->setText(tr("Blocked keys that are not shown: %1").arg(shown.blocked));
    showWithin(left_out_, shown.blocked > 0);
}

void RowCard::setNumbers(std::span<const double> row) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    setHeadingNote(tr("sum %1").arg(weightSumText(sum)));
    const auto statistics = row_statistics(row);
    // Only shares of 1 have an entropy; weights that are rounded to half precision still count as shares.
    const bool shares = std::abs(sum - 1.0) < 0.01 && std::ranges::all_of(row, [](double a) { return a >= 0.0; });
    // A row that reads nothing is not a distribution.
    const auto number = [&statistics](double value) {
        return statistics.max_weight > 0 ? shareText(value, 4) : QStringLiteral("–");
    };
    const auto of_shares = [&](double value) { return shares ? number(value) : QStringLiteral("–"); };
    const QString nats = shares ? tr("nats") : QString();
    numbers_->setEntries(
        {{tr("entropy"), of_shares(statistics.entropy), nats, tr("−Σ a log a over a row that sums to 1")},
         {tr("effective keys"), of_shares(statistics.effective_keys), {}, tr("exp(entropy)")},
         {tr("largest"), number(statistics.max_weight), {}, tr("The largest weight of the row")},
         {QStringLiteral("‖∂a/∂s‖"),
          number(statistics.jacobian_norm),
          {},
          tr("Frobenius norm of diag(a) − a aᵀ: how much gradient the softmax of this row lets through")}});
}

} // namespace attnlab::ui
