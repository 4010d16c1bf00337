#include "ui/panels/inputs/paste.h"

#include "ui/panels/inputs/number_entry.h"
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

} // namespace

std::unique_ptr<QMimeData> mimeOf(const Tensor& cells, const QStringList& row_labels,
                                  const QStringList& column_labels) {
    const auto view = matrix_at(cells);
    QString text, html = QStringLiteral("<table>");
    const auto add_row = [&](QStringList fields, const char* tag, const QString& label) {
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
        add_row(column_labels, "th", {});
    for (std::int64_t row = 0; row < view.rows; ++row) {
        QStringList fields;
        for (const double value : view.row(row))
            fields << editText(value);
        add_row(fields, "td", row_labels.value(row));
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

} // namespace attnlab::ui
