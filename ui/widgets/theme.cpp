#include "ui/widgets/theme.h"

#include "ui/widgets/style.h"

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QStyle>
#include <QSvgRenderer>

namespace attnlab::ui {
namespace {

const Theme light{.dark = false,
                  .high_contrast = false,
                  .window = QColor(0xf3, 0xf4, 0xf6),
                  .card = QColor(0xff, 0xff, 0xff),
                  .control = QColor(0xfa, 0xfa, 0xfb),
                  .border = QColor(0xdd, 0xe0, 0xe5),
                  .outline = QColor(0x80, 0x88, 0x93),
                  .text = QColor(0x1c, 0x20, 0x26),
                  .muted = QColor(0x5f, 0x67, 0x72),
                  .accent = QColor(0x25, 0x63, 0xd6),
                  .on_accent = QColor(0xff, 0xff, 0xff),
                  .accent_soft = QColor(0xe6, 0xee, 0xfb),
                  .pin = QColor(0xb3, 0x4f, 0x00),
                  .warning_text = QColor(0x8a, 0x4b, 0x00),
                  .warning_soft = QColor(0xff, 0xf3, 0xd6),
                  .error_text = QColor(0xb4, 0x23, 0x18),
                  .error_soft = QColor(0xfd, 0xec, 0xeb),
                  .hatch_back = QColor(0xee, 0xef, 0xf2),
                  .hatch_line = QColor(0x83, 0x8a, 0x94),
                  .ahead = QColor(0xd8, 0xdb, 0xe1)};
const Theme dark{.dark = true,
                 .high_contrast = false,
                 .window = QColor(0x17, 0x1a, 0x1e),
                 .card = QColor(0x1f, 0x23, 0x29),
                 .control = QColor(0x25, 0x29, 0x30),
                 .border = QColor(0x36, 0x3b, 0x43),
                 .outline = QColor(0x74, 0x7d, 0x89),
                 .text = QColor(0xe6, 0xe8, 0xeb),
                 .muted = QColor(0x9b, 0xa3, 0xae),
                 .accent = QColor(0x6e, 0xa8, 0xfe),
                 .on_accent = QColor(0x10, 0x14, 0x1a),
                 .accent_soft = QColor(0x22, 0x33, 0x4f),
                 .pin = QColor(0xff, 0x8a, 0x2b),
                 .warning_text = QColor(0xf2, 0xc1, 0x66),
                 .warning_soft = QColor(0x40, 0x32, 0x14),
                 .error_text = QColor(0xff, 0x8a, 0x80),
                 .error_soft = QColor(0x43, 0x20, 0x1f),
                 .hatch_back = QColor(0x26, 0x2b, 0x32),
                 .hatch_line = QColor(0x75, 0x7e, 0x8a),
                 .ahead = QColor(0x4a, 0x51, 0x5b)};
const Theme contrast_light{.dark = false,
                           .high_contrast = true,
                           .window = QColor(0xff, 0xff, 0xff),
                           .card = QColor(0xff, 0xff, 0xff),
                           .control = QColor(0xff, 0xff, 0xff),
                           .border = QColor(0x00, 0x00, 0x00),
                           .outline = QColor(0x00, 0x00, 0x00),
                           .text = QColor(0x00, 0x00, 0x00),
                           .muted = QColor(0x38, 0x38, 0x38),
                           .accent = QColor(0x0b, 0x3d, 0x91),
                           .on_accent = QColor(0xff, 0xff, 0xff),
                           .accent_soft = QColor(0xdc, 0xe8, 0xff),
                           .pin = QColor(0x9c, 0x3d, 0x00),
                           .warning_text = QColor(0x5c, 0x32, 0x00),
                           .warning_soft = QColor(0xff, 0xf1, 0xcc),
                           .error_text = QColor(0x8f, 0x0d, 0x0d),
                           .error_soft = QColor(0xff, 0xe4, 0xe1),
                           .hatch_back = QColor(0xff, 0xff, 0xff),
                           .hatch_line = QColor(0x50, 0x50, 0x50),
                           .ahead = QColor(0xc9, 0xcd, 0xd4)};
const Theme contrast_dark{.dark = true,
                          .high_contrast = true,
                          .window = QColor(0x00, 0x00, 0x00),
                          .card = QColor(0x00, 0x00, 0x00),
                          .control = QColor(0x00, 0x00, 0x00),
                          .border = QColor(0xff, 0xff, 0xff),
                          .outline = QColor(0xff, 0xff, 0xff),
                          .text = QColor(0xff, 0xff, 0xff),
                          .muted = QColor(0xd2, 0xd2, 0xd2),
                          .accent = QColor(0x74, 0xd1, 0xff),
                          .on_accent = QColor(0x00, 0x00, 0x00),
                          .accent_soft = QColor(0x0c, 0x2f, 0x4a),
                          .pin = QColor(0xff, 0xa0, 0x4d),
                          .warning_text = QColor(0xff, 0xd8, 0x66),
                          .warning_soft = QColor(0x33, 0x28, 0x00),
                          .error_text = QColor(0xff, 0xaa, 0xa2),
                          .error_soft = QColor(0x3d, 0x12, 0x10),
                          .hatch_back = QColor(0x00, 0x00, 0x00),
                          .hatch_line = QColor(0xb4, 0xb4, 0xb4),
                          .ahead = QColor(0x4a, 0x51, 0x5b)};

const Theme* current = &light;

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.window);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, theme.control);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.error_text);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.on_accent);
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

