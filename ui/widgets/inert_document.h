// Rich text that never opens files.
#pragma once

#include <QTextDocument>

namespace attnlab::ui {

/// A document that loads no pictures and style sheets, whatever its text refers to.
class InertDocument : public QTextDocument {
public:
    using QTextDocument::QTextDocument;

    /// An empty resource for a QTextDocument::ResourceType: without one Qt opens the file itself.
    static QVariant nothing(int type);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

} // namespace attnlab::ui
