// Fusion with what it lacks for AttnLab.
#pragma once

#include <QProxyStyle>

class QToolButton;

namespace attnlab::ui {

class Style : public QProxyStyle {
public:
    Style();
    using QProxyStyle::polish;
    /// Labels that Qt makes itself show their text letter by letter too, those of tooltips before all: tokens, names
    /// and messages come from files of others, and what looks like HTML would open the files that it names.
    void polish(QWidget* widget) override;
    /// Fusion outlines a box by a darker window: on a dark one nothing is left of it.
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    /// Fusion tells the selected tab by a shade, which a dark window swallows: it gets a line of the accent's colour.
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    /// For a button whose text or icon says already that it opens a menu. (A style sheet would say so too, but what has
    /// one keeps the colours of the other look when it is hidden at the change.)
    static void hideMenuArrow(QToolButton& button);
    /// Words alone in the buttons of dialogs: Fusion's icons are another program's.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* answer) const override;
};

} // namespace attnlab::ui
