// Options shared by the commands that draw: size, resolution, colours.
#pragma once

#include "app/command_parser.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"

#include <memory>
#include <QGuiApplication>

namespace attnlab::app {

/// All rows of ui::figureFields().
void addFigureOptions(CommandParser& parser);
/// Applies the options to `usual`. Throws UsageError.
ui::FigureOptions readFigureOptions(const QCommandLineParser& parser, ui::FigureOptions usual = {});
/// Throws UsageError for a family that is not installed. Needs a QGuiApplication.
void checkFont(const ui::FigureOptions& options);
/// Warns of options of figures that a file of this type does not use: numbers have no look, vectors no resolution,
/// and LaTeX sets its own letters. Pages of HTML are left out.
void noteIdleFigureOptions(const QCommandLineParser& parser, const QString& suffix);
/// Prints what a picture of this type breaks of the rules of its style.
void noteStyle(const ui::FigureOptions& options, const QString& suffix);
/// Names labels whose letters a type cannot show: see ui::lostLetters().
void noteLetters(const ui::Figure& figure, const ui::FigureOptions& options, const QString& suffix);
/// Prints what a picture of this type carries beside its pixels: inputs and settings, or settings alone.
void noteInputs(const ui::FigureOptions& options, const ui::FigureOrigin& origin, const QString& suffix);
/// The options that apply only to heatmaps.
QStringList heatmapOptions();

/// An integer from low to high. Throws UsageError.
int readNumber(const QCommandLineParser& parser, const char* option, int low, int high);

/// An application without a display: drawing only needs fonts, charts need widgets.
class OffscreenApplication {
public:
    explicit OffscreenApplication(const QString& program, bool has_widgets = false);

private:
    QByteArray name_;
    int count_ = 1;
    char* words_[2];
    std::unique_ptr<QGuiApplication> application_;
};

} // namespace attnlab::app
