#include "tests/driven/long_work.h"

#include "core/io/npz.h"
#include "core/random.h"
#include "tests/places.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/learn_page.h"
#include "ui/model/model_page.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPlainTextEdit>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <vector>

namespace attnlab::driven {

using namespace attnlab::ui;

namespace {

AttentionProblem problemOf(int heads, int tokens, int width) {
    static std::uint64_t seed = 1;
    AttentionProblem problem;
    for (const char* name : {"query", "key", "value"})
        problem.tensors.emplace(name, random_normal({1, heads, tokens, width}, ++seed));
    return problem;
}

void open(MainWindow& window, const AttentionProblem& problem) {
    window.files().openProblem(problem, QStringLiteral("long work"), QStringLiteral("weights"));
}

/// The path of a file of these bytes, which is made once.
QString fileOf(const QString& folder, const char* name, const std::function<QByteArray()>& bytes) {
    auto path = folder + QLatin1Char('/') + QLatin1String(name);
    if (QFile file(path); !file.exists() && file.open(QIODevice::WriteOnly))
        file.write(bytes());
    return path;
}

void compute(MainWindow& window, const QString&) {
    settings::setMapFromCells(1LL << 40);
    open(window, problemOf(2, 2500, 128));
}

void map(MainWindow& window, const QString&) {
    settings::setMapFromCells(1000);
    open(window, problemOf(1, 60'000, 64));
}

void readTable(MainWindow& window, const QString& folder) {
    window.files().open({fileOf(folder, "query.csv", [] { return QByteArray("1.5,2.5,3.5\n").repeated(10'000'000); })});
}

void readDeflated(MainWindow& window, const QString& folder) {
    const QString path = folder + QStringLiteral("/deflated.npz");
    if (!QFile::exists(path)) {
        constexpr std::int64_t count = 30'000'000;
        std::vector<double> numbers(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = 0.1 * static_cast<double>(i); // equal ones would inflate in no time
        io::write_npz(path.toStdString(), {{{"query", Tensor({count}, std::move(numbers))}}, {}});
    }
    window.files().open({path});
}

/// An array of float32 that stays in its file; zeros take no space there.
QString sparseArray(const QString& path, const QByteArray& shape, qint64 count) {
    if (QFile file(path); !file.exists() && file.open(QIODevice::WriteOnly)) {
        const auto header =
            QByteArray("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }").leftJustified(117) + '\n';
        file.write(QByteArray("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header);
        file.resize(10 + header.size() + 4 * count);
    }
    return path;
}

void readMask(MainWindow& window, const QString& folder) {
    window.files().open({sparseArray(folder + QStringLiteral("/attn_mask.npy"), "(100000, 20000)", 2'000'000'000)});
}

void makeInputs(MainWindow& window, const QString& folder) { // keys and values that the file lacks
    window.files().open({sparseArray(folder + QStringLiteral("/query.npy"), "(1, 1, 1, 20000000)", 20'000'000)});
}

void edit(MainWindow& window, const QString&) { // adds keys and values
    AttentionProblem problem;
    problem.tensors.emplace("query", Tensor({1, 1, 1, 20'000'000}, 1.0));
    window.document().reset(problem);
    problem.spec.scale = {"none", {}};
    window.document().setSpecCompletingInputs(problem.spec, QStringLiteral("long work"));
}

void write(MainWindow& window, const QString& folder) {
    settings::setMapFromCells(1000);
    AttentionProblem problem;
    problem.tensors.emplace("query", random_normal({4'000'000, 10}, 1));
    window.document().reset(problem);
    window.files().saveTo(folder + QStringLiteral("/saved.npz"));
}

/// A page with a model that reads long texts.
ModelPage* modelPage(MainWindow& window, const QString& folder) {
    const QDir model(folder + QStringLiteral("/model"));
    if (!model.exists()) {
        model.mkpath(QStringLiteral("."));
        const QDir source(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/llama2"));
        for (const auto& name : source.entryList(QDir::Files))
            QFile::copy(source.filePath(name), model.filePath(name));
        QFile config(model.filePath(QStringLiteral("config.json")));
        if (config.open(QIODevice::ReadWrite)) {
            const auto text =
                config.readAll().replace("\"max_position_embeddings\": 96", "\"max_position_embeddings\": 1000000");
            config.resize(0);
            config.write(text);
        }
    }
    if (!window.modelMode()->isOn())
        window.modelMode()->open(model.path());
    return window.modelMode()->page();
}

/// As soon as the model is open.
void type(MainWindow& window, const QString& folder, const QString& text) {
    auto* page = modelPage(window, folder);
    if (!window.modelMode()->isOn()) {
        QTimer::singleShot(20, &window, [&window, folder, text] { type(window, folder, text); });
        return;
    }
    page->text()->setPlainText(page->text()->toPlainText() == text ? text + QLatin1Char('.') : text);
}

void runModel(MainWindow& window, const QString& folder) {
    type(window, folder, QStringLiteral("the cat drank the milk ").repeated(300));
}

void tokenize(MainWindow& window, const QString& folder) {
    type(window, folder, QStringLiteral("the cat drank the milk\n").repeated(60'000));
}

void makeHandout(MainWindow& window, const QString& folder) {
    constexpr int training = 13; // its steps take long
    window.learnMode()->showLesson(training);
    window.actions().export_handout->trigger();
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<ExportDialog*>(widget); dialog && dialog->isVisible()) {
            dialog->exportTo(folder + QStringLiteral("/handout.pdf"));
            return;
        }
}

void compareSettings(MainWindow& window, const QString&) {
    settings::setMapFromCells(1LL << 40);
    auto problem = problemOf(2, 2500, 128);
    problem.compared_with = problem.spec;
    problem.compared_with->scale = {"none", {}};
    open(window, problem);
    window.viewState().setPage(QStringLiteral("compare"));
}

void sweep(MainWindow& window, const QString&) {
    window.learnMode()->showLab(lab::BoardKind::ScaleLab);
    auto& model = window.learnMode()->page()->frame()->model();
    auto draw = *model.scene().draw;
    draw.L = draw.S = 300; // the curve is of several draws of many widths
    model.setDraw(draw);
}

constexpr LongWork all[] = {
    {"compute", compute},
    {"map", map},
    {"read a table", readTable},
    {"read a deflated archive", readDeflated},
    {"read a mask in its file", readMask},
    {"make inputs", makeInputs},
    {"edit", edit},
    {"write", write},
    {"run a model", runModel},
    {"tokenize", tokenize},
    {"make a handout", makeHandout},
    {"compare", compareSettings},
    {"sweep", sweep, false},
};

} // namespace

const LongWork* longWork(std::string_view id) {
    const auto found = std::ranges::find(all, id, &LongWork::id);
    return found == std::end(all) ? nullptr : &*found;
}

} // namespace attnlab::driven
