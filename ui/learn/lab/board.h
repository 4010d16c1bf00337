// The central widget of lessons and labs: one class for each kind of board, all views of a SceneModel.
#pragma once

#include "ui/drawing/drawing.h"

#include <QMap>
#include <QString>
#include <QWidget>

#include <memory>

namespace attnlab::ui {

/// Made for one font size: its frame replaces it when that changes.
class Board : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Texts of a lesson beside the cards, by card id (Markdown in one line).
    virtual void setWords(const QMap<QString, QString>& words) = 0;
    /// The displayed content, for a picture or a handout; null while there is none.
    virtual std::shared_ptr<const Drawing> picture() const = 0;
    /// False while parts of the picture (a curve) are still being computed.
    virtual bool isSettled() const { return true; }
    /// Whether its parts take smaller letters rather than scroll.
    virtual void setFitting(bool) {}
};

} // namespace attnlab::ui
