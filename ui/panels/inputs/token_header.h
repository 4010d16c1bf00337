// Headers of a tensor's table: editable token labels.
#pragma once

#include <QHeaderView>

#include <optional>

class QLineEdit;

namespace attnlab::ui {

/// A double click renames labels if the model allows it (setHeaderData). One section can be marked as pinned.
class TokenHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TokenHeader(Qt::Orientation orientation, QWidget* parent = nullptr);

    void setRenamable(bool renamable) { renamable_ = renamable; }
    bool isRenamable() const { return renamable_; }
    void setMarked(std::optional<int> section);
    std::optional<int> marked() const { return marked_; }

    /// Opens an editor over the section; Enter applies the text, Escape cancels.
    void rename(int section);

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void finishRename(bool keep);
    void recolor();

    bool renamable_ = false;
    std::optional<int> marked_;
    QLineEdit* editor_ = nullptr;
    int edited_ = -1;
};

} // namespace attnlab::ui
