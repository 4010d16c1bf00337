#include "mask_panel_support.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/panels/mask/mask_forms.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

using Place = FirstQueryForm::Place;

namespace {

struct PlaceLab : Lab {
    using Lab::Lab;
    FirstQueryForm* form = panel.firstQuery();
    const AttentionSpec& spec() const { return document.problem().spec; }
    /// As the user chooses from the list.
    void choose(Place place) {
        form->placeBox()->setCurrentIndex(static_cast<int>(place));
        emit form->placeBox()->activated(static_cast<int>(place));
    }
    /// The last kept key of each row; -1: none.
    QList<int> lastKeys(int batch = 0) {
        view.setBatch(batch);
        QList<int> last;
        for (int row = 0; row < panel.grid()->layers().rows(); ++row) {
            int kept = -1;
            for (int key = 0; key < panel.grid()->layers().columns(); ++key)
                kept = panel.grid()->isBlocked({row, key}) ? kept : key;
            last << kept;
        }
        return last;
    }
};

} // namespace

class TestFirstQuery : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }

    void isOfferedWhereAMaskReadsIt() {
        PlaceLab lab;
        QVERIFY(lab.form->isHidden());
        for (const char* kind : {"causal", "window", "prefix"}) {
            lab.click(kind);
            QVERIFY2(!lab.form->isHidden(), kind);
            lab.click(kind);
            QVERIFY2(lab.form->isHidden(), kind);
        }
        lab.click("key_padding");
        QVERIFY(lab.form->isHidden());
    }

    void everyPlaceMovesTheMask() {
        PlaceLab lab(randomProblem(2, 1, 3, 7));
        lab.click("causal");
        QCOMPARE(lab.form->place(), Place::FirstKey);
        QCOMPARE(lab.lastKeys(), QList<int>({0, 1, 2}));
        lab.choose(Place::LastKey);
        QCOMPARE(lab.form->place(), Place::LastKey);
        QCOMPARE(lab.lastKeys(), QList<int>({4, 5, 6}));
        lab.choose(Place::Number);
        QVERIFY(lab.form->number()->isVisible());
        QCOMPARE(lab.spec().query_offset, std::optional<std::int64_t>(4)); // the mask does not move
        QCOMPARE(lab.lastKeys(), QList<int>({4, 5, 6}));
        lab.form->number()->setFocus();
        lab.form->number()->selectAll();
        QTest::keyClicks(lab.form->number(), "2");
        QCOMPARE(lab.spec().query_offset, std::optional<std::int64_t>(2));
        QCOMPARE(lab.lastKeys(), QList<int>({2, 3, 4}));
        QSignalSpy made(&lab.panel, &MaskPanel::arrayMade);
        lab.choose(Place::PerSequence);
        QCOMPARE(made.count(), 1);
        QCOMPARE(lab.form->place(), Place::PerSequence);
        QVERIFY(!lab.form->number()->isVisible() && !lab.spec().query_offset);
        const Tensor array = lab.document.problem().tensors.at("query_offset");
        QCOMPARE(array.shape(), Shape{2});
        QCOMPARE(array.value(1), 2.0);
        lab.document.setTensor("query_offset", Tensor({2}, {1.0, 4.0}, DType::Int64), "edit");
        QVERIFY(issues_in(lab.document.problem()).empty());
        QCOMPARE(lab.lastKeys(0), QList<int>({1, 2, 3}));
        QCOMPARE(lab.lastKeys(1), QList<int>({4, 5, 6}));
        lab.choose(Place::FirstKey);
        QVERIFY(!lab.document.problem().tensors.contains("query_offset"));
        QCOMPARE(lab.lastKeys(), QList<int>({0, 1, 2}));
    }

    void everyChoiceIsOneStep() {
        PlaceLab lab(randomProblem(1, 1, 3, 7));
        lab.click("causal");
        lab.click("window");
        const auto before = lab.document.problem();
        for (const Place place : {Place::FirstKey, Place::LastKey, Place::Number, Place::PerSequence}) {
            const int steps = lab.document.undoStack()->index();
            lab.choose(place);
            QCOMPARE(lab.document.undoStack()->index(), steps + 1);
            QVERIFY(!lab.document.undoStack()->undoText().isEmpty());
            QVERIFY(issues_in(lab.document.problem()).empty());
            lab.document.undoStack()->undo();
            QVERIFY(lab.document.problem() == before);
            QCOMPARE(lab.form->place(), Place::FirstKey);
        }
        // Choosing a number and typing it is one step.
        const int steps = lab.document.undoStack()->index();
        lab.choose(Place::Number);
        lab.form->number()->selectAll();
        QTest::keyClicks(lab.form->number(), "12");
        QCOMPARE(lab.spec().query_offset, std::optional<std::int64_t>(12));
        QCOMPARE(lab.document.undoStack()->index(), steps + 1);
    }

    void severalMasksMoveTogether() {
        PlaceLab lab(randomProblem(1, 1, 3, 7));
        lab.click("causal");
        lab.click("window"); // of one key to either side
        lab.choose(Place::LastKey);
        QCOMPARE(lab.form->place(), Place::LastKey);
        QCOMPARE(lab.lastKeys(), QList<int>({4, 5, 6}));
        QVERIFY(lab.panel.grid()->isBlocked({0, 2}) && !lab.panel.grid()->isBlocked({0, 3}));
    }

    /// The alignment of causal is that of one mask.
    void anAlignmentBesideOthersIsSaid() {
        for (const bool is_position : {false, true}) {
            PlaceLab lab(randomProblem(1, 1, 3, 7));
            lab.click("causal");
            lab.choose(Place::LastKey);
            QVERIFY(!lab.spec().query_offset && lab.form->doubt().isEmpty());
            auto spec = lab.spec();
            if (is_position)
                spec.position.id = "alibi";
            else
                spec.masks.push_back(complete_mask({"window", {}}));
            lab.document.setSpec(spec, "beside");
            QVERIFY2(lab.form->doubt().contains("Only the causal mask"), qPrintable(lab.form->doubt()));
            QTest::mouseClick(lab.form->lastKeyButton(), Qt::LeftButton);
            QCOMPARE(lab.spec().query_offset, std::optional<std::int64_t>(4));
            QCOMPARE(lab.form->place(), Place::LastKey);
            QVERIFY(lab.form->doubt().isEmpty());
            QVERIFY(issues_in(lab.document.problem()).empty());
        }
    }

    void aDoubtfulCornerIsSaidWithBothAnswers() {
        PlaceLab square(randomProblem(1, 1, 5, 5));
        square.click("causal");
        QVERIFY(square.form->doubt().isEmpty());
        for (const char* kind : {"causal", "window", "prefix"}) {
            PlaceLab lab(randomProblem(1, 1, 3, 7));
            lab.click(kind);
            QVERIFY2(lab.form->doubt().contains("3 queries and 7 keys"), qPrintable(lab.form->doubt()));
            QVERIFY(lab.form->firstKeyButton()->isVisible() && lab.form->lastKeyButton()->isVisible());
            const int steps = lab.document.undoStack()->index();
            const auto blocked = lab.lastKeys();
            QTest::mouseClick(lab.form->firstKeyButton(), Qt::LeftButton);
            QVERIFY(lab.form->doubt().isEmpty());
            QCOMPARE(lab.form->place(), Place::FirstKey);
            QCOMPARE(lab.lastKeys(), blocked);
            QCOMPARE(lab.document.undoStack()->index(), steps + 1);
            lab.document.undoStack()->undo();
            QVERIFY(!lab.form->doubt().isEmpty());
            QTest::mouseClick(lab.form->lastKeyButton(), Qt::LeftButton);
            QVERIFY(lab.form->doubt().isEmpty());
            QCOMPARE(lab.form->place(), Place::LastKey);
            QVERIFY(lab.lastKeys() != blocked);
        }
    }

    /// The notes of the engine advise an option of the command line; the window names its own control.
    void notesOfTheEngineNameTheControl() {
        PlaceLab lab(randomProblem(1, 1, 4, 9));
        lab.click("window");
        QStringList notes;
        for (const auto result = computed(lab.document.problem()); const auto& note : result->trace.notes)
            notes << translated(note.message);
        const auto text = notes.join(QLatin1Char('\n'));
        QVERIFY2(text.contains(QStringLiteral("“First query at” 5 in the Mask panel")), qPrintable(text));
        QVERIFY2(!text.contains(QLatin1String("--")), qPrintable(text));
    }

    void theOtherSettingHasItsOwnPlace() {
        Document document;
        document.reset(randomProblem(2, 1, 3, 7));
        auto spec = document.problem().spec;
        spec.masks = {complete_mask({"causal", {}})};
        document.setSpec(spec, "causal");
        CompareControls controls(document);
        FirstQueryForm* form = controls.firstQuery();
        form->choose(Place::LastKey);
        QVERIFY(document.problem().compared_with && document.problem().spec == spec);
        QCOMPARE(form->place(), Place::LastKey);
        form->choose(Place::Number);
        QCOMPARE(document.problem().compared_with->query_offset, std::optional<std::int64_t>(4));
        QCOMPARE(SettingWords::of(*document.problem().compared_with, spec), QString("first query at key 4"));
        // An array belongs to both settings.
        FirstQueryForm of_a((ComparedSide(document)));
        of_a.choose(Place::PerSequence);
        QCOMPARE(form->place(), Place::PerSequence);
        QVERIFY(!form->placeBox()->isEnabled());
        QVERIFY(issues_in(document.problem()).empty());
    }
};

ATTNLAB_TEST(TestFirstQuery)
#include "test_first_query.moc"
