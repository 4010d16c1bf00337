<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AttentionBars</name>
    <message numerus="yes">
        <source>%n smaller ones are left out</source>
        <translation>
            <numerusform>%n smaller one is left out</numerusform>
            <numerusform>%n smaller ones are left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CardContents</name>
    <message numerus="yes">
        <source>d = %1, %n keys, entries %2</source>
        <translation>
            <numerusform>d = %1, %n key, entries %2</numerusform>
            <numerusform>d = %1, %n keys, entries %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Grouped-query, %n groups</source>
        <translation>
            <numerusform>Grouped-query, %n group</numerusform>
            <numerusform>Grouped-query, %n groups</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClaimWords</name>
    <message numerus="yes">
        <source>%1 to %2 (%n cells)</source>
        <comment>least, largest</comment>
        <translation>
            <numerusform>%1 to %2 (%n cell)</numerusform>
            <numerusform>%1 to %2 (%n cells)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %2 are equal in all %n cells</source>
        <comment>two arrays</comment>
        <translation>
            <numerusform>%1 and %2 are equal in the one cell</numerusform>
            <numerusform>%1 and %2 are equal in all %n cells</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HeadsExport</name>
    <message numerus="yes">
        <source>The pictures have %n heads off.</source>
        <translation>
            <numerusform>The pictures have %n head off.</numerusform>
            <numerusform>The pictures have %n heads off.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistogramPart</name>
    <message numerus="yes">
        <source>%n scores</source>
        <translation>
            <numerusform>%n score</numerusform>
            <numerusform>%n scores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n beyond</source>
        <comment>scores outside the axis</comment>
        <translation>
            <numerusform>%n beyond</numerusform>
            <numerusform>%n beyond</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RowsPart</name>
    <message numerus="yes">
        <source>%n more rows</source>
        <translation>
            <numerusform>%n more row</numerusform>
            <numerusform>%n more rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SavePath</name>
    <message numerus="yes">
        <source>%n files are there already and will be replaced: %1</source>
        <translation>
            <numerusform>%n file is there already and will be replaced: %1</numerusform>
            <numerusform>%n files are there already and will be replaced: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StageExport</name>
    <message numerus="yes">
        <source>Writes %n files beside each other, one for each matrix or array: %1</source>
        <translation>
            <numerusform>Writes one file: %1</numerusform>
            <numerusform>Writes %n files beside each other, one for each matrix or array: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Writes one file with %n arrays; every digit is kept.</source>
        <translation>
            <numerusform>Writes one file with %n array; every digit is kept.</numerusform>
            <numerusform>Writes one file with %n arrays; every digit is kept.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepDrawing</name>
    <message numerus="yes">
        <source>%n terms</source>
        <translation>
            <numerusform>%n term</numerusform>
            <numerusform>%n terms</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepWords</name>
    <message numerus="yes">
        <source>Groups of %n query heads share keys and values.</source>
        <translation>
            <numerusform>Each query head has keys and values of its own.</numerusform>
            <numerusform>Groups of %n query heads share keys and values.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::AnimationPage</name>
    <message numerus="yes">
        <source>%n steps, %1 seconds</source>
        <translation>
            <numerusform>%n step, %1 seconds</numerusform>
            <numerusform>%n steps, %1 seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Arithmetic</name>
    <message numerus="yes">
        <source>%1 … and %n more</source>
        <comment>addends of a sum</comment>
        <translation>
            <numerusform>%1 … and %n more</numerusform>
            <numerusform>%1 … and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BarChart</name>
    <message numerus="yes">
        <source>%n smaller not shown</source>
        <translation>
            <numerusform>%n smaller one not shown</numerusform>
            <numerusform>%n smaller ones not shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CompareNumbers</name>
    <message numerus="yes">
        <source>∞ in %n rows</source>
        <translation>
            <numerusform>∞ in %n row</numerusform>
            <numerusform>∞ in %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells left out</source>
        <translation>
            <numerusform>%n cell left out</numerusform>
            <numerusform>%n cells left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CrashRecovery</name>
    <message numerus="yes">
        <source>(%n more)</source>
        <translation>
            <numerusform>(%n more)</numerusform>
            <numerusform>(%n more)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CurveCard</name>
    <message numerus="yes">
        <source>%n keys: uniform = %1 nats</source>
        <translation>
            <numerusform>%n key: uniform = %1 nats</numerusform>
            <numerusform>%n keys: uniform = %1 nats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>lines: medians of %n draws · dots: the draw on the cards</source>
        <translation>
            <numerusform>lines: median of %n draw · dots: the draw on the cards</numerusform>
            <numerusform>lines: medians of %n draws · dots: the draw on the cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>lines: means of %n draws · dots: the draw on the cards</source>
        <translation>
            <numerusform>lines: mean of %n draw · dots: the draw on the cards</numerusform>
            <numerusform>lines: means of %n draws · dots: the draw on the cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FileController</name>
    <message numerus="yes">
        <source>and %n more</source>
        <comment>changes</comment>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FillDialog</name>
    <message numerus="yes">
        <source>The %n selected cells</source>
        <translation>
            <numerusform>The selected cell</numerusform>
            <numerusform>The %n selected cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The whole tensor, all %n matrices</source>
        <translation>
            <numerusform>The whole tensor</numerusform>
            <numerusform>The whole tensor, all %n matrices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadsScatter</name>
    <message numerus="yes">
        <source>%n heads by two figures</source>
        <translation>
            <numerusform>%n head by two figures</numerusform>
            <numerusform>%n heads by two figures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadsView</name>
    <message numerus="yes">
        <source>%n more to scroll to</source>
        <comment>heads</comment>
        <translation>
            <numerusform>%n more to scroll to</numerusform>
            <numerusform>%n more to scroll to</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <comment>heads</comment>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::InputsPanel</name>
    <message numerus="yes">
        <source>%n unused</source>
        <translation>
            <numerusform>%n unused</numerusform>
            <numerusform>%n unused</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LearnPage</name>
    <message numerus="yes">
        <source>Lecture of %n minutes · %1</source>
        <translation>
            <numerusform>Lecture of %n minute · %1</numerusform>
            <numerusform>Lecture of %n minutes · %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ModelPage</name>
    <message numerus="yes">
        <source>%n attention blocks</source>
        <translation>
            <numerusform>%n attention block</numerusform>
            <numerusform>%n attention blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ModelSession</name>
    <message numerus="yes">
        <source>The model ended the text after %n tokens</source>
        <translation>
            <numerusform>The model ended the text after %n token</numerusform>
            <numerusform>The model ended the text after %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RemarksBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RowCard</name>
    <message numerus="yes">
        <source>%n more</source>
        <comment>keys</comment>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::SentencePanel</name>
    <message numerus="yes">
        <source>… %n not read</source>
        <translation>
            <numerusform>… %n not read</numerusform>
            <numerusform>… %n not read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TensorModel</name>
    <message numerus="yes">
        <source>Set %n cells of %1 to %2</source>
        <translation>
            <numerusform>Set %n cell of %1 to %2</numerusform>
            <numerusform>Set %n cells of %1 to %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TextPanel</name>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens stand for words that the vocabulary does not have</source>
        <translation>
            <numerusform>%n token stands for words that the vocabulary does not have</numerusform>
            <numerusform>%n tokens stand for words that the vocabulary does not have</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n words read letter by letter</source>
        <translation>
            <numerusform>%1 · %n word read letter by letter</numerusform>
            <numerusform>%1 · %n words read letter by letter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n unreadable</source>
        <translation>
            <numerusform>%1 · %n unreadable</numerusform>
            <numerusform>%1 · %n unreadable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n letters read as bytes</source>
        <translation>
            <numerusform>%1 · %n letter read as bytes</numerusform>
            <numerusform>%1 · %n letters read as bytes</numerusform>
        </translation>
    </message>
</context>
</TS>
