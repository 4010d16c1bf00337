// A scene that can be changed, and what it computes to: what every board of a lab shows.
#pragma once

#include "core/lab/board.h"
#include "ui/widgets/latest_job.h"

#include <QObject>

#include <memory>

namespace attnlab::ui {

using SceneResultPtr = std::shared_ptr<const lab::SceneResult>;

/// Computes in the background after each change; the latest one wins. Apart from the document: nothing here touches the
/// user's own work.
class SceneModel : public QObject {
    Q_OBJECT
public:
    explicit SceneModel(QObject* parent = nullptr);

    const lab::Scene& scene() const { return scene_; }
    const lab::BoardSpec& view() const { return view_; }
    /// The newest result, of scene() once isComputing() is false; null before the first.
    SceneResultPtr result() const { return result_; }
    /// The scene that result() belongs to: an earlier one than scene() while a newer result is on its way.
    const lab::Scene& computedScene() const { return computed_scene_; }
    bool isComputing() const { return stale_ || job_.isRunning(); }

    /// Another scene to begin with: what reset() comes back to. There is no result until its own is there, unless the
    /// scene is as it was.
    void begin(lab::Scene scene, lab::BoardSpec view);
    void reset();
    bool isChanged() const { return !(scene_ == first_scene_ && view_ == first_view_); }

    void setScene(lab::Scene scene);
    void setDraw(const lab::RandomInputs& draw);
    void setSetting(std::size_t index, lab::SceneSetting setting);
    void setView(lab::BoardSpec view);

signals:
    void sceneChanged();
    void viewChanged();
    /// result() is new.
    void computed();
    /// The scene itself could not be computed; result() stays.
    void failed(const attnlab::Message& why);

private:
    struct Outcome {
        lab::Scene scene;
        SceneResultPtr result;
    };
    void computeLater();
    void compute();

    lab::Scene first_scene_, scene_, computed_scene_;
    lab::BoardSpec first_view_, view_;
    SceneResultPtr result_;
    bool stale_ = false; ///< scene_ is still to be requested
    LatestJob<Outcome> job_;
};

} // namespace attnlab::ui
