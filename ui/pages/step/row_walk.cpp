#include "ui/pages/step/row_walk.h"

#include "core/rounding.h"
#include "core/stages/normaliser.h"
#include "ui/drawing/colormap.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/inspector/arithmetic.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_term_steps = 32;
constexpr std::int64_t most_key_steps = 24;

void appendSteps(std::vector<WalkStep>& steps, StepOperation operation, std::int64_t count, std::int64_t most) {
    const std::int64_t each = std::max<std::int64_t>(1, (count + most - 1) / most);
    for (std::int64_t reached = each; reached < count; reached += each)
        steps.push_back({operation, reached});
    steps.push_back({operation, count});
}

} // namespace

const QStringList& stepIds() {
    static const QStringList ids{QStringLiteral("products"), QStringLiteral("sum"), QStringLiteral("scale"),
                                 QStringLiteral("mask"),     QStringLiteral("exp"), QStringLiteral("row_sum"),
                                 QStringLiteral("divide"),   QStringLiteral("mix")};
    return ids;
}

QString stepIdOf(StepOperation operation) {
    switch (operation) {
    case StepOperation::Products:
        return stepIds()[0];
    case StepOperation::Score:
        return stepIds()[1];
    case StepOperation::Scale:
        return stepIds()[2];
    case StepOperation::Position:
    case StepOperation::Bias:
    case StepOperation::Modify:
    case StepOperation::Mask:
        return stepIds()[3];
    case StepOperation::Shift:
    case StepOperation::Exponential:
        return stepIds()[4];
    case StepOperation::RowSum:
        return stepIds()[5];
    case StepOperation::Divide:
    case StepOperation::Weights:
    case StepOperation::Dropout:
        return stepIds()[6];
    case StepOperation::Mix:
        break;
    }
    return stepIds()[7];
}

RowWalk::RowWalk(TracePtr trace, const StepPass& pass, std::int64_t query) : trace_(std::move(trace)) {
    if (!trace_ || !canWalk(*trace_, pass))
        return;
    row_ = explain::Row(*trace_, pass, query);
    const auto labels = row_.empty() ? std::nullopt : sliceOf(*trace_, *row_.weights_stage(), pass.batch, pass.head);
    if (!labels)
        return;
    labels_ = *labels;
    for (auto* tokens : {&labels_.row_labels, &labels_.column_labels})
        for (auto& token : *tokens)
            token = displayToken(token); // " river" is in sentences
    for (const auto& line : row_.lines())
        lines_.push_back({line.operation, row_.values(line.operation), line.stage});
    term_count_ = std::ssize(terms(0));
    mixes_ = row_.is_mixed();
}

const RowLine* RowWalk::line(StepOperation operation) const {
    const auto found = std::ranges::find(lines_, operation, &RowLine::operation);
    return found == lines_.end() ? nullptr : &*found;
}

const RowLine* RowWalk::before(StepOperation operation) const {
    const RowLine* last = nullptr;
    for (const auto& line : lines_) {
        if (line.operation >= operation)
            break;
        last = &line;
    }
    return last;
}

std::vector<WalkStep> RowWalk::steps(bool by_terms) const {
    std::vector<WalkStep> steps;
    if (empty())
        return steps;
    if (term_count_ > 0)
        appendSteps(steps, StepOperation::Products, term_count_, by_terms ? most_term_steps : 1);
    for (const auto& line : lines_) {
        if (line.operation == StepOperation::Divide)
            appendSteps(steps, StepOperation::RowSum, keys(), by_terms ? most_key_steps : 1);
        steps.push_back({line.operation, keys()});
    }
    appendSteps(steps, StepOperation::Mix, keys(), by_terms && mixes_ ? most_key_steps : 1);
    return steps;
}

