// Which words of a text are to be translated.
#pragma once

#include <QRegularExpression>
#include <QSet>
#include <QString>
#include <QStringList>

namespace attnlab::ui {

/// Words that are equal in every language: names of files, formats, mathematics and PyTorch, and the language's own
/// name.
inline const QSet<QString> technical = [] {
    const auto words = QStringLiteral(
        "softmax exp log abs ln lse diag max min scale Concat "
        "True False NaN nan inf not int float bfloat bool Mistral "
        "config json HTML gguf GGUF PNG SVG WAV FLAC OGG MP PDF CSV TSV NPY NPZ NumPy png svg pdf csv "
        "tsv npy npz Safetensors safetensors "
        "attnlesson Markdown "
        "viridis magma inferno cividis "
        "query key value context score scores scaled masked weights output "
        "nn torch PyTorch MultiheadAttention FlexAttention JAX LaTeX "
        "ms mm cm pt pgfplots ACL ICML NeurIPS Nature "
        "Alt Ctrl Delete Enter Shift Home End Page Up Down Esc "
        "English AttnLab Qt "
        "KL Transformer Linformer Performer Longformer Reformer relu gelu LSH vLLM KV kB "
        "sparsemax sigmoid forget NSA MLA rope nope vd kv layer rms indexer adjacent halves plain absorbed "
        "out logit times union elsewhere sum Local Global unless some table doc");
    const auto list = words.split(' ');
    return QSet<QString>(list.begin(), list.end());
}();

/// All parts of `text` that match.
inline QSet<QString> matches(const QString& text, const QString& pattern) {
    QSet<QString> found;
    for (auto each = QRegularExpression(pattern).globalMatch(text); each.hasNext();)
        found << each.next().captured();
    return found;
}

/// The letter after a single &; empty without one.
inline QString mnemonic(const QString& text) {
    static const QRegularExpression letter(QStringLiteral("(?<!&)&([^&\\s])"));
    return letter.match(text).captured(1).toUpper();
}

/// The rest of `text` in Latin words of two or more letters, without technical words and `data`.
inline QStringList englishIn(QString text, const QSet<QString>& data) {
    static const QRegularExpression markup(QStringLiteral("<[^>]*>|&[a-z]+;|\\(&.\\)|^\\S+…$"));
    static const QRegularExpression word(QStringLiteral("[A-Za-z_]{2,}"));
    text.replace(markup, QStringLiteral(" "));
    QStringList left;
    for (auto each = word.globalMatch(text); each.hasNext();)
        // A word with _ is an identifier.
        if (const auto found = each.next().captured();
            !found.contains('_') && !technical.contains(found) && !data.contains(found))
            left << found;
    return left;
}

} // namespace attnlab::ui
