// The choices that commands which draw share: size, resolution, colours.
#pragma once

#include "ui/plot/figure.h"
#include "ui/view_state.h"

#include <QCommandLineParser>
#include <QGuiApplication>

namespace attnlab::app {

/// --colormap, --size, --dpi, --title and --dark.
void addFigureOptions(QCommandLineParser& parser);
/// Throw UsageError.
ui::FigureOptions readFigureOptions(const QCommandLineParser& parser);
ui::ColorChoice readColors(const QCommandLineParser& parser);

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
