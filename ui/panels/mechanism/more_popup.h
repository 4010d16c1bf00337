// What the row of the mechanism bar has no room for.
#pragma once

#include <QFrame>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace attnlab::ui {

/// Groups of controls under headings, in a popup. A group of which nothing is visible has no heading either.
class MorePopup : public QFrame {
    Q_OBJECT
public:
    explicit MorePopup(QWidget* parent);

    /// At the end.
    void add(int group, QWidget* part);
    void setHeading(int group, const QString& text);
    /// Nothing in it would be seen.
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
