// Fusion with what it lacks for AttnLab.
#pragma once

#include <QProxyStyle>

namespace attnlab::ui {

class Style : public QProxyStyle {
public:
    Style();
    /// Fusion outlines a box by a darker window: on a dark one nothing is left of it.
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    /// Fusion tells the selected tab by a shade, which a dark window swallows: it gets a line of the accent's colour.
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    /// Words alone in the buttons of dialogs: Fusion's icons are another program's.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* answer) const override;
};

} // namespace attnlab::ui
