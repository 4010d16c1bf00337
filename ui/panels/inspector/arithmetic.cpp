#include "ui/panels/inspector/arithmetic.h"

#include "core/explain/trace_numbers.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace attnlab::ui {
namespace {

using Step = ArithmeticLine::Step;
using explain::Operation;

class Lines {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::Arithmetic)
};

/// A limit for long rows, since each addend is a text.
constexpr std::size_t arithmetic_most_parts = 2048;

constexpr int usual_digits = 5;
QString precise(double value) { return distinguishingText(value, usual_digits); }
constexpr int brief_digits = 3;
QString brief(double value) { return numberText(value, brief_digits); }

double readBack(QString text) { return text.replace(QStringLiteral("−"), QStringLiteral("-")).toDouble(); }

/// Operands with as many digits as make `operation` on them, as they are shown, give the result as it is shown. Where
/// the result itself is rounded otherwise (a narrower type), with the usual digits.
template <class Operation>
QStringList operandTexts(const std::vector<double>& operands, double result, Operation operation,
                         int least_digits = usual_digits) {
    constexpr int most_digits = 17;
    const QString wanted = precise(result);
    const auto gives = [&](const std::vector<double>& numbers) { return precise(operation(numbers)) == wanted; };
    const auto texts = [&](auto text_of) {
        QStringList all;
        for (const double operand : operands)
            all << text_of(operand);
        return all;
    };
    const auto with_digits = [&](int digits) {
        return texts([digits](double value) { return distinguishingText(value, digits); });
    };
    if (!std::isfinite(result) || !gives(operands))
        return with_digits(least_digits);
    for (int digits = least_digits; digits <= most_digits; ++digits) {
        auto shown = with_digits(digits);
        std::vector<double> numbers;
        for (const auto& text : shown)
            numbers.push_back(readBack(text));
        if (gives(numbers))
            return shown;
    }
    return texts([](double value) { return exactText(value); });
}

ArithmeticLine line(Step step, const QString& label, double value, const QString& expression = {}) {
    ArithmeticLine result;
    result.step = step;
    result.label = label;
    result.expression = expression;
    result.value = value;
    result.value_text = precise(value);
    return result;
}

ArithmeticLine words(Step step, const QString& label, const QString& text) {
    ArithmeticLine result;
    result.step = step;
    result.label = label;
    result.expression = text;
    return result;
}

ArithmeticLine list(Step step, const QStringList& parts, const QString& separator) {
    ArithmeticLine result;
    result.step = step;
    result.parts = parts;
    result.separator = separator;
    return result;
}

/// The number that an operation multiplies, whatever by.
QString operandOf(double from, double result) {
    const double factor = result / from;
    return operandTexts({from}, result, [factor](const auto& numbers) { return numbers[0] * factor; }).front();
}

QString operationOf(const Stage& stage) {
    return stage.operation.empty() ? stageWords(stage.name) : translated(stage.operation);
}

QString signedText(double added) {
    return added < 0 ? QStringLiteral("− %1").arg(precise(-added)) : QStringLiteral("+ %1").arg(precise(added));
}

/// The way of one cell of one head from scores to weights.
class CellPath {
public:
    CellPath(const explain::Row& row, std::int64_t key) : row_(row), key_(key) {}

    /// `asked` is the stage of the resulting number.
    std::vector<ArithmeticLine> lines(const Stage& asked);

private:
    void add(const explain::Line& one);
    void score(const Stage& stage, double value);
    void mask(double value);
    void noMask();
    void stage(const explain::Line& one, double value);
    void shift(double value);
    void weights(const Stage& stage, double value);
    void rowSum();

    const explain::Row& row_;
    std::int64_t key_;
    std::vector<ArithmeticLine> lines_;
};

