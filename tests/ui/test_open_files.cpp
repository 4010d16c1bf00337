// Opened files become a new problem, or arrays of the current one.
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "ui/document/open_files.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestOpenFiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString file(const char* name, const Shape& shape) {
        auto path = folder_.filePath(QString::fromLatin1(name) + ".npy");
        io::write_tensors(path.toStdString(), {{name, Tensor(shape, 1.0)}});
        return path;
    }

private slots:
    void briefNamesAreSpelledOut() {
        const auto opened = openFiles({file("q", {3, 2}), file("k", {4, 2}), file("v", {4, 5})});
        QVERIFY(opened.replaces);
        QCOMPARE(opened.problem.tensors.at("query").shape(), (Shape{3, 2}));
        QCOMPARE(opened.problem.tensors.at("key").shape(), (Shape{4, 2}));
        QCOMPARE(opened.problem.tensors.at("value").shape(), (Shape{4, 5}));
        QCOMPARE(opened.problem.tensors.size(), std::size_t{3});
    }

    void aLoneBriefNameGoesWhereItBelongs() {
        AttentionProblem present;
        for (const auto* name : {"query", "key", "value"})
            present.tensors.emplace(name, Tensor({2, 2}, 0.0));
        const auto opened = openFiles({file("k", {4, 2})}, &present, "value");
        QVERIFY(!opened.replaces);
        QCOMPARE(opened.tensor, QString("key"));
        QCOMPARE(opened.problem.tensors.at("key").shape(), (Shape{4, 2}));
        QCOMPARE(opened.problem.tensors.at("value").shape(), (Shape{2, 2}));
    }

    void aWorkspaceBringsItsSecondSetting() {
        AttentionProblem saved;
        for (const auto* name : {"query", "key", "value"})
            saved.tensors.emplace(name, Tensor({4, 2}, 0.5));
        saved.compared_with = AttentionSpec();
        saved.compared_with->scale.id = "none";
        saved.key_grid = KeyGrid{2, 2};
        const auto path = folder_.filePath("both.npz");
        io::write_workspace(path.toStdString(), saved);
        QVERIFY(openFiles({path}).problem == saved);
    }

    void otherNamesGoIntoWhatIsShown() {
        AttentionProblem present;
        present.tensors.emplace("query", Tensor({2, 2}, 0.0));
        QCOMPARE(openFiles({file("homework", {4, 2})}, &present, "query").tensor, QString("query"));
        QVERIFY_THROWS_EXCEPTION(Error, openFiles({file("homework", {4, 2})}, &present, {}));
    }
};

ATTNLAB_TEST(TestOpenFiles)
#include "test_open_files.moc"
