// Describes the current masks in one or two sentences.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>

namespace attnlab::ui {

class MaskWords {
    Q_DECLARE_TR_FUNCTIONS(MaskWords)
public:
    /// The effect of `fill` in a hatched cell.
    static QString ofFill(const MaskFill& fill);
    /// The sentence below the grid; `blocks_any`: some cell is currently hatched.
    static QString of(const AttentionSpec& spec, bool blocks_any);
    /// The meaning of True in attn_mask.
    static QString ofTrue(MaskTrue meaning);
    /// "−1e9": short for round powers of ten.
    static QString fillText(double value);
};

} // namespace attnlab::ui
