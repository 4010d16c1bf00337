// Formulas: in one line of text, with subscripts and superscripts instead of "_" and "^", and typeset.
#pragma once

#include "ui/widgets/labels.h"

#include <array>
#include <memory>
#include <QFont>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <vector>

class QPainter;
class QSvgRenderer;

namespace attnlab::ui {

struct Theme;

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

/// True if resources/formulas/<id>.svg exists.
bool hasFormula(const QString& id);
/// Its plain text (the file's <title>); empty if there is no such file.
QString formulaText(const QString& id);

/// A formula of resources/formulas as a picture in the colours of the theme, for views, entries of a picker, and
/// figures.
class Formula {
public:
    Formula();
    /// The scale has the accent of `look`, queries, keys and values have the colours of their roles.
    Formula(const QString& id, const QColor& text, const Theme& look);
    /// In one colour.
    Formula(const QString& id, const QColor& all);
    Formula(Formula&&) noexcept;
    Formula& operator=(Formula&&) noexcept;
    ~Formula();

    bool isNull() const { return renderer_ == nullptr; }
    /// Size when one em of the formula is `em` pixels.
    QSizeF size(qreal em) const;
    void paint(QPainter& painter, const QRectF& target) const;

private:
    using RoleColors = std::array<QColor, 3>;
    Formula(const QString& id, const QColor& text, const QColor& accent, const RoleColors& roles);

    std::unique_ptr<QSvgRenderer> renderer_;
};

/// Shows one formula, left-aligned, as large as requested or as its width allows; the plain text if there is no typeset
/// formula. The plain text is its accessible name and tooltip.
class FormulaView : public QWidget {
    Q_OBJECT
public:
    explicit FormulaView(QWidget* parent = nullptr);
    ~FormulaView() override;

    /// `plain_text` may be empty when a typeset formula exists.
    void setFormula(const QString& id, const QString& plain_text = {});
    QString id() const { return id_; }
    QString plainText() const { return plain_text_; }
    /// Pixels of one em as it is shown; 0 without a typeset formula.
    qreal shownEm() const;

    /// Largest size relative to the widget's font, initially 1.4.
    void setMaximumScale(qreal scale);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void renew();
    QSizeF fittedSize(qreal width) const;

    QString id_;
    QString plain_text_;
    Formula formula_;
    qreal maximum_scale_ = 1.4;
};

} // namespace attnlab::ui
