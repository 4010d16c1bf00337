// What the sources of Style share.
#pragma once

#include <QStyle>

class QStyleOptionSlider;
class QStyleOptionToolButton;

namespace attnlab::ui {

inline constexpr int chevron_room = 12; ///< width

/// Of a button with a menu, unless its text or icon indicates that.
bool hasMenuArrow(const QStyleOptionToolButton& button, const QWidget* widget);

/// A scroll bar without arrows.
QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest_thumb);

} // namespace attnlab::ui
