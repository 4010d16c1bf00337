// The option --out with names in braces: "{stem}_{head}.pdf" is one file for each input and head.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>

namespace attnlab::app {

class OutPattern {
public:
    /// Throws UsageError for a name in braces that is not one of stem, pass, stage, batch and head.
    explicit OutPattern(QString text);

    /// True where the text has the name in braces; any name where it is empty.
    bool has(const QString& name = {}) const;
    /// The file for these values. Throws UsageError where an earlier call has returned it.
    QString path(const QHash<QString, QString>& values);

private:
    QString text_;
    QSet<QString> used_;
};

} // namespace attnlab::app
