// A button that shows the current choice and opens a list of choices.
#pragma once

#include "ui/panels/mechanism/picker_list.h"
#include "ui/panels/mechanism/row_button.h"

#include <QKeySequence>

namespace attnlab::ui {

/// "Scale 1/√d ▾". With little room, first the label is dropped, then the title is elided.
class Picker : public RowButton {
    Q_OBJECT
public:
    explicit Picker(QWidget* parent = nullptr);

    void setLabel(const QString& label, const QKeySequence& opens_with);
    /// What a screen reader says before the item, where no label is painted.
    void setSpokenLabel(const QString& label);
    void setItems(std::vector<PickerItem> items);
    /// Sets the displayed item; does not emit picked().
    void setCurrent(const QString& id);
    const QString& current() const { return current_; }
    QString currentTitle() const;
    /// Disables it with this reason; empty enables it.
    void setRefusal(const QString& why);
    /// Without the label, and without what a title says in brackets; the tool tip has both.
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
