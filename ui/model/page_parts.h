// Small widgets that the parts of the model page share.
#pragma once

#include <QBoxLayout>
#include <QWidget>

class QPushButton;

namespace attnlab::ui {

class ElidedLabel;

/// A card without a heading.
class PlainCard : public QWidget {
    Q_OBJECT
public:
    explicit PlainCard(QBoxLayout::Direction direction, QWidget* parent = nullptr);
    QBoxLayout* content() { return content_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QBoxLayout* content_;
};

QPushButton* newButton(const QString& text, const QString& tip);
/// One line that takes the width it is given.
enum class LineStyle { Plain, Bold, Muted };
ElidedLabel* makeLineLabel(LineStyle look);

} // namespace attnlab::ui
