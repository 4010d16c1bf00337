// A typeset formula.
#pragma once

#include <QString>
#include <QWidget>

#include <memory>

class QSvgRenderer;

namespace attnlab::ui {

/// True if resources/formulas/<id>.svg exists.
bool hasFormula(const QString& id);
/// Its plain text (the file's <title>); empty if there is no such file.
QString formulaText(const QString& id);

/// A formula of resources/formulas as a picture in the colours of the theme, for views, entries of a picker, and
/// figures.
class Formula {
public:
    Formula();
    /// Coloured by `text` and `accent` (the scale's part).
    Formula(const QString& id, const QColor& text, const QColor& accent);
    Formula(Formula&&) noexcept;
    Formula& operator=(Formula&&) noexcept;
    ~Formula();

    bool isNull() const { return renderer_ == nullptr; }
    /// Size when one em of the formula is `em` pixels.
    QSizeF size(qreal em) const;
    void paint(QPainter& painter, const QRectF& target) const;

private:
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
