// How an exported animation runs: which steps, how fast, once or for ever.
#pragma once

#include "ui/export/animation.h"

#include <QWidget>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

class AnimationPage : public QWidget {
    Q_OBJECT
public:
    explicit AnimationPage(QWidget* parent = nullptr);

    /// How many steps there are to choose from; all of them are chosen.
    void setCount(int steps);
    AnimationOptions options(const FigureOptions& figure) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showLength();

    QDoubleSpinBox* seconds_;
    QSpinBox* first_;
    QSpinBox* last_;
    QCheckBox* loop_;
    QLabel* length_;
    QFormLayout* form_;
};

} // namespace attnlab::ui
