// A stage compared with arrays of a file, in the window.
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/export/export_dialog.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/work_area.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestCompareWithFilePage : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;

    CompareWithFilePage& page() { return *window_->centre()->compareWithFilePage(); }

    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000);
        QCoreApplication::processEvents();
    }
    void open(const TensorMap& arrays) {
        io::Archive archive;
        archive.tensors = arrays;
        const auto path = folder_.filePath("kernel.npz");
        io::write_npz(path.toStdString(), archive);
        window_->files().arrays().readToCompare(path,
                                                [this](std::shared_ptr<const Contents> contents, const QString& file) {
                                                    page().open(std::move(contents), file);
                                                });
        QTRY_VERIFY(page().isOpen() && page().isVisible());
        QTRY_VERIFY(page().matrices() || !page().view()->error().startsWith("Comparing"));
    }
    void show(const char* stage) {
        window_->viewState().setStage(stage);
        QTRY_VERIFY(page().matrices() || !page().view()->error().startsWith("Comparing"));
    }
    Tensor stage(const char* name) { return window_->computed()->trace.find(name)->value; }

private slots:
    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->resize(1200, 800);
        window_->show();
        window_->files().openSample("multi_head_fox");
        settle();
    }
    void cleanup() { window_.reset(); }

    void showsWhereAndHowFarAndGoesThere() {
        const auto before = window_->document().problem();
        auto weights = stage("weights");
        weights.set({0, 2, 3, 1}, weights.at({0, 2, 3, 1}) + 0.25);
        open({{"weights", weights}});
        show("weights");
        QVERIFY(page().matrices());
        QVERIFY(page().heading().contains("kernel.npz"));
        QVERIFY2(page().worst()->text().contains("head 2"), qPrintable(page().worst()->text()));
        QVERIFY(page().words().contains("In ulps of"));
        QTest::mouseClick(page().worst(), Qt::LeftButton);
        QCOMPARE(window_->viewState().head(), 2);
        QVERIFY(window_->viewState().pinned() == (Cell{3, 1}));
        QVERIFY(std::abs(page().matrices()->difference.view()(3, 1) - 0.25) < 1e-12);
        QVERIFY(window_->document().problem() == before);
        QVERIFY(!window_->document().problem().compared_with);
        QVERIFY(!window_->document().isModified());
    }

    void namesTheLikelyMistake() {
        auto other = window_->document().problem();
        other.spec.scale = {"none", {}};
        const auto wrong = reference_backend().run(other, {});
        open({{"out", wrong.find("output")->value}});
        show("output");
        QVERIFY2(page().words().contains("the scale is missing"), qPrintable(page().words()));
    }

    void saysWhereTheFileHasNoArray() {
        open({{"lse", stage("lse")}, {"out", stage("output")}});
        show("scores");
        QVERIFY2(page().view()->error().contains("kernel.npz has no array for the stage scores"),
                 qPrintable(page().view()->error()));
        QVERIFY(!page().matrices());
        show("output");
        QVERIFY(page().matrices());
        QVERIFY(page().heading().contains("out of kernel.npz"));
        // a choice of the user; reports arrays that do not fit
        auto* arrays = page().arrays();
        QVERIFY(arrays->isVisible());
        arrays->setCurrentIndex(arrays->findData("lse"));
        emit arrays->activated(arrays->currentIndex());
        QTRY_VERIFY2(page().view()->error().contains("expected"), qPrintable(page().view()->error()));
        QVERIFY(!page().worst()->isVisible());
    }

    void goesAwayByItsButton() {
        open({{"out", stage("output")}});
        QTest::mouseClick(page().closeButton(), Qt::LeftButton);
        QVERIFY(!page().isOpen());
        QVERIFY(!window_->centre()->isAvailable("against"));
        QCOMPARE(window_->centre()->current(), "matrix");
    }

    void theOrderOfAxesIsChosen() {
        const auto weights = stage("weights"); // (1, H, L, L)
        const auto H = weights.dim(1), L = weights.dim(2);
        Tensor turned({1, L, H, L});
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i)
                for (std::int64_t j = 0; j < L; ++j)
                    turned.set({0, i, h, j}, weights.at({0, h, i, j}));
        open({{"weights", turned}});
        show("weights");
        QVERIFY2(page().view()->error().contains("BLHS"), qPrintable(page().view()->error()));
        auto* layouts = page().layouts();
        QVERIFY(layouts->isVisible());
        QCOMPARE(layouts->currentData().toString(), QString());
        layouts->setCurrentIndex(layouts->findText("(B, L, H, S)"));
        emit layouts->activated(layouts->currentIndex());
        QTRY_VERIFY(page().matrices());
        QVERIFY2(page().words().contains("No cell differs"), qPrintable(page().words()));
    }

    void saysHowManyCellsAreBeyondATolerance() {
        auto weights = stage("weights");
        weights.set({0, 2, 3, 1}, weights.at({0, 2, 3, 1}) + 0.25);
        weights.set({0, 1, 0, 0}, weights.at({0, 1, 0, 0}) + 1e-3);
        open({{"weights", weights}});
        show("weights");
        QVERIFY2(page().beyondText().startsWith("2 of"), qPrintable(page().beyondText()));
        page().tolerance()->setText("1e-2");
        QVERIFY2(page().beyondText().startsWith("1 of"), qPrintable(page().beyondText()));
        page().tolerance()->setText("1");
        QVERIFY2(page().beyondText().startsWith("all"), qPrintable(page().beyondText()));
        page().tolerance()->setText("a lot");
        QVERIFY2(page().beyondText().contains("expected"), qPrintable(page().beyondText()));
        window_->viewState().setHead(2);
        const auto& rows = page().view()->bars()->rows();
        QVERIFY(std::abs(rows.at(3) - 0.25) < 1e-12 && rows.at(0) == 0.0);
    }

    void numbersThatAreNoneAreSaid() {
        auto weights = stage("weights");
        weights.set({0, 0, 1, 0}, std::nan(""));
        weights.set({0, 0, 1, 1}, INFINITY);
        open({{"weights", weights}});
        show("weights");
        QVERIFY2(page().words().contains("1 NaN and 1 infinite"), qPrintable(page().words()));
        QVERIFY2(page().words().contains("No other cell differs"), qPrintable(page().words()));
        QVERIFY2(page().beyondText().startsWith("2 of"), qPrintable(page().beyondText()));
    }

    void isExported() {
        auto weights = stage("weights");
        weights.set({0, 2, 3, 1}, weights.at({0, 2, 3, 1}) + 0.25);
        open({{"weights", weights}});
        show("weights");
        window_->viewState().setHead(2);
        window_->actions().export_shown->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog);
        const auto difference = folder_.filePath("difference.npy"), csv = folder_.filePath("difference.csv"),
                   picture = folder_.filePath("difference.svg");
        dialog->choose("stage", "npy");
        QVERIFY2(dialog->exportTo(difference), qPrintable(dialog->errorText()));
        const auto read = io::read_tensors(difference.toStdString());
        QVERIFY(std::abs(read.begin()->second.at({0, 2, 3, 1}) - 0.25) < 1e-12);
        dialog->choose("picture", "svg");
        QVERIFY2(dialog->exportTo(picture), qPrintable(dialog->errorText()));
        dialog->choose("stages", "npz");
        const auto all = folder_.filePath("all.npz");
        QVERIFY2(dialog->exportTo(all), qPrintable(dialog->errorText()));
        const auto stages = io::read_tensors(all.toStdString());
        QVERIFY(stages.contains("given.weights") && stages.contains("exact.weights") &&
                stages.contains("difference.weights"));
        dialog->close();
    }

    /// The comparison of the previous document once remained under the new one's name.
    void thereIsNothingToCompareWithAMap() {
        open({{"out", stage("output")}});
        show("output");
        QVERIFY(page().matrices());
        AttentionProblem large;
        const std::int64_t tokens = 2200; // more cells than the limit for storing them
        for (const char* name : {"query", "key", "value"})
            large.tensors.insert_or_assign(name, Tensor({1, tokens, 1}));
        window_->document().reset(large);
        QTRY_VERIFY(!window_->isComputing());
        QVERIFY(!page().matrices());
        window_->centre()->setCurrent("against");
        QTRY_VERIFY2(page().view()->error().contains("too large"), qPrintable(page().view()->error()));
    }

    void followsTheDocument() {
        open({{"out", stage("output")}});
        show("output");
        auto other = window_->document().problem();
        other.spec.scale = {"none", {}};
        window_->document().edit("edit", other);
        settle();
        QTRY_VERIFY(page().matrices());
        QTRY_VERIFY2(page().words().contains("Mean error"), qPrintable(page().words()));
        QVERIFY(!page().words().contains("No cell differs"));
    }
};

ATTNLAB_TEST(TestCompareWithFilePage)
#include "test_compare_with_file_page.moc"
