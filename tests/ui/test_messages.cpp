// Messages of the window: how they look, where they are, and when they go; and what closing asks.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/status_line.h"
#include "ui/window/work_area.h"

#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTest>
#include <QTimer>

using namespace attnlab;
using namespace attnlab::ui;

class TestMessages : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    Document& document() { return window_->document(); }
    MessageBar& bar() { return *window_->messageBar(); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    void edit(const QString& text) {
        auto next = document().problem();
        auto values = next.tensors.at("query").mutable_values();
        values[0] += 1.0;
        document().edit(text, std::move(next));
    }
    /// What a question says that `act` asks; it is cancelled.
    static QString asked(const std::function<void()>& act) {
        QString words;
        QTimer::singleShot(0, [&words] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                words = box->text() + QLatin1Char('\n') + box->informativeText();
                if (box->icon() != QMessageBox::NoIcon)
                    words += QStringLiteral(" (icon)");
                box->button(QMessageBox::Cancel)->click();
            }
        });
        act();
        QCoreApplication::processEvents();
        return words;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTest");
    }
    void init() {
        applyTheme(ThemeChoice::Light);
        window_ = std::make_unique<MainWindow>(backends);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->files().openSample("milk_or_cat_sweet");
        settle();
    }
    void cleanup() {
        window_->files().setAnswer(FileController::Answer::Discard);
        window_.reset();
    }

    void kindsLookDifferent() {
        QSet<QRgb> backs;
        for (const auto& [kind, word] :
             {std::pair(MessageBar::Kind::Notice, "Message"), std::pair(MessageBar::Kind::Warning, "Warning"),
              std::pair(MessageBar::Kind::Error, "Error")}) {
            bar().showMessage(kind, QStringLiteral("weights.npy"));
            QCOMPARE(bar().accessibleName(), QLatin1String(word) + QStringLiteral(": weights.npy"));
            const QColor back = bar().palette().color(QPalette::Window);
            QVERIFY(contrastOf(back, bar().palette().color(QPalette::WindowText)) >= 4.5);
            backs << back.rgb();
        }
        QCOMPARE(backs.size(), 3);
        QCOMPARE(bar().palette().color(QPalette::Window), theme().error_soft);
    }

    void nothingMovesForAMessage() {
        const QRect before = window_->centre()->geometry();
        const QPoint corner = window_->centre()->mapToGlobal(QPoint());
        bar().showMessage(MessageBar::Kind::Error, QStringLiteral("cannot be read"));
        QCoreApplication::processEvents();
        QCOMPARE(window_->centre()->geometry(), before);
        QCOMPARE(window_->centre()->mapToGlobal(QPoint()), corner);
        auto* banners = window_->findChild<Banners*>();
        QVERIFY(banners->isVisible());
        const QRect status = window_->statusBar()->geometry();
        QVERIFY(banners->geometry().contains(QPoint(banners->geometry().center().x(), status.center().y())));
        constexpr int margins_of_panels = 14;
        QVERIFY2(status.top() - banners->geometry().top() <= margins_of_panels,
                 qPrintable(QString::number(status.top() - banners->geometry().top())));
    }

    void messagesGoWithTheirFile() {
        window_->files().open({"/no/such/array.npy"});
        QTRY_VERIFY(!bar().isHidden());
        QCOMPARE(bar().kind(), MessageBar::Kind::Error);
        window_->files().openSample("multi_head_fox");
        settle();
        QVERIFY(bar().isHidden());
    }

    void comparingIsNoWorkToSave() {
        window_->actions().compare->trigger();
        settle();
        QVERIFY(document().problem().compared_with);
        QVERIFY(!document().isModified());
        QVERIFY(!window_->isWindowModified());
        QVERIFY(asked([this] { QVERIFY(window_->files().mayDiscard()); }).isEmpty());
        edit("Type 1");
        QVERIFY(document().isModified());
        QVERIFY(window_->isWindowModified());
        document().undoStack()->undo();
        QVERIFY(!document().isModified());
        QVERIFY(!window_->isWindowModified());
        document().undoStack()->undo();
        QVERIFY(!document().problem().compared_with);
        QVERIFY(!document().isModified());
    }

    void changingTheComparisonIsWork() {
        window_->actions().compare->trigger();
        auto next = document().problem();
        next.compared_with->masks = {{"causal", {}}};
        document().edit("B: causal", std::move(next));
        QVERIFY(document().isModified());
    }

    void theQuestionSaysWhatIsLost() {
        for (int i = 1; i <= 6; ++i)
            edit(QStringLiteral("Type %1").arg(i));
        const QString words = asked([this] { QVERIFY(!window_->files().mayDiscard()); });
        QVERIFY2(words.contains("Type 6") && words.contains("Type 3") && !words.contains("Type 2"), qPrintable(words));
        QVERIFY2(words.contains("2 more"), qPrintable(words));
        QVERIFY(!words.contains("(icon)"));
    }
};

ATTNLAB_TEST(TestMessages)
#include "test_messages.moc"
