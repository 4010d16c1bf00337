// A stage beside the arrays of a file, in the window.
#include "core/io/npz.h"
#include "tests/test_main.h"
#include "tests/ui/backends.h"
#include "tests/ui/traces.h"
#include "ui/actions.h"
#include "ui/compare/against_page.h"
#include "ui/compare/compare_view.h"
#include "ui/file_controller.h"
#include "ui/main_window.h"
#include "ui/stages/centre_pages.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestAgainstPage : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;

    AgainstPage& page() { return *window_->againstPage(); }

    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000);
        QCoreApplication::processEvents();
    }
    void open(const TensorMap& arrays) {
        io::Archive archive;
        archive.tensors = arrays;
        const auto path = folder_.filePath("kernel.npz");
        io::write_npz(path.toStdString(), archive);
        window_->files().readToCompare(path, [this](std::shared_ptr<const Contents> contents, const QString& file) {
            page().open(std::move(contents), file);
        });
        QTRY_VERIFY(page().isOpen() && page().isVisible());
        QTRY_VERIFY(page().matrices() || !page().view()->problem().startsWith("Comparing"));
    }
    void show(const char* stage) {
        window_->viewState().setStage(stage);
        QTRY_VERIFY(page().matrices() || !page().view()->problem().startsWith("Comparing"));
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
        QVERIFY2(page().view()->problem().contains("kernel.npz has no array for the stage scores"),
                 qPrintable(page().view()->problem()));
        QVERIFY(!page().matrices());
        show("output");
        QVERIFY(page().matrices());
        QVERIFY(page().heading().contains("out of kernel.npz"));
        // a choice of the user, and what does not fit is said
        auto* arrays = page().arrays();
        QVERIFY(arrays->isVisible());
        arrays->setCurrentIndex(arrays->findData("lse"));
        emit arrays->activated(arrays->currentIndex());
        QTRY_VERIFY2(page().view()->problem().contains("expected"), qPrintable(page().view()->problem()));
        QVERIFY(!page().worst()->isVisible());
    }

    void goesAwayByItsButton() {
        open({{"out", stage("output")}});
        QTest::mouseClick(page().closeButton(), Qt::LeftButton);
        QVERIFY(!page().isOpen());
        QVERIFY(!window_->centre()->isAvailable("against"));
        QCOMPARE(window_->centre()->current(), "matrix");
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

ATTNLAB_TEST(TestAgainstPage)
#include "test_against_page.moc"
