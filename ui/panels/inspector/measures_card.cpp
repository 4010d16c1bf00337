#include "ui/panels/inspector/measures_card.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/label.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace attnlab::ui {
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
    const auto found = std::find_if(measures_.begin(), measures_.end(),
                                    [&name](const Measure& measure) { return measure.name == name; });
    return found == measures_.end() ? QStringList() : textsOf(*found);
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
    setTitle(tr("Against exact attention"));
    setVisible(!measures_.empty());
    removeLater(table_);
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
