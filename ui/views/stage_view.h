// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "views/figure_view.h"

#include <QFont>

#include <limits>
#include <map>
#include <memory>
#include <optional>

class QLabel;
class QLineEdit;
class QToolButton;

namespace attn::ui {

// The sentences above all views: a click on a word that was written chooses its step, dragging and arrow keys go from
// one to the next, two clicks on a word that was read change it where it stands, and it can be dragged out of its line.
// As high as its two lines.
class StageView final : public FigureView
{
    Q_OBJECT

public:
    explicit StageView(const ViewContext& context, QWidget* parent = nullptr);

    // A run with edits is compared with the one before them: other words stand out.
    FigureSpec spec() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {220, sizeHint().height()}; }

    // Letters and lines are smaller in a low window, as far as they stay readable.
    void setMostHeight(int height);

    // Editor of the text in the place of its words, while it is seen, and the button that opens it.
    void setEditor(QWidget& editor, QToolButton& opener);

    // Small letters below words that were written; null: none.
    void setGloss(QString (*gloss)(const QString& word));

    // Words that were read stand over the columns of such a picture, a heatmap of all their words.
    void follow(FigureView& picture);

    // The map that its lines are drawn of, and where in it a hit is.
    FigureSpec mapSpec() const;
    FigureHit onMap(FigureHit hit) const;

Q_SIGNALS:
    void wordOpened(int token); // of a text that cannot be changed here
    void placeOpened(std::optional<int> token); // of the text: after a word; none: before all
    void wordChosen(int token); // a click on one that was read
    void textGiven(const QString& text); // in the place of what was read
    void deletionAsked(const attn::ui::FigureHit& hit, QPoint position); // of the chosen word
    void wordDropped(const attn::ui::FigureHit& hit, QPoint position); // a word that was read, beside its line

protected:
    // Editors of the word that is being changed, and of the text.
    bool eventFilter(QObject* watched, QEvent* event) override;
    QSizeF room() const override; // beside what opens the editor
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    QRectF focusFrame() const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void choose(const FigureHit& hit) override;
    Highlight highlight() const override;
    void addPointed(Highlight& marks) const;
    bool handleKey(QKeyEvent* event) override;

private:
    // A word that was read and follows the mouse.
    struct Dragged
    {
        FigureHit hit;
        QRectF box;
        QLabel* label = nullptr; // null: not yet
    };

    void fit();
    void findUnedited();
    void placeEditor();
    QRectF textBox();
    void openPlace(QPointF point);
    void walk(int words); // by so many words that were written
    bool isRead(const FigureHit& hit) const;
    QRectF boxOf(const FigureHit& hit);
    QFont lettersOf(const QRectF& box) const;
    void editWord(const FigureHit& hit);
    void endEditing();
    void giveWord();
    bool isOut(QPointF point) const;
    void endDrag();

    std::shared_ptr<const ReferenceRun>
        m_unedited; // the run on show; null: it has no edits, or was not made without them
    std::map<int, double> m_columns; // by token
    QString (*m_gloss)(const QString& word) = nullptr;
    int m_mostHeight = std::numeric_limits<int>::max();
    bool m_written = false; // a word was, since the pointer moved last: it is looked at first
    std::optional<Dragged> m_dragged;
    bool m_byKeyboard = false; // it got the keyboard
    bool m_scrubs = false; // the button went down at a word that was written
    QWidget* m_textEditor = nullptr; // null: there is none
    QToolButton* m_opener = nullptr;
    QLineEdit* m_editor = nullptr; // over a word; hidden: none is changed
    ByteSpan m_edited; // of the text that was read
};

} // namespace attn::ui
