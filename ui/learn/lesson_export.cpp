#include "ui/learn/lesson_export.h"

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_files.h"
#include "ui/document/local_files.h"
#include "ui/export/live_page.h"
#include "ui/export/web_page_export.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lecture_dialog.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <QCoreApplication>
#include <QEventLoop>
#include <QLocale>
#include <QPainter>
#include <QPointer>
#include <QScopeGuard>
#include <QTextDocument>
#include <utility>

namespace attnlab::ui {
namespace {

/// Room for a board as in the window, so that it lays out what it would show there.
constexpr QSize board_size(1000, 680);
constexpr int handout_look_milliseconds = 15;
constexpr double compared_share = 0.4; ///< of the progress: steps are compared before their pictures are made
constexpr QPageSize::PageSizeId papers[] = {QPageSize::A4, QPageSize::Letter};
constexpr int most_looks = 60'000 / handout_look_milliseconds; ///< then a page goes out with what its board has

struct HandoutExport {
    Q_DECLARE_TR_FUNCTIONS(HandoutExport)
};

/// A handout that the window's thread makes for another one. The maker and `is_settled` are used in the window's thread
/// alone.
struct Making {
    std::promise<Handout> made;
    std::atomic<double> done = 0.0;
    std::atomic<bool> abandoned = false;
    bool is_settled = false;
    /// A child of the application: when that ends, the maker ends before the events that still hold this object. It
    /// waits for a thread that posts events.
    QPointer<HandoutMaker> maker;

    /// Keeps what `result` returns or throws.
    template <class Result>
    void settle(Result result) {
        if (std::exchange(is_settled, true))
            return;
        try {
            made.set_value(result());
        } catch (...) {
            made.set_exception(std::current_exception());
        }
    }

    void start(const LessonPtr& lesson, HandoutKind kind) {
        if (abandoned)
            return;
        try {
            maker = new HandoutMaker(lesson, kind, qApp);
            QObject::connect(maker.data(), &HandoutMaker::progressed, [this](double fraction) { done = fraction; });
            QObject::connect(maker.data(), &HandoutMaker::finished,
                             [this] { settle([this] { return maker->handout(); }); });
            maker->start();
        } catch (...) {
            settle([]() -> Handout { throw; });
        }
    }
};

/// Waits for a maker in the window's thread, which may wait for this one in its turn: nothing here needs an answer of
/// it to be cancelled. Throws Cancelled, and what making it throws.
Handout makeInWindow(const LessonPtr& lesson, HandoutKind kind, const RunControl& control) {
    constexpr std::chrono::milliseconds patience(20);
    const auto making = std::make_shared<Making>();
    auto handout = making->made.get_future();
    const auto in_window = [](auto work) { QMetaObject::invokeMethod(qApp, std::move(work), Qt::QueuedConnection); };
    const auto cleanup = qScopeGuard([&] {
        making->abandoned = true;
        in_window([making] { delete making->maker.data(); });
    });
    in_window([making, lesson, kind] { making->start(lesson, kind); });
    while (handout.wait_for(patience) != std::future_status::ready) {
        control.report(making->done);
        control.checkpoint();
    }
    return handout.get();
}

QByteArray pdfOf(const LessonPtr& lesson, HandoutKind kind, QPageSize::PageSizeId paper, const RunControl& control) {
    const auto handout = makeInWindow(lesson, kind, control.part(0.0, 0.8));
    return handoutData(handout, paper, control.part(0.8, 1.0));
}

std::shared_ptr<const Drawing> onPaper(std::shared_ptr<const Drawing> picture) {
    const auto* board = dynamic_cast<const BoardPicture*>(picture.get());
    if (!board)
        return picture;
    auto paper = std::make_shared<BoardPicture>(*board);
    paper->for_print = true;
    return paper;
}

} // namespace

HandoutMaker::HandoutMaker(LessonPtr lesson, HandoutKind kind, QObject* parent)
    : QObject(parent), lesson_(std::move(lesson)), frame_(std::make_unique<BoardFrame>()),
      measuring_([this](StepQuestion measured) { question_ = std::move(measured); }),
      comparing_([this](std::vector<std::vector<lab::HiddenPart>> parts) {
          asked_earlier_ = std::move(parts);
          guarded([this] { begin(0); });
      }) {
    handout_.title = lesson_->title();
    handout_.summary = lesson_->summary();
    handout_.kind = kind;
    frame_->resize(board_size);
    timer_.setInterval(handout_look_milliseconds);
    connect(&timer_, &QTimer::timeout, this, [this] { guarded([this] { look(); }); });
    // A step that cannot be computed still has its words.
    connect(frame_.get(), &BoardFrame::failed, this, [this] { failed_ = true; });
    connect(&comparing_, &LatestJobBase::failed, this,
            [this](const Message& why) { guarded([&]() -> void { throw Error(why); }); });
    connect(&comparing_, &LatestJobBase::progressed, this,
            [this](double fraction) { emit progressed(compared_share * fraction); });
}

HandoutMaker::~HandoutMaker() = default;

void HandoutMaker::start() {
    if (handout_.kind == HandoutKind::Questions)
        comparing_.request([lesson = lesson_](const RunControl& control) { return lesson->askedEarlier(control); });
    else
        guarded([this] { begin(0); });
}

/// An exception ends the handout: it must not leave those waiting who wait for the signal.
void HandoutMaker::guarded(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        timer_.stop();
        error_ = std::current_exception();
        emit finished();
    }
}

