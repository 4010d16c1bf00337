#include "ui/panels/help/help.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/inert_document.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

/// The translation context of this file.
struct Help {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

QString paragraph(const QString& heading, const QString& text) {
    return QStringLiteral("<h3>%1</h3><p>%2</p>").arg(heading, text);
}

QString tourText() {
    return paragraph(
               Help::tr("1. Look"),
               Help::tr("Click a word: a sentence says what it reads. The strip below the words goes from scores to "
                        "output. Click a stage: it becomes the large picture. Point at a cell for its exact number; "
                        "click it, and the inspector on the right "
                        "writes out how that number came about. Heads, batches, rows and columns count from 0, "
                        "as in the arrays.")) +
           paragraph(Help::tr("2. Change a number"), Help::tr("Open Inputs at the left edge. Type into Q, K or V, or "
                                                              "paste a block from a spreadsheet. Every picture follows "
                                                              "at once. Undo takes back one step at a time.")) +
           paragraph(
               Help::tr("3. Change the scale"),
               Help::tr("Pick another scale: none, 1/√d, 1/d. Watch the variance of the scores and the entropy of the "
                        "weights in the inspector. “After softmax” shows why a widely copied example prints other "
                        "numbers than the formula gives.")) +
           paragraph(Help::tr("4. Mask"),
                     Help::tr("Open Mask at the left edge. Switch on causal, or paint cells on the grid. A hatched "
                              "cell may not be read. Block a whole "
                              "row and read the status bar; then try the fill −1e9 instead of −∞.")) +
           paragraph(
               Help::tr("5. Several heads"),
               Help::tr("Open the sample “Four heads”. The heads are beside the matrix on one colour scale, each with "
                        "what it does in two words. See what their mean hides.")) +
           paragraph(
               Help::tr("6. Take it with you"),
               Help::tr("Export the picture as PNG, SVG or PDF and the matrices as CSV, NPY, NPZ or safetensors; or "
                        "copy a matrix straight into a spreadsheet."));
}

void showText(QWidget* window, const QString& title, const QString& html) {
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* browser = new QTextBrowser;
    browser->setDocument(new InertDocument(browser));
    browser->setAccessibleName(title);
    browser->setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(browser);
    layout->addWidget(buttons);
    // As high as the text, where the screen has room.
    constexpr int width = 640, beside_text = 60, around_text = 100;
    browser->document()->setTextWidth(width - beside_text);
    const int wanted = static_cast<int>(std::ceil(browser->document()->size().height())) + around_text;
    dialog->resize(width, std::min(wanted, window->screen()->availableGeometry().height() * 9 / 10));
    dialog->show(); // not modal
}

} // namespace

void showTour(QWidget* window) { showText(window, Help::tr("Five-minute tour"), tourText()); }

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

} // namespace attnlab::ui
