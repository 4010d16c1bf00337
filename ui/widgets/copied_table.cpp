#include "ui/widgets/copied_table.h"

#include "core/message.h"

#include <QMimeData>
#include <string>

namespace attnlab::ui {
namespace {

/// The text and the HTML of a table, written row by row.
class CopiedTable {
public:
    explicit CopiedTable(bool has_row_labels) : has_row_labels_(has_row_labels) {}

    void beginRow(const QString& label) {
        html_ += "<tr>";
        is_first_ = true;
        if (has_row_labels_)
            addLabel(label);
    }
    void addLabel(const QString& label) { add(label.toStdString(), label.toHtmlEscaped().toStdString(), "th"); }
    void addNumber(double value) {
        const auto number = to_text(value);
        add(number, number, "td");
    }
    void endRow() {
        text_ += '\n';
        html_ += "</tr>";
    }
    std::unique_ptr<QMimeData> mime() const {
        auto mime = std::make_unique<QMimeData>();
        mime->setText(QString::fromStdString(text_));
        mime->setHtml(QString::fromStdString("<table>" + html_ + "</table>"));
        return mime;
    }

private:
    void add(const std::string& text, const std::string& escaped, const char* tag) {
        if (!is_first_)
            text_ += '\t';
        is_first_ = false;
        text_ += text;
        html_.append("<").append(tag).append(">").append(escaped).append("</").append(tag).append(">");
    }

    bool has_row_labels_;
    bool is_first_ = true;
    std::string text_, html_;
};

} // namespace

std::unique_ptr<QMimeData> mimeOf(const MatrixView& cells, const QStringList& row_labels,
                                  const QStringList& column_labels) {
    CopiedTable table(!row_labels.isEmpty());
    if (!column_labels.isEmpty()) {
        table.beginRow({});
        for (const auto& label : column_labels)
            table.addLabel(label);
        table.endRow();
    }
    for (std::int64_t row = 0; row < cells.rows; ++row) {
        table.beginRow(row_labels.value(row));
        for (const double value : cells.row(row))
            table.addNumber(value);
        table.endRow();
    }
    return table.mime();
}

} // namespace attnlab::ui
