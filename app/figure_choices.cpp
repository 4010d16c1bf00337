#include "app/figure_choices.h"

#include "app/spec_options.h"
#include "ui/drawing/colormap.h"

#include <QFontDatabase>

#include <cmath>
#include <optional>

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

std::optional<double> readLimit(const QCommandLineParser& parser, const char* option, std::optional<double> usual) {
    if (!parser.isSet(option))
        return usual;
    const auto text = parser.value(option);
    if (text == QLatin1String("auto"))
        return std::nullopt;
    bool ok = false;
    const double value = text.toDouble(&ok);
    if (!ok || !std::isfinite(value))
        throw UsageError("--" + std::string(option) + ": has '" + text.toStdString() +
                         "', expected auto or a finite number");
    return value;
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

void addFigureOptions(CommandParser& parser) {
    parser.addOptions(
        {{"size", "Size in points (1/72 inch, as everywhere in AttnLab).", "WxH", "480x400"},
         {"dpi", "Pixels an inch of a PNG.", "N", "150"},
         {"title", "A heading; without it there is none.", "TEXT"},
         {"font", "The font family, as fc-list shows it; default: sans-serif.", "FAMILY"},
         {"font-size",
          "Size of labels and numbers in whole points, 4 to 72; default: 10, or down to 6 where more labels have room "
          "then. Token labels without room are left out evenly, and the axis says at which step.",
          "PT"},
         {"dark", "Light on dark."},
         {"colormap", "viridis, magma, cividis, blue_red or blue_red_dark; default: as the window picks.", "C"},
         {"log", "Logarithmic colours."},
         {"linear", "Linear colours, whatever a workspace says."},
         {"vmin", "Where the colours begin, or auto; default: where the data does.", "X"},
         {"vmax",
          "Where the colours end, or auto; default: where the data does. Of blue_red and blue_red_dark one end alone "
          "mirrors the other.",
          "X"},
         {"no-inputs", "Leaves out the settings and arrays that a figure carries, so that AttnLab opens it again."},
         {"no-color-bar", "No colour bar."},
         {"no-numbers", "No numbers in the cells; they are there where they fit otherwise."}});
}

QStringList heatmapOptions() { return {"colormap", "log", "linear", "vmin", "vmax", "no-color-bar", "no-numbers"}; }

FigureOptions readFigureOptions(const QCommandLineParser& parser, FigureOptions options) {
    if (parser.isSet("size"))
        options.size_points = readSize(parser.value("size"));
    if (parser.isSet("dpi"))
        options.dpi = readNumber(parser, "dpi", 10, 2400);
    if (parser.isSet("title"))
        options.title = parser.value("title");
    options.dark = options.dark || parser.isSet("dark");
    if (parser.isSet("font"))
        options.font_family = parser.value("font");
    if (parser.isSet("font-size"))
        options.font_points = readNumber(parser, "font-size", 4, 72);
    if (parser.isSet("colormap"))
        options.colormap = readColormap(parser.value("colormap"))->id;
    if (parser.isSet("log") && parser.isSet("linear"))
        throw UsageError("--log: does not go with --linear");
    options.logarithmic = parser.isSet("log") || (options.logarithmic && !parser.isSet("linear"));
    options.low = readLimit(parser, "vmin", options.low);
    options.high = readLimit(parser, "vmax", options.high);
    options.color_bar = options.color_bar && !parser.isSet("no-color-bar");
    options.keeps_inputs = options.keeps_inputs && !parser.isSet("no-inputs");
    options.numbers = options.numbers && !parser.isSet("no-numbers");
    try {
        checkFigure(options);
    } catch (const Error& error) {
        throw UsageError(
            std::string(parser.isSet("vmin") || parser.isSet("vmax") ? "--vmin, --vmax, --log: " : "--size, --dpi: ") +
            error.what());
    }
    return options;
}

void checkFont(const FigureOptions& options) {
    const QString& family = options.font_family;
    if (family.isEmpty() || QStringList{"sans-serif", "serif", "monospace"}.contains(family, Qt::CaseInsensitive))
        return;
    const auto installed = QFontDatabase::families();
    if (!installed.contains(family, Qt::CaseInsensitive))
        throw UsageError("--font: '" + family.toStdString() +
                         "' is not installed here; expected sans-serif, serif, monospace or one of " +
                         installed.mid(0, 12).join(QStringLiteral(", ")).toStdString() +
                         (installed.size() > 12 ? ", ... (fc-list : family)" : ""));
}

OffscreenApplication::OffscreenApplication(const QString& program)
    : name_(program.toLocal8Bit()), words_{name_.data(), nullptr} {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    application_ = std::make_unique<QGuiApplication>(count_, words_);
}

} // namespace attnlab::app
