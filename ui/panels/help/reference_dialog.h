// Help pages generated from the tables of the engine, so that they are always up to date.
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

namespace attnlab::ui {

/// One page: a mechanism, a scale mode, a position or a mask.
struct ReferenceTopic {
    QString id;      ///< "variant/flash", "scale/sqrt_dk", "position/rope", "mask/causal"
    QString heading; ///< its heading in the list of pages
    QString title;
    QString html; ///< formulas are images named "formula:ID"
};

/// All pages in the language of the program, in the order of the tables.
std::vector<ReferenceTopic> referenceTopics();

} // namespace attnlab::ui

// A page for each mechanism, scale and mask, in a separate window.

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace attnlab::ui {

class StateBox;

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
    StateBox* nothing_; ///< that nothing was found
    QTextBrowser* browser_;
};

} // namespace attnlab::ui