int stepAt(const std::vector<WalkStep>& steps, const QString& id) {
    const auto wanted = stepIds().indexOf(id);
    constexpr StepOperation named[] = {StepOperation::Products, StepOperation::Score,       StepOperation::Scale,
                                       StepOperation::Mask,     StepOperation::Exponential, StepOperation::RowSum,
                                       StepOperation::Divide,   StepOperation::Mix};
    if (wanted >= 0) {
        const auto found = std::ranges::find(steps, named[wanted], &WalkStep::operation);
        if (found != steps.end())
            return static_cast<int>(found - steps.begin());
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (stepIds().indexOf(stepIdOf(steps[i].operation)) >= wanted)
            return static_cast<int>(i);
    return std::max(0, static_cast<int>(steps.size()) - 1);
}

namespace {

constexpr int step_most_parts = 6;
const QString plus_sign = QStringLiteral(" + ");

QString preciseText(double value) { return numberText(value, 5); }
QString briefText(double value) { return numberText(value, 3); }
/// In parentheses where two signs would meet.
QString bracketed(double value) {
    return value < 0 ? QStringLiteral("(%1)").arg(preciseText(value)) : preciseText(value);
}

QString equation(const QString& left, double value) { return QStringLiteral("%1 = %2").arg(left, preciseText(value)); }

QString keyName(const RowWalk& walk, std::int64_t key) { return nameOf(walk.labels().column_labels, key); }

QString operationText(const Stage& stage) {
    return stage.operation.empty() ? stageWords(stage.name) : translated(stage.operation);
}

/// The first parts, and an ellipsis for the others, and for `left_out` more.
QString joined(const QStringList& parts, const QString& separator, std::size_t left_out = 0) {
    ArithmeticLine line;
    line.parts = parts;
    line.separator = separator;
    line.left_out = static_cast<int>(left_out);
    return partsText(line, step_most_parts);
}

/// There may be millions of terms: only those that are shown become texts, and two that tell partsText() of more.
QString sumOf(const std::vector<ScoreTerm>& terms) {
    const auto first = std::span(terms).first(std::min<std::size_t>(terms.size(), step_most_parts + 2));
    return joined(termTexts(first), plus_sign, terms.size() - first.size());
}

} // namespace

QString StepWords::title(const RowWalk& walk, StepOperation operation) {
    const RowLine* line = walk.line(operation);
    switch (operation) {
    case StepOperation::Products:
        return tr("products");
    case StepOperation::Score:
        return walk.hasProducts() ? QStringLiteral("q · k") : tr("scores");
    case StepOperation::Scale:
    case StepOperation::Weights:
    case StepOperation::Dropout:
        return line && line->stage ? operationText(*line->stage) : QString();
    case StepOperation::Position:
        return tr("+ position");
    case StepOperation::Bias:
        return tr("+ bias");
    case StepOperation::Modify:
        return QStringLiteral("score_mod");
    case StepOperation::Mask:
        return tr("mask");
    case StepOperation::Shift:
        return tr("− row max");
    case StepOperation::Exponential:
        return tr("exp");
    case StepOperation::RowSum:
        return tr("row sum");
    case StepOperation::Divide:
        return tr("÷ row sum");
    case StepOperation::Mix:
        break;
    }
    return tr("× values");
}

QString StepWords::products(const RowWalk& walk, const WalkStep& step, std::int64_t key) {
    const auto terms = walk.terms(key);
    if (step.reached >= static_cast<std::int64_t>(terms.size()))
        return sumOf(terms);
    const auto& term = terms[static_cast<std::size_t>(std::max<std::int64_t>(0, step.reached - 1))];
    double sum = 0.0;
    for (std::int64_t c = 0; c < step.reached; ++c)
        sum += terms[static_cast<std::size_t>(c)].product;
    const QString product =
        equation(QStringLiteral("%1 · %2").arg(preciseText(term.left), bracketed(term.right)), term.product);
    return tr("%1, so far %2", "a product and the running sum").arg(product, preciseText(sum));
}

QString StepWords::score(const RowWalk& walk, std::int64_t key) {
    const double value = walk.value(StepOperation::Score, key);
    if (const auto terms = walk.terms(key); !terms.empty())
        return equation(sumOf(terms), value);
    const QString formula = QString::fromStdString(walk.scoresStage().formula);
    return formula.isEmpty() ? preciseText(value) : equation(formula, value);
}

/// One number that becomes another.
QString StepWords::change(const RowWalk& walk, StepOperation operation, std::int64_t key) {
    const RowLine* line = walk.before(operation);
    const double before = line ? line->values[static_cast<std::size_t>(key)] : 0.0;
    const double after = walk.value(operation, key);
    const QString from = preciseText(before);
    switch (operation) {
    case StepOperation::Position:
    case StepOperation::Bias: {
        const double bias = walk.row().added(operation, key);
        return equation(
            QStringLiteral("%1 %2 %3")
                .arg(from, bias < 0 ? QStringLiteral("−") : QStringLiteral("+"), preciseText(std::abs(bias))),
            after);
    }
    case StepOperation::Mask:
        return walk.isBlocked(key) ? QStringLiteral("%1 → %2").arg(from, preciseText(after))
                                   : QStringLiteral("%1: %2").arg(from, maskText(walk.row(), key));
    case StepOperation::Shift:
        return equation(QStringLiteral("%1 − %2").arg(from, bracketed(walk.maximum())), after);
    case StepOperation::Exponential: {
        const RowLine* shift = walk.before(StepOperation::Shift);
        const double score = shift ? shift->values[static_cast<std::size_t>(key)] : before;
        return equation(QStringLiteral("exp(%1 − %2)").arg(preciseText(score), bracketed(walk.maximum())), after);
    }
    case StepOperation::Divide:
        return equation(QStringLiteral("%1 / %2").arg(from, preciseText(walk.rowSum())), after);
    default: {
        const RowLine* now = walk.line(operation);
        return now && now->stage && now->stage->operation_follows
                   ? equation(QStringLiteral("%1 %2").arg(from, title(walk, operation)), after)
                   : QStringLiteral("%1 → %2").arg(from, preciseText(after));
    }
    }
}

QString StepWords::rowSum(const RowWalk& walk, const WalkStep& step) {
    const auto& values = walk.line(StepOperation::Exponential)->values;
    QStringList parts;
    for (std::int64_t key = 0; key < step.reached; ++key)
        parts << preciseText(values[static_cast<std::size_t>(key)]);
    QString sum = joined(parts, plus_sign);
    if (const double more = walk.row().sum_beyond_keys(); more != 0.0 && step.reached >= walk.keys())
        sum = tr("%1 + %2 of no key", "a sum of numbers and one more").arg(sum, preciseText(more));
    return equation(sum, walk.rowSumOf(step.reached));
}

QString StepWords::mix(const RowWalk& walk, const WalkStep& step) {
    if (!walk.isMixed())
        return QString::fromStdString(walk.outputStage().formula);
    const auto weights = walk.mixed();
    const auto output_after = [&](std::int64_t reached) {
        QStringList output;
        for (std::int64_t feature = 0; feature < std::min<std::int64_t>(walk.features(), 3); ++feature)
            output << briefText(walk.output(feature, reached));
        if (walk.features() > 3)
            output << QStringLiteral("…");
        return QStringLiteral("(%1)").arg(output.join(QStringLiteral(", ")));
    };
    const auto part = [&](std::int64_t key) {
        const double weight = weights[static_cast<std::size_t>(key)];
        return tr("%1 × value of %2").arg(preciseText(weight), keyName(walk, key));
    };
    if (step.reached < walk.keys()) {
        const QString added = part(step.reached - 1);
        return QStringLiteral("%1 = %2").arg(
            step.reached == 1 ? added : QStringLiteral("%1 + %2").arg(output_after(step.reached - 1), added),
            output_after(step.reached));
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(walk.keys()));
    std::iota(order.begin(), order.end(), 0);
    const auto size = [&](std::int64_t key) { return std::abs(weights[static_cast<std::size_t>(key)]); };
    std::erase_if(order, [&](std::int64_t key) { return size(key) == 0.0; });
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) { return size(a) > size(b); });
    ArithmeticLine line;
    line.separator = plus_sign;
    for (const auto key : order)
        line.parts << part(key);
    return QStringLiteral("%1 = %2").arg(line.parts.isEmpty() ? QStringLiteral("0") : partsText(line, 2),
                                         output_after(walk.keys()));
}

