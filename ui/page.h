// A page of the window's centre, and what the window's commands do on it.
#pragma once

#include "ui/computation.h"

#include <QStringList>
#include <QWidget>

class QDialog;

namespace attnlab::ui {

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
    virtual QString copyMatrix() { return {}; }
    virtual QString copyPicture() { return {}; }
    /// Asks what of it to write where. Nothing happens where there is nothing to write.
    virtual void askForExport() = 0;
    /// The same with all steps of a page that plays, as an animated picture.
    virtual void askForAnimation() {}

signals:
    void exported(const QStringList& files);
    /// A button of the page is pressed that asks for askForAnimation().
    void animationRequested();

protected:
    /// For a page that shows one matrix.
    template <class Matrix>
    static void zoom(Matrix& matrix, Zoom how) {
        how == Zoom::In ? matrix.zoomIn() : how == Zoom::Out ? matrix.zoomOut() : matrix.zoomToFit();
    }
    /// Over the window, until it is closed.
    void open(QDialog* dialog);
    /// What the copying functions return for a picture.
    static QString pictureCopied();
};

} // namespace attnlab::ui
