#include "core/mechanisms.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_dialogs.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem sample() {
    AttentionProblem problem;
    problem.spec.variant = "scaled_dot_product";
    problem.tensors["query"] = random_normal({2, 4, 3, 5}, 11);
    problem.tensors["key"] = random_normal({2, 2, 3, 5}, 2);
    problem.tensors["value"] = random_normal({2, 2, 3, 5}, 3);
    problem.tensors["w_other"] = Tensor({2, 2}, 1.0);
    problem.query_tokens = {"cat", "milk", "it"};
    return problem;
}

AttentionProblem multiHead() {
    AttentionProblem problem;
    problem.spec.variant = "multi_head";
    complete_inputs(problem, 1);
    return problem;
}

} // namespace

class TestInputsPanel : public QObject {
    Q_OBJECT

    Document document_;
    std::unique_ptr<ViewState> view_;
    std::unique_ptr<InputsPanel> panel_;

    QTabBar* tabs() const { return panel_->findChild<QTabBar*>(); }
    QStringList tabTexts() const {
        QStringList texts;
        for (int i = 0; i < tabs()->count(); ++i)
            texts << tabs()->tabText(i);
        return texts;
    }
    SlicePickers* slices() const { return panel_->findChild<SlicePickers*>(); }
    TensorModel* model() const { return panel_->findChild<TensorModel*>(); }
    QToolButton* button(const QString& name) const {
        for (auto* one : panel_->findChildren<QToolButton*>())
            if (one->accessibleName() == name || one->text() == name)
                return one;
        return nullptr;
    }
    /// The entries of a button's menu at the time when it opens.
    QList<QAction*> entries(const QString& name) const {
        emit button(name)->menu()->aboutToShow();
        return button(name)->menu()->actions();
    }
    QAction* entry(const QString& name, const QString& text) const {
        for (auto* action : entries(name))
            if (action->text().remove('&').startsWith(text))
                return action;
        return nullptr;
    }
    bool heading(const QString& text) const {
        for (auto* label : panel_->findChildren<QLabel*>())
            if (label->text() == text)
                return true;
        return false;
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void init() {
        document_.reset(sample());
        view_ = std::make_unique<ViewState>();
        panel_ = std::make_unique<InputsPanel>(document_, *view_);
        panel_->resize(300, 400);
        panel_->show();
    }
    void cleanup() {
        panel_.reset();
        view_.reset();
    }

    /// In the panel's usual width.
    void buttonsAreOneRow() {
        panel_->resize(274, 600);
        QCoreApplication::processEvents();
        const int first = button("Paste")->y();
        for (const char* name : {"Fill…", "Resize…", "Add an input", "More actions on this tensor"})
            QCOMPARE(button(QString::fromUtf8(name))->y(), first);
    }

    void columnsInSightAreWholeAndTheScrollBarIsBelowTheLastRow() {
        panel_->resize(274, 700);
        document_.reset(multiHead());
        QCoreApplication::processEvents();
        auto* table = panel_->findChild<TensorTable*>();
        const int column = table->columnWidth(0), room = table->viewport()->width();
        QVERIFY2(room % column <= room / column + 1, qPrintable(QString("%1 of %2").arg(column).arg(room)));
        const int rows = table->model()->rowCount() * table->rowHeight(0);
        QVERIFY2(table->viewport()->height() <= rows + 4, qPrintable(QString::number(table->viewport()->height())));
    }

    void aTabForEachDeclaredTensor() {
        QCOMPARE(tabTexts(), (QStringList{"Q", "K", "V"}));
        QVERIFY(tabs()->tabToolTip(0).startsWith("query"));
        QCOMPARE(panel_->currentTensor(), QString("query"));
    }

    void requiredInputsComeFirst() {
        document_.reset(multiHead());
        const auto before = tabTexts();
        panel_->showTensor("x");
        const auto optional = entry("Add an input", "context");
        QVERIFY(optional);
        optional->trigger();
        QCOMPARE(document_.undoStack()->count(), 1);
        QCOMPARE(panel_->currentTensor(), QString("context"));
        QCOMPARE(tabTexts(), before + QStringList{"context"});
        QVERIFY(issues_in(document_.problem()).empty());
        QVERIFY(!entry("Add an input", "context"));
    }

    void optionalInputsCanGoAndRequiredOnesCannot() {
        document_.reset(multiHead());
        QVERIFY(!entry("More actions on this tensor", "Remove")->isEnabled());
        entry("Add an input", "context")->trigger();
        auto* remove = entry("More actions on this tensor", "Remove context");
        QVERIFY(remove && remove->isEnabled());
        remove->trigger();
        QVERIFY(!document_.problem().tensors.contains("context"));
        document_.undoStack()->undo();
        QVERIFY(document_.problem().tensors.contains("context"));
    }

    void thePictureOfTheKeysIsInUse() {
        auto problem = document_.problem();
        problem.tensors.insert_or_assign("key_image", Tensor({2, 2}));
        document_.edit("image", problem);
        QVERIFY(button("2 unused")->isVisible());
        problem.key_grid = KeyGrid{1, 2};
        document_.edit("grid", problem);
        QVERIFY(button("1 unused"));
    }

    void unusedTensorsStayAtHand() {
        auto* unused = button("1 unused");
        QVERIFY(unused && unused->isVisible());
        auto* other = entry("1 unused", "w_other");
        QVERIFY(other);
        other->trigger();
        QCOMPARE(panel_->currentTensor(), QString("w_other"));
        QVERIFY(heading("Not used by this mechanism"));
        QCOMPARE(model()->rowCount(), 2);
        auto next = document_.problem();
        next.tensors.erase("w_other");
        document_.edit("Remove", next);
        QVERIFY(!unused->isVisible());
        QCOMPARE(tabTexts(), (QStringList{"Q", "K", "V"}));
    }

    void headsFollowTheView() {
        QVERIFY(slices()->isVisible());
        view_->setHead(3);
        QCOMPARE(model()->place().leading, std::int64_t{3});
        QVERIFY(heading(QStringLiteral("3 × 5 · batch 0 · head 3")));
        // Two key heads for four query heads.
        panel_->showTensor("key");
        QCOMPARE(model()->place().leading, std::int64_t{1});
        view_->setBatch(1);
        QCOMPARE(model()->place().leading, std::int64_t{3});
        view_->setHead(ViewState::mean_of_heads);
        QCOMPARE(model()->place().leading, std::int64_t{3});
    }

    void pickersMoveTheView() {
        slices()->picker(1)->setValue(2);
        QCOMPARE(view_->head(), 2);
        slices()->picker(0)->setValue(1);
        QCOMPARE(view_->batch(), 1);
        QCOMPARE(model()->place().leading, std::int64_t{6});
    }

    void pickersGoWithTheRank() {
        document_.setTensor("query", Tensor({3, 5}, 1.0), "Flat");
        QVERIFY(!slices()->isVisible());
        QVERIFY(heading(QStringLiteral("3 × 5")));
        QCOMPARE(model()->place().leading, std::int64_t{0});
    }

    void anEditInASliceTouchesThatSlice() {
        view_->setHead(2);
        QVERIFY(model()->setData(model()->index(0, 0), "42"));
        QCOMPARE(document_.problem().tensors.at("query").at({0, 2, 0, 0}), 42.0);
    }

    void theTabStaysWhenTheDocumentChanges() {
        panel_->showTensor("value");
        document_.setTensor("key", random_normal({2, 2, 3, 5}, 9), "Edit");
        QCOMPARE(panel_->currentTensor(), QString("value"));
        document_.undoStack()->undo();
        QCOMPARE(panel_->currentTensor(), QString("value"));
        document_.reset(multiHead());
        QCOMPARE(panel_->currentTensor(), QString("x"));
    }

    void selectionAndScrollStayWhenTheShapeStays() {
        document_.setTensor("query", random_normal({200, 30}, 1), "Large");
        auto* table = panel_->table();
        table->setCurrentIndex(model()->index(150, 20));
        table->scrollTo(model()->index(150, 20));
        const int scrolled = table->verticalScrollBar()->value();
        QVERIFY(scrolled > 0);
        document_.setTensor("query", random_normal({200, 30}, 2), "Other numbers");
        QCOMPARE(table->verticalScrollBar()->value(), scrolled);
        QCOMPARE(table->currentIndex(), model()->index(150, 20));
    }

    void pinsMarkTokens() {
        view_->setPinned(Cell{2, 1});
        QCOMPARE(panel_->table()->rowHeader()->marked(), std::optional<int>(2));
        panel_->showTensor("key");
        QCOMPARE(panel_->table()->rowHeader()->marked(), std::optional<int>(1));
        view_->setStage("output");
        QVERIFY(!panel_->table()->rowHeader()->marked());
        panel_->showTensor("w_other");
        QVERIFY(!panel_->table()->rowHeader()->marked());
        panel_->showTensor("query");
        view_->setPinned(std::nullopt);
        QVERIFY(!panel_->table()->rowHeader()->marked());
    }

    void fillingShowsAtOnceAndCancelLeavesNoStep() {
        const auto before = document_.problem();
        QTest::mouseClick(button(QStringLiteral("Fill…")), Qt::LeftButton);
        auto* dialog = panel_->findChild<FillDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(!(document_.problem() == before));
        dialog->drawAgain();
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(document_.problem() == before);
        QCOMPARE(document_.undoStack()->count(), 0);
    }

    void fillingIsOneStepAndCanBeDrawnAgain() {
        panel_->drawAgain();
        QCOMPARE(document_.undoStack()->count(), 0);
        view_->setHead(1);
        panel_->openFillDialog();
        auto* dialog = panel_->findChild<FillDialog*>();
        dialog->drawAgain();
        dialog->drawAgain();
        dialog->accept();
        QCOMPARE(document_.undoStack()->count(), 1);
        QCOMPARE(document_.undoStack()->undoText(), QString("Fill Q with normal random numbers"));
        const auto filled = document_.problem().tensors.at("query");
        const auto expected = random_normal({3, 5}, 3);
        QCOMPARE(filled.at({0, 1, 2, 4}), expected.at({2, 4}));
        QCOMPARE(filled.at({0, 0, 2, 4}), sample().tensors.at("query").at({0, 0, 2, 4}));
        panel_->drawAgain();
        QCOMPARE(document_.undoStack()->count(), 2);
        QCOMPARE(document_.problem().tensors.at("query").at({0, 1, 2, 4}), random_normal({3, 5}, 4).at({2, 4}));
    }

    void longFillsAreDoneInTheBackground() {
        const Tensor before({1 << 7, 1 << 14}, 7.0);
        document_.setTensor("query", before, "edit");
        const auto query = [this] { return document_.problem().tensors.at("query"); };
        document_.undoStack()->clear();
        panel_->openFillDialog();
        auto* dialog = panel_->findChild<FillDialog*>();
        QVERIFY(query().shares_storage_with(before));
        dialog->drawAgain();
        QVERIFY(query().shares_storage_with(before));
        dialog->accept();
        QCOMPARE(document_.undoStack()->count(), 1);
        QVERIFY(query() == random_normal({1 << 7, 1 << 14}, 2));
        panel_->drawAgain();
        QVERIFY(query() == random_normal({1 << 7, 1 << 14}, 3));
        document_.undoStack()->setIndex(0);
        QVERIFY(query() == before);
    }

    void resizingTakesTheOthersAlong() {
        QTest::mouseClick(button(QStringLiteral("Resize…")), Qt::LeftButton);
        auto* dialog = panel_->findChild<ResizeDialog*>();
        QVERIFY(dialog);
        dialog->findChildren<QSpinBox*>().last()->setValue(7);
        dialog->accept();
        QCOMPARE(document_.problem().tensors.at("query").shape(), (Shape{2, 4, 3, 7}));
        QCOMPARE(document_.problem().tensors.at("key").shape(), (Shape{2, 2, 3, 7}));
        QCOMPARE(document_.undoStack()->count(), 1);
        QCOMPARE(document_.undoStack()->undoText(), QString("Resize Q to 2 × 4 × 3 × 7"));
        QVERIFY(heading(QStringLiteral("3 × 7 · batch 0 · head 0")));
    }

    /// So that it can be typed at once.
    void resizingSelectsItsNumber() {
        panel_->openResizeDialog();
        auto* dialog = panel_->findChild<ResizeDialog*>();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        auto* number = dialog->findChildren<QSpinBox*>().first();
        QTRY_VERIFY(number->hasFocus());
        QTest::keyClicks(QApplication::focusWidget(), "5");
        QCOMPARE(number->value(), 5);
        dialog->reject();
    }

    void everythingIsInReachInANarrowPanel() {
        for (const int least : {0, 230, 300}) {
            const int width = std::max(least, panel_->minimumSizeHint().width());
            QVERIFY(width <= 300);
            panel_->resize(width, 400);
            QTest::qWait(0);
            int controls = 0;
            for (const auto* control : panel_->findChildren<QToolButton*>()) {
                if (!control->isVisible() || control->focusPolicy() == Qt::NoFocus)
                    continue;
                const QRect spot(control->mapTo(panel_.get(), QPoint()), control->size());
                QVERIFY2(spot.left() >= 0 && spot.right() < width,
                         qPrintable(QStringLiteral("%1 at %2").arg(control->accessibleName()).arg(width)));
                QVERIFY(spot.bottom() < panel_->height());
                ++controls;
            }
            QVERIFY(controls >= 5);
        }
    }

    void keysCanHaveLabelsOfTheirOwn() {
        panel_->showTensor("query");
        QVERIFY(!entry("More actions on this tensor", "Keys have labels"));
        panel_->showTensor("key");
        auto* own = entry("More actions on this tensor", "Keys have labels");
        QVERIFY(own && !own->isChecked());
        own->trigger();
        QVERIFY(model()->setHeaderData(0, Qt::Vertical, "dog"));
        QCOMPARE(document_.problem().key_tokens, (std::vector<std::string>{"dog", "milk", "it"}));
        QCOMPARE(document_.problem().query_tokens.front(), std::string("cat"));
        entry("More actions on this tensor", "Keys have labels")->trigger();
        QVERIFY(document_.problem().key_tokens.empty());
        QCOMPARE(model()->headerData(0, Qt::Vertical).toString(), QString("cat"));
    }

    void aNewPanelShowsWhatTheOldOneDid() {
        view_->setHead(2);
        panel_->showTensor("value");
        const auto leading = model()->place().leading;
        const auto state = panel_->saveState();
        panel_ = std::make_unique<InputsPanel>(document_, *view_);
        panel_->restoreState(state);
        QCOMPARE(panel_->currentTensor(), QString("value"));
        QCOMPARE(slices()->leading(), leading);
        QCOMPARE(model()->place().leading, leading);
    }

    void pasteButtonPastes() {
        QSignalSpy messages(panel_.get(), &InputsPanel::messageRaised);
        panel_->showTensor("w_other");
        QApplication::clipboard()->setText("1\t2\t3\n");
        QTest::mouseClick(button("Paste"), Qt::LeftButton);
        const auto& pasted = document_.problem().tensors.at("w_other");
        QCOMPARE(pasted.shape(), (Shape{2, 2})); // the message names what does not fit
        QCOMPARE(pasted.at({0, 1}), 2.0);
        QCOMPARE(messages.count(), 1);
        QVERIFY(messages.first().first().toString().contains(QStringLiteral("1 × 2 of 1 × 3")));
    }

    void filesAreLeftToTheWindow() {
        QSignalSpy open(panel_.get(), &InputsPanel::openFileRequested);
        QSignalSpy save(panel_.get(), &InputsPanel::saveFileRequested);
        panel_->showTensor("key");
        entry("More actions on this tensor", "Load a file into key")->trigger();
        entry("More actions on this tensor", "Save key to file")->trigger();
        QCOMPARE(open.value(0).value(0).toString(), QString("key"));
        QCOMPARE(save.value(0).value(0).toString(), QString("key"));
    }

    void anEmptyDocumentIsShown() {
        document_.reset({});
        QCOMPARE(tabs()->count(), 0);
        QCOMPARE(panel_->currentTensor(), QString());
        QVERIFY(!button("Paste")->isEnabled());
        panel_->openFillDialog();
        panel_->openResizeDialog();
        QVERIFY(!panel_->findChild<QDialog*>());
    }

    void fitsANarrowColumn() { QVERIFY(panel_->minimumSizeHint().width() <= 260); }
};

ATTNLAB_TEST(TestInputsPanel)
#include "test_inputs_panel.moc"
