// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QString>

#include <functional>
#include <vector>

class QLayout;

namespace attn::ui {

struct GuideButton
{
    QString id; // its object's name
    QString text;
    bool primary = false;
    bool enabled = true;
    bool link = false; // beside the others, less loud
    std::function<void()> act;
};

// Content of a card.
struct GuideContent
{
    QString title;
    QString text; // Markdown; links are ids of pages of the help
    std::vector<GuideButton> buttons;
    int answers = 0; // so many of them, the first, stand apart
};

// A card over the views that explains what is seen and has buttons that go on from there.
class GuideCard final : public QFrame
{
    Q_OBJECT

public:
    explicit GuideCard(QWidget* parent = nullptr);

    void setContent(const GuideContent& content);

Q_SIGNALS:
    void closeRequested();
    void helpRequested(const QString& target);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QLayout* m_buttons = nullptr;
    QWidget* m_row = nullptr;
};

} // namespace attn::ui
