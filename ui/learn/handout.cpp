#include "ui/learn/handout.h"

#include "core/message.h"
#include "ui/drawing/figures/figure.h"
#include "ui/drawing/formula_view.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <numeric>
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <span>

namespace attnlab::ui {
namespace {

struct Paper {
    Q_DECLARE_TR_FUNCTIONS(Handout)
};

constexpr double page_points_per_inch = 72.0;
constexpr int dots_per_inch = 1200;
constexpr double handout_margin = 51.0; ///< 18 mm
constexpr double footer = 26.0;
constexpr double formula_em = 13.0;
constexpr int body_size = 10, heading_size = 13, title_size = 21, small_size = 8;
constexpr double picture_share = 0.5;  ///< the height of other pictures than boards, as a part of the width
constexpr int lines_to_write = 3;      ///< below a question
constexpr double line_to_write = 22.0; ///< 8 mm

/// Sizes are in points.
QFont fontOf(int size, bool bold = false) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(size);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

const Theme& look() { return themeFor(false); }

QString letterOf(std::size_t option) { return QChar(static_cast<char16_t>(u'a' + option)); }

/// Plain text, since Markdown might treat a line as a list or a heading.
std::shared_ptr<QTextDocument> plain(const QString& words, const QFont& font, const QColor& color) {
    auto document = std::make_shared<InertDocument>();
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

/// Lays out one handout.
class Layout {
public:
    Layout(const Handout& handout, const QSizeF& area, const RunControl& control)
        : handout_(handout), control_(control), pager_(area) {
        addFront();
        for (std::size_t i = 0; i < handout_.steps.size(); ++i) {
            control_.report(static_cast<double>(i) / static_cast<double>(handout_.steps.size()));
            addStep(i);
        }
    }

    const Pager& pager() const { return pager_; }

private:
    static constexpr bool with_next = true;

    bool hasAnswers() const { return handout_.kind == HandoutKind::Solutions; }

    std::shared_ptr<QTextDocument> text(const QString& markdown, const QFont& font) const {
        return textDocument(markdown, font, look().text, TextSpacing::Reading, control_);
    }

    void addText(const std::shared_ptr<QTextDocument>& words, const Pager::TextOptions& options = {}) {
        control_.checkpoint();
        pager_.addText(words, options);
    }

    /// Adds a title that stays with the following content.
    void addTitle(const QString& words, const QFont& font, const QColor& color) {
        addText(plain(words, font, color), {.whole = true, .with_next = true});
    }

    void addFront() {
        if (!hasAnswers())
            addNameField();
        addText(plain(titleOf(handout_), fontOf(title_size, true), look().text));
        pager_.addGap(6);
        addText(text(handout_.summary, fontOf(body_size + 1)));
        pager_.addGap(6);
        addText(plain(Paper::tr("AttnLab %1 computed every number and drew every picture of this handout.")
                          .arg(QCoreApplication::applicationVersion()),
                      fontOf(small_size), look().muted));
        if (!hasAnswers())
            addText(plain(Paper::tr("A “?” in a picture stands for what its question asks. The solutions show it."),
                          fontOf(small_size), look().muted));
        pager_.addGap(10);
    }

    void addStep(std::size_t index) {
        const auto& step = handout_.steps[index];
        pager_.addGap(12);
        addRule();
        if (step.left_out) {
            addText(plain(Paper::tr("Step %1 tells answers. The solutions have it.").arg(step.number),
                          fontOf(small_size), look().muted));
            return;
        }
        addTitle(Paper::tr("%1. %2", "number and title of a step").arg(step.number).arg(step.title),
                 fontOf(heading_size, true), look().text);
        pager_.addGap(6);
        addFormula(step.formula);
        addText(text(step.text, fontOf(body_size)));
        const bool asks = !step.question.text.isEmpty();
        if (step.picture) // a question stays with its picture
            addPicture(step.picture, asks && !hasAnswers());
        if (!asks)
            return;
        if (hasAnswers()) {
            addSolution(step);
            return;
        }
        addQuestion(step.question);
    }

    /// Adds lines for the name of a student and the date.
    void addNameField() {
        constexpr double name_share = 0.62, between = 12.0;
        const QFont font = fontOf(body_size);
        const QString name = Paper::tr("Name"), date = Paper::tr("Date", "on which a student answers the questions");
        pager_.add(
            line_to_write,
            [=](QPainter& painter, const QRectF& place) {
                painter.setFont(font);
                const double middle = place.left() + name_share * place.width();
                const auto field = [&](const QString& label, double left, double right) {
                    const double from = left + QFontMetricsF(font).horizontalAdvance(label) + between / 2;
                    painter.setPen(look().muted);
                    painter.drawText(QRectF(left, place.top(), right - left, place.height()),
                                     Qt::AlignLeft | Qt::AlignBottom, label);
                    painter.setPen(QPen(look().muted, 0.5));
                    painter.drawLine(QPointF(from, place.bottom()), QPointF(right, place.bottom()));
                };
                field(name, place.left(), middle - between);
                field(date, middle, place.right());
            },
            with_next);
        pager_.addGap(16);
    }

    /// Adds a line above a title.
    void addRule() {
        pager_.add(
            9.0,
            [](QPainter& painter, const QRectF& place) {
                painter.setPen(QPen(look().border, 0.8));
                painter.drawLine(place.topLeft(), place.topRight());
            },
            with_next);
    }

    void addFormula(const QString& id) {
        auto formula = std::make_shared<Formula>(id, look().text, look());
        if (formula->isNull())
            return;
        QSizeF size = formula->size(formula_em);
        if (size.width() > pager_.width())
            size *= pager_.width() / size.width();
        pager_.add(
            size.height() + 8.0,
            [formula, size](QPainter& painter, const QRectF& place) {
                formula->paint(painter, QRectF(place.topLeft(), size));
            },
            with_next);
    }

    void addPicture(const std::shared_ptr<const Drawing>& picture, bool with_following) {
        const QFont font = fontOf(small_size);
        const double width = pager_.width();
        const double factor = std::min(1.0, width / picture->smallest(font, width).width());
        const double least = picture->smallest(font, width / factor).height() * factor;
        // A board can be denser, which is better than half a blank page; other pictures shrink as far as they stay
        // readable.
        const auto* board = dynamic_cast<const BoardPicture*>(picture.get());
        const double height =
            std::min(board ? board->roomyHeight(font, width) : std::max(least, picture_share * width), pager_.height());
        pager_.addGap(8);
        const auto paint = [picture, font](QPainter& painter, const QRectF& place) {
            paintFitted(*picture, painter, place, {look(), font, true});
        };
        if (board)
            pager_.addEither(height, std::min(least, height), paint, with_following);
        else
            pager_.addFlexible(height, std::min(least, height), paint, with_following);
    }

    void addQuestion(const StepQuestion& question) {
        addAsked(question);
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            const auto line = [&](const QString& words) {
                return Paper::tr("☐  %1)  %2", "letter and words of an option").arg(letterOf(i), words);
            };
            const QFont font = fontOf(body_size);
            addOption(line(question.options[i].text), widthOf(line({}), font), font, look().text, with_next);
            pager_.addGap(2);
        }
        addRoomToWrite();
    }

    /// Adds ruled lines below a question.
    void addRoomToWrite() {
        pager_.addGap(4);
        addText(plain(Paper::tr("Why?", "above lines for the reasons of an answer"), fontOf(body_size), look().muted),
                {.whole = true, .with_next = true});
        pager_.add(lines_to_write * line_to_write, [](QPainter& painter, const QRectF& place) {
            painter.setPen(QPen(look().muted, 0.5));
            for (int line = 1; line <= lines_to_write; ++line) {
                const double y = place.top() + line * line_to_write - 1.0;
                painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y));
            }
        });
    }

