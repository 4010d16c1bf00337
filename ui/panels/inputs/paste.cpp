#include "ui/panels/inputs/paste.h"

#include "ui/panels/inputs/declared_inputs.h"
#include "ui/panels/inputs/number_entry.h"
#include "ui/panels/inputs/resize.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QMimeData>

namespace attnlab::ui {
namespace {

struct Paste {
    Q_DECLARE_TR_FUNCTIONS(Paste)
};

QString htmlCell(const QString& text, const char* tag) {
    return QStringLiteral("<%1>%2</%1>").arg(QLatin1String(tag), text.toHtmlEscaped());
}

/// The size of the whole tensor when one of its matrices has the size of `block`; nullopt when its rank is too low.
std::optional<Shape> shapeFor(const Tensor& tensor, const Tensor& block) {
    auto shape = tensor.shape();
    const auto rows = block.dim(0), columns = block.dim(1);
    if (shape.empty())
        return std::nullopt;
    if (shape.size() == 1) {
        // A list may be a column or a row.
        if (rows != 1 && columns != 1)
            return std::nullopt;
        return Shape{rows * columns};
    }
    shape[shape.size() - 2] = rows;
    shape.back() = columns;
    return shape;
}

QString whyRefused(const Tensor& values, DType dtype) {
    for (const double value : values.values())
        if (const auto why = refusalOf(value, dtype); !why.isEmpty())
            return why;
    return {};
}

void adoptLabels(AttentionProblem& problem, const MatrixPlace& place, const CellRange& cells, const io::Table& table) {
    const auto declared = declaredInputs(problem.spec);
    const auto name = place.tensor.toStdString();
    const auto* input = findInput(declared, name);
    if (!input)
        return;
    const auto dims = dimsAt(*input, problem.tensors.find(name)->second.rank());
    const auto adopt = [&](std::size_t from_end, std::int64_t first, std::int64_t count, const auto& labels) {
        if (labels.empty() || dims.size() < from_end)
            return;
        if (const auto tokens = tokensAlong(dims[dims.size() - from_end]))
            problem = withTokenLabels(problem, declared, *tokens, first, textsOf(labels).mid(0, count));
    };
    adopt(1, cells.left, cells.columns, table.column_labels);
    adopt(2, cells.top, cells.rows, table.row_labels);
}

} // namespace

std::unique_ptr<QMimeData> mimeOf(const Tensor& cells, const QStringList& row_labels,
                                  const QStringList& column_labels) {
    const auto view = matrix_at(cells);
    QString text, html = QStringLiteral("<table>");
    const auto addRow = [&](QStringList fields, const char* tag, const QString& label) {
        html += QLatin1String("<tr>");
        if (!row_labels.isEmpty())
            html += htmlCell(label, "th");
        for (const auto& field : fields)
            html += htmlCell(field, tag);
        html += QLatin1String("</tr>");
        if (!row_labels.isEmpty())
            fields.prepend(label);
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    if (!column_labels.isEmpty())
        addRow(column_labels, "th", {});
    for (std::int64_t row = 0; row < view.rows; ++row) {
        QStringList fields;
        for (const double value : view.row(row))
            fields << editText(value);
        addRow(fields, "td", row_labels.value(row));
    }
    auto mime = std::make_unique<QMimeData>();
    mime->setText(text);
    mime->setHtml(html + QLatin1String("</table>"));
    return mime;
}

io::Table tableFrom(const QString& text) {
    // A lone "0,5" is one number for users with a decimal comma, not a row of two.
    if (const auto number = typedNumber(text))
        return {Tensor({1, 1}, *number), {}, {}};
    return io::read_table(text.toStdString(), Paste::tr("Clipboard").toStdString());
}

namespace {

/// Writes the block at `target`; the previous content may have another size.
Pasted withTable(AttentionProblem next, const MatrixPlace& place, const CellRange& target, const io::Table& table,
                 const QString& message) {
    auto& changed = next.tensors.find(place.tensor.toStdString())->second;
    const auto& block = table.values;
    const auto fitting = block.dim(0) == target.rows || changed.rank() != 1
                             ? block
                             : block.reshaped({1, block.size()}); // a column becomes a list
    changed = withBlock(changed, place.leading, target.top, target.left, fitting);
    adoptLabels(next, place, target, table);
    return {std::move(next), target, message};
}

/// Why nothing can be pasted; empty if it can.
QString refusal(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table) {
    const auto found = problem.tensors.find(place.tensor.toStdString());
    if (found == problem.tensors.end() || table.values.size() == 0)
        return Paste::tr("There is nothing to paste");
    return whyRefused(table.values, found->second.dtype());
}

} // namespace

Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table) {
    if (const auto why = refusal(problem, place, table); !why.isEmpty())
        return {{}, {}, why};
    const auto found = problem.tensors.find(place.tensor.toStdString());
    const auto& tensor = found->second;
    if (tensor.rank() == 1 && table.values.dim(0) > 1 && table.values.dim(1) == 1) // a list may be a column or a row
        return pasted(problem, place, selection,
                      {table.values.reshaped({1, table.values.size()}), {}, table.row_labels});
    const auto view = allCells(tensor);
    const auto block = table.values;
    const auto bounds =
        selection.empty() ? CellRange{0, 0, 1, 1} : clipped(boundsOf(selection), view.rows, view.columns);
    if (block.size() == 1 && table.row_labels.empty()) {
        const auto ranges = selection.empty() ? CellRanges{bounds} : selection;
        auto next = problem;
        next.tensors.find(found->first)->second = withCells(tensor, place.leading, ranges, block.values()[0]);
        return {std::move(next), bounds, {}};
    }
    if (view.rows == 0 || view.columns == 0)
        return pastedAsTensor(problem, place, table);
    const CellRange target{bounds.top, bounds.left, block.dim(0), block.dim(1)};
    const auto inside = clipped(target, view.rows, view.columns);
    QString message;
    if (inside != target)
        message = Paste::tr("Pasted %1 of %2 cells; “Paste as the whole tensor” takes the size of what is pasted")
                      .arg(shapeText({inside.rows, inside.columns}), shapeText({target.rows, target.columns}));
    return withTable(problem, place, inside, table, message);
}

Pasted pastedAsTensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table) {
    if (const auto why = refusal(problem, place, table); !why.isEmpty())
        return {{}, {}, why};
    const auto& tensor = problem.tensors.find(place.tensor.toStdString())->second;
    const auto& block = table.values;
    const auto shape = shapeFor(tensor, block);
    if (!shape)
        return {{},
                {},
                Paste::tr("%1 has one axis, and %2 cells are no list")
                    .arg(place.tensor, shapeText({block.dim(0), block.dim(1)}))};
    const CellRange target{0, 0, shape->size() == 1 ? 1 : block.dim(0), shape->back()};
    return withTable(resized(problem, place.tensor, *shape), place, target, table,
                     Paste::tr("Paste replaces the tensor: %1").arg(shapeText({target.rows, target.columns})));
}

} // namespace attnlab::ui
