// Text from files is shown literally: no text of a workspace, a lesson or a file name is interpreted as markup, and
// none makes the program open another file.
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "tests/ui/learn_window.h"
#include "tests/ui/trap.h"
#include "ui/document/settings.h"
#include "ui/learn/handout.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/lesson_export.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"

#include <QDir>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextDocument>
#include <QTimer>
#include <QWindow>

#include <sys/stat.h>

using namespace attnlab;
using namespace attnlab::ui;
using attnlab::test::lookAt;
using attnlab::test::tipAt;
using attnlab::test::tipOnShow;
using attnlab::test::Trap;

namespace {

AttentionProblem threeTokens() {
    AttentionProblem problem;
    const Tensor matrix({3, 2}, {1, 0, 0, 1, 1, 1});
    problem.tensors = {{"query", matrix}, {"key", matrix}, {"value", matrix}};
    problem.query_tokens = {"a", "b", "c"};
    return problem;
}

struct SavedWorkspace {
    AttentionProblem problem = threeTokens();
    QString view = QStringLiteral("{}");
};

struct Place {
    const char* name;
    void (*put)(SavedWorkspace& workspace, const std::string& markup);
};

QString viewWith(const char* key, const std::string& text) {
    return QStringLiteral("{\"%1\":\"%2\"}")
        .arg(QLatin1String(key), QString::fromStdString(text).replace(QLatin1Char('"'), QLatin1String("\\\"")));
}

/// All places for text in a workspace.
constexpr Place places[] = {
    {"variant", [](SavedWorkspace& w, const std::string& m) { w.problem.spec.variant = m; }},
    {"parameter", [](SavedWorkspace& w, const std::string& m) { w.problem.spec.parameters.set(m, std::int64_t{1}); }},
    {"text of a parameter", [](SavedWorkspace& w, const std::string& m) { w.problem.spec.parameters.set("align", m); }},
    {"scale", [](SavedWorkspace& w, const std::string& m) { w.problem.spec.scale.id = m; }},
    {"parameter of a scale",
     [](SavedWorkspace& w, const std::string& m) { w.problem.spec.scale.parameters.set(m, 1.0); }},
    {"position", [](SavedWorkspace& w, const std::string& m) { w.problem.spec.position.id = m; }},
    {"mask",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.spec.masks = {{m, {}}};
     }},
    {"parameter of a mask",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.spec.masks = {{"causal", {}}};
         w.problem.spec.masks[0].parameters.set("align", m);
     }},
    {"compared variant",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.compared_with = AttentionSpec{};
         w.problem.compared_with->variant = m;
         w.view = QStringLiteral(R"({"page":"compare"})");
     }},
    {"compared mask",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.compared_with = AttentionSpec{};
         w.problem.compared_with->masks = {{m, {}}};
         w.view = QStringLiteral(R"({"page":"compare"})");
     }},
    {"tokens",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.query_tokens = {m, m + "2", "c"};
     }},
    {"tokens of keys",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.key_tokens = {m, "b", "c"};
     }},
    {"pinned cell of such tokens",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.query_tokens = {m, m, m};
         w.view = QStringLiteral(R"({"pinned":[0,0]})");
     }},
    {"compared tokens",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.query_tokens = {m, m, m};
         w.problem.compared_with = AttentionSpec{};
         w.view = QStringLiteral(R"({"page":"compare","pinned":[0,0]})");
     }},
    {"steps of such tokens",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.query_tokens = {m, m, m};
         w.view = QStringLiteral(R"({"page":"steps","pinned":[0,0]})");
     }},
    {"array",
     [](SavedWorkspace& w, const std::string& m) {
         w.problem.tensors.emplace(m, Tensor({2}, {1, 2}));
     }},
    {"stage of the view", [](SavedWorkspace& w, const std::string& m) { w.view = viewWith("stage", m); }},
    {"page of the view", [](SavedWorkspace& w, const std::string& m) { w.view = viewWith("page", m); }},
    {"colours of the view", [](SavedWorkspace& w, const std::string& m) { w.view = viewWith("colormap", m); }},
};

