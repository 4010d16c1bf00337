#include "ui/panels/inspector/row_card.h"

#include "core/statistics.h"
#include "ui/drawing/bar_chart.h"
#include "ui/panels/inspector/number_table.h"
#include "ui/panels/inspector/row_bars.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <numeric>

namespace attnlab::ui {
namespace {

constexpr int bars_on_show = 24;

} // namespace

RowCard::RowCard(QWidget* parent)
    : Card(parent), bars_(new BarChart(this)), left_out_(mutedLabel(this)), numbers_(new NumberTable(this)) {
    bars_->setLimit(bars_on_show);
    for (QWidget* widget : std::initializer_list<QWidget*>{bars_, left_out_, numbers_})
        body()->addWidget(widget);
    const auto keyOf = [this](int bar) {
        return bar < 0 ? std::nullopt : std::optional(keys_[static_cast<std::size_t>(bar)]);
    };
    connect(bars_, &BarChart::barHovered, this, [this, keyOf](int bar) { emit keyHovered(keyOf(bar)); });
    connect(bars_, &BarChart::barClicked, this, [this, keyOf](int bar) {
        if (const auto key = keyOf(bar))
            emit keyClicked(*key);
    });
    bars_->setAccessibleName(tr("Weights of the row"));
}

void RowCard::setRow(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key,
                     const ColorScale& scale) {
    setTitle(tr("Row: what “%1” reads").arg(weights.rowLabel(row)));
    auto largest = rowBars(weights, row, chosen_key, bars_on_show);
    keys_ = std::move(largest.keys);
    bars_->setBars(std::move(largest.bars), scale, largest.highlighted, largest.smaller);
    left_out_->setText(tr("Blocked keys that are not shown: %1").arg(largest.blocked));
    showWithin(left_out_, largest.blocked > 0);
}

void RowCard::setNumbers(std::span<const double> row) {
    setAside(tr("sum %1").arg(numberText(std::accumulate(row.begin(), row.end(), 0.0), 5)));
    const auto statistics = row_statistics(row);
    // A row that reads nothing is not a distribution.
    const auto number = [&statistics](double value) {
        return statistics.max_weight > 0 ? numberText(value) : QStringLiteral("–");
    };
    numbers_->setEntries(
        {{tr("entropy"),
          statistics.max_weight > 0 ? tr("%1 nats").arg(numberText(statistics.entropy)) : QStringLiteral("–"),
          tr("−Σ a log a over the row")},
         {tr("effective keys"), number(statistics.effective_keys), tr("exp(entropy)")},
         {tr("max weight"), number(statistics.max_weight), tr("The largest weight of the row")},
         {QStringLiteral("‖∂a/∂s‖"), number(statistics.jacobian_norm),
          tr("Frobenius norm of diag(a) − a aᵀ: how much gradient the softmax of this row lets through")}});
}

} // namespace attnlab::ui
