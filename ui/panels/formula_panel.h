// The formula of what is being computed.
#pragma once

#include "core/attention.h"

#include <QFrame>

class QLabel;

namespace attnlab::ui {

class Document;
class FormulaView;

/// The typeset line of the setting: softmax(...)V with the scale in it, and with M where a mask or bias is set. Empty
/// for a scale that has no such line.
QString attentionFormula(const AttentionSpec& spec);

/// A card: the attention line of the present setting, under it where Q, K and V come from and what becomes of the
/// heads, and the mechanism in words.
class FormulaPanel : public QFrame {
    Q_OBJECT
public:
    explicit FormulaPanel(const Document& document, QWidget* parent = nullptr);

    FormulaView* attentionView() const { return attention_; }
    FormulaView* variantView() const { return variant_; }
    FormulaView* positionView() const { return position_; }

signals:
    /// The page about the present mechanism is wanted.
    void helpRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow(const AttentionProblem& problem);
    void restyle();

    const Document& document_;
    FormulaView* attention_;
    FormulaView* variant_;
    FormulaView* position_; ///< hidden where the spec has none
    QLabel* help_;
};

} // namespace attnlab::ui
