// What can be exported from something, independent of the dialog.
#pragma once

#include "ui/export/animation.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"

#include <QHash>

#include <functional>
#include <memory>

namespace attnlab::ui {

/// An option in addition to the common options of pictures and animations: a yes or no, a number, or a name.
struct ExportChoice {
    QString id; ///< also the name of its field
    QString label;
    int value = 0; ///< 1 for yes; the index of a name
    int least = 0;
    int most = 1; ///< above 1: a number
    QStringList names = {};
    bool (*fits)(const Format&) = nullptr; ///< null: applies to every format
    QString title = {};                    ///< of the picture while this is chosen; empty: as without it
    QString name = {};                     ///< the same of the proposed name of its file
};

/// The user's choices.
struct ExportSettings {
    const Format* format = nullptr;
    FigureOptions figure = {};       ///< of a picture
    AnimationOptions animation = {}; ///< of an animation, with its pictures
    QHash<QString, int> choices = {};
    std::shared_ptr<const FigureOrigin> origin = nullptr; ///< that pictures carry; null: none
};

/// One possible output. Its functions own their data: all except `figure` may outlive the dialog, and `write` runs in a
/// worker thread.
struct ExportOutput {
    QString id; ///< "picture"
    FormatKind kind;
    QString title; ///< "The picture of weights"
    QString name;  ///< proposed file name, without suffix
    int steps = 0; ///< number of steps of an animation
    /// The preview; empty: no preview.
    std::function<Figure(const ExportSettings&)> figure = {};
    /// The same of an output that takes time to make: the bytes of its PDF file, made in a worker thread. If they are
    /// ready, the file gets them instead of what `write` makes.
    std::function<QByteArray(const ExportSettings&, const RunControl&)> bytes = {};
    /// A sentence that describes the output; empty: none.
    std::function<QString(const ExportSettings&)> words = {};
    /// The files written for a path; empty: that path.
    std::function<QStringList(const QString& path, const ExportSettings&)> files = {};
    /// Writes each file atomically. Throws Error, Cancelled.
    std::function<void(const QString& path, const ExportSettings&, const RunControl&)> write = {};
};

struct ExportSubject {
    QString title;             ///< of the dialog
    FigureOptions figure = {}; ///< initial options of pictures
    bool has_dpi = false;      ///< their resolution too
    bool is_heatmap = false;   ///< pictures have numbers, a colour bar and a range of colours
    bool has_logarithm = true; ///< a heatmap's scale may be logarithmic
    std::vector<ExportChoice> choices = {};
    std::vector<ExportOutput> outputs = {};
    std::shared_ptr<const FigureOrigin> origin = nullptr; ///< that pictures carry; null: none
};

ExportOutput pictureOutput(const QString& title, const QString& name,
                           std::function<Figure(const ExportSettings&)> figure);
/// `still` is its preview.
ExportOutput animationOutput(const QString& title, const QString& name, const Figure& still,
                             const DrawingSequence& sequence);

} // namespace attnlab::ui
