// A page of the window's centre, with the window's commands for it.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/random_numbers.h"
#include "ui/export/export_subject.h"

#include <QStringList>
#include <QWidget>

namespace attnlab::ui {

/// Numbers to copy, with their name.
struct NamedMatrix {
    MatrixData matrix;
    QString name;
};

/// A figure to copy as a picture.
struct StyledFigure {
    Figure figure;
    FigureOptions options;
};

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// The title of the displayed content, also for figures: "weights · head 2".
    virtual QString title() const = 0;
    /// The latest result; may be null.
    virtual void setTrace(ComputedPtr computed) = 0;

    /// A row with the title and controls, which the centre places beside the switch of pages; may be null.
    virtual QWidget* header() const { return nullptr; }

    /// Hides secondary parts in a low window.
    virtual void setLow(bool) {}

    enum class Zoom { In, Out, Fit };
    virtual bool canZoom() const { return false; }
    virtual void zoom(Zoom) {}

    /// Copy the displayed content to the clipboard. They return a message for the user; empty: there is nothing to
    /// copy.
    virtual QString copyMatrix();
    virtual QString copyPicture();
    /// The picture on paper, with its title; nullopt if there is none.
    std::optional<StyledFigure> figureToPrint() const;
    /// Opens the export dialog; `output` is preselected. Pictures carry `origin`, if it is not null. False if there is
    /// nothing to export.
    bool askForExport(const QString& output = {}, std::shared_ptr<const FigureOrigin> origin = nullptr);

    /// Each picture of this page that depends on random numbers is marked so at the end of its title.
    void setMadeUp(const RandomNumbers& made_up) { made_up_ = made_up; }

signals:
    void exported(const QStringList& files);
    /// The user has asked to export the steps as an animation.
    void animationRequested();

protected:
    /// For pages that show one matrix.
    template <class Matrix>
    static void zoom(Matrix& matrix, Zoom how) {
        how == Zoom::In ? matrix.zoomIn() : how == Zoom::Out ? matrix.zoomOut() : matrix.zoomToFit();
    }
    /// The content for copyMatrix and copyPicture; nullopt if there is none.
    virtual std::optional<NamedMatrix> shownMatrix() const { return std::nullopt; }
    virtual std::optional<StyledFigure> shownFigure() const { return std::nullopt; }
    virtual std::optional<ExportSubject> exportSubject() const { return std::nullopt; }
    /// The only stage whose numbers the picture shows; empty: it may show any.
    virtual std::string markedStage() const { return {}; }
    /// The message after copying a picture.
    static QString pictureCopied();

private:
    QString mark() const { return made_up_.markOf(markedStage()); }

    RandomNumbers made_up_;
};

} // namespace attnlab::ui