void CellPath::score(const Stage& stage, double value) {
    const auto terms = row_.terms(key_);
    if (!terms.empty()) {
        const auto shown = std::span(terms).first(std::min(terms.size(), arithmetic_most_parts));
        auto addends = list(Step::Terms, termTexts(shown), QStringLiteral(" + "));
        for (const auto& term : shown)
            addends.products << brief(term.product);
        addends.left_out = static_cast<int>(terms.size() - shown.size());
        lines_.push_back(std::move(addends));
    }
    const bool product = !terms.empty() && row_.has_products();
    lines_.push_back(line(Step::Score, product ? QStringLiteral("q·k") : stageWords(stage.name), value));
}

void CellPath::mask(double value) {
    const QString text = maskText(row_, key_);
    lines_.push_back(words(Step::Mask, Lines::tr("mask"),
                           row_.is_blocked(key_) ? QStringLiteral("%1 → %2").arg(text, precise(value)) : text));
    lines_.back().reason = text;
    lines_.back().value = value;
}

/// So that the rungs below stay where they are when a mask is chosen.
void CellPath::noMask() {
    const auto* before = row_.before(Operation::Shift);
    const bool has_mask =
        std::ranges::any_of(row_.lines(), [](const explain::Line& one) { return one.operation == Operation::Mask; });
    if (!before || has_mask)
        return;
    lines_.push_back(words(Step::Mask, Lines::tr("mask"), Lines::tr("none", "a mask")));
    lines_.back().reason = lines_.back().expression;
    lines_.back().value = row_.value(before->operation, key_);
}

/// A stage whose operation continues a number is written behind it: "6.0000 ÷ √4".
void CellPath::stage(const explain::Line& one, double value) {
    const auto* from = row_.before(one.operation);
    const QString name = operationOf(*one.stage);
    lines_.push_back(line(Step::Stage, name, value));
    if (from && one.stage->operation_follows)
        lines_.back().expression =
            QStringLiteral("%1 %2").arg(operandOf(row_.value(from->operation, key_), value), name);
}

void CellPath::shift(double value) {
    const auto texts = operandTexts({row_.value(row_.before(Operation::Shift)->operation, key_), row_.maximum()}, value,
                                    [](const auto& numbers) { return numbers[0] - numbers[1]; });
    const QString subtracted = row_.maximum() < 0 ? QStringLiteral("(%1)").arg(texts[1]) : texts[1];
    lines_.push_back(
        line(Step::Shift, Lines::tr("− row max"), value, QStringLiteral("%1 − %2").arg(texts[0], subtracted)));
}

void CellPath::weights(const Stage& stage, double value) {
    if (row_.is_fully_masked())
        lines_.push_back(
            words(Step::Remark, {}, Lines::tr("Every key of this row is blocked, so all its weights are 0.")));
    const bool named = row_.is_fully_masked() || !row_.scores_stage();
    lines_.push_back(line(Step::Weight, named ? stageWords(stage.name) : operationOf(stage), value));
}

void CellPath::rowSum() {
    const double sum = row_.weight_sum();
    if (std::isnan(sum))
        lines_.push_back(
            words(Step::Remark, {}, Lines::tr("A score of this row is NaN or +∞, so all its weights are NaN.")));
    else if (!row_.is_distribution() && std::ranges::any_of(row_.weights(), [](double one) { return one != 0.0; }))
        lines_.push_back(line(Step::RowSum, Lines::tr("row sums to"), sum));
}

