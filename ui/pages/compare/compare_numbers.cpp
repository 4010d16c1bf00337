#include "ui/pages/compare/compare_numbers.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text.h"

#include <QGridLayout>

#include <cmath>

namespace attnlab::ui {
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
    for (const Tile& tile : tiles_)
        tile.note->setVisible(!low);
}

void CompareNumbers::setRow(int row, const QString& label) {
    if (row == row_ && label == row_label_)
        return;
    row_ = row;
    row_label_ = label;
    refresh();
}

QString CompareNumbers::caption(Figure figure) const { return tiles_[figure].caption->text(); }
QString CompareNumbers::value(Figure figure) const { return tiles_[figure].value->text(); }
QString CompareNumbers::note(Figure figure) const { return tiles_[figure].note->text(); }

void CompareNumbers::showFigure(Figure figure, const QString& caption, const QString& value, const QString& note,
                                const QString& help) {
    const Tile& tile = tiles_[figure];
    tile.caption->setText(caption);
    tile.value->setText(value);
    tile.note->setText(note);
    const QString all = QStringList{caption + QStringLiteral(": ") + value, note, help}.join(QLatin1Char('\n'));
    for (QLabel* label : {tile.caption, tile.value, tile.note})
        label->setToolTip(all);
    tile.value->setAccessibleName(caption + QStringLiteral(": ") + value);
    tile.value->setAccessibleDescription(all);
}

void CompareNumbers::showDivergence(Figure figure, const QString& caption,
                                    const std::optional<RowDivergence>& divergence, const QString& help) {
    if (!divergence || divergence->finite + divergence->infinite == 0) {
        showFigure(figure, caption, QStringLiteral("–"), tr("no distributions"), help);
        return;
    }
    const QString value = divergence->infinite > 0 ? tr("∞ in %n rows", nullptr, static_cast<int>(divergence->infinite))
                                                   : numberText(divergence->mean);
    QString note = divergence->infinite == 0 ? tr("mean of the rows")
                   : divergence->finite > 0  ? tr("others: %1").arg(numberText(divergence->mean))
                                             : QString();
    const auto rows = divergence->rows.values();
    if (row_ >= 0 && row_ < static_cast<int>(rows.size()))
        note = tr("%1: %2").arg(row_label_, numberText(rows[static_cast<std::size_t>(row_)]));
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
    showFigure(Largest, tr("Largest |A − B|"), numberText(figures_.shown.max_absolute),
               gap_note(figures_.all.max_absolute), help);
    showFigure(Mean, tr("Mean |A − B|"), numberText(figures_.shown.mean_absolute), gap_note(figures_.all.mean_absolute),
               help);
    const auto& output = figures_.output;
    showFigure(Output, tr("Output error"), output ? percentText(output->relative) : QStringLiteral("–"),
               output ? tr("largest: %1").arg(numberText(output->max_absolute)) : tr("no equal shapes"),
               tr("The norm of the difference of the outputs divided by that of B's output, all heads and batches."));
    showDivergence(
        AFromB, tr("KL(A‖B), nats"), figures_.a_from_b,
        tr("Kullback–Leibler divergence: how badly B stands in for A. Σ a ln(a/b) of each row, mean over the rows, in "
           "nats (1 nat = 1.44 bits). 0 where both are equal, infinite where B has a 0 and A has not."));
    showDivergence(
        BFromA, tr("KL(B‖A), nats"), figures_.b_from_a,
        tr("Kullback–Leibler divergence: how badly A stands in for B. Σ b ln(b/a) of each row, mean over the rows, in "
           "nats (1 nat = 1.44 bits). 0 where both are equal, infinite where A has a 0 and B has not."));
}

} // namespace attnlab::ui
