// A page for each mechanism, scale and mask, in a separate window.
#pragma once

#include "ui/panels/help/reference.h"

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace attnlab::ui {

/// The list of pages on the left, filtered by the text above it; the chosen page on the right.
class ReferenceDialog : public QDialog {
    Q_OBJECT
public:
    explicit ReferenceDialog(QWidget* parent = nullptr);

    /// Shows the page "variant/flash"; the first one for an unknown id.
    void showTopic(const QString& id);
    QString topic() const;

    QLineEdit* search() const { return search_; }
    QListWidget* list() const { return list_; }
    QTextBrowser* browser() const { return browser_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void fillList();
    void filter(const QString& words);
    void showCurrent();

    std::vector<ReferenceTopic> topics_;
    QLineEdit* search_;
    QListWidget* list_;
    QTextBrowser* browser_;
};

} // namespace attnlab::ui
