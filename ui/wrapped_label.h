// A label of several lines that layouts can ask often.
#pragma once

#include "ui/label.h"

namespace attnlab::ui {

/// Where its words wrap, the text is laid out once for each width: a QLabel does so for every question of a layout,
/// several times each time anything around it changes.
class WrappedLabel : public Label {
public:
    using Label::Label;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

private:
    struct Layout {
        QString text;
        QFont font;
        int width = -1, height = 0;
    };
    mutable Layout latest_[2]; ///< a layout asks for the width that it has and for the one that it will have
};

} // namespace attnlab::ui
