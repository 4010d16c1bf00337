// Numbers with their names, in a table or in tiles.
#pragma once

#include <QWidget>
#include <vector>

class QLabel;

namespace attnlab::ui {

/// Muted names and selectable numbers; two pairs are side by side if there is room. Its height depends only on its
/// width, which is set by the layout around it.
class NumberTable : public QWidget {
    Q_OBJECT
public:
    explicit NumberTable(QWidget* parent = nullptr);

    struct Entry {
        QString name;
        QString number;
        QString help;
        QString spoken = {}; ///< the name for a screen reader, which does not see the line; empty: `name`
    };
    void setEntries(const std::vector<Entry>& entries);
    /// The number beside the first such name; empty if there is none.
    QString number(const QString& name) const;

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Pair {
        QLabel* name;
        QLabel* number;
        int name_width = 0, number_width = 0; ///< of their texts: layouts ask several times
    };
    /// The widest name and the widest number of a column.
    struct Widths {
        int name = 0, number = 0;
        int sum() const;
    };
    Widths widthsOf(int column, int columns) const;
    int columnsIn(int width) const;
    int lineHeight() const;
    void measure();
    void place();

    std::vector<Pair> pairs_;
};

class NumberTile;

/// A few numbers with their names, in tiles.
/// Tiles side by side, or two in a row where they do not fit. The accessible name of a tile contains its number. Height
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
