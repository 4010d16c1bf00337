// The operation between two stages, typeset.
#pragma once

#include "ui/widgets/label.h"

#include <QLineF>
#include <QTextLayout>

#include <vector>

namespace attnlab::ui {

/// Shows "÷ √4", "Q·Kᵀ", "W_o" as formulas: matrices in italics, the bar of a root over what is under it, subscripts
/// lowered. Where the width is too small it ends in an ellipsis; text() stays whole.
class OperationLabel : public Label {
public:
    explicit OperationLabel(QWidget* parent);

    /// The width that shows all of it.
    static int widthOf(const QString& operation, const QFont& font);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// What is painted: the text without marks of subscripts, and the formats of its parts.
struct TypesetOperation {
    struct Root {
        int start, end; ///< of the sign, and after what is under it
    };
    QString text;
    QList<QTextLayout::FormatRange> formats;
    std::vector<Root> roots;
};
TypesetOperation typeset(const QString& operation);

/// The bar of a root in the coordinates of a layout of one line: it begins in the sign, at its top.
QLineF rootBar(const QTextLayout& layout, const TypesetOperation::Root& root);
double rootBarThickness(const QFont& font);

} // namespace attnlab::ui
