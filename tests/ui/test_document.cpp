#include "core/variants.h"
#include "tests/test_main.h"
#include "ui/document/document.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem problemWith(double number) {
    AttentionProblem problem;
    problem.tensors["query"] = Tensor({2, 2}, number);
    return problem;
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
};

ATTNLAB_TEST(TestDocument)
#include "test_document.moc"
