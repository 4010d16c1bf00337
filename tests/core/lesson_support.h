// The files of a small lesson, valid or damaged.
#pragma once

#include "core/lessons/lesson_files.h"
#include "tests/places.h"

#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace attnlab::test {

using namespace lessons;

using Texts = std::map<std::string, std::string>;

inline const char* const scene_json = R"({
  "group": "scale", "version": 1,
  "steps": [
    {
      "id": "one",
      "formula": "attention_sqrt_dk",
      "inputs": {"draw": {"L": 4, "S": 4, "E": 16, "seed": 3}},
      "settings": [
        {"id": "none", "scale": "none"},
        {"id": "root", "scale": "sqrt_dk", "masks": ["window:2"], "fill": "-inf"}
      ],
      "board": "scale_lab",
      "cards": [{"setting": "none"}, {"id": "second", "setting": "root", "stage": "scaled"}],
      "show": ["histogram", "curve"],
      "curve": {"measure": "entropy", "over": "S"},
      "live": ["E", "draw"],
      "pin": [2, 0],
      "highlight": [[1, 1], [3, 3]],
      "checks": ["theory(none) = 16", "variance(none.scaled) ~ 16 * variance(root.scaled) within 1e-9"],
      "question": {
        "options": {
          "small": "theory(root) < 1",
          "same": "theory(root) ~ 1 within 1e-9"
        },
        "about": {"E": 256}
      }
    },
    {
      "id": "two",
      "inputs": "same",
      "settings": "same",
      "board": "step_through",
      "setting": "root",
      "query": 1,
      "at": "exp",
      "checks": ["root.weights[0, 2] = 0"]
    },
    {
      "id": "three",
      "inputs": {"sample": "milk_or_cat_sweet"},
      "checks": ["size(sample.weights) = 16"]
    }
  ]
}
)";

inline const char* const english = R"(# A lesson
What it is about,
in short.

## one: The first
The variance is {{variance(none.scaled) | 2}}, theory says {{theory(none)}}.

```
## no heading: in code
```

### question
Which one?
- small: It shrinks,
  and how
- same: It stays

### answer
It stays {{theory(root) | 1}}.

### card none: grows


### card second: stays at {{theory(root)}}

## two: The second
A weight: {{root.weights[1, 2] | 3}}; a row: {{none.weights[0] | 2}}.

## three: The third
Words.
)";

inline const char* const chinese = R"(# 一课
简介。

## one: 第一步
方差 {{variance(none.scaled) | 2}}。

### question
哪个？
- same: 不变
- small: 变小

### answer
不变。

### card none: 增大
### card second: 不变

## two: 第二步
文字。

## three: 第三步
文字。
)";

/// The files of a valid lesson, with `from` replaced once by `to` in one of them.
inline Texts sound() { return {{"scene.json", scene_json}, {"en.md", english}, {"zh_CN.md", chinese}}; }

inline LessonFiles files_of(const Texts& texts) {
    auto files = files_below({}, ATTNLAB_SOURCE_DIR "/resources");
    files.in_lesson = [texts](const std::string& name) -> std::optional<std::string> {
        const auto found = texts.find(name);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
    return files;
}

inline Lesson lesson_of(const Texts& texts) { return load_lesson("lessons/07-a-lesson/", files_of(texts)); }

inline Texts replaced(const std::string& file, const std::string& from, const std::string& to) {
    auto texts = sound();
    auto& text = texts.at(file);
    const auto place = text.find(from);
    if (place == text.npos)
        throw std::out_of_range("not in " + file + ": " + from);
    text.replace(place, from.size(), to);
    return texts;
}

inline QString lesson_error_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const LessonError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace attnlab::test
