#include "ui/panels/inspector/arithmetic_html.h"

#include "ui/widgets/theme.h"

#include <QFontMetrics>

namespace attnlab::ui {
namespace {

const QString table_start = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\">");

QString tableRow(const ArithmeticLine& line) {
    const QString muted = theme().muted.name(), accent = theme().accent.name();
    QString value = line.value_text.toHtmlEscaped();
    if (line.answer)
        value = QStringLiteral("<b style=\"color:%1\">%2</b>").arg(accent, value);
    QString text = line.expression.toHtmlEscaped();
    if (!line.power.isEmpty())
        text = QStringLiteral("e<sup>%1</sup>").arg(line.power.toHtmlEscaped());
    if (!line.value_text.isEmpty())
        text = text.isEmpty() ? QStringLiteral("= %1").arg(value) : QStringLiteral("%1 = %2").arg(text, value);
    else if (line.answer)
        text = QStringLiteral("<b style=\"color:%1\">%2</b>").arg(accent, text);
    if (line.label.isEmpty()) // a cell across both columns would widen the first
        return QStringLiteral("</table><p style=\"margin:3px 0\">%1</p>").arg(text) + table_start;
    return QStringLiteral("<tr><td style=\"color:%1; padding-right:10px; padding-top:3px\">%2</td>"
                          "<td style=\"padding-top:3px\">%3</td></tr>")
        .arg(muted, line.label.toHtmlEscaped(), text);
}

} // namespace

QString tableHtml(const std::vector<ArithmeticLine>& lines) {
    QString rows;
    for (const auto& line : lines)
        if (line.parts.isEmpty())
            rows += tableRow(line);
    return rows.isEmpty() ? QString() : table_start + rows + QStringLiteral("</table>");
}

QStringList wrappedLines(const QString& text, int width, const QFontMetrics& metrics) {
    QStringList lines{QString()};
    for (const QString& word : text.split(QLatin1Char(' '))) {
        QString& line = lines.last();
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width)
            lines << word;
        else
            line = longer;
    }
    return lines;
}

} // namespace attnlab::ui
