#include "app/figure_choices.h"

#include "app/output.h"
#include "app/spec_options.h"
#include "ui/export/formats.h"

#include <QApplication>
#include <QFontDatabase>

#include <string>
#include <utility>

namespace attnlab::app {

using namespace attnlab::ui;

int readNumber(const QCommandLineParser& parser, const char* option, int low, int high) {
    bool ok = false;
    const int value = parser.value(option).toInt(&ok);
    if (!ok || value < low || value > high)
        throw UsageError("--" + std::string(option) + ": has '" + parser.value(option).toStdString() +
                         "', expected an integer from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
}

void addFigureOptions(CommandParser& parser) {
    for (const auto& field : figureFields()) {
        const QString id = QLatin1String(field.id), help = QLatin1String(field.help),
                      value = QLatin1String(field.value);
        parser.addOption(value.isEmpty() ? QCommandLineOption(id, help) : QCommandLineOption(id, help, value));
    }
}

QStringList heatmapOptions() {
    QStringList ids;
    for (const auto& field : figureFields())
        if (field.of_heatmaps)
            ids << QLatin1String(field.id);
    return ids;
}

FigureOptions readFigureOptions(const QCommandLineParser& parser, FigureOptions options) {
    constexpr std::pair<const char*, const char*> opposites[] = {{"log", "linear"},
                                                                 {"bar-label", "no-color-bar"},
                                                                 {"digits", "no-numbers"},
                                                                 {"xlabel", "no-labels"},
                                                                 {"ylabel", "no-labels"}};
    for (const auto& [option, without] : opposites)
        if (parser.isSet(option) && parser.isSet(without))
            throw UsageError(std::string("--") + option + ": does not go with --" + without);
    for (const auto& field : figureFields())
        if (parser.isSet(QLatin1String(field.id)))
            try {
                field.set(options, parser.value(QLatin1String(field.id)));
            } catch (const Error& error) {
                throw UsageError("--" + std::string(field.id) + ": " + error.what());
            }
    try {
        checkFigure(options);
    } catch (const Error& error) {
        throw UsageError(
            std::string(parser.isSet("vmin") || parser.isSet("vmax") ? "--vmin, --vmax, --log: " : "--size, --dpi: ") +
            error.what());
    }
    return options;
}

void noteIdleFigureOptions(const QCommandLineParser& parser, const QString& suffix) {
    const auto warn = [&](const char* option, const char* why) {
        if (parser.isSet(QLatin1String(option)))
            printError("attnlab: warning: --" + std::string(option) + " has no effect on ." + suffix.toStdString() +
                       ", " + why);
    };
    const auto* format = findFormat(FormatKind::Picture, suffix);
    if (!format && !findFormat(FormatKind::WebPage, suffix))
        for (const auto& field : figureFields())
            warn(field.id, "which is no picture");
    if (format && !format->has_pixels)
        warn("dpi", "which has no pixels");
    if (format && format->letters == Format::Letters::Latex)
        warn("font", "whose letters LaTeX chooses");
}

void noteStyle(const FigureOptions& options, const QString& suffix) {
    const auto* format = findFormat(FormatKind::Picture, suffix);
    for (const auto& issue : styleIssues(options, format && format->has_pixels))
        printError("attnlab: note: --style " + issue.english());
}

void noteLetters(const Figure& figure, const FigureOptions& options, const QString& suffix) {
    if (const auto* format = findFormat(FormatKind::Picture, suffix))
        for (const auto& lost : lostLetters(*format, figure, options))
            printError("attnlab: note: " + lost.english());
}

void noteInputs(const FigureOptions& options, const FigureOrigin& origin, const QString& suffix) {
    const auto* format = findFormat(FormatKind::Picture, suffix);
    if (!options.keeps_inputs || !format || !format->has_settings)
        return;
    printError(origin.has_arrays
                   ? "attnlab: note: the figure carries its inputs and settings; --no-inputs leaves them out"
                   : "attnlab: note: the figure carries its settings; its inputs are too large for a figure, which "
                     "therefore does not open without them: " +
                         io::text_of(origin.left_out));
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

OffscreenApplication::OffscreenApplication(const QString& program, bool has_widgets)
    : name_(program.toLocal8Bit()), words_{name_.data(), nullptr} {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (has_widgets)
        application_ = std::make_unique<QApplication>(count_, words_);
    else
        application_ = std::make_unique<QGuiApplication>(count_, words_);
}

} // namespace attnlab::app
