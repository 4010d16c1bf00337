// A few numbers with their names, in tiles.
#pragma once

#include <QWidget>

#include <vector>

namespace attnlab::ui {

class NumberTile;

/// Tiles side by side, or two in a row where they do not fit. The accessible name of a tile says its number. Height
/// follows from width.
class NumberTiles : public QWidget {
    Q_OBJECT
public:
    explicit NumberTiles(QWidget* parent = nullptr);

    struct Entry {
        QString name;
        QString number;
        QString unit; ///< may be empty
        QString help;
        bool operator==(const Entry&) const = default;
    };
    void setEntries(const std::vector<Entry>& entries);
    /// "1.132 nats" of the first such name; empty if there is none.
    QString number(const QString& name) const;

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int columnsIn(int width) const;
    void place();

    std::vector<NumberTile*> tiles_;
};

} // namespace attnlab::ui
