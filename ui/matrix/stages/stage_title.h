// Titles of stages, heads and roundings for display.
#pragma once

#include "core/attention.h"
#include "core/explain/head_figures.h"

#include <optional>
#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <string_view>

namespace attnlab::ui {

/// "exact weights" of "exact_weights" or "encoder.0.self.exact_weights", translated.
QString stageWords(std::string_view name);
/// The same with the pass before it: "encoder.0.self.exact weights".
QString stageWordsInPass(std::string_view name);
/// The same of a stage; what a view shows instead of `view`: "without key 0, rest renormalised".
QString stageNameOf(const Stage& stage);
/// The pass alone: "encoder.0.self", translated; empty where the name has none.
QString passWords(std::string_view name);

/// A formula of the engine, whose few words ("where blocked, else") are translated.
QString formulaText(std::string_view formula);

/// "weights · head 2": batch and head if the trace has several, and the rounding of the numbers. `head` may be
/// ViewState::mean_of_heads.
QString stageTitle(const Trace& trace, const Stage& stage, int batch, int head);

/// "Head 0": the title of a head, counted from 0 as in the arrays.
QString headTitle(int head);

/// Texts for choices of rounding.
class RoundingWords {
    Q_DECLARE_TR_FUNCTIONS(RoundingWords)
public:
    /// "float64", "bfloat16 scores".
    static QString of(const std::optional<Rounding>& rounding);
    /// A sentence about the rounded numbers.
    static QString helpOf(Rounding::Where where);
};

// What figures say of a head, in words for the screen.

/// "previous token": what the head does, translated; empty where its figures do not tell.
QString headWords(const explain::HeadFigures& figures);
/// All that headWords() may return, for the room that they need.
QStringList allHeadWords();

/// "previous token, mean entropy 0.69 nats, mean largest weight 0.50": for the accessible name of a head.
QString headSummary(const explain::HeadFigures& figures);
/// The same in lines, with the share of each kind of key and what the means are over: for a tooltip.
QString headTip(const explain::HeadFigures& figures);

} // namespace attnlab::ui