QString StepWords::arithmetic(const RowWalk& walk, const WalkStep& step, std::int64_t key) {
    if (walk.empty())
        return {};
    switch (step.operation) {
    case StepOperation::Products:
        return products(walk, step, key);
    case StepOperation::Score:
        return score(walk, key);
    case StepOperation::RowSum:
        return rowSum(walk, step);
    case StepOperation::Mix:
        return mix(walk, step);
    default:
        return change(walk, step.operation, key);
    }
}

// The sentences below a step.

namespace {

QString number(double value) { return numberText(value, 5); }

/// The number that turns each of `before` into its place of `after`; nullopt if there is no single one.
std::optional<double> commonFactor(const std::vector<double>& before, const std::vector<double>& after) {
    const auto size = [](double value) { return std::isfinite(value) ? std::abs(value) : -1.0; };
    const auto largest = std::ranges::max_element(before, {}, size);
    if (largest == before.end() || size(*largest) <= 0.0)
        return std::nullopt;
    const double factor = after[static_cast<std::size_t>(largest - before.begin())] / *largest;
    const double tolerance = 1e-6 * std::abs(factor * *largest); // of float32
    for (std::size_t j = 0; j < before.size(); ++j)
        if (!(std::abs(before[j] * factor - after[j]) <= tolerance))
            return std::nullopt;
    return factor;
}

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
        return tr(
            "−∞ − (−∞) is not a number, so there is no softmax: the weights of a row with every key blocked are 0.");
    const QString operation = title(walk, StepOperation::Weights);
    if (!walk.row().decay().empty() && walk.hasRowSum())
        return tr("The decay multiplies each weight, so that far keys keep less. The row sums to %1.")
            .arg(number(walk.row().weight_sum()));
    if (!walk.row().normaliser().empty())
        return normaliserWords(walk);
    if (const auto& rounding = walk.trace().rounding; walk.hasRowSum() && rounds(rounding, Rounding::Where::Weights))
        return tr("The weights are rounded to %1 here (%2): the row need not sum to 1 any more.")
            .arg(textOf(name_of(rounding->format)), operation);
    return walk.hasRowSum()
               ? tr("The scale comes after the softmax here (%1): the row need not sum to 1 any more.").arg(operation)
               : tr("This mechanism's weights are not a single softmax over the row: %1.").arg(operation);
}

