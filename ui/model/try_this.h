// First experiments with the model that comes with the program.
#pragma once

#include "ui/model/model_result.h"

#include <array>
#include <optional>
#include <QAbstractButton>
#include <QString>
#include <QWidget>

namespace attnlab::ui {

class HeadEffects;
class ModelSession;
class TryStep;

/// A list of three experiments. A click does one; it is ticked when it has been done, in whatever way. Ticks are kept
/// between runs of the program, and a list that is done is not shown at the next start. Hidden for other models.
class TryThis : public QWidget {
    Q_OBJECT
public:
    enum Step { TurnOff, ChangeName, OpenHead };
    static constexpr int steps = 3;

    TryThis(ModelSession& session, const HeadEffects& effects, QWidget* parent = nullptr);

    TryStep* step(Step step) const { return rows_[static_cast<std::size_t>(step)]; }
    /// The head was opened in the workspace.
    void noteOpened();
    /// Hidden in a low window.
    void setLow(bool low);

signals:
    /// The head that changes the answer most.
    void turnOffRequested(attnlab::ui::HeadIndex head);
    void textRequested(const QString& text);
    void openRequested();

private:
    void act(Step step);
    void note(Step step);
    void refresh();

    ModelSession& session_;
    const HeadEffects& effects_;
    std::array<TryStep*, steps> rows_{};
    bool low_ = false;
    bool was_done_; ///< at the start
};

/// A circle with a tick once it is done, and words that wrap.
class TryStep : public QAbstractButton {
    Q_OBJECT
public:
    TryStep(const QString& words, const QString& help, QWidget* parent = nullptr);

    void setDone(bool done);
    bool isDone() const { return done_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRect wordsRect(int width) const;

    bool done_ = false;
};

} // namespace attnlab::ui
