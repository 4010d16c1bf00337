#include "app/out_pattern.h"

#include "app/spec_options.h"

#include <QRegularExpression>
#include <QStringList>

namespace attnlab::app {
namespace {

const QRegularExpression& nameInBraces() {
    static const QRegularExpression form(QStringLiteral("\\{([A-Za-z_]*)\\}"));
    return form;
}

} // namespace

OutPattern::OutPattern(QString text) : text_(std::move(text)) {
    const QStringList known{"stem", "pass", "stage", "batch", "head"};
    auto names = nameInBraces().globalMatch(text_);
    while (names.hasNext())
        if (const QString name = names.next().captured(1); !known.contains(name))
            throw UsageError("--out: has {" + name.toStdString() + "}, expected names among {" +
                             known.join(QStringLiteral("}, {")).toStdString() + "}");
}

bool OutPattern::has(const QString& name) const {
    return name.isEmpty() ? text_.contains(nameInBraces()) : text_.contains(QLatin1Char('{') + name + QLatin1Char('}'));
}

QString OutPattern::path(const QHash<QString, QString>& values) {
    QString path = text_;
    for (auto [name, value] : values.asKeyValueRange()) {
        QString part = value;
        part.replace(QLatin1Char('/'), QLatin1Char('_')); // names of passes may have it
        path.replace(QLatin1Char('{') + name + QLatin1Char('}'), part);
    }
    if (used_.contains(path))
        throw UsageError("--out: would write '" + path.toStdString() +
                         "' twice; {stem}, {pass}, {stage} and {head} tell files apart");
    used_.insert(path);
    return path;
}

} // namespace attnlab::app
