// What lessons and labs show in their middle: one widget for each kind of board, all of them views of a SceneModel.
#pragma once

#include "ui/drawing/drawing.h"

#include <QMap>
#include <QString>
#include <QWidget>

#include <memory>

namespace attnlab::ui {

/// For one language and size of type: the frame that holds a board makes another one when they change.
class Board : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Words beside the cards, by card id (Markdown in one line); of a lesson.
    virtual void setWords(const QMap<QString, QString>& words) = 0;
    /// What is on show, to be drawn into a picture or a handout; null before there is anything.
    virtual std::shared_ptr<const Drawing> picture() const = 0;
    /// False while parts of the picture (a curve) are still being computed.
    virtual bool isSettled() const { return true; }
};

} // namespace attnlab::ui
