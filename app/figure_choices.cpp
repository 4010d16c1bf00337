#include "app/figure_choices.h"

#include "app/spec_options.h"
#include "ui/plot/colormap.h"

namespace attnlab::app {

using namespace attnlab::ui;

namespace {

QSizeF readSize(const QString& text) {
    const auto parts = text.split(QLatin1Char('x'));
    bool wide = false, high = false;
    const QSizeF size(parts.value(0).toDouble(&wide), parts.value(1).toDouble(&high));
    if (parts.size() != 2 || !wide || !high || !(size.width() >= 36 && size.height() >= 36) || size.width() > 14400 ||
        size.height() > 14400)
        throw UsageError("--size: has '" + text.toStdString() + "', expected WIDTHxHEIGHT in points, 36 to 14400 each");
    return size;
}

const Colormap* readColormap(const QString& id) {
    QStringList known;
    for (const auto& map : colormaps()) {
        if (map.id == id)
            return &map;
        known << map.id;
    }
    throw UsageError("--colormap: has '" + id.toStdString() + "', expected one of " +
                     known.join(QStringLiteral(", ")).toStdString());
}

} // namespace

int readNumber(const QCommandLineParser& parser, const char* option, int low, int high) {
    bool ok = false;
    const int value = parser.value(option).toInt(&ok);
    if (!ok || value < low || value > high)
        throw UsageError("--" + std::string(option) + ": has '" + parser.value(option).toStdString() +
                         "', expected an integer from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
}

void addFigureOptions(QCommandLineParser& parser) {
    parser.addOptions({{"colormap", "viridis, magma, cividis or blue_red; default: as the window picks.", "C"},
                       {"size", "Size in points (1/72 inch).", "WxH", "480x400"},
                       {"dpi", "Pixels an inch of a PNG.", "N", "150"},
                       {"title", "A heading.", "TEXT"},
                       {"dark", "Light on dark."}});
}

FigureOptions readFigureOptions(const QCommandLineParser& parser) {
    FigureOptions options;
    options.size_points = readSize(parser.value("size"));
    options.dpi = readNumber(parser, "dpi", 10, 2400);
    options.title = parser.value("title");
    options.dark = parser.isSet("dark");
    try {
        checkFigure(options);
    } catch (const Error& error) {
        throw UsageError("--size, --dpi: " + std::string(error.what()));
    }
    return options;
}

ColorChoice readColors(const QCommandLineParser& parser) {
    ColorChoice colors;
    if (parser.isSet("colormap"))
        colors.colormap = readColormap(parser.value("colormap"))->id;
    return colors;
}

OffscreenApplication::OffscreenApplication(const QString& program)
    : name_(program.toLocal8Bit()), words_{name_.data(), nullptr} {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    application_ = std::make_unique<QGuiApplication>(count_, words_);
}

} // namespace attnlab::app
