// Reads files while the window stays responsive.
#pragma once

#include <QLatin1String>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

class QWidget;

namespace attnlab::ui {

class MessageBar;

class BackgroundRead : public QObject {
    Q_OBJECT
public:
    /// Of messages about the file that was read last; a new one removes them.
    static constexpr QLatin1String topic{"file"};

    BackgroundRead(MessageBar& messages, QWidget* window);

    /// Runs `read` in a worker thread, and passes what it returns to `use`. A box with Cancel shows after 0.3 s; an
    /// error shows in the message bar. Without a result, `otherwise` is called.
    template <class Result>
    void start(std::function<Result()> read, std::function<void(Result)> use,
               const std::function<void()>& otherwise = {}) {
        auto result = std::make_shared<std::optional<Result>>();
        run([result, read = std::move(read)] { *result = read(); },
            [result, use = std::move(use)] { use(std::move(**result)); }, otherwise);
    }

signals:
    /// After `use` (then `ok` is true) or `otherwise`.
    void ended(bool ok);

private:
    void run(std::function<void()> read, std::function<void()> use, std::function<void()> otherwise);

    MessageBar& messages_;
    QWidget* window_;
};

} // namespace attnlab::ui
