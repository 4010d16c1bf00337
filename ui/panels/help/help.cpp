#include "ui/panels/help/help.h"

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

/// The translation context of this file.
struct Help {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

} // namespace

void showAbout(QWidget* window) {
    QMessageBox box(window);
    box.setWindowTitle(Help::tr("About AttnLab"));
    box.setIconPixmap(icon(QStringLiteral("app")).pixmap(64, 64));
    if (auto* picture = box.findChild<QLabel*>(QStringLiteral("qt_msgboxex_icon_label")))
        picture->setAccessibleName(QStringLiteral("AttnLab"));
    box.setTextFormat(Qt::RichText);
    box.setText(QStringLiteral("<h3>AttnLab %1</h3><p>%2</p><p>%3</p>")
                    .arg(QCoreApplication::applicationVersion(),
                         Help::tr("See attention: edit, compute and look at every matrix of an attention mechanism."),
                         Help::tr("Free software under the GNU General Public License, version 3 or later. Drawn with "
                                  "Qt and QCustomPlot.")));
    box.exec();
}

namespace {

struct ProblemReport {
    Q_DECLARE_TR_FUNCTIONS(ProblemReport)
};

QString shapesOf(const AttentionProblem& problem) {
    QStringList shapes;
    for (const auto& input : inputs_of(problem.spec))
        if (const auto found = problem.tensors.find(input.name); found != problem.tensors.end())
            shapes << QString::fromStdString(std::string(input.name) + " " + to_string(found->second.shape()));
    return shapes.join(QStringLiteral(", "));
}

QString documentLine(const AttentionProblem& problem) {
    try { // its mechanism may come from a file: it is named only where the program knows it
        const QString mechanism = QString::fromStdString(std::string(mechanism_of(problem.spec.variant).id));
        return QStringLiteral("document: %1; %2").arg(mechanism, shapesOf(problem));
    } catch (const Error&) {
        return QStringLiteral("document: of an unknown mechanism");
    }
}

} // namespace

QString problemReport(const ReportSubject& subject, const QScreen& screen) {
    const auto size = screen.size();
    const auto device = QString::fromStdString(subject.device.english());
    return subject.build + (device.isEmpty() ? QString() : QStringLiteral("device: %1\n").arg(device)) +
           QStringLiteral("system: %1, kernel %2, %3\n"
                          "window: %4, screen %5 x %6 at %7, language %8\n")
               .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture(),
                    QGuiApplication::platformName())
               .arg(size.width())
               .arg(size.height())
               .arg(screen.devicePixelRatio())
               .arg(currentLanguage()) +
           documentLine(subject.problem) + QLatin1Char('\n');
}

void showProblemReport(QWidget* window, const QString& report) {
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(ProblemReport::tr("Report a problem"));
    auto* advice = new Label(ProblemReport::tr("Say what you did, what you saw and what you expected instead, and add "
                                               "this. It holds no names, files or numbers of yours."));
    advice->setWordWrap(true);
    auto* text = new QPlainTextEdit(report);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(ProblemReport::tr("What is reported"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(ProblemReport::tr("Copy"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog, [report] { QGuiApplication::clipboard()->setText(report); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(advice);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    dialog->resize(640, 320);
    dialog->show();
}

namespace {

/// Every key of the action; what it does at any time ("Undo", not "Undo: Set Q[3, 1] to 2").
QStringList rowOf(const QAction& action) {
    QStringList keys;
    for (const auto& sequence : action.shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    const auto usual = action.data().toString();
    return {usual.isEmpty() ? withoutMnemonic(action.text()) : usual, keys.join(QStringLiteral(", "))};
}

} // namespace

ShortcutsDialog::ShortcutsDialog(QMainWindow& window)
    : QDialog(&window), search_(new QLineEdit), list_(new QTreeWidget),
      nothing_(new StateBox(list_->viewport(), StateBox::Place::Middle)) {
    setWindowTitle(tr("Keyboard shortcuts"));
    search_->setPlaceholderText(tr("Search commands and keys"));
    search_->setAccessibleName(tr("Search"));
    search_->setClearButtonEnabled(true);
    list_->setAccessibleName(windowTitle());
    list_->setHeaderLabels({tr("Command"), tr("Key")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->header()->setStretchLastSection(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
    addMenus(window);
    for (const auto& place : declaredKeys(window)) {
        QList<QStringList> rows;
        for (const auto& key : place.keys)
            rows << QStringList{key.does, key.keys};
        addGroup(place.place, rows);
    }
    list_->expandAll();
    list_->resizeColumnToContents(0);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    resize(620, 560);
}

void ShortcutsDialog::addMenus(QMainWindow& window) {
    for (const auto* entry : window.menuBar()->actions()) {
        QList<QStringList> rows;
        if (const auto* menu = entry->menu())
            for (const auto* action : menu->actions())
                if (!action->shortcut().isEmpty())
                    rows << rowOf(*action);
        addGroup(withoutMnemonic(entry->text()), rows);
    }
}

void ShortcutsDialog::addGroup(const QString& title, const QList<QStringList>& rows) {
    if (rows.isEmpty())
        return;
    auto* group = new QTreeWidgetItem(list_, {title});
    group->setFlags(Qt::ItemIsEnabled);
    QFont bold = list_->font();
    bold.setBold(true);
    group->setFont(0, bold);
    group->setFirstColumnSpanned(true);
    group->setData(1, Qt::AccessibleTextRole, title);
    for (const auto& row : rows) {
        auto* item = new QTreeWidgetItem(group, row);
        item->setData(0, Qt::AccessibleTextRole, row.join(QStringLiteral(": ")));
    }
}

/// Shows the rows with all of these words, in the command, the key or the name of the group.
void ShortcutsDialog::filter(const QString& words) {
    const auto wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    bool any_group = false;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        auto* group = list_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            auto* row = group->child(j);
            const QString text = group->text(0) + QLatin1Char(' ') + row->text(0) + QLatin1Char(' ') + row->text(1);
            const bool fits = std::ranges::all_of(
                wanted, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
            row->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
        any_group = any_group || any;
    }
    nothing_->setState({PictureState::Look::Empty, any_group ? QString() : tr("No command or key has these words")});
}

void showShortcuts(QMainWindow& window) {
    auto* dialog = new ShortcutsDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace attnlab::ui
