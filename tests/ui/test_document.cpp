#include "core/mechanisms.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/document/document.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include <algorithm>
#include <cstring>
#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem problemWith(double number) {
    AttentionProblem problem;
    problem.tensors["query"] = Tensor({2, 2}, number);
    return problem;
}

/// 64,000 bytes, too few to be stored in chunks.
constexpr std::size_t heavy_bytes = 64'000;
Tensor heavyTensor(double number) { return Tensor({heavy_bytes / sizeof(double)}, number); }

std::vector<AttentionProblem> worksOf(Document& document) {
    std::vector<AttentionProblem> works;
    const int present = document.undoStack()->index();
    for (const int work : document.unsavedWorks()) {
        document.undoStack()->setIndex(work);
        works.push_back(document.problem());
    }
    document.undoStack()->setIndex(present);
    return works;
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

    static double first(const Document& document) { return document.problem().tensors.at("query").values()[0]; }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void aDocumentThatGoesWithUnsavedEditsSaysNothingMore() {
        auto document = std::make_unique<Document>();
        document->setTensor("query", Tensor({1, 1}, 1.0), "Edit query");
        QSignalSpy titles(document.get(), &Document::titleChanged);
        QSignalSpy clean(document->undoStack(), &QUndoStack::cleanChanged);
        QVERIFY(document->isModified());
        document.reset();
        QCOMPARE(titles.count(), 0);
        QCOMPARE(clean.count(), 0);
    }

    void undoAndRedoRestoreTheProblem() {
        Document document;
        document.reset(problemWith(1));
        QSignalSpy changes(&document, &Document::problemChanged);
        document.setTensor("query", Tensor({2, 2}, 2.0), "Edit query");
        document.setTensor("query", Tensor({3, 1}, 3.0), "Edit query");
        QCOMPARE(changes.count(), 2);
        QCOMPARE(document.undoStack()->count(), 2);
        QCOMPARE(document.undoStack()->undoText(), QString("Edit query"));
        document.undoStack()->undo();
        QCOMPARE(first(document), 2.0);
        QCOMPARE(document.problem().tensors.at("query").shape(), (Shape{2, 2}));
        document.undoStack()->undo();
        QVERIFY(document.problem() == problemWith(1));
        document.undoStack()->redo();
        document.undoStack()->redo();
        QCOMPARE(first(document), 3.0);
        QCOMPARE(changes.count(), 6);
    }

    void receiversFindTheStepsInAgreement() {
        Document document;
        document.reset(problemWith(1));
        QList<std::pair<int, bool>> seen;
        connect(&document, &Document::problemChanged, this,
                [&] { seen << std::pair(document.undoStack()->index(), document.isModified()); });
        document.setTensor("query", Tensor({2, 2}, 2.0), "Edit query");
        document.setTensor("query", Tensor({3, 1}, 3.0), "Edit query");
        document.undoStack()->setIndex(0); // both at once
        document.undoStack()->redo();
        QCOMPARE(seen, (QList<std::pair<int, bool>>{{1, true}, {2, true}, {0, false}, {1, true}}));
    }

    void anEditThatChangesNothingIsNoStep() {
        Document document;
        document.reset(problemWith(std::nan("")));
        QSignalSpy changes(&document, &Document::problemChanged);
        document.setTensor("query", Tensor({2, 2}, std::nan("")), "Edit query");
        QCOMPARE(document.undoStack()->count(), 0);
        QCOMPARE(changes.count(), 0);
    }

    void aGestureIsOneStep() {
        Document document;
        document.reset(problemWith(0));
        const int gesture = Document::newGesture();
        for (const double value : {1.0, 2.0, 3.0})
            document.setTensor("query", Tensor({2, 2}, value), QString("To %1").arg(value), gesture);
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.undoStack()->undoText(), QString("To 3"));
        document.undoStack()->undo();
        QCOMPARE(first(document), 0.0);
        document.undoStack()->redo();
        QCOMPARE(first(document), 3.0);
    }

    void gesturesAndSingleEditsDoNotMerge() {
        Document document;
        document.reset(problemWith(0));
        document.setTensor("query", Tensor({2, 2}, 1.0), "Drag", Document::newGesture());
        document.setTensor("query", Tensor({2, 2}, 2.0), "Drag", Document::newGesture());
        document.setTensor("query", Tensor({2, 2}, 3.0), "Edit");
        document.setTensor("query", Tensor({2, 2}, 4.0), "Edit");
        QCOMPARE(document.undoStack()->count(), 4);
    }

    void aGestureBackToItsStartLeavesNoStep() {
        Document document;
        document.reset(problemWith(0));
        document.setTensor("query", Tensor({2, 2}, 7.0), "Edit");
        const int gesture = Document::newGesture();
        document.setTensor("query", Tensor({2, 2}, 8.0), "Drag", gesture);
        document.setTensor("query", Tensor({2, 2}, 7.0), "Drag", gesture);
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.undoStack()->undoText(), QString("Edit"));
        QCOMPARE(first(document), 7.0);
        // The gesture can continue, and earlier steps are unchanged.
        document.setTensor("query", Tensor({2, 2}, 9.0), "Drag", gesture);
        QCOMPARE(document.undoStack()->count(), 2);
        document.undoStack()->undo();
        document.undoStack()->undo();
        QCOMPARE(first(document), 0.0);
    }

    void savingMarksTheCleanState() {
        Document document;
        document.reset(problemWith(0), {}, "Milk or cat?");
        QCOMPARE(document.title(), QString("Milk or cat?"));
        QVERIFY(!document.isModified());
        QSignalSpy titles(&document, &Document::titleChanged);
        document.setTensor("query", Tensor({2, 2}, 1.0), "Edit");
        QVERIFY(document.isModified());
        QVERIFY(!titles.isEmpty());
        document.setSaved("/somewhere/lesson.attnlab");
        QVERIFY(!document.isModified());
        QCOMPARE(document.title(), QString("lesson.attnlab"));
        document.undoStack()->undo();
        QVERIFY(document.isModified());
        document.undoStack()->redo();
        QVERIFY(!document.isModified());
    }

    void aGestureAcrossASaveKeepsTheSavedState() {
        Document document;
        document.reset(problemWith(0));
        const int gesture = Document::newGesture();
        document.setTensor("query", Tensor({2, 2}, 1.0), "Drag", gesture);
        document.setSaved("/a.attnlab");
        document.setTensor("query", Tensor({2, 2}, 2.0), "Drag", gesture);
        QVERIFY(document.isModified());
        document.undoStack()->undo();
        QCOMPARE(first(document), 1.0);
        QVERIFY(!document.isModified());
    }

    void aGestureBackToTheSavedStateIsClean() {
        Document document;
        document.reset(problemWith(0));
        const int gesture = Document::newGesture();
        document.setTensor("query", Tensor({2, 2}, 1.0), "Drag", gesture);
        document.setTensor("query", Tensor({2, 2}, 0.0), "Drag", gesture);
        QVERIFY(!document.isModified());
        QVERIFY(!document.undoStack()->canUndo());
    }

    void stepsBeyondTheLimitsAreDropped_data() {
        QTest::addColumn<qulonglong>("limit");
        QTest::addColumn<int>("edits");
        QTest::addColumn<int>("steps");
        QTest::newRow("none") << qulonglong{Document::default_undo_bytes} << 20 << 20;
        QTest::newRow("ten of them") << qulonglong{10 * heavy_bytes + 1000} << 40 << 10;
        QTest::newRow("the last edit is kept") << qulonglong{100} << 40 << 1;
        QTest::newRow("steps") << qulonglong{Document::default_undo_bytes} << 510 << Document::most_steps;
    }

    void stepsBeyondTheLimitsAreDropped() {
        QFETCH(qulonglong, limit);
        QFETCH(int, edits);
        QFETCH(int, steps);
        Document document;
        document.reset(problemWith(0));
        document.setUndoBytes(limit);
        for (int i = 1; i <= edits; ++i) {
            document.setTensor("query", heavyTensor(i), QString("Edit %1").arg(i));
            QVERIFY(document.undoStack()->canUndo());
            QVERIFY(document.usedUndoBytes() <= std::max<std::size_t>(limit, heavy_bytes));
        }
        auto* stack = document.undoStack();
        QCOMPARE(stack->count(), steps);
        QCOMPARE(stack->undoText(), QString("Edit %1").arg(edits));
        for (int i = edits; i > edits - steps; --i) {
            QCOMPARE(first(document), double(i));
            stack->undo();
        }
        QVERIFY(!stack->canUndo());
        QCOMPARE(first(document), double(edits - steps));
        QCOMPARE(document.isModified(), edits != steps); // the opened state was dropped
        stack->setIndex(steps);
        QCOMPARE(first(document), double(edits));
        QVERIFY(!stack->canRedo());
    }

    void aSmallerLimitIsAppliedAtOnce() {
        Document document;
        document.reset(problemWith(0));
        for (int i = 1; i <= 20; ++i)
            document.setTensor("query", heavyTensor(i), "Edit");
        document.undoStack()->setIndex(15); // five steps can be done again
        QSignalSpy changes(&document, &Document::problemChanged);
        document.setUndoBytes(10 * heavy_bytes);
        QCOMPARE(changes.count(), 0);
        QCOMPARE(document.undoStack()->count(), 10);
        QCOMPARE(document.undoStack()->index(), 5);
        QCOMPARE(first(document), 15.0);
        document.undoStack()->setIndex(10);
        QCOMPARE(first(document), 20.0);
        document.undoStack()->setIndex(0);
        QCOMPARE(first(document), 10.0);
    }

    void theSavedStateIsFoundAfterSteps() {
        Document document;
        document.reset(problemWith(0), "/a.npz");
        document.setUndoBytes(10 * heavy_bytes);
        for (int i = 1; i <= 40; ++i) {
            document.setTensor("query", heavyTensor(i), "Edit");
            if (i == 35)
                document.setSaved("/a.npz");
        }
        auto* stack = document.undoStack();
        while (first(document) > 35.0) {
            QVERIFY(document.isModified());
            stack->undo();
        }
        QVERIFY(!document.isModified());
        stack->undo();
        QVERIFY(document.isModified());
        stack->setIndex(stack->count());
        for (int i = 41; i <= 60; ++i)
            document.setTensor("query", heavyTensor(i), "Edit");
        for (; stack->canUndo(); stack->undo())
            QVERIFY(document.isModified());
        QVERIFY(document.isModified());
        QCOMPARE(document.unsavedWorks(), std::vector<int>{0});
    }

    /// What was only shown needs no saving, however much of it was dropped.
    void droppedLightStepsAreNoWork() {
        Document document;
        document.reset(problemWith(0));
        document.setUndoBytes(5 * heavy_bytes);
        auto next = document.problem();
        for (int i = 1; i <= 30; ++i) {
            next.tensors["query"] = heavyTensor(i);
            if (i % 2 == 0)
                document.editWithoutModifying("Light", next);
            else
                document.replace("Show", next, QString::number(i), {});
            QVERIFY(!document.isModified());
            QVERIFY(document.unsavedWorks().empty());
        }
        document.setTensor("query", heavyTensor(31), "Edit");
        QVERIFY(document.isModified());
        document.undoStack()->undo();
        QVERIFY(!document.isModified());
    }

    /// Random edits: a document that drops steps has the same numbers and the same unsaved works as one that does not.
    void noWorkIsDropped_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 20; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void noWorkIsDropped() {
        QFETCH(int, seed);
        Random random(static_cast<std::uint64_t>(seed));
        const auto below = [&](int end) { return static_cast<int>(random.uniform() * end); };
        Document all, limited;
        limited.setUndoBytes(4 * heavy_bytes);
        for (auto* document : {&all, &limited})
            document->reset(problemWith(0), seed % 2 == 0 ? "" : "/a.npz");
        for (int i = 1; i <= 60; ++i) {
            const int action = below(10);
            // Not below the saved state: the next edit would make it unknown, and so every earlier document unsaved.
            const bool can_undo =
                           limited.undoStack()->canUndo() && all.undoStack()->index() != all.undoStack()->cleanIndex(),
                       can_redo = limited.undoStack()->canRedo();
            for (auto* document : {&all, &limited}) {
                auto next = document->problem();
                next.tensors["query"] = heavyTensor(i);
                if (action < 4)
                    document->edit("Edit", next);
                else if (action == 4)
                    document->editWithoutModifying("Light", next);
                else if (action < 7)
                    document->replace("Show", next, QString::number(i), {});
                else if (action == 7 && can_undo)
                    document->undoStack()->undo();
                else if (action == 8 && can_redo)
                    document->undoStack()->redo();
                else if (action == 9 && i % 3 == 0)
                    document->setSaved("/saved.npz");
            }
            QVERIFY(limited.problem() == all.problem());
            QCOMPARE(limited.title(), all.title());
            QVERIFY(limited.isModified() || !all.isModified());
            const auto kept = worksOf(limited);
            for (const auto& work : worksOf(all))
                QVERIFY2(std::ranges::find(kept, work) != kept.end(), qPrintable(QString::number(i)));
            const auto unsaved = all.isModified() ? all.unsavedWork() : Document::Work();
            if (all.isModified()) {
                QVERIFY(limited.unsavedWork().problem == unsaved.problem);
                QCOMPARE(Document::titleOf(limited.unsavedWork().origin), Document::titleOf(unsaved.origin));
            }
            QVERIFY(limited.undoStack()->count() < 40);
        }
    }

    /// Each stroke once took 32 MB.
    void strokesTakeWhatTheyPaint() {
        constexpr std::int64_t side = 2000;
        constexpr int strokes = 500;
        Document document;
        AttentionProblem problem = problemWith(1);
        problem.tensors["painted"] = Tensor({side, side}, 0.0, DType::Bool);
        Random random(5);
        const auto below = [&](std::int64_t end) {
            return static_cast<std::int64_t>(random.uniform() * static_cast<double>(end));
        };
        for (int i = 0; i < 10000; ++i)
            problem.tensors["painted"].set({below(side), below(side)}, 1.0);
        const Tensor original = problem.tensors["painted"];
        document.reset(problem);
        std::vector<Tensor> states;
        for (int stroke = 0; stroke < strokes; ++stroke) {
            auto mask = document.problem().tensors.at("painted");
            const auto top = below(side), left = below(side - 20),
                       rows = 1 + below(std::min<std::int64_t>(side - top, 300));
            const std::vector<double> line(1 + static_cast<std::size_t>(below(20)), stroke % 3 == 0 ? 0.0 : 1.0);
            for (std::int64_t row = top; row < top + rows; ++row)
                mask.write(row * side + left, line);
            mask.write(stroke, std::vector<double>(1, 1.0 - mask.value(stroke))); // never without a change
            document.setTensor("painted", mask, "Paint mask");
            if (stroke % 50 == 0)
                states.push_back(document.problem().tensors.at("painted").released());
        }
        QCOMPARE(document.undoStack()->count(), strokes);
        const auto used = document.usedUndoBytes();
        QVERIFY2(used < Document::default_undo_bytes / 2, qPrintable(QString::number(used)));
        const auto bits = [](const Tensor& tensor) {
            const auto values = tensor.values();
            return QByteArray(reinterpret_cast<const char*>(values.data()), std::ssize(values) * qsizetype{8});
        };
        for (int stroke = strokes - 50; stroke >= 0; stroke -= 50) {
            document.undoStack()->setIndex(stroke + 1);
            QVERIFY(bits(document.problem().tensors.at("painted")) == bits(states.back()));
            states.pop_back();
        }
        document.undoStack()->setIndex(0);
        QVERIFY(bits(document.problem().tensors.at("painted")) == bits(original));
        document.undoStack()->setIndex(strokes);
        QVERIFY(document.usedUndoBytes() < Document::default_undo_bytes / 2);
    }

    /// Edits of whole tensors share what they do not change, and steps keep no copies made for computing.
    void editsOfWholeTensorsShareNumbers() {
        Document document;
        AttentionProblem problem = problemWith(1);
        problem.tensors["key"] = random_normal({1000, 1000}, 1);
        document.reset(problem);
        document.setTensor("query", Tensor({2, 2}, 3.0), "Edit");
        for (int i = 0; i < 10; ++i) {
            auto key = document.problem().tensors.at("key");
            key.mutable_values()[static_cast<std::size_t>(i) * 1000] = -7.0;
            document.setTensor("key", key, "Edit");
            QCOMPARE(document.problem().tensors.at("key").values()[0], -7.0); // as a computation reads it
        }
        QVERIFY2(document.usedUndoBytes() < 1'000'000, qPrintable(QString::number(document.usedUndoBytes())));
        document.undoStack()->setIndex(0);
        QVERIFY(document.problem() == problem);
        QVERIFY2(document.usedUndoBytes() < 1'000'000, qPrintable(QString::number(document.usedUndoBytes())));
    }

    /// Saving a shown file does not save what it covers.
    void aCoveredDocumentStaysUnsaved() {
        Document document;
        document.reset(problemWith(0));
        document.setTensor("query", heavyTensor(1), "mine");
        document.replace("Show", problemWith(2), "shown", {});
        document.setTensor("query", heavyTensor(3), "Edit");
        document.setSaved("/shown.npz");
        QVERIFY(!document.isModified());
        QCOMPARE(document.unsavedWorks(), std::vector<int>{1});
        document.setUndoBytes(0);
        QVERIFY(document.unsavedWork().problem.tensors.at("query") == heavyTensor(1));
        document.undoStack()->setIndex(document.unsavedWorks().front());
        QCOMPARE(first(document), 1.0);
        document.setSaved("/mine.npz");
        QVERIFY(document.unsavedWorks().empty());
    }

    void resetForgetsTheHistory() {
        Document document;
        document.reset(problemWith(0));
        document.setTensor("query", Tensor({2, 2}, 1.0), "Edit");
        QSignalSpy changes(&document, &Document::problemChanged);
        document.reset(problemWith(5), "/b.npz");
        QCOMPARE(changes.count(), 1);
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(!document.isModified());
        QCOMPARE(document.title(), QString("b.npz"));
    }

    void anotherMechanismGetsItsInputsInOneStep() {
        Document document;
        AttentionProblem problem;
        problem.spec.variant = "scaled_dot_product";
        complete_inputs(problem, 1);
        document.reset(problem);
        auto spec = problem.spec;
        spec.variant = "multi_head";
        document.setSpecCompletingInputs(spec, "Mechanism");
        QCOMPARE(document.undoStack()->count(), 1);
        for (const auto& input : inputs_of(spec))
            if (input.required)
                QVERIFY2(document.problem().tensors.contains(input.name), std::string(input.name).c_str());
        document.undoStack()->undo();
        QVERIFY(document.problem() == problem);
    }

    void largeEditsRunElsewhere_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("runs");
        QTest::newRow("small") << 100 << 0;
        QTest::newRow("large") << 600'000 << 1; // key and value: 1.2 million numbers
    }

    void largeEditsRunElsewhere() {
        QFETCH(int, width);
        QFETCH(int, runs);
        Document document;
        AttentionProblem problem;
        problem.tensors.emplace("query", Tensor({1, width}, 1.0));
        document.reset(problem);
        int count = 0;
        document.setWorkRunner([&](const QString& title, const std::function<void(const RunControl&)>& work) {
            ++count;
            work({});
            return title == QStringLiteral("A");
        });
        auto spec = problem.spec;
        spec.scale = {"none", {}};
        QVERIFY(document.setSpecCompletingInputs(spec, "A"));
        QCOMPARE(count, runs);
        QVERIFY(document.problem().tensors.contains("key"));
        QCOMPARE(document.undoStack()->count(), 1);
    }

    void cancelledEditsChangeNothing() {
        Document document;
        AttentionProblem problem;
        problem.tensors.emplace("query", Tensor({1, 600'000}, 1.0));
        document.reset(problem);
        document.setWorkRunner([](const QString&, const auto& work) {
            work({});
            return false;
        });
        auto spec = problem.spec;
        spec.scale = {"none", {}};
        QVERIFY(!document.setSpecCompletingInputs(spec, "A"));
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(document.problem() == problem);
    }

    void editsOfAnotherDocumentChangeNothing() {
        Document document;
        AttentionProblem problem;
        problem.tensors.emplace("query", Tensor({1, 600'000}, 1.0));
        document.reset(problem);
        document.setWorkRunner([&](const QString&, const auto& work) {
            work({});
            document.reset(problemWith(7)); // a file that was opened meanwhile
            return true;
        });
        auto spec = problem.spec;
        spec.scale = {"none", {}};
        QVERIFY(!document.setSpecCompletingInputs(spec, "A"));
        QVERIFY(document.problem() == problemWith(7));
    }
};

ATTNLAB_TEST(TestDocument)
#include "test_document.moc"
