// A small lesson on disk for tests of the learn mode.
#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

namespace attnlab::ui {

inline void writeFile(const QString& path, const char* text) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
}

inline void replaceIn(const QString& path, const char* from, const char* to) {
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite))
        return;
    const QByteArray text = file.readAll().replace(from, to);
    file.resize(0);
    file.seek(0);
    file.write(text);
}

/// Three steps; the second has a question. Returns the lesson's folder in `folder`.
inline QString writeLesson(const QString& folder) {
    QString path = folder + QStringLiteral("/01-widths");
    QDir().mkpath(path);
    writeFile(path + QStringLiteral("/scene.json"), R"lesson({
  "version": 1,
  "steps": [
    {
      "id": "growth",
      "formula": "attention_sqrt_dk",
      "inputs": {"draw": {"L": 6, "S": 6, "E": 64, "Ev": 4, "seed": 7}},
      "settings": [{"id": "none", "scale": "none"}, {"id": "sqrt_dk", "scale": "sqrt_dk"}],
      "board": "scale_lab",
      "show": ["histogram", "numbers"],
      "live": ["E", "S", "draw"],
      "checks": ["variance(none.scores) > variance(sqrt_dk.scaled)"]
},
    {
      "id": "predict",
      "inputs": "same",
      "settings": "same",
      "board": "matrices",
      "cards": [{"setting": "none"}, {"setting": "sqrt_dk"}],
      "live": ["draw"],
      "question": {"options": {"none": "entropy(none) > entropy(sqrt_dk)",
                               "sqrt_dk": "entropy(sqrt_dk) > entropy(none)"}}
    },
    {
      "id": "mask",
      "inputs": "same",
      "settings": [{"id": "a", "masks": ["causal"]}, {"id": "b", "masks": ["causal"], "fill": -1e9}],
      "board": "mask_lab",
      "show": ["rows"]
    }
  ]
})lesson");
    writeFile(path + QStringLiteral("/en.md"), R"lesson(# Wider heads
What happens to scores.

## growth: A sum of products
The width is {{E | 0}}, the variance {{variance(none.scores) | 1}}.

### card none: no scaling

## predict: Which is flatter?
Look at both.

### question
Which of the two has the larger entropy?
- none: *not* scaled
- sqrt_dk: divided by √d

### answer
Entropy {{entropy(sqrt_dk) | 2}} against {{entropy(none) | 2}}.

## mask: Two fills
Nothing after a token is read.
)lesson");
    writeFile(path + QStringLiteral("/zh_CN.md"), R"lesson(# 更宽的头
分数会怎样。

## growth: 乘积之和
宽度是 {{E | 0}}，方差是 {{variance(none.scores) | 1}}。

### card none: 不缩放

## predict: 哪个更平？
看看两者。

### question
两者之中哪个熵更大？
- none: 不缩放
- sqrt_dk: 除以 √d

### answer
熵 {{entropy(sqrt_dk) | 2}} 对 {{entropy(none) | 2}}。

## mask: 两种填充
后面的词不会被读到。
)lesson");
    return path;
}

/// A lesson of `steps` with the same text, which takes a while to be made into a handout.
inline QString writeLongLesson(const QString& folder, const QString& body, int steps) {
    QString path = folder + QStringLiteral("/02-long");
    QDir().mkpath(path);
    QStringList scenes;
    QString texts = QStringLiteral("# Long\nA long lesson.\n");
    for (int i = 0; i < steps; ++i) {
        scenes << QStringLiteral(R"({"id": "s%1", "inputs": {"draw": {"L": 4, "S": 4, "E": 4, "seed": %1}},
                                     "settings": [{"id": "a"}], "board": "matrices"})")
                      .arg(i);
        texts += QStringLiteral("\n## s%1: A step\n%2\n").arg(i).arg(body);
    }
    writeFile(path + QStringLiteral("/scene.json"),
              QStringLiteral(R"({"version": 1, "steps": [%1]})").arg(scenes.join(QLatin1Char(','))).toUtf8());
    writeFile(path + QStringLiteral("/en.md"), texts.toUtf8());
    return path;
}

} // namespace attnlab::ui
