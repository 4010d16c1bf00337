// Every exportable file format: one row each, used by the dialog, the writers and the command line.
#pragma once

#include "core/io/file_formats.h"
#include "core/message.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/animation.h"

#include <QStringList>

#include <vector>

namespace attnlab::ui {

enum class FormatKind { Picture, Animation, Numbers, Pages, WebPage };

struct Format {
    FormatKind kind;
    QString suffix;          ///< without the dot
    const char* title;       ///< for the user; ATTNLAB_TEXT
    bool has_pixels = false; ///< has a resolution
    QImage (*preview)(const Figure&, const FigureOptions&,
                      const QSize& largest) = nullptr;                                ///< of a Picture or Animation
    QByteArray (*draw)(const Figure&, const FigureOptions&) = nullptr;                ///< for a Picture
    std::unique_ptr<FrameEncoder> (*encoder)(const QSize& size, bool loop) = nullptr; ///< for an Animation
    const io::TensorFormat* tensors = nullptr;                                        ///< for Numbers
    bool heatmaps_only = false; ///< of a Picture: it draws no other pictures
    bool has_settings = false;  ///< of a Picture: it contains the settings that made it (core/io/saved/figure_file.h)
    /// Who draws the letters of a Picture: this program, as pixels or as outlines, or who shows the file.
    enum class Letters { Pixels, Outlines, Viewer, Latex } letters = Letters::Pixels;
};
/// Text tables first, then formats of one array, then formats of several.
const std::vector<Format>& formats();

/// "png", "svg", "pdf".
QStringList suffixesOf(FormatKind kind);
/// "png|svg|pdf": for the help of a command.
QString suffixWords(FormatKind kind);
/// Null if there is none.
const Format* findFormat(FormatKind kind, const QString& suffix);
/// By the extension of a path. Throws Error that names the known ones.
const Format& formatOf(FormatKind kind, const QString& path);

/// What a file of this format does not show of the labels and names of a figure: letters that no font here has, emoji
/// in colours of a PDF, and letters that pdfLaTeX lacks. Needs a QGuiApplication.
std::vector<Message> lostLetters(const Format& format, const Figure& figure, const FigureOptions& options);

} // namespace attnlab::ui
