// Arrays of other programs in the window: a new document each time, with remarks on what was read, left out or made.
#include "core/io/file_formats.h"
#include "core/random.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/array_picker.h"
#include "ui/document/array_remarks.h"
#include "ui/document/file_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// (1, 4, 3, 2): L = 3, S = 4 when transposed by mistake.
TensorMap threeArrays(const Shape& key) {
    return {
        {"query", random_normal({1, 3, 4}, 1)}, {"key", random_normal(key, 2)}, {"value", random_normal({1, 3, 4}, 3)}};
}

} // namespace

class TestArrays : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString save(const char* name, const TensorMap& tensors) {
        auto path = folder_.filePath(QLatin1String(name));
        io::write_tensors(path.toStdString(), tensors);
        return path;
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 10000); }
    void open(const QStringList& paths) {
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().open(paths);
        QVERIFY(opened.count() > 0 || opened.wait());
        settle();
    }
    void drop(const QStringList& paths) {
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().openOrJoin(paths, "query");
        QVERIFY(opened.count() > 0 || opened.wait());
        settle();
    }
    const AttentionProblem& problem() const { return window_->document().problem(); }
    QString remarks() const {
        QStringList lines;
        for (const auto& remark : window_->document().remarks())
            lines << remark.text();
        return lines.join(QLatin1Char('\n'));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabArraysTest");
    }
    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(Backends(backends));
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        window_->files().openSample("milk_or_cat_hungry");
        settle();
    }
    void cleanup() { window_.reset(); }

    /// The file's arrays were once merged with the sample's value and labels.
    void aNewFileIsANewDocument() {
        open({save("qk.npz", {{"query", random_normal({6, 5}, 1)}, {"key", random_normal({6, 5}, 2)}})});
        QCOMPARE(problem().tensors.at("value").dim(0), 6);
        QVERIFY(problem().query_tokens.empty());
        QVERIFY2(remarks().contains("value is not in the files"), qPrintable(remarks()));
        QVERIFY(!window_->findChild<RemarksBar*>()->isHidden());
        QVERIFY2(window_->findChild<RemarksBar*>()->text().contains("value"),
                 qPrintable(window_->findChild<RemarksBar*>()->text()));
        // For as long as the document is open, whatever is said meanwhile.
        window_->messageBar()->showMessage(MessageBar::Kind::Notice, QStringLiteral("something else"));
        QVERIFY(!window_->findChild<RemarksBar*>()->isHidden());
        window_->files().openSample("milk_or_cat_hungry");
        settle();
        QVERIFY(window_->findChild<RemarksBar*>()->isHidden());
    }

    void aDroppedArrayJoins() {
        const auto before = problem();
        drop({save("value.npy", {{"value", random_normal({4, 4}, 9)}})});
        QCOMPARE(problem().tensors.at("query"), before.tensors.at("query"));
        QVERIFY(problem().tensors.at("value") != before.tensors.at("value"));
        QVERIFY(window_->messageBar()->text().contains("value"));
        QVERIFY(window_->document().isModified());
    }

    /// Opened from the File menu, the same array becomes a new document.
    void anOpenedArrayDoesNot() {
        open({save("value.npy", {{"value", random_normal({5, 4}, 9)}})});
        QCOMPARE(problem().tensors.at("key").dim(0), 5);
        QVERIFY2(remarks().contains("query is not in the files"), qPrintable(remarks()));
    }

    void whatIsNotUsedIsSaid() {
        auto arrays = threeArrays({1, 3, 4});
        arrays.emplace("output", random_normal({1, 3, 4}, 4));
        open({save("output.npz", arrays)});
        QVERIFY2(remarks().contains("output is not used"), qPrintable(remarks()));
    }

    /// A transposed key: the old picture once remained under the new name, undimmed and exportable.
    void anOldPictureIsDimmed() {
        QVERIFY(!window_->outdatedOverlay()->isDimmed());
        open({save("transposed.npz", threeArrays({1, 4, 3}))});
        QTRY_VERIFY(window_->outdatedOverlay()->isDimmed());
        QCOMPARE(window_->document().title(), QString("transposed.npz"));
        window_->actions().export_shown->trigger();
        QVERIFY(!window_->findChild<QDialog*>());
        QVERIFY2(window_->messageBar()->text().contains("out of date"), qPrintable(window_->messageBar()->text()));
        window_->files().openSample("multi_head_fox");
        settle();
        QTRY_VERIFY(!window_->outdatedOverlay()->isDimmed());
        QVERIFY(window_->outdatedOverlay()->isCurrent());
    }

    void masksCount() {
        auto arrays = threeArrays({1, 3, 4});
        arrays.emplace("attention_mask", Tensor({1, 3}, {1, 1, 0}, DType::Int64));
        open({save("masked.npz", arrays)});
        QCOMPARE(problem().spec.masks.size(), std::size_t{1});
        QCOMPARE(window_->computed()->trace.find("weights")->value.at({0, 0, 1, 2}), 0.0);
        QVERIFY2(remarks().contains("attention_mask"), qPrintable(remarks()));
    }

    void headsAreAskedFor() {
        const auto path = QStringLiteral(ATTNLAB_GOLDEN_DIR "/torch_mha_self.in.npz");
        QStringList asked;
        window_->files().setArrayChooser([&](const auto& contents, const Choices& choices) -> std::optional<Choices> {
            const ArrayPicker picker(contents, choices);
            asked << picker.summary();
            return std::nullopt;
        });
        const auto before = problem();
        open({path});
        QCOMPARE(asked.size(), 1);
        QVERIFY2(asked.first().contains("num_heads"), qPrintable(asked.first()));
        QVERIFY(problem() == before); // Cancel changes nothing
        window_->files().setArrayChooser([](const auto&, Choices choices) {
            choices.num_heads = 2;
            return std::optional(choices);
        });
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().open({path});
        QTRY_COMPARE(opened.count(), 2); // the files, then the arrays as chosen
        settle();
        QCOMPARE(problem().spec.variant, std::string("multi_head"));
        // The choice is remembered for such files, and reported.
        window_->files().setArrayChooser([](const auto&, const auto&) -> std::optional<Choices> {
            qFatal("asked again");
            return std::nullopt;
        });
        window_->files().openSample("milk_or_cat_hungry");
        settle();
        open({path});
        QCOMPARE(problem().spec.variant, std::string("multi_head"));
        QVERIFY2(remarks().contains("as you chose"), qPrintable(remarks()));
    }

    void anErrorGoesWithTheNextFile() {
        const auto broken = folder_.filePath("broken.npz");
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not an archive") > 0);
        file.close();
        const auto good = save("good.npz", threeArrays({1, 3, 4}));
        const auto fail = [&] {
            open({broken});
            QVERIFY(!window_->messageBar()->isHidden());
            QVERIFY2(window_->messageBar()->text().contains("broken.npz"), qPrintable(window_->messageBar()->text()));
        };
        fail();
        open({good});
        QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
        fail();
        window_->files().openSample("multi_head_fox");
        settle();
        QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
        fail();
        window_->files().newDocument();
        settle();
        QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
        // Messages unrelated to the opened files stay.
        window_->messageBar()->showMessage(MessageBar::Kind::Error, QStringLiteral("another error"));
        open({good});
        QVERIFY(!window_->messageBar()->isHidden());
    }

    /// Advice names controls of the window, in its language.
    void remarksAdviseWhatTheWindowHas() {
        auto arrays = threeArrays({5, 3, 4});
        for (const char* name : {"query", "key", "value"})
            arrays.insert_or_assign(name, random_normal({5, 3, 4}, 1));
        arrays.emplace("attn_mask", Tensor({3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}, DType::Bool));
        arrays.emplace("output", random_normal({5, 3, 4}, 4));
        open({save("batches.npz", arrays)});
        QVERIFY2(remarks().contains(QStringLiteral("“Read otherwise…” with the axes (H, L, E)")),
                 qPrintable(remarks()));
        QVERIFY2(remarks().contains(QStringLiteral("“True means kept”")), qPrintable(remarks()));
        QVERIFY2(remarks().contains(QStringLiteral("“Compare with a file…”")), qPrintable(remarks()));
        QVERIFY2(!remarks().contains("--"), qPrintable(remarks()));
        const auto english = remarks();
        const auto bar = window_->findChild<RemarksBar*>()->text();
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(window_->findChild<RemarksBar*>()->text() != bar);
        for (const auto& line : remarks().split(QLatin1Char('\n')))
            QVERIFY2(!english.contains(line), qPrintable(line));
        applyLanguage(QStringLiteral("en"));
        QCOMPARE(remarks(), english);
    }

    void thePickerTriesEachChoice() {
        auto contents = std::make_shared<Contents>();
        for (const char* name : {"arr_0", "arr_1", "arr_2"})
            contents->arrays.push_back({name, random_normal({5, 3, 4}, 1), "file.npz"});
        ArrayPicker picker(contents, {});
        picker.show();
        QVERIFY(!picker.canAccept());
        auto* table = picker.findChild<QTableWidget*>();
        QCOMPARE(table->rowCount(), 3);
        const char* inputs[] = {"query", "key", "value"};
        for (int row = 0; row < 3; ++row) {
            auto* role = qobject_cast<QComboBox*>(table->cellWidget(row, 3));
            QVERIFY(role);
            role->setCurrentIndex(role->findText(QLatin1String(inputs[row])));
        }
        QVERIFY2(picker.canAccept(), qPrintable(picker.summary()));
        QVERIFY2(picker.summary().contains("(5, 3, 4)") || picker.summary().contains("B 5"),
                 qPrintable(picker.summary()));
        auto* axes = picker.findChild<QComboBox*>(QStringLiteral("layout"));
        axes->setCurrentIndex(axes->findData(QStringLiteral("LHE")));
        QCOMPARE(picker.choices().layout, std::string("LHE"));
        QVERIFY2(picker.summary().contains("H 3") && picker.summary().contains("L 5"), qPrintable(picker.summary()));
    }
};

ATTNLAB_TEST(TestArrays)
#include "test_arrays.moc"