void CellPath::add(const explain::Line& one) {
    const double value = row_.value(one.operation, key_);
    switch (one.operation) {
    case Operation::Score:
        return score(*one.stage, value);
    case Operation::Position:
    case Operation::Bias:
        lines_.push_back(line(Step::Bias, one.operation == Operation::Bias ? Lines::tr("bias") : Lines::tr("position"),
                              value, signedText(row_.added(one.operation, key_))));
        return;
    case Operation::Modify:
        lines_.push_back(line(Step::Stage, QStringLiteral("score_mod"), value));
        return;
    case Operation::Mask:
        return mask(value);
    case Operation::Shift:
        return shift(value);
    case Operation::Exponential: {
        const QString power = operandTexts({row_.value(Operation::Shift, key_)}, value, [](const auto& numbers) {
                                  return std::exp(numbers[0]);
                              }).front();
        lines_.push_back(line(Step::Exponential, Lines::tr("exp"), value, QStringLiteral("e^%1").arg(power)));
        lines_.back().power = power;
        return;
    }
    case Operation::Divide: {
        const auto texts = operandTexts({row_.value(Operation::Exponential, key_), row_.row_sum()}, value,
                                        [](const auto& numbers) { return numbers[0] / numbers[1]; });
        lines_.push_back(
            line(Step::Softmax, Lines::tr("÷ row Σ"), value, QStringLiteral("%1 / %2").arg(texts[0], texts[1])));
        return;
    }
    case Operation::Weights:
        return weights(*one.stage, value);
    default:
        stage(one, value);
    }
}

std::vector<ArithmeticLine> CellPath::lines(const Stage& asked) {
    const explain::Line* answer = row_.line_of(asked);
    for (const auto& one : row_.lines()) {
        if (one.operation == Operation::Shift)
            noMask();
        add(one);
        lines_.back().answer = &one == answer;
        if (one.stage == row_.weights_stage())
            rowSum();
    }
    return lines_;
}

std::vector<ArithmeticLine> overHeads(const Trace& trace, const Stage& stage, int batch, Cell cell) {
    const auto numbers = explain::over_heads(trace, stage, batch, cell.row, cell.column);
    if (!numbers)
        return {};
    QStringList parts;
    for (const double number : numbers->heads)
        parts << Lines::tr("head %1: %2").arg(parts.size()).arg(precise(number));
    auto result = line(Step::Mean, Lines::tr("mean"), numbers->mean);
    result.answer = true;
    return {list(Step::Heads, parts, QStringLiteral(", ")), result};
}

/// The way of a query-key cell to the weights of its pass, if it includes the stage.
std::vector<ArithmeticLine> pathOf(const Trace& trace, const Stage& weights, const Stage& asked, int batch, int head,
                                   Cell cell) {
    const explain::Row row(trace, {std::string(prefix_of(weights.name)), batch, head}, cell.row);
    if (row.empty() || cell.column < 0 || cell.column >= row.keys())
        return {};
    return CellPath(row, cell.column).lines(asked);
}

/// The numbers of products, two for each, with as many digits as make their sum on them give `shown`.
QStringList factorTexts(const std::vector<double>& factors, double shown) {
    const auto sum = [](const std::vector<double>& numbers) {
        double total = 0.0;
        for (std::size_t at = 0; at < numbers.size(); at += 2)
            total += numbers[at] * numbers[at + 1];
        return total;
    };
    // Beyond that many, no one adds them up by hand.
    constexpr std::size_t most_exact_terms = 16;
    if (factors.size() <= 2 * most_exact_terms)
        return operandTexts(factors, shown, sum, brief_digits);
    QStringList texts;
    for (const double factor : factors)
        texts << brief(factor);
    return texts;
}

/// As a factor behind a sign of multiplication: in parentheses where two signs would meet.
QString factorText(const QString& number) {
    return number.startsWith(QStringLiteral("−")) ? QStringLiteral("(%1)").arg(number) : number;
}

