// Explains a number of a trace by its arithmetic. Without widgets.
#pragma once

#include "core/explain/row.h"
#include "ui/document/view_state.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <span>
#include <vector>

namespace attnlab::ui {

/// One line of the arithmetic: "label  expression = value".
struct ArithmeticLine {
    enum class Step {
        Terms,       ///< the addends of the sum in the next line, in `parts`
        Score,       ///< the sum of the terms
        Stage,       ///< a stage between scores and softmax, or after the weights
        Bias,        ///< what was added before masking
        Mask,        ///< kept or blocked
        Shift,       ///< s - row maximum
        Exponential, ///< its exponential
        Softmax,     ///< the exponential over the row's sum
        Weight,      ///< the weight where it is not the softmax itself
        RowSum,      ///< the sum of a row of weights that is not 1
        Heads,       ///< the same cell of every head, in `parts`
        Mean,        ///< their mean
        Output,      ///< the weighted sum of values
        Value,       ///< a number without further explanation
        Remark,      ///< words
    };
    Step step = Step::Value;
    QString label;
    QString expression;
    QString power;                                           ///< the exponent of an expression that is a power of e
    double value = std::numeric_limits<double>::quiet_NaN(); ///< NaN also if the line has no number
    QString value_text;                                      ///< `value` for display; empty if there is none
    QString reason;                                          ///< of a mask: the expression without its result
    QStringList parts;
    QStringList products; ///< the numbers of `parts`, where each is a product
    int left_out = 0;     ///< number of further parts
    QString separator;    ///< between parts
    bool answer = false;  ///< the requested number

    bool operator==(const ArithmeticLine&) const = default;
};

/// From q_i k_j to the weight of a query-key cell, with all numbers from the trace's stages. With
/// ViewState::mean_of_heads the weights of the heads and their mean. Empty when the cell is outside the trace.
std::vector<ArithmeticLine> arithmeticOf(const Trace& trace, int batch, int head, Cell cell);

/// The same for the cell of any stage: query-key cells as above, outputs as a sum of weights times values with the
/// largest terms first, other cells as their value.
std::vector<ArithmeticLine> arithmeticOf(const Trace& trace, const Stage& stage, int batch, int head, Cell cell);

/// The addends of a score: "(1.00·0.50)" for a product of two numbers.
QStringList termTexts(std::span<const ScoreTerm> terms);

/// "kept", "blocked", or if the mask ends the row at some key "kept (2 ≤ 4)", "blocked (5 > 4)".
QString maskText(const explain::Row& row, std::int64_t key);

/// The parts of a line, at most `limit` of them, and the number of others.
QString partsText(const ArithmeticLine& line, int limit);

/// The parts as single numbers where they are products, else as they are.
const QStringList& shortParts(const ArithmeticLine& line);

/// "2.81 − 0.20 + 0.39": a negative addend is subtracted.
QString sumText(const QStringList& parts, const QString& separator);

/// "q·k: 0.50 + 2.00 = 2.5000" with at most `limit` parts: for a screen reader. `terms` may have no parts.
QString spokenText(const ArithmeticLine& line, const ArithmeticLine& terms, int limit);

/// The lines as plain text with tab-separated columns and all parts.
QString plainText(const std::vector<ArithmeticLine>& lines);

} // namespace attnlab::ui