double luminance(const QColor& color) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// Qt 6.4 lacks QStyleHints::colorScheme, and any way to ask for high contrast: both are derived from the palette that
/// the platform gives before we set ours.
const Theme& systemTheme() {
    static const QPalette platform = QApplication::palette();
    const QPalette style = QApplication::style()->standardPalette();
    const auto is_dark = [](const QPalette& palette) {
        return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    };
    constexpr double almost_black_on_white = 20.0;
    if (contrastOf(platform.color(QPalette::Window), platform.color(QPalette::WindowText)) >= almost_black_on_white)
        return is_dark(platform) ? contrast_dark : contrast_light;
    return is_dark(style) ? dark : light;
}

} // namespace

double contrastOf(const QColor& one, const QColor& other) {
    const auto [less, more] = std::minmax({luminance(one), luminance(other)});
    constexpr double flare = 0.05;
    return (more + flare) / (less + flare);
}

const Theme& theme() { return *current; }

const Theme& themeFor(bool wants_dark) { return wants_dark ? dark : light; }

const Theme& themeOf(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::Light:
        return light;
    case ThemeChoice::Dark:
        return dark;
    case ThemeChoice::ContrastLight:
        return contrast_light;
    case ThemeChoice::ContrastDark:
        return contrast_dark;
    case ThemeChoice::System:
        break;
    }
    return systemTheme();
}

void applyTheme(ThemeChoice choice) {
    [[maybe_unused]] static const Theme& before_ours = systemTheme(); // reads the platform's palette
    current = &themeOf(choice);
    QApplication::setStyle(new Style);
    QApplication::setPalette(paletteOf(*current));
}

namespace {

QColor colorFor(QIcon::Mode mode) {
    const QPalette palette = QGuiApplication::palette();
    switch (mode) {
    case QIcon::Disabled: {
        // The palette's disabled text is readable; a disabled icon is fainter.
        QColor color = palette.color(QPalette::Disabled, QPalette::ButtonText);
        color.setAlphaF(0.45F);
        return color;
    }
    case QIcon::Selected:
        return palette.color(QPalette::HighlightedText);
    case QIcon::Normal:
    case QIcon::Active:
        break;
    }
    return palette.color(QPalette::ButtonText);
}

class PaletteIconEngine : public QIconEngine {
public:
    PaletteIconEngine(QString name, QByteArray svg) : name_(std::move(name)), svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QColor color = colorFor(mode);
        QByteArray colored = svg_;
        colored.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(colored);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        painter->save();
        painter->setOpacity(painter->opacity() * color.alphaF());
        renderer.render(painter, QRectF(rect));
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("attnlab-icon/%1/%2x%3/%4")
                                .arg(name_)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colorFor(mode).name(QColor::HexArgb));
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QString iconName() override { return name_; }
    QString key() const override { return QStringLiteral("attnlab"); }
    QIconEngine* clone() const override { return new PaletteIconEngine(*this); }

private:
    QString name_;
    QByteArray svg_;
};

} // namespace

QIcon icon(const QString& name) {
    QFile file(QStringLiteral(":/attnlab/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new PaletteIconEngine(name, file.readAll()));
}

namespace {

bool asked_for = false;

} // namespace

bool reducedMotion() {
    return asked_for || QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}

void setReducedMotion(bool reduced) { asked_for = reduced; }

} // namespace attnlab::ui
