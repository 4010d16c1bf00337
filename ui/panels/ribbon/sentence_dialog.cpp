#include "ui/panels/ribbon/sentence_dialog.h"

#include "ui/panels/ribbon/token_preview.h"
#include "ui/widgets/error_label.h"
#include "ui/widgets/label.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wrapped_label.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace attnlab::ui {
namespace {

constexpr int sentence_width = 520, lowest_preview = 64;

std::vector<std::string> wordsOf(const QLineEdit& line, const std::vector<std::string>& tokens) {
    return words_in(line.text().toStdString(), tokens);
}

} // namespace

SentenceDialog::SentenceDialog(const AttentionProblem& problem, QWidget* parent)
    : QDialog(parent), problem_(problem), told_(new WrappedLabel(this)), error_(new ErrorLabel(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    setWindowTitle(tr("Edit sentence"));
    setMinimumWidth(sentence_width);
    auto* column = new QVBoxLayout(this);
    const auto sentences = sentences_of(problem).value_or(Sentences());
    query_ = addPart(sentences.queries, sentences.keys ? tr("Words of the queries") : tr("Words"));
    if (sentences.keys)
        key_ = addPart(*sentences.keys, tr("Words of the keys"));
    told_->setWordWrap(true);
    told_->setForegroundRole(QPalette::PlaceholderText);
    error_->setWordWrap(true);
    column->addWidget(told_);
    column->addWidget(error_);
    column->addWidget(buttons_);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    query_.line->selectAll();
    query_.line->setFocus();
    setTabOrder(key_.line ? key_.line : query_.line, buttons_);
    settle();
}

SentenceDialog::Part SentenceDialog::addPart(const std::vector<std::string>& tokens, const QString& title) {
    Part part{new QLineEdit(textOf(typed_sentence(tokens)), this), new TokenPreview, tokens};
    auto* heading = new Label(title, this);
    heading->setBuddy(part.line);
    part.line->setAccessibleName(title);
    part.preview->setAccessibleName(tr("The words as tokens"));
    auto* room = new ScrollRoom(part.preview, ScrollRoom::Scrolls::Down, this);
    room->setFocusPolicy(Qt::NoFocus);
    room->setMinimumHeight(lowest_preview);
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    column->addWidget(heading);
    column->addWidget(part.line);
    column->addWidget(room, 1);
    connect(part.line, &QLineEdit::textChanged, this, &SentenceDialog::settle);
    return part;
}

Sentences SentenceDialog::words() const {
    Sentences words{wordsOf(*query_.line, query_.tokens), std::nullopt};
    if (key_.line)
        words.keys = wordsOf(*key_.line, key_.tokens);
    return words;
}

AttentionProblem SentenceDialog::result() const { return with_sentences(problem_, words()); }

QString SentenceDialog::said() const { return told_->text(); }

void SentenceDialog::settle() {
    const auto typed = words();
    std::ptrdiff_t fresh = 0, count = 0;
    const auto show = [&](const Part& part, const std::vector<std::string>& now) {
        const auto rows = known_rows(now, part.tokens);
        fresh += std::ranges::count(rows, -1);
        count += std::ssize(rows);
        part.preview->setWords(now, rows);
    };
    show(query_, typed.queries);
    if (typed.keys)
        show(key_, *typed.keys);
    const QString known = tr("Known words keep their numbers: %1. New words: %2.").arg(count - fresh).arg(fresh);
    const QString random = tr("New words get random numbers: there is no trained model behind this sample.");
    told_->setText(fresh > 0 ? known + QLatin1Char('\n') + random : known);
    std::optional<Message> error;
    try {
        with_sentences(problem_, typed);
    } catch (const Error& refused) {
        error = refused.message();
    }
    error_->say(error);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(!error);
}

} // namespace attnlab::ui
