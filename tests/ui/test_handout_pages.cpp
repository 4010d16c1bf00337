// Every page of every lesson's handouts, read back as pixels: pictures and charts are in their places and nowhere else.
#include "tests/test_main.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson_export.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

const QColor mark(255, 0, 255);

/// Takes the place of a drawing and fills it.
class MarkedDrawing : public Drawing {
public:
    explicit MarkedDrawing(std::shared_ptr<const Drawing> inner) : inner_(std::move(inner)) {}
    QSizeF smallest(const QFont& font, double width) const override { return inner_->smallest(font, width); }
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle&) const override {
        painter.fillRect(area, mark);
    }
    QString textAt(const QPointF&, const QRectF&, const QFont&) const override { return {}; }

private:
    std::shared_ptr<const Drawing> inner_;
};

/// The same with the sizes of a board.
class MarkedBoard : public BoardPicture {
public:
    explicit MarkedBoard(const BoardPicture& board) : BoardPicture(board) {}
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle&) const override {
        painter.fillRect(area, mark);
    }
};

class MarkedPart : public Part {
public:
    explicit MarkedPart(PartPtr inner) : inner_(std::move(inner)) {}
    QString title() const override { return {}; }
    QString words() const override { return {}; }
    QSizeF smallest(const QFont& font, double width) const override { return inner_->smallest(font, width); }
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle&) const override {
        painter.fillRect(area, mark);
    }
    QString textAt(const QPointF&, const QRectF&, const QFont&) const override { return {}; }

private:
    PartPtr inner_;
};

using Pages = std::vector<QImage>;

QByteArray outputOf(const char* name, const QStringList& arguments) {
    QProcess process;
    process.start(QStandardPaths::findExecutable(QString::fromLatin1(name)), arguments);
    process.waitForFinished(60000);
    return process.readAllStandardOutput();
}

/// Empty if the program is not installed.
Pages pagesOf(const QString& pdf, int dots_per_inch = 72) {
    const QTemporaryDir folder;
    if (QStandardPaths::findExecutable(QStringLiteral("pdftoppm")).isEmpty())
        return {};
    outputOf("pdftoppm", {"-r", QString::number(dots_per_inch), pdf, folder.filePath("page")});
    Pages pages;
    const QDir made(folder.path());
    for (const auto& name : made.entryList({"page*"}, QDir::Files, QDir::Name))
        pages.push_back(QImage(made.filePath(name)).convertToFormat(QImage::Format_RGB32));
    return pages;
}

void writePdf(const QString& path, const Handout& handout) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(handoutData(handout, QPageSize::A4));
}

Pages pagesOf(const Handout& handout) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("handout.pdf");
    writePdf(path, handout);
    return pagesOf(path);
}

/// Words of a page in their places.
struct PlacedWord {
    QString text;
    QRectF box;
};

std::vector<std::vector<PlacedWord>> wordsOf(const QString& pdf) {
    static const QRegularExpression word(
        QStringLiteral("<word xMin=\"([^\"]+)\" yMin=\"([^\"]+)\" xMax=\"([^\"]+)\" yMax=\"([^\"]+)\">(.*)</word>"));
    std::vector<std::vector<PlacedWord>> pages;
    for (const auto& line : QString::fromUtf8(outputOf("pdftotext", {"-bbox", pdf, "-"})).split(QLatin1Char('\n'))) {
        if (line.contains(QLatin1String("<page ")))
            pages.emplace_back();
        if (const auto found = word.match(line); found.hasMatch() && !pages.empty())
            pages.back().push_back(
                {found.captured(5), QRectF(QPointF(found.captured(1).toDouble(), found.captured(2).toDouble()),
                                           QPointF(found.captured(3).toDouble(), found.captured(4).toDouble()))});
    }
    return pages;
}

/// Words of one line touch; these lie on each other.
bool overlap(const PlacedWord& a, const PlacedWord& b) {
    constexpr double share = 0.4;
    const QRectF both = a.box.intersected(b.box);
    const auto area = [](const QRectF& box) { return box.width() * box.height(); };
    return !both.isEmpty() && area(both) > share * std::min(area(a.box), area(b.box));
}

