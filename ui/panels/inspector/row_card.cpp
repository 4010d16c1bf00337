#include "ui/panels/inspector/row_card.h"

#include "core/statistics.h"
#include "ui/drawing/bar_chart.h"
#include "ui/panels/inspector/brief_label.h"
#include "ui/panels/inspector/number_tiles.h"
#include "ui/panels/inspector/row_bars.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/segment_switch.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <numeric>

namespace attnlab::ui {
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
    const QString label = weights.rowLabel(row), brief = briefLabel(label, fontMetrics(), title_letters);
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
    setAside(tr("sum %1").arg(weightSumText(std::accumulate(row.begin(), row.end(), 0.0))));
    const auto statistics = row_statistics(row);
    // A row that reads nothing is not a distribution.
    const auto number = [&statistics](double value) {
        return statistics.max_weight > 0 ? shareText(value, 4) : QStringLiteral("–");
    };
    const QString nats = statistics.max_weight > 0 ? tr("nats") : QString();
    numbers_->setEntries(
        {{tr("entropy"), number(statistics.entropy), nats, tr("−Σ a log a over the row")},
         {tr("effective keys"), number(statistics.effective_keys), {}, tr("exp(entropy)")},
         {tr("largest"), number(statistics.max_weight), {}, tr("The largest weight of the row")},
         {QStringLiteral("‖∂a/∂s‖"),
          number(statistics.jacobian_norm),
          {},
          tr("Frobenius norm of diag(a) − a aᵀ: how much gradient the softmax of this row lets through")}});
}

} // namespace attnlab::ui
