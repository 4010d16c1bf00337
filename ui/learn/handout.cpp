#include "ui/learn/handout.h"

#include "core/message.h"
#include "ui/formula/formula_view.h"
#include "ui/learn/pager.h"
#include "ui/learn/rich_text.h"
#include "ui/plot/figure.h"
#include "ui/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace attnlab::ui {
namespace {

struct Paper {
    Q_DECLARE_TR_FUNCTIONS(Handout)
};

constexpr double points_per_inch = 72.0;
constexpr int dots_per_inch = 1200;
constexpr double margin = 51.0; ///< 18 mm
constexpr double footer = 26.0;
constexpr double formula_em = 13.0;
constexpr int body_size = 10, heading_size = 13, title_size = 21, small_size = 8;

/// Sizes are points of the page.
QFont fontOf(int size, bool bold = false) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(size);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

const Theme& look() { return themeFor(false); }

std::shared_ptr<QTextDocument> text(const QString& markdown, const QFont& font, const QColor& color) {
    return textDocument(markdown, font, color);
}

QString letterOf(std::size_t option) { return QChar(static_cast<char16_t>(u'a' + option)); }

/// Markdown must not take a line of words for a list or a heading.
std::shared_ptr<QTextDocument> plain(const QString& words, const QFont& font, const QColor& color) {
    auto document = std::make_shared<QTextDocument>();
    document->setDocumentMargin(0);
    document->setDefaultFont(font);
    document->setPlainText(words);
    QTextCursor all(document.get());
    all.select(QTextCursor::Document);
    QTextCharFormat format;
    format.setForeground(color);
    all.mergeCharFormat(format);
    return document;
}

/// One handout being laid out.
class Layout {
public:
    Layout(const Handout& handout, const QSizeF& area) : handout_(handout), pager_(area) {
        addFront();
        for (std::size_t i = 0; i < handout_.steps.size(); ++i)
            addStep(i);
        addAnswers();
    }

    const Pager& pager() const { return pager_; }

private:
    void addFront() {
        pager_.addText(plain(handout_.title, fontOf(title_size, true), look().text));
        pager_.addGap(6);
        pager_.addText(text(handout_.summary, fontOf(body_size + 1), look().text));
        pager_.addGap(6);
        pager_.addText(plain(Paper::tr("AttnLab %1 computed every number and drew every picture of this handout.")
                                 .arg(QCoreApplication::applicationVersion()),
                             fontOf(small_size), look().muted));
        pager_.addGap(10);
    }

    void addStep(std::size_t index) {
        const auto& step = handout_.steps[index];
        constexpr double with_heading = 110.0;
        pager_.addGap(12);
        addRule(with_heading + 2 * heading_size);
        pager_.addText(plain(Paper::tr("%1. %2", "number and title of a step").arg(index + 1).arg(step.title),
                             fontOf(heading_size, true), look().text),
                       0.0, with_heading);
        pager_.addGap(6);
        addFormula(step.formula);
        pager_.addText(text(step.text, fontOf(body_size), look().text));
        if (step.picture)
            addPicture(step.picture);
        addQuestion(step.question);
    }

    void addRule(double keep) {
        pager_.add(
            9.0,
            [width = pager_.width()](QPainter& painter, const QPointF& corner) {
                painter.setPen(QPen(look().border, 0.8));
                painter.drawLine(corner, corner + QPointF(width, 0));
            },
            keep);
    }

    void addFormula(const QString& id) {
        auto formula = std::make_shared<Formula>(id, look().text, look().accent);
        if (formula->isNull())
            return;
        QSizeF size = formula->size(formula_em);
        if (size.width() > pager_.width())
            size *= pager_.width() / size.width();
        pager_.add(size.height() + 8.0, [formula, size](QPainter& painter, const QPointF& corner) {
            formula->paint(painter, QRectF(corner, size));
        });
    }

    void addPicture(const std::shared_ptr<const Drawing>& picture) {
        const QFont font = fontOf(body_size);
        const double width = pager_.width();
        QSizeF least = picture->smallest(font, width);
        double factor = 1.0;
        if (least.width() > width) {
            factor = width / least.width();
            least = picture->smallest(font, width / factor);
        }
        double height = std::clamp(least.height() * factor, 0.42 * width, 0.6 * pager_.height());
        pager_.addGap(8);
        // A little smaller is better than half a page of nothing.
        constexpr double still_readable = 0.75;
        if (pager_.room() < height && pager_.room() >= still_readable * height)
            height = pager_.room();
        pager_.add(height, [picture, width, height, font](QPainter& painter, const QPointF& corner) {
            paintFitted(*picture, painter, QRectF(corner, QSizeF(width, height)), {look(), font, true});
        });
    }

