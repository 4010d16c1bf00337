// Words as chips, in as many lines as they need.
#pragma once

#include <QRect>
#include <QWidget>

#include <cstdint>
#include <string>
#include <vector>

namespace attnlab::ui {

/// Outlines the new ones.
class TokenPreview : public QWidget {
    Q_OBJECT
public:
    explicit TokenPreview(QWidget* parent = nullptr);

    /// `rows` has -1 for each new word.
    void setWords(const std::vector<std::string>& words, const std::vector<std::int64_t>& rows);

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Word {
        QString text;
        bool is_new;
    };
    std::vector<QRect> placed(int width) const;

    std::vector<Word> words_;
};

} // namespace attnlab::ui
