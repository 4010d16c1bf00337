// A button whose menu chooses some of a list of names; the menu stays open for further ones.
#pragma once

#include "ui/export/export_subject.h"

#include <QList>
#include <QToolButton>
#include <vector>

class QAction;

namespace attnlab::ui {

class SelectionButton : public QToolButton {
    Q_OBJECT
public:
    explicit SelectionButton(const ExportSelection& selection, QWidget* parent = nullptr);

    /// Ascending; at least one.
    QList<int> chosen() const;
    /// Ignores indices that are not there; no effect without any that is.
    void choose(const QList<int>& indices);

signals:
    void changed();

protected:
    /// As a combo box: the words begin at the left.
    void paintEvent(QPaintEvent* event) override;

private:
    int namesOfAll() const;
    void take(int index, bool checked);
    void describe();

    ExportSelection selection_;
    std::vector<QAction*> names_;
    QAction* all_ = nullptr;
};

} // namespace attnlab::ui