Handout HandoutMaker::handout() const {
    if (error_)
        std::rethrow_exception(error_);
    return handout_;
}

void HandoutMaker::begin(int step) {
    step_ = step;
    if (step_ == lesson_->stepCount()) {
        timer_.stop();
        frame_->clear();
        emit finished();
        return;
    }
    if (handout_.kind == HandoutKind::Questions && !lesson_->content().steps[static_cast<std::size_t>(step)].on_sheet) {
        HandoutStep left_out;
        left_out.number = step + 1;
        left_out.left_out = true;
        handout_.steps.push_back(std::move(left_out));
        next();
        return;
    }
    has_other_board_ = false;
    question_ = {};
    if (handout_.kind == HandoutKind::Solutions)
        measuring_.request([lesson = lesson_, step, language = currentLanguage()](const RunControl& control) {
            return lesson->measuredQuestion(step, language, control, lessons::Medium::Paper);
        });
    const bool covers = handout_.kind == HandoutKind::Questions;
    show(lesson_->scene(step), lesson_->view(step),
         covers ? lesson_->sheetView(step, asked_earlier_.at(static_cast<std::size_t>(step))) : std::nullopt);
}

void HandoutMaker::show(const lab::Scene& scene, const lab::BoardSpec& view, std::optional<lab::BoardSpec> asking) {
    failed_ = false;
    looks_ = 0;
    frame_->begin(scene, view, std::move(asking));
    timer_.start();
}

/// Boards go on with parts of their picture after the scene is computed.
void HandoutMaker::look() {
    const auto& model = frame_->model();
    const bool patient = ++looks_ < most_looks;
    if (patient && ((!model.result() && !failed_) || model.isComputing() || measuring_.isRunning() ||
                    !frame_->board()->isSettled()))
        return;
    frame_->setWords(lesson_->cardWords(step_, model.computedScene(), model.result().get(), lessons::Medium::Paper));
    if (has_other_board_) {
        handout_.steps.back().revealed = onPaper(frame_->board()->picture());
        next();
        return;
    }
    addStep();
    if (const auto other = otherBoard()) {
        has_other_board_ = true;
        show(other->first, other->second);
    } else {
        next();
    }
}

