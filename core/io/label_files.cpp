#include "core/io/label_files.h"

#include "core/io/csv.h"
#include "core/io/file_formats.h"
#include "core/io/json.h"
#include "core/message.h"
#include "core/run_control.h"
#include "core/utf8.h"

#include <algorithm>

namespace attnlab::io {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t";

std::string_view without_mark(std::string_view text) {
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    return text;
}

/// Polled once in some thousand lines or words.
class Poll {
public:
    explicit Poll(const RunControl* control) : control_(control) {}
    void operator()() {
        constexpr int between_checkpoints = 1 << 12;
        if (control_ && ++count_ % between_checkpoints == 0)
            control_->checkpoint();
    }

private:
    const RunControl* control_;
    int count_ = 0;
};

std::vector<std::string_view> lines_of(std::string_view text, Poll& poll) {
    std::vector<std::string_view> lines;
    for (std::size_t start = 0; start < text.size(); poll()) {
        const auto end = std::min(text.find_first_of("\r\n", start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
    }
    while (!lines.empty() && lines.back().empty())
        lines.pop_back();
    return lines;
}

std::vector<std::string_view> words_of(std::string_view line, Poll& poll) {
    std::vector<std::string_view> words;
    for (std::size_t start = 0; (start = line.find_first_not_of(blanks, start)) != line.npos; poll()) {
        const auto end = std::min(line.find_first_of(blanks, start), line.size());
        words.push_back(line.substr(start, end - start));
        start = end;
    }
    return words;
}

/// True for a number, or several of a table that no blank parts: "1,2". Numbers that a table refuses count, too.
bool is_numeric(std::string_view part) {
    using Kind = CellValue::Kind;
    for (std::size_t start = 0; start <= part.size();) {
        const auto end = std::min(part.find_first_of(",;", start), part.size());
        const auto kind = interpret(part.substr(start, end - start), false).kind;
        if (kind != Kind::Blank && kind != Kind::Text)
            return true;
        start = end + 1;
    }
    return false;
}

std::vector<std::string_view> labels_in(std::string_view text, Poll& poll) {
    auto lines = lines_of(without_mark(text), poll);
    return lines.size() == 1 ? words_of(lines.front(), poll) : lines;
}

using NamedLabels = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// In a list of lists each belongs to one sequence; a list of one list is a batch of one.
void add_texts(NamedLabels& all, const std::string& own_name, const JsonNode& node, const std::string& name) {
    const auto texts = [&](const JsonNode& list) {
        std::vector<std::string> labels;
        for (const auto& item : list.items())
            add_label(item.text(), labels, name);
        return labels;
    };
    const bool batch = node.is_list() && !node.items().empty() && node.items().front().is_list();
    if (!batch || node.items().size() == 1) {
        all.emplace_back(own_name, texts(batch ? node.items().front() : node));
        return;
    }
    for (std::size_t i = 0; i < node.items().size(); ++i)
        all.emplace_back(own_name + "." + std::to_string(i), texts(node.items()[i]));
}

} // namespace

bool is_label_text(std::string_view text, const RunControl* control) {
    Poll poll(control);
    const auto labels = labels_in(text, poll);
    const auto words = std::count_if(labels.begin(), labels.end(), [&poll](std::string_view label) {
        poll();
        const auto parts = words_of(label, poll);
        return std::none_of(parts.begin(), parts.end(), is_numeric);
    });
    return 2 * words > std::ssize(labels);
}

void require_utf8(std::string_view text, std::string_view name) {
    if (is_utf8(text))
        return;
    std::int64_t line = 1;
    for (std::size_t begin = 0;; ++line) {
        const auto end = std::min(text.find('\n', begin), text.size());
        if (!is_utf8(text.substr(begin, end - begin)))
            break;
        begin = end + 1;
    }
    throw Error({ATTNLAB_TEXT("%1: line %2 is not text in UTF-8. An editor saves the file as UTF-8"),
                 {std::string(name), std::to_string(line)}});
}

std::vector<std::string> read_label_text(std::string_view text, std::string_view name, const RunControl* control) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw Error({ATTNLAB_TEXT("%1: is UTF-16 text, expected UTF-8"), {std::string(name)}});
    require_utf8(text, name);
    std::vector<std::string> labels;
    Poll poll(control);
    for (const auto label : labels_in(text, poll))
        add_label(std::string(label), labels, name);
    return labels;
}

std::vector<std::pair<std::string, std::vector<std::string>>> read_labels_json(const std::string& text,
                                                                               const std::string& name,
                                                                               const std::string& own_name,
                                                                               const RunControl* control) {
    const auto json = parse_json(text, name, {.any_root = true, .control = control});
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    if (json.root().is_list()) {
        add_texts(all, own_name, json.root(), name);
        return all;
    }
    for (const auto& [key, node] : json.root().members()) {
        check_name(key, name);
        add_texts(all, key, node, name);
    }
    return all;
}

} // namespace attnlab::io
