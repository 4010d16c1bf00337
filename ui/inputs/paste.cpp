#include "ui/inputs/paste.h"

#include "ui/inputs/declared_inputs.h"
#include "ui/inputs/number_entry.h"
#include "ui/inputs/resize.h"
#include "ui/text.h"

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

/// The size of the whole tensor when one of its matrices takes the size of `block`; nothing when its rank has no room.
std::optional<Shape> shapeFor(const Tensor& tensor, const Tensor& block) {
    auto shape = tensor.shape();
    const auto rows = block.dim(0), columns = block.dim(1);
    if (shape.empty())
        return std::nullopt;
    if (shape.size() == 1) {
        // A column of numbers is as good a list as a row.
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

QStringList toQt(const std::vector<std::string>& labels) {
    QStringList list;
    for (const auto& label : labels)
        list << QString::fromStdString(label);
    return list;
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
            problem = withTokenLabels(problem, declared, *tokens, first, toQt(labels).mid(0, count));
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
    // A lone "0,5" is one number to somebody with a decimal comma, not a row of two.
    if (const auto number = typedNumber(text))
        return {Tensor({1, 1}, *number), {}, {}};
    return io::read_table(text.toStdString(), Paste::tr("Clipboard").toStdString());
}

Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table) {
    const auto found = problem.tensors.find(place.tensor.toStdString());
    if (found == problem.tensors.end() || table.values.size() == 0)
        return {{}, {}, Paste::tr("There is nothing to paste")};
    const auto& tensor = found->second;
    if (const auto why = whyRefused(table.values, tensor.dtype()); !why.isEmpty())
        return {{}, {}, why};

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

    const bool first_cell = bounds == CellRange{0, 0, 1, 1};
    const bool everything = bounds == CellRange{0, 0, view.rows, view.columns};
    CellRange target{bounds.top, bounds.left, block.dim(0), block.dim(1)};
    auto next = problem;
    QString message;
    if (const auto shape = shapeFor(tensor, block); (first_cell || everything) && shape) {
        next = resized(problem, place.tensor, *shape);
        target = {0, 0, shape->size() == 1 ? 1 : block.dim(0), shape->back()};
        message = Paste::tr("Paste replaces the tensor: %1").arg(shapeText({target.rows, target.columns}));
    } else {
        const auto inside = clipped(target, view.rows, view.columns);
        if (inside != target)
            message = Paste::tr("Pasted %1 of %2 cells; select the first cell to replace the whole tensor")
                          .arg(shapeText({inside.rows, inside.columns}), shapeText({target.rows, target.columns}));
        target = inside;
    }
    auto& changed = next.tensors.find(found->first)->second;
    const auto fitting = block.dim(0) == target.rows || changed.rank() != 1
                             ? block
                             : block.reshaped({1, block.size()}); // a column into a list
    changed = withBlock(changed, place.leading, target.top, target.left, fitting);
    adoptLabels(next, place, target, table);
    return {std::move(next), target, message};
}

} // namespace attnlab::ui
