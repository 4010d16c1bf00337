// Titles of stages for display.
#pragma once

#include "core/attention.h"

#include <QString>

#include <string_view>

namespace attnlab::ui {

/// "exact weights" of "exact_weights" or "encoder.0.self.exact_weights", translated.
QString stageWords(std::string_view name);
/// The same with the pass before it: "encoder.0.self.exact weights".
QString stageWordsInPass(std::string_view name);
/// The pass alone: "encoder.0.self", translated; empty where the name has none.
QString passWords(std::string_view name);

/// A formula of the engine, whose few words ("where blocked, else") are translated.
QString formulaText(std::string_view formula);

/// "weights · head 2": batch and head if the trace has several, and the rounding of the numbers. `head` may be
/// ViewState::mean_of_heads.
QString stageTitle(const Trace& trace, const Stage& stage, int batch, int head);

/// "Head 0": the title of a head, counted from 0 as in the arrays.
QString headTitle(int head);

} // namespace attnlab::ui
