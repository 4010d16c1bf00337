// The maps of a large problem, computed in a worker thread: one pass for a head's overview, then tiles on demand.
#pragma once

#include "core/map/map_pyramid.h"
#include "ui/drawing/colormap.h"
#include "ui/matrix/map/screen_bins.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace attnlab::ui {

/// A head and the pooling of its weights; or of a comparison one of its sides, or B − A.
struct MapChoice {
    std::int64_t batch = 0;
    std::int64_t head = 0;
    Pool pool = Pool::Max;
    MapSide side = MapSide::A;
    std::int64_t head_of_b = 0;
    auto operator<=>(const MapChoice&) const = default;
};

/// One worker thread computes in this order: the displayed map, the tiles requested by its view, what the data of its
/// head is warned of, and then, unless stopped, an overview of every other head. Pyramids of heads shown before are
/// kept within the byte limit. All members are for the GUI thread; signals are emitted there.
class MapSession : public QObject {
    Q_OBJECT
public:
    static constexpr std::int64_t overview_bins = 96; ///< along a side of a head's overview
    static constexpr std::int64_t most_overviews = 64;

    explicit MapSession(QObject* parent = nullptr);
    /// Cancels and waits.
    ~MapSession() override;

    /// Sets the engine for the next open(); null, initially: the CPU. Must outlive the session.
    void setEngine(const MapEngine* engine) { engine_ = engine; }
    const MapEngine* engine() const { return engine_; }
    /// Replaces the problem by another one that MapInputs::why_not() accepts.
    void open(const AttentionProblem& problem);
    /// Compares the head of A with head_of_b of B: see MapSide. Reports no parts, overviews and warnings. Heads of
    /// different sizes fail().
    void open(const AttentionProblem& a, const AttentionProblem& b);
    void close();
    bool isOpen() const { return open_; }
    /// Stops computing the choice and everything else of this problem; parts() stay. Another choice is computed again.
    void cancel();
    bool isCancelled() const { return cancelled_; }
    /// Computes the choice after all, from its beginning.
    void resume();

    /// Selects the head. Its pyramid is ready at once if it is cached.
    void show(const MapChoice& choice);
    const MapChoice& choice() const { return choice_; }
    /// That of the choice; null until it is ready.
    std::shared_ptr<MapPyramid> pyramid() const { return pyramid_; }
    /// Parts of the choice's map while its pyramid is not ready.
    const MapParts& parts() const { return parts_; }
    /// The range of the pyramid's base level, or of the finished parts until it exists.
    const ValueRange& range() const { return range_; }
    /// What imageOfBins() and binValue() show of its tiles.
    Pool shownPool() const { return choice_.side == MapSide::Difference ? Pool::Mean : choice_.pool; }
    /// The map of A while B − A is shown; null otherwise.
    std::shared_ptr<const AttentionMap> comparedMap() const { return compared_; }
    /// The scale of B − A, centred on 0. Ninety-nine in a hundred bins of the overview are within its ends, so that few
    /// large changes do not hide the others; the colour bar is pointed for these.
    ColorScale differenceScale() const;
    /// The choice of colours, logarithmic where linearHides() the structure of this map and the user has not chosen.
    ColorChoice colorsFor(const ColorChoice& choice) const { return choiceFor(linear_hides_, choice); }
    /// With them, for all tiles.
    ColorScale scaleFor(const ColorChoice& choice) const;
    /// Requests tiles for the view, the most urgent first. Replaces earlier requests.
    void want(const std::vector<MapTile>& tiles);

    /// The overview of a head of the choice's batch: at most overview_bins x overview_bins; null until it is ready.
    std::shared_ptr<const MapBins> overview(std::int64_t head) const;
    /// Stops computing further overviews.
    void cancelOverviews();
    bool computesOverviews() const { return compute_overviews_; }

    void setByteLimit(std::size_t bytes);

    struct Worker; ///< state shared by the thread and the session

signals:
    void started();                   ///< a pass over all cells of the shown head begins
    void progressed(double fraction); ///< progress of that pass
    void partReady();                 ///< parts() has a new member
    void ready();                     ///< pyramid() is available, with its base and all coarser levels
    void tileReady();                 ///< a requested tile is available
    void failed(const attnlab::Message& why);
    void noted(const attnlab::Message& note); ///< the engine failed and the CPU continues; once for each such reason
    /// What compute() would warn of in the data of the head, after ready(); see AttentionMap::notes_on_data().
    void warned(const std::vector<attnlab::Note>& notes);
    void overviewReady(int head, int done, int total);

private:
    void ask();
    void forgetParts();
    void take(std::shared_ptr<const MapPart> part);
    void start(const AttentionProblem& problem, std::shared_ptr<const AttentionProblem> b);

    std::unique_ptr<Worker> worker_;
    const MapEngine* engine_ = nullptr;
    bool open_ = false;
    bool cancelled_ = false;
    MapChoice choice_;
    int request_ = 0; ///< counts choices, cancelled and resumed ones too: a pyramid is reported once for each
    std::shared_ptr<MapPyramid> pyramid_;
    std::shared_ptr<const AttentionMap> compared_;
    double usual_difference_ = 0.0; ///< see differenceScale()
    MapParts parts_;
    ValueRange range_;
    bool linear_hides_ = false; ///< of the pyramid, or of the finished parts
    std::vector<MapTile> tiles_;
    std::vector<std::shared_ptr<const MapBins>> overviews_;
    bool compute_overviews_ = true;
    int epoch_ = 0; ///< counts problems: late results of earlier ones are dropped
};

} // namespace attnlab::ui
