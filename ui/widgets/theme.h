// The light and dark themes. Widgets use these colours when they paint, and the palette otherwise.
#pragma once

#include <QColor>
#include <QString>

class QWidget;

namespace attnlab::ui {

enum class ThemeChoice { System, Light, Dark };

/// Colours without a role in the palette; text colours have a contrast of at least 4.5 against `card`.
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

/// The current theme. Widgets that cache anything made from it update on QEvent::PaletteChange.
const Theme& theme();
/// One of the two themes regardless of the current one: for figures in files.
const Theme& themeFor(bool dark);
/// Sets palette and style sheet of the application.
void applyTheme(ThemeChoice choice);

} // namespace attnlab::ui
