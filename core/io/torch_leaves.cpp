#include "core/io/torch_leaves.h"

#include <algorithm>

namespace attnlab::io {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t longest_key = 1000;
constexpr std::int64_t most_leaves = std::int64_t{1} << 18;
constexpr std::int64_t most_items = std::int64_t{1} << 22;
constexpr std::int64_t most_text = std::int64_t{64} << 20; ///< bytes of names and labels

bool is_number(const PickleValue& value) {
    return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value) ||
           std::holds_alternative<double>(value);
}

template <class Is>
bool all_of(const PickleSequence& sequence, Is is) {
    return std::all_of(sequence.items.begin(), sequence.items.end(), is);
}

/// The message for a value that neither is nor contains a tensor.
struct Description {
    Message operator()(std::monostate) const { return {ATTNLAB_TEXT("nothing (None)")}; }
    Message operator()(bool value) const { return {value ? ATTNLAB_TEXT("True") : ATTNLAB_TEXT("False")}; }
    Message operator()(std::int64_t value) const { return {ATTNLAB_TEXT("the number %1"), {std::to_string(value)}}; }
    Message operator()(double value) const { return {ATTNLAB_TEXT("the number %1"), {to_text(value)}}; }
    Message operator()(PickleText value) const { return {ATTNLAB_TEXT("the text '%1'"), {excerpt(value.text)}}; }
    Message operator()(PickleBytes value) const {
        return {ATTNLAB_TEXT("%1 bytes"), {std::to_string(value.bytes.size())}};
    }
    Message operator()(const PickleSequence* value) const {
        if (value->items.empty())
            return {ATTNLAB_TEXT("an empty list")};
        return {value->kind == PickleSequence::Kind::Set ? ATTNLAB_TEXT("a set of %1 values")
                                                         : ATTNLAB_TEXT("a list of %1 numbers"),
                {std::to_string(value->items.size())}};
    }
    Message operator()(const PickleDictionary*) const { return {ATTNLAB_TEXT("an empty dictionary")}; }
    Message operator()(const PickledTensor*) const { return {}; }
    Message operator()(const PickleObject* value) const {
        return {ATTNLAB_TEXT("an object of type '%1'"), {std::string(value->name)}};
    }
};

class LeafWalk {
public:
    LeafWalk(const std::string& file, const RunControl* control) : file_(file), control_(control) {}

    TorchLeaves over(const PickleValue& root, const std::string& alone) {
        visit(root, alone);
        while (!open_.empty()) {
            if (control_)
                control_->checkpoint();
            auto& top = open_.back();
            path_.resize(top.path_length);
            if (top.next == top.size()) {
                open_.pop_back();
                continue;
            }
            const auto index = top.next++;
            const auto key = top.dictionary ? text_of(top.dictionary->items[index].first) : std::to_string(index);
            if (key.size() > longest_key)
                refuse_key();
            path_ += (open_.size() > 1 ? "." : "") + key;
            visit(top.dictionary ? top.dictionary->items[index].second : top.sequence->items[index], path_);
        }
        return std::move(leaves_);
    }

private:
    /// A container being traversed.
    struct Open {
        const PickleSequence* sequence;
        const PickleDictionary* dictionary;
        std::size_t path_length;
        std::size_t next = 0;

        std::size_t size() const { return dictionary ? dictionary->items.size() : sequence->items.size(); }
    };

    void visit(const PickleValue& value, const std::string& name) {
        take(items_, 1, most_items);
        if (const auto* const* sequence = std::get_if<PickleSequence*>(&value))
            return visit(**sequence, value, name);
        const auto* const* dictionary = std::get_if<PickleDictionary*>(&value);
        if (dictionary && !(*dictionary)->items.empty())
            return open({nullptr, *dictionary, path_.size()});
        if (const auto* const* tensor = std::get_if<PickledTensor*>(&value))
            leaves_.tensors.emplace_back(leaf(name), *tensor);
        else
            leaves_.others.emplace_back(leaf(name), std::visit(Description{}, value));
    }

    void visit(const PickleSequence& sequence, const PickleValue& value, const std::string& name) {
        take(items_, static_cast<std::int64_t>(sequence.items.size()), most_items);
        const bool is_text =
            all_of(sequence, [](const auto& item) { return std::holds_alternative<PickleText>(item); });
        if (sequence.kind == PickleSequence::Kind::Set || sequence.items.empty() || all_of(sequence, is_number)) {
            leaves_.others.emplace_back(leaf(name), std::visit(Description{}, value));
        } else if (is_text) {
            std::vector<std::string> labels;
            for (const auto& item : sequence.items) {
                const auto text = std::get<PickleText>(item).text;
                take(text_, static_cast<std::int64_t>(text.size() + sizeof(std::string)), most_text);
                add_label(std::string(text), labels, file_ + ": " + name);
            }
            leaves_.labels.emplace_back(leaf(name), std::move(labels));
        } else {
            open({&sequence, nullptr, path_.size()});
        }
    }

    void open(Open container) {
        if (open_.size() == deepest)
            throw Error({ATTNLAB_TEXT("%1: holds values that are nested more than %2 deep, or within themselves"),
                         {file_, std::to_string(deepest)}});
        open_.push_back(container);
    }

    /// The name, after checking the limit.
    const std::string& leaf(const std::string& name) {
        take(count_, 1, most_leaves);
        take(text_, static_cast<std::int64_t>(name.size()), most_text);
        return name;
    }

    void take(std::int64_t& taken, std::int64_t count, std::int64_t most) const {
        if (count > most - taken)
            throw Error({ATTNLAB_TEXT("%1: holds more values than may be read"), {file_}});
        taken += count;
    }

    [[noreturn]] void refuse_key() const {
        throw Error({ATTNLAB_TEXT("%1: holds a dictionary whose keys are no names: %2 has one that is neither a number "
                                  "nor short text"),
                     {file_, path_.empty() ? std::string("it") : path_}});
    }

    /// As Python's str(); also for the items of tuples.
    std::string text_of(const PickleValue& key, bool within_tuple = false) {
        if (const auto* text = std::get_if<PickleText>(&key)) {
            if (text->text.size() > longest_key)
                refuse_key();
            return std::string(text->text);
        }
        if (const auto* flag = std::get_if<bool>(&key))
            return *flag ? "True" : "False";
        if (const auto* integer = std::get_if<std::int64_t>(&key))
            return std::to_string(*integer);
        if (const auto* number = std::get_if<double>(&key))
            return to_text(*number);
        if (std::holds_alternative<std::monostate>(key))
            return "None";
        const auto* const* tuple = std::get_if<PickleSequence*>(&key);
        if (!tuple || within_tuple || (*tuple)->kind != PickleSequence::Kind::Tuple ||
            (*tuple)->items.size() > longest_key)
            refuse_key();
        take(items_, static_cast<std::int64_t>((*tuple)->items.size()), most_items);
        std::string joined = "(";
        for (const auto& item : (*tuple)->items) {
            joined += (joined.size() > 1 ? ", " : "") + text_of(item, true);
            if (joined.size() > longest_key)
                refuse_key();
        }
        return joined + ")";
    }

    const std::string& file_;
    const RunControl* control_;
    TorchLeaves leaves_;
    std::vector<Open> open_;
    std::string path_;
    std::int64_t count_ = 0, items_ = 0, text_ = 0;
};

} // namespace

TorchLeaves leaves_of(const PickleValue& root, const std::string& alone, const std::string& file,
                      const RunControl* control) {
    return LeafWalk(file, control).over(root, alone);
}

} // namespace attnlab::io