/// o_i . o_j of the stage `similarity`; empty for another stage.
std::vector<ArithmeticLine> productOfOutputs(const Trace& trace, const Stage& stage, int batch, int head, Cell cell,
                                             double shown) {
    const Stage* output = shortNameOf(stage) == "similarity" ? trace.beside(stage, "output") : nullptr;
    const auto rows = output ? numbersOf(trace, *output, batch, head) : std::nullopt;
    if (!rows)
        return {};
    const auto view = rows->view();
    const auto shown_terms = std::min(static_cast<std::size_t>(view.columns), arithmetic_most_parts);
    std::vector<double> factors;
    for (std::int64_t c = 0; c < static_cast<std::int64_t>(shown_terms); ++c)
        factors.insert(factors.end(), {view(cell.row, c), view(cell.column, c)});
    const auto texts = factorTexts(factors, shown);
    QStringList parts;
    for (qsizetype at = 0; at + 1 < texts.size(); at += 2)
        parts << QStringLiteral("(%1·%2)").arg(texts[at], factorText(texts[at + 1]));
    auto sum_of = list(Step::Terms, parts, QStringLiteral(" + "));
    sum_of.left_out = static_cast<int>(static_cast<std::size_t>(view.columns) - shown_terms);
    auto result = line(Step::Score, QStringLiteral("oᵢ·oⱼ"), shown);
    result.answer = true;
    return {sum_of, result};
}

/// sum_j a_ij v_jc if that is the stage's content; empty otherwise.
std::vector<ArithmeticLine> weightedSum(const Trace& trace, const Stage& stage, int batch, int head, Cell cell,
                                        double shown) {
    const explain::Row row(trace, {std::string(prefix_of(stage.name)), batch, head}, cell.row);
    if (row.empty() || !row.is_mix(stage, cell.column))
        return {};
    std::vector<std::int64_t> keys;
    for (std::int64_t key = 0; key < row.keys(); ++key)
        if (row.part(key, cell.column) != 0.0)
            keys.push_back(key);
    const auto size = [&](std::int64_t key) { return std::abs(row.part(key, cell.column)); };
    std::ranges::stable_sort(keys, std::ranges::greater(), size);
    const auto shown_terms = std::min(keys.size(), arithmetic_most_parts);
    const auto labels = sliceOf(trace, *row.weights_stage(), batch, head);
    std::vector<double> factors; // weight and value of each key
    for (const auto key : std::span(keys).first(shown_terms))
        factors.insert(factors.end(), {row.mixed(key), row.feature(key, cell.column)});
    const auto texts = factorTexts(factors, shown);
    QStringList parts;
    for (std::size_t term = 0; term < shown_terms; ++term)
        parts << QStringLiteral("%1·%2 (%3)")
                     .arg(texts[static_cast<qsizetype>(2 * term)],
                          factorText(texts[static_cast<qsizetype>(2 * term + 1)]), labels->columnLabel(keys[term]));
    auto result = line(Step::Output, QStringLiteral("Σ a·v"), shown);
    result.answer = true;
    if (parts.isEmpty())
        return {result};
    auto sum_of = list(Step::Terms, parts, QStringLiteral(" + "));
    sum_of.left_out = static_cast<int>(keys.size() - shown_terms);
    return {sum_of, result};
}

} // namespace

std::vector<ArithmeticLine> arithmeticOf(const Trace& trace, int batch, int head, Cell cell) {
    const Stage* weights = weightsBeside(trace, nullptr);
    if (!weights)
        return {};
    return head == ViewState::mean_of_heads ? overHeads(trace, *weights, batch, cell)
                                            : pathOf(trace, *weights, *weights, batch, head, cell);
}

std::vector<ArithmeticLine> arithmeticOf(const Trace& trace, const Stage& stage, int batch, int head, Cell cell) {
    const bool has_heads = hasAxis(stage, Axis::Head);
    if (head == ViewState::mean_of_heads && has_heads)
        return overHeads(trace, stage, batch, cell);
    const auto value = explain::number_at(trace, stage, batch, head, cell.row, cell.column);
    if (!value)
        return {};
    std::vector<ArithmeticLine> lines;
    const bool is_view = shortNameOf(stage) == "view"; // its cells may be others than those of the weights
    if (const Stage* weights = weightsBeside(trace, &stage);
        weights && has_heads && !is_view && endsWithAxes(stage, Axis::Query, Axis::Key))
        lines = pathOf(trace, *weights, stage.role == StageRole::Step ? stage : *weights, batch, head, cell);
    else if (auto product = productOfOutputs(trace, stage, batch, head, cell, *value); !product.empty())
        lines = std::move(product);
    else if (head != ViewState::mean_of_heads)
        lines = weightedSum(trace, stage, batch, head, cell, *value);
    if (!lines.empty())
        return lines;
    lines.push_back(line(Step::Value, is_view ? stageNameOf(stage) : stageWords(stage.name), *value));
    lines.back().answer = true;
    if (!stage.formula.empty())
        lines.push_back(words(Step::Remark, {}, formulaText(stage.formula)));
    return lines;
}

