// What runs in the background for a picture on show have in common: the latest one wins.
#pragma once

#include "core/attention.h"

#include <QFuture>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace attnlab::ui {

/// One run. The worker writes `error` before its future finishes.
struct LatestRun {
    std::atomic<bool> stop = false;
    std::atomic<bool> superseded = false; ///< a newer change waits
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    std::optional<Message> error;
    QFuture<void> future;
};

/// A control that ends `run` when it is stopped, and 100 ms after its beginning when it is superseded: a short run
/// finishes and is shown even when a newer change waits, so that a fast drag still moves the picture.
RunControl controlOf(std::shared_ptr<const LatestRun> run);

} // namespace attnlab::ui