    void addQuestion(const Question& question) {
        if (question.text.isEmpty())
            return;
        constexpr double with_question = 40.0, indent = 14.0;
        pager_.addGap(8);
        pager_.addText(text(question.text, fontOf(body_size, true), look().text), 0.0, with_question);
        pager_.addGap(4);
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            pager_.addText(
                plain(
                    Paper::tr("☐  %1)  %2", "letter and words of an option").arg(letterOf(i), question.options[i].text),
                    fontOf(body_size), look().text),
                indent);
            pager_.addGap(2);
        }
    }

    void addAnswers() {
        bool first = true;
        for (std::size_t i = 0; i < handout_.steps.size(); ++i) {
            const auto& question = handout_.steps[i].question;
            if (question.text.isEmpty())
                continue;
            constexpr double with_heading = 60.0;
            if (first) {
                pager_.addGap(18);
                addRule(with_heading + 2 * heading_size);
                pager_.addText(plain(Paper::tr("Answers"), fontOf(heading_size, true), look().text), 0.0, with_heading);
            }
            first = false;
            pager_.addGap(8);
            addAnswer(i, question);
        }
    }

    void addAnswer(std::size_t index, const Question& question) {
        constexpr double with_heading = 30.0, indent = 14.0;
        pager_.addText(
            plain(Paper::tr("%1. %2", "number and title of a step").arg(index + 1).arg(handout_.steps[index].title),
                  fontOf(body_size, true), look().muted),
            0.0, with_heading);
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            const auto& option = question.options[i];
            const QString line =
                option.measured.isEmpty()
                    ? Paper::tr("%1)  %2", "letter and words of an option").arg(letterOf(i), option.text)
                    : Paper::tr("%1)  %2:  %3", "letter and words of an option, what was measured")
                          .arg(letterOf(i), option.text, option.measured);
            pager_.addGap(2);
            pager_.addText(plain(option.right ? QStringLiteral("✓  ") + line : QStringLiteral("    ") + line,
                                 fontOf(body_size, option.right), option.right ? look().text : look().muted),
                           indent);
        }
        pager_.addGap(3);
        pager_.addText(text(question.answer, fontOf(body_size), look().text));
    }

    const Handout& handout_;
    Pager pager_;
};

void paintFooter(QPainter& painter, const QRectF& place, const QString& title, std::size_t page, std::size_t count) {
    painter.setFont(fontOf(small_size));
    painter.setPen(look().muted);
    const QString number = Paper::tr("%1 / %2", "page number and number of pages").arg(page + 1).arg(count);
    painter.drawText(place, Qt::AlignRight | Qt::AlignBottom, number);
    const double left = place.width() - 60.0;
    painter.drawText(place, Qt::AlignLeft | Qt::AlignBottom,
                     QFontMetricsF(painter.font()).elidedText(title, Qt::ElideRight, left));
}

} // namespace

QByteArray handoutData(const Handout& handout, QPageSize::PageSizeId paper,
                       const std::function<bool(double)>& progress) {
    const auto go_on = [&](double done) { return !progress || progress(done); };
    const QSizeF page = QPageSize(paper).size(QPageSize::Point);
    const QSizeF area(page.width() - 2 * margin, page.height() - 2 * margin - footer);
    if (!go_on(0.0))
        return {};
    const Layout layout(handout, area);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dots_per_inch);
    writer.setPageSize(QPageSize(paper));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(handout.title);
    writer.setCreator(QStringLiteral("AttnLab"));
    QPainter painter(&writer);
    const auto count = layout.pager().pageCount();
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0)
            writer.newPage();
        painter.save();
        painter.scale(dots_per_inch / points_per_inch, dots_per_inch / points_per_inch);
        painter.translate(margin, margin);
        layout.pager().paint(i, painter);
        paintFooter(painter, QRectF(0, area.height(), area.width(), footer), handout.title, i, count);
        painter.restore();
        if (!go_on(static_cast<double>(i + 1) / static_cast<double>(count)))
            return {};
    }
    painter.end();
    return buffer.data();
}

void writeHandout(const QString& path, const QByteArray& pdf) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size() || !file.commit())
        throw Error(
            {ATTNLAB_TEXT("%1: cannot be written (%2)"), {path.toStdString(), file.errorString().toStdString()}});
}

} // namespace attnlab::ui
