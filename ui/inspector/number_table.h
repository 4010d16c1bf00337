// Names with their numbers in aligned columns.
#pragma once

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace attnlab::ui {

/// Rows of muted names and selectable numbers; `columns` pairs of name and number stand side by side.
class NumberTable : public QWidget {
    Q_OBJECT
public:
    explicit NumberTable(int columns, QWidget* parent = nullptr);

    struct Entry {
        QString name;
        QString number;
        QString help;
    };
    void setEntries(const std::vector<Entry>& entries);
    /// What stands beside a name; empty when there is no such name.
    QString number(const QString& name) const;

private:
    int columns_;
    QGridLayout* grid_;
    std::vector<QLabel*> names_;
    std::vector<QLabel*> numbers_;
};

} // namespace attnlab::ui
