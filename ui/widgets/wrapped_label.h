// A label of several lines that layouts can ask often.
#pragma once

#include "ui/widgets/elided_label.h"

namespace attnlab::ui {

/// Where its words wrap, the text is laid out once for each width: a QLabel does so for every question of a layout,
/// several times each time anything around it changes. A word of plain text that is longer than a line is cut with an
/// ellipsis, and the width that a text would like is never asked for: it takes what there is.
class WrappedLabel : public ElidedLabel {
public:
    using ElidedLabel::ElidedLabel;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;
    QString shownText() const override;

private:
    struct Layout {
        QString text;
        QFont font;
        int width = -1, height = 0;
    };
    mutable Layout latest_[2]; ///< a layout asks for the width that it has and for the one that it will have
};

} // namespace attnlab::ui
