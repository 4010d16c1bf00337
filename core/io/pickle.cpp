#include "core/io/pickle.h"

#include "core/io/pickle_objects.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace attnlab::io {
namespace {

constexpr std::size_t longest_name = 256; ///< of a module or a name in it

std::string in_hexadecimal(unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// Python's virtual machine for pickles: a stack, marks in it, and a memo of numbered values.
class Machine {
public:
    Machine(PickleArena& arena, PickleBytesReader& bytes, const RunControl* control)
        : arena_(arena), bytes_(bytes), control_(control) {}

    PickleValue run();

    // The operations of instructions. Each fails on truncated or invalid bytes.
    void push(PickleValue value) {
        arena_.charge_items(1);
        stack_.push_back(value);
    }
    PickleValue pop() {
        top();
        const auto value = stack_.back();
        stack_.pop_back();
        return value;
    }
    PickleValue& top() {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
            arena_.fail();
        return stack_.back();
    }
    void mark() {
        arena_.charge_items(1);
        marks_.push_back(stack_.size());
    }
    /// Removes and returns everything above the last mark, and the mark.
    std::vector<PickleValue> pop_marked() {
        if (marks_.empty())
            arena_.fail();
        const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<PickleValue> items(first, stack_.end());
        stack_.erase(first, stack_.end());
        marks_.pop_back();
        return items;
    }
    void push_sequence(PickleSequence::Kind kind, std::vector<PickleValue> items) {
        push(arena_.make(PickleSequence{kind, std::move(items)}));
    }
    void tuple_of(std::size_t count) {
        std::vector<PickleValue> items(count);
        while (count-- > 0)
            items[count] = pop();
        push_sequence(PickleSequence::Kind::Tuple, std::move(items));
    }
    void append(const std::vector<PickleValue>& items, PickleSequence::Kind kind) {
        auto** target = std::get_if<PickleSequence*>(&top());
        if (!target || (*target)->kind != kind)
            arena_.fail();
        arena_.charge_items(items.size());
        (*target)->items.insert((*target)->items.end(), items.begin(), items.end());
    }
    void set_items(const std::vector<PickleValue>& items) {
        auto** target = std::get_if<PickleDictionary*>(&top());
        if (!target || items.size() % 2 != 0)
            arena_.fail();
        arena_.charge_items(items.size());
        for (std::size_t i = 0; i < items.size(); i += 2)
            (*target)->items.emplace_back(items[i], items[i + 1]);
    }
    void set_item() {
        const auto item = pop(), key = pop();
        set_items({key, item});
    }

    void remember(std::uint64_t number) {
        const auto value = top();
        if (number >= memo_.size()) {
            arena_.charge(sizeof(memo_[0]) * (number + 1 - memo_.size()));
            memo_.resize(number + 1);
        }
        memo_[number] = value;
    }
    void remember_next() { remember(memo_.size()); }
    void recall(std::uint64_t number) {
        if (number >= memo_.size() || !memo_[number])
            arena_.fail();
        push(*memo_[number]);
    }

    std::string_view take(std::uint64_t count) {
        const auto taken = bytes_.take(count);
        if (!taken && bytes_.limit())
            throw Error({ATTNLAB_TEXT("%1: describes its objects in more than %2 bytes, the most that may be read"),
                         {arena_.name(), std::to_string(*bytes_.limit())}});
        if (!taken)
            throw Error({ATTNLAB_TEXT("%1: is cut short in its instruction at byte %2"),
                         {arena_.name(), std::to_string(arena_.position)}});
        return *taken;
    }
    /// Of `count` bytes, little-endian.
    std::uint64_t unsigned_number(unsigned count) {
        const auto taken = take(count);
        std::uint64_t value = 0;
        for (unsigned byte = count; byte-- > 0;)
            value = value << 8 | static_cast<unsigned char>(taken[byte]);
        return value;
    }
    double big_endian_double() {
        std::uint64_t value = 0;
        for (const char byte : take(8))
            value = value << 8 | static_cast<unsigned char>(byte);
        return std::bit_cast<double>(value);
    }
    std::string_view line() {
        const auto text = bytes_.line(longest_name);
        if (!text)
            arena_.fail();
        return *text;
    }

    void text(std::uint64_t size) { push(PickleText{take(size)}); }
    void bytes(std::uint64_t size) { push(PickleBytes{take(size)}); }
    void protocol(std::uint64_t number) {
        if (number < 2 || number > 5)
            throw Error({ATTNLAB_TEXT("%1: is a pickle of protocol %2, expected 2 to 5"),
                         {arena_.name(), std::to_string(number)}});
    }
    /// Two's complement, little-endian.
    void long_number(std::uint64_t size);
    void global_of_stack();
    void global_of_lines() {
        const auto module = line();
        push(named_object(arena_, module, line()));
    }
    void reduce() {
        const auto arguments = pop();
        auto& function = top();
        function = called(arena_, function, arguments);
    }
    void build() {
        const auto state = pop();
        set_state(arena_, top(), state);
    }
    void persistent() {
        const auto id = pop();
        push(storage_of(arena_, id));
    }
    void stop() { stopped_ = true; }
    PickleArena& arena() { return arena_; }

private:
    PickleArena& arena_;
    PickleBytesReader& bytes_;
    const RunControl* control_;
    bool stopped_ = false;
    std::vector<PickleValue> stack_;
    std::vector<std::size_t> marks_; ///< stack sizes at the marks
    std::vector<std::optional<PickleValue>> memo_;
};

void Machine::long_number(std::uint64_t size) {
    const auto taken = take(size);
    if (size > sizeof(std::int64_t))
        return push(arena_.make(PickleObject{.name = "int"})); // never a size: those fit into 64 bits
    std::uint64_t value = size > 0 && static_cast<unsigned char>(taken.back()) >= 0x80 ? ~std::uint64_t{0} : 0;
    for (std::size_t byte = taken.size(); byte-- > 0;)
        value = value << 8 | static_cast<unsigned char>(taken[byte]);
    push(std::bit_cast<std::int64_t>(value));
}

void Machine::global_of_stack() {
    const auto name = pop(), module = pop();
    const auto *name_text = std::get_if<PickleText>(&name), *module_text = std::get_if<PickleText>(&module);
    if (!name_text || !module_text || name_text->text.size() > longest_name || module_text->text.size() > longest_name)
        arena_.fail();
    push(named_object(arena_, module_text->text, name_text->text));
}

struct Instruction {
    unsigned char code;
    void (*run)(Machine& machine);
};

using Kind = PickleSequence::Kind;

/// The opcodes that picklers of protocol 2 to 5 write for plain data, named as in Python's pickletools.
constexpr Instruction instructions[] = {
    {0x80, [](Machine& m) { m.protocol(m.unsigned_number(1)); }},            // PROTO
    {0x95, [](Machine& m) { m.unsigned_number(8); }},                        // FRAME: a hint for reading ahead
    {'.', [](Machine& m) { m.stop(); }},                                     // STOP
    {'N', [](Machine& m) { m.push({}); }},                                   // NONE
    {0x88, [](Machine& m) { m.push(true); }},                                // NEWTRUE
    {0x89, [](Machine& m) { m.push(false); }},                               // NEWFALSE
    {'J', [](Machine& m) { m.long_number(4); }},                             // BININT
    {'K', [](Machine& m) { m.push(std::int64_t(m.unsigned_number(1))); }},   // BININT1
    {'M', [](Machine& m) { m.push(std::int64_t(m.unsigned_number(2))); }},   // BININT2
    {0x8a, [](Machine& m) { m.long_number(m.unsigned_number(1)); }},         // LONG1
    {0x8b, [](Machine& m) { m.long_number(m.unsigned_number(4)); }},         // LONG4
    {'G', [](Machine& m) { m.push(m.big_endian_double()); }},                // BINFLOAT
    {'X', [](Machine& m) { m.text(m.unsigned_number(4)); }},                 // BINUNICODE
    {0x8c, [](Machine& m) { m.text(m.unsigned_number(1)); }},                // SHORT_BINUNICODE
    {0x8d, [](Machine& m) { m.text(m.unsigned_number(8)); }},                // BINUNICODE8
    {'U', [](Machine& m) { m.text(m.unsigned_number(1)); }},                 // SHORT_BINSTRING
    {'T', [](Machine& m) { m.text(m.unsigned_number(4)); }},                 // BINSTRING
    {'B', [](Machine& m) { m.bytes(m.unsigned_number(4)); }},                // BINBYTES
    {'C', [](Machine& m) { m.bytes(m.unsigned_number(1)); }},                // SHORT_BINBYTES
    {0x8e, [](Machine& m) { m.bytes(m.unsigned_number(8)); }},               // BINBYTES8
    {0x96, [](Machine& m) { m.bytes(m.unsigned_number(8)); }},               // BYTEARRAY8
    {')', [](Machine& m) { m.tuple_of(0); }},                                // EMPTY_TUPLE
    {0x85, [](Machine& m) { m.tuple_of(1); }},                               // TUPLE1
    {0x86, [](Machine& m) { m.tuple_of(2); }},                               // TUPLE2
    {0x87, [](Machine& m) { m.tuple_of(3); }},                               // TUPLE3
    {'(', [](Machine& m) { m.mark(); }},                                     // MARK
    {'t', [](Machine& m) { m.push_sequence(Kind::Tuple, m.pop_marked()); }}, // TUPLE
    {']', [](Machine& m) { m.push_sequence(Kind::List, {}); }},              // EMPTY_LIST
    {'a', [](Machine& m) { m.append({m.pop()}, Kind::List); }},              // APPEND
    {'e', [](Machine& m) { m.append(m.pop_marked(), Kind::List); }},         // APPENDS
    {0x8f, [](Machine& m) { m.push_sequence(Kind::Set, {}); }},              // EMPTY_SET
    {0x90, [](Machine& m) { m.append(m.pop_marked(), Kind::Set); }},         // ADDITEMS
    {'}', [](Machine& m) { m.push(m.arena().make(PickleDictionary{})); }},   // EMPTY_DICT
    {'s', [](Machine& m) { m.set_item(); }},                                 // SETITEM
    {'u', [](Machine& m) { m.set_items(m.pop_marked()); }},                  // SETITEMS
    {'0', [](Machine& m) { m.pop(); }},                                      // POP
    {'1', [](Machine& m) { m.pop_marked(); }},                               // POP_MARK
    {'q', [](Machine& m) { m.remember(m.unsigned_number(1)); }},             // BINPUT
    {'r', [](Machine& m) { m.remember(m.unsigned_number(4)); }},             // LONG_BINPUT
    {0x94, [](Machine& m) { m.remember_next(); }},                           // MEMOIZE
    {'h', [](Machine& m) { m.recall(m.unsigned_number(1)); }},               // BINGET
    {'j', [](Machine& m) { m.recall(m.unsigned_number(4)); }},               // LONG_BINGET
    {'c', [](Machine& m) { m.global_of_lines(); }},                          // GLOBAL
    {0x93, [](Machine& m) { m.global_of_stack(); }},                         // STACK_GLOBAL
    {'R', [](Machine& m) { m.reduce(); }},                                   // REDUCE
    {'b', [](Machine& m) { m.build(); }},                                    // BUILD
    {'Q', [](Machine& m) { m.persistent(); }},                               // BINPERSID
};

using Run = void (*)(Machine& machine);

constexpr std::array<Run, 256> by_code() {
    std::array<Run, 256> table{};
    for (const auto& instruction : instructions)
        table[instruction.code] = instruction.run;
    return table;
}

PickleValue Machine::run() {
    constexpr auto table = by_code();
    constexpr std::size_t between_checkpoints = 1 << 12;
    for (std::size_t done = 0; !stopped_; ++done) {
        if (control_ && done % between_checkpoints == 0)
            control_->checkpoint();
        arena_.position = bytes_.position();
        const auto code = static_cast<unsigned char>(take(1).front());
        if (done == 0 && code != 0x80)
            throw Error({ATTNLAB_TEXT("%1: is not a pickle of protocol 2 to 5"), {arena_.name()}});
        if (!table[code])
            throw Error(
                {ATTNLAB_TEXT("%1: has the instruction %2 at byte %3, which is not read: only those for tensors, "
                              "numbers, text, lists and dictionaries are"),
                 {arena_.name(), in_hexadecimal(code), std::to_string(arena_.position)}});
        table[code](*this);
    }
    if (stack_.size() != 1 || !marks_.empty())
        arena_.fail();
    return stack_.front();
}

} // namespace

PickleBytesReader::PickleBytesReader(std::string bytes)
    : pieces_{std::move(bytes)}, piece_(pieces_.back()), end_(piece_.size()) {}

PickleBytesReader::PickleBytesReader(const ByteSource& file, std::int64_t begin, std::int64_t most,
                                     const RunControl* control)
    : file_(&file), control_(control), end_(static_cast<std::size_t>(begin)) {
    const auto there = std::max<std::int64_t>(0, file.size() - begin);
    most = std::max<std::int64_t>(0, most);
    if (there > most)
        limit_ = most;
    unread_ = static_cast<std::size_t>(std::min(there, most));
}

std::string_view PickleBytesReader::ahead(std::size_t count) {
    constexpr std::size_t piece_size = 1 << 16;
    const auto rest = piece_.substr(next_);
    if (count > rest.size() && unread_ > 0) {
        const auto more = std::min(unread_, std::max(count - rest.size(), piece_size));
        auto& piece = pieces_.emplace_back(rest);
        piece += file_->text(static_cast<std::int64_t>(end_), static_cast<std::int64_t>(more), control_);
        piece_ = piece;
        next_ = 0;
        end_ += more;
        unread_ -= more;
    }
    return piece_.substr(next_, count);
}

std::optional<std::string_view> PickleBytesReader::take(std::uint64_t count) {
    if (count > left())
        return std::nullopt;
    const auto taken = ahead(count);
    next_ += count;
    return taken;
}

std::optional<std::string_view> PickleBytesReader::line(std::size_t longest) {
    const auto text = ahead(longest + 1);
    const auto end = text.find('\n');
    if (end == std::string_view::npos)
        return std::nullopt;
    next_ += end + 1;
    return text.substr(0, end);
}

PickleSequence* PickleArena::make(PickleSequence value) {
    charge(sizeof value);
    charge_items(value.items.size());
    return &sequences_.emplace_back(std::move(value));
}

PickleDictionary* PickleArena::make(PickleDictionary value) {
    charge(sizeof value);
    return &dictionaries_.emplace_back(std::move(value));
}

PickledTensor* PickleArena::make(PickledTensor value) {
    charge(sizeof value);
    return &tensors_.emplace_back(value);
}

PickleObject* PickleArena::make(PickleObject value) {
    charge(sizeof(PickleObject));
    return &objects_.emplace_back(value);
}

std::string_view PickleArena::keep(std::string bytes) {
    charge(sizeof(std::string) + bytes.size());
    return texts_.emplace_back(std::move(bytes));
}

void PickleArena::charge(std::size_t bytes) {
    if (bytes > most_ - taken_)
        throw Error({ATTNLAB_TEXT("%1: holds more values than may be read: they take more than %2 bytes"),
                     {name_, std::to_string(most_)}});
    taken_ += bytes;
}

void PickleArena::fail() const {
    throw Error({ATTNLAB_TEXT("%1: is damaged: its instruction at byte %2 makes no sense there"),
                 {name_, std::to_string(position)}});
}

PickleDocument::PickleDocument(std::string bytes, std::string name, std::size_t most_memory, const RunControl* control)
    : bytes_(std::move(bytes)), arena_(std::move(name), most_memory), root_(Machine(arena_, bytes_, control).run()) {
    if (!bytes_.at_end())
        arena_.fail();
}

PickleDocument::PickleDocument(const ByteSource& file, std::int64_t begin, std::int64_t most, std::string name,
                               const RunControl* control)
    : bytes_(file, begin, most, control), arena_(std::move(name), enough_memory),
      root_(Machine(arena_, bytes_, control).run()) {}

std::vector<const PickleObject*> PickleDocument::storages() const {
    std::vector<const PickleObject*> found;
    for (const auto& object : arena_.objects())
        if (object.role == PickleObject::Role::Storage)
            found.push_back(&object);
    return found;
}

} // namespace attnlab::io