QStringList termTexts(std::span<const ScoreTerm> terms) {
    QStringList texts;
    for (const auto& term : terms)
        texts << QStringLiteral("(%1·%2)").arg(brief(term.left), factorText(brief(term.right)));
    return texts;
}

QString maskText(const explain::Row& row, std::int64_t key) {
    const bool blocked = row.is_blocked(key);
    if (!row.last_kept()) // any other mask has no position to mention besides its name
        return blocked ? Lines::tr("blocked") : Lines::tr("kept");
    return (blocked ? Lines::tr("blocked (%1 > %2)") : Lines::tr("kept (%1 ≤ %2)")).arg(key).arg(*row.last_kept());
}

namespace {

/// "x1 + x2 … and 3 more" of the first parts, which `join` makes a text.
template <class Join>
QString firstParts(const QStringList& parts, int limit, int left_out, Join join) {
    const auto count = static_cast<int>(parts.size());
    const int shown = count <= limit + 1 ? count : limit, more = count - shown + left_out;
    const QString text = join(parts.mid(0, shown));
    return more == 0 ? text : Lines::tr("%1 … and %n more", "addends of a sum", more).arg(text);
}

} // namespace

QString partsText(const ArithmeticLine& line, int limit) {
    return firstParts(line.parts, limit, line.left_out,
                      [&line](const QStringList& parts) { return parts.join(line.separator); });
}

const QStringList& shortParts(const ArithmeticLine& line) {
    return line.products.isEmpty() ? line.parts : line.products;
}

QString sumText(const QStringList& parts, const QString& separator) {
    const bool sum = separator == QLatin1String(" + ");
    QString text = parts.value(0);
    for (const auto& part : parts.mid(1))
        text += sum && part.startsWith(QStringLiteral("−")) ? QStringLiteral(" − ") + part.mid(1) : separator + part;
    return text;
}

QString spokenText(const ArithmeticLine& line, const ArithmeticLine& terms, int limit) {
    const QString sum = firstParts(shortParts(terms), limit, terms.left_out,
                                   [&terms](const QStringList& parts) { return sumText(parts, terms.separator); });
    const QString made_of = terms.parts.isEmpty() ? line.expression : sum;
    const QString text = line.value_text.isEmpty() ? made_of
                         : made_of.isEmpty()       ? line.value_text
                                                   : QStringLiteral("%1 = %2").arg(made_of, line.value_text);
    return line.label.isEmpty() ? text : QStringLiteral("%1: %2").arg(line.label, text);
}

QString plainText(const std::vector<ArithmeticLine>& lines) {
    QStringList result;
    for (const auto& one : lines) {
        if (!one.parts.isEmpty()) {
            result << partsText(one, static_cast<int>(one.parts.size()));
            continue;
        }
        QString text = one.expression;
        if (!one.value_text.isEmpty())
            text = text.isEmpty() ? QStringLiteral("= %1").arg(one.value_text)
                                  : QStringLiteral("%1 = %2").arg(text, one.value_text);
        result << (one.label.isEmpty() ? text : one.label + QLatin1Char('\t') + text);
    }
    return result.join(QLatin1Char('\n'));
}

} // namespace attnlab::ui
