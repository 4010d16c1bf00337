// What a token reads, in words: the answer in the workspace and on the page of a model.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <QWidget>

namespace attnlab::ui {

class ElidedLabel;

/// A sentence, and below it details in one line, or in two where one is too short and the height allows it; the
/// sentence stays in its place either way. Asks for the width of a usual answer, whatever the present one is, for more
/// where there is room, and for half of the line where the words do not all fit. Its room is kept while it is hidden.
class AnswerBox : public QWidget {
public:
    explicit AnswerBox(QWidget* parent = nullptr);

    void setAnswer(const QString& claim, const QStringList& details);
    /// Before answers about other words. The box does not become narrower from one answer to the next, or the words
    /// would move under the mouse.
    void beginAnew() { widest_claim_ = 0; }
    /// The whole of an answer that is abridged.
    void setTips(const QString& claim, const QString& details);
    /// The width that nothing else needs, that of the line, and the height that it may take without making its card
    /// higher.
    void setRoom(int width, int line, int height);
    /// All words beside it are in sight before it has its usual width: it may be as narrow as its sentence.
    void setYields(bool yields) { yields_ = yields; }
    /// Details beside the sentence instead of below it, over the whole room: for windows of little height.
    void setOneLine(bool one_line);
    /// The lines as they are shown; none while it is hidden.
    QStringList shownLines() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeFor(fewest_letters); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int most_letters = 84, usual_letters = 54, fewest_letters = 12;
    static constexpr int least_usual_letters = 46;    ///< where all chips are then in sight
    static constexpr int letters_of_three_lines = 40; ///< the least width where details may take two lines
    static constexpr int letters_of_a_claim = 30;     ///< the least width beside words that do not all fit
    QSize sizeFor(int letters) const;
    bool hasThreeLines() const;
    int heightOfLines() const;
    void wrap();

    ElidedLabel *claim_, *details_;
    ElidedLabel* more_; ///< the end of the details, where one line is too short
    QStringList parts_;
    bool one_line_ = false, yields_ = false;
    int room_ = 0, line_ = 0, height_ = 0;
    int widest_claim_ = 0;
    QSize hinted_; ///< the size hint at the last updateGeometry()
};

} // namespace attnlab::ui
