#include "ui/lab/scene_model.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>

#include <atomic>
#include <chrono>
#include <optional>

namespace attnlab::ui {

/// One computation. The worker writes `result` or `error` before its future finishes and touches nothing else of ours.
struct SceneModel::Run {
    std::atomic<bool> stop = false;
    std::atomic<bool> superseded = false;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    bool dropped = false; ///< not to be shown; of the GUI thread
    lab::Scene scene;
    SceneResultPtr result;
    std::optional<Message> error;
    QFuture<void> future;
};

SceneModel::SceneModel(QObject* parent) : QObject(parent) {}

SceneModel::~SceneModel() {
    if (!running_)
        return;
    running_->stop = true;
    running_->future.waitForFinished();
}

bool SceneModel::isComputing() const { return stale_ || running_; }

void SceneModel::begin(lab::Scene scene, lab::BoardView view) {
    first_scene_ = scene;
    first_view_ = view;
    const bool same = scene == scene_ && (result_ || isComputing());
    scene_ = std::move(scene);
    view_ = std::move(view);
    if (!same) {
        result_.reset();
        if (running_) // it belongs to what was there before
            running_->dropped = running_->stop = true;
        computeLater();
    }
    emit sceneChanged();
    emit viewChanged();
}

void SceneModel::reset() {
    setScene(first_scene_);
    setView(first_view_);
}

void SceneModel::setScene(lab::Scene scene) {
    if (scene == scene_)
        return;
    scene_ = std::move(scene);
    computeLater();
    emit sceneChanged();
}

void SceneModel::setDraw(const lab::Draw& draw) {
    lab::Scene next = scene_;
    next.draw = draw;
    setScene(std::move(next));
}

void SceneModel::setSetting(std::size_t index, lab::SceneSetting setting) {
    lab::Scene next = scene_;
    next.settings.at(index) = std::move(setting);
    setScene(std::move(next));
}

void SceneModel::setView(lab::BoardView view) {
    if (view == view_)
        return;
    view_ = std::move(view);
    emit viewChanged();
}

/// Several changes of one event make one run.
void SceneModel::computeLater() {
    if (running_)
        running_->superseded = true;
    if (stale_)
        return;
    stale_ = true;
    if (!running_)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (stale_ && !running_)
                    start();
            },
            Qt::QueuedConnection);
}

void SceneModel::start() {
    stale_ = false;
    auto run = std::make_shared<Run>();
    run->scene = scene_;
    running_ = run;

    RunControl control;
    control.cancelled = [run] {
        // A short run finishes and is shown even when a newer change waits: a drag then still moves the picture.
        constexpr auto grace = std::chrono::milliseconds(100);
        return run->stop.load(std::memory_order_relaxed) || (run->superseded.load(std::memory_order_relaxed) &&
                                                             std::chrono::steady_clock::now() - run->began > grace);
    };
    const auto work = [run, control] {
        // An exception that escaped would look like a cancelled future and vanish.
        try {
            run->result = std::make_shared<const lab::SceneResult>(lab::compute(run->scene, control));
        } catch (const Cancelled&) {
        } catch (const Error& error) {
            run->error = error.message();
        } catch (const std::bad_alloc&) {
            run->error = Message(ATTNLAB_TEXT("There is not enough memory for this computation"));
        } catch (const std::exception& error) {
            run->error = Message(ATTNLAB_TEXT("The computation failed: %1"), {error.what()});
        }
    };
    auto* watcher = new QFutureWatcher<void>(this);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, watcher, run] {
        watcher->deleteLater();
        settle(run);
    });
    run->future = QtConcurrent::run(work);
    watcher->setFuture(run->future);
}

void SceneModel::settle(const std::shared_ptr<Run>& run) {
    running_.reset();
    const bool newest = !stale_;
    if (stale_)
        start();
    if (run->dropped)
        return;
    if (run->result) {
        result_ = run->result;
        computed_scene_ = std::move(run->scene);
        emit computed();
    } else if (run->error && newest) {
        // What failed is newer than what is on show; the failure of a run that is out of date is no news.
        emit failed(*run->error);
    }
}

} // namespace attnlab::ui