    void addAsked(const StepQuestion& question) {
        pager_.addGap(8);
        addText(text(question.text, fontOf(body_size, true)), {.whole = true, .with_next = true});
        pager_.addGap(4);
    }

    void addSolution(const HandoutStep& step) {
        const auto& question = step.question;
        addAsked(question);
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            const auto& option = question.options[i];
            const QString line =
                option.measured.isEmpty()
                    ? Paper::tr("%1)  %2", "letter and words of an option").arg(letterOf(i), option.text)
                    : Paper::tr("%1)  %2:  %3", "letter and words of an option, what was measured")
                          .arg(letterOf(i), option.text, option.measured);
            const QFont font = fontOf(body_size, option.right);
            const QString mark = QStringLiteral("✓  ");
            const double marked = widthOf(mark, font);
            const double letter =
                widthOf(Paper::tr("%1)  %2", "letter and words of an option").arg(letterOf(i), {}), font);
            pager_.addGap(2);
            addOption(option.right ? mark + line : line, option.right ? marked + letter : letter, font,
                      option.right ? look().text : look().muted, !step.revealed || i + 1 < question.options.size(),
                      option.right ? 0.0 : marked);
        }
        if (step.revealed)
            addPicture(step.revealed, with_next);
        pager_.addGap(3);
        addText(text(question.answer, fontOf(body_size)));
    }

    static double widthOf(const QString& words, const QFont& font) {
        return QFontMetricsF(font).horizontalAdvance(words);
    }

    /// A line whose continuation is indented by `hanging`, below its text instead of its letter.
    void addOption(const QString& line, double hanging, const QFont& font, const QColor& color, bool with_others,
                   double further = 0.0) {
        constexpr double indent = 14.0;
        const auto document = plain(line, font, color);
        QTextCursor all(document.get());
        all.select(QTextCursor::Document);
        QTextBlockFormat format;
        format.setLeftMargin(hanging);
        format.setTextIndent(-hanging);
        all.mergeBlockFormat(format);
        addText(document, {.indent = indent + further, .whole = true, .with_next = with_others});
    }

    const Handout& handout_;
    const RunControl& control_;
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

