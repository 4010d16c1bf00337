// The themes: light, dark, and both with high contrast; their icons and their motion.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QWidget;

namespace attnlab::ui {

enum class ThemeChoice { System, Light, Dark, ContrastLight, ContrastDark };

/// Colours without a role in the palette. Against every background here, text has a contrast of at least 4.5, and
/// `outline`, `accent` and `pin` of at least 3; with high contrast, text has 7. ui.contrast checks this.
struct Theme {
    bool dark;
    bool high_contrast;
    QColor window;  ///< behind the panels
    QColor card;    ///< panels
    QColor control; ///< buttons
    QColor border;  ///< of cards and between areas: decoration, fainter than `outline` except with high contrast
    QColor outline; ///< of controls, grids and bars
    QColor text;
    QColor muted;       ///< secondary text
    QColor accent;      ///< selection, focus, links
    QColor on_accent;   ///< text on `accent`
    QColor accent_soft; ///< background of something selected
    QColor pin;         ///< the pinned cell
    QColor warning_text;
    QColor warning_soft;
    QColor error_text;
    QColor error_soft;
    QColor hatch_back; ///< masked cells
    QColor hatch_line;
    QColor ahead; ///< cells that a causal mask blocks: unlike the least of every colour map, and the middle of those
                  ///< with two ends
};

/// The current theme. Widgets that cache anything made from it update on QEvent::PaletteChange.
const Theme& theme();
/// The light or the dark theme regardless of the current one: for figures in files.
const Theme& themeFor(bool dark);
/// The theme of a choice; that of the system depends on its palette, which may ask for high contrast.
const Theme& themeOf(ThemeChoice choice);
/// Sets style and palette of the application.
void applyTheme(ThemeChoice choice);

/// The contrast of two opaque colours as WCAG 2 defines it: 1 to 21.
double contrastOf(const QColor& one, const QColor& other);

// The program's own icons, in the colours of the palette.

/// The icon resources/icons/<name>.svg. It uses the application's palette whenever it is painted, so it follows the
/// theme; disabled, active and selected states have the palette's colours too. A null icon if there is no such file.
QIcon icon(const QString& name);

// Whether things may move on the screen.

/// True if the user asked for it with setReducedMotion(), or the platform shows no animations: whatever would move or
/// fade then changes at once.
bool reducedMotion();
void setReducedMotion(bool reduced);

} // namespace attnlab::ui
