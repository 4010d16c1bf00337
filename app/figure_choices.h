// Options shared by the commands that draw: size, resolution, colours.
#pragma once

#include "app/command_parser.h"
#include "ui/drawing/figure.h"

#include <QGuiApplication>

namespace attnlab::app {

/// Size, resolution, fonts, title, and colours.
void addFigureOptions(CommandParser& parser);
/// Applies the options to `usual`. Throws UsageError.
ui::FigureOptions readFigureOptions(const QCommandLineParser& parser, ui::FigureOptions usual = {});
/// Throws UsageError for a family that is not installed. Needs a QGuiApplication.
void checkFont(const ui::FigureOptions& options);
/// The options that apply only to heatmaps.
QStringList heatmapOptions();

/// An integer from low to high. Throws UsageError.
int readNumber(const QCommandLineParser& parser, const char* option, int low, int high);

/// An application without a display: drawing only needs fonts.
class OffscreenApplication {
public:
    explicit OffscreenApplication(const QString& program);

private:
    QByteArray name_;
    int count_ = 1;
    char* words_[2];
    std::unique_ptr<QGuiApplication> application_;
};

} // namespace attnlab::app
