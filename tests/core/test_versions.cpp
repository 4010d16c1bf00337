// Files of every form that a version has written still open, and mean what they meant.
#include "core/backend.h"
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson_files.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnlab;

namespace {

const QString folder = QStringLiteral(ATTNLAB_TEST_DATA_DIR "/versions");

std::filesystem::path place(const QString& name) { return (folder + "/" + name).toStdString(); }

/// What NumPy computed when the file was made.
std::vector<double> expected(const QString& name) {
    QFile file(folder + "/expected.json");
    file.open(QIODevice::ReadOnly);
    std::vector<double> values;
    for (const auto& value : QJsonDocument::fromJson(file.readAll())[name].toArray())
        values.push_back(value.toDouble());
    return values;
}

void compareOutput(const AttentionProblem& problem, const QString& name) {
    const auto trace = reference_backend().run(problem, {});
    const auto* output = trace.find("output");
    QVERIFY(output);
    const auto values = expected(name);
    QCOMPARE(output->value.size(), std::ssize(values));
    for (std::int64_t i = 0; i < output->value.size(); ++i)
        QVERIFY(std::abs(output->value.value(i) - values[static_cast<std::size_t>(i)]) < 1e-12);
}

lessons::LessonFiles filesOf(const std::filesystem::path& lesson) {
    return lessons::files_below(lesson, ATTNLAB_SOURCE_DIR "/resources");
}

void checkAll(const lessons::Lesson& lesson) {
    QCOMPARE(lesson.steps.size(), std::size_t{3});
    for (const auto& step : lesson.steps)
        for (const auto& mistake : lessons::check_step(lesson, step).mistakes)
            QFAIL(mistake.text().c_str());
}

} // namespace

class VersionsTest : public QObject {
    Q_OBJECT
private slots:
    void the_first_workspace();
    void a_workspace_with_every_key();
    void a_capture();
    void a_lesson();
    void a_lesson_in_one_file();
    void the_name_of_a_workspace_comes_first();
};

void VersionsTest::the_first_workspace() {
    std::string view;
    const auto problem = io::read_workspace(place("workspace_first.npz"), &view);
    QCOMPARE(view, std::string("{}"));
    QCOMPARE(problem.spec.masks.size(), std::size_t{1});
    QCOMPARE(problem.query_tokens, (std::vector<std::string>{"the", "cat", "sat", "."}));
    compareOutput(problem, "workspace_first");
}

void VersionsTest::a_workspace_with_every_key() {
    const auto problem = io::read_workspace(place("workspace_whole.npz"));
    compareOutput(problem, "workspace_whole");
    QCOMPARE(problem.query_tokens.front(), std::string("读"));
    QVERIFY(problem.key_grid && problem.key_grid->rows == 2);
    QCOMPARE(problem.spec.mask_true, MaskTrue::Keeps);
    QVERIFY(problem.compared_with && problem.compared_with->rounding);
    QCOMPARE(problem.compared_with->scale.id, std::string("none"));

    QTemporaryDir saved;
    const auto path = std::filesystem::path(saved.path().toStdString()) / "again.npz";
    io::write_workspace(path, problem);
    const auto again = io::read_workspace(path);
    QCOMPARE(io::spec_to_json(again), io::spec_to_json(problem));
}

void VersionsTest::a_capture() {
    const auto path = place("capture.safetensors");
    const auto contents = io::read_contents(std::span(&path, 1));
    QVERIFY(contents.capture);
    QCOMPARE(contents.capture->pass_names(), (std::vector<std::string>{"layer.0", "layer.1"}));
    const auto problem = problem_of(*contents.capture, *contents.capture->find("layer.0"));
    QCOMPARE(problem.query_tokens, (std::vector<std::string>{"a", "b", "c"}));
    compareOutput(problem, "capture");
}

void VersionsTest::a_lesson() {
    const auto path = place("lesson");
    checkAll(lessons::load_lesson(path.string(), filesOf(path)));
}

void VersionsTest::a_lesson_in_one_file() {
    QTemporaryDir sent;
    const auto path = std::filesystem::path(sent.path().toStdString()) / "03-sent.attnlesson";
    lessons::write_archive(path, filesOf(place("lesson")));
    const auto lesson = lessons::load_lesson(path.string(), filesOf(path));
    QCOMPARE(lesson.id, std::string("sent"));
    QCOMPARE(lesson.order, 3);
    checkAll(lesson);
}

/// A desktop tells workspaces from other archives by it (resources/desktop).
void VersionsTest::the_name_of_a_workspace_comes_first() {
    QTemporaryDir saved;
    const auto path = std::filesystem::path(saved.path().toStdString()) / "w.npz";
    io::write_workspace(path, io::read_workspace(place("workspace_first.npz")));
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.read(44).mid(30), QByteArray("workspace.json"));
}

ATTNLAB_TEST(VersionsTest)
#include "test_versions.moc"
