// Divides the text of a step into the pages of a presentation.
#pragma once

#include "ui/learn/lesson/question_view.h"

#include <functional>
#include <QString>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

/// What one page shows below the title.
struct TextPage {
    bool formula = false;
    QStringList paragraphs = {};
    QuestionView::Options options = QuestionView::Options::None;
    QuestionView::Reasons reasons = QuestionView::Reasons::None;
    QStringList answer = {}; ///< paragraphs

    /// It begins or continues the answer.
    bool isAnswer() const { return options == QuestionView::Options::Answered || !answer.isEmpty(); }
};

/// Heights in pixels, for the width of a page.
struct TextMeasures {
    int room = 0; ///< below the title
    int gap = 0;  ///< between parts
    int formula = 0;
    std::function<int(const QString&)> paragraph;
    std::function<int(QuestionView::Options, QuestionView::Reasons)> options;
};

/// Fills each page from the top: the formula, the paragraphs of the body, the question with its options, the answer.
/// An answer that does not fit below all options has pages of its own. These begin with the question and the right
/// option; the first one also has the chosen option with its reason.
std::vector<TextPage> textPages(const QString& body, const QString& answer, const TextMeasures& measures);

/// Paragraphs of a Markdown text; a fenced block is one.
QStringList paragraphsOf(const QString& markdown);
/// The sentences of a paragraph, each with the space behind it. A list, a quote, a table or a fenced block is not
/// divided, nor is anything in emphasis or code.
QStringList sentencesOf(const QString& paragraph);

} // namespace attnlab::ui
