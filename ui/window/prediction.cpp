// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/prediction.h"

#include "analysis/words.h"
#include "base/encoding.h"
#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "maps/map.h"
#include "readings/head_reading.h"

#include <algorithm>
#include <set>
#include <utility>

namespace attn::ui {

namespace {

// The row of the step, with the numbers that the sentences and the picture have; empty: it looks at no words.
Map lookOf(int step, const Trace& trace, const StageView& stage)
{
    const FigureSpec shown = stage.mapSpec();
    MapSpec wanted = shown.mapSpec();
    wanted.words = stage.spec().words;
    if (shown.head.reading().computed) // may not be computed yet
        wanted.head = HeadReading(meanOfHeads);
    if (trace.hasOneText() || shown.site.stage != Stage::Cross || trace.columnAxis(shown.site) != AttentionAxis::Tokens)
        return {};
    const std::optional<Index> row = mapAxes(trace, wanted).rows.indexOf(step);
    if (!row)
        return {};
    wanted.rows = ShownSpan{*row, *row};
    return mapOf(trace, wanted);
}

} // namespace

Prediction::Prediction(Study& study, Selection& selection, StepPanel& steps, StageView& stage)
    : m_study(study)
    , m_selection(selection)
    , m_steps(steps)
    , m_stage(stage)
{
    connect(&stage, &StageView::wordChosen, this, &Prediction::guess);
    connect(&study, &Study::traceReplaced, this, [this] { m_asks = false; });
    connect(&steps, &StepPanel::wordWritten, this, [this] {
        if (m_said && std::exchange(m_asks, false))
            Q_EMIT revealed();
    });
}

bool Prediction::ask(int step)
{
    m_asks = false;
    m_said.reset();
    m_words.clear();
    const Trace& trace = m_study.trace();
    if (step < 0 || step >= trace.steps(m_selection.leaf()))
        return false;
    const Map look = lookOf(step, trace, m_stage);
    if (look.numbers.rows == 0)
        return false;
    const Encoding target = trace.target(m_selection.leaf());
    const auto words = wordAxis(target);
    const auto written = std::ranges::find_if(
        words, [step](const AxisGroup& word) { return step >= word.first && step < word.first + word.count; });
    if (written == words.end() || isSpecial(target, written->first))
        return false;
    m_step = step;
    m_asked = readableToken(written->label);
    double unspoken = 0; // the most of a point or comma
    for (const AxisGroup& word : wordAxis(trace.source())) {
        if (isSpecial(trace.source(), word.first))
            continue;
        Word one{readableToken(word.label), word.first};
        std::set<Index> columns;
        for (int token = word.first; token < word.first + word.count; ++token) {
            if (const auto column = look.columns.indexOf(token))
                columns.insert(*column);
        }
        for (const Index column : columns)
            one.weight += static_cast<double>(look.at(0, column));
        if (std::ranges::any_of(one.label, [](QChar c) { return c.isLetterOrNumber(); }))
            m_words.push_back(std::move(one));
        else
            unspoken = std::max(unspoken, one.weight);
    }
    constexpr std::size_t fewest = 2;
    constexpr std::size_t mostWords = 16; // that a card has room for
    if (m_words.size() < fewest || m_words.size() > mostWords || unspoken > most().weight)
        return false;
    m_asks = true;
    m_steps.holdAt(step);
    return true;
}

void Prediction::drop()
{
    if (std::exchange(m_asks, false))
        m_steps.release();
}

const Prediction::Word& Prediction::most() const
{
    return *std::ranges::max_element(m_words, {}, &Word::weight);
}

std::vector<GuideButton> Prediction::buttons()
{
    std::vector<GuideButton> buttons;
    for (const Word& word : m_words)
        buttons.push_back({QStringLiteral("bet%1").arg(word.token), word.label, false, true, false,
                           [this, token = word.token] { guess(token); }});
    return buttons;
}

QString Prediction::verdict() const
{
    const Word& said = m_words.at(static_cast<std::size_t>(m_said.value_or(0)));
    return percent(said.weight) == percent(most().weight) // as large as is told
        ? tr("Right: \u201C%1\u201D, %2").arg(said.label, percent(said.weight))
        : tr("\u201C%1\u201D, %2. You said \u201C%3\u201D: %4")
              .arg(most().label, percent(most().weight), said.label, percent(said.weight));
}

void Prediction::guess(int token)
{
    const auto word = std::ranges::find(m_words, token, &Word::token);
    if (!m_asks || m_said || word == m_words.end())
        return;
    m_said = static_cast<int>(word - m_words.begin());
    m_steps.writeHeld();
}

} // namespace attn::ui
