// The menu "Copy as": the document's setting as code of other languages.
#pragma once

#include "core/code/code.h"

#include <QMenu>

#include <optional>
#include <vector>

namespace attnlab::ui {

class Document;
class FileController;
class MessageBar;

/// Fills a menu with a command for each language. Those without code for the document are disabled while the menu is
/// open, with the reason as their tool tip and status tip.
class CopyAs : public QObject {
    Q_OBJECT
public:
    /// Everything must outlive this object.
    CopyAs(QMenu& menu, Document& document, FileController& files, MessageBar& messages, QObject* parent);

    void copy(code::Language language);

private:
    using Reasons = std::vector<std::optional<Message>>; ///< in the order of code::languages()
    const Reasons& reasons();
    void showReasons();

    QMenu& menu_;
    Document& document_;
    FileController& files_;
    MessageBar& messages_;
    std::optional<Reasons> reasons_; ///< of the present document
};

} // namespace attnlab::ui
