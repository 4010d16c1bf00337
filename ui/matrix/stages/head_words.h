// What figures say of a head, in words for the screen.
#pragma once

#include "core/explain/head_figures.h"

#include <QString>
#include <QStringList>

namespace attnlab::ui {

/// "previous token": what the head does, translated; empty where its figures do not tell.
QString headWords(const explain::HeadFigures& figures);
/// All that headWords() may return, for the room that they need.
QStringList allHeadWords();

/// "previous token, mean entropy 0.69 nats, mean largest weight 0.50": for the accessible name of a head.
QString headSummary(const explain::HeadFigures& figures);
/// The same in lines, with the share of each kind of key and what the means are over: for a tooltip.
QString headTip(const explain::HeadFigures& figures);

} // namespace attnlab::ui
