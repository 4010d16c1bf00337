// Integers that give the group (sentence, paragraph) of each token, edited as labels of the tokens.
#pragma once

#include "core/tensor.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace attnlab::ui {

/// `ids` with a new group beginning at `token`, or, if one begins there, merged with the previous group: the groups of
/// later tokens are renumbered, so that their borders stay.
std::vector<double> withBorderToggled(std::vector<double> ids, int token);

/// Tokens in reading order with the number of their group; tokens of one group are adjacent and have one colour. A
/// click or Space starts a group at a token or removes its border; Left and Right move, Up, Down and digits set the
/// number of only this token.
class TokenGroups : public QWidget {
    Q_OBJECT
public:
    explicit TokenGroups(QWidget* parent = nullptr);

    void setTokens(const QStringList& tokens, const Tensor& ids);
    const std::vector<double>& ids() const { return ids_; }
    int current() const { return current_; }
    QRect tokenRect(int token) const { return boxes_[static_cast<std::size_t>(token)]; }
    /// "cat: group 2", the accessible text of the current token.
    QString textOf(int token) const;

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void idsEdited(const std::vector<double>& ids);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    int place(int width, std::vector<QRect>* boxes) const;
    void relayout();
    std::optional<int> tokenAt(const QPoint& position) const;
    void setCurrent(int token);
    void setId(int token, double id);
    bool beginsGroup(int token) const;

    QStringList tokens_;
    std::vector<double> ids_;
    std::vector<QRect> boxes_;
    int current_ = 0;
};

} // namespace attnlab::ui
