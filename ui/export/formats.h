// Every type of file that can be exported: one row each, read by the dialog, the writers and the command line.
#pragma once

#include "core/io/file_formats.h"
#include "ui/drawing/figure.h"
#include "ui/export/frame_encoder.h"

#include <QStringList>

#include <vector>

namespace attnlab::ui {

enum class FormatKind { Picture, Animation, Numbers, Pages };

struct Format {
    FormatKind kind;
    QString suffix;                                                    ///< without the dot
    const char* title;                                                 ///< for people; ATTNLAB_TEXT
    bool has_pixels = false;                                           ///< so its resolution can be chosen
    QByteArray (*draw)(const Figure&, const FigureOptions&) = nullptr; ///< of a Picture
    std::unique_ptr<FrameEncoder> (*encoder)(const QSize& size, bool loop) = nullptr; ///< of an Animation
    const io::TensorFormat* tensors = nullptr;                                        ///< of Numbers
};
/// Text tables first, then what holds one array, then what holds several.
const std::vector<Format>& formats();

/// "png", "svg", "pdf".
QStringList suffixesOf(FormatKind kind);
/// "png|svg|pdf": for the help of a command.
QString suffixWords(FormatKind kind);
/// Null where there is none.
const Format* findFormat(FormatKind kind, const QString& suffix);
/// By the extension of a path. Throws Error that names those that there are.
const Format& formatOf(FormatKind kind, const QString& path);

} // namespace attnlab::ui
