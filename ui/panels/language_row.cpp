// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/language_row.h"

#include "state/effective_question.h"
#include "text/tokenizer.h"

#include <QHBoxLayout>
#include <QLabel>

namespace attn::ui {

namespace {

// "fr – French"; the code alone where the language has no other name.
QString nameOf(const QString& code)
{
    const QString name = QString::fromStdString(languageName(code.toStdString()));
    return name == code ? code : QStringLiteral("%1 – %2").arg(code, name);
}

void fill(QComboBox& box, const QStringList& codes, const std::optional<std::string>& chosen)
{
    box.clear();
    for (const QString& code : codes)
        box.addItem(nameOf(code), code);
    box.setCurrentIndex(chosen ? box.findData(QString::fromStdString(*chosen)) : -1);
}

std::optional<std::string> chosen(const QComboBox& box)
{
    return box.currentIndex() < 0 ? std::nullopt : std::optional(box.currentData().toString().toStdString());
}

} // namespace

LanguageRow::LanguageRow(QWidget* parent)
    : QWidget(parent)
    , m_source(new QComboBox)
    , m_target(new QComboBox)
{
    m_source->setObjectName(QStringLiteral("sourceLanguage"));
    m_target->setObjectName(QStringLiteral("targetLanguage"));
    m_source->setAccessibleName(tr("Language of the text"));
    m_target->setAccessibleName(tr("Language to translate into"));
    m_target->setPlaceholderText(tr("choose a language"));
    auto* from = new QLabel(tr("Fro&m"));
    auto* into = new QLabel(tr("i&nto"));
    from->setBuddy(m_source);
    into->setBuddy(m_target);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : {static_cast<QWidget*>(from), static_cast<QWidget*>(m_source), static_cast<QWidget*>(into),
                            static_cast<QWidget*>(m_target)})
        layout->addWidget(widget);
    layout->addStretch();
    for (const QComboBox* box : {m_source, m_target})
        connect(box, &QComboBox::activated, this, &LanguageRow::changed);
}

void LanguageRow::setLanguages(const ModelSummary& model, const Question& asked)
{
    const Question effective = effectiveQuestion(asked, model);
    fill(*m_source, model.languages, effective.sourceLanguage);
    fill(*m_target, model.languages, effective.targetLanguage);
}

std::optional<std::string> LanguageRow::source() const
{
    return chosen(*m_source);
}

std::optional<std::string> LanguageRow::target() const
{
    return chosen(*m_target);
}

} // namespace attn::ui
