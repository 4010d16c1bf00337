#include "ui/inspector/arithmetic.h"

#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"
#include "ui/stages/stage_title.h"
#include "ui/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

namespace attnlab::ui {
namespace {

using Step = ArithmeticLine::Step;

class Lines {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::Arithmetic)
};

/// Of a long row nobody reads all addends, and each of them is a text.
constexpr std::size_t arithmetic_most_parts = 2048;

QString precise(double value) { return numberText(value, 5); }
QString brief(double value) { return numberText(value, 3); }

struct Difference {
    QString score, maximum;
};

/// Both in as many digits as make the line true: of large numbers, those that tell them apart come late.
Difference differenceOf(double score, double maximum) {
    constexpr int least = 5, most = 17;
    const auto read = [](QString text) { return text.replace(QStringLiteral("−"), QStringLiteral("-")).toDouble(); };
    const double difference = score - maximum;
    for (int digits = least; digits < most; ++digits) {
        const Difference shown{numberText(score, digits), numberText(maximum, digits)};
        if (!std::isfinite(difference) ||
            std::abs(read(shown.score) - read(shown.maximum) - difference) <=
                std::max(2e-4 * std::abs(difference), 1e-4 * std::min(1.0, std::abs(score) + std::abs(maximum))))
            return shown;
    }
    return {exactText(score), exactText(maximum)};
}

/// NaN is close to NaN: where one follows from the other there is nothing to explain.
bool close(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
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

std::optional<double> valueAt(const std::optional<MatrixData>& data, Cell cell) {
    if (!data || cell.row < 0 || cell.column < 0 || cell.row >= data->view().rows ||
        cell.column >= data->view().columns)
        return std::nullopt;
    return data->view()(cell.row, cell.column);
}

QString operationOf(const Stage& stage) {
    return stage.operation.empty() ? stageWords(stage.name) : translated(stage.operation);
}

/// One cell of one head on its way from scores to weights.
class CellPath {
public:
    /// `asked` is the stage whose number is the answer; the path is that of its pass.
    CellPath(const Trace& trace, const Stage& asked, int batch, int head, Cell cell)
        : trace_(trace), asked_(asked), batch_(batch), head_(head), cell_(cell) {}

    std::vector<ArithmeticLine> lines();

private:
    std::optional<MatrixData> slice(const Stage& stage) const { return numbersOf(trace_, stage, batch_, head_); }
    std::optional<double> at(const Stage& stage) const { return valueAt(slice(stage), cell_); }
    void score(const Stage& stage, double value);
    void mask(const MatrixData& masked, double before, double value);
    void softmax(const MatrixData& masked, const Stage& weights, double weight);
    void rowSum(const Stage& weights);
    QString maskText(const MatrixData& masked, bool blocked) const;

    const Trace& trace_;
    const Stage& asked_;
    int batch_;
    int head_;
    Cell cell_;
    std::vector<ArithmeticLine> lines_;
};

void CellPath::score(const Stage& stage, double value) {
    bool terms_shown = false;
    if (const auto terms_of = trace_.terms_beside(stage)) {
        const auto terms = terms_of(batch_, head_, cell_.row, cell_.column);
        QStringList parts;
        terms_shown = !terms.empty();
        for (const auto& term : terms) {
            const bool is_product = close(term.product, term.left * term.right);
            parts << (is_product ? QStringLiteral("(%1·%2)").arg(brief(term.left), brief(term.right))
                                 : brief(term.product));
        }
        if (!parts.isEmpty())
            lines_.push_back(list(Step::Terms, parts, QStringLiteral(" + ")));
    }
    const bool product = terms_shown && trace_.dot_product_scores;
    lines_.push_back(line(Step::Score, product ? QStringLiteral("q·k") : stageWords(stage.name), value));
}

/// Most masks end a row at some key; that key says more than the mask's name. Others are told by "kept" alone.
QString CellPath::maskText(const MatrixData& masked, bool blocked) const {
    const auto columns = masked.view().columns;
    std::int64_t kept = 0;
    while (kept < columns && !masked.isBlocked(cell_.row, kept))
        ++kept;
    bool ends = kept > 0 && kept < columns;
    for (std::int64_t j = kept; j < columns && ends; ++j)
        ends = masked.isBlocked(cell_.row, j);
    if (!ends)
        return blocked ? Lines::tr("blocked") : Lines::tr("kept");
    return (blocked ? Lines::tr("blocked (%1 > %2)") : Lines::tr("kept (%1 ≤ %2)")).arg(cell_.column).arg(kept - 1);
}

void CellPath::mask(const MatrixData& masked, double before, double value) {
    const bool blocked = masked.isBlocked(cell_.row, cell_.column);
    const auto biased = [](const QString& label, double bias, double sum) {
        return line(Step::Bias, label, sum,
                    bias < 0 ? QStringLiteral("− %1").arg(precise(-bias)) : QStringLiteral("+ %1").arg(precise(bias)));
    };
    if (const Stage* position = trace_.beside(asked_, "position_bias"))
        if (const auto bias = at(*position)) {
            before += *bias;
            lines_.push_back(biased(Lines::tr("position"), *bias, before));
        }
    if (!blocked && value != before && !(std::isnan(value) && std::isnan(before))) {
        lines_.push_back(biased(Lines::tr("bias"), value - before, value));
    }
    if (masked.blocked.size() == 0)
        return;
    const QString text = maskText(masked, blocked);
    auto mask_line =
        words(Step::Mask, Lines::tr("mask"), blocked ? QStringLiteral("%1 → %2").arg(text, precise(value)) : text);
    mask_line.value = value;
    lines_.push_back(mask_line);
}

void CellPath::softmax(const MatrixData& masked, const Stage& weights, double weight) {
    if (!trace_.beside(weights, "lse")) { // a row that is no single softmax has no single sum either
        lines_.push_back(line(Step::Weight, operationOf(weights), weight));
        return;
    }
    const auto row = masked.view().row(cell_.row);
    const double maximum = *std::max_element(row.begin(), row.end());
    if (std::isinf(maximum) && maximum < 0) {
        lines_.push_back(
            words(Step::Remark, {}, Lines::tr("Every key of this row is blocked, so all its weights are 0.")));
        lines_.push_back(line(Step::Weight, stageWords(weights.name), weight));
        return;
    }
    const auto lse = valueAt(slice(*trace_.beside(weights, "lse")), {cell_.row, 0});
    double sum = lse ? std::exp(*lse - maximum) : 0.0;
    for (std::size_t j = 0; j < row.size() && !lse; ++j)
        sum += std::exp(row[j] - maximum);
    const double score = row[static_cast<std::size_t>(cell_.column)];
    const double exponential = std::exp(score - maximum);
    const auto difference = differenceOf(score, maximum);
    const QString subtracted = maximum < 0 ? QStringLiteral("(%1)").arg(difference.maximum) : difference.maximum;
    lines_.push_back(line(Step::Shift, Lines::tr("− row max"), score - maximum,
                          QStringLiteral("%1 − %2").arg(difference.score, subtracted)));
    lines_.push_back(
        line(Step::Exponential, Lines::tr("exp"), exponential, QStringLiteral("e^%1").arg(precise(score - maximum))));
    const double share = exponential / sum;
    const QString over = QStringLiteral("%1 / %2").arg(precise(exponential), precise(sum));
    const bool plain = close(share, weight);
    lines_.push_back(line(Step::Softmax, Lines::tr("÷ row Σ"), plain ? weight : share, over));
    if (!plain)
        lines_.push_back(line(Step::Weight, operationOf(weights), weight));
}

void CellPath::rowSum(const Stage& weights) {
    const auto shown = slice(weights);
    const auto row = shown->view().row(cell_.row);
    const bool all_zero = std::all_of(row.begin(), row.end(), [](double weight) { return weight == 0.0; });
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (std::isnan(sum))
        lines_.push_back(
            words(Step::Remark, {}, Lines::tr("A score of this row is NaN or +∞, so all its weights are NaN.")));
    else if (!all_zero && !close(sum, 1.0))
        lines_.push_back(line(Step::RowSum, Lines::tr("row sums to"), sum));
}

std::vector<ArithmeticLine> CellPath::lines() {
    const Stage* previous = nullptr;
    std::size_t answer = 0;
    for (const auto& stage : trace_.stages) {
        if (stage.role != StageRole::Step || !endsWithAxes(stage, Axis::Query, Axis::Key) ||
            prefix_of(stage.name) != prefix_of(asked_.name))
            continue;
        const auto shown = slice(stage);
        const auto value = valueAt(shown, cell_);
        if (!value)
            return {};
        const bool weights = shortNameOf(stage) == "weights";
        if (!previous)
            score(stage, *value);
        else if (weights)
            softmax(*slice(*previous), stage, *value);
        else if (shortNameOf(stage) == "masked")
            mask(*shown, *at(*previous), *value);
        else
            lines_.push_back(line(Step::Stage, operationOf(stage), *value));
        if (&stage == &asked_ && !lines_.empty())
            answer = lines_.size() - 1;
        if (weights)
            rowSum(stage);
        previous = &stage;
    }
    if (!lines_.empty())
        lines_[answer].answer = true;
    return lines_;
}

std::vector<ArithmeticLine> overHeads(const Trace& trace, const Stage& stage, int batch, Cell cell) {
    const int heads = sizeOf(trace).heads;
    double mean = 0.0;
    QStringList parts;
    for (int head = 0; head < heads; ++head) {
        const auto value = valueAt(numbersOf(trace, stage, batch, head), cell);
        if (!value)
            return {};
        mean += *value / heads;
        parts << Lines::tr("head %1: %2").arg(head).arg(precise(*value));
    }
    auto result = line(Step::Mean, Lines::tr("mean"), mean);
    result.answer = true;
    return {list(Step::Heads, parts, QStringLiteral(", ")), result};
}

/// sum_j a_ij v_jc where that is what the stage holds; empty otherwise.
std::vector<ArithmeticLine> weightedSum(const Trace& trace, const Stage& stage, int batch, int head, Cell cell,
                                        double shown) {
    // The weights as they were last before the sum: dropped ones where there is dropout.
    const Stage* weights = nullptr;
    for (const auto& before : trace.stages)
        if (before.role == StageRole::Step && endsWithAxes(before, Axis::Query, Axis::Key) &&
            prefix_of(before.name) == prefix_of(stage.name))
            weights = &before;
    const Stage* values = trace.beside(stage, "value");
    const bool own_head = hasAxis(stage, Axis::Head) || sizeOf(trace).heads == 1;
    if (!weights || !values || !own_head || !endsWithAxes(stage, Axis::Query, Axis::Feature))
        return {};
    const auto a = sliceOf(trace, *weights, batch, head);
    const auto v = numbersOf(trace, *values, batch, head);
    if (!valueAt(a, {cell.row, 0}) || !valueAt(v, {0, cell.column}) || a->view().columns != v->view().rows)
        return {};
    struct Term {
        std::int64_t key;
        double product;
    };
    std::vector<Term> terms;
    double sum = 0.0;
    for (std::int64_t j = 0; j < v->view().rows; ++j) {
        const double product = a->view()(cell.row, j) * v->view()(j, cell.column);
        sum += product;
        if (product != 0.0)
            terms.push_back({j, product});
    }
    if (!close(sum, shown))
        return {};
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& x, const Term& y) { return std::abs(x.product) > std::abs(y.product); });
    const auto shown_terms = std::min(terms.size(), arithmetic_most_parts);
    QStringList parts;
    for (const auto& term : std::span(terms).first(shown_terms))
        parts << QStringLiteral("%1·%2 (%3)")
                     .arg(brief(a->view()(cell.row, term.key)), brief(v->view()(term.key, cell.column)),
                          a->columnLabel(term.key));
    auto result = line(Step::Output, QStringLiteral("Σ a·v"), shown);
    result.answer = true;
    if (parts.isEmpty())
        return {result};
    auto sum_of = list(Step::Terms, parts, QStringLiteral(" + "));
    sum_of.left_out = static_cast<int>(terms.size() - shown_terms);
    return {sum_of, result};
}

} // namespace

