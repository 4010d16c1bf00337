#include "ui/widgets/style.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTableView>
#include <QToolButton>

namespace attnlab::ui {

constexpr int chevron_room = 12; ///< width

/// Whether a button is drawn with an arrow: it has a menu, and its text or icon does not indicate that.
bool hasMenuArrow(const QStyleOptionToolButton& button, const QWidget* widget);

/// A scroll bar without arrows.
QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest_thumb);

namespace {

constexpr char no_menu_arrow[] = "attnlab_no_menu_arrow";

QFont fontOf(const QWidget* widget) { return widget ? widget->font() : QApplication::font(); }

int scaledToFont(int usual, const QWidget* widget) {
    return qRound(static_cast<double>(usual) * controlHeight(fontOf(widget)) / metrics::control_height);
}

/// Of a list, a tree, or a table that is chosen by rows; tables of numbers are chosen by cells.
bool hasRowsToChoose(const QWidget* widget) {
    const auto* view = qobject_cast<const QAbstractItemView*>(widget);
    return view &&
           (view->selectionBehavior() == QAbstractItemView::SelectRows || !qobject_cast<const QTableView*>(view));
}

/// The height of what has no frame: at least the 24 pixels that WCAG 2.2 asks for.
int leastTarget(const QWidget* widget) { return std::max(24, controlHeight(fontOf(widget)) - metrics::gap); }

QSize toolButtonSize(const QStyleOptionToolButton& button, QSize contents, const QWidget* widget) {
    const int height = controlHeight(fontOf(widget));
    const bool words = button.toolButtonStyle != Qt::ToolButtonIconOnly && !button.text.isEmpty();
    const bool alone = !words || (button.icon.isNull() && button.text.size() == 1);
    if (hasMenuArrow(button, widget) && !(button.features & QStyleOptionToolButton::MenuButtonPopup))
        contents.rwidth() += chevron_room;
    // Without a frame there is nothing to align, only something to hit.
    const int least = button.state & QStyle::State_AutoRaise ? leastTarget(widget) : height;
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
    if (auto* text = qobject_cast<QPlainTextEdit*>(widget)) // whose frame fills it, with round corners
        text->viewport()->setAutoFillBackground(false);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget); view && hasRowsToChoose(view))
        view->viewport()->setAttribute(Qt::WA_Hover);
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
    case CT_ItemViewItem:
        return hasRowsToChoose(widget) ? size.expandedTo({0, leastTarget(widget)}) : size;
    case CT_CheckBox:
        return size.expandedTo({0, 24}); // as tool buttons
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

/// Between panels: a short bar along its middle.
void paintDockDivider(QPainter& painter, const QRect& rect) {
    constexpr double length = 28.0, thickness = 3.0;
    const bool upright = rect.height() > rect.width();
    QRectF bar(0, 0, upright ? thickness : length, upright ? length : thickness);
    bar.moveCenter(QRectF(rect).center());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().outline);
    painter.drawRoundedRect(bar & QRectF(rect), thickness / 2, thickness / 2);
    painter.restore();
}

void paintProgressGroove(QPainter& painter, const QRect& rect) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().outline);
    painter.setBrush(theme().card);
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
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

