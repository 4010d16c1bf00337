// The choices that commands which draw share: size, resolution, colours.
#pragma once

#include "app/command_parser.h"
#include "ui/drawing/figure.h"

#include <QGuiApplication>

namespace attnlab::app {

/// Size, resolution, fonts, title, and what colours mean.
void addFigureOptions(CommandParser& parser);
/// Lays the options over `usual`. Throws UsageError.
ui::FigureOptions readFigureOptions(const QCommandLineParser& parser, ui::FigureOptions usual = {});
/// Throws UsageError for a family that is not installed. Needs a QGuiApplication.
void checkFont(const ui::FigureOptions& options);
/// The names of the options that mean something to heatmaps alone.
QStringList heatmapOptions();

/// An integer from low to high. Throws UsageError.
int readNumber(const QCommandLineParser& parser, const char* option, int low, int high);

/// Drawing needs fonts but no display, whatever the environment offers.
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