bool areAlike(QRgb a, QRgb b) {
    constexpr int rounding = 40;
    return std::abs(qRed(a) - qRed(b)) <= rounding && std::abs(qGreen(a) - qGreen(b)) <= rounding &&
           std::abs(qBlue(a) - qBlue(b)) <= rounding;
}

/// The filled rectangles of a page, from top to bottom and from left to right.
std::vector<QRect> markedIn(const QImage& page) {
    std::vector<QRect> found;
    const auto is_marked = [&](int x, int y) { return page.valid(x, y) && areAlike(page.pixel(x, y), mark.rgb()); };
    const auto is_new = [&](int x, int y) {
        return is_marked(x, y) &&
               std::ranges::none_of(found, [&](const QRect& box) { return box.adjusted(-1, -1, 1, 1).contains(x, y); });
    };
    for (int y = 0; y < page.height(); ++y)
        for (int x = 0; x < page.width(); ++x) {
            if (!is_new(x, y))
                continue;
            QRect box(x, y, 1, 1);
            while (is_marked(box.right() + 1, y))
                box.setRight(box.right() + 1);
            while (is_marked(x, box.bottom() + 1))
                box.setBottom(box.bottom() + 1);
            found.push_back(box);
        }
    return found;
}

/// The smallest rectangle around the pixels in `within` of which `is_ink` is true.
template <class IsInk>
QRect around(const QRect& within, IsInk is_ink) {
    QRect ink;
    for (int y = within.top(); y <= within.bottom(); ++y)
        for (int x = within.left(); x <= within.right(); ++x)
            if (is_ink(x, y))
                ink |= QRect(x, y, 1, 1);
    return ink;
}

QString wordsOf(const QRect& box) {
    return QStringLiteral("%1 x %2 at %3, %4").arg(box.width()).arg(box.height()).arg(box.x()).arg(box.y());
}

/// The pictures in the order of the pages.
std::vector<std::shared_ptr<const Drawing>*> picturesOf(Handout& handout) {
    std::vector<std::shared_ptr<const Drawing>*> pictures;
    for (auto& step : handout.steps)
        for (auto* picture : {&step.picture, &step.revealed})
            if (*picture)
                pictures.push_back(picture);
    return pictures;
}

const BoardPicture* boardOf(const std::shared_ptr<const Drawing>& picture) {
    return dynamic_cast<const BoardPicture*>(picture.get());
}

/// Marks the histograms of a board and takes its curves away.
std::shared_ptr<const Drawing> withMarkedCharts(const std::shared_ptr<const Drawing>& picture) {
    const auto* board = boardOf(picture);
    if (!board)
        return picture;
    auto marked = std::make_shared<BoardPicture>(*board);
    for (auto& card : marked->cards)
        for (auto* parts : {&card.content.above, &card.content.below})
            for (auto& part : *parts)
                if (dynamic_cast<const HistogramPart*>(part.get()))
                    part = std::make_shared<MarkedPart>(part);
    if (marked->curve)
        marked->curve->lines.clear();
    return marked;
}

int histogramsOf(const BoardPicture& board) {
    return static_cast<int>(std::ranges::count_if(
        board.cards, [](const auto& card) { return card.content.template part<HistogramPart>() != nullptr; }));
}

} // namespace

class TestHandoutPages : public QObject {
    Q_OBJECT

    bool spans(const QRect& ink, const QRect& box, double width, double height) {
        return ink.width() >= width * box.width() && ink.height() >= height * box.height();
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyLanguage(QStringLiteral("en")); }

