// Texts for choices of rounding.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>

#include <optional>

namespace attnlab::ui {

class RoundingWords {
    Q_DECLARE_TR_FUNCTIONS(RoundingWords)
public:
    /// "float64", "bfloat16 scores".
    static QString of(const std::optional<Rounding>& rounding);
    /// A sentence on what is rounded.
    static QString helpOf(Rounding::Where where);
};

} // namespace attnlab::ui
