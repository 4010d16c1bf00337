// The model page while no model is open.
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace attnlab::ui {

/// Opens a model, or one that was open before.
class StartPanel : public QWidget {
    Q_OBJECT
public:
    explicit StartPanel(QWidget* parent = nullptr);

    QPushButton* openButton() const { return open_; }
    /// One for each recent model, the newest first.
    const std::vector<QPushButton*>& recent() const { return recent_; }

signals:
    void openRequested();
    void leaveRequested();
    void chosen(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();

    QPushButton* open_;
    QPushButton* leave_;
    QLabel* heading_;
    QVBoxLayout* column_;
    std::vector<QPushButton*> recent_;
};

} // namespace attnlab::ui
