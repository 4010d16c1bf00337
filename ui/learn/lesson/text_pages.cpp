#include "ui/learn/lesson/text_pages.h"

#include <algorithm>
#include <QRegularExpression>

namespace attnlab::ui {
namespace {

using Options = QuestionView::Options;
using Reasons = QuestionView::Reasons;

/// A line that Markdown takes for something else than the words of a paragraph.
bool isMarkup(const QString& line) {
    static const QRegularExpression markup(QStringLiteral("^\\s*([-*+>|#]\\s|\\||```|\\d+[.)]\\s)"));
    return markup.match(line).hasMatch();
}

class StepPager {
public:
    explicit StepPager(const TextMeasures& measures) : measures_(measures) {}

    std::vector<TextPage> pages(const QString& body, const QString& answer) {
        if (measures_.formula > 0) {
            turnFor(measures_.formula);
            pages_.back().formula = true;
        }
        for (const QString& paragraph : paragraphsOf(body)) {
            turnFor(measures_.paragraph(paragraph));
            pages_.back().paragraphs << paragraph;
        }
        const QStringList paragraphs = paragraphsOf(answer);
        if (paragraphs.isEmpty())
            addOptions();
        else if (!addWhole(paragraphs))
            addDivided(paragraphs);
        return std::move(pages_);
    }

private:
    bool fits(int height) const { return used_ == 0 || used_ + measures_.gap + height <= measures_.room; }
    void take(int height) { used_ += height + (used_ > 0 ? measures_.gap : 0); }

    void turnFor(int height) {
        if (!fits(height))
            turn();
        take(height);
    }
    void turn() {
        pages_.emplace_back();
        used_ = 0;
    }

    void addOptions() {
        const int height = measures_.options(Options::All, Reasons::None);
        if (height == 0)
            return;
        turnFor(height);
        pages_.back().options = Options::All;
    }

    /// The question with all options, and the answer below them, if one page holds these.
    bool addWhole(const QStringList& answer) {
        int height = measures_.options(Options::All, Reasons::Chosen);
        for (const QString& paragraph : answer)
            height += measures_.gap + measures_.paragraph(paragraph);
        if (height > measures_.room)
            return false;
        turnFor(height);
        pages_.back().options = Options::All;
        pages_.back().reasons = Reasons::Chosen;
        pages_.back().answer = answer;
        return true;
    }

    void addDivided(const QStringList& answer) {
        addOptions();
        beginAnswer(Options::Answered, Reasons::Chosen);
        for (const QString& paragraph : answer) {
            bool continues = false;
            for (const QString& sentence : sentencesOf(paragraph)) {
                addSentence(sentence, continues);
                continues = true;
            }
        }
    }

    void beginAnswer(Options options, Reasons reasons) {
        turn();
        pages_.back().options = options;
        pages_.back().reasons = reasons;
        take(measures_.options(options, reasons));
        last_ = 0;
    }

    /// `continues`: belongs to the last paragraph of the page.
    void addSentence(const QString& sentence, bool continues) {
        auto* answer = &pages_.back().answer;
        const bool joins = continues && !answer->isEmpty();
        const QString text = joins ? answer->back() + sentence : sentence;
        const int height = measures_.paragraph(text);
        if (joins && used_ - last_ + height <= measures_.room) {
            answer->back() = text;
            used_ += height - last_;
            last_ = height;
            return;
        }
        const int own = measures_.paragraph(sentence);
        if (joins || !fits(own)) {
            beginAnswer(Options::Right, Reasons::None);
            if (!fits(own)) { // the question is too long to be repeated
                pages_.back().options = Options::None;
                used_ = 0;
            }
        }
        pages_.back().answer << sentence;
        take(own);
        last_ = own;
    }

    const TextMeasures& measures_;
    std::vector<TextPage> pages_ = std::vector<TextPage>(1);
    int used_ = 0; ///< of the last page
    int last_ = 0; ///< height of its last paragraph of the answer
};

} // namespace

QStringList paragraphsOf(const QString& markdown) {
    QStringList paragraphs;
    bool fenced = false, begins = true;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        if (line.trimmed().startsWith(QLatin1String("```")))
            fenced = !fenced;
        if (!fenced && line.trimmed().isEmpty()) {
            begins = true;
            continue;
        }
        if (begins)
            paragraphs << line;
        else
            paragraphs.back() += QLatin1Char('\n') + line;
        begins = false;
    }
    return paragraphs;
}

QStringList sentencesOf(const QString& paragraph) {
    const QStringList lines = paragraph.split(QLatin1Char('\n'));
    if (std::ranges::any_of(lines, isMarkup))
        return {paragraph};
    // The end of a sentence, with quotes and brackets that close behind it.
    static const QRegularExpression end(QStringLiteral("(?:[.!?][”\"’)*]*\\s+|[。！？][”）*]*\\s*)"));
    QStringList sentences;
    qsizetype from = 0;
    for (auto matches = end.globalMatch(paragraph); matches.hasNext();) {
        const auto match = matches.next();
        const QString sentence = paragraph.mid(from, match.capturedEnd() - from);
        const QString rest = paragraph.mid(match.capturedEnd());
        const bool whole = sentence.count(QLatin1Char('*')) % 2 == 0 && sentence.count(QLatin1Char('`')) % 2 == 0 &&
                           sentence.count(QLatin1Char('(')) == sentence.count(QLatin1Char(')'));
        if (!whole || rest.isEmpty() || rest.front().isLower() || isMarkup(rest))
            continue;
        sentences << sentence;
        from = match.capturedEnd();
    }
    sentences << paragraph.mid(from);
    return sentences;
}

std::vector<TextPage> textPages(const QString& body, const QString& answer, const TextMeasures& measures) {
    return StepPager(measures).pages(body, answer);
}

} // namespace attnlab::ui
