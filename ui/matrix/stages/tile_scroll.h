// Scrolls tiles that do not fit.
#pragma once

#include <QScrollArea>

namespace attnlab::ui {

/// A scroll area without frame, focus and background, whose bars are thin. Its owner sets the geometry of the content
/// and of the tiles in it.
class TileScroll : public QScrollArea {
public:
    explicit TileScroll(QWidget* parent);

    QWidget* content() const { return widget(); }
    static constexpr int bar_width = 8;

    /// A child of the content, scrolled into sight with `margin` around it.
    void reveal(const QWidget& tile, int margin);
    /// The part of the content in sight.
    QRect sight() const;
};

} // namespace attnlab::ui
