// How an exported animation runs: which steps, how fast, once or for ever.
#pragma once

#include "ui/export/animation.h"

#include <QWidget>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

/// In a dialog, which is open in one language.
class AnimationPage : public QWidget {
    Q_OBJECT
public:
    /// Begins with all `steps`.
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
