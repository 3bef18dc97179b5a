// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace attn::ui {

// A line for texts of any length. One that is too long to be edited in a line is shown in part and left as it is, until
// it is taken away.
class TextLine : public QLineEdit
{
    Q_OBJECT

public:
    static constexpr int longest = 200'000; // characters that can be edited

    explicit TextLine(QWidget* parent = nullptr);

    void showText(const QString& text); // as if it had been typed: it can be undone
    void replaceText(const QString& text); // which cannot
    void makeClearable(const QString& name); // by a button of this name
    // Whether the text is in the line, or only its beginning.
    bool isWhole() const { return !isReadOnly(); }
    QString wholeText() const { return isWhole() ? text() : m_whole; }

Q_SIGNALS:
    void edited(const QString& text); // by anybody, also by showText(); the whole text
    void wholeChanged();
    void tooLong(const QString& said); // what was put into it, of which the rest was left out; in words

protected:
    void changeEvent(QEvent* event) override;

private:
    void showClearing();

    QAction* m_clear = nullptr;
    bool m_isClearable = false; // otherwise only where nothing else takes the text away
    QString m_whole; // then
};

} // namespace attn::ui
