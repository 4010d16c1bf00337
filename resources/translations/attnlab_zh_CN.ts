<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Accessible</name>
    <message>
        <source>Horizontal scroll bar</source>
        <translation>水平滚动条</translation>
    </message>
    <message>
        <source>Vertical scroll bar</source>
        <translation>垂直滚动条</translation>
    </message>
    <message>
        <source>Divider</source>
        <translation>分隔条</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>注意力(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Copy &amp;matrix</source>
        <translation>复制矩阵(&amp;M)</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图像(&amp;P)</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Fit to window</source>
        <translation>适合窗口(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Next stage</source>
        <translation>下一阶段(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous stage</source>
        <translation>上一阶段(&amp;P)</translation>
    </message>
    <message>
        <source>Next &amp;head</source>
        <translation>下一个头(&amp;H)</translation>
    </message>
    <message>
        <source>Pre&amp;vious head</source>
        <translation>上一个头(&amp;V)</translation>
    </message>
    <message>
        <source>P&amp;aint the mask</source>
        <translation>绘制掩码(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About AttnLab</source>
        <translation>关于 AttnLab(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Mechanisms, scales and masks</source>
        <translation>机制、缩放与掩码(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>学习(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Go to lesson</source>
        <translation>转到课程(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Scale lab</source>
        <translation>缩放实验(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Mask lab</source>
        <translation>掩码实验(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Open a lesson folder…</source>
        <translation>打开课程文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous step</source>
        <translation>上一步(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Reset the step</source>
        <translation>重置此步(&amp;R)</translation>
    </message>
    <message>
        <source>Open in the &amp;workspace</source>
        <translation>在工作区打开(&amp;W)</translation>
    </message>
    <message>
        <source>Presentation mo&amp;de</source>
        <translation>演示模式(&amp;D)</translation>
    </message>
    <message>
        <source>L&amp;aser pointer</source>
        <translation>激光笔(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Export this step…</source>
        <translation>导出此步(&amp;E)…</translation>
    </message>
    <message>
        <source>Export the lesson as a &amp;handout…</source>
        <translation>将本课导出为讲义(&amp;H)…</translation>
    </message>
    <message>
        <source>Compare &amp;with a file…</source>
        <translation>与文件比较(&amp;W)…</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>关闭窗口(&amp;C)</translation>
    </message>
    <message>
        <source>Open a mo&amp;del…</source>
        <translation>打开模型(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>Recen&amp;t models</source>
        <translation>最近的模型(&amp;T)</translation>
    </message>
    <message>
        <source>Sample mode&amp;l</source>
        <translation>示例模型(&amp;L)</translation>
    </message>
    <message>
        <source>Watc&amp;h a file…</source>
        <translation>监视文件(&amp;H)…</translation>
    </message>
    <message>
        <source>Copy &amp;as</source>
        <translation>复制为(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Report a problem…</source>
        <translation>报告问题(&amp;R)…</translation>
    </message>
    <message>
        <source>Resize panels with the key&amp;board</source>
        <translation>用键盘调整面板(&amp;B)</translation>
    </message>
    <message>
        <source>Avera&amp;ge of all heads</source>
        <translation>所有头的平均(&amp;G)</translation>
    </message>
    <message>
        <source>Compare with saved &amp;settings…</source>
        <translation>与已存设置比较(&amp;S)…</translation>
    </message>
    <message>
        <source>Clear the chosen ce&amp;ll</source>
        <translation>清除所选单元格(&amp;L)</translation>
    </message>
    <message>
        <source>Arrange the &amp;keys as an image…</source>
        <translation>把键排成图像(&amp;K)…</translation>
    </message>
    <message>
        <source>C&amp;ontinue the cancelled computation</source>
        <translation>继续未完成的计算(&amp;O)</translation>
    </message>
    <message>
        <source>Open a lesson or lab &amp;file…</source>
        <translation>打开课程或实验文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Sa&amp;ve this lab…</source>
        <translation>保存此实验(&amp;V)…</translation>
    </message>
    <message>
        <source>Check &amp;my answer…</source>
        <translation>检查我的答案(&amp;M)…</translation>
    </message>
    <message>
        <source>Wr&amp;ite a lesson</source>
        <translation>编写课程(&amp;I)</translation>
    </message>
    <message>
        <source>Edi&amp;t this lesson</source>
        <translation>编辑此课程(&amp;T)</translation>
    </message>
    <message>
        <source>Presenter view</source>
        <translation>演讲者视图</translation>
    </message>
    <message>
        <source>&amp;Jump to a step or lab…</source>
        <translation>跳到某一步或实验(&amp;J)…</translation>
    </message>
    <message>
        <source>Bla&amp;ck screen</source>
        <translation>黑屏(&amp;C)</translation>
    </message>
    <message>
        <source>Ma&amp;ke this a step</source>
        <translation>将当前画面作为一步(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>Sa&amp;mples…</source>
        <translation>示例(&amp;M)…</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>首选项(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Workspace</source>
        <translation>工作区(&amp;W)</translation>
    </message>
    <message>
        <source>M&amp;ap</source>
        <translation>地图(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Find anything…</source>
        <translation>查找任何内容(&amp;F)…</translation>
    </message>
    <message>
        <source>Next pag&amp;e</source>
        <translation>下一页(&amp;E)</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>&amp;List of lessons</source>
        <translation>课程列表(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
</context>
<context>
    <name>AnswersView</name>
    <message>
        <source>before layer 0</source>
        <translation>第 0 层之前</translation>
    </message>
    <message>
        <source>nothing hidden</source>
        <translation>不隐藏</translation>
    </message>
    <message>
        <source>the image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>“%1” is the likeliest from the start</source>
        <translation>从一开始，“%1”就最可能</translation>
    </message>
    <message>
        <source>“%1” is the likeliest from layer %2 on</source>
        <translation>从第 %2 层起，“%1”最可能</translation>
    </message>
    <message>
        <source>No word alone moves “%1” by 5% or more</source>
        <translation>单独隐藏任何一个词，“%1”的变化都不到 5%</translation>
    </message>
    <message>
        <source>“%1” matters most: without it the answer is “%2”</source>
        <translation>“%1”最关键：没有它，答案变成“%2”</translation>
    </message>
    <message>
        <source>“%1” matters most: without it “%2” goes from %3 to %4</source>
        <translation>“%1”最关键：没有它，“%2”从 %3 变到 %4</translation>
    </message>
    <message>
        <source>outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>%1 · beside it logit(%2) − logit(%3)</source>
        <translation>%1 · 旁边是 logit(%2) − logit(%3)</translation>
    </message>
    <message>
        <source>The answer after each layer</source>
        <translation>每层之后的回答</translation>
    </message>
    <message>
        <source>The answer while a word is hidden</source>
        <translation>隐藏一个词时的答案</translation>
    </message>
    <message>
        <source>hidden word → likeliest</source>
        <translation>隐藏的词 → 最可能的结果</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>after layer %1</source>
        <translation>第 %1 层之后</translation>
    </message>
    <message>
        <source>layer → likeliest</source>
        <translation>层 → 最可能的结果</translation>
    </message>
</context>
<context>
    <name>ArrowsDrawing</name>
    <message>
        <source>query %1</source>
        <translation>查询 %1</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>键 %1</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>值 %1</translation>
    </message>
    <message>
        <source>%1: score %2, weight %3</source>
        <comment>key cat (1, 0)</comment>
        <translation>%1：得分 %2，权重 %3</translation>
    </message>
    <message>
        <source>output (%1, %2)</source>
        <translation>输出（%1, %2）</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>query and keys</source>
        <translation>查询和键</translation>
    </message>
    <message>
        <source>values and output</source>
        <translation>值和输出</translation>
    </message>
</context>
<context>
    <name>AttentionBars</name>
    <message numerus="yes">
        <source>%n smaller ones are left out</source>
        <translation>
            <numerusform>另有 %n 个较小的未列出</numerusform>
        </translation>
    </message>
    <message>
        <source>What “%1” reads</source>
        <translation>“%1”读取的内容</translation>
    </message>
    <message>
        <source>Mean over the queries that may read it</source>
        <translation>对可读取它的查询取平均</translation>
    </message>
</context>
<context>
    <name>AxisNames</name>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列数</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Axis %1</source>
        <translation>第 %1 轴</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>AxisWords</name>
    <message>
        <source>start</source>
        <translation>起始</translation>
    </message>
</context>
<context>
    <name>BoardForm</name>
    <message>
        <source>width d</source>
        <translation>宽度 d</translation>
    </message>
    <message>
        <source>number of keys</source>
        <translation>键的个数</translation>
    </message>
    <message>
        <source>draw again</source>
        <translation>重新抽取</translation>
    </message>
    <message>
        <source>distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>edited token</source>
        <translation>修改的词元</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组数</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>readers</source>
        <translation>并发用户数</translation>
    </message>
    <message>
        <source>Matrices</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Scale lab</source>
        <translation>缩放实验</translation>
    </message>
    <message>
        <source>Mask lab</source>
        <translation>掩码实验</translation>
    </message>
    <message>
        <source>A row step by step</source>
        <translation>逐步计算一行</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>箭头</translation>
    </message>
</context>
<context>
    <name>BucketSortDrawing</name>
    <message>
        <source>in order</source>
        <translation>按原顺序</translation>
    </message>
    <message>
        <source>sorted by bucket</source>
        <translation>按桶排序</translation>
    </message>
    <message>
        <source>%1 is in bucket %2, where no other token ever is: it reads itself.</source>
        <translation>%1 在桶 %2 中，桶里始终没有其他词元，因此它只关注自身。</translation>
    </message>
    <message>
        <source>%1 is in bucket %2 and may read the tokens that share one with it in any round: %3.</source>
        <translation>%1 在桶 %2 中，可关注任一轮中与它同桶的词元：%3。</translation>
    </message>
    <message>
        <source>round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>%1, %2: bucket %3</source>
        <comment>token, round, number</comment>
        <translation>%1，%2：桶 %3</translation>
    </message>
</context>
<context>
    <name>CardContents</name>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>correlated</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>正态</translation>
    </message>
    <message numerus="yes">
        <source>d = %1, %n keys, entries %2</source>
        <translation>
            <numerusform>d = %1，%n 个键，元素：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>effective keys</source>
        <translation>有效键数</translation>
    </message>
    <message>
        <source>slope of softmax ‖∂a/∂s‖</source>
        <translation>softmax 的斜率 ‖∂a/∂s‖</translation>
    </message>
    <message>
        <source>variance of the scaled scores</source>
        <translation>缩放后得分的方差</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>There is no stage %1 here.</source>
        <translation>这里没有阶段 %1。</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>scores before the mask</source>
        <translation>掩码前的得分</translation>
    </message>
    <message>
        <source>Numbers of the setting</source>
        <translation>该设置的数值</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>Of the scaled scores.</source>
        <translation>缩放后得分的方差。</translation>
    </message>
    <message>
        <source>−Σ a log a of a row in nats; mean of the rows.</source>
        <translation>一行的 −Σ a log a，单位为奈特；各行平均。</translation>
    </message>
    <message>
        <source>eff. keys</source>
        <translation>有效键数</translation>
    </message>
    <message>
        <source>exp(entropy): as many keys with equal weights would have this entropy; mean of the rows.</source>
        <translation>exp(熵)：若这么多个键平分权重，熵恰好相同；各行平均。</translation>
    </message>
    <message>
        <source>How much the weights follow the scores, that is, how much gradient softmax lets through; mean of the rows.</source>
        <translation>权重随得分变化的程度，即 softmax 让多少梯度通过；各行平均。</translation>
    </message>
    <message>
        <source>entropy of each row</source>
        <translation>各行的熵</translation>
    </message>
    <message>
        <source>%1: every weight is 0</source>
        <translation>%1：权重全为 0</translation>
    </message>
    <message>
        <source>%1: entropy %2 nats, effective keys %3</source>
        <translation>%1：熵 %2 奈特，有效键数 %3</translation>
    </message>
    <message>
        <source>Mean: entropy %1, effective keys %2</source>
        <translation>平均：熵 %1，有效键数 %2</translation>
    </message>
    <message>
        <source>M, added to the scaled scores</source>
        <translation>M，加到缩放后的得分上</translation>
    </message>
    <message>
        <source>M, in place of the blocked scores</source>
        <translation>M，替换被屏蔽的得分</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Error and cost</source>
        <translation>误差与代价</translation>
    </message>
    <message>
        <source>%1 (exact %2)</source>
        <translation>%1（精确：%2）</translation>
    </message>
    <message>
        <source>Output %1 moves by %2</source>
        <translation>输出 %1 改变了 %2</translation>
    </message>
    <message>
        <source>Output %1 stays exactly as it was</source>
        <translation>输出 %1 完全不变</translation>
    </message>
    <message>
        <source>A leak: the mask keeps token %1 from outputs %2, and yet they move.</source>
        <translation>泄漏：掩码不许输出 %2 关注词元 %1，它们却变了。</translation>
    </message>
    <message>
        <source>No output moves.</source>
        <translation>没有输出改变。</translation>
    </message>
    <message>
        <source>Every output moves.</source>
        <translation>所有输出都改变。</translation>
    </message>
    <message>
        <source>Only outputs %1 move; all others stay exactly as they were.</source>
        <translation>只有输出 %1 改变，其余分毫不动。</translation>
    </message>
    <message>
        <source>A leak: the mask keeps token %1 from output %2, and yet it moves.</source>
        <translation>泄漏：掩码不许输出 %2 关注词元 %1，它却变了。</translation>
    </message>
    <message>
        <source>Only output %1 moves; all others stay exactly as they were.</source>
        <translation>只有输出 %1 改变，其余分毫不动。</translation>
    </message>
    <message>
        <source>moves when %1 is edited</source>
        <translation>编辑 %1 时的变化</translation>
    </message>
    <message>
        <source>‖∂a/∂(q·k)‖ of the row in the middle: the slope of softmax times the factor of the scale. A few undecided rows lift the mean; the median shows what most rows let through.</source>
        <translation>排在中间的一行的 ‖∂a/∂(q·k)‖：softmax 的斜率乘以缩放因子。少数未饱和的行会抬高平均值，中位数才反映大多数行让多少梯度通过。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Multi-head</source>
        <translation>多头</translation>
    </message>
    <message numerus="yes">
        <source>Grouped-query, %n groups</source>
        <translation>
            <numerusform>分组查询，%n 组</numerusform>
        </translation>
    </message>
    <message>
        <source>Multi-query</source>
        <translation>多查询</translation>
    </message>
    <message>
        <source>Latent (MLA)</source>
        <translation>潜在（MLA）</translation>
    </message>
    <message>
        <source>largest weight of a row, on average</source>
        <translation>一行的最大权重（各行平均）</translation>
    </message>
    <message>
        <source>mean max weight</source>
        <translation>平均最大权重</translation>
    </message>
    <message>
        <source>The largest weight of a row, on average over the rows.</source>
        <translation>一行中最大的权重，对各行取平均。</translation>
    </message>
    <message>
        <source>None here: a row does not sum to 1.</source>
        <translation>这里没有：有一行之和不是 1。</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>理论值</translation>
    </message>
    <message>
        <source>The variance expected for independent entries of mean 0 and variance 1.</source>
        <translation>元素相互独立、均值为 0、方差为 1 时应有的方差。</translation>
    </message>
    <message>
        <source>mean ‖∂a/∂s‖</source>
        <translation>平均 ‖∂a/∂s‖</translation>
    </message>
    <message>
        <source>median ‖∂a/∂(q·k)‖</source>
        <translation>中位数 ‖∂a/∂(q·k)‖</translation>
    </message>
    <message>
        <source>%1: the weights do not sum to 1, so they have no entropy</source>
        <translation>%1：权重之和不是 1，因此没有熵</translation>
    </message>
    <message>
        <source>Rows that do not sum to 1, so without entropy: %1</source>
        <translation>之和不是 1、因此没有熵的行：%1</translation>
    </message>
    <message>
        <source>Output %1 may move by its own query alone.</source>
        <translation>输出 %1 可能只因自己的查询而变。</translation>
    </message>
    <message>
        <source>Output %1 moves by its own query alone.</source>
        <translation>输出 %1 只因自己的查询而变。</translation>
    </message>
    <message>
        <source>Frame: with the new query of %1.</source>
        <translation>外框：连同 %1 的新查询。</translation>
    </message>
    <message>
        <source>With its own query as it was it moves by %1</source>
        <translation>若保持原来的查询，它改变 %1</translation>
    </message>
    <message>
        <source>median gradient ‖∂a/∂(q·k)‖</source>
        <translation>梯度中位数 ‖∂a/∂(q·k)‖</translation>
    </message>
    <message>
        <source>scores with the bias</source>
        <translation>加偏置后的得分</translation>
    </message>
</context>
<context>
    <name>CentrePages</name>
    <message>
        <source>Tiles</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Page table</source>
        <translation>页表</translation>
    </message>
    <message>
        <source>Pages read</source>
        <translation>关注的页</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>桶</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>With a file</source>
        <translation>与文件</translation>
    </message>
</context>
<context>
    <name>ClaimWords</name>
    <message>
        <source>variance of %1</source>
        <translation>%1的方差</translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>%1的均值</translation>
    </message>
    <message>
        <source>largest of %1</source>
        <translation>%1中的最大值</translation>
    </message>
    <message>
        <source>smallest of %1</source>
        <translation>%1中的最小值</translation>
    </message>
    <message>
        <source>sum of %1</source>
        <translation>%1之和</translation>
    </message>
    <message>
        <source>number of cells of %1</source>
        <translation>%1的单元格数</translation>
    </message>
    <message>
        <source>length of %1</source>
        <translation>%1的长度</translation>
    </message>
    <message>
        <source>rank of %1</source>
        <translation>%1的秩</translation>
    </message>
    <message>
        <source>%1, sorted</source>
        <translation>%1（排序后）</translation>
    </message>
    <message>
        <source>softmax of %1</source>
        <translation>%1的 softmax</translation>
    </message>
    <message>
        <source>%1, rounded</source>
        <translation>%1（取整）</translation>
    </message>
    <message>
        <source>distance between %1 and %2</source>
        <translation>%1与%2的距离</translation>
    </message>
    <message>
        <source>dot product of %1 and %2</source>
        <translation>%1与%2的点积</translation>
    </message>
    <message>
        <source>how far outputs move when %2 changes (%1)</source>
        <translation>%2改变时输出的变动（%1）</translation>
    </message>
    <message>
        <source>entropy (%1)</source>
        <translation>熵（%1）</translation>
    </message>
    <message>
        <source>effective keys (%1)</source>
        <translation>有效键数（%1）</translation>
    </message>
    <message>
        <source>Jacobian norm (%1)</source>
        <translation>雅可比范数（%1）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>part, setting</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>sum of each row of %1</source>
        <translation>%1各行之和</translation>
    </message>
    <message>
        <source>mean of the rows of %1</source>
        <translation>%1各行的均值</translation>
    </message>
    <message>
        <source>the last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what was measured, number</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>logarithm of %1</source>
        <translation>%1的对数</translation>
    </message>
    <message>
        <source>gradients of the rows (%1)</source>
        <translation>各行的梯度（%1）</translation>
    </message>
    <message>
        <source>median of %1</source>
        <translation>%1的中位数</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>%1 and on</source>
        <translation>从 %1 起</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>first, last</comment>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>tile %1</source>
        <translation>第 %1 块</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>第 %1 列</translation>
    </message>
    <message>
        <source>loss at the end</source>
        <translation>最终损失</translation>
    </message>
    <message>
        <source>loss at the start</source>
        <translation>初始损失</translation>
    </message>
    <message>
        <source>sum of each column of %1</source>
        <translation>%1各列之和</translation>
    </message>
    <message>
        <source>place of the largest of %1</source>
        <translation>%1中最大值的位置</translation>
    </message>
    <message>
        <source>place of the smallest of %1</source>
        <translation>%1中最小值的位置</translation>
    </message>
    <message>
        <source>%1: largest at %2</source>
        <comment>cells of a matrix, token or number</comment>
        <translation>%1：最大值在 %2</translation>
    </message>
    <message>
        <source>%1: smallest at %2</source>
        <comment>cells of a matrix, token or number</comment>
        <translation>%1：最小值在 %2</translation>
    </message>
    <message>
        <source>true</source>
        <translation>成立</translation>
    </message>
    <message>
        <source>false</source>
        <translation>不成立</translation>
    </message>
    <message numerus="yes">
        <source>%1 to %2 (%n cells)</source>
        <comment>least, largest</comment>
        <translation>
            <numerusform>%1 到 %2（%n 个单元格）</numerusform>
        </translation>
    </message>
    <message>
        <source>largest weight of a row, on average (%1)</source>
        <translation>一行的最大权重，各行平均（%1）</translation>
    </message>
    <message>
        <source>how far outputs move by reading %2 when it changes (%1)</source>
        <translation>%2 改变时，输出因关注它而改变多少（%1）</translation>
    </message>
    <message>
        <source>expected variance (%1)</source>
        <translation>理论方差（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %2 are equal in all %n cells</source>
        <comment>two arrays</comment>
        <translation>
            <numerusform>%1与%2在全部 %n 个单元格中都相等</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2 differ by up to %3</source>
        <comment>two arrays, a number</comment>
        <translation>%1与%2最多相差 %3</translation>
    </message>
</context>
<context>
    <name>ColorBar</name>
    <message>
        <source>not from 0</source>
        <translation>不从 0 开始</translation>
    </message>
    <message>
        <source>Numbers up to %1 have the colour of %2.</source>
        <translation>不超过 %1 的数与 %2 同色。</translation>
    </message>
    <message>
        <source>Numbers down to %1 have the colour of %2.</source>
        <translation>不小于 %1 的数与 %2 同色。</translation>
    </message>
</context>
<context>
    <name>ComparedSide</name>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
</context>
<context>
    <name>CostWords</name>
    <message>
        <source>10⁹ operations</source>
        <translation>10⁹ 次运算</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>readers</source>
        <translation>用户数</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a cost, its unit</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>weights of the model</source>
        <translation>模型的参数</translation>
    </message>
    <message>
        <source>what the device could do meanwhile</source>
        <translation>设备在此期间能做的运算</translation>
    </message>
</context>
<context>
    <name>CostsDrawing</name>
    <message>
        <source>%1: %2</source>
        <comment>name of a bar, its amount</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>CurveDrawing</name>
    <message>
        <source>%1: %2, %3: %4</source>
        <comment>x axis, number, y axis, number</comment>
        <translation>%1：%2，%3：%4</translation>
    </message>
</context>
<context>
    <name>DotsDrawing</name>
    <message>
        <source>No head has both figures</source>
        <translation>没有头同时具有这两个指标</translation>
    </message>
</context>
<context>
    <name>EffectWords</name>
    <message>
        <source>nothing</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>→ %1 %2</source>
        <translation>→ %1 %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Below each head: what it adds to the logit of %1 against %2 by itself.</source>
        <translation>每个头下方：它自己给 %1 相对于 %2 的 logit 差增加多少。</translation>
    </message>
    <message>
        <source>Below each head: what it adds to the logit of this answer by itself.</source>
        <translation>每个头下方：它自己给这个回答的 logit 增加多少。</translation>
    </message>
    <message>
        <source>while it gives its average</source>
        <translation>换成它的平均输出时</translation>
    </message>
    <message>
        <source>while it gives what it gives for text B</source>
        <translation>换成它在文本 B 中的输出时</translation>
    </message>
    <message>
        <source>while it alone is off</source>
        <translation>只关掉它时</translation>
    </message>
    <message>
        <source>Below each head: the change of logit(%1) − logit(%2) %3.</source>
        <translation>每个头下方：%3，logit(%1) − logit(%2) 的变化。</translation>
    </message>
    <message>
        <source>Below each head: the answer %1; the bar is how much probability that moves.</source>
        <translation>每个头下方：%1的回答；条的长度是因此移动的概率。</translation>
    </message>
    <message>
        <source>With all heads on, the answer is %1: %2.</source>
        <translation>所有头都打开时，回答是 %1：%2。</translation>
    </message>
    <message>
        <source>%1 of %2 heads were tried.</source>
        <translation>已试 %2 个头中的 %1 个。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>With all heads on, the model is unsure: the likeliest is %1, %2.</source>
        <translation>所有头都打开时，模型没有把握：最可能的是 %1，%2。</translation>
    </message>
    <message>
        <source>Bold: another answer; nothing: less than %1% of the probability moves.</source>
        <translation>粗体：回答变了；“无影响”：概率的移动不到 %1%。</translation>
    </message>
    <message>
        <source>Hollow bar: it works through later heads and layers.</source>
        <translation>空心条：通过后续的头和层起作用。</translation>
    </message>
    <message>
        <source>writes to the answer itself</source>
        <translation>直接写出回答</translation>
    </message>
    <message>
        <source>later heads need it</source>
        <translation>后续的头依赖它</translation>
    </message>
    <message>
        <source>writes against the answer itself</source>
        <translation>直接压低这个回答</translation>
    </message>
    <message>
        <source>works against the answer through later heads</source>
        <translation>通过后续的头压低这个回答</translation>
    </message>
    <message>
        <source>Text: “%1”.</source>
        <translation>文本：“%1”。</translation>
    </message>
    <message>
        <source>Text: “… %1”.</source>
        <translation>文本：“… %1”。</translation>
    </message>
</context>
<context>
    <name>FigureParts</name>
    <message>
        <source>Mean of the heads</source>
        <translation>各头的平均</translation>
    </message>
</context>
<context>
    <name>FileController</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>FileName</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 和另外 %2 个</translation>
    </message>
</context>
<context>
    <name>FormulaWords</name>
    <message>
        <source> where blocked, else </source>
        <translation>（被屏蔽处），其余为 </translation>
    </message>
    <message>
        <source> where blocked</source>
        <translation>（被屏蔽处）</translation>
    </message>
    <message>
        <source>mean of its sentence</source>
        <translation>所在句的均值</translation>
    </message>
    <message>
        <source>mean of its paragraph</source>
        <translation>所在段的均值</translation>
    </message>
    <message>
        <source>mean of the keys</source>
        <translation>键的均值</translation>
    </message>
    <message>
        <source> is global, else </source>
        <translation> 为全局，其余为 </translation>
    </message>
    <message>
        <source> for j in page b</source>
        <translation>（j 在页 b 中）</translation>
    </message>
    <message>
        <source> with </source>
        <translation>，其中 </translation>
    </message>
    <message>
        <source> where </source>
        <translation>，当 </translation>
    </message>
    <message>
        <source>, or </source>
        <translation>，或 </translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
</context>
<context>
    <name>Handout</name>
    <message>
        <source>AttnLab %1 computed every number and drew every picture of this handout.</source>
        <translation>本讲义中的数值均由 AttnLab %1 计算，图像均由其绘制。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number and title of a step</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>☐  %1)  %2</source>
        <comment>letter and words of an option</comment>
        <translation>☐  %1)  %2</translation>
    </message>
    <message>
        <source>%1)  %2</source>
        <comment>letter and words of an option</comment>
        <translation>%1)  %2</translation>
    </message>
    <message>
        <source>%1)  %2:  %3</source>
        <comment>letter and words of an option, what was measured</comment>
        <translation>%1)  %2：%3</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <comment>page number and number of pages</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Date</source>
        <comment>on which a student answers the questions</comment>
        <translation>日期</translation>
    </message>
    <message>
        <source>Why?</source>
        <comment>above lines for the reasons of an answer</comment>
        <translation>理由：</translation>
    </message>
    <message>
        <source>%1 – solutions</source>
        <comment>title of a lesson</comment>
        <translation>%1（答案）</translation>
    </message>
    <message>
        <source>A “?” in a picture stands for what its question asks. The solutions show it.</source>
        <translation>图中的“?”代表题目所问的内容，答案里可以看到。</translation>
    </message>
    <message>
        <source>Step %1 tells answers. The solutions have it.</source>
        <translation>第 %1 步会说出答案，见答案部分。</translation>
    </message>
</context>
<context>
    <name>HandoutExport</name>
    <message>
        <source>Export the lesson as a handout</source>
        <translation>将本课导出为讲义</translation>
    </message>
    <message>
        <source>&amp;Paper</source>
        <translation>纸张(&amp;P)</translation>
    </message>
    <message>
        <source>A PDF of “%1” with every step, its picture and question, the right answer and its explanation.</source>
        <translation>“%1”的 PDF 讲义，包含每一步及其图像和问题、正确答案及其解释。</translation>
    </message>
    <message>
        <source>&amp;Content</source>
        <translation>内容(&amp;C)</translation>
    </message>
    <message>
        <source>Questions for students</source>
        <translation>题目版（供学生使用）</translation>
    </message>
    <message>
        <source>Solutions</source>
        <translation>答案版</translation>
    </message>
    <message>
        <source>A PDF of “%1” with every step and question and room to write. What a question asks for is covered in its picture.</source>
        <translation>“%1”的 PDF，含每一步和每道题，并留有书写空间。题目所问的内容在图中被遮住。</translation>
    </message>
    <message>
        <source>A page of HTML with every step, which computes</source>
        <translation>包含每一步、可计算的 HTML 网页</translation>
    </message>
</context>
<context>
    <name>HeadWords</name>
    <message>
        <source>mean entropy %1 nats, mean largest weight %2</source>
        <translation>平均熵 %1 奈特，平均最大权重 %2</translation>
    </message>
    <message>
        <source>no row has more than one readable key</source>
        <translation>没有一行的可关注键多于一个</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>what a head does, and its figures</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Weight on %1</source>
        <comment>previous token 0.66 · itself 0.10</comment>
        <translation>权重落在：%1</translation>
    </message>
    <message>
        <source>Means over the rows with more than one readable key: %1</source>
        <translation>只对可关注键多于一个的行取平均，行数：%1</translation>
    </message>
</context>
<context>
    <name>HeadsExport</name>
    <message>
        <source>All heads of all layers</source>
        <translation>所有层的所有头</translation>
    </message>
    <message>
        <source>The differences of all heads</source>
        <translation>所有头的差异</translation>
    </message>
    <message>
        <source>All heads as dots: %1, %2</source>
        <translation>以点表示所有头：%1、%2</translation>
    </message>
    <message>
        <source>What becomes of the answer &amp;without each head</source>
        <translation>去掉每个头后的回答(&amp;W)</translation>
    </message>
    <message>
        <source>layer %1 head %2</source>
        <translation>第 %1 层头 %2</translation>
    </message>
    <message>
        <source>%1 head %2</source>
        <translation>%1 头 %2</translation>
    </message>
    <message numerus="yes">
        <source>The pictures have %n heads off.</source>
        <translation>
            <numerusform>图中有 %n 个头已关闭。</numerusform>
        </translation>
    </message>
    <message>
        <source>The pictures have %1 off.</source>
        <translation>图中已关闭：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between heads</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
</context>
<context>
    <name>HeadsWall</name>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一个词元</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>same token</source>
        <translation>相同词元</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>largest weight of a row, on average</source>
        <translation>一行的最大权重（各行平均）</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>About AttnLab</source>
        <translation>关于 AttnLab</translation>
    </message>
    <message>
        <source>See attention: edit, compute and look at every matrix of an attention mechanism.</source>
        <translation>看见注意力：编辑、计算并查看注意力机制中的每一个矩阵。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. Drawn with Qt and QCustomPlot.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。界面由 Qt 和 QCustomPlot 绘制。</translation>
    </message>
</context>
<context>
    <name>HistogramPart</name>
    <message>
        <source>no finite scores</source>
        <translation>没有有限的得分</translation>
    </message>
    <message>
        <source>%1 scores between %2 and %3, most of them (%4) between %5 and %6</source>
        <translation>%1 个得分，介于 %2 与 %3 之间，其中 %5 到 %6 之间最多（%4 个）</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n scores</source>
        <translation>
            <numerusform>%n 个得分</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>range of scores, how many</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Histogram of the scaled scores</source>
        <translation>缩放后得分的直方图</translation>
    </message>
    <message numerus="yes">
        <source>%n beyond</source>
        <comment>scores outside the axis</comment>
        <translation>
            <numerusform>%n 个在坐标轴之外</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2; expected %3</source>
        <comment>range of scores, how many, how many expected</comment>
        <translation>%1：%2；理论预期 %3</translation>
    </message>
</context>
<context>
    <name>LineChartDrawing</name>
    <message>
        <source>%1: %2</source>
        <comment>name of a line, its number</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 %2
%3</source>
        <comment>x axis, number; then a line for each curve</comment>
        <translation>%1 %2
%3</translation>
    </message>
    <message>
        <source>%1: %2 (this draw %3)</source>
        <comment>name of a line, its number, that of the draw on show</comment>
        <translation>%1：%2（这次抽取为 %3）</translation>
    </message>
</context>
<context>
    <name>MapExport</name>
    <message>
        <source>What is in sight: %1 × %2 cells</source>
        <translation>可见部分：%1 × %2 个单元格</translation>
    </message>
    <message>
        <source>The whole map: %1 × %2 cells</source>
        <translation>整幅地图：%1 × %2 个单元格</translation>
    </message>
    <message>
        <source>Export the map</source>
        <translation>导出地图</translation>
    </message>
    <message>
        <source>&amp;Rows, at most</source>
        <translation>行数，至多(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Columns, at most</source>
        <translation>列数，至多(&amp;C)</translation>
    </message>
    <message>
        <source>The picture of the map</source>
        <translation>地图的图片</translation>
    </message>
    <message>
        <source>The pooled weights</source>
        <translation>池化后的权重</translation>
    </message>
    <message>
        <source>E&amp;xtent</source>
        <translation>范围(&amp;X)</translation>
    </message>
    <message>
        <source>largest of each query</source>
        <translation>各查询的最大值</translation>
    </message>
    <message>
        <source>mean of each query</source>
        <translation>各查询的平均值</translation>
    </message>
    <message>
        <source>largest of each key</source>
        <translation>各键的最大值</translation>
    </message>
    <message>
        <source>mean of each key</source>
        <translation>各键的平均值</translation>
    </message>
    <message>
        <source>largest weight of %1 × %2 cells</source>
        <translation>每 %1 × %2 个单元格中的最大权重</translation>
    </message>
    <message>
        <source>mean weight of %1 × %2 cells</source>
        <translation>每 %1 × %2 个单元格的平均权重</translation>
    </message>
    <message>
        <source>B − A of the weights</source>
        <translation>权重的 B − A</translation>
    </message>
    <message>
        <source>largest weight of B − largest of A, %1 cells</source>
        <translation>每 %1 个单元格：B 的最大权重 − A 的最大权重</translation>
    </message>
    <message>
        <source>mean of B − A over %1 cells</source>
        <translation>每 %1 个单元格 B − A 的均值</translation>
    </message>
    <message>
        <source>The pooled difference B − A</source>
        <translation>汇总后的差 B − A</translation>
    </message>
</context>
<context>
    <name>MaskDescription</name>
    <message>
        <source>A hatched cell may not be read: −∞ is added to its score and its weight becomes 0.</source>
        <translation>带斜线的单元格不可关注：其得分加上 −∞，权重变为 0。</translation>
    </message>
    <message>
        <source>A hatched cell may not be read: its score becomes −∞ and its weight 0.</source>
        <translation>带斜线的单元格不可关注：其得分变为 −∞，权重变为 0。</translation>
    </message>
    <message>
        <source>In a hatched cell, %1 is added to the score: a row with every key blocked stays as it was in float64.</source>
        <translation>带斜线的单元格得分加上 %1：在 float64 下，所有键都被屏蔽的行保持不变。</translation>
    </message>
    <message>
        <source>In a hatched cell, %1 is added to the score: the cell is read less or more, but still read.</source>
        <translation>带斜线的单元格得分加上 %1：受到的关注会变少或变多，但不会消失。</translation>
    </message>
    <message>
        <source>The score of a hatched cell becomes %1: a row with every key blocked turns uniform.</source>
        <translation>带斜线的单元格得分变为 %1：所有键都被屏蔽的行会变成均匀分布。</translation>
    </message>
    <message>
        <source>The score of a hatched cell becomes %1: it may still get a share of the weight.</source>
        <translation>带斜线的单元格得分变为 %1：它仍可能分到一部分权重。</translation>
    </message>
    <message>
        <source>No mask: every query reads every key.</source>
        <translation>无掩码：每个查询关注所有键。</translation>
    </message>
    <message>
        <source>The bias is added to the scaled scores; −∞ in it blocks a cell.</source>
        <translation>偏置加到缩放后的得分上；其中的 −∞ 会屏蔽单元格。</translation>
    </message>
    <message>
        <source>These masks block no cell: every query reads every key.</source>
        <translation>这些掩码没有屏蔽任何单元格：每个查询关注所有键。</translation>
    </message>
    <message>
        <source>True blocks a cell, as in torch&apos;s nn.MultiheadAttention.</source>
        <translation>True 表示屏蔽单元格，同 torch 的 nn.MultiheadAttention。</translation>
    </message>
    <message>
        <source>True keeps a cell, as in torch&apos;s scaled_dot_product_attention.</source>
        <translation>True 表示保留单元格，同 torch 的 scaled_dot_product_attention。</translation>
    </message>
</context>
<context>
    <name>MaskLayers</name>
    <message>
        <source>the mechanism</source>
        <translation>该机制本身</translation>
    </message>
</context>
<context>
    <name>MatrixData</name>
    <message>
        <source>?, covered until you answer</source>
        <translation>?，作答后可见</translation>
    </message>
    <message>
        <source>cannot read ahead</source>
        <translation>看不到后面的词</translation>
    </message>
</context>
<context>
    <name>MatrixPage</name>
    <message>
        <source>%1 · batch %2</source>
        <translation>%1 · 批次 %2</translation>
    </message>
    <message>
        <source>%1 · batch %2 · mean of heads</source>
        <translation>%1 · 批次 %2 · 各头平均</translation>
    </message>
    <message>
        <source>%1 · mean of heads</source>
        <translation>%1 · 各头平均</translation>
    </message>
    <message>
        <source>%1 · batch %2 · head %3</source>
        <translation>%1 · 批次 %2 · 头 %3</translation>
    </message>
    <message>
        <source>%1 · head %2</source>
        <translation>%1 · 头 %2</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
</context>
<context>
    <name>MatrixPart</name>
    <message>
        <source>%1 rows, %2 columns</source>
        <translation>%1 行 %2 列</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>%1 · head %2</source>
        <translation>%1 · 头 %2</translation>
    </message>
    <message>
        <source>Layer %1 · head %2</source>
        <translation>第 %1 层 · 头 %2</translation>
    </message>
</context>
<context>
    <name>OptionNames</name>
    <message>
        <source>“Read otherwise…” with the axes %1</source>
        <translation>“以其他方式读取…”并选轴 %1</translation>
    </message>
    <message>
        <source>“Read otherwise…” with %1 as %2</source>
        <translation>“以其他方式读取…”并把 %1 选为 %2</translation>
    </message>
    <message>
        <source>“Read otherwise…” with the layer %1</source>
        <translation>“以其他方式读取…”并选层 %1</translation>
    </message>
    <message>
        <source>“Read otherwise…” with a number of key heads</source>
        <translation>“以其他方式读取…”中的键头数</translation>
    </message>
    <message>
        <source>“Read otherwise…” with a number of heads</source>
        <translation>“以其他方式读取…”中的头数</translation>
    </message>
    <message>
        <source>“True means kept” in the Mask panel</source>
        <translation>“掩码”面板中的“True 表示保留”</translation>
    </message>
    <message>
        <source>“True means blocked” in the Mask panel</source>
        <translation>“掩码”面板中的“True 表示屏蔽”</translation>
    </message>
    <message>
        <source>“Compare with a file…” in the Attention menu</source>
        <translation>“注意力”菜单中的“与文件比较…”</translation>
    </message>
    <message>
        <source>“%1” in the Mask panel</source>
        <translation>“掩码”面板中的“%1”</translation>
    </message>
    <message>
        <source>%1 over %2 heads</source>
        <translation>%2 个头共 %1</translation>
    </message>
    <message>
        <source>%1 over %2 sequences</source>
        <translation>%2 个序列共 %1</translation>
    </message>
    <message>
        <source>“First query at” %1 in the Mask panel</source>
        <translation>“掩码”面板中“首个查询位于”设为 %1</translation>
    </message>
</context>
<context>
    <name>PageReadsDrawing</name>
    <message>
        <source>pages read: %1</source>
        <translation>关注页数：%1</translation>
    </message>
    <message>
        <source>a softmax of its own</source>
        <translation>单独做一次 softmax</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未关注</translation>
    </message>
    <message>
        <source>Queries %1 to %2 (page %3) read no page.</source>
        <translation>查询 %1 到 %2（第 %3 页）不关注任何页。</translation>
    </message>
    <message>
        <source>Queries %1 to %2 (page %3) read the key pages %4 to %5, each with a softmax of its own: their weights sum to %6.</source>
        <translation>查询 %1 到 %2（第 %3 页）关注键的第 %4 到 %5 页，每页单独做 softmax：权重之和为 %6。</translation>
    </message>
    <message>
        <source>%1 → %2: %3
Query page %4, key page %5</source>
        <translation>%1 → %2：%3
查询页 %4，键页 %5</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>已屏蔽</translation>
    </message>
</context>
<context>
    <name>PageTableDrawing</name>
    <message>
        <source>The sequence in order, and its block table below</source>
        <translation>按顺序排列的序列，下方为其块表</translation>
    </message>
    <message>
        <source>page %1</source>
        <translation>第 %1 页</translation>
    </message>
    <message>
        <source>The pool of pages in memory</source>
        <translation>内存中的页池</translation>
    </message>
    <message>
        <source>%1: free</source>
        <translation>%1：空闲</translation>
    </message>
    <message>
        <source>holds a token: %1</source>
        <translation>存有词元：%1</translation>
    </message>
    <message>
        <source>reserved and empty: %1</source>
        <translation>已预留但为空：%1</translation>
    </message>
    <message>
        <source>in free pages: %1</source>
        <translation>位于空闲页：%1</translation>
    </message>
    <message>
        <source>Token %1, “%2”: slot %3 of page %4, which lies in page %5 of the pool.</source>
        <translation>词元 %1“%2”：第 %4 页的槽位 %3，该页位于页池的第 %5 页。</translation>
    </message>
    <message>
        <source>Token %1: slot %2 of page %3, which lies in page %4 of the pool.</source>
        <translation>词元 %1：第 %3 页的槽位 %2，该页位于页池的第 %4 页。</translation>
    </message>
    <message>
        <source>slot %1</source>
        <translation>槽位 %1</translation>
    </message>
    <message>
        <source>%1, %2: empty</source>
        <comment>page, slot</comment>
        <translation>%1，%2：空</translation>
    </message>
</context>
<context>
    <name>PanelDocks</name>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
</context>
<context>
    <name>ParameterText</name>
    <message>
        <source>Expected one of: %1.</source>
        <translation>应为以下之一：%1。</translation>
    </message>
    <message>
        <source>Expected yes or no.</source>
        <translation>应为“是”或“否”。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>a parameter and its unit</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Expected a whole number from %1 to %2.</source>
        <translation>应为 %1 到 %2 的整数。</translation>
    </message>
    <message>
        <source>Expected a whole number from %1.</source>
        <translation>应为不小于 %1 的整数。</translation>
    </message>
    <message>
        <source>Expected a whole number up to %1.</source>
        <translation>应为不大于 %1 的整数。</translation>
    </message>
    <message>
        <source>Expected a whole number.</source>
        <translation>应为整数。</translation>
    </message>
    <message>
        <source>Expected a number above %1, up to %2.</source>
        <translation>应为大于 %1 且不大于 %2 的数。</translation>
    </message>
    <message>
        <source>Expected a number from %1 to %2.</source>
        <translation>应为 %1 到 %2 的数。</translation>
    </message>
    <message>
        <source>Expected a number above %1.</source>
        <translation>应为大于 %1 的数。</translation>
    </message>
    <message>
        <source>Expected a number from %1.</source>
        <translation>应为不小于 %1 的数。</translation>
    </message>
    <message>
        <source>Expected a number up to %1.</source>
        <translation>应为不大于 %1 的数。</translation>
    </message>
    <message>
        <source>Expected a number.</source>
        <translation>应为一个数。</translation>
    </message>
    <message>
        <source>Expected whole numbers from %1, separated by commas.</source>
        <translation>应为不小于 %1 的整数，以逗号分隔。</translation>
    </message>
    <message>
        <source>Expected whole numbers, separated by commas.</source>
        <translation>应为以逗号分隔的整数。</translation>
    </message>
    <message>
        <source>none</source>
        <comment>an empty list of numbers</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>Paste</name>
    <message>
        <source>Clipboard</source>
        <translation>剪贴板</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>B is as A, but its scores are not scaled.</source>
        <translation>B 与 A 相同，但得分不缩放。</translation>
    </message>
    <message>
        <source>B is as A, but every query reads every key.</source>
        <translation>B 与 A 相同，但每个查询关注所有键。</translation>
    </message>
    <message>
        <source>B is scaled dot-product attention of the same queries, keys and values.</source>
        <translation>B 是对相同查询、键和值的缩放点积注意力。</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>B becomes what the window shows, A what it is compared with.</source>
        <translation>B 成为窗口所示的设置，A 成为与之比较的设置。</translation>
    </message>
    <message>
        <source>Both settings become the same: change one of them and see what it does.</source>
        <translation>两种设置先变得相同，再改动其中之一，看看有何影响。</translation>
    </message>
    <message>
        <source>Stop comparing</source>
        <translation>停止比较</translation>
    </message>
    <message>
        <source>Forgets setting B.</source>
        <translation>丢弃设置 B。</translation>
    </message>
    <message>
        <source>Compare settings</source>
        <translation>比较两种设置</translation>
    </message>
    <message>
        <source>Make B like A</source>
        <translation>让 B 与 A 相同</translation>
    </message>
    <message>
        <source>B without scale</source>
        <translation>B 不缩放</translation>
    </message>
    <message>
        <source>B without masks</source>
        <translation>B 不加掩码</translation>
    </message>
    <message>
        <source>B as exact attention</source>
        <translation>B 用精确注意力</translation>
    </message>
</context>
<context>
    <name>ProblemReport</name>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>Say what you did, what you saw and what you expected instead, and add this. It holds no names, files or numbers of yours.</source>
        <translation>请写明您做了什么、看到了什么、原本期望什么，并附上以下内容。其中不含您的任何名称、文件或数值。</translation>
    </message>
    <message>
        <source>What is reported</source>
        <translation>报告的内容</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>QAbstractSpinBox</name>
    <message>
        <source>&amp;Select All</source>
        <translation>全选(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Step up</source>
        <translation>递增(&amp;U)</translation>
    </message>
    <message>
        <source>Step &amp;down</source>
        <translation>递减(&amp;D)</translation>
    </message>
</context>
<context>
    <name>QDockWidget</name>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Undocks and re-attaches the dock widget</source>
        <translation>取消停靠或重新停靠此面板</translation>
    </message>
    <message>
        <source>Closes the dock widget</source>
        <translation>关闭此面板</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
</context>
<context>
    <name>QTabBar</name>
    <message>
        <source>Scroll Left</source>
        <translation>向左滚动</translation>
    </message>
    <message>
        <source>Scroll Right</source>
        <translation>向右滚动</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>复制链接地址(&amp;L)</translation>
    </message>
</context>
<context>
    <name>RandomNumbers</name>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Random numbers, no trained model: %1</source>
        <translation>随机数，并非训练好的模型：%1</translation>
    </message>
    <message>
        <source>random numbers</source>
        <translation>随机数</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>Reference</name>
    <message>
        <source> or </source>
        <comment>between two shapes</comment>
        <translation> 或 </translation>
    </message>
    <message>
        <source>%1 (with %2)</source>
        <translation>%1（仅当 %2 时）</translation>
    </message>
    <message>
        <source>%1 (optional)</source>
        <translation>%1（可选）</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>观察要点</translation>
    </message>
    <message>
        <source>Arrays</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>Parameters and their defaults</source>
        <translation>参数及其默认值</translation>
    </message>
    <message>
        <source>What it cannot take</source>
        <translation>不支持的选项</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>出处</translation>
    </message>
    <message>
        <source>A score s becomes %1.</source>
        <translation>得分 s 变为 %1。</translation>
    </message>
    <message>
        <source>Keeps a cell where %1.</source>
        <translation>保留满足 %1 的单元格。</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>A size with a question mark may be 1 instead: the array is then the same along that axis.</source>
        <translation>带问号的大小也可以是 1：此时数组沿该轴处处相同。</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a sentence</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Normalisers</source>
        <translation>归一化方式</translation>
    </message>
    <message>
        <source>Decays</source>
        <translation>衰减</translation>
    </message>
</context>
<context>
    <name>RibbonTokens</name>
    <message>
        <source>“%1” (%2)</source>
        <translation>“%1”（%2）</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Query %1</source>
        <translation>查询 %1</translation>
    </message>
    <message>
        <source>Key %1</source>
        <translation>键 %1</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>键 %1</translation>
    </message>
    <message>
        <source>query %1</source>
        <translation>查询 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>key %1: %2</source>
        <translation>键 %1：%2</translation>
    </message>
    <message>
        <source>%1 (0): the tokenizer puts it before the text</source>
        <translation>%1（0）：由分词器加在文本前面</translation>
    </message>
    <message>
        <source>the start</source>
        <translation>起始词元</translation>
    </message>
    <message>
        <source>The start</source>
        <translation>起始词元</translation>
    </message>
</context>
<context>
    <name>RoundingWords</name>
    <message>
        <source>all numbers</source>
        <translation>全部数值</translation>
    </message>
    <message>
        <source>Inputs, scores, weights and the output</source>
        <translation>输入、得分、权重和输出</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Query, key and value as the mechanism uses them, after a projection</source>
        <translation>机制所用的查询、键和值，即投影之后</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Scores, and what scale, position and masks make of them</source>
        <translation>得分，以及缩放、位置和掩码作用后的得分</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Weights, after the softmax</source>
        <translation>softmax 之后的权重</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>RowsPart</name>
    <message numerus="yes">
        <source>%n more rows</source>
        <translation>
            <numerusform>另有 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>Milk or cat? … because it was sweet</source>
        <translation>牛奶还是猫？……because it was sweet</translation>
    </message>
    <message>
        <source>Milk or cat? … because it was hungry</source>
        <translation>牛奶还是猫？……because it was hungry</translation>
    </message>
    <message>
        <source>Four heads: The quick brown fox</source>
        <translation>四个头：The quick brown fox</translation>
    </message>
    <message>
        <source>Cross-attention: three words read five</source>
        <translation>交叉注意力：三个词关注五个词</translation>
    </message>
    <message>
        <source>Padding: two sentences in one batch</source>
        <translation>填充：一个批次中的两个句子</translation>
    </message>
    <message>
        <source>Flash: twelve words in tiles</source>
        <translation>Flash：十二个词分块计算</translation>
    </message>
    <message>
        <source>Paged cache: three new words read ten</source>
        <translation>分页缓存：三个新词关注十个词</translation>
    </message>
    <message>
        <source>Longformer: a word beyond the window</source>
        <translation>Longformer：窗口之外的一个词</translation>
    </message>
    <message>
        <source>Linformer: twelve words pooled by threes</source>
        <translation>Linformer：十二个词每三个池化为一个</translation>
    </message>
    <message>
        <source>Performer: a flat head and a sharp one</source>
        <translation>Performer：一个平缓的头和一个尖锐的头</translation>
    </message>
    <message>
        <source>Reformer: sixteen words of four kinds</source>
        <translation>Reformer：四类共十六个词</translation>
    </message>
    <message>
        <source>Context: a cat in one paragraph, stocks in the other</source>
        <translation>上下文：一段讲猫，另一段讲股票</translation>
    </message>
    <message>
        <source>Transformer: an untrained model, two layers each</source>
        <translation>Transformer：未经训练的模型，编码器与解码器各两层</translation>
    </message>
    <message>
        <source>Patches of a picture: four words look for their colours</source>
        <translation>图像分块：四个词寻找各自的颜色</translation>
    </message>
    <message>
        <source>“it” reads all four words alike, and “sweet” among them brings its output nearer to “milk” than to “cat”</source>
        <translation>“it”均等地关注全部四个词，其中的“sweet”使它的输出更接近“milk”而不是“cat”</translation>
    </message>
    <message>
        <source>“it” reads all four words alike, and “hungry” among them brings its output nearer to “cat” than to “milk”</source>
        <translation>“it”均等地关注全部四个词，其中的“hungry”使它的输出更接近“cat”而不是“milk”</translation>
    </message>
    <message>
        <source>In head 0 every word but the first reads mostly the one before it</source>
        <translation>在头 0 中，除第一个词外，每个词都主要关注它前面的词</translation>
    </message>
    <message>
        <source>Each French word reads mostly the English word that it translates, although their order differs</source>
        <translation>每个法语词都主要关注它所翻译的英语词，尽管词序不同</translation>
    </message>
    <message>
        <source>No query of the second sentence reads keys 4 and 5: they only fill the batch up, and are masked</source>
        <translation>第二个句子的查询都不关注键 4 和 5：它们只是用来填满批次，已被屏蔽</translation>
    </message>
    <message>
        <source>“sun” gives 98% of its weight to one patch of the picture; “sky” spreads its weight over all the blue ones</source>
        <translation>“sun”把 98% 的权重给了图像的一个图块；“sky”把权重分散到所有蓝色图块</translation>
    </message>
    <message>
        <source>“maps” reads mostly “read”, in a softmax put together tile by tile; tiles above the diagonal are never read</source>
        <translation>“maps”主要关注“read”，其 softmax 逐块拼成；对角线上方的块从不读取</translation>
    </message>
    <message>
        <source>“slept” reads mostly “it”, although the words before it are scattered over the pages of a cache</source>
        <translation>“slept”主要关注“it”，尽管前面的词分散在缓存的各页中</translation>
    </message>
    <message>
        <source>“it” would read mostly “river”, but its window ends before: it reads mostly “of” instead</source>
        <translation>“it”本会主要关注“river”，但那里在窗口之外，于是它转而主要关注“of”</translation>
    </message>
    <message>
        <source>Pooled by threes, the first head still reads its neighbourhood, but the second can no longer single out words</source>
        <translation>每三个词合并之后，第一个头仍关注邻近的词，第二个头却再也分不出单个词</translation>
    </message>
    <message>
        <source>Sixty-four random features show the flat first head well and the sharp second one badly</source>
        <translation>六十四个随机特征能很好地表现平缓的第一个头，却难以表现尖锐的第二个头</translation>
    </message>
    <message>
        <source>Each word reads the other three of its kind, which the hash found without comparing all pairs</source>
        <translation>每个词关注同类的另外三个词，哈希无需比较所有词对就找到了它们</translation>
    </message>
    <message>
        <source>“It” reads “cat” the most: 26%; without the context of sentences and paragraphs it would be 12%</source>
        <translation>“It”关注最多的是“cat”，占 26%；若没有句子和段落的上下文，只占 12%</translation>
    </message>
    <message>
        <source>Nobody has trained this model: follow what its layers compute, for what a word reads here has no meaning</source>
        <translation>这个模型未经训练：请看各层怎样计算，词在这里关注什么并无意义</translation>
    </message>
    <message>
        <source>Packed: three sentences in one row</source>
        <translation>打包：一行里的三个句子</translation>
    </message>
    <message>
        <source>Without the mask of documents “she” would read mostly “Anna”, a word of another sentence</source>
        <translation>没有文档掩码，“she”会主要关注另一句中的“Anna”</translation>
    </message>
    <message>
        <source>Drafts: six words as a tree after three</source>
        <translation>草稿：三个词之后排成树的六个词</translation>
    </message>
    <message>
        <source>“mat” and “table” end two branches: each reads the three words before all drafts and its own branch, never the other one</source>
        <translation>“mat”和“table”是两个分支的末端：各自读取草稿之前的三个词和自己的分支，从不读取另一个分支</translation>
    </message>
    <message>
        <source>Neighbours: patches read the patches around them</source>
        <translation>邻域：图块读取周围的图块</translation>
    </message>
    <message>
        <source>Each patch reads a box of 3 x 3 patches; at the edge of dark and bright it reads almost only its own side</source>
        <translation>每个图块读取 3 x 3 的图块；在明暗交界处，它几乎只读取自己这一侧</translation>
    </message>
    <message>
        <source>Expression: the first key and a reach for each head</source>
        <translation>表达式：第一个键，以及每个头的读取范围</translation>
    </message>
    <message>
        <source>The heads read 2, 4 and 8 keys back, and all of them the first key: one expression of q, k and h says so</source>
        <translation>三个头分别读取最近的 2、4、8 个键，并且都读取第一个键：这由一个关于 q、k 和 h 的表达式规定</translation>
    </message>
    <message>
        <source>Delta rule: five facts, two of which change</source>
        <translation>delta 规则：五条事实，其中两条会变</translation>
    </message>
    <message>
        <source>“Anna?” reads “cola” and nothing of “tea”: the delta rule took the first drink out of the state before it wrote the second</source>
        <translation>“Anna?”只读到“cola”，完全没有“tea”：delta 规则在写入第二种饮料之前，先把第一种从状态中取了出来</translation>
    </message>
    <message>
        <source>By hand: three rows of three whole numbers</source>
        <translation>手算：三行三列的整数</translation>
    </message>
    <message>
        <source>“c” scores 2 with “a” and 1 with “b” and “c”, easy to check on paper; put your own numbers into Q, K and V</source>
        <translation>“c”对“a”的得分是 2，对“b”和“c”都是 1，便于在纸上核对；再把自己的数填入 Q、K、V</translation>
    </message>
    <message>
        <source>Sparsemax: keys without any weight</source>
        <translation>Sparsemax：权重恰为零的键</translation>
    </message>
    <message>
        <source>The scores 3, 2.5, 1 and 0 become the weights 0.75, 0.25, 0 and 0: two of four keys are not read at all</source>
        <translation>得分 3、2.5、1、0 变成权重 0.75、0.25、0、0：四个键中有两个完全不被读取</translation>
    </message>
    <message>
        <source>Forget gate: a full stop between two sentences</source>
        <translation>遗忘门：两句话之间的句号</translation>
    </message>
    <message>
        <source>“milk” scores as high with “tea” as with itself, but the gate of the full stop is nearly closed: 1% of the weight is left for “tea”</source>
        <translation>“milk”对“tea”的得分与对自己的一样高，但句号处的门几乎关上了：留给“tea”的权重只有 1%</translation>
    </message>
    <message>
        <source>Differential: one word in the noise</source>
        <translation>差分：噪声里的一个词</translation>
    </message>
    <message>
        <source>The first half gives “noon” 37% of its weight, the second 12%; with 0.8 of the second taken away, only “noon” is left above 0</source>
        <translation>第一半把 37% 的权重给了“noon”，第二半给 12%；减去第二半的 0.8 倍后，只有“noon”仍大于 0</translation>
    </message>
    <message>
        <source>Latent keys and values: two heads, one narrow cache</source>
        <translation>潜在的键和值：两个头，一份窄缓存</translation>
    </message>
    <message>
        <source>A token leaves 6 numbers in the cache, 4 of its latent row and 2 of the key that the heads share; keys and values of both heads would be 20</source>
        <translation>每个词元在缓存里只留 6 个数：潜在行 4 个，各头共用的键 2 个；若存两个头的键和值，则要 20 个</translation>
    </message>
    <message>
        <source>Top-k: three keys of eight</source>
        <translation>Top-k：八个键里留三个</translation>
    </message>
    <message>
        <source>With three keys left “sharp” loses 2% of its weight, and “flat” loses 60%</source>
        <translation>只留三个键时，“sharp”失去 2% 的权重，“flat”失去 60%</translation>
    </message>
    <message>
        <source>Native sparse: coarse, chosen and near</source>
        <translation>原生稀疏：粗读、选读和近读</translation>
    </message>
    <message>
        <source>“t19” reads the first block, its own, and that of “t8” to “t11”, which its compressed reading found important</source>
        <translation>“t19”读取第一块、自己所在的块，以及“t8”到“t11”那一块：压缩读取认为它重要</translation>
    </message>
    <message>
        <source>What “it” reads: The cat drank the milk because it was hungry</source>
        <translation>“it”关注什么：The cat drank the milk because it was hungry</translation>
    </message>
    <message>
        <source>“it” reads “cat” (74%) and hardly “milk” (4%): its query asks for something that can be hungry</source>
        <translation>“it”主要关注“cat”（74%），几乎不看“milk”（4%）：它的查询在找会饿的东西</translation>
    </message>
    <message>
        <source>sample model</source>
        <translation>示例模型</translation>
    </message>
</context>
<context>
    <name>SavePath</name>
    <message numerus="yes">
        <source>%n files are there already and will be replaced: %1</source>
        <translation>
            <numerusform>已有 %n 个同名文件，将被替换：%1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingWords</name>
    <message>
        <source>no mask</source>
        <translation>无掩码</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>缩放：%1</translation>
    </message>
    <message>
        <source>after softmax</source>
        <translation>在 softmax 之后</translation>
    </message>
    <message>
        <source>before softmax</source>
        <translation>在 softmax 之前</translation>
    </message>
    <message>
        <source>fill %1</source>
        <translation>屏蔽值 %1</translation>
    </message>
    <message>
        <source>no position</source>
        <translation>无位置</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>plus %1</source>
        <translation>加上 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>parameter, value</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>True means kept</source>
        <translation>True 表示保留</translation>
    </message>
    <message>
        <source>True means blocked</source>
        <translation>True 表示屏蔽</translation>
    </message>
    <message>
        <source>no score_mod</source>
        <translation>没有 score_mod</translation>
    </message>
    <message>
        <source>score_mod %1</source>
        <translation>score_mod：%1</translation>
    </message>
    <message>
        <source>any of: %1</source>
        <translation>任一：%1</translation>
    </message>
    <message>
        <source>%1, as %2</source>
        <comment>masks, their combination</comment>
        <translation>%1，按 %2</translation>
    </message>
    <message>
        <source>no decay</source>
        <translation>无衰减</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>weights as they are</source>
        <translation>原样的权重</translation>
    </message>
</context>
<context>
    <name>StageExport</name>
    <message numerus="yes">
        <source>Writes %n files beside each other, one for each matrix or array: %1</source>
        <translation>
            <numerusform>在同一文件夹写入 %n 个文件，每个矩阵或数组一个：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Writes one file with %n arrays; every digit is kept.</source>
        <translation>
            <numerusform>写入一个含 %n 个数组的文件，保留全部数位。</numerusform>
        </translation>
    </message>
    <message>
        <source>Writes one file; every digit is kept.</source>
        <translation>写入一个文件，保留全部数位。</translation>
    </message>
    <message>
        <source>The picture of %1</source>
        <translation>%1的图像</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Tokens as the first row and column</source>
        <translation>以词元作为首行和首列</translation>
    </message>
    <message>
        <source>The numbers of %1</source>
        <translation>%1 的数值</translation>
    </message>
    <message>
        <source>The numbers of all stages</source>
        <translation>所有阶段的数值</translation>
    </message>
    <message>
        <source>All steps, animated</source>
        <translation>所有步骤（动画）</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>头(&amp;H)</translation>
    </message>
    <message>
        <source>Mean of the heads</source>
        <translation>各头的平均</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>&amp;Stages</source>
        <translation>阶段(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Query</source>
        <translation>查询(&amp;Q)</translation>
    </message>
    <message>
        <source>All queries</source>
        <translation>所有查询</translation>
    </message>
    <message>
        <source>The &amp;answer behind the last word</source>
        <translation>最后一个词后面的回答(&amp;A)</translation>
    </message>
</context>
<context>
    <name>StageWords</name>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>query features</source>
        <translation>查询特征</translation>
    </message>
    <message>
        <source>key features</source>
        <translation>键特征</translation>
    </message>
    <message>
        <source>projected key</source>
        <translation>投影后的键</translation>
    </message>
    <message>
        <source>projected value</source>
        <translation>投影后的值</translation>
    </message>
    <message>
        <source>rotated query</source>
        <translation>旋转后的查询</translation>
    </message>
    <message>
        <source>rotated key</source>
        <translation>旋转后的键</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>context weights</source>
        <translation>上下文权重</translation>
    </message>
    <message>
        <source>context term</source>
        <translation>上下文项</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>position bias</source>
        <translation>位置偏置</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>缩放后</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>掩码后</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>屏蔽</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weights mean</source>
        <translation>平均权重</translation>
    </message>
    <message>
        <source>weights dropped</source>
        <translation>丢弃后的权重</translation>
    </message>
    <message>
        <source>implied weights</source>
        <translation>等效权重</translation>
    </message>
    <message>
        <source>local weights</source>
        <translation>局部权重</translation>
    </message>
    <message>
        <source>global weights</source>
        <translation>全局权重</translation>
    </message>
    <message>
        <source>lse</source>
        <translation>lse</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>effective keys</source>
        <translation>有效键数</translation>
    </message>
    <message>
        <source>max weight</source>
        <translation>最大权重</translation>
    </message>
    <message>
        <source>jacobian norm</source>
        <translation>雅可比范数</translation>
    </message>
    <message>
        <source>head output</source>
        <translation>各头输出</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>exact weights</source>
        <translation>精确权重</translation>
    </message>
    <message>
        <source>exact output</source>
        <translation>精确输出</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>output error</source>
        <translation>输出误差</translation>
    </message>
    <message>
        <source>tile row max</source>
        <translation>块行最大值</translation>
    </message>
    <message>
        <source>tile row sum</source>
        <translation>块行和</translation>
    </message>
    <message>
        <source>tile output</source>
        <translation>块输出</translation>
    </message>
    <message>
        <source>buckets</source>
        <translation>桶</translation>
    </message>
    <message>
        <source>key pages</source>
        <translation>键的页</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>attended</source>
        <translation>注意力结果</translation>
    </message>
    <message>
        <source>cross attended</source>
        <translation>交叉注意力结果</translation>
    </message>
    <message>
        <source>feed forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>probabilities</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自</translation>
    </message>
    <message>
        <source>cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>grad output</source>
        <translation>输出的梯度</translation>
    </message>
    <message>
        <source>grad head output</source>
        <translation>各头输出的梯度</translation>
    </message>
    <message>
        <source>grad value</source>
        <translation>值的梯度</translation>
    </message>
    <message>
        <source>grad weights</source>
        <translation>权重的梯度</translation>
    </message>
    <message>
        <source>grad masked</source>
        <translation>掩码后的梯度</translation>
    </message>
    <message>
        <source>grad scores</source>
        <translation>得分的梯度</translation>
    </message>
    <message>
        <source>grad query</source>
        <translation>查询的梯度</translation>
    </message>
    <message>
        <source>grad key</source>
        <translation>键的梯度</translation>
    </message>
    <message>
        <source>similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>state output</source>
        <translation>由状态得到的输出</translation>
    </message>
    <message>
        <source>state norm</source>
        <translation>状态的大小</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>chunk states</source>
        <translation>各块之后的状态</translation>
    </message>
    <message>
        <source>grad gate</source>
        <translation>门控的梯度</translation>
    </message>
    <message>
        <source>grad log gate</source>
        <translation>log gate 的梯度</translation>
    </message>
    <message>
        <source>grad gamma</source>
        <translation>γ 的梯度</translation>
    </message>
    <message>
        <source>grad beta</source>
        <translation>β 的梯度</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>row sum</source>
        <translation>行和</translation>
    </message>
    <message>
        <source>support</source>
        <translation>非零权重数</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>改写后</translation>
    </message>
    <message>
        <source>lambda</source>
        <translation>λ</translation>
    </message>
    <message>
        <source>c kv</source>
        <translation>潜在行</translation>
    </message>
    <message>
        <source>k rope</source>
        <translation>旋转键</translation>
    </message>
    <message>
        <source>query absorbed</source>
        <translation>吸收后的查询</translation>
    </message>
    <message>
        <source>latent output</source>
        <translation>潜在输出</translation>
    </message>
    <message>
        <source>selector scores</source>
        <translation>索引得分</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>mass lost</source>
        <translation>失去的权重</translation>
    </message>
    <message>
        <source>compressed key</source>
        <translation>压缩键</translation>
    </message>
    <message>
        <source>compressed value</source>
        <translation>压缩值</translation>
    </message>
    <message>
        <source>compressed weights</source>
        <translation>压缩权重</translation>
    </message>
    <message>
        <source>block importance</source>
        <translation>块重要性</translation>
    </message>
    <message>
        <source>selected blocks</source>
        <translation>选中的块</translation>
    </message>
    <message>
        <source>selected weights</source>
        <translation>选读权重</translation>
    </message>
    <message>
        <source>window weights</source>
        <translation>窗口权重</translation>
    </message>
    <message>
        <source>view</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>difference of %1</source>
        <translation>%1的差</translation>
    </message>
</context>
<context>
    <name>StepDrawing</name>
    <message>
        <source>%1 of %2 keys</source>
        <translation>%1 / %2 个键</translation>
    </message>
    <message>
        <source>sum so far</source>
        <translation>累加和</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>%1: weight %2</source>
        <translation>%1：权重 %2</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>因数</translation>
    </message>
    <message>
        <source>product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>Terms %1 to %2 of %3</source>
        <translation>第 %1 到 %2 项，共 %3 项</translation>
    </message>
    <message numerus="yes">
        <source>%n terms</source>
        <translation>
            <numerusform>%n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2 of %3 rows)</source>
        <translation>%1（%3 行中的 %2 行）</translation>
    </message>
    <message>
        <source>The query&apos;s entries times each key&apos;s</source>
        <translation>查询的各元素乘以每个键的对应元素</translation>
    </message>
    <message>
        <source>The terms of each key&apos;s score</source>
        <translation>每个键的得分的各项</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>目前</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Each key&apos;s weight times its value, feature by feature</source>
        <translation>每个键的权重乘以其值，逐特征列出</translation>
    </message>
    <message>
        <source>The values, feature by feature</source>
        <translation>各个值，逐特征列出</translation>
    </message>
    <message>
        <source>%1, %2: not computed yet</source>
        <comment>row, column</comment>
        <translation>%1，%2：尚未计算</translation>
    </message>
    <message>
        <source>The steps fill this table, row by row</source>
        <translation>各步会逐行填满这张表</translation>
    </message>
</context>
<context>
    <name>StepExport</name>
    <message>
        <source>Export this step</source>
        <translation>导出此步</translation>
    </message>
    <message>
        <source>The text of the step below</source>
        <translation>在下方附上此步的正文</translation>
    </message>
    <message>
        <source>A page of HTML with the board, which computes</source>
        <translation>包含展示板、可计算的 HTML 网页</translation>
    </message>
</context>
<context>
    <name>StepWords</name>
    <message>
        <source>Every key of this row is blocked, so −∞ stands everywhere.</source>
        <translation>该行的所有键都被屏蔽，因此全是 −∞。</translation>
    </message>
    <message>
        <source>Every key of this row is blocked, but the fill is finite: the softmax will still find a largest.</source>
        <translation>该行的所有键都被屏蔽，但屏蔽值是有限数：softmax 仍会找到一个最大值。</translation>
    </message>
    <message>
        <source>The mask blocks no key of this row.</source>
        <translation>掩码没有屏蔽该行的任何键。</translation>
    </message>
    <message>
        <source>%1 may not be read: its score becomes %2. Blocked keys in this row: %3 of %4.</source>
        <translation>%1 不可关注：其得分变为 %2。该行的 %4 个键中屏蔽了 %3 个。</translation>
    </message>
    <message>
        <source>%1 may be read: its score stays. Blocked keys in this row: %2 of %3.</source>
        <translation>%1 可以关注：其得分不变。该行的 %3 个键中屏蔽了 %2 个。</translation>
    </message>
    <message>
        <source>The scale comes after the softmax here (%1): the row need not sum to 1 any more.</source>
        <translation>这里的缩放在 softmax 之后（%1）：各行之和不再一定是 1。</translation>
    </message>
    <message>
        <source>This mechanism makes its output by a schedule of its own, not as one sum of weights times values.</source>
        <translation>该机制按自己的次序计算输出，并不是把权重与值相乘后一次求和。</translation>
    </message>
    <message>
        <source>The value of %1 times its weight %2 is added to the output of %3.</source>
        <translation>%1 的值乘以其权重 %2，加到 %3 的输出上。</translation>
    </message>
    <message>
        <source>All weights are 0, so the output of %1 is 0.</source>
        <translation>所有权重都是 0，因此 %1 的输出为 0。</translation>
    </message>
    <message>
        <source>Each value times its weight, added up, is the output of %1.</source>
        <translation>每个值乘以其权重，加起来就是 %1 的输出。</translation>
    </message>
    <message>
        <source>The terms of the score of query %1 and key %2.</source>
        <translation>查询 %1 与键 %2 的得分的各项。</translation>
    </message>
    <message>
        <source>Added up, the terms are the score of %1 and %2. Every key of the row has one.</source>
        <translation>各项加起来，就是 %1 与 %2 的得分。该行的每个键都有一个得分。</translation>
    </message>
    <message>
        <source>The scores stay as they are.</source>
        <translation>得分保持不变。</translation>
    </message>
    <message>
        <source>Where query and key stand adds to the score.</source>
        <translation>得分还要加上一个由查询和键的位置决定的数。</translation>
    </message>
    <message>
        <source>The mask adds a number to each score instead of blocking keys.</source>
        <translation>掩码给每个得分加上一个数，而不是屏蔽键。</translation>
    </message>
    <message>
        <source>A score of this row is NaN, and so is everything that follows.</source>
        <translation>该行有一个得分是 NaN，因此后面的一切也都是 NaN。</translation>
    </message>
    <message>
        <source>The largest score, %1, is taken from all: no exponential can overflow then, and the weights stay the same.</source>
        <translation>所有得分都减去最大的得分 %1：这样指数不会溢出，权重也不变。</translation>
    </message>
    <message>
        <source>Exponentials are positive: the largest score gives 1, smaller ones less, −∞ gives 0.</source>
        <translation>指数都是正数：最大的得分对应 1，得分越小指数越小，−∞ 对应 0。</translation>
    </message>
    <message>
        <source>The exponentials are added up key by key: %1 is the last so far.</source>
        <translation>指数逐键累加：目前已加到 %1。</translation>
    </message>
    <message>
        <source>The sum of the row&apos;s exponentials.</source>
        <translation>该行各指数之和。</translation>
    </message>
    <message>
        <source>Each exponential over their sum is the key&apos;s share: the row sums to 1.</source>
        <translation>每个指数除以它们的总和，就是该键的份额：各行之和为 1。</translation>
    </message>
    <message>
        <source>%1 is a key that the mechanism itself appends; masks let it through.</source>
        <translation>%1 是机制自己附加的键；任何掩码都不会屏蔽它。</translation>
    </message>
    <message numerus="yes">
        <source>Groups of %n query heads share keys and values.</source>
        <translation>
            <numerusform>每 %n 个查询头为一组，共用键和值。</numerusform>
        </translation>
    </message>
    <message>
        <source>products</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>+ position</source>
        <translation>+ 位置</translation>
    </message>
    <message>
        <source>+ bias</source>
        <translation>+ 偏置</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>− row max</source>
        <translation>− 行最大值</translation>
    </message>
    <message>
        <source>exp</source>
        <translation>指数 exp</translation>
    </message>
    <message>
        <source>row sum</source>
        <translation>行和</translation>
    </message>
    <message>
        <source>÷ row sum</source>
        <translation>÷ 行和</translation>
    </message>
    <message>
        <source>× values</source>
        <translation>× 值</translation>
    </message>
    <message>
        <source>%1, so far %2</source>
        <comment>a product and the running sum</comment>
        <translation>%1，累加得 %2</translation>
    </message>
    <message>
        <source>%1 × value of %2</source>
        <translation>%1 × %2 的值</translation>
    </message>
    <message>
        <source>The weights are rounded to %1 here (%2): the row need not sum to 1 any more.</source>
        <translation>这里的权重舍入为 %1（%2）：各行之和不再一定是 1。</translation>
    </message>
    <message>
        <source>%1 + %2 of no key</source>
        <comment>a sum of numbers and one more</comment>
        <translation>%1 + 不属于任何键的 %2</translation>
    </message>
    <message>
        <source>−∞ − (−∞) is not a number, so there is no softmax: the weights of a row with every key blocked are 0.</source>
        <translation>−∞ − (−∞) 不是数，因此没有 softmax：所有键都被屏蔽的行，权重为 0。</translation>
    </message>
    <message>
        <source>This mechanism&apos;s weights are not a single softmax over the row: %1.</source>
        <translation>该机制的权重不是对整行做一次 softmax 得到的：%1。</translation>
    </message>
    <message>
        <source>Differences between the scores become %1 times as large.</source>
        <translation>得分之间的差变为原来的 %1 倍。</translation>
    </message>
    <message>
        <source>Differences between the scores become %1 times as large and change sign: the largest score is now the smallest.</source>
        <translation>得分之间的差变为原来的 %1 倍，正负也反了过来：原来最大的得分现在最小。</translation>
    </message>
    <message>
        <source>After scaling, the scores of this row lie between %1 and %2.</source>
        <translation>缩放后，这一行的得分在 %1 和 %2 之间。</translation>
    </message>
    <message>
        <source>Query %1 and key %2, entry by entry: each product is what the two numbers add to the score.</source>
        <translation>查询 %1 和键 %2 逐项相乘：每个乘积就是这两个数对得分的贡献。</translation>
    </message>
    <message>
        <source>The score of %1 and %2 is not a sum of terms; this is what the mechanism gives.</source>
        <translation>%1 与 %2 的得分不是各项之和；这是该机制给出的数。</translation>
    </message>
    <message>
        <source>Dropout sets %1 of %2 weights to 0. The others become %3 times as large, so that their mean stays.</source>
        <translation>dropout 把 %2 个权重中的 %1 个置为 0，其余放大到 %3 倍，使均值不变。</translation>
    </message>
    <message>
        <source>Dropout sets %1 of %2 weights to 0.</source>
        <translation>dropout 把 %2 个权重中的 %1 个置为 0。</translation>
    </message>
    <message>
        <source>A score of this row is ∞, and ∞ − ∞ is not a number: everything that follows is NaN.</source>
        <translation>这一行有一个得分是 ∞，而 ∞ − ∞ 不是数，之后的一切都是 NaN。</translation>
    </message>
    <message>
        <source>Each exponential over their sum is the key&apos;s share: the keys get %1, no key the rest.</source>
        <translation>每个指数除以总和，就是这个键的份额：所有键共得 %1，其余不归任何键。</translation>
    </message>
    <message>
        <source>An expression of the score and of the places of query and key replaces the score.</source>
        <translation>分数由一个关于分数以及查询和键位置的表达式替换。</translation>
    </message>
    <message>
        <source>The decay multiplies each weight, so that far keys keep less. The row sums to %1.</source>
        <translation>衰减乘到每个权重上，越远的键剩得越少。这一行之和为 %1。</translation>
    </message>
</context>
<context>
    <name>TileWalkDescription</name>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>待读取</translation>
    </message>
    <message>
        <source>skipped: all blocked</source>
        <translation>已跳过：全部被屏蔽</translation>
    </message>
    <message>
        <source>Row %1 has read no open cell yet.</source>
        <translation>行 %1 尚未读到未被屏蔽的单元格。</translation>
    </message>
    <message>
        <source>Row %1 reads its first scores: its maximum is %2, and nothing was summed before.</source>
        <translation>行 %1 读取第一批得分：最大值为 %2，此前没有累加任何内容。</translation>
    </message>
    <message>
        <source>The maximum of row %1 rises from %2 to %3, so what was summed before is multiplied by %4.</source>
        <translation>行 %1 的最大值从 %2 升至 %3，因此此前的累加结果乘以 %4。</translation>
    </message>
    <message>
        <source>The maximum of row %1 stays at %2, so what was summed before stays as it is.</source>
        <translation>行 %1 的最大值保持为 %2，因此此前的累加结果不变。</translation>
    </message>
    <message>
        <source>No maximum rises, so what was summed before stays as it is.</source>
        <translation>没有任何最大值上升，因此此前的累加结果不变。</translation>
    </message>
    <message>
        <source>Every cell is blocked: no tile is read.</source>
        <translation>所有单元格都被屏蔽：不读取任何块。</translation>
    </message>
    <message>
        <source>Tile %1 of %2: queries %3 × keys %4.</source>
        <translation>第 %1 块，共 %2 块：查询 %3 × 键 %4。</translation>
    </message>
    <message>
        <source>Tiles skipped before it, as all their cells are blocked: %1.</source>
        <translation>在它之前因所有单元格都被屏蔽而跳过的块：%1。</translation>
    </message>
    <message>
        <source>These rows are complete: divided by ℓ they are the output.</source>
        <translation>这些行已完成：除以 ℓ 即为输出。</translation>
    </message>
</context>
<context>
    <name>TileWalkDrawing</name>
    <message>
        <source>rescale</source>
        <translation>重新缩放</translation>
    </message>
    <message>
        <source>%1 → %2: %3
Tile: %4</source>
        <translation>%1 → %2：%3
块：%4</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>Q of %1, feature %2: %3</source>
        <translation>%1 的 Q，特征 %2：%3</translation>
    </message>
    <message>
        <source>K of %1, feature %2: %3</source>
        <translation>%1 的 K，特征 %2：%3</translation>
    </message>
    <message>
        <source>m of %1, the running maximum: %2</source>
        <translation>%1 的 m，即当前最大值：%2</translation>
    </message>
    <message>
        <source>Sums of %1 before this tile are multiplied by exp(m before − m) = %2</source>
        <translation>%1 在此块之前的各累加和乘以 exp(先前的 m − m) = %2</translation>
    </message>
    <message>
        <source>%1, feature %2, %3: %4</source>
        <translation>%1，特征 %2，%3：%4</translation>
    </message>
    <message>
        <source>%1, %2: not computed yet</source>
        <comment>row, column</comment>
        <translation>%1，%2：尚未计算</translation>
    </message>
    <message>
        <source>output, divided by ℓ</source>
        <translation>输出（已除以 ℓ）</translation>
    </message>
    <message>
        <source>output, not yet divided by ℓ</source>
        <translation>输出（尚未除以 ℓ）</translation>
    </message>
    <message>
        <source>ℓ of %1, the running sum: %2</source>
        <translation>%1 的 ℓ，即当前累加和：%2</translation>
    </message>
</context>
<context>
    <name>WebPageExport</name>
    <message>
        <source>Writes one file that opens in any browser, without a network: heatmaps, lines and numbers.</source>
        <translation>写出一个文件，可在任何浏览器中离线打开：热图、连线和数字。</translation>
    </message>
    <message>
        <source>Every number exact, also if the file becomes larger than 300 kB</source>
        <translation>所有数字都精确，即使文件超过 300 kB</translation>
    </message>
    <message>
        <source>A page of HTML with all heads of %1</source>
        <translation>包含 %1 所有头的 HTML 网页</translation>
    </message>
    <message>
        <source>A page of HTML with the map</source>
        <translation>包含整张图的 HTML 网页</translation>
    </message>
    <message>
        <source>A page of HTML with all heads of all layers</source>
        <translation>包含所有层所有头的 HTML 网页</translation>
    </message>
    <message>
        <source>Writes one file that computes in any browser, without a network: a reader changes numbers and settings.</source>
        <translation>写出一个文件，在任何浏览器中都能计算，无需网络：读者可以修改数字和设置。</translation>
    </message>
    <message>
        <source>A page of HTML that computes</source>
        <translation>可计算的 HTML 网页</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::AnimationPage</name>
    <message numerus="yes">
        <source>%n steps, %1 seconds</source>
        <translation>
            <numerusform>%n 步，%1 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>Time a step</source>
        <translation>每步时长</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>起始步</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>结束步</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环播放</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::AnswerChip</name>
    <message>
        <source>The answer is now %1, and was %2</source>
        <translation>现在的回答是 %1，之前是 %2</translation>
    </message>
    <message>
        <source>The answer is %1</source>
        <translation>回答是 %1</translation>
    </message>
    <message>
        <source>Click to add it to the text</source>
        <translation>单击即把它加到文本末尾</translation>
    </message>
    <message>
        <source>The model is unsure; the likeliest is %1, %2</source>
        <translation>模型没有把握；最可能的是 %1，%2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::AnswersView</name>
    <message>
        <source>The model gives no answer</source>
        <translation>模型没有给出回答</translation>
    </message>
    <message>
        <source>Computing the layers…</source>
        <translation>正在计算各层……</translation>
    </message>
    <message>
        <source>Hiding one word at a time…</source>
        <translation>正在逐个隐藏词…</translation>
    </message>
    <message>
        <source>Probabilities after each layer</source>
        <translation>每层之后的概率</translation>
    </message>
    <message>
        <source>Probabilities while no attention reads the word</source>
        <translation>任何注意力都读不到该词时的概率</translation>
    </message>
    <message>
        <source>One word at a time is hidden: %1%</source>
        <translation>正在逐个隐藏词：%1%</translation>
    </message>
    <message>
        <source>%1 · layers without attention still read it</source>
        <translation>%1 · 没有注意力的层仍能读到它</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ArcsView</name>
    <message>
        <source>Lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Grey: the other words · %1</source>
        <translation>灰色：其他词语 · %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Arithmetic</name>
    <message>
        <source>blocked</source>
        <translation>屏蔽</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>blocked (%1 &gt; %2)</source>
        <translation>屏蔽（%1 &gt; %2）</translation>
    </message>
    <message>
        <source>kept (%1 ≤ %2)</source>
        <translation>保留（%1 ≤ %2）</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Every key of this row is blocked, so all its weights are 0.</source>
        <translation>该行的所有键都被屏蔽，因此权重全为 0。</translation>
    </message>
    <message>
        <source>− row max</source>
        <translation>− 行最大值</translation>
    </message>
    <message>
        <source>exp</source>
        <translation>指数 exp</translation>
    </message>
    <message>
        <source>÷ row Σ</source>
        <translation>÷ 行和 Σ</translation>
    </message>
    <message>
        <source>row sums to</source>
        <translation>行的和</translation>
    </message>
    <message>
        <source>head %1: %2</source>
        <translation>头 %1：%2</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message numerus="yes">
        <source>%1 … and %n more</source>
        <comment>addends of a sum</comment>
        <translation>
            <numerusform>%1 …… 另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>A score of this row is NaN or +∞, so all its weights are NaN.</source>
        <translation>这一行中有得分为 NaN 或 +∞，因此所有权重都是 NaN。</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>none</source>
        <comment>a mask</comment>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ArithmeticView</name>
    <message>
        <source>Arithmetic of the cell</source>
        <translation>单元格的算式</translation>
    </message>
    <message>
        <source>Arithmetic of the cell: %1</source>
        <translation>单元格的算式：%1</translation>
    </message>
    <message>
        <source>Arithmetic of a cell</source>
        <translation>单元格的算式</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Go from line to line</source>
        <translation>逐行移动</translation>
    </message>
    <message>
        <source>Space, Enter</source>
        <translation>空格、回车</translation>
    </message>
    <message>
        <source>Show every term of a long sum</source>
        <translation>显示长和式的每一项</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ArrayFiles</name>
    <message>
        <source>Arrays (%1);;All files (*)</source>
        <translation>数组 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open an array as %1</source>
        <translation>打开数组作为 %1</translation>
    </message>
    <message>
        <source>Open an array</source>
        <translation>打开数组</translation>
    </message>
    <message>
        <source>Compare with the arrays of a file</source>
        <translation>与文件中的数组比较</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Arrays (%1)</source>
        <translation>数组 (%1)</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ArrayPicker</name>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Axes of query, key and value</source>
        <translation>查询、键和值的轴</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Read as</source>
        <translation>读作</translation>
    </message>
    <message>
        <source>Arrays of the files</source>
        <translation>文件中的数组</translation>
    </message>
    <message>
        <source>What %1 is</source>
        <translation>%1 是什么</translation>
    </message>
    <message>
        <source>by its name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>The first numbers of the chosen array</source>
        <translation>所选数组的开头几个数</translation>
    </message>
    <message>
        <source>Number of heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Opens as %1 (%2), with %3 arrays used and %4 not used</source>
        <translation>将作为 %1（%2）打开，使用 %3 个数组，不使用 %4 个</translation>
    </message>
    <message>
        <source>Random numbers stand in for %1, which the files lack</source>
        <translation>文件中没有 %1，以随机数代替</translation>
    </message>
    <message>
        <source>by its name: %1</source>
        <translation>按名称：%1</translation>
    </message>
    <message>
        <source>Key heads</source>
        <translation>键头数</translation>
    </message>
    <message>
        <source>Number of key heads</source>
        <translation>键头的数量</translation>
    </message>
    <message>
        <source>as the files have it</source>
        <translation>依文件而定</translation>
    </message>
    <message>
        <source>%1: changes nothing for these arrays</source>
        <translation>%1：对这些数组没有作用</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Match the arrays</source>
        <translation>匹配数组</translation>
    </message>
    <message>
        <source>guess from the number of axes: (B, H, L, E), (B, L, E), (L, E)</source>
        <translation>依轴数猜测：(B, H, L, E)、(B, L, E)、(L, E)</translation>
    </message>
    <message>
        <source>ignored (by its name)</source>
        <translation>忽略（依名称）</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ArrowsBoard</name>
    <message>
        <source>Drag the tips of arrows. With Shift, all arrows of a kind move together.</source>
        <translation>拖动箭头的尖端。按住 Shift，同类的箭头一起移动。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ArrowsCanvas</name>
    <message>
        <source>Queries, keys and values as arrows</source>
        <translation>以箭头表示的查询、键和值</translation>
    </message>
    <message>
        <source>Arrows of a head</source>
        <translation>一个头的箭头</translation>
    </message>
    <message>
        <source>Enter, Shift + Enter</source>
        <translation>回车、Shift + 回车</translation>
    </message>
    <message>
        <source>Next or previous arrow</source>
        <translation>下一个或上一个箭头</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move the arrow; with Shift all of its kind</source>
        <translation>移动箭头；按住 Shift 移动所有同类箭头</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BackgroundRead</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BarChart</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>已屏蔽</translation>
    </message>
    <message numerus="yes">
        <source>%n smaller not shown</source>
        <translation>
            <numerusform>另有 %n 个较小的未显示</numerusform>
        </translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>条形图</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Go from bar to bar</source>
        <translation>逐条移动</translation>
    </message>
    <message>
        <source>Enter, Space</source>
        <translation>回车、空格</translation>
    </message>
    <message>
        <source>Choose the bar</source>
        <translation>选择该条</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BlankScreen</name>
    <message>
        <source>The screen is black. Any key shows it again.</source>
        <translation>屏幕已变黑。按任意键恢复。</translation>
    </message>
    <message>
        <source>Black screen</source>
        <translation>黑屏</translation>
    </message>
    <message>
        <source>Any key</source>
        <translation>任意键</translation>
    </message>
    <message>
        <source>Show the slide again</source>
        <translation>恢复显示</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BoardCover</name>
    <message>
        <source>Open without an answer</source>
        <translation>不作答，直接揭开</translation>
    </message>
    <message>
        <source>Predict first: the right answer shows what is covered.</source>
        <translation>先预测：答对后显示被遮住的部分。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BoardForm</name>
    <message>
        <source>Board</source>
        <translation>实验板</translation>
    </message>
    <message>
        <source>The reader may change:</source>
        <translation>读者可以更改：</translation>
    </message>
    <message>
        <source>The reader may change: %1</source>
        <translation>读者可以更改：%1</translation>
    </message>
    <message>
        <source>Words beside the card %1</source>
        <translation>卡片 %1 旁的文字</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BoardPage</name>
    <message>
        <source>◂ Lessons</source>
        <translation>◂ 课程</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>所有课程</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Full screen with larger type. J jumps to a step or lab, B blanks the screen, F6 opens the presenter view, Escape leaves.</source>
        <translation>全屏显示，字号更大。J 跳到某一步或实验，B 黑屏，F6 打开演示者视图，Esc 退出。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::BucketSortView</name>
    <message>
        <source>Round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>桶</translation>
    </message>
    <message>
        <source>Buckets · head %1</source>
        <translation>桶 · 头 %1</translation>
    </message>
    <message>
        <source>Round %1 of %2 puts %3 tokens into %4 of %5 buckets. A token reads those that share a bucket with it in any round: %6 of %7 pairs.</source>
        <translation>第 %1 轮（共 %2 轮）把 %3 个词元分入 %5 个桶中的 %4 个。词元关注任一轮中与它同桶的词元：%7 对中的 %6 对。</translation>
    </message>
    <message>
        <source>Round of hashing</source>
        <translation>哈希轮次</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CacheControls</name>
    <message>
        <source>groups</source>
        <translation>组数</translation>
    </message>
    <message>
        <source>Groups of heads that share keys and values</source>
        <translation>共用键和值的头的组数</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Tokens in the cache of each reader</source>
        <translation>每个用户的缓存中的词元数</translation>
    </message>
    <message>
        <source>readers</source>
        <translation>用户数</translation>
    </message>
    <message>
        <source>Texts that are written at once</source>
        <translation>同时生成的文本数</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CardControls</name>
    <message>
        <source>“%1” cannot fill blocked cells: expected a finite number or −∞.</source>
        <translation>“%1”不能用来填充被屏蔽的单元格：应为有限数或 −∞。</translation>
    </message>
    <message>
        <source>Scale of this card</source>
        <translation>该卡片的缩放</translation>
    </message>
    <message>
        <source>Masks of this card</source>
        <translation>该卡片的掩码</translation>
    </message>
    <message>
        <source>becomes</source>
        <translation>变为</translation>
    </message>
    <message>
        <source>plus</source>
        <translation>加上</translation>
    </message>
    <message>
        <source>How the fill enters blocked scores</source>
        <translation>屏蔽值如何作用于被屏蔽的得分</translation>
    </message>
    <message>
        <source>Fill of blocked cells</source>
        <translation>被屏蔽单元格的屏蔽值</translation>
    </message>
    <message>
        <source>−∞, or any other number: −1e9 and −1e6 are found in textbooks.</source>
        <translation>−∞ 或其他任意数：教科书中常见 −1e9 和 −1e6。</translation>
    </message>
    <message>
        <source>Precision of the numbers</source>
        <translation>数值精度</translation>
    </message>
    <message>
        <source>Remove this card</source>
        <translation>移除该卡片</translation>
    </message>
    <message>
        <source>float32 rounds scores, mask, softmax and output as most programs do; float16 and bfloat16 round every stage, as models in half precision do.</source>
        <translation>float32 像多数程序那样对得分、掩码、softmax 和输出舍入；float16 和 bfloat16 像半精度模型那样对每个阶段舍入。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CardsArea</name>
    <message>
        <source>Cards</source>
        <translation>卡片</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CardsBoard</name>
    <message>
        <source>What has no room here; M</source>
        <translation>显示放不下的内容（M 键）</translation>
    </message>
    <message>
        <source>More: %1 of %2 ▸</source>
        <comment>page of a board</comment>
        <translation>更多：%1/%2 ▸</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>调节项</translation>
    </message>
    <message>
        <source>Show or hide what can be changed on this board</source>
        <translation>显示或隐藏可在这里改动的设置</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>title of the curves, what they show</comment>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CellCard</name>
    <message>
        <source>Cell</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>Copy the arithmetic</source>
        <translation>复制算式</translation>
    </message>
    <message>
        <source>The number %1</source>
        <translation>数值 %1</translation>
    </message>
    <message>
        <source>Point at a cell to see its arithmetic. Click or press Enter to keep it.</source>
        <translation>指向单元格即可查看它的算式；单击或按回车可保持显示。</translation>
    </message>
    <message>
        <source>Why this weight?</source>
        <translation>这个权重怎么来的？</translation>
    </message>
    <message>
        <source>Why %1?</source>
        <translation>%1 怎么来的？</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CentrePages</name>
    <message>
        <source>Pages of the centre</source>
        <translation>中央区域的页面</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CheckAnswerDialog</name>
    <message>
        <source>Wrong: %1, expected %2</source>
        <translation>错误：%1，应为 %2</translation>
    </message>
    <message>
        <source>Right: %1, computed %2</source>
        <translation>正确：%1，计算值为 %2</translation>
    </message>
    <message>
        <source>&amp;Stage</source>
        <translation>阶段(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Tolerance</source>
        <translation>容差(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Your answer</source>
        <translation>您的答案(&amp;Y)</translation>
    </message>
    <message>
        <source>Check my answer</source>
        <translation>检查我的答案</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>您的答案</translation>
    </message>
    <message>
        <source>Paste or type a matrix, in any of these forms:</source>
        <translation>粘贴或输入一个矩阵，以下形式都可以：</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>A cell is right if |given − exact| ≤ T + T |exact|</source>
        <translation>若 |所给值 − 精确值| ≤ T + T |精确值|，则该单元格正确</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>打开文件(&amp;O)…</translation>
    </message>
    <message>
        <source>Arrays, tables, lists, LaTeX or Markdown</source>
        <translation>数组、表格、列表、LaTeX 或 Markdown</translation>
    </message>
    <message>
        <source>Batch and head</source>
        <translation>批次与头</translation>
    </message>
    <message>
        <source>Cells of your answer</source>
        <translation>您的答案的各单元格</translation>
    </message>
    <message>
        <source>Shows your answer, the stage and their difference in the window</source>
        <translation>在窗口中显示您的答案、该阶段以及两者之差</translation>
    </message>
    <message>
        <source>Open an answer</source>
        <translation>打开答案</translation>
    </message>
    <message>
        <source>Reason: %1.</source>
        <translation>原因：%1。</translation>
    </message>
    <message>
        <source>Every cell agrees with this mistake: %1.</source>
        <translation>每个单元格都与这种错误一致：%1。</translation>
    </message>
    <message>
        <source>No known mistake gives the whole matrix.</source>
        <translation>没有哪种已知错误能得出整个矩阵。</translation>
    </message>
    <message>
        <source>All cells are right: %1.</source>
        <translation>全部单元格都正确：%1 个。</translation>
    </message>
    <message>
        <source>%1 of %2 cells are right; ✗ marks the wrong ones.</source>
        <translation>%2 个单元格中有 %1 个正确；错误的标有 ✗。</translation>
    </message>
    <message>
        <source>Sho&amp;w beside the stage</source>
        <translation>与该阶段并排显示(&amp;W)</translation>
    </message>
    <message>
        <source>%1 alone is %2.</source>
        <translation>若只给“%1”，应为 %2。</translation>
    </message>
    <message>
        <source>A matrix is rows of numbers alone, such as [[0.5, 0.5], [0.25, 0.75]].</source>
        <translation>矩阵只由一行行的数组成，例如 [[0.5, 0.5], [0.25, 0.75]]。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ChecksForm</name>
    <message>
        <source>True whatever the reader changes, one statement a line</source>
        <translation>无论读者怎样更改都成立的断言，每行一条</translation>
    </message>
    <message>
        <source>True of the step as it opens</source>
        <translation>这一步打开时成立的断言</translation>
    </message>
    <message>
        <source>Write down what your text says about numbers, as expressions. The engine tests them.</source>
        <translation>把正文中关于数值的说法写成表达式，由引擎检验。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CoachMarks</name>
    <message>
        <source>What a word reads</source>
        <translation>一个词关注什么</translation>
    </message>
    <message>
        <source>Click a word. Arcs show which words it reads, and the box beside them says it. A double click changes the word.</source>
        <translation>单击一个词。弧线显示它关注哪些词，旁边的框用文字说明。双击可以改这个词。</translation>
    </message>
    <message>
        <source>From scores to output</source>
        <translation>从分数到输出</translation>
    </message>
    <message>
        <source>Each picture is one stage of the computation: click one to see it large. Click ÷ √d to change the scale by a slider, and watch the weights.</source>
        <translation>每幅小图是计算的一个阶段：单击就能放大查看。单击 ÷ √d，用滑块改变缩放，看权重如何变化。</translation>
    </message>
    <message>
        <source>Who reads whom</source>
        <translation>谁关注谁</translation>
    </message>
    <message>
        <source>A row is a word that reads, a column a word that is read. Point at a cell for its number; click it to keep it.</source>
        <translation>一行是正在看的词，一列是被看的词。指向单元格看它的数值，单击则固定。</translation>
    </message>
    <message>
        <source>Why this number?</source>
        <translation>这个数从何而来？</translation>
    </message>
    <message>
        <source>The arithmetic of the chosen cell, line by line, and below it all that the word reads.</source>
        <translation>所选单元格的算式，逐行列出；下面是这个词关注的所有内容。</translation>
    </message>
    <message>
        <source>Several heads</source>
        <translation>多个头</translation>
    </message>
    <message>
        <source>Each head reads in its own way, and says how in two words. The average hides the differences.</source>
        <translation>每个头各有关注方式，旁边用两个词概括。平均会掩盖差异。</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>导航</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左方向键</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>title: text</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Model shows a trained model and which of its heads matter. Lessons explain step by step. The name above opens more samples, and Inputs has every number. Ctrl+K finds anything.</source>
        <translation>“模型”显示训练好的模型，以及其中哪些头重要。“课程”逐步讲解。上方的名称可打开更多示例，“输入”中有每一个数。按 Ctrl+K 可查找一切。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ColorLegend</name>
    <message>
        <source>Colours of %1, from %2 to %3</source>
        <translation>%1 的颜色，从 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ColorsButton</name>
    <message>
        <source>Colours: map, logarithm and range</source>
        <translation>颜色：色图、对数与范围</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Colours: %1</source>
        <translation>颜色：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CombinationForm</name>
    <message>
        <source>Keep a cell</source>
        <translation>保留单元格</translation>
    </message>
    <message>
        <source>Score becomes</source>
        <translation>分数变为</translation>
    </message>
    <message>
        <source>if all keep it</source>
        <translation>全部保留时</translation>
    </message>
    <message>
        <source>if any keeps it</source>
        <translation>任一保留时</translation>
    </message>
    <message>
        <source>by an expression</source>
        <translation>按表达式</translation>
    </message>
    <message>
        <source>How masks are combined</source>
        <translation>掩码的组合方式</translation>
    </message>
    <message>
        <source>Masks block together: a cell is kept if all keep it, if any keeps it, or by an expression of their names.</source>
        <translation>掩码共同遮挡：单元格在全部掩码保留时保留、在任一掩码保留时保留，或由掩码名称的表达式决定。</translation>
    </message>
    <message>
        <source>Combination of masks</source>
        <translation>掩码的组合</translation>
    </message>
    <message>
        <source>An expression of the masks with and, or, not and brackets: causal and (window or not prefix). A second window is window_2.</source>
        <translation>用 and、or、not 和括号写成的掩码表达式：causal and (window or not prefix)。第二个窗口是 window_2。</translation>
    </message>
    <message>
        <source>score_mod</source>
        <translation>score_mod</translation>
    </message>
    <message>
        <source>A number that replaces each scaled score before the masks, as score_mod of FlexAttention. score, b, h, q, k: the score, batch, head, query and key; -inf blocks a cell.</source>
        <translation>在掩码之前替换每个缩放后分数的数，与 FlexAttention 的 score_mod 相同。score、b、h、q、k：分数、批次、头、查询和键；-inf 遮挡单元格。</translation>
    </message>
    <message>
        <source>Combine masks by “%1”</source>
        <translation>按“%1”组合掩码</translation>
    </message>
    <message>
        <source>Remove score_mod</source>
        <translation>去掉 score_mod</translation>
    </message>
    <message>
        <source>score_mod “%1”</source>
        <translation>score_mod “%1”</translation>
    </message>
    <message>
        <source>Keep cells that all masks keep</source>
        <translation>保留全部掩码都保留的单元格</translation>
    </message>
    <message>
        <source>Keep cells that any mask keeps</source>
        <translation>保留任一掩码保留的单元格</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CommandPalette</name>
    <message>
        <source>%1: %2</source>
        <comment>menu: its entry</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>What this token reads</source>
        <translation>此词元关注什么</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Mechanisms</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找任何内容</translation>
    </message>
    <message>
        <source>Find actions, samples, mechanisms, lessons, heads and words</source>
        <translation>查找操作、示例、机制、课程、头和词</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Nothing has these words</source>
        <translation>没有包含这些词的内容</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Commands</name>
    <message>
        <source>Exported: %1</source>
        <translation>已导出：%1</translation>
    </message>
    <message>
        <source>Setting B from %1</source>
        <translation>来自 %1 的设置 B</translation>
    </message>
    <message>
        <source>The result is still being computed: there is nothing to take along yet.</source>
        <translation>结果仍在计算，还没有可以带走的内容。</translation>
    </message>
    <message>
        <source>What is on show is out of date, and is not exported or copied.</source>
        <translation>显示的内容已过时，不能导出或复制。</translation>
    </message>
    <message>
        <source>Undone: %1</source>
        <translation>已撤销：%1</translation>
    </message>
    <message>
        <source>Done again: %1</source>
        <translation>已重做：%1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销：%1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做：%1(&amp;R)</translation>
    </message>
    <message>
        <source>This page has no picture to print.</source>
        <translation>这一页没有可打印的图。</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>Watch a file</source>
        <translation>监视文件</translation>
    </message>
    <message>
        <source>This page has nothing to export.</source>
        <translation>此页没有可导出的内容。</translation>
    </message>
    <message>
        <source>No divider is in sight</source>
        <translation>没有可见的分隔条</translation>
    </message>
    <message>
        <source>This map is incomplete, since its computation was cancelled: it is not exported or copied.</source>
        <translation>该地图的计算已取消，因此不完整，不能导出或复制。</translation>
    </message>
    <message>
        <source>Compute the map</source>
        <translation>计算地图</translation>
    </message>
    <message>
        <source>Arrange the keys as an image</source>
        <translation>把键排成图像</translation>
    </message>
    <message>
        <source>%1 is not a saved workspace: it has no setting to compare with</source>
        <translation>%1 不是保存的工作区：其中没有可比较的设置</translation>
    </message>
    <message>
        <source>There are no stages to check an answer by: nothing is computed, or the result is a map or out of date.</source>
        <translation>没有可以用来检查答案的阶段：尚未计算，或者结果是地图或已过时。</translation>
    </message>
    <message>
        <source>your answer</source>
        <translation>您的答案</translation>
    </message>
    <message>
        <source>There is no result of the model yet.</source>
        <translation>模型还没有结果。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CompareControls</name>
    <message>
        <source>Masks of setting B</source>
        <translation>设置 B 的掩码</translation>
    </message>
    <message>
        <source>Rounds what setting B computes to the numbers of a narrower type</source>
        <translation>把设置 B 的计算结果舍入为较窄类型的数值</translation>
    </message>
    <message>
        <source>Numbers of setting B</source>
        <translation>设置 B 的数值</translation>
    </message>
    <message>
        <source>Setting B</source>
        <translation>设置 B</translation>
    </message>
    <message>
        <source>Swap</source>
        <comment>A and B</comment>
        <translation>交换</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B · %1</translation>
    </message>
    <message>
        <source>Change mechanism, scale and position of setting B</source>
        <translation>更改设置 B 的机制、缩放和位置</translation>
    </message>
    <message>
        <source>B: as A</source>
        <translation>B：与 A 相同</translation>
    </message>
    <message>
        <source>B masks: %1</source>
        <translation>B 掩码：%1</translation>
    </message>
    <message>
        <source>B numbers: %1</source>
        <translation>B 的数值：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CompareNumbers</name>
    <message numerus="yes">
        <source>∞ in %n rows</source>
        <translation>
            <numerusform>%n 行为 ∞</numerusform>
        </translation>
    </message>
    <message>
        <source>mean of the rows</source>
        <translation>各行平均</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n cells left out</source>
        <translation>
            <numerusform>%n 个单元格未计入</numerusform>
        </translation>
    </message>
    <message>
        <source>all heads: %1</source>
        <translation>所有头：%1</translation>
    </message>
    <message>
        <source>Cells that are finite in only one of both do not count.</source>
        <translation>只有一方为有限数的单元格不计入。</translation>
    </message>
    <message>
        <source>Output error</source>
        <translation>输出误差</translation>
    </message>
    <message>
        <source>largest: %1</source>
        <translation>最大：%1</translation>
    </message>
    <message>
        <source>The norm of the difference of the outputs divided by that of B&apos;s output, all heads and batches.</source>
        <translation>两个输出之差的范数除以 B 的输出的范数，涵盖所有头和批次。</translation>
    </message>
    <message>
        <source>KL(A‖B), nats</source>
        <translation>KL(A‖B)，奈特</translation>
    </message>
    <message>
        <source>KL(B‖A), nats</source>
        <translation>KL(B‖A)，奈特</translation>
    </message>
    <message>
        <source>Kullback–Leibler divergence: how badly B stands in for A. Σ a ln(a/b) of each row, mean over the rows, in nats (1 nat = 1.44 bits). 0 where both are equal, infinite where B has a 0 and A has not.</source>
        <translation>KL 散度：用 B 代替 A 的偏差有多大。对每行求 Σ a ln(a/b)，再对各行取平均，单位为奈特（1 奈特 = 1.44 比特）。两者相等时为 0；B 为 0 而 A 不为 0 时为无穷大。</translation>
    </message>
    <message>
        <source>Kullback–Leibler divergence: how badly A stands in for B. Σ b ln(b/a) of each row, mean over the rows, in nats (1 nat = 1.44 bits). 0 where both are equal, infinite where A has a 0 and B has not.</source>
        <translation>KL 散度：用 A 代替 B 的偏差有多大。对每行求 Σ b ln(b/a)，再对各行取平均，单位为奈特（1 奈特 = 1.44 比特）。两者相等时为 0；A 为 0 而 B 不为 0 时为无穷大。</translation>
    </message>
    <message>
        <source>shapes differ</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>Largest |B − A|</source>
        <translation>最大 |B − A|</translation>
    </message>
    <message>
        <source>Mean |B − A|</source>
        <translation>平均 |B − A|</translation>
    </message>
    <message>
        <source>∞: B has a 0 where A reads</source>
        <translation>∞：A 关注处 B 为 0</translation>
    </message>
    <message>
        <source>∞: A has a 0 where B reads</source>
        <translation>∞：B 关注处 A 为 0</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ComparePage</name>
    <message>
        <source>A: %1</source>
        <translation>A · %1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B · %1</translation>
    </message>
    <message>
        <source>Setting B cannot be computed: %1</source>
        <translation>无法计算设置 B：%1</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>Nothing computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source>B − A: %1</source>
        <translation>B − A：%1</translation>
    </message>
    <message>
        <source>Equal in A and B</source>
        <translation>A 与 B 相同</translation>
    </message>
    <message>
        <source>The settings differ only after this stage.</source>
        <translation>两组设置在此阶段之后才有差别。</translation>
    </message>
    <message>
        <source>Show weights</source>
        <translation>显示权重</translation>
    </message>
    <message>
        <source>B: as A</source>
        <translation>B：与 A 相同</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CompareView</name>
    <message>
        <source>By row</source>
        <translation>按行</translation>
    </message>
    <message>
        <source>The largest error of each row</source>
        <translation>每行的最大误差</translation>
    </message>
    <message>
        <source>KL(A‖B)</source>
        <translation>KL(A‖B)</translation>
    </message>
    <message>
        <source>◥ masked in one of both</source>
        <translation>◥ 只在其中一方被掩盖</translation>
    </message>
    <message>
        <source>Kullback–Leibler divergence of each row, Σ a ln(a/b) in nats: how badly B stands in for A there. 0: equal</source>
        <translation>每一行的 KL 散度 Σ a ln(a/b)，单位为奈特：在该行用 B 代替 A 有多不合适。0 表示相等</translation>
    </message>
    <message>
        <source>The longest bar: %1 nats</source>
        <translation>最长的条：%1 奈特</translation>
    </message>
    <message>
        <source>∞: B has a 0 where A reads, as under another mask</source>
        <translation>∞：A 关注处 B 为 0，例如掩码不同</translation>
    </message>
    <message>
        <source>%1 · not every name has room</source>
        <translation>%1 · 部分名称未显示</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CompareWithFilePage</name>
    <message>
        <source>%1 has no array for the stage %2. It has: %3</source>
        <translation>%1 没有阶段 %2 的数组。它有：%3</translation>
    </message>
    <message>
        <source>Several arrays of %1 may be the stage %2. Choose one above: %3</source>
        <translation>%1 中有几个数组可能是阶段 %2。请在上方选择：%3</translation>
    </message>
    <message>
        <source>Choose an array…</source>
        <translation>选择一个数组…</translation>
    </message>
    <message>
        <source>Which array of the file is compared with the stage %1</source>
        <translation>文件中的哪个数组与阶段 %1 比较</translation>
    </message>
    <message>
        <source>Compared with the array %1 of %2</source>
        <translation>与 %2 的数组 %1 比较</translation>
    </message>
    <message>
        <source>Compared with %1</source>
        <translation>与 %1 比较</translation>
    </message>
    <message>
        <source>Given: %1</source>
        <translation>给定：%1</translation>
    </message>
    <message>
        <source>Exact: %1</source>
        <translation>精确：%1</translation>
    </message>
    <message>
        <source>given − exact</source>
        <translation>给定 − 精确</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>Goes to the cell with the largest error</source>
        <translation>转到误差最大的单元格</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批次 %1</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>Largest error %1 at %2</source>
        <translation>最大误差 %1，位于 %2</translation>
    </message>
    <message>
        <source>No cell differs.</source>
        <translation>所有单元格都相同。</translation>
    </message>
    <message>
        <source>Mean error %1; relative error of the whole %2.</source>
        <translation>平均误差 %1；整体相对误差 %2。</translation>
    </message>
    <message>
        <source> (saved as %1)</source>
        <translation>（保存为 %1）</translation>
    </message>
    <message>
        <source>In ulps of %1%2: largest %3, mean %4.</source>
        <translation>以 %1%2 的 ulp 计：最大 %3，平均 %4。</translation>
    </message>
    <message>
        <source>Largest by head: %1</source>
        <translation>各头最大误差：%1</translation>
    </message>
    <message>
        <source>Likely mistake: %1. With it the relative error is %2 instead of %3.</source>
        <translation>可能的错误：%1。按此计算，相对误差是 %2 而不是 %3。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the comparison with a file</source>
        <translation>关闭与文件的比较</translation>
    </message>
    <message>
        <source>Array of the file</source>
        <translation>文件中的数组</translation>
    </message>
    <message>
        <source>The order of the axes of %1</source>
        <translation>%1 的轴的次序</translation>
    </message>
    <message>
        <source>Here: %1</source>
        <translation>此处：%1</translation>
    </message>
    <message>
        <source>given − here</source>
        <translation>给定 − 此处</translation>
    </message>
    <message>
        <source>expected a number from 0, such as 1e-5</source>
        <translation>应为不小于 0 的数，如 1e-5</translation>
    </message>
    <message>
        <source>No other cell differs.</source>
        <translation>其余单元格均无差别。</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>A cell is beyond it where |given − exact| &gt; T + T |exact|. Empty: what is usual for the type of the array</source>
        <translation>当 |给定 − 精确| &gt; T + T |精确| 时，单元格超出容差。留空则按数组类型取常用值</translation>
    </message>
    <message>
        <source>Order of the array&apos;s axes</source>
        <translation>数组的轴的次序</translation>
    </message>
    <message>
        <source>all %1 cells within</source>
        <translation>全部 %1 个单元格都在其内</translation>
    </message>
    <message>
        <source>%1 of %2 cells beyond</source>
        <translation>%2 个单元格中有 %1 个超出</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Ends the comparison with this file; the document does not change</source>
        <translation>结束与此文件的比较；文档保持不变</translation>
    </message>
    <message>
        <source>Cells without a finite number are not counted. The file has %1 NaN and %2 infinite. The exact result has %3 NaN and %4 infinite. In %5 cells both are the same.</source>
        <translation>不是有限数的单元格不计入。文件中有 NaN %1 个、无穷 %2 个。精确值中有 NaN %3 个、无穷 %4 个。两者相同的有 %5 个。</translation>
    </message>
    <message>
        <source>There %1 is given, exact is %2.</source>
        <translation>该处给出的数为 %1，精确值为 %2。</translation>
    </message>
    <message>
        <source>The inputs are too large to keep every stage, and are drawn as a map: there is no stage to compare with. “Preferences” in the Edit menu says from which size on</source>
        <translation>输入太大，无法保留每个阶段，因此显示为地图：没有可比较的阶段。从多大开始，可在“编辑”菜单的“首选项”中设置</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CopyAs</name>
    <message>
        <source>&amp;Command line</source>
        <translation>命令行(&amp;C)</translation>
    </message>
    <message>
        <source>Copied as code: %1</source>
        <translation>已复制为代码：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CostsBoard</name>
    <message>
        <source>Costs of the cache</source>
        <translation>缓存的开销</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CrashRecovery</name>
    <message>
        <source>Your unsaved work is not kept for the case of a crash: %1</source>
        <translation>无法为未保存的工作留下备份以防程序崩溃：%1</translation>
    </message>
    <message>
        <source>Work of %1 was not saved.</source>
        <translation>%1 所做的工作没有保存。</translation>
    </message>
    <message>
        <source>Work of %1 on “%2” was not saved.</source>
        <translation>%1 对“%2”所做的工作没有保存。</translation>
    </message>
    <message numerus="yes">
        <source>(%n more)</source>
        <translation>
            <numerusform>（还有 %n 个）</numerusform>
        </translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Restore the rest</source>
        <translation>恢复其余部分</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CurveCard</name>
    <message>
        <source>%1 against the number of keys S</source>
        <translation>%1随键数 S 的变化</translation>
    </message>
    <message>
        <source>%1 against the width d</source>
        <translation>%1随维度 d 的变化</translation>
    </message>
    <message>
        <source>keys S</source>
        <translation>键数 S</translation>
    </message>
    <message>
        <source>width d</source>
        <translation>维度 d</translation>
    </message>
    <message>
        <source>uniform: log S</source>
        <translation>均匀：log S</translation>
    </message>
    <message>
        <source>uniform: S</source>
        <translation>均匀：S</translation>
    </message>
    <message numerus="yes">
        <source>%n keys: uniform = %1 nats</source>
        <translation>
            <numerusform>%n 个键：均匀时为 %1 奈特</numerusform>
        </translation>
    </message>
    <message>
        <source>against the width d</source>
        <translation>随维度 d 变化</translation>
    </message>
    <message>
        <source>against the number of keys S</source>
        <translation>随键数 S 变化</translation>
    </message>
    <message>
        <source>Measure of the curves</source>
        <translation>曲线的指标</translation>
    </message>
    <message>
        <source>What the curves run over</source>
        <translation>曲线的自变量</translation>
    </message>
    <message>
        <source>Computing the curves…</source>
        <translation>正在计算曲线…</translation>
    </message>
    <message>
        <source>loss against the steps of training</source>
        <translation>损失随训练步数的变化</translation>
    </message>
    <message>
        <source>nothing is learned yet</source>
        <translation>还没有学到任何东西</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>even weights</source>
        <translation>均匀的权重</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>what the lines and dots are, and the highest they can be</comment>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>lines: medians of %n draws · dots: the draw on the cards</source>
        <translation>
            <numerusform>曲线：%n 次抽取的中位数 · 圆点：卡片上的这次抽取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>lines: means of %n draws · dots: the draw on the cards</source>
        <translation>
            <numerusform>曲线：%n 次抽取的平均 · 圆点：卡片上的这次抽取</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::CurveView</name>
    <message>
        <source>The ring marks the present setting: %1 %2 gives %3.</source>
        <comment>x axis, number, number</comment>
        <translation>圆环标出当前设置：%1 为 %2 时，结果为 %3。</translation>
    </message>
    <message>
        <source>It need not lie on the line, which shows: %1.</source>
        <comment>title of the y axis</comment>
        <translation>它不一定落在曲线上，曲线表示：%1。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::DenseSource</name>
    <message>
        <source>%1 → %2: %3</source>
        <translation>%1 → %2：%3</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>%1, masked in one of both</source>
        <translation>%1，只在其中一方被掩盖</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::DifferenceView</name>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Which of the matrices is shown</source>
        <translation>显示哪个矩阵</translation>
    </message>
    <message>
        <source>A: the first text</source>
        <translation>A：第一段文本</translation>
    </message>
    <message>
        <source>A: all heads on</source>
        <translation>A：所有头打开</translation>
    </message>
    <message>
        <source>B: the second text</source>
        <translation>B：第二段文本</translation>
    </message>
    <message>
        <source>B: heads switched off</source>
        <translation>B：部分头关闭</translation>
    </message>
    <message>
        <source>Comparing this head… %1</source>
        <translation>正在比较这个头… %1</translation>
    </message>
    <message>
        <source>This head reads what it read before. Heads in later layers may read otherwise.</source>
        <translation>这个头读取的内容与之前相同，后面各层的头可能有变化。</translation>
    </message>
    <message>
        <source>This head reads the same in A and in B.</source>
        <translation>这个头在 A 和 B 中读取的内容相同。</translation>
    </message>
    <message>
        <source>%1 of the attention moved, on average</source>
        <translation>平均有 %1 的注意力发生转移</translation>
    </message>
    <message>
        <source>%1 · by position</source>
        <translation>%1 · 按位置对应</translation>
    </message>
    <message>
        <source>%1 · the first %2 × %3 tokens, by position</source>
        <translation>%1 · 按位置对应前 %2 × %3 个词元</translation>
    </message>
    <message>
        <source>A and B are the same text. Change a word in B.</source>
        <translation>A 和 B 是同一段文字。请改动 B 中的一个词。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::DivergenceBars</name>
    <message>
        <source>%1: no distribution</source>
        <translation>%1：不是概率分布</translation>
    </message>
    <message>
        <source>%1: infinite, B has a 0 where A reads</source>
        <translation>%1：无穷大，A 关注之处 B 为 0</translation>
    </message>
    <message>
        <source>%1: %2 nats</source>
        <translation>%1：%2 奈特</translation>
    </message>
    <message>
        <source>KL of A from B, for each row</source>
        <translation>逐行的 KL(A‖B)</translation>
    </message>
    <message>
        <source>%1: no finite number</source>
        <translation>%1：没有有限数</translation>
    </message>
    <message>
        <source>%1: at most %2 apart</source>
        <translation>%1：最多相差 %2</translation>
    </message>
    <message>
        <source>Largest error of each row</source>
        <translation>每行的最大误差</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::DividerShortcuts</name>
    <message>
        <source>Divider</source>
        <translation>分隔条</translation>
    </message>
    <message>
        <source>Arrow keys, Home, End</source>
        <translation>方向键、Home、End</translation>
    </message>
    <message>
        <source>Move the divider</source>
        <translation>移动分隔条</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Leave it there</source>
        <translation>留在该处</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Put it back to where it was</source>
        <translation>放回原处</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ExhibitBoard</name>
    <message>
        <source>This setting has nothing to show here.</source>
        <translation>该设置在此没有可显示的内容。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ExportDialog</name>
    <message>
        <source>%1 files (*.%2)</source>
        <translation>%1 文件 (*.%2)</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>内容(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Making the preview…</source>
        <translation>正在生成预览…</translation>
    </message>
    <message>
        <source>Inputs in figures</source>
        <translation>图中的输入数据</translation>
    </message>
    <message>
        <source>Should figures carry their inputs? Files then open here again, and whoever has them has the inputs too. The dialog shows this choice from now on.</source>
        <translation>是否在导出的图中附带输入数据？附带后，文件可以在这里重新打开；但拿到文件的人也就拿到了输入数据。此后对话框中会显示这一选择。</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>不附带</translation>
    </message>
    <message>
        <source>Preview in its true size</source>
        <translation>预览为实际大小</translation>
    </message>
    <message>
        <source>Preview at %1% of its size</source>
        <translation>预览为实际大小的 %1%</translation>
    </message>
    <message>
        <source>Export this picture…</source>
        <translation>导出此图…</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Figure</name>
    <message>
        <source>(1 label in %1)</source>
        <translation>（每 %1 个标一个）</translation>
    </message>
    <message>
        <source>heatmap of %1 × %2 cells.</source>
        <translation>%1 × %2 个单元格的热图。</translation>
    </message>
    <message>
        <source>%3 heatmaps of %1 × %2 cells.</source>
        <translation>%3 幅 %1 × %2 个单元格的热图。</translation>
    </message>
    <message>
        <source>Rows: %1. Columns: %2.</source>
        <translation>行：%1。列：%2。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FigureMargins</name>
    <message>
        <source>entropy of each query, nats</source>
        <translation>各查询的熵（纳特）</translation>
    </message>
    <message>
        <source>mean weight of each key</source>
        <translation>各键的平均权重</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FileController</name>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>%1 is now %2</source>
        <translation>%1 已载入为 %2</translation>
    </message>
    <message>
        <source>Save the workspace</source>
        <translation>保存工作区</translation>
    </message>
    <message>
        <source>Workspaces (*.npz)</source>
        <translation>工作区 (*.npz)</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>Open workspaces or arrays</source>
        <translation>打开工作区或数组</translation>
    </message>
    <message>
        <source>Workspaces and arrays (%1);;All files (*)</source>
        <translation>工作区和数组 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>“%1” has changes that are not saved.</source>
        <translation>“%1”有尚未保存的更改。</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>The file has changed</source>
        <translation>文件已被更改</translation>
    </message>
    <message>
        <source>“%1” was written by another program, or another window, since it was opened here.</source>
        <translation>“%1”在此处打开之后，已被另一个程序或另一个窗口写入。</translation>
    </message>
    <message>
        <source>Saving to it would replace those changes.</source>
        <translation>保存到该文件会覆盖那些更改。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Without saving they are lost.</source>
        <translation>不保存就会丢失。</translation>
    </message>
    <message>
        <source>Without saving, this is lost:</source>
        <translation>不保存将丢失：</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <comment>changes</comment>
        <translation>
            <numerusform>以及另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1”, which was open last, is no longer there.</source>
        <translation>上次打开的“%1”已不存在。</translation>
    </message>
    <message>
        <source>%1: it is not clear what its arrays are; File &gt; Open asks.</source>
        <translation>%1：无法确定各数组是什么；“文件 &gt; 打开”会询问。</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
    <message>
        <source>%1 holds its settings without its arrays, which were too large: the settings are used for the arrays that are open.</source>
        <translation>%1 只含设置，不含数组（数组过大）：这些设置已用于当前打开的数组。</translation>
    </message>
    <message>
        <source>%1 is shown as soon as the cell is typed.</source>
        <translation>单元格输入完成后将显示 %1。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FillDialog</name>
    <message>
        <source>Zeros</source>
        <translation>全 0</translation>
    </message>
    <message>
        <source>Ones</source>
        <translation>全 1</translation>
    </message>
    <message>
        <source>A number</source>
        <translation>指定数值</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>单位矩阵</translation>
    </message>
    <message>
        <source>One-hot rows</source>
        <translation>独热行</translation>
    </message>
    <message>
        <source>Normal random numbers</source>
        <translation>正态分布随机数</translation>
    </message>
    <message>
        <source>Uniform random numbers</source>
        <translation>均匀分布随机数</translation>
    </message>
    <message>
        <source>Fill %1</source>
        <translation>填入 %1</translation>
    </message>
    <message>
        <source>Fill with</source>
        <translation>填入内容</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>From</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>上限（不含）</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起始值</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Column of the one</source>
        <translation>1 所在的列</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed draws the same numbers on every machine</source>
        <translation>相同的种子在任何机器上都生成相同的数</translation>
    </message>
    <message>
        <source>&amp;Draw again</source>
        <translation>重新抽取(&amp;D)</translation>
    </message>
    <message numerus="yes">
        <source>The %n selected cells</source>
        <translation>
            <numerusform>选中的 %n 个单元格</numerusform>
        </translation>
    </message>
    <message>
        <source>The matrix on show</source>
        <translation>当前显示的矩阵</translation>
    </message>
    <message numerus="yes">
        <source>The whole tensor, all %n matrices</source>
        <translation>
            <numerusform>整个张量，共 %n 个矩阵</numerusform>
        </translation>
    </message>
    <message>
        <source>The whole tensor</source>
        <translation>整个张量</translation>
    </message>
    <message>
        <source>So many numbers are filled when you press OK, not before.</source>
        <translation>数字太多，按下“确定”后才会填充。</translation>
    </message>
    <message>
        <source>0, 1, 2, …</source>
        <translation>0、1、2、…</translation>
    </message>
    <message>
        <source>row number (wraps around)</source>
        <translation>行号（超出后从头开始）</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FirstQueryForm</name>
    <message>
        <source>First query at</source>
        <translation>首个查询位于</translation>
    </message>
    <message>
        <source>key 0 (top left)</source>
        <translation>键 0（左上角对齐）</translation>
    </message>
    <message>
        <source>S − L (bottom right)</source>
        <translation>S − L（右下角对齐）</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>指定位置</translation>
    </message>
    <message>
        <source>one per sequence</source>
        <translation>各序列分别指定</translation>
    </message>
    <message>
        <source>Lines the first query up with the first key</source>
        <translation>首个查询与首个键对齐</translation>
    </message>
    <message>
        <source>Lines the last query up with the last key</source>
        <translation>末个查询与末个键对齐</translation>
    </message>
    <message>
        <source>The number of keys before the first query, such as the tokens in a cache</source>
        <translation>首个查询之前的键数，例如缓存中的词元数</translation>
    </message>
    <message>
        <source>The array query_offset has a number for each sequence of the batch</source>
        <translation>数组 query_offset 为批次中的每个序列各存一个数</translation>
    </message>
    <message>
        <source>Place of the first query among the keys</source>
        <translation>首个查询在键中的位置</translation>
    </message>
    <message>
        <source>Key of the first query</source>
        <translation>首个查询所在的键</translation>
    </message>
    <message>
        <source>First with first</source>
        <translation>首与首对齐</translation>
    </message>
    <message>
        <source>Last with last</source>
        <translation>末与末对齐</translation>
    </message>
    <message>
        <source>First query at the first key</source>
        <translation>首个查询对齐首个键</translation>
    </message>
    <message>
        <source>Last query at the last key</source>
        <translation>末个查询对齐末个键</translation>
    </message>
    <message>
        <source>First query at key %1</source>
        <translation>首个查询位于键 %1</translation>
    </message>
    <message>
        <source>A place for the first query of each sequence</source>
        <translation>为各序列分别指定首个查询的位置</translation>
    </message>
    <message>
        <source>Both settings read the array query_offset</source>
        <translation>两个设置都读取数组 query_offset</translation>
    </message>
    <message>
        <source>There are %1 queries and %2 keys. The first query now stands at the first key; in a model with a cache the last query stands at the last key.</source>
        <translation>共有 %1 个查询、%2 个键。目前首个查询对齐首个键；在使用缓存的模型中，末个查询对齐末个键。</translation>
    </message>
    <message>
        <source>last query at the last key</source>
        <translation>末个查询对齐末个键</translation>
    </message>
    <message>
        <source>first query at key %1</source>
        <translation>首个查询位于键 %1</translation>
    </message>
    <message>
        <source>Only the causal mask lines up the last query with the last key. The rest of the setting puts the first query at the first key.</source>
        <translation>只有因果掩码让末个查询对齐末个键。设置的其余部分仍以首个查询对齐首个键。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::FormulaPanel</name>
    <message>
        <source>More…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>Blocked scores become %1; M is not added to them.</source>
        <translation>被屏蔽的得分变为 %1，不再加 M。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadArcs</name>
    <message>
        <source>Lines between tokens</source>
        <translation>词元之间的连线</translation>
    </message>
    <message>
        <source>Up, Down, Home, End</source>
        <translation>上、下、Home、End</translation>
    </message>
    <message>
        <source>Go from token to token</source>
        <translation>逐个词元移动</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>Change to queries, to keys</source>
        <translation>转到查询、转到键</translation>
    </message>
    <message>
        <source>Up and Down choose a token, Left and Right change between queries and keys</source>
        <translation>上下键选择词元，左右键在查询与键之间切换</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 reads no token</source>
        <translation>%1 不关注任何词元</translation>
    </message>
    <message>
        <source>%1 reads %2</source>
        <translation>%1 关注 %2</translation>
    </message>
    <message>
        <source>%1 is read by no token</source>
        <translation>没有词元关注 %1</translation>
    </message>
    <message>
        <source>%1 is read by %2</source>
        <translation>关注 %1 的有 %2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadEffects</name>
    <message>
        <source>unsure: %1</source>
        <translation>没有把握：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadOverview</name>
    <message>
        <source>%1 of %2 heads</source>
        <translation>已完成 %1 / %2 个头</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 heads</source>
        <translation>已停止：完成 %1 / %2 个头</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Do not compute the heads that are not there yet</source>
        <translation>不再计算尚未得出的头</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>All heads on one colour scale</source>
        <translation>所有头共用一个色标</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadPanel</name>
    <message>
        <source>Replaces what this head gives, and computes what changes behind it</source>
        <translation>替换该头的输出，并计算其后的变化</translation>
    </message>
    <message>
        <source>Switches every head on again</source>
        <translation>重新打开每个头</translation>
    </message>
    <message>
        <source>What a head gives that is switched off</source>
        <translation>关闭的头用什么代替</translation>
    </message>
    <message>
        <source>How this head is shown</source>
        <translation>该头的显示方式</translation>
    </message>
    <message>
        <source>Nothing computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source>Choose an image above</source>
        <translation>请在上方选择图像</translation>
    </message>
    <message>
        <source>Type a text above</source>
        <translation>请在上方输入文本</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Turn this head off</source>
        <translation>关掉此头</translation>
    </message>
    <message>
        <source>Turn all on</source>
        <translation>全部打开</translation>
    </message>
    <message>
        <source>Replace by zero</source>
        <translation>替换为零</translation>
    </message>
    <message>
        <source>Replace by its average</source>
        <translation>替换为平均</translation>
    </message>
    <message>
        <source>This model reads at most %1 tokens; the text has %2.</source>
        <translation>此模型最多读取 %1 个词元，文本有 %2 个。</translation>
    </message>
    <message>
        <source>Turn this head on</source>
        <translation>打开此头</translation>
    </message>
    <message>
        <source>%1 carries a state: this is the matrix that it equals</source>
        <translation>%1 逐个词元传递状态，这里是与之等价的矩阵</translation>
    </message>
    <message>
        <source>Zeros, the head&apos;s output averaged over the positions of this text, or what it gives for a second text</source>
        <translation>零、此头的输出在本文本各位置上的平均，或它对第二段文本给出的输出</translation>
    </message>
    <message>
        <source>By itself this head adds %1 to the logit of “%2” minus that of “%3”</source>
        <translation>此头直接给“%2”与“%3”的 logit 差加上 %1</translation>
    </message>
    <message>
        <source>By itself this head adds %1 to the logit of “%2”</source>
        <translation>此头直接给“%2”的 logit 加上 %1</translation>
    </message>
    <message>
        <source>With all other heads on, and this one as in text B</source>
        <translation>其他头全部打开、只让此头与文本 B 中相同</translation>
    </message>
    <message>
        <source>This head alone as in text B</source>
        <translation>只让此头与文本 B 中相同</translation>
    </message>
    <message>
        <source>With all other heads on, and this one off</source>
        <translation>其他头全部打开、只关掉此头</translation>
    </message>
    <message>
        <source>This head alone off</source>
        <translation>只关掉此头</translation>
    </message>
    <message>
        <source>%1: “%2” against “%3” changes by %4; the answer is “%5”, %6</source>
        <translation>%1：“%2”相对“%3”的 logit 差变化 %4；回答是“%5”，概率 %6</translation>
    </message>
    <message>
        <source>%1: the answer stays “%2”, %3 instead of %4</source>
        <translation>%1：回答仍是“%2”，概率 %3（原为 %4）</translation>
    </message>
    <message>
        <source>%1: the answer is “%2”, %3; “%4” falls from %5 to %6</source>
        <translation>%1：回答变为“%2”，概率 %3；“%4”从 %5 降到 %6</translation>
    </message>
    <message>
        <source>Replace by text B</source>
        <translation>换成文本 B 中的输出</translation>
    </message>
    <message>
        <source>%1 · off</source>
        <translation>%1 · 已关掉</translation>
    </message>
    <message>
        <source>off: these weights have no effect</source>
        <translation>已关掉：这些权重不起作用</translation>
    </message>
    <message>
        <source>Choose a sound above</source>
        <translation>请在上方选择声音</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>关掉</translation>
    </message>
    <message>
        <source>What changes in this head, once one is turned off or two texts are compared</source>
        <translation>关掉一个头或比较两段文字后，此头有何变化</translation>
    </message>
    <message>
        <source>A · %1</source>
        <translation>A · %1</translation>
    </message>
    <message>
        <source>%1: the answer stays “%2”, %3</source>
        <translation>%1：回答仍是“%2”，概率 %3</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadsPanel</name>
    <message>
        <source>Order of the heads</source>
        <translation>头的排列顺序</translation>
    </message>
    <message>
        <source>Figure along x</source>
        <translation>x 轴指标</translation>
    </message>
    <message>
        <source>Figure along y</source>
        <translation>y 轴指标</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>How heads are shown</source>
        <translation>头的显示方式</translation>
    </message>
    <message>
        <source>The weights of every head</source>
        <translation>每个头的权重</translation>
    </message>
    <message>
        <source>What changes in every head</source>
        <translation>每个头的变化</translation>
    </message>
    <message>
        <source>Heads by two figures</source>
        <translation>按两个指标显示头</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>x: %1</source>
        <translation>x：%1</translation>
    </message>
    <message>
        <source>y: %1</source>
        <translation>y：%1</translation>
    </message>
    <message>
        <source>Second text minus first, −%1 to %1</source>
        <translation>第二段文本减第一段，−%1 到 %1</translation>
    </message>
    <message>
        <source>With heads off minus all on, −%1 to %1</source>
        <translation>关闭部分头减全部打开，−%1 到 %1</translation>
    </message>
    <message>
        <source>Sort by: %1</source>
        <translation>排序：%1</translation>
    </message>
    <message>
        <source>Each dot is a head</source>
        <translation>每个点是一个头</translation>
    </message>
    <message>
        <source>All heads on one scale, 0 to 1</source>
        <translation>所有头用同一色标，0 到 1</translation>
    </message>
    <message>
        <source>Try all heads</source>
        <translation>逐个关掉所有头</translation>
    </message>
    <message>
        <source>Takes out each head, one at a time, and computes the answer</source>
        <translation>每次去掉一个头，看回答变成什么</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>关注</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>Which heads matter: what the answer becomes without each head</source>
        <translation>哪些头重要：去掉每个头后，回答变成什么</translation>
    </message>
    <message>
        <source>Sort by: change of the answer</source>
        <translation>排序：对回答的影响</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Try the rest</source>
        <translation>继续其余的头</translation>
    </message>
    <message>
        <source>%1 of %2 heads tried</source>
        <translation>已试 %1/%2 个头</translation>
    </message>
    <message>
        <source>Change of %1 against %2, logits, without each head</source>
        <translation>去掉每个头后，“%1”与“%2”的 logit 差的变化</translation>
    </message>
    <message>
        <source>What is measured of each head</source>
        <translation>对每个头衡量什么</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>What the model would answer after each layer (logit lens): the last norm and the unembedding applied to what is there</source>
        <translation>模型在每层之后会给出的回答（logit 透镜）：对该处的隐藏状态应用最后的归一化和输出矩阵</translation>
    </message>
    <message>
        <source>Without it</source>
        <translation>去掉此头</translation>
    </message>
    <message>
        <source>The answer while the head gives zeros</source>
        <translation>此头输出零时的回答</translation>
    </message>
    <message>
        <source>Its average</source>
        <translation>取其平均</translation>
    </message>
    <message>
        <source>The answer while the head gives its average over positions</source>
        <translation>此头输出各位置的平均时的回答</translation>
    </message>
    <message>
        <source>As in text B</source>
        <translation>同文本 B</translation>
    </message>
    <message>
        <source>The answer while the head gives what it gives for the second text</source>
        <translation>此头输出它对第二段文本的结果时的回答</translation>
    </message>
    <message>
        <source>Directly</source>
        <translation>直接贡献</translation>
    </message>
    <message>
        <source>What the head adds to the logit of the answer, or to the difference of the two that are pinned, by itself, not through later layers</source>
        <translation>此头不经过后面各层、直接加到回答的 logit（或所固定两者的 logit 差）上的量</translation>
    </message>
    <message>
        <source>A norm stands behind each attention, or a layer before the logits: nothing is added directly</source>
        <translation>每个注意力之后有归一化，或 logits 之前还有一层：没有直接贡献</translation>
    </message>
    <message>
        <source>Each head adds to %1 against %2 directly, logits</source>
        <translation>每个头直接加到“%1”与“%2”的 logit 差上的量</translation>
    </message>
    <message>
        <source>Each head adds to the logit of “%1” directly</source>
        <translation>每个头直接加到“%1”的 logit 上的量</translation>
    </message>
    <message>
        <source>No head can be taken from text B: it has %1 tokens, and text A %2</source>
        <translation>无法从文本 B 取用头：它有 %1 个词元，而文本 A 有 %2 个</translation>
    </message>
    <message>
        <source>Change of %1 against %2, logits, with each head as in text B</source>
        <translation>让每个头同文本 B 后，“%1”与“%2”的 logit 差的变化</translation>
    </message>
    <message>
        <source>All heads on one scale, %1 to %2</source>
        <translation>所有头用同一色标，%1 到 %2</translation>
    </message>
    <message>
        <source>All heads on one logarithmic scale, up to 1</source>
        <translation>所有头用同一对数色标，最大为 1</translation>
    </message>
    <message>
        <source>bold: another answer</source>
        <translation>粗体：答案改变</translation>
    </message>
    <message>
        <source>hollow bar: works through later heads</source>
        <translation>空心条：通过后续的头起作用</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Which heads matter?</source>
        <translation>哪些头重要？</translation>
    </message>
    <message>
        <source>What changes in every head?</source>
        <translation>每个头有什么变化？</translation>
    </message>
    <message>
        <source>How do heads differ?</source>
        <translation>各个头有何不同？</translation>
    </message>
    <message>
        <source>What would each layer answer?</source>
        <translation>每一层会怎样回答？</translation>
    </message>
    <message>
        <source>What does every head read?</source>
        <translation>每个头关注什么？</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>To try all %1 heads takes about %2</source>
        <translation>尝试全部 %1 个头约需 %2</translation>
    </message>
    <message>
        <source>%1 of %2 heads tried; the rest takes about %3</source>
        <translation>已试 %1/%2 个头，其余约需 %3</translation>
    </message>
    <message>
        <source>%1 heads are not tried yet</source>
        <translation>%1 个头尚未尝试</translation>
    </message>
    <message>
        <source>What changes in every head, once one is turned off or two texts are compared</source>
        <translation>每个头的变化：关掉一个头或比较两段文本后可用</translation>
    </message>
    <message>
        <source>%1 of %2 heads matter: alone as in text B, 5% or more of all probability moves</source>
        <translation>%2 个头中有 %1 个起作用：单独换成文本 B 中的值时，各使至少 5% 的概率转到别的答案</translation>
    </message>
    <message>
        <source>%1 of %2 heads move 5% or more of the probability · strongest colour: %3</source>
        <translation>%2 个头中有 %1 个使至少 5% 的概率转移 · 最强的颜色：%3</translation>
    </message>
    <message>
        <source>%1 of %2 heads matter: alone off, 5% or more of all probability moves</source>
        <translation>%2 个头中有 %1 个起作用：单独关掉时，各使至少 5% 的概率转到别的答案</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Which words matter: what the answer becomes while no attention reads a word</source>
        <translation>哪些词重要：任何注意力都读不到某个词时，答案变成什么</translation>
    </message>
    <message>
        <source>Which words does the answer depend on?</source>
        <translation>答案取决于哪些词？</translation>
    </message>
    <message>
        <source>A and B are the same text</source>
        <translation>A 和 B 是同一段文字</translation>
    </message>
    <message>
        <source>Every head reads what it read before</source>
        <translation>每个头的关注都和原来一样</translation>
    </message>
    <message>
        <source>%1 of %2 heads matter</source>
        <translation>%2 个头中有 %1 个重要</translation>
    </message>
    <message>
        <source>%1 of %2 heads matter as in text B</source>
        <translation>%2 个头中有 %1 个重要（取文本 B 的输出）</translation>
    </message>
    <message>
        <source>Colours of differences</source>
        <translation>差值的颜色</translation>
    </message>
    <message>
        <source>From below zero at the left to above zero at the right</source>
        <translation>左端小于零，右端大于零</translation>
    </message>
    <message>
        <source>Of all heads on: %1</source>
        <translation>所有头都打开时：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 writes “%2” itself; %3 through later heads (hollow)</source>
        <translation>%1 直接写出“%2”；%3 通过后续的头起作用（空心条）</translation>
    </message>
    <message>
        <source>%1 writes “%2” itself</source>
        <translation>%1 直接写出“%2”</translation>
    </message>
    <message>
        <source>No head writes “%1” itself; %2 through later heads (hollow)</source>
        <translation>没有头直接写出“%1”；%2 通过后续的头起作用（空心条）</translation>
    </message>
    <message>
        <source>%1 write “%2” themselves; %3 through later heads (hollow)</source>
        <translation>%1 都直接写出“%2”；%3 通过后续的头起作用（空心条）</translation>
    </message>
    <message>
        <source>%1 write “%2” themselves</source>
        <translation>%1 都直接写出“%2”</translation>
    </message>
    <message>
        <source>%1 heads (%2, …)</source>
        <translation>%2 等 %1 个头</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadsScatter</name>
    <message>
        <source>Heads by two figures</source>
        <translation>按两个指标显示头</translation>
    </message>
    <message>
        <source>Arrow keys, Home, End</source>
        <translation>方向键、Home、End</translation>
    </message>
    <message>
        <source>Go to the next head along an axis</source>
        <translation>沿坐标轴转到下一个头</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Switch the head of the dot off, or on again</source>
        <translation>关闭该点的头，或重新打开</translation>
    </message>
    <message>
        <source>Arrow keys choose a head, Space switches it off or on</source>
        <translation>用方向键选择头，用空格键关闭或打开它</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4 %5</source>
        <translation>%1：%2 %3，%4 %5</translation>
    </message>
    <message numerus="yes">
        <source>%n heads by two figures</source>
        <translation>
            <numerusform>%n 个头，按两个指标</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadsView</name>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Heads: %1</source>
        <translation>注意力头：%1</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>The average of all heads: a key that one head reads strongly looks weak here</source>
        <translation>所有头的平均：某个头强烈关注的键，在这里会显得很弱</translation>
    </message>
    <message>
        <source>Order of the heads</source>
        <translation>头的排列顺序</translation>
    </message>
    <message>
        <source>by number</source>
        <translation>按编号</translation>
    </message>
    <message>
        <source>by entropy</source>
        <translation>按熵</translation>
    </message>
    <message>
        <source>by similarity</source>
        <translation>按相似度</translation>
    </message>
    <message>
        <source>The sharpest head first: least entropy, mean over the rows</source>
        <translation>最尖锐的头在前：各行平均熵最小</translation>
    </message>
    <message>
        <source>The head with the largest weights first: each row&apos;s maximum, mean over the rows</source>
        <translation>权重最大的头在前：取每行最大值，再对各行平均</translation>
    </message>
    <message>
        <source>The head most like the selected one first: 1 − ½ Σ|a − b| (total variation), mean over the rows</source>
        <translation>与所选头最相似的在前：1 − ½ Σ|a − b|（全变差），对各行平均</translation>
    </message>
    <message>
        <source>Layers and heads</source>
        <translation>层与头</translation>
    </message>
    <message numerus="yes">
        <source>%n more to scroll to</source>
        <comment>heads</comment>
        <translation>
            <numerusform>滚动可见另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Head 0 first</source>
        <translation>头 0 在前</translation>
    </message>
    <message>
        <source>All heads on one colour scale, in this order:</source>
        <translation>所有头共用一个色标，按以下顺序排列：</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Head %1: %2</source>
        <comment>number and what is known of it</comment>
        <translation>头 %1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <comment>heads</comment>
        <translation>
            <numerusform>还有 %n 个头</numerusform>
        </translation>
    </message>
    <message>
        <source>by mean largest weight</source>
        <translation>按平均最大权重</translation>
    </message>
    <message>
        <source>Average of all heads</source>
        <translation>所有头的平均</translation>
    </message>
    <message>
        <source>hides differences</source>
        <translation>掩盖差异</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>random numbers, what is known of a head</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeadsWall</name>
    <message>
        <source>Arrow keys choose a head, Space switches it off or on</source>
        <translation>用方向键选择头，用空格键关闭或打开它</translation>
    </message>
    <message>
        <source>Heads of a model</source>
        <translation>模型的头</translation>
    </message>
    <message>
        <source>Arrow keys, Home, End</source>
        <translation>方向键、Home、End</translation>
    </message>
    <message>
        <source>Go from head to head</source>
        <translation>从一个头到另一个头</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Switch the head off, or on again</source>
        <translation>关闭或重新打开这个头</translation>
    </message>
    <message>
        <source>Arrow keys choose a head</source>
        <translation>方向键选择头</translation>
    </message>
    <message>
        <source>alone off, the answer is %1: %2</source>
        <translation>只关掉它，回答是 %1：%2</translation>
    </message>
    <message>
        <source>alone as in text B, the answer is %1: %2</source>
        <translation>只让它同文本 B 时，回答是 %1：%2</translation>
    </message>
    <message>
        <source>adds directly: %1 logits</source>
        <translation>直接贡献：%1（logit）</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>layer ↓  head →</source>
        <translation>层 ↓  头 →</translation>
    </message>
    <message>
        <source>head →</source>
        <translation>头 →</translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
</context>
<context>
    <name>attnlab::ui::HeatmapView</name>
    <message>
        <source>Heatmap</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Heatmap, %1 rows, %2 columns</source>
        <translation>热图，%1 行 %2 列</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Arrow keys, Page Up, Page Down, Home, End</source>
        <translation>方向键、Page Up、Page Down、Home、End</translation>
    </message>
    <message>
        <source>Move the cursor over the cells</source>
        <translation>在单元格间移动光标</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Pin the cell under the cursor, or paint it</source>
        <translation>固定光标处的单元格，或涂画它</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Erase the cell under the cursor, while painting</source>
        <translation>涂画时擦除光标处的单元格</translation>
    </message>
    <message>
        <source>Ctrl + arrow keys</source>
        <translation>Ctrl + 方向键</translation>
    </message>
    <message>
        <source>Move the enlarged picture</source>
        <translation>移动放大的图</translation>
    </message>
    <message>
        <source>Space and drag</source>
        <translation>按住空格拖动</translation>
    </message>
    <message>
        <source>Move the picture while painting</source>
        <translation>绘制时平移图像</translation>
    </message>
    <message>
        <source>Enlarge, reduce, fit to the room</source>
        <translation>放大、缩小、适应大小</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>mean of each row and column</source>
        <translation>每行每列的均值</translation>
    </message>
    <message>
        <source>largest of each row and column</source>
        <translation>每行每列的最大值</translation>
    </message>
    <message>
        <source>Remove the cursor, then the pin</source>
        <translation>移除光标，再按一次取消固定</translation>
    </message>
    <message>
        <source>%1 → %2: not computed yet</source>
        <translation>%1 → %2：尚未计算</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ImageView</name>
    <message>
        <source>%1 reads patch %2 most: %3</source>
        <translation>%1 关注最多的图块是 %2：%3</translation>
    </message>
    <message>
        <source> · the class token: %1</source>
        <translation> · 类别词元：%1</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source> · the other tokens in front: %1</source>
        <translation> · 其余前置词元：%1</translation>
    </message>
    <message>
        <source> · the whole image: %1</source>
        <translation> · 整幅图像：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::InputsEditor</name>
    <message>
        <source>Inputs of the lab</source>
        <translation>实验的输入</translation>
    </message>
    <message>
        <source>Numbers of the chosen input</source>
        <translation>所选输入的数值</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::InputsPanel</name>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Numbers of the tensor</source>
        <translation>张量的数值</translation>
    </message>
    <message>
        <source>Tensors that this mechanism does not use</source>
        <translation>该机制未使用的张量</translation>
    </message>
    <message>
        <source>Not used by this mechanism</source>
        <translation>该机制未使用</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste numbers from a spreadsheet at the selected cell</source>
        <translation>从选中的单元格起粘贴电子表格中的数值</translation>
    </message>
    <message>
        <source>Fill…</source>
        <translation>填入…</translation>
    </message>
    <message>
        <source>Fill with zeros, ones, identity, one-hot rows or random numbers</source>
        <translation>填入全 0、全 1、单位矩阵、独热行或随机数</translation>
    </message>
    <message>
        <source>Resize…</source>
        <translation>调整大小…</translation>
    </message>
    <message>
        <source>Change the number of rows, columns, heads or batches</source>
        <translation>更改行数、列数、头数或批次数</translation>
    </message>
    <message>
        <source>Add an input</source>
        <translation>添加输入</translation>
    </message>
    <message>
        <source>Add an optional input</source>
        <translation>添加可选输入</translation>
    </message>
    <message>
        <source>More actions on this tensor</source>
        <translation>对该张量的更多操作</translation>
    </message>
    <message>
        <source>Copy, open, save, remove</source>
        <translation>复制、打开、保存、移除</translation>
    </message>
    <message numerus="yes">
        <source>%n unused</source>
        <translation>
            <numerusform>%n 个未使用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>单个数</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1: shape %2, %3</source>
        <translation>%1：形状 %2，%3</translation>
    </message>
    <message>
        <source>Fill %1</source>
        <translation>填入 %1</translation>
    </message>
    <message>
        <source>%1 drawn with seed %2</source>
        <translation>%1 已用种子 %2 抽取</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>&amp;Copy selection</source>
        <translation>复制选区(&amp;C)</translation>
    </message>
    <message>
        <source>Copy with &amp;labels</source>
        <translation>连同标签复制(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Keys have labels of their own</source>
        <translation>键使用单独的标签(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Draw again with seed %1</source>
        <translation>以种子 %1 重新抽取(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Save %1 to file…</source>
        <translation>将 %1 保存到文件(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Remove %1</source>
        <translation>移除 %1(&amp;R)</translation>
    </message>
    <message>
        <source>This mechanism needs %1</source>
        <translation>该机制需要 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Filling %1…</source>
        <translation>正在填充 %1…</translation>
    </message>
    <message>
        <source>Change the groups of %1</source>
        <translation>更改 %1 的分组</translation>
    </message>
    <message>
        <source>Fill %1 with zeros</source>
        <translation>用 0 填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 with ones</source>
        <translation>用 1 填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 with %2</source>
        <translation>用 %2 填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 with the identity</source>
        <translation>用单位矩阵填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 with one-hot rows</source>
        <translation>用独热行填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 with normal random numbers</source>
        <translation>用正态随机数填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 with uniform random numbers</source>
        <translation>用均匀随机数填充 %1</translation>
    </message>
    <message>
        <source>Fill %1 by counting</source>
        <translation>用递增的数填充 %1</translation>
    </message>
    <message>
        <source>Resize %1 to %2</source>
        <translation>把 %1 的大小改为 %2</translation>
    </message>
    <message>
        <source>Label keys on their own</source>
        <translation>键用自己的标签</translation>
    </message>
    <message>
        <source>Label keys as queries</source>
        <translation>键用查询的标签</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Paste as the &amp;whole of %1</source>
        <translation>粘贴为整个 %1(&amp;W)</translation>
    </message>
    <message>
        <source>Re&amp;name word</source>
        <translation>重命名词元(&amp;N)</translation>
    </message>
    <message>
        <source>L&amp;oad a file into %1…</source>
        <translation>把文件读入 %1(&amp;O)…</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::InspectorPanel</name>
    <message>
        <source>%1 → %2</source>
        <comment>query token → key token</comment>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <comment>row label, column axis, column label</comment>
        <translation>%1，%2 %3</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>The page Compare shows A, B and the difference; every other part of the window shows A</source>
        <translation>“比较”页显示 A、B 及其差异；窗口的其他部分都显示 A</translation>
    </message>
    <message>
        <source>Showing A. B is only in the comparison.</source>
        <translation>此处显示 A；B 只在比较页。</translation>
    </message>
    <message>
        <source>row %1, column %2, from 0</source>
        <translation>第 %1 行，第 %2 列（从 0 起）</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::JumpField</name>
    <message>
        <source>Jump to a cell</source>
        <translation>跳转到单元格</translation>
    </message>
    <message>
        <source>Jump to a cell: row and column by number or token, separated by a comma</source>
        <translation>跳转到单元格：行和列以编号或词元表示，用逗号分隔</translation>
    </message>
    <message>
        <source>Row, column</source>
        <translation>行, 列</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::KeyGridDialog</name>
    <message>
        <source>The &amp;keys are the cells of a picture, row by row</source>
        <translation>键是图像的单元格，逐行排列(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>行数(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Columns</source>
        <translation>列数(&amp;C)</translation>
    </message>
    <message>
        <source>Picture &amp;behind the keys…</source>
        <translation>键背后的图像(&amp;B)…</translation>
    </message>
    <message>
        <source>Re&amp;move the picture</source>
        <translation>不用图像(&amp;M)</translation>
    </message>
    <message>
        <source>The weights of a row are shown as bars alone.</source>
        <translation>一行的权重只用条形显示。</translation>
    </message>
    <message>
        <source>%1 cells, one for each key.</source>
        <translation>%1 个单元格，每个键一个。</translation>
    </message>
    <message>
        <source>%1 cells, but there are %2 keys.</source>
        <translation>%1 个单元格，但有 %2 个键。</translation>
    </message>
    <message>
        <source>No picture: the weights alone are drawn.</source>
        <translation>无图像：只绘制权重。</translation>
    </message>
    <message>
        <source>A picture of %1 × %2 pixels.</source>
        <translation>%1 × %2 像素的图像。</translation>
    </message>
    <message>
        <source>Picture behind the keys</source>
        <translation>键背后的图像</translation>
    </message>
    <message>
        <source>Pictures (%1)</source>
        <translation>图像 (%1)</translation>
    </message>
    <message>
        <source>%1 could not be read as a picture: %2</source>
        <translation>无法将 %1 作为图像读取：%2</translation>
    </message>
    <message>
        <source>Arrange the keys as an image</source>
        <translation>把键排成图像</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::KeyPicture</name>
    <message>
        <source>row %1, column %2 (%3): %4</source>
        <comment>of the picture that keys come from</comment>
        <translation>第 %1 行，第 %2 列（%3）：%4</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::KeyPictureCard</name>
    <message>
        <source>On the picture: what “%1” reads</source>
        <translation>图像上：“%1”关注什么</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <comment>rows x columns of the key grid</comment>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>The grid has %1 cells, but there are %2 keys.</source>
        <translation>网格有 %1 个单元格，但有 %2 个键。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LabControls</name>
    <message>
        <source>mean of heads</source>
        <translation>各头平均</translation>
    </message>
    <message>
        <source>Scores before the mask</source>
        <translation>掩码前的得分</translation>
    </message>
    <message>
        <source>Histogram of the scaled scores</source>
        <translation>缩放后得分的直方图</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>The mask as the matrix M</source>
        <translation>写成矩阵 M 的掩码</translation>
    </message>
    <message>
        <source>Entropy of each row</source>
        <translation>各行的熵</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Outputs that move when a token is edited</source>
        <translation>改动词元后变化的输出</translation>
    </message>
    <message>
        <source>Curve against the size</source>
        <translation>随规模变化的曲线</translation>
    </message>
    <message>
        <source>width d</source>
        <translation>维度 d</translation>
    </message>
    <message>
        <source>Width d of queries and keys</source>
        <translation>查询和键的维度 d</translation>
    </message>
    <message>
        <source>keys S</source>
        <translation>键数 S</translation>
    </message>
    <message>
        <source>Number of keys S</source>
        <translation>键的个数 S</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Distribution of the entries</source>
        <translation>元素的分布</translation>
    </message>
    <message>
        <source>normal, mean 0, variance 1</source>
        <translation>正态，均值 0，方差 1</translation>
    </message>
    <message>
        <source>uniform, mean 0, variance 1</source>
        <translation>均匀，均值 0，方差 1</translation>
    </message>
    <message>
        <source>sparse: one in ten is not 0; mean 0, variance 1</source>
        <translation>稀疏：每十个中一个不为 0；均值 0，方差 1</translation>
    </message>
    <message>
        <source>correlated: half of the variance is common to all rows</source>
        <translation>相关：一半的方差为各行共有</translation>
    </message>
    <message>
        <source>Draw again</source>
        <translation>重新抽取</translation>
    </message>
    <message>
        <source>Other random numbers of the same kind</source>
        <translation>换一批同类的随机数</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Stage that the cards show</source>
        <translation>卡片显示的阶段</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Head that the cards show</source>
        <translation>卡片显示的头</translation>
    </message>
    <message>
        <source>edited token</source>
        <translation>改动的词元</translation>
    </message>
    <message>
        <source>Token that the leak test edits</source>
        <translation>泄漏测试所改动的词元</translation>
    </message>
    <message>
        <source>Inputs…</source>
        <translation>输入…</translation>
    </message>
    <message>
        <source>Edit the numbers that the cards are computed from</source>
        <translation>编辑卡片计算所用的数值</translation>
    </message>
    <message>
        <source>Add a card</source>
        <translation>添加卡片</translation>
    </message>
    <message>
        <source>One more setting beside the others</source>
        <translation>在旁边再加一种设置</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>What the cards show beside their matrices</source>
        <translation>卡片在矩阵之外还显示什么</translation>
    </message>
    <message>
        <source>What the cards show</source>
        <translation>卡片显示的内容</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LabPage</name>
    <message>
        <source>Mask lab</source>
        <translation>掩码实验</translation>
    </message>
    <message>
        <source>Scale lab</source>
        <translation>缩放实验</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LargeInputs</name>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 个头</translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation>%1 个头</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LayerGrid</name>
    <message>
        <source>Layers and heads</source>
        <translation>层与头</translation>
    </message>
    <message>
        <source>%1, mean of heads</source>
        <translation>%1，各头平均</translation>
    </message>
    <message>
        <source>%1, head %2</source>
        <translation>%1，头 %2</translation>
    </message>
    <message>
        <source>mean</source>
        <comment>of heads, the title of a column</comment>
        <translation>平均</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a head and what is known of it</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LearnMode</name>
    <message>
        <source>There is no picture yet</source>
        <translation>尚无图像</translation>
    </message>
    <message>
        <source>Exported: %1</source>
        <translation>已导出：%1</translation>
    </message>
    <message>
        <source>Open a lesson folder</source>
        <translation>打开课程文件夹</translation>
    </message>
    <message>
        <source>Forget which steps you have seen and what you have answered, in every lesson?</source>
        <translation>要清除所有课程中已看步骤和已答问题的记录吗？</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number and title of a lesson</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>model in float32</source>
        <translation>float32 的模型</translation>
    </message>
    <message>
        <source>%1 · %2 ms</source>
        <comment>engine and time</comment>
        <translation>%1 · %2 毫秒</translation>
    </message>
    <message>
        <source>%1 · %2 ms · %3 settings of the same inputs</source>
        <translation>%1 · %2 毫秒 · 同一输入的 %3 种设置</translation>
    </message>
    <message>
        <source>Lecture: %1</source>
        <translation>讲座：%1</translation>
    </message>
    <message>
        <source>Boards (%1)</source>
        <translation>实验板 (%1)</translation>
    </message>
    <message>
        <source>The lab as it was saved.</source>
        <translation>保存时的实验。</translation>
    </message>
    <message>
        <source>From “%1”, as it was saved.</source>
        <translation>出自“%1”，保存时的状态。</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>已保存：%1</translation>
    </message>
    <message>
        <source>Open a lesson or a board</source>
        <translation>打开课程或实验板</translation>
    </message>
    <message>
        <source>Save this lab</source>
        <translation>保存此实验</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number and title of a step</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>&amp;Back to “%1”</source>
        <translation>返回“%1”(&amp;B)</translation>
    </message>
    <message>
        <source>Lessons, boards and lectures (%1)</source>
        <translation>课程、实验板和讲座 (%1)</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>exact (64-bit)</source>
        <translation>精确（64 位）</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LearnPage</name>
    <message>
        <source>Lesson %1 of %2 · %3</source>
        <translation>第 %1 课，共 %2 课 · %3</translation>
    </message>
    <message numerus="yes">
        <source>Lecture of %n minutes · %1</source>
        <translation>
            <numerusform>%n 分钟的讲座 · %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Trying: %1</source>
        <translation>试讲：%1</translation>
    </message>
    <message>
        <source>◂ Editor</source>
        <translation>◂ 编辑</translation>
    </message>
    <message>
        <source>Back to the lesson editor</source>
        <translation>返回课程编辑器</translation>
    </message>
    <message>
        <source>◂ Lessons</source>
        <translation>◂ 课程</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>所有课程</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number and title of a lesson</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>the step before the jump</source>
        <translation>跳转之前的那一步</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LectureDialog</name>
    <message>
        <source>Ask the question of this step</source>
        <translation>提出这一步的问题</translation>
    </message>
    <message>
        <source>Compose a lecture</source>
        <translation>编排讲座</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>简介</translation>
    </message>
    <message>
        <source>Steps of lessons</source>
        <translation>各课的步骤</translation>
    </message>
    <message>
        <source>Add to the lecture</source>
        <translation>加入讲座</translation>
    </message>
    <message>
        <source>Lecture</source>
        <translation>讲座</translation>
    </message>
    <message>
        <source>Move the step up</source>
        <translation>上移这一步</translation>
    </message>
    <message>
        <source>Move the step down</source>
        <translation>下移这一步</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>Text of the slide (optional)</source>
        <translation>幻灯片文字（可选）</translation>
    </message>
    <message>
        <source>Answer on the slide</source>
        <translation>幻灯片上的答案</translation>
    </message>
    <message>
        <source>Empty: the audience reads the text of the lesson.</source>
        <translation>留空时，观众看到的是课程原文。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1. %2 (%3 min)</source>
        <comment>number, title and minutes of a step of a lecture</comment>
        <translation>%1. %2（%3 分钟）</translation>
    </message>
    <message>
        <source>%1 minutes in all</source>
        <translation>共 %1 分钟</translation>
    </message>
    <message>
        <source>%1 of %2 words</source>
        <translation>%1 / %2 词</translation>
    </message>
    <message>
        <source>A number in {{…}} cannot be read.</source>
        <translation>{{…}} 里的数无法识别。</translation>
    </message>
    <message>
        <source>Open a lecture</source>
        <translation>打开讲座</translation>
    </message>
    <message>
        <source>Lectures (%1)</source>
        <translation>讲座 (%1)</translation>
    </message>
    <message>
        <source>Save the lecture</source>
        <translation>保存讲座</translation>
    </message>
    <message>
        <source>Unsaved lecture</source>
        <translation>讲座未保存</translation>
    </message>
    <message>
        <source>The lecture has changes that are not saved.</source>
        <translation>讲座有尚未保存的修改。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LengthsField</name>
    <message>
        <source>Valid lengths</source>
        <translation>有效长度</translation>
    </message>
    <message>
        <source>The inputs do not fit each other yet</source>
        <translation>各个输入目前还不匹配</translation>
    </message>
    <message>
        <source>There are too many lengths to type here; edit %1 under Inputs</source>
        <translation>长度太多，无法在此输入；请在“输入”中编辑 %1</translation>
    </message>
    <message>
        <source>How many of the first keys count: one number for each of %1 sequences, or one for each query of them; from 0 to %2</source>
        <translation>前多少个键有效：%1 个序列各一个数，或者其中每个查询各一个数；从 0 到 %2</translation>
    </message>
    <message>
        <source>“%1”: expected whole numbers, such as 2, 3</source>
        <translation>“%1”：应为整数，例如 2, 3</translation>
    </message>
    <message>
        <source>There are %1 numbers, expected %2: one for each sequence of the batch. “Resize…” under Inputs changes the batch.</source>
        <translation>有 %1 个数，应为 %2 个：批次中每个序列一个。用“输入”中的“调整大小…”可以改变批次。</translation>
    </message>
    <message>
        <source>%1 is not a number of keys from 0 to %2</source>
        <translation>%1 不是 0 到 %2 之间的键数</translation>
    </message>
    <message>
        <source>Valid lengths %1</source>
        <translation>有效长度 %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonAuthoring</name>
    <message>
        <source>Open a lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Lessons (%1)</source>
        <translation>课程 (%1)</translation>
    </message>
    <message>
        <source>Mask lab</source>
        <translation>掩码实验</translation>
    </message>
    <message>
        <source>Scale lab</source>
        <translation>缩放实验</translation>
    </message>
    <message>
        <source>Your lesson is not kept for the case of a crash: %1</source>
        <translation>您的课程未能为防崩溃而备份：%1</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>保存课程</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>已保存：%1</translation>
    </message>
    <message>
        <source>Unsaved lesson</source>
        <translation>课程未保存</translation>
    </message>
    <message>
        <source>The lesson “%1” has changes that are not saved.</source>
        <translation>课程“%1”有尚未保存的更改。</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>新课程</translation>
    </message>
    <message>
        <source>The lesson “%1” was not saved.</source>
        <translation>课程“%1”上次没有保存。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonDocument</name>
    <message>
        <source>New lesson</source>
        <translation>新课程</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonEditor</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Duplicate the step</source>
        <translation>复制此步</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove the step (Delete)</source>
        <translation>删除此步（Delete）</translation>
    </message>
    <message>
        <source>Move the step up (Alt+Up)</source>
        <translation>上移此步（Alt+↑）</translation>
    </message>
    <message>
        <source>Move the step down (Alt+Down)</source>
        <translation>下移此步（Alt+↓）</translation>
    </message>
    <message>
        <source>Lesson editor</source>
        <translation>课程编辑器</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>保存课程</translation>
    </message>
    <message>
        <source>Alt + Up, Alt + Down</source>
        <translation>Alt + ↑、Alt + ↓</translation>
    </message>
    <message>
        <source>Move the step (in the list)</source>
        <translation>移动步骤（在列表中）</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>Remove the step (in the list)</source>
        <translation>删除步骤（在列表中）</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>新课程</translation>
    </message>
    <message>
        <source>Open a lesson…</source>
        <translation>打开课程…</translation>
    </message>
    <message>
        <source>Edit a copy of</source>
        <translation>编辑副本</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>The scale lab</source>
        <translation>缩放实验</translation>
    </message>
    <message>
        <source>The mask lab</source>
        <translation>掩码实验</translation>
    </message>
    <message>
        <source>What the workspace shows</source>
        <translation>工作区当前画面</translation>
    </message>
    <message>
        <source>A step of a lesson</source>
        <translation>某一课的一步</translation>
    </message>
    <message>
        <source>◂ Lessons</source>
        <translation>◂ 课程</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>所有课程</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>As an .attnlesson file, which a double click opens</source>
        <translation>存为 .attnlesson 文件，双击即可打开</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试讲</translation>
    </message>
    <message>
        <source>Runs the lesson from this step, as its readers see it</source>
        <translation>从这一步开始，按读者所见的样子运行课程</translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation>添加步骤</translation>
    </message>
    <message>
        <source>Steps of the lesson</source>
        <translation>课程的步骤</translation>
    </message>
    <message>
        <source>Parts of the lesson</source>
        <translation>课程的各部分</translation>
    </message>
    <message>
        <source>Language of the texts</source>
        <translation>文字的语言</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <translation>%1（未保存）</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number and title of a step</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>(no title)</source>
        <translation>（无标题）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>part, number of mistakes</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>To correct: %1</source>
        <translation>待更正：%1 处</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>实验板</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>断言</translation>
    </message>
    <message>
        <source>A lesson has steps. Add one from a lab, the workspace or another lesson.</source>
        <translation>课程由步骤组成。可以从实验、工作区或其他课程添加一步。</translation>
    </message>
    <message>
        <source>*Hint:* %1</source>
        <translation>*提示：*%1</translation>
    </message>
    <message>
        <source>Compose a lecture…</source>
        <translation>编排讲座…</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonForm</name>
    <message>
        <source>Title of the lesson</source>
        <translation>课程标题</translation>
    </message>
    <message>
        <source>A sentence or two for the list of lessons</source>
        <translation>课程列表中的一两句简介</translation>
    </message>
    <message>
        <source>Heading in the list of lessons</source>
        <translation>在课程列表中所属的标题</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonList</name>
    <message>
        <source>Everything in a lesson is computed while you look at it. Move a slider or type a number, and the text follows. Your own workspace stays as you left it.</source>
        <translation>课程中的一切都是当场计算的。移动滑块或输入一个数，文字会随之更新。您自己的工作区保持原样。</translation>
    </message>
    <message>
        <source>Scale lab</source>
        <translation>缩放实验</translation>
    </message>
    <message>
        <source>Mask lab</source>
        <translation>掩码实验</translation>
    </message>
    <message>
        <source>Open a lesson folder…</source>
        <translation>打开课程文件夹…</translation>
    </message>
    <message>
        <source>Reset my progress</source>
        <translation>重置我的进度</translation>
    </message>
    <message>
        <source>Write a lesson</source>
        <translation>编写课程</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonPage</name>
    <message>
        <source>Open in the workspace</source>
        <translation>在工作区打开</translation>
    </message>
    <message>
        <source>Takes the inputs and settings on show into your own workspace</source>
        <translation>将当前显示的输入和设置带入您自己的工作区</translation>
    </message>
    <message>
        <source>Show the text</source>
        <translation>显示文字</translation>
    </message>
    <message>
        <source>Cover the answers</source>
        <translation>遮住答案</translation>
    </message>
    <message>
        <source>Forgets the answers of this lesson: its boards are covered again</source>
        <translation>清除这一课的答案：实验板重新遮住</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>times</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Not that one. Look at the picture again.</source>
        <translation>不是这一项。请再看一看图。</translation>
    </message>
    <message>
        <source>**Question:** %1</source>
        <translation>**问题：**%1</translation>
    </message>
    <message>
        <source>**Answer:** %1</source>
        <translation>**答案：**%1</translation>
    </message>
    <message>
        <source>the next page of the text</source>
        <translation>文字的下一页</translation>
    </message>
    <message>
        <source>a change on the board</source>
        <translation>画面的变化</translation>
    </message>
    <message>
        <source>the answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>the next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>the next page of the board</source>
        <translation>画面的下一页</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LessonRow</name>
    <message>
        <source>Lesson %1: %2</source>
        <translation>第 %1 课：%2</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>已看 %1 / %2 步</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>再学一遍</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 questions</source>
        <comment>steps, questions</comment>
        <translation>%1 · 已答 %2 / %3 题</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>约 %1 分钟</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LineChart</name>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation>左、右、Home、End</translation>
    </message>
    <message>
        <source>Choose a point of the curve, or read it off</source>
        <translation>选择曲线上的一点，或读出其值</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::LogSlider</name>
    <message>
        <source>Slider of a number</source>
        <translation>数值滑块</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右方向键</translation>
    </message>
    <message>
        <source>Change the number; with Shift by ten steps, with Alt by a tenth</source>
        <translation>更改数值；按住 Shift 为十步，按住 Alt 为十分之一步</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>Go to an end</source>
        <translation>移到一端</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>During a drag: bring the number before back</source>
        <translation>拖动时：恢复原来的数值</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MainWindow</name>
    <message>
        <source>%1, changed</source>
        <translation>%1（已更改）</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MapComparison</name>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Which of the maps is shown</source>
        <translation>显示哪一张地图</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>What a pixel shows of its cells</source>
        <translation>一个像素显示所含单元格的哪个值</translation>
    </message>
    <message>
        <source>Head of B</source>
        <translation>B 的头</translation>
    </message>
    <message>
        <source>The head of B that is compared with the chosen head of A</source>
        <translation>与 A 的所选头相比较的 B 的头</translation>
    </message>
    <message>
        <source>Computing both maps… %1</source>
        <translation>正在计算两张地图… %1</translation>
    </message>
    <message>
        <source>the same head</source>
        <translation>同一个头</translation>
    </message>
    <message>
        <source>head %1 of B</source>
        <translation>B 的头 %1</translation>
    </message>
    <message>
        <source>Computing both maps…</source>
        <translation>正在计算两张地图…</translation>
    </message>
    <message>
        <source>%1: weights</source>
        <comment>A, B or B − A</comment>
        <translation>%1：权重</translation>
    </message>
    <message>
        <source>%1: weights · head %2</source>
        <comment>A, B or B − A</comment>
        <translation>%1：权重 · 头 %2</translation>
    </message>
    <message>
        <source>B − A: weights · head %1 of B, head %2 of A</source>
        <translation>B − A：权重 · B 的头 %1，A 的头 %2</translation>
    </message>
    <message>
        <source>A and B have one scale</source>
        <translation>A 和 B 使用同一标尺</translation>
    </message>
    <message>
        <source>Mean of B − A over the cells of a pixel; a blocked cell counts as 0</source>
        <translation>每个像素所含单元格 B − A 的均值；被屏蔽的单元格按 0 计</translation>
    </message>
    <message>
        <source>Largest weight of B in a pixel less the largest of A, which may be of another cell</source>
        <translation>像素内 B 的最大权重减去 A 的最大权重，二者可能不在同一单元格</translation>
    </message>
    <message>
        <source>%1 × %2 cells are in sight; zoom in to copy at most a million, or export the map.</source>
        <translation>当前可见 %1 × %2 个单元格；请放大到不超过一百万个再复制，或导出地图。</translation>
    </message>
    <message>
        <source>The numbers in sight are on the clipboard</source>
        <translation>可见的数值已复制到剪贴板</translation>
    </message>
    <message>
        <source>Copying…</source>
        <translation>正在复制…</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>图像已复制到剪贴板</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MapSource</name>
    <message>
        <source>%1 → %2: %3</source>
        <comment>query token → key token: weight</comment>
        <translation>%1 → %2：%3</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>%1 → %2: at most %3</source>
        <comment>query token → key token: weight</comment>
        <translation>%1 → %2：不超过 %3</translation>
    </message>
    <message>
        <source>%1 → %2: %3 in its bin</source>
        <comment>query token → key token: difference</comment>
        <translation>%1 → %2：所在格 %3</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskChips</name>
    <message>
        <source>Turn off mask “%1”</source>
        <translation>关闭掩码“%1”</translation>
    </message>
    <message>
        <source>Turn on mask “%1”</source>
        <translation>打开掩码“%1”</translation>
    </message>
    <message>
        <source>Change mask “%1”</source>
        <translation>更改掩码“%1”</translation>
    </message>
    <message>
        <source>%1
Score: %2</source>
        <translation>%1
得分：%2</translation>
    </message>
    <message>
        <source>%1
Keeps: %2</source>
        <translation>%1
保留：%2</translation>
    </message>
    <message>
        <source>Mask: %1</source>
        <translation>掩码：%1</translation>
    </message>
    <message>
        <source>Sliding window of %1 keys</source>
        <translation>%1 个键的滑动窗口</translation>
    </message>
    <message>
        <source>Turn off the sliding window</source>
        <translation>关闭滑动窗口</translation>
    </message>
    <message>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Causal with a window: a query reads itself and the n − 1 keys before it. Mistral and other models call n sliding_window in their configuration.</source>
        <translation>因果加窗口：查询关注自身及其前面的 n − 1 个键。Mistral 等模型在配置中把 n 称为 sliding_window。</translation>
    </message>
    <message>
        <source>Shows the masks that are seldom used</source>
        <translation>显示不常用的掩码</translation>
    </message>
    <message>
        <source>More masks</source>
        <translation>更多掩码</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskFillForm</name>
    <message>
        <source>“%1” cannot fill blocked cells: expected a finite number or −∞.</source>
        <translation>“%1”不能用来填充被屏蔽的单元格：应为有限数或 −∞。</translation>
    </message>
    <message>
        <source>Blocked score</source>
        <translation>被屏蔽的得分</translation>
    </message>
    <message>
        <source>becomes</source>
        <translation>变为</translation>
    </message>
    <message>
        <source>plus</source>
        <translation>加上</translation>
    </message>
    <message>
        <source>How the fill enters blocked scores</source>
        <translation>屏蔽值如何作用于被屏蔽的得分</translation>
    </message>
    <message>
        <source>The fill replaces the score of a blocked cell, or is added to it.</source>
        <translation>屏蔽值替换被屏蔽单元格的得分，或与之相加。</translation>
    </message>
    <message>
        <source>Fill of blocked cells</source>
        <translation>被屏蔽单元格的屏蔽值</translation>
    </message>
    <message>
        <source>−∞, or any other number: −1e9 and −1e6 are found in textbooks.</source>
        <translation>−∞ 或其他任意数：教科书中常见 −1e9 和 −1e6。</translation>
    </message>
    <message>
        <source>True means</source>
        <translation>True 表示</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>屏蔽</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>What True means in attn_mask</source>
        <translation>attn_mask 中 True 的含义</translation>
    </message>
    <message>
        <source>PyTorch&apos;s functions disagree: a mask is read wrongly without this choice.</source>
        <translation>PyTorch 各函数的约定不一致：不指明含义，掩码就可能被读反。</translation>
    </message>
    <message>
        <source>Blocked scores become %1</source>
        <translation>被屏蔽的得分改为 %1</translation>
    </message>
    <message>
        <source>Blocked scores plus %1</source>
        <translation>被屏蔽的得分加上 %1</translation>
    </message>
    <message>
        <source>True means blocked</source>
        <translation>True 表示屏蔽</translation>
    </message>
    <message>
        <source>True means kept</source>
        <translation>True 表示保留</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskGrid</name>
    <message>
        <source>%1 → %2: kept</source>
        <translation>%1 → %2：保留</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the names of masks</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 → %2: blocked in some heads by %3</source>
        <translation>%1 → %2：在部分头中被 %3 屏蔽</translation>
    </message>
    <message>
        <source>%1 → %2: blocked by %3</source>
        <translation>%1 → %2：被 %3 屏蔽</translation>
    </message>
    <message>
        <source>Mask: rows are queries, columns are keys</source>
        <translation>掩码：行为查询，列为键</translation>
    </message>
    <message>
        <source>%L1 × %L2 cells are too many to draw here.</source>
        <translation>%L1 × %L2 个单元格太多，无法在此绘制。</translation>
    </message>
    <message>
        <source>The mask shows here once there are scores.</source>
        <translation>有得分后，掩码会显示在这里。</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Arrow keys, Home, End</source>
        <translation>方向键、Home、End</translation>
    </message>
    <message>
        <source>Move the cursor over the cells</source>
        <translation>在单元格间移动光标</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Paint the cell, or erase it</source>
        <translation>涂画或擦除单元格</translation>
    </message>
    <message>
        <source>Shift + arrow keys</source>
        <translation>Shift + 方向键</translation>
    </message>
    <message>
        <source>Paint along the way</source>
        <translation>沿途涂画</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Take back the stroke</source>
        <translation>撤回这一笔</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskImportDialog</name>
    <message>
        <source>Import mask</source>
        <translation>导入掩码</translation>
    </message>
    <message>
        <source>Import additive bias</source>
        <translation>导入加性偏置</translation>
    </message>
    <message>
        <source>This array holds NaN or +∞: it is neither a mask nor an additive bias.</source>
        <translation>该数组含有 NaN 或 +∞：既不是掩码，也不是加性偏置。</translation>
    </message>
    <message>
        <source>Import a mask</source>
        <translation>导入掩码</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>PyTorch has two senses. What does True (1) mean in this array?</source>
        <translation>PyTorch 有两种约定。该数组中的 True（1）表示什么？</translation>
    </message>
    <message>
        <source>It holds other numbers than 0 and 1, so they are no True and False.</source>
        <translation>数组中含有 0 和 1 以外的数，因此不是 True 和 False。</translation>
    </message>
    <message>
        <source>True is blocked, as in nn.MultiheadAttention: blocks %1 of %2 cells</source>
        <translation>True 表示屏蔽，同 nn.MultiheadAttention：屏蔽 %2 个单元格中的 %1 个</translation>
    </message>
    <message>
        <source>True is kept, as in scaled_dot_product_attention: blocks %1 of %2 cells</source>
        <translation>True 表示保留，同 scaled_dot_product_attention：屏蔽 %2 个单元格中的 %1 个</translation>
    </message>
    <message>
        <source>Neither: add these numbers to the scaled scores (additive mask)</source>
        <translation>都不是：把这些数加到缩放后的得分上（加性掩码）</translation>
    </message>
    <message>
        <source>The first matrix as it would block</source>
        <translation>第一个矩阵的屏蔽效果</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>%1 → %2: %3</source>
        <translation>%1 → %2：%3</translation>
    </message>
    <message>
        <source>Its shape is %1. Expected %2 × %3, %4 × %2 × %3 or %5 × %6 × %2 × %3, as the scores have. Any size may be 1 instead.</source>
        <translation>其形状为 %1，应与得分一致：%2 × %3、%4 × %2 × %3 或 %5 × %6 × %2 × %3。任一大小也可以是 1。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskPainter</name>
    <message>
        <source>Nothing painted there. What a preset blocks opens when the preset is switched off.</source>
        <translation>这里没有绘制内容。由预设屏蔽的单元格，关闭该预设后才会打开。</translation>
    </message>
    <message>
        <source>Paint mask</source>
        <translation>绘制掩码</translation>
    </message>
    <message>
        <source>There are no scores yet to paint a mask on.</source>
        <translation>还没有可供绘制掩码的得分。</translation>
    </message>
    <message>
        <source>This key was appended by the mechanism: every mask lets it through.</source>
        <translation>这个键由机制附加：任何掩码都不会屏蔽它。</translation>
    </message>
    <message>
        <source>A mask of %L1 cells is too large to paint by hand; open it from a file.</source>
        <translation>含 %L1 个单元格的掩码过大，无法手工绘制；请从文件打开。</translation>
    </message>
    <message>
        <source>Erase painted mask</source>
        <translation>擦除绘制的掩码</translation>
    </message>
    <message>
        <source>Clear painted mask</source>
        <translation>清除绘制的掩码</translation>
    </message>
    <message>
        <source>Invert painted mask</source>
        <translation>反转绘制的掩码</translation>
    </message>
    <message>
        <source>Paint a pattern</source>
        <translation>绘制图案</translation>
    </message>
    <message>
        <source>Fit painted mask</source>
        <translation>使绘制的掩码适配大小</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskPanel</name>
    <message>
        <source>The painted mask was made for another size: the scores are now %1 × %2.</source>
        <translation>绘制的掩码对应另一种大小：得分现在为 %1 × %2。</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>heads of the batch</source>
        <translation>该批次的所有头</translation>
    </message>
    <message>
        <source>head %1 only</source>
        <translation>仅头 %1</translation>
    </message>
    <message>
        <source>Strokes paint: %1</source>
        <translation>绘制范围：%1</translation>
    </message>
    <message>
        <source>Strokes paint all heads</source>
        <translation>绘制到所有头</translation>
    </message>
    <message>
        <source>Strokes paint the head on show, in this batch</source>
        <translation>绘制到当前批次中显示的头</translation>
    </message>
    <message>
        <source>Strokes paint the head on show</source>
        <translation>绘制到当前显示的头</translation>
    </message>
    <message>
        <source>Strokes paint the head on show, in every batch</source>
        <translation>绘制到每个批次中显示的头</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Fit it</source>
        <translation>适配大小</translation>
    </message>
    <message>
        <source>Cuts the painted mask, or extends it by kept cells.</source>
        <translation>裁剪绘制的掩码，或用保留的单元格补足。</translation>
    </message>
    <message>
        <source>Which heads strokes paint</source>
        <translation>绘制作用于哪些头</translation>
    </message>
    <message>
        <source>Mask of A</source>
        <translation>A 的掩码</translation>
    </message>
    <message>
        <source>One box of the grid is %1 × %2 cells.</source>
        <translation>网格中一格代表 %1 × %2 个单元格。</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>painted cells are blocked</source>
        <translation>涂色即屏蔽</translation>
    </message>
    <message>
        <source>Value of blocked cells</source>
        <translation>屏蔽处的值</translation>
    </message>
    <message>
        <source>What stands in blocked cells, what True means in attn_mask, and score_mod</source>
        <translation>被遮挡的单元格里填什么、attn_mask 中 True 的含义，以及 score_mod</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskTools</name>
    <message>
        <source>Paint</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Paint on the large heatmap</source>
        <translation>在大热图上绘制</translation>
    </message>
    <message>
        <source>Dragging on the large heatmap paints the mask; the right button erases.</source>
        <translation>在大热图上拖动即可绘制掩码；按右键擦除。</translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>画笔</translation>
    </message>
    <message>
        <source>Brush: the cells under the pointer</source>
        <translation>画笔：指针经过的单元格</translation>
    </message>
    <message>
        <source>Rectangle</source>
        <translation>矩形</translation>
    </message>
    <message>
        <source>Rectangle: from the first cell to the last</source>
        <translation>矩形：从起始单元格到终止单元格</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Row: all keys of a query</source>
        <translation>行：一个查询的所有键</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Column: a key for all queries</source>
        <translation>列：一个键对所有查询</translation>
    </message>
    <message>
        <source>Diagonal band</source>
        <translation>对角带</translation>
    </message>
    <message>
        <source>Diagonal band: cells whose key is as far from their query as in the cells passed</source>
        <translation>对角带：键与查询的距离和所经过单元格相同的所有单元格</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>擦除</translation>
    </message>
    <message>
        <source>Erase: strokes unblock painted cells</source>
        <translation>擦除：解除所绘单元格的屏蔽</translation>
    </message>
    <message>
        <source>More for the mask</source>
        <translation>更多掩码操作</translation>
    </message>
    <message>
        <source>Clear, invert, patterns, import</source>
        <translation>清除、反转、图案、导入</translation>
    </message>
    <message>
        <source>Clear painted cells</source>
        <translation>清除绘制的单元格</translation>
    </message>
    <message>
        <source>Invert painted cells</source>
        <translation>反转绘制的单元格</translation>
    </message>
    <message>
        <source>Paint a pattern</source>
        <translation>绘制图案</translation>
    </message>
    <message>
        <source>Import a mask…</source>
        <translation>导入掩码…</translation>
    </message>
    <message>
        <source>The future (causal)</source>
        <translation>未来位置（因果）</translation>
    </message>
    <message>
        <source>All but a band of width 3</source>
        <translation>宽度为 3 的带之外</translation>
    </message>
    <message>
        <source>All but a band of width 5</source>
        <translation>宽度为 5 的带之外</translation>
    </message>
    <message>
        <source>All but the diagonal</source>
        <translation>对角线之外</translation>
    </message>
    <message>
        <source>A random tenth of the cells</source>
        <translation>随机十分之一的单元格</translation>
    </message>
    <message>
        <source>A random third of the cells</source>
        <translation>随机三分之一的单元格</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MaskTray</name>
    <message>
        <source>All masks…</source>
        <translation>所有掩码…</translation>
    </message>
    <message>
        <source>Opens the panel of all masks: windows, padding, documents and others</source>
        <translation>打开全部掩码的面板：窗口、填充、文档等</translation>
    </message>
    <message>
        <source>Tools of the mask</source>
        <translation>掩码工具</translation>
    </message>
    <message>
        <source>Drag on the matrix to block cells, with the right button to unblock them. Escape closes.</source>
        <translation>在矩阵上拖动以屏蔽单元格，右键取消屏蔽。按 Esc 收起。</translation>
    </message>
    <message>
        <source>Drag blocks, right drag unblocks</source>
        <translation>拖动屏蔽，右键拖动取消</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MatrixHeader</name>
    <message>
        <source>Largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>What a pixel shows of its cells</source>
        <translation>一个像素显示所含单元格的哪个值</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Fit to window</source>
        <translation>适合窗口</translation>
    </message>
    <message>
        <source>Batch %1</source>
        <translation>批次 %1</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>Average</source>
        <comment>of all heads</comment>
        <translation>平均</translation>
    </message>
    <message>
        <source>How the weights are shown</source>
        <translation>权重的显示方式</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MatrixPage</name>
    <message>
        <source>Computing the map…</source>
        <translation>正在计算地图…</translation>
    </message>
    <message>
        <source>weights · head %1</source>
        <translation>权重 · 头 %1</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 × %2 cells are in sight; zoom in to copy at most a million, or export the map.</source>
        <translation>当前可见 %1 × %2 个单元格；请放大到不超过一百万个再复制，或导出地图。</translation>
    </message>
    <message>
        <source>The weights in sight are on the clipboard</source>
        <translation>可见部分的权重已复制到剪贴板</translation>
    </message>
    <message>
        <source>Nothing computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>%1 × %2 cells</source>
        <comment>queries x keys</comment>
        <translation>%1 × %2 个单元格</translation>
    </message>
    <message>
        <source>The computation of this map was cancelled: nothing of it is computed yet</source>
        <translation>该地图的计算已取消：尚未算出任何部分</translation>
    </message>
    <message>
        <source>Incomplete: the computation of this map was cancelled, and only a part of it is shown</source>
        <translation>不完整：该地图的计算已取消，只显示其中一部分</translation>
    </message>
    <message>
        <source>Compute the map</source>
        <translation>计算地图</translation>
    </message>
    <message>
        <source>Computing the map… %1</source>
        <translation>正在计算地图… %1</translation>
    </message>
    <message>
        <source>Copying…</source>
        <translation>正在复制…</translation>
    </message>
    <message>
        <source>As they mix the values</source>
        <translation>即混合各个值时所用的权重</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MeasuresCard</name>
    <message>
        <source>Against exact attention</source>
        <translation>与精确注意力对比</translation>
    </message>
    <message>
        <source>this</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>%1; exact attention: %2</source>
        <translation>%1；精确注意力：%2</translation>
    </message>
    <message>
        <source>Matrix, state and cost</source>
        <translation>矩阵、状态与代价</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MechanismBar</name>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>Multiplies the weights by the scale instead of the scores. It is not how attention is defined: a widely copied worked example prints its numbers this way, and this reproduces them as printed.</source>
        <translation>对权重而不是得分做缩放。这不符合注意力的定义，但一个广为流传的算例正是这样算的，此选项用于重现它印出的结果。</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Choose mechanism %1</source>
        <translation>选择机制 %1</translation>
    </message>
    <message>
        <source>Choose scale %1</source>
        <translation>选择缩放：%1</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>Scale after softmax</source>
        <translation>在 softmax 之后缩放</translation>
    </message>
    <message>
        <source>Scale before softmax</source>
        <translation>在 softmax 之前缩放</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Scores see contents alone; the order of tokens plays no part.</source>
        <translation>得分只看内容；词元的顺序不起作用。</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>More parameters of mechanism, scale and position</source>
        <translation>机制、缩放和位置的更多参数</translation>
    </message>
    <message>
        <source>This scale is not one number for all scores, so there is nothing to multiply the weights by.</source>
        <translation>该缩放对各个得分并非同一个数，因此没有一个数可以拿来乘权重。</translation>
    </message>
    <message>
        <source>Choose no position</source>
        <translation>选择无位置</translation>
    </message>
    <message>
        <source>Choose position %1</source>
        <translation>选择位置 %1</translation>
    </message>
    <message>
        <source>Numbers of the setting</source>
        <translation>该设置的数值</translation>
    </message>
    <message>
        <source>What the window shows is rounded to the numbers of a narrower type</source>
        <translation>窗口所示结果已舍入为较窄类型的数值</translation>
    </message>
    <message>
        <source>No scale</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>No position</source>
        <translation>无位置</translation>
    </message>
    <message>
        <source>After softmax</source>
        <translation>在 softmax 之后</translation>
    </message>
    <message>
        <source>Normaliser</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>How weights are made</source>
        <translation>权重的得出方式</translation>
    </message>
    <message>
        <source>What makes weights of the scores, and how keys fade with distance</source>
        <translation>分数如何变成权重，以及键如何随距离衰减</translation>
    </message>
    <message>
        <source>Choose no decay</source>
        <translation>选择无衰减</translation>
    </message>
    <message>
        <source>Choose decay %1</source>
        <translation>选择衰减：%1</translation>
    </message>
    <message>
        <source>Choose normaliser %1</source>
        <translation>选择归一化：%1</translation>
    </message>
    <message>
        <source>No decay</source>
        <translation>无衰减</translation>
    </message>
    <message>
        <source>Keys do not fade with their distance.</source>
        <translation>键不随距离衰减。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Parameters of the mechanism, and its formula</source>
        <translation>机制的参数和公式</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Settings of the mechanism</source>
        <translation>机制的设置</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>More: %1</source>
        <translation>更多：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Menus</name>
    <message>
        <source>No files yet</source>
        <translation>还没有文件</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast, black on white</source>
        <translation>高对比度（白底黑字）</translation>
    </message>
    <message>
        <source>High contrast, white on black</source>
        <translation>高对比度（黑底白字）</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>还没有模型</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ModelMode</name>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Models (config.json *.gguf);;All files (*)</source>
        <translation>模型 (config.json *.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose an image</source>
        <translation>选择图像</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.webp *.bmp *.gif);;All files (*)</source>
        <translation>图像 (*.png *.jpg *.jpeg *.webp *.bmp *.gif);;所有文件 (*)</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 · %2 ms · %3 tokens</source>
        <translation>%1 · %2 毫秒 · %3 个词元</translation>
    </message>
    <message>
        <source>Choose a sound</source>
        <translation>选择声音</translation>
    </message>
    <message>
        <source>Sounds (*.wav *.flac *.ogg *.oga *.opus *.mp3 *.aiff *.au);;All files (*)</source>
        <translation>声音 (*.wav *.flac *.ogg *.oga *.opus *.mp3 *.aiff *.au);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ModelPage</name>
    <message>
        <source>Opens queries, keys, values, scale and mask of this head as a document that can be edited</source>
        <translation>把这个头的查询、键、值、缩放和掩码打开为可以编辑的文档</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source> · %1: %2 layers × %3 heads</source>
        <translation> · %1：%2 层 × %3 头</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Opens all heads of this pass as a document that can be edited</source>
        <translation>把该注意力块的所有头打开为可以编辑的文档</translation>
    </message>
    <message>
        <source>%1 · %2 × %3 heads</source>
        <translation>%1 · %2 × %3 个头</translation>
    </message>
    <message>
        <source>Width of the heads</source>
        <translation>各头区域的宽度</translation>
    </message>
    <message>
        <source>Width of the head on show</source>
        <translation>所显示的头的宽度</translation>
    </message>
    <message>
        <source>Exported: %1</source>
        <translation>已导出：%1</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>The attention that another program computed, as it was recorded there.</source>
        <translation>另一个程序计算的注意力，按当时录制的原样显示。</translation>
    </message>
    <message>
        <source>real model</source>
        <translation>真实模型</translation>
    </message>
    <message>
        <source>The weights of this model were learned from data. It runs on this computer.</source>
        <translation>此模型的参数是从数据中学到的，并在这台计算机上运行。</translation>
    </message>
    <message>
        <source>Computes products with weights in bfloat16, which is faster on some processors. Weights and activations are rounded to 8 bits, so every number changes a little.</source>
        <translation>与模型参数的乘积以 bfloat16 计算，在部分处理器上更快。参数和激活值只保留 8 位有效位，因此所有数值都会有细微变化。</translation>
    </message>
    <message>
        <source>All numbers on this page were computed with products in bfloat16.</source>
        <translation>本页的所有数值都由 bfloat16 的乘积算出。</translation>
    </message>
    <message>
        <source>There is no result</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>The model was stopped.</source>
        <translation>模型的计算已停止。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message numerus="yes">
        <source>%n attention blocks</source>
        <translation>
            <numerusform>%n 个注意力块</numerusform>
        </translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Compute in bfloat16</source>
        <translation>用 bfloat16 计算</translation>
    </message>
    <message>
        <source>Copy the weights as a table</source>
        <translation>将权重复制为表格</translation>
    </message>
    <message>
        <source>random weights</source>
        <translation>随机权重</translation>
    </message>
    <message>
        <source>This model was probably not trained: its norms are as they were created. Its answers then mean nothing, but they are computed as those of a trained model.</source>
        <translation>此模型很可能未经训练：其归一化参数仍是创建时的值。这时它的回答没有意义，但计算方式与训练好的模型相同。</translation>
    </message>
    <message>
        <source>Open head in workspace</source>
        <translation>在工作区打开此头</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ModelSession</name>
    <message numerus="yes">
        <source>The model ended the text after %n tokens</source>
        <translation>
            <numerusform>模型在 %n 个词元后结束了文本</numerusform>
        </translation>
    </message>
    <message>
        <source>The model reads no more than these %1 tokens</source>
        <translation>模型最多读取这 %1 个词元</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Write on</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Edit second text</source>
        <translation>编辑第二段文本</translation>
    </message>
    <message>
        <source>Compare texts</source>
        <translation>比较文本</translation>
    </message>
    <message>
        <source>End comparison</source>
        <translation>结束比较</translation>
    </message>
    <message>
        <source>Edit text of the decoder</source>
        <translation>编辑解码器文本</translation>
    </message>
    <message>
        <source>Without the image</source>
        <translation>不用图像</translation>
    </message>
    <message>
        <source>Choose an image</source>
        <translation>选择图像</translation>
    </message>
    <message>
        <source>Choose a sound</source>
        <translation>选择声音</translation>
    </message>
    <message>
        <source>Head on (%1)</source>
        <translation>恢复头（%1）</translation>
    </message>
    <message>
        <source>Head off (%1)</source>
        <translation>关闭头（%1）</translation>
    </message>
    <message>
        <source>Replace what is off</source>
        <translation>更改被关闭头的替代输出</translation>
    </message>
    <message>
        <source>All heads on</source>
        <translation>恢复所有头</translation>
    </message>
    <message>
        <source>Sample model</source>
        <translation>示例模型</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::NumberField</name>
    <message>
        <source>“%1” was not taken. %2</source>
        <translation>“%1”未被采用。%2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::NumberLine</name>
    <message>
        <source>This is not a number</source>
        <translation>这不是数</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::OptionButton</name>
    <message>
        <source>%1: right</source>
        <translation>%1：正确</translation>
    </message>
    <message>
        <source>%1: chosen, not right</source>
        <translation>%1：已选，不正确</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::OutcomeBars</name>
    <message>
        <source>%1: %2, %3 with all heads</source>
        <translation>%1：%2，所有头打开时 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The most likely outcomes</source>
        <translation>最可能的结果</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Go from outcome to outcome</source>
        <translation>在各结果间移动</translation>
    </message>
    <message>
        <source>Pin the outcome, to compare two</source>
        <translation>固定此结果，以便比较两个</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Take it as the next token of the text</source>
        <translation>取作文本的下一个词元</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::OutdatedOverlay</name>
    <message>
        <source>Not updated yet</source>
        <translation>尚未更新</translation>
    </message>
    <message>
        <source>The result is being computed.</source>
        <translation>正在计算结果。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Page</name>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>图像已复制到剪贴板</translation>
    </message>
    <message>
        <source>%1 is on the clipboard</source>
        <translation>%1 已复制到剪贴板</translation>
    </message>
    <message>
        <source>%1 has %L2 × %L3 cells, and at most %L4 can be copied: export it instead.</source>
        <translation>%1 有 %L2 × %L3 个单元格，最多只能复制 %L4 个：请改用导出。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PageReadsView</name>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Pages · mean of heads</source>
        <translation>页 · 各头平均</translation>
    </message>
    <message>
        <source>Pages · head %1</source>
        <translation>页 · 头 %1</translation>
    </message>
    <message>
        <source>Every pair of pages has a softmax of its own, and the outputs are added. So a row of weights sums to the number of pages that it reads, here %1.</source>
        <translation>每一对页各自做 softmax，再把输出相加。因此一行权重之和等于它所关注的页数，此处为 %1。</translation>
    </message>
    <message>
        <source>Every pair of pages has a softmax of its own, and the outputs are added. So a row of weights sums to the number of pages that it reads, here %1 to %2. It is not a distribution.</source>
        <translation>每一对页各自做 softmax，再把输出相加。因此一行权重之和等于它所关注的页数，此处为 %1 到 %2。它不是概率分布。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PageTableView</name>
    <message>
        <source>%1 tokens take %2 pages of %3 slots; of these slots %4 are empty, which is %5% lost to fragmentation. Of the %6 pages of the pool %7 are free.</source>
        <translation>%1 个词元占用 %2 页，每页 %3 个槽位；其中 %4 个槽位为空，即 %5% 因碎片而浪费。页池共 %6 页，空闲 %7 页。</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PanelDivider</name>
    <message>
        <source>Width of the panel %1</source>
        <translation>面板“%1”的宽度</translation>
    </message>
    <message>
        <source>Height of the panel %1</source>
        <translation>面板“%1”的高度</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PanelDocks</name>
    <message>
        <source>Place of %1</source>
        <translation>“%1”的位置</translation>
    </message>
    <message>
        <source>At the left</source>
        <translation>在左侧</translation>
    </message>
    <message>
        <source>At the right</source>
        <translation>在右侧</translation>
    </message>
    <message>
        <source>Above</source>
        <translation>在上方</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>在下方</translation>
    </message>
    <message>
        <source>In a window of its own</source>
        <translation>在单独的窗口中</translation>
    </message>
    <message>
        <source>Panels in one place</source>
        <translation>同一位置的面板</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PanelGrip</name>
    <message>
        <source>Put back into the window</source>
        <translation>放回窗口</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
    <message>
        <source>Close this panel</source>
        <translation>关闭此面板</translation>
    </message>
    <message>
        <source>Drag to move this panel, double click to float it. View &gt; Panels opens and closes it.</source>
        <translation>拖动可移动此面板，双击可使其浮动。“视图 &gt; 面板”可打开或关闭它。</translation>
    </message>
    <message>
        <source>Place of %1</source>
        <translation>“%1”的位置</translation>
    </message>
    <message>
        <source>Floating panel</source>
        <translation>浮动面板</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move the panel; with Shift make it larger or smaller</source>
        <translation>移动面板；按住 Shift 则放大或缩小</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Put it back into the window, or close it</source>
        <translation>放回窗口，或关闭</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ParameterForm</name>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PatchMap</name>
    <message>
        <source>Patches of an image</source>
        <translation>图像的图块</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Go from patch to patch</source>
        <translation>逐个图块移动</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>Patch %1,%2: %3</source>
        <translation>图块 %1,%2：%3</translation>
    </message>
    <message>
        <source>Go to the first token</source>
        <translation>转到第一个词元</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PicturePage</name>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>Vectors: sharp at any size</source>
        <translation>矢量图：任意大小都清晰</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source> dots per inch</source>
        <translation> 点/英寸</translation>
    </message>
    <message>
        <source>Numbers in the cells, where they fit</source>
        <translation>放得下时在单元格内显示数值</translation>
    </message>
    <message>
        <source>Colour bar</source>
        <translation>色条</translation>
    </message>
    <message>
        <source>Transparent background</source>
        <translation>透明背景</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>1 point is 1/72 inch; a column of a paper is often 252 points wide</source>
        <translation>1 点为 1/72 英寸；论文的一栏通常宽 252 点</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>字体</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Of labels and numbers. Automatic: 10 points, or down to 6 where more labels have room then.</source>
        <translation>标签和数字的字号。自动：10 点；若缩小可容纳更多标签，则最小到 6 点。</translation>
    </message>
    <message>
        <source>Logarithmic colours</source>
        <translation>对数颜色</translation>
    </message>
    <message>
        <source>The settings of the figure, and its arrays where they are small. Whoever has the file has them too.</source>
        <translation>图的设置，以及较小的数组。得到该文件的人也会得到它们。</translation>
    </message>
    <message>
        <source>Keep the inputs, so that the file opens here (%1 kB)</source>
        <translation>保留输入，以便此文件可在这里打开（%1 KB）</translation>
    </message>
    <message>
        <source>System font</source>
        <translation>系统字体</translation>
    </message>
    <message>
        <source>Colour range</source>
        <translation>颜色范围</translation>
    </message>
    <message>
        <source>Keep the settings (%1 kB); the inputs are too large for a figure</source>
        <translation>附带设置（%1 kB）；输入数据过大，无法存入图中</translation>
    </message>
    <message>
        <source>Height as the content needs</source>
        <translation>高度随内容而定</translation>
    </message>
    <message>
        <source>Letters a, b, c</source>
        <translation>子图编号 a、b、c</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>The height follows from the width</source>
        <translation>高度由宽度决定</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Unit of length</source>
        <translation>长度单位</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴名称</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴名称</translation>
    </message>
    <message>
        <source>Name of the colour bar</source>
        <translation>色条名称</translation>
    </message>
    <message>
        <source>Digits, at most</source>
        <translation>最多位数</translation>
    </message>
    <message>
        <source>%1 pixels wide</source>
        <translation>宽 %1 像素</translation>
    </message>
    <message>
        <source>A blank leaves the name out</source>
        <translation>输入一个空格则不显示名称</translation>
    </message>
    <message>
        <source>Labels of rows and columns</source>
        <translation>行和列的标签</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Size and text</source>
        <translation>尺寸与文字</translation>
    </message>
    <message>
        <source>Axes and cells</source>
        <translation>坐标轴与单元格</translation>
    </message>
    <message>
        <source>All of them can be read by colour-blind eyes</source>
        <translation>色觉障碍者都能分辨这些配色</translation>
    </message>
    <message>
        <source>Above the heatmaps, in their order, with commas between them</source>
        <translation>按顺序写在各热图上方，用逗号分隔</translation>
    </message>
    <message>
        <source>Names of the heatmaps</source>
        <translation>各热图的名称</translation>
    </message>
    <message>
        <source>Heatmaps in a row</source>
        <translation>每行热图数</translation>
    </message>
    <message>
        <source>Profiles beside the heatmap</source>
        <translation>热图旁显示各行各列的统计</translation>
    </message>
    <message>
        <source>At the right the entropy of each query, below the mean weight of each key over the queries that may read it; of a map the largest or the mean of each row and column</source>
        <translation>右侧为各查询的熵，下方为各键的平均权重（只计可以读取该键的查询）；地图则为各行各列的最大值或平均值</translation>
    </message>
    <message>
        <source>Dark background</source>
        <translation>深色背景</translation>
    </message>
    <message>
        <source>Colour range from</source>
        <translation>颜色范围下限</translation>
    </message>
    <message>
        <source>Colour range to</source>
        <translation>颜色范围上限</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Player</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 steps a second</source>
        <translation>每秒 %1 步</translation>
    </message>
    <message>
        <source>To the start</source>
        <translation>到开头</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>前进一步</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>到末尾</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Steps and tiles</source>
        <translation>步骤与分块</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PredictionsPanel</name>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>位置 %2 的 %1</translation>
    </message>
    <message>
        <source>A · %1</source>
        <translation>A · %1</translation>
    </message>
    <message>
        <source>B · %1</source>
        <translation>B · %1</translation>
    </message>
    <message>
        <source>Write %1 for a word in the text, to see what the model expects there</source>
        <translation>在文本中用 %1 代替一个词，即可看到模型对该处的预测</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>The wall shows the change of the answer again</source>
        <translation>各头重新显示对回答的影响</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 对 %2</translation>
    </message>
    <message>
        <source>Click two to compare them</source>
        <translation>点选两个进行比较</translation>
    </message>
    <message>
        <source>%1 against …</source>
        <translation>%1 对……</translation>
    </message>
    <message>
        <source>Of two pinned outcomes the wall shows how the difference of their logits changes without each head</source>
        <translation>固定两个结果后，各头显示去掉它时两者 logit 差的变化</translation>
    </message>
    <message>
        <source>The answer begins at</source>
        <translation>答案从这里开始</translation>
    </message>
    <message>
        <source>The answer ends at</source>
        <translation>答案到这里结束</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>The model writes on. A double click on a next token, or Enter, takes that one</source>
        <translation>让模型续写。双击某个下一词元，或按 Enter，即取用它</translation>
    </message>
    <message>
        <source>How many tokens the model writes</source>
        <translation>模型写多少个词元</translation>
    </message>
    <message>
        <source>The likeliest</source>
        <translation>最可能的</translation>
    </message>
    <message>
        <source>By chance</source>
        <translation>随机抽取</translation>
    </message>
    <message>
        <source>Which token is written</source>
        <translation>写哪个词元</translation>
    </message>
    <message>
        <source>The likeliest token each time, or one that is drawn by its probability</source>
        <translation>每次取最可能的词元，或按概率抽取一个</translation>
    </message>
    <message>
        <source>T </source>
        <translation>温度 </translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Temperature: logits are divided by it before a token is drawn. Lower ones prefer likely tokens</source>
        <translation>温度：抽取词元之前，logit 除以它。越低越偏向可能的词元</translation>
    </message>
    <message>
        <source>Seed </source>
        <translation>种子 </translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The same seed draws the same tokens</source>
        <translation>相同的种子抽取相同的词元</translation>
    </message>
    <message>
        <source>%1 · not updated</source>
        <translation>%1 · 尚未更新</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PreferencesDialog</name>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>&amp;Reduce motion</source>
        <translation>减少动态效果(&amp;R)</translation>
    </message>
    <message>
        <source>Reopen last &amp;file at startup</source>
        <translation>启动时打开上次的文件(&amp;F)</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Large heads</source>
        <translation>大矩阵</translation>
    </message>
    <message>
        <source>Larger heads (queries × keys) are drawn as a map: computed where you look, never stored whole. Smaller ones have every stage of their computation.</source>
        <translation>更大的头（查询数 × 键数）显示为地图：只计算您查看的部分，从不整体存储。较小的头则保留计算的每个阶段。</translation>
    </message>
    <message>
        <source>&amp;Show as a map from</source>
        <translation>超过此大小显示为地图(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Memory for tiles</source>
        <translation>块所用内存(&amp;M)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo keeps the last %1 steps as long as their numbers fit into this memory; then the oldest steps go first. The last step can always be undone. The steps take %2 MiB now.</source>
        <translation>最多可撤销最近 %1 步，前提是这些步骤的数值占用的内存不超过此上限；超出时先丢弃最早的步骤。最近一步始终可以撤销。目前各步共占用 %2 MiB。</translation>
    </message>
    <message>
        <source>Memory for &amp;steps</source>
        <translation>步骤所用内存(&amp;S)</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast, black on white</source>
        <translation>高对比度（白底黑字）</translation>
    </message>
    <message>
        <source>High contrast, white on black</source>
        <translation>高对比度（黑底白字）</translation>
    </message>
    <message>
        <source> cells</source>
        <translation> 个单元格</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::PresenterView</name>
    <message>
        <source>Presenter view — AttnLab</source>
        <translation>演讲者视图 — AttnLab</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>当前时间</translation>
    </message>
    <message>
        <source>Time since the clock was started</source>
        <translation>计时器已走的时间</translation>
    </message>
    <message>
        <source>Restart the clock</source>
        <translation>重新计时</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>This is the end.</source>
        <translation>已到结尾。</translation>
    </message>
    <message>
        <source>The next press shows: %1</source>
        <translation>再按一次显示：%1</translation>
    </message>
    <message>
        <source>%1 ahead</source>
        <comment>minutes</comment>
        <translation>提前 %1</translation>
    </message>
    <message>
        <source>%1 behind</source>
        <comment>minutes</comment>
        <translation>落后 %1</translation>
    </message>
    <message>
        <source>on time</source>
        <translation>符合计划</translation>
    </message>
    <message>
        <source>planned: %1 to %2 of %3</source>
        <translation>计划：%1 到 %2，共 %3</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::QuestionForm</name>
    <message>
        <source>This step asks a question</source>
        <translation>这一步提一个问题</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Hint, after a first wrong choice (optional)</source>
        <translation>第一次选错后的提示（可不填）</translation>
    </message>
    <message>
        <source>Answer, which explains</source>
        <translation>解释性的答案</translation>
    </message>
    <message>
        <source>Cover the board until there is an answer</source>
        <translation>作答之前遮住实验板</translation>
    </message>
    <message>
        <source>The right option is</source>
        <translation>正确选项由</translation>
    </message>
    <message>
        <source>the one marked here</source>
        <translation>这里的标记指定</translation>
    </message>
    <message>
        <source>measured by expressions</source>
        <translation>表达式的计算结果决定</translation>
    </message>
    <message>
        <source>Add an option</source>
        <translation>添加选项</translation>
    </message>
    <message>
        <source>Ask about the cards</source>
        <translation>就卡片提问</translation>
    </message>
    <message>
        <source>Makes an option of each setting; the engine decides which has the largest number</source>
        <translation>把每种设置作为一个选项，由引擎判断哪一个的数值最大</translation>
    </message>
    <message>
        <source>Remove this option</source>
        <translation>删除此选项</translation>
    </message>
    <message>
        <source>Option %1 is right</source>
        <translation>选项 %1 正确</translation>
    </message>
    <message>
        <source>Words of option %1</source>
        <translation>选项 %1 的文字</translation>
    </message>
    <message>
        <source>Option %1 is right when</source>
        <translation>选项 %1 正确的条件</translation>
    </message>
    <message>
        <source>Remove option %1</source>
        <translation>删除选项 %1</translation>
    </message>
    <message>
        <source>Right: %1</source>
        <translation>正确：%1</translation>
    </message>
    <message>
        <source>Not right: %1</source>
        <translation>不正确：%1</translation>
    </message>
    <message>
        <source>Which has the largest entropy?</source>
        <translation>哪一个的熵最大？</translation>
    </message>
    <message>
        <source>Which has the smallest entropy?</source>
        <translation>哪一个的熵最小？</translation>
    </message>
    <message>
        <source>Which has the largest weight in a row?</source>
        <translation>哪一个的行内最大权重最大？</translation>
    </message>
    <message>
        <source>In which is the largest weight smallest?</source>
        <translation>哪一个的行内最大权重最小？</translation>
    </message>
    <message>
        <source>Which attends to the most keys?</source>
        <translation>哪一个关注的键最多？</translation>
    </message>
    <message>
        <source>Which attends to the fewest keys?</source>
        <translation>哪一个关注的键最少？</translation>
    </message>
    <message>
        <source>Which passes the largest gradient?</source>
        <translation>哪一个传回的梯度最大？</translation>
    </message>
    <message>
        <source>Which passes the smallest gradient?</source>
        <translation>哪一个传回的梯度最小？</translation>
    </message>
    <message>
        <source>Why option %1 is right or wrong</source>
        <translation>选项 %1 为什么对或为什么错</translation>
    </message>
    <message>
        <source>Right when: %1</source>
        <translation>正确的条件：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::QuestionView</name>
    <message>
        <source>Show the answer</source>
        <translation>显示答案</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Rail</name>
    <message>
        <source>Side bar</source>
        <translation>侧边栏</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RangeBar</name>
    <message>
        <source>blue–red</source>
        <translation>蓝–红</translation>
    </message>
    <message>
        <source>Automatic colours</source>
        <translation>自动配色</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>色图</translation>
    </message>
    <message>
        <source>Colour map. Automatic: blue–red for signed numbers, viridis for the rest</source>
        <translation>色图。自动：有正有负时用蓝–红，其余用 viridis</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Logarithmic colours</source>
        <translation>对数配色</translation>
    </message>
    <message>
        <source>Logarithmic colours: each factor of ten is the same step</source>
        <translation>对数配色：每十倍对应相同的色阶</translation>
    </message>
    <message>
        <source>Lock the colour range</source>
        <translation>锁定颜色范围</translation>
    </message>
    <message>
        <source>Keep the range of colours while the numbers change</source>
        <translation>数值变化时保持颜色范围不变</translation>
    </message>
    <message>
        <source>Lower end of the colour range</source>
        <translation>颜色范围的下限</translation>
    </message>
    <message>
        <source>Upper end of the colour range</source>
        <translation>颜色范围的上限</translation>
    </message>
    <message>
        <source>blue–red, dark</source>
        <translation>蓝–红（深色）</translation>
    </message>
    <message>
        <source>From the smallest to the largest number of the stage: small differences are seen, though the colours no longer start at 0</source>
        <translation>从该阶段的最小值到最大值：可以看出细小差别，但颜色不再从 0 开始</translation>
    </message>
    <message>
        <source>Fit smallest to largest</source>
        <translation>适配到最小值与最大值</translation>
    </message>
    <message>
        <source>Hold colours</source>
        <translation>保持颜色</translation>
    </message>
    <message>
        <source>Refit colours</source>
        <translation>自动适配</translation>
    </message>
    <message>
        <source>purple–orange</source>
        <translation>紫–橙</translation>
    </message>
    <message>
        <source>greys</source>
        <translation>灰阶</translation>
    </message>
    <message>
        <source>blues</source>
        <translation>蓝色渐变</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ReferenceDialog</name>
    <message>
        <source>Mechanisms, scales and masks</source>
        <translation>机制、缩放与掩码</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the pages</source>
        <translation>搜索页面</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Width of the list of pages</source>
        <translation>页面列表的宽度</translation>
    </message>
    <message>
        <source>No page has these words</source>
        <translation>没有包含这些词的页面</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RemarksBar</name>
    <message>
        <source>Fewer</source>
        <translation>收起</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Read otherwise…</source>
        <translation>以其他方式读取…</translation>
    </message>
    <message>
        <source>Which array is which, how its axes lie, how many heads there are</source>
        <translation>哪个数组是哪个、它的轴如何排列、有多少个头</translation>
    </message>
    <message>
        <source>Axes: B batch, H heads, L tokens (S, for keys), E features, O offsets from the query</source>
        <translation>轴：B 批次，H 头，L 词元（键则为 S），E 特征，O 相对于查询的偏移</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ResizeDialog</name>
    <message>
        <source>Resize %1</source>
        <translation>调整 %1 的大小</translation>
    </message>
    <message>
        <source>Contents are kept; new cells are zero.</source>
        <translation>保留原有内容；新单元格为零。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 改为 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>This is too large to edit; open it from a file instead.</source>
        <translation>太大，无法编辑；请改为从文件打开。</translation>
    </message>
    <message>
        <source>No other input changes.</source>
        <translation>其他输入不变。</translation>
    </message>
    <message>
        <source>Also resized: %1</source>
        <translation>一并调整：%1</translation>
    </message>
    <message>
        <source>These will no longer fit: %1</source>
        <translation>以下输入将不再匹配：%1</translation>
    </message>
    <message>
        <source>Also resize inputs that share this &amp;size</source>
        <translation>同时调整尺寸相同的输入(&amp;S)</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Results</name>
    <message>
        <source>Make up %1</source>
        <translation>随机生成 %1</translation>
    </message>
    <message>
        <source>Random numbers, from no file: %1</source>
        <translation>随机数，不来自任何文件：%1</translation>
    </message>
    <message>
        <source>Resize %1</source>
        <translation>调整 %1 的大小</translation>
    </message>
    <message>
        <source>Make weights that fit</source>
        <translation>生成匹配的权重</translation>
    </message>
    <message>
        <source>New weights</source>
        <translation>新的权重</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>The computation was cancelled.</source>
        <translation>计算已取消。</translation>
    </message>
    <message>
        <source>Show the message</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>There is no result</source>
        <translation>没有结果</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RolloutView</name>
    <message>
        <source>Computing the rollout… %1</source>
        <translation>正在计算注意力展开… %1</translation>
    </message>
    <message>
        <source>Computing the rollout…</source>
        <translation>正在计算注意力展开…</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>注意力展开</translation>
    </message>
    <message>
        <source>Rollout up to layer %1 · all heads</source>
        <translation>注意力展开 · 到第 %1 层 · 所有头</translation>
    </message>
    <message>
        <source>Rollout up to %1 · all heads</source>
        <translation>注意力展开 · 到%1 · 所有头</translation>
    </message>
    <message>
        <source>What reaches each word through all heads of these layers (Abnar and Zuidema 2020)</source>
        <translation>经过这些层的所有头，每个词得到什么（Abnar 与 Zuidema 2020）</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RoundingMenu</name>
    <message>
        <source>float64: nothing is rounded</source>
        <translation>float64：不作舍入</translation>
    </message>
    <message>
        <source>Round to %1</source>
        <translation>舍入为 %1</translation>
    </message>
    <message>
        <source>Round nothing</source>
        <translation>不作舍入</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::RowCard</name>
    <message>
        <source>sum %1</source>
        <translation>和 %1</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>effective keys</source>
        <translation>有效键数</translation>
    </message>
    <message>
        <source>The largest weight of the row</source>
        <translation>该行中最大的权重</translation>
    </message>
    <message>
        <source>Frobenius norm of diag(a) − a aᵀ: how much gradient the softmax of this row lets through</source>
        <translation>diag(a) − a aᵀ 的弗罗贝尼乌斯范数：该行 softmax 能让多少梯度通过</translation>
    </message>
    <message>
        <source>Blocked keys that are not shown: %1</source>
        <translation>未显示的被屏蔽键：%1 个</translation>
    </message>
    <message>
        <source>Weights of the row</source>
        <translation>该行的权重</translation>
    </message>
    <message>
        <source>by weight</source>
        <translation>按权重</translation>
    </message>
    <message>
        <source>by position</source>
        <translation>按位置</translation>
    </message>
    <message>
        <source>Order of the bars</source>
        <translation>条形的顺序</translation>
    </message>
    <message>
        <source>What “%1” reads</source>
        <translation>“%1”关注什么</translation>
    </message>
    <message>
        <source>fewer</source>
        <translation>收起</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <comment>keys</comment>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Show only the largest weights</source>
        <translation>只显示最大的权重</translation>
    </message>
    <message>
        <source>Show the smaller weights too</source>
        <translation>也显示较小的权重</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>奈特</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大权重</translation>
    </message>
    <message>
        <source>−Σ a log a over a row that sums to 1</source>
        <translation>−Σ a log a，对总和为 1 的一行求和</translation>
    </message>
    <message>
        <source>Entropy of the row, and the slope of its softmax</source>
        <translation>这一行的熵，以及其 softmax 的斜率</translation>
    </message>
    <message>
        <source>How many keys share the weight: 1 if one has all, n if n have the same</source>
        <translation>有多少个键分享权重：全部给一个键时为 1，n 个键平分时为 n</translation>
    </message>
    <message>
        <source>Frames: before, with %1</source>
        <translation>外框：更改前（%1）</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>原为 %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ScaleChip</name>
    <message>
        <source>A: %1</source>
        <comment>setting</comment>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <comment>setting</comment>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>Range held</source>
        <translation>颜色范围不变</translation>
    </message>
    <message>
        <source>Range held from %1</source>
        <translation>沿用“%1”的颜色范围</translation>
    </message>
    <message>
        <source>The colours keep their range, so that a change of the numbers is seen.</source>
        <translation>颜色范围保持不变，数值的变化因此看得出来。</translation>
    </message>
    <message>
        <source>The colours keep the range of %1, so that a change of the numbers is seen.</source>
        <translation>颜色沿用“%1”时的范围，数值的变化因此看得出来。</translation>
    </message>
    <message>
        <source>A click fits the range to the present numbers.</source>
        <translation>单击可按当前数值重新确定范围。</translation>
    </message>
    <message>
        <source>Held</source>
        <comment>the range of the colours</comment>
        <translation>沿用原范围</translation>
    </message>
    <message>
        <source>%1 · Refit</source>
        <comment>fit the range of the colours</comment>
        <translation>%1 · 重新适配</translation>
    </message>
    <message>
        <source>Refit</source>
        <comment>fit the range of the colours</comment>
        <translation>重新适配</translation>
    </message>
    <message>
        <source>Log colours · Linear</source>
        <translation>对数颜色 · 改为线性</translation>
    </message>
    <message>
        <source>Log · Linear</source>
        <translation>对数 · 线性</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Logarithmic colours</source>
        <translation>对数颜色</translation>
    </message>
    <message>
        <source>Linear colours would show nearly all of these cells as one. Here each factor of ten is the same step.</source>
        <translation>若用线性颜色，几乎所有单元格看上去都一样。这里每差十倍，颜色变化一级。</translation>
    </message>
    <message>
        <source>A click makes the colours linear.</source>
        <translation>单击改为线性颜色。</translation>
    </message>
    <message>
        <source>Linear colours · Log</source>
        <translation>线性颜色 · 改为对数</translation>
    </message>
    <message>
        <source>Linear · Log</source>
        <translation>线性 · 对数</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Linear colours</source>
        <translation>线性颜色</translation>
    </message>
    <message>
        <source>Nearly all of these cells have one colour, although they differ.</source>
        <translation>这些单元格的数值不同，颜色却几乎一样。</translation>
    </message>
    <message>
        <source>A click makes the colours logarithmic.</source>
        <translation>单击改为对数颜色。</translation>
    </message>
    <message>
        <source>Range grown</source>
        <translation>颜色范围已扩大</translation>
    </message>
    <message>
        <source>Grown</source>
        <comment>the range of the colours</comment>
        <translation>已扩大</translation>
    </message>
    <message>
        <source>Range grown from %1</source>
        <translation>“%1”的颜色范围已扩大</translation>
    </message>
    <message>
        <source>It has grown, because some numbers were far beyond it.</source>
        <translation>有些数值远超出该范围，范围因此扩大。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ScaleSlider</name>
    <message>
        <source>Drag, or use the arrow keys: Shift × 10, Alt ÷ 10. Escape during a drag goes back.</source>
        <translation>拖动，或使用方向键：Shift × 10，Alt ÷ 10。拖动时按 Esc 可恢复原值。</translation>
    </message>
    <message>
        <source>Scores divided by %1</source>
        <translation>得分除以 %1</translation>
    </message>
    <message>
        <source>Divide scores by %1</source>
        <translation>得分除以 %1</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改 %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ScoresCard</name>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean of the scores before the scale</source>
        <translation>缩放前得分的均值</translation>
    </message>
    <message>
        <source>after scale</source>
        <translation>缩放后</translation>
    </message>
    <message>
        <source>Mean of the scores after the scale</source>
        <translation>缩放后得分的均值</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>Variance of the scores before the scale</source>
        <translation>缩放前得分的方差</translation>
    </message>
    <message>
        <source>Variance of the scores after the scale</source>
        <translation>缩放后得分的方差</translation>
    </message>
    <message>
        <source>Mean scores of the heads</source>
        <translation>各头平均得分</translation>
    </message>
    <message>
        <source>Scores of this head</source>
        <translation>该头的得分</translation>
    </message>
    <message>
        <source>mean of scores</source>
        <translation>得分的均值</translation>
    </message>
    <message>
        <source>mean after scale</source>
        <translation>缩放后的均值</translation>
    </message>
    <message>
        <source>variance of scores</source>
        <translation>得分的方差</translation>
    </message>
    <message>
        <source>variance after scale</source>
        <translation>缩放后的方差</translation>
    </message>
    <message>
        <source>Scores of this row</source>
        <translation>该行的得分</translation>
    </message>
    <message>
        <source>The variance expected for random entries of query and key: independent, with mean 0 and variance 1</source>
        <translation>查询和键的各元素相互独立、均值为 0、方差为 1 时的理论方差</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>理论值</translation>
    </message>
    <message>
        <source>expected variance</source>
        <translation>理论方差</translation>
    </message>
    <message>
        <source>expected variance after scale</source>
        <translation>缩放后的理论方差</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::SentenceDialog</name>
    <message>
        <source>Edit sentence</source>
        <translation>编辑句子</translation>
    </message>
    <message>
        <source>Words of the queries</source>
        <translation>查询的词</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Words of the keys</source>
        <translation>键的词</translation>
    </message>
    <message>
        <source>The words as tokens</source>
        <translation>作为词元的词</translation>
    </message>
    <message>
        <source>New words get random numbers: there is no trained model behind this sample.</source>
        <translation>新词取随机数：此示例背后没有训练好的模型。</translation>
    </message>
    <message>
        <source>Words that keep their vectors: %1. New words: %2.</source>
        <translation>保留原有向量的词：%1 个。新词：%2 个。</translation>
    </message>
    <message>
        <source>Type a sentence: its words name the tokens</source>
        <translation>输入一句话：其中的词就是词元的名称</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::SentencePanel</name>
    <message>
        <source>Token %1: %2</source>
        <translation>词元 %1：%2</translation>
    </message>
    <message>
        <source>Text of a model</source>
        <translation>模型的文本</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Edit the word</source>
        <translation>编辑这个词</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Back to the words</source>
        <translation>回到词</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Back to the words, with the text as it was</source>
        <translation>回到词，恢复原来的文本</translation>
    </message>
    <message>
        <source>Token that the model wrote</source>
        <translation>模型所写的词元</translation>
    </message>
    <message>
        <source>Goes through the tokens that the model wrote, and shows what was read to write each</source>
        <translation>依次查看模型所写的词元，以及写每个词元时读了什么</translation>
    </message>
    <message>
        <source>To say “%1” next</source>
        <translation>为了接着说“%1”</translation>
    </message>
    <message>
        <source>To write %1, token %2 of the %3 written</source>
        <translation>为了写出%1（所写 %3 个词元中的第 %2 个）</translation>
    </message>
    <message>
        <source>Weights without effect: %1</source>
        <translation>权重不起作用：%1</translation>
    </message>
    <message>
        <source>This head is off: nothing is read through it</source>
        <translation>此头已关掉：没有信息经过它</translation>
    </message>
    <message>
        <source>This head is off: it gives its average instead</source>
        <translation>此头已关掉：改为给出它的平均值</translation>
    </message>
    <message>
        <source>This head gives what it gives for text B</source>
        <translation>此头给出的是它对文本 B 的输出</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message numerus="yes">
        <source>… %n not read</source>
        <translation>
            <numerusform>…… 另有 %n 个未读取</numerusform>
        </translation>
    </message>
    <message>
        <source>Text %1, token %2: %3</source>
        <translation>文本 %1，词元 %2：%3</translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation>词元 %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::SentenceRibbon</name>
    <message>
        <source>Edit sentence…</source>
        <translation>编辑句子…</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Word %1 of %2: %3</source>
        <translation>第 %1 个词，共 %2 个：%3</translation>
    </message>
    <message>
        <source>%1 words, none chosen</source>
        <translation>%1 个词，未选择</translation>
    </message>
    <message>
        <source>Click a word to see what it reads</source>
        <translation>单击一个词，看它关注什么</translation>
    </message>
    <message>
        <source>Click a query to see what it reads</source>
        <translation>单击一个查询，看它关注什么</translation>
    </message>
    <message>
        <source>Type other words for these tokens</source>
        <translation>给这些词元换上别的词</translation>
    </message>
    <message>
        <source>Edit sentence</source>
        <translation>编辑句子</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>训练好的模型</translation>
    </message>
    <message>
        <source>Read it with the trained sample model</source>
        <translation>用训练好的示例模型读这句话</translation>
    </message>
    <message>
        <source>Opens the small model that comes with the program, with this sentence. It knows few words.</source>
        <translation>打开程序自带的小模型并读入这句话。它认识的词不多。</translation>
    </message>
    <message>
        <source>Name of token %1</source>
        <translation>词元 %1 的名称</translation>
    </message>
    <message>
        <source>Remove the name of token %1</source>
        <translation>删除词元 %1 的名称</translation>
    </message>
    <message>
        <source>Name token %1 “%2”</source>
        <translation>把词元 %1 命名为“%2”</translation>
    </message>
    <message>
        <source>Type a sentence, and press Enter</source>
        <translation>输入一个句子，然后按 Enter</translation>
    </message>
    <message>
        <source>Words of the new document</source>
        <translation>新文档的词</translation>
    </message>
    <message>
        <source>made-up numbers</source>
        <translation>自拟数字</translation>
    </message>
    <message>
        <source>The numbers of this sample are chosen to show one thing. No model was trained.</source>
        <translation>此示例的数字是为说明一个现象而选的，并非来自训练好的模型。</translation>
    </message>
    <message>
        <source>%1 words are too many: at most %2 can be typed.</source>
        <translation>%1 个词太多：最多可输入 %2 个。</translation>
    </message>
    <message>
        <source>Type a sentence</source>
        <translation>输入句子</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>about the sample; what to do</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>原为 %1</translation>
    </message>
    <message>
        <source>real model</source>
        <translation>真实模型</translation>
    </message>
    <message>
        <source>Queries, keys and values were computed by a trained model.</source>
        <translation>查询、键和值由训练好的模型计算得出。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search commands and keys</source>
        <translation>搜索命令与按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>No command or key has these words</source>
        <translation>没有包含这些词的命令或按键</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::SlicePickers</name>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Axis %1</source>
        <translation>第 %1 轴</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批次 %1</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>axis %1: %2</source>
        <translation>第 %1 轴：%2</translation>
    </message>
    <message>
        <source>%1: 0 to %2</source>
        <translation>%1：0 至 %2</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StageStrip</name>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Stage %1, by %2</source>
        <translation>阶段 %1，操作：%2</translation>
    </message>
    <message>
        <source>Shape: %1</source>
        <translation>形状：%1</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>More stages</source>
        <translation>更多阶段</translation>
    </message>
    <message>
        <source>Every stage by name: inputs, masks and summaries too</source>
        <translation>按名称列出所有阶段，包括输入、掩码和汇总量</translation>
    </message>
    <message>
        <source>exact</source>
        <comment>attention, beside an approximation</comment>
        <translation>精确</translation>
    </message>
    <message>
        <source>What exact attention makes of the same query, key and value, and how far off this is</source>
        <translation>对同样的查询、键和值，精确注意力得到什么，此处又相差多少</translation>
    </message>
    <message>
        <source>Add: %1</source>
        <translation>增加：%1</translation>
    </message>
    <message>
        <source>Scale: %1</source>
        <translation>缩放：%1</translation>
    </message>
    <message>
        <source>Scores: %1</source>
        <translation>分数：%1</translation>
    </message>
    <message>
        <source>Masks: %1</source>
        <translation>掩码：%1</translation>
    </message>
    <message>
        <source>Weights by %1</source>
        <translation>权重：%1</translation>
    </message>
    <message>
        <source>Change what may be read: paint on the large matrix, or choose a mask</source>
        <translation>更改哪些位置可见：在大矩阵上涂画，或选择掩码</translation>
    </message>
    <message>
        <source>Not stored for a large head: choose a row, and the inspector shows this stage of it.</source>
        <translation>大矩阵不保存这一阶段：选一行，即可在检查器中查看。</translation>
    </message>
    <message>
        <source>Change the scale: drag sideways, or click for a slider and all scales. Up and Down step it, Shift × 10, Alt ÷ 10.</source>
        <translation>更改缩放：左右拖动，或单击打开滑块和全部缩放方式。上下方向键逐步调整，Shift × 10，Alt ÷ 10。</translation>
    </message>
    <message>
        <source>Change what makes weights of the scores, and how keys fade with distance. Drag sideways for the temperature.</source>
        <translation>更改分数如何变成权重，以及键如何随距离衰减。左右拖动可调温度。</translation>
    </message>
    <message>
        <source>Change how the position of words enters the scores</source>
        <translation>更改词的位置如何影响分数</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StartGallery</name>
    <message>
        <source>&amp;Type a sentence</source>
        <translation>输入句子(&amp;T)</translation>
    </message>
    <message>
        <source>Open a &amp;file…</source>
        <translation>打开文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Open a &amp;model…</source>
        <translation>打开模型(&amp;M)…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>A new document: type your own words</source>
        <translation>新建文档：输入您自己的词</translation>
    </message>
    <message>
        <source>A trained model: what comes after “to”?</source>
        <translation>训练好的模型：“to”后面是什么？</translation>
    </message>
    <message>
        <source>A small GPT-2 of 3 layers reads “When Mary and John went to the store, John gave a drink to”. Type your own text, and switch heads off.</source>
        <translation>一个 3 层的小型 GPT-2 读“When Mary and John went to the store, John gave a drink to”。可以输入自己的文本，也可以关掉某些头。</translation>
    </message>
    <message>
        <source>Start here</source>
        <translation>从这里开始</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Faster attention</source>
        <translation>更快的注意力</translation>
    </message>
    <message>
        <source>Whole models</source>
        <translation>完整模型</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StartPanel</name>
    <message>
        <source>Open a model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>A folder with config.json, weights and a tokenizer, or a GGUF file</source>
        <translation>含有 config.json、权重和分词器的文件夹，或一个 GGUF 文件</translation>
    </message>
    <message>
        <source>A model on this computer: a folder with config.json, weights and a tokenizer, or one GGUF file. Nothing is downloaded, and nothing leaves the machine.</source>
        <translation>本机上的模型：含 config.json、权重和分词器的文件夹，或一个 GGUF 文件。不下载任何内容，也没有任何内容离开本机。</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Back to the workspace</source>
        <translation>返回工作区</translation>
    </message>
    <message>
        <source>Back to the document</source>
        <translation>返回文档</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StatusLine</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress of the computation</source>
        <translation>计算进度</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>exact (64-bit)</source>
        <translation>精确（64 位）</translation>
    </message>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 个头</translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation>%1 个头</translation>
    </message>
    <message>
        <source>width %1</source>
        <translation>宽度 %1</translation>
    </message>
    <message>
        <source>Query heads, queries × keys, and the width of a head</source>
        <translation>查询的头数、查询 × 键，以及每个头的宽度</translation>
    </message>
    <message>
        <source>Drag any number to change it · ? shows all keys</source>
        <translation>拖动数字即可修改 · 按 ? 查看全部快捷键</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StepBoard</name>
    <message>
        <source>This mechanism does not go from scores to weights to the output in one pass: there is no row to walk.</source>
        <translation>该机制并非从得分到权重再到输出一遍算完，因此没有可逐步查看的行。</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StepPanel</name>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Text of the step</source>
        <translation>此步的正文</translation>
    </message>
    <message>
        <source>Reset the step</source>
        <translation>重置此步</translation>
    </message>
    <message>
        <source>◂ Back</source>
        <translation>◂ 上一步</translation>
    </message>
    <message>
        <source>Next ▸</source>
        <translation>下一步 ▸</translation>
    </message>
    <message>
        <source>Next lesson ▸</source>
        <translation>下一课 ▸</translation>
    </message>
    <message>
        <source>All lessons ▸</source>
        <translation>所有课程 ▸</translation>
    </message>
    <message>
        <source>Page Up</source>
        <translation>Page Up</translation>
    </message>
    <message>
        <source>Page Down</source>
        <translation>Page Down</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>所有课程</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Choose an answer</source>
        <translation>选择答案</translation>
    </message>
    <message>
        <source>Hide or show the text</source>
        <translation>隐藏或显示文字</translation>
    </message>
    <message>
        <source>The board shows something else than at first. The numbers in the text follow.</source>
        <translation>实验板显示的已不是最初的内容，文中的数也随之变化。</translation>
    </message>
    <message>
        <source>Hide the text</source>
        <translation>隐藏文字</translation>
    </message>
    <message>
        <source>The board takes its room; T shows it again</source>
        <translation>把位置让给实验板；按 T 再次显示</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>step, times</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, page %2 of %3</source>
        <comment>step, page of its text</comment>
        <translation>%1，第 %2/%3 页</translation>
    </message>
    <message>
        <source>Show the answer after a hint</source>
        <translation>看过提示后显示答案</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StepTextForm</name>
    <message>
        <source>Title of the step</source>
        <translation>这一步的标题</translation>
    </message>
    <message>
        <source>Text (Markdown)</source>
        <translation>正文（Markdown）</translation>
    </message>
    <message>
        <source>Insert a number</source>
        <translation>插入数值</translation>
    </message>
    <message>
        <source>A number of this step, computed while the reader looks at it</source>
        <translation>这一步的一个数，在读者观看时计算</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>id, title</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Variance of the scaled scores</source>
        <translation>缩放后分数的方差</translation>
    </message>
    <message>
        <source>**Bold**, *italics*, lists.</source>
        <translation>**粗体**、*斜体*、列表。</translation>
    </message>
    <message>
        <source>{{entropy(%1) | 2}} puts in a number that is computed.</source>
        <translation>{{entropy(%1) | 2}} 会换成当场计算的数。</translation>
    </message>
    <message>
        <source>Entropy, mean of the rows</source>
        <translation>熵，各行的平均</translation>
    </message>
    <message>
        <source>Effective keys, mean of the rows</source>
        <translation>有效键数，各行的平均</translation>
    </message>
    <message>
        <source>Largest weight, mean of the rows</source>
        <translation>最大权重，各行的平均</translation>
    </message>
    <message>
        <source>First weight of the first row</source>
        <translation>第一行的第一个权重</translation>
    </message>
    <message>
        <source>Weights of the first row</source>
        <translation>第一行的权重</translation>
    </message>
    <message>
        <source>Output of the first row</source>
        <translation>第一行的输出</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::StepView</name>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Steps of %1 · head %2</source>
        <translation>%1 的步骤 · 头 %2</translation>
    </message>
    <message>
        <source>Steps of %1</source>
        <translation>%1 的步骤</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>The row that is walked (Up, Down)</source>
        <translation>逐步查看的行（上、下方向键）</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>The key whose arithmetic is written out (Page Up, Page Down)</source>
        <translation>写出算式的键（Page Up、Page Down）</translation>
    </message>
    <message>
        <source>term by term</source>
        <translation>逐项</translation>
    </message>
    <message>
        <source>Products one by one, sums and values key by key</source>
        <translation>乘积逐项显示，求和与值的累加逐键显示</translation>
    </message>
    <message>
        <source>Export all steps</source>
        <translation>导出所有步骤</translation>
    </message>
    <message>
        <source>Export all steps as an animated picture</source>
        <translation>将所有步骤导出为动画</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TensorModel</name>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>%1 %2: double-click to name it</source>
        <translation>%1 %2：双击可命名</translation>
    </message>
    <message>
        <source>%1 %2, “%3”: double-click to rename it</source>
        <translation>%1 %2，“%3”：双击可重命名</translation>
    </message>
    <message>
        <source>Remove the name of token %1</source>
        <translation>去掉词元 %1 的名称</translation>
    </message>
    <message>
        <source>Name token %1 “%2”</source>
        <translation>把词元 %1 命名为“%2”</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>把 %1 设为 %2</translation>
    </message>
    <message numerus="yes">
        <source>Set %n cells of %1 to %2</source>
        <translation>
            <numerusform>把 %1 的 %n 个单元格设为 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>An empty cell is not a number; type 0 for zero</source>
        <translation>空单元格不是数；要填 0 请输入 0</translation>
    </message>
    <message>
        <source>“%1” is not a number</source>
        <translation>“%1”不是数</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TensorTable</name>
    <message>
        <source>Cut from %1</source>
        <translation>从 %1 剪切</translation>
    </message>
    <message>
        <source>Clear cells of %1</source>
        <translation>清空 %1 的单元格</translation>
    </message>
    <message>
        <source>The clipboard holds no text</source>
        <translation>剪贴板中没有文本</translation>
    </message>
    <message>
        <source>Paste into %1</source>
        <translation>粘贴到 %1</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy with &amp;labels</source>
        <translation>连同标签复制(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Zero</source>
        <translation>置零(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Fill…</source>
        <translation>填入(&amp;F)…</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Paste as the &amp;whole tensor</source>
        <translation>粘贴为整个张量(&amp;W)</translation>
    </message>
    <message>
        <source>Table of numbers</source>
        <translation>数值表</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move between the cells</source>
        <translation>在单元格间移动</translation>
    </message>
    <message>
        <source>F2, or type</source>
        <translation>F2 或直接输入</translation>
    </message>
    <message>
        <source>Edit the cell</source>
        <translation>编辑单元格</translation>
    </message>
    <message>
        <source>Enter the number, and go down; with Shift up</source>
        <translation>输入数值并下移；加 Shift 上移</translation>
    </message>
    <message>
        <source>Enter the number, and go right; with Shift left</source>
        <translation>输入数值并右移；加 Shift 左移</translation>
    </message>
    <message>
        <source>True or false, in a table of them</source>
        <translation>在真假表中切换真假</translation>
    </message>
    <message>
        <source>Set the selected cells to zero</source>
        <translation>把选中的单元格置零</translation>
    </message>
    <message>
        <source>Copy the selected cells</source>
        <translation>复制选中的单元格</translation>
    </message>
    <message>
        <source>Cut the selected cells</source>
        <translation>剪切选中的单元格</translation>
    </message>
    <message>
        <source>Paste cells</source>
        <translation>粘贴单元格</translation>
    </message>
    <message>
        <source>Paste as the whole tensor</source>
        <translation>粘贴为整个张量</translation>
    </message>
    <message>
        <source>Select all cells</source>
        <translation>选中所有单元格</translation>
    </message>
    <message>
        <source>Name the token of the row</source>
        <translation>为该行的词元命名</translation>
    </message>
    <message>
        <source>Ctrl + Shift + Left, Right</source>
        <translation>Ctrl + Shift + 左、右</translation>
    </message>
    <message>
        <source>Make the column narrower, or wider</source>
        <translation>使该列变窄或变宽</translation>
    </message>
    <message>
        <source>%L1 × %L2 cells are selected, and at most %L3 can be copied. The menu of the tensor saves all of them to a file.</source>
        <translation>选中了 %L1 × %L2 个单元格，最多只能复制 %L3 个。张量的菜单可以把全部单元格保存到文件。</translation>
    </message>
    <message>
        <source>Re&amp;name word</source>
        <translation>重命名词元(&amp;N)</translation>
    </message>
    <message>
        <source>The rows of %1 are not tokens</source>
        <translation>%1 的行不是词元</translation>
    </message>
    <message>
        <source>Drag left or right</source>
        <translation>左右拖动</translation>
    </message>
    <message>
        <source>Change the selected number; Shift × 10, Alt ÷ 10</source>
        <translation>更改所选的数；Shift × 10，Alt ÷ 10</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TextPanel</name>
    <message>
        <source>Text that the model reads</source>
        <translation>模型读取的文本</translation>
    </message>
    <message>
        <source>Type a text for the model</source>
        <translation>输入给模型的文本</translation>
    </message>
    <message>
        <source>Second text, to compare with</source>
        <translation>用于比较的第二段文本</translation>
    </message>
    <message>
        <source>Type a second text to compare with</source>
        <translation>输入用于比较的第二段文本</translation>
    </message>
    <message>
        <source>Choose an image…</source>
        <translation>选择图像…</translation>
    </message>
    <message>
        <source>The image that the model reads</source>
        <translation>模型读取的图像</translation>
    </message>
    <message>
        <source>Compare texts</source>
        <translation>比较文本</translation>
    </message>
    <message>
        <source>A second text beside the first: what every head reads in both, token by token by position, and the difference</source>
        <translation>在第一段文本旁再放一段：按位置逐个词元显示每个头在两段文本中关注什么，以及差异</translation>
    </message>
    <message>
        <source>Text of the decoder</source>
        <translation>解码器的文本</translation>
    </message>
    <message>
        <source>Progress of the model</source>
        <translation>模型的进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Sequence </source>
        <translation>序列 </translation>
    </message>
    <message>
        <source>Sequence of the batch</source>
        <translation>批次中的序列</translation>
    </message>
    <message>
        <source>Stops the model; what is on show stays, marked as out of date</source>
        <translation>停止模型的计算；所显示的内容保留，并标为已过时</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1/%2 个词元</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>This model reads at most %1 tokens; the second text has %2.</source>
        <translation>此模型最多读取 %1 个词元，第二段文本有 %2 个。</translation>
    </message>
    <message>
        <source>This model reads at most %1 tokens; the text has %2.</source>
        <translation>此模型最多读取 %1 个词元，文本有 %2 个。</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Another text for the model. The result follows each letter</source>
        <translation>给模型换一段文本，结果随输入逐字更新</translation>
    </message>
    <message>
        <source>%1 Not read: “%2”</source>
        <translation>%1未读取：“%2”</translation>
    </message>
    <message>
        <source>Writes: … %1</source>
        <translation>正在续写：……%1</translation>
    </message>
    <message>
        <source>Read the beginning</source>
        <translation>只读开头</translation>
    </message>
    <message>
        <source>Cuts the text where the model reads no more</source>
        <translation>在模型不再读取处截断文本</translation>
    </message>
    <message>
        <source>%1 · %2 unknown</source>
        <translation>%1 · %2 个未知</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens stand for words that the vocabulary does not have</source>
        <translation>
            <numerusform>%n 个词元代表词表中没有的词</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n words read letter by letter</source>
        <translation>
            <numerusform>%1 · %n 个词按字母读取</numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary does not have them: the model hardly knows these words, and its answer after them may mean little</source>
        <translation>词表里没有这些词：模型几乎不认识它们，在其后给出的答案可能没有多大意义</translation>
    </message>
    <message>
        <source>Choose a sound…</source>
        <translation>选择声音…</translation>
    </message>
    <message>
        <source>The sound that the model reads: WAV, FLAC, OGG or MP3</source>
        <translation>模型读取的声音：WAV、FLAC、OGG 或 MP3</translation>
    </message>
    <message>
        <source>Spelled: “%1”</source>
        <translation>读出的文字：“%1”</translation>
    </message>
    <message>
        <source>Choose a sound file, or drop one here.</source>
        <translation>请选择声音文件，或把文件拖到这里。</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Text of the decoder, for example what it has written so far</source>
        <translation>解码器的文本，例如到目前为止写出的内容</translation>
    </message>
    <message>
        <source>Without the image</source>
        <translation>不用图像</translation>
    </message>
    <message>
        <source>The model reads the text alone</source>
        <translation>模型只读取文本</translation>
    </message>
    <message>
        <source>Click a word, or double-click it to change it</source>
        <translation>单击词语查看，双击修改</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n unreadable</source>
        <translation>
            <numerusform>%1 · %n 个字符读不了</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n letters read as bytes</source>
        <translation>
            <numerusform>%1 · %n 个字符按字节读取</numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary has no token for “%1”: each of these letters is read as the bytes of its code</source>
        <translation>词表中没有“%1”的词元：这些字符都按编码的字节读取</translation>
    </message>
    <message>
        <source>Change a word in B to see what it changes</source>
        <translation>改动 B 中的一个词，看看有何变化</translation>
    </message>
    <message>
        <source>“%1” is unknown: the sample model reads small letters, common words and first names</source>
        <translation>不认识“%1”：示例模型只认识小写英文字母、常用词和名字</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TileWalkView</name>
    <message>
        <source>Tiles · head %1</source>
        <translation>块 · 头 %1</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Numbers on the map</source>
        <translation>图上的数值</translation>
    </message>
    <message>
        <source>Show the outputs divided by the running sum</source>
        <translation>显示除以累加和后的输出</translation>
    </message>
    <message>
        <source>divide by ℓ</source>
        <translation>除以 ℓ</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TokenArcs</name>
    <message>
        <source>Earlier words</source>
        <translation>前面的词</translation>
    </message>
    <message>
        <source>Later words</source>
        <translation>后面的词</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation>左、右、Home、End</translation>
    </message>
    <message>
        <source>Go from word to word</source>
        <translation>逐词移动</translation>
    </message>
    <message>
        <source>Enter, Space</source>
        <translation>回车、空格</translation>
    </message>
    <message>
        <source>Choose the word, or let it go</source>
        <translation>选择或取消该词</translation>
    </message>
    <message>
        <source>Out of sight: %1</source>
        <translation>不可见：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TokenGroups</name>
    <message>
        <source>%1: group %2</source>
        <translation>%1：第 %2 组</translation>
    </message>
    <message>
        <source>%1. Click: join it to the group before</source>
        <translation>%1。单击：并入前一组</translation>
    </message>
    <message>
        <source>%1. Click: a group begins here</source>
        <translation>%1。单击：从此处开始新的一组</translation>
    </message>
    <message>
        <source>Groups of tokens</source>
        <translation>词元分组</translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation>左、右、Home、End</translation>
    </message>
    <message>
        <source>Move between the tokens</source>
        <translation>在词元间移动</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Begin a group at the token, or join it to the one before</source>
        <translation>从该词元起新开一组，或并入前一组</translation>
    </message>
    <message>
        <source>Up, Down, 0 … 9</source>
        <translation>上、下、0 … 9</translation>
    </message>
    <message>
        <source>Set the group of this token alone</source>
        <translation>只设置该词元的组</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TokenHeader</name>
    <message>
        <source>Token label %1</source>
        <translation>词元标签 %1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TokenPreview</name>
    <message>
        <source>No word is new</source>
        <translation>没有新词</translation>
    </message>
    <message>
        <source>New: %1</source>
        <translation>新词：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>“%1”: new, with random numbers</source>
        <translation>“%1”：新词，取随机数</translation>
    </message>
    <message>
        <source>“%1”: known</source>
        <translation>“%1”：已知</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TopBar</name>
    <message>
        <source>What is open</source>
        <translation>当前打开的内容</translation>
    </message>
    <message>
        <source>Open: %1</source>
        <translation>已打开：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TrainingControl</name>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step of the training</source>
        <translation>训练的步数</translation>
    </message>
    <message>
        <source>Trains from the beginning and shows every stage of it; again to stop</source>
        <translation>从头开始训练，并显示每个阶段；再按一次停止</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TryStep</name>
    <message>
        <source>Experiment: %1, done</source>
        <translation>实验：%1，已完成</translation>
    </message>
    <message>
        <source>Experiment: %1</source>
        <translation>实验：%1</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::TryThis</name>
    <message>
        <source>Try this</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Turn off a head that matters</source>
        <translation>关掉一个起作用的头</translation>
    </message>
    <message>
        <source>Takes the head out that changes the answer most. “Turn all on” brings it back</source>
        <translation>去掉对答案影响最大的头。用“全部打开”可恢复</translation>
    </message>
    <message>
        <source>Change the second John to Mary</source>
        <translation>把第二个 John 改成 Mary</translation>
    </message>
    <message>
        <source>Writes the other name into the text</source>
        <translation>在文本中换成另一个名字</translation>
    </message>
    <message>
        <source>Open this head in the workspace</source>
        <translation>在工作区打开此头</translation>
    </message>
    <message>
        <source>Queries, keys and values of the head on show, with scale and mask, to be changed</source>
        <translation>所示头的查询、键和值，连同缩放与掩码，均可修改</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::WeightsView</name>
    <message>
        <source>query token</source>
        <translation>查询词元</translation>
    </message>
    <message>
        <source>key token</source>
        <translation>键词元</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1 · each cell is the largest weight of %2 × %2 tokens</source>
        <translation>%1 · 每格是 %2 × %2 个词元的最大权重</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>How the weights are shown</source>
        <translation>权重的显示方式</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 · outlined: what each token reads most</source>
        <translation>%1 · 描边：每个词元最关注的键</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · on average %2 on one token</source>
        <translation>%1 · 平均 %2 集中在一个词元上</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::WindowForm</name>
    <message>
        <source>Keys before the query</source>
        <translation>查询之前的键</translation>
    </message>
    <message>
        <source>How many keys before its own a query reads</source>
        <translation>查询可关注自身位置之前的多少个键</translation>
    </message>
    <message>
        <source>Keys after the query</source>
        <translation>查询之后的键</translation>
    </message>
    <message>
        <source>How many keys after its own a query reads</source>
        <translation>查询可关注自身位置之后的多少个键</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>%1, or ∞: unlimited</source>
        <translation>%1；∞ 表示不限</translation>
    </message>
    <message>
        <source>%1 left %2, right %3</source>
        <translation>%1 左 %2、右 %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>window and its width</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>a number of keys from 0, or ∞</source>
        <translation>不小于 0 的键数，或 ∞</translation>
    </message>
    <message>
        <source>width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>reaches</source>
        <translation>左右范围</translation>
    </message>
    <message>
        <source>Gives the window by its full width, the same to either side</source>
        <translation>以总宽度给出窗口，两侧相同</translation>
    </message>
    <message>
        <source>Gives the window by its reaches before and after a query, as window_size of flash-attention</source>
        <translation>以查询前后的范围给出窗口，如 flash-attention 的 window_size</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::WorkArea</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
</context>
<context>
    <name>attnlab::ui::Workspace</name>
    <message>
        <source>Add %1</source>
        <translation>增加%1</translation>
    </message>
    <message>
        <source>Show the weights as they are</source>
        <translation>按原样显示权重</translation>
    </message>
    <message>
        <source>Show the weights as %1</source>
        <translation>以 %1 显示权重</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Scores are divided by it</source>
        <translation>得分会除以它</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>query token</source>
        <translation>查询词元</translation>
    </message>
    <message>
        <source>key token</source>
        <translation>键词元</translation>
    </message>
    <message>
        <source>feature</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>块</translation>
    </message>
    <message>
        <source>hash round</source>
        <translation>哈希轮次</translation>
    </message>
    <message>
        <source>backend: &apos;%1&apos; is not one of %2</source>
        <translation>后端：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3</source>
        <translation>%1：形状为 %2，应为 %3</translation>
    </message>
    <message>
        <source>%1: has %2 heads, expected a divisor of the %3 query heads</source>
        <translation>%1：有 %2 个头，应能整除查询头数 %3</translation>
    </message>
    <message>
        <source>%1: is missing, expected an array of shape %2</source>
        <translation>%1：缺失，应为形状 %2 的数组</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2</source>
        <translation>%1：无法写入：%2</translation>
    </message>
    <message>
        <source>%1: is a folder, expected a file</source>
        <translation>%1：是文件夹，应为文件</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is blank, expected a number</source>
        <translation>%1：第 %2 行第 %3 列为空，应为数</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, expected a number</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，应为数</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, expected a number without separators of thousands</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，应为不带千位分隔符的数</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, which is outside the range of float64</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，超出 float64 的范围</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, expected true or false as before it</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，应与前面一致，为 true 或 false</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, expected a number as before it</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，应与前面一致，为数</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, expected a decimal point as before it</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，应与前面一致，使用小数点</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;, expected a decimal comma as before it</source>
        <translation>%1：第 %2 行第 %3 列为“%4”，应与前面一致，使用小数逗号</translation>
    </message>
    <message>
        <source>%1: is UTF-16 text, expected UTF-8</source>
        <translation>%1：是 UTF-16 文本，应为 UTF-8</translation>
    </message>
    <message>
        <source>%1: holds no numbers</source>
        <translation>%1：不含数值</translation>
    </message>
    <message>
        <source>%1: has %2 rows of %3 numbers; at most %4 numbers may be read</source>
        <translation>%1：有 %2 行，每行 %3 个数；最多可读取 %4 个数</translation>
    </message>
    <message>
        <source>a table has rows and columns; shape %1 cannot be written as one</source>
        <translation>表格只有行和列；形状 %1 无法写成表格</translation>
    </message>
    <message>
        <source>%1: line %2 is blank, expected numbers</source>
        <translation>%1：第 %2 行为空，应为数</translation>
    </message>
    <message>
        <source>%1: the quote in line %2, column %3 is not closed</source>
        <translation>%1：第 %2 行第 %3 列的引号没有闭合</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 goes on after its closing quote</source>
        <translation>%1：第 %2 行第 %3 列在闭合引号之后还有内容</translation>
    </message>
    <message>
        <source>%1: the number of cells in line %2 is %3, expected %4 as in the first line</source>
        <translation>%1：第 %2 行有 %3 个单元格，应与首行一致，为 %4 个</translation>
    </message>
    <message>
        <source>%1: no such file</source>
        <translation>%1：没有此文件</translation>
    </message>
    <message>
        <source>%1: cannot be read: %2</source>
        <translation>%1：无法读取：%2</translation>
    </message>
    <message>
        <source>%1: is empty</source>
        <translation>%1：是空文件</translation>
    </message>
    <message>
        <source>%1: has %2 bytes; at most %3 may be read</source>
        <translation>%1：有 %2 字节；最多可读取 %3 字节</translation>
    </message>
    <message>
        <source>%1: is a zip archive without arrays (.npy members); its first member is &apos;%2&apos;</source>
        <translation>%1：是不含数组（.npy 成员）的 zip 压缩包；第一个成员是“%2”</translation>
    </message>
    <message>
        <source>%1: a .%2 file holds one array, not %3; save as .npz</source>
        <translation>%1：.%2 文件只能存放一个数组，而不是 %3 个；请保存为 .npz</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; has shape %3, expected one matrix; save as .npz or .npy</source>
        <translation>%1：“%2”的形状为 %3，应为单个矩阵；请保存为 .npz 或 .npy</translation>
    </message>
    <message>
        <source>%1: is of an unknown type, expected %2</source>
        <translation>%1：类型未知，应为 %2</translation>
    </message>
    <message>
        <source>%1: cannot be written as this type, expected %2</source>
        <translation>%1：无法写成这种类型，应为 %2</translation>
    </message>
    <message>
        <source>%1: element %2 is %3; integers beyond 2^53 cannot be held exactly, save the array as float64</source>
        <translation>%1：元素 %2 为 %3；超过 2^53 的整数无法精确表示，请将数组保存为 float64</translation>
    </message>
    <message>
        <source>%1: holds Python objects (pickled), which could run code when read; save it as numbers</source>
        <translation>%1：含有 Python 对象（pickle），读取时可能执行代码；请保存为数值</translation>
    </message>
    <message>
        <source>%1: holds complex numbers (&apos;%2&apos;), expected real ones</source>
        <translation>%1：含有复数（“%2”），应为实数</translation>
    </message>
    <message>
        <source>%1: holds text (&apos;%2&apos;), expected numbers</source>
        <translation>%1：含有文本（“%2”），应为数值</translation>
    </message>
    <message>
        <source>%1: holds dates or times (&apos;%2&apos;), expected numbers</source>
        <translation>%1：含有日期或时间（“%2”），应为数值</translation>
    </message>
    <message>
        <source>%1: holds records or raw bytes (&apos;%2&apos;), expected numbers; save bfloat16 as float32</source>
        <translation>%1：含有记录或原始字节（“%2”），应为数值；bfloat16 请保存为 float32</translation>
    </message>
    <message>
        <source>%1: holds elements of type &apos;%2&apos;, expected bool, integers of 8 to 64 bits or floats of 16 to 64 bits</source>
        <translation>%1：元素类型为“%2”，应为 bool、8 到 64 位整数或 16 到 64 位浮点数</translation>
    </message>
    <message>
        <source>%1: has shape %2, which is %3 numbers; at most %4 may be read</source>
        <translation>%1：形状为 %2，共 %3 个数；最多可读取 %4 个</translation>
    </message>
    <message>
        <source>%1: has %2 bytes of numbers, expected %3 for shape %4 of type &apos;%5&apos;</source>
        <translation>%1：数值部分有 %2 字节；形状 %4、类型“%5”应有 %3 字节</translation>
    </message>
    <message>
        <source>%1: its header cannot be understood at character %2, expected a dictionary with descr, fortran_order and shape</source>
        <translation>%1：无法解析文件头的第 %2 个字符，应为含 descr、fortran_order 和 shape 的字典</translation>
    </message>
    <message>
        <source>%1: its header has no &apos;%2&apos;</source>
        <translation>%1：文件头中没有“%2”</translation>
    </message>
    <message>
        <source>%1: holds records (several fields in one element), expected plain numbers; save each field as an array of its own</source>
        <translation>%1：含有记录（一个元素有多个字段），应为普通数值；请将每个字段单独保存为数组</translation>
    </message>
    <message>
        <source>%1: has more than %2 axes</source>
        <translation>%1：超过 %2 个轴</translation>
    </message>
    <message>
        <source>%1: its shape has a size that is more than memory can address</source>
        <translation>%1：形状中有一维超出内存可寻址的范围</translation>
    </message>
    <message>
        <source>%1: is cut short within its header: has %2 bytes, expected at least %3</source>
        <translation>%1：文件头不完整：有 %2 字节，至少应有 %3 字节</translation>
    </message>
    <message>
        <source>%1: has NPY format version %2.%3, expected 1.0, 2.0 or 3.0</source>
        <translation>%1：NPY 格式版本为 %2.%3，应为 1.0、2.0 或 3.0</translation>
    </message>
    <message>
        <source>%1: cannot be read as a zip archive: %2</source>
        <translation>%1：无法作为 zip 压缩包读取：%2</translation>
    </message>
    <message>
        <source>%1: a member&apos;s name cannot be read</source>
        <translation>%1：有成员的名称无法读取</translation>
    </message>
    <message>
        <source>%1: is there twice, expected one member of each name</source>
        <translation>%1：出现两次，每个名称只应有一个成员</translation>
    </message>
    <message>
        <source>%1: ends after %2 bytes, expected %3</source>
        <translation>%1：在 %2 字节后结束，应有 %3 字节</translation>
    </message>
    <message>
        <source>%1: inflates to more than the %2 bytes that the archive declares</source>
        <translation>%1：解压后超过压缩包所声明的 %2 字节</translation>
    </message>
    <message>
        <source>%1: is a folder, expected arrays (.npy)</source>
        <translation>%1：是文件夹，应为数组（.npy）</translation>
    </message>
    <message>
        <source>%1: is a member without a name</source>
        <translation>%1：有一个没有名称的成员</translation>
    </message>
    <message>
        <source>%1: is encrypted, expected a plain member</source>
        <translation>%1：已加密，应为未加密的成员</translation>
    </message>
    <message>
        <source>%1: is compressed by method %2, expected stored (0) or deflated (8)</source>
        <translation>%1：压缩方法为 %2，应为存储（0）或 deflate（8）</translation>
    </message>
    <message>
        <source>%1: takes %2 bytes; at most %3 more may be read</source>
        <translation>%1：占 %2 字节；最多还可读取 %3 字节</translation>
    </message>
    <message>
        <source>%1: is declared with %2 bytes in an archive of %3</source>
        <translation>%1：声明为 %2 字节，而压缩包只有 %3 字节</translation>
    </message>
    <message>
        <source>%1: is declared to inflate from %2 to %3 bytes, which cannot be</source>
        <translation>%1：声明从 %2 字节解压为 %3 字节，这不可能</translation>
    </message>
    <message>
        <source>%1: is damaged: its checksum does not match</source>
        <translation>%1：已损坏：校验和不符</translation>
    </message>
    <message>
        <source>%1: is damaged: %2</source>
        <translation>%1：已损坏：%2</translation>
    </message>
    <message>
        <source>%1: member &apos;%2&apos; cannot be written: %3</source>
        <translation>%1：无法写入成员“%2”：%3</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; cannot be the name of a member</source>
        <translation>%1：“%2”不能用作成员名称</translation>
    </message>
    <message>
        <source>parameter &apos;%1&apos; is %2, expected a finite number</source>
        <translation>参数“%1”为 %2，应为有限数</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is missing</source>
        <translation>%1：缺少“%2”</translation>
    </message>
    <message>
        <source>%1: &apos;version&apos; is %2, written by a newer program; this one reads version %3</source>
        <translation>%1：“version”为 %2，由更新的程序写出；本程序可读取版本 %3</translation>
    </message>
    <message>
        <source>%1: is nested more than %2 levels deep</source>
        <translation>%1：嵌套超过 %2 层</translation>
    </message>
    <message>
        <source>%1: key &apos;%2&apos; is there twice</source>
        <translation>%1：键“%2”出现两次</translation>
    </message>
    <message>
        <source>%1: holds a number outside the range of float64</source>
        <translation>%1：含有超出 float64 范围的数</translation>
    </message>
    <message>
        <source>%1: is %2, expected an object</source>
        <translation>%1：为 %2，应为对象</translation>
    </message>
    <message>
        <source>%1: has no parameter &apos;%2&apos;; it has: %3</source>
        <translation>%1：没有参数“%2”；可用的有：%3</translation>
    </message>
    <message>
        <source>%1: takes no value, got &apos;%2&apos;</source>
        <translation>%1：不接受数值，却得到“%2”</translation>
    </message>
    <message>
        <source>no mask</source>
        <translation>无掩码</translation>
    </message>
    <message>
        <source>entropy in nats</source>
        <translation>熵（奈特）</translation>
    </message>
    <message>
        <source>effective keys</source>
        <translation>有效键数</translation>
    </message>
    <message>
        <source>largest weight</source>
        <translation>最大权重</translation>
    </message>
    <message>
        <source>slope of softmax</source>
        <translation>softmax 的斜率</translation>
    </message>
    <message>
        <source>rows to length 1, %1</source>
        <translation>行归一到长度 1，%1</translation>
    </message>
    <message>
        <source>as is</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>which cells are blocked</source>
        <translation>哪些单元格被屏蔽</translation>
    </message>
    <message>
        <source>softmax, then %1</source>
        <translation>softmax，再 %1</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>对各头平均</translation>
    </message>
    <message>
        <source>dropout %1</source>
        <translation>随机失活 %1</translation>
    </message>
    <message>
        <source>alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>bottom_right lines the last query up with the last key: decoding with a cache</source>
        <translation>右下对齐让最后一个查询对齐最后一个键：用于带缓存的解码</translation>
    </message>
    <message>
        <source>width w</source>
        <translation>宽度 w</translation>
    </message>
    <message>
        <source>The full width: w/2 keys on either side</source>
        <translation>总宽度：两侧各 w/2 个键</translation>
    </message>
    <message>
        <source>prefix p</source>
        <translation>前缀 p</translation>
    </message>
    <message>
        <source>Every query may read the first p keys</source>
        <translation>每个查询都可以关注前 p 个键</translation>
    </message>
    <message>
        <source>How many of the first keys count, for each batch or for each query</source>
        <translation>对每个批次或每个查询，前多少个键有效</translation>
    </message>
    <message>
        <source>True marks a key that is padding</source>
        <translation>True 标记属于填充的键</translation>
    </message>
    <message>
        <source>True marks a blocked cell, or a kept one: see the meaning of True</source>
        <translation>True 标记被屏蔽或被保留的单元格：见 True 的含义</translation>
    </message>
    <message>
        <source>Added to the scaled scores; -inf blocks a cell</source>
        <translation>加到缩放后的得分上；-inf 会屏蔽单元格</translation>
    </message>
    <message>
        <source>The cells that you painted: True is blocked</source>
        <translation>您绘制的单元格：True 表示屏蔽</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected only True and False (an additive mask goes in attn_bias)</source>
        <translation>%1：在 %3 处为 %2，只应有 True 和 False（加性掩码请放入 attn_bias）</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected an integer from 0 to S = %4</source>
        <translation>%1：在 %3 处为 %2，应为 0 到 S = %4 的整数</translation>
    </message>
    <message>
        <source>causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>A token reads itself and the tokens before it.</source>
        <translation>词元只关注自身及之前的词元。</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>A token reads only its neighbours within a band around the diagonal.</source>
        <translation>词元只关注对角线附近一条带内的邻近词元。</translation>
    </message>
    <message>
        <source>prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>The first p tokens are open to all; the rest is causal (prefix language model).</source>
        <translation>前 p 个词元对所有查询开放；其余为因果（前缀语言模型）。</translation>
    </message>
    <message>
        <source>Only the first keys of each sequence count; the rest is filling.</source>
        <translation>每个序列只有前若干个键有效，其余是填充。</translation>
    </message>
    <message>
        <source>key padding</source>
        <translation>填充掩码</translation>
    </message>
    <message>
        <source>Keys marked as padding are read by no query.</source>
        <translation>标记为填充的键不受任何查询关注。</translation>
    </message>
    <message>
        <source>attention mask</source>
        <translation>注意力掩码</translation>
    </message>
    <message>
        <source>A table of True and False, one cell for each query and key.</source>
        <translation>由 True 和 False 组成的表，每对查询和键一格。</translation>
    </message>
    <message>
        <source>additive bias</source>
        <translation>加性偏置</translation>
    </message>
    <message>
        <source>A table of numbers that is added to the scaled scores.</source>
        <translation>加到缩放后得分上的数值表。</translation>
    </message>
    <message>
        <source>painted</source>
        <translation>手绘</translation>
    </message>
    <message>
        <source>The cells that you painted on the grid are blocked.</source>
        <translation>您在网格上绘制的单元格被屏蔽。</translation>
    </message>
    <message>
        <source>mask: &apos;%1&apos; is not one of %2</source>
        <translation>掩码：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected finite numbers or -inf</source>
        <translation>%1：在 %3 处为 %2，应为有限数或 -inf</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>top_left</source>
        <translation>左上</translation>
    </message>
    <message>
        <source>bottom_right</source>
        <translation>右下</translation>
    </message>
    <message>
        <source>Rows with every key blocked: %1 (first: %2). Their weights and output are 0; torch.nn.MultiheadAttention gives NaN there</source>
        <translation>所有键都被屏蔽的行：%1 行（第一行：%2）。其权重和输出为 0；torch.nn.MultiheadAttention 在此给出 NaN</translation>
    </message>
    <message>
        <source>Rows with every key blocked: %1 (first: %2). The fill %3 is finite, so their weights are uniform over keys that should not be read</source>
        <translation>所有键都被屏蔽的行：%1 行（第一行：%2）。屏蔽值 %3 是有限数，因此权重均匀分布在本不该关注的键上</translation>
    </message>
    <message>
        <source>Rows that see one key: %1 (first: %2). Its weight is 1 whatever the scores</source>
        <translation>只能关注一个键的行：%1 行（第一行：%2）。无论得分如何，该键的权重都是 1</translation>
    </message>
    <message>
        <source>The scale was applied after the softmax: a row of weights sums to %1, not to 1</source>
        <translation>缩放在 softmax 之后进行：一行权重之和为 %1，而不是 1</translation>
    </message>
    <message>
        <source>temperature t</source>
        <translation>温度 t</translation>
    </message>
    <message>
        <source>Below 1 sharpens the weights, above 1 flattens them</source>
        <translation>小于 1 使权重更尖锐，大于 1 使权重更平缓</translation>
    </message>
    <message>
        <source>factor c</source>
        <translation>系数 c</translation>
    </message>
    <message>
        <source>Every score is multiplied by this number</source>
        <translation>每个得分都乘以此数</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>What the scores of a head are divided by; minmax maps them to 0 .. 1</source>
        <translation>每个头的得分除以什么；最小–最大把得分映射到 0 到 1</translation>
    </message>
    <message>
        <source>Cosines lie in -1 .. 1; dividing by a small t lets the weights be sharp</source>
        <translation>余弦值在 -1 到 1 之间；除以较小的 t 可使权重更尖锐</translation>
    </message>
    <message>
        <source>none</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>The scores as they are. Their variance grows with the width d, so softmax saturates.</source>
        <translation>得分保持不变。其方差随维度 d 增大，使 softmax 饱和。</translation>
    </message>
    <message>
        <source>Divides too much: the variance falls as 1/d and the weights drift to uniform.</source>
        <translation>除得过多：方差按 1/d 下降，权重趋于均匀。</translation>
    </message>
    <message>
        <source>Divides too little: the variance still grows as the cube root of d.</source>
        <translation>除得过少：方差仍按 d 的立方根增大。</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Divides by a number of your own: small is sharp, large is flat.</source>
        <translation>除以自定的数：越小越尖锐，越大越平缓。</translation>
    </message>
    <message>
        <source>custom factor</source>
        <translation>自定义系数</translation>
    </message>
    <message>
        <source>Multiplies by a number of your own, negative ones included.</source>
        <translation>乘以自定的数，可以为负。</translation>
    </message>
    <message>
        <source>score norm</source>
        <translation>得分范数</translation>
    </message>
    <message>
        <source>Divides each head&apos;s score matrix by its own norm, so every score depends on all others.</source>
        <translation>每个头的得分矩阵除以自身的范数，因此每个得分都依赖于所有其他得分。</translation>
    </message>
    <message>
        <source>pre-norm (cosine)</source>
        <translation>余弦（先归一化）</translation>
    </message>
    <message>
        <source>Scales queries and keys to length 1 first: the score is the cosine between them.</source>
        <translation>先把查询和键缩放到长度 1：得分即两者夹角的余弦。</translation>
    </message>
    <message>
        <source>Also divides by the root of the number of keys: flatter the longer the sequence.</source>
        <translation>再除以键数的平方根：序列越长越平缓。</translation>
    </message>
    <message>
        <source>scale: &apos;%1&apos; is not one of %2</source>
        <translation>缩放：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>frobenius</source>
        <translation>弗罗贝尼乌斯</translation>
    </message>
    <message>
        <source>row</source>
        <translation>逐行</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>minmax</source>
        <translation>最小–最大</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected sizes that are not negative</source>
        <translation>%1：形状为 %2，各维大小不应为负</translation>
    </message>
    <message>
        <source>%1: has shape %2, which is more than memory can address</source>
        <translation>%1：形状为 %2，超出内存可寻址的范围</translation>
    </message>
    <message>
        <source>Causal self-attention</source>
        <translation>因果自注意力</translation>
    </message>
    <message>
        <source>Self-attention in which a token reads itself and the tokens before it: what a language model that writes from left to right needs.</source>
        <translation>词元只关注自身及之前词元的自注意力：从左到右生成文本的语言模型需要它。</translation>
    </message>
    <message>
        <source>One row a token that asks: its embedding</source>
        <translation>每行一个提问的词元：其嵌入</translation>
    </message>
    <message>
        <source>One row a token that is read: its embedding</source>
        <translation>每行一个被关注的词元：其嵌入</translation>
    </message>
    <message>
        <source>Makes queries from x</source>
        <translation>由 x 生成查询</translation>
    </message>
    <message>
        <source>Makes keys from the context</source>
        <translation>由 context 生成键</translation>
    </message>
    <message>
        <source>Makes values from the context</source>
        <translation>由 context 生成值</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>By where Q, K and V come from</source>
        <translation>按 Q、K、V 的来源</translation>
    </message>
    <message>
        <source>Queries come from one sequence, keys and values from another: how a decoder reads the encoder. The two lengths may differ.</source>
        <translation>查询来自一个序列，键和值来自另一个：解码器就是这样关注编码器的。两者长度可以不同。</translation>
    </message>
    <message>
        <source>One row a token: its embedding; queries come from here</source>
        <translation>每行一个词元：其嵌入；查询由此而来</translation>
    </message>
    <message>
        <source>Where keys come from, if not from x</source>
        <translation>若不来自 x，键的来源</translation>
    </message>
    <message>
        <source>Where values come from, if not from the context</source>
        <translation>若不来自 context，值的来源</translation>
    </message>
    <message>
        <source>Makes the queries of all heads side by side</source>
        <translation>并排生成所有头的查询</translation>
    </message>
    <message>
        <source>Makes the keys of all heads side by side</source>
        <translation>并排生成所有头的键</translation>
    </message>
    <message>
        <source>Makes the values of all heads side by side</source>
        <translation>并排生成所有头的值</translation>
    </message>
    <message>
        <source>Mixes the concatenated heads</source>
        <translation>混合拼接后的各头</translation>
    </message>
    <message>
        <source>Bias of w_q</source>
        <translation>w_q 的偏置</translation>
    </message>
    <message>
        <source>Bias of w_k</source>
        <translation>w_k 的偏置</translation>
    </message>
    <message>
        <source>Bias of w_v</source>
        <translation>w_v 的偏置</translation>
    </message>
    <message>
        <source>Bias of w_o</source>
        <translation>w_o 的偏置</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>How many heads look at the tokens side by side</source>
        <translation>有多少个头同时关注词元</translation>
    </message>
    <message>
        <source>key/value heads</source>
        <translation>键/值头数</translation>
    </message>
    <message>
        <source>How many key and value heads the query heads share; divides the number of heads</source>
        <translation>查询头共用多少个键/值头；须整除头数</translation>
    </message>
    <message>
        <source>grouped_query: parameter num_kv_heads is %1, expected a divisor of num_heads = %2</source>
        <translation>grouped_query：参数 num_kv_heads 为 %1，应能整除 num_heads = %2</translation>
    </message>
    <message>
        <source>Grouped-query</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <source>Several heads</source>
        <translation>多个头</translation>
    </message>
    <message>
        <source>One more key, the same for every sequence</source>
        <translation>额外的一个键，对所有序列相同</translation>
    </message>
    <message>
        <source>The value of that key</source>
        <translation>该键对应的值</translation>
    </message>
    <message>
        <source>Appends the learned key bias_k and value bias_v, which no mask blocks</source>
        <translation>附加可学习的键 bias_k 和值 bias_v，任何掩码都不会屏蔽它们</translation>
    </message>
    <message>
        <source>Appends a key and value of zeros: somewhere to look when nothing fits</source>
        <translation>附加全零的键和值：没有合适的键时可以关注它</translation>
    </message>
    <message>
        <source>dropout</source>
        <translation>随机失活</translation>
    </message>
    <message>
        <source>Probability that a weight is set to 0 before the values are mixed</source>
        <translation>混合值之前，每个权重被置为 0 的概率</translation>
    </message>
    <message>
        <source>dropout seed</source>
        <translation>随机失活种子</translation>
    </message>
    <message>
        <source>The same seed drops the same weights</source>
        <translation>相同的种子丢弃相同的权重</translation>
    </message>
    <message>
        <source>Off: the result has no weights, only the output</source>
        <translation>关闭时，结果中没有权重，只有输出</translation>
    </message>
    <message>
        <source>Adds the mean of the weights over all heads</source>
        <translation>增加所有头权重的平均</translation>
    </message>
    <message>
        <source>Multi-head</source>
        <translation>多头</translation>
    </message>
    <message>
        <source>Several small attentions side by side, each with its own projections, so that one token can look at several things at once. The same as torch.nn.MultiheadAttention.</source>
        <translation>多个小的注意力并行，各有自己的投影，使一个词元可以同时关注多件事。与 torch.nn.MultiheadAttention 相同。</translation>
    </message>
    <message>
        <source>%1: is missing, expected it together with %2</source>
        <translation>%1：缺失，应与 %2 一同给出</translation>
    </message>
    <message>
        <source>Key/value cache: %1 numbers a token; with a key head for each of the %2 query heads it would be %3</source>
        <translation>键/值缓存：每个词元 %1 个数；若 %2 个查询头各有一个键头，则为 %3 个</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 axes, as torch.nn.MultiheadAttention saves it</source>
        <translation>%1：形状为 %2，应有 %3 个轴，与 torch.nn.MultiheadAttention 保存的一致</translation>
    </message>
    <message>
        <source>%1: is given together with %2, expected one of the two</source>
        <translation>%1：与 %2 同时给出，只应给出其一</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected a first size that 3 divides (query, key, value)</source>
        <translation>%1：形状为 %2，第一维应能被 3 整除（query、key、value）</translation>
    </message>
    <message>
        <source>concatenate · W_o</source>
        <translation>拼接 · W_o</translation>
    </message>
    <message>
        <source>concatenate</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>Multi-query</source>
        <translation>多查询</translation>
    </message>
    <message>
        <source>All heads read the same keys and values; only their queries differ. The cache that decoding keeps shrinks by the number of heads.</source>
        <translation>所有头共用相同的键和值，只有查询不同。解码时保留的缓存缩小为头数分之一。</translation>
    </message>
    <message>
        <source>One row a query token: what it looks for</source>
        <translation>每行一个查询词元：它要找什么</translation>
    </message>
    <message>
        <source>One row a key token: what it is found by</source>
        <translation>每行一个键词元：凭什么被找到</translation>
    </message>
    <message>
        <source>One row a key token: what it hands over</source>
        <translation>每行一个键词元：它交出什么</translation>
    </message>
    <message>
        <source>Scaled dot-product</source>
        <translation>缩放点积</translation>
    </message>
    <message>
        <source>By score function</source>
        <translation>按得分函数</translation>
    </message>
    <message>
        <source>One row a token: its embedding</source>
        <translation>每行一个词元：其嵌入</translation>
    </message>
    <message>
        <source>Makes queries from embeddings</source>
        <translation>由嵌入生成查询</translation>
    </message>
    <message>
        <source>Makes keys from embeddings</source>
        <translation>由嵌入生成键</translation>
    </message>
    <message>
        <source>Makes values from embeddings</source>
        <translation>由嵌入生成值</translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Queries, keys and values are three projections of the same tokens, so each token reads its own sequence.</source>
        <translation>查询、键和值是同一组词元的三种投影，因此每个词元关注自己所在的序列。</translation>
    </message>
    <message>
        <source>variant: &apos;%1&apos; is not one of %2</source>
        <translation>机制：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>scale: %1 after the softmax is not possible, expected a scale that is one number</source>
        <translation>缩放：%1 不能放在 softmax 之后，应为单个数的缩放</translation>
    </message>
    <message>
        <source>There is not enough memory for this computation</source>
        <translation>内存不足，无法完成此计算</translation>
    </message>
    <message>
        <source>The computation failed: %1</source>
        <translation>计算失败：%1</translation>
    </message>
    <message>
        <source>Stage &apos;%1&apos; is not in this result; there are %2</source>
        <translation>该结果中没有阶段“%1”；现有 %2</translation>
    </message>
    <message>
        <source>No stage was chosen to write</source>
        <translation>没有选择要写入的阶段</translation>
    </message>
    <message>
        <source>Batch %1 is not there: the result has %2</source>
        <translation>没有批次 %1：结果共有 %2 个批次</translation>
    </message>
    <message>
        <source>Head %1 is not there: the result has %2</source>
        <translation>没有头 %1：结果共有 %2 个头</translation>
    </message>
    <message>
        <source>Stage &apos;%1&apos; has no matrix to show: its shape is %2</source>
        <translation>阶段“%1”没有可显示的矩阵：其形状为 %2</translation>
    </message>
    <message>
        <source>%1: holds %2 arrays, expected one, or one called %3</source>
        <translation>%1：含有 %2 个数组，应只有一个，或其中之一名为 %3</translation>
    </message>
    <message>
        <source>There is not enough memory to read this file</source>
        <translation>内存不足，无法读取此文件</translation>
    </message>
    <message>
        <source>The file cannot be read: %1</source>
        <translation>无法读取文件：%1</translation>
    </message>
    <message>
        <source>%1: holds no arrays</source>
        <translation>%1：不含数组</translation>
    </message>
    <message>
        <source>%1: holds the arrays %2, expected some of %3</source>
        <translation>%1：含有数组 %2，应为 %3 中的若干个</translation>
    </message>
    <message>
        <source>Figure: the size is %1 x %2 points; each side has to be from %3 to %4</source>
        <translation>图像：大小为 %1 × %2 点；每边应在 %3 到 %4 之间</translation>
    </message>
    <message>
        <source>Figure: %1 dots per inch; expected 10 to %2</source>
        <translation>图像：分辨率为 %1 点/英寸，应为 10 到 %2</translation>
    </message>
    <message>
        <source>Figure: %1 x %2 points at %3 dots per inch is a picture of more than %4 megapixels</source>
        <translation>图像：%1 × %2 点、%3 点/英寸，超过 %4 百万像素</translation>
    </message>
    <message>
        <source>Figure: not enough memory for a picture of this size</source>
        <translation>图像：内存不足，无法生成这么大的图像</translation>
    </message>
    <message>
        <source>%1: would have shape %2; all stages together need %3 GB, the limit is %4 GB</source>
        <translation>%1：形状将为 %2；所有阶段共需 %3 GB，上限为 %4 GB</translation>
    </message>
    <message>
        <source>mask fill: is %1, expected a finite number or -inf</source>
        <translation>屏蔽值：为 %1，应为有限数或 -inf</translation>
    </message>
    <message>
        <source>Rows whose weights are NaN: %1 (first: %2). A score there is NaN or infinite</source>
        <translation>权重为 NaN 的行：%1 行（第一行：%2）。其中有得分为 NaN 或无穷大</translation>
    </message>
    <message>
        <source>There are no keys: the output is 0 and lse is -inf</source>
        <translation>没有键：输出为 0，lse 为 -inf</translation>
    </message>
    <message>
        <source>query and key have no features: every score is 0</source>
        <translation>query 和 key 没有特征：所有得分均为 0</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected a number, &quot;-inf&quot;, &quot;inf&quot; or &quot;nan&quot;</source>
        <translation>%1：“%2”为 %3，应为数、&quot;-inf&quot;、&quot;inf&quot; 或 &quot;nan&quot;</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected &quot;replace&quot; or &quot;add&quot;</source>
        <translation>%1：“%2”为 %3，应为 &quot;replace&quot; 或 &quot;add&quot;</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected &quot;blocks&quot; or &quot;keeps&quot;</source>
        <translation>%1：“%2”为 %3，应为 &quot;blocks&quot; 或 &quot;keeps&quot;</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected &quot;attnlab-workspace&quot;</source>
        <translation>%1：“%2”为 %3，应为 &quot;attnlab-workspace&quot;</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected 1</source>
        <translation>%1：“%2”为 %3，应为 1</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected an object</source>
        <translation>%1：“%2”为 %3，应为对象</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected a list</source>
        <translation>%1：“%2”为 %3，应为列表</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected true or false</source>
        <translation>%1：“%2”为 %3，应为 true 或 false</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected an integer of 64 bits</source>
        <translation>%1：“%2”为 %3，应为 64 位整数</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected text</source>
        <translation>%1：“%2”为 %3，应为文本</translation>
    </message>
    <message>
        <source>%1: parameter %2 is %3, expected true or false</source>
        <translation>%1：参数 %2 为 %3，应为 true 或 false</translation>
    </message>
    <message>
        <source>%1: parameter %2 is %3, expected one of %4</source>
        <translation>%1：参数 %2 为 %3，应为以下之一：%4</translation>
    </message>
    <message>
        <source>%1: parameter %2 is %3, expected an integer in %4</source>
        <translation>%1：参数 %2 为 %3，应为 %4 内的整数</translation>
    </message>
    <message>
        <source>%1: parameter %2 is %3, expected a finite number in %4</source>
        <translation>%1：参数 %2 为 %3，应为 %4 内的有限数</translation>
    </message>
    <message>
        <source>%1: has no parameters, got &apos;%2&apos;</source>
        <translation>%1：没有参数，却得到“%2”</translation>
    </message>
    <message>
        <source>Cancelled: the views show the result before</source>
        <translation>已取消：视图仍显示上一次的结果</translation>
    </message>
    <message>
        <source>There is not enough memory to write this file</source>
        <translation>内存不足，无法写入此文件</translation>
    </message>
    <message>
        <source>The file cannot be written: %1</source>
        <translation>无法写入文件：%1</translation>
    </message>
    <message>
        <source>Decoupled: the query adds the same number to its whole row of scores, which softmax cancels. Queries that may read the same keys get the same weights</source>
        <translation>已解耦：查询给自己那一整行得分加上同一个数，会被 softmax 抵消。可关注的键相同，查询的权重就相同</translation>
    </message>
    <message>
        <source>Takes a query to the hidden layer</source>
        <translation>把查询映射到隐藏层</translation>
    </message>
    <message>
        <source>Takes a key to the hidden layer</source>
        <translation>把键映射到隐藏层</translation>
    </message>
    <message>
        <source>Makes one score of the hidden layer</source>
        <translation>把隐藏层合成一个得分</translation>
    </message>
    <message>
        <source>Bias of the hidden layer</source>
        <translation>隐藏层的偏置</translation>
    </message>
    <message>
        <source>Additive (Bahdanau)</source>
        <translation>加性（Bahdanau）</translation>
    </message>
    <message>
        <source>Takes a query to where it meets the keys</source>
        <translation>把查询映射到键所在的空间</translation>
    </message>
    <message>
        <source>Bilinear (general)</source>
        <translation>双线性（general）</translation>
    </message>
    <message>
        <source>A matrix W stands between query and key, so it is learned which of their features are compared, and the two may differ in width.</source>
        <translation>查询与键之间有一个矩阵 W，由学习决定比较哪些特征，两者的维度也可以不同。</translation>
    </message>
    <message>
        <source>With it tanh comes between: makes one score of the hidden layer</source>
        <translation>给出它时，中间会加入 tanh：把隐藏层合成一个得分</translation>
    </message>
    <message>
        <source>Reads query and key side by side</source>
        <translation>作用于拼接在一起的查询和键</translation>
    </message>
    <message>
        <source>Concatenation</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>bandwidth σ</source>
        <translation>带宽 σ</translation>
    </message>
    <message>
        <source>How far a query looks: small reads the nearest key alone, large reads all alike</source>
        <translation>查询看多远：小则只关注最近的键，大则对所有键一视同仁</translation>
    </message>
    <message>
        <source>Gaussian kernel</source>
        <translation>高斯核</translation>
    </message>
    <message>
        <source>The nearer a key lies to the query, the larger its weight: Nadaraya-Watson kernel regression. The width of the bell σ sets how local the mean of the values is.</source>
        <translation>键离查询越近，权重越大：即 Nadaraya-Watson 核回归。钟形曲线的宽度 σ 决定值的平均有多局部。</translation>
    </message>
    <message>
        <source>Makes a number of a query and of a key</source>
        <translation>分别把查询和键变成一个数</translation>
    </message>
    <message>
        <source>Vector sum</source>
        <translation>向量和</translation>
    </message>
    <message>
        <source>A vector w reads the query and the key, and the two numbers are added. The query&apos;s number is the same for every key, so softmax cancels it: every query reads alike.</source>
        <translation>一个向量 w 分别与查询和键相乘，再把得到的两个数相加。查询的那个数对每个键都相同，会被 softmax 抵消：所有查询的关注方式都一样。</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>The scores would have %1 million cells: the backend %2 computed output and lse without them</source>
        <translation>得分将有 %1 百万个单元格：后端 %2 不经得分直接计算了 output 和 lse</translation>
    </message>
    <message>
        <source>The backend %1 computed every stage, although they are large. %2</source>
        <translation>尽管各阶段很大，后端 %1 仍计算了所有阶段。%2</translation>
    </message>
    <message>
        <source>Setting B cannot be computed: %1</source>
        <translation>无法计算设置 B：%1</translation>
    </message>
    <message>
        <source>%1: is missing, expected with %2 an array of shape %3</source>
        <translation>%1：缺失，在 %2 时应为形状 %3 的数组</translation>
    </message>
    <message>
        <source>%1 has no stage &apos;%2&apos;; it has %3</source>
        <translation>%1 没有阶段“%2”；现有 %3</translation>
    </message>
    <message>
        <source>%1: A&apos;s shape is %2, B&apos;s is %3; only equal shapes can be compared</source>
        <translation>%1：A 的形状为 %2，B 的形状为 %3；只有形状相同才能比较</translation>
    </message>
    <message>
        <source>%1: was cut short while it was open; open it again</source>
        <translation>%1：打开期间被截断；请重新打开</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected where its data begin and end, as two integers</source>
        <translation>%1：“%2”为 %3，应为数据的起止位置，即两个整数</translation>
    </message>
    <message>
        <source>%1: its data begin at byte %2, expected %3: it overlaps another tensor</source>
        <translation>%1：其数据从字节 %2 开始，应为 %3：与另一个张量重叠</translation>
    </message>
    <message>
        <source>%1: its data begin at byte %2, expected %3: there is a gap before it</source>
        <translation>%1：其数据从字节 %2 开始，应为 %3：前面有空隙</translation>
    </message>
    <message>
        <source>%1: its data end at byte %2, but only %3 follow the header: the file is cut short</source>
        <translation>%1：其数据到字节 %2 结束，但文件头之后只有 %3 字节：文件已被截断</translation>
    </message>
    <message>
        <source>%1: has %2 bytes after its header, expected the %3 of its tensors</source>
        <translation>%1：文件头之后有 %2 字节，其张量应有 %3 字节</translation>
    </message>
    <message>
        <source>%1: holds a tensor without a name</source>
        <translation>%1：含有一个没有名称的张量</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; cannot be the name of a tensor</source>
        <translation>%1：“%2”不能用作张量名称</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected true, false, a number, text or a list of integers</source>
        <translation>%1：“%2”为 %3，应为 true、false、数、文本或整数列表</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected rows and columns from 1</source>
        <translation>%1：“%2”为 %3，行数和列数应不小于 1</translation>
    </message>
    <message>
        <source>batch: has %1, expected 0 or more and less than B = %2</source>
        <translation>批次：为 %1，应不小于 0 且小于 B = %2</translation>
    </message>
    <message>
        <source>head: has %1, expected 0 or more and less than H = %2</source>
        <translation>头：为 %1，应不小于 0 且小于 H = %2</translation>
    </message>
    <message>
        <source>rows: %1 to %2 are asked for, expected a range within 0 to %3</source>
        <translation>行：请求 %1 到 %2，应在 0 到 %3 的范围内</translation>
    </message>
    <message>
        <source>columns: %1 to %2 are asked for, expected a range within 0 to %3</source>
        <translation>列：请求 %1 到 %2，应在 0 到 %3 的范围内</translation>
    </message>
    <message>
        <source>bins: there are %1 x %2, expected at least 1 x 1</source>
        <translation>分箱：共 %1 × %2 个，至少应为 1 × 1</translation>
    </message>
    <message>
        <source>The scale after the softmax is %1; a map needs one that is not negative</source>
        <translation>softmax 之后的缩放为 %1；地图要求其不为负</translation>
    </message>
    <message>
        <source>map: there is no tile %1, %2 on level %3</source>
        <translation>地图：第 %3 级没有块 %1，%2</translation>
    </message>
    <message>
        <source>bins: one has %1 x %2 cells, expected at least 1 x 1</source>
        <translation>分箱：有一个含 %1 × %2 个单元格，至少应为 1 × 1</translation>
    </message>
    <message>
        <source>%1: parameter %2 is %3, expected integers in %4, separated by commas</source>
        <translation>%1：参数 %2 为 %3，应为 %4 内的整数，用逗号分隔</translation>
    </message>
    <message>
        <source>error of the output, relative</source>
        <translation>输出的相对误差</translation>
    </message>
    <message>
        <source>largest error of an output value</source>
        <translation>单个输出值的最大误差</translation>
    </message>
    <message>
        <source>error of the output</source>
        <translation>输出的误差</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>intermediate memory</source>
        <translation>中间结果的内存</translation>
    </message>
    <message>
        <source>largest error of a weight</source>
        <translation>单个权重的最大误差</translation>
    </message>
    <message>
        <source>weights − exact weights</source>
        <translation>权重 − 精确权重</translation>
    </message>
    <message>
        <source>exact softmax</source>
        <translation>精确 softmax</translation>
    </message>
    <message>
        <source>exact weights × V</source>
        <translation>精确权重 × V</translation>
    </message>
    <message>
        <source>turned by its position</source>
        <translation>按其位置旋转</translation>
    </message>
    <message>
        <source>first query at</source>
        <translation>首个查询的位置</translation>
    </message>
    <message>
        <source>Where the first query stands; the first key stands at 0. When decoding: the number of keys in the cache before it</source>
        <translation>首个查询所在的位置；首个键位于 0。解码时：它之前缓存中的键数</translation>
    </message>
    <message>
        <source>bidirectional</source>
        <translation>双向</translation>
    </message>
    <message>
        <source>Half of the buckets for keys after the query, as in T5&apos;s encoder; its decoder has all of them for keys before it</source>
        <translation>一半的桶用于查询之后的键，如 T5 的编码器；其解码器把所有桶都用于查询之前的键</translation>
    </message>
    <message>
        <source>largest distance</source>
        <translation>最大距离</translation>
    </message>
    <message>
        <source>Keys this far away or farther share the last bucket</source>
        <translation>距离达到或超过此值的键共用最后一个桶</translation>
    </message>
    <message>
        <source>base</source>
        <translation>底数</translation>
    </message>
    <message>
        <source>Pair c of E/2 turns by base^(-2c/E) radians a token: the larger, the slower; Llama 3 takes 500000</source>
        <translation>E/2 对中的第 c 对，每个词元旋转 base^(-2c/E) 弧度：底数越大，转得越慢；Llama 3 取 500000</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>Which features turn together: half takes c and c + E/2 (GPT-NeoX, Llama), interleaved 2c and 2c + 1 (the paper, GPT-J)</source>
        <translation>哪些特征一起旋转：前后对半取 c 与 c + E/2（GPT-NeoX、Llama），交错取 2c 与 2c + 1（原论文、GPT-J）</translation>
    </message>
    <message>
        <source>What each query head adds for each bucket of distances; T5 has 32 buckets</source>
        <translation>每个查询头对每个距离桶所加的数；T5 有 32 个桶</translation>
    </message>
    <message>
        <source>relative_attention_bias: has %1 buckets, expected at least %2</source>
        <translation>relative_attention_bias：有 %1 个桶，至少应有 %2 个</translation>
    </message>
    <message>
        <source>t5: parameter max_distance is %1, expected more than the %2 distances that have a bucket each</source>
        <translation>t5：参数 max_distance 为 %1，应大于 %2，即各占一个桶的距离数</translation>
    </message>
    <message>
        <source>relative_attention_bias: has %1 in bucket %2, expected finite numbers</source>
        <translation>relative_attention_bias：在桶 %2 中为 %1，应为有限数</translation>
    </message>
    <message>
        <source>rope: %1 rows have %2 features, expected an even number: they turn in pairs</source>
        <translation>rope：%1 的行有 %2 个特征，应为偶数：特征成对旋转</translation>
    </message>
    <message>
        <source>ALiBi (linear bias)</source>
        <translation>ALiBi（线性偏置）</translation>
    </message>
    <message>
        <source>T5 buckets</source>
        <translation>T5 分桶</translation>
    </message>
    <message>
        <source>Adds a learned number for each distance and head; far distances share one, in buckets that widen with the logarithm.</source>
        <translation>为每个距离和每个头加上一个学得的数；较远的距离共用一个数，桶的宽度按对数增大。</translation>
    </message>
    <message>
        <source>RoPE (rotary)</source>
        <translation>RoPE（旋转）</translation>
    </message>
    <message>
        <source>Turns pairs of features of query and key by angles that grow with the position. A dot product then depends on the distance alone. Rows that a scale normalises are normalised first.</source>
        <translation>把查询和键的特征两两配对，按随位置增大的角度旋转，于是点积只取决于距离。若缩放要对行归一化，则先归一化再旋转。</translation>
    </message>
    <message>
        <source>position: &apos;%1&apos; is not one of %2</source>
        <translation>位置：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>half</source>
        <translation>前后对半</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>交错</translation>
    </message>
    <message>
        <source>length n0</source>
        <translation>长度 n0</translation>
    </message>
    <message>
        <source>The number of keys at which the factor is 1/√d: the length of training, often 512</source>
        <translation>使系数为 1/√d 的键数：即训练长度，通常为 512</translation>
    </message>
    <message>
        <source>cap c</source>
        <translation>上限 c</translation>
    </message>
    <message>
        <source>No scaled score leaves -c .. c; Gemma 2 takes 50</source>
        <translation>缩放后的得分不会超出 -c 到 c；Gemma 2 取 50</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>增益</translation>
    </message>
    <message>
        <source>Multiplies every score; at 1 no scaled score is larger than √d unless an array of gains says so</source>
        <translation>每个得分都乘以此数；取 1 时，除非另给增益数组，缩放后的得分都不大于 √d</translation>
    </message>
    <message>
        <source>Multiplies each feature of the normalised queries; absent: 1</source>
        <translation>乘以归一化后查询的每个特征；未给出时：1</translation>
    </message>
    <message>
        <source>Multiplies each feature of the normalised keys; absent: 1</source>
        <translation>乘以归一化后键的每个特征；未给出时：1</translation>
    </message>
    <message>
        <source>log n</source>
        <translation>log n（随键数）</translation>
    </message>
    <message>
        <source>soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>Bends large scores so that none passes c; small ones stay as with 1/√d. Gemma 2 and Grok do this.</source>
        <translation>压缩较大的得分，使其都不超过 c；较小的得分与用 1/√d 时相同。Gemma 2 和 Grok 采用此法。</translation>
    </message>
    <message>
        <source>QK norm</source>
        <translation>QK 归一化</translation>
    </message>
    <message>
        <source>Divides queries and keys by their root mean square, then multiplies by learned gains. Qwen3, Gemma 3 and OLMo 2 do so; a rotary position comes after.</source>
        <translation>把查询和键除以各自的均方根，再乘以学得的增益。Qwen3、Gemma 3 和 OLMo 2 采用此法；旋转位置在其后施加。</translation>
    </message>
    <message>
        <source>rows over their root mean square, %1</source>
        <translation>行除以其均方根，%1</translation>
    </message>
    <message>
        <source>W decides which features of a query are compared with which of a key. Make it the identity and the dot product comes back; swap two of its columns and the picture follows.</source>
        <translation>W 决定查询的哪些特征与键的哪些特征比较。把它设为单位矩阵，就回到点积；交换其中两列，图像也随之变化。</translation>
    </message>
    <message>
        <source>Everything above the diagonal is blocked. The first token can only read itself, so its weight is 1 whatever the scores; change the last token and no earlier output moves.</source>
        <translation>对角线以上全部被屏蔽。第一个词元只能关注自身，因此无论得分如何，其权重都是 1；改动最后一个词元，之前的输出都不会变。</translation>
    </message>
    <message>
        <source>Without concat_v the score is linear in [q; k]: every row of weights is the same, whatever the query. Add concat_v, and tanh couples the two again.</source>
        <translation>没有 concat_v 时，得分对 [q; k] 是线性的：无论查询是什么，每一行权重都相同。加入 concat_v 后，tanh 又使两者相互耦合。</translation>
    </message>
    <message>
        <source>The context is a mean over all keys, later ones included: under this mask it leaks the future to every query</source>
        <translation>上下文是所有键的平均，包括后面的键：在此掩码下，它会把未来泄露给每个查询</translation>
    </message>
    <message>
        <source>The context is a mean over all keys, those that the mask blocks included: they still shift the scores of the others</source>
        <translation>上下文是所有键的平均，包括被掩码屏蔽的键：它们仍会改变其他键的得分</translation>
    </message>
    <message>
        <source>combine</source>
        <translation>组合方式</translation>
    </message>
    <message>
        <source>gate: the context weighs the features of q · k; bias: it asks the keys like a second query</source>
        <translation>门控：上下文对 q · k 的各特征加权；偏置：上下文像第二个查询那样向键提问</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>门控</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Rows are the tokens of x, columns those of the context: the picture need not be square. The output has one row for each token of x, made of values of the context only.</source>
        <translation>行是 x 的词元，列是 context 的词元：图不必是方的。x 的每个词元在输出中各占一行，而输出只由 context 的值构成。</translation>
    </message>
    <message>
        <source>first read</source>
        <translation>首次关注</translation>
    </message>
    <message>
        <source>What the first read brings home: values, which must be as wide as the keys, or keys</source>
        <translation>首次关注带回什么：值（须与键维度相同）或键</translation>
    </message>
    <message>
        <source>softmax of the first read</source>
        <translation>首次关注的 softmax</translation>
    </message>
    <message>
        <source>Dynamic context</source>
        <translation>动态上下文</translation>
    </message>
    <message>
        <source>With context</source>
        <translation>带上下文</translation>
    </message>
    <message>
        <source>Each query reads twice: what the first read brings home takes part in the scores of the second. Both reads are masked alike, so nothing leaks.</source>
        <translation>每个查询关注两次：首次关注带回的内容参与第二次的得分。两次使用相同的掩码，因此不会泄漏。</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>queries a tile</source>
        <translation>每块查询数</translation>
    </message>
    <message>
        <source>How many query rows stay in fast memory while the key tiles pass by</source>
        <translation>键的各块依次经过时，快速内存中保留多少行查询</translation>
    </message>
    <message>
        <source>keys a tile</source>
        <translation>每块键数</translation>
    </message>
    <message>
        <source>How many keys and values are read at a time</source>
        <translation>每次读取多少个键和值</translation>
    </message>
    <message>
        <source>largest score so far</source>
        <translation>当前最大得分</translation>
    </message>
    <message>
        <source>sum so far</source>
        <translation>当前累加和</translation>
    </message>
    <message>
        <source>output so far, not yet divided by the sum</source>
        <translation>当前输出，尚未除以和</translation>
    </message>
    <message>
        <source>Tiles that are not read because all their cells are blocked: %1 of %2</source>
        <translation>因单元格全被屏蔽而不读取的块：%2 块中的 %1 块</translation>
    </message>
    <message>
        <source>The output after each of the %1 key tiles is left out: it would not fit in memory. Larger tiles need less</source>
        <translation>%1 个键块各自处理之后的输出已略去：内存放不下。块越大，所需内存越少</translation>
    </message>
    <message>
        <source>Flash (tiles, online softmax)</source>
        <translation>Flash（分块，在线 softmax）</translation>
    </message>
    <message>
        <source>The same on another schedule</source>
        <translation>结果相同，计算次序不同</translation>
    </message>
    <message>
        <source>A tile of queries stays in fast memory while tiles of keys and values pass by. Each row keeps only its largest score, the sum of its exponentials and the output so far, and rescales them when a larger score comes. The result is that of scaled dot-product attention, and no L × S matrix need be stored.</source>
        <translation>一块查询留在快速内存中，键和值的各块依次经过。每行只保留当前的最大得分、指数之和与输出，出现更大的得分时再对后两者重新缩放。结果与缩放点积注意力相同，却无需存储 L × S 的矩阵。</translation>
    </message>
    <message>
        <source>Step through the tiles and watch the factor exp(m_old − m_new): it is 1 unless the new tile holds a larger score. Change the tile sizes: weights and output stay the same, only the way there differs. With the causal mask the tiles above the diagonal are not read, nearly half of a long sequence.</source>
        <translation>逐块前进，观察系数 exp(m_old − m_new)：除非新块中有更大的得分，否则它为 1。改变块的大小：权重和输出不变，变的只是计算过程。使用因果掩码时，对角线以上的块不读取，对长序列来说接近一半。</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Small sigma reads only the nearest key, large sigma averages all. Long keys get no bonus, as they do with a dot product: only the distance counts.</source>
        <translation>σ 小则只关注最近的键，σ 大则对所有键取平均。长的键不像在点积中那样占便宜，因为只看距离。</translation>
    </message>
    <message>
        <source>mean of the keys</source>
        <translation>键的均值</translation>
    </message>
    <message>
        <source>Global context</source>
        <translation>全局上下文</translation>
    </message>
    <message>
        <source>Heads of one group share keys and values. Set the key/value heads to 1 and it is multi-query, to the number of heads and it is multi-head: follow the size of the cache.</source>
        <translation>同组的头共用键和值。键/值头数设为 1 就是多查询，设为头数就是多头：留意缓存大小的变化。</translation>
    </message>
    <message>
        <source>Which sentence each key belongs to: equal numbers, same sentence</source>
        <translation>每个键属于哪个句子：编号相同即同一句子</translation>
    </message>
    <message>
        <source>Which paragraph each key belongs to: equal numbers, same paragraph</source>
        <translation>每个键属于哪个段落：编号相同即同一段落</translation>
    </message>
    <message>
        <source>%1: has %2 at (%3,), expected an integer</source>
        <translation>%1：在 (%3,) 处为 %2，应为整数</translation>
    </message>
    <message>
        <source>word + sentence mean + paragraph mean</source>
        <translation>词 + 句子均值 + 段落均值</translation>
    </message>
    <message>
        <source>Hierarchical context</source>
        <translation>层次上下文</translation>
    </message>
    <message>
        <source>A key is read together with the means of its sentence and its paragraph: three terms are added to its score, one for each level. Equal ids belong together.</source>
        <translation>关注一个键时，也关注其所在句子的均值和所在段落的均值：得分由三项相加，每个层次一项。编号相同者属于同一单元。</translation>
    </message>
    <message>
        <source>Each column mixes all keys into one; drawn at random where it is not given</source>
        <translation>每列把所有键混合成一个；未给出时随机抽取</translation>
    </message>
    <message>
        <source>Each column mixes all values into one; drawn at random where it is not given</source>
        <translation>每列把所有值混合成一个；未给出时随机抽取</translation>
    </message>
    <message>
        <source>projected keys k</source>
        <translation>投影后的键数 k</translation>
    </message>
    <message>
        <source>How many mixtures of keys a query reads, where linformer_e is not given</source>
        <translation>未给出 linformer_e 时，一个查询关注多少个混合键</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed draws the same projections, where linformer_e is not given</source>
        <translation>未给出 linformer_e 时，相同的种子抽取相同的投影</translation>
    </message>
    <message>
        <source>weights × Fᵀ</source>
        <translation>权重 × Fᵀ</translation>
    </message>
    <message>
        <source>linformer_e and linformer_f are given, with %1 projected keys: k and seed are not used</source>
        <translation>已给出 linformer_e 和 linformer_f，投影后的键数为 %1：k 和 seed 未使用</translation>
    </message>
    <message>
        <source>Linformer</source>
        <translation>Linformer</translation>
    </message>
    <message>
        <source>Approximations</source>
        <translation>近似</translation>
    </message>
    <message>
        <source>Its columns are mixtures of all keys, no longer tokens that a mask could block.</source>
        <translation>其各列是所有键的混合，不再是掩码可以屏蔽的词元。</translation>
    </message>
    <message>
        <source>Its columns are mixtures of all keys, which stand nowhere.</source>
        <translation>其各列是所有键的混合，没有位置可言。</translation>
    </message>
    <message>
        <source>Every row of implied weights is a mixture of k fixed patterns, the columns of F, and may be negative. Drawn projections show the shapes and the cost, not the quality: their error stays large whatever k, which is why E and F are trained. With k = S and both the identity, the weights are the exact ones.</source>
        <translation>每一行等效权重都是 k 个固定模式（即 F 的各列）的混合，可能为负。随机抽取的投影只能说明形状和代价，不能说明质量：无论 k 多大，误差始终很大，所以 E 和 F 要经过训练。当 k = S 且两者都为单位矩阵时，权重就是精确权重。</translation>
    </message>
    <message>
        <source>global tokens</source>
        <translation>全局词元</translation>
    </message>
    <message>
        <source>Numbers of the tokens that read all and are read by all, counted from 0</source>
        <translation>关注所有词元、也被所有词元关注的词元的编号，从 0 算起</translation>
    </message>
    <message>
        <source>union: one softmax over both kinds of keys; sum: a softmax for each, their outputs added</source>
        <translation>并集：对两类键共用一个 softmax；求和：各用一个 softmax，再把输出相加</translation>
    </message>
    <message>
        <source>longformer: parameter global_tokens has %1, expected integers in [0, %2]: there are %3 tokens</source>
        <translation>longformer：参数 global_tokens 含有 %1，应为 [0, %2] 内的整数：共有 %3 个词元</translation>
    </message>
    <message>
        <source>softmax over the window + softmax over the global tokens</source>
        <translation>窗口上的 softmax + 全局词元上的 softmax</translation>
    </message>
    <message>
        <source>softmax over the window</source>
        <translation>窗口上的 softmax</translation>
    </message>
    <message>
        <source>softmax over the global tokens</source>
        <translation>全局词元上的 softmax</translation>
    </message>
    <message>
        <source>A row of weights is a sum of two distributions, over the window and over the global tokens. Rows that sum to 2, not to 1: %1 of %2</source>
        <translation>一行权重是窗口和全局词元上两个分布之和。和为 2 而不是 1 的行：%2 行中的 %1 行</translation>
    </message>
    <message>
        <source>Longformer (window and global tokens)</source>
        <translation>Longformer（窗口与全局词元）</translation>
    </message>
    <message>
        <source>A token reads only its neighbours within a window, so the cost grows with the length and not with its square. A few global tokens read every token and are read by every token, and carry news from one end to the other.</source>
        <translation>词元只关注窗口内的邻近词元，因此代价随长度增长，而不是随长度的平方增长。少数全局词元关注所有词元，也被所有词元关注，把信息从一端传到另一端。</translation>
    </message>
    <message>
        <source>Watch the difference from the exact weights: what lies outside the window is lost, and the keys inside get its share. Make a token global and see its row and its column fill. With combine=sum a row sums to 2: keys that are both near and global are counted twice.</source>
        <translation>观察与精确权重的差异：窗口之外的部分丢失，其份额归窗口内的键。把一个词元设为全局词元，看它所在的行和列被填满。取 combine=sum 时一行之和为 2：既邻近又是全局的键被计算两次。</translation>
    </message>
    <message>
        <source>union</source>
        <translation>并集</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>Compare the heads with their mean: one head may look at the token before while another looks at itself, and the mean shows neither. The concatenated heads are mixed by W_o.</source>
        <translation>把各头与它们的平均对照：一个头可能关注前一个词元，另一个头关注自身，而在平均中两者都看不出来。拼接后的各头由 W_o 混合。</translation>
    </message>
    <message>
        <source>All heads read the same keys and values, so only their queries tell them apart. The status bar says how much smaller the key/value cache becomes.</source>
        <translation>所有头共用相同的键和值，只有查询能区分它们。状态栏会显示键/值缓存缩小了多少。</translation>
    </message>
    <message>
        <source>The pool of pages: N pages with room for the keys of P tokens each</source>
        <translation>页池：N 页，每页可存放 P 个词元的键</translation>
    </message>
    <message>
        <source>The values of the same slots</source>
        <translation>相同槽位的值</translation>
    </message>
    <message>
        <source>Entry i says which page of the pool holds tokens i P to i P + P − 1</source>
        <translation>第 i 项说明词元 i P 到 i P + P − 1 存放在页池的哪一页</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>local: pages read the pages beside them; kv_cache: keys and values are found by a table</source>
        <translation>局部：每页关注相邻的页；KV 缓存：按表查找键和值</translation>
    </message>
    <message>
        <source>page size</source>
        <translation>页大小</translation>
    </message>
    <message>
        <source>Tokens a page; the pages of a cache bring their own size</source>
        <translation>每页的词元数；缓存的页自带其大小</translation>
    </message>
    <message>
        <source>neighbours</source>
        <translation>相邻页数</translation>
    </message>
    <message>
        <source>How many pages to either side a page reads beside its own</source>
        <translation>除自身外，每页向两侧各关注多少页</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>How many tokens the cache holds; the slots behind them are empty</source>
        <translation>缓存中有多少个词元；其后的槽位是空的</translation>
    </message>
    <message>
        <source>%1: has no slot for a token: there are %2 pages of %3 tokens and %4 entries in block_table, expected at least 1 of each</source>
        <translation>%1：没有可存放词元的槽位：共 %2 页，每页 %3 个词元，block_table 有 %4 项，各项都应至少为 1</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected an integer from 0 to %4: a page of key_pages</source>
        <translation>%1：在 %3 处为 %2，应为 0 到 %4 的整数，即 key_pages 中的页号</translation>
    </message>
    <message>
        <source>paged: parameter length is %1, expected an integer in [1, %2]: block_table has %3 pages of %4 tokens</source>
        <translation>paged：参数 length 为 %1，应为 [1, %2] 内的整数：block_table 有 %3 页，每页 %4 个词元</translation>
    </message>
    <message>
        <source>softmax in each page</source>
        <translation>每页内的 softmax</translation>
    </message>
    <message>
        <source>log Σ exp of each page</source>
        <translation>每页的 log Σ exp</translation>
    </message>
    <message>
        <source>length is not given: the first %1 tokens are read, the %2 pages of block_table have slots for %3</source>
        <translation>未给出 length：读取前 %1 个词元；block_table 的 %2 页共有 %3 个槽位</translation>
    </message>
    <message>
        <source>Fragmentation: %1 tokens in %2 pages of %3; %4 of %5 slots are empty (%6%)</source>
        <translation>碎片：%2 页（每页 %3 个）存放 %1 个词元；%5 个槽位中有 %4 个为空（%6%）</translation>
    </message>
    <message>
        <source>pages of keys and values, beside the tokens in them</source>
        <translation>键和值的页，以及其中的词元</translation>
    </message>
    <message>
        <source>Paged</source>
        <translation>分页</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>local</source>
        <translation>局部</translation>
    </message>
    <message>
        <source>kv_cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>One row a random direction; drawn where it is not given</source>
        <translation>每行一个随机方向；未给出时随机抽取</translation>
    </message>
    <message>
        <source>features m</source>
        <translation>特征数 m</translation>
    </message>
    <message>
        <source>How many random directions, where performer_omega is not given</source>
        <translation>未给出 performer_omega 时，有多少个随机方向</translation>
    </message>
    <message>
        <source>The same seed draws the same directions, where performer_omega is not given</source>
        <translation>未给出 performer_omega 时，相同的种子抽取相同的方向</translation>
    </message>
    <message>
        <source>form the weights</source>
        <translation>形成权重</translation>
    </message>
    <message>
        <source>Off: no table of queries and keys is made, neither the implied weights nor the exact ones, so no error is known either</source>
        <translation>关闭：不生成查询与键的表，既没有等效权重也没有精确权重，误差也就无从得知</translation>
    </message>
    <message>
        <source>scale: %1 multiplies the scores by %2, expected a factor above 0, whose root goes into the features of performer</source>
        <translation>缩放：%1 把得分乘以 %2，应为大于 0 的系数，其平方根要计入 performer 的特征</translation>
    </message>
    <message>
        <source>scale: parameter c is &apos;%1&apos;, expected a number above 0: its root goes into the features of performer</source>
        <translation>缩放：参数 c 为“%1”，应为大于 0 的数：其平方根要计入 performer 的特征</translation>
    </message>
    <message>
        <source>performer: parameter weights is &apos;false&apos;, expected true where statistics of the weights are asked for</source>
        <translation>performer：参数 weights 为“false”，要求权重的统计量时应为 true</translation>
    </message>
    <message>
        <source>Error of the output by the number of features</source>
        <translation>输出误差随特征数的变化</translation>
    </message>
    <message>
        <source>relative error, mean of %1 draws</source>
        <translation>相对误差，%1 次抽取的平均</translation>
    </message>
    <message>
        <source>There are no keys: the output is 0</source>
        <translation>没有键：输出为 0</translation>
    </message>
    <message>
        <source>Rows with every key blocked: %1 (first: %2). Their weights and output are 0, whatever the mask fill</source>
        <translation>所有键都被屏蔽的行：%1 行（第一行：%2）。无论屏蔽值如何，其权重和输出均为 0</translation>
    </message>
    <message>
        <source>Rows whose output is NaN: %1 (first: %2). A number there is NaN, infinite or too large for the features</source>
        <translation>输出为 NaN 的行：%1 行（第一行：%2）。其中有数为 NaN、无穷大，或对特征而言过大</translation>
    </message>
    <message>
        <source>Blocked keys are left out of the sums: the mask fill %1 counts in the exact weights only</source>
        <translation>被屏蔽的键不计入求和：屏蔽值 %1 只对精确权重起作用</translation>
    </message>
    <message>
        <source>performer_omega is given, with %1 features: features and seed are not used</source>
        <translation>已给出 performer_omega，特征数为 %1：features 和 seed 未使用</translation>
    </message>
    <message>
        <source>rows of φ(Q)·φ(K)ᵀ to sum 1</source>
        <translation>φ(Q)·φ(K)ᵀ 各行归一到和为 1</translation>
    </message>
    <message>
        <source>Performer</source>
        <translation>Performer</translation>
    </message>
    <message>
        <source>The features are of queries and keys as they are given.</source>
        <translation>特征由原样给出的查询和键算出。</translation>
    </message>
    <message>
        <source>The scale is part of the features.</source>
        <translation>缩放是特征的一部分。</translation>
    </message>
    <message>
        <source>The features hold the root of one factor for all scores, which this scale does not have.</source>
        <translation>特征中含有对所有得分统一的一个系数的平方根，而这种缩放没有这样的系数。</translation>
    </message>
    <message>
        <source>Raise the number of features and watch the difference fade: where weights are flat the error falls as 1/√m. Then multiply the queries by three: sharp weights need far more features. Under the causal mask the output costs no more than without.</source>
        <translation>增大特征数，观察差异逐渐消失：在权重平缓之处，误差按 1/√m 下降。再把查询乘以 3：尖锐的权重需要多得多的特征。使用因果掩码时，计算输出的代价并不增加。</translation>
    </message>
    <message>
        <source>features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>One row a token: what it looks for, and, at length 1, what it is found by</source>
        <translation>每行一个词元：它要找什么；缩放到长度 1 后，即凭什么被找到</translation>
    </message>
    <message>
        <source>One row a token: what it hands over</source>
        <translation>每行一个词元：它交出什么</translation>
    </message>
    <message>
        <source>Random directions for each hash round, half as many as buckets; drawn where it is not given</source>
        <translation>每个哈希轮次的随机方向，数目为桶数的一半；未给出时随机抽取</translation>
    </message>
    <message>
        <source>hash rounds</source>
        <translation>哈希轮数</translation>
    </message>
    <message>
        <source>How often the tokens are hashed anew, where reformer_rotations is not given</source>
        <translation>未给出 reformer_rotations 时，对词元重新哈希多少次</translation>
    </message>
    <message>
        <source>buckets</source>
        <translation>桶数</translation>
    </message>
    <message>
        <source>How many buckets a round has, an even number, where reformer_rotations is not given</source>
        <translation>未给出 reformer_rotations 时，每轮有多少个桶，须为偶数</translation>
    </message>
    <message>
        <source>The same seed draws the same directions, where reformer_rotations is not given</source>
        <translation>未给出 reformer_rotations 时，相同的种子抽取相同的方向</translation>
    </message>
    <message>
        <source>reformer: parameter n_buckets is &apos;%1&apos;, expected an even integer in [2, 65536]</source>
        <translation>reformer：参数 n_buckets 为“%1”，应为 [2, 65536] 内的偶数</translation>
    </message>
    <message>
        <source>cells read</source>
        <translation>关注的单元格</translation>
    </message>
    <message>
        <source>reformer_rotations is given, with %1 rounds of %2 buckets: n_hashes, n_buckets and seed are not used</source>
        <translation>已给出 reformer_rotations，共 %1 轮，每轮 %2 个桶：n_hashes、n_buckets 和 seed 未使用</translation>
    </message>
    <message>
        <source>Reformer (LSH)</source>
        <translation>Reformer（LSH）</translation>
    </message>
    <message>
        <source>Queries serve as keys, and tokens that point the same way fall into the same bucket by a random hash. A token reads only the tokens that share a bucket with it in any hash round, and itself only when it has no other. Exact here means: all tokens in one bucket. The cost counts the hashes, the sort and, in each round, the cells within a bucket.</source>
        <translation>查询兼作键，方向相同的词元经随机哈希落入同一个桶。词元只关注任一哈希轮次中与它同桶的词元，没有其他词元可关注时才关注自身。这里的“精确”是指所有词元都在同一个桶中。代价包括哈希、排序，以及每轮中桶内的单元格。</translation>
    </message>
    <message>
        <source>The hash is of the queries as they are given.</source>
        <translation>哈希由原样给出的查询算出。</translation>
    </message>
    <message>
        <source>Sort the tokens by bucket and the cells that are read become squares along the diagonal. More buckets read fewer cells and miss more; more hash rounds find what one round has parted. The diagonal is empty: a token does not read itself unless it is alone.</source>
        <translation>把词元按桶排序，所关注的单元格就排成沿对角线的方块。桶越多，关注的单元格越少，遗漏越多；哈希轮次越多，越能找回某一轮中被分开的词元。对角线是空的：词元不关注自身，除非桶中只有它一个。</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Each token reads the whole sequence, itself included. The weights need not be symmetric: W_q and W_k let “a reads b” differ from “b reads a”.</source>
        <translation>每个词元关注整个序列，包括自身。权重不必对称：有了 W_q 和 W_k，“a 关注 b”可以不同于“b 关注 a”。</translation>
    </message>
    <message>
        <source>One matrix a layer, each as torch.nn.Transformer keeps it: (out, in)</source>
        <translation>每层一个矩阵，各矩阵与 torch.nn.Transformer 保存的一致：(out, in)</translation>
    </message>
    <message>
        <source>One row a layer, each as torch.nn.Transformer keeps it</source>
        <translation>每层一行，各行与 torch.nn.Transformer 保存的一致</translation>
    </message>
    <message>
        <source>Of the norm after the last layer</source>
        <translation>用于最后一层之后的归一化</translation>
    </message>
    <message>
        <source>Token ids that the encoder reads; 0 is padding</source>
        <translation>编码器读取的词元编号；0 为填充</translation>
    </message>
    <message>
        <source>Token ids that the decoder has so far; 0 is padding</source>
        <translation>解码器目前已有的词元编号；0 为填充</translation>
    </message>
    <message>
        <source>One row a source token; row 0 is padding</source>
        <translation>每行一个源词元；第 0 行为填充</translation>
    </message>
    <message>
        <source>One row a target token; row 0 is padding</source>
        <translation>每行一个目标词元；第 0 行为填充</translation>
    </message>
    <message>
        <source>Makes a logit for each token of the vocabulary</source>
        <translation>为词表中的每个词元生成一个 logit</translation>
    </message>
    <message>
        <source>Bias of generator.weight</source>
        <translation>generator.weight 的偏置</translation>
    </message>
    <message>
        <source>How many heads each layer has; weights do not say it</source>
        <translation>每层有多少个头；从权重中看不出来</translation>
    </message>
    <message>
        <source>encoder layers</source>
        <translation>编码器层数</translation>
    </message>
    <message>
        <source>0: as many as the weights have</source>
        <translation>0：与权重中的层数相同</translation>
    </message>
    <message>
        <source>decoder layers</source>
        <translation>解码器层数</translation>
    </message>
    <message>
        <source>feed-forward width</source>
        <translation>前馈维度</translation>
    </message>
    <message>
        <source>Hidden units of the feed-forward part; 0: as many as the weights have</source>
        <translation>前馈部分的隐藏单元数；0：与权重中的相同</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>What the hidden units of the feed-forward part do</source>
        <translation>前馈部分的隐藏单元使用的函数</translation>
    </message>
    <message>
        <source>norm first</source>
        <translation>先归一化</translation>
    </message>
    <message>
        <source>Normalises before each part of a layer instead of after it</source>
        <translation>在每层的各部分之前而不是之后做归一化</translation>
    </message>
    <message>
        <source>scale embedding</source>
        <translation>缩放嵌入</translation>
    </message>
    <message>
        <source>Multiplies embeddings by √d before the positions are added</source>
        <translation>加上位置之前，先把嵌入乘以 √d</translation>
    </message>
    <message>
        <source>norm ε</source>
        <translation>归一化 ε</translation>
    </message>
    <message>
        <source>Added to the variance of a row before its root is taken</source>
        <translation>对一行的方差开平方之前所加的数</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected an integer from 0 and less than %4, the number of rows of %5</source>
        <translation>%1：在 %3 处为 %2，应为不小于 0 且小于 %4（%5 的行数）的整数</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>A whole model</source>
        <translation>完整模型</translation>
    </message>
    <message>
        <source>padding (id 0) and causality make the masks of every layer</source>
        <translation>由填充（编号 0）和因果性得到每一层的掩码</translation>
    </message>
    <message>
        <source>sinusoidal positions are added to the embeddings</source>
        <translation>正弦位置加到嵌入上</translation>
    </message>
    <message>
        <source>Go through the layers: encoder.0.self.weights to the last cross.weights. Set the last id of src to 0 and see its column vanish in the encoder and in every cross-attention. Change the last id of tgt: only the last row of probabilities moves, because the decoder is causal.</source>
        <translation>逐层查看：从 encoder.0.self.weights 到最后一个 cross.weights。把 src 的最后一个编号设为 0，可见它的列在编码器和每个交叉注意力中消失。修改 tgt 的最后一个编号：只有概率的最后一行变化，因为解码器是因果的。</translation>
    </message>
    <message>
        <source>relu</source>
        <translation>relu</translation>
    </message>
    <message>
        <source>gelu</source>
        <translation>gelu</translation>
    </message>
    <message>
        <source>embedding × √%1</source>
        <translation>嵌入 × √%1</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>+ positions</source>
        <translation>+ 位置</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>add</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>add &amp; norm</source>
        <translation>相加与归一化</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Padding (id 0) that no query reads: %1 source and %2 target positions</source>
        <translation>没有查询关注的填充（编号 0）：%1 个源位置和 %2 个目标位置</translation>
    </message>
    <message>
        <source>sinusoidal positions</source>
        <translation>正弦位置</translation>
    </message>
    <message>
        <source>%1: is missing, expected an array of shape %2 as %3 has</source>
        <translation>%1：缺失，应为形状 %2 的数组，与 %3 一致</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 as %4 has</source>
        <translation>%1：形状为 %2，应为 %3，与 %4 一致</translation>
    </message>
    <message>
        <source>Every row of the weights is the same: w·q adds one number to a whole row of scores, and softmax cancels it. Change any query: the scores move, the weights do not.</source>
        <translation>权重的每一行都相同：w·q 给一整行得分加上同一个数，会被 softmax 抵消。修改任一查询：得分会变，权重不变。</translation>
    </message>
    <message>
        <source>%1: %2 is not possible: %3</source>
        <translation>%1：不能用 %2：%3</translation>
    </message>
    <message>
        <source>The map needs more memory than there is</source>
        <translation>内存不足，无法计算此地图</translation>
    </message>
    <message>
        <source>Attention in tiles has weights that are a softmax of scaled dot products; those of %1 are not</source>
        <translation>分块注意力的权重是缩放点积的 softmax；%1 的权重不是</translation>
    </message>
    <message>
        <source>Attention in tiles multiplies scores by one number; the scale %1 is more than that</source>
        <translation>分块注意力只把得分乘以一个数；缩放 %1 不止于此</translation>
    </message>
    <message>
        <source>Attention in tiles is computed in float32, where scores are lost beside an added mask fill of %1; at most %2 can be added</source>
        <translation>分块注意力以 float32 计算，加上屏蔽值 %1 后，得分会因舍入而丢失；所加的数绝对值最多为 %2</translation>
    </message>
    <message>
        <source>Attention in tiles appends no keys; the problem has bias_k or add_zero_attn</source>
        <translation>分块注意力不附加键，而这里有 bias_k 或 add_zero_attn</translation>
    </message>
    <message>
        <source>Attention in tiles drops no weights; the problem has dropout</source>
        <translation>分块注意力不丢弃权重，而这里有随机失活</translation>
    </message>
    <message>
        <source>Attention in tiles knows no positions; the problem has %1</source>
        <translation>分块注意力不考虑位置，而这里有 %1</translation>
    </message>
    <message>
        <source>Attention in tiles keeps no weights, so there are no statistics of them</source>
        <translation>分块注意力不保留权重，因此没有权重的统计量</translation>
    </message>
    <message>
        <source>%1: takes %2 bytes; at most %3 more may be read. Uncompressed (numpy.savez) it could stay in its file</source>
        <translation>%1：占 %2 字节；最多还可读取 %3 字节。若未压缩（numpy.savez），数据可以留在文件中</translation>
    </message>
    <message>
        <source>draw: %1 is %2, expected at least 1</source>
        <translation>抽取：%1 为 %2，至少应为 1</translation>
    </message>
    <message>
        <source>draw: L %1, S %2 and E %3 are more than 2^26 numbers</source>
        <translation>抽取：L 为 %1、S 为 %2、E 为 %3，合计超过 2^26 个数</translation>
    </message>
    <message>
        <source>%1: cannot be computed in float32, expected a mechanism of one pass from scores to the output</source>
        <translation>%1：无法以 float32 计算，应为从得分到输出一遍算完的机制</translation>
    </message>
    <message>
        <source>%1: has no input with a row for each token</source>
        <translation>%1：没有按词元逐行排列的输入</translation>
    </message>
    <message>
        <source>token %1 is not there, expected one from %2 to %3</source>
        <translation>没有词元 %1，应为 %2 到 %3</translation>
    </message>
    <message>
        <source>%1: has no output with a row for each token</source>
        <translation>%1：没有按词元逐行排列的输出</translation>
    </message>
    <message>
        <source>%1: %2 %3 is not there, it has %4</source>
        <translation>%1：没有 %2 %3；共有 %4 个</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected (B, H, L, S)</source>
        <translation>%1：形状为 %2，应为 (B, H, L, S)</translation>
    </message>
    <message>
        <source>%1: has no stage &apos;weights&apos;</source>
        <translation>%1：没有阶段“weights”</translation>
    </message>
    <message>
        <source>measure: &apos;%1&apos; is not one of %2</source>
        <translation>指标：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>curve: the scene has no draw whose size could change</source>
        <translation>曲线：场景中没有可改变大小的随机抽取</translation>
    </message>
    <message>
        <source>setting &apos;%1&apos;: %2</source>
        <translation>设置“%1”：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no stage &apos;%2&apos;</source>
        <translation>“%1”没有阶段“%2”</translation>
    </message>
    <message>
        <source>card &apos;%1&apos; shows batch %2 of %3</source>
        <translation>卡片“%1”要显示批次 %2，而共有 %3 个批次</translation>
    </message>
    <message>
        <source>card &apos;%1&apos; shows head %2 of %3</source>
        <translation>卡片“%1”要显示头 %2，而共有 %3 个头</translation>
    </message>
    <message>
        <source>the setting has no &apos;%1&apos; to show</source>
        <translation>该设置没有可显示的“%1”</translation>
    </message>
    <message>
        <source>the setting has no weights to step through</source>
        <translation>该设置没有可逐步查看的权重</translation>
    </message>
    <message>
        <source>query %1 is not there, the weights have %2 rows</source>
        <translation>没有查询 %1：权重有 %2 行</translation>
    </message>
    <message>
        <source>cell [%1, %2] is in no card, the largest has %3 x %4</source>
        <translation>没有卡片含单元格 [%1, %2]，最大的为 %3 × %4</translation>
    </message>
    <message>
        <source>the question has %1 right options (%2), expected one</source>
        <translation>该问题有 %1 个正确选项（%2），应恰有一个</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no %2 &apos;%3&apos;, it has: %4</source>
        <translation>“%1”没有 %2“%3”；现有：%4</translation>
    </message>
    <message>
        <source>there is no setting &apos;%1&apos;, expected one of %2</source>
        <translation>没有设置“%1”，应为以下之一：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be computed: %2</source>
        <translation>无法计算“%1”：%2</translation>
    </message>
    <message>
        <source>%1 is not known: there is no draw</source>
        <translation>%1 未知：没有随机抽取</translation>
    </message>
    <message>
        <source>theory predicts no variance for &apos;%1&apos;</source>
        <translation>理论无法预测“%1”的方差</translation>
    </message>
    <message>
        <source>is a number, expected a comparison</source>
        <translation>是一个数，应为比较式</translation>
    </message>
    <message>
        <source>column %1: %2</source>
        <translation>第 %1 列：%2</translation>
    </message>
    <message>
        <source>has no step, expected &apos;## ID: title&apos;</source>
        <translation>没有步骤，应有“## ID: 标题”</translation>
    </message>
    <message>
        <source>expected &apos;# &apos; and the title of the lesson</source>
        <translation>应为“# ”加本课的标题</translation>
    </message>
    <message>
        <source>expected a sentence or two for the list of lessons below the title</source>
        <translation>标题下应有一两句话，供课程列表使用</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, expected %2</source>
        <translation>为“%1”，应为 %2</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, expected &apos;## ID: title&apos; of a step</source>
        <translation>为“%1”，应为某一步的“## ID: 标题”</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; is there twice</source>
        <translation>步骤“%1”出现两次</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; has no text</source>
        <translation>步骤“%1”没有正文</translation>
    </message>
    <message>
        <source>the question has no &apos;### answer&apos;</source>
        <translation>该问题没有“### answer”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is there twice in this step</source>
        <translation>“%1”在这一步中出现两次</translation>
    </message>
    <message>
        <source>expected a text, and a question before it</source>
        <translation>应有正文，且其前应有问题</translation>
    </message>
    <message>
        <source>a card has one line of words, in its heading</source>
        <translation>卡片的文字只有一行，写在其标题中</translation>
    </message>
    <message>
        <source>expected a question, then its options, each as &apos;- ID: words&apos;</source>
        <translation>应先写问题，再列选项，每项写作“- ID: 文字”</translation>
    </message>
    <message>
        <source>option &apos;%1&apos; is there twice</source>
        <translation>选项“%1”出现两次</translation>
    </message>
    <message>
        <source>titles and the summary hold no {{numbers}}</source>
        <translation>标题和简介中不能有 {{数值}}</translation>
    </message>
    <message>
        <source>is empty, expected words</source>
        <translation>为空，应有文字</translation>
    </message>
    <message>
        <source>&apos;{{&apos; has no &apos;}}&apos;</source>
        <translation>“{{”没有对应的“}}”</translation>
    </message>
    <message>
        <source>has &apos;%1&apos; decimals, expected a number from 0 to 15</source>
        <translation>小数位数为“%1”，应为 0 到 15 的数</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; of scene.json has no text, expected &apos;## %1: title&apos; after this step</source>
        <translation>scene.json 中的步骤“%1”没有正文，此步之后应有“## %1: 标题”</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; is not in scene.json</source>
        <translation>步骤“%1”不在 scene.json 中</translation>
    </message>
    <message>
        <source>is step &apos;%1&apos;, expected &apos;%2&apos; as in scene.json</source>
        <translation>为步骤“%1”，应与 scene.json 一致，为“%2”</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; has no &apos;### question&apos;, but scene.json has its options</source>
        <translation>步骤“%1”没有“### question”，但 scene.json 中有其选项</translation>
    </message>
    <message>
        <source>scene.json has no question for step &apos;%1&apos;</source>
        <translation>scene.json 中没有步骤“%1”的问题</translation>
    </message>
    <message>
        <source>option &apos;%1&apos; of scene.json is missing here</source>
        <translation>此处缺少 scene.json 中的选项“%1”</translation>
    </message>
    <message>
        <source>option &apos;%1&apos; is not in scene.json</source>
        <translation>选项“%1”不在 scene.json 中</translation>
    </message>
    <message>
        <source>card &apos;%1&apos; is not in scene.json</source>
        <translation>卡片“%1”不在 scene.json 中</translation>
    </message>
    <message>
        <source>card &apos;%1&apos; has words in %2.md, but not here</source>
        <translation>卡片“%1”在 %2.md 中有文字，此处却没有</translation>
    </message>
    <message>
        <source>card &apos;%1&apos; has no words in %2.md</source>
        <translation>卡片“%1”在 %2.md 中没有文字</translation>
    </message>
    <message>
        <source>{{%1}}: step &apos;%2&apos; has no setting &apos;%3&apos;</source>
        <translation>{{%1}}：步骤“%2”没有设置“%3”</translation>
    </message>
    <message>
        <source>is &quot;same&quot;, but there is no step before this one</source>
        <translation>为 &quot;same&quot;，但此步之前没有步骤</translation>
    </message>
    <message>
        <source>setting &apos;%1&apos; is there twice</source>
        <translation>设置“%1”出现两次</translation>
    </message>
    <message>
        <source>&apos;%1&apos; reads no tensor &apos;%2&apos;</source>
        <translation>“%1”不使用张量“%2”</translation>
    </message>
    <message>
        <source>no setting reads a tensor &apos;%1&apos;</source>
        <translation>没有任何设置使用张量“%1”</translation>
    </message>
    <message>
        <source>there is no formula &apos;%1&apos;: no file %2</source>
        <translation>没有公式“%1”：找不到文件 %2</translation>
    </message>
    <message>
        <source>&apos;about&apos; changes a draw, and the inputs are none</source>
        <translation>“about”用于更改随机抽取，而输入不是随机抽取的</translation>
    </message>
    <message>
        <source>there is no sample &apos;%1&apos;: no file %2</source>
        <translation>没有示例“%1”：找不到文件 %2</translation>
    </message>
    <message>
        <source>expected rows and columns from 1</source>
        <translation>行数和列数应不小于 1</translation>
    </message>
    <message>
        <source>inputs are a draw or a sample, not both</source>
        <translation>输入只能是随机抽取（draw）或示例（sample）之一</translation>
    </message>
    <message>
        <source>card &apos;%1&apos; is there twice; give one of them an id</source>
        <translation>卡片“%1”出现两次；请为其中一张指定 ID</translation>
    </message>
    <message>
        <source>column %1: there is no setting &apos;%2&apos;, expected one of %3</source>
        <translation>第 %1 列：没有设置“%2”，应为以下之一：%3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a number, expected a comparison</source>
        <translation>“%1”是一个数，应为比较式</translation>
    </message>
    <message>
        <source>index %1 is beyond an axis of size %2</source>
        <translation>下标 %1 超出大小为 %2 的轴</translation>
    </message>
    <message>
        <source>axis %1 is not there, the shape is %2</source>
        <translation>没有第 %1 轴，形状为 %2</translation>
    </message>
    <message>
        <source>shapes %1 and %2 do not go together</source>
        <translation>形状 %1 与 %2 不匹配</translation>
    </message>
    <message>
        <source>has %1 indices, the shape is %2</source>
        <translation>有 %1 个下标，而形状为 %2</translation>
    </message>
    <message>
        <source>has no cells, the shape is %1</source>
        <translation>不含任何单元格，形状为 %1</translation>
    </message>
    <message>
        <source>%1 takes a vector, this has the shape %2</source>
        <translation>%1 需要向量，此处形状为 %2</translation>
    </message>
    <message>
        <source>%1 takes one number, this has the shape %2</source>
        <translation>%1 需要单个数，此处形状为 %2</translation>
    </message>
    <message>
        <source>%1 takes an integer, this is %2</source>
        <translation>%1 需要整数，此处为 %2</translation>
    </message>
    <message>
        <source>%1 takes a matrix, this has the shape %2</source>
        <translation>%1 需要矩阵，此处形状为 %2</translation>
    </message>
    <message>
        <source>Animation: steps %1 to %2 were asked for; there are %3</source>
        <translation>动画：要求第 %1 到 %2 步，而共有 %3 步</translation>
    </message>
    <message>
        <source>Animation: %1 seconds a step; expected %2 to %3</source>
        <translation>动画：每步 %1 秒，应为 %2 到 %3 秒</translation>
    </message>
    <message>
        <source>Animation: %1 x %2 pixels cannot be written as GIF</source>
        <translation>动画：%1 × %2 像素无法写成 GIF</translation>
    </message>
    <message>
        <source>Animation: the WebP library cannot be used</source>
        <translation>动画：无法使用 WebP 库</translation>
    </message>
    <message>
        <source>Animation: not enough memory for a picture of this size</source>
        <translation>动画：内存不足，无法生成这么大的图像</translation>
    </message>
    <message>
        <source>Animation: %1 x %2 pixels cannot be written as WebP (%3)</source>
        <translation>动画：%1 × %2 像素无法写成 WebP（%3）</translation>
    </message>
    <message>
        <source>Numbers up to %1 can be stored in this precision; there may be some of %2</source>
        <translation>这种精度能存储的数至多为 %1，而其中可能有 %2</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver, or it is older than CUDA %1 needs</source>
        <translation>没有 NVIDIA 驱动，或者驱动的版本低于 CUDA %1 的要求</translation>
    </message>
    <message>
        <source>There is no CUDA device</source>
        <translation>没有 CUDA 设备</translation>
    </message>
    <message>
        <source>The device %1 has compute capability %2, expected %3 or more</source>
        <translation>设备 %1 的计算能力为 %2，需要 %3 或更高</translation>
    </message>
    <message>
        <source>%1 failed: %2 (%3)</source>
        <translation>%1 失败：%2（%3）</translation>
    </message>
    <message>
        <source>The cpu backend computed this instead of cuda: %1</source>
        <translation>改由 cpu 后端计算，没有使用 cuda：%1</translation>
    </message>
    <message>
        <source>The cuda backend takes at most %1 queries and keys; there are %2 and %3</source>
        <translation>cuda 后端至多接受 %1 个查询和键，这里分别有 %2 个和 %3 个</translation>
    </message>
    <message>
        <source>The device %1 has no kernel for this problem</source>
        <translation>设备 %1 没有适合这次计算的内核</translation>
    </message>
    <message>
        <source>The device %1 has %2 MB free, too little even for a part of this problem</source>
        <translation>设备 %1 只剩 %2 MB 空闲内存，连这次计算的一部分也放不下</translation>
    </message>
    <message>
        <source>This program was built without CUDA</source>
        <translation>此程序编译时没有包含 CUDA</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be evaluated: %2</source>
        <translation>无法求值“%1”：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is false</source>
        <translation>“%1”不成立</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is false: %2</source>
        <translation>“%1”不成立：%2</translation>
    </message>
    <message>
        <source>%1 (and %2 more; attnlab lesson FOLDER lists them all)</source>
        <translation>%1（还有 %2 条；attnlab lesson FOLDER 可列出全部）</translation>
    </message>
    <message>
        <source>Set the context weights beside the weights: the second read sharpens what the first one found. Switch combine between gate and bias, and source between value and key, and watch the context term change.</source>
        <translation>把上下文权重与权重并排比较：第二次关注会强化第一次找到的内容。把 combine 在 gate 与 bias 之间切换，把 source 在 value 与 key 之间切换，观察上下文项如何变化。</translation>
    </message>
    <message>
        <source>Compare the context term with the scores: it is what the context adds. With bias its rows are all alike, and every query is drawn to the same keys. Turn the causal mask on and read the warning: the mean has seen the future.</source>
        <translation>把上下文项与得分比较：它正是上下文所增加的部分。选 bias 时各行全都相同，每个查询都被引向同样的键。启用因果掩码，看看警告：均值已经看到了未来。</translation>
    </message>
    <message>
        <source>Change one entry of sentence_ids: the columns of both sentences move, the rest stays. In the context term the keys of a sentence look alike. Under a causal mask the means have seen later keys, and the program warns.</source>
        <translation>修改 sentence_ids 的一个元素：只有两个句子的列变化，其余不变。在上下文项中，同一句子的键看起来相同。在因果掩码下，均值已看到后面的键，程序会给出警告。</translation>
    </message>
    <message>
        <source>%1: is cut short in its instruction at byte %2</source>
        <translation>%1：在字节 %2 处的指令中被截断</translation>
    </message>
    <message>
        <source>%1: is a pickle of protocol %2, expected 2 to 5</source>
        <translation>%1：是协议 %2 的 pickle，应为 2 到 5</translation>
    </message>
    <message>
        <source>%1: holds more values than may be read: they take more than %2 bytes</source>
        <translation>%1：所含的值超过可读取的数量：占用超过 %2 字节</translation>
    </message>
    <message>
        <source>%1: is damaged: its instruction at byte %2 makes no sense there</source>
        <translation>%1：已损坏：字节 %2 处的指令在那里没有意义</translation>
    </message>
    <message>
        <source>%1: holds an object of &apos;%2&apos;, which is not read: only tensors, numbers, text, lists and dictionaries are</source>
        <translation>%1：含有“%2”的对象，不支持读取：只读取张量、数、文本、列表和字典</translation>
    </message>
    <message>
        <source>%1: is a TorchScript program (torch.jit.save), which is not read; save its state_dict() with torch.save</source>
        <translation>%1：是 TorchScript 程序（torch.jit.save），不支持读取；请用 torch.save 保存它的 state_dict()</translation>
    </message>
    <message>
        <source>%1: is a zip archive without &apos;%2&apos;, which torch.save writes</source>
        <translation>%1：是没有“%2”的 zip 压缩包，而 torch.save 会写入它</translation>
    </message>
    <message>
        <source>%1: is compressed or damaged, expected a member that is stored as it is</source>
        <translation>%1：经过压缩或已损坏，应为原样存储的成员</translation>
    </message>
    <message>
        <source>%1: its numbers should be in &apos;%2&apos;, which is not in the archive</source>
        <translation>%1：它的数应在“%2”中，但压缩包里没有</translation>
    </message>
    <message>
        <source>%1: says that its byte order is &apos;%2&apos;, expected &apos;little&apos; or &apos;big&apos;</source>
        <translation>%1：声明的字节序为“%2”，应为“little”或“big”</translation>
    </message>
    <message>
        <source>%1: is a Python pickle without the zip archive that torch.save writes around it, and not read; save it with torch.save</source>
        <translation>%1：是没有 torch.save 外层 zip 压缩包的 Python pickle，不支持读取；请用 torch.save 保存</translation>
    </message>
    <message>
        <source>%1: holds Python objects, expected numbers</source>
        <translation>%1：含有 Python 对象，应为数</translation>
    </message>
    <message>
        <source>%1: has strides %2 for shape %3, expected as many, and none below 0</source>
        <translation>%1：形状 %3 的步长为 %2，应为同样多个且都不小于 0</translation>
    </message>
    <message>
        <source>%1: reaches out of its storage of %2 numbers: it has shape %3, strides %4 and begins at number %5</source>
        <translation>%1：超出了它那 %2 个数的存储：形状为 %3，步长为 %4，从第 %5 个数开始</translation>
    </message>
    <message>
        <source>%1: holds two tensors that would be called &apos;%2&apos;</source>
        <translation>%1：含有两个都会叫作“%2”的张量</translation>
    </message>
    <message>
        <source>%1: is damaged: an array without shape and numbers</source>
        <translation>%1：已损坏：数组没有形状和数</translation>
    </message>
    <message>
        <source>%1: its storage &apos;%2&apos; has %3 bytes, expected %4 numbers of %5</source>
        <translation>%1：它的存储“%2”有 %3 字节，应为 %4 个数，每个 %5 字节</translation>
    </message>
    <message>
        <source>True</source>
        <translation>True</translation>
    </message>
    <message>
        <source>False</source>
        <translation>False</translation>
    </message>
    <message>
        <source>the number %1</source>
        <translation>数 %1</translation>
    </message>
    <message>
        <source>the text &apos;%1&apos;</source>
        <translation>文本“%1”</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>an empty list</source>
        <translation>空列表</translation>
    </message>
    <message>
        <source>a set of %1 values</source>
        <translation>含 %1 个值的集合</translation>
    </message>
    <message>
        <source>a list of %1 numbers</source>
        <translation>含 %1 个数的列表</translation>
    </message>
    <message>
        <source>an empty dictionary</source>
        <translation>空字典</translation>
    </message>
    <message>
        <source>an object of type &apos;%1&apos;</source>
        <translation>类型为“%1”的对象</translation>
    </message>
    <message>
        <source>%1: holds values that are nested more than %2 deep, or within themselves</source>
        <translation>%1：所含的值嵌套超过 %2 层，或包含自身</translation>
    </message>
    <message>
        <source>%1: holds more values than may be read</source>
        <translation>%1：所含的值超过可读取的数量</translation>
    </message>
    <message>
        <source>%1: has the instruction %2 at byte %3, which is not read: only those for tensors, numbers, text, lists and dictionaries are</source>
        <translation>%1：字节 %3 处的指令 %2 不支持读取：只读取张量、数、文本、列表和字典的指令</translation>
    </message>
    <message>
        <source>%1: is saved as a view of other numbers with their signs turned; save it after resolve_neg() and resolve_conj()</source>
        <translation>%1：保存为另一些数变号后的视图；请在 resolve_neg() 和 resolve_conj() 之后保存</translation>
    </message>
    <message>
        <source>nothing (None)</source>
        <translation>空值（None）</translation>
    </message>
    <message>
        <source>Scores up to %1 can be computed here; there may be some of %2</source>
        <translation>这里能计算不超过 %1 的得分；可能有达到 %2 的得分</translation>
    </message>
    <message>
        <source>%1: was changed while it was open; open it again</source>
        <translation>%1：在打开期间被更改；请重新打开</translation>
    </message>
    <message>
        <source>%1: has more than %2 labels</source>
        <translation>%1：标签多于 %2 个</translation>
    </message>
    <message>
        <source>%1: label &apos;%2&apos; has %3 bytes; at most %4 may be read</source>
        <translation>%1：标签“%2”有 %3 字节；最多可读取 %4 字节</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected %4</source>
        <translation>%1：“%2”是 %3，应为 %4</translation>
    </message>
    <message>
        <source>%1: is %2, expected %3</source>
        <translation>%1：是 %2，应为 %3</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected a number, &quot;inf&quot; or &quot;-inf&quot;</source>
        <translation>%1：“%2”是 %3，应为数字、&quot;inf&quot; 或 &quot;-inf&quot;</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is missing in &apos;%3&apos;</source>
        <translation>%1：“%3”中缺少“%2”</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is unknown to this version, expected %3</source>
        <translation>%1：此版本不认识“%2”，应为 %3</translation>
    </message>
    <message>
        <source>%1: holds more than %2 values</source>
        <translation>%1：含有多于 %2 个值</translation>
    </message>
    <message>
        <source>%1: takes %2 bytes; at most %3 may be read</source>
        <translation>%1：需要 %2 字节；最多可读取 %3 字节</translation>
    </message>
    <message>
        <source>%1: its header takes %2 bytes; at most %3 may be read</source>
        <translation>%1：文件头有 %2 字节；最多可读取 %3 字节</translation>
    </message>
    <message>
        <source>%1: its members are declared with %2 bytes or more in an archive of %3</source>
        <translation>%1：各成员声明的大小合计不少于 %2 字节，而压缩包只有 %3 字节</translation>
    </message>
    <message>
        <source>%1: is damaged</source>
        <translation>%1：已损坏</translation>
    </message>
    <message>
        <source>%1: is gone, and %2 was in it</source>
        <translation>%1：已不存在，而 %2 在其中</translation>
    </message>
    <message>
        <source>%1: has changed since, and %2 was in it</source>
        <translation>%1：此后已被更改，而 %2 在其中</translation>
    </message>
    <message>
        <source>%1: &apos;view&apos; takes %2 bytes; at most %3 may be read</source>
        <translation>%1：“view”有 %2 字节；最多可读取 %3 字节</translation>
    </message>
    <message>
        <source>%1 labels cannot be saved; a workspace has room for %2 along an axis</source>
        <translation>无法保存 %1 个标签；工作区每个轴最多容纳 %2 个</translation>
    </message>
    <message>
        <source>labels of %1 bytes cannot be saved; a workspace has room for %2</source>
        <translation>无法保存共 %1 字节的标签；工作区最多容纳 %2 字节</translation>
    </message>
    <message>
        <source>draw: L %1 and S %2 are more than 2^24 scores</source>
        <translation>draw：L 为 %1、S 为 %2，得分多于 2^24 个</translation>
    </message>
    <message>
        <source>an expression has %1 characters; at most %2 may be read</source>
        <translation>表达式有 %1 个字符；最多可读取 %2 个</translation>
    </message>
    <message>
        <source>has more than %1 steps</source>
        <translation>步骤多于 %1 个</translation>
    </message>
    <message>
        <source>has %1 bytes; at most %2 may be read</source>
        <translation>有 %1 字节；最多可读取 %2 字节</translation>
    </message>
    <message>
        <source>Rows with every key blocked: %1 (first: %2). Adding %3 to a whole row changes its weights only by rounding: a large fill makes them uniform in float32, a larger one in float64</source>
        <translation>所有键都被屏蔽的行：%1 行（第一行：%2）。给整行加上 %3 只会因舍入而改变权重：较大的屏蔽值在 float32 中使权重变得均匀，再大些在 float64 中也是如此</translation>
    </message>
    <message>
        <source>Rows whose output is NaN or infinite, though their weights are numbers: %1 (first: %2)</source>
        <translation>权重是数而输出为 NaN 或无穷的行：%1 行（第一行：%2）</translation>
    </message>
    <message>
        <source>Rows that read no key: %1 (first: %2). Each key is blocked or has a score of -inf, so their weights and output are 0</source>
        <translation>不关注任何键的行：%1 行（第一行：%2）。每个键都被屏蔽或得分为 -inf，因此其权重和输出为 0</translation>
    </message>
    <message>
        <source>A device takes no query or key that is NaN or infinite</source>
        <translation>设备不接受含 NaN 或无穷的查询或键</translation>
    </message>
    <message>
        <source>There is not enough memory for this</source>
        <translation>内存不足，无法完成此操作</translation>
    </message>
    <message>
        <source>This failed: %1</source>
        <translation>操作失败：%1</translation>
    </message>
    <message>
        <source>%1: cannot be written</source>
        <translation>%1：无法写入</translation>
    </message>
    <message>
        <source>%1: may hold labels of tokens, expected arrays</source>
        <translation>%1：可能含有词元标签，应为数组</translation>
    </message>
    <message>
        <source>%1: is of type &apos;%2&apos;, expected text</source>
        <translation>%1：类型为“%2”，应为文本</translation>
    </message>
    <message>
        <source>%1: holds text of type &apos;%2&apos;; at most %3 characters each may be read</source>
        <translation>%1：含有类型“%2”的文本；每条最多可读 %3 个字符</translation>
    </message>
    <message>
        <source>%1: holds texts of shape %2, expected one axis: labels of one sequence</source>
        <translation>%1：含有形状 %2 的文本，应为一个轴：一个序列的标签</translation>
    </message>
    <message>
        <source>%1: has %2 bytes of text, expected %3 for shape %4 of type &apos;%5&apos;</source>
        <translation>%1：文本有 %2 字节，对于形状 %4、类型“%5”应为 %3</translation>
    </message>
    <message>
        <source>%1: is a workspace, as another of the files is; expected one</source>
        <translation>%1：是工作区，但另一个文件也是；只能有一个</translation>
    </message>
    <message>
        <source>%1 column labels are not read: labels of keys come as key_tokens</source>
        <translation>没有读取 %1 个列标签：键的标签应以 key_tokens 给出</translation>
    </message>
    <message>
        <source>layout: &apos;%1&apos; is not one of %2</source>
        <translation>layout：“%1”不是 %2 之一</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected the axes %3 as the layout says</source>
        <translation>%1：形状为 %2，按布局应有轴 %3</translation>
    </message>
    <message>
        <source>added to the scores: it holds other numbers than 0 and 1</source>
        <translation>加到得分上：它含有 0 和 1 以外的数</translation>
    </message>
    <message>
        <source>1 keeps a cell</source>
        <translation>1 表示保留单元格</translation>
    </message>
    <message>
        <source>turned round: 1 keeps a key, and key_padding_mask marks those that are padding</source>
        <translation>已取反：1 表示保留键，而 key_padding_mask 标记填充的键</translation>
    </message>
    <message>
        <source>the mask %1 is off</source>
        <translation>掩码 %1 已关闭</translation>
    </message>
    <message>
        <source>%1: is missing, expected an array (%2); the files hold %3</source>
        <translation>%1：缺失，应为数组（%2）；文件中有 %3</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 axes, as a projection is saved</source>
        <translation>%1：形状为 %2，按投影的保存方式应有 %3 个轴</translation>
    </message>
    <message>
        <source>layout: has %1, but a saved workspace says itself how its arrays lie</source>
        <translation>layout：为 %1，但保存的工作区自己说明了数组的排列</translation>
    </message>
    <message>
        <source>prefix: &apos;%1&apos; is not in the files, expected the beginning of a layer&apos;s names, one of %2</source>
        <translation>prefix：“%1”不在文件中，应为某一层名称的开头，即 %2 之一</translation>
    </message>
    <message>
        <source>left out as asked</source>
        <translation>按要求略去</translation>
    </message>
    <message>
        <source>belongs to one of several layers</source>
        <translation>属于若干层中的一层</translation>
    </message>
    <message>
        <source>belongs to another layer or part of the model</source>
        <translation>属于模型的另一层或另一部分</translation>
    </message>
    <message>
        <source>holds numbers, expected texts</source>
        <translation>含有数字，应为文本</translation>
    </message>
    <message>
        <source>read as %1</source>
        <translation>读作 %1</translation>
    </message>
    <message>
        <source>%1: is given twice, by %2 and by %3</source>
        <translation>%1：给出了两次，由 %2 和 %3</translation>
    </message>
    <message>
        <source>%1 is given under its own name too</source>
        <translation>%1 也以自己的名称给出</translation>
    </message>
    <message>
        <source>read as %1 with the axes %2</source>
        <translation>以轴 %2 读作 %1</translation>
    </message>
    <message>
        <source>%1 has three axes %2</source>
        <translation>%1 有三个轴 %2</translation>
    </message>
    <message>
        <source>%1 has more heads than tokens %2</source>
        <translation>%1 的头比词元多 %2</translation>
    </message>
    <message>
        <source>cannot be parted without num_heads</source>
        <translation>没有 num_heads 就无法拆分</translation>
    </message>
    <message>
        <source>read as %1, turned from (out, in)</source>
        <translation>读作 %1，由 (out, in) 转置</translation>
    </message>
    <message>
        <source>read as weights: its rows sum to 1</source>
        <translation>读作权重：它的各行之和为 1</translation>
    </message>
    <message>
        <source>the names do not say what these arrays are</source>
        <translation>名称没有说明这些数组是什么</translation>
    </message>
    <message>
        <source>has %1 labels, expected %2, one a token</source>
        <translation>有 %1 个标签，应为 %2 个，每个词元一个</translation>
    </message>
    <message>
        <source>w_k has fewer columns than w_q (%1 and %2): heads share keys and values, so the mechanism is grouped_query</source>
        <translation>w_k 的列比 w_q 少（%1 和 %2）：若干头共用键和值，因此机制是 grouped_query</translation>
    </message>
    <message>
        <source>The weights, a layer axis first where there are several layers</source>
        <translation>权重；有若干层时，层轴在最前</translation>
    </message>
    <message>
        <source>The weights are given as they are: nothing before them is known.</source>
        <translation>权重直接给出：之前的步骤未知。</translation>
    </message>
    <message>
        <source>Rows with a weight below 0: %1 of %2</source>
        <translation>含有负权重的行：%2 行中有 %1 行</translation>
    </message>
    <message>
        <source>Rows that do not sum to 1: %1 of %2 (the farthest sums to %3)</source>
        <translation>和不为 1 的行：%2 行中有 %1 行（偏离最远的和为 %3）</translation>
    </message>
    <message>
        <source>Rows of zeros: %1 of %2; a fully masked query reads nothing</source>
        <translation>全为零的行：%2 行中有 %1 行；被完全屏蔽的查询什么也不关注</translation>
    </message>
    <message>
        <source>as given</source>
        <translation>按原样</translation>
    </message>
    <message>
        <source>Given weights</source>
        <translation>给定权重</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>给定</translation>
    </message>
    <message>
        <source>Weights from elsewhere, such as a model&apos;s output_attentions: heads, rows, figures and exports of what was saved. Nothing is computed but their statistics.</source>
        <translation>来自别处的权重，例如模型的 output_attentions：可查看其中的各个头、各行和图，并导出。除统计量外不作任何计算。</translation>
    </message>
    <message>
        <source>Sort the heads by entropy: heads that look at one token come first, heads that look everywhere last. Rows that do not sum to 1 have lost weights to dropout or to a mask that was applied after the softmax.</source>
        <translation>把头按熵排序：只关注一个词元的头在前，关注所有词元的头在后。和不为 1 的行，是因为随机失活或 softmax 之后施加的掩码丢掉了一部分权重。</translation>
    </message>
    <message>
        <source>%1 is not used: %2</source>
        <translation>没有使用 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not in the files: random numbers stand in for it</source>
        <translation>文件中没有 %1：以随机数代替</translation>
    </message>
    <message>
        <source>%1: is %2, which %3 does not read, expected some of %4</source>
        <translation>%1：是 %2，而 %3 不读取它，应为 %4 中的一些</translation>
    </message>
    <message>
        <source>%1: lies in a file; filling %2 numbers of it takes %3 GB of memory, the limit is %4 GB</source>
        <translation>%1：位于文件中；填充其中 %2 个数需要 %3 GB 内存，上限为 %4 GB</translation>
    </message>
    <message>
        <source>The full width: w/2 keys on either side. The sliding window of n keys that language models have is causal with w = 2n - 2</source>
        <translation>总宽度：两侧各 w/2 个键。语言模型中 n 个键的滑动窗口即因果掩码加 w = 2n - 2</translation>
    </message>
    <message>
        <source>Figure: the colours go from %1 to %2; the first has to be the smaller one</source>
        <translation>图像：颜色从 %1 到 %2；前者必须较小</translation>
    </message>
    <message>
        <source>Figure: logarithmic colours cannot begin or end at %1, only above 0</source>
        <translation>图像：对数颜色的两端不能为 %1，只能大于 0</translation>
    </message>
    <message>
        <source>read as you chose for files with such arrays</source>
        <translation>按您以前为含有这类数组的文件所作的选择读取</translation>
    </message>
    <message>
        <source>Cells of padded keys that are read all the same: %1 of %2. The largest weight is %3, at %4. The fill %5 is finite; -inf hides a key whatever the scores are</source>
        <translation>填充键的单元格仍被关注：%2 个中的 %1 个。最大的权重是 %3，位于 %4。屏蔽值 %5 是有限数；无论得分如何，-inf 都能隐藏一个键</translation>
    </message>
    <message>
        <source>Blocked cells that are read all the same: %1 of %2. The largest weight is %3, at %4. The fill %5 is finite; -inf hides a cell whatever the scores are</source>
        <translation>被屏蔽的单元格仍被关注：%2 个中的 %1 个。最大的权重是 %3，位于 %4。屏蔽值 %5 是有限数；无论得分如何，-inf 都能隐藏一个单元格</translation>
    </message>
    <message>
        <source>Cells with a bias of -1000 or less that are read all the same: %1 of %2. The largest weight is %3, at %4. -inf hides a cell whatever the scores are</source>
        <translation>偏置不大于 -1000 的单元格仍被关注：%2 个中的 %1 个。最大的权重是 %3，位于 %4。无论得分如何，-inf 都能隐藏一个单元格</translation>
    </message>
    <message>
        <source>Rows in which every key that is open has a bias of -1000 or less: %1 (first: %2). They are read all the same, since the softmax cancels what a row has in common</source>
        <translation>未屏蔽的键的偏置全都不大于 -1000 的行：%1 行（第一行：%2）。这些键仍被关注，因为 softmax 会抵消一行共有的部分</translation>
    </message>
    <message>
        <source>The mask %1 blocks none of the %2 cells</source>
        <translation>掩码 %1 没有屏蔽任何单元格（共 %2 个）</translation>
    </message>
    <message>
        <source>%1 has %2 matrices, as many as there are heads, and batches: each is that of a head, for every batch. One for each batch has shape (%2, 1, L, S)</source>
        <translation>%1 有 %2 个矩阵，与头数相同，也与批次数相同：每个矩阵属于一个头，用于所有批次。每个批次一个矩阵时，形状为 (%2, 1, L, S)</translation>
    </message>
    <message>
        <source>attn_mask blocks the diagonal: each of the %1 queries may not read the key in its own place</source>
        <translation>attn_mask 屏蔽了对角线：%1 个查询都不能关注自身位置上的键</translation>
    </message>
    <message>
        <source>key_padding_mask marks the first keys of every row as padding, %1 of %2: right where the padding is on the left. In it True is padding; where 1 means keep, turn it round</source>
        <translation>key_padding_mask 把每一行开头的键标记为填充（%2 个中的 %1 个）：填充在左侧时这是对的。其中 True 表示填充；如果 1 表示保留，请把它反过来</translation>
    </message>
    <message>
        <source>attn_bias holds only 0: it adds nothing</source>
        <translation>attn_bias 只含 0：加上它等于没加</translation>
    </message>
    <message>
        <source>attn_bias holds only 0 and 1 (%1 of %2 are 1), which are added to the scores and block nothing. A mask of 0 and 1 is attn_mask</source>
        <translation>attn_bias 只含 0 和 1（%2 个中有 %1 个是 1），它们被加到得分上，不屏蔽任何单元格。由 0 和 1 组成的掩码应作为 attn_mask</translation>
    </message>
    <message>
        <source>attn_bias has one number for all keys of a query, which the softmax cancels: it changes no weight</source>
        <translation>attn_bias 对一个查询的所有键都是同一个数，softmax 会将其抵消：它不改变任何权重</translation>
    </message>
    <message>
        <source>The fill %1 is -inf in %2, the type of %3</source>
        <translation>屏蔽值 %1 在 %2（%3 的类型）中是 -inf</translation>
    </message>
    <message>
        <source>given − exact</source>
        <translation>给定 − 精确</translation>
    </message>
    <message>
        <source>heads are exchanged: %1</source>
        <translation>头的次序错了：%1</translation>
    </message>
    <message>
        <source>key and value heads are given to query heads in turn instead of group by group</source>
        <translation>键和值的头轮流分给查询头，而不是按组分配</translation>
    </message>
    <message>
        <source>the appended keys are ignored: %1</source>
        <translation>忽略了附加的键：%1</translation>
    </message>
    <message>
        <source>the softmax runs over the %1 instead of the keys</source>
        <translation>softmax 沿 %1 轴而不是沿键计算</translation>
    </message>
    <message>
        <source>heads and queries are exchanged in memory</source>
        <translation>头和查询在内存中的次序互换了</translation>
    </message>
    <message>
        <source>the matrices are transposed</source>
        <translation>矩阵被转置</translation>
    </message>
    <message>
        <source>layout: has &apos;%1&apos;, expected the axes of %2, which are %3 with shape %4, in any order; those of size 1 may be left out</source>
        <translation>布局：为“%1”，应为 %2 的各轴 %3（形状 %4），次序任意；大小为 1 的轴可以省略</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 = %4 for the stage %5, whose shape is %6</source>
        <translation>%1：形状为 %2，应为 %3 = %4，以对应阶段 %5（形状 %6）</translation>
    </message>
    <message>
        <source>%1: is not among the arrays to compare with: %2</source>
        <translation>%1：不在用来比较的数组之中：%2</translation>
    </message>
    <message>
        <source>which array shall be compared with the stage %1 of shape %2? There are: %3</source>
        <translation>用哪个数组与阶段 %1（形状 %2）比较？现有：%3</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 as the stage %4 has (axes of size 1 may be missing); in the layout %5 it would fit</source>
        <translation>%1：形状为 %2，应为阶段 %4 的 %3（大小为 1 的轴可以省略）；按布局 %5 则可对应</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 as the stage %4 has (axes of size 1 may be missing)</source>
        <translation>%1：形状为 %2，应为阶段 %4 的 %3（大小为 1 的轴可以省略）</translation>
    </message>
    <message>
        <source>the causal mask is aligned to the other corner</source>
        <translation>因果掩码对齐到了另一个角</translation>
    </message>
    <message>
        <source>the mask is off by one: shifted to the next key</source>
        <translation>掩码差了一格：移到了后一个键</translation>
    </message>
    <message>
        <source>the mask is off by one: shifted to the key before</source>
        <translation>掩码差了一格：移到了前一个键</translation>
    </message>
    <message>
        <source>the mask is turned round: blocked cells are kept and kept ones blocked</source>
        <translation>掩码含义相反：该屏蔽的保留，该保留的屏蔽</translation>
    </message>
    <message>
        <source>True in attn_mask is read the other way round</source>
        <translation>attn_mask 中 True 的含义读反了</translation>
    </message>
    <message>
        <source>the mask is transposed</source>
        <translation>掩码被转置</translation>
    </message>
    <message>
        <source>the mask %1 is ignored</source>
        <translation>忽略了掩码 %1</translation>
    </message>
    <message>
        <source>the width of the window is taken for its reach to either side</source>
        <translation>把窗口的全宽当成了单侧的宽度</translation>
    </message>
    <message>
        <source>blocked scores are set to 0 instead of −∞</source>
        <translation>被屏蔽的得分设成了 0 而不是 −∞</translation>
    </message>
    <message>
        <source>the mask is applied after the softmax</source>
        <translation>掩码在 softmax 之后才应用</translation>
    </message>
    <message>
        <source>known mistakes are not looked for: each would take %1 million products, expected at most %2</source>
        <translation>不查找已知错误：每个需要 %1 百万次乘法，最多允许 %2 百万次</translation>
    </message>
    <message>
        <source>known mistakes are looked for where there are the scores of an exact mechanism</source>
        <translation>只有在有精确机制的得分时才查找已知错误</translation>
    </message>
    <message>
        <source>queries, keys and values are rounded to %1</source>
        <translation>查询、键和值舍入为 %1</translation>
    </message>
    <message>
        <source>scores are rounded to %1 before the softmax</source>
        <translation>得分在 softmax 之前舍入为 %1</translation>
    </message>
    <message>
        <source>weights are rounded to %1 before they meet the values</source>
        <translation>权重在与值相乘之前舍入为 %1</translation>
    </message>
    <message>
        <source>the sums over values are kept in %1</source>
        <translation>对值的求和以 %1 保存</translation>
    </message>
    <message>
        <source>the scale is missing</source>
        <translation>缺少缩放</translation>
    </message>
    <message>
        <source>scores are multiplied by what they should be divided by</source>
        <translation>得分本应除以某数，却乘以了它</translation>
    </message>
    <message>
        <source>the scale is applied after the softmax</source>
        <translation>缩放在 softmax 之后才应用</translation>
    </message>
    <message>
        <source>the soft cap is ignored</source>
        <translation>忽略了软上限</translation>
    </message>
    <message>
        <source>queries and keys are not normalised</source>
        <translation>查询和键没有归一化</translation>
    </message>
    <message>
        <source>the position %1 is ignored</source>
        <translation>忽略了位置 %1</translation>
    </message>
    <message>
        <source>the lse is in base 2</source>
        <translation>lse 以 2 为底</translation>
    </message>
    <message>
        <source>the lse lacks the maximum of its row</source>
        <translation>lse 没有加上该行的最大值</translation>
    </message>
    <message>
        <source>Attention in tiles rounds nothing on the way; the problem asks for %1</source>
        <translation>分块注意力在计算途中不做舍入，而这里要求 %1</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected a text like &quot;bfloat16:scores&quot;</source>
        <translation>%1：“%2”为 %3，应为类似 &quot;bfloat16:scores&quot; 的文本</translation>
    </message>
    <message>
        <source>rounding: &apos;%1&apos; is not bfloat16 or float16, then nothing or one of :inputs, :scores, :weights, :all</source>
        <translation>舍入：“%1”不是 bfloat16 或 float16（其后可加 :inputs、:scores、:weights 或 :all）</translation>
    </message>
    <message>
        <source>Rounded to the nearest %1: %2. All else is in float64</source>
        <translation>舍入到最近的 %1：%2。其余均为 float64</translation>
    </message>
    <message>
        <source>Only what takes the exact pass, score by score, can imitate the numbers of a narrower type.</source>
        <translation>只有逐个得分精确计算的机制才能模拟较窄类型的数。</translation>
    </message>
    <message>
        <source>rounding: has %1, expected bfloat16 or float16</source>
        <translation>舍入：为 %1，应为 bfloat16 或 float16</translation>
    </message>
    <message>
        <source>%1: holds no arrays to compare with</source>
        <translation>%1：没有可比较的数组</translation>
    </message>
    <message>
        <source>%1 is a layer of T5, which does not divide its scores (scale none) and in its self-attention adds relative_attention_bias (position t5)</source>
        <translation>%1 是 T5 的层：其得分不作缩放（缩放选“不缩放”），自注意力中还要加上 relative_attention_bias（位置选 t5）</translation>
    </message>
    <message>
        <source>the position %1 is off</source>
        <translation>位置 %1 未启用</translation>
    </message>
    <message>
        <source>the scale %1 is off</source>
        <translation>缩放 %1 未启用</translation>
    </message>
    <message>
        <source>the layers of an nn.Transformer, without its tables src_embedding.weight, tgt_embedding.weight and generator.weight: each is read by itself</source>
        <translation>这是 nn.Transformer 的各层，没有 src_embedding.weight、tgt_embedding.weight 和 generator.weight 这些表：每一层单独读取</translation>
    </message>
    <message>
        <source>changes the weights of its layer in a way that no mechanism here has: they differ from the model&apos;s</source>
        <translation>它改变该层权重的方式是这里的任何机制都没有的：结果与模型的不同</translation>
    </message>
    <message>
        <source>num_heads is %1, as relative_attention_bias has it</source>
        <translation>num_heads 为 %1，取自 relative_attention_bias</translation>
    </message>
    <message>
        <source>attn_bias holds finite numbers that are -inf in %1, the type of %2: %3 of %4</source>
        <translation>attn_bias 含有在 %1（%2 的类型）中成为 -inf 的有限数：%4 个中的 %3 个</translation>
    </message>
    <message>
        <source>the files hold %1 lists of weights, of which a prefix chooses one: %2</source>
        <translation>文件中有 %1 组权重，由前缀选择其一：%2</translation>
    </message>
    <message>
        <source>the files hold %1 layers, of which a prefix chooses one: %2</source>
        <translation>文件中有 %1 层，由前缀选择其一：%2</translation>
    </message>
    <message>
        <source>read as the weights of layer %1</source>
        <translation>读作第 %1 层的权重（从 0 起）</translation>
    </message>
    <message>
        <source>query, key and value are read as what the layer projects (x, context and value_context); %1 reads them as projected already</source>
        <translation>query、key 和 value 读作该层要投影的输入（x、context 和 value_context）；%1 则读作已投影的</translation>
    </message>
    <message>
        <source>is what attention computes, not what it reads; %1 compares with it</source>
        <translation>是注意力算出的结果，而不是它的输入；%1 可与之比较</translation>
    </message>
    <message>
        <source>%1 %2 is read as query, key and value of one size; %3 says otherwise where heads share keys</source>
        <translation>%1 %2 读作大小相同的查询、键和值；若多个头共享键，请用 %3 说明</translation>
    </message>
    <message>
        <source>%1: True blocks a cell, as for nn.MultiheadAttention, unless %2 says that it keeps it, as for scaled_dot_product_attention</source>
        <translation>%1：True 表示屏蔽该单元格，与 nn.MultiheadAttention 相同；%2 则表示保留，与 scaled_dot_product_attention 相同</translation>
    </message>
    <message>
        <source>belongs to another list of weights: %1 reads it</source>
        <translation>属于另一组权重：%1 可读取它</translation>
    </message>
    <message>
        <source>attn_mask blocks exactly the cells that a causal mask keeps. Where True means keep, it is a causal mask (%1)</source>
        <translation>attn_mask 屏蔽的恰好是因果掩码所保留的单元格。若 True 表示保留，它就是因果掩码（%1）</translation>
    </message>
    <message>
        <source>attn_mask blocks exactly the cells that a causal mask keeps. Where True means block, it is a causal mask (%1)</source>
        <translation>attn_mask 屏蔽的恰好是因果掩码所保留的单元格。若 True 表示屏蔽，它就是因果掩码（%1）</translation>
    </message>
    <message>
        <source>keys n</source>
        <translation>键数 n</translation>
    </message>
    <message>
        <source>A query reads itself and the n - 1 keys before it, as sliding_window says in the configuration of Mistral and other models. It is causal with a window of w = 2n - 2</source>
        <translation>查询关注自身及其前面的 n - 1 个键，即 Mistral 等模型配置中的 sliding_window。它就是因果掩码加 w = 2n - 2 的窗口</translation>
    </message>
    <message>
        <source>%1: is %2, which does not divide the last axis of %3 %4, expected one of %5</source>
        <translation>%1：为 %2，不能整除 %3 %4 的最后一个轴，应为 %5 之一</translation>
    </message>
    <message>
        <source>%1 %2 is read as (B, L, H, E) with H = %3: last axis %4 = %3 x %5</source>
        <translation>%1 %2 读作 (B, L, H, E)，H = %3：最后一个轴 %4 = %3 x %5</translation>
    </message>
    <message>
        <source>%1 %2 is read as (B, L, E): %3 sequences, one head; %4 reads heads, %5 tokens first, %6 parts the last axis</source>
        <translation>%1 %2 读作 (B, L, E)：%3 个序列、一个头；%4 读作多头，%5 让词元轴在前，%6 切分最后一轴</translation>
    </message>
    <message>
        <source>%1 %2 is read as one head %3 wide; %4 parts its last axis into heads</source>
        <translation>%1 %2 读作一个 %3 维的头；%4 把最后一轴切分成多个头</translation>
    </message>
    <message>
        <source>added to the scores, as PyTorch adds masks of floating-point numbers</source>
        <translation>加到得分上，与 PyTorch 对浮点掩码的做法相同</translation>
    </message>
    <message>
        <source>1 keeps a cell: it has a row for each query</source>
        <translation>1 表示保留单元格：每个查询有一行</translation>
    </message>
    <message>
        <source>1 keeps a cell: those above the diagonal hold 0</source>
        <translation>1 表示保留单元格：对角线以上为 0</translation>
    </message>
    <message>
        <source>1 blocks a cell: those above the diagonal hold 1</source>
        <translation>1 表示屏蔽单元格：对角线以上为 1</translation>
    </message>
    <message>
        <source>masks the decoder&apos;s own tokens: the keys are those of the context</source>
        <translation>屏蔽的是解码器自己的词元：这里的键来自上下文</translation>
    </message>
    <message>
        <source>masks the keys of cross-attention, which has a context</source>
        <translation>屏蔽的是交叉注意力的键，而交叉注意力需要上下文</translation>
    </message>
    <message>
        <source>num_heads: is %1, expected %2, as the weights of the layer have it</source>
        <translation>num_heads：为 %1，应为 %2，与该层的权重一致</translation>
    </message>
    <message>
        <source>num_heads is %1, as w_q has a matrix for each</source>
        <translation>num_heads 为 %1，因为 w_q 每个头有一个矩阵</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected a matrix for each head, or one for all</source>
        <translation>%1：形状为 %2，应为每个头一个矩阵，或所有头共一个</translation>
    </message>
    <message>
        <source>%1 %2 is read as (in, out), what tokens are multiplied by from the right, and the other projections of its layer so too</source>
        <translation>%1 %2 读作 (in, out)，即词元右乘的矩阵，该层的其他投影也一样</translation>
    </message>
    <message>
        <source>is a part of what a model makes its causal mask of; %1 is that mask</source>
        <translation>是模型生成因果掩码所用的一部分；%1 就是那个掩码</translation>
    </message>
    <message>
        <source>read as %1, with 1 added: Gemma stores its gains without it</source>
        <translation>读作 %1，并加上 1：Gemma 存储的增益不含这个 1</translation>
    </message>
    <message>
        <source>labels are given twice; %1 takes these</source>
        <translation>标签给了两次；%1 采用这些</translation>
    </message>
    <message>
        <source>labels one of %1 sequences, and all are shown with the same labels; %2 takes these</source>
        <translation>标注 %1 个序列中的一个，而所有序列显示同样的标签；%2 采用这些</translation>
    </message>
    <message>
        <source>the nn.Transformer has no biases (bias=False): they count as 0</source>
        <translation>该 nn.Transformer 没有偏置（bias=False）：按 0 计</translation>
    </message>
    <message>
        <source>NPZ: NumPy arrays by name</source>
        <translation>NPZ：按名称存放的多个 NumPy 数组</translation>
    </message>
    <message>
        <source>NPY: one NumPy array</source>
        <translation>NPY：单个 NumPy 数组</translation>
    </message>
    <message>
        <source>Safetensors: tensors by name</source>
        <translation>Safetensors：按名称存放的张量</translation>
    </message>
    <message>
        <source>CSV: text, commas</source>
        <translation>CSV：文本，逗号分隔</translation>
    </message>
    <message>
        <source>TSV: text, tabs</source>
        <translation>TSV：文本，制表符分隔</translation>
    </message>
    <message>
        <source>PNG: pixels</source>
        <translation>PNG：像素图</translation>
    </message>
    <message>
        <source>SVG: vectors for the web and for editing</source>
        <translation>SVG：矢量图，适合网页和再编辑</translation>
    </message>
    <message>
        <source>PDF: vectors for papers</source>
        <translation>PDF：矢量图，适合论文</translation>
    </message>
    <message>
        <source>WebP: animated, every pixel exact</source>
        <translation>WebP：动画，每个像素都精确</translation>
    </message>
    <message>
        <source>GIF: animated, for slides; 256 colours a step</source>
        <translation>GIF：动画，适合幻灯片；每步 256 色</translation>
    </message>
    <message>
        <source>PDF: pages for a printer</source>
        <translation>PDF：供打印的页面</translation>
    </message>
    <message>
        <source>%1 is neither 0 nor 1; this tensor holds true and false</source>
        <translation>%1 既不是 0 也不是 1；该张量只存放真值（true 和 false）</translation>
    </message>
    <message>
        <source>There is nothing to paste</source>
        <translation>没有可粘贴的内容</translation>
    </message>
    <message>
        <source>Pasted %1 of %2 cells; “Paste as the whole tensor” takes the size of what is pasted</source>
        <translation>已粘贴 %2 个单元格中的 %1 个；“粘贴为整个张量”会采用所粘贴内容的大小</translation>
    </message>
    <message>
        <source>A sentence needs at least one word</source>
        <translation>句子至少要有一个词</translation>
    </message>
    <message>
        <source>A sentence can have up to %1 words; this one has %2</source>
        <translation>句子最多可有 %1 个词；这个有 %2 个</translation>
    </message>
    <message>
        <source>The keys are patches of a picture, not words</source>
        <translation>键是图像的图块，不是词</translation>
    </message>
    <message>
        <source>The sentence has more than %1 words</source>
        <translation>句子超过 %1 个词</translation>
    </message>
    <message>
        <source>This mechanism reads its words from arrays without a row for each word</source>
        <translation>此机制取词的数组并非每行一个词</translation>
    </message>
    <message>
        <source>%1 has numbers for each place of this sentence, which no other would fit</source>
        <translation>%1 中的数对应这个句子的各个位置，不适合别的句子</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一个词元</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>后一个词元</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>nearby tokens</source>
        <translation>邻近词元</translation>
    </message>
    <message>
        <source>one key</source>
        <translation>单个键</translation>
    </message>
    <message>
        <source>same token</source>
        <translation>相同词元</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>everywhere</source>
        <translation>均匀分散</translation>
    </message>
    <message>
        <source>then %1</source>
        <translation>其次 %1</translation>
    </message>
    <message>
        <source>then %1, %2</source>
        <translation>其次 %1、%2</translation>
    </message>
    <message>
        <source>then %1, %2, %3</source>
        <translation>其次 %1、%2、%3</translation>
    </message>
    <message>
        <source>%1 reads only %2: %3</source>
        <translation>%1 只关注 %2：%3</translation>
    </message>
    <message>
        <source>%1 reads only %2, with weight %3</source>
        <translation>%1 只关注 %2，权重为 %3</translation>
    </message>
    <message>
        <source>%1 reads alike the %2 keys that it may read: %3 each</source>
        <translation>%1 均等地关注可关注的 %2 个键：各 %3</translation>
    </message>
    <message>
        <source>%1 reads all %2 keys alike: %3 each</source>
        <translation>%1 均等地关注全部 %2 个键：各 %3</translation>
    </message>
    <message>
        <source>%1 reads %2 keys the most: %3 each</source>
        <translation>%1 关注最多的是 %2 个键：各 %3</translation>
    </message>
    <message>
        <source>%1 reads %2 and %3 the most: %4 each</source>
        <translation>%1 关注最多的是 %2 和 %3：各 %4</translation>
    </message>
    <message>
        <source>%1 reads mostly %2: %3</source>
        <translation>%1 主要关注 %2：%3</translation>
    </message>
    <message>
        <source>%1 reads %2 the most: %3</source>
        <translation>%1 关注最多的是 %2：%3</translation>
    </message>
    <message>
        <source>its weights sum to %1, not to 1</source>
        <translation>其权重之和为 %1，不是 1</translation>
    </message>
    <message>
        <source>blocked keys that it reads all the same: %1</source>
        <translation>被屏蔽却仍被关注的键：%1</translation>
    </message>
    <message>
        <source>largest %1, smallest %2</source>
        <translation>最大 %1，最小 %2</translation>
    </message>
    <message>
        <source>sum %1</source>
        <translation>和 %1</translation>
    </message>
    <message>
        <source>%1 reads nothing: every key is blocked</source>
        <translation>%1 什么也不关注：所有键都被屏蔽</translation>
    </message>
    <message>
        <source>%1 reads nothing: all its weights are 0</source>
        <translation>%1 什么也不关注：它的权重全为 0</translation>
    </message>
    <message>
        <source>The weights of %1 are not all finite numbers</source>
        <translation>%1 的权重并非都是有限数</translation>
    </message>
    <message>
        <source>The printer, or the file to print to, cannot be opened</source>
        <translation>无法打开打印机或要打印到的文件</translation>
    </message>
    <message>
        <source>Printing failed</source>
        <translation>打印失败</translation>
    </message>
    <message>
        <source>%1: cannot be mapped into memory: %2</source>
        <translation>%1：无法映射到内存：%2</translation>
    </message>
    <message>
        <source>%1: could not be read while it was open; open it again</source>
        <translation>%1：打开期间无法读取；请重新打开</translation>
    </message>
    <message>
        <source>%1 in %2 of %3 scenes that the reader can reach; %4: %5</source>
        <translation>%1：读者能到达的 %3 个场景中有 %2 个如此；%4：%5</translation>
    </message>
    <message>
        <source>&apos;stage&apos; cannot be live: card &apos;%1&apos; has a stage of its own</source>
        <translation>“stage”不能列入 live：卡片“%1”有自己的阶段</translation>
    </message>
    <message>
        <source>config.json: the width is %1, expected a multiple of the %2 heads</source>
        <translation>config.json：维度为 %1，应为头数 %2 的倍数</translation>
    </message>
    <message>
        <source>%1: &apos;general.architecture&apos; is &apos;%2&apos;; known are %3</source>
        <translation>%1：“general.architecture”为“%2”；已知的有 %3</translation>
    </message>
    <message>
        <source>%1: has no tensor &apos;%2&apos;</source>
        <translation>%1：没有张量“%2”</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected %4 as for keys</source>
        <translation>%1：“%2”为 %3，应为与键相同的 %4</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is &apos;%3&apos;, expected none, linear, yarn or longrope</source>
        <translation>%1：“%2”为“%3”，应为 none、linear、yarn 或 longrope</translation>
    </message>
    <message>
        <source>config.json: &apos;num_channels&apos; is %1; pictures have 3</source>
        <translation>config.json：num_channels 为 %1；图片有 3 个通道</translation>
    </message>
    <message>
        <source>%1: &apos;size&apos; is %2 x %3, expected %4 x %5 as the model&apos;s &apos;image_size&apos;</source>
        <translation>%1：size 为 %2 x %3，应与模型的 image_size %4 x %5 一致</translation>
    </message>
    <message>
        <source>a size, or a height and a width</source>
        <translation>一个尺寸，或高度和宽度</translation>
    </message>
    <message>
        <source>a size within the image</source>
        <translation>图像之内的尺寸</translation>
    </message>
    <message>
        <source>full_attention alone without a sliding_window in use</source>
        <translation>不使用 sliding_window 时只能是 full_attention</translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation>大于 0 的数</translation>
    </message>
    <message>
        <source>%1: has %2 at (%3,), expected an integer from 0 to %4</source>
        <translation>%1：(%3,) 处为 %2，应为 0 到 %4 的整数</translation>
    </message>
    <message>
        <source>%1: has no tokens, expected at least one</source>
        <translation>%1：没有词元，至少需要一个</translation>
    </message>
    <message>
        <source>This model reads an image, and none is given</source>
        <translation>该模型读取图像，但未给出图像</translation>
    </message>
    <message>
        <source>image: has shape %1, expected %2: channels, height, width</source>
        <translation>image：形状为 %1，应为 %2：通道、高、宽</translation>
    </message>
    <message>
        <source>There is no pass %1; the passes of this model are %2 to %3</source>
        <translation>没有注意力块 %1；该模型的注意力块为 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 has no head %2, expected a number from 0 to %3</source>
        <translation>%1 没有头 %2，应为 0 到 %3 的数</translation>
    </message>
    <message>
        <source>config.json: has no decoder_start_token_id, which a decoder begins with</source>
        <translation>config.json：缺少 decoder_start_token_id，解码器由它开始</translation>
    </message>
    <message>
        <source>%1: has %2 entries, expected one for each of the %3 tokens</source>
        <translation>%1：有 %2 项，%3 个词元应各有一项</translation>
    </message>
    <message>
        <source>config.json: %1 numbers of a head are rotary, expected an even number with yarn</source>
        <translation>config.json：每个头有 %1 个数旋转，yarn 要求偶数</translation>
    </message>
    <message>
        <source>a part of the head from two numbers to all</source>
        <translation>头的一部分，从两个数到全部</translation>
    </message>
    <message>
        <source>1 with this rope_type</source>
        <translation>在这种 rope_type 下为 1</translation>
    </message>
    <message>
        <source>config.json: heads have %1 numbers, expected an even number for rotary positions</source>
        <translation>config.json：每个头有 %1 个数，旋转位置要求偶数</translation>
    </message>
    <message>
        <source>no settings by kind of layer for this model_type</source>
        <translation>这种 model_type 没有按层的种类的设置</translation>
    </message>
    <message>
        <source>%1: has no tensor &apos;%2&apos;, expected one of shape %3</source>
        <translation>%1：没有张量“%2”，应有一个形状为 %3 的</translation>
    </message>
    <message>
        <source>%1: is of type &apos;%2&apos;, which is not read; convert it to Q8_0, or to Q4_K, Q5_K or Q6_K</source>
        <translation>%1：类型为“%2”，不支持读取；请转换为 Q8_0，或 Q4_K、Q5_K、Q6_K</translation>
    </message>
    <message>
        <source>%1: is one of %2 files of a model; join them with gguf-split of llama.cpp</source>
        <translation>%1：是一个模型的 %2 个文件之一；请用 llama.cpp 的 gguf-split 合并</translation>
    </message>
    <message>
        <source>%1: is cut short or damaged within its header: at byte %2 it announces %3 things of at least %4 bytes each</source>
        <translation>%1：文件头被截断或损坏：在第 %2 字节处声明了 %3 项，每项至少 %4 字节</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected an integer within 64 bits with a sign</source>
        <translation>%1：“%2”为 %3，应为 64 位有符号整数范围内的整数</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected 0 or 1 for a bool</source>
        <translation>%1：“%2”为 %3，布尔值应为 0 或 1</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; has arrays that are nested more than %3 deep</source>
        <translation>%1：“%2”中的数组嵌套超过 %3 层</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; has a value of type %3, which is not known</source>
        <translation>%1：“%2”的值类型为 %3，未知</translation>
    </message>
    <message>
        <source>%1: is in a format of ggml from before GGUF, which is not read; convert it with llama.cpp</source>
        <translation>%1：是 GGUF 之前的 ggml 格式，不支持读取；请用 llama.cpp 转换</translation>
    </message>
    <message>
        <source>%1: is in big-endian byte order, which is not read</source>
        <translation>%1：为大端字节序，不支持读取</translation>
    </message>
    <message>
        <source>%1: is version %2 of GGUF, expected 2 or 3</source>
        <translation>%1：是 GGUF 第 %2 版，应为 2 或 3</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected a power of two of at most %4</source>
        <translation>%1：“%2”为 %3，应为不超过 %4 的 2 的幂</translation>
    </message>
    <message>
        <source>%1: is of type %2 of ggml, which is not known</source>
        <translation>%1：是 ggml 的类型 %2，未知</translation>
    </message>
    <message>
        <source>%1: has rows of %2 numbers, expected a multiple of %3 for type &apos;%4&apos;</source>
        <translation>%1：每行有 %2 个数，类型“%4”要求为 %3 的倍数</translation>
    </message>
    <message>
        <source>%1: its data begin at byte %2, expected a multiple of the alignment %3</source>
        <translation>%1：数据从第 %2 字节开始，应为对齐值 %3 的倍数</translation>
    </message>
    <message>
        <source>%1: is there twice, expected one tensor of each name</source>
        <translation>%1：出现两次，每个名称应只有一个张量</translation>
    </message>
    <message>
        <source>%1: its %2 bytes begin at byte %3, but only %4 follow the header: the file is cut short</source>
        <translation>%1：其 %2 字节从第 %3 字节开始，但文件头之后只有 %4 字节：文件被截断</translation>
    </message>
    <message>
        <source>%1: its data begin at byte %2, expected at least %3: it overlaps another tensor</source>
        <translation>%1：数据从第 %2 字节开始，应至少从 %3 开始：与另一个张量重叠</translation>
    </message>
    <message>
        <source>%1: has no &apos;%2&apos;, expected %3</source>
        <translation>%1：没有“%2”，应为 %3</translation>
    </message>
    <message>
        <source>%1: holds elements of type &apos;%2&apos;, expected weights: floats of 16 to 64 bits</source>
        <translation>%1：元素类型为“%2”，应为权重：16 至 64 位浮点数</translation>
    </message>
    <message>
        <source>%1: names the file &apos;%2&apos;, which is not there</source>
        <translation>%1：指定了文件“%2”，但它不存在</translation>
    </message>
    <message>
        <source>%1: says that &apos;%2&apos; is in &apos;%3&apos;, where it is not</source>
        <translation>%1：声明“%2”在“%3”中，但其中没有</translation>
    </message>
    <message>
        <source>%1: has no weights, expected model.safetensors, pytorch_model.bin or an index of one of them</source>
        <translation>%1：没有权重，应有 model.safetensors、pytorch_model.bin 或其中之一的索引</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, expected a file in the same folder</source>
        <translation>%1：“%2”为 %3，应为同一文件夹中的文件</translation>
    </message>
    <message>
        <source>%1: names no tensor, expected the file of each in &apos;weight_map&apos;</source>
        <translation>%1：没有列出任何张量，“weight_map”应给出每个张量所在的文件</translation>
    </message>
    <message>
        <source>%1: is a NumPy array within a pickle, expected a tensor</source>
        <translation>%1：是 pickle 中的 NumPy 数组，应为张量</translation>
    </message>
    <message>
        <source>%1: is in the byte order of another machine; load it in PyTorch and save it again</source>
        <translation>%1：为另一种机器的字节序；请在 PyTorch 中加载后重新保存</translation>
    </message>
    <message>
        <source>the added token &apos;%1&apos; takes %2 bytes, at most %3 may be</source>
        <translation>附加词元“%1”有 %2 字节，最多允许 %3 字节</translation>
    </message>
    <message>
        <source>nothing is left of the added token &apos;%1&apos; once it is normalized</source>
        <translation>附加词元“%1”规范化后为空</translation>
    </message>
    <message>
        <source>the text is not in base 64</source>
        <translation>文本不是 Base64</translation>
    </message>
    <message>
        <source>the merge &apos;%1&apos; does not begin as the middle of a word: %2</source>
        <translation>合并“%1”没有以词中前缀 %2 开头</translation>
    </message>
    <message>
        <source>a merge needs the token &apos;%1&apos;, which is missing</source>
        <translation>某个合并需要词元“%1”，但它不存在</translation>
    </message>
    <message>
        <source>the vocabulary lacks &apos;%1&apos;, and its token for what it lacks, &apos;%2&apos;</source>
        <translation>词表中没有“%1”，也没有表示未知内容的词元“%2”</translation>
    </message>
    <message>
        <source>the table of characters is damaged</source>
        <translation>字符表已损坏</translation>
    </message>
    <message>
        <source>the pattern &apos;%1&apos; cannot be read near byte %2: %3</source>
        <translation>无法读取模式“%1”，在第 %2 字节附近：%3</translation>
    </message>
    <message>
        <source>there are %1 tokens, but %2 %3</source>
        <translation>词元有 %1 个，而 %3 有 %2 个</translation>
    </message>
    <message>
        <source>the tokens have no scores</source>
        <translation>词元没有得分</translation>
    </message>
    <message>
        <source>the score of a token is not a number</source>
        <translation>某个词元的得分不是数</translation>
    </message>
    <message>
        <source>the token &apos;%1&apos; is not UTF-8</source>
        <translation>词元“%1”不是 UTF-8</translation>
    </message>
    <message>
        <source>a special token has the id %1, and there are %2 tokens</source>
        <translation>某个特殊词元的编号是 %1，而词元共有 %2 个</translation>
    </message>
    <message>
        <source>the merge &apos;%1&apos; is not two tokens with a space between</source>
        <translation>合并“%1”不是以空格分隔的两个词元</translation>
    </message>
    <message>
        <source>%1: the vocabulary: %2</source>
        <translation>%1：词表：%2</translation>
    </message>
    <message>
        <source>the pattern &apos;%1&apos; takes too many steps on this text</source>
        <translation>模式“%1”在此文本上所需步数过多</translation>
    </message>
    <message>
        <source>the text takes %1 bytes; at most %2 may be tokenized</source>
        <translation>文本有 %1 字节；最多可对 %2 字节分词</translation>
    </message>
    <message>
        <source>the text is not UTF-8</source>
        <translation>文本不是 UTF-8</translation>
    </message>
    <message>
        <source>%1: the tokenizer &apos;%2&apos; needs a tokenizer.json</source>
        <translation>%1：分词器“%2”需要 tokenizer.json</translation>
    </message>
    <message>
        <source>%1: neither config.json nor tokenizer_config.json says which tokenizer this is</source>
        <translation>%1：config.json 和 tokenizer_config.json 都没有说明这是哪种分词器</translation>
    </message>
    <message>
        <source>%1:%2: expected two tokens with a space between</source>
        <translation>%1:%2：应为以空格分隔的两个词元</translation>
    </message>
    <message>
        <source>line %1 is not UTF-8</source>
        <translation>第 %1 行不是 UTF-8</translation>
    </message>
    <message>
        <source>the vocabulary lacks &apos;%1&apos;</source>
        <translation>词表中没有“%1”</translation>
    </message>
    <message>
        <source>%1: %2: &apos;%3&apos; is unknown</source>
        <translation>%1：%2：未知的“%3”</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, which is not the id that the token gets</source>
        <translation>%1：“%2”是 %3，与该词元得到的编号不符</translation>
    </message>
    <message>
        <source>the vocabulary lacks &apos;%1&apos;, and a token for what it lacks</source>
        <translation>词表中没有“%1”，也没有表示未知内容的词元</translation>
    </message>
    <message>
        <source>the token for unknown characters is %1, and there are %2</source>
        <translation>未知字符的词元编号是 %1，而词元共有 %2 个</translation>
    </message>
    <message>
        <source>the score of the token &apos;%1&apos; is %2</source>
        <translation>词元“%1”的得分是 %2</translation>
    </message>
    <message>
        <source>the token &apos;%1&apos; has the id %2, expected 0 to %3</source>
        <translation>词元“%1”的编号是 %2，应为 0 到 %3</translation>
    </message>
    <message>
        <source>the token &apos;%1&apos; is there twice</source>
        <translation>词元“%1”出现两次</translation>
    </message>
    <message>
        <source>the tokens &apos;%1&apos; and &apos;%2&apos; have the same id, %3</source>
        <translation>词元“%1”和“%2”的编号相同：%3</translation>
    </message>
    <message>
        <source>the model has no tokenizer beside it: has “%1”, expected token ids as 1, 2, 3</source>
        <translation>模型旁边没有分词器：得到“%1”，应为词元编号，如 1, 2, 3</translation>
    </message>
    <message>
        <source>%1: cannot be read as an image: %2</source>
        <translation>%1：不能作为图像读取：%2</translation>
    </message>
    <message>
        <source>There is no position %1, expected a number from 0 to %2</source>
        <translation>没有位置 %1，应为 0 到 %2 的数</translation>
    </message>
    <message>
        <source>%1: rollout needs self-attention, where queries and keys are the same tokens</source>
        <translation>%1：注意力展开需要自注意力，其查询和键是相同的词元</translation>
    </message>
    <message>
        <source>%1 tokens: rollout is computed for up to %2, since its time grows with their third power</source>
        <translation>%1 个词元：注意力展开最多计算 %2 个，因为所需时间随其三次方增长</translation>
    </message>
    <message>
        <source>there is no model &apos;%1&apos; with a tokenizer: no folder models/%1</source>
        <translation>没有带分词器的模型“%1”：找不到文件夹 models/%1</translation>
    </message>
    <message>
        <source>%1: %2 has the shape %3, expected %4</source>
        <translation>%1：%2 的形状为 %3，应为 %4</translation>
    </message>
    <message>
        <source>%1: the array %2 is missing</source>
        <translation>%1：缺少数组 %2</translation>
    </message>
    <message>
        <source>%1: %2 has the type %3, expected %4</source>
        <translation>%1：%2 的类型为 %3，应为 %4</translation>
    </message>
    <message>
        <source>%1: the tokens &apos;%2&apos; are missing</source>
        <translation>%1：缺少词元“%2”</translation>
    </message>
    <message>
        <source>%1: tokens &apos;%2&apos;: has %3 lists, expected %4, one for each sequence, or 1</source>
        <translation>%1：词元“%2”：有 %3 个列表，应为 %4 个（每个序列一个）或 1 个</translation>
    </message>
    <message>
        <source>%1: tokens &apos;%2&apos;: has %3 labels, expected %4</source>
        <translation>%1：词元“%2”：有 %3 个标签，应为 %4 个</translation>
    </message>
    <message>
        <source>%1: pass &apos;%2&apos;: has %3 heads and %4 key-value heads, expected a multiple</source>
        <translation>%1：注意力块“%2”：有 %3 个头和 %4 个键值头，前者应为后者的倍数</translation>
    </message>
    <message>
        <source>%1: is a capture, as another of the files is; expected one</source>
        <translation>%1：是捕获文件，其他文件中也有一个；应只有一个</translation>
    </message>
    <message>
        <source>pass: &apos;%1&apos; is not in %2, expected one of %3</source>
        <translation>pass：“%1”不在 %2 中，应为其中之一：%3</translation>
    </message>
    <message>
        <source>%1 holds %2 passes, of which --pass chooses one: %3</source>
        <translation>%1 含有 %2 个注意力块，用 --pass 选择其中一个：%3</translation>
    </message>
    <message>
        <source>layout: has %1, but a capture says itself how its arrays lie</source>
        <translation>layout：为 %1，但捕获文件自身已说明数组的排列</translation>
    </message>
    <message>
        <source>role: has %1, but a capture says itself what its arrays are</source>
        <translation>role：含有 %1，但捕获文件自身已说明各数组是什么</translation>
    </message>
    <message>
        <source>a capture has all of its arrays in its own file</source>
        <translation>捕获文件的所有数组都在它自己的文件中</translation>
    </message>
    <message>
        <source>belongs to another pass of the capture</source>
        <translation>属于捕获文件中的另一个注意力块</translation>
    </message>
    <message>
        <source>is computed anew from query and key</source>
        <translation>由查询和键重新计算</translation>
    </message>
    <message>
        <source>%1: cannot be listened at: %2</source>
        <translation>%1：无法监听：%2</translation>
    </message>
    <message>
        <source>%1: there is no such file</source>
        <translation>%1：没有这个文件</translation>
    </message>
    <message>
        <source>%1: may not be read</source>
        <translation>%1：不允许读取</translation>
    </message>
    <message>
        <source>message: &apos;paths&apos; has no file to show</source>
        <translation>消息：“paths”中没有要显示的文件</translation>
    </message>
    <message>
        <source>%1: cannot be made: %2</source>
        <translation>%1：无法创建：%2</translation>
    </message>
    <message>
        <source>%1: is not a folder of this user alone, expected one with mode 700</source>
        <translation>%1：不是仅属于该用户的文件夹，应为权限 700 的文件夹</translation>
    </message>
    <message>
        <source>%1 has no short code: it takes more than a few steps</source>
        <translation>%1 没有简短的代码：它的步骤太多</translation>
    </message>
    <message>
        <source>Rounding to %1 has no short code</source>
        <translation>舍入到 %1 没有简短的代码</translation>
    </message>
    <message>
        <source>Dropout has no short code: other libraries drop other weights</source>
        <translation>随机失活没有简短的代码：其他库丢弃的权重不同</translation>
    </message>
    <message>
        <source>Keys that are appended (bias_k, the zero key) have no short code</source>
        <translation>附加的键（bias_k、零键）没有简短的代码</translation>
    </message>
    <message>
        <source>%1 is empty: there is nothing to compute</source>
        <translation>%1 为空：没有可计算的内容</translation>
    </message>
    <message>
        <source>%1 has %2: short code needs finite numbers</source>
        <translation>%1 含有 %2：简短的代码需要有限数</translation>
    </message>
    <message>
        <source>language: &apos;%1&apos; is not one of %2</source>
        <translation>语言：“%1”不在可选项 %2 之中</translation>
    </message>
    <message>
        <source>Attention in tiles goes forward only; the problem asks for gradients</source>
        <translation>分块注意力只做前向计算，而这里要求梯度</translation>
    </message>
    <message>
        <source>%1: has no array &apos;%2&apos;, expected the bins of a part of a map</source>
        <translation>%1：没有数组“%2”，需要地图一部分的分箱</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; has shape %3, expected %4</source>
        <translation>%1：“%2”的形状为 %3，应为 %4</translation>
    </message>
    <message>
        <source>train: has %1 with query %2 and key %3, expected scaled_dot_product with as many queries as keys</source>
        <translation>train：现为 %1，query 为 %2，key 为 %3；应为查询与键个数相同的 scaled_dot_product</translation>
    </message>
    <message>
        <source>there is no lesson &apos;%1&apos;, expected one of %2</source>
        <translation>没有课程“%1”，应为以下之一：%2</translation>
    </message>
    <message>
        <source>lesson &apos;%1&apos; has no step &apos;%2&apos;, expected one of %3</source>
        <translation>课程“%1”没有步骤“%2”，应为以下之一：%3</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; has no option &apos;%2&apos;; it has: %3</source>
        <translation>步骤“%1”没有选项“%2”；它有：%3</translation>
    </message>
    <message>
        <source>nothing is trained in step &apos;%1&apos;</source>
        <translation>步骤“%1”中没有训练</translation>
    </message>
    <message>
        <source>has no title in &apos;%1&apos;</source>
        <translation>没有“%1”语言的标题</translation>
    </message>
    <message>
        <source>&apos;steps&apos; cannot be live: nothing is trained</source>
        <translation>“steps”不能列入 live：没有训练</translation>
    </message>
    <message>
        <source>&apos;loss&apos; cannot be shown: nothing is trained</source>
        <translation>“loss”不能显示：没有训练</translation>
    </message>
    <message>
        <source>rows of bins: %1 to %2 are asked for, expected a range within 0 to %3</source>
        <translation>分箱的行：请求 %1 到 %2，应在 0 到 %3 的范围内</translation>
    </message>
    <message>
        <source>%1 is a part of another map than %2: %3 differs</source>
        <translation>%1 与 %2 不属于同一张地图：%3 不同</translation>
    </message>
    <message>
        <source>%1 and %2 both have the rows %3</source>
        <translation>%1 和 %2 都有第 %3 行</translation>
    </message>
    <message>
        <source>No part has the rows %1</source>
        <translation>没有任何部分含第 %1 行</translation>
    </message>
    <message>
        <source>No parts of a map are given, expected at least one</source>
        <translation>没有给出地图的任何部分，至少需要一个</translation>
    </message>
    <message>
        <source>gradient of the output</source>
        <translation>输出的梯度</translation>
    </message>
    <message>
        <source>gradient of the values</source>
        <translation>值的梯度</translation>
    </message>
    <message>
        <source>gradient of the weights</source>
        <translation>权重的梯度</translation>
    </message>
    <message>
        <source>back through softmax</source>
        <translation>反向通过 softmax</translation>
    </message>
    <message>
        <source>back through mask and scale</source>
        <translation>反向通过掩码和缩放</translation>
    </message>
    <message>
        <source>gradient of the queries</source>
        <translation>查询的梯度</translation>
    </message>
    <message>
        <source>gradient of the keys</source>
        <translation>键的梯度</translation>
    </message>
    <message>
        <source>%1: gradients with the scale %2 are not possible, expected one that maps each score by itself</source>
        <translation>%1：缩放 %2 无法求梯度，应为逐个映射得分的缩放</translation>
    </message>
    <message>
        <source>%1: gradients with rounding are not possible: rounding has no slope</source>
        <translation>%1：舍入时无法求梯度：舍入没有斜率</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Adds the backward pass: the gradients of a loss with respect to weights, scores, queries, keys and values</source>
        <translation>加入反向传播：损失对权重、得分、查询、键和值的梯度</translation>
    </message>
    <message>
        <source>Gradient of the loss with respect to the output; without it the loss is the sum of the output</source>
        <translation>损失对输出的梯度；不给出时，损失就是输出之和</translation>
    </message>
    <message>
        <source>grad_output: has shape %1, expected that of the output, %2</source>
        <translation>grad_output：形状为 %1，应与输出的形状 %2 相同</translation>
    </message>
    <message>
        <source>The kernels of the CUDA device are being checked</source>
        <translation>正在检查 CUDA 设备的内核</translation>
    </message>
    <message>
        <source>The device %1 is slower than the processor</source>
        <translation>设备 %1 比处理器慢</translation>
    </message>
    <message>
        <source>%1 is checked: %2</source>
        <translation>正在检查 %1：%2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 kernels are trusted</source>
        <translation>%1：%3 个内核中有 %2 个可信</translation>
    </message>
    <message>
        <source>The check of a device&apos;s kernels could not begin: its process %1</source>
        <translation>无法开始检查设备的内核：检查进程 %1</translation>
    </message>
    <message>
        <source>The kernel %1 gave %2 = %3, and the cores %4</source>
        <translation>内核 %1 得出 %2 = %3，而处理器得出 %4</translation>
    </message>
    <message>
        <source>%1: is broken: a chunk does not fit it</source>
        <translation>%1：已损坏：其中一个数据块与文件不符</translation>
    </message>
    <message>
        <source>%1: has %2 bytes; of a picture at most %3 are read</source>
        <translation>%1：有 %2 字节；图片最多读取 %3 字节</translation>
    </message>
    <message>
        <source>%1: has settings that cannot be read: %2</source>
        <translation>%1：其中的设置无法读取：%2</translation>
    </message>
    <message>
        <source>arrows need a stage &apos;%1&apos;, and there is none</source>
        <translation>箭头需要阶段“%1”，而这里没有</translation>
    </message>
    <message>
        <source>arrows need rows of two numbers in one head of one batch, &apos;%1&apos; is %2</source>
        <translation>箭头需要单批单头、每行两个数的数组，而“%1”是 %2</translation>
    </message>
    <message>
        <source>arrows are drawn of at most %1 queries and %2 keys, there are %3 and %4</source>
        <translation>最多绘制 %1 个查询和 %2 个键的箭头，这里有 %3 个和 %4 个</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of a cache is %2, expected 1 to %3</source>
        <translation>缓存的“%1”为 %2，应为 1 到 %3</translation>
    </message>
    <message>
        <source>%1 groups do not divide %2 heads</source>
        <translation>%2 个头不能均分为 %1 组</translation>
    </message>
    <message>
        <source>numbers a token leaves in a layer</source>
        <translation>一个词元在一层中留下的数</translation>
    </message>
    <message>
        <source>cache of a token</source>
        <translation>一个词元的缓存</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>weights of the model</source>
        <translation>模型的参数</translation>
    </message>
    <message>
        <source>bytes read in a step</source>
        <translation>一步中读取的字节</translation>
    </message>
    <message>
        <source>operations of attention in a step</source>
        <translation>一步中注意力的运算次数</translation>
    </message>
    <message>
        <source>operations of a step</source>
        <translation>一步的运算次数</translation>
    </message>
    <message>
        <source>operations of attention for each byte of cache</source>
        <translation>缓存每字节对应的注意力运算</translation>
    </message>
    <message>
        <source>operations for each byte read</source>
        <translation>每读取一字节的运算</translation>
    </message>
    <message>
        <source>a cache has no cost &apos;%1&apos;</source>
        <translation>缓存没有“%1”这项开销</translation>
    </message>
    <message>
        <source>%1: has NaN, which a lesson cannot hold</source>
        <translation>%1：含有 NaN，课程无法保存</translation>
    </message>
    <message>
        <source>%1: has shape %2; a lesson holds arrays of one to four axes with something in them</source>
        <translation>%1：形状为 %2；课程只能保存一到四维的非空数组</translation>
    </message>
    <message>
        <source>inputs name no draw, sample, tensors, cache or model</source>
        <translation>inputs 中没有 draw、sample、tensors、cache 或 model</translation>
    </message>
    <message>
        <source>&apos;costs&apos; shows the costs of a cache, and the inputs are none</source>
        <translation>“costs”显示缓存的开销，而输入不是缓存</translation>
    </message>
    <message>
        <source>a cache is shown on the board &apos;costs&apos; alone</source>
        <translation>缓存只能显示在“costs”实验板上</translation>
    </message>
    <message>
        <source>&apos;costs&apos; is missing: what the board is to show</source>
        <translation>缺少“costs”：实验板要显示什么</translation>
    </message>
    <message>
        <source>%1: a capture says itself how its passes are computed, expected no workspace and no figure beside it</source>
        <translation>%1：捕获文件自身已说明各注意力块如何计算，旁边不应有工作区或图片</translation>
    </message>
    <message>
        <source>%1: has %2 heads; at most %3 are shown beside each other</source>
        <translation>%1：有 %2 个头；最多并排显示 %3 个</translation>
    </message>
    <message>
        <source>Computed in float32 instead of split numbers: %1</source>
        <translation>改用 float32 计算，没有拆分各数：%1</translation>
    </message>
    <message>
        <source>Computed in float32 from numbers rounded to bfloat16, which is not faster: %1</source>
        <translation>由舍入到 bfloat16 的数以 float32 计算，并不更快：%1</translation>
    </message>
    <message>
        <source>AMX is switched off by ATTNLAB_AMX=0</source>
        <translation>AMX 已由 ATTNLAB_AMX=0 关闭</translation>
    </message>
    <message>
        <source>this processor has no AMX</source>
        <translation>此处理器没有 AMX</translation>
    </message>
    <message>
        <source>the system does not permit AMX</source>
        <translation>系统不允许使用 AMX</translation>
    </message>
    <message>
        <source>the instruction set in use goes without AMX</source>
        <translation>当前使用的指令集不含 AMX</translation>
    </message>
    <message>
        <source>AMX gave wrong results in a check: %1</source>
        <translation>AMX 在检查中给出了错误的结果：%1</translation>
    </message>
    <message>
        <source>it is switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>%1: is a picture without settings of AttnLab, expected one that AttnLab has exported with its inputs, as it was written</source>
        <translation>%1：是不含 AttnLab 设置的图片，应为 AttnLab 连同输入一起导出且未经改动的图片</translation>
    </message>
    <message>
        <source>Cancelled: the map is incomplete</source>
        <translation>已取消：地图不完整</translation>
    </message>
    <message>
        <source>Rows of the output that belong to padding: %1 (first: %2). key_padding_mask hides only keys, so these rows are computed all the same: ignore them</source>
        <translation>属于填充的输出行：%1 行（第一行：%2）。key_padding_mask 只隐藏键，这些行仍会照常计算，请忽略它们</translation>
    </message>
    <message>
        <source>%1 holds values that are NaN or infinite: %2 (first at %3)</source>
        <translation>%1 含有 NaN 或无穷大的值：%2 个（第一个在 %3）</translation>
    </message>
    <message>
        <source>%1: holds a model (GGUF), which &apos;attnlab model&apos; opens; expected arrays: %2</source>
        <translation>%1：含有一个模型（GGUF），请用“attnlab model”打开；此处应为数组：%2</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 是 %2</translation>
    </message>
    <message>
        <source>no letters</source>
        <translation>没有字母</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 = %2 as in %3</source>
        <translation>%1 = %2（与 %3 一致）</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1，其中 %2</translation>
    </message>
    <message>
        <source>%1, or together with %2 %3</source>
        <translation>%1，或与 %2 一起时为 %3</translation>
    </message>
    <message>
        <source>%1, no size 0</source>
        <translation>%1，各维大小均不为 0</translation>
    </message>
    <message>
        <source>%1, where B, H and L may be 1</source>
        <translation>%1，其中 B、H 和 L 可以为 1</translation>
    </message>
    <message>
        <source>floats</source>
        <translation>浮点数</translation>
    </message>
    <message>
        <source>an integer from %1 to %2</source>
        <translation>%1 到 %2 的整数</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>有限数</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>一个名称</translation>
    </message>
    <message>
        <source>1: a newer version may mean something else</source>
        <translation>1：更新的版本可能另有含义</translation>
    </message>
    <message>
        <source>a list of labels for each sequence</source>
        <translation>每个序列一个标签列表</translation>
    </message>
    <message>
        <source>a name that no other pass has</source>
        <translation>与其他注意力块都不同的名称</translation>
    </message>
    <message>
        <source>at least one pass</source>
        <translation>至少一个注意力块</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>an integer from 1</source>
        <translation>不小于 1 的整数</translation>
    </message>
    <message>
        <source>an integer from 0</source>
        <translation>不小于 0 的整数</translation>
    </message>
    <message>
        <source>it was not run</source>
        <translation>它没有运行</translation>
    </message>
    <message>
        <source>one of answer, draw, stage, at</source>
        <translation>以下之一：answer、draw、stage、at</translation>
    </message>
    <message>
        <source>one step or more</source>
        <translation>一个或更多步骤</translation>
    </message>
    <message>
        <source>one to %1 settings</source>
        <translation>一到 %1 个设置</translation>
    </message>
    <message>
        <source>two options or more</source>
        <translation>两个或更多选项</translation>
    </message>
    <message>
        <source>one to %1 steps</source>
        <translation>一到 %1 个步骤</translation>
    </message>
    <message>
        <source>lists of numbers, all of one length</source>
        <translation>长度相同的数值列表</translation>
    </message>
    <message>
        <source>a list with something in it</source>
        <translation>非空的列表</translation>
    </message>
    <message>
        <source>lists of numbers, all of one length, at most four deep</source>
        <translation>长度相同的数值列表，最多嵌套四层</translation>
    </message>
    <message>
        <source>at most %1 tokens</source>
        <translation>最多 %1 个词元</translation>
    </message>
    <message>
        <source>letters, digits and _, no digit first, and none of E, L, S, inf, pi, and, or, not, within</source>
        <translation>由字母、数字和 _ 组成，不以数字开头，且不是 E、L、S、inf、pi、and、or、not、within</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>a word that is one token of the model</source>
        <translation>在模型中恰为一个词元的词</translation>
    </message>
    <message>
        <source>a number from 0 or &quot;mean&quot;</source>
        <translation>不小于 0 的数或 &quot;mean&quot;</translation>
    </message>
    <message>
        <source>one to %1 cards</source>
        <translation>一到 %1 张卡片</translation>
    </message>
    <message>
        <source>a divisor of %1</source>
        <translation>%1 的约数</translation>
    </message>
    <message>
        <source>false: this is not supported</source>
        <translation>false：不支持此项</translation>
    </message>
    <message>
        <source>at most the %1 experts</source>
        <translation>不超过专家数 %1</translation>
    </message>
    <message>
        <source>three numbers</source>
        <translation>三个数</translation>
    </message>
    <message>
        <source>a divisor of the %1 heads</source>
        <translation>头数 %1 的约数</translation>
    </message>
    <message>
        <source>a multiple of the %1 key-value heads that this model_type has by default</source>
        <translation>此 model_type 默认的键值头数 %1 的倍数</translation>
    </message>
    <message>
        <source>full_attention or sliding_attention for each layer, not %1</source>
        <translation>每层为 full_attention 或 sliding_attention，而不是 %1</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>%1 numbers</source>
        <translation>%1 个数</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 或更大</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>an array of %1</source>
        <translation>含 %1 项的数组</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>an array of text</source>
        <translation>文本数组</translation>
    </message>
    <message>
        <source>an array of integers</source>
        <translation>整数数组</translation>
    </message>
    <message>
        <source>an array of numbers</source>
        <translation>数字数组</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>no array</source>
        <translation>没有数组</translation>
    </message>
    <message>
        <source>two tokens</source>
        <translation>两个词元</translation>
    </message>
    <message>
        <source>two tokens with a space between</source>
        <translation>以空格分开的两个词元</translation>
    </message>
    <message>
        <source>null: with it tokens are drawn by chance</source>
        <translation>null：否则词元将随机抽取</translation>
    </message>
    <message>
        <source>a token and its score</source>
        <translation>一个词元及其得分</translation>
    </message>
    <message>
        <source>one character</source>
        <translation>一个字符</translation>
    </message>
    <message>
        <source>a token and its id</source>
        <translation>一个词元及其 id</translation>
    </message>
    <message>
        <source>a token type</source>
        <translation>词元类型</translation>
    </message>
    <message>
        <source>as many ids as tokens</source>
        <translation>与词元一样多的 id</translation>
    </message>
    <message>
        <source>never, as add_prefix_space is false</source>
        <translation>never，因为 add_prefix_space 为 false</translation>
    </message>
    <message>
        <source>Cancelled: there is no result</source>
        <translation>已取消：没有结果</translation>
    </message>
    <message>
        <source>%1: is not there any more; what it held last is on show</source>
        <translation>%1：已不存在；显示的是它最后的内容</translation>
    </message>
    <message>
        <source>query, scaled</source>
        <translation>查询乘以缩放系数</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>sums of value</source>
        <translation>值的和</translation>
    </message>
    <message>
        <source>Attention in tiles is computed in float32; values up to %1 may leave its range (%2)</source>
        <translation>分块注意力以 float32 计算；数值可达 %1，可能超出其范围（%2）</translation>
    </message>
    <message>
        <source>%1 %2 is read as (B, S, E), shared by all heads of %3 %4; broadcasting in PyTorch would read (H, S, E). With four axes, (B, H, S, E), it is clear</source>
        <translation>%1 %2 读作 (B, S, E)，由 %3 %4 的所有头共用；按 PyTorch 的广播则读作 (H, S, E)。给出全部四个轴 (B, H, S, E) 就不会有歧义</translation>
    </message>
    <message>
        <source>%1 %2 is read as %5, and %3 %4 as %6</source>
        <translation>%1 %2 读作 %5，%3 %4 读作 %6</translation>
    </message>
    <message>
        <source>the layout %1 changes nothing: no array has such axes</source>
        <translation>布局 %1 不起作用：没有数组具有这样的轴</translation>
    </message>
    <message>
        <source>0 keeps a key; -inf and numbers as low as %1 block it, as where PyTorch adds them</source>
        <translation>0 保留键；-inf 和不大于 %1 的数屏蔽键，与 PyTorch 相加的效果相同</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected a size that 3 divides (query, key, value), or %3 where heads share keys</source>
        <translation>%1：形状为 %2，应为能被 3 整除的大小（查询、键、值）；若多个头共用键，应给出 %3</translation>
    </message>
    <message>
        <source>expected query, key and value one after the other along the last of two or three axes, (B, L, %1)</source>
        <translation>应为两轴或三轴的数组，查询、键、值沿最后一轴依次排列：(B, L, %1)</translation>
    </message>
    <message>
        <source>read as %1, one after the other along its last axis</source>
        <translation>读作 %1，沿最后一轴依次排列</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected only True and False</source>
        <translation>%1：在 %3 处为 %2，应只含 True 和 False</translation>
    </message>
    <message>
        <source>%1 in each of %2 sequences</source>
        <translation>%2 个序列各有 %1</translation>
    </message>
    <message>
        <source>%1 over %2 sequences</source>
        <translation>%2 个序列共 %1</translation>
    </message>
    <message>
        <source>%1 over %2 heads</source>
        <translation>%2 个头共 %1</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 as the stage %4 has (axes of size 1 may be missing); it would fit in the layouts %5</source>
        <translation>%1：形状为 %2，应为阶段 %4 的 %3（大小为 1 的轴可以省略）；按布局 %5 均可对应</translation>
    </message>
    <message>
        <source>the array lies in the layout %1 and is read in the layout %2</source>
        <translation>数组按布局 %1 存放，却按布局 %2 读取</translation>
    </message>
    <message>
        <source>%1 outputs are below the range of float32, 1.2e-38: they are rounded to multiples of 1.4e-45, or to 0</source>
        <translation>有 %1 个输出低于 float32 的正常范围（1.2e-38）：它们被舍入为 1.4e-45 的整数倍，或舍入为 0</translation>
    </message>
    <message>
        <source>%1 was %2 times as fast as vectors in a measurement, expected at least %3</source>
        <translation>实测中 %1 的速度是向量指令的 %2 倍，至少要达到 %3 倍才会使用</translation>
    </message>
    <message>
        <source>the speed of AMX is unknown: measuring it took too long</source>
        <translation>AMX 的速度未知：测量耗时过长</translation>
    </message>
    <message>
        <source>the speed of AMX is unknown: the clock returned no times</source>
        <translation>AMX 的速度未知：时钟没有返回有效的时间</translation>
    </message>
    <message>
        <source>the speed of AMX is unknown: the measured times vary too much</source>
        <translation>AMX 的速度未知：测得的时间波动过大</translation>
    </message>
    <message>
        <source>the speed of AMX is unknown: %1</source>
        <translation>AMX 的速度未知：%1</translation>
    </message>
    <message>
        <source>%1: takes %2 bytes in memory, 8 for a number; at most %3 more may be read. Large arrays of floats can stay in a file that is not compressed (numpy.savez)</source>
        <translation>%1：在内存中占 %2 字节（每个数 8 字节），最多还能读取 %3 字节。大的浮点数组若存在未压缩的文件中（numpy.savez），可以留在文件里</translation>
    </message>
    <message>
        <source>%1: the name &apos;%2&apos; has %3 bytes; at most %4 may be read</source>
        <translation>%1：名称“%2”有 %3 字节，最多允许 %4 字节</translation>
    </message>
    <message>
        <source>says again what another setting decides</source>
        <translation>重复了另一项设置的内容</translation>
    </message>
    <message>
        <source>a number above 0, or null</source>
        <translation>大于 0 的数或 null</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; has another number for each block, %3 and so on; blocks that differ are not supported</source>
        <translation>%1：“%2”在各块中数值不同（%3 等）；不支持彼此不同的块</translation>
    </message>
    <message>
        <source>%1: has no tensor &apos;%2&apos;, which longrope needs</source>
        <translation>%1：缺少 longrope 所需的张量“%2”</translation>
    </message>
    <message>
        <source>%1: heads, heads of keys and their width are %2, %3 and %4, expected numbers above 0</source>
        <translation>%1：头数、键的头数和每头维度为 %2、%3 和 %4，应为大于 0 的数</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not a finite number</source>
        <translation>%1：“%2”不是有限数</translation>
    </message>
    <message>
        <source>%1: has shape %2, expected %3 rows: those of queries, keys and values</source>
        <translation>%1：形状为 %2，应有 %3 行：查询、键和值的行</translation>
    </message>
    <message>
        <source>counts in training alone</source>
        <translation>只在训练时起作用</translation>
    </message>
    <message>
        <source>is about generating text</source>
        <translation>只与文本生成有关</translation>
    </message>
    <message>
        <source>says what a run returns, not what it computes</source>
        <translation>只决定返回哪些结果，不影响计算</translation>
    </message>
    <message>
        <source>describes the file</source>
        <translation>只是对文件的说明</translation>
    </message>
    <message>
        <source>chooses the code that computes attention, not its result</source>
        <translation>只选择计算注意力所用的代码，不影响结果</translation>
    </message>
    <message>
        <source>is about tokens, which the tokenizer makes</source>
        <translation>只与词元有关，词元由分词器产生</translation>
    </message>
    <message>
        <source>the files say how numbers are stored</source>
        <translation>数值的存储类型以文件为准</translation>
    </message>
    <message>
        <source>belongs to a head for another task</source>
        <translation>属于其他任务的输出头</translation>
    </message>
    <message>
        <source>older versions wrote it, and the model does not use it</source>
        <translation>由旧版本写入，模型并不使用</translation>
    </message>
    <message>
        <source>the longest text in training; longer ones are computed alike</source>
        <translation>训练时的最大长度；更长的文本以同样方式计算</translation>
    </message>
    <message>
        <source>says what models of this type always do</source>
        <translation>此类模型本来就如此</translation>
    </message>
    <message>
        <source>names code beside the model, which is not run; the model is computed as its model_type says</source>
        <translation>指向模型附带的代码；这些代码不会运行，模型按 model_type 计算</translation>
    </message>
    <message>
        <source>weights are read as the files store them</source>
        <translation>权重按文件中存储的形式读取</translation>
    </message>
    <message>
        <source>a constant that the settings give</source>
        <translation>可由设置算出的常量</translation>
    </message>
    <message>
        <source>a copy of a tensor that is read</source>
        <translation>已读取张量的副本</translation>
    </message>
    <message>
        <source>pools hidden states behind the last layer</source>
        <translation>在最后一层之后汇聚隐藏状态</translation>
    </message>
    <message>
        <source>changes the order and the rounding of operations alone</source>
        <translation>只改变运算的顺序和舍入</translation>
    </message>
    <message>
        <source>counts where there is a head for tokens</source>
        <translation>仅在有词元输出头时起作用</translation>
    </message>
    <message>
        <source>has no effect with this rope_type</source>
        <translation>在这种 rope_type 下不起作用</translation>
    </message>
    <message>
        <source>other programs use it for texts longer than its chunks; here it has no effect</source>
        <translation>其他程序用它处理比分块更长的文本；这里不起作用</translation>
    </message>
    <message>
        <source>the table of positions is in the files</source>
        <translation>位置表已在文件中</translation>
    </message>
    <message>
        <source>the model has an encoder alone</source>
        <translation>此模型只有编码器</translation>
    </message>
    <message>
        <source>the model has no experts</source>
        <translation>此模型没有专家</translation>
    </message>
    <message>
        <source>use_sliding_window is not true</source>
        <translation>use_sliding_window 不为 true</translation>
    </message>
    <message>
        <source>config.json has %1, which counts</source>
        <translation>config.json 中为 %1，以其为准</translation>
    </message>
    <message>
        <source>an adapter beside the model is not applied</source>
        <translation>不应用模型旁边的适配器</translation>
    </message>
    <message>
        <source>the rotary settings have their own, which counts</source>
        <translation>旋转位置的设置中另有此项，以其为准</translation>
    </message>
    <message>
        <source>rope_scaling, which is there too, counts</source>
        <translation>同时存在 rope_scaling，以其为准</translation>
    </message>
    <message>
        <source>none beside rope_parameters of the same layers</source>
        <translation>同一类层已有 rope_parameters 时不应再有此项</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 项</translation>
    </message>
    <message>
        <source>says that there is none of it</source>
        <translation>表示没有此项</translation>
    </message>
    <message>
        <source>%1: has %2, which is not supported for models of type %3; without it attention would be that of another model</source>
        <translation>%1：含有 %2，%3 类模型不支持它；忽略它，算出的就是另一个模型的注意力</translation>
    </message>
    <message>
        <source>%1: has tensors that models of type %2 do not use: %3; without them this would be another model</source>
        <translation>%1：含有 %2 类模型不使用的张量：%3；忽略它们，算出的就是另一个模型</translation>
    </message>
    <message>
        <source>the added tokens take more than %1 bytes</source>
        <translation>添加的词元共超过 %1 字节</translation>
    </message>
    <message>
        <source>the text would be split into %1 parts, at most %2 are allowed</source>
        <translation>文本会被切成 %1 段，最多允许 %2 段</translation>
    </message>
    <message>
        <source>the text would take %1 bytes, at most %2 are allowed</source>
        <translation>文本会占 %1 字节，最多允许 %2 字节</translation>
    </message>
    <message>
        <source>the text would be divided into more than %1 matches and parts between them</source>
        <translation>文本会被分成超过 %1 处匹配及其间的片段</translation>
    </message>
    <message>
        <source>a word would begin as %1 symbols, at most %2 are allowed</source>
        <translation>一个单词起初会有 %1 个符号，最多允许 %2 个</translation>
    </message>
    <message>
        <source>there would be %1 tokens, at most %2 are allowed</source>
        <translation>会产生 %1 个词元，最多允许 %2 个</translation>
    </message>
    <message>
        <source>the spellings of the tokens would take %1 bytes, at most %2 are allowed</source>
        <translation>所有词元的拼写会占 %1 字节，最多允许 %2 字节</translation>
    </message>
    <message>
        <source>the tokens need more than %1 nodes of a tree</source>
        <translation>词元需要超过 %1 个树节点</translation>
    </message>
    <message>
        <source>a pattern is not UTF-8</source>
        <translation>模式不是 UTF-8</translation>
    </message>
    <message>
        <source>the pattern &apos;%1&apos; takes %2 bytes, at most %3 are allowed</source>
        <translation>模式“%1”有 %2 字节，最多允许 %3 字节</translation>
    </message>
    <message>
        <source>a template follows another</source>
        <translation>一个模板后面又跟着另一个模板</translation>
    </message>
    <message>
        <source>%1: %2: has %3 parts, at most %4 are allowed</source>
        <translation>%1：%2：有 %3 个部分，最多允许 %4 个</translation>
    </message>
    <message>
        <source>The map could not be computed: %1</source>
        <translation>无法计算此地图：%1</translation>
    </message>
    <message>
        <source>an unknown error</source>
        <translation>未知错误</translation>
    </message>
    <message>
        <source>There is not enough memory to check the CUDA device</source>
        <translation>内存不足，无法检查 CUDA 设备</translation>
    </message>
    <message>
        <source>The CUDA device could not be checked: %1</source>
        <translation>无法检查 CUDA 设备：%1</translation>
    </message>
    <message>
        <source>the window is off by one: it reaches one key farther</source>
        <translation>窗口差了一格：多关注了一个键</translation>
    </message>
    <message>
        <source>the window is off by one: it reaches one key less far</source>
        <translation>窗口差了一格：少关注了一个键</translation>
    </message>
    <message>
        <source>rows without a key read all keys equally, as with a large negative number instead of −∞</source>
        <translation>没有可关注键的行平均地关注了所有键，这是用很大的负数代替 −∞ 的结果</translation>
    </message>
    <message>
        <source>%1 NaN in rows that may read no key: the softmax of −∞ alone is −∞ − (−∞), or 0/0</source>
        <translation>%1 个 NaN 位于没有可关注键的行：全是 −∞ 的 softmax 即 −∞ − (−∞)，或 0/0</translation>
    </message>
    <message>
        <source>%1 NaN where values are NaN or infinite: a weight of 0 times such a value is NaN</source>
        <translation>%1 个 NaN 对应的值本身是 NaN 或无穷大：权重 0 乘以这样的值得 NaN</translation>
    </message>
    <message>
        <source>%1 NaN where scores before the scale are beyond the range of %2: they become ∞, and ∞ − ∞ is NaN</source>
        <translation>%1 个 NaN 所在的得分在缩放之前就超出 %2 的范围：它们变成 ∞，而 ∞ − ∞ 是 NaN</translation>
    </message>
    <message>
        <source>%1 NaN where the exponentials of scores are beyond the range of %2, unless the maximum of the row is subtracted: ∞/∞ is NaN</source>
        <translation>%1 个 NaN 所在的得分若不先减去该行最大值，其指数会超出 %2 的范围：∞/∞ 是 NaN</translation>
    </message>
    <message>
        <source>%1 NaN without a known cause: no row without a key, no input that is not finite and no overflow of %2 explains them</source>
        <translation>%1 个 NaN 原因不明：没有可关注键的行、非有限的输入、%2 的溢出都解释不了</translation>
    </message>
    <message>
        <source>the first query stands at the wrong position: at %1</source>
        <translation>首个查询的位置错了：放在了 %1</translation>
    </message>
    <message>
        <source>positions are off by one: the first query stands at %1</source>
        <translation>位置差了一格：首个查询放在了 %1</translation>
    </message>
    <message>
        <source>features turn in the other pairs: %1</source>
        <translation>旋转时特征的配对方式错了：用了 %1</translation>
    </message>
    <message>
        <source>the angles have another base: %1</source>
        <translation>旋转角度用了另一个底数：%1</translation>
    </message>
    <message>
        <source>the sign of the distance is wrong</source>
        <translation>距离的符号反了</translation>
    </message>
    <message>
        <source>only the %1 are turned by their positions</source>
        <translation>只有%1按位置旋转</translation>
    </message>
    <message>
        <source>ALiBi has the wrong slopes: %1</source>
        <translation>ALiBi 的斜率错了：用了 %1</translation>
    </message>
    <message>
        <source>the sign of ALiBi is wrong: far keys are raised</source>
        <translation>ALiBi 的符号反了：远处的键反而被抬高</translation>
    </message>
    <message>
        <source>ALiBi takes the distance with its sign: keys after the query are raised</source>
        <translation>ALiBi 用了带符号的距离：查询之后的键被抬高</translation>
    </message>
    <message>
        <source>the position bias is added before the scale</source>
        <translation>位置偏置在缩放之前就加上了</translation>
    </message>
    <message>
        <source>the soft cap is applied after masks and biases, so that blocked scores become −c</source>
        <translation>软上限用在了掩码和偏置之后，被屏蔽的得分因此变成 −c</translation>
    </message>
    <message>
        <source>the soft cap is applied before the scale</source>
        <translation>软上限用在了缩放之前</translation>
    </message>
    <message>
        <source>the scale is that of all heads together: 1/√(H d_k)</source>
        <translation>缩放用了所有头的总维度：1/√(H d_k)</translation>
    </message>
    <message>
        <source>the lse is multiplied by ln 2</source>
        <translation>lse 多乘了 ln 2</translation>
    </message>
    <message>
        <source>the sign of the lse is wrong</source>
        <translation>lse 的符号反了</translation>
    </message>
    <message>
        <source>the lse is the maximum of its row alone</source>
        <translation>lse 只是该行的最大值</translation>
    </message>
    <message>
        <source>the lse of rows without a key is +∞ instead of −∞</source>
        <translation>没有可关注键的行，lse 是 +∞ 而不是 −∞</translation>
    </message>
    <message>
        <source>the sink is ignored</source>
        <translation>忽略了汇点（sink）</translation>
    </message>
    <message>
        <source>the lse lacks the sink</source>
        <translation>lse 里少了汇点（sink）</translation>
    </message>
    <message>
        <source>the sink is scaled like a score</source>
        <translation>汇点（sink）像得分一样被缩放了</translation>
    </message>
    <message>
        <source>the sink itself is added to the sum of the softmax instead of its exponential</source>
        <translation>softmax 的分母里加的是汇点（sink）本身，而不是它的指数</translation>
    </message>
    <message>
        <source>the maximum of the row is subtracted from the scores but not the sink</source>
        <translation>得分减去了该行的最大值，汇点（sink）却没有减</translation>
    </message>
    <message>
        <source>the sink counts twice</source>
        <translation>汇点（sink）被算了两次</translation>
    </message>
    <message>
        <source>heads have the sinks of other heads</source>
        <translation>各头用了别的头的汇点（sink）</translation>
    </message>
    <message>
        <source>1 is added to the sum of the softmax, like a sink</source>
        <translation>softmax 的分母多加了 1，像是多了一个汇点（sink）</translation>
    </message>
    <message>
        <source>the mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>the causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>the window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>the padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>the documents packed into one sequence</source>
        <translation>打包在同一序列中的多个文档</translation>
    </message>
    <message>
        <source>the soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>the sinks</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>numbers that are not finite</source>
        <translation>非有限数值</translation>
    </message>
    <message>
        <source>%1: the attention function ignored: %2. The pass is recorded as computed</source>
        <translation>%1：注意力函数忽略了：%2。此处记录的是实际计算的结果</translation>
    </message>
    <message>
        <source>%1: the record differs from what the attention function returned, by %2% of its largest number</source>
        <translation>%1：记录与注意力函数的返回结果不一致，差值为其最大数值的 %2%</translation>
    </message>
    <message>
        <source>%1: the record differs from what the attention function returned, by %2% of its largest number. Likely reason: %3</source>
        <translation>%1：记录与注意力函数的返回结果不一致，差值为其最大数值的 %2%。可能的原因：%3</translation>
    </message>
    <message>
        <source>a reason that the format knows, once</source>
        <translation>格式所支持的原因，且不得重复</translation>
    </message>
    <message>
        <source>read as the weights of layer %1 in step %2</source>
        <translation>读作第 %2 步中第 %1 层的权重</translation>
    </message>
    <message>
        <source>the weights are those of %1 steps of generate(): first the rows of the prompt (%2), then one row for each generated token. Keys that come later have weight 0</source>
        <translation>这些权重来自 generate() 的 %1 步：先是提示词的各行（%2 行），之后每生成一个词元一行。更靠后的键权重为 0</translation>
    </message>
    <message>
        <source>handles more than %1 numbers, too many for a text</source>
        <translation>要处理的数超过 %1 个，对一段文字来说太多了</translation>
    </message>
    <message>
        <source>the text before the first step %1</source>
        <translation>第一步之前的文字%1</translation>
    </message>
    <message>
        <source>step &apos;%1&apos; %2</source>
        <translation>步骤“%1”%2</translation>
    </message>
    <message>
        <source>has a title of %1 characters; at most %2 may be read</source>
        <translation>的标题有 %1 个字符，最多可以有 %2 个</translation>
    </message>
    <message>
        <source>the summary has %1 characters; at most %2 may be read</source>
        <translation>简介有 %1 个字符，最多可以有 %2 个</translation>
    </message>
    <message>
        <source>is %1 numbers, too many for a text</source>
        <translation>共有 %1 个数，对一段文字来说太多了</translation>
    </message>
    <message>
        <source>is written with %1 characters; at most %2 may stand in a text</source>
        <translation>写出来有 %1 个字符，文字中最多可以有 %2 个</translation>
    </message>
    <message>
        <source>the numbers of a text may have %1 characters together</source>
        <translation>一段文字中的数合计最多 %1 个字符</translation>
    </message>
    <message>
        <source>at most %1 options</source>
        <translation>最多 %1 个选项</translation>
    </message>
    <message>
        <source>has %1 characters; at most %2 may be in a step</source>
        <translation>有 %1 个字符，一步最多可以有 %2 个</translation>
    </message>
    <message>
        <source>has %1 lines and list items; at most %2 may be in a step</source>
        <translation>的行和列表项共有 %1 个，一步最多可以有 %2 个</translation>
    </message>
    <message>
        <source>has %1 characters without an empty line; at most %2 may stand together</source>
        <translation>有 %1 个字符之间没有空行，连续最多可以有 %2 个</translation>
    </message>
    <message>
        <source>has %1 characters without a space; at most %2 may stand together</source>
        <translation>有 %1 个字符之间没有空格，连续最多可以有 %2 个</translation>
    </message>
    <message>
        <source>has lists and quotes of %1 levels; at most %2 may be nested</source>
        <translation>的列表和引用嵌套了 %1 层，最多可以嵌套 %2 层</translation>
    </message>
    <message>
        <source>has a control character with the code %1, expected text</source>
        <translation>含有编码为 %1 的控制字符，这里应当是文字</translation>
    </message>
    <message>
        <source>shapes %1 and %2 make more than %3 numbers</source>
        <translation>形状 %1 与 %2 合起来超过 %3 个数</translation>
    </message>
    <message>
        <source>the query offset is left out: the first query is at position 0</source>
        <translation>没有使用查询偏移：首个查询位于位置 0</translation>
    </message>
    <message>
        <source>%1: holds more than %2 members</source>
        <translation>%1：成员超过 %2 个</translation>
    </message>
    <message>
        <source>is about conversations</source>
        <translation>用于对话</translation>
    </message>
    <message>
        <source>counts where a program cuts or fills up texts</source>
        <translation>仅在程序截断或填充文本时有效</translation>
    </message>
    <message>
        <source>is about text made of tokens</source>
        <translation>用于把词元还原为文本</translation>
    </message>
    <message>
        <source>counts for the tokenizers in Python alone</source>
        <translation>仅对 Python 实现的分词器有效</translation>
    </message>
    <message>
        <source>names code beside the tokenizer, which is not run; the files of the tokenizer are followed</source>
        <translation>指定了随分词器附带的代码；本程序不运行该代码，以分词器文件为准</translation>
    </message>
    <message>
        <source>changes where tokens lie in a text, not the tokens</source>
        <translation>只影响词元在文本中的位置，不影响词元本身</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, which is not supported; without it the tokens would be others</source>
        <translation>%1：“%2”为 %3，不受支持；忽略它会得到不同的词元</translation>
    </message>
    <message>
        <source>sides</source>
        <translation>两侧</translation>
    </message>
    <message>
        <source>equal: half of the width w before and after the query. separate: one reach for the keys before it and one for those after it, as window_size of flash-attention has them</source>
        <translation>equal：查询前后各取宽度 w 的一半。separate：分别设定查询之前和之后的键数，与 flash-attention 的 window_size 相同</translation>
    </message>
    <message>
        <source>keys before</source>
        <translation>之前的键</translation>
    </message>
    <message>
        <source>How many keys before its own a query reads; -1: all of them</source>
        <translation>查询关注自身位置之前的多少个键；-1 表示全部</translation>
    </message>
    <message>
        <source>keys after</source>
        <translation>之后的键</translation>
    </message>
    <message>
        <source>How many keys after its own a query reads; -1: all of them</source>
        <translation>查询关注自身位置之后的多少个键；-1 表示全部</translation>
    </message>
    <message>
        <source>window: has a width w and a reach (left or right), expected one of them</source>
        <translation>window：同时给出了宽度 w 和单侧范围（left 或 right），只能取其一</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>separate</source>
        <translation>分开</translation>
    </message>
    <message>
        <source>Rows in which every key that is open has a bias so low that the scores are lost: %1 (first: %2). The sum of a score and such a bias is rounded to the bias, so these weights come from the bias alone. -inf hides a key</source>
        <translation>未屏蔽的键偏置全都过低、得分因此丢失的行：%1 行（第一行：%2）。得分与这样的偏置相加后会被舍入为偏置本身，所以这些权重只由偏置决定。用 -inf 可以屏蔽一个键</translation>
    </message>
    <message>
        <source>%1 has an offset of its own and puts the first query at %2; query_offset puts it at %3</source>
        <translation>%1 有自己的偏移，将首个查询放在位置 %2；而 query_offset 将其放在位置 %3</translation>
    </message>
    <message>
        <source>query_offset: is %1, and causal:bottom_right is an offset as well (S - L); expected one of them. causal alone follows query_offset</source>
        <translation>query_offset：值为 %1，而 causal:bottom_right 本身也是一种偏移（S - L）；两者只能取其一。单独的 causal 会遵循 query_offset</translation>
    </message>
    <message>
        <source>query_offset: has %1 at %2, expected integers from -%3 to %3</source>
        <translation>query_offset：%2 处的值为 %1，应为 -%3 到 %3 之间的整数</translation>
    </message>
    <message>
        <source>query_offset: the array has %1 at %2, the setting --query-offset is %3; expected one of them, or the same number in both</source>
        <translation>query_offset：数组在 %2 处的值为 %1，而 --query-offset 设为 %3；应只给出其中之一，或让两者相同</translation>
    </message>
    <message>
        <source>query_offset: is %1, expected an integer from -%2 to %2</source>
        <translation>query_offset：值为 %1，应为 -%2 到 %2 之间的整数</translation>
    </message>
    <message>
        <source>The position of the first query among the keys, for each sequence of the batch. In a cache: the number of keys before it</source>
        <translation>批次中每个序列的首个查询在键序列中的位置。使用缓存时，即它之前的键数</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>%1 到 %2 之间的数</translation>
    </message>
    <message>
        <source>tokenizer_config.json lists the added tokens, and counts</source>
        <translation>tokenizer_config.json 列出了添加的词元，以它为准</translation>
    </message>
    <message>
        <source>has no effect on tokenizers of the class %1</source>
        <translation>对 %1 类分词器没有影响</translation>
    </message>
    <message>
        <source>tokenizer.json has %1, which is followed, as Transformers 5 does for %2</source>
        <translation>tokenizer.json 中为 %1；与 Transformers 5 对 %2 的处理一致，此处以它为准</translation>
    </message>
    <message>
        <source>says again what tokenizer.json decides</source>
        <translation>与 tokenizer.json 的规定相同</translation>
    </message>
    <message>
        <source>is not among the tokens that tokenizer.json puts around a text, which is followed</source>
        <translation>不在 tokenizer.json 为文本首尾添加的词元之中；此处以 tokenizer.json 为准</translation>
    </message>
    <message>
        <source>an id as its key</source>
        <translation>以编号作为键</translation>
    </message>
    <message>
        <source>states the id %1 for &apos;%2&apos;, which is not the id that the token gets</source>
        <translation>为“%2”标注的编号是 %1，与该词元实际得到的编号不符</translation>
    </message>
    <message>
        <source>counts where a program asks for texts of one length</source>
        <translation>仅在程序要求文本长度一致时有效</translation>
    </message>
    <message>
        <source>counts for LlamaTokenizer alone</source>
        <translation>仅对 LlamaTokenizer 有效</translation>
    </message>
    <message>
        <source>%1: with it Transformers splits text otherwise than tokenizer.json</source>
        <translation>%1：启用后，Transformers 切分文本的方式与 tokenizer.json 不同</translation>
    </message>
    <message>
        <source>has no effect on this tokenizer</source>
        <translation>对该分词器没有影响</translation>
    </message>
    <message>
        <source>A device takes a window with one query offset for all sequences; query_offset has several</source>
        <translation>在设备上，带窗口的掩码要求所有序列使用同一个查询偏移；query_offset 中有多个不同的值</translation>
    </message>
    <message>
        <source>the masks are aligned to the other corner: the last query is at the last key</source>
        <translation>掩码对齐到了另一个角：最后一个查询对齐最后一个键</translation>
    </message>
    <message>
        <source>is not read as query_offset: expected consecutive positions, one for each of %1 queries</source>
        <translation>没有读作 query_offset：应为连续的位置，%1 个查询各一个</translation>
    </message>
    <message>
        <source>read as query_offset: the first query is at position %1</source>
        <translation>读作 query_offset：首个查询位于位置 %1</translation>
    </message>
    <message>
        <source>causal:bottom_right moves the causal mask alone. In %1 the first query is still at the first key (L = %2, S = %3). Use causal with %4 to put the last query at the last key in every mask</source>
        <translation>causal:bottom_right 只移动因果掩码。在 %1 中，首个查询仍位于首个键处（L = %2，S = %3）。若要让所有掩码都以最后一个查询对齐最后一个键，请使用 causal 并设置 %4</translation>
    </message>
    <message>
        <source>In %1 the first query is at the first key (%4), and L = %2 and S = %3 differ. In a model with a cache the last query is at the last key (%5)</source>
        <translation>在 %1 中，首个查询位于首个键处（%4），而 L = %2 与 S = %3 不同。在使用缓存的模型中，最后一个查询位于最后一个键处（%5）</translation>
    </message>
    <message>
        <source>the scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>layout: %1 is for attention weights alone, expected another one for %2</source>
        <translation>layout：%1 只用于注意力权重，%2 需要另一种布局</translation>
    </message>
    <message>
        <source>%1 holds 0 and 1, in floating point: 1 is read as padding. PyTorch adds such numbers to the scores; %2 reads them so</source>
        <translation>%1 为浮点数 0 和 1：1 读作填充。PyTorch 会把这样的数加到得分上；%2 按后一种方式读取</translation>
    </message>
    <message>
        <source>%1 %2 is read as %3, with %4 keys. It looks like Longformer&apos;s weights, whose columns are global tokens (%6), then offsets from the query, -%5 to %5. An array %7 (B, L) beside it, 1 for each global token, has it read so</source>
        <translation>%1 %2 读作 %3，有 %4 个键。它看起来像 Longformer 的权重：各列先是全局词元（%6 个），然后是相对于查询的偏移，-%5 到 %5。若文件中还有数组 %7 (B, L)，其中全局词元为 1，就按后一种方式读取</translation>
    </message>
    <message>
        <source>%1 %2 is read as %3, with %4 keys. It looks like Longformer&apos;s weights, whose columns are offsets from the query, -%5 to %5; %6 reads it so</source>
        <translation>%1 %2 读作 %3，有 %4 个键。它看起来像 Longformer 的权重：各列是相对于查询的偏移，-%5 到 %5；%6 按后一种方式读取</translation>
    </message>
    <message>
        <source>the last axis of %1 %2 may be keys or offsets</source>
        <translation>%1 %2 的最后一个轴可能是键，也可能是偏移</translation>
    </message>
    <message>
        <source>%1: has %2 columns, expected 2w + 1, an odd number of offsets from the query. Columns of global tokens in front need an array %3 (B, L)</source>
        <translation>%1：有 %2 列，应为 2w + 1 列，即奇数个相对于查询的偏移。如果前面还有全局词元的列，则需要数组 %3 (B, L)</translation>
    </message>
    <message>
        <source>%1: has the weight %2 at offset %3 from query %4, expected 0 there, as there are %5 tokens. Columns of global tokens in front need an array %6 (B, L)</source>
        <translation>%1：查询 %4 在偏移 %3 处的权重为 %2，但一共只有 %5 个词元，此处应为 0。如果前面还有全局词元的列，则需要数组 %6 (B, L)</translation>
    </message>
    <message>
        <source>read as the weights of the global tokens</source>
        <translation>读作全局词元的权重</translation>
    </message>
    <message>
        <source>read as the places of the global tokens</source>
        <translation>读作全局词元的位置</translation>
    </message>
    <message>
        <source>%1 %2: the columns are offsets from the query, -%3 to %3. The weights are laid out by key, %4</source>
        <translation>%1 %2：各列是相对于查询的偏移，-%3 到 %3。权重已按键排列，形状为 %4</translation>
    </message>
    <message>
        <source>%1 %2: the columns are global tokens (%5), then offsets from the query, -%3 to %3. The weights are laid out by key, %4</source>
        <translation>%1 %2：各列先是全局词元（%5 个），然后是相对于查询的偏移，-%3 到 %3。权重已按键排列，形状为 %4</translation>
    </message>
    <message>
        <source>The last query is at position %1, beyond the keys of sequences that are shorter: %2 of %3 (first: %4, with %5 keys). Where each has its own place in its cache, an array %6 (B) gives it</source>
        <translation>最后一个查询位于位置 %1，超出了较短序列的键：%3 个序列中有 %2 个（第一个是序列 %4，有 %5 个键）。若各序列在缓存中的位置不同，可用数组 %6 (B) 给出</translation>
    </message>
    <message>
        <source>Transformers 5 builds the tokenizer&apos;s parts anew for it; tokenizer.json has other parts, which are followed</source>
        <translation>Transformers 5 会据此重新构建分词器的各个组成部分；tokenizer.json 中的组成部分与之不同，此处以 tokenizer.json 为准</translation>
    </message>
    <message>
        <source>Pasted as the whole of %1, now %2; resized with it: %3</source>
        <translation>已粘贴为整个 %1，形状变为 %2；随之调整的还有：%3</translation>
    </message>
    <message>
        <source>Pasted as the whole of %1, now %2</source>
        <translation>已粘贴为整个 %1，形状变为 %2</translation>
    </message>
    <message>
        <source>%1 takes no array of %2 axes, such as the pasted one of shape %3</source>
        <translation>%1 不接受 %2 个轴的数组，粘贴的数组形状为 %3</translation>
    </message>
    <message>
        <source>%1: line %2 has text after the matrix, “%3”</source>
        <translation>%1：第 %2 行在矩阵之后还有文字“%3”</translation>
    </message>
    <message>
        <source>%1: mixes numbers with true and false</source>
        <translation>%1：数字与真假值混在一起</translation>
    </message>
    <message>
        <source>%1: the list that ends in line %2 has %3 entries, expected %4 as in the first</source>
        <translation>%1：在第 %2 行结束的列表有 %3 项，应与第一个列表一样有 %4 项</translation>
    </message>
    <message>
        <source>%1: line %2 has a list in %3 others</source>
        <translation>%1：第 %2 行的列表嵌套了 %3 层以上</translation>
    </message>
    <message>
        <source>%1: ends in line %2 before the list does; “%3” is missing</source>
        <translation>%1：到第 %2 行文本已结束，列表却没有结束，缺少“%3”</translation>
    </message>
    <message>
        <source>%1: line %2 has “%3” where a number is expected</source>
        <translation>%1：第 %2 行的“%3”处应为数字</translation>
    </message>
    <message>
        <source>%1: line %2 has “%3”, expected a comma, a space or the end of the list</source>
        <translation>%1：第 %2 行的“%3”处应为逗号、空格或列表的结尾</translation>
    </message>
    <message>
        <source>%1: line %2 ends a list of several lines without commas: end rows with “;”, or put each in brackets</source>
        <translation>%1：在第 %2 行结束的列表分为多行却没有逗号：请用“;”结束每一行，或给每一行加上方括号</translation>
    </message>
    <message>
        <source>%1: numbers are left out in line %2 (“%3”): print the whole array</source>
        <translation>%1：第 %2 行省略了数字（“%3”）：请输出完整的数组</translation>
    </message>
    <message>
        <source>%1: line %2 has “%3”, expected a number</source>
        <translation>%1：第 %2 行是“%3”，应为数字</translation>
    </message>
    <message>
        <source>%1: has more numbers in line %2 than the %3 that may be read</source>
        <translation>%1：到第 %2 行已超过最多可读取的 %3 个数字</translation>
    </message>
    <message>
        <source>%1: line %2 has numbers beside lists</source>
        <translation>%1：第 %2 行的数字与列表并列</translation>
    </message>
    <message>
        <source>%1: row %2 has %3 cells, expected %4 as in the first</source>
        <translation>%1：第 %2 行有 %3 个单元格，应与第一行一样有 %4 个</translation>
    </message>
    <message>
        <source>%1: row %2, column %3 is “%4”, expected a number</source>
        <translation>%1：第 %2 行第 %3 列是“%4”，应为数字</translation>
    </message>
    <message>
        <source>%1: \begin without its \end</source>
        <translation>%1：有 \begin 却没有对应的 \end</translation>
    </message>
    <message>
        <source>%1: has text after the matrix, “%2”</source>
        <translation>%1：在矩阵之后还有文字“%2”</translation>
    </message>
    <message>
        <source>%1: has %2 bytes of LaTeX or Markdown; at most %3 are read</source>
        <translation>%1：LaTeX 或 Markdown 有 %2 字节，最多读取 %3 字节</translation>
    </message>
    <message>
        <source>One row a key token: what it hands over; without it, the identity</source>
        <translation>每行一个键词元：它交出什么；未给出时用单位矩阵</translation>
    </message>
    <message>
        <source>The scores before masks, one row a query token</source>
        <translation>掩码之前的得分，每行一个查询词元</translation>
    </message>
    <message>
        <source>No value is given: the identity stands for it, so the output is the weights.</source>
        <translation>没有给出值：以单位矩阵代替，所以输出就是权重。</translation>
    </message>
    <message>
        <source>The scores are given as they are: their queries and keys are not known.</source>
        <translation>得分直接给出：查询和键未知。</translation>
    </message>
    <message>
        <source>Given scores</source>
        <translation>给定的得分</translation>
    </message>
    <message>
        <source>Change one score: only its row of weights changes, and the row still sums to 1. Add the same number to a whole row: nothing changes.</source>
        <translation>改动一个得分：只有它所在的那一行权重会变，而且该行之和仍为 1。给整行加上同一个数：什么也不变。</translation>
    </message>
    <message>
        <source>Scores from elsewhere, such as homework or another program: their masks, softmax and output. With valid_lens it is the masked softmax of textbooks.</source>
        <translation>来自别处的得分，例如作业或其他程序：在此计算其掩码、softmax 和输出。加上 valid_lens 就是教科书中的掩码 softmax。</translation>
    </message>
    <message>
        <source>spread over about %1 keys</source>
        <translation>分散在约 %1 个键上</translation>
    </message>
    <message>
        <source>%1: has %2 tokens; this model reads at most %3</source>
        <translation>%1：有 %2 个词元，此模型最多读取 %3 个</translation>
    </message>
    <message>
        <source>Keeps the variance of the scores at 1, whatever the width, if all inputs are independent with mean 0 and variance 1.</source>
        <translation>如果输入的各个数相互独立，均值为 0，方差为 1，那么无论维度多大，得分的方差都保持为 1。</translation>
    </message>
    <message>
        <source>Grows with the logarithm of the number of keys. In longer sequences the entropy of the weights then grows more slowly than with 1/√d.</source>
        <translation>按键数的对数增大。这样，序列变长时，权重的熵比用 1/√d 时增长得慢。</translation>
    </message>
    <message>
        <source>%1 is not a whole number; this tensor holds whole numbers</source>
        <translation>%1 不是整数；该张量只存放整数</translation>
    </message>
    <message>
        <source>%1 has one axis, and %2 cells are not a list</source>
        <translation>%1 只有一个轴，而 %2 个单元格不是一个列表</translation>
    </message>
    <message>
        <source>The weights of %1 are not shares: %2 of %3 are negative</source>
        <translation>%1 的权重不是份额：%3 个中有 %2 个为负</translation>
    </message>
    <message>
        <source>%1: is not a regular file</source>
        <translation>%1：不是普通文件</translation>
    </message>
    <message>
        <source>is not an array (.npy)</source>
        <translation>不是数组（.npy）</translation>
    </message>
    <message>
        <source>%1: is not valid JSON near byte %2: %3</source>
        <translation>%1：第 %2 字节附近不是有效的 JSON：%3</translation>
    </message>
    <message>
        <source>%1: is not a part of a map; expected a file of &apos;attnlab map --partial&apos;</source>
        <translation>%1：不是地图的一部分；需要 attnlab map --partial 写出的文件</translation>
    </message>
    <message>
        <source>%1: is not a NumPy array: it does not begin with the bytes 93 NUMPY</source>
        <translation>%1：不是 NumPy 数组：开头不是字节 93 NUMPY</translation>
    </message>
    <message>
        <source>%1: its text number %2, counted from 0, is not Unicode</source>
        <translation>%1：第 %2 条文本（从 0 起）不是 Unicode</translation>
    </message>
    <message>
        <source>%1: is not a zip archive, or was cut off: it has no directory at its end</source>
        <translation>%1：不是 zip 压缩包，或已被截断：末尾没有目录</translation>
    </message>
    <message>
        <source>%1: the archive does not give its size</source>
        <translation>%1：压缩包没有说明其大小</translation>
    </message>
    <message>
        <source>%1: is not a pickle of protocol 2 to 5</source>
        <translation>%1：不是协议 2 到 5 的 pickle</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not the name of a file or an array</source>
        <translation>“%1”不是文件名或数组名</translation>
    </message>
    <message>
        <source>%1: is not a safetensors file, but may be a pointer to one; &apos;git lfs pull&apos; fetches it</source>
        <translation>%1：不是 safetensors 文件，但可能是指向它的指针；可用“git lfs pull”获取</translation>
    </message>
    <message>
        <source>%1: is not a safetensors file: its header would take %2 bytes, expected at most %3</source>
        <translation>%1：不是 safetensors 文件：其文件头将占 %2 字节，应不超过 %3</translation>
    </message>
    <message>
        <source>%1: is not a safetensors file: its header does not begin with &apos;{&apos;</source>
        <translation>%1：不是 safetensors 文件：其文件头不以“{”开头</translation>
    </message>
    <message>
        <source>%1: the name of a tensor is not UTF-8 text</source>
        <translation>%1：有张量的名称不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>%1: is not a zip archive, or was cut off or damaged: it has no directory at its end that lists its members</source>
        <translation>%1：不是 zip 压缩包，或已被截断或损坏：末尾没有列出成员的目录</translation>
    </message>
    <message>
        <source>%1: is not a file of torch.save, but may be a pointer to one; &apos;git lfs pull&apos; fetches it</source>
        <translation>%1：不是 torch.save 的文件，但可能是指向它的指针；可用“git lfs pull”获取</translation>
    </message>
    <message>
        <source>%1: is neither a zip archive of torch.save nor another file that is known here</source>
        <translation>%1：不是 torch.save 写出的 zip 压缩包，也不是这里已知的其他文件</translation>
    </message>
    <message>
        <source>%1: holds a dictionary whose keys are not names: %2 has one that is neither a number nor short text</source>
        <translation>%1：含有键不能作名称的字典：%2 中有一个键既不是数也不是短文本</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no gradients: its scale is not a factor of q . k</source>
        <translation>“%1”没有梯度：它的缩放不是 q·k 的一个系数</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number</source>
        <translation>“%1”不是数</translation>
    </message>
    <message>
        <source>the inputs of step &apos;%1&apos; are not a draw</source>
        <translation>步骤“%1”的输入不是随机抽取的</translation>
    </message>
    <message>
        <source>&apos;settings&apos; is missing: the inputs are not a sample that brings its own</source>
        <translation>缺少“settings”：输入不是自带设置的示例</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be live: the inputs are not a draw</source>
        <translation>“%1”不能列入 live：输入不是随机抽取的</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be shown: the inputs are not a draw</source>
        <translation>“%1”不能显示：输入不是随机抽取的</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be live: the inputs are not a cache</source>
        <translation>“%1”不能列入 live：输入不是缓存</translation>
    </message>
    <message>
        <source>Rows with a weight that is not a finite number: %1 of %2</source>
        <translation>含有非有限权重的行：%2 行中有 %1 行</translation>
    </message>
    <message>
        <source>%1 rows are not distributions, as after dropout: they have no entropy, no number of effective keys and no slope of softmax</source>
        <translation>有 %1 行不是概率分布（例如经过随机失活）：它们没有熵、有效键数和 softmax 斜率</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, which AttnLab does not read</source>
        <translation>%1：“%2”为 %3，本程序不读取它</translation>
    </message>
    <message>
        <source>%1: tensors that AttnLab does not read: %2</source>
        <translation>%1：本程序不读取的张量：%2</translation>
    </message>
    <message>
        <source>%1: is not a GGUF file, but may be a pointer to one; &apos;git lfs pull&apos; fetches it</source>
        <translation>%1：不是 GGUF 文件，但可能是指向它的指针；可用“git lfs pull”获取</translation>
    </message>
    <message>
        <source>%1: is not a GGUF file: it does not begin with &apos;GGUF&apos;</source>
        <translation>%1：不是 GGUF 文件：不以“GGUF”开头</translation>
    </message>
    <message>
        <source>role: &apos;%1&apos; is not an input of texts, which %2 holds, expected query_tokens, key_tokens, or nothing to leave it out</source>
        <translation>role：“%1”不是文本的输入，而 %2 含有文本，应为 query_tokens、key_tokens，或留空以略去它</translation>
    </message>
    <message>
        <source>role: &apos;%1&apos; is not an array of the files, which hold %2</source>
        <translation>role：“%1”不是文件中的数组，文件中有 %2</translation>
    </message>
    <message>
        <source>role: &apos;%1&apos; is not an input, expected query, key, value, weights, attn_mask, ... (&apos;attnlab list&apos; has them all), or nothing to leave %2 out</source>
        <translation>role：“%1”不是输入，应为 query、key、value、weights、attn_mask 等（“attnlab list”列出全部），或留空以略去 %2</translation>
    </message>
    <message>
        <source>%1 is not an input of %2</source>
        <translation>%1 不是 %2 的输入</translation>
    </message>
    <message>
        <source>num_heads: the weights do not determine it, expected a divisor of their width %1: %2</source>
        <translation>num_heads：由权重无法确定，应为其维度 %1 的约数：%2</translation>
    </message>
    <message>
        <source>num_heads: %1 %2 holds query, key and value of all heads and does not give their number</source>
        <translation>num_heads：%1 %2 含有所有头的查询、键和值，但没有说明有多少个头</translation>
    </message>
    <message>
        <source>is not an input of any mechanism</source>
        <translation>不是任何机制的输入</translation>
    </message>
    <message>
        <source>is not a part of an attention layer</source>
        <translation>不是注意力层的一部分</translation>
    </message>
    <message>
        <source>its name is not known; %1, for example, says what it is</source>
        <translation>无法从名称识别；例如可用 %1 说明它是什么</translation>
    </message>
    <message>
        <source>the vocabulary does not define the tokens that begin and end a text</source>
        <translation>词表没有说明文本以哪些词元开始和结束</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, which AttnLab does not read; the tokens could be others</source>
        <translation>%1：“%2”为 %3，但本程序不读取该项；分词结果可能因此不同</translation>
    </message>
    <message>
        <source>Figure: the colours would go from %1 to %2, which is not a range; give both ends</source>
        <translation>图像：颜色将从 %1 到 %2，这不是一个范围；请给出两端</translation>
    </message>
    <message>
        <source>The idea</source>
        <translation>基本思想</translation>
    </message>
    <message>
        <source>Scale and softmax</source>
        <translation>缩放与 softmax</translation>
    </message>
    <message>
        <source>Masks and positions</source>
        <translation>掩码与位置</translation>
    </message>
    <message>
        <source>Heads and models</source>
        <translation>注意力头与模型</translation>
    </message>
    <message>
        <source>Large inputs</source>
        <translation>大规模输入</translation>
    </message>
    <message>
        <source>the question has a hint in %1.md, but not here</source>
        <translation>这个问题在 %1.md 中有提示，但这里没有</translation>
    </message>
    <message>
        <source>the question has no hint in %1.md</source>
        <translation>这个问题在 %1.md 中没有提示</translation>
    </message>
    <message>
        <source>the numbers are rounded; decimals: %1</source>
        <translation>数值经过了舍入，保留的小数位数：%1</translation>
    </message>
    <message>
        <source>blocked cells have a large negative number instead of −∞</source>
        <translation>被屏蔽的单元格填的是很大的负数，而不是 −∞</translation>
    </message>
    <message>
        <source>the scale is applied twice: squared, such as 1/d instead of 1/√d</source>
        <translation>缩放用了两次：因子被平方，例如用了 1/d 而不是 1/√d</translation>
    </message>
    <message>
        <source>No kernel of the device %1 has passed its check. The first: %2</source>
        <translation>设备 %1 没有通过检验的内核。第一个：%2</translation>
    </message>
    <message>
        <source>Lecture</source>
        <translation>讲座</translation>
    </message>
    <message>
        <source>Other lessons</source>
        <translation>其他课程</translation>
    </message>
    <message>
        <source>There are no tokens to name</source>
        <translation>没有可以命名的词元</translation>
    </message>
    <message>
        <source>Attention in tiles computes the output alone; the problem asks for output similarity</source>
        <translation>分块注意力只计算输出，而这里要求输出相似度</translation>
    </message>
    <message>
        <source>%1: repeats the numbers of its storage too often. The arrays of the file would need %2 numbers more than the file holds. Save it after contiguous()</source>
        <translation>%1：重复使用存储中的数过多。文件的数组需要的数会比文件所含的多出 %2 个。请在 contiguous() 之后保存</translation>
    </message>
    <message>
        <source>The lesson needs a title.</source>
        <translation>课程还缺标题。</translation>
    </message>
    <message>
        <source>The lesson needs a sentence or two for the list of lessons.</source>
        <translation>课程还缺一两句简介，供课程列表使用。</translation>
    </message>
    <message>
        <source>These words are written in the other language, but not in this one.</source>
        <translation>这段文字在另一种语言中已有，这里还没有。</translation>
    </message>
    <message>
        <source>A question needs two options or more.</source>
        <translation>问题至少要有两个选项。</translation>
    </message>
    <message>
        <source>When is this option right? Write an expression.</source>
        <translation>这个选项何时正确？请写一个表达式。</translation>
    </message>
    <message>
        <source>The step needs a title.</source>
        <translation>这一步还缺标题。</translation>
    </message>
    <message>
        <source>The step needs a text.</source>
        <translation>这一步还缺正文。</translation>
    </message>
    <message>
        <source>The question has no words yet.</source>
        <translation>问题还没有题目。</translation>
    </message>
    <message>
        <source>The question needs an answer that explains.</source>
        <translation>问题还缺一段解释性的答案。</translation>
    </message>
    <message>
        <source>The option has no words yet.</source>
        <translation>这个选项还没有文字。</translation>
    </message>
    <message>
        <source>The lesson has no step yet.</source>
        <translation>课程还没有步骤。</translation>
    </message>
    <message>
        <source>is a slide in &apos;%1&apos;, expected one of %2</source>
        <translation>是语言“%1”的幻灯片，应为以下之一：%2</translation>
    </message>
    <message>
        <source>1 to %1 characters</source>
        <translation>1 到 %1 个字符</translation>
    </message>
    <message>
        <source>has an answer, but step &apos;%1&apos; shows no question</source>
        <translation>有答案，但步骤“%1”不显示问题</translation>
    </message>
    <message>
        <source>has no answer to the question of step &apos;%1&apos;</source>
        <translation>缺少步骤“%1”的问题的答案</translation>
    </message>
    <message>
        <source>the slide of step &apos;%1&apos; has no text in &apos;%2&apos;</source>
        <translation>步骤“%1”的幻灯片没有语言“%2”的文字</translation>
    </message>
    <message>
        <source>the slide of step &apos;%1&apos; %2</source>
        <translation>步骤“%1”的幻灯片%2</translation>
    </message>
    <message>
        <source>the slide of step &apos;%1&apos; has a text of %2 words, expected 1 to %3</source>
        <translation>步骤“%1”的幻灯片有一段 %2 词的文字，应为 1 到 %3 词</translation>
    </message>
    <message>
        <source>A small network with one hidden layer scores each pair of query and key. Both are projected and added, and tanh keeps each hidden number between -1 and 1. Scores do not grow with the width of queries and keys, but with the number of hidden units.</source>
        <translation>用一个单隐藏层的小网络给每一对查询和键打分。两者先投影再相加，tanh 把每个隐藏单元的数限制在 −1 和 1 之间。得分不随查询和键的维度增长，但会随隐藏单元的个数增长。</translation>
    </message>
    <message>
        <source>tanh keeps every hidden term between −1 and 1, so the score cannot exceed Σ|v|. Make queries and keys ten times larger: the scores level off. Dot products would grow a hundredfold.</source>
        <translation>tanh 把每个隐藏项限制在 −1 与 1 之间，因此得分不会超过 Σ|v|。把查询和键都放大十倍：得分趋于平稳，而点积会变为一百倍。</translation>
    </message>
    <message>
        <source>Query and key are put side by side, and one vector w scores them. The part of the query is then equal for all keys, so softmax cancels it. Luong&apos;s form puts tanh in between, with the optional concat_v. Only then do query and key interact.</source>
        <translation>查询与键拼接后由一个向量 w 打分。这样查询贡献的部分对所有键都相同，会被 softmax 抵消。Luong 的形式用可选的 concat_v 在中间加入 tanh，两者才真正相互作用。</translation>
    </message>
    <message>
        <source>value: has width %1, expected %2, the width of key. With source = value the context is a mix of values. With source = key any width is possible</source>
        <translation>value：维度为 %1，应与 key 的维度 %2 相同。source = value 时，上下文是值的混合。source = key 时，维度可以是任意的</translation>
    </message>
    <message>
        <source>The mean of all keys takes part in every score. As a gate, it weighs the features in which keys have something in common. As a bias, it asks for keys like the average.</source>
        <translation>所有键的均值参与每个得分的计算。作为门控，它对各特征加权，突出各键共有的特征。作为偏置，它偏向接近均值的键。</translation>
    </message>
    <message>
        <source>Between multi-head and multi-query: groups of query heads share a key and value head. This keeps most of the quality at a fraction of the cache.</source>
        <translation>介于多头与多查询之间：每组查询头共用一个键/值头。这样只用一小部分缓存就保住了大部分质量。</translation>
    </message>
    <message>
        <source>Mixes the S keys and values into k of each before anything is compared. A row of scores then has k numbers instead of S, and the cost grows with S k instead of S². Also shows the weights that this implies for the tokens, weights × Fᵀ, and the exact ones.</source>
        <translation>先把 S 个键和值各混合成 k 个，再做比较。这样一行得分只有 k 个数而不是 S 个，代价按 S k 而不是 S² 增长。另外给出由此得到的各词元的等效权重（权重 × Fᵀ）以及精确权重。</translation>
    </message>
    <message>
        <source>The window puts query i at key i, but L = %1 and S = %2 differ. Queries that stand at later keys, as with a cache, are not supported here</source>
        <translation>窗口把查询 i 放在键 i 处，而 L = %1 与 S = %2 不同。此机制不支持查询位于更靠后的键处（例如使用缓存时）</translation>
    </message>
    <message>
        <source>A row of weights is a sum of distributions, one for each page that it reads. So it sums to %1, not to 1</source>
        <translation>一行权重是若干分布之和，所关注的每页各一个。因此其和为 %1，而不是 1</translation>
    </message>
    <message>
        <source>A row of weights is a sum of distributions, one for each page that it reads. So it sums to the number of these pages, %1 to %2, not to 1</source>
        <translation>一行权重是若干分布之和，所关注的每页各一个。因此其和等于这些页的数目，为 %1 到 %2，而不是 1</translation>
    </message>
    <message>
        <source>Tokens lie in pages of a fixed size. As a cache (vLLM), a table lists where the pages of a sequence are in a pool. Attention over the tokens found there is exact. As local attention, each page reads itself and the pages beside it. Every pair of pages has a softmax of its own, and the outputs are added.</source>
        <translation>词元存放在固定大小的页中。用作缓存时（vLLM），由一张表说明序列的各页在页池中的位置。对按表找到的词元做的注意力是精确的。用作局部注意力时，每页关注自身和相邻的页。每一对页各做一次 softmax，再把输出相加。</translation>
    </message>
    <message>
        <source>Local: a row of weights sums to the number of pages that it reads, so the output grows with the neighbours. Cache: swap two entries of the block table and see the same tokens read in another order. Raise the length until the last page is full and no slot is wasted.</source>
        <translation>局部：一行权重之和等于其关注的页数，因此输出随相邻页数增大。缓存：交换块表中的两项，可见同样的词元换了次序被读取。增大长度直到最后一页填满，就没有槽位浪费。</translation>
    </message>
    <message>
        <source>Uses random features φ whose products are exp(q·k) on average. The sums over keys are computed once for all queries. So the table of L × S weights is never needed, and the cost grows with (L + S) m. Causal masks become running sums.</source>
        <translation>使用随机特征 φ，其乘积平均等于 exp(q·k)。对键的求和只做一次，供所有查询使用。因此不需要 L × S 的权重表，代价按 (L + S) m 增长。因果掩码变为累积和。</translation>
    </message>
    <message>
        <source>The sums over keys grow key by key. So a row can read its first keys, without those that no row reads, but no other choice of keys.</source>
        <translation>对键的求和逐键累积。因此一行可以关注前面若干个键（其中不含任何行都不关注的键），但不能任意选择键。</translation>
    </message>
    <message>
        <source>A dot product compares every query with every key. Softmax turns each row of scores into weights. The output is the weighted mean of the values.</source>
        <translation>每个查询与每个键做点积比较。softmax 把每行得分变为权重。输出是值的加权平均。</translation>
    </message>
    <message>
        <source>Set the scale to none, then to 1/√d. Without the scale, the scores of wide heads spread so far that one weight takes all. The slope of softmax, ‖∂a/∂s‖ in the inspector, is then near 0.</source>
        <translation>把缩放设为“不缩放”，再设为 1/√d。头的维度较大时，不缩放的得分非常分散，以致一个权重独占全部。此时检查器中 softmax 的斜率 ‖∂a/∂s‖ 接近 0。</translation>
    </message>
    <message>
        <source>The encoder-decoder, from token ids to the probabilities of the next token. Its parts: embeddings and sinusoidal positions, layers of multi-head attention and feed-forward parts, a linear map, a softmax. Its weights are those of a torch.nn.Transformer.</source>
        <translation>从词元编号到下一个词元概率的编码器–解码器。组成部分：嵌入与正弦位置，多层的多头注意力与前馈部分，一个线性映射，一个 softmax。权重取自 torch.nn.Transformer。</translation>
    </message>
    <message>
        <source>%1 %2 is read as (B, L, D) with B = %3 and L = %4. %5 reads tokens first, as torch has them without batch_first</source>
        <translation>%1 %2 读作 (B, L, D)，B = %3，L = %4。%5 则把词元轴放在最前，即 torch 不用 batch_first 时的排列</translation>
    </message>
    <message>
        <source>%1 %2 is read as (B, H, L, E) with H = %3 and L = %4. %5 reads H = %4 and L = %3</source>
        <translation>%1 %2 读作 (B, H, L, E)，H = %3，L = %4。%5 则读作 H = %4，L = %3</translation>
    </message>
    <message>
        <source>%1 %2 is read as (H, L, S), %3 heads of one sequence. %4 reads (B, L, S), a matrix for each sequence, as nn.MultiheadAttention returns the mean over heads</source>
        <translation>%1 %2 读作 (H, L, S)，即一个序列的 %3 个头。%4 则读作 (B, L, S)，每个序列一个矩阵，nn.MultiheadAttention 返回的各头平均值即是如此</translation>
    </message>
    <message>
        <source>%1: has the whole number %2 at %3, expected 0 and 1, True and False, or floating-point numbers, which are added to the scores. Documents of packed sequences are read from attention_mask or segment_ids</source>
        <translation>%1：在 %3 处有整数 %2，应为 0 和 1、True 和 False，或会加到得分上的浮点数。拼接序列的文档编号要从 attention_mask 或 segment_ids 读取</translation>
    </message>
    <message>
        <source>%1 holds only 0 and 1, in floating point. They are added to the scores, as PyTorch does. %2 reads them as cells that are blocked or kept</source>
        <translation>%1 只含浮点数 0 和 1。它们与在 PyTorch 中一样加到得分上。%2 把它们读作被屏蔽或保留的单元格</translation>
    </message>
    <message>
        <source>%1 %2 is read as (B, S), the padding of the keys of each sequence. %3 reads it as (L, S), a row for each query</source>
        <translation>%1 %2 读作 (B, S)，即每个序列中键的填充。%3 读作 (L, S)，每个查询一行</translation>
    </message>
    <message>
        <source>read as segment_ids, the documents of packed sequences: 1, 2, ... became 0, 1, ..., and 0, which is padding, became -1</source>
        <translation>读作 segment_ids，即拼接序列中各词元的文档：1、2、…… 变为 0、1、……，表示填充的 0 变为 -1</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected True and False, 0 and 1, or in floating point 0 and -inf. Numbers of %4 and less also block the key to which they are added. %5 adds other numbers to the scores</source>
        <translation>%1：在 %3 处为 %2，应为 True 和 False、0 和 1，或浮点数 0 与 -inf。不大于 %4 的数也会屏蔽所加到的键。%5 会把其他数加到得分上</translation>
    </message>
    <message>
        <source>is read only beside Longformer&apos;s weights (B, H, L, G + 2w + 1), whose first G columns are global tokens. G is the largest number of global tokens of a sequence in %1 (B, L). Weights at offsets beyond the ends are 0. global_attentions have the shape (B, H, L, G)</source>
        <translation>只与 Longformer 的权重 (B, H, L, G + 2w + 1) 一起读取，其前 G 列属于全局词元。G 是 %1 (B, L) 中全局词元最多的那个序列的全局词元数。超出序列两端的偏移权重为 0。global_attentions 的形状为 (B, H, L, G)</translation>
    </message>
    <message>
        <source>the rows of global tokens are those of %1, which are 0 in Longformer. Their weights would be in an array %2 (B, H, L, %3), which is missing</source>
        <translation>全局词元所在的行取自 %1，在 Longformer 中为 0。它们的权重本应在数组 %2 (B, H, L, %3) 中，而文件里没有这个数组</translation>
    </message>
    <message>
        <source>%1: has shape %2, which cannot be divided into query, key and value by num_heads = %3 and num_kv_heads = %4. Expected a size that num_heads + 2 num_kv_heads divides</source>
        <translation>%1：形状为 %2，按 num_heads = %3、num_kv_heads = %4 无法拆成查询、键和值。其大小应能被 num_heads + 2 num_kv_heads 整除</translation>
    </message>
    <message>
        <source>%1 %2 is read group by group of heads that share keys, as Falcon stores it. A group has its queries, then its key and its value</source>
        <translation>%1 %2 按共享键的头逐组读取，与 Falcon 的存法相同。一组中先是查询，再是它的键和它的值</translation>
    </message>
    <message>
        <source>its name is not known, and some numbers are negative, so they are not read as weights. flash-attention&apos;s S_dmask is such an array. Its sign marks weights that dropout set to 0, and queries and keys are padded to a multiple of 128. Save the magnitudes of the first L rows and S columns, or read the numbers as they are with %1</source>
        <translation>从名称看不出它是什么，而且其中有负数，因此没有作为权重读取。flash-attention 的 S_dmask 就是这样的数组。其中负号标记被随机失活置为 0 的权重，查询和键都补齐到 128 的倍数。请保存前 L 行、前 S 列的绝对值，或用 %1 按原样读取</translation>
    </message>
    <message>
        <source>%1: has %2 at %3, expected whole numbers; a negative one marks padding</source>
        <translation>%1：在 %3 处为 %2，应为整数；负数表示填充</translation>
    </message>
    <message>
        <source>parents: has %1 at %2, expected a whole number from -1 to %3: a parent is before its children, and -1 is a root</source>
        <translation>parents：在 %2 处为 %1，应为 -1 到 %3 的整数：父词元排在子词元之前，-1 表示根</translation>
    </message>
    <message>
        <source>neighborhood: w is %1, expected an odd number</source>
        <translation>neighborhood：w 为 %1，应为奇数</translation>
    </message>
    <message>
        <source>neighborhood: has %1 queries, %2 keys and an image of %3 x %4; expected as many queries and keys as the image has patches</source>
        <translation>neighborhood：有 %1 个查询、%2 个键和 %3 x %4 的图像；查询数和键数都应等于图像块数</translation>
    </message>
    <message>
        <source>How many keys beside its own a query reads: w/2 on either side</source>
        <translation>除自身位置的键之外，一个查询还能关注多少个键：两侧各 w/2 个</translation>
    </message>
    <message>
        <source>step d</source>
        <translation>间隔 d</translation>
    </message>
    <message>
        <source>The distance from one key that is read to the next</source>
        <translation>相邻两个可关注的键之间的距离</translation>
    </message>
    <message>
        <source>dilated</source>
        <translation>空洞窗口</translation>
    </message>
    <message>
        <source>A window with gaps: a token reads every d-th neighbour.</source>
        <translation>带间隔的窗口：每隔 d 个词元关注一个邻居。</translation>
    </message>
    <message>
        <source>chunk n</source>
        <translation>块长 n</translation>
    </message>
    <message>
        <source>The number of tokens in a chunk</source>
        <translation>一块中的词元数</translation>
    </message>
    <message>
        <source>chunked</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>A token reads its own chunk of n tokens. Language models combine it with causal.</source>
        <translation>词元只关注自己所在的那一块（n 个词元）。语言模型会把它与因果掩码一起使用。</translation>
    </message>
    <message>
        <source>block n</source>
        <translation>块长 n</translation>
    </message>
    <message>
        <source>The number of tokens in a block</source>
        <translation>一块中的词元数</translation>
    </message>
    <message>
        <source>block causal</source>
        <translation>块因果</translation>
    </message>
    <message>
        <source>A token reads its own block of n tokens and the blocks before it (block diffusion).</source>
        <translation>词元关注自己所在的块（n 个词元）和之前的所有块（块扩散模型）。</translation>
    </message>
    <message>
        <source>The document of each key, as any whole number; a negative number marks padding</source>
        <translation>每个键所属的文档，用任意整数表示；负数表示填充</translation>
    </message>
    <message>
        <source>The document of each query; without it, that of the key at the position of the query</source>
        <translation>每个查询所属的文档；未提供时，取查询所在位置的键的文档</translation>
    </message>
    <message>
        <source>documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>The token before each drafted token, counted from 0; -1 for a root. A parent is before its children</source>
        <translation>每个草稿词元的前一个词元，从 0 开始编号；-1 表示根。父词元排在子词元之前</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>The width and height of the box of keys, an odd number</source>
        <translation>键的方框的宽和高，须为奇数</translation>
    </message>
    <message>
        <source>at the border</source>
        <translation>在边缘处</translation>
    </message>
    <message>
        <source>shift: the box moves inside the image, so that every query reads w x w keys. clip: the part outside is cut off</source>
        <translation>移入：方框移到图像之内，使每个查询都关注 w x w 个键。裁切：切去图像之外的部分</translation>
    </message>
    <message>
        <source>2-D neighbours</source>
        <translation>二维邻域</translation>
    </message>
    <message>
        <source>shift</source>
        <translation>移入</translation>
    </message>
    <message>
        <source>clip</source>
        <translation>裁切</translation>
    </message>
    <message>
        <source>%1: takes %2 values, got another one: &apos;%3&apos;</source>
        <translation>%1：接受 %2 个值，却多出一个：“%3”</translation>
    </message>
    <message>
        <source>Queries at a position without a key belong to no document and read nothing: %1 of %2 (first: %3). query_segment_ids (B, L) gives their documents</source>
        <translation>有些查询所在的位置没有键，因此不属于任何文档，也不关注任何键：%2 个中有 %1 个（第一个：%3）。可用 query_segment_ids (B, L) 给出它们的文档</translation>
    </message>
    <message>
        <source>causal:bottom_right lines up the last query with the last key. With L = %1 and S = %2 it blocks every key for the first %3 queries</source>
        <translation>causal:bottom_right 把最后一个查询与最后一个键对齐。当 L = %1、S = %2 时，它对前 %3 个查询屏蔽所有键</translation>
    </message>
    <message>
        <source>causal lines up the first query with the first key. With L = %1 and S = %2 it blocks the last %3 keys for every query. causal:bottom_right lines up the last query with the last key</source>
        <translation>causal 把首个查询与首个键对齐。当 L = %1、S = %2 时，最后 %3 个键对每个查询都被屏蔽。causal:bottom_right 则对齐最后一个查询与最后一个键</translation>
    </message>
    <message>
        <source>causal lines up the first query with the first key. With L = %1 and S = %2 it blocks nothing for the last %3 queries. causal:bottom_right lines up the last query with the last key</source>
        <translation>causal 把首个查询与首个键对齐。当 L = %1、S = %2 时，它对最后 %3 个查询不屏蔽任何键。causal:bottom_right 则对齐最后一个查询与最后一个键</translation>
    </message>
    <message>
        <source>Lowers a score in proportion to the distance between query and key, steeply in the first heads and gently in the last. Nothing is learned, so it also works beyond the trained length. With 3, 5, 6, 7, … heads, let p be the next smaller power of two. The first p heads have the slopes of p heads. The others have every other slope of 2p heads.</source>
        <translation>按查询与键的距离成比例地降低得分，前面的头陡，后面的头缓。不含学习参数，因此可以外推到训练长度之外。头数为 3、5、6、7……时，设 p 为小于头数的最大的 2 的幂。前 p 个头取 p 个头时的斜率。其余的头从 2p 个头时的斜率中隔一个取一个。</translation>
    </message>
    <message>
        <source>%1 puts the first query where the first key stands. With L = %2 and S = %3 the last %4 queries stand after every key</source>
        <translation>%1 把首个查询放在首个键的位置。当 L = %2、S = %3 时，最后 %4 个查询位于所有键之后</translation>
    </message>
    <message>
        <source>%1 puts the first query where the first key stands. With L = %2 and S = %3 the last %4 keys stand after every query. When decoding, %5 lines up the last query with the last key</source>
        <translation>%1 把首个查询放在首个键的位置。当 L = %2、S = %3 时，最后 %4 个键位于所有查询之后。解码时，用 %5 使最后一个查询与最后一个键位置相同</translation>
    </message>
    <message>
        <source>outputs with each other</source>
        <translation>输出两两点积</translation>
    </message>
    <message>
        <source>output similarity</source>
        <translation>输出相似度</translation>
    </message>
    <message>
        <source>Adds the dot product of every output row with every other: which tokens have become alike</source>
        <translation>增加每两行输出的点积：看哪些词元变得相似</translation>
    </message>
    <message>
        <source>%1 NaN where a query or key is NaN or infinite: ∞ − ∞ and 0 × ∞ are NaN. A mask that is added does not remove them</source>
        <translation>%1 个 NaN 对应的查询或键是 NaN 或无穷大：∞ − ∞ 与 0 × ∞ 都是 NaN。相加式的掩码也去不掉它们</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not a list of numbers</source>
        <translation>%1：“%2”不是一列数</translation>
    </message>
    <message>
        <source>The PDF file cannot be read back to preview it</source>
        <translation>无法读回 PDF 文件以供预览</translation>
    </message>
    <message>
        <source>This step is not right yet: %1</source>
        <translation>这一步还有问题：%1</translation>
    </message>
    <message>
        <source>%1: holds no matrix</source>
        <translation>%1：其中没有矩阵</translation>
    </message>
    <message>
        <source>%1: has %2 numbers, expected at most %3; “Compare with a file…” takes more</source>
        <translation>%1：有 %2 个数，最多应为 %3 个；“与文件比较…”可以处理更多</translation>
    </message>
    <message>
        <source>Tolerance: expected a number from 0, such as 0.01</source>
        <translation>容差：应为不小于 0 的数，例如 0.01</translation>
    </message>
    <message>
        <source>%1: has %2 bytes, but the path of a socket may have at most %3. So other programs cannot show files in this window. Set XDG_RUNTIME_DIR to a shorter folder</source>
        <translation>%1：长 %2 字节，而套接字的路径最多 %3 字节。因此其他程序无法在此窗口中显示文件。请把 XDG_RUNTIME_DIR 设为更短的文件夹</translation>
    </message>
    <message>
        <source>column %1: expected a stage, a measure or words, as &apos;weights&apos;, &apos;ID.weights[2, :]&apos; or &apos;ID.words&apos;</source>
        <translation>第 %1 列：应为阶段、度量或文字，例如“weights”“ID.weights[2, :]”或“ID.words”</translation>
    </message>
    <message>
        <source>column %1: expected a whole number</source>
        <translation>第 %1 列：应为整数</translation>
    </message>
    <message>
        <source>&apos;hides&apos; names &apos;%1&apos;, which is no stage, measure or text here</source>
        <translation>“hides”中的“%1”在这里不是阶段、度量或文字</translation>
    </message>
    <message>
        <source>the board shows that option &apos;%1&apos; is right before there is an answer; cover more with &apos;hides&apos;, or set &apos;covers&apos; to false</source>
        <translation>还没有作答，画面就显示选项“%1”正确；请用“hides”多遮住一些，或把“covers”设为 false</translation>
    </message>
    <message>
        <source>The inputs have %1 numbers; a step of a lesson holds at most %2.</source>
        <translation>输入共有 %1 个数；课程的一步最多容纳 %2 个。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is in %2.md, but not here</source>
        <translation>%2.md 中有“%1”，这里没有</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not in %2.md</source>
        <translation>%2.md 中没有“%1”</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, expected &apos;### question&apos;, &apos;### hint&apos;, &apos;### answer&apos;, &apos;### why OPTION: words&apos; or &apos;### card ID: words&apos;</source>
        <translation>是“%1”，应为“### question”“### hint”“### answer”“### why 选项: 文字”或“### card ID: 文字”</translation>
    </message>
    <message>
        <source>the reason of an option is one line, in its heading</source>
        <translation>选项的理由只有一行，写在标题里</translation>
    </message>
    <message>
        <source>there is no option &apos;%1&apos; before it</source>
        <translation>前面没有选项“%1”</translation>
    </message>
    <message>
        <source>at most %1 parts</source>
        <translation>最多 %1 个部分</translation>
    </message>
    <message>
        <source>The inputs are too large for a lesson, which has no maps. Use fewer tokens.</source>
        <translation>输入太大：课程无法显示地图。请减少词元。</translation>
    </message>
    <message>
        <source>expected an operator or the end, there is &apos;%1&apos;</source>
        <translation>应为运算符或到此结束，这里却是“%1”</translation>
    </message>
    <message>
        <source>expected a number, a name or &apos;(&apos;, there is &apos;%1&apos;</source>
        <translation>应为数、名称或“(”，这里却是“%1”</translation>
    </message>
    <message>
        <source>expected &apos;%1&apos;</source>
        <translation>应为“%1”</translation>
    </message>
    <message>
        <source>is nested too deep</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>expected &apos;within&apos; and a tolerance</source>
        <translation>应为“within”和一个容差</translation>
    </message>
    <message>
        <source>expected a number, a name or &apos;(&apos;, there is the end</source>
        <translation>应为数、名称或“(”，但表达式已经结束</translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation>不是数</translation>
    </message>
    <message>
        <source>expected the name of a stage</source>
        <translation>应为某个阶段的名称</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no constant; a stage is &apos;%1.weights&apos;, constants are %2</source>
        <translation>“%1”不是常数；阶段写作“%1.weights”，常数有 %2</translation>
    </message>
    <message>
        <source>there is no function &apos;%1&apos;, expected one of %2</source>
        <translation>没有函数“%1”，应为以下之一：%2</translation>
    </message>
    <message>
        <source>%1 takes the id of a setting</source>
        <translation>%1 需要一个设置的名称</translation>
    </message>
    <message>
        <source>%1 takes two arguments</source>
        <translation>%1 需要两个参数</translation>
    </message>
    <message>
        <source>neighborhood: needs the arrangement of the %1 keys as an image: the menu Attention has it, or %2</source>
        <translation>neighborhood：需要把 %1 个键排列成图像：可用“注意力”菜单，或 %2</translation>
    </message>
    <message>
        <source>A token reads its own document only, where several are packed into one sequence for training. The input segment_ids has the documents.</source>
        <translation>训练时把多篇文档拼成一个序列，词元只关注自己的文档。文档编号在输入 segment_ids 中。</translation>
    </message>
    <message>
        <source>Drafted tokens form a tree: each reads itself, the tokens on its way to the root, and the c keys before all drafts (speculative decoding). c is the query offset, or S - L without one. The input parents has the tree.</source>
        <translation>草稿词元构成一棵树：每个词元关注自己、通向根的路上的词元，以及所有草稿之前的 c 个键（推测解码）。c 是查询偏移；未设偏移时为 S - L。树由一项输入给出。</translation>
    </message>
    <message>
        <source>The tokens are the patches of an image: each reads W_i, a box of w x w patches around itself. The arrangement of the keys gives rows and columns.</source>
        <translation>词元是图像块：每个词元关注 W_i，即自己周围 w x w 个图像块的方框。行与列由键的排列给出。</translation>
    </message>
    <message>
        <source>&apos;{{screen: ...}}&apos; holds words and no {{numbers}}</source>
        <translation>“{{screen: ...}}”里写文字，不能有 {{数值}}</translation>
    </message>
    <message>
        <source>The lecture needs a title and a summary.</source>
        <translation>讲座需要标题和简介。</translation>
    </message>
    <message>
        <source>The lecture has no step yet.</source>
        <translation>讲座还没有步骤。</translation>
    </message>
    <message>
        <source>The slide “%1” asks a question and has no answer.</source>
        <translation>幻灯片“%1”提出了问题，却没有答案。</translation>
    </message>
    <message>
        <source>false: distances are rounded to bfloat16, which is not supported</source>
        <translation>false：距离被舍入为 bfloat16，这里不支持</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多为 %1</translation>
    </message>
    <message>
        <source>lists of kinds, each with a number</source>
        <translation>由种类及其个数组成的列表</translation>
    </message>
    <message>
        <source>global or local for each layer, not %1</source>
        <translation>每层为 global 或 local，而不是 %1</translation>
    </message>
    <message>
        <source>an even number up to %1</source>
        <translation>不超过 %1 的偶数</translation>
    </message>
    <message>
        <source>a multiple of %1</source>
        <translation>%1 的倍数</translation>
    </message>
    <message>
        <source>a number other than 0</source>
        <translation>不为 0 的数</translation>
    </message>
    <message>
        <source>null: here the limit is not supported</source>
        <translation>null：这里不支持该上限</translation>
    </message>
    <message>
        <source>use_task_id is not true</source>
        <translation>use_task_id 不为 true</translation>
    </message>
    <message>
        <source>flex_attention computes dot products; %1 has other scores</source>
        <translation>flex_attention 计算点积；%1 的分数不是点积</translation>
    </message>
    <message>
        <source>flex_attention multiplies scores by one number; the scale %1 is more than that</source>
        <translation>flex_attention 只用一个数乘分数；缩放 %1 不止如此</translation>
    </message>
    <message>
        <source>flex_attention scales before the softmax</source>
        <translation>flex_attention 在 softmax 之前缩放</translation>
    </message>
    <message>
        <source>flex_attention blocks by -inf; the mask fill is %1</source>
        <translation>flex_attention 用 -inf 遮挡；这里的屏蔽值是 %1</translation>
    </message>
    <message>
        <source>The position %1 has no short score_mod</source>
        <translation>位置 %1 没有简短的 score_mod 写法</translation>
    </message>
    <message>
        <source>%1 reads %2 the most: %3 in A, %4 in B</source>
        <translation>%1 关注最多的都是 %2：A 中 %3，B 中 %4</translation>
    </message>
    <message>
        <source>%1 reads %2 the most in A (%3), %4 in B (%5)</source>
        <translation>%1 在 A 中关注最多的是 %2（%3），在 B 中是 %4（%5）</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>the same in A and B</source>
        <translation>A 与 B 相同</translation>
    </message>
    <message>
        <source>most changed: %1, from %2 to %3</source>
        <translation>变化最大：%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>there is no name &apos;%1&apos;, expected %2</source>
        <translation>没有名为“%1”的变量，应为 %2</translation>
    </message>
    <message>
        <source>one of the masks: %1</source>
        <translation>下列掩码之一：%1</translation>
    </message>
    <message>
        <source>score, one of %1, or an array with its indices: NAME[q]</source>
        <translation>score、%1 之一，或带下标的数组：NAME[q]</translation>
    </message>
    <message>
        <source>one of %1, or an array with its indices: NAME[q]</source>
        <translation>%1 之一，或带下标的数组：NAME[q]</translation>
    </message>
    <message>
        <source>%1 takes %2 or more values, got %3</source>
        <translation>%1 需要 %2 个或更多的值，实际有 %3 个</translation>
    </message>
    <message>
        <source>%1 takes %2 values, got %3</source>
        <translation>%1 需要 %2 个值，实际有 %3 个</translation>
    </message>
    <message>
        <source>%1 has %2 indices here and %3 before</source>
        <translation>%1 在这里有 %2 个下标，前面有 %3 个</translation>
    </message>
    <message>
        <source>is a condition, expected a number</source>
        <translation>是条件，应为数</translation>
    </message>
    <message>
        <source>is an array of numbers, expected one of True and False, or a comparison</source>
        <translation>是数值数组，应为 True 和 False 的数组，或一个比较</translation>
    </message>
    <message>
        <source>is a number, expected a condition such as q &gt;= k</source>
        <translation>是数，应为条件，例如 q &gt;= k</translation>
    </message>
    <message>
        <source>index %1 of %2 is %3 in head %4, row %5 and key %6; expected a whole number from 0 to %7</source>
        <translation>%2 的第 %1 个下标在头 %4、行 %5、键 %6 处为 %3；应为 0 到 %7 的整数</translation>
    </message>
    <message>
        <source>the array %1 is missing; it has %2 axes here</source>
        <translation>缺少数组 %1；它在这里有 %2 个轴</translation>
    </message>
    <message>
        <source>%1 has shape %2, expected %3 axes, one for each index</source>
        <translation>%1 的形状为 %2，应有 %3 个轴，每个下标一个</translation>
    </message>
    <message>
        <source>comparisons cannot be chained: write a &lt; b and b &lt; c for a &lt; b &lt; c</source>
        <translation>比较不能连写：a &lt; b &lt; c 要写成 a &lt; b and b &lt; c</translation>
    </message>
    <message>
        <source>Attention in tiles modifies no scores; the problem has score_mod %1</source>
        <translation>分块注意力不修改分数；这里有 score_mod %1</translation>
    </message>
    <message>
        <source>Attention in tiles keeps a cell where every mask keeps it; the masks are combined by %1</source>
        <translation>分块注意力只保留所有掩码都保留的单元格；这里的掩码按 %1 组合</translation>
    </message>
    <message>
        <source>Attention in tiles computes expressions that are bands or documents, joined by and: q - k &lt; 8, doc[b, q] == doc[b, k]; the mask %1 is another one</source>
        <translation>分块注意力只计算由 and 连接的带状或文档表达式：q - k &lt; 8、doc[b, q] == doc[b, k]；掩码 %1 不属于此类</translation>
    </message>
    <message>
        <source>There are no numbers to show on a page</source>
        <translation>没有可在网页中显示的数字</translation>
    </message>
    <message>
        <source>A page of HTML shows up to %1 numbers, there are %2</source>
        <translation>一个 HTML 网页最多显示 %1 个数字，这里有 %2 个</translation>
    </message>
    <message>
        <source>Only what takes the exact pass, score by score, can replace its scores by an expression.</source>
        <translation>只有逐个分数精确计算的机制才能用表达式替换分数。</translation>
    </message>
    <message>
        <source>is about images, sound or video, which this model reads only elsewhere</source>
        <translation>与图像、声音或视频有关，此处只计算文本部分</translation>
    </message>
    <message>
        <source>the part of the model for images or sound is not read: this is its language model alone</source>
        <translation>不读取模型的图像或声音部分：这里只有其语言模型</translation>
    </message>
    <message>
        <source>%1: &apos;text_config.model_type&apos; is &quot;%2&quot;, a type that AttnLab does not compute</source>
        <translation>%1：&apos;text_config.model_type&apos; 为“%2”，AttnLab 不计算此类型</translation>
    </message>
    <message>
        <source>%1: &apos;text_config.model_type&apos; is &quot;%2&quot;, expected the type of a decoder</source>
        <translation>%1：&apos;text_config.model_type&apos; 为“%2”，应为解码器类型</translation>
    </message>
    <message>
        <source>it has no attention</source>
        <translation>它没有注意力</translation>
    </message>
    <message>
        <source>AttnLab does not compute its convolutions and merged patches</source>
        <translation>AttnLab 不计算其卷积与合并的图像块</translation>
    </message>
    <message>
        <source>AttnLab does not compute its sparse attention</source>
        <translation>AttnLab 不计算其稀疏注意力</translation>
    </message>
    <message>
        <source>no kind of model that AttnLab computes has this type</source>
        <translation>AttnLab 能计算的模型中没有此类型</translation>
    </message>
    <message>
        <source>%1: &apos;model_type&apos; is &quot;%2&quot;: %3. In Python, AttnLab records its attention while Transformers computes it:
%4
%5</source>
        <translation>%1：&apos;model_type&apos; 为“%2”：%3。可在 Python 中于 Transformers 计算时由 AttnLab 记录其注意力：
%4
%5</translation>
    </message>
    <message>
        <source>%1: parameter %2 is %3, expected a text</source>
        <translation>%1：参数 %2 为 %3，应为文本</translation>
    </message>
    <message>
        <source>An array that an expression reads</source>
        <translation>表达式读取的数组</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>True where a cell is kept. b, h, q, k: batch, head, query and key, from 0; doc[b, k] is an element of the array doc; and, or, not; + - * / // % **; abs, min, max, where</source>
        <translation>为真的单元格保留。b、h、q、k：批次、头、查询和键，从 0 起；doc[b, k] 是数组 doc 的元素；and、or、not;+ - * / // % **;abs、min、max、where</translation>
    </message>
    <message>
        <source>expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>A condition in the numbers of the cell and in named arrays, as mask_mod of FlexAttention.</source>
        <translation>关于单元格编号和具名数组的条件，与 FlexAttention 的 mask_mod 相同。</translation>
    </message>
    <message>
        <source>mask_combine: &apos;%1&apos; does not name the mask %2, expected all of %3</source>
        <translation>mask_combine：“%1”没有提到掩码 %2，应包含全部：%3</translation>
    </message>
    <message>
        <source>HTML: one page to explore in a browser</source>
        <translation>HTML：可在浏览器中交互查看的单个网页</translation>
    </message>
    <message>
        <source>%1: this build of the program lacks it</source>
        <translation>%1：此版本的程序缺少该文件</translation>
    </message>
    <message>
        <source>stage: &apos;%1&apos; has nothing to draw</source>
        <translation>stage：&apos;%1&apos; 没有可绘制的内容</translation>
    </message>
    <message>
        <source>The model gives no answer that a head could change</source>
        <translation>模型没有给出可供头改变的回答</translation>
    </message>
    <message>
        <source>There is no row %1 of logits, expected a number from 0 to %2</source>
        <translation>logits 没有第 %1 行，应为 0 到 %2</translation>
    </message>
    <message>
        <source>There is no outcome %1, expected a number from 0 to %2</source>
        <translation>没有结果 %1，应为 0 到 %2</translation>
    </message>
    <message>
        <source>There is no other text whose heads take the place of those of this one</source>
        <translation>没有另一段文本可用来替换此文本的各头</translation>
    </message>
    <message>
        <source>%1: the other text has %2 tokens, expected %3, as many as this one</source>
        <translation>%1：另一段文本有 %2 个词元，应与此文本一样有 %3 个</translation>
    </message>
    <message>
        <source>%1: has no other text whose head takes the place of head %2</source>
        <translation>%1：没有另一段文本可用来替换头 %2</translation>
    </message>
    <message>
        <source>corrected by what later keys replaced</source>
        <translation>按后面的键所替换的内容修正</translation>
    </message>
    <message>
        <source>Delta rule</source>
        <translation>delta 规则</translation>
    </message>
    <message>
        <source>Linear attention only adds to its state, so similar keys pile up. The delta rule first reads what the state holds for the key, then writes the difference from the new value: a key can be overwritten. As a matrix, this corrects the weights of earlier tokens.</source>
        <translation>线性注意力只往状态里加，相近的键会越积越多。delta 规则先读出状态中这个键对应的内容，再写入它与新值的差：一个键可以被改写。写成矩阵，就是修正前面词元的权重。</translation>
    </message>
    <message>
        <source>Give two neighbouring tokens the same key: later queries read only the second value, and the weight of the first is 0. With beta = 0 a token writes nothing, with 1 it replaces the old value, with 2 it reflects it.</source>
        <translation>让相邻两个词元的键相同：后面的查询只读到第二个值，第一个的权重为 0。beta = 0 时词元什么也不写入，为 1 时替换旧值，为 2 时把旧值翻转。</translation>
    </message>
    <message>
        <source>× what the gates keep, corrected by what later keys replaced</source>
        <translation>× 门控保留的比例，并按后面的键所替换的内容修正</translation>
    </message>
    <message>
        <source>Gated delta rule</source>
        <translation>门控 delta 规则</translation>
    </message>
    <message>
        <source>Joins two ways to forget: gates clear the state at once, and the delta rule replaces the value of a single key. Qwen3-Next has one gate a head and token, Kimi Linear one for each feature; both alternate such layers with layers of softmax attention.</source>
        <translation>把两种遗忘方式合在一起：门控一次清空状态，delta 规则替换单个键的值。Qwen3-Next 中每个头、每个词元一个门，Kimi Linear 中每个特征一个门；两者都让这样的层与 softmax 注意力层交替出现。</translation>
    </message>
    <message>
        <source>Compare it with the delta rule on the same inputs: rows read the same tokens, fading with the distance. Hugging Face&apos;s Qwen3-Next is this with log_gate = g and the scale pre_norm with t = √d.</source>
        <translation>在同样的输入上与 delta 规则比较：各行读取同样的词元，但随距离淡去。Hugging Face 的 Qwen3-Next 就是它，其中 log_gate = g，缩放为 pre_norm，t = √d。</translation>
    </message>
    <message>
        <source>× what the gates keep</source>
        <translation>× 门控保留的比例</translation>
    </message>
    <message>
        <source>Gated linear attention</source>
        <translation>门控线性注意力</translation>
    </message>
    <message>
        <source>Each token has a gate f between 0 and 1 that decides how much of the state it keeps, as one number (Mamba-2) or one for each feature (GLA). A gate near 0 clears the state, so a text can forget at its own places instead of at a fixed rate.</source>
        <translation>每个词元有一个 0 到 1 之间的门 f，决定保留多少状态：可以是一个数（Mamba-2），也可以每个特征一个数（GLA）。门接近 0 就清空状态，所以文本可以在自己需要的地方遗忘，而不是按固定的速度。</translation>
    </message>
    <message>
        <source>Set the gate of one token to −20: its row and all later ones read nothing before it, and state_norm falls. With all gates at 20 nothing fades. Mamba-2 calls the query C, the key B, and x dt the value.</source>
        <translation>把一个词元的 gate 设为 −20：它这一行和后面各行都读不到它之前的内容，state_norm 随之下降。所有 gate 都为 20 时，什么也不淡去。在 Mamba-2 中，查询叫 C，键叫 B，值是 x dt。</translation>
    </message>
    <message>
        <source>features φ</source>
        <translation>特征 φ</translation>
    </message>
    <message>
        <source>elu: x + 1 above 0, else exp(x), never negative; relu: max(x, 0); identity: x itself</source>
        <translation>elu：大于 0 时为 x + 1，否则为 exp(x)，不会是负数；relu：max(x, 0)；identity：x 本身</translation>
    </message>
    <message>
        <source>normalise the rows</source>
        <translation>各行归一化</translation>
    </message>
    <message>
        <source>Divides each row of weights by its sum</source>
        <translation>把每行权重除以该行之和</translation>
    </message>
    <message>
        <source>linear: statistics are of rows that are shares of 1, expected normalise = true and features = elu or relu</source>
        <translation>linear：统计量要求每行是总和为 1 的份额，应为 normalise = true，且 features = elu 或 relu</translation>
    </message>
    <message>
        <source>Rows that read nothing: %1 (first: %2). Every key is blocked, or the features have no product, so their weights and output are 0</source>
        <translation>什么也读不到的行：%1（第一行：%2）。所有键都被屏蔽，或者特征的乘积为 0，所以权重和输出都是 0</translation>
    </message>
    <message>
        <source>The scale %1 has no effect: each row is divided by its sum, which has the same factor</source>
        <translation>缩放 %1 不起作用：每行都除以该行之和，而和里有同样的因子</translation>
    </message>
    <message>
        <source>each row over its sum</source>
        <translation>每行除以该行之和</translation>
    </message>
    <message>
        <source>size of the state</source>
        <translation>状态的大小</translation>
    </message>
    <message>
        <source>the state after the last token</source>
        <translation>最后一个词元之后的状态</translation>
    </message>
    <message>
        <source>Linear attention</source>
        <translation>线性注意力</translation>
    </message>
    <message>
        <source>Replaces exp(q·k) by a product of features φ(q)·φ(k). Then the sums over keys can be computed first, so the cost grows with L + S instead of L × S. Under a causal mask the sums are a state that grows token by token: attention read as a recurrent network.</source>
        <translation>把 exp(q·k) 换成特征的乘积 φ(q)·φ(k)。这样就可以先对键求和，代价随 L + S 增长，而不是 L × S。在因果掩码下，这些和就是逐个词元累加的状态：注意力可以当作循环网络来读。</translation>
    </message>
    <message>
        <source>Compare it with the softmax on the same inputs: the rows are much flatter, since no product of few features is as sharp as an exponential. Multiply the queries by three: the softmax sharpens, linear attention hardly does. output and state_output are the same numbers by two ways.</source>
        <translation>在同样的输入上与 softmax 比较：各行平缓得多，因为几个特征的乘积不如指数尖锐。把查询乘以 3：softmax 变得更尖锐，线性注意力几乎不变。output 和 state_output 是用两种方法算出的同样的数。</translation>
    </message>
    <message>
        <source>Blocked keys are left out of the sums.</source>
        <translation>被屏蔽的键不计入求和。</translation>
    </message>
    <message>
        <source>elu</source>
        <translation>ELU</translation>
    </message>
    <message>
        <source>identity</source>
        <translation>恒等（identity）</translation>
    </message>
    <message>
        <source>How much of the state a token keeps, one number a head, above 0 and at most 1</source>
        <translation>每个词元保留多少状态，每个头一个数，大于 0 且不超过 1</translation>
    </message>
    <message>
        <source>decay γ</source>
        <translation>衰减 γ</translation>
    </message>
    <message>
        <source>How much of the state a token keeps, in all heads; 0: 1 − 2^(−5−h) in head h, as in the paper</source>
        <translation>每个词元保留多少状态，所有头相同；0 表示头 h 用 1 − 2^(−5−h)，与论文一致</translation>
    </message>
    <message>
        <source>Divides each row by the root of the sum of its decay, then by the size of its own sum where that is above 1</source>
        <translation>把每行除以其衰减之和的平方根；该行之和的绝对值大于 1 时，再除以这个绝对值</translation>
    </message>
    <message>
        <source>retention: gradients with normalise = true are not possible, expected normalise = false</source>
        <translation>retention：normalise = true 时无法计算梯度，应为 normalise = false</translation>
    </message>
    <message>
        <source>gamma: has %1, expected numbers above 0 and at most 1</source>
        <translation>gamma：含有 %1，应为大于 0 且不超过 1 的数</translation>
    </message>
    <message>
        <source>× decay, rows divided</source>
        <translation>× 衰减，各行再除以一个数</translation>
    </message>
    <message>
        <source>× decay</source>
        <translation>× 衰减</translation>
    </message>
    <message>
        <source>The array gamma is given: the parameter gamma is not used</source>
        <translation>已给出数组 gamma：参数 gamma 不起作用</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>保留机制（Retention）</translation>
    </message>
    <message>
        <source>Attention without a softmax whose scores fade with the distance by a factor γ, one for each head. So the past fits in one matrix that each token multiplies by γ and adds to: the memory stays the same however long the text is.</source>
        <translation>没有 softmax 的注意力，得分随距离按因子 γ 淡去，每个头一个 γ。于是过去的内容可以放进一个矩阵，每个词元先把它乘以 γ，再往里加：无论文本多长，占用的内存不变。</translation>
    </message>
    <message>
        <source>Compare the stage decay of the heads: a head with a small γ reads the last tokens, one with γ near 1 all of them. Set γ to 1: the causal linear attention with the identity as features. The output and state_output are the same numbers by two ways.</source>
        <translation>比较各个头的 decay 阶段：γ 小的头只读最后几个词元，γ 接近 1 的头全都读。把 γ 设为 1，就是以恒等函数为特征的因果线性注意力。output 和 state_output 是用两种方法算出的同样的数。</translation>
    </message>
    <message>
        <source>gradient of the gates</source>
        <translation>门控的梯度</translation>
    </message>
    <message>
        <source>gradient of the decays</source>
        <translation>衰减的梯度</translation>
    </message>
    <message>
        <source>gradient of beta</source>
        <translation>beta 的梯度</translation>
    </message>
    <message>
        <source>largest difference between A V and the output of the state</source>
        <translation>A V 与由状态得到的输出之间的最大差</translation>
    </message>
    <message>
        <source>the output again, read from the state</source>
        <translation>再算一次输出，从状态读出</translation>
    </message>
    <message>
        <source>Rows of weights sum to between %1 and %2, and %3 weights are negative: nothing makes them shares of 1</source>
        <translation>每行权重之和在 %1 与 %2 之间，有 %3 个权重是负数：它们并不是 1 的份额</translation>
    </message>
    <message>
        <source>how much is kept from j to i</source>
        <translation>从 j 到 i 还保留多少</translation>
    </message>
    <message>
        <source>the state after each chunk</source>
        <translation>每一块之后的状态</translation>
    </message>
    <message>
        <source>largest difference between A V and the output by chunks</source>
        <translation>A V 与分块算出的输出之间的最大差</translation>
    </message>
    <message>
        <source>With a carried state</source>
        <translation>传递状态</translation>
    </message>
    <message>
        <source>The state holds all tokens up to the query. A padded token writes nothing in it; no other cell can be left out.</source>
        <translation>状态包含直到该查询为止的所有词元。填充的词元不写入任何内容；除此之外，没有哪个单元格可以略去。</translation>
    </message>
    <message>
        <source>The state knows no distance but that of its own decay.</source>
        <translation>除了自身的衰减，状态不知道距离。</translation>
    </message>
    <message>
        <source>There is no softmax.</source>
        <translation>这里没有 softmax。</translation>
    </message>
    <message>
        <source>The output is read from the state with one factor for all scores, which this scale does not have.</source>
        <translation>输出从状态读出，所有得分共用一个因子，而这种缩放没有这样的因子。</translation>
    </message>
    <message>
        <source>A row of these weights is no distribution: it may be negative and has any sum.</source>
        <translation>这些权重的一行不是分布：可以有负数，总和也可以是任何数。</translation>
    </message>
    <message>
        <source>A padded token writes nothing in the state.</source>
        <translation>填充的词元不往状态里写入任何内容。</translation>
    </message>
    <message>
        <source>log_gate: is given beside gate, expected one of the two</source>
        <translation>log_gate：与 gate 同时给出，只应给出其中之一</translation>
    </message>
    <message>
        <source>log_gate: has %1 at %2, expected the logarithm of a share, at most 0</source>
        <translation>log_gate：在 %2 处为 %1，应为比例的对数，不超过 0</translation>
    </message>
    <message>
        <source>One row a token: what it reads from the state</source>
        <translation>每行一个词元：它从状态里读什么</translation>
    </message>
    <message>
        <source>One row a token: where it writes in the state</source>
        <translation>每行一个词元：它写到状态的什么地方</translation>
    </message>
    <message>
        <source>One row a token: what it writes</source>
        <translation>每行一个词元：它写入什么</translation>
    </message>
    <message>
        <source>How much of the state each token keeps, before the sigmoid: one number a token, or one a feature</source>
        <translation>每个词元保留多少状态，取 sigmoid 之前的数：每个词元一个，或每个特征一个</translation>
    </message>
    <message>
        <source>Instead of gate: the logarithm of what is kept, at most 0</source>
        <translation>代替 gate：保留比例的对数，不超过 0</translation>
    </message>
    <message>
        <source>How much of the old value each token replaces, usually 0 to 1; without it 1</source>
        <translation>每个词元替换旧值的多少，通常为 0 到 1；不给出时为 1</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>Also computes the output by chunks of this many tokens, and shows the state after each chunk; 0: off</source>
        <translation>另外按这么多词元一块来计算输出，并显示每一块之后的状态；0 表示不用</translation>
    </message>
    <message>
        <source>flex_attention has softmax alone; the normaliser is %1</source>
        <translation>flex_attention 只有 softmax；这里的归一化是 %1</translation>
    </message>
    <message>
        <source>The decay %1 has no short score_mod</source>
        <translation>衰减 %1 没有简短的 score_mod</translation>
    </message>
    <message>
        <source>Attention in tiles has softmax alone; the problem has the normaliser %1</source>
        <translation>分块注意力只有 softmax；这里的归一化是 %1</translation>
    </message>
    <message>
        <source>Attention in tiles has no decay; the problem has %1</source>
        <translation>分块注意力没有衰减；这里有 %1</translation>
    </message>
    <message>
        <source>Only what takes the exact pass, score by score, can replace the softmax or let keys fade.</source>
        <translation>只有逐个分数精确计算的机制才能替换 softmax 或让键衰减。</translation>
    </message>
    <message>
        <source>What is left of a key after one token, in all heads; if it is not given 1 − 2^(−5−h) in head h, as in the paper</source>
        <translation>每过一个词元，键还剩多少，所有头相同；不填时头 h 用 1 − 2^(−5−h)，与论文一致</translation>
    </message>
    <message>
        <source>What is left of a key after one token, one number a head, above 0 and at most 1</source>
        <translation>每过一个词元，键还剩多少，每个头一个数，大于 0 且不超过 1</translation>
    </message>
    <message>
        <source>One number a key: its sigmoid is what the token leaves of all keys before it</source>
        <translation>每个键一个数：其 sigmoid 表示该词元让之前的所有键还剩多少</translation>
    </message>
    <message>
        <source>The same as a logarithm, 0 or less: what the token leaves of all keys before it</source>
        <translation>同上，但取对数，不大于 0：该词元让之前的所有键还剩多少</translation>
    </message>
    <message>
        <source>retention</source>
        <translation>retention 衰减</translation>
    </message>
    <message>
        <source>Weights fall by the factor γ of their head with each token between key and query. Without a normaliser this is the retention of RetNet.</source>
        <translation>键与查询之间每隔一个词元，权重就乘一次所在头的系数 γ。不作归一化时，这就是 RetNet 的 retention。</translation>
    </message>
    <message>
        <source>forget gate</source>
        <translation>遗忘门</translation>
    </message>
    <message>
        <source>Each token says what it leaves of the past: the logarithms of the gates between key and query are added to the score.</source>
        <translation>每个词元决定过去的内容还留下多少：键与查询之间各个门的对数加到分数上。</translation>
    </message>
    <message>
        <source>forget_gate: is given together with log_forget_gate, expected one of the two</source>
        <translation>forget_gate：与 log_forget_gate 同时给出，只应给出其中一个</translation>
    </message>
    <message>
        <source>forget_gate: is missing, expected it or log_forget_gate for the decay forget</source>
        <translation>forget_gate：缺失，衰减 forget 需要它或 log_forget_gate</translation>
    </message>
    <message>
        <source>log_forget_gate: has %1, expected numbers of at most 0</source>
        <translation>log_forget_gate：含有 %1，应为不大于 0 的数</translation>
    </message>
    <message>
        <source>decay: &apos;%1&apos; is not one of %2</source>
        <translation>衰减：“%1”不在 %2 之中</translation>
    </message>
    <message>
        <source>decay: has queries at the positions %1 to %2, expected them among the keys, 0 to %3; see the query offset</source>
        <translation>衰减：查询位于 %1 到 %2，应在键的范围 0 到 %3 之内；请检查查询偏移</translation>
    </message>
    <message>
        <source>sum of the row</source>
        <translation>行之和</translation>
    </message>
    <message>
        <source>weights that are not 0</source>
        <translation>不为 0 的权重数</translation>
    </message>
    <message>
        <source>slope of the normaliser</source>
        <translation>归一化的斜率</translation>
    </message>
    <message>
        <source>%1, × decay</source>
        <translation>%1，× 衰减</translation>
    </message>
    <message>
        <source>%1, then %2</source>
        <translation>%1，然后 %2</translation>
    </message>
    <message>
        <source>threshold τ</source>
        <translation>阈值 τ</translation>
    </message>
    <message>
        <source>back through the normaliser</source>
        <translation>反向穿过归一化</translation>
    </message>
    <message>
        <source>%1: gradients with the normaliser %2 are not possible, expected another one</source>
        <translation>%1：归一化为 %2 时无法求梯度，请换用其他方式</translation>
    </message>
    <message>
        <source>bias b</source>
        <translation>偏置 b</translation>
    </message>
    <message>
        <source>Added to every score; if it is not given −log S, so that a row of equal scores sums to about 1</source>
        <translation>加到每个分数上；不填时为 −log S，使分数全相等的一行之和约为 1</translation>
    </message>
    <message>
        <source>divisor</source>
        <translation>除数</translation>
    </message>
    <message>
        <source>Divides every weight; if it is not given the number S of keys</source>
        <translation>每个权重都除以它；不填时为键数 S</translation>
    </message>
    <message>
        <source>1 is softmax, 2 is sparsemax; the larger, the fewer keys have a weight</source>
        <translation>1 即 softmax，2 即 sparsemax；越大，有权重的键越少</translation>
    </message>
    <message>
        <source>before: those before the query; self: its own, too</source>
        <translation>before：查询之前的键；self：还包括查询自身的键</translation>
    </message>
    <message>
        <source>Every key that is not blocked has a weight above 0, and the weights of a row sum to 1: a query has to read something.</source>
        <translation>未被屏蔽的键权重都大于 0，一行权重之和为 1：查询总得读取点什么。</translation>
    </message>
    <message>
        <source>As softmax with one more key whose score and value are 0. A query that finds nothing can read almost nothing, so no key has to serve as a sink.</source>
        <translation>相当于在 softmax 中多加一个分数和值都为 0 的键。查询若找不到目标，可以几乎什么都不读，不必有键充当汇点。</translation>
    </message>
    <message>
        <source>A row sums to less than 1; the rest is the weight of the additional score of 0</source>
        <translation>一行之和小于 1；其余是额外那个 0 分数的权重</translation>
    </message>
    <message>
        <source>Each weight depends on its own score alone: keys do not compete. The bias −log S keeps the sum of a row near 1 where scores are near 0.</source>
        <translation>每个权重只取决于自己的分数：键之间互不竞争。分数接近 0 时，偏置 −log S 使一行之和接近 1。</translation>
    </message>
    <message>
        <source>A row sums to anything from 0 to the number of keys</source>
        <translation>一行之和可以是 0 到键数之间的任何数</translation>
    </message>
    <message>
        <source>Scores below 0 have no weight, the others are divided by the number of keys. A row can be 0 throughout: the query then reads nothing.</source>
        <translation>小于 0 的分数没有权重，其余的除以键数。一行可以全为 0：此时查询什么都不读。</translation>
    </message>
    <message>
        <source>A row sums to anything from 0</source>
        <translation>一行之和可以是任何非负数</translation>
    </message>
    <message>
        <source>The point nearest to the scores whose weights sum to 1. Scores below the threshold τ have no weight at all.</source>
        <translation>在权重之和为 1 的点中，离分数最近的一个。低于阈值 τ 的分数完全没有权重。</translation>
    </message>
    <message>
        <source>Between softmax (α = 1) and sparsemax (α = 2): low scores have no weight, and the weights of the others change smoothly.</source>
        <translation>介于 softmax（α = 1）与 sparsemax（α = 2）之间：低分没有权重，其余权重平滑变化。</translation>
    </message>
    <message>
        <source>stick-breaking</source>
        <translation>折棍法</translation>
    </message>
    <message>
        <source>A stick of length 1 is broken from the nearest key to the first: each key takes the share σ of its score of what is left. Near keys come first, without any positions.</source>
        <translation>把长度为 1 的棍子从最近的键折到第一个键：每个键按其分数的 σ 取走剩余部分的相应份额。无需位置信息，近处的键自然优先。</translation>
    </message>
    <message>
        <source>A row sums to 0 .. 1; the rest is what is left of the stick</source>
        <translation>一行之和在 0 到 1 之间；其余是棍子剩下的部分</translation>
    </message>
    <message>
        <source>The scores themselves, which may be negative; blocked cells have the weight 0. The output is then linear in the values and in the scores.</source>
        <translation>分数本身，可以为负；被屏蔽的单元权重为 0。此时输出对值和分数都是线性的。</translation>
    </message>
    <message>
        <source>A row sums to any number, and weights may be negative</source>
        <translation>一行之和可以是任何数，权重可以为负</translation>
    </message>
    <message>
        <source>normaliser: &apos;%1&apos; is not one of %2</source>
        <translation>归一化：“%1”不在 %2 之中</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>self</source>
        <translation>含自身</translation>
    </message>
    <message>
        <source>The decay multiplies the weights of the softmax: a row sums to less than 1</source>
        <translation>衰减乘到 softmax 的权重上：一行之和小于 1</translation>
    </message>
    <message>
        <source>known mistakes are looked for where the weights are a softmax without a decay</source>
        <translation>仅当权重是不带衰减的 softmax 时，才查找常见错误</translation>
    </message>
    <message>
        <source>no mask, position or decay that uses it is on</source>
        <translation>没有启用使用它的掩码、位置或衰减</translation>
    </message>
    <message>
        <source>the decay %1 is off</source>
        <translation>衰减 %1 未启用</translation>
    </message>
    <message>
        <source>stage %1 has other axes than %2, expected stages with the same for one table</source>
        <translation>阶段 %1 的轴与 %2 不同；同一张表中的各阶段须有相同的轴</translation>
    </message>
    <message>
        <source>has &apos;%1&apos;, expected %2</source>
        <translation>当前为“%1”，应为%2</translation>
    </message>
    <message>
        <source>a width or WIDTHxHEIGHT in pt, in, cm or mm, such as 5.5in, 14cmx10cm or 396x170; each side from 36 to 14400 points</source>
        <translation>宽度或“宽x高”，单位为 pt、in、cm 或 mm，例如 5.5in、14cmx10cm、396x170；每边为 36 至 14400 点</translation>
    </message>
    <message>
        <source>Screen</source>
        <translation>屏幕</translation>
    </message>
    <message>
        <source>Slide, 16:9</source>
        <translation>幻灯片，16:9</translation>
    </message>
    <message>
        <source>Nature, one column (89 mm)</source>
        <translation>Nature 单栏（89 mm）</translation>
    </message>
    <message>
        <source>Nature, two columns (183 mm)</source>
        <translation>Nature 双栏（183 mm）</translation>
    </message>
    <message>
        <source>NeurIPS (5.5 in)</source>
        <translation>NeurIPS（5.5 in）</translation>
    </message>
    <message>
        <source>ICML, one column (3.25 in)</source>
        <translation>ICML 单栏（3.25 in）</translation>
    </message>
    <message>
        <source>ACL, one column (7.7 cm)</source>
        <translation>ACL 单栏（7.7 cm）</translation>
    </message>
    <message>
        <source>%1: text of %2 points; printed text has at least %3</source>
        <translation>%1：文字为 %2 点；印刷文字至少为 %3 点</translation>
    </message>
    <message>
        <source>%1: %2 dots per inch; print needs at least %3, or PDF</source>
        <translation>%1：分辨率为每英寸 %2 点；印刷至少需要 %3，或改用 PDF</translation>
    </message>
    <message>
        <source>%1: the figure is %2 points wide; the page has %3</source>
        <translation>%1：图宽 %2 点，而版面宽 %3 点</translation>
    </message>
    <message>
        <source>%1: the background is dark, and paper is white</source>
        <translation>%1：背景为深色，而纸张是白色的</translation>
    </message>
    <message>
        <source>auto or a finite number</source>
        <translation>auto 或一个有限的数</translation>
    </message>
    <message>
        <source>LaTeX: the figure has %1 cells, expected at most %2; PDF takes any number</source>
        <translation>LaTeX：图中有 %1 个单元格，最多允许 %2 个；PDF 没有此限制</translation>
    </message>
    <message>
        <source>LaTeX: holds heatmaps alone; PDF holds any picture</source>
        <translation>LaTeX：只支持热图；其他图请用 PDF</translation>
    </message>
    <message>
        <source>LaTeX: pgfplots, in the font of the document</source>
        <translation>LaTeX：pgfplots，使用文档字体</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Lines from queries to keys</source>
        <translation>从查询到键的连线</translation>
    </message>
    <message>
        <source>Arcs over the sentence</source>
        <translation>句子上方的弧线</translation>
    </message>
    <message>
        <source>What a query reads, as bars</source>
        <translation>一个查询读取的内容（条形图）</translation>
    </message>
    <message>
        <source>How much each key is read, as bars</source>
        <translation>每个键被读取的程度（条形图）</translation>
    </message>
    <message>
        <source>λ = exp(q1 · k1) − exp(q2 · k2) + λ_init, with the width of one half</source>
        <translation>λ = exp(q1 · k1) − exp(q2 · k2) + λ_init，宽度为一半</translation>
    </message>
    <message>
        <source>One row a query token: both queries of a head side by side</source>
        <translation>每个查询词元一行：一个头的两个查询并排放置</translation>
    </message>
    <message>
        <source>One row a query token, with two heads for each pair</source>
        <translation>每个查询词元一行，每对占两个头</translation>
    </message>
    <message>
        <source>One row a key token: both keys of a head side by side</source>
        <translation>每个键词元一行：一个头的两个键并排放置</translation>
    </message>
    <message>
        <source>One row a key token, with two heads for each pair</source>
        <translation>每个键词元一行，每对占两个头</translation>
    </message>
    <message>
        <source>factor λ</source>
        <translation>系数 λ</translation>
    </message>
    <message>
        <source>How much of the second softmax is taken away; the arrays lambda_q1 … lambda_k2 replace it</source>
        <translation>减去第二个 softmax 的多少；给出数组 lambda_q1 … lambda_k2 时由它们代替</translation>
    </message>
    <message>
        <source>the two halves</source>
        <translation>两半</translation>
    </message>
    <message>
        <source>features: of each row of queries and keys; adjacent: heads 2h and 2h + 1; halves: heads h and h + H</source>
        <translation>features：查询和键每一行的前后两半；adjacent：头 2h 与 2h + 1；halves：头 h 与 h + H</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Counted from 1: λ_init = 0.8 − 0.6 exp(−0.3 (layer − 1))</source>
        <translation>从 1 数起：λ_init = 0.8 − 0.6 exp(−0.3 (layer − 1))</translation>
    </message>
    <message>
        <source>norm of the output</source>
        <translation>输出的归一化</translation>
    </message>
    <message>
        <source>rms: each row of a head&apos;s output is divided by its root mean square, then multiplied by 1 − λ_init</source>
        <translation>rms：每个头的输出按行除以均方根，再乘 1 − λ_init</translation>
    </message>
    <message>
        <source>first − λ second</source>
        <translation>第一个 − λ × 第二个</translation>
    </message>
    <message>
        <source>× V, then divided by its root mean square</source>
        <translation>× V，再除以均方根</translation>
    </message>
    <message>
        <source>A row of weights sums to 1 − λ, and weights can be negative: a key that the second softmax reads more than the first is taken away from the output</source>
        <translation>一行权重之和为 1 − λ，权重可以为负：第二个 softmax 读得比第一个多的键，会从输出中减去</translation>
    </message>
    <message>
        <source>lambda_q1 and its companions are given: the parameter lambda is not used</source>
        <translation>已给出 lambda_q1 等数组：不使用参数 lambda</translation>
    </message>
    <message>
        <source>Differential</source>
        <translation>差分注意力</translation>
    </message>
    <message>
        <source>Each head has two queries and two keys for a token, and so two rows of weights. The second is taken away from the first, as a differential amplifier does with two signals: what both read in common cancels, and what only the first reads stays.</source>
        <translation>每个头对一个词元有两个查询、两个键，因而有两行权重。从第一行中减去第二行，就像差分放大器处理两路信号：两者都读到的相互抵消，只有第一行读到的留下来。</translation>
    </message>
    <message>
        <source>Its weights are a difference of two softmaxes.</source>
        <translation>它的权重是两个 softmax 之差。</translation>
    </message>
    <message>
        <source>Its weights are a difference of two softmaxes and can be negative.</source>
        <translation>它的权重是两个 softmax 之差，可能为负。</translation>
    </message>
    <message>
        <source>Move λ from 0 to 1. At 0 this is the first half alone; as λ grows, the flat background of a row fades, and negative weights show where the second half reads more than the first.</source>
        <translation>把 λ 从 0 移到 1。为 0 时只有第一半；λ 越大，一行中平坦的背景越淡，负权重则说明那里第二半读得比第一半多。</translation>
    </message>
    <message>
        <source>adjacent</source>
        <translation>相邻</translation>
    </message>
    <message>
        <source>halves</source>
        <translation>前后两半</translation>
    </message>
    <message>
        <source>rms</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>Multiplies each feature of the latent rows after their norm</source>
        <translation>潜在行归一化之后，逐特征相乘</translation>
    </message>
    <message>
        <source>Makes the latent row of a token, then the rope features of the key that all heads share</source>
        <translation>先得到词元的潜在行，再得到各头共用的键的 rope 个特征</translation>
    </message>
    <message>
        <source>Bias of kv_a_proj_with_mqa.weight</source>
        <translation>kv_a_proj_with_mqa.weight 的偏置</translation>
    </message>
    <message>
        <source>Makes a narrow row of which q_b_proj.weight makes the queries</source>
        <translation>先得到一个窄行，q_b_proj.weight 再由它得到查询</translation>
    </message>
    <message>
        <source>Bias of q_a_proj.weight</source>
        <translation>q_a_proj.weight 的偏置</translation>
    </message>
    <message>
        <source>Multiplies each feature of those rows after their norm</source>
        <translation>这些行归一化之后，逐特征相乘</translation>
    </message>
    <message>
        <source>Makes the queries of all heads from the tokens: nope features that meet the latent row, then rope features that turn with the position</source>
        <translation>由词元得到所有头的查询：先是与潜在行相遇的 nope 个特征，再是随位置旋转的 rope 个特征</translation>
    </message>
    <message>
        <source>Instead of q_proj.weight: makes the queries from the rows of q_a_proj.weight</source>
        <translation>代替 q_proj.weight：由 q_a_proj.weight 的行得到查询</translation>
    </message>
    <message>
        <source>Makes keys and values from the latent row: for each head nope rows of keys, then vd of values</source>
        <translation>由潜在行得到键和值：每个头先是 nope 行键，再是 vd 行值</translation>
    </message>
    <message>
        <source>Bias of o_proj.weight</source>
        <translation>o_proj.weight 的偏置</translation>
    </message>
    <message>
        <source>form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>plain: keys and values of every head are made; absorbed: queries meet the latent rows themselves, as with a cache. Both give the same output</source>
        <translation>plain：算出每个头的键和值；absorbed：查询直接与潜在行相遇，就像使用缓存时。两者的输出相同</translation>
    </message>
    <message>
        <source>rope base</source>
        <translation>旋转底数</translation>
    </message>
    <message>
        <source>Pair c of rope/2 turns by base^(-2c/rope) radians a token</source>
        <translation>共 rope/2 对，第 c 对每个词元转 底数^(-2c/rope) 弧度</translation>
    </message>
    <message>
        <source>neighbours turn</source>
        <translation>相邻特征成对旋转</translation>
    </message>
    <message>
        <source>True: features 2c and 2c + 1 turn together; false: c and c + rope/2</source>
        <translation>真：特征 2c 与 2c + 1 一起旋转；假：c 与 c + rope/2</translation>
    </message>
    <message>
        <source>ε of the norm</source>
        <translation>归一化的 ε</translation>
    </message>
    <message>
        <source>Added to the mean square of a row</source>
        <translation>加到一行的均方上</translation>
    </message>
    <message>
        <source>first position</source>
        <translation>首个位置</translation>
    </message>
    <message>
        <source>Where token 0 stands</source>
        <translation>词元 0 所在的位置</translation>
    </message>
    <message>
        <source>mla: form=absorbed never makes the keys, which scale %1 would normalise; expected form=plain</source>
        <translation>mla：form=absorbed 不会算出键，而缩放 %1 要对键归一化；应为 form=plain</translation>
    </message>
    <message>
        <source>q_proj.weight: has shape %1, expected %2 columns, one for each feature of x</source>
        <translation>q_proj.weight：形状为 %1，应有 %2 列，与 x 的特征一一对应</translation>
    </message>
    <message>
        <source>%1: is given without %2</source>
        <translation>%1：给出了它，却没有 %2</translation>
    </message>
    <message>
        <source>kv_a_proj_with_mqa.weight: leaves %1 features for the rotated key, expected an even number: they turn in pairs</source>
        <translation>kv_a_proj_with_mqa.weight：留给旋转键的特征有 %1 个，应为偶数：它们成对旋转</translation>
    </message>
    <message>
        <source>latent rows, in the cache</source>
        <translation>潜在行，存入缓存</translation>
    </message>
    <message>
        <source>the key&apos;s matrix in the query</source>
        <translation>键的矩阵并入查询</translation>
    </message>
    <message>
        <source>Multi-head latent (MLA)</source>
        <translation>多头潜在注意力（MLA）</translation>
    </message>
    <message>
        <source>A cache of keys and values grows with the number of heads. Here it holds one narrow latent row a token, of which each head makes its keys and values, and one rotated key that all heads share, since a rotation could not be moved to the query&apos;s side.</source>
        <translation>键值缓存会随头数增长。这里每个词元只存一个窄的潜在行，各头由它得到自己的键和值，另存一个各头共用的旋转键，因为旋转无法移到查询一侧。</translation>
    </message>
    <message>
        <source>Its own features turn with the position.</source>
        <translation>它自己的特征就随位置旋转。</translation>
    </message>
    <message>
        <source>Compare form=plain with form=absorbed: the weights are the same, but the absorbed form never makes the keys and values of the heads. The note says how many numbers a token leaves in the cache.</source>
        <translation>比较 form=plain 与 form=absorbed：权重相同，但后者从不算出各头的键和值。说明里写着每个词元在缓存中留下多少个数。</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>普通</translation>
    </message>
    <message>
        <source>absorbed</source>
        <translation>吸收</translation>
    </message>
    <message>
        <source>One row a token: what it is found by</source>
        <translation>每个词元一行：凭什么被找到</translation>
    </message>
    <message>
        <source>How much each key of a block counts in its compressed key; without it all the same</source>
        <translation>块内每个键在压缩键中占多少；不给时一样多</translation>
    </message>
    <message>
        <source>The same for values</source>
        <translation>同上，用于值</translation>
    </message>
    <message>
        <source>How much the compressed, the selected and the window reading count, for each query; without it 1/3 each</source>
        <translation>每个查询的压缩、选择、窗口三种读取各占多少；不给时各 1/3</translation>
    </message>
    <message>
        <source>compressed block</source>
        <translation>压缩块</translation>
    </message>
    <message>
        <source>How many tokens a compressed block covers</source>
        <translation>一个压缩块覆盖多少个词元</translation>
    </message>
    <message>
        <source>stride</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>From the first token of a compressed block to that of the next; divides both kinds of blocks</source>
        <translation>从一个压缩块的首词元到下一个的距离；两种块的大小都须是它的倍数</translation>
    </message>
    <message>
        <source>selected block</source>
        <translation>选择块</translation>
    </message>
    <message>
        <source>How many tokens are selected together</source>
        <translation>一次选中多少个词元</translation>
    </message>
    <message>
        <source>blocks a row</source>
        <translation>每行块数</translation>
    </message>
    <message>
        <source>How many blocks a row selects, those that are always in included</source>
        <translation>一行选多少块，含必选的块</translation>
    </message>
    <message>
        <source>first blocks</source>
        <translation>开头的块</translation>
    </message>
    <message>
        <source>How many blocks at the beginning are always in</source>
        <translation>开头有多少块必选</translation>
    </message>
    <message>
        <source>last blocks</source>
        <translation>最近的块</translation>
    </message>
    <message>
        <source>How many blocks up to the query&apos;s own are always in</source>
        <translation>到查询自己的块为止，有多少块必选</translation>
    </message>
    <message>
        <source>How many keys the window has, the query&apos;s own included</source>
        <translation>窗口里有多少个键，含查询自己的</translation>
    </message>
    <message>
        <source>nsa: parameter %1 has %2, expected a multiple of stride, which is %3</source>
        <translation>nsa：参数 %1 为 %2，应为 stride（%3）的倍数</translation>
    </message>
    <message>
        <source>one key a block</source>
        <translation>每块一个键</translation>
    </message>
    <message>
        <source>one value a block</source>
        <translation>每块一个值</translation>
    </message>
    <message>
        <source>softmax over the compressed blocks</source>
        <translation>对压缩块做 softmax</translation>
    </message>
    <message>
        <source>importance of the blocks</source>
        <translation>各块的重要性</translation>
    </message>
    <message>
        <source>the blocks that are read</source>
        <translation>被读取的块</translation>
    </message>
    <message>
        <source>softmax over the selected blocks</source>
        <translation>对选中的块做 softmax</translation>
    </message>
    <message>
        <source>three readings, added by gates</source>
        <translation>三种读取按门相加</translation>
    </message>
    <message>
        <source>A row of weights sums to its gates, and to less while no compressed block is complete</source>
        <translation>一行权重之和等于它的各门之和；还没有完整的压缩块时更小</translation>
    </message>
    <message>
        <source>A row of weights adds three distributions.</source>
        <translation>一行权重是三个分布相加。</translation>
    </message>
    <message>
        <source>Native sparse (NSA)</source>
        <translation>原生稀疏注意力（NSA）</translation>
    </message>
    <message>
        <source>A query reads the text before it three times: all of it in compressed blocks, the tokens of the blocks that this coarse reading finds important, and the keys just before it. Gates say how much each reading counts.</source>
        <translation>查询把前文读三遍：以压缩块粗读全文，选读粗读认为重要的那些块里的词元，再近读紧挨在前的键。门决定每种读取占多少。</translation>
    </message>
    <message>
        <source>Its three readings have masks of their own: no query reads a later key.</source>
        <translation>它的三种读取各有自己的掩码：查询从不读后面的键。</translation>
    </message>
    <message>
        <source>Blocks are compressed from the keys as they are given.</source>
        <translation>块由给定的键直接压缩而来。</translation>
    </message>
    <message>
        <source>Compressed keys are not scored like the keys that such a scale is made for.</source>
        <translation>压缩键的得分与这种缩放所针对的键不同。</translation>
    </message>
    <message>
        <source>Compare the three readings: the compressed weights cover everything before the query in wide steps, the selected ones fill a few blocks, the window the last keys. Raise the number of selected blocks and watch the difference from exact attention.</source>
        <translation>比较三种读取：压缩权重以大步覆盖查询之前的一切，选择权重填满少数几块，窗口只有最后几个键。增加选择的块数，看与精确注意力的差怎样变化。</translation>
    </message>
    <message>
        <source>The queries of the indexer, HI heads of width EI</source>
        <translation>索引器的查询，HI 个头，宽 EI</translation>
    </message>
    <message>
        <source>The keys of the indexer, which its heads share</source>
        <translation>索引器的键，由它的各头共用</translation>
    </message>
    <message>
        <source>How much each head of the indexer counts, one row a query</source>
        <translation>索引器每个头占多少，每个查询一行</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>How many keys of a row stay, among those that the masks keep</source>
        <translation>在掩码留下的键中，每行保留多少个</translation>
    </message>
    <message>
        <source>select by</source>
        <translation>选择依据</translation>
    </message>
    <message>
        <source>scores: by the row&apos;s own masked scores; indexer: by a small attention of its own, the same keys for all heads</source>
        <translation>scores：按该行掩码后的得分；indexer：按另一个小注意力，各头选同样的键</translation>
    </message>
    <message>
        <source>the keys that are read</source>
        <translation>被读取的键</translation>
    </message>
    <message>
        <source>scores of the indexer</source>
        <translation>索引器的得分</translation>
    </message>
    <message>
        <source>exact weight of the keys that are not read</source>
        <translation>未读取的键的精确权重之和</translation>
    </message>
    <message>
        <source>Top-k selection</source>
        <translation>Top-k 选择</translation>
    </message>
    <message>
        <source>Each query reads only its k best keys. They are chosen by the scores themselves, or by an indexer, a small attention that is cheaper to compute and picks the same keys for all heads. The weight of the keys left out goes to those that stay.</source>
        <translation>每个查询只读最好的 k 个键。可以按得分本身来选，也可以由索引器来选：索引器是一个更省计算的小注意力，为各头选出同样的键。落选的键的权重归留下的键所有。</translation>
    </message>
    <message>
        <source>A blocked key cannot be selected.</source>
        <translation>被屏蔽的键不能被选中。</translation>
    </message>
    <message>
        <source>Lower k and watch the mass that is lost: rows with one large weight lose next to nothing, flat rows lose most of theirs. Then select by the indexer: where its choice differs from the scores&apos; own, the difference shows weights that were lost although they were large.</source>
        <translation>减小 k，看失去的权重：只有一个大权重的行几乎不受影响，平坦的行失去大半。再改用索引器选择：它与得分的选择不一致之处，差值会显出虽然很大却丢掉的权重。</translation>
    </message>
    <message>
        <source>indexer</source>
        <translation>索引器</translation>
    </message>
    <message>
        <source>tile [%1, %2] is not there, there are %3 x %4</source>
        <translation>没有块 [%1, %2]，共有 %3 × %4 块</translation>
    </message>
    <message>
        <source>tile [%1, %2] is skipped: all its cells are blocked</source>
        <translation>块 [%1, %2] 被跳过：它的所有单元格都被屏蔽</translation>
    </message>
    <message>
        <source>only the board &apos;%1&apos; has a tile to begin with</source>
        <translation>只有实验板“%1”能指定从哪一块开始</translation>
    </message>
    <message>
        <source>no step of a lesson has the formula &apos;%1&apos;</source>
        <translation>没有课程步骤使用公式“%1”</translation>
    </message>
    <message>
        <source>Products with weights are computed in bfloat16: their factors have 8 bits, their sums are float32</source>
        <translation>与模型参数的乘积以 bfloat16 计算：因数有 8 位有效位，求和使用 float32</translation>
    </message>
    <message>
        <source>Weights of the file in %1 are rounded to bfloat16</source>
        <translation>文件中 %1 类型的参数会舍入为 bfloat16</translation>
    </message>
    <message>
        <source>This processor has no instructions for bfloat16: rounded numbers are multiplied in float32, which is not faster</source>
        <translation>此处理器没有 bfloat16 指令：舍入后的数以 float32 相乘，速度不会更快</translation>
    </message>
    <message>
        <source>the figure has no room for it, %1 %2; expected its file beside the figure</source>
        <translation>图中放不下它（%1 %2）；请与图一起打开它所在的文件</translation>
    </message>
    <message>
        <source>%1: is missing in %2: %3</source>
        <translation>%1：%2 中没有：%3</translation>
    </message>
    <message>
        <source>Figure: profiles are beside weights and maps, and this figure has neither</source>
        <translation>图：各行各列的统计只用于权重和地图，而这幅图两者都不是</translation>
    </message>
    <message>
        <source>No font here has the letters of these labels: %1</source>
        <translation>本机没有字体能显示这些标签中的字：%1</translation>
    </message>
    <message>
        <source>PDF cannot hold emoji of colour fonts, PNG and SVG can; labels: %1</source>
        <translation>PDF 不能包含彩色字体的表情符号，PNG 和 SVG 可以；标签：%1</translation>
    </message>
    <message>
        <source>pdfLaTeX prints numbers for these labels, XeLaTeX and LuaLaTeX their letters: %1</source>
        <translation>对这些标签，pdfLaTeX 只能输出编码，XeLaTeX 和 LuaLaTeX 能输出文字：%1</translation>
    </message>
    <message>
        <source>%1: pass &apos;%2&apos;: has the mechanism %3, expected one that carries a state: %4</source>
        <translation>%1：“%2”的机制是 %3，应为传递状态的机制：%4</translation>
    </message>
    <message>
        <source>%1: pass &apos;%2&apos;: %3 has no mask, bias, sinks, soft cap, window or offset</source>
        <translation>%1：“%2”：%3 没有掩码、偏置、sink、软上限、窗口和偏移</translation>
    </message>
    <message>
        <source>flex_attention computes one softmax of dot products; %1 takes more steps</source>
        <translation>flex_attention 只计算一次点积的 softmax；%1 的步骤更多</translation>
    </message>
    <message>
        <source>scaled_dot_product_attention makes one softmax of scaled and masked dot products; here is %1</source>
        <translation>scaled_dot_product_attention 只计算一次经缩放和掩码的点积的 softmax；而这里有%1</translation>
    </message>
    <message>
        <source>the mechanism %1</source>
        <translation>机制 %1</translation>
    </message>
    <message>
        <source>the scale %1</source>
        <translation>缩放 %1</translation>
    </message>
    <message>
        <source>the normaliser %1</source>
        <translation>归一化方式 %1</translation>
    </message>
    <message>
        <source>the decay %1</source>
        <translation>衰减 %1</translation>
    </message>
    <message>
        <source>score_mod %1</source>
        <translation>score_mod：%1</translation>
    </message>
    <message>
        <source>the mask fill %1</source>
        <translation>掩码填充值 %1</translation>
    </message>
    <message>
        <source>Attention in tiles keeps no weights, so there is no view %1 of them</source>
        <translation>分块计算不保留权重，因此没有视图 %1</translation>
    </message>
    <message>
        <source>the view %1 is off</source>
        <translation>视图 %1 未启用</translation>
    </message>
    <message>
        <source>The output projection: what the values of each head become in the output</source>
        <translation>输出投影：各个头的值在输出中变成什么</translation>
    </message>
    <message>
        <source>The same as torch stores it, (out, in)</source>
        <translation>同上，按 torch 的存储方式 (out, in)</translation>
    </message>
    <message>
        <source>The word of each token: equal neighbours are one word, a negative number is a word of its own</source>
        <translation>每个词元属于哪个词：相邻且相同的编号是同一个词，负数自成一词</translation>
    </message>
    <message>
        <source>The same for keys that are not the queries&apos; tokens</source>
        <translation>同上，用于与查询不是同一批词元的键</translation>
    </message>
    <message>
        <source>The same for queries</source>
        <translation>同上，用于查询</translation>
    </message>
    <message>
        <source>weights × ‖v‖</source>
        <translation>权重 × ‖v‖</translation>
    </message>
    <message>
        <source>What each key adds to the output: its weight times the length of its value. A key that is read only because something must be read has a short value, and disappears.</source>
        <translation>每个键对输出的贡献：权重乘以其值的长度。有的键被读取只是因为总得读点什么，它的值很短，在这里就看不见了。</translation>
    </message>
    <message>
        <source>weights × ‖v W_O‖</source>
        <translation>权重 × ‖v W_O‖</translation>
    </message>
    <message>
        <source>The same after the output projection of the head, which may shorten or lengthen the values.</source>
        <translation>同上，但在该头的输出投影之后计算；投影可能使值变短或变长。</translation>
    </message>
    <message>
        <source>without key %1, rest renormalised</source>
        <translation>去掉键 %1，其余重新归一化</translation>
    </message>
    <message>
        <source>Columns are left out, the first one unless others are given, and the rest of each row is divided by its sum: what a head reads beside its sink.</source>
        <translation>去掉若干列（未指定时为第一列），每行其余部分除以它们的和：看一个头除 sink 之外还读些什么。</translation>
    </message>
    <message>
        <source>weights by words</source>
        <translation>按词合并的权重</translation>
    </message>
    <message>
        <source>Tokens are joined to words: to a word goes the sum of the weights of its tokens, from a word the mean.</source>
        <translation>把词元合并成词：读向一个词的权重是其各词元权重之和，一个词读出的权重是其各词元的平均。</translation>
    </message>
    <message>
        <source>view %1: %2 has no value for each key</source>
        <translation>视图 %1：%2 并非每个键都有值</translation>
    </message>
    <message>
        <source>view no_sink: a weight is negative, so the rest of its row has no sum of shares</source>
        <translation>视图 no_sink：有权重为负，该行其余部分之和不是份额</translation>
    </message>
    <message>
        <source>view: &apos;%1&apos; is not one of %2</source>
        <translation>view：“%1”不在 %2 之中</translation>
    </message>
    <message>
        <source>view %1: takes no value, and &apos;%2&apos; has one</source>
        <translation>视图 %1 不带参数，而“%2”带有参数</translation>
    </message>
    <message>
        <source>view no_sink: has &apos;%1&apos;, expected different numbers of keys from 0, joined by commas</source>
        <translation>视图 no_sink：为“%1”，应为从 0 开始、互不相同、以逗号分隔的键编号</translation>
    </message>
    <message>
        <source>view no_sink: leaves out key %1, expected keys from 0 to %2</source>
        <translation>视图 no_sink：去掉键 %1，应为 0 到 %2 之间的键</translation>
    </message>
    <message>
        <source>w_o: has %1 rows, expected %2, the features of all heads</source>
        <translation>w_o：有 %1 行，应为 %2 行，即所有头的特征数</translation>
    </message>
    <message>
        <source>query_word_ids: is missing, expected %1 numbers, one for each query; word_ids has one for each key</source>
        <translation>缺少 query_word_ids，应为 %1 个数，每个查询一个；word_ids 是每个键一个</translation>
    </message>
    <message>
        <source>view %1: there is no output projection of these heads</source>
        <translation>视图 %1：这些头没有输出投影</translation>
    </message>
    <message>
        <source>view %1: the output projection has %2 rows, expected %3, the features of all heads</source>
        <translation>视图 %1：输出投影有 %2 行，应为 %3 行，即所有头的特征数</translation>
    </message>
    <message>
        <source>view words: %1 has %2 queries and %3 keys, and the words are of %4 and %5 tokens</source>
        <translation>视图 words：%1 有 %2 个查询和 %3 个键，而词编号对应 %4 个和 %5 个词元</translation>
    </message>
    <message>
        <source>view %1: form=absorbed makes no values, expected form=plain</source>
        <translation>视图 %1：form=absorbed 不产生值，应为 form=plain</translation>
    </message>
    <message>
        <source>view %1: %2 has no weights to show</source>
        <translation>视图 %1：%2 没有可显示的权重</translation>
    </message>
    <message>
        <source>Views are of weights of queries and keys.</source>
        <translation>视图只适用于查询与键之间的权重。</translation>
    </message>
    <message>
        <source>Some weights are negative: the rest of a row is no sum of shares.</source>
        <translation>有些权重为负：一行的其余部分之和不是份额。</translation>
    </message>
    <message>
        <source>form=absorbed makes no values; the form plain does.</source>
        <translation>form=absorbed 不产生值；plain 形式才有。</translation>
    </message>
    <message>
        <source>There is no value for each key.</source>
        <translation>并非每个键都有值。</translation>
    </message>
    <message>
        <source>There is no output projection w_o of these heads.</source>
        <translation>这些头没有输出投影 w_o。</translation>
    </message>
    <message>
        <source>there is no input &apos;%1&apos;</source>
        <translation>没有输入“%1”</translation>
    </message>
    <message>
        <source>cell %1 is outside an array of shape %2</source>
        <translation>单元格 %1 超出了形状为 %2 的数组</translation>
    </message>
    <message>
        <source>A page that computes holds up to %1 numbers, there are %2; a page of numbers alone (attnlab render) holds more</source>
        <translation>可计算的网页最多容纳 %1 个数字，这里有 %2 个；只含数字的网页（attnlab render）可以容纳更多</translation>
    </message>
    <message>
        <source>%1: has NaN, which a page that computes cannot hold</source>
        <translation>%1：含有 NaN，可计算的网页无法容纳</translation>
    </message>
    <message>
        <source>This build of the program lacks the engine for pages (attnlab.wasm): build it with scripts/web</source>
        <translation>此版本的程序缺少网页用的计算引擎（attnlab.wasm）：请用 scripts/web 构建</translation>
    </message>
    <message>
        <source>compares images with texts, behind the last layer</source>
        <translation>用于在最后一层之后比较图像与文本</translation>
    </message>
    <message>
        <source>the part of the model for text is not read: this is the tower for images alone</source>
        <translation>模型的文本部分未读取：这里只有图像塔</translation>
    </message>
    <message>
        <source>the factors are in the files</source>
        <translation>这些系数在文件中</translation>
    </message>
    <message>
        <source>there are none of them</source>
        <translation>模型中没有这些词元</translation>
    </message>
    <message>
        <source>0 or more</source>
        <translation>不小于 0</translation>
    </message>
    <message>
        <source>heads of a multiple of 4 numbers</source>
        <translation>每个头的维数为 4 的倍数</translation>
    </message>
    <message>
        <source>positions are rotary</source>
        <translation>位置采用旋转编码</translation>
    </message>
    <message>
        <source>as many rows of patches as columns</source>
        <translation>图块的行数与列数相同</translation>
    </message>
    <message>
        <source>The model gives no answer at one position that its layers could be asked for</source>
        <translation>模型没有在单个位置上给出答案，无法逐层查看</translation>
    </message>
    <message>
        <source>position_biased_input is not true</source>
        <translation>position_biased_input 不为 true</translation>
    </message>
    <message>
        <source>0: AttnLab does not compute its convolution</source>
        <translation>0：AttnLab 不计算其卷积</translation>
    </message>
    <message>
        <source>an even number</source>
        <translation>偶数</translation>
    </message>
    <message>
        <source>preprocessor_config.json: &apos;crop_size&apos; is %1 x %2, and the picture has %3 x %4</source>
        <translation>preprocessor_config.json：“crop_size”为 %1 x %2，而图片为 %3 x %4</translation>
    </message>
    <message>
        <source>preprocessor_config.json: the image has %1 x %2, expected at least one patch of %3 x %4</source>
        <translation>preprocessor_config.json：图像为 %1 x %2，至少应有一个 %3 x %4 的图块</translation>
    </message>
    <message>
        <source>Map B has %1 × %2 cells and map A %3 × %4: only maps of equal size can be compared.</source>
        <translation>地图 B 有 %1 × %2 个单元格，地图 A 有 %3 × %4 个：只能比较大小相同的地图。</translation>
    </message>
    <message>
        <source>Map B has no batch %1, head %2: it has %3 batches of %4 heads.</source>
        <translation>地图 B 没有批次 %1 的头 %2：它有 %3 个批次，各 %4 个头。</translation>
    </message>
    <message>
        <source>the settings of rotary positions</source>
        <translation>旋转位置编码的设置</translation>
    </message>
    <message>
        <source>this model also reads where each word stands on its page; here all boxes are 0</source>
        <translation>该模型还读取每个词在页面上的位置；这里所有边框都为 0</translation>
    </message>
    <message>
        <source>%1 for each layer, not %2</source>
        <translation>每层应为 %1，而不是 %2</translation>
    </message>
    <message>
        <source>layers %1 have no attention to show: %2</source>
        <translation>第 %1 层没有可显示的注意力：%2</translation>
    </message>
    <message>
        <source>they are convolutions over a few tokens, and are computed</source>
        <translation>它们是对少数词元的卷积，照常计算</translation>
    </message>
    <message>
        <source>attention_type is original_full</source>
        <translation>attention_type 为 original_full</translation>
    </message>
    <message>
        <source>a model that marks no token to read all others</source>
        <translation>不标记任何词元去读取其他所有词元的模型</translation>
    </message>
    <message>
        <source>texts of more than %1 tokens are refused, since their tokens read blocks that are drawn at random</source>
        <translation>超过 %1 个词元的文本会被拒绝，因为其中的词元会读取随机抽取的块</translation>
    </message>
    <message>
        <source>a number, as long_mscale</source>
        <translation>一个数字，与 long_mscale 一样</translation>
    </message>
    <message>
        <source>2, of 2 experts or more</source>
        <translation>2，且至少有 2 个专家</translation>
    </message>
    <message>
        <source>heads of an even width</source>
        <translation>宽度为偶数的头</translation>
    </message>
    <message>
        <source>even numbers from 2 on</source>
        <translation>不小于 2 的偶数</translation>
    </message>
    <message>
        <source>is for tokens that a program marks to read all others; here no token is marked</source>
        <translation>用于程序标记为读取其他所有词元的词元；这里没有标记任何词元</translation>
    </message>
    <message>
        <source>encoder_attention_type is local</source>
        <translation>encoder_attention_type 为 local</translation>
    </message>
    <message>
        <source>local: AttnLab does not compute the sums of blocks that tokens also read</source>
        <translation>local：AttnLab 不计算词元还会读取的分块之和</translation>
    </message>
    <message>
        <source>draws hidden patches again, behind the last layer</source>
        <translation>在最后一层之后重新画出被遮住的图块</translation>
    </message>
    <message>
        <source>training hides this share of the patches; here none is hidden</source>
        <translation>训练时会遮住这一比例的图块；这里没有遮住任何图块</translation>
    </message>
    <message>
        <source>This model predicts no next token, so it cannot write on</source>
        <translation>此模型不预测下一个词元，因此无法续写</translation>
    </message>
    <message>
        <source>The temperature is %1, expected 0 or a positive number</source>
        <translation>温度为 %1，应为 0 或正数</translation>
    </message>
    <message>
        <source>A head that gives what it gives for another text cannot write on, because that text has no further tokens</source>
        <translation>取自另一段文本的头无法用于续写，因为那段文本没有更多词元</translation>
    </message>
    <message>
        <source>This model reads at most %1 tokens, and the text has them: nothing can be written behind it</source>
        <translation>此模型最多读取 %1 个词元，文本已达到此数：无法在其后续写</translation>
    </message>
    <message>
        <source>the settings of this side</source>
        <translation>这一侧的设置</translation>
    </message>
    <message>
        <source>%1, that of the encoder</source>
        <translation>%1，即编码器的宽度</translation>
    </message>
    <message>
        <source>%1: has no head of the decoder, &apos;decoder.cls.predictions&apos;</source>
        <translation>%1：没有解码器的输出头“decoder.cls.predictions”</translation>
    </message>
    <message>
        <source>the type of an encoder</source>
        <translation>一种编码器的类型</translation>
    </message>
    <message>
        <source>a number, or auto</source>
        <translation>一个数字，或 auto</translation>
    </message>
    <message>
        <source>they are state spaces (Mamba), and are computed</source>
        <translation>它们是状态空间（Mamba），照常计算</translation>
    </message>
    <message>
        <source>they follow the gated delta rule, and are computed</source>
        <translation>它们遵循门控 delta 规则，照常计算</translation>
    </message>
    <message>
        <source>chooses the code, not its result</source>
        <translation>选择所用的代码，不影响结果</translation>
    </message>
    <message>
        <source>guesses tokens behind the next one</source>
        <translation>猜测下一个词元之后的词元</translation>
    </message>
    <message>
        <source>has no effect on texts of this length</source>
        <translation>对这样长度的文本没有影响</translation>
    </message>
    <message>
        <source>%1 reads %2: over 99%</source>
        <translation>%1 关注 %2：超过 99%</translation>
    </message>
    <message>
        <source>add a learned key (bias_k)</source>
        <translation>添加可学习的键（bias_k）</translation>
    </message>
    <message>
        <source>add a zero key</source>
        <translation>添加零键</translation>
    </message>
    <message>
        <source>return weights</source>
        <translation>返回权重</translation>
    </message>
    <message>
        <source>average weights over heads</source>
        <translation>对各头的权重取平均</translation>
    </message>
    <message>
        <source>the sizes of this mask are not known, so that it cannot be painted</source>
        <translation>这个掩码的尺寸未知，因此无法涂改</translation>
    </message>
    <message>
        <source>a board has at most %1 settings</source>
        <translation>一块展示板最多有 %1 种设置</translation>
    </message>
    <message>
        <source>a board keeps one setting</source>
        <translation>展示板至少要保留一种设置</translation>
    </message>
    <message>
        <source>there is no step %1 of a training</source>
        <translation>没有训练的第 %1 步</translation>
    </message>
    <message>
        <source>a board has no part &apos;%1&apos;</source>
        <translation>展示板没有“%1”这一部分</translation>
    </message>
    <message>
        <source>there is no lesson &apos;%1&apos;</source>
        <translation>没有课程“%1”</translation>
    </message>
    <message>
        <source>normalization_type is no_norm</source>
        <translation>normalization_type 为 no_norm</translation>
    </message>
    <message>
        <source>an odd number</source>
        <translation>奇数</translation>
    </message>
    <message>
        <source>a divisor of %1 and %2</source>
        <translation>%1 和 %2 的公约数</translation>
    </message>
    <message>
        <source>This model gives classes of a text, which its decoder reads, too: it takes no target</source>
        <translation>该模型给出文本的类别，解码器也读取该文本：不接受目标文本</translation>
    </message>
    <message>
        <source>The text has no token %1, its end, whose position gives the classes</source>
        <translation>文本中没有表示结尾的词元 %1，而类别由它的位置给出</translation>
    </message>
    <message>
        <source>This model gives classes of a text, which its decoder reads, too: it takes no other decoder_input_ids</source>
        <translation>该模型给出文本的类别，解码器也读取该文本：不接受其他 decoder_input_ids</translation>
    </message>
    <message>
        <source>The picture of %1 x %2 is to be sized to %3 x %4, expected at most %5 pixels</source>
        <translation>%1 × %2 的图片需要缩放为 %3 × %4，像素总数应不超过 %5</translation>
    </message>
    <message>
        <source>true, or another kind of pooling</source>
        <translation>true，或另一种池化方式</translation>
    </message>
    <message>
        <source>none: AttnLab puts no prompt in front of a text</source>
        <translation>无：AttnLab 不在文本前添加提示词</translation>
    </message>
    <message>
        <source>the folder itself</source>
        <translation>文件夹本身</translation>
    </message>
    <message>
        <source>%1: has the module %2, which AttnLab does not compute</source>
        <translation>%1：含有 AttnLab 不计算的模块 %2</translation>
    </message>
    <message>
        <source>This model reads an image, which has no embedding as a text</source>
        <translation>该模型读取图像，没有文本的嵌入向量</translation>
    </message>
    <message>
        <source>The embeddings have %1 and %2 numbers, expected as many</source>
        <translation>两个嵌入向量分别有 %1 个和 %2 个数，个数应相同</translation>
    </message>
    <message>
        <source>An embedding of zeros has no direction</source>
        <translation>全零的嵌入向量没有方向</translation>
    </message>
    <message>
        <source>%1: tensors that AttnLab does not read: %2: each %3</source>
        <translation>%1：本程序不读取的张量：%2，%3</translation>
    </message>
    <message>
        <source>%1 or less</source>
        <translation>%1 或更小</translation>
    </message>
    <message>
        <source>prefix: &apos;%1&apos; is not in the files, which hold no layer whose names begin alike</source>
        <translation>prefix：文件中没有“%1”，文件里也没有名称以相同前缀开头的层</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3: models of this kind with experts are not read from GGUF</source>
        <translation>%1：“%2”为 %3：不支持从 GGUF 读取这种带专家的模型</translation>
    </message>
    <message>
        <source>there is no change to undo</source>
        <translation>没有可撤销的更改</translation>
    </message>
    <message>
        <source>belongs to the task of pretraining</source>
        <translation>属于预训练任务</translation>
    </message>
    <message>
        <source>counts for models with an adapter</source>
        <translation>只对带适配器的模型起作用</translation>
    </message>
    <message>
        <source>as many numbers as &apos;conv_dim&apos; has, %1</source>
        <translation>与 &apos;conv_dim&apos; 一样多的数，即 %1 个</translation>
    </message>
    <message>
        <source>AttnLab does not compute how it reads sound</source>
        <translation>AttnLab 不计算它读取声音的方式</translation>
    </message>
    <message>
        <source>This model reads a sound, and none is given</source>
        <translation>这个模型读取声音，而没有给出声音</translation>
    </message>
    <message>
        <source>sound: has shape %1, expected %2: channels, steps</source>
        <translation>sound：形状为 %1，应为 %2：通道、步</translation>
    </message>
    <message>
        <source>sound: has %1 steps, too few for one frame</source>
        <translation>sound：只有 %1 步，不足一帧</translation>
    </message>
    <message>
        <source>%1: was cut: its header names %2 bytes of samples, and the file has %3</source>
        <translation>%1：文件不完整：文件头写明采样数据有 %2 字节，实际只有 %3 字节</translation>
    </message>
    <message>
        <source>%1: is not a file, expected a sound</source>
        <translation>%1：不是文件，应为声音文件</translation>
    </message>
    <message>
        <source>%1: cannot be read as a sound (WAV, FLAC, OGG, MP3): %2</source>
        <translation>%1：无法作为声音（WAV、FLAC、OGG、MP3）读取：%2</translation>
    </message>
    <message>
        <source>%1: has no samples, expected a sound</source>
        <translation>%1：没有任何采样，应为声音</translation>
    </message>
    <message>
        <source>%1: has %2 at %3 s, expected finite samples</source>
        <translation>%1：在 %3 s 处的采样为 %2，应为有限值</translation>
    </message>
    <message>
        <source>%1: was cut: its header names %2 samples, and the file has %3</source>
        <translation>%1：文件不完整：文件头写明有 %2 个采样，实际只有 %3 个</translation>
    </message>
    <message>
        <source>%1, as the model reads</source>
        <translation>%1，与模型读取的一致</translation>
    </message>
    <message>
        <source>%1 s, the time that the model reads</source>
        <translation>%1 s，即模型读取的时长</translation>
    </message>
    <message>
        <source>pairs of a position from 1 on and an id</source>
        <translation>由位置（从 1 起）和 id 组成的数对</translation>
    </message>
    <message>
        <source>the number of an outcome</source>
        <translation>结果的编号</translation>
    </message>
    <message>
        <source>%1: has %2 samples a second, and the model reads %3. Convert the sound, for example by: ffmpeg -i %1 -ar %3 OUT.wav</source>
        <translation>%1：采样率为每秒 %2 个，而模型读取每秒 %3 个。请先转换声音，例如：ffmpeg -i %1 -ar %3 OUT.wav</translation>
    </message>
    <message>
        <source>The sound has %1 channels; the model reads their mean</source>
        <translation>声音有 %1 个声道；模型读取它们的平均</translation>
    </message>
    <message>
        <source>The sound has %1 s; the model reads the first %2 s</source>
        <translation>声音长 %1 s；模型只读取开头的 %2 s</translation>
    </message>
    <message>
        <source>%1: has %2 samples, too few for one frame of the model</source>
        <translation>%1：只有 %2 个采样，不足模型的一帧</translation>
    </message>
    <message>
        <source>heads whose width is a multiple of 4</source>
        <translation>宽度为 4 的倍数的注意力头</translation>
    </message>
    <message>
        <source>config.json: the tower for images has %1 layers, fewer than are read of it</source>
        <translation>config.json：图像塔有 %1 层，少于要读取的层</translation>
    </message>
    <message>
        <source>layers from %1 to %2</source>
        <translation>%1 至 %2 的层</translation>
    </message>
    <message>
        <source>at least one layer</source>
        <translation>至少一层</translation>
    </message>
    <message>
        <source>leaves out the first patch, because the tower has no class token: images are not read</source>
        <translation>图像塔没有类别词元，因此会漏掉第一个图像块：不读取图像</translation>
    </message>
    <message>
        <source>the square of a divisor of %1, the patches of a side</source>
        <translation>%1（每边的图像块数）的某个约数的平方</translation>
    </message>
    <message>
        <source>one layer</source>
        <translation>一层</translation>
    </message>
    <message>
        <source>%1: has no preprocessor_config.json, which says how an image becomes numbers</source>
        <translation>%1：没有 preprocessor_config.json，无从得知如何把图像转换为数值</translation>
    </message>
    <message>
        <source>%1: has a crop or a size that AttnLab does not compute for a model of this kind</source>
        <translation>%1：含有 AttnLab 对此类模型不支持的裁剪或尺寸设置</translation>
    </message>
    <message>
        <source>The tokenizer has no token %1, with which the model reads an image</source>
        <translation>分词器没有词元 %1，而模型用它读取图像</translation>
    </message>
    <message>
        <source>image: has shape %1, too small for one token of the model</source>
        <translation>image：形状为 %1，太小，不足以构成模型的一个词元</translation>
    </message>
    <message>
        <source>input_ids: has %1 tokens of an image (%2), expected %3 in %4 rows, in one piece</source>
        <translation>input_ids：有 %1 个图像词元（%2），应为连续的 %3 个，分 %4 行</translation>
    </message>
    <message>
        <source>An image is given, and AttnLab reads none with models of this type</source>
        <translation>给出了图像，但 AttnLab 对此类型的模型不读取图像</translation>
    </message>
    <message>
        <source>The model has no tokenizer beside it, so it reads no text</source>
        <translation>该模型没有附带分词器，无法读取文本</translation>
    </message>
    <message>
        <source>counts in the language model alone, not in a model around it</source>
        <translation>只在单独的语言模型中起作用，在包含它的模型中不起作用</translation>
    </message>
    <message>
        <source>relative_attention is not true</source>
        <translation>relative_attention 不为 true</translation>
    </message>
    <message>
        <source>three numbers of pairs</source>
        <translation>三个整数，分别为各段旋转对的数量</translation>
    </message>
    <message>
        <source>counts for a text; with it images are not read</source>
        <translation>对文本起作用；启用时不读取图像</translation>
    </message>
    <message>
        <source>One more score, of 0, takes a share without a key: the keys together have %1 of 1.</source>
        <translation>另有一个值为 0 的分数，它分走的权重不属于任何键：各键合计占 1 中的 %1。</translation>
    </message>
    <message>
        <source>Each score goes through the sigmoid by itself: keys do not compete, and the row sums to %1.</source>
        <translation>每个分数各自经过 sigmoid：键之间互不竞争，这一行之和为 %1。</translation>
    </message>
    <message>
        <source>A score below 0 has no weight, the others are divided by one number: the row sums to %1.</source>
        <translation>小于 0 的分数没有权重，其余的都除以同一个数：这一行之和为 %1。</translation>
    </message>
    <message>
        <source>One threshold for the row, so that what is above it makes a sum of 1: keys with a weight %2, of %3.</source>
        <translation>整行共用一个阈值，使超出部分之和为 1：%3 个键中有 %2 个得到权重。</translation>
    </message>
    <message>
        <source>From the last key to the first, each takes its share of what is left: together %1 of 1.</source>
        <translation>从最后一个键到第一个键，依次从剩余部分中取走自己的份额：合计取走 1 中的 %1。</translation>
    </message>
    <message>
        <source>The scores themselves are the weights: the row sums to %1.</source>
        <translation>分数本身就是权重：这一行之和为 %1。</translation>
    </message>
    <message>
        <source>there is no card %1, expected one of %2</source>
        <translation>没有卡片 %1，应为以下之一：%2</translation>
    </message>
    <message>
        <source>does not divide the patches of a side: images are not read</source>
        <translation>不能整除每边的图像块数：不读取图像</translation>
    </message>
    <message>
        <source>keeps the class token, for which a picture in tiles has no place: images are not read</source>
        <translation>会保留类别词元，而切成分块的图像中没有它的位置：不读取图像</translation>
    </message>
    <message>
        <source>heights and widths in multiples of %1 and %2</source>
        <translation>由高和宽组成的列表，分别为 %1 和 %2 的倍数</translation>
    </message>
    <message>
        <source>a square image of square patches</source>
        <translation>正方形的图像和正方形的图像块</translation>
    </message>
    <message>
        <source>one divided by a whole number</source>
        <translation>整数的倒数</translation>
    </message>
    <message>
        <source>a list of heights and widths</source>
        <translation>由高和宽组成的列表</translation>
    </message>
    <message>
        <source>%1: &apos;image_grid_pinpoints&apos; differs from that of config.json</source>
        <translation>%1：“image_grid_pinpoints”与 config.json 中的不同</translation>
    </message>
    <message>
        <source>%1: &apos;min_patches&apos; is %2, more than &apos;max_patches&apos;, %3</source>
        <translation>%1：“min_patches”为 %2，大于“max_patches”的 %3</translation>
    </message>
    <message>
        <source>image: has %1 x %2 tiles, which this model does not read</source>
        <translation>image：有 %1 × %2 个分块，此模型无法读取</translation>
    </message>
    <message>
        <source>image: its size before it was cut into tiles is missing</source>
        <translation>image：缺少切分之前的尺寸</translation>
    </message>
    <message>
        <source>input_ids: has %1 tokens of an image (%2), expected %3</source>
        <translation>input_ids：有 %1 个图像词元（%2），应有 %3 个</translation>
    </message>
    <message>
        <source>%1: the kinds of layers do not repeat; layer %2 differs</source>
        <translation>%1：各层的种类没有按固定间隔重复，第 %2 层不同</translation>
    </message>
    <message>
        <source>counts for images</source>
        <translation>只对图像有作用</translation>
    </message>
    <message>
        <source>the head gives numbers instead of classes, and AttnLab does not show them</source>
        <translation>输出头给出的是数值而不是类别，AttnLab 不显示这些数值</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is &apos;%3&apos;, expected gpt2, llama, bert or t5</source>
        <translation>%1：“%2”是“%3”，应为 gpt2、llama、bert 或 t5</translation>
    </message>
    <message>
        <source>%1: is not the table of sines and cosines that models of this type have</source>
        <translation>%1：不是这类模型应有的正弦、余弦位置表</translation>
    </message>
    <message>
        <source>%1: describes its objects in more than %2 bytes, the most that may be read</source>
        <translation>%1：对象描述超过 %2 字节，即允许读取的上限</translation>
    </message>
    <message>
        <source>%1: its storage &apos;%2&apos; has a part that is a storage of its own, as old versions of PyTorch wrote; load it in PyTorch and save it again with torch.save</source>
        <translation>%1：存储“%2”的一部分被保存为另一个存储，这是 PyTorch 旧版本的写法；请用 PyTorch 加载后以 torch.save 重新保存</translation>
    </message>
    <message>
        <source>%1: is in a version of PyTorch&apos;s format of before 1.6 that is not known here, expected version %2</source>
        <translation>%1：采用 PyTorch 1.6 之前的格式，但其版本未知，应为版本 %2</translation>
    </message>
    <message>
        <source>%1: was not written by a little-endian machine; in PyTorch&apos;s format of before 1.6, other files are not read; load it in PyTorch and save it again with torch.save</source>
        <translation>%1：不是由小端序机器写入的；PyTorch 1.6 之前的格式只支持小端序文件；请用 PyTorch 加载后以 torch.save 重新保存</translation>
    </message>
    <message>
        <source>%1: describes its storage &apos;%2&apos; in two ways: as %3 elements of &apos;%4&apos; and as %5 of &apos;%6&apos;</source>
        <translation>%1：对存储“%2”的描述前后不一：先是 %3 个“%4”元素，后是 %5 个“%6”元素</translation>
    </message>
    <message>
        <source>%1: is damaged: the keys of its storages are not a list of texts</source>
        <translation>%1：已损坏：存储的键不是文本列表</translation>
    </message>
    <message>
        <source>%1: lists a storage &apos;%2&apos; of which its objects say neither size nor type</source>
        <translation>%1：列出了存储“%2”，但对象中没有给出它的大小和类型</translation>
    </message>
    <message>
        <source>%1: lists its storage &apos;%2&apos; twice</source>
        <translation>%1：重复列出了存储“%2”</translation>
    </message>
    <message>
        <source>%1: has %2 bytes after its last storage, expected none; save each object into a file of its own</source>
        <translation>%1：最后一个存储之后还有 %2 字节，此处应为文件末尾；请将每个对象分别保存到各自的文件</translation>
    </message>
    <message>
        <source>%1: is cut short before its storage &apos;%2&apos;</source>
        <translation>%1：文件不完整，在存储“%2”之前中断</translation>
    </message>
    <message>
        <source>%1: its storage &apos;%2&apos; has %3 elements, expected %4</source>
        <translation>%1：存储“%2”有 %3 个元素，应为 %4 个</translation>
    </message>
    <message>
        <source>%1: is cut short: its storage &apos;%2&apos; should have %3 elements of %4 bytes, but only %5 bytes are left</source>
        <translation>%1：文件不完整：存储“%2”应有 %3 个元素，每个 %4 字节，但只剩 %5 字节</translation>
    </message>
    <message>
        <source>%1: its numbers should be in the storage &apos;%2&apos;, which is not in the file</source>
        <translation>%1：数值应在存储“%2”中，但文件中没有它</translation>
    </message>
    <message>
        <source>%1: is saved as a view of other numbers, not one after the other, and too large to be copied into memory; save it after contiguous()</source>
        <translation>%1：保存的是其他数值的视图，数值不连续，而且太大，无法复制到内存；请在 contiguous() 之后保存</translation>
    </message>
    <message>
        <source>%1: line %2, column %3 is &apos;%4&apos;; integers beyond 2^53 cannot be held exactly, write it with an exponent</source>
        <translation>%1：第 %2 行第 %3 列是“%4”；超过 2^53 的整数无法精确保存，请改写成带指数的形式</translation>
    </message>
    <message>
        <source>%1: line %2 is not text in UTF-8. An editor saves the file as UTF-8</source>
        <translation>%1：第 %2 行不是 UTF-8 文本。请在编辑器中将文件另存为 UTF-8</translation>
    </message>
    <message>
        <source>%1: has no tensor &apos;%2&apos;, but &apos;%3&apos;; save the tensors without the prefix &apos;%4&apos;</source>
        <translation>%1：没有张量“%2”，但有“%3”；请去掉前缀“%4”后重新保存</translation>
    </message>
    <message>
        <source>%1: the pre-tokenizer &apos;%2&apos; is unknown, so texts cannot be divided; tokens can be given as numbers</source>
        <translation>%1：未知的预分词器“%2”，无法切分文本；可以用数字给出词元</translation>
    </message>
    <message>
        <source>llama.cpp computes models of this kind without windows, and so does AttnLab</source>
        <translation>llama.cpp 计算这类模型时不使用窗口，AttnLab 也是如此</translation>
    </message>
    <message>
        <source>1 or more with YaRN</source>
        <translation>使用 YaRN 时不小于 1 的数</translation>
    </message>
    <message>
        <source>7 or more with YaRN</source>
        <translation>使用 YaRN 时不小于 7 的数</translation>
    </message>
    <message>
        <source>a number above %1 with YaRN</source>
        <translation>使用 YaRN 时大于 %1 的数</translation>
    </message>
    <message>
        <source>%1: has no tensor &apos;%2&apos;, which llama.cpp expects of %3</source>
        <translation>%1：缺少张量“%2”，llama.cpp 要求 %3 模型带有它</translation>
    </message>
    <message>
        <source>%1 as for &apos;%2&apos;</source>
        <translation>与“%2”相同的 %1</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is true, but there is no &apos;%3&apos;</source>
        <translation>%1：“%2”为 true，但没有“%3”</translation>
    </message>
    <message>
        <source>%1: reads windows of patches, from which no word can be hidden</source>
        <translation>%1：读取的是图像块窗口，无法隐藏其中的词</translation>
    </message>
    <message>
        <source>The model gives no answer that a word could change</source>
        <translation>该模型不给出能被某个词改变的答案</translation>
    </message>
    <message>
        <source>Positions of a text are hidden, and this model reads none</source>
        <translation>要隐藏文本中的位置，但该模型不读取文本</translation>
    </message>
    <message>
        <source>No word can be hidden from this model: its decoder reads the text, too</source>
        <translation>无法对该模型隐藏词：它的解码器也读取文本</translation>
    </message>
    <message>
        <source>Hidden position %1 stands behind %2, expected ascending order</source>
        <translation>隐藏位置 %1 排在 %2 之后，应按升序排列</translation>
    </message>
    <message>
        <source>no single pattern</source>
        <translation>没有单一模式</translation>
    </message>
    <message>
        <source>nearly all on one word</source>
        <translation>几乎全在一个词上</translation>
    </message>
    <message>
        <source>nearly all on one key</source>
        <translation>几乎全在一个键上</translation>
    </message>
    <message>
        <source>spread over about %1 words</source>
        <translation>分散在约 %1 个词上</translation>
    </message>
    <message>
        <source>about %1 words in A, %2 in B</source>
        <translation>A 中约 %1 个词，B 中约 %2 个</translation>
    </message>
    <message>
        <source>about %1 keys in A, %2 in B</source>
        <translation>A 中约 %1 个键，B 中约 %2 个</translation>
    </message>
    <message>
        <source>ignore padding</source>
        <translation>忽略填充</translation>
    </message>
    <message>
        <source>The text has %1 places for an image (%2), expected one: of this model AttnLab reads one image</source>
        <translation>文本中有 %1 处图像占位符（%2），应为一处：对于此模型，AttnLab 只读取一幅图像</translation>
    </message>
    <message>
        <source>The text has %1 places for an image (%2), expected %3: one for each image that is given</source>
        <translation>文本中有 %1 处图像占位符（%2），应为 %3 处：每幅给出的图像各一处</translation>
    </message>
    <message>
        <source>%1 images are given, expected one: of this model AttnLab reads one image</source>
        <translation>给出了 %1 幅图像，应为一幅：对于此模型，AttnLab 只读取一幅图像</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: has nothing behind the colon, expected a value, or no colon</source>
        <translation>“%1”：冒号后面没有内容，应有一个值，或去掉冒号</translation>
    </message>
    <message>
        <source>nearly even over %1 words</source>
        <translation>几乎平均分到 %1 个词</translation>
    </message>
    <message>
        <source>nearly even over %1 keys</source>
        <translation>几乎平均分到 %1 个键</translation>
    </message>
</context>
</TS>