QString titleOf(const Handout& handout) {
    return handout.kind == HandoutKind::Solutions ? Paper::tr("%1 – solutions", "title of a lesson").arg(handout.title)
                                                  : handout.title;
}

QByteArray handoutData(const Handout& handout, QPageSize::PageSizeId paper, const RunControl& control) {
    const QSizeF page = QPageSize(paper).size(QPageSize::Point);
    const QSizeF area(page.width() - 2 * handout_margin, page.height() - 2 * handout_margin - footer);
    constexpr double laid_out = 0.5;
    const auto laying = control.part(0.0, laid_out), painting = control.part(laid_out, 1.0);
    const Layout layout(handout, area, laying);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dots_per_inch);
    writer.setPageSize(QPageSize(paper));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(titleOf(handout));
    writer.setCreator(QStringLiteral("AttnLab"));
    QPainter painter(&writer);
    const auto pages = layout.pager().pages();
    const auto count = pages.size();
    for (std::size_t i = 0; i < count; ++i) {
        painting.checkpoint();
        painting.report(static_cast<double>(i) / static_cast<double>(count));
        if (i > 0)
            writer.newPage();
        painter.save();
        painter.scale(dots_per_inch / page_points_per_inch, dots_per_inch / page_points_per_inch);
        painter.translate(handout_margin, handout_margin);
        layout.pager().paint(pages[i], painter);
        paintFooter(painter, QRectF(0, area.height(), area.width(), footer), titleOf(handout), i, count);
        painter.restore();
    }
    painter.end();
    return buffer.data();
}

namespace {

constexpr int short_paragraph = 4; ///< lines

struct Line {
    double top = 0.0;
    double bottom = 0.0;
    bool with_next = false; ///< no page break below it
};

std::vector<Line> linesOf(const QTextDocument& text) {
    std::vector<Line> lines;
    for (auto block = text.begin(); block != text.end(); block = block.next()) {
        const double top = text.documentLayout()->blockBoundingRect(block).top();
        const auto* layout = block.layout();
        const int count = layout->lineCount();
        const QString words = block.text().trimmed();
        const bool announces = words.endsWith(QLatin1Char(':')) || words.endsWith(QStringLiteral("："));
        for (int k = 0; k < count; ++k) {
            const QRectF place = layout->lineAt(k).rect();
            const bool inside = k + 1 < count && (count <= short_paragraph || k == 0 || k + 2 == count);
            const bool last = k + 1 == count && announces && block.next().isValid();
            lines.push_back({top + place.top(), top + place.bottom(), inside || last});
        }
    }
    return lines;
}

} // namespace

void Pager::push(Block block) {
    block.gap += gap_;
    gap_ = 0.0;
    blocks_.push_back(std::move(block));
}

void Pager::add(double height, Paint paint, bool with_next) {
    push({.least = height, .with_next = with_next, .piece = {.height = height, .paint = std::move(paint), .text = {}}});
}

void Pager::addFlexible(double height, double least, Paint paint, bool with_next) {
    push({.least = std::min(height, least),
          .is_picture = true,
          .with_next = with_next,
          .piece = {.height = height, .paint = std::move(paint), .text = {}}});
}

