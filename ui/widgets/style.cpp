#include "ui/widgets/style.h"

#include "ui/widgets/control.h"
#include "ui/widgets/style_parts.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolButton>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr char no_menu_arrow[] = "attnlab_no_menu_arrow";

QFont fontOf(const QWidget* widget) { return widget ? widget->font() : QApplication::font(); }

int scaledToFont(int usual, const QWidget* widget) {
    return qRound(static_cast<double>(usual) * controlHeight(fontOf(widget)) / metrics::control_height);
}

QSize toolButtonSize(const QStyleOptionToolButton& button, QSize contents, const QWidget* widget) {
    const int height = controlHeight(fontOf(widget));
    const bool words = button.toolButtonStyle != Qt::ToolButtonIconOnly && !button.text.isEmpty();
    const bool alone = !words || (button.icon.isNull() && button.text.size() == 1);
    if (hasMenuArrow(button, widget) && !(button.features & QStyleOptionToolButton::MenuButtonPopup))
        contents.rwidth() += chevron_room;
    // Without a frame there is nothing to align, only something to hit.
    const int least = button.state & QStyle::State_AutoRaise ? height - metrics::gap : height;
    contents.rwidth() += 2 * (alone                                    ? 4
                              : button.state & QStyle::State_AutoRaise ? metrics::gap
                                                                       : metrics::side_padding);
    return {std::max(contents.width(), least), std::max(contents.height() + 4, least)};
}

} // namespace

bool hasMenuArrow(const QStyleOptionToolButton& button, const QWidget* widget) {
    return (button.features & (QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::MenuButtonPopup)) &&
           !(widget && widget->property(no_menu_arrow).toBool());
}

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::hideMenuArrow(QToolButton& button) { button.setProperty(no_menu_arrow, true); }

void Style::polish(QWidget* widget) {
    if (auto* label = qobject_cast<QLabel*>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    QProxyStyle::polish(widget);
    if (qobject_cast<QLineEdit*>(widget))
        widget->setAttribute(Qt::WA_Hover);
    // The groove is transparent: only the thumb is painted.
    if (qobject_cast<QScrollBar*>(widget))
        widget->setAttribute(Qt::WA_OpaquePaintEvent, false);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                              const QWidget* widget) const {
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    const int height = controlHeight(fontOf(widget));
    switch (type) {
    case CT_PushButton:
        return {std::max(size.width(), contents.width() + 2 * metrics::side_padding),
                std::max(height, contents.height() + metrics::gap)};
    case CT_ComboBox:
        return {contents.width() + metrics::side_padding + metrics::gap + chevron_room + metrics::side_padding,
                std::max(height, contents.height() + metrics::gap)};
    case CT_SpinBox:
        return {size.width() + metrics::gap, std::max(height, contents.height() + 2)};
    case CT_LineEdit: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        return frame && frame->lineWidth > 0 ? QSize(size.width() + metrics::gap, std::max(height, size.height()))
                                             : size;
    }
    case CT_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
            return toolButtonSize(*button, contents, widget);
        return size;
    default:
        return size;
    }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
    const QRect usual = QProxyStyle::subControlRect(control, option, part, widget);
    if (control == CC_ComboBox) {
        constexpr int arrow = chevron_room + metrics::side_padding;
        const QRect& all = option->rect;
        QRect place = part == SC_ComboBoxEditField ? all.adjusted(metrics::field_padding, 2, -arrow, -2)
                      : part == SC_ComboBoxArrow   ? QRect(all.right() + 1 - arrow, all.top(), arrow, all.height())
                                                   : usual;
        return place == usual ? usual : visualRect(option->direction, all, place);
    }
    if (control == CC_SpinBox && part == SC_SpinBoxEditField) {
        const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        return box && box->frame ? usual.adjusted(metrics::gap / 2, 0, 0, 0) : usual;
    }
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option); bar && control == CC_ScrollBar)
        return partOfScrollBar(*bar, part, pixelMetric(PM_ScrollBarSliderMin, option, widget));
    return usual;
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    const QRect usual = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    constexpr int half_gap = metrics::gap / 2;
    return element == SE_LineEditContents && frame && frame->lineWidth > 0 ? usual.adjusted(half_gap, 0, -half_gap, 0)
                                                                           : usual;
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return metrics::scroll_extent;
    case PM_ScrollBarSliderMin:
        return metrics::control_height;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return scaledToFont(metrics::indicator, widget);
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* answer) const {
    switch (hint) {
    case SH_DialogButtonBox_ButtonsHaveIcons: // Fusion's icons do not match
        return 0;
    case SH_Table_GridLineColor:
        return static_cast<int>(theme().outline.rgb());
    default:
        return QProxyStyle::styleHint(hint, option, widget, answer);
    }
}

} // namespace attnlab::ui
