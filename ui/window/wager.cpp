// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/wager.h"

#include "analysis/words.h"
#include "base/index.h"
#include "edits/edit.h"
#include "figures/look/token_label.h"
#include "help/glossary.h"
#include "question/question.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

// The token of the output that the question is about.
constexpr const char* wagered = "elle";

// Bold, whatever the word is made of.
QString strong(const QString& word)
{
    return QStringLiteral("**%1**").arg(word);
}

} // namespace

const char* Wager::model()
{
    return "rnnsearch-en-fr";
}

const char* Wager::sentence()
{
    return "Tomorrow, she wants to come.";
}

Wager::Wager(const Parts& parts)
    : m_parts(parts)
    , m_prediction(parts.study, parts.selection, parts.steps, parts.stage)
{
    // Once all others know that it has ended.
    connect(&parts.controller, &RunController::finished, this, &Wager::runEnded, Qt::QueuedConnection);
    connect(&parts.controller, &RunController::failed, this, &Wager::leave);
    connect(&m_prediction, &Prediction::revealed, this, &Wager::reveal);
}

void Wager::begin()
{
    Study& study = m_parts.study;
    if (isOn())
        return;
    m_before = study.edited();
    m_shown = study.shown();
    m_runs.clear();
    m_plain.reset();
    study.edit([](Question& question) {
        Question asked = usualQuestion();
        asked.model = question.model;
        asked.text = sentence();
        asked.precision = question.precision;
        question = std::move(asked);
    });
    m_beat = Beat::Reads;
    m_parts.stage.setGloss(glossOf);
    m_parts.running.run();
}

// Whatever else was asked meanwhile ends it, and stays.
void Wager::runEnded()
{
    Study& study = m_parts.study;
    if (m_parts.controller.busy() || !study.shown())
        return;
    if (!isOn())
        return forgetRuns();
    const bool own = study.asked() && study.asked()->text == sentence() && study.opened() == QLatin1String(model());
    if (!own) {
        leave();
        m_parts.card.hide();
        return;
    }
    m_runs.push_back(*study.shown());
    if (m_beat == Beat::Reads && !ask())
        end();
    else if (m_beat > Beat::Reads && !study.asked()->edits.empty()) // before a guess, too
        explain();
}

// False where the model does not write the word.
bool Wager::ask()
{
    const Trace& trace = m_parts.study.trace();
    const std::vector<AxisGroup> target = tokenAxis(trace.target());
    const auto found = std::ranges::find(target, std::string(wagered), &AxisGroup::label);
    if (found == target.end() || !m_prediction.ask(found->first))
        return false;
    m_plain = trace;
    m_beat = Beat::Predicts;
    GuideContent content;
    content.title = tr("Where will it look?");
    content.text = tr("The model has read the sentence above and writes it in French, word by word. Now %1 comes. At "
                      "which word will it look most? Click it, above or here:")
                       .arg(strong(m_prediction.asked()));
    content.buttons = m_prediction.buttons();
    show(content);
    return true;
}

void Wager::reveal()
{
    if (m_beat != Beat::Predicts)
        return;
    const QString& most = m_prediction.most().label;
    m_beat = Beat::Drags;
    GuideContent content;
    content.title = m_prediction.verdict();
    content.text = tr("The thicker a line, the more of that word went into %1; its row in the picture has the same "
                      "numbers. Now take %2 away: drag the word out of its line with the mouse. What will the model "
                      "write without it?")
                       .arg(strong(m_prediction.asked()), strong(most));
    content.buttons.push_back(
        {QStringLiteral("dragOut"), tr("Drag \u201C%1\u201D out").arg(most), true, true, false, [this] { dragOut(); }});
    show(content);
}

void Wager::dragOut()
{
    m_parts.edits.add({editText(SourceEdit{m_prediction.most().token, SourceChange::Hide})});
}

// The word of a text, written whole.
QString Wager::written(const Trace& trace, int word) const
{
    const std::vector<AxisGroup> words = wordAxis(trace.target());
    return word < indexSize(words) ? readableToken(words[static_cast<std::size_t>(word)].label) : QString();
}

void Wager::explain()
{
    m_beat = Beat::Explains;
    const Trace& now = m_parts.study.trace();
    QStringList changed;
    bool guessed = false; // who comes
    for (int word = 0; word < indexSize(wordAxis(m_plain->target())); ++word) {
        const QString before = written(*m_plain, word);
        const QString after = written(now, word);
        guessed = guessed || after == QLatin1String("il");
        if (before != after && !after.isEmpty())
            changed << tr("%1 became %2").arg(strong(before), strong(after));
    }
    GuideContent content;
    content.title = changed.isEmpty() ? tr("Nothing changed") : tr("What changed");
    content.text = changed.isEmpty() ? tr("The model found the same words without it.")
                                     : tr("%1; the rest stands.").arg(changed.join(QStringLiteral(", ")));
    if (guessed)
        content.text += QLatin1Char(' ')
            + tr("French has *elle* for *she* and *il* for *he*: what the model cannot look at it can only guess.");
    content.buttons.push_back({QStringLiteral("ownSentence"), tr("Now a sentence of yours"), true, true, false, [this] {
                                   end();
                                   Q_EMIT over();
                               }});
    show(content);
}

void Wager::show(const GuideContent& content)
{
    m_parts.card.setContent(content);
    m_parts.card.show();
}

void Wager::leave()
{
    m_beat = Beat::None;
    m_parts.stage.setGloss(nullptr);
}

// Its own runs go, and nothing of what was tried stays.
void Wager::end()
{
    if (!isOn())
        return;
    leave();
    Study& study = m_parts.study;
    m_parts.controller.cancel();
    m_prediction.drop();
    m_parts.steps.release();
    m_parts.card.hide();
    Question before = std::exchange(m_before, {});
    before.model = study.edited().model;
    if (!m_shown && !m_runs.empty()) { // nothing was there before: the sentence stays, as it was read first
        before.text = sentence();
        m_shown = m_runs.front();
        m_runs.erase(m_runs.begin());
    }
    if (study.runs().find(m_shown) != nullptr)
        study.show(*m_shown);
    study.setEdited(std::move(before));
    if (!m_shown)
        m_parts.running.run();
    forgetRuns();
}

// The one on show goes once another one is.
void Wager::forgetRuns()
{
    std::erase_if(m_runs, [this](int run) {
        if (m_parts.study.shown() == run)
            return false;
        m_parts.study.remove(run);
        return true;
    });
}

} // namespace attn::ui