    void chartsAreInTheirPlaces_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("solutions");
        const auto lessons = shippedLessons();
        for (int i = 0; i < static_cast<int>(lessons.size()); ++i)
            for (const bool solutions : {false, true})
                QTest::addRow("%s, %s", qPrintable(lessons[static_cast<std::size_t>(i)]->key()),
                              solutions ? "solutions" : "questions")
                    << i << solutions;
    }

    void chartsAreInTheirPlaces() {
        QFETCH(int, index);
        QFETCH(bool, solutions);
        applyLanguage(solutions ? QStringLiteral("zh_CN") : QStringLiteral("en"));
        const auto lesson = shippedLessons()[static_cast<std::size_t>(index)];
        Handout handout = makeHandout(lesson, solutions ? HandoutKind::Solutions : HandoutKind::Questions);
        const auto originals = picturesOf(handout);
        Handout all_marked = handout, charts_marked = handout;
        for (auto* picture : picturesOf(all_marked))
            *picture = boardOf(*picture)
                           ? std::shared_ptr<const Drawing>(std::make_shared<MarkedBoard>(*boardOf(*picture)))
                           : std::make_shared<MarkedDrawing>(*picture);
        for (auto* picture : picturesOf(charts_marked))
            *picture = withMarkedCharts(*picture);
        const Pages pages = pagesOf(handout), marked = pagesOf(all_marked), charts = pagesOf(charts_marked);
        if (pages.empty())
            QSKIP("pdftoppm is not there to read the pages");
        QVERIFY(pages.size() == marked.size() && pages.size() == charts.size());
        std::size_t next = 0;
        for (std::size_t i = 0; i < pages.size(); ++i) {
            const auto boxes = markedIn(marked[i]);
            nothingIsOutside(pages[i], marked[i], boxes);
            for (const auto& box : boxes) {
                QVERIFY(next < originals.size());
                pictureIsInPlace(pages[i], charts[i], box, *originals[next++]);
            }
            if (QTest::currentTestFailed()) {
                qWarning("on page %d", static_cast<int>(i) + 1);
                return;
            }
        }
        QCOMPARE(next, originals.size());
    }

    void readsOnPaper_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("solutions");
        QTest::addColumn<QString>("language");
        const auto lessons = shippedLessons();
        for (int i = 0; i < static_cast<int>(lessons.size()); ++i)
            for (const bool solutions : {false, true})
                for (const char* language : {"en", "zh_CN"})
                    QTest::addRow("%s, %s, %s", qPrintable(lessons[static_cast<std::size_t>(i)]->key()),
                                  solutions ? "solutions" : "questions", language)
                        << i << solutions << language;
    }

    /// Nothing speaks of what only a screen has, no number is missing, no words lie on each other, and pages are used.
    void readsOnPaper() {
        QFETCH(int, index);
        QFETCH(bool, solutions);
        QFETCH(QString, language);
        if (QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty())
            QSKIP("pdftotext is not there to read the pages");
        applyLanguage(language);
        const QTemporaryDir folder;
        const QString pdf = folder.filePath("handout.pdf");
        const auto lesson = shippedLessons()[static_cast<std::size_t>(index)];
        const Handout handout = makeHandout(lesson, solutions ? HandoutKind::Solutions : HandoutKind::Questions);
        for (const auto& step : handout.steps) {
            QVERIFY2(!step.question.text.contains(QStringLiteral("…")), qPrintable(step.question.text));
            QCOMPARE(step.question.answer.isEmpty(), !solutions || step.question.text.isEmpty());
            for (const auto& text : {step.text, step.question.text, step.question.answer})
                isForPaper(text);
        }
        writePdf(pdf, handout);
        noWordsOverlap(wordsOf(pdf));
        pagesAreUsed(pagesOf(pdf, coarse));
    }

