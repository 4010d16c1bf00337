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
    QString name = {};                     ///< proposed name of the file while this is chosen; empty: as without it
    QStringList outputs = {};              ///< ids of those that it applies to; empty: all
};

/// Some of a list of names, at least one, such as heads.
struct ExportSelection {
    QString id;
    QString label;
    QStringList names = {};
    QList<int> chosen = {};
    QString all = {}; ///< text of all of `names` but the last `others`; empty: they are not offered together
    int others = 0;   ///< at the end of the names: no part of `all`
    QStringList outputs = {};
};

/// The user's choices.
struct ExportSettings {
    const Format* format = nullptr;
    FigureOptions figure = {};       ///< of a picture
    AnimationOptions animation = {}; ///< of an animation, with its pictures
    QHash<QString, int> choices = {};
    QHash<QString, QList<int>> selections = {};           ///< ascending
    std::shared_ptr<const FigureOrigin> origin = nullptr; ///< that pictures carry; null: none
};

/// One possible output. Its functions own their data: all except `figure` may outlive the dialog, and `write` runs in a
/// worker thread.
struct ExportOutput {
    QString id; ///< "picture"
    FormatKind kind;
    QString title;           ///< "The picture of weights"
    QString name;            ///< proposed file name, without suffix
    int steps = 0;           ///< number of steps of an animation
    bool is_drawing = false; ///< a picture without heatmaps, whatever the subject says
    bool has_origin = true;  ///< a picture that carries the subject's origin, if there is one
    /// The preview; empty: no preview.
    std::function<Figure(const ExportSettings&)> figure = {};
    /// The same of an output that takes time to make: the bytes of its PDF file, made in a worker thread. If they are
    /// ready, the file gets them instead of what `write` makes.
    std::function<QByteArray(const ExportSettings&, const RunControl&)> bytes = {};
    /// A preview that takes time: within `largest` pixels, made in a worker thread.
    std::function<QImage(const ExportSettings&, const QSize& largest, const RunControl&)> slow_preview = {};
    /// The title of the picture and the name of its file, as they depend on the choices; empty: they do not.
    std::function<QString(const ExportSettings&)> title_of = {}, name_of = {};
    /// The options that this picture uses of those in the dialog; empty: all.
    std::function<FigureOptions(FigureOptions)> adjusted = {};
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
    std::vector<ExportSelection> selections = {};
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
