// Buttons that are one stop of the Tab key.
#pragma once

#include <QList>
#include <QObject>

class QWidget;

namespace attnlab::ui {

/// Tab goes to one of the members, the latest that had the focus; arrow keys, Home and End move between them.
class OneTabStop : public QObject {
    Q_OBJECT
public:
    /// In this order.
    OneTabStop(QList<QWidget*> members, QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Stops at the latest that had the focus, or the first, of those that can have it.
    void settle();
    void stopAt(QWidget* member);
    bool move(qsizetype from, int key);

    QList<QWidget*> members_;
    QWidget* stop_ = nullptr;
    QWidget* latest_ = nullptr; ///< with the focus
};

} // namespace attnlab::ui
