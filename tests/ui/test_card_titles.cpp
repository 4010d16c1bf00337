// Titles of the cards of a step: what each card shows that the others do not.
#include "core/lessons/lesson_files.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "ui/learn/cards/card_content.h"

#include <QDir>
#include <QTest>

#include <set>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

const QString resources = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources");

lessons::Lesson loaded(const QString& folder) {
    const auto path = (resources + "/lessons/" + folder).toStdString();
    return lessons::load_lesson(path, lessons::files_below(path, resources.toStdString()));
}

std::vector<CardContent> cardsOf(const lab::Scene& scene, const lab::BoardSpec& view) {
    const auto result = lab::compute(scene);
    return CardContents(scene, view, result, {}).make();
}

QStringList titlesOf(const std::vector<CardContent>& cards) {
    QStringList titles;
    for (const auto& card : cards)
        titles << card.title;
    return titles;
}

} // namespace

class TestCardTitles : public QObject {
    Q_OBJECT
private slots:
    void sayWhatDiffers_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("step");
        QTest::addColumn<QStringList>("titles");
        const auto row = [](const char* folder, const char* step, const QStringList& titles) {
            QTest::addRow("%s: %s", folder, step) << QString(folder) << QString(step) << titles;
        };
        // The exact weights depend on no parameter, and tokens have names.
        row("09-cheaper-attention", "window",
            {"exact weights", "Global tokens: none · weights", "Global tokens: [CLS] · weights"});
        row("09-cheaper-attention", "performer",
            {"exact weights · head 1", "Features m 16 · weights · head 1", "Features m 256 · weights · head 1"});
        row("17-sinks", "zero_key",
            {"Add a zero key: no · weights", "Add a zero key: yes · weights", "Add a zero key: no · output",
             "Add a zero key: yes · output"});
        // Settings that are not on show do not make titles longer.
        row("05-fills", "empty_row", {"fill −∞", "fill −1e9"});
        row("05-fills", "float32", {"float64", "float32"});
        // A precision and a rounding are one number format.
        row("05-fills", "half", {"float32", "bfloat16 all numbers", "float16 all numbers"});
        row("04-masks", "truth", {"True means blocked", "True means kept"});
        row("01-what-attention-computes", "flip", {"cat milk it sweet", "cat milk it hungry"});
        row("15-positions", "order",
            {"dog bites man · weights", "man bites dog · weights", "dog bites man · output", "man bites dog · output"});
    }
    void sayWhatDiffers() {
        QFETCH(QString, folder);
        QFETCH(QString, step);
        QFETCH(QStringList, titles);
        const auto lesson = loaded(folder);
        const auto found = std::ranges::find(lesson.steps, step.toStdString(), &lessons::Step::id);
        QVERIFY(found != lesson.steps.end());
        QCOMPARE(titlesOf(cardsOf(found->scene, found->view)), titles);
    }

    void everyCardOfALessonIsToldApart_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& folder : QDir(resources + "/lessons").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            QTest::addRow("%s", qPrintable(folder)) << folder;
    }
    void everyCardOfALessonIsToldApart() {
        QFETCH(QString, folder);
        const auto lesson = loaded(folder);
        for (const auto& step : lesson.steps) {
            if (step.view.board != lab::BoardKind::Matrices && !step.view.is_lab())
                continue;
            std::vector views{step.view};
            if (step.question && step.question->reveals)
                views.push_back(*step.question->reveals);
            for (const auto& view : views) {
                const auto cards = cardsOf(step.scene, view);
                for (const auto& [language, text] : step.texts) {
                    std::set<std::pair<QString, std::string>> told;
                    for (const auto& card : cards) {
                        const auto words = text.cards.find(card.id.toStdString());
                        const bool has_words = words != text.cards.end() && !words->second.pieces.empty();
                        told.insert({card.title, has_words ? words->second.pieces.front().words : std::string()});
                    }
                    QVERIFY2(told.size() == cards.size(), qPrintable(QString::fromStdString(step.id + ", " + language) +
                                                                     ": " + titlesOf(cards).join(" | ")));
                }
            }
        }
    }
};

ATTNLAB_TEST(TestCardTitles)
#include "test_card_titles.moc"