QString StepWords::normaliserWords(const RowWalk& walk) {
    const auto& weights = walk.row().weights();
    const auto kept = std::ranges::count_if(weights, [](double weight) { return weight > 0.0; });
    const auto& row = normaliser_of({std::string(walk.row().normaliser()), {}});
    return translated(
        Message{row.step_text,
                {number(walk.row().weight_sum()).toStdString(), std::to_string(kept), std::to_string(walk.keys())}});
}

QString StepWords::scaleWords(const RowWalk& walk) {
    const auto& before = walk.line(StepOperation::Score)->values;
    const auto& after = walk.line(StepOperation::Scale)->values;
    if (before == after)
        return tr("The scores stay as they are.");
    const auto factor = commonFactor(before, after);
    if (factor && *factor > 0.0)
        return tr("Differences between the scores become %1 times as large.").arg(significantText(*factor));
    if (factor && *factor < 0.0)
        return tr("Differences between the scores become %1 times as large and change sign: the largest score is now "
                  "the smallest.")
            .arg(significantText(-*factor));
    ValueRange range;
    for (const double value : after)
        range.include(value);
    return tr("After scaling, the scores of this row lie between %1 and %2.")
        .arg(number(range.low), number(range.high));
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

QString StepWords::dropoutWords(const RowWalk& walk) {
    const auto& before = walk.before(StepOperation::Dropout)->values;
    const auto& after = walk.line(StepOperation::Dropout)->values;
    std::vector<double> kept_before, kept_after;
    std::int64_t weights = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
        weights += before[j] != 0.0;
        if (after[j] != 0.0) {
            kept_before.push_back(before[j]);
            kept_after.push_back(after[j]);
        }
    }
    const auto dropped = weights - std::ssize(kept_after);
    const auto factor = commonFactor(kept_before, kept_after);
    return factor ? tr("Dropout sets %1 of %2 weights to 0. The others become %3 times as large, so that their mean "
                       "stays.")
                        .arg(dropped)
                        .arg(weights)
                        .arg(significantText(*factor))
                  : tr("Dropout sets %1 of %2 weights to 0.").arg(dropped).arg(weights);
}

