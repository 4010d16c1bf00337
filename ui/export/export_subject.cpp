#include "ui/export/export_subject.h"

#include "ui/export/export.h"

namespace attnlab::ui {

ExportOutput pictureOutput(const QString& title, const QString& name,
                           std::function<Figure(const ExportSettings&)> figure) {
    ExportOutput output{QStringLiteral("picture"), FormatKind::Picture, title, name};
    output.write = [figure](const QString& path, const ExportSettings& settings, const RunControl& control) {
        writeFigure(path, figure(settings), settings.figure, settings.origin.get(), control);
    };
    output.figure = std::move(figure);
    return output;
}

ExportOutput animationOutput(const QString& title, const QString& name, const Figure& still,
                             const DrawingSequence& sequence) {
    ExportOutput output{QStringLiteral("animation"), FormatKind::Animation, title, name, sequence.count};
    output.figure = [still](const ExportSettings&) { return still; };
    output.write = [sequence](const QString& path, const ExportSettings& settings, const RunControl& control) {
        writeAnimation(path, sequence, settings.animation, control);
    };
    return output;
}

} // namespace attnlab::ui
