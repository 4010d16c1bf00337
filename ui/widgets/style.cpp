#include "ui/widgets/style.h"

#include "ui/widgets/theme.h"

#include <QLabel>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolButton>

namespace attnlab::ui {
namespace {

constexpr char no_menu_arrow[] = "attnlab_no_menu_arrow";

} // namespace

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::polish(QWidget* widget) {
    if (auto* label = qobject_cast<QLabel*>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    QProxyStyle::polish(widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (theme().dark && button && (element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton)) {
        QStyleOptionButton outlined = *button;
        outlined.palette.setColor(QPalette::Window, theme().muted);
        QProxyStyle::drawPrimitive(element, &outlined, painter, widget);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    QProxyStyle::drawControl(element, option, painter, widget);
    if (element != CE_TabBarTabShape || !(option->state & State_Selected))
        return;
    constexpr int thickness = 2;
    QRect line = option->rect;
    // The tabs of panels in one place are below them.
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    if (tab && (tab->shape == QTabBar::RoundedSouth || tab->shape == QTabBar::TriangularSouth))
        line.setTop(line.bottom() - thickness + 1);
    else
        line.setHeight(thickness);
    painter->fillRect(line, theme().accent);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    if (control == CC_ToolButton && button && widget && widget->property(no_menu_arrow).toBool()) {
        QStyleOptionToolButton plain = *button;
        plain.features &= ~QStyleOptionToolButton::HasMenu;
        QProxyStyle::drawComplexControl(control, &plain, painter, widget);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::hideMenuArrow(QToolButton& button) { button.setProperty(no_menu_arrow, true); }

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* answer) const {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, answer);
}

} // namespace attnlab::ui