QString StepWords::notNumbersWords(const RowWalk& walk) {
    if (!walk.hasRowSum() || std::isfinite(walk.maximum()))
        return {};
    return std::isnan(walk.maximum())
               ? tr("A score of this row is NaN, and so is everything that follows.")
               : tr("A score of this row is ∞, and ∞ − ∞ is not a number: everything that follows is NaN.");
}

QString StepWords::purpose(const RowWalk& walk, const WalkStep& step, std::int64_t key) {
    const QString query = queryName(walk), name = nameOfKey(walk, key);
    if (QString why = notNumbersWords(walk); step.operation >= StepOperation::Shift && !why.isEmpty())
        return why;
    switch (step.operation) {
    case StepOperation::Products:
        return walk.hasProducts()
                   ? tr("Query %1 and key %2, entry by entry: each product is what the two numbers add to the score.")
                         .arg(query, name)
                   : tr("The terms of the score of query %1 and key %2.").arg(query, name);
    case StepOperation::Score:
        return walk.termCount() > 0
                   ? tr("Added up, the terms are the score of %1 and %2. Every key of the row has one.")
                         .arg(query, name)
                   : tr("The score of %1 and %2 is not a sum of terms; this is what the mechanism gives.")
                         .arg(query, name);
    case StepOperation::Scale:
        return scaleWords(walk);
    case StepOperation::Position:
        return tr("Where query and key stand adds to the score.");
    case StepOperation::Bias:
        return tr("The mask adds a number to each score instead of blocking keys.");
    case StepOperation::Modify:
        return tr("An expression of the score and of the places of query and key replaces the score.");
    case StepOperation::Mask:
        return maskWords(walk, key);
    case StepOperation::Shift:
        return tr("The largest score, %1, is taken from all: no exponential can overflow then, and the weights stay "
                  "the "
                  "same.")
            .arg(number(walk.maximum()));
    case StepOperation::Exponential:
        return tr("Exponentials are positive: the largest score gives 1, smaller ones less, −∞ gives 0.");
    case StepOperation::RowSum:
        return step.reached < walk.keys() ? tr("The exponentials are added up key by key: %1 is the last so far.")
                                                .arg(nameOfKey(walk, step.reached - 1))
                                          : tr("The sum of the row's exponentials.");
    case StepOperation::Divide:
        return walk.row().sum_beyond_keys() == 0.0
                   ? tr("Each exponential over their sum is the key's share: the row sums to 1.")
                   : tr("Each exponential over their sum is the key's share: the keys get %1, no key the rest.")
                         .arg(number(walk.row().weight_sum()));
    case StepOperation::Weights:
        return weightsWords(walk);
    case StepOperation::Dropout:
        return dropoutWords(walk);
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
