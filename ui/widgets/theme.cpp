#include "ui/widgets/theme.h"

#include "ui/widgets/style.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>

namespace attnlab::ui {
namespace {

const Theme light{false,
                  QColor(0xf3, 0xf4, 0xf6),
                  QColor(0xff, 0xff, 0xff),
                  QColor(0xdd, 0xe0, 0xe5),
                  QColor(0x1c, 0x20, 0x26),
                  QColor(0x5f, 0x67, 0x72),
                  QColor(0x25, 0x63, 0xd6),
                  QColor(0xe6, 0xee, 0xfb),
                  QColor(0xe0, 0x6c, 0x12),
                  QColor(0x8a, 0x4b, 0x00),
                  QColor(0xff, 0xf3, 0xd6),
                  QColor(0xb4, 0x23, 0x18),
                  QColor(0xee, 0xef, 0xf2),
                  QColor(0xc3, 0xc7, 0xce)};
const Theme dark{true,
                 QColor(0x17, 0x1a, 0x1e),
                 QColor(0x1f, 0x23, 0x29),
                 QColor(0x36, 0x3b, 0x43),
                 QColor(0xe6, 0xe8, 0xeb),
                 QColor(0x9b, 0xa3, 0xae),
                 QColor(0x6e, 0xa8, 0xfe),
                 QColor(0x22, 0x33, 0x4f),
                 QColor(0xff, 0x8a, 0x2b),
                 QColor(0xf2, 0xc1, 0x66),
                 QColor(0x40, 0x32, 0x14),
                 QColor(0xff, 0x8a, 0x80),
                 QColor(0x26, 0x2b, 0x32),
                 QColor(0x43, 0x4a, 0x54)};

const Theme* current = &light;

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.window);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, theme.dark ? theme.card.lighter(118) : QColor(0xfa, 0xfa, 0xfb));
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.error_text);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.dark ? QColor(0x10, 0x14, 0x1a) : QColor(Qt::white));
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::Light, theme.dark ? theme.card.lighter(140) : QColor(Qt::white));
    palette.setColor(QPalette::Midlight, theme.border);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.dark ? QColor(0x10, 0x12, 0x15) : QColor(0xb9, 0xbe, 0xc6));
    palette.setColor(QPalette::Shadow, Qt::black);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.muted);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.border);
    return palette;
}

bool systemIsDark() {
    // Qt 6.4 lacks QStyleHints::colorScheme: derived from the style's own palette.
    const QPalette palette = QApplication::style()->standardPalette();
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

} // namespace

const Theme& theme() { return *current; }

const Theme& themeFor(bool wants_dark) { return wants_dark ? dark : light; }

void applyTheme(ThemeChoice choice) {
    const bool wants_dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark());
    current = wants_dark ? &dark : &light;
    QApplication::setStyle(new Style);
    QApplication::setPalette(paletteOf(*current));
}

} // namespace attnlab::ui
