// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "panels/place_popup.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QString>

#include <vector>

namespace attn::ui {

// Asks for another token: one of those that lie nearest in the embedding, or a word that is typed.
class TokenPopup final : public PlacePopup
{
    Q_OBJECT

public:
    // A token that is offered, and how near it lies.
    struct Near
    {
        TokenId id = 0;
        QString name;
        double cosine = 0;
    };

    TokenPopup(const QString& token, bool knowsWords, QWidget* window);

    void openAt(QPoint position); // on the screen
    void offer(const std::vector<Near>& near);
    void sayProblem(const QString& problem); // why there are none
    // Tokens that the typed text is cut into; only one can be taken.
    void showPieces(const QString& text, bool fits);

Q_SIGNALS:
    void typed(const QString& word);
    void tokenGiven(attn::TokenId id);
    void wordGiven(const QString& word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void give(const QListWidgetItem* item);
    void giveWord();

    QLineEdit* m_word = nullptr;
    QLabel* m_pieces = nullptr;
    QListWidget* m_near = nullptr;
    QLabel* m_searching = nullptr;
    bool m_fits = false; // what is typed is one token
    bool m_given = false;
};

} // namespace attn::ui