void HandoutMaker::addStep() {
    const auto& model = frame_->model();
    HandoutStep step;
    step.number = step_ + 1;
    step.title = lesson_->stepTitle(step_);
    step.formula = lesson_->formula(step_);
    step.text = lesson_->printedText(step_, model.computedScene(), model.result().get());
    step.picture = onPaper(frame_->board()->picture());
    step.question = handout_.kind == HandoutKind::Solutions
                        ? question_
                        : lesson_->printedQuestion(step_, model.computedScene(), model.result().get());
    handout_.steps.push_back(std::move(step));
}

/// Of solutions: what the answer is about, where that is not what the question shows.
std::optional<std::pair<lab::Scene, lab::BoardSpec>> HandoutMaker::otherBoard() const {
    if (!lesson_->hasQuestion(step_) || handout_.kind == HandoutKind::Questions)
        return std::nullopt;
    const auto& scene = lesson_->scene(step_);
    auto revealed = lesson_->revealedScene(step_);
    const auto& view = lesson_->revealedView(step_);
    if (revealed == scene && view == lesson_->view(step_))
        return std::nullopt;
    return std::pair(std::move(revealed), view);
}

void HandoutMaker::next() {
    const double before = handout_.kind == HandoutKind::Questions ? compared_share : 0.0;
    emit progressed(before + (1.0 - before) * (step_ + 1) / lesson_->stepCount());
    begin(step_ + 1);
}

Handout makeHandout(const LessonPtr& lesson, HandoutKind kind) {
    HandoutMaker maker(lesson, kind);
    QEventLoop loop;
    QObject::connect(&maker, &HandoutMaker::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    maker.start();
    loop.exec();
    return maker.handout();
}

QByteArray lessonPage(const LessonPtr& lesson, const LivePageOptions& options, const RunControl& control) {
    const auto& content = lesson->content();
    if (!lesson->isLecture())
        return livePage(content, lessonFiles(QString::fromStdString(content.folder)), options, control);
    const auto shipped = QStringLiteral(":/attnlab/lectures/%1.json").arg(QString::fromStdString(content.id));
    LectureSource source{lectureBytes(isLectureFile(lesson->key()) ? lesson->key() : shipped), {}};
    const auto lessons = shippedLessons();
    for (const auto& one : lessons)
        source.lessons.emplace_back(&one->content(), lessonFiles(QString::fromStdString(one->content().folder)));
    return livePage(content, source, options, control);
}

ExportSubject handoutExport(const LessonPtr& lesson, const QString& name) {
    const QString kind = QStringLiteral("content"), paper = QStringLiteral("paper");
    const auto kind_of = [kind](const ExportSettings& settings) {
        return settings.choices.value(kind) > 0 ? HandoutKind::Solutions : HandoutKind::Questions;
    };
    QStringList papers_by_name;
    for (const auto size : papers)
        papers_by_name << QPageSize::name(size);
    const bool in_inches = QLocale::system().measurementSystem() == QLocale::ImperialUSSystem;
    ExportOutput pages{QStringLiteral("handout"), FormatKind::Pages, lesson->title(), name};
    pages.words = [title = lesson->title(), kind_of](const ExportSettings& settings) {
        const QString words = kind_of(settings) == HandoutKind::Solutions
                                  ? HandoutExport::tr("A PDF of “%1” with every step, its picture and question, the "
                                                      "right answer and its explanation.")
                                  : HandoutExport::tr("A PDF of “%1” with every step and question and room to write. "
                                                      "What a question asks for is covered in its picture.");
        return words.arg(title);
    };
    pages.bytes = [lesson, paper, kind_of](const ExportSettings& settings, const RunControl& control) {
        return pdfOf(lesson, kind_of(settings), papers[settings.choices.value(paper)], control);
    };
    pages.write = [bytes = pages.bytes](const QString& path, const ExportSettings& settings,
                                        const RunControl& control) {
        writeBytes(path, bytes(settings, control), control);
    };
    ExportChoice content{kind, HandoutExport::tr("&Content"), 0, 0, 1};
    content.names = {HandoutExport::tr("Questions for students"), HandoutExport::tr("Solutions")};
    content.name = name + QStringLiteral("-solutions");
    ExportSubject subject;
    subject.title = HandoutExport::tr("Export the lesson as a handout");
    subject.choices = {std::move(content),
                       {paper, HandoutExport::tr("&Paper"), in_inches ? 1 : 0, 0, 1, papers_by_name}};
    subject.outputs.push_back(std::move(pages));
    for (auto& choice : subject.choices)
        choice.outputs = {QStringLiteral("handout")};
    if (!livePageUnsupportedReason())
        subject.outputs.push_back(
            livePageOutput(HandoutExport::tr("A page of HTML with every step, which computes"), name,
                           [lesson](const RunControl& control) { return lessonPage(lesson, {}, control); }));
    return subject;
}

namespace {

constexpr double picture_gap = 10.0;
/// A board is wider than a heatmap.
constexpr QSizeF step_points(760, 520);
constexpr double picture_narrowest = 260.0; ///< for reading

struct StepExport {
    Q_DECLARE_TR_FUNCTIONS(StepExport)
};

} // namespace

StepPicture::StepPicture(std::shared_ptr<const Drawing> board, QString markdown)
    : board_(std::move(board)), markdown_(std::move(markdown)) {}

double StepPicture::textHeight(const QFont& font, double width) const {
    if (markdown_.isEmpty())
        return 0.0;
    const auto text = textDocument(markdown_, font, {});
    text->setUseDesignMetrics(true);
    text->setTextWidth(width);
    return text->size().height() + picture_gap;
}

QSizeF StepPicture::smallest(const QFont& font, double width) const {
    const QSizeF least = board_->smallest(font, width);
    const double wide = markdown_.isEmpty() ? least.width() : std::max(least.width(), picture_narrowest);
    return {wide, least.height() + textHeight(font, std::max(wide, width))};
}

QRectF StepPicture::boardArea(const QRectF& area, const QFont& font) const {
    return area.adjusted(0, 0, 0, -textHeight(font, area.width()));
}

void StepPicture::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const QRectF above = boardArea(area, style.font);
    board_->paint(painter, above, style);
    if (markdown_.isEmpty())
        return;
    const auto text = textDocument(markdown_, style.font, style.look.text);
    text->setUseDesignMetrics(true);
    text->setTextWidth(area.width());
    painter.save();
    painter.translate(area.left(), above.bottom() + picture_gap);
    text->drawContents(&painter);
    painter.restore();
}