/// The back of a row in every list, as pickers have it: the chosen one in a soft frame, that under the mouse without a
/// frame. A cell paints its part of a row of several.
void paintRow(QPainter& painter, const QStyleOptionViewItem& item) {
    const bool chosen = item.state & QStyle::State_Selected,
               hovered = (item.state & QStyle::State_MouseOver) && (item.state & QStyle::State_Enabled);
    if (item.backgroundBrush.style() != Qt::NoBrush)
        painter.fillRect(item.rect, item.backgroundBrush);
    if (!chosen && !hovered)
        return;
    constexpr int beyond = 2 * metrics::radius; // of the edges that the neighbours continue
    const auto place = item.viewItemPosition;
    const bool first = place == QStyleOptionViewItem::Beginning || place == QStyleOptionViewItem::OnlyOne ||
                       place == QStyleOptionViewItem::Invalid,
               last = place == QStyleOptionViewItem::End || place == QStyleOptionViewItem::OnlyOne ||
                      place == QStyleOptionViewItem::Invalid;
    painter.save();
    painter.setClipRect(item.rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(chosen ? QPen(theme().accent, metrics::border) : QPen(Qt::NoPen));
    painter.setBrush(theme().accent_soft);
    painter.drawRoundedRect(QRectF(item.rect).adjusted(first ? 1.5 : -beyond, 0.5, last ? -1.5 : beyond, -0.5),
                            metrics::radius, metrics::radius);
    painter.restore();
}

/// One line towards what the bar belongs to.
void paintToolBar(QPainter& painter, const QStyleOptionToolBar& bar) {
    painter.fillRect(bar.rect, theme().card);
    QRect line = bar.rect;
    switch (bar.toolBarArea) {
    case Qt::LeftToolBarArea:
        line.setLeft(line.right());
        break;
    case Qt::RightToolBarArea:
        line.setWidth(1);
        break;
    case Qt::BottomToolBarArea:
        line.setHeight(1);
        break;
    default:
        line.setTop(line.bottom());
    }
    painter.fillRect(line, theme().border);
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
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && qobject_cast<const QPlainTextEdit*>(widget))
            return paintFieldPanel(*painter, *frame);
        return paintBox(*painter, option->rect, theme().outline);
    case PE_FrameMenu:
        return paintBox(*painter, option->rect, theme().outline);
    case PE_IndicatorArrowUp:
        return paintChevron(*painter, option->rect, Qt::UpArrow, ControlLook::of(*option).text());
    case PE_IndicatorArrowDown:
        return paintChevron(*painter, option->rect, Qt::DownArrow, ControlLook::of(*option).text());
    case PE_PanelItemViewRow:
        if (hasRowsToChoose(widget) && (option->state & State_Selected))
            return; // its items paint it
        break;
    case PE_PanelItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option); item && hasRowsToChoose(widget))
            return paintRow(*painter, *item);
        break;
    case PE_FrameTabBarBase: // each tab has its line
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        return paintDockDivider(*painter, option->rect);
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
    } else if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
               item && element == CE_ItemViewItem && hasRowsToChoose(widget)) {
        QStyleOptionViewItem row = *item; // the soft back needs no other ink
        row.palette.setBrush(QPalette::HighlightedText, row.palette.brush(QPalette::Text));
        QProxyStyle::drawControl(element, &row, painter, widget);
    } else if (element == CE_ProgressBarGroove) {
        paintProgressGroove(*painter, option->rect);
    } else if (const auto* bar = qstyleoption_cast<const QStyleOptionToolBar*>(option); bar && element == CE_ToolBar) {
        paintToolBar(*painter, *bar);
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

namespace {

void paintRounded(QPainter& painter, const QRectF& rect, const QColor& color) {
    const double radius = std::min(rect.width(), rect.height()) / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(rect, radius, radius);
}

/// `rect` with this thickness, in its middle.
QRectF thinned(const QRectF& rect, Qt::Orientation orientation, double thickness) {
    const double inset =
        std::max(0.0, ((orientation == Qt::Horizontal ? rect.height() : rect.width()) - thickness) / 2);
    return orientation == Qt::Horizontal ? rect.adjusted(0, inset, 0, -inset) : rect.adjusted(inset, 0, -inset, 0);
}

} // namespace

QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest_thumb) {
    const bool across = bar.orientation == Qt::Horizontal;
    const int room = across ? bar.rect.width() : bar.rect.height();
    const double range = double{static_cast<double>(bar.maximum)} - bar.minimum;
    int length = room;
    if (range > 0.0) {
        const double share = bar.pageStep / (range + bar.pageStep);
        length = std::clamp(static_cast<int>(std::lround(room * share)), std::min(shortest_thumb, room), room);
    }
    const int start =
        QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, room - length, bar.upsideDown);
    const auto piece = [&](int from, int size) {
        const QRect place = across ? QRect(bar.rect.left() + from, bar.rect.top(), size, bar.rect.height())
                                   : QRect(bar.rect.left(), bar.rect.top() + from, bar.rect.width(), size);
        return QStyle::visualRect(bar.direction, bar.rect, place);
    };
    switch (part) {
    case QStyle::SC_ScrollBarSubPage:
        return piece(0, start);
    case QStyle::SC_ScrollBarAddPage:
        return piece(start + length, room - start - length);
    case QStyle::SC_ScrollBarSlider:
        return piece(start, length);
    case QStyle::SC_ScrollBarGroove:
        return bar.rect;
    default:
        return {};
    }
}

void Style::paintScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const {
    if (bar.maximum <= bar.minimum)
        return;
    const auto look = ControlLook::of(bar);
    const bool held = look.pressed && (bar.activeSubControls & SC_ScrollBarSlider);
    const QRectF thumb = subControlRect(CC_ScrollBar, &bar, SC_ScrollBarSlider, widget);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const int thickness = look.hovered || held ? metrics::scroll_extent : metrics::scroll_thumb;
    paintRounded(painter, thinned(thumb, bar.orientation, thickness),
                 held           ? theme().text
                 : look.hovered ? theme().muted
                                : theme().outline);
    painter.restore();
}

void Style::paintSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const {
    const bool across = slider.orientation == Qt::Horizontal;
    const auto look = ControlLook::of(slider);
    const QRectF handle = subControlRect(CC_Slider, &slider, SC_SliderHandle, widget);
    constexpr double groove_thickness = 4.0, handle_inset = 1.0;
    const QRectF groove =
        thinned(across ? QRectF(slider.rect.left(), handle.top(), slider.rect.width(), handle.height())
                       : QRectF(handle.left(), slider.rect.top(), handle.width(), slider.rect.height()),
                slider.orientation, groove_thickness);
    if (slider.subControls & SC_SliderTickmarks) {
        QStyleOptionSlider ticks = slider;
        ticks.subControls = SC_SliderTickmarks;
        QProxyStyle::drawComplexControl(CC_Slider, &ticks, &painter, widget);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintRounded(painter, groove, look.enabled ? theme().outline : theme().border);
    QRectF done = groove;
    if (across)
        slider.upsideDown ? done.setLeft(handle.center().x()) : done.setRight(handle.center().x());
    else
        slider.upsideDown ? done.setTop(handle.center().y()) : done.setBottom(handle.center().y());
    if (look.enabled)
        paintRounded(painter, done, theme().accent);
    const double size = std::min(handle.width(), handle.height()) - 2 * handle_inset;
    const QRectF knob(handle.center() - QPointF(size, size) / 2, QSizeF(size, size));
    painter.setPen(QPen(look.enabled ? theme().accent : theme().outline, metrics::focus_ring));
    painter.setBrush(look.focused || look.hovered ? theme().accent : theme().card);
    painter.drawEllipse(knob.adjusted(1, 1, -1, -1));
    if (look.focused) {
        painter.setPen(QPen(theme().text, metrics::border));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(knob);
    }
    painter.restore();
}

} // namespace attnlab::ui