/// The text shown by a rich text label.
QString shownBy(const QLabel& label) {
    if (label.textFormat() == Qt::PlainText)
        return label.text();
    QTextDocument words;
    words.setHtml(label.text());
    return words.toPlainText();
}

bool someLabelShows(const QWidget& window, const QString& text) {
    const auto labels = window.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return shownBy(*label).contains(text); });
}

} // namespace

class TestUntrustedText : public QObject, private LearnFixture {
    Q_OBJECT

    Trap trap_;

    void open(const QString& path) {
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().open({path});
        QTRY_COMPARE(opened.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 10000);
    }

    /// The box shown by `ask`, which `look` inspects; it is cancelled.
    static void answerBox(const std::function<void()>& ask, const std::function<void(QMessageBox&)>& look) {
        bool seen = false;
        QTimer::singleShot(0, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            box->grab();
            look(*box);
            seen = true;
            box->reject();
        });
        ask();
        QVERIFY(seen);
    }

private slots:
    void initTestCase() {
        prepare();
        applyTheme(ThemeChoice::Light); // with the program's style
        // A file name has no slash, so its picture would be found here.
        QVERIFY(QDir::setCurrent(trap_.folder()));
    }
    void init() {
        begin();
        trap_.opened();
    }
    void cleanup() { end(); }
    void cleanupTestCase() { QDir::setCurrent(QStringLiteral("/")); }

    void theTrapWorks() {
        QLabel label;
        label.setTextFormat(Qt::RichText);
        label.setText(trap_.markup());
        label.grab();
        QVERIFY(trap_.opened() > 0);
        QCOMPARE(trap_.opened(), 0);
    }

    void workspace_data() {
        QTest::addColumn<int>("place");
        for (int i = 0; i < static_cast<int>(std::size(places)); ++i)
            QTest::newRow(places[i].name) << i;
    }

    void workspace() {
        QFETCH(int, place);
        SavedWorkspace written;
        places[place].put(written, trap_.markup().toStdString());
        const QString path = folder_.filePath(QStringLiteral("hostile.npz"));
        io::write_workspace(path.toStdString(), written.problem, written.view.toStdString());
        open(path);
        lookAt(*window_);
        QCOMPARE(trap_.opened(), 0);
        // It is as visible as any other text where the message bar quotes it.
        const QString said = window_->messageBar()->text();
        if (!window_->messageBar()->isHidden() && said.contains(QLatin1String("trap.png"))) {
            QVERIFY2(said.contains(trap_.markup()), qPrintable(said));
            QVERIFY(someLabelShows(*window_, trap_.markup()));
        }
    }

    void smallestReproduction() {
        SavedWorkspace written;
        written.problem.tensors = {{"query", Tensor({1, 1}, 1)}};
        written.problem.query_tokens.clear();
        written.problem.spec.variant = trap_.markup().toStdString();
        const QString path = folder_.filePath(QStringLiteral("small.npz"));
        io::write_workspace(path.toStdString(), written.problem, "{}");
        open(path);
        QVERIFY(!window_->messageBar()->isHidden());
        QVERIFY(window_->messageBar()->text().contains(trap_.markup()));
        QVERIFY(someLabelShows(*window_, trap_.markup()));
        window_->grab();
        QCOMPARE(trap_.opened(), 0);
    }

    void namesOfFiles() {
        const QString name = QStringLiteral("<img src=trap.png>a&b[*]c.npz");
        const QString path = folder_.filePath(name);
        io::write_workspace(path.toStdString(), threeTokens(), R"({"stage":"weights"})");
        open(path);
        settle();
        QCOMPARE(window_->document().title(), name);
        QVERIFY2(window_->windowHandle()->title().startsWith(name), qPrintable(window_->windowHandle()->title()));
        const auto recent = window_->actions().recent->actions();
        QVERIFY(!recent.isEmpty());
        // The text shown by a menu: a single & would underline what follows.
        QCOMPARE(recent.front()->text().replace(QLatin1String("&&"), QLatin1String("&")), path);
        QCOMPARE(recent.front()->text().count(QLatin1Char('&')), 2);

        edit(5.0);
        QVERIFY(window_->windowHandle()->title().startsWith(name + QLatin1Char('*')));
        window_->files().setAnswer(FileController::Answer::Ask);
        answerBox([&] { QVERIFY(!window_->files().mayDiscard()); },
                  [&](QMessageBox& box) { QVERIFY(someLabelShows(box, name)); });
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->files().open({folder_.filePath(QStringLiteral("<img src=trap.png>.npz"))});
        QTRY_VERIFY(!window_->messageBar()->isHidden());
        QVERIFY(someLabelShows(*window_, QStringLiteral("<img src=trap.png>.npz")));
        lookAt(*window_);
        QCOMPARE(trap_.opened(), 0);
    }

    /// Qt must not interpret tooltips as markup: the mouse is often over them.
    void tooltips() {
        QWidget widget;
        widget.resize(200, 100);
        widget.setToolTip(trap_.markup());
        widget.show();
        const QLabel* tip = tipAt(widget, {5, 5});
        QVERIFY(tip);
        QCOMPARE(shownBy(*tip), trap_.markup());
        QToolTip::showText(QPoint(10, 10), QStringLiteral("<b>%1</b>").arg(trap_.markup()), &widget);
        QCOMPARE(shownBy(*tipOnShow()), QStringLiteral("<b>%1</b>").arg(trap_.markup()));
        QToolTip::hideText();
        QCOMPARE(trap_.opened(), 0);
    }

    void lessons() {
        const QString html = trap_.markup(), picture = QStringLiteral("![a plot](%1)").arg(trap_.path());
        const QString both = html + QLatin1Char(' ') + picture;
        const QString style = QStringLiteral("<link rel=\"stylesheet\" href=\"%1\"><table style=\"background-image: "
                                             "url(%1)\"><tr><td>cell</td></tr></table>")
                                  .arg(trap_.path());
        const auto put = [&](const char* from, const QString& to) {
            replaceIn(lesson_folder_ + QStringLiteral("/en.md"), from, qPrintable(to));
        };
        put("# Wider heads", QStringLiteral("# Wider &heads ") + html);
        put("What happens to scores.", QStringLiteral("What happens. ") + both);
        put("## growth: A sum of products", QStringLiteral("## growth: A sum ") + html);
        put("The width is", both + QStringLiteral("\n\n") + style + QStringLiteral("\n\nThe width is"));
        put("card none: no scaling", QStringLiteral("card none: ") + both);
        put("Look at both.", both);
        put("Which of the two has the larger entropy?", both);
        put("- none: *not* scaled", QStringLiteral("- none: &not ") + both);
        put("Entropy {{", both + QStringLiteral(" {{"));

        openLesson();
        settleScene();
        lookAt(*window_);
        QCOMPARE(trap_.opened(), 0);
        QVERIFY(someLabelShows(panel(), html));
        QVERIFY(someLabelShows(panel(), picture));
        lesson().next();
        settleScene();
        panel().question()->choose(0);
        QTRY_VERIFY(!panel().question()->answerText().isEmpty());
        lookAt(*window_);
        QVERIFY(someLabelShows(*panel().question(), picture));
        QCOMPARE(trap_.opened(), 0);
        learn().showList();
        lookAt(*window_);
        QCOMPARE(trap_.opened(), 0);

        // On paper too.
        const auto made = makeHandout(lesson().lesson(), HandoutKind::Solutions);
        QVERIFY(handoutData(made, QPageSize::A4).startsWith("%PDF-"));
        QCOMPARE(trap_.opened(), 0);
    }

    /// Opening a pipe in place of a lesson's file would block.
    void lessonsAreFiles() {
        const QString text = lesson_folder_ + QStringLiteral("/scene.json");
        QVERIFY(QFile::remove(text));
        QCOMPARE(mkfifo(qPrintable(text), 0600), 0);
        QVERIFY(!learn().openFolder(lesson_folder_));
        QVERIFY(QFile::remove(text));
        QVERIFY(!window_->messageBar()->isHidden());
    }
};

ATTNLAB_TEST(TestUntrustedText)
#include "test_untrusted_text.moc"