QString StepPicture::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    return board_->textAt(position, boardArea(area, font), font);
}

void addBoardPage(ExportSubject& subject, const lab::Scene& scene, const lab::BoardSpec& view, const QString& name) {
    if (scene.model || livePageUnsupportedReason())
        return;
    subject.outputs.push_back(livePageOutput(StepExport::tr("A page of HTML with the board, which computes"), name,
                                             [scene, view, title = subject.figure.title](const RunControl& control) {
                                                 LivePageOptions options;
                                                 options.title = title;
                                                 return livePage(scene, view, options, control);
                                             }));
}

ExportSubject stepExport(std::shared_ptr<const Drawing> board, const QString& title, const QString& markdown,
                         const QString& name) {
    const QString text = QStringLiteral("text");
    ExportSubject subject;
    subject.title = StepExport::tr("Export this step");
    subject.figure.title = title;
    subject.figure.size_points = step_points;
    if (!markdown.isEmpty())
        subject.choices.push_back({text, StepExport::tr("The text of the step below"), 1});
    const auto figure = [board = std::move(board), markdown, text](const ExportSettings& settings) -> Figure {
        const bool with_text = settings.choices.value(text) > 0;
        return std::shared_ptr<const Drawing>(std::make_shared<StepPicture>(board, with_text ? markdown : QString()));
    };
    subject.outputs.push_back(pictureOutput(title, name, figure));
    return subject;
}

} // namespace attnlab::ui
