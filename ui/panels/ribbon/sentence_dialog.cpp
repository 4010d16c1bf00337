#include "ui/panels/ribbon/sentence_dialog.h"

#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <optional>
#include <QDialogButtonBox>
#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int word_gap = 6, usual_preview_width = 480;

} // namespace

TokenPreview::TokenPreview(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Graphic);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TokenPreview::setWords(const std::vector<std::string>& words, const std::vector<std::int64_t>& rows) {
    words_.clear();
    QStringList fresh;
    for (std::size_t i = 0; i < words.size(); ++i) {
        words_.push_back({displayToken(textOf(words[i])), rows[i] < 0});
        if (rows[i] < 0)
            fresh << words_.back().text;
    }
    setAccessibleDescription(fresh.isEmpty() ? tr("No word is new") : tr("New: %1").arg(fresh.join(tr(", "))));
    updateGeometry();
    update();
}

std::vector<QRect> TokenPreview::placed(int width) const {
    const QFontMetrics metrics(font());
    const int height = chipHeight(metrics);
    std::vector<QRect> boxes;
    int x = 0, y = 0;
    for (const auto& word : words_) {
        const int box = chipWidth(metrics, word.text);
        if (x > 0 && x + box > width) {
            x = 0;
            y += height + word_gap;
        }
        boxes.emplace_back(x, y, std::min(box, std::max(1, width)), height);
        x += box + word_gap;
    }
    return boxes;
}

int TokenPreview::heightForWidth(int width) const {
    const auto boxes = placed(width);
    return boxes.empty() ? chipHeight(QFontMetrics(font())) : boxes.back().bottom() + 1;
}

QSize TokenPreview::sizeHint() const { return {usual_preview_width, heightForWidth(usual_preview_width)}; }

void TokenPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto boxes = placed(width());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        ChipLook look{Qt::NoPen, theme().accent_soft, theme().text};
        if (words_[i].is_new)
            look = {QPen(theme().pin, 1.2, Qt::DashLine), theme().card, theme().text};
        paintChip(painter, boxes[i], words_[i].text, look);
    }
}

bool TokenPreview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto boxes = placed(width());
    const auto found =
        std::ranges::find_if(boxes, [at = tipPosition(*event)](const QRect& box) { return box.contains(at); });
    const auto index = static_cast<std::size_t>(found - boxes.begin());
    showTip(*event,
            found == boxes.end()   ? QString()
            : words_[index].is_new ? tr("“%1”: new, with random numbers").arg(words_[index].text)
                                   : tr("“%1”: known").arg(words_[index].text),
            *this);
    return true;
}

namespace {

constexpr int sentence_width = 520, lowest_preview = 64;

bool areUnnamed(const std::vector<std::string>& tokens) {
    return std::ranges::all_of(tokens, [](const std::string& token) { return token.empty(); });
}

/// The tokens as a line to type in: numbers for those without a name, nothing where none has one.
QString lineOf(std::vector<std::string> tokens) {
    if (areUnnamed(tokens))
        return {};
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i].empty())
            tokens[i] = std::to_string(i);
    return textOf(typed_sentence(tokens));
}

std::vector<std::string> wordsOf(const QLineEdit& line, const std::vector<std::string>& tokens) {
    auto words = words_in(line.text().toStdString(), tokens);
    if (words.empty() && areUnnamed(tokens))
        return tokens; // they stay as they are
    for (std::size_t i = 0; i < std::min(words.size(), tokens.size()); ++i)
        if (tokens[i].empty() && words[i] == std::to_string(i))
            words[i].clear();
    return words;
}

} // namespace

SentenceDialog::SentenceDialog(const AttentionProblem& problem, QWidget* parent)
    : QDialog(parent), problem_(problem), summary_(new WrappedLabel(this)), error_(new ErrorLabel(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)),
      check_([this](const std::optional<Message>& refusal) { showCheck(refusal); }) {
    connect(&check_, &LatestJobBase::failed, this, [this](const Message& why) { showCheck(why); });
    setWindowTitle(tr("Edit sentence"));
    setMinimumWidth(sentence_width);
    auto* column = new QVBoxLayout(this);
    const auto sentences = sentences_of(problem).value_or(Sentences());
    query_ = addPart(sentences.queries, sentences.keys ? tr("Words of the queries") : tr("Words"));
    if (sentences.keys)
        key_ = addPart(*sentences.keys, tr("Words of the keys"));
    summary_->setWordWrap(true);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    error_->setWordWrap(true);
    column->addWidget(summary_);
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
    Part part{new QLineEdit(lineOf(tokens), this), new TokenPreview, tokens};
    part.line->setPlaceholderText(tr("Type a sentence: its words name the tokens"));
    auto* heading = new Label(title, this);
    heading->setBuddy(part.line);
    part.line->setAccessibleName(title);
    part.preview->setAccessibleName(tr("The words as tokens"));
    auto* room = new FittingScrollArea(part.preview, FittingScrollArea::Scrolls::Down, this);
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

std::function<void(AttentionProblem&, const RunControl&)> SentenceDialog::edit() const {
    return [words = words()](AttentionProblem& problem, const RunControl& control) {
        problem = with_sentences(problem, words, control);
    };
}

/// At most: every array of the problem, with as many rows for each word.
double SentenceDialog::newNumbers() const {
    const auto typed = words();
    const auto ratio = [](const std::vector<std::string>& now, const std::vector<std::string>& before) {
        return std::max(1.0,
                        static_cast<double>(now.size()) / static_cast<double>(std::max<std::size_t>(1, before.size())));
    };
    const double longer = ratio(typed.queries, query_.tokens) * (typed.keys ? ratio(*typed.keys, key_.tokens) : 1.0);
    double count = 0.0;
    for (const auto& [name, tensor] : problem_.tensors)
        count += static_cast<double>(tensor.size());
    return count * longer;
}

QString SentenceDialog::said() const { return summary_->text(); }

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
    const QString known = tr("Words that keep their vectors: %1. New words: %2.").arg(count - fresh).arg(fresh);
    const QString random = tr("New words get random numbers: there is no trained model behind this sample.");
    summary_->setText(fresh > 0 ? known + QLatin1Char('\n') + random : known);
    const auto check = [problem = problem_, typed](const RunControl& control) -> std::optional<Message> {
        try {
            with_sentences(problem, typed, control);
        } catch (const Error& refused) {
            return refused.message();
        }
        return std::nullopt;
    };
    if (newNumbers() <= static_cast<double>(most_numbers_at_once)) {
        check_.cancel();
        showCheck(check({}));
    } else {
        buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
        check_.request(check);
    }
}

void SentenceDialog::showCheck(const std::optional<Message>& refusal) {
    error_->say(refusal);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(!refusal);
}

} // namespace attnlab::ui
