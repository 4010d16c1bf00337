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
    QString path;
    qsizetype done = 0;
    for (auto names = nameInBraces().globalMatch(text_); names.hasNext();) {
        const auto name = names.next();
        QString part = values.value(name.captured(1), name.captured());
        part.replace(QLatin1Char('/'), QLatin1Char('_')); // names of passes may have it
        path += QStringView(text_).mid(done, name.capturedStart() - done);
        path += part;
        done = name.capturedEnd();
    }
    path += QStringView(text_).mid(done);
    if (used_.contains(path))
        throw UsageError("--out: would write '" + path.toStdString() +
                         "' twice; {stem}, {pass}, {stage} and {head} tell files apart");
    used_.insert(path);
    return path;
}

} // namespace attnlab::app
