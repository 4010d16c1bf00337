// Reads files while the window stays responsive.
#pragma once

#include "ui/widgets/latest_job.h"
#include "ui/widgets/progress_box.h"

#include <QLatin1String>

#include <functional>
#include <memory>
#include <utility>

class QWidget;

namespace attnlab::ui {

class MessageBar;

/// Every read of the user's files in a window. Of reads that overlap the latest counts: a new one cancels the one
/// before, whose `otherwise` is called.
class BackgroundRead : public LatestJobBase {
    Q_OBJECT
public:
    /// Of messages about the file that was read last; a new one removes them.
    static constexpr QLatin1String topic{"file"};

    BackgroundRead(MessageBar& messages, QWidget* window);

    /// Runs `read` in a worker thread, and passes what it returns to `use`. A box with Cancel shows after 0.3 s; an
    /// error shows in the message bar. Without a result, `otherwise` is called. `read` throws Error, and Cancelled as
    /// soon as its control says so.
    template <class Result>
    void start(std::function<Result(const RunControl&)> read, std::function<void(Result)> use,
               const std::function<void()>& otherwise = {}) {
        begin(
            [this, read = std::move(read), use = std::move(use)](const RunControl& control) -> Delivery {
                auto result = std::make_shared<Result>(read(control));
                return [this, result, use] { finish([&] { use(std::move(*result)); }); };
            },
            otherwise);
    }

signals:
    /// After `use` (then `ok` is true) or `otherwise`; not for a read that a new one has cancelled.
    void ended(bool ok);

private:
    void begin(AnyWork work, std::function<void()> otherwise);
    void finish(const std::function<void()>& use);
    void giveUp();

    MessageBar& messages_;
    std::function<void()> otherwise_;
    ProgressBox box_;
};

} // namespace attnlab::ui