void Pager::addEither(double height, double least, Paint paint, bool with_next) {
    addFlexible(height, least, std::move(paint), with_next);
    blocks_.back().has_sizes = true;
}

void Pager::addText(const std::shared_ptr<QTextDocument>& text, const TextOptions& options) {
    text->setUseDesignMetrics(true); // letters are not fitted to pixels on paper
    text->setTextWidth(page_.width() - options.indent);
    const auto lines = linesOf(*text);
    double before = 0.0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const auto& line = lines[k];
        const bool last = k + 1 == lines.size();
        const double height = line.bottom - line.top;
        push({.gap = std::max(0.0, line.top - before),
              .least = height,
              .with_next = last ? options.with_next : options.whole || line.with_next,
              .piece = {.height = height, .paint = {}, .text = text, .text_top = line.top, .indent = options.indent}});
        before = line.bottom;
    }
}

/// Processes the blocks and fills pages in order.
class Pager::Placing {
public:
    explicit Placing(double height) : height_(height), pages_(1) {}

    /// Places blocks that belong on one page.
    void place(std::span<const Block> group) {
        if (needed(group) > room() && !page().pieces.empty()) {
            // A picture above its question on the next page is better than a page that is nearly empty.
            if (group.size() > 1 && group.front().is_picture && page().bottom < sparse * height_ &&
                needed(group.first(1)) <= room()) {
                place(group.first(1));
                place(group.subspan(1));
                return;
            }
            pages_.emplace_back();
        }
        // More than a page: breaks where that is least bad.
        if (needed(group) > room() && group.size() > 1) {
            for (std::size_t k = 0; k < group.size(); ++k)
                place(group.subspan(k, 1));
            return;
        }
        double excess = std::max(0.0, wanted(group) - room());
        for (const auto& block : group) {
            const double most = block.piece.height - block.least;
            const double less = block.has_sizes && excess > 0.0 ? most : std::min(excess, most);
            excess = std::max(0.0, excess - less);
            put(block, block.piece.height - less);
        }
    }

    std::vector<Page> take() { return std::move(pages_); }

private:
    static constexpr double sparse = 0.6; ///< of a page

    Page& page() { return pages_.back(); }
    double room() { return height_ - page().bottom; }

    double sumOf(std::span<const Block> group, double (*height)(const Block&)) {
        const double gap = page().pieces.empty() ? group.front().gap : 0.0; // omitted at the top of a page
        return std::accumulate(group.begin(), group.end(), -gap,
                               [&](double sum, const Block& block) { return sum + block.gap + height(block); });
    }
    double needed(std::span<const Block> group) {
        return sumOf(group, [](const Block& block) { return block.least; });
    }
    double wanted(std::span<const Block> group) {
        return sumOf(group, [](const Block& block) { return block.piece.height; });
    }

    void put(const Block& block, double height) {
        auto& pieces = page().pieces;
        const double top = pieces.empty() ? 0.0 : page().bottom + block.gap;
        page().bottom = top + height;
        // Adjacent lines form one piece of their text.
        if (block.piece.text && !pieces.empty() && pieces.back().text == block.piece.text) {
            pieces.back().height = page().bottom - pieces.back().top;
            return;
        }
        pieces.push_back(block.piece);
        pieces.back().top = top;
        pieces.back().height = height;
    }

    double height_;
    std::vector<Page> pages_;
};

std::vector<Pager::Page> Pager::pages() const {
    Placing placing(page_.height());
    for (auto from = blocks_.begin(); from != blocks_.end();) {
        auto to = std::find_if(from, blocks_.end(), [](const Block& block) { return !block.with_next; });
        if (to != blocks_.end())
            ++to;
        placing.place({from, to});
        from = to;
    }
    return placing.take();
}

void Pager::paint(const Page& page, QPainter& painter) const {
    for (const auto& piece : page.pieces) {
        if (!piece.text) {
            piece.paint(painter, QRectF(0, piece.top, page_.width(), piece.height));
            continue;
        }
        painter.save();
        painter.translate(piece.indent, piece.top - piece.text_top);
        constexpr double descent = 2.0; // of letters below the last line
        piece.text->drawContents(&painter, QRectF(0, piece.text_top, piece.text->textWidth(), piece.height + descent));
        painter.restore();
    }
}

} // namespace attnlab::ui
