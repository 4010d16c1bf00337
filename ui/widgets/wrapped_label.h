// A label of several lines whose size is cheap to query.
#pragma once

#include "ui/widgets/elided_label.h"

namespace attnlab::ui {

/// With word wrap, the text is laid out once for each width: a QLabel does so for every query of a layout, several
/// times for each change around it. A word of plain text that is longer than a line is elided, and the label has no
/// preferred width: it takes the available one.
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
    mutable Layout latest_[2]; ///< a layout queries the current width and the next one
};

} // namespace attnlab::ui