std::vector<ArithmeticLine> arithmeticOf(const Trace& trace, int batch, int head, Cell cell) {
    const Stage* weights = weightsBeside(trace, nullptr);
    if (!weights)
        return {};
    return head == ViewState::MeanOfHeads ? overHeads(trace, *weights, batch, cell)
                                          : CellPath(trace, *weights, batch, head, cell).lines();
}

std::vector<ArithmeticLine> arithmeticOf(const Trace& trace, const Stage& stage, int batch, int head, Cell cell) {
    const bool has_heads = hasAxis(stage, Axis::Head);
    if (head == ViewState::MeanOfHeads && has_heads)
        return overHeads(trace, stage, batch, cell);
    const auto value = valueAt(numbersOf(trace, stage, batch, head), cell);
    if (!value)
        return {};
    std::vector<ArithmeticLine> lines;
    if (endsWithAxes(stage, Axis::Query, Axis::Key) && has_heads && weightsBeside(trace, &stage))
        lines =
            CellPath(trace, stage.role == StageRole::Step ? stage : *weightsBeside(trace, &stage), batch, head, cell)
                .lines();
    else if (head != ViewState::MeanOfHeads)
        lines = weightedSum(trace, stage, batch, head, cell, *value);
    if (!lines.empty())
        return lines;
    lines.push_back(line(Step::Value, stageWords(stage.name), *value));
    lines.back().answer = true;
    if (!stage.formula.empty())
        lines.push_back(words(Step::Remark, {}, QString::fromStdString(stage.formula)));
    return lines;
}

QString partsText(const ArithmeticLine& line, int limit) {
    const auto count = static_cast<int>(line.parts.size());
    const int shown = count <= limit + 1 ? count : limit, more = count - shown + line.left_out;
    const QString text = line.parts.mid(0, shown).join(line.separator);
    return more == 0 ? text : Lines::tr("%1 … and %n more", "addends of a sum", more).arg(text);
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
