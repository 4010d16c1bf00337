#include "ui/panels/help/problem_report.h"

#include "core/inputs.h"
#include "core/variants.h"
#include "ui/widgets/label.h"
#include "ui/widgets/language.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QVBoxLayout>

namespace attnlab::ui {
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
        const QString mechanism = QString::fromStdString(std::string(variant(problem.spec.variant).id));
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

} // namespace attnlab::ui
