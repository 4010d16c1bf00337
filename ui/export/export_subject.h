// What there is to export of something, apart from the dialog that asks how and where.
#pragma once

#include "ui/export/animation.h"
#include "ui/export/formats.h"

#include <QHash>

#include <functional>

namespace attnlab::ui {

/// A choice beside those of every picture and animation: yes or no, a number, or one of several names.
struct ExportChoice {
    QString id; ///< also the name of its field
    QString label;
    int value = 0; ///< 1: yes; of names their index
    int least = 0;
    int most = 1; ///< above 1: a number
    QStringList names = {};
    bool (*fits)(const Format&) = nullptr; ///< null: every format has it
};

/// What the user has chosen.
struct ExportSettings {
    const Format* format = nullptr;
    FigureOptions figure = {};       ///< of a picture
    AnimationOptions animation = {}; ///< of an animation, with its pictures
    QHash<QString, int> choices = {};
};

/// One thing that can be written. Its functions keep what they need: all but `figure` are called without the dialog,
/// and `write` on a worker.
struct ExportOutput {
    QString id; ///< "picture"
    FormatKind kind;
    QString title; ///< "The picture of weights"
    QString name;  ///< proposed for its file, without suffix
    int steps = 0; ///< of an animation
    /// What the preview shows; none: there is no preview.
    std::function<Figure(const ExportSettings&)> figure = {};
    /// A sentence about what will be written; none: nothing has to be said.
    std::function<QString(const ExportSettings&)> words = {};
    /// The files that are written for a path; none: that path.
    std::function<QStringList(const QString& path, const ExportSettings&)> files = {};
    /// Each file is written whole or not at all. Throws Error, Cancelled.
    std::function<void(const QString& path, const ExportSettings&, const RunControl&)> write = {};
};

struct ExportSubject {
    QString title;             ///< of the dialog
    FigureOptions figure = {}; ///< what pictures begin with
    bool is_heatmap = false;   ///< so that pictures have numbers, a colour bar and a range of colours
    bool has_logarithm = true; ///< the scale of a heatmap can be chosen
    std::vector<ExportChoice> choices = {};
    std::vector<ExportOutput> outputs = {};
};

ExportOutput pictureOutput(const QString& title, const QString& name,
                           std::function<Figure(const ExportSettings&)> figure);
/// `still` is its preview.
ExportOutput animationOutput(const QString& title, const QString& name, const Figure& still,
                             const DrawingSequence& sequence);

} // namespace attnlab::ui
