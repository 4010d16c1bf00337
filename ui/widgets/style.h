// The style of the program: Fusion, with the look of controls.h for every control.
#pragma once

#include <QProxyStyle>

class QStyleOptionComboBox;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionToolButton;
class QToolButton;

namespace attnlab::ui {

class Style : public QProxyStyle {
public:
    Style();
    using QProxyStyle::polish;
    /// Labels created by Qt also show their text literally, tooltips above all: tokens, names and messages come from
    /// untrusted files, and text that looks like HTML would open the files that it refers to.
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* answer) const override;
    /// For a button whose text or icon already indicates a menu. (A style sheet would work too, but a hidden widget
    /// with one keeps the colours of the old theme.)
    static void hideMenuArrow(QToolButton& button);

private:
    void paintToolButton(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const;
    void paintComboBox(const QStyleOptionComboBox& box, QPainter& painter) const;
    void paintSpinBox(const QStyleOptionSpinBox& box, QPainter& painter, const QWidget* widget) const;
    void paintSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const;
    void paintScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
};

} // namespace attnlab::ui
