// Shows the formula of the current computation.
#pragma once

#include "core/attention.h"

#include <optional>
#include <QFrame>

namespace attnlab::ui {

class Document;
class ElidedLabel;
class FormulaView;
class LinkButton;

/// The typeset line of the setting: softmax(...)V with its scale, and with M if a mask or bias is set. Empty for a
/// scale without such a line.
QString attentionFormula(const AttentionSpec& spec);

/// A card: the attention line of the current setting, below it the definitions of Q, K and V and the use of the heads,
/// and one line about the mechanism.
class FormulaPanel : public QFrame {
    Q_OBJECT
public:
    explicit FormulaPanel(const Document& document, QWidget* parent = nullptr);

    FormulaView* attentionView() const { return attention_; }
    FormulaView* variantView() const { return variant_; }
    FormulaView* positionView() const { return position_; }
    FormulaView* fillView() const { return fill_; }

    /// The words about the mechanism whole in a high window, else cut to a line.
    void setHigh(bool high);
    QString shownHelp() const;

signals:
    /// The user requests the page about the current mechanism.
    void helpRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow(const AttentionProblem& problem);
    void restyle();

    const Document& document_;
    std::optional<AttentionSpec> followed_; ///< the setting on show
    FormulaView* attention_;
    FormulaView* scale_; ///< with another normaliser than softmax, whose line has it
    FormulaView* variant_;
    FormulaView* position_; ///< hidden if the spec has none
    FormulaView* decay_;    ///< likewise
    FormulaView* fill_;     ///< hidden if masks replace no score by a finite number
    ElidedLabel* help_;
    LinkButton* more_; ///< to the page about it
};

} // namespace attnlab::ui
