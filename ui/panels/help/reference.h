// Help pages generated from the tables of the engine, so that they are always up to date.
#pragma once

#include <QString>

#include <vector>

namespace attnlab::ui {

/// One page: a mechanism, a scale mode, a position or a mask.
struct ReferenceTopic {
    QString id;      ///< "variant/flash", "scale/sqrt_dk", "position/rope", "mask/causal"
    QString heading; ///< its heading in the list of pages
    QString title;
    QString html; ///< formulas are images named "formula:ID"
};

/// All pages in the language of the program, in the order of the tables.
std::vector<ReferenceTopic> referenceTopics();

} // namespace attnlab::ui
