// The tooltip of a small picture on the wall of heads.
#pragma once

#include <QImage>
#include <QString>
#include <QTimer>
#include <QWidget>

namespace attnlab::ui {

/// The picture of a head, enlarged, with a line of plain text below it.
class HeadTip : public QWidget {
    Q_OBJECT
public:
    explicit HeadTip(QWidget* owner);

    static constexpr int side = 160; ///< of the picture

    /// Beside this point of the screen.
    void showAt(const QPoint& at, const QImage& picture, const QString& text);
    /// Unless showAt() is called again at once, for the head beside.
    void hideSoon() { hiding_.start(); }
    const QString& text() const { return text_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QImage picture_;
    QString text_;
    QTimer hiding_;
};

} // namespace attnlab::ui