private:
    static constexpr int coarse = 24; ///< dots per inch

    void noWordsOverlap(const std::vector<std::vector<PlacedWord>>& pages) {
        for (std::size_t page = 0; page < pages.size(); ++page)
            for (std::size_t k = 0; k < pages[page].size(); ++k)
                for (std::size_t other = 0; other < k; ++other)
                    QVERIFY2(!overlap(pages[page][k], pages[page][other]),
                             qPrintable(QStringLiteral("page %1: %2 on %3")
                                            .arg(page + 1)
                                            .arg(pages[page][k].text, pages[page][other].text)));
    }

    void isForPaper(const QString& text) {
        static const QRegularExpression screen(
            QStringLiteral(
                "\\b(click|drag|press|slider|hover|point at|pinned|mouse|draw again|switch the stage|move "
                "(d|the width)|play the|edit a)\\b|点击|拖动|拖一拖|按住|滑块|鼠标|移动 d|播放|切换|固定的是"),
            QRegularExpression::CaseInsensitiveOption);
        const auto found = screen.match(text);
        QVERIFY2(!found.hasMatch(), qPrintable(found.captured() + ": " + text));
        QVERIFY2(!text.contains(QLatin1String("{{")), qPrintable(text));
    }

    /// The lowest ink of a page, of the height between its margins. The last page may be short.
    void pagesAreUsed(const Pages& pages) {
        constexpr int margin = 51 * coarse / 72, footer = 30 * coarse / 72;
        constexpr double least = 0.2, usual = 0.5;
        int sparse = 0;
        for (std::size_t k = 0; k + 1 < pages.size(); ++k) {
            const QRect within = pages[k].rect().adjusted(0, margin, 0, -margin - footer);
            const QRect ink = around(within, [&](int x, int y) { return qGray(pages[k].pixel(x, y)) < 200; });
            const double used = static_cast<double>(ink.bottom() - within.top()) / within.height();
            QVERIFY2(used > least, qPrintable(QStringLiteral("page %1: %2").arg(k + 1).arg(used)));
            sparse += used < usual;
        }
        QVERIFY2(sparse <= 1, qPrintable(QStringLiteral("%1 pages are half empty").arg(sparse)));
    }

    void nothingIsOutside(const QImage& page, const QImage& marked, const std::vector<QRect>& boxes) {
        const QRect stray = around(page.rect(), [&](int x, int y) {
            return !areAlike(page.pixel(x, y), marked.pixel(x, y)) &&
                   std::ranges::none_of(boxes,
                                        [&](const QRect& box) { return box.adjusted(-2, -2, 2, 2).contains(x, y); });
        });
        QVERIFY2(stray.isEmpty(), qPrintable("outside all pictures: " + wordsOf(stray)));
    }

    void pictureIsInPlace(const QImage& page, const QImage& charts, const QRect& box,
                          const std::shared_ptr<const Drawing>& picture) {
        const auto is_ink = [&](int x, int y) { return !areAlike(page.pixel(x, y), qRgb(255, 255, 255)); };
        const QRect ink = around(box, is_ink);
        QVERIFY2(spans(ink, box, 0.4, 0.4), qPrintable("picture " + wordsOf(box) + ", ink " + wordsOf(ink)));
        const auto* board = boardOf(picture);
        if (!board)
            return;
        auto histograms = markedIn(charts);
        std::erase_if(histograms, [&](const QRect& chart) { return !box.contains(chart.center()); });
        QCOMPARE(static_cast<int>(histograms.size()), histogramsOf(*board));
        for (const auto& chart : histograms) {
            const QRect drawn = around(chart, is_ink);
            QVERIFY2(spans(drawn, chart, 0.8, 0.5), qPrintable("chart " + wordsOf(chart) + ", ink " + wordsOf(drawn)));
        }
        // What else changes as the charts are taken away is the curve at the bottom.
        const QRect rest = around(box, [&](int x, int y) {
            return !areAlike(page.pixel(x, y), charts.pixel(x, y)) &&
                   std::ranges::none_of(
                       histograms, [&](const QRect& chart) { return chart.adjusted(-2, -2, 2, 2).contains(x, y); });
        });
        if (!board->curve)
            QVERIFY2(rest.isEmpty(), qPrintable("outside the charts: " + wordsOf(rest)));
        else
            QVERIFY2(spans(rest, box, 0.8, 0.05) && rest.top() > box.center().y(),
                     qPrintable("curve " + wordsOf(rest) + " in " + wordsOf(box)));
    }
};

ATTNLAB_TEST(TestHandoutPages)
#include "test_handout_pages.moc"
