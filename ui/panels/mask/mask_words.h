// What the present masks mean, in one or two sentences.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>

namespace attnlab::ui {

class MaskWords {
    Q_DECLARE_TR_FUNCTIONS(MaskWords)
public:
    /// What happens in a hatched cell under `fill`.
    static QString ofFill(const MaskFill& fill);
    /// The sentence under the grid; `blocks_any` says whether any cell is hatched at present.
    static QString of(const AttentionSpec& spec, bool blocks_any);
    /// What True means in attn_mask.
    static QString ofTrue(MaskTrue meaning);
    /// "−1e9": short for round powers of ten.
    static QString fillText(double value);
};

} // namespace attnlab::ui
