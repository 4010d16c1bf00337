// A button that shows the current choice and opens a list of choices.
#pragma once

#include "ui/widgets/controls.h"

#include <QFrame>
#include <QKeySequence>
#include <QListView>
#include <QString>
#include <vector>

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

/// The list of choices, in popups and dialogs. A click or Enter picks; a disabled item is grey but can be selected, so
/// that its reason can be read.
class PickerView : public QListView {
    Q_OBJECT
public:
    explicit PickerView(QWidget* parent);

    void setItems(const std::vector<PickerItem>& items);
    /// Marks the item with this id, and selects it.
    void setChosen(const QString& id);
    /// Selects the next item that is no heading, or the one before it.
    void step(int by);
    void pickCurrent();
    /// Of all items.
    QSize contentsSize() const;

signals:
    void picked(const QString& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void pick(const QModelIndex& index);

    QStandardItemModel* model_;
};

/// A popup: arrow keys, typing the beginning of a title, Enter or a click pick; Escape closes.
class PickerList : public QFrame {
    Q_OBJECT
public:
    explicit PickerList(QWidget* parent);

    void setItems(const std::vector<PickerItem>& items) { view_->setItems(items); }
    /// Opens below `anchor` (above if there is no room) with `current` selected.
    void open(const QWidget& anchor, const QString& current);
    PickerView* view() const { return view_; }

signals:
    void picked(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    PickerView* view_;
};

/// A button that shows the current choice and opens a list of choices.
/// "Scale 1/√d ▾". With little room, first the label is dropped, then the title is elided.
class Picker : public RowButton {
    Q_OBJECT
public:
    explicit Picker(QWidget* parent = nullptr);

    void setLabel(const QString& label, const QKeySequence& opens_with);
    /// Read by a screen reader before the item if no label is painted.
    void setSpokenLabel(const QString& label);
    void setItems(std::vector<PickerItem> items);
    /// Sets the displayed item; does not emit picked().
    void setCurrent(const QString& id);
    const QString& current() const { return current_; }
    QString currentTitle() const;
    /// Disables it with this reason; empty enables it.
    void setRefusal(const QString& why);
    /// Without the label and the title's part in brackets; the tool tip has both.
    void setTerse(bool terse);
    /// The title as it is painted.
    QString shownTitle() const;
    PickerList* list() const { return list_; }

    void openList();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the user, also for the current item.
    void picked(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void renew();
    /// Null if the current id is of no item.
    const PickerItem* currentItem() const;
    QString titleAlone() const;
    QRect titleRect() const;
    QSize sizeFor(int label_width, int title_width) const;

    QString label_, spoken_label_;
    QKeySequence opens_with_;
    std::vector<PickerItem> items_;
    QString current_;
    QString refusal_;
    bool terse_ = false;
    PickerList* list_;
};

} // namespace attnlab::ui
