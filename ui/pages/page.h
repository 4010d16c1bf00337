// A page of the window's centre, and what the window's commands do on it.
#pragma once

#include "ui/document/computation.h"
#include "ui/export/export_subject.h"

#include <QStringList>
#include <QWidget>

namespace attnlab::ui {

/// What is copied as numbers, and what it is called.
struct NamedMatrix {
    MatrixData matrix;
    QString name;
};

/// What is copied as a picture.
struct StyledFigure {
    Figure figure;
    FigureOptions options;
};

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Of what is on show, also for figures: "weights · head 2".
    virtual QString title() const = 0;
    /// The newest result; null: there is none.
    virtual void setTrace(ComputedPtr computed) = 0;

    enum class Zoom { In, Out, Fit };
    virtual bool canZoom() const { return false; }
    virtual void zoom(Zoom) {}

    /// Put what is on show on the clipboard. They return what to tell the user; empty: there is nothing to copy.
    virtual QString copyMatrix();
    virtual QString copyPicture();
    /// Asks what of it to write where; `output` is proposed. Nothing happens where there is nothing to write.
    void askForExport(const QString& output = {});

signals:
    void exported(const QStringList& files);
    /// A button of the page is pressed that asks for an export of its steps as an animated picture.
    void animationRequested();

protected:
    /// For a page that shows one matrix.
    template <class Matrix>
    static void zoom(Matrix& matrix, Zoom how) {
        how == Zoom::In ? matrix.zoomIn() : how == Zoom::Out ? matrix.zoomOut() : matrix.zoomToFit();
    }
    /// What copyMatrix and copyPicture copy; nothing while there is nothing.
    virtual std::optional<NamedMatrix> shownMatrix() const { return std::nullopt; }
    virtual std::optional<StyledFigure> shownFigure() const { return std::nullopt; }
    virtual std::optional<ExportSubject> exportSubject() const { return std::nullopt; }
    /// What the copying functions return for a picture.
    static QString pictureCopied();
};

} // namespace attnlab::ui
