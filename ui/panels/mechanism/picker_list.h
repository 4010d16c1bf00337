// The list opened by a picker.
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

class QListView;
class QModelIndex;
class QStandardItemModel;

namespace attnlab::ui {

struct PickerItem {
    QString id;
    QString heading = {}; ///< shown where it differs from the previous item's; empty: none
    QString title;
    QString alone = {};        ///< the title where there is no room for the label before it; empty: `title`
    QString help = {};         ///< one line
    QString badge = {};        ///< "default"; empty: none
    QString formula = {};      ///< id of a typeset formula; empty: none
    QString formula_text = {}; ///< if there is no typeset one
    QString refusal = {};      ///< why it cannot be picked, shown instead of the help; empty: it can
};

/// A popup: arrow keys, typing the beginning of a title, Enter or a click pick; Escape closes. A disabled item is grey
/// but can be selected, so that its reason can be read.
class PickerList : public QFrame {
    Q_OBJECT
public:
    explicit PickerList(QWidget* parent);

    void setItems(const std::vector<PickerItem>& items);
    /// Opens below `anchor` (above if there is no room) with `current` selected.
    void open(const QWidget& anchor, const QString& current);
    QListView* view() const { return view_; }

signals:
    void picked(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void pick(const QModelIndex& index);

    QListView* view_;
    QStandardItemModel* model_;
};

} // namespace attnlab::ui
