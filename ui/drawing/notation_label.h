// One line of text that may be a formula.
#pragma once

#include "ui/drawing/notation.h"
#include "ui/widgets/elided_label.h"

namespace attnlab::ui {

/// Typesets a formula, and leaves it out where it does not fit; elides other texts.
class NotationLabel : public ElidedLabel {
public:
    using ElidedLabel::ElidedLabel;

    void setFormula(const QString& plain);
    void setWords(const QString& words);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize withScripts(const QSize& line) const;

    Notation formula_; ///< empty: the text is shown
};

} // namespace attnlab::ui
