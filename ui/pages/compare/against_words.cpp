#include "ui/pages/compare/against_words.h"

#include "ui/pages/compare/against_page.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

QString typeText(const against::ArrayComparison& found) { return textOf(name_of(found.type)); }

} // namespace

QString largestErrorText(const against::ArrayComparison& found) {
    if (!found.worst)
        return {};
    QStringList place;
    const auto& axes = found.comparison.difference.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const auto index = QString::number(found.worst->index[axis]);
        switch (axes[axis]) {
        case Axis::Batch:
            place << AgainstPage::tr("batch %1").arg(index);
            break;
        case Axis::Head:
            place << AgainstPage::tr("head %1").arg(index);
            break;
        default:
            place << QStringLiteral("%1 %2").arg(translated(title_of(axes[axis])), index);
        }
    }
    return AgainstPage::tr("Largest error %1 at %2")
        .arg(numberText(found.comparison.all.max_absolute), place.join(QStringLiteral(", ")));
}

QString comparisonWords(const against::ArrayComparison& found, const against::Diagnosis& diagnosis) {
    const auto& all = found.comparison.all;
    QStringList lines;
    const auto& odd = found.not_finite;
    if (odd.given_nan + odd.given_infinite + odd.exact_nan + odd.exact_infinite > 0)
        lines << AgainstPage::tr("Cells that are no finite number and count nowhere: in the file %1 NaN and %2 "
                                 "infinite, exact %3 NaN "
                                 "and %4 infinite; alike in %5.")
                     .arg(odd.given_nan)
                     .arg(odd.given_infinite)
                     .arg(odd.exact_nan)
                     .arg(odd.exact_infinite)
                     .arg(odd.alike);
    if (found.worst)
        lines << AgainstPage::tr("There the file has %1, exact is %2.")
                     .arg(numberText(found.worst->given, 9), numberText(found.worst->exact, 9));
    else
        lines << (lines.isEmpty() ? AgainstPage::tr("No cell differs.") : AgainstPage::tr("No other cell differs."));
    lines.back() += QLatin1Char(' ') + AgainstPage::tr("Mean error %1; relative error of the whole %2.")
                                           .arg(numberText(all.mean_absolute), numberText(found.relative));
    if (found.ulps) {
        const auto held =
            found.held_as == found.type ? QString() : AgainstPage::tr(" (saved as %1)").arg(typeText(found));
        lines.back() += QLatin1Char(' ') + AgainstPage::tr("In ulps of %1%2: largest %3, mean %4.")
                                               .arg(textOf(name_of(found.ulps->type)), held,
                                                    numberText(found.ulps->largest), numberText(found.ulps->mean));
    }
    for (const auto& mistake : diagnosis.likely)
        lines << AgainstPage::tr("Likely mistake: %1. With it the relative error is %2 instead of %3.")
                     .arg(translated(mistake.words), numberText(mistake.distance),
                          numberText(diagnosis.exact_distance));
    for (const auto& cause : diagnosis.nan_causes)
        lines << translated(cause.words) + QStringLiteral(".");
    if (const auto& heads = found.comparison.heads; heads.size() > 1) {
        constexpr std::size_t most = 16;
        QStringList errors;
        for (std::size_t head = 0; head < std::min(most, heads.size()); ++head)
            errors << QStringLiteral("%1: %2").arg(head).arg(QString::number(heads[head].max_absolute, 'g', 2));
        lines << AgainstPage::tr("Largest by head: %1").arg(errors.join(QStringLiteral(", "))) +
                     (heads.size() > most ? QStringLiteral(", …") : QString());
    }
    if (diagnosis.not_looked)
        lines << translated(*diagnosis.not_looked);
    return lines.join(QLatin1Char('\n'));
}

} // namespace attnlab::ui
