// Implements the part of style.h that paints buttons, fields, tabs and headers.
#include "ui/widgets/control.h"
#include "ui/widgets/style.h"
#include "ui/widgets/style_parts.h"
#include "ui/widgets/theme.h"

#include <QAbstractSpinBox>
#include <QPainter>
#include <QStyleOption>

namespace attnlab::ui {
namespace {

Qt::CheckState checkStateOf(const QStyleOption& option) {
    return option.state & QStyle::State_NoChange ? Qt::PartiallyChecked
           : option.state & QStyle::State_On     ? Qt::Checked
                                                 : Qt::Unchecked;
}

void paintRadioButton(QPainter& painter, const QStyleOption& option) {
    auto look = ControlLook::of(option, ControlLook::Kind::Field);
    constexpr double border = 1.5; // a thinner circle would be too faint, smoothed as it is
    const QRectF circle = QRectF(option.rect).adjusted(border / 2, border / 2, -border / 2, -border / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.enabled ? look.edge() : theme().outline, border));
    painter.setBrush(look.fill());
    painter.drawEllipse(circle);
    if (look.chosen) {
        const double inset = circle.width() / 4;
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.enabled ? theme().accent : theme().outline);
        painter.drawEllipse(circle.adjusted(inset, inset, -inset, -inset));
    }
    painter.restore();
}

void paintPushButton(QPainter& painter, const QStyleOptionButton& button) {
    const bool usual = button.features & QStyleOptionButton::DefaultButton;
    const auto look = ControlLook::of(button, usual ? ControlLook::Kind::Accent : ControlLook::Kind::Button);
    if ((button.features & QStyleOptionButton::Flat) && !look.hovered && !look.pressed && !look.chosen && !look.focused)
        return;
    paintControl(painter, button.rect, look);
}

void paintFieldPanel(QPainter& painter, const QStyleOptionFrame& frame) {
    auto look = ControlLook::of(frame, ControlLook::Kind::Field);
    look.pressed = look.chosen = false;
    paintControl(painter, frame.rect, look);
}

void paintBox(QPainter& painter, const QRect& rect, const QColor& color) {
    painter.save();
    painter.setPen(color);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    painter.restore();
}

/// A tab is its text, with a line in the accent colour towards the content under the selected one.
void paintTab(QPainter& painter, const QStyleOptionTab& tab) {
    const bool below = tab.shape == QTabBar::RoundedSouth || tab.shape == QTabBar::TriangularSouth;
    const bool selected = tab.state & QStyle::State_Selected;
    constexpr int thickness = 3;
    QRect line = tab.rect;
    below ? line.setHeight(thickness) : line.setTop(line.bottom() + 1 - thickness);
    if (!selected) // a thin line joins the tabs
        below ? line.setHeight(1) : line.setTop(line.bottom());
    if ((tab.state & QStyle::State_MouseOver) && !selected)
        painter.fillRect(tab.rect, theme().accent_soft);
    painter.fillRect(line, selected ? theme().accent : theme().outline);
}

