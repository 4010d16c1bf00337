// A QSplitter whose dividers are stops of the Tab key.
#pragma once

#include <QSplitter>

namespace attnlab::ui {

/// The keys are those of DividerKeys.
class Splitter : public QSplitter {
    Q_OBJECT
public:
    explicit Splitter(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// What a screen reader says of the divider before the part `index`, counted from 0: "Width of the list".
    void setDividerName(int index, const QString& name) { handle(index)->setAccessibleName(name); }

protected:
    QSplitterHandle* createHandle() override;
};

/// Paints a divider: a short bar, with the focus a long one.
void paintDivider(QWidget& divider, Qt::Orientation moves);

} // namespace attnlab::ui
