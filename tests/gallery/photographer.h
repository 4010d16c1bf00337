// A window that is brought to a state and drawn to a picture.
#pragma once

#include "core/attention.h"
#include "ui/widgets/theme.h"

#include <QSize>
#include <QString>

#include <memory>

namespace attnlab::ui {
class FrameEncoder;
class MainWindow;
} // namespace attnlab::ui

namespace attnlab::gallery {

struct Appearance {
    QSize size;
    ui::ThemeChoice theme = ui::ThemeChoice::Light;
    QString language = QStringLiteral("en");
};

/// Lets the program go on meanwhile.
void wait(int milliseconds);

/// A window at the first start of the program. What is done to it is over, animations too, when a function returns.
class Photographer {
public:
    /// Pictures go to `folder`.
    Photographer(const QString& folder, const Appearance& look);
    ~Photographer();

    ui::MainWindow& window() { return *window_; }

    void open(const char* sample);
    void open(const AttentionProblem& problem, const QString& title);
    /// Of every head.
    void awaitMaps();
    void pin(int row, int column);
    void turnTo(const QString& page);
    void showLesson(int lesson, int step);
    void openBoard();
    /// The last token in a head of the sample model.
    void showModel(int pass, int head);

    /// Adds what the window shows to a moving picture.
    void film(ui::FrameEncoder& encoder, QSize size, int milliseconds);
    /// Writes the window to a picture of this name, and reports parts that are cut or cover each other.
    bool take(const QString& name);
    /// Waits until nothing is computed or moves.
    void settle();

private:
    bool isSettled() const;

    QString folder_;
    std::unique_ptr<ui::MainWindow> window_;
};

} // namespace attnlab::gallery