void paintHeaderSection(QPainter& painter, const QStyleOption& option) {
    painter.fillRect(option.rect, theme().window);
    painter.save();
    painter.setPen(theme().outline);
    painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter.drawLine(option.rect.topRight(), option.rect.bottomRight());
    painter.restore();
}

} // namespace

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    switch (element) {
    case PE_PanelButtonCommand:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            return paintPushButton(*painter, *button);
        break;
    case PE_FrameDefaultButton:
        return; // the fill says it
    case PE_PanelButtonTool:
        return paintControl(*painter, option->rect, ControlLook::of(*option));
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0)
            return paintFieldPanel(*painter, *frame);
        break;
    case PE_FrameLineEdit:
        return;
    case PE_IndicatorCheckBox:
        return paintCheckBox(*painter, option->rect, checkStateOf(*option), ControlLook::of(*option));
    case PE_IndicatorRadioButton:
        return paintRadioButton(*painter, *option);
    case PE_FrameFocusRect:
        if (option->state & State_KeyboardFocusChange)
            paintFocusRing(*painter, option->rect);
        return;
    case PE_Frame:
    case PE_FrameMenu:
        return paintBox(*painter, option->rect, theme().outline);
    case PE_IndicatorArrowUp:
        return paintChevron(*painter, option->rect, Qt::UpArrow, ControlLook::of(*option).text());
    case PE_IndicatorArrowDown:
        return paintChevron(*painter, option->rect, Qt::DownArrow, ControlLook::of(*option).text());
    case PE_FrameTabBarBase: // each tab has its line
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (element == CE_PushButton && button) {
        drawControl(CE_PushButtonBevel, option, painter, widget);
        drawControl(CE_PushButtonLabel, option, painter, widget);
    } else if (element == CE_PushButtonLabel && button) {
        QStyleOptionButton words = *button;
        const bool usual = button->features & QStyleOptionButton::DefaultButton;
        const auto look = ControlLook::of(*button, usual ? ControlLook::Kind::Accent : ControlLook::Kind::Button);
        words.palette.setColor(QPalette::ButtonText, look.text());
        QProxyStyle::drawControl(element, &words, painter, widget);
    } else if (element == CE_ComboBoxLabel && box) {
        QStyleOptionComboBox shown = *box;
        const QRect room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget);
        const int icon = box->currentIcon.isNull() ? 0 : box->iconSize.width() + metrics::gap;
        shown.currentText =
            box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room.width() - icon - metrics::gap / 2);
        QProxyStyle::drawControl(element, &shown, painter, widget);
    } else if (element == CE_ProgressBarGroove) {
        paintBox(*painter, option->rect, theme().outline);
    } else if (element == CE_HeaderSection) {
        paintHeaderSection(*painter, *option);
    } else if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
               tab && element == CE_TabBarTabShape) {
        paintTab(*painter, *tab);
    } else {
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ToolButton && button)
        paintToolButton(*button, *painter, widget);
    else if (control == CC_ComboBox && box)
        paintComboBox(*box, *painter);
    else if (control == CC_SpinBox && spin)
        paintSpinBox(*spin, *painter, widget);
    else if (control == CC_Slider && slider)
        paintSlider(*slider, *painter, widget);
    else if (control == CC_ScrollBar && slider)
        paintScrollBar(*slider, *painter, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::paintToolButton(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const {
    const auto look = ControlLook::of(button);
    const bool quiet = button.state & State_AutoRaise;
    if (!quiet || (look.enabled && (look.hovered || look.pressed)) || look.chosen || look.focused)
        paintControl(painter, button.rect, look);
    QStyleOptionToolButton words = button;
    words.state &= ~State_HasFocus;
    words.palette.setColor(QPalette::ButtonText, look.text());
    if (hasMenuArrow(button, widget)) {
        QRect place = button.rect;
        place.setLeft(place.right() - chevron_room - metrics::gap);
        paintChevron(painter, visualRect(button.direction, button.rect, place), Qt::DownArrow, look.text());
        words.rect.setRight(place.left());
        words.rect = visualRect(button.direction, button.rect, words.rect);
    }
    if (button.toolButtonStyle == Qt::ToolButtonTextBesideIcon && !button.icon.isNull() && !quiet) {
        constexpr int padding_of_icons = 4; // of Qt's label
        words.rect.adjust(metrics::side_padding - padding_of_icons, 0, 0, 0);
    }
    drawControl(CE_ToolButtonLabel, &words, &painter, widget);
}

void Style::paintComboBox(const QStyleOptionComboBox& box, QPainter& painter) const {
    auto look = ControlLook::of(box, box.editable ? ControlLook::Kind::Field : ControlLook::Kind::Button);
    look.pressed = look.pressed || look.chosen; // open
    look.chosen = false;
    if (box.frame)
        paintControl(painter, box.rect, look);
    paintChevron(painter, subControlRect(CC_ComboBox, &box, SC_ComboBoxArrow, nullptr), Qt::DownArrow,
                 look.enabled ? look.text() : theme().outline);
}

void Style::paintSpinBox(const QStyleOptionSpinBox& box, QPainter& painter, const QWidget* widget) const {
    auto look = ControlLook::of(box, ControlLook::Kind::Field);
    look.pressed = look.chosen = false;
    if (box.frame)
        paintControl(painter, box.rect, look);
    if (box.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    for (const auto& [part, step, arrow] :
         {std::tuple(SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, Qt::UpArrow),
          std::tuple(SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, Qt::DownArrow)}) {
        const bool works = look.enabled && (box.stepEnabled & step);
        const bool under_mouse = look.hovered && box.activeSubControls == part;
        paintChevron(painter, subControlRect(CC_SpinBox, &box, part, widget), arrow,
                     !works        ? theme().border
                     : under_mouse ? theme().accent
                                   : theme().text);
    }
}

} // namespace attnlab::ui
