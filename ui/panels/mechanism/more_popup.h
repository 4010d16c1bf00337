// The controls that do not fit the row of the mechanism bar.
#pragma once

#include "ui/widgets/popup.h"

#include <vector>

class QLabel;
class QVBoxLayout;

namespace attnlab::ui {

/// Groups of controls with headings, in a popup. A group without visible controls has no heading either.
class MorePopup : public Popup {
    Q_OBJECT
public:
    explicit MorePopup(QWidget* parent);

    /// Appends a control.
    void add(int group, QWidget* part);
    void setHeading(int group, const QString& text);
    /// True when nothing in it would be visible.
    bool isEmpty() const;
    void openBelow(const QWidget& anchor);

private:
    struct Group {
        QLabel* heading;
        QVBoxLayout* column;
    };
    Group& group(int index);
    static bool shows(const Group& group);

    QVBoxLayout* column_;
    std::vector<Group> groups_;
};

} // namespace attnlab::ui
