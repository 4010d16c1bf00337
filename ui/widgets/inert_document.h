// Rich text that opens no file.
#pragma once

#include <QTextDocument>

namespace attnlab::ui {

/// A document that loads no picture and no style sheet, whatever its text names.
class InertDocument : public QTextDocument {
public:
    using QTextDocument::QTextDocument;

    /// Something empty for a QTextDocument::ResourceType: without an answer Qt looks for the file itself.
    static QVariant nothing(int type);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

} // namespace attnlab::ui
