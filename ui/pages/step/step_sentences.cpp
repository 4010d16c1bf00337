// The sentences below a step.
#include "core/rounding.h"
#include "ui/pages/exhibits/names.h"
#include "ui/pages/step/step_words.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

QString number(double value) { return numberText(value, 5); }

QString nameOfKey(const RowWalk& walk, std::int64_t key) { return nameOf(walk.labels().column_labels, key); }
QString queryName(const RowWalk& walk) { return nameOf(walk.labels().row_labels, walk.query()); }

} // namespace

QString StepWords::maskWords(const RowWalk& walk, std::int64_t key) {
    const auto blocked = walk.row().blocked_keys();
    if (walk.isFullyMasked())
        return tr("Every key of this row is blocked, so −∞ stands everywhere.");
    if (blocked == walk.keys())
        return tr("Every key of this row is blocked, but the fill is finite: the softmax will still find a largest.");
    if (blocked == 0)
        return tr("The mask blocks no key of this row.");
    const double fill = walk.value(StepOperation::Mask, key);
    return walk.isBlocked(key) ? tr("%1 may not be read: its score becomes %2. Blocked keys in this row: %3 of %4.")
                                     .arg(nameOfKey(walk, key), number(fill))
                                     .arg(blocked)
                                     .arg(walk.keys())
                               : tr("%1 may be read: its score stays. Blocked keys in this row: %2 of %3.")
                                     .arg(nameOfKey(walk, key))
                                     .arg(blocked)
                                     .arg(walk.keys());
}

QString StepWords::weightsWords(const RowWalk& walk) {
    if (walk.isFullyMasked())
        return tr("−∞ − (−∞) is no number, so there is no softmax: the weights of a row with every key blocked are 0.");
    const QString operation = title(walk, StepOperation::Weights);
    if (const auto& rounding = walk.trace().rounding; walk.hasRowSum() && rounds(rounding, Rounding::Where::Weights))
        return tr("The weights are rounded to %1 here (%2): the row need not sum to 1 any more.")
            .arg(textOf(name_of(rounding->format)), operation);
    return walk.hasRowSum()
               ? tr("The scale comes after the softmax here (%1): the row need not sum to 1 any more.").arg(operation)
               : tr("This mechanism's weights are no single softmax over the row: %1.").arg(operation);
}

QString StepWords::mixWords(const RowWalk& walk, const WalkStep& step) {
    if (!walk.isMixed())
        return tr("This mechanism makes its output by a schedule of its own, not as one sum of weights times values.");
    if (step.reached < walk.keys())
        return tr("The value of %1 times its weight %2 is added to the output of %3.")
            .arg(nameOfKey(walk, step.reached - 1), number(walk.mixed()[static_cast<std::size_t>(step.reached - 1)]),
                 queryName(walk));
    const bool nothing = std::ranges::all_of(walk.mixed(), [](double weight) { return weight == 0.0; });
    if (nothing)
        return tr("All weights are 0, so the output of %1 is 0.").arg(queryName(walk));
    return tr("Each value times its weight, added up, is the output of %1.").arg(queryName(walk));
}

QString StepWords::purpose(const RowWalk& walk, const WalkStep& step, std::int64_t key) {
    const QString query = queryName(walk), name = nameOfKey(walk, key);
    switch (step.operation) {
    case StepOperation::Products:
        return walk.hasProducts()
                   ? tr("Query %1 and key %2, entry by entry: each product says how far the two agree there.")
                         .arg(query, name)
                   : tr("The terms of the score of query %1 and key %2.").arg(query, name);
    case StepOperation::Score:
        return walk.termCount() > 0
                   ? tr("Added up, the terms are the score of %1 and %2. Every key of the row has one.")
                         .arg(query, name)
                   : tr("The score of %1 and %2 is no sum of terms; this is what the mechanism gives.")
                         .arg(query, name);
    case StepOperation::Scale: {
        const bool same = walk.line(StepOperation::Scale)->values == walk.line(StepOperation::Score)->values;
        return same ? tr("The scores stay as they are.")
                    : tr("Scaled, so that the softmax does not give one key everything.");
    }
    case StepOperation::Position:
        return tr("Where query and key stand adds to the score.");
    case StepOperation::Bias:
        return tr("The mask adds a number to each score instead of blocking keys.");
    case StepOperation::Mask:
        return maskWords(walk, key);
    case StepOperation::Shift:
        return std::isnan(walk.maximum())
                   ? tr("A score of this row is NaN, and so is everything that follows.")
                   : tr("The largest score, %1, is taken from all: no exponential can overflow then, and the weights "
                        "stay the same.")
                         .arg(number(walk.maximum()));
    case StepOperation::Exponential:
        return tr("Exponentials are positive: the largest score gives 1, smaller ones less, −∞ gives 0.");
    case StepOperation::RowSum:
        return step.reached < walk.keys() ? tr("The exponentials are added up key by key: %1 is the last so far.")
                                                .arg(nameOfKey(walk, step.reached - 1))
                                          : tr("The sum of the row's exponentials.");
    case StepOperation::Divide:
        return tr("Each exponential over their sum is the key's share: the row sums to 1.");
    case StepOperation::Weights:
        return weightsWords(walk);
    case StepOperation::Dropout:
        return tr("Dropout sets some weights to 0 and makes the others larger, so that their mean stays.");
    case StepOperation::Mix:
        break;
    }
    return mixWords(walk, step);
}

QString StepWords::sentences(const RowWalk& walk, const WalkStep& step, std::int64_t key) {
    if (walk.empty())
        return {};
    QStringList all{purpose(walk, step, key)};
    const bool scores = step.operation == StepOperation::Products || step.operation == StepOperation::Score;
    if (scores && walk.appendedKeys() > 0 && key >= walk.keys() - walk.appendedKeys())
        all << tr("%1 is a key that the mechanism itself appends; masks let it through.").arg(nameOfKey(walk, key));
    if ((scores || step.operation == StepOperation::Mix) && walk.headsOfAGroup() > 1)
        all << tr("Groups of %n query heads share keys and values.", nullptr, static_cast<int>(walk.headsOfAGroup()));
    return all.join(QLatin1Char(' '));
}

} // namespace attnlab::ui
