#include "ui/matrix/map/map_session.h"

#include "ui/document/settings.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/widgets/message_bar.h"

#include <QMetaObject>

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace attnlab::ui {
namespace {

/// The request of the GUI thread to the worker, one value that is replaced as a whole.
struct Request {
    int epoch = 0;
    std::shared_ptr<const AttentionProblem> problem = nullptr; ///< null: none
    std::shared_ptr<const AttentionProblem> b = nullptr;       ///< compared with it; null: none
    const MapEngine* engine = nullptr;
    MapChoice choice;
    std::vector<MapTile> tiles = {};
    bool overviews = false;
    bool cancelled = false; ///< nothing is wanted until it is resumed
    int number = 0;
};

struct CachedPyramid {
    MapChoice choice;
    std::shared_ptr<MapPyramid> pyramid;
    ValueRange range = {};
    bool linear_hides = false;
    std::shared_ptr<const AttentionMap> compared = nullptr; ///< A, where it is B − A
    double usual_difference = 0.0;
};

const FailureMessages map_failed{ATTNLAB_TEXT("The map needs more memory than there is"),
                                 ATTNLAB_TEXT("The map could not be computed: %1")};

/// The range of the base level, whose extremes are those of the cells if bins are maxima.
ValueRange rangeOf(MapPyramid& pyramid, Pool pool) {
    ValueRange range;
    for (const auto& tile : pyramid.tiles_over(pyramid.base_level(), pyramid.map().all()))
        if (const auto bins = pyramid.find(tile))
            includeBins(range, *bins, pool);
    return range;
}

constexpr std::int64_t bins_of_picture = 512; // about the pixels of the view

} // namespace

struct MapSession::Worker {
    explicit Worker(MapSession& owner) : session(owner), thread([this] { run(); }) {}
    ~Worker() {
        {
            const std::lock_guard lock(mutex);
            stopped = true;
            ++changes;
        }
        woken.notify_all();
        thread.join();
    }

    void set(Request next) {
        {
            const std::lock_guard lock(mutex);
            request = std::move(next);
            ++changes;
        }
        woken.notify_all();
    }

    void run();
    bool step(const Request& now);
    bool makePyramid(const Request& now);
    void buildPyramid(const Request& now);
    void buildComparison(const Request& now, const RunControl& control);
    std::shared_ptr<MapPyramid> sideOf(const Request& now, MapSide side, const RunControl& control);
    bool makeTile(const Request& now);
    bool makeNotes(const Request& now);
    bool makeOverview(const Request& now);
    PooledHead pooledOverview(const Request& now, std::int64_t head, const RunControl& control);
    std::shared_ptr<const MapInputs> inputsOf(const Request& now, MapSide side = MapSide::A);
    std::shared_ptr<const AttentionMap> openMap(std::int64_t batch, std::int64_t head) const;
    void tellNotes(const Request& now, const std::vector<Message>& notes);
    const CachedPyramid* kept(const MapChoice& choice);
    void keep(CachedPyramid made);

    /// Cancelled as soon as `still` is false for the latest request.
    RunControl controlWhile(std::function<bool(const Request&)> still);
    /// For what is not visible, and so cancelled by any other request.
    RunControl controlForRest(const Request& now);
    template <class Call>
    void tell(Call call) {
        QMetaObject::invokeMethod(&session, std::move(call), Qt::QueuedConnection);
    }

    MapSession& session;
    std::mutex mutex;
    std::condition_variable woken;
    Request request;
    std::uint64_t changes = 0;
    bool stopped = false;
    std::atomic<std::size_t> byte_limit = settings::mapBytes();

    // Used only by the worker thread.
    int epoch = 0;
    std::shared_ptr<const MapInputs> inputs, inputs_of_b;
    int answered = -1;                 ///< the last request whose pyramid was reported
    int warned = -1;                   ///< the last one whose data was
    std::list<CachedPyramid> pyramids; ///< most recently shown first
    std::vector<bool> has_overview;
    MapChoice overview_choice;  ///< batch and pool of the overviews
    std::vector<Message> noted; ///< notes already sent for this problem

    std::thread thread; ///< last member: it uses all of the above
};

RunControl MapSession::Worker::controlWhile(std::function<bool(const Request&)> still) {
    RunControl control;
    control.cancelled = [this, still = std::move(still)] {
        const std::lock_guard lock(mutex);
        return stopped || !still(request);
    };
    return control;
}

RunControl MapSession::Worker::controlForRest(const Request& now) {
    return controlWhile([&now](const Request& newest) {
        return newest.epoch == now.epoch && newest.choice == now.choice && newest.tiles == now.tiles &&
               newest.overviews == now.overviews && !newest.cancelled;
    });
}

void MapSession::Worker::run() {
    std::uint64_t seen = 0;
    bool idle = true;
    while (true) {
        Request now;
        {
            std::unique_lock lock(mutex);
            if (idle)
                woken.wait(lock, [&] { return stopped || changes != seen; });
            if (stopped)
                return;
            seen = changes;
            now = request;
        }
        idle = false; // so too where the request changes meanwhile
        if (const auto why = caughtFailure([&] { idle = !step(now); }, map_failed)) {
            tell([this, why, at = now.epoch] {
                if (at != session.epoch_)
                    return;
                session.forgetParts();
                emit session.failed(*why);
            });
            idle = true; // until the next request
        }
    }
}

/// Does the most urgent work; false when there is none.
bool MapSession::Worker::step(const Request& now) {
    if (epoch != now.epoch) {
        epoch = now.epoch;
        answered = warned = -1;
        inputs.reset();
        inputs_of_b.reset();
        pyramids.clear();
        has_overview.clear();
        noted.clear();
    }
    if (!now.problem || now.cancelled)
        return false;
    return makePyramid(now) || makeTile(now) || (!now.b && (makeNotes(now) || makeOverview(now)));
}

std::shared_ptr<const MapInputs> MapSession::Worker::inputsOf(const Request& now, MapSide side) {
    const auto control = controlWhile(
        [&now](const Request& newest) { return newest.epoch == now.epoch && !newest.cancelled; }); // for every head
    auto& of_side = side == MapSide::B ? inputs_of_b : inputs;
    if (!of_side)
        of_side = std::make_shared<const MapInputs>(side == MapSide::B ? *now.b : *now.problem, now.engine,
                                                    flash::Precision::Float32, control);
    return of_side;
}

/// The map of a head that was opened before, with any pooling; null otherwise.
std::shared_ptr<const AttentionMap> MapSession::Worker::openMap(std::int64_t batch, std::int64_t head) const {
    for (const auto& one : pyramids)
        if (one.choice.batch == batch && one.choice.head == head)
            return one.pyramid->shared_map();
    return nullptr;
}

void MapSession::Worker::tellNotes(const Request& now, const std::vector<Message>& notes) {
    for (const auto& note : notes) {
        if (std::find(noted.begin(), noted.end(), note) != noted.end())
            continue;
        noted.push_back(note);
        tell([this, note, at = now.epoch] {
            if (at == session.epoch_)
                emit session.noted(note);
        });
    }
}

const CachedPyramid* MapSession::Worker::kept(const MapChoice& choice) {
    const auto found =
        std::find_if(pyramids.begin(), pyramids.end(), [&](const CachedPyramid& one) { return one.choice == choice; });
    if (found == pyramids.end())
        return nullptr;
    pyramids.splice(pyramids.begin(), pyramids, found);
    return &pyramids.front();
}

/// Drops pyramids of other heads, the least recently shown first, until all fit the limit.
void MapSession::Worker::keep(CachedPyramid made) {
    std::erase_if(pyramids, [&](const CachedPyramid& one) { return one.choice == made.choice; });
    pyramids.push_front(std::move(made));
    std::size_t bytes = 0;
    for (auto entry = pyramids.begin(); entry != pyramids.end();) {
        bytes += entry->pyramid->bytes();
        const bool goes = entry != pyramids.begin() && bytes > byte_limit;
        entry = goes ? pyramids.erase(entry) : std::next(entry);
    }
}

/// Reports the pyramid that the session waits for, made now or before.
bool MapSession::Worker::makePyramid(const Request& now) {
    if (answered == now.number)
        return false;
    if (!kept(now.choice))
        buildPyramid(now);
    answered = now.number;
    tell([this, one = *kept(now.choice), request = now.number, at = now.epoch] {
        if (at != session.epoch_ || request != session.request_)
            return;
        session.pyramid_ = one.pyramid;
        session.compared_ = one.compared;
        session.usual_difference_ = one.usual_difference;
        session.range_ = one.range;
        session.linear_hides_ = one.linear_hides;
        emit session.ready();
    });
    return true;
}

void MapSession::Worker::buildPyramid(const Request& now) {
    const auto tell_waiting = [this, request = now.number, at = now.epoch](auto call) {
        tell([this, request, at, call] {
            if (at == session.epoch_ && request == session.request_)
                call(session);
        });
    };
    tell_waiting([](MapSession& waiting) { emit waiting.started(); });
    auto control = controlWhile([&now](const Request& newest) {
        return newest.epoch == now.epoch && newest.choice == now.choice && !newest.cancelled;
    });
    control.progress = [&tell_waiting](double fraction) {
        tell_waiting([fraction](MapSession& waiting) { emit waiting.progressed(fraction); });
    };
    if (now.b)
        return buildComparison(now, control);
    const auto batch = now.choice.batch, head = now.choice.head;
    const auto pool = now.choice.pool;
    const auto seen = [this, &tell_waiting](const BinGrid& grid, const MapBins& bins) {
        tell_waiting([part = partOf(grid, bins, inputs->rows())](MapSession& waiting) { waiting.take(part); });
    };
    std::shared_ptr<MapPyramid> pyramid;
    if (const auto map = openMap(batch, head)) {
        pyramid = std::make_shared<MapPyramid>(map, pool, byte_limit);
        pyramid->build(control, 0, seen);
    } else {
        pyramid = std::make_shared<MapPyramid>(inputsOf(now), batch, head, pool, byte_limit, control, 0, seen);
    }
    tellNotes(now, pyramid->map().notes());
    std::vector<double> bins;
    appendBins(bins, pyramid->overview(bins_of_picture, control), pool);
    keep({now.choice, pyramid, rangeOf(*pyramid, pool), linearHides(std::move(bins))});
}

/// One side of a comparison, which has sums and maxima for every choice of it.
std::shared_ptr<MapPyramid> MapSession::Worker::sideOf(const Request& now, MapSide side, const RunControl& control) {
    const auto head = side == MapSide::B ? now.choice.head_of_b : now.choice.head;
    for (const auto& one : pyramids)
        if (one.choice.side == side && one.choice.batch == now.choice.batch && one.choice.head == head)
            return one.pyramid;
    const auto of_side = inputsOf(now, side);
    if (head >= of_side->heads() || now.choice.batch >= of_side->batches())
        throw Error({ATTNLAB_TEXT("Map B has no batch %1, head %2: it has %3 batches of %4 heads."),
                     {std::to_string(now.choice.batch), std::to_string(head), std::to_string(of_side->batches()),
                      std::to_string(of_side->heads())}});
    auto pyramid = std::make_shared<MapPyramid>(of_side, now.choice.batch, head, Pool::Mean, byte_limit, control);
    tellNotes(now, pyramid->map().notes());
    return pyramid;
}

void MapSession::Worker::buildComparison(const Request& now, const RunControl& control) {
    const auto a = sideOf(now, MapSide::A, control.part(0.0, 0.5));
    const auto b = sideOf(now, MapSide::B, control.part(0.5, 1.0));
    require_equal_size(a->map().all(), b->map().all());
    const auto pool = now.choice.pool;
    ValueRange range = rangeOf(*a, pool); // one for both sides
    range.include(rangeOf(*b, pool));
    std::vector<double> bins, changes;
    for (const auto& side : {a, b})
        appendBins(bins, side->overview(bins_of_picture, control), pool);
    const bool hides = linearHides(std::move(bins));
    const auto difference = std::make_shared<MapPyramid>(a, b, pool, byte_limit);
    difference->build(control);
    const auto overview = difference->overview(bins_of_picture, control);
    ValueRange change;
    includeBins(change, overview, Pool::Mean);
    appendBins(changes, overview, Pool::Mean);
    const double usual = usualDifference(std::move(changes));
    const auto keep_side = [&](MapSide side) {
        auto choice = now.choice;
        choice.side = side;
        if (side == MapSide::Difference)
            keep({choice, difference, change, false, a->shared_map(), usual});
        else
            keep({choice, side == MapSide::A ? a : b, range, hides});
    };
    for (const auto side : {MapSide::A, MapSide::B, MapSide::Difference})
        if (side != now.choice.side)
            keep_side(side);
    keep_side(now.choice.side); // last, so that it stays
}

bool MapSession::Worker::makeTile(const Request& now) {
    const auto* shown = kept(now.choice);
    const auto pyramid = shown ? shown->pyramid : nullptr;
    for (const auto& tile : now.tiles) {
        if (!pyramid || pyramid->find(tile))
            continue;
        pyramid->request(tile, controlWhile([&now, &tile](const Request& newest) {
                             return newest.epoch == now.epoch && newest.choice == now.choice &&
                                    std::find(newest.tiles.begin(), newest.tiles.end(), tile) != newest.tiles.end();
                         }));
        tellNotes(now, pyramid->map().notes());
        tell([this, at = now.epoch] {
            if (at == session.epoch_)
                emit session.tileReady();
        });
        return true;
    }
    return false;
}

bool MapSession::Worker::makeNotes(const Request& now) {
    const auto* shown = kept(now.choice);
    if (!shown || warned == now.number)
        return false;
    auto notes = shown->pyramid->map().notes_on_data(controlForRest(now));
    warned = now.number;
    tell([this, notes = std::move(notes), request = now.number, at = now.epoch] {
        if (at == session.epoch_ && request == session.request_)
            emit session.warned(notes);
    });
    return true;
}

PooledHead MapSession::Worker::pooledOverview(const Request& now, std::int64_t head, const RunControl& control) {
    const auto batch = now.choice.batch;
    const auto pool = now.choice.pool;
    const auto known = std::find_if(
        pyramids.begin(), pyramids.end(),
        [&, wanted = MapChoice{batch, head, pool}](const CachedPyramid& one) { return one.choice == wanted; });
    if (known != pyramids.end())
        return {known->pyramid->overview(MapSession::overview_bins, control), known->pyramid->map().notes()};
    const auto all = inputsOf(now);
    const auto grid =
        grid_of({0, all->rows(), 0, all->columns()}, MapSession::overview_bins, MapSession::overview_bins);
    if (const auto map = openMap(batch, head))
        return {map->pool(grid, pool, control), map->notes()};
    return pool_of_head(all, batch, head, grid, pool, control);
}

bool MapSession::Worker::makeOverview(const Request& now) {
    const auto heads = std::min(inputs ? inputs->heads() : 0, MapSession::most_overviews);
    if (heads == 0)
        return false;
    const MapChoice all{now.choice.batch, 0, now.choice.pool};
    if (overview_choice != all || has_overview.empty()) {
        has_overview.assign(static_cast<std::size_t>(heads), false);
        overview_choice = all;
    }
    auto head = now.choice.head; // already exists
    if (head >= heads || has_overview[static_cast<std::size_t>(head)]) {
        const auto next = std::find(has_overview.begin(), has_overview.end(), false);
        if (!now.overviews || next == has_overview.end())
            return false;
        head = next - has_overview.begin();
    }
    auto pooled = pooledOverview(now, head, controlForRest(now));
    tellNotes(now, pooled.notes);
    const auto bins = std::make_shared<const MapBins>(std::move(pooled.bins));
    has_overview[static_cast<std::size_t>(head)] = true;
    const auto done = std::count(has_overview.begin(), has_overview.end(), true);
    tell([this, bins, head, done, total = has_overview.size(), at = now.epoch, all] {
        if (at != session.epoch_ || all.batch != session.choice_.batch || all.pool != session.choice_.pool)
            return;
        session.overviews_.resize(total);
        session.overviews_[static_cast<std::size_t>(head)] = bins;
        emit session.overviewReady(static_cast<int>(head), static_cast<int>(done), static_cast<int>(total));
    });
    return true;
}

MapSession::MapSession(QObject* parent) : QObject(parent), worker_(std::make_unique<Worker>(*this)) {}

MapSession::~MapSession() = default;

void MapSession::open(const AttentionProblem& problem) { start(problem, nullptr); }

void MapSession::open(const AttentionProblem& a, const AttentionProblem& b) {
    start(a, std::make_shared<const AttentionProblem>(b));
}

void MapSession::start(const AttentionProblem& problem, std::shared_ptr<const AttentionProblem> b) {
    close();
    open_ = true;
    Request request{.epoch = ++epoch_,
                    .problem = std::make_shared<const AttentionProblem>(problem),
                    .b = std::move(b),
                    .engine = engine_,
                    .choice = choice_,
                    .overviews = compute_overviews_,
                    .number = ++request_};
    worker_->set(std::move(request));
}

void MapSession::close() {
    ++epoch_;
    open_ = false;
    cancelled_ = false;
    pyramid_.reset();
    compared_.reset();
    forgetParts();
    tiles_.clear();
    overviews_.clear();
    compute_overviews_ = true;
    worker_->set({.epoch = epoch_, .choice = choice_, .number = ++request_});
}

/// Sends a new request for the same problem to the worker.
void MapSession::ask() {
    Request next;
    {
        const std::lock_guard lock(worker_->mutex);
        next = worker_->request;
    }
    next.choice = choice_;
    next.tiles = tiles_;
    next.overviews = compute_overviews_;
    next.cancelled = cancelled_;
    next.number = request_;
    worker_->set(std::move(next));
}

void MapSession::show(const MapChoice& choice) {
    if (choice == choice_)
        return;
    if (choice.batch != choice_.batch || choice.pool != choice_.pool)
        overviews_.clear();
    choice_ = choice;
    cancelled_ = false;
    ++request_;
    pyramid_.reset();
    compared_.reset();
    forgetParts();
    tiles_.clear();
    if (open_)
        ask();
}

void MapSession::cancel() {
    if (!open_ || cancelled_ || pyramid_)
        return;
    cancelled_ = true;
    ++request_;
    ask();
}

void MapSession::resume() {
    if (!cancelled_)
        return;
    cancelled_ = false;
    ++request_;
    forgetParts();
    ask();
}

void MapSession::forgetParts() {
    parts_.clear();
    range_ = {};
    linear_hides_ = false;
}

void MapSession::take(std::shared_ptr<const MapPart> part) {
    includeBins(range_, part->bins, choice_.pool);
    parts_.push_back(std::move(part));
    std::vector<double> bins;
    for (const auto& one : parts_)
        appendBins(bins, one->bins, choice_.pool);
    linear_hides_ = linearHides(std::move(bins));
    emit partReady();
}

ColorScale MapSession::scaleFor(const ColorChoice& choice) const {
    ColorScale scale = mapScale(colorsFor(choice), range_);
    scale.linear_hides = linear_hides_;
    return scale;
}

ColorScale MapSession::differenceScale() const { return ui::differenceScale({}, range_, usual_difference_); }

void MapSession::want(const std::vector<MapTile>& tiles) {
    if (!open_ || tiles == tiles_)
        return;
    tiles_ = tiles;
    ask();
}

std::shared_ptr<const MapBins> MapSession::overview(std::int64_t head) const {
    return head >= 0 && head < static_cast<std::int64_t>(overviews_.size()) ? overviews_[static_cast<std::size_t>(head)]
                                                                            : nullptr;
}

void MapSession::cancelOverviews() {
    compute_overviews_ = false;
    if (open_)
        ask();
}

void MapSession::setByteLimit(std::size_t bytes) {
    worker_->byte_limit = bytes;
    if (pyramid_)
        pyramid_->set_byte_limit(bytes);
}

} // namespace attnlab::ui
