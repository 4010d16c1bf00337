// The Fusion style with changes for AttnLab.
#pragma once

#include <QProxyStyle>

class QToolButton;

namespace attnlab::ui {

class Style : public QProxyStyle {
public:
    Style();
    using QProxyStyle::polish;
    /// Labels created by Qt also show their text literally, tooltips above all: tokens, names and messages come from
    /// untrusted files, and text that looks like HTML would open the files that it refers to.
    void polish(QWidget* widget) override;
    /// Fusion outlines a box in a darker window colour, which is invisible in a dark theme.
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    /// Fusion marks the selected tab by a shade that is invisible in a dark theme: it gets a line in the accent colour.
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    /// For a button whose text or icon already indicates a menu. (A style sheet would work too, but a hidden widget
    /// with one keeps the colours of the old theme.)
    static void hideMenuArrow(QToolButton& button);
    /// Buttons of dialogs have text only: Fusion's icons do not match.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* answer) const override;
};

} // namespace attnlab::ui
