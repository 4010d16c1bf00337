// One line of text with mathematics: subscripts and superscripts instead of "_" and "^".
#pragma once

#include "ui/widgets/labels.h"

#include <QFont>
#include <QPointF>
#include <QString>
#include <vector>

class QPainter;

namespace attnlab::ui {

struct NotationRun {
    QString text;
    int level = 0; ///< 1 raised, -1 lowered
    bool operator==(const NotationRun&) const = default;
};

using Notation = std::vector<NotationRun>;

/// "a_ij = exp(m_ij − lse_i)" with lowered indices, "2^(−8h/H)" with a raised exponent. An underscore within a name,
/// as in "position_bias", becomes a space.
Notation notationOf(const QString& plain);

double notationWidth(const Notation& notation, const QFont& font);
/// Broken between words into lines that fit `width`; a word that is wider has a line of its own.
std::vector<Notation> notationLines(const Notation& notation, double width, const QFont& font);
/// From `left` on the baseline of the text without scripts, in the painter's colour.
void paintNotation(QPainter& painter, QPointF left, const Notation& notation, const QFont& font);

/// One line of text that may be a formula.
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
