// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/token_popup.h"

#include "figures/look/decimal.h"
#include "state/strings.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include <utility>

namespace attn::ui {

namespace {

constexpr int popupLetters = 40; // in its width

} // namespace

TokenPopup::TokenPopup(const QString& token, bool knowsWords, QWidget* window)
    : PlacePopup(window)
    , m_word(new QLineEdit)
    , m_pieces(plainLabel())
    , m_near(new QListWidget)
    , m_searching(plainLabel(tr("Looking for the nearest tokens…")))
{
    setObjectName(QStringLiteral("tokenPopup"));
    setFixedWidth(fontMetrics().averageCharWidth() * popupLetters);
    m_word->setObjectName(QStringLiteral("replacementWord"));
    m_word->setAccessibleName(tr("Word in place of the token"));
    m_word->setPlaceholderText(tr("another word"));
    if (!knowsWords)
        m_word->hide();
    m_word->installEventFilter(this);
    m_pieces->setObjectName(QStringLiteral("replacementPieces"));
    m_pieces->setWordWrap(true);
    m_pieces->hide();
    m_near->setObjectName(QStringLiteral("nearestTokens"));
    m_near->setAccessibleName(tr("Nearest tokens in the embedding"));
    m_near->setFrameShape(QFrame::NoFrame);
    m_near->hide();
    m_searching->setObjectName(QStringLiteral("nearestProblem"));
    m_searching->setWordWrap(true);
    auto* heading = plainLabel(tr("In place of ") + QStringLiteral("“") + token + QStringLiteral("”"));
    setAccessibleName(heading->text());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    for (QWidget* part : {static_cast<QWidget*>(heading), static_cast<QWidget*>(m_word),
                          static_cast<QWidget*>(m_pieces), static_cast<QWidget*>(m_searching)})
        layout->addWidget(part);
    layout->addWidget(m_near, 1);
    connect(m_word, &QLineEdit::textEdited, this, [this](const QString& word) {
        m_fits = false;
        m_pieces->hide();
        if (!word.trimmed().isEmpty())
            Q_EMIT typed(word.trimmed());
    });
    connect(m_near, &QListWidget::itemActivated, this, &TokenPopup::give);
    connect(m_near, &QListWidget::itemClicked, this, &TokenPopup::give);
}

void TokenPopup::openAt(QPoint position)
{
    PlacePopup::openAt(position, m_word->isHidden() ? static_cast<QWidget*>(this) : m_word);
}

void TokenPopup::offer(const std::vector<Near>& near)
{
    m_searching->hide();
    m_near->clear();
    for (const Near& token : near) {
        auto* item = new QListWidgetItem(token.name + QStringLiteral("   ") + decimal(token.cosine, 2));
        item->setData(Qt::UserRole, token.id);
        m_near->addItem(item);
    }
    m_near->setCurrentRow(0);
    m_near->setFixedHeight(m_near->sizeHintForRow(0) * static_cast<int>(near.size()) + 4);
    m_near->show();
    if (m_word->isHidden())
        m_near->setFocus();
    stayInside();
}

void TokenPopup::sayProblem(const QString& problem)
{
    m_searching->setText(problem);
    stayInside();
}

void TokenPopup::showPieces(const QString& text, bool fits)
{
    m_fits = fits;
    m_pieces->setText(text);
    m_pieces->show();
    stayInside();
}

void TokenPopup::give(const QListWidgetItem* item)
{
    if (std::exchange(m_given, true))
        return; // a click may be both
    const TokenId id = item->data(Qt::UserRole).toInt();
    close();
    Q_EMIT tokenGiven(id);
}

void TokenPopup::giveWord()
{
    const QString word = m_word->text().trimmed();
    if (word.isEmpty() || !m_fits)
        return;
    close();
    Q_EMIT wordGiven(word);
}

// Enter takes the word, and with none the nearest token; the arrows walk through these.
bool TokenPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_word || event->type() != QEvent::KeyPress)
        return PlacePopup::eventFilter(watched, event);
    const int key = static_cast<const QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (m_word->text().trimmed().isEmpty() && m_near->currentItem() != nullptr)
            give(m_near->currentItem());
        else
            giveWord();
        return true;
    }
    if ((key != Qt::Key_Down && key != Qt::Key_Up) || m_near->count() == 0)
        return PlacePopup::eventFilter(watched, event);
    m_near->setFocus();
    m_near->setCurrentRow(key == Qt::Key_Down ? 0 : m_near->count() - 1);
    return true;
}

} // namespace attn::ui
