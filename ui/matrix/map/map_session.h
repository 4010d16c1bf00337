// The maps of a large problem, made off the GUI thread: one pass for a head's overview, then tiles as they are wanted.
#pragma once

#include "core/map/map_pyramid.h"
#include "ui/drawing/colormap.h"
#include "ui/matrix/map/map_part.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace attnlab::ui {

/// Which head's weights, and how they are pooled.
struct MapChoice {
    std::int64_t batch = 0;
    std::int64_t head = 0;
    Pool pool = Pool::Max;
    auto operator<=>(const MapChoice&) const = default;
};

/// One worker thread does, in this order: what is on show, the tiles that its view wants, and then, unless stopped,
/// an overview of every other head. Pyramids of heads looked at before are kept while the byte limit allows. All
/// members are for the GUI thread; signals come there.
class MapSession : public QObject {
    Q_OBJECT
public:
    static constexpr std::int64_t overview_bins = 96; ///< along a side of the small map of a head
    static constexpr std::int64_t most_overviews = 64;

    explicit MapSession(QObject* parent = nullptr);
    /// Cancels and waits.
    ~MapSession() override;

    /// What computes from the next open() on, where it can; null, as at first: the cores. It outlives the session.
    void setEngine(const MapEngine* engine) { engine_ = engine; }
    /// Forgets what was open and begins with another problem, whose MapInputs::why_not() has no reason.
    void open(const AttentionProblem& problem);
    void close();
    bool isOpen() const { return open_; }

    /// The head to show. Its pyramid is ready at once where it was made before.
    void show(const MapChoice& choice);
    const MapChoice& choice() const { return choice_; }
    /// Of the choice; null until it is ready.
    std::shared_ptr<MapPyramid> pyramid() const { return pyramid_; }
    /// What there is of the choice before its pyramid is ready.
    const MapParts& parts() const { return parts_; }
    /// Of what the base level of that pyramid shows, or the parts until then.
    const ValueRange& range() const { return range_; }
    /// Tiles that the view needs and does not have, the most urgent first. Replaces what was wanted before.
    void want(const std::vector<MapTile>& tiles);

    /// The small map of a head of the choice's batch: at most overview_bins x overview_bins; null until it is ready.
    std::shared_ptr<const MapBins> overview(std::int64_t head) const;
    /// Stops making the overviews that are not there yet.
    void cancelOverviews();

    void setByteLimit(std::size_t bytes);

    struct Worker; ///< what the thread and the session share

signals:
    void started();                   ///< a pass over all cells of the shown head begins
    void progressed(double fraction); ///< of that pass
    void partReady();                 ///< there is one more of parts()
    void ready();                     ///< pyramid() is there, its base and all coarser levels filled
    void tileReady();                 ///< one of the wanted tiles is there
    void failed(const attnlab::Message& why);
    void noted(const attnlab::Message& note); ///< the engine failed, and the cores go on; once for each such reason
    void overviewReady(int head, int done, int total);

private:
    void ask();
    void forgetParts();
    void take(std::shared_ptr<const MapPart> part);

    std::unique_ptr<Worker> worker_;
    const MapEngine* engine_ = nullptr;
    bool open_ = false;
    MapChoice choice_;
    int request_ = 0; ///< counts choices: a pyramid that is ready is told once for each
    std::shared_ptr<MapPyramid> pyramid_;
    MapParts parts_;
    ValueRange range_;
    std::vector<MapTile> tiles_;
    std::vector<std::shared_ptr<const MapBins>> overviews_;
    bool wants_overviews_ = true;
    int epoch_ = 0; ///< counts problems: what comes late from another one is dropped
};

} // namespace attnlab::ui
