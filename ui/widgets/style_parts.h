// What the sources of Style share.
#pragma once

#include <QStyle>

class QStyleOptionSlider;
class QStyleOptionToolButton;

namespace attnlab::ui {

inline constexpr int chevron_room = 12; ///< width

/// Whether a button is drawn with an arrow: it has a menu, and its text or icon does not indicate that.
bool hasMenuArrow(const QStyleOptionToolButton& button, const QWidget* widget);

/// A scroll bar without arrows.
QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest_thumb);

} // namespace attnlab::ui
