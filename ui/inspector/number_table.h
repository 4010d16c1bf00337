// Names with their numbers in aligned columns.
#pragma once

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace attnlab::ui {

/// Muted names and selectable numbers; two pairs stand side by side where there is room for them.
class NumberTable : public QWidget {
    Q_OBJECT
public:
    explicit NumberTable(QWidget* parent = nullptr);

    struct Entry {
        QString name;
        QString number;
        QString help;
    };
    void setEntries(const std::vector<Entry>& entries);
    /// What stands beside the first such name; empty when there is none.
    QString number(const QString& name) const;

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Pair {
        QLabel* name;
        QLabel* number;
    };
    int widthFor(int columns) const;
    void arrange(int columns);

    int columns_ = 0;
    QGridLayout* grid_;
    std::vector<Pair> pairs_;
};

} // namespace attnlab::ui
