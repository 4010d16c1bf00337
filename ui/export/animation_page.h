// Options of an exported animation: range of steps, speed, loop.
#pragma once

#include "ui/export/animation.h"

#include <QWidget>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

/// For a modal dialog, which does not change its language.
class AnimationPage : public QWidget {
    Q_OBJECT
public:
    /// Initially with all `steps`.
    explicit AnimationPage(int steps, QWidget* parent = nullptr);

    AnimationOptions options(const FigureOptions& figure) const;

private:
    void showLength();

    QDoubleSpinBox* seconds_;
    QSpinBox* first_;
    QSpinBox* last_;
    QCheckBox* loop_;
    QLabel* length_;
};

} // namespace attnlab::ui
