// The two looks. Widgets take colours from here when they paint and from the palette otherwise.
#pragma once

#include <QColor>
#include <QString>

class QWidget;

namespace attnlab::ui {

enum class ThemeChoice { System, Light, Dark };

/// Colours that the palette has no role for; all keep a contrast of 4.5 or more against `card` where they carry text.
struct Theme {
    bool dark;
    QColor window; ///< behind the panels
    QColor card;   ///< panels
    QColor border;
    QColor text;
    QColor muted;       ///< secondary text
    QColor accent;      ///< selection, focus, links
    QColor accent_soft; ///< background of something selected
    QColor pin;         ///< the pinned cell
    QColor warning_text;
    QColor warning_soft;
    QColor error_text;
    QColor hatch_back; ///< masked cells
    QColor hatch_line;
};

/// The theme in force. Widgets that cache anything made from it renew it on QEvent::PaletteChange.
const Theme& theme();
/// One of the two looks whatever is in force: for figures in files.
const Theme& themeFor(bool dark);
/// Sets palette and style sheet of the application.
void applyTheme(ThemeChoice choice);

} // namespace attnlab::ui
