<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-FileCopyrightText: 2026 The AttnScope authors -->
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<TS version="2.1" language="fr" sourcelanguage="en">
<context>
    <name>attnscope</name>
    <message>
        <source> %1 cells are edited.</source>
        <translation> Cellules modifiées : %1.</translation>
    </message>
    <message>
        <source> %1.</source>
        <translation> %1.</translation>
    </message>
    <message>
        <source> Best: %1, score %2.</source>
        <translation> Meilleure : %1, score %2.</translation>
    </message>
    <message>
        <source> Not in it: %1.</source>
        <translation> Elle ne contient pas : %1.</translation>
    </message>
    <message>
        <source> The picture has the tokens of a word together.</source>
        <translation> L’image réunit les tokens d’un mot.</translation>
    </message>
    <message>
        <source> The picture shows %1; this is head %2, which looks there most.</source>
        <translation> L’image montre %1 ; ceci est la tête %2, celle qui regarde le plus là.</translation>
    </message>
    <message>
        <source> The picture shows %1; this is head %2.</source>
        <translation> L’image montre %1 ; ceci est la tête %2.</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> tokens</translation>
    </message>
    <message>
        <source> · ?: not among the best</source>
        <translation> · ? : pas parmi les meilleurs</translation>
    </message>
    <message>
        <source> · asked by “%1”</source>
        <translation> · demandé par « %1 »</translation>
    </message>
    <message>
        <source> · hatched: in one of the two only</source>
        <translation> · hachuré : dans une seule des deux</translation>
    </message>
    <message>
        <source> · the %1 largest of %2</source>
        <translation> · les %1 plus grandes sur %2</translation>
    </message>
    <message>
        <source> · the text begins with it: no step writes it</source>
        <translation> · le texte commence par lui : aucune étape ne l’écrit</translation>
    </message>
    <message>
        <source> – AttnScope</source>
        <translation> – AttnScope</translation>
    </message>
    <message>
        <source>%1
Chooses another text file with a sentence on each line</source>
        <translation>%1
Choisit un autre fichier texte avec une phrase par ligne</translation>
    </message>
    <message>
        <source>%1
Chooses another text file with a source, a tab and a reference on each line</source>
        <translation>%1
Choisit un autre fichier texte avec, sur chaque ligne, une source, une tabulation et une référence</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>%1 (%2 minus %3)</source>
        <translation>%1 (%2 moins %3)</translation>
    </message>
    <message>
        <source>%1 (%2 rows, %3 columns): no weight is a number.</source>
        <translation>%1 (%2 rangées, %3 colonnes) : aucun poids n’est un nombre.</translation>
    </message>
    <message>
        <source>%1 (%2 rows, %3 columns): the largest difference, %4, is of %5 on %6.</source>
        <translation>%1 (%2 rangées, %3 colonnes) : la plus grande différence, %4, est celle de %5 sur %6.</translation>
    </message>
    <message>
        <source>%1 (%2 rows, %3 columns): the largest weight, %4, is of %5 on %6.</source>
        <translation>%1 (%2 rangées, %3 colonnes) : le plus grand poids, %4, est celui de %5 sur %6.</translation>
    </message>
    <message>
        <source>%1 (%2 rows, %3 experts): expert %4 works on most rows, %5.</source>
        <translation>%1 (%2 rangées, %3 experts) : l’expert %4 traite le plus de rangées, %5.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (layer %2, %3)</source>
        <translation>%1 (couche %2, %3)</translation>
    </message>
    <message>
        <source>%1 (open)</source>
        <translation>%1 (ouvert)</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1 adds no positions to its embeddings (positions: %2).</source>
        <translation>%1 n’ajoute pas de positions à ses plongements (positions : %2).</translation>
    </message>
    <message>
        <source>%1 adds one row per position to its embeddings (%2), here the products of the first %3 rows.</source>
        <translation>%1 ajoute à ses plongements une rangée par position (%2) ; voici les produits des %3 premières rangées.</translation>
    </message>
    <message>
        <source>%1 against erasure</source>
        <translation>%1 face à l’effacement</translation>
    </message>
    <message>
        <source>%1 agrees best with erasure: a rank correlation of %2, in random order %3.</source>
        <translation>%1 s’accorde le mieux avec l’effacement : une corrélation de rang de %2, de %3 dans un ordre aléatoire.</translation>
    </message>
    <message>
        <source>%1 aligns best: an alignment error rate of %2, precision %3, recall %4, over %5.</source>
        <translation>%1 aligne le mieux : un taux d’erreur d’alignement de %2, une précision de %3, un rappel de %4, sur %5.</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 et %2</translation>
    </message>
    <message>
        <source>%1 at (%2, %3), token %4 of %5</source>
        <translation>%1 en (%2 ; %3), token %4 sur %5</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 à l’étape %2</translation>
    </message>
    <message>
        <source>%1 became %2</source>
        <translation>%1 est devenu %2</translation>
    </message>
    <message>
        <source>%1 does not read its words in parallel by self-attention (positions: %2): there are no positions to leave out.</source>
        <translation>%1 ne lit pas ses mots en parallèle par auto-attention (positions : %2) : il n’y a pas de positions à retirer.</translation>
    </message>
    <message>
        <source>%1 dots per inch are not possible</source>
        <translation>%1 points par pouce sont impossibles</translation>
    </message>
    <message>
        <source>%1 edits</source>
        <translation>%1 modifications</translation>
    </message>
    <message>
        <source>%1 experts for each token</source>
        <translation>%1 experts par token</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1 pour %2</translation>
    </message>
    <message>
        <source>%1 from the shortest to the longest of %2: %3.</source>
        <translation>%1, des phrases les plus courtes aux plus longues (%2) : %3.</translation>
    </message>
    <message>
        <source>%1 generated tokens in italics</source>
        <translation>%1 tokens générés, en italique</translation>
    </message>
    <message>
        <source>%1 grey</source>
        <translation>%1 en gris</translation>
    </message>
    <message>
        <source>%1 has no attention, so there is no step to look into. “Compare models” shows what it does beside a model that has.</source>
        <translation>%1 n’a pas d’attention : il n’y a pas d’étape à examiner. « Comparer les modèles » montre ce qu’il fait à côté d’un modèle qui en a une.</translation>
    </message>
    <message>
        <source>%1 has no place: its vector holds what is no number</source>
        <translation>%1 n’a pas de place : son vecteur contient ce qui n’est pas un nombre</translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation>%1 têtes</translation>
    </message>
    <message>
        <source>%1 held-out sentences of %2, beam search</source>
        <translation>%1 phrases de %2 hors entraînement, recherche en faisceau</translation>
    </message>
    <message>
        <source>%1 held-out sentences, beam search</source>
        <translation>%1 phrases hors entraînement, recherche en faisceau</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>%1 masqué</translation>
    </message>
    <message>
        <source>%1 holds several models:</source>
        <translation>%1 contient plusieurs modèles :</translation>
    </message>
    <message>
        <source>%1 hypotheses, %2 tokens</source>
        <translation>%1 hypothèses, %2 tokens</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1 au lieu de %2</translation>
    </message>
    <message>
        <source>%1 is an attention archive: it is shown as it was saved, and nothing can be run.</source>
        <translation>%1 est une archive d’attention : elle est affichée telle qu’elle a été enregistrée, et rien ne peut être exécuté.</translation>
    </message>
    <message>
        <source>%1 is best at them. </source>
        <translation>%1 y réussit le mieux. </translation>
    </message>
    <message>
        <source>%1 left out that not every model could read: %2</source>
        <translation>Sans compter %1 que certains modèles n’ont pas pu lire : %2</translation>
    </message>
    <message>
        <source>%1 left out that the model does not read: %2</source>
        <translation>Sans compter %1 que le modèle ne lit pas : %2</translation>
    </message>
    <message>
        <source>%1 left out: %2</source>
        <translation>%1 laissées de côté : %2</translation>
    </message>
    <message>
        <source>%1 made uniform</source>
        <translation>%1 rendu uniforme</translation>
    </message>
    <message>
        <source>%1 means nothing here</source>
        <translation>%1 n’a pas de sens ici</translation>
    </message>
    <message>
        <source>%1 million pixels are too many, at most %2 are possible</source>
        <translation>%1 millions de pixels, c’est trop : au plus %2 sont possibles</translation>
    </message>
    <message>
        <source>%1 minus %2</source>
        <translation>%1 moins %2</translation>
    </message>
    <message>
        <source>%1 mm is outside %2 to %3 mm</source>
        <translation>%1 mm est hors de la plage de %2 à %3 mm</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 de plus</translation>
    </message>
    <message>
        <source>%1 numbers</source>
        <translation>%1 nombres</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>sentences of a file</comment>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>%1 of %2 keys are hidden from this query.</source>
        <translation>%1 clés sur %2 sont masquées pour cette requête.</translation>
    </message>
    <message>
        <source>%1 of %2 probabilities are no numbers (crossed out)</source>
        <translation>%1 probabilités sur %2 ne sont pas des nombres (barrées)</translation>
    </message>
    <message>
        <source>%1 of sentence %2</source>
        <translation>%1 de la phrase %2</translation>
    </message>
    <message>
        <source>%1 of the oldest runs are gone: the last %2, or %3 MB of them, are kept.</source>
        <translation>Exécutions les plus anciennes supprimées : %1. Les %2 dernières, ou %3 Mo, sont conservées.</translation>
    </message>
    <message>
        <source>%1 of the variance</source>
        <translation>%1 de la variance</translation>
    </message>
    <message>
        <source>%1 of the variance, by principal components</source>
        <translation>%1 de la variance, par composantes principales</translation>
    </message>
    <message>
        <source>%1 of the variance; turned to follow the layer before</source>
        <translation>%1 de la variance ; plan tourné pour suivre la couche précédente</translation>
    </message>
    <message>
        <source>%1 pairs of positions cannot determine %2 unknowns a row, so only the second number tells.</source>
        <translation>%1 paires de positions ne suffisent pas à déterminer %2 inconnues par rangée ; seul le second nombre est donc parlant.</translation>
    </message>
    <message>
        <source>%1 picked</source>
        <translation>%1 choisies</translation>
    </message>
    <message>
        <source>%1 positions</source>
        <translation>%1 positions</translation>
    </message>
    <message>
        <source>%1 put in</source>
        <translation>%1 mis à la place</translation>
    </message>
    <message>
        <source>%1 rather than “%2”</source>
        <translation>%1 plutôt que « %2 »</translation>
    </message>
    <message>
        <source>%1 reads no words that could be shuffled.</source>
        <translation>%1 ne lit pas de mots que l’on puisse mélanger.</translation>
    </message>
    <message>
        <source>%1 renormalised</source>
        <translation>%1 renormalisé</translation>
    </message>
    <message>
        <source>%1 sentences</source>
        <translation>%1 phrases</translation>
    </message>
    <message>
        <source>%1 smaller ones</source>
        <translation>%1 plus petites</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 vers %2</translation>
    </message>
    <message>
        <source>%1 to %2 s</source>
        <translation>%1 à %2 s</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 tokens</translation>
    </message>
    <message>
        <source>%1 with %2 attention</source>
        <translation>%1 avec attention %2</translation>
    </message>
    <message>
        <source>%1 with attention pooling</source>
        <translation>%1 avec agrégation par attention</translation>
    </message>
    <message>
        <source>%1 with structured self-attention, %2 hops</source>
        <translation>%1 avec auto-attention structurée, %2 sauts</translation>
    </message>
    <message>
        <source>%1 without attention (one fixed context)</source>
        <translation>%1 sans attention (un seul contexte fixe)</translation>
    </message>
    <message>
        <source>%1 without links, which the model does not read: %2</source>
        <translation>%1 sans liens, que le modèle ne lit pas : %2</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>lesson and step, verdict</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1 – AttnScope laboratory</source>
        <translation>%1 – Laboratoire d’AttnScope</translation>
    </message>
    <message>
        <source>%1 – gives “%2”</source>
        <translation>%1 – donne « %2 »</translation>
    </message>
    <message>
        <source>%1 – step %2 of %3</source>
        <translation>%1 – étape %2 sur %3</translation>
    </message>
    <message>
        <source>%1 → %2 %3</source>
        <comment>a word looks at another, weight</comment>
        <translation>%1 → %2 %3</translation>
    </message>
    <message>
        <source>%1% right</source>
        <translation>exactitude %1 %</translation>
    </message>
    <message>
        <source>%1%2. Taken with probability %3.</source>
        <translation>%1%2. Pris avec une probabilité de %3.</translation>
    </message>
    <message>
        <source>%1's, fitted</source>
        <translation>celles de %1, ajustées</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 buckets</source>
        <translation>%1, %2 intervalles</translation>
    </message>
    <message>
        <source>%1, %2 parameters</source>
        <translation>%1, %2 paramètres</translation>
    </message>
    <message>
        <source>%1, %2 positions, from %3 to %4.</source>
        <translation>%1, %2 positions, de %3 à %4.</translation>
    </message>
    <message>
        <source>%1, %2 scaling by %3</source>
        <translation>%1, mise à l’échelle %2 par %3</translation>
    </message>
    <message>
        <source>%1, %2 to %3: %4 (%5 of %6)</source>
        <translation>%1, %2 à %3 : %4 (%5 sur %6)</translation>
    </message>
    <message>
        <source>%1, %2 words, %3: %4 %5</source>
        <translation>%1, %2 mots, %3 : %4 %5</translation>
    </message>
    <message>
        <source>%1, Luong's decoder</source>
        <translation>%1, décodeur de Luong</translation>
    </message>
    <message>
        <source>%1, all heads</source>
        <translation>%1, toutes les têtes</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1, avec modifications</translation>
    </message>
    <message>
        <source>%1, head %2</source>
        <translation>%1, tête %2</translation>
    </message>
    <message>
        <source>%1, heads summed</source>
        <translation>%1, têtes additionnées</translation>
    </message>
    <message>
        <source>%1, layer %2</source>
        <translation>%1, couche %2</translation>
    </message>
    <message>
        <source>%1, not applied: %2</source>
        <translation>%1, non appliquée : %2</translation>
    </message>
    <message>
        <source>%1, one step later</source>
        <translation>%1, une étape plus tard</translation>
    </message>
    <message>
        <source>%1, pairs to begin with: choose a file of your own</source>
        <translation>%1, paires pour commencer : choisissez un fichier à vous</translation>
    </message>
    <message>
        <source>%1, put back for comparison</source>
        <translation>%1, remis en place pour comparer</translation>
    </message>
    <message>
        <source>%1, seconds</source>
        <translation>%1, secondes</translation>
    </message>
    <message>
        <source>%1, share of the largest</source>
        <translation>%1, part du plus grand</translation>
    </message>
    <message>
        <source>%1, summed</source>
        <translation>%1, somme</translation>
    </message>
    <message>
        <source>%1, which is no number</source>
        <translation>%1, qui n’est pas un nombre</translation>
    </message>
    <message>
        <source>%1, words in their order</source>
        <translation>%1, mots dans leur ordre</translation>
    </message>
    <message>
        <source>%1, words shuffled</source>
        <translation>%1, mots mélangés</translation>
    </message>
    <message>
        <source>%1. %2: %3 tokens.</source>
        <translation>%1. %2 : %3 tokens.</translation>
    </message>
    <message>
        <source>%1. Best: %2, %3.</source>
        <translation>%1. Premier choix : %2, %3.</translation>
    </message>
    <message>
        <source>%1. First: %2. Second: %3.</source>
        <translation>%1. Première : %2. Seconde : %3.</translation>
    </message>
    <message>
        <source>%1. The model expects %2 with probability %3.</source>
        <translation>%1. Le modèle attend %2 avec une probabilité de %3.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>%1: %2 layers of %3 heads.</source>
        <translation>%1 : %2 couches de %3 têtes.</translation>
    </message>
    <message>
        <source>%1: %2, probability %3.</source>
        <translation>%1 : %2, probabilité %3.</translation>
    </message>
    <message>
        <source>%1: bias of head %2</source>
        <translation>%1 : biais de la tête %2</translation>
    </message>
    <message>
        <source>%1: key %2, weight %3</source>
        <translation>%1 : clé %2, poids %3</translation>
    </message>
    <message>
        <source>%1: largest weights</source>
        <translation>%1 : plus grands poids</translation>
    </message>
    <message>
        <source>%1: mean cosine</source>
        <translation>%1 : cosinus moyen</translation>
    </message>
    <message>
        <source>%1: none was found.</source>
        <translation>%1 : aucune n’a été trouvée.</translation>
    </message>
    <message>
        <source>%1: row, column of the patch</source>
        <translation>%1 : ligne, colonne du carreau</translation>
    </message>
    <message>
        <source>%1: score %2, weight %3, contributes %3 · %4 = %5</source>
        <translation>%1 : score %2, poids %3, contribution %3 · %4 = %5</translation>
    </message>
    <message>
        <source>%1: scores</source>
        <translation>%1 : scores</translation>
    </message>
    <message>
        <source>%1: the two have no numbers in common.</source>
        <translation>%1 : les deux n’ont aucun nombre en commun.</translation>
    </message>
    <message>
        <source>%1: what the output layer says of %2 states at %3 tokens.</source>
        <translation>%1 : ce que la couche de sortie dit de %2 états pour %3 tokens.</translation>
    </message>
    <message>
        <source>%1; the rest stands.</source>
        <translation>%1 ; le reste demeure.</translation>
    </message>
    <message numerus="yes">
        <source>%n given tokens</source>
        <translation>
            <numerusform>%n token imposé</numerusform>
            <numerusform>%n tokens imposés</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more, less likely</source>
        <translation>
            <numerusform>%n autre, moins probable</numerusform>
            <numerusform>%n autres, moins probables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n patches</source>
        <translation>
            <numerusform>%n carreau</numerusform>
            <numerusform>%n carreaux</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n patches made grey</source>
        <translation>
            <numerusform>%n carreau grisé</numerusform>
            <numerusform>%n carreaux grisés</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;About AttnScope</source>
        <translation>À pr&amp;opos d’AttnScope</translation>
    </message>
    <message>
        <source>&amp;Add entry</source>
        <translation>&amp;Ajouter une entrée</translation>
    </message>
    <message>
        <source>&amp;Ask about or change this place…</source>
        <translation>&amp;Questionner ou modifier cet endroit…</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>Attentio&amp;n</translation>
    </message>
    <message>
        <source>&amp;Automatically</source>
        <translation>&amp;Automatiquement</translation>
    </message>
    <message>
        <source>&amp;Base</source>
        <translation>&amp;Base</translation>
    </message>
    <message>
        <source>&amp;Beam</source>
        <translation>Fa&amp;isceau</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Interrompre</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>Couleur&amp;s</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Commandes…</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copier</translation>
    </message>
    <message>
        <source>&amp;Copy image</source>
        <translation>&amp;Copier l’image</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>&amp;Copier les rangées</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>S&amp;ombre</translation>
    </message>
    <message>
        <source>&amp;Decoding</source>
        <translation>&amp;Décodage</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>&amp;Différence</translation>
    </message>
    <message>
        <source>&amp;Dots per inch</source>
        <translation>&amp;Points par pouce</translation>
    </message>
    <message>
        <source>&amp;Draw again</source>
        <translation>Nouveau tira&amp;ge</translation>
    </message>
    <message>
        <source>&amp;Each step</source>
        <translation>&amp;Chaque étape</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xporter…</translation>
    </message>
    <message>
        <source>&amp;Farthest</source>
        <translation>Distance ma&amp;x.</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Fichier</translation>
    </message>
    <message>
        <source>&amp;Find tokens…</source>
        <translation>Recherc&amp;her des tokens…</translation>
    </message>
    <message>
        <source>&amp;First step</source>
        <translation>&amp;Première étape</translation>
    </message>
    <message>
        <source>&amp;First steps</source>
        <translation>&amp;Premiers pas</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>&amp;Glossaire</translation>
    </message>
    <message>
        <source>&amp;Go to the next part</source>
        <translation>Aller à la part&amp;ie suivante</translation>
    </message>
    <message>
        <source>&amp;Grey out in the picture</source>
        <translation>&amp;Griser dans l’image</translation>
    </message>
    <message>
        <source>&amp;Hardly: at most</source>
        <translation>À &amp;peine : au plus</translation>
    </message>
    <message>
        <source>&amp;Head</source>
        <translation>Têt&amp;e</translation>
    </message>
    <message>
        <source>&amp;Hear the chosen word</source>
        <translation>Entendre le mot c&amp;hoisi</translation>
    </message>
    <message>
        <source>&amp;Hear the chosen word (%1)</source>
        <translation>Entendre le mot c&amp;hoisi (%1)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>Aid&amp;e</translation>
    </message>
    <message>
        <source>&amp;Help on this page</source>
        <translation>&amp;Aide sur cette page</translation>
    </message>
    <message>
        <source>&amp;Help on this view</source>
        <translation>Aide sur cette &amp;vue</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>&amp;Masquer</translation>
    </message>
    <message>
        <source>&amp;Hide erased tokens</source>
        <translation>&amp;Masquer les tokens effacés</translation>
    </message>
    <message>
        <source>&amp;Hide from everything</source>
        <translation>C&amp;acher à tout</translation>
    </message>
    <message>
        <source>&amp;Hide this word</source>
        <translation>&amp;Masquer ce mot</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>&amp;Clé</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Raccourcis</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <comment>of attention</comment>
        <translation>&amp;Clés</translation>
    </message>
    <message>
        <source>&amp;Laboratory</source>
        <translation>&amp;Laboratoire</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>Lan&amp;gue</translation>
    </message>
    <message>
        <source>&amp;Last step</source>
        <translation>&amp;Dernière étape</translation>
    </message>
    <message>
        <source>&amp;Layer</source>
        <translation>&amp;Couche</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Leçons</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Clair</translation>
    </message>
    <message>
        <source>&amp;Links…</source>
        <translation>&amp;Liens…</translation>
    </message>
    <message>
        <source>&amp;Mark the step</source>
        <translation>&amp;Marquer l’étape</translation>
    </message>
    <message>
        <source>&amp;Mask the chosen word</source>
        <translation>&amp;Masquer le mot choisi</translation>
    </message>
    <message>
        <source>&amp;Mask this word</source>
        <translation>&amp;Masquer ce mot</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Mesure</translation>
    </message>
    <message>
        <source>&amp;Model's head</source>
        <translation>&amp;Tête du modèle</translation>
    </message>
    <message>
        <source>&amp;Neighbours of</source>
        <translation>&amp;Voisins de</translation>
    </message>
    <message>
        <source>&amp;Numbers</source>
        <translation>&amp;Chiffres</translation>
    </message>
    <message>
        <source>&amp;Numbers in cells</source>
        <translation>&amp;Nombres des cellules</translation>
    </message>
    <message>
        <source>&amp;Of</source>
        <translation>S&amp;ur</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Ouvrir…</translation>
    </message>
    <message>
        <source>&amp;Order</source>
        <translation>&amp;Ordre</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>Sort&amp;ie</translation>
    </message>
    <message>
        <source>&amp;Pair rows and columns</source>
        <translation>&amp;Apparier rangées et colonnes</translation>
    </message>
    <message>
        <source>&amp;Pairs…</source>
        <translation>&amp;Paires…</translation>
    </message>
    <message>
        <source>&amp;Picture</source>
        <translation>&amp;Image</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>&amp;Lire</translation>
    </message>
    <message>
        <source>&amp;Positions</source>
        <translation>&amp;Positions</translation>
    </message>
    <message>
        <source>&amp;Put back</source>
        <translation>&amp;Remettre</translation>
    </message>
    <message>
        <source>&amp;Query</source>
        <translation>&amp;Requête</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quitter</translation>
    </message>
    <message>
        <source>&amp;Remove entry</source>
        <translation>&amp;Supprimer l’entrée</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>Rempl&amp;acer</translation>
    </message>
    <message>
        <source>&amp;Replace this word by…</source>
        <translation>&amp;Remplacer ce mot par…</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>Li&amp;gnes</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>E&amp;xécuter</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Enregistrer</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>Gra&amp;ine</translation>
    </message>
    <message>
        <source>&amp;Sentence</source>
        <translation>&amp;Phrase</translation>
    </message>
    <message>
        <source>&amp;Sentences</source>
        <translation>&amp;Phrases</translation>
    </message>
    <message>
        <source>&amp;Set to…</source>
        <translation>&amp;Fixer à…</translation>
    </message>
    <message>
        <source>&amp;Sharpness</source>
        <translation>&amp;Netteté</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>&amp;Afficher</translation>
    </message>
    <message>
        <source>&amp;Sort by</source>
        <translation>&amp;Ordre</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thème</translation>
    </message>
    <message>
        <source>&amp;Through</source>
        <translation>À &amp;travers</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>T&amp;itre</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Affichage</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>&amp;Poids</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>&amp;Bienvenue</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>&amp;Largeur</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <comment>of vectors</comment>
        <translation>&amp;Dimension</translation>
    </message>
    <message>
        <source>&amp;Without</source>
        <translation>&amp;Sans</translation>
    </message>
    <message>
        <source>&amp;d</source>
        <translation>&amp;d</translation>
    </message>
    <message>
        <source>(double click: change it; drag it out: hide it)</source>
        <translation>(double clic : modifier ; sortir de la ligne : masquer)</translation>
    </message>
    <message>
        <source>(drag it up or down: another weight)</source>
        <translation>(la glisser vers le haut ou le bas : un autre poids)</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>(aucun)</translation>
    </message>
    <message>
        <source>(sink)</source>
        <translation>(puits)</translation>
    </message>
    <message>
        <source>(special)</source>
        <translation>(spécial)</translation>
    </message>
    <message>
        <source>+1: a word's row is that of the step at which the decoder reads it, one later than the step that writes it (Chen et al. 2020)</source>
        <translation>+1 : la rangée d’un mot est celle de l’étape où le décodeur le lit, une après celle qui l’écrit (Chen et al. 2020)</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>, %1 dimensions</source>
        <translation>, %1 dimensions</translation>
    </message>
    <message>
        <source>, %1 of %2 experts</source>
        <translation>, %1 experts sur %2</translation>
    </message>
    <message numerus="yes">
        <source>, and %n more</source>
        <translation>
            <numerusform>, et %n autre</numerusform>
            <numerusform>, et %n autres</numerusform>
        </translation>
    </message>
    <message>
        <source>, cut off</source>
        <translation>, écarté</translation>
    </message>
    <message>
        <source>, drawn with </source>
        <translation>, tiré avec </translation>
    </message>
    <message>
        <source>, gated feed-forward</source>
        <translation>, couche feed-forward à portes</translation>
    </message>
    <message>
        <source>, intra-decoder attention</source>
        <translation>, attention intra-décodeur</translation>
    </message>
    <message>
        <source>, norms around each block</source>
        <translation>, normalisation avant et après chaque bloc</translation>
    </message>
    <message>
        <source>, norms of each block's output</source>
        <translation>, normalisation de la sortie de chaque bloc</translation>
    </message>
    <message>
        <source>, parallel blocks</source>
        <translation>, blocs parallèles</translation>
    </message>
    <message>
        <source>, post-norm</source>
        <translation>, post-normalisation</translation>
    </message>
    <message>
        <source>, pre-norm</source>
        <translation>, pré-normalisation</translation>
    </message>
    <message>
        <source>, the colours begin at %1</source>
        <translation>, les couleurs commencent à %1</translation>
    </message>
    <message>
        <source>, the threshold %1</source>
        <translation>, le seuil %1</translation>
    </message>
    <message>
        <source>. The laboratory shows how much the order matters to it.</source>
        <translation>. Le laboratoire montre combien l’ordre compte pour lui.</translation>
    </message>
    <message>
        <source>0: the output merely moved</source>
        <translation>0 : la sortie s’est seulement déplacée</translation>
    </message>
    <message>
        <source>1 generated token in italics</source>
        <translation>1 token généré, en italique</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 tête</translation>
    </message>
    <message>
        <source>1 picked</source>
        <translation>1 choisie</translation>
    </message>
    <message>
        <source>1 sentence</source>
        <translation>1 phrase</translation>
    </message>
    <message>
        <source>1 − alignment error rate</source>
        <translation>1 − taux d’erreur d’alignement</translation>
    </message>
    <message>
        <source>1/√d</source>
        <translation>1/√d</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>: %1 to %2 of 0 to %3</source>
        <translation> : %1 à %2 de 0 à %3</translation>
    </message>
    <message>
        <source>; </source>
        <translation> ; </translation>
    </message>
    <message numerus="yes">
        <source>; too long for more than %n heads at once</source>
        <translation>
            <numerusform> ; trop long pour plus de %n tête à la fois</numerusform>
            <numerusform> ; trop long pour plus de %n têtes à la fois</numerusform>
        </translation>
    </message>
    <message>
        <source>A Transformer (Vaswani et al. 2017) asks eight times in each layer, by eight [heads](glossary#head), each with [queries](glossary#query), [keys](glossary#key) and [values](glossary#value) of its own. This is one of them, in the last layer.</source>
        <translation>Un Transformer (Vaswani et al. 2017) interroge huit fois dans chaque couche, par huit [têtes](glossary#head), chacune avec ses propres [requêtes](glossary#query), [clés](glossary#key) et [valeurs](glossary#value). En voici une, dans la dernière couche.</translation>
    </message>
    <message>
        <source>A Transformer (Vaswani et al. 2017) asks eight times in each layer, by eight [heads](glossary#head). This is one of them, in the last layer, and **%1** comes. At which word does the head look most?</source>
        <translation>Un Transformer (Vaswani et al. 2017) demande huit fois dans chaque couche, par huit [têtes](glossary#head). En voici une, dans la dernière couche, et vient **%1**. Quel mot la tête regarde-t-elle le plus ?</translation>
    </message>
    <message>
        <source>A captioner (Xu et al. 2015) looks at the picture anew for each word: softly, at all patches by their weights, or hard, at one. Does it say what it sees?</source>
        <translation>Un modèle de légendes (Xu et al. 2015) regarde l’image à nouveau pour chaque mot : doucement, tous les carreaux selon leurs poids, ou durement, un seul. Dit-il ce qu’il voit ?</translation>
    </message>
    <message>
        <source>A click or Enter: goes on with it</source>
        <translation>Clic ou Entrée : continue avec lui</translation>
    </message>
    <message>
        <source>A dot shows</source>
        <translation>Un point montre</translation>
    </message>
    <message>
        <source>A given output is read back instead of what the model would have written.</source>
        <translation>Une sortie imposée est relue à la place de ce que le modèle aurait écrit.</translation>
    </message>
    <message>
        <source>A learned number for each bucket and head is added to the score. %1 near distances have a bucket of their own, farther ones share logarithmically wider buckets up to %2.</source>
        <translation>Un nombre appris pour chaque intervalle et chaque tête s’ajoute au score. %1 distances proches ont un intervalle à elles, les plus éloignées partagent des intervalles qui s’élargissent logarithmiquement jusqu’à %2.</translation>
    </message>
    <message>
        <source>A limit of its length</source>
        <translation>Une limite de longueur</translation>
    </message>
    <message>
        <source>A lookup of %1 in %2 entries with sharpness %3. %4. Result %5.</source>
        <translation>Recherche de %1 dans %2 entrées, netteté %3. %4. Résultat %5.</translation>
    </message>
    <message>
        <source>A lookup that is soft</source>
        <translation>Une recherche douce</translation>
    </message>
    <message>
        <source>A model reads your sentence and writes another one. Each row of the picture is a word that it wrote, each column a word that it read, and a cell says how much it [looked there](glossary#attention-weight). Try it:</source>
        <translation>Un modèle lit votre phrase et en écrit une autre. Chaque rangée de l’image est un mot qu’il a écrit, chaque colonne un mot qu’il a lu, et une cellule dit à quel point il a [regardé là](glossary#attention-weight). À essayer :</translation>
    </message>
    <message>
        <source>A model reads your text and can go on with it. Each row of the picture is a word, and its cells say how much the step that wrote it [looked at](glossary#attention-weight) each word before it. Try it:</source>
        <translation>Un modèle lit votre texte et peut le continuer. Chaque rangée de l’image est un mot, et ses cellules disent à quel point l’étape qui l’a écrit a [regardé](glossary#attention-weight) chaque mot qui le précède. À essayer :</translation>
    </message>
    <message>
        <source>A model reads your text. Each row of the picture is a token, and a cell says how much it [looked at](glossary#attention-weight) another one. Try it:</source>
        <translation>Un modèle lit votre texte. Chaque rangée de l’image est un token, et une cellule dit à quel point il en a [regardé](glossary#attention-weight) un autre. À essayer :</translation>
    </message>
    <message>
        <source>A model without attention must put a whole sentence into one vector, and the longer the sentence, the more is lost. With attention the decoder looks back at every word.</source>
        <translation>Un modèle sans attention doit mettre toute la phrase dans un seul vecteur, et plus la phrase est longue, plus il s’en perd. Avec l’attention, le décodeur regarde chaque mot.</translation>
    </message>
    <message>
        <source>A picture of attention is no proof. How far does each reading agree with what happens when words are really taken away, and what does the output do when the weights are others?</source>
        <translation>Une image de l’attention n’est pas une preuve. Jusqu’où chaque lecture s’accorde-t-elle avec ce qui arrive quand on retire vraiment des mots, et que fait la sortie avec d’autres poids ?</translation>
    </message>
    <message>
        <source>A piece of a word: rare words are read and written in several.</source>
        <translation>Un morceau de mot : les mots rares se lisent et s’écrivent en plusieurs morceaux.</translation>
    </message>
    <message>
        <source>A plane with %1 keys and the query %2; drag the query or move it with the arrow keys.</source>
        <translation>Un plan avec %1 clés et la requête %2 ; tirer la requête ou la déplacer avec les flèches.</translation>
    </message>
    <message>
        <source>A reading against erasure, token by token</source>
        <translation>Une lecture face à l’effacement, token par token</translation>
    </message>
    <message>
        <source>A recurrent cell with a memory and gates that decide what is written, kept and read.</source>
        <translation>Une cellule récurrente dotée d’une mémoire et de portes qui décident de ce qui est écrit, gardé et lu.</translation>
    </message>
    <message>
        <source>A recurrent cell with two gates, which decide what of the state is kept and what is renewed.</source>
        <translation>Une cellule récurrente à deux portes, qui décident de ce qui est gardé de l’état et de ce qui en est renouvelé.</translation>
    </message>
    <message>
        <source>A run first shows the word that the model was least sure of. The first step is Alt+Home, the last one Alt+End.</source>
        <translation>Une exécution montre d’abord le mot dont le modèle était le moins sûr. Alt+Home mène à la première étape, Alt+End à la dernière.</translation>
    </message>
    <message>
        <source>A score is a product of two vectors. What becomes of such products when the vectors are wider?</source>
        <translation>Un score est un produit de deux vecteurs. Que deviennent ces produits quand les vecteurs sont plus larges ?</translation>
    </message>
    <message>
        <source>A score of translations, 0 to 100: how many runs of one to four words they share with a reference.</source>
        <translation>Un score de traduction, de 0 à 100 : combien de suites d’un à quatre mots sont communes avec une référence.</translation>
    </message>
    <message>
        <source>A sentence for all models</source>
        <translation>Une phrase pour tous les modèles</translation>
    </message>
    <message>
        <source>A sentence of twenty-five words: which of the two loses more of it?</source>
        <translation>Une phrase de vingt-cinq mots : lequel des deux en perd le plus ?</translation>
    </message>
    <message>
        <source>A sum over the %1 frequencies: it knows the distance, but not which of the two positions comes first; both layouts give the same products.</source>
        <translation>Une somme sur les %1 fréquences : elle connaît la distance, mais pas laquelle des deux positions vient d’abord ; les deux dispositions donnent les mêmes produits.</translation>
    </message>
    <message>
        <source>A table answers only a query that equals one of its keys. Attention answers every query: each value contributes as much as its key fits, and the sharpness says how much the best fit is preferred. In the example a value is the years that an animal lives, and its key two traits that were made up.</source>
        <translation>Une table ne répond qu’à une requête égale à l’une de ses clés. L’attention répond à toute requête : chaque valeur contribue d’autant plus que sa clé convient, et la netteté dit à quel point la meilleure correspondance est préférée. Dans l’exemple, une valeur est le nombre d’années que vit un animal, et sa clé deux traits inventés.</translation>
    </message>
    <message>
        <source>A text file with a sentence on each line</source>
        <translation>Un fichier texte avec une phrase par ligne</translation>
    </message>
    <message>
        <source>A text file with a source, a tab and a reference on each line</source>
        <translation>Un fichier texte avec, sur chaque ligne, une source, une tabulation et une référence</translation>
    </message>
    <message>
        <source>A text file with a source, a tab and its translation on each line</source>
        <translation>Un fichier texte avec, sur chaque ligne, une source, une tabulation et sa traduction</translation>
    </message>
    <message>
        <source>A text here has at most %1 characters: what is more was left out. The command line runs longer ones.</source>
        <translation>Un texte a ici au plus %1 caractères : le reste a été laissé de côté. La ligne de commande en exécute de plus longs.</translation>
    </message>
    <message>
        <source>A token that could come next at a step, with its probability.</source>
        <translation>Un token qui pourrait venir ensuite à une étape, avec sa probabilité.</translation>
    </message>
    <message>
        <source>A token that is no text: the end of a sentence, a separator, a mask.</source>
        <translation>Un token qui n’est pas du texte : fin de phrase, séparateur, masque.</translation>
    </message>
    <message>
        <source>A token, mostly the first, that takes much weight and says little.</source>
        <translation>Un token, le plus souvent le premier, qui prend beaucoup de poids et dit peu de chose.</translation>
    </message>
    <message>
        <source>A weight of the model that asks every text the same question.</source>
        <translation>Un vecteur de poids du modèle, qui pose à chaque texte la même question.</translation>
    </message>
    <message>
        <source>A → A</source>
        <translation>A → A</translation>
    </message>
    <message>
        <source>A → B</source>
        <translation>A → B</translation>
    </message>
    <message>
        <source>A&amp;bout</source>
        <translation>À propos &amp;de</translation>
    </message>
    <message>
        <source>ACL, one column</source>
        <translation>ACL, une colonne</translation>
    </message>
    <message>
        <source>ACL, two columns</source>
        <translation>ACL, deux colonnes</translation>
    </message>
    <message>
        <source>AER</source>
        <translation>AER</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>ALiBi: what is added to the scores of head %1</source>
        <translation>ALiBi : ce qui s’ajoute aux scores de la tête %1</translation>
    </message>
    <message>
        <source>About AttnScope</source>
        <translation>À propos d’AttnScope</translation>
    </message>
    <message>
        <source>Above each other</source>
        <translation>L’un sous l’autre</translation>
    </message>
    <message>
        <source>Absent</source>
        <translation>Absents</translation>
    </message>
    <message>
        <source>After layer %1</source>
        <translation>Après la couche %1</translation>
    </message>
    <message>
        <source>After layer %1 (last)</source>
        <translation>Après la couche %1 (dernière)</translation>
    </message>
    <message>
        <source>Agreement of every head</source>
        <translation>Accord de chaque tête</translation>
    </message>
    <message>
        <source>Agreement with the links by hand</source>
        <translation>Accord avec les liens posés à la main</translation>
    </message>
    <message>
        <source>Aligned by</source>
        <translation>Aligné par</translation>
    </message>
    <message>
        <source>Alignment by head and reading</source>
        <translation>Alignement par tête et par lecture</translation>
    </message>
    <message>
        <source>Alignment desk</source>
        <translation>Atelier d’alignement</translation>
    </message>
    <message>
        <source>Alignment error rate (Och and Ney 2003): 0 is best</source>
        <translation>Taux d’erreur d’alignement (Och et Ney 2003) : 0 est le mieux</translation>
    </message>
    <message>
        <source>Alignment error rate of the sentence: 0 is best</source>
        <translation>Taux d’erreur d’alignement de la phrase : 0 est le mieux</translation>
    </message>
    <message>
        <source>Alive when the search stopped: it could not win any more.</source>
        <translation>Active à l’arrêt de la recherche : elle ne pouvait plus gagner.</translation>
    </message>
    <message>
        <source>Alive: the search goes on.</source>
        <translation>Active : la recherche continue.</translation>
    </message>
    <message>
        <source>All %1 features turn in pairs.</source>
        <translation>Les %1 composantes tournent par paires.</translation>
    </message>
    <message>
        <source>All &amp;histograms</source>
        <translation>Tous les &amp;histogrammes</translation>
    </message>
    <message>
        <source>All but the first and special tokens</source>
        <translation>Tous sauf le premier et les spéciaux</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>Toutes les têtes</translation>
    </message>
    <message>
        <source>All heads of all layers</source>
        <translation>Toutes les têtes de toutes les couches</translation>
    </message>
    <message>
        <source>All heads together</source>
        <translation>Toutes les têtes ensemble</translation>
    </message>
    <message>
        <source>All of the context is read; the gate would let through %1 to %2 of it.</source>
        <translation>Tout le contexte est lu ; la porte en laisserait passer %1 à %2.</translation>
    </message>
    <message>
        <source>All on one a&amp;xis</source>
        <translation>Tout sur un même a&amp;xe</translation>
    </message>
    <message>
        <source>All patches grey, the caption is still “%1”.</source>
        <translation>Tous les carreaux gris, la légende reste « %1 ».</translation>
    </message>
    <message>
        <source>All products</source>
        <translation>Tous les produits</translation>
    </message>
    <message>
        <source>All s&amp;tages below each other</source>
        <translation>Toutes les étapes à la &amp;suite</translation>
    </message>
    <message>
        <source>All that can be opened (*.gguf *.safetensors *.bin *.pt *.pth *.npz *.npy *.json *.csv *.html *.attnscope *.txt *.md *.png *.jpg *.jpeg *.webp *.gif *.bmp *.ppm *.pgm *.wav *.flac *.ogg *.opus *.mp3 *.aiff *.aif);;All files (*)</source>
        <translation>Tout ce qui peut être ouvert (*.gguf *.safetensors *.bin *.pt *.pth *.npz *.npy *.json *.csv *.html *.attnscope *.txt *.md *.png *.jpg *.jpeg *.webp *.gif *.bmp *.ppm *.pgm *.wav *.flac *.ogg *.opus *.mp3 *.aiff *.aif);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>All that it knows, each with a probability</source>
        <translation>Tous ceux qu’il connaît, chacun avec une probabilité</translation>
    </message>
    <message>
        <source>All that it knows: the model looks at your sentence and gives every token of its vocabulary a probability; these are the best. [Greedy decoding](glossary#greedy-decoding) takes the first.</source>
        <translation>Tous ceux qu’il connaît : le modèle regarde votre phrase et donne à chaque token de son vocabulaire une probabilité ; voici les meilleurs. Le [décodage glouton](glossary#greedy-decoding) prend le premier.</translation>
    </message>
    <message>
        <source>All tokens</source>
        <translation>Tous les tokens</translation>
    </message>
    <message>
        <source>All words</source>
        <translation>Tous les mots</translation>
    </message>
    <message>
        <source>All write what the &amp;first one writes</source>
        <translation>Tous écrivent ce qu’écrit le &amp;premier</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Toujours</translation>
    </message>
    <message>
        <source>An archive does not say how its model encodes positions.</source>
        <translation>Une archive ne dit pas comment son modèle encode les positions.</translation>
    </message>
    <message>
        <source>An archive holds the weights, not the numbers they came from: open the model itself.</source>
        <translation>Une archive contient les poids, pas les nombres dont ils proviennent : ouvrir le modèle lui-même.</translation>
    </message>
    <message>
        <source>An archive: nothing can be run</source>
        <translation>Archive : rien ne peut être exécuté</translation>
    </message>
    <message>
        <source>An attention archive reads no text</source>
        <translation>Une archive d’attention ne lit aucun texte</translation>
    </message>
    <message>
        <source>An offset is a rotation</source>
        <translation>Un décalage est une rotation</translation>
    </message>
    <message>
        <source>An output, or the beginning of one, that a search considers.</source>
        <translation>Une sortie, ou le début d’une sortie, qu’une recherche envisage.</translation>
    </message>
    <message>
        <source>Another head of the same layer on the same sentence. For some words it looks at the same place, for many elsewhere: nobody told it what to look for, training did. The panel *Shown* at the right changes heads.</source>
        <translation>Une autre tête de la même couche sur la même phrase. Pour certains mots elle regarde au même endroit, pour beaucoup ailleurs : personne ne lui a dit quoi chercher, c’est l’entraînement qui l’a fait. Le panneau *Affiché*, à droite, change de tête.</translation>
    </message>
    <message>
        <source>Another head of the same layer, on the same sentence: for **%1**, does it look at the same word? At which?</source>
        <translation>Une autre tête de la même couche, sur la même phrase : pour **%1**, regarde-t-elle le même mot ? Lequel ?</translation>
    </message>
    <message>
        <source>Another sentence</source>
        <translation>Une autre phrase</translation>
    </message>
    <message>
        <source>Another word to go on with</source>
        <translation>Autre mot avec lequel continuer</translation>
    </message>
    <message>
        <source>Another word…</source>
        <translation>Autre mot…</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Réponse</translation>
    </message>
    <message>
        <source>Answer: “%1”</source>
        <translation>Réponse : « %1 »</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Appliquer</translation>
    </message>
    <message>
        <source>Apply this edit earlier (Alt+Up)</source>
        <translation>Appliquer cette modification plus tôt (Alt+Up)</translation>
    </message>
    <message>
        <source>Apply this edit later (Alt+Down)</source>
        <translation>Appliquer cette modification plus tard (Alt+Down)</translation>
    </message>
    <message>
        <source>As </source>
        <translation>Lu comme </translation>
    </message>
    <message>
        <source>At the length limit, %1: %2.</source>
        <translation>À la limite de longueur, %1 : %2.</translation>
    </message>
    <message>
        <source>At the margins</source>
        <translation>En marge</translation>
    </message>
    <message>
        <source>At the words of the same sentence</source>
        <translation>Les mots de la même phrase</translation>
    </message>
    <message>
        <source>At the words of the same sentence, which look at each other: [self-attention](glossary#self-attention). Lines beside the diagonal look at a neighbour, columns at one word; those at the right rest at the end of the sentence.</source>
        <translation>Les mots de la même phrase, qui se regardent entre eux : l’[auto-attention](glossary#self-attention). Une ligne à côté de la diagonale regarde un voisin, une colonne un même mot ; les colonnes de droite se reposent sur la fin de la phrase.</translation>
    </message>
    <message>
        <source>At the words that will be written</source>
        <translation>Les mots qui seront écrits</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Attention archive</source>
        <translation>Archive d’attention</translation>
    </message>
    <message>
        <source>Attention as lines</source>
        <translation>Attention en lignes</translation>
    </message>
    <message>
        <source>Attention as shades of the text</source>
        <translation>Attention en nuances sur le texte</translation>
    </message>
    <message>
        <source>Attention matrix</source>
        <translation>Matrice d’attention</translation>
    </message>
    <message>
        <source>Attention of the compared models</source>
        <translation>Attention des modèles comparés</translation>
    </message>
    <message>
        <source>Attention of the model</source>
        <translation>Attention du modèle</translation>
    </message>
    <message>
        <source>Attention only: this model has no head that predicts anything</source>
        <translation>Attention seule : ce modèle n’a pas de tête qui prédise quoi que ce soit</translation>
    </message>
    <message>
        <source>Attention over the picture</source>
        <translation>Attention sur l’image</translation>
    </message>
    <message>
        <source>Attention over the sound</source>
        <translation>Attention sur le son</translation>
    </message>
    <message>
        <source>Attention pooling</source>
        <translation>Agrégation par attention</translation>
    </message>
    <message>
        <source>Attention weights</source>
        <translation>Poids d’attention</translation>
    </message>
    <message>
        <source>Attention × gradient</source>
        <translation>Attention × gradient</translation>
    </message>
    <message>
        <source>Attention, last layer</source>
        <translation>Attention, dernière couche</translation>
    </message>
    <message>
        <source>Attention, layer shown first</source>
        <translation>Attention, couche montrée d’abord</translation>
    </message>
    <message>
        <source>Attentional state</source>
        <translation>État attentionnel</translation>
    </message>
    <message>
        <source>AttnScope</source>
        <translation>AttnScope</translation>
    </message>
    <message>
        <source>AttnScope ended without saving the runs that were made until %1.</source>
        <translation>AttnScope s’est arrêté sans enregistrer les exécutions faites jusqu’à %1.</translation>
    </message>
    <message>
        <source>AttnScope figure</source>
        <translation>Figure AttnScope</translation>
    </message>
    <message>
        <source>AttnScope help</source>
        <translation>Aide d’AttnScope</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>B → A</source>
        <translation>B → A</translation>
    </message>
    <message>
        <source>B → B</source>
        <translation>B → B</translation>
    </message>
    <message>
        <source>B&amp;uckets</source>
        <translation>&amp;Intervalles</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>BLEU %1</source>
        <translation>BLEU %1</translation>
    </message>
    <message>
        <source>BLEU %1 on %2</source>
        <translation>BLEU %1 sur %2</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>Back to the beginning: nothing is written yet, and **%1** comes. At which word does it look most?</source>
        <translation>Retour au début : rien n’est encore écrit, et vient **%1**. Quel mot regarde-t-il le plus ?</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Référence</translation>
    </message>
    <message>
        <source>Beam search</source>
        <translation>Recherche en faisceau</translation>
    </message>
    <message>
        <source>Beam tree</source>
        <translation>Faisceau</translation>
    </message>
    <message>
        <source>Beam tree</source>
        <comment>title of the figure</comment>
        <translation>Arbre du faisceau</translation>
    </message>
    <message>
        <source>Before the first word nothing is written. How many next words does the model think possible?</source>
        <translation>Avant le premier mot, rien n’est écrit. Combien de mots suivants le modèle juge-t-il possibles ?</translation>
    </message>
    <message>
        <source>Begin of the path, which stands for no text: zero embeddings, or the same token in every place</source>
        <translation>Début du chemin, qui tient lieu d’absence de texte : des plongements nuls, ou le même token à chaque place</translation>
    </message>
    <message>
        <source>Begins with</source>
        <translation>Commence par</translation>
    </message>
    <message>
        <source>Blues</source>
        <translation>Bleus</translation>
    </message>
    <message>
        <source>Both orders</source>
        <translation>Les deux ordres</translation>
    </message>
    <message>
        <source>Both, A and B</source>
        <translation>Les deux, A et B</translation>
    </message>
    <message>
        <source>Brings the numbers of a state to mean 0 and variance 1, then scales and shifts them as it has learned.</source>
        <translation>Ramène les nombres d’un état à une moyenne de 0 et une variance de 1, puis leur applique l’échelle et le décalage appris.</translation>
    </message>
    <message>
        <source>Builds a vocabulary of subwords by joining the most frequent neighbours, again and again.</source>
        <translation>Construit un vocabulaire de sous-mots en joignant, encore et encore, les voisins les plus fréquents.</translation>
    </message>
    <message>
        <source>Bundled models</source>
        <translation>Modèles fournis</translation>
    </message>
    <message>
        <source>By &amp;position</source>
        <translation>Par &amp;position</translation>
    </message>
    <message>
        <source>By &amp;word</source>
        <translation>Par &amp;mot</translation>
    </message>
    <message>
        <source>By distance</source>
        <translation>Selon la distance</translation>
    </message>
    <message>
        <source>By the shared &amp;beginning</source>
        <translation>Par &amp;début commun</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>CSV of the numbers shown</source>
        <translation>CSV des nombres affichés</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Interrompre</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Interrompu</translation>
    </message>
    <message>
        <source>Cap</source>
        <translation>Plafond</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>Carreaux</translation>
    </message>
    <message>
        <source>Change without it</source>
        <translation>Changement sans elle</translation>
    </message>
    <message>
        <source>Choose &amp;file…</source>
        <translation>Choisir un &amp;fichier…</translation>
    </message>
    <message>
        <source>Choose a text file with a sentence on each line, and start.</source>
        <translation>Choisir un fichier texte avec une phrase par ligne, et démarrer.</translation>
    </message>
    <message>
        <source>Choose a text file with a source, a tab and a reference on each line, tick two or more models, and start.</source>
        <translation>Choisir un fichier texte avec, sur chaque ligne, une source, une tabulation et une référence, cocher au moins deux modèles, et démarrer.</translation>
    </message>
    <message>
        <source>Choose a text file with a source, a tab and its translation on each line, and links by hand if there are any, and start.</source>
        <translation>Choisissez un fichier texte avec, sur chaque ligne, une source, une tabulation et sa traduction, et s’il y en a des liens posés à la main, puis lancez.</translation>
    </message>
    <message>
        <source>Chosen</source>
        <comment>panel</comment>
        <translation>Choisi</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Class: %1</source>
        <translation>Classe : %1</translation>
    </message>
    <message>
        <source>Clear the second sentence</source>
        <translation>Effacer la seconde phrase</translation>
    </message>
    <message>
        <source>Clear the text</source>
        <translation>Effacer le texte</translation>
    </message>
    <message>
        <source>Click a patch; drag to hide some</source>
        <translation>Cliquer sur un carreau ; glisser pour cacher</translation>
    </message>
    <message>
        <source>Click a token to follow it in every view</source>
        <translation>Cliquer sur un token pour le suivre dans toutes les vues</translation>
    </message>
    <message>
        <source>Click a token to see how probable its labels are.</source>
        <translation>Cliquer sur un token pour voir la probabilité de ses étiquettes.</translation>
    </message>
    <message>
        <source>Click a token to see what the model expects there.</source>
        <translation>Cliquer sur un token pour voir ce que le modèle y attend.</translation>
    </message>
    <message>
        <source>Click a word or a patch; drag over patches to hide them</source>
        <translation>Cliquer sur un mot ou un carreau ; glisser pour cacher</translation>
    </message>
    <message>
        <source>Click a word, or a moment of the sound</source>
        <translation>Cliquer sur un mot, ou sur un instant du son</translation>
    </message>
    <message>
        <source>Click a word, with Ctrl one more</source>
        <translation>Cliquer sur un mot, avec Ctrl un de plus</translation>
    </message>
    <message>
        <source>Click an output token to choose it; a right click on another candidate compares the two</source>
        <translation>Cliquer sur un token de sortie pour le choisir ; un clic droit sur un autre candidat compare les deux</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Écrêter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Close; Help brings it back</source>
        <translation>Fermer ; le menu Aide permet d’y revenir</translation>
    </message>
    <message>
        <source>Co&amp;ntinue the text</source>
        <translation>Co&amp;ntinuer le texte</translation>
    </message>
    <message>
        <source>Col&amp;umns</source>
        <translation>C&amp;olonnes</translation>
    </message>
    <message>
        <source>Colo&amp;urs</source>
        <translation>Couleur&amp;s</translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation>Échelle de couleurs</translation>
    </message>
    <message>
        <source>Colours end at</source>
        <translation>Couleurs jusqu’à</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Commandes</translation>
    </message>
    <message>
        <source>Compare models</source>
        <translation>Comparer les modèles</translation>
    </message>
    <message>
        <source>Compare what is on show with this run (Ctrl and a click, Ctrl+P)</source>
        <translation>Comparer ce qui est affiché à cette exécution (Ctrl et clic, Ctrl+P)</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Comparer à</translation>
    </message>
    <message>
        <source>Compares with the same readings of the model with its weights in random order</source>
        <translation>Compare aux mêmes lectures du modèle dont les poids sont dans un ordre aléatoire</translation>
    </message>
    <message>
        <source>Component %1 of the query</source>
        <translation>Composante %1 de la requête</translation>
    </message>
    <message>
        <source>Components of a key, d</source>
        <translation>Composantes d’une clé, d</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Compression</translation>
    </message>
    <message>
        <source>Computing %1</source>
        <translation>Calcul : %1</translation>
    </message>
    <message>
        <source>Computing %1…</source>
        <translation>Calcul en cours : %1…</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confiance</translation>
    </message>
    <message>
        <source>Context and state</source>
        <translation>Contexte et état</translation>
    </message>
    <message>
        <source>Continue by</source>
        <translation>Continuer de</translation>
    </message>
    <message>
        <source>Control: the same reading of the model with shuffled weights (Adebayo et al. 2018)</source>
        <translation>Témoin : la même lecture du modèle aux poids mélangés (Adebayo et al. 2018)</translation>
    </message>
    <message>
        <source>Control: the same weights in random order, which have the same entropy</source>
        <translation>Témoin : les mêmes poids dans un ordre aléatoire, de même entropie</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copié</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy &amp;numbers</source>
        <translation>Copier les no&amp;mbres</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Tout copier</translation>
    </message>
    <message>
        <source>Copy ou&amp;tput</source>
        <translation>Copier &amp;la sortie</translation>
    </message>
    <message>
        <source>Copy the &amp;value</source>
        <translation>Copier la &amp;valeur</translation>
    </message>
    <message>
        <source>Copy the colu&amp;mn</source>
        <translation>Copier la c&amp;olonne</translation>
    </message>
    <message>
        <source>Copy the ro&amp;w</source>
        <translation>Copier la ran&amp;gée</translation>
    </message>
    <message>
        <source>Copy the ta&amp;ble</source>
        <translation>Copier le ta&amp;bleau</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>Copier ce message</translation>
    </message>
    <message>
        <source>Copy what is applied, one edit a line</source>
        <translation>Copier ce qui est appliqué, une modification par ligne</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>Copie en cours</translation>
    </message>
    <message>
        <source>Cosine of %1's positions</source>
        <translation>Cosinus des positions de %1</translation>
    </message>
    <message>
        <source>Cosine of PE(p) and PE(r)</source>
        <translation>Cosinus de PE(p) et PE(r)</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>Couverture</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>Enc.-déc.</translation>
    </message>
    <message>
        <source>Curves of %1 dimensions from</source>
        <translation>Courbes de %1 dimensions à partir de</translation>
    </message>
    <message>
        <source>Cut off at the length limit.</source>
        <translation>Coupée à la longueur limite.</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>Décodeur</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>Décodage</translation>
    </message>
    <message>
        <source>Decoding step</source>
        <translation>Étape de décodage</translation>
    </message>
    <message>
        <source>Decoding: step %1 (0 to %2)</source>
        <translation>Décodage : étape %1 (0 à %2)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Dials of the frequencies</source>
        <translation>Cadrans des fréquences</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Abandonner</translation>
    </message>
    <message>
        <source>Discount</source>
        <translation>Atténuation</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Distance</translation>
    </message>
    <message>
        <source>Distance between the dimensions shown as curves</source>
        <translation>Écart entre les dimensions tracées en courbes</translation>
    </message>
    <message>
        <source>Distance that counts as no change</source>
        <translation>Distance qui ne compte pas comme un changement</translation>
    </message>
    <message>
        <source>Diverging</source>
        <translation>Divergente</translation>
    </message>
    <message>
        <source>Divided by √%1, the largest weights are %2 on average; undivided, %3.</source>
        <translation>Cette tête divise par √%1. Les plus grands poids sont de %2 en moyenne ; sans division, ils seraient de %3.</translation>
    </message>
    <message>
        <source>Divides the logits before drawing: below 1 the probable tokens gain, above 1 the others.</source>
        <translation>Divise les logits avant le tirage : au-dessous de 1, les tokens probables y gagnent ; au-dessus, les autres.</translation>
    </message>
    <message>
        <source>Does attention explain?</source>
        <translation>L’attention explique-t-elle ?</translation>
    </message>
    <message>
        <source>Does order matter?</source>
        <translation>L’ordre compte-t-il ?</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Terminé</translation>
    </message>
    <message>
        <source>Done in %1 ms</source>
        <translation>Terminé en %1 ms</translation>
    </message>
    <message>
        <source>Dot products of %1's positions</source>
        <translation>Produits scalaires des positions de %1</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Descendre</translation>
    </message>
    <message>
        <source>Drag a word, or choose it and press Alt with Left or Right</source>
        <translation>Faire glisser un mot, ou le choisir et appuyer sur Alt avec Gauche ou Droite</translation>
    </message>
    <message>
        <source>Drag the ends to set the range, double-click for the usual one; right click for more</source>
        <translation>Tirer les extrémités pour régler la plage, double-cliquer pour la plage habituelle ; clic droit pour plus de choix</translation>
    </message>
    <message>
        <source>Drag “%1” out</source>
        <translation>Sortir « %1 »</translation>
    </message>
    <message>
        <source>Draw again</source>
        <translation>Nouveau tirage</translation>
    </message>
    <message>
        <source>Drawing…</source>
        <translation>Dessin en cours…</translation>
    </message>
    <message>
        <source>Draws by the weights</source>
        <translation>Tire selon les poids</translation>
    </message>
    <message>
        <source>Draws from the fewest tokens whose probabilities sum to p.</source>
        <translation>Tire parmi le plus petit nombre de tokens dont les probabilités totalisent p.</translation>
    </message>
    <message>
        <source>Draws from the k most probable tokens.</source>
        <translation>Tire parmi les k tokens les plus probables.</translation>
    </message>
    <message>
        <source>Drop a picture here, or open one; type a text to see where its words look (may stay empty)</source>
        <translation>Déposez une image ici ou ouvrez-en une ; saisissez un texte pour voir où regardent ses mots (peut rester vide)</translation>
    </message>
    <message>
        <source>Drop a picture here, paste one (Ctrl+V) or open one (Ctrl+O)</source>
        <translation>Déposez une image ici, collez-en une (Ctrl+V) ou ouvrez-en une (Ctrl+O)</translation>
    </message>
    <message>
        <source>Drop a sound here, or open one (Ctrl+O)</source>
        <translation>Déposer un son ici, ou en ouvrir un (Ctrl+O)</translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation>Ex&amp;emples</translation>
    </message>
    <message>
        <source>Each embedding times its gradient: a straight line through the model at this text, which is far from it where the model is saturated.</source>
        <translation>Chaque plongement multiplié par son gradient : une droite tangente au modèle en ce texte, qui s’en éloigne là où le modèle est saturé.</translation>
    </message>
    <message>
        <source>Each frequency turns by its own angle</source>
        <translation>Chaque fréquence tourne de son propre angle</translation>
    </message>
    <message>
        <source>Each head loses its own slope per position of distance, here %1; the slopes of the %2 heads run from %3 to %4. Nothing is learned and nothing is added to the embeddings.</source>
        <translation>Chaque tête retranche sa propre pente par position de distance, ici %1 ; les pentes des %2 têtes vont de %3 à %4. Rien n’est appris et rien ne s’ajoute aux plongements.</translation>
    </message>
    <message>
        <source>Each in its own way</source>
        <translation>Chacune à sa façon</translation>
    </message>
    <message>
        <source>Each looks in its own way. Choose another one, in the list under the picture or by a click in the beam tree, and the rows change with it.</source>
        <translation>Chacune regarde à sa façon. Choisissez-en une autre, dans la liste sous l’image ou d’un clic dans l’arbre du faisceau, et les rangées changent avec elle.</translation>
    </message>
    <message>
        <source>Each row</source>
        <translation>Chaque rangée</translation>
    </message>
    <message>
        <source>Each weight times its gradient, where that is in favour of the explained token, the mean of the heads. What speaks against the token is left out, and other layers are not counted.</source>
        <translation>Chaque poids multiplié par son gradient, là où le produit parle pour le token expliqué, en moyenne sur les têtes. Ce qui parle contre lui est laissé de côté, et les autres couches ne comptent pas.</translation>
    </message>
    <message>
        <source>Edi&amp;t</source>
        <translation>Éditi&amp;on</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Modification</translation>
    </message>
    <message>
        <source>Edit the &amp;sentence</source>
        <translation>Modifier la phra&amp;se</translation>
    </message>
    <message>
        <source>Edit the sentence (Ctrl+L, F2, or type)</source>
        <translation>Modifier la phrase (Ctrl+L, F2, ou taper)</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Modifications</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Plongement</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>Plongements</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>Encodeur</translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation>Terminer la leçon</translation>
    </message>
    <message>
        <source>Ended by itself.</source>
        <translation>Terminée d’elle-même.</translation>
    </message>
    <message>
        <source>Ends the output</source>
        <translation>Termine la sortie</translation>
    </message>
    <message>
        <source>Enter does it, the arrow keys choose, Escape closes</source>
        <translation>Entrée exécute, les touches fléchées choisissent, Échap ferme</translation>
    </message>
    <message>
        <source>Entering layer 0</source>
        <translation>À l’entrée de la couche 0</translation>
    </message>
    <message>
        <source>Entering layer 0, with positions</source>
        <translation>À l’entrée de la couche 0, avec positions</translation>
    </message>
    <message>
        <source>Entropies</source>
        <translation>Entropies</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>Égaux</translation>
    </message>
    <message>
        <source>Erased tokens are hidden from attention, not replaced by another token</source>
        <translation>Les tokens effacés sont cachés à l’attention, non remplacés par un autre token</translation>
    </message>
    <message>
        <source>Erased tokens are hidden from attention, not replaced by the mask or the unknown token</source>
        <translation>Les tokens effacés sont masqués à l’attention, au lieu d’être remplacés par le masque ou le token inconnu</translation>
    </message>
    <message>
        <source>Erasure</source>
        <translation>Effacement</translation>
    </message>
    <message>
        <source>Even without positions the output changes (%1): the causal mask knows the order, for a word only sees the words before it; </source>
        <translation>Même sans positions, la sortie change (%1) : le masque causal connaît l’ordre, car un mot ne voit que ceux qui le précèdent ; </translation>
    </message>
    <message>
        <source>Evenness</source>
        <translation>Uniformité</translation>
    </message>
    <message>
        <source>Every key may be seen here.</source>
        <translation>Toutes les clés peuvent être vues ici.</translation>
    </message>
    <message>
        <source>Every token of this attention is hidden</source>
        <translation>Tous les tokens de cette attention sont cachés</translation>
    </message>
    <message>
        <source>Exact lookup: no key equals the query %1. Soft lookup: %2.</source>
        <translation>Recherche exacte : aucune clé n’est égale à la requête %1. Recherche douce : %2.</translation>
    </message>
    <message>
        <source>Exact lookup: the key of “%1” equals the query, so the answer is %2. Soft lookup: %3.</source>
        <translation>Recherche exacte : la clé de « %1 » est égale à la requête, la réponse est donc %2. Recherche douce : %3.</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Examples for this model</source>
        <translation>Exemples pour ce modèle</translation>
    </message>
    <message>
        <source>Expected at token %1, “%2”</source>
        <translation>Attendu au token %1, « %2 »</translation>
    </message>
    <message>
        <source>Experiments with attention, and how it is computed</source>
        <translation>Expériences sur l’attention et sur son calcul</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experts</translation>
    </message>
    <message>
        <source>Explain every output token: one row each</source>
        <translation>Expliquer chaque token de sortie : une rangée pour chacun</translation>
    </message>
    <message>
        <source>Explain the token itself, not its difference from the other one</source>
        <translation>Expliquer le token lui-même, non sa différence avec l’autre</translation>
    </message>
    <message>
        <source>Explained</source>
        <translation>Expliqué</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exporter</translation>
    </message>
    <message>
        <source>Exporting figures</source>
        <translation>Exporter des figures</translation>
    </message>
    <message>
        <source>F&amp;ont</source>
        <translation>Polic&amp;e</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Échec</translation>
    </message>
    <message>
        <source>Faithfulness</source>
        <translation>Fidélité</translation>
    </message>
    <message>
        <source>Faithfulness of readings</source>
        <translation>Fidélité des lectures</translation>
    </message>
    <message>
        <source>Feature by feature, the products of query and key; for “@” they sum to %1.</source>
        <translation>Composante par composante, les produits de la requête et de la clé ; pour « @ », leur somme est %1.</translation>
    </message>
    <message>
        <source>Features %2 to %3 of 0 to %1 turn in pairs, the others do not.</source>
        <translation>Les composantes %2 à %3, de 0 à %1, tournent par paires ; les autres non.</translation>
    </message>
    <message>
        <source>Fell out of the beam at step %1.</source>
        <translation>Écartée du faisceau à l’étape %1.</translation>
    </message>
    <message>
        <source>Fi&amp;rst word</source>
        <translation>Pr&amp;emier mot</translation>
    </message>
    <message>
        <source>Fig&amp;ure</source>
        <translation>&amp;Figure</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>Rechercher le suiva&amp;nt</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>Rechercher le &amp;précédent</translation>
    </message>
    <message>
        <source>Find tokens</source>
        <translation>Rechercher des tokens</translation>
    </message>
    <message>
        <source>Finished, %1: %2.</source>
        <translation>Terminée, %1 : %2.</translation>
    </message>
    <message>
        <source>Finished.</source>
        <translation>Terminée.</translation>
    </message>
    <message>
        <source>First dimension shown as a curve</source>
        <translation>Première dimension tracée en courbe</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>Première étape</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>Premiers pas</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Premier token</translation>
    </message>
    <message>
        <source>Fits best: “%1”</source>
        <translation>Convient le mieux : « %1 »</translation>
    </message>
    <message>
        <source>Follow a given output</source>
        <translation>Suivre une sortie imposée</translation>
    </message>
    <message>
        <source>Font &amp;size</source>
        <translation>&amp;Taille de police</translation>
    </message>
    <message>
        <source>Forces the first model's output on the others, so that their rows can be compared</source>
        <translation>Impose aux autres la sortie du premier modèle, pour que leurs rangées soient comparables</translation>
    </message>
    <message>
        <source>Found on this &amp;machine</source>
        <translation>Trouvés sur ce&amp;tte machine</translation>
    </message>
    <message>
        <source>Four [hypotheses](glossary#hypothesis) of one sentence. Do they look at the same words?</source>
        <translation>Quatre [hypothèses](glossary#hypothesis) pour une phrase. Regardent-elles les mêmes mots ?</translation>
    </message>
    <message>
        <source>Four times as many</source>
        <translation>Quatre fois plus</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Logiciel libre sous licence publique générale GNU, version 3 ou ultérieure.</translation>
    </message>
    <message>
        <source>French has *elle* for *she* and *il* for *he*: what the model cannot look at it can only guess.</source>
        <translation>*Elle* vient de *she*, *il* viendrait de *he* : ce que le modèle ne peut pas regarder, il ne peut que le deviner.</translation>
    </message>
    <message>
        <source>Fro&amp;m</source>
        <translation>Dep&amp;uis</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>De %1 à %2</translation>
    </message>
    <message>
        <source>From a score for every word of this sentence</source>
        <translation>D’un score pour chaque mot de cette phrase</translation>
    </message>
    <message>
        <source>From a score for every word: a small network compares its annotation with the decoder's state, and the [softmax](glossary#softmax) makes weights of the scores. *Inside one step* has all numbers of the cell that you click.</source>
        <translation>D’un score pour chaque mot : un petit réseau compare son annotation à l’état du décodeur, et le [softmax](glossary#softmax) transforme les scores en poids. *Dans une étape* donne tous les nombres de la cellule sur laquelle vous cliquez.</translation>
    </message>
    <message>
        <source>From a tenth on</source>
        <translation>À partir d’un dixième</translation>
    </message>
    <message>
        <source>From attention to decoding</source>
        <translation>De l’attention au décodage</translation>
    </message>
    <message>
        <source>From how often words occur together</source>
        <translation>Du nombre de fois où des mots vont ensemble</translation>
    </message>
    <message>
        <source>From one head to many</source>
        <translation>D’une tête à plusieurs</translation>
    </message>
    <message>
        <source>From position %1 to %2: </source>
        <translation>De la position %1 à %2 : </translation>
    </message>
    <message>
        <source>From the fixed vector to attention</source>
        <translation>Du vecteur fixe à l’attention</translation>
    </message>
    <message>
        <source>From the model cards</source>
        <translation>Tirés des fiches des modèles</translation>
    </message>
    <message>
        <source>G&amp;ate</source>
        <translation>&amp;Porte</translation>
    </message>
    <message>
        <source>GIF of the steps</source>
        <translation>GIF des étapes</translation>
    </message>
    <message>
        <source>GRU</source>
        <translation>GRU</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gaussienne</translation>
    </message>
    <message>
        <source>Give this run a name (F2)</source>
        <translation>Donner un nom à cette exécution (F2)</translation>
    </message>
    <message>
        <source>Given, not found.</source>
        <translation>Imposé, non trouvé.</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossaire</translation>
    </message>
    <message>
        <source>Go to the part &amp;before</source>
        <translation>A&amp;ller à la partie précédente</translation>
    </message>
    <message>
        <source>Goes from layer to layer</source>
        <translation>Passe de couche en couche</translation>
    </message>
    <message>
        <source>Gradient × input</source>
        <translation>Gradient × entrée</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradients</translation>
    </message>
    <message>
        <source>Gradients summed on the way from zero embeddings to the text: they add up to what is gained on it. Models that normalise their input, such as LLaMA and T5, have a jump at zero: there the sum does not settle, which is said, and the numbers mean nothing.</source>
        <translation>Gradients sommés sur le chemin des plongements nuls jusqu’au texte : leur somme est ce qui est gagné en chemin. Les modèles qui normalisent leur entrée, comme LLaMA et T5, font un saut en zéro : la somme n’y converge pas, ce qui est dit, et les nombres ne veulent rien dire.</translation>
    </message>
    <message>
        <source>Gre&amp;y</source>
        <translation>&amp;Gris</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>Glouton</translation>
    </message>
    <message>
        <source>Greedy decoding takes the best next word each time. Does it find the most probable sentence?</source>
        <translation>Le décodage glouton prend chaque fois le meilleur mot suivant. Trouve-t-il la phrase la plus probable ?</translation>
    </message>
    <message>
        <source>Grey rows: %1 computes them</source>
        <translation>Rangées grises : « %1 » les calcule</translation>
    </message>
    <message>
        <source>Greys</source>
        <translation>Gris</translation>
    </message>
    <message>
        <source>Group %1 (%2)</source>
        <translation>Groupe %1 (%2)</translation>
    </message>
    <message>
        <source>Guess where it looks</source>
        <translation>Deviner où il regarde</translation>
    </message>
    <message>
        <source>H&amp;ead</source>
        <translation>&amp;Tête</translation>
    </message>
    <message>
        <source>Hard and soft attention write the same: “%1”.</source>
        <translation>L’attention dure et la douce écrivent la même chose : « %1 ».</translation>
    </message>
    <message>
        <source>Hard atte&amp;ntion</source>
        <translation>Attention d&amp;ure</translation>
    </message>
    <message>
        <source>Hard attention</source>
        <translation>Attention dure</translation>
    </message>
    <message>
        <source>Hard attention takes the value of a single key instead of a mixture.</source>
        <translation>L’attention dure prend la valeur d’une seule clé au lieu d’un mélange.</translation>
    </message>
    <message>
        <source>Hard choice</source>
        <translation>Choix dur</translation>
    </message>
    <message>
        <source>Hea&amp;ds</source>
        <translation>&amp;Têtes</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Tête</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>Tête %1</translation>
    </message>
    <message>
        <source>Head %1: a click shows or hides it, a double click shows it alone or all heads</source>
        <translation>Tête %1 : un clic l’affiche ou la cache, un double clic l’affiche seule ou affiche toutes les têtes</translation>
    </message>
    <message>
        <source>Head of the model</source>
        <translation>Tête du modèle</translation>
    </message>
    <message>
        <source>Heads side by side</source>
        <translation>Têtes côte à côte</translation>
    </message>
    <message>
        <source>Heads that are shown</source>
        <translation>Têtes affichées</translation>
    </message>
    <message>
        <source>Hear the sound (Ctrl+R)</source>
        <translation>Écouter le son (Ctrl+R)</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Chaleur</translation>
    </message>
    <message>
        <source>Heatmap</source>
        <translation>Carte</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Aide</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Cachés</translation>
    </message>
    <message>
        <source>Hidden, rows renormalised</source>
        <translation>Cachés, rangées renormalisées</translation>
    </message>
    <message>
        <source>Hide a word and see what changes</source>
        <translation>Cacher un mot et voir ce qui change</translation>
    </message>
    <message>
        <source>Hides what comes later: a token attends to itself and to earlier ones only.</source>
        <translation>Cache ce qui vient après : un token ne porte son attention que sur lui-même et sur les précédents.</translation>
    </message>
    <message>
        <source>Hierarchical attention network</source>
        <translation>Réseau d’attention hiérarchique</translation>
    </message>
    <message>
        <source>Histograms of scores and of the largest weights</source>
        <translation>Histogrammes des scores et des plus grands poids</translation>
    </message>
    <message>
        <source>How far each word's output differs between the two orders, at most %1.</source>
        <translation>De combien la sortie de chaque mot diffère entre les deux ordres, au plus %1.</translation>
    </message>
    <message>
        <source>How far source words get one word's weight in all: 0 is best (coverage deviation, Rikters and Fishel 2017)</source>
        <translation>Jusqu’où les mots source reçoivent en tout le poids d’un mot : 0 est le mieux (écart de couverture, Rikters et Fishel 2017)</translation>
    </message>
    <message>
        <source>How far the distribution may move with the most different weights (total variation distance)</source>
        <translation>De combien la distribution peut se déplacer avec les poids les plus différents (distance en variation totale)</translation>
    </message>
    <message>
        <source>How far the distribution moves with these</source>
        <translation>De combien la distribution se déplace avec ceux-ci</translation>
    </message>
    <message>
        <source>How far the output of the whole layer at one token turns when the value of another is set to zero. It measures one token at a time: where two say the same, neither seems to matter.</source>
        <translation>De combien tourne la sortie de toute la couche pour un token quand la valeur d’un autre est mise à zéro. Un token est mesuré à la fois : si deux disent la même chose, aucun ne semble compter.</translation>
    </message>
    <message>
        <source>How far the token's distribution moves (total variation distance, 0 to 1) with equal weights</source>
        <translation>De combien la distribution du token se déplace (distance en variation totale, de 0 à 1) avec des poids égaux</translation>
    </message>
    <message>
        <source>How far with the weights in random orders: the median</source>
        <translation>De combien avec les poids dans des ordres aléatoires : la médiane</translation>
    </message>
    <message>
        <source>How little target words spread their weight: 0 is best (absentmindedness, Rikters and Fishel 2017)</source>
        <translation>Combien peu les mots cible dispersent leur poids : 0 est le mieux (distraction, Rikters et Fishel 2017)</translation>
    </message>
    <message>
        <source>How many tokens a model hesitates between on average; lower is better.</source>
        <translation>Entre combien de tokens un modèle hésite en moyenne ; plus elle est basse, mieux c’est.</translation>
    </message>
    <message>
        <source>How much each patch looks, on average</source>
        <translation>Combien chaque carreau regarde, en moyenne</translation>
    </message>
    <message>
        <source>How much of a key's value goes into the result: the scores of a row after the softmax. A row sums to 1.</source>
        <translation>Quelle part de la valeur d’une clé entre dans le résultat : les scores d’une rangée après le softmax. La somme d’une rangée vaut 1.</translation>
    </message>
    <message>
        <source>How much of each input token is in a token at this layer, if every layer passes on half of its input and the mean of its heads. Heads differ, and values and feed-forward halves count for nothing.</source>
        <translation>Quelle part de chaque token d’entrée se trouve dans un token à cette couche, si chaque couche transmet la moitié de son entrée et la moyenne de ses têtes. Les têtes diffèrent, et ni les valeurs ni les moitiés « feed-forward » ne comptent.</translation>
    </message>
    <message>
        <source>How much of each input token is left in a layer, if every layer passes on half of its input and half of what the mean of its heads attends to.</source>
        <translation>Ce qui reste de chaque token d’entrée dans une couche, si chaque couche transmet pour moitié son entrée et pour moitié ce que regarde la moyenne de ses têtes.</translation>
    </message>
    <message>
        <source>How much of each token's value a head takes, as the model computes it. Large weights need not matter for the output.</source>
        <translation>Quelle part de la valeur de chaque token une tête prend, telle que le modèle la calcule. De grands poids peuvent ne rien changer à la sortie.</translation>
    </message>
    <message>
        <source>How spread out a row of weights is: 0 when one key takes all, largest when all have the same.</source>
        <translation>À quel point une rangée de poids est dispersée : 0 quand une clé prend tout, maximale quand toutes ont le même poids.</translation>
    </message>
    <message>
        <source>How the log probability of the explained token changes with each attention weight. It holds for small changes only, and a weight whose effect is saturated has a gradient near zero.</source>
        <translation>Comment la log-probabilité du token expliqué varie avec chaque poids d’attention. Cela ne vaut que pour de petites variations, et un poids dont l’effet est saturé a un gradient presque nul.</translation>
    </message>
    <message>
        <source>How unlike the most different weights are that were found while the distribution hardly moves: Jensen–Shannon divergence, at most 0.69</source>
        <translation>À quel point diffèrent les poids les plus différents que l’on a trouvés tant que la distribution bouge à peine : divergence de Jensen-Shannon, au plus 0,69</translation>
    </message>
    <message>
        <source>Hypotheses of the search as a tree</source>
        <translation>Hypothèses de la recherche sous forme d’arbre</translation>
    </message>
    <message>
        <source>Hypothesis</source>
        <translation>Hypothèse</translation>
    </message>
    <message>
        <source>IEEE, one column</source>
        <translation>IEEE, une colonne</translation>
    </message>
    <message>
        <source>IEEE, two columns</source>
        <translation>IEEE, deux colonnes</translation>
    </message>
    <message>
        <source>Ids of the output to follow, such as 5 9 2</source>
        <translation>Identifiants de la sortie à suivre, par exemple 5 9 2</translation>
    </message>
    <message>
        <source>Image copied</source>
        <translation>Image copiée</translation>
    </message>
    <message>
        <source>In %1 positions enter neither the embeddings nor the scores (positions: %2).</source>
        <translation>Dans %1, les positions n’entrent ni dans les plongements ni dans les scores (positions : %2).</translation>
    </message>
    <message>
        <source>In place of </source>
        <translation>À la place de </translation>
    </message>
    <message>
        <source>In the menu of a place in a view</source>
        <translation>Dans le menu d’un endroit d’une vue</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>Information</translation>
    </message>
    <message>
        <source>Ink on paper</source>
        <translation>Encre sur papier</translation>
    </message>
    <message>
        <source>Input gradients</source>
        <translation>Gradients de l’entrée</translation>
    </message>
    <message>
        <source>Inside one step</source>
        <translation>Dans une étape</translation>
    </message>
    <message>
        <source>Integrated gradients</source>
        <translation>Gradients intégrés</translation>
    </message>
    <message>
        <source>Intra-temporal attention: what was attended to before counts for less now.</source>
        <translation>Attention intra-temporelle : ce qui a déjà reçu de l’attention compte moins maintenant.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>JSON of the run</source>
        <translation>JSON de l’exécution</translation>
    </message>
    <message>
        <source>Just as many</source>
        <translation>Tout autant</translation>
    </message>
    <message>
        <source>Just as many. Your sentence becomes **one** [context vector](glossary#context-vector), always as wide, and the translation is written from it alone: there is no attention to draw. Does the line WRITES still have all of your sentence?</source>
        <translation>Tout autant. Votre phrase devient **un** [vecteur de contexte](glossary#context-vector), toujours de même largeur, et la traduction ne s’écrit qu’à partir de lui : il n’y a pas d’attention à dessiner. La ligne ÉCRIT a-t-elle encore toute votre phrase ?</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>divergence KL</translation>
    </message>
    <message>
        <source>KL divergence, nats per token</source>
        <translation>divergence KL, nats par token</translation>
    </message>
    <message>
        <source>Keeps the best few hypotheses at every step instead of only one.</source>
        <translation>Garde à chaque étape les quelques meilleures hypothèses au lieu d’une seule.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Touche</translation>
    </message>
    <message>
        <source>Key-value table</source>
        <translation>Table clé-valeur</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Raccourcis clavier</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Clés</translation>
    </message>
    <message>
        <source>Keys and query</source>
        <translation>Clés et requête</translation>
    </message>
    <message>
        <source>Keys near p = %1 count most; the weights sum to %2 now.</source>
        <translation>Les clés proches de p = %1 comptent le plus ; la somme des poids est maintenant %2.</translation>
    </message>
    <message>
        <source>Keys of two components can be drawn in a plane.</source>
        <translation>Seules des clés à deux composantes peuvent être tracées dans un plan.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Type</translation>
    </message>
    <message>
        <source>L%1 H%2</source>
        <translation>C%1 T%2</translation>
    </message>
    <message>
        <source>LRP</source>
        <translation>LRP</translation>
    </message>
    <message>
        <source>LSTM</source>
        <translation>LSTM</translation>
    </message>
    <message>
        <source>LSTM with intra-attention (LSTMN)</source>
        <translation>LSTM avec intra-attention (LSTMN)</translation>
    </message>
    <message>
        <source>La&amp;yer</source>
        <translation>Couc&amp;he</translation>
    </message>
    <message>
        <source>Labe&amp;l</source>
        <translation>Éti&amp;quette</translation>
    </message>
    <message>
        <source>Label of token %1, “%2”: %3</source>
        <translation>Étiquette du token %1, « %2 » : %3</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Étiquettes</translation>
    </message>
    <message>
        <source>Labels of the tokens</source>
        <translation>Étiquettes des tokens</translation>
    </message>
    <message>
        <source>Laboratory</source>
        <translation>Laboratoire</translation>
    </message>
    <message>
        <source>Laboratory: %1</source>
        <translation>Laboratoire : %1</translation>
    </message>
    <message>
        <source>Language of the text</source>
        <translation>Langue du texte</translation>
    </message>
    <message>
        <source>Language to translate into</source>
        <translation>Langue cible de la traduction</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Plus grand</translation>
    </message>
    <message>
        <source>Largest weight that is replaced</source>
        <translation>Plus grand poids remplacé</translation>
    </message>
    <message>
        <source>Largest weights</source>
        <translation>Plus grands poids</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Dernière étape</translation>
    </message>
    <message>
        <source>Latent attention: keys and values are made from a few features, which a cache may keep instead.</source>
        <translation>Attention latente : clés et valeurs viennent de quelques composantes, qu’un cache peut garder à leur place.</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Couche</translation>
    </message>
    <message>
        <source>Layer %1 has no experts: layer %2 is the first that has some</source>
        <translation>La couche %1 n’a pas d’experts : la couche %2 est la première qui en a</translation>
    </message>
    <message>
        <source>Layer and head</source>
        <translation>Couche et tête</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Disposition</translation>
    </message>
    <message>
        <source>Learned from: %1</source>
        <translation>Entraîné sur : %1</translation>
    </message>
    <message>
        <source>Learned query</source>
        <translation>Requête apprise</translation>
    </message>
    <message>
        <source>Learns to guess words that are hidden, and so reads in both directions.</source>
        <translation>Apprend à deviner des mots cachés, et lit donc dans les deux sens.</translation>
    </message>
    <message>
        <source>Let go</source>
        <translation>Relâcher</translation>
    </message>
    <message>
        <source>Let the model write on (Ctrl+Return)</source>
        <translation>Laisser le modèle continuer (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Let the model write one token (Ctrl+T)</source>
        <translation>Laisser le modèle écrire un token (Ctrl+T)</translation>
    </message>
    <message>
        <source>Let the next run begin freely</source>
        <translation>Laisser la prochaine exécution commencer librement</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>Lettre</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliothèques</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Lumière</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>Clair ou sombre</translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation>Comme le &amp;système</translation>
    </message>
    <message>
        <source>Likeness</source>
        <translation>Ressemblance</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linéaire</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Liens</translation>
    </message>
    <message>
        <source>Links by hand, a line a pair: 0-1 links source word 0 and target word 1, 0?1 says that they may be linked</source>
        <translation>Liens posés à la main, une ligne par paire : 0-1 relie le mot source 0 et le mot cible 1, 0?1 dit qu’ils sont peut-être liés</translation>
    </message>
    <message>
        <source>Links of all sentences by what is chosen, in Pharaoh format</source>
        <translation>Liens de toutes les phrases d’après ce qui est choisi, au format Pharaoh</translation>
    </message>
    <message>
        <source>Links the words of sentence pairs by the attention of a translation model, by every head, the mean and the maximum of each layer, and other readings, and counts how far they agree with links by hand. Click a sentence to see it in the window.</source>
        <translation>Relie les mots de paires de phrases par l’attention d’un modèle de traduction, par chaque tête, la moyenne et le maximum de chaque couche, et d’autres lectures, et compte leur accord avec des liens posés à la main. Cliquez sur une phrase pour la voir dans la fenêtre.</translation>
    </message>
    <message>
        <source>List all candidates that the run has kept</source>
        <translation>Lister tous les candidats que l’exécution a gardés</translation>
    </message>
    <message>
        <source>List the tokens that hold 99 % of the probability together</source>
        <translation>Lister les tokens qui réunissent 99 % de la probabilité</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>Chargement de %1</translation>
    </message>
    <message>
        <source>Loading: %1</source>
        <translation>Chargement : %1</translation>
    </message>
    <message>
        <source>Log probability per token</source>
        <translation>Log-probabilité par token</translation>
    </message>
    <message>
        <source>Log probability without it</source>
        <translation>Log-probabilité sans elle</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmique</translation>
    </message>
    <message>
        <source>Logit lens</source>
        <translation>Lentille des logits</translation>
    </message>
    <message>
        <source>Lon&amp;gest</source>
        <translation>Lon&amp;gueur max.</translation>
    </message>
    <message>
        <source>Long &amp;vectors whole</source>
        <translation>&amp;Vecteurs longs en entier</translation>
    </message>
    <message>
        <source>Long sentences cost %1 most: %2 becomes %3. </source>
        <translation>Les phrases longues coûtent le plus à %1 : de %2 à %3. </translation>
    </message>
    <message>
        <source>Long sentences cost no model anything. </source>
        <translation>Les phrases longues ne coûtent rien à aucun modèle. </translation>
    </message>
    <message>
        <source>Longest text: %1 tokens</source>
        <translation>Texte le plus long : %1 tokens</translation>
    </message>
    <message>
        <source>Loo&amp;ked at by</source>
        <translation>&amp;Regardés par</translation>
    </message>
    <message>
        <source>Look and tell</source>
        <translation>Regarder et dire</translation>
    </message>
    <message>
        <source>Looking for the nearest tokens…</source>
        <translation>Recherche des tokens les plus proches…</translation>
    </message>
    <message>
        <source>Looking for them…</source>
        <translation>Recherche…</translation>
    </message>
    <message>
        <source>Lower end of the colour scale</source>
        <translation>Bas de l’échelle de couleurs</translation>
    </message>
    <message>
        <source>Luong, Pham and Manning (2015) made the score a product of the two vectors instead of a network, and ask with the decoder's new state rather than the one before. The same sentence: does the path of the weights differ?</source>
        <translation>Luong, Pham et Manning (2015) remplacent le petit réseau par un produit des deux vecteurs et interrogent avec le nouvel état du décodeur plutôt qu’avec le précédent. La même phrase : le parcours des poids est-il différent ?</translation>
    </message>
    <message>
        <source>Luong, Pham and Manning (2015) made the score a product of two vectors instead of a network. Now **%1** comes. At which word does this model look most?</source>
        <translation>Luong, Pham et Manning (2015) ont fait du score un produit de deux vecteurs au lieu d’un réseau. Vient maintenant **%1**. Quel mot ce modèle regarde-t-il le plus ?</translation>
    </message>
    <message>
        <source>Luong, general attention</source>
        <translation>Luong, attention générale</translation>
    </message>
    <message>
        <source>Luong, local-p attention</source>
        <translation>Luong, attention locale-p</translation>
    </message>
    <message>
        <source>M for k = %1</source>
        <translation>M pour k = %1</translation>
    </message>
    <message>
        <source>Made from the model and the head</source>
        <translation>D’après le modèle et la tête</translation>
    </message>
    <message>
        <source>Magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Make &amp;uniform</source>
        <translation>Rendre &amp;uniforme</translation>
    </message>
    <message>
        <source>Makes positive numbers that sum to 1: each is e to its power, divided by the sum of all.</source>
        <translation>Donne des nombres positifs de somme 1 : l’exponentielle de chaque nombre, divisée par la somme de toutes.</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>Masque</translation>
    </message>
    <message>
        <source>Mask word</source>
        <translation>Masquer</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>Matrice</translation>
    </message>
    <message>
        <source>Matrix M</source>
        <translation>Matrice M</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Moyenne</translation>
    </message>
    <message>
        <source>Mean largest weight</source>
        <translation>Plus grand poids moyen</translation>
    </message>
    <message>
        <source>Mean of the largest weight of a word</source>
        <translation>Moyenne du plus grand poids d’un mot</translation>
    </message>
    <message>
        <source>Mean over all columns</source>
        <translation>Moyenne sur toutes les colonnes</translation>
    </message>
    <message>
        <source>Mean over all columns: click a word to see what attends to it</source>
        <translation>Moyenne sur toutes les colonnes : cliquer sur un mot pour voir d’où vient l’attention qu’il reçoit</translation>
    </message>
    <message>
        <source>Mean over all rows</source>
        <translation>Moyenne sur toutes les rangées</translation>
    </message>
    <message>
        <source>Mean over all rows: click a word to see what it attends to</source>
        <translation>Moyenne sur toutes les rangées : cliquer sur un mot pour voir sur quoi porte son attention</translation>
    </message>
    <message>
        <source>Mean over target words of the largest weight</source>
        <translation>Moyenne du plus grand poids sur les mots cible</translation>
    </message>
    <message>
        <source>Measured on a file</source>
        <translation>Mesurés sur un fichier</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Mesure en cours…</translation>
    </message>
    <message>
        <source>Merge subwords into &amp;words</source>
        <translation>Fusionner les sous-mots en &amp;mots</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>Modèle %1</translation>
    </message>
    <message>
        <source>Models to compare</source>
        <translation>Modèles à comparer</translation>
    </message>
    <message>
        <source>Most probable next tokens</source>
        <translation>Tokens suivants les plus probables</translation>
    </message>
    <message>
        <source>Most probable tokens here</source>
        <translation>Tokens les plus probables ici</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>Bouge de</translation>
    </message>
    <message>
        <source>Name of a command, view, page or model</source>
        <translation>Nom d’une commande, d’une vue, d’une page ou d’un modèle</translation>
    </message>
    <message>
        <source>Name of this run</source>
        <translation>Nom de cette exécution</translation>
    </message>
    <message>
        <source>Nature, one column</source>
        <translation>Nature, une colonne</translation>
    </message>
    <message>
        <source>Nature, two columns</source>
        <translation>Nature, deux colonnes</translation>
    </message>
    <message>
        <source>Nearest to %1</source>
        <translation>Les plus proches de %1</translation>
    </message>
    <message>
        <source>Nearest tokens by cosine</source>
        <translation>Tokens les plus proches par cosinus</translation>
    </message>
    <message>
        <source>Nearest tokens in the embedding</source>
        <translation>Tokens les plus proches dans le plongement</translation>
    </message>
    <message>
        <source>Neighbouring features make a pair.</source>
        <translation>Deux composantes voisines forment une paire.</translation>
    </message>
    <message>
        <source>Neighbours of </source>
        <translation>Voisins de </translation>
    </message>
    <message>
        <source>NeurIPS, text width</source>
        <translation>NeurIPS, largeur du texte</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Jamais</translation>
    </message>
    <message>
        <source>New edit</source>
        <translation>Nouvelle modification</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Suivant</translation>
    </message>
    <message>
        <source>Next &amp;token</source>
        <translation>&amp;Token suivant</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>Token suivant</translation>
    </message>
    <message>
        <source>No %1 in this archive: the model computes it, and is not open</source>
        <translation>Pas de %1 dans cette archive : c’est le modèle qui calcule cela, et il n’est pas ouvert</translation>
    </message>
    <message>
        <source>No %1: %2</source>
        <translation>Pas de %1 : %2</translation>
    </message>
    <message>
        <source>No answer was found.</source>
        <translation>Aucune réponse n’a été trouvée.</translation>
    </message>
    <message>
        <source>No attention yet: it appears here when something has been read</source>
        <translation>Pas encore d’attention : elle apparaît ici dès que quelque chose a été lu</translation>
    </message>
    <message>
        <source>No attention: the decoder has one vector for the whole sentence</source>
        <translation>Pas d’attention : le décodeur n’a qu’un vecteur pour toute la phrase</translation>
    </message>
    <message>
        <source>No bundled model says how it does by sentence length. Measure some on a file.</source>
        <translation>Aucun modèle fourni n’indique ses résultats selon la longueur des phrases. En mesurer quelques-uns sur un fichier.</translation>
    </message>
    <message>
        <source>No candidates are known of one of the two</source>
        <translation>Pour l’une des deux, aucun candidat n’est connu</translation>
    </message>
    <message>
        <source>No candidates for this step.</source>
        <translation>Pas de candidats pour cette étape.</translation>
    </message>
    <message>
        <source>No candidates were kept of this run. Run it again to see them.</source>
        <translation>Aucun candidat n’a été gardé de cette exécution. Relancez-la pour les voir.</translation>
    </message>
    <message>
        <source>No candidates were stored</source>
        <translation>Aucun candidat n’a été enregistré</translation>
    </message>
    <message>
        <source>No candidates: the logits here are no numbers</source>
        <translation>Pas de candidats : les logits ne sont pas des nombres ici</translation>
    </message>
    <message>
        <source>No clear kind</source>
        <translation>Aucun type net</translation>
    </message>
    <message>
        <source>No font on this computer has %1.</source>
        <translation>Aucune police de cet ordinateur n’a %1.</translation>
    </message>
    <message>
        <source>No line: every value is 0</source>
        <translation>Aucune ligne : toutes les valeurs sont nulles</translation>
    </message>
    <message>
        <source>No line: the largest value is %1</source>
        <translation>Aucune ligne : la plus grande valeur est %1</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Aucun modèle</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Aucun modèle n’est ouvert</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Aucun modèle n’est ouvert.</translation>
    </message>
    <message>
        <source>No model is open. A small random layer can be looked at without one.</source>
        <translation>Aucun modèle n’est ouvert. Une petite couche aléatoire peut s’observer sans modèle.</translation>
    </message>
    <message>
        <source>No models of other programs</source>
        <translation>Aucun modèle d’autres programmes</translation>
    </message>
    <message>
        <source>No output token sees more than one token here.</source>
        <translation>Aucun token de la sortie ne voit ici plus d’un token.</translation>
    </message>
    <message>
        <source>No positions</source>
        <translation>Sans positions</translation>
    </message>
    <message>
        <source>No predictions were kept of this run.</source>
        <translation>Aucune prédiction de cette exécution n’a été gardée.</translation>
    </message>
    <message>
        <source>No row of this reading can be compared.</source>
        <translation>Aucune rangée de cette lecture ne peut être comparée.</translation>
    </message>
    <message>
        <source>No score goes beyond %1 or below −%1; near 0 they stay what they were.</source>
        <translation>Aucun score ne dépasse %1 ni ne descend sous −%1 ; près de 0, ils restent ce qu’ils étaient.</translation>
    </message>
    <message>
        <source>No word is picked any more (Esc)</source>
        <translation>Ne garder aucun mot choisi (Esc)</translation>
    </message>
    <message>
        <source>No, each at others</source>
        <translation>Non, chacune en regarde d’autres</translation>
    </message>
    <message>
        <source>No, only on what was read</source>
        <translation>Non, seulement de ce qui a été lu</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>N°</translation>
    </message>
    <message>
        <source>No: here are all heads between the two texts, a row a layer, a column a head. Which follow the words in order, which look at the end of the sentence? A click chooses one.</source>
        <translation>Non : voici toutes les têtes entre les deux textes, une rangée par couche, une colonne par tête. Lesquelles suivent l’ordre des mots, lesquelles regardent la fin de la phrase ? Un clic en choisit une.</translation>
    </message>
    <message>
        <source>None of the changes is a number.</source>
        <translation>Aucun des changements n’est un nombre.</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Aucune pour l’instant</translation>
    </message>
    <message>
        <source>None yet. Each run comes here, below the one that it differs from: another sentence, another model, another word chosen.</source>
        <translation>Aucune pour l’instant. Chaque exécution s’ajoute ici, sous celle dont elle diffère : autre phrase, autre modèle, autre mot choisi.</translation>
    </message>
    <message>
        <source>None: this model has no attention</source>
        <translation>Aucune : ce modèle n’a pas d’attention</translation>
    </message>
    <message>
        <source>Norms</source>
        <translation>Normes</translation>
    </message>
    <message>
        <source>Norms, value zeroing, rollout, LRP and input gradients, which take longer</source>
        <translation>Normes, mise à zéro des valeurs, rollout, LRP et gradients des entrées, qui prennent plus de temps</translation>
    </message>
    <message>
        <source>Not all heads: there would be more numbers than a browser shows.</source>
        <translation>Pas toutes les têtes : il y aurait plus de nombres qu’un navigateur n’en affiche.</translation>
    </message>
    <message>
        <source>Not always</source>
        <translation>Pas toujours</translation>
    </message>
    <message>
        <source>Not always: the best next word need not begin the best sentence. [Beam search](glossary#beam-search) keeps four [hypotheses](glossary#hypothesis) at every step; here is all that it tried, with sums of [log probabilities](glossary#log-probability).</source>
        <translation>Pas toujours : le meilleur mot suivant ne commence pas forcément la meilleure phrase. La [recherche en faisceau](glossary#beam-search) garde quatre [hypothèses](glossary#hypothesis) à chaque étape ; voici tout ce qu’elle a essayé, avec les sommes des [log-probabilités](glossary#log-probability).</translation>
    </message>
    <message>
        <source>Not applied: </source>
        <translation>Non appliquée : </translation>
    </message>
    <message>
        <source>Not computed yet: it needs a finished run of the model</source>
        <translation>Pas encore calculé : il y faut une exécution achevée du modèle</translation>
    </message>
    <message>
        <source>Not computed: choose a cell to compute it.</source>
        <translation>Pas calculé : choisir une cellule pour lancer le calcul.</translation>
    </message>
    <message>
        <source>Not found in this view</source>
        <translation>Introuvable dans cette vue</translation>
    </message>
    <message>
        <source>Not here: %1.</source>
        <translation>Pas ici : %1.</translation>
    </message>
    <message>
        <source>Not in the model's vocabulary: </source>
        <translation>Hors du vocabulaire du modèle : </translation>
    </message>
    <message>
        <source>Not in this archive: the model computes it, and is not open.</source>
        <translation>Pas dans cette archive : c’est le modèle qui calcule cela, et il n’est pas ouvert.</translation>
    </message>
    <message>
        <source>Not known: the laboratory's page “Sweep” finds it out</source>
        <translation>Inconnu : la page « Balayage » du laboratoire le détermine</translation>
    </message>
    <message>
        <source>Not possible now; it is found in: %1</source>
        <translation>Impossible pour l’instant ; se trouve dans : %1</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>Pas encore exécuté</translation>
    </message>
    <message>
        <source>Not run: the comparison was cancelled</source>
        <translation>Non exécuté : la comparaison a été annulée</translation>
    </message>
    <message>
        <source>Not written yet: Next token (Ctrl+T) writes it</source>
        <translation>Pas encore écrit : Token suivant (Ctrl+T) l’écrit</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>Note on this run</source>
        <translation>Note sur cette exécution</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Rien</translation>
    </message>
    <message>
        <source>Nothing changed</source>
        <translation>Rien n’a changé</translation>
    </message>
    <message>
        <source>Nothing has been compared yet.</source>
        <translation>Rien n’a encore été comparé.</translation>
    </message>
    <message>
        <source>Nothing has been decoded yet</source>
        <translation>Rien n’a encore été décodé</translation>
    </message>
    <message>
        <source>Nothing has been decoded yet: the steps appear here when something has been read</source>
        <translation>Rien n’est encore décodé : les étapes apparaissent ici dès que quelque chose a été lu</translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation>Rien n’a encore été lu.</translation>
    </message>
    <message>
        <source>Nothing has been read: the text is empty</source>
        <translation>Rien n’a été lu : le texte est vide</translation>
    </message>
    <message>
        <source>Nothing has been replaced yet.</source>
        <translation>Rien n’a encore été remplacé.</translation>
    </message>
    <message>
        <source>Nothing has been taken away yet.</source>
        <translation>Rien n’a encore été retiré.</translation>
    </message>
    <message>
        <source>Nothing is called so</source>
        <translation>Rien ne porte ce nom</translation>
    </message>
    <message>
        <source>Nothing is changed. The menu of a weight, word or head changes it (right click).</source>
        <translation>Rien n’est modifié. Le menu d’un poids, d’un mot ou d’une tête le modifie (clic droit).</translation>
    </message>
    <message>
        <source>Nothing is compared yet</source>
        <translation>Rien n’est encore comparé</translation>
    </message>
    <message>
        <source>Nothing was written: the model ended its output at once</source>
        <translation>Rien n’a été écrit : le modèle a aussitôt terminé sa sortie</translation>
    </message>
    <message>
        <source>Nothing: the model ended at once.</source>
        <translation>Rien : le modèle a aussitôt terminé.</translation>
    </message>
    <message>
        <source>Now a sentence of yours</source>
        <translation>À vous : votre phrase</translation>
    </message>
    <message>
        <source>Now you decide. Click another word in the panel *Chosen*: the output goes on from it, and the attention follows. The panel *Runs* keeps all that you try; Ctrl+Z goes back. The laboratory has what other models write.</source>
        <translation>À vous de décider. Cliquez sur un autre mot dans le panneau *Choisi* : la sortie continue à partir de lui, et l’attention suit. Le panneau *Exécutions* garde tout ce que vous essayez ; Ctrl+Z revient en arrière. Le laboratoire montre ce qu’écrivent d’autres modèles.</translation>
    </message>
    <message>
        <source>NumPy archive of the run (.npz)</source>
        <translation>Archive NumPy de l’exécution (.npz)</translation>
    </message>
    <message>
        <source>Number of keys</source>
        <translation>Nombre de clés</translation>
    </message>
    <message>
        <source>Number of the first word in the links</source>
        <translation>Numéro du premier mot dans les liens</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Nombres</translation>
    </message>
    <message>
        <source>Of %1 tokens “%2” points most nearly where “%3” does.</source>
        <translation>Parmi %1 tokens, « %2 » a la direction la plus proche de celle de « %3 ».</translation>
    </message>
    <message>
        <source>Of a file there are means alone: choose the sentence to see its tokens.</source>
        <translation>D’un fichier, il n’y a que des moyennes : choisissez la phrase pour voir ses tokens.</translation>
    </message>
    <message>
        <source>Of a sentence pair: from the words of which sentence to the words of which</source>
        <translation>Pour une paire de phrases : des mots de quelle phrase vers les mots de quelle autre</translation>
    </message>
    <message>
        <source>Of each word only the largest weights that make up this part of all it has</source>
        <translation>Pour chaque mot, seulement les plus grands poids qui forment ensemble cette part de son total</translation>
    </message>
    <message>
        <source>Offset &amp;k</source>
        <translation>Décalage &amp;k</translation>
    </message>
    <message>
        <source>Offset as a rotation</source>
        <translation>Le décalage comme rotation</translation>
    </message>
    <message>
        <source>On its test set: %1</source>
        <translation>Sur son jeu de test : %1</translation>
    </message>
    <message>
        <source>On the words that both write, %1 of the attention lies elsewhere (0: the same map, 100: nothing in common).</source>
        <translation>Sur les mots que les deux écrivent, %1 de l’attention se porte ailleurs (0 : même carte, 100 : rien en commun).</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>Une fois</translation>
    </message>
    <message>
        <source>Once for each word that it writes: *where to look?* One answer, one row of weights. But a word may need its subject, its object and its neighbour at once.</source>
        <translation>Une fois pour chaque mot qu’il écrit : *où regarder ?* Une réponse, une rangée de poids. Mais un mot peut avoir besoin à la fois de son sujet, de son complément et de son voisin.</translation>
    </message>
    <message>
        <source>One head at a time again (Esc)</source>
        <translation>Revenir à une seule tête à la fois (Esc)</translation>
    </message>
    <message>
        <source>One moment: the model reads the sentence.</source>
        <translation>Un instant : le modèle lit la phrase.</translation>
    </message>
    <message>
        <source>One more score, learned by this head. The share that it takes of the row goes nowhere.</source>
        <translation>Un score de plus, appris par cette tête. La part de la ligne qu'il prend ne va nulle part.</translation>
    </message>
    <message>
        <source>One of several attentions of a layer, with queries, keys and values of its own.</source>
        <translation>L’une des attentions d’une couche, avec ses propres requêtes, clés et valeurs.</translation>
    </message>
    <message>
        <source>One of the heads is switched off, and the sentence is translated again. What happens for most of them?</source>
        <translation>Une des têtes est éteinte, et la phrase est traduite de nouveau. Qu’arrive-t-il pour la plupart ?</translation>
    </message>
    <message>
        <source>One of the steps, one above the other, in which a model computes its states.</source>
        <translation>L’un des étages superposés par lesquels un modèle calcule ses états.</translation>
    </message>
    <message>
        <source>One output token is explained at a time, which is quicker</source>
        <translation>Un token de la sortie est expliqué à la fois, ce qui est plus rapide</translation>
    </message>
    <message>
        <source>One sentence through two to four models. All read the same words, in columns, and are coloured on one scale; the rows are what each of them writes. Point at a word to find it everywhere.</source>
        <translation>Une même phrase dans deux à quatre modèles. Tous lisent les mêmes mots, en colonnes, et sont colorés sur une même échelle ; les rangées sont ce que chacun écrit. Pointer un mot pour le retrouver partout.</translation>
    </message>
    <message>
        <source>One stage back</source>
        <translation>Étape précédente</translation>
    </message>
    <message>
        <source>One stage forward</source>
        <translation>Étape suivante</translation>
    </message>
    <message>
        <source>One step &amp;back</source>
        <translation>Étape pré&amp;cédente</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Étape précédente</translation>
    </message>
    <message>
        <source>One step f&amp;orward</source>
        <translation>Étape sui&amp;vante</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>Étape suivante</translation>
    </message>
    <message>
        <source>One step. The annotations are added up, each as much as it weighs, into a context vector for this word, and from that come the [candidates](glossary#candidate). Alt+Right goes to the next word: the weights move on.</source>
        <translation>Une étape. Les annotations s’additionnent, chacune selon son poids, en un vecteur de contexte pour ce mot, et de là viennent les [candidats](glossary#candidate). Alt+Right passe au mot suivant : les poids se déplacent.</translation>
    </message>
    <message>
        <source>One token has no history: continue the text</source>
        <translation>Un token seul n’a pas d’historique : continuer le texte</translation>
    </message>
    <message>
        <source>One word is hidden from the model now. The picture is the difference: red where it looks more than before, blue where less. Ctrl+Z goes back, and the panel *Edits* has what was changed.</source>
        <translation>Un mot est maintenant caché au modèle. L’image est la différence : rouge là où il regarde plus qu’avant, bleu là où il regarde moins. Ctrl+Z revient en arrière, et le panneau *Modifications* montre ce qui a été changé.</translation>
    </message>
    <message>
        <source>Only a window around one position is attended to; in local-p the model predicts where.</source>
        <translation>L’attention ne porte que sur une fenêtre autour d’une position ; dans local-p, le modèle prédit laquelle.</translation>
    </message>
    <message>
        <source>Only keys within %1 of p = %2, rounded, are seen; %3 of %4 are hidden.</source>
        <translation>Seules les clés à %1 au plus de p = %2, arrondi, sont vues ; %3 sur %4 sont masquées.</translation>
    </message>
    <message>
        <source>Only the likely ones</source>
        <translation>Seuls les probables</translation>
    </message>
    <message>
        <source>Only words that are read can be hidden; Shift+F10 says what can be done to this one</source>
        <translation>Seuls les mots lus peuvent être masqués ; Shift+F10 dit ce que l’on peut faire de celui-ci</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Opacité</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Ouvrir un élément &amp;récent</translation>
    </message>
    <message>
        <source>Open a captioner and a picture: none comes with this program.</source>
        <translation>Ouvrez un modèle de légendes et une image : ce programme n’en apporte pas.</translation>
    </message>
    <message>
        <source>Open a checkpoint, an archive, a session, a text, a picture or a sound (Ctrl+O)</source>
        <translation>Ouvrir un point de contrôle, une archive, une session, un texte, une image ou un son (Ctrl+O)</translation>
    </message>
    <message>
        <source>Open a checkpoint, an attention archive, a session, a text, a picture or a sound</source>
        <translation>Ouvrir un point de contrôle, une archive d’attention, une session, un texte, une image ou un son</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Ouvrir un modèle</translation>
    </message>
    <message>
        <source>Open a model to compare its readings; an archive holds none.</source>
        <translation>Ouvrez un modèle pour comparer ses lectures ; une archive n’en contient pas.</translation>
    </message>
    <message>
        <source>Open a model to give it other weights; an archive holds none.</source>
        <translation>Ouvrez un modèle pour lui donner d’autres poids ; une archive n’en contient pas.</translation>
    </message>
    <message>
        <source>Open a model to see its embeddings; an archive holds none.</source>
        <translation>Ouvrir un modèle pour voir ses plongements ; une archive n’en contient pas.</translation>
    </message>
    <message>
        <source>Open a model to see the scores of its own heads here; an archive holds none.</source>
        <translation>Ouvrir un modèle pour voir ici les scores de ses propres têtes ; une archive n’en contient pas.</translation>
    </message>
    <message>
        <source>Open a model to take something away from it; an archive holds none.</source>
        <translation>Ouvrir un modèle pour en retirer quelque chose ; une archive n’en contient pas.</translation>
    </message>
    <message>
        <source>Open a translation model to align words by; an archive holds none.</source>
        <translation>Ouvrez un modèle de traduction pour aligner des mots ; une archive n’en contient pas.</translation>
    </message>
    <message>
        <source>Open links by hand</source>
        <translation>Ouvrir des liens posés à la main</translation>
    </message>
    <message>
        <source>Open sentences</source>
        <translation>Ouvrir des phrases</translation>
    </message>
    <message>
        <source>Open sentences with their references</source>
        <translation>Ouvrir des phrases avec leurs références</translation>
    </message>
    <message>
        <source>Open this &amp;folder</source>
        <translation>Ouvrir ce &amp;dossier</translation>
    </message>
    <message>
        <source>Open this page in the browser?
%1</source>
        <translation>Ouvrir cette page dans le navigateur ?
%1</translation>
    </message>
    <message>
        <source>Opens in the window what this page is about</source>
        <translation>Ouvre dans la fenêtre ce dont traite cette page</translation>
    </message>
    <message>
        <source>Opens the laboratory: shuffle the words, with and without positions</source>
        <translation>Ouvre le laboratoire : mélanger les mots, avec et sans positions</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>Or drag the cell up or down in the heatmap (zoomed in: with Ctrl)</source>
        <translation>Ou glisser la cellule vers le haut ou le bas dans la carte (vue agrandie : avec Ctrl)</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Ordre</translation>
    </message>
    <message>
        <source>Other weights</source>
        <translation>Autres poids</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Sortie</translation>
    </message>
    <message>
        <source>Output projection</source>
        <translation>Projection de sortie</translation>
    </message>
    <message>
        <source>Output to follow; empty: greedy</source>
        <translation>Sortie à suivre ; vide : glouton</translation>
    </message>
    <message>
        <source>Output tokens that are compared</source>
        <translation>Tokens de la sortie qui sont comparés</translation>
    </message>
    <message>
        <source>Output tokens with other weights</source>
        <translation>Tokens de la sortie avec d’autres poids</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Sorties</translation>
    </message>
    <message>
        <source>PDF document</source>
        <translation>Document PDF</translation>
    </message>
    <message>
        <source>PDF report, a page for each head</source>
        <translation>Rapport PDF, une page par tête</translation>
    </message>
    <message>
        <source>PNG image</source>
        <translation>Image PNG</translation>
    </message>
    <message>
        <source>Pa&amp;ge</source>
        <translation>Pa&amp;ge</translation>
    </message>
    <message>
        <source>Packages that help: %1</source>
        <translation>Paquets utiles : %1</translation>
    </message>
    <message>
        <source>Page of the help</source>
        <translation>Page de l’aide</translation>
    </message>
    <message>
        <source>Pages of the help</source>
        <translation>Pages de l’aide</translation>
    </message>
    <message>
        <source>Pages of the laboratory</source>
        <translation>Pages du laboratoire</translation>
    </message>
    <message>
        <source>Parallel blocks</source>
        <translation>Blocs parallèles</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Coller</translation>
    </message>
    <message>
        <source>Paste edits, one a line (Ctrl+V)</source>
        <translation>Coller des modifications, une par ligne (Ctrl+V)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pick none</source>
        <translation>Aucune</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Picture to read</source>
        <translation>Image à lire</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Lire</translation>
    </message>
    <message>
        <source>Po&amp;sitions</source>
        <translation>Po&amp;sitions</translation>
    </message>
    <message>
        <source>Pos&amp;itions</source>
        <translation>Pos&amp;itions</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Position &amp;p</source>
        <translation>Position &amp;p</translation>
    </message>
    <message>
        <source>Position bias</source>
        <translation>Biais de position</translation>
    </message>
    <message>
        <source>Position parts</source>
        <translation>Parts de position</translation>
    </message>
    <message>
        <source>Positional encoding</source>
        <translation>Encodage positionnel</translation>
    </message>
    <message>
        <source>Positional encoding as curves over the positions</source>
        <translation>Encodage positionnel en courbes selon la position</translation>
    </message>
    <message>
        <source>Positional encoding, positions by dimensions</source>
        <translation>Encodage positionnel, positions par dimensions</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>Positions</translation>
    </message>
    <message>
        <source>Positions as a penalty on the scores that grows with the distance, with another slope for each head.</source>
        <translation>Les positions comme une pénalité sur les scores qui croît avec la distance, avec une pente différente pour chaque tête.</translation>
    </message>
    <message>
        <source>Positions as rotations of queries and keys: their dot product then depends on the distance only.</source>
        <translation>Les positions comme rotations des requêtes et des clés : leur produit scalaire ne dépend alors que de la distance.</translation>
    </message>
    <message>
        <source>Positions with positions</source>
        <translation>Positions avec positions</translation>
    </message>
    <message>
        <source>Positive numbers that sum to %1; “@” gets %2.</source>
        <translation>Des nombres positifs de somme %1 ; « @ » reçoit %2.</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Précision</translation>
    </message>
    <message>
        <source>Predicted: %1</source>
        <translation>Prédiction : %1</translation>
    </message>
    <message>
        <source>Press Start.</source>
        <translation>Appuyer sur Démarrer.</translation>
    </message>
    <message>
        <source>Preview of the file</source>
        <translation>Aperçu du fichier</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>Token précédent</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problème</translation>
    </message>
    <message>
        <source>Products of positions</source>
        <translation>Produits de positions</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Texte d’entrée</translation>
    </message>
    <message>
        <source>Put a mask in place of the chosen word and run (Ctrl+K)</source>
        <translation>Mettre un masque à la place du mot choisi et exécuter (Ctrl+K)</translation>
    </message>
    <message>
        <source>Quality by sentence length</source>
        <translation>Qualité selon la longueur des phrases</translation>
    </message>
    <message>
        <source>Queries and keys are normalized before they meet, so that their lengths do not matter.</source>
        <translation>Requêtes et clés sont normalisées avant leur produit : leur longueur ne compte pas.</translation>
    </message>
    <message>
        <source>Queries and keys of %1 are turned by their positions (%2); here the mean cosine of the angles between them, all features counted alike.</source>
        <translation>Les requêtes et les clés de %1 sont tournées selon leurs positions (%2) ; voici le cosinus moyen des angles entre elles, toutes les composantes comptant autant.</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Requête</translation>
    </message>
    <message>
        <source>Query %1</source>
        <translation>Requête %1</translation>
    </message>
    <message>
        <source>Query and distance, and distance and key, have products of their own, which are added.</source>
        <translation>Requête et distance, puis distance et clé, ont leurs propres produits, qui s'ajoutent.</translation>
    </message>
    <message>
        <source>Query and key are turned by their positions, so that their product depends on the distance only; here both are the same even vector of length 1, which gives the mean cosine of %1 angles.</source>
        <translation>La requête et la clé sont tournées selon leurs positions, de sorte que leur produit ne dépend que de la distance ; ici, toutes deux sont le même vecteur uniforme de norme 1, ce qui donne le cosinus moyen de %1 angles.</translation>
    </message>
    <message>
        <source>Query and key meet in a hidden layer; shown for “@”.</source>
        <translation>La requête et la clé se rencontrent dans une couche cachée ; montré pour « @ ».</translation>
    </message>
    <message>
        <source>Query and key norms</source>
        <translation>Normes des requêtes et des clés</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Question</translation>
    </message>
    <message>
        <source>R&amp;edo</source>
        <translation>&amp;Rétablir</translation>
    </message>
    <message>
        <source>READS</source>
        <translation>LIT</translation>
    </message>
    <message>
        <source>RNN without attention</source>
        <translation>RNN sans attention</translation>
    </message>
    <message>
        <source>RNNsearch (Bahdanau, Cho and Bengio 2015) keeps an [annotation](glossary#annotation) of every word and looks back at them. Now **%1** comes. At which word does it look most? Click it, above or here:</source>
        <translation>RNNsearch (Bahdanau, Cho et Bengio 2015) garde une [annotation](glossary#annotation) de chaque mot et les regarde. Vient maintenant **%1**. Quel mot regarde-t-il le plus ? Cliquez dessus, en haut ou ici :</translation>
    </message>
    <message>
        <source>RNNsearch (Bahdanau, Cho and Bengio 2015) keeps an [annotation](glossary#annotation) of every word. For each word that it writes, a row here, it looks back: the cells say how much at which word. Each row sums to 1, special tokens included.</source>
        <translation>RNNsearch (Bahdanau, Cho et Bengio 2015) garde une [annotation](glossary#annotation) de chaque mot. Pour chaque mot qu’il écrit, ici une rangée, il regarde en arrière : les cellules disent quel mot il regarde, et combien. La somme de chaque rangée, tokens spéciaux compris, vaut 1.</translation>
    </message>
    <message>
        <source>RNNsearch writes a word. How often does it ask where to look?</source>
        <translation>RNNsearch écrit un mot. Combien de fois demande-t-il où regarder ?</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Aléatoire</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Plage</translation>
    </message>
    <message>
        <source>Range over</source>
        <translation>Plage sur</translation>
    </message>
    <message>
        <source>Re&amp;normalise the row</source>
        <translation>Re&amp;normaliser la rangée</translation>
    </message>
    <message>
        <source>Read the picture (Ctrl+R)</source>
        <translation>Lire l’image (Ctrl+R)</translation>
    </message>
    <message>
        <source>Read the prompt (Ctrl+R)</source>
        <translation>Lire ce texte (Ctrl+R)</translation>
    </message>
    <message>
        <source>Read the text (Ctrl+R)</source>
        <translation>Lire le texte (Ctrl+R)</translation>
    </message>
    <message>
        <source>Read&amp;ing</source>
        <translation>Lect&amp;ure</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Lecture</translation>
    </message>
    <message>
        <source>Reading the picture…</source>
        <translation>Lecture de l’image…</translation>
    </message>
    <message>
        <source>Reading the prompt: step %1 (0 to %2)</source>
        <translation>Lecture du texte d’entrée : étape %1 (0 à %2)</translation>
    </message>
    <message>
        <source>Reading the sentence</source>
        <translation>Lecture de la phrase</translation>
    </message>
    <message>
        <source>Reading the sentences…</source>
        <translation>Lecture des phrases…</translation>
    </message>
    <message>
        <source>Reading the sentence…</source>
        <translation>Lecture de la phrase…</translation>
    </message>
    <message>
        <source>Readings</source>
        <translation>Lectures</translation>
    </message>
    <message>
        <source>Readings by their agreement with erasure</source>
        <translation>Lectures d’après leur accord avec l’effacement</translation>
    </message>
    <message>
        <source>Readings, &amp;too</source>
        <translation>Aussi les lec&amp;tures</translation>
    </message>
    <message>
        <source>Reads the sentence from both ends, so that every state knows what follows, too.</source>
        <translation>Lit la phrase depuis ses deux extrémités, si bien que chaque état connaît aussi ce qui suit.</translation>
    </message>
    <message>
        <source>Reads: %1.</source>
        <translation>Lit : %1.</translation>
    </message>
    <message>
        <source>Reads: %1. Writes: %2.</source>
        <translation>Lit : %1. Écrit : %2.</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Rappel</translation>
    </message>
    <message>
        <source>Recent: %1</source>
        <translation>Récent : %1</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Rétablir</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Référence</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renommer</translation>
    </message>
    <message>
        <source>Repeated</source>
        <translation>Répétés</translation>
    </message>
    <message>
        <source>Residual connection</source>
        <translation>Connexion résiduelle</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurer</translation>
    </message>
    <message>
        <source>Restore e&amp;xample</source>
        <translation>Restaurer l’e&amp;xemple</translation>
    </message>
    <message>
        <source>Right: “%1”, %2</source>
        <translation>Juste : « %1 », %2</translation>
    </message>
    <message>
        <source>RoPE</source>
        <translation>RoPE</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>Rotary positions</source>
        <translation>Positions rotatives</translation>
    </message>
    <message>
        <source>Rotary: one query, one key, turned</source>
        <translation>Rotatif : une requête, une clé, tournées</translation>
    </message>
    <message>
        <source>Row by row</source>
        <translation>Rangée par rangée</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Rangées</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Exécuter</translation>
    </message>
    <message>
        <source>Run a sentence in the window first.</source>
        <translation>Exécuter d’abord une phrase dans la fenêtre.</translation>
    </message>
    <message>
        <source>Run the model on the text (Ctrl+R)</source>
        <translation>Exécuter le modèle sur le texte (Ctrl+R)</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Exécutions</translation>
    </message>
    <message>
        <source>Runs of this length are not kept for the case of a crash</source>
        <translation>Des calculs de cette longueur ne sont pas gardés en cas de plantage</translation>
    </message>
    <message>
        <source>Runs, edits and long texts</source>
        <translation>Exécutions, modifications et longs textes</translation>
    </message>
    <message>
        <source>S&amp;cheme</source>
        <translation>Sc&amp;héma</translation>
    </message>
    <message>
        <source>S&amp;how</source>
        <translation>&amp;Montrer</translation>
    </message>
    <message>
        <source>S&amp;huffle</source>
        <translation>&amp;Mélanger</translation>
    </message>
    <message>
        <source>S&amp;ide</source>
        <translation>C&amp;ôté</translation>
    </message>
    <message>
        <source>S&amp;mallest first</source>
        <translation>Plus petit d’a&amp;bord</translation>
    </message>
    <message>
        <source>S&amp;tack</source>
        <translation>Pi&amp;le</translation>
    </message>
    <message>
        <source>STAGE:LAYER:HEAD:ROW:COLUMN=hide, zero, set:V, scale:V, uniform or renormalize;
source:POS=hide, token:ID or word:TEXT (Enter)</source>
        <translation>PARTIE:COUCHE:TÊTE:RANGÉE:COLONNE=hide, zero, set:V, scale:V, uniform ou renormalize ;
source:POS=hide, token:ID ou word:TEXTE (Entrée)</translation>
    </message>
    <message>
        <source>SVG drawing</source>
        <translation>Dessin SVG</translation>
    </message>
    <message>
        <source>Sa&amp;ve as…</source>
        <translation>Enregistrer so&amp;us…</translation>
    </message>
    <message>
        <source>Same position</source>
        <translation>Même position</translation>
    </message>
    <message>
        <source>Same word</source>
        <translation>Même mot</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Échantillonnage</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Enregistrer sous…</translation>
    </message>
    <message>
        <source>Save lin&amp;ks…</source>
        <translation>Enregistrer les l&amp;iens…</translation>
    </message>
    <message>
        <source>Save table…</source>
        <translation>Enregistrer la table…</translation>
    </message>
    <message>
        <source>Save the links</source>
        <translation>Enregistrer les liens</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Enregistrer la session</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Enregistrer le tableau</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 enregistré</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Enregistré : %1</translation>
    </message>
    <message>
        <source>Saving, then closing</source>
        <translation>Enregistrement, puis fermeture</translation>
    </message>
    <message>
        <source>Saving, then opening</source>
        <translation>Enregistrement, puis ouverture</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Échelle</translation>
    </message>
    <message>
        <source>Scale and range of the colours</source>
        <translation>Échelle et plage des couleurs</translation>
    </message>
    <message>
        <source>Scale b&amp;y…</source>
        <translation>Mu&amp;ltiplier par…</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Mise à l’échelle</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <source>Scores, weights and contributions</source>
        <translation>Scores, poids et contributions</translation>
    </message>
    <message>
        <source>Se&amp;ntences</source>
        <translation>&amp;Phrases</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Rechercher dans l’aide</translation>
    </message>
    <message>
        <source>Searching the vocabulary…</source>
        <translation>Recherche dans le vocabulaire…</translation>
    </message>
    <message>
        <source>Second sentence of a pair</source>
        <translation>Seconde phrase d’une paire</translation>
    </message>
    <message>
        <source>Second sentence, B (may stay empty)</source>
        <translation>Seconde phrase, B (peut rester vide)</translation>
    </message>
    <message>
        <source>See all heads of a Transformer</source>
        <translation>Voir toutes les têtes d’un Transformer</translation>
    </message>
    <message>
        <source>See how a neural network aligns what it reads with what it writes.</source>
        <translation>Voir comment un réseau de neurones aligne ce qu’il lit et ce qu’il écrit.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>Seed of the random vectors</source>
        <translation>Graine des vecteurs aléatoires</translation>
    </message>
    <message>
        <source>Self</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Self-attention alone does not know the order of its words: shuffle them, and the outputs are merely shuffled too. Positional encodings put the order in.</source>
        <translation>L’auto-attention seule ignore l’ordre de ses mots : si on les mélange, les sorties sont simplement mélangées elles aussi. Ce sont les encodages positionnels qui apportent l’ordre.</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>Phrase</translation>
    </message>
    <message>
        <source>Sentence %1 of %2, %3</source>
        <translation>Phrase %1 sur %2, %3</translation>
    </message>
    <message>
        <source>Sentence to translate</source>
        <translation>Phrase à traduire</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Phrases</translation>
    </message>
    <message>
        <source>Sentences to read from the start of the file</source>
        <translation>Nombre de phrases à lire depuis le début du fichier</translation>
    </message>
    <message>
        <source>Sentences, aligned by %1</source>
        <translation>Phrases, alignées par %1</translation>
    </message>
    <message>
        <source>Sessions (*.attnscope)</source>
        <translation>Sessions (*.attnscope)</translation>
    </message>
    <message>
        <source>Set to &amp;zero</source>
        <translation>Mettre à &amp;zéro</translation>
    </message>
    <message>
        <source>Several heads beside each other; their results are joined and mixed by one more matrix.</source>
        <translation>Plusieurs têtes côte à côte ; leurs résultats sont joints et mélangés par une matrice de plus.</translation>
    </message>
    <message>
        <source>Several times, in several ways</source>
        <translation>Plusieurs fois, de plusieurs façons</translation>
    </message>
    <message>
        <source>Share of the links found that are possible</source>
        <translation>Part des liens trouvés qui sont possibles</translation>
    </message>
    <message>
        <source>Share of the sure links that were found</source>
        <translation>Part des liens sûrs qui ont été trouvés</translation>
    </message>
    <message>
        <source>Share of these orders that leave the most probable token as it is</source>
        <translation>Part de ces ordres qui laissent le token le plus probable tel qu’il est</translation>
    </message>
    <message>
        <source>Sharpness</source>
        <translation>Netteté</translation>
    </message>
    <message>
        <source>Sharpness of scaled dot-product attention</source>
        <translation>Netteté de l’attention à produit scalaire mis à l’échelle</translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation>Planche</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>&amp;Afficher</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Montrer</translation>
    </message>
    <message>
        <source>Show &amp;everything</source>
        <translation>To&amp;ut afficher</translation>
    </message>
    <message>
        <source>Show each of these %1 tokens</source>
        <translation>Afficher chacun de ces %1 tokens</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Montrer</translation>
    </message>
    <message>
        <source>Show special to&amp;kens</source>
        <translation>Afficher les to&amp;kens spéciaux</translation>
    </message>
    <message>
        <source>Show the &amp;axis names</source>
        <translation>Afficher les noms des a&amp;xes</translation>
    </message>
    <message>
        <source>Show the colour &amp;bar</source>
        <translation>Afficher la &amp;barre de couleurs</translation>
    </message>
    <message>
        <source>Show the t&amp;itle</source>
        <translation>&amp;Afficher le titre</translation>
    </message>
    <message>
        <source>Show these tokens in one box</source>
        <translation>Afficher ces tokens dans une seule case</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Affichés</translation>
    </message>
    <message>
        <source>Shown</source>
        <comment>panel</comment>
        <translation>Affiché</translation>
    </message>
    <message>
        <source>Shown for “@”.</source>
        <translation>Montré pour « @ ».</translation>
    </message>
    <message>
        <source>Shows the choices before</source>
        <translation>Montre les choix d’avant</translation>
    </message>
    <message>
        <source>Shows what the run has more and less of than the one that it is compared with, or that it came from</source>
        <translation>Montre ce que l’exécution a en plus et en moins que celle avec laquelle elle est comparée, ou dont elle vient</translation>
    </message>
    <message>
        <source>Shuffle the words</source>
        <translation>Mélanger les mots</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>Mélangés</translation>
    </message>
    <message>
        <source>Shuffled &amp;weights</source>
        <translation>Poids mé&amp;langés</translation>
    </message>
    <message>
        <source>Shuffled model</source>
        <translation>Modèle mélangé</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Côte à côte</translation>
    </message>
    <message>
        <source>Side by side or a difference</source>
        <translation>Côte à côte ou différence</translation>
    </message>
    <message>
        <source>Side of the model</source>
        <translation>Côté du modèle</translation>
    </message>
    <message>
        <source>Similarity of picture and text: %1</source>
        <translation>Similarité de l’image et du texte : %1</translation>
    </message>
    <message>
        <source>Sink</source>
        <translation>Puits</translation>
    </message>
    <message>
        <source>Size: %1</source>
        <translation>Taille : %1</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Passer</translation>
    </message>
    <message>
        <source>Slide</source>
        <translation>Diapositive</translation>
    </message>
    <message>
        <source>Soft attention</source>
        <translation>Attention douce</translation>
    </message>
    <message>
        <source>Soft attention writes “%1”, hard attention “%2”.</source>
        <translation>L’attention douce écrit « %1 », la dure « %2 ».</translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>Solid: what is drawn from. Pale: the model's.</source>
        <translation>Plein : distribution du tirage. Pâle : celle du modèle.</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Son</translation>
    </message>
    <message>
        <source>Sound to hear</source>
        <translation>Son à écouter</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Source words with several links</source>
        <translation>Mots source avec plusieurs liens</translation>
    </message>
    <message>
        <source>Source words without a link</source>
        <translation>Mots source sans lien</translation>
    </message>
    <message>
        <source>Spe&amp;cial tokens</source>
        <translation>Tokens spé&amp;ciaux</translation>
    </message>
    <message>
        <source>Spearman's rank correlation of the reading with erasure: what the output's log probability loses without each source token. 1: the same order</source>
        <translation>Corrélation de rang de Spearman de la lecture avec l’effacement : ce que la log-probabilité de la sortie perd sans chacun des tokens de la source. 1 : le même ordre</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>Tokens spéciaux</translation>
    </message>
    <message>
        <source>Special tokens: %1</source>
        <translation>Tokens spéciaux : %1</translation>
    </message>
    <message>
        <source>Spread in</source>
        <translation>Dispersion reçue</translation>
    </message>
    <message>
        <source>Spread out</source>
        <translation>Dispersion</translation>
    </message>
    <message>
        <source>Square root</source>
        <translation>Racine carrée</translation>
    </message>
    <message>
        <source>St&amp;art</source>
        <translation>&amp;Démarrer</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>Stages of the computation</source>
        <translation>Étapes du calcul</translation>
    </message>
    <message>
        <source>Start &amp;again</source>
        <translation>&amp;Recommencer</translation>
    </message>
    <message>
        <source>Start, end, separator and language tokens among rows and columns</source>
        <translation>Tokens de début, de fin, de séparation et de langue parmi les rangées et les colonnes</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Démarrage</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Étape</translation>
    </message>
    <message>
        <source>Step %1 took “%2”</source>
        <translation>L’étape %1 a pris « %2 »</translation>
    </message>
    <message>
        <source>Step %1: the prompt says “%2”, the model gave it %3</source>
        <translation>Étape %1 : le texte d’entrée dit « %2 », le modèle lui donnait %3</translation>
    </message>
    <message>
        <source>Step %1: “%2”, probability %3, sum of log probabilities %4.</source>
        <translation>Étape %1 : « %2 », probabilité %3, somme des log-probabilités %4.</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Pas</translation>
    </message>
    <message>
        <source>Steps of the path from the baseline to the text</source>
        <translation>Pas du chemin qui mène de la référence au texte</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Stop searching</source>
        <translation>Arrêter la recherche</translation>
    </message>
    <message>
        <source>Stop the run (Esc)</source>
        <translation>Arrêter l’exécution (Esc)</translation>
    </message>
    <message>
        <source>Structured self-attention</source>
        <translation>Auto-attention structurée</translation>
    </message>
    <message>
        <source>Sum of coverage and both spreads: 0 is best</source>
        <translation>Somme de la couverture et des deux dispersions : 0 est le mieux</translation>
    </message>
    <message>
        <source>Sum of log probabilities %1, divided by its length %2. %3</source>
        <translation>Somme des log-probabilités %1, divisée par sa longueur %2. %3</translation>
    </message>
    <message>
        <source>Sums</source>
        <translation>Sommes</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Balayage</translation>
    </message>
    <message>
        <source>Switch this head &amp;off</source>
        <translation>&amp;Désactiver cette tête</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>T&amp;hème</translation>
    </message>
    <message>
        <source>T5: the bucket of each distance</source>
        <translation>T5 : l’intervalle de chaque distance</translation>
    </message>
    <message>
        <source>TEXT</source>
        <translation>TEXTE</translation>
    </message>
    <message>
        <source>Tab-separated texts (*.tsv *.txt);;All files (*)</source>
        <translation>Textes séparés par des tabulations (*.tsv *.txt);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Take a lesson</source>
        <translation>Suivre une leçon</translation>
    </message>
    <message>
        <source>Take another &amp;word…</source>
        <translation>Prendre un a&amp;utre mot…</translation>
    </message>
    <message>
        <source>Take away one head after the other, or one word of the source, and see what the model then makes of the output that it had: the change of its log probability, and how far the distributions move. Click a head to see it in the window.</source>
        <translation>Retirer une tête après l’autre, ou un mot de la source, et voir ce que le modèle pense alors de la sortie qu’il avait produite : la variation de sa log-probabilité, et de combien les distributions se déplacent. Cliquer sur une tête pour la voir dans la fenêtre.</translation>
    </message>
    <message>
        <source>Take the chosen edits away (Del)</source>
        <translation>Retirer les modifications choisies (Del)</translation>
    </message>
    <message>
        <source>Take this run away (Del)</source>
        <translation>Retirer cette exécution (Del)</translation>
    </message>
    <message>
        <source>Take this run away, with the name or note that you gave it?</source>
        <translation>Retirer cette exécution, avec le nom ou la note que vous lui avez donnés ?</translation>
    </message>
    <message>
        <source>Take this text away</source>
        <translation>Retirer ce texte</translation>
    </message>
    <message>
        <source>Takes the largest weight</source>
        <translation>Prend le plus grand poids</translation>
    </message>
    <message>
        <source>Takes the most probable token at every step.</source>
        <translation>Prend à chaque étape le token le plus probable.</translation>
    </message>
    <message>
        <source>Tanh layer</source>
        <translation>Couche tanh</translation>
    </message>
    <message>
        <source>Te&amp;mperature</source>
        <translation>Températu&amp;re</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>Text beside the picture</source>
        <translation>Texte à côté de l’image</translation>
    </message>
    <message>
        <source>Text to read</source>
        <translation>Texte à lire</translation>
    </message>
    <message>
        <source>Texts (*.txt);;All files (*)</source>
        <translation>Textes (*.txt);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Texts to compare the picture with</source>
        <translation>Textes à comparer à l’image</translation>
    </message>
    <message>
        <source>Texts to compare the picture with, one a line; Ctrl+R compares</source>
        <translation>Textes à comparer à l’image, un par ligne ; Ctrl+R compare</translation>
    </message>
    <message>
        <source>The %1</source>
        <translation>« %1 »</translation>
    </message>
    <message>
        <source>The archive ends here</source>
        <translation>L’archive s’arrête ici</translation>
    </message>
    <message>
        <source>The base of their frequencies is %1.</source>
        <translation>La base de leurs fréquences est %1.</translation>
    </message>
    <message>
        <source>The best M for k = %1</source>
        <translation>La meilleure M pour k = %1</translation>
    </message>
    <message>
        <source>The best matrix for k = %1 leaves %2 over; fitted without every fourth position, it leaves %3 over at those.</source>
        <translation>Reste de la meilleure matrice pour k = %1 : %2 ; si on l’ajuste sans une position sur quatre, reste à ces positions : %3.</translation>
    </message>
    <message>
        <source>The bundled models learned from</source>
        <translation>Les modèles fournis ont été entraînés sur</translation>
    </message>
    <message numerus="yes">
        <source>The caption first changes when %n patches are grey: “%1” becomes “%2”.</source>
        <translation>
            <numerusform>La légende change dès que %n carreau est gris : « %1 » devient « %2 ».</numerusform>
            <numerusform>La légende change dès que %n carreaux sont gris : « %1 » devient « %2 ».</numerusform>
        </translation>
    </message>
    <message>
        <source>The contexts of all heads, one after the other.</source>
        <translation>Les contextes de toutes les têtes, l’un après l’autre.</translation>
    </message>
    <message>
        <source>The curse of sentence length</source>
        <translation>La malédiction de la longueur</translation>
    </message>
    <message>
        <source>The decoder attends to the encoder's states: queries from the output, keys and values from the input.</source>
        <translation>Le décodeur porte son attention sur les états de l’encodeur : requêtes de la sortie, clés et valeurs de l’entrée.</translation>
    </message>
    <message>
        <source>The dot product of two random vectors of width d has a standard deviation of √d. Unscaled, the softmax saturates: one key takes everything and almost no gradient is left. Divided by √d the scores stay as wide whatever d is.</source>
        <translation>Le produit scalaire de deux vecteurs aléatoires de dimension d a un écart type de √d. Sans mise à l’échelle, le softmax sature : une clé prend tout et il ne reste presque pas de gradient. Divisés par √d, les scores gardent la même dispersion quel que soit d.</translation>
    </message>
    <message>
        <source>The dot stands for a space</source>
        <translation>Le point tient lieu d’espace</translation>
    </message>
    <message>
        <source>The encoder has heads, too, while nothing is written yet. At what can they look?</source>
        <translation>L’encodeur a aussi des têtes, alors que rien n’est encore écrit. Que peuvent-elles regarder ?</translation>
    </message>
    <message>
        <source>The encoder's state for one word, with what stands around it; what the decoder attends to.</source>
        <translation>L’état de l’encodeur pour un mot, avec ce qui l’entoure ; ce à quoi le décodeur prête attention.</translation>
    </message>
    <message>
        <source>The export</source>
        <translation>L’exportation</translation>
    </message>
    <message>
        <source>The features of a pair are %1 apart.</source>
        <translation>Les composantes d’une paire sont à %1 d’écart.</translation>
    </message>
    <message>
        <source>The feed-forward block reads the same state, beside the attention, and both are added to it.</source>
        <translation>Le bloc feed-forward lit le même état, à côté de l’attention, et les deux s’y ajoutent.</translation>
    </message>
    <message>
        <source>The first word stands. Does the second depend on it?</source>
        <translation>Le premier mot est là. Le deuxième en dépend-il ?</translation>
    </message>
    <message>
        <source>The folder that is chosen, or else the one that is shown: a checkpoint</source>
        <translation>Le dossier choisi, ou sinon celui qui est affiché : un point de contrôle</translation>
    </message>
    <message>
        <source>The formula's rotation fits these rows: the largest difference is %1.</source>
        <translation>La rotation de la formule convient à ces rangées : la plus grande différence est %1.</translation>
    </message>
    <message>
        <source>The gate lets through %1 to %2 of the context.</source>
        <translation>La porte laisse passer %1 à %2 du contexte.</translation>
    </message>
    <message>
        <source>The head</source>
        <translation>La tête</translation>
    </message>
    <message>
        <source>The heads are being drawn</source>
        <translation>Tracé des têtes en cours</translation>
    </message>
    <message>
        <source>The largest 0.1 %</source>
        <translation>Les 0,1 % les plus grands</translation>
    </message>
    <message>
        <source>The largest 1 %</source>
        <translation>Les 1 % les plus grands</translation>
    </message>
    <message>
        <source>The largest 5 %</source>
        <translation>Les 5 % les plus grands</translation>
    </message>
    <message>
        <source>The largest of its cells</source>
        <translation>Le maximum de ses cellules</translation>
    </message>
    <message>
        <source>The layer</source>
        <translation>La couche</translation>
    </message>
    <message>
        <source>The layer's units, weighed with v, sum to %1.</source>
        <translation>Les unités de la couche, pondérées par v, ont pour somme %1.</translation>
    </message>
    <message>
        <source>The length of the gradient at each token's embedding: how sensitive the explained token is to it. It says neither for nor against, and is noisy in deep models.</source>
        <translation>La longueur du gradient au plongement de chaque token : à quel point le token expliqué y est sensible. Elle ne dit ni pour ni contre, et elle est bruitée dans les modèles profonds.</translation>
    </message>
    <message>
        <source>The length of what each token adds to another: its weight times its value, through the output projection. A large weight on a short value counts little. It looks at one attention alone, without the residual connection and later layers.</source>
        <translation>La longueur de ce que chaque token ajoute à un autre : son poids fois sa valeur, à travers la projection de sortie. Un grand poids sur une valeur courte compte peu. Seule cette attention est regardée, sans la connexion résiduelle ni les couches suivantes.</translation>
    </message>
    <message>
        <source>The log probability of the output changes most without %1: by %2.</source>
        <translation>La log-probabilité de la sortie change le plus sans %1 : de %2.</translation>
    </message>
    <message>
        <source>The logarithm of a probability: 0 is certain, and those of the tokens of an output add up.</source>
        <translation>Le logarithme d’une probabilité : 0 est la certitude, et celles des tokens d’une sortie s’additionnent.</translation>
    </message>
    <message>
        <source>The logit of the explained token handed back layer by layer, for and against it. The rules of each kind of layer are a choice, and biases take a part of the logit.</source>
        <translation>Le logit du token expliqué, redistribué couche par couche, pour et contre lui. Les règles de chaque type de couche sont un choix, et les biais prennent une part du logit.</translation>
    </message>
    <message>
        <source>The map</source>
        <translation>La carte</translation>
    </message>
    <message>
        <source>The matrix that comes closest to turning the model's row p into row p + %1.</source>
        <translation>La matrice qui transforme au plus près la rangée p du modèle en la rangée p + %1.</translation>
    </message>
    <message>
        <source>The matrix that turns PE(p) into PE(p + %1), %2 by %2.</source>
        <translation>La matrice qui transforme PE(p) en PE(p + %1), de taille %2 × %2.</translation>
    </message>
    <message>
        <source>The mean of its cells</source>
        <translation>La moyenne de ses cellules</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Le modèle</translation>
    </message>
    <message>
        <source>The model found the same words without it.</source>
        <translation>Le modèle a trouvé les mêmes mots sans lui.</translation>
    </message>
    <message>
        <source>The model has ended the text</source>
        <translation>Le modèle a terminé le texte</translation>
    </message>
    <message>
        <source>The model has ended the text here</source>
        <translation>Le modèle a terminé le texte ici</translation>
    </message>
    <message>
        <source>The model has no attention.</source>
        <translation>Le modèle n’a pas d’attention.</translation>
    </message>
    <message>
        <source>The model has read the sentence above and writes it in French, word by word. Now %1 comes. At which word will it look most? Click it, above or here:</source>
        <translation>Le modèle a lu la phrase ci-dessus et l’écrit en français, mot par mot. Vient maintenant %1. Quel mot va-t-il regarder le plus ? Cliquez dessus, en haut ou ici :</translation>
    </message>
    <message>
        <source>The model of this session is not open</source>
        <translation>Le modèle de cette session n’est pas ouvert</translation>
    </message>
    <message>
        <source>The model of this session is not there: its runs are shown as they were saved. </source>
        <translation>Le modèle de cette session est absent : ses exécutions sont affichées telles qu’elles ont été enregistrées. </translation>
    </message>
    <message>
        <source>The model that reads the text</source>
        <translation>Le modèle qui lit le texte</translation>
    </message>
    <message>
        <source>The model's head</source>
        <translation>La tête du modèle</translation>
    </message>
    <message>
        <source>The model's scores</source>
        <translation>Scores du modèle</translation>
    </message>
    <message>
        <source>The model's tokenizer could not read the output up to here.</source>
        <translation>Le tokeniseur du modèle n’a pas pu lire la sortie jusqu’ici.</translation>
    </message>
    <message>
        <source>The model's vocabulary lacks this.</source>
        <translation>Absent du vocabulaire du modèle.</translation>
    </message>
    <message>
        <source>The model: its last token is the end of the sentence, a candidate like all others. Ctrl+Shift+M shows special tokens: where does it look for that?</source>
        <translation>Le modèle : son dernier token est la fin de la phrase, un candidat comme les autres. Ctrl+Maj+M montre les tokens spéciaux : où regarde-t-il pour cela ?</translation>
    </message>
    <message>
        <source>The most different ones with nearly the same output</source>
        <translation>Les plus différents, avec presque la même sortie</translation>
    </message>
    <message>
        <source>The next one (F3)</source>
        <translation>Le suivant (F3)</translation>
    </message>
    <message>
        <source>The next start of AttnScope will be in this language.</source>
        <translation>AttnScope sera dans cette langue au prochain démarrage.</translation>
    </message>
    <message>
        <source>The number that a model gives a token before the softmax makes a probability of it.</source>
        <translation>Le nombre qu’un modèle donne à un token avant que le softmax en fasse une probabilité.</translation>
    </message>
    <message>
        <source>The numbers on the screen with their names, full precision.</source>
        <translation>Les nombres à l’écran avec leurs noms, en pleine précision.</translation>
    </message>
    <message>
        <source>The one before (Shift+F3)</source>
        <translation>Le précédent (Shift+F3)</translation>
    </message>
    <message>
        <source>The one that it writes</source>
        <translation>Celui qu’il écrit</translation>
    </message>
    <message>
        <source>The one with attention</source>
        <translation>Celui qui a l’attention</translation>
    </message>
    <message>
        <source>The one without</source>
        <translation>Celui qui ne l’a pas</translation>
    </message>
    <message>
        <source>The one without: the laboratory puts them side by side. Now try a sentence of yours with more than twenty words: type it at the top and press Enter.</source>
        <translation>Celui qui n’en a pas : le laboratoire les met côte à côte. Essayez maintenant une de vos phrases, de plus de vingt mots : saisissez-la en haut et appuyez sur Entrée.</translation>
    </message>
    <message>
        <source>The output appears here.</source>
        <translation>La sortie apparaît ici.</translation>
    </message>
    <message>
        <source>The output differs most without %1: a divergence of %2 nats per token.</source>
        <translation>La sortie diffère le plus sans %1 : une divergence de %2 nats par token.</translation>
    </message>
    <message>
        <source>The output is added to the state.</source>
        <translation>La sortie s’ajoute à l’état.</translation>
    </message>
    <message>
        <source>The output is normalized or scaled, then added to the state.</source>
        <translation>La sortie est normalisée ou multipliée, puis s’ajoute à l’état.</translation>
    </message>
    <message>
        <source>The output is shown in pieces. </source>
        <translation>La sortie est montrée par morceaux. </translation>
    </message>
    <message>
        <source>The output of %1 of %2 words is no number: whether it moved or changed cannot be said.</source>
        <translation>La sortie de %1 mots sur %2 n’est pas un nombre : on ne peut dire si elle a changé de place ou de valeur.</translation>
    </message>
    <message>
        <source>The output was made to begin with this, and goes on freely</source>
        <translation>La sortie a été forcée à commencer ainsi, puis continue librement</translation>
    </message>
    <message>
        <source>The output without each head</source>
        <translation>La sortie sans chaque tête</translation>
    </message>
    <message>
        <source>The output without each head or token</source>
        <translation>La sortie sans chaque tête ou token</translation>
    </message>
    <message>
        <source>The output without each source token</source>
        <translation>La sortie sans chaque token source</translation>
    </message>
    <message>
        <source>The output's distributions move by %1 with equal weights and by %2 with shuffled ones (0: not at all, 1: entirely). Weights that differ by %3 of at most 0.69 move them by %4 only.</source>
        <translation>Les distributions de la sortie se déplacent de %1 avec des poids égaux et de %2 avec des poids mélangés (0 : pas du tout, 1 : entièrement). Des poids qui diffèrent de %3, sur 0,69 au plus, ne les déplacent que de %4.</translation>
    </message>
    <message>
        <source>The page before (Alt+Left)</source>
        <translation>Page précédente (Alt+Left)</translation>
    </message>
    <message>
        <source>The panels</source>
        <translation>Les panneaux</translation>
    </message>
    <message>
        <source>The part of a model that reads the input and makes a state for each of its tokens.</source>
        <translation>La partie d’un modèle qui lit l’entrée et produit un état pour chacun de ses tokens.</translation>
    </message>
    <message>
        <source>The part of a model that writes the output, token by token.</source>
        <translation>La partie d’un modèle qui écrit la sortie, token par token.</translation>
    </message>
    <message>
        <source>The path from zero embeddings has not settled for %1 of %2 output tokens: these numbers mean nothing</source>
        <translation>Le chemin depuis les plongements nuls n’a pas convergé pour %1 des %2 tokens de sortie : ces nombres ne veulent rien dire</translation>
    </message>
    <message>
        <source>The picture under the weights of the words</source>
        <translation>L’image sous les poids des mots</translation>
    </message>
    <message>
        <source>The picture, and one for each word</source>
        <translation>L’image, et une par mot</translation>
    </message>
    <message>
        <source>The probabilities that sampling draws by as it is set up now, over the model's own</source>
        <translation>Les probabilités du tirage tel que l’échantillonnage est réglé à présent, par-dessus celles du modèle</translation>
    </message>
    <message>
        <source>The program</source>
        <translation>Le programme</translation>
    </message>
    <message>
        <source>The query is multiplied by %1.</source>
        <translation>La requête est multipliée par %1.</translation>
    </message>
    <message>
        <source>The row of the table for “@”.</source>
        <translation>La ligne de la table pour « @ ».</translation>
    </message>
    <message>
        <source>The rows of these two have no word in common.</source>
        <translation>Les rangées de ces deux modèles n’ont aucun mot en commun.</translation>
    </message>
    <message>
        <source>The rows of this attention are no tokens: the heatmap compares them</source>
        <translation>Les rangées de cette attention ne sont pas des tokens : la carte de chaleur les compare</translation>
    </message>
    <message>
        <source>The run that this one is compared with: %1</source>
        <translation>L’exécution à laquelle celle-ci est comparée : %1</translation>
    </message>
    <message>
        <source>The run was stopped before there was any %1</source>
        <translation>L’exécution a été arrêtée avant toute %1</translation>
    </message>
    <message>
        <source>The same by distance.</source>
        <translation>De même, selon la distance.</translation>
    </message>
    <message>
        <source>The same for every key.</source>
        <translation>De même pour chaque clé.</translation>
    </message>
    <message>
        <source>The same of source words</source>
        <translation>De même pour les mots source</translation>
    </message>
    <message>
        <source>The same sentence</source>
        <translation>La même phrase</translation>
    </message>
    <message>
        <source>The same sentence: most heads can go, a few cannot. The sweep switches each off in turn and measures what becomes of your sentence's translation.</source>
        <translation>La même phrase : la plupart des têtes peuvent disparaître, quelques-unes non. Le balayage les désactive tour à tour et mesure ce que devient la traduction de votre phrase.</translation>
    </message>
    <message>
        <source>The same with another seed, beside this run (Ctrl+D)</source>
        <translation>La même chose avec une autre graine, à côté de cette exécution (Ctrl+D)</translation>
    </message>
    <message>
        <source>The score of a query and a key is a small network's: v · tanh(W q + U k).</source>
        <translation>Le score d’une requête et d’une clé est celui d’un petit réseau : v · tanh(W q + U k).</translation>
    </message>
    <message>
        <source>The score of a query and a key is their dot product; a Transformer divides it by the square root of their width.</source>
        <translation>Le score d’une requête et d’une clé est leur produit scalaire ; un Transformer le divise par la racine carrée de leur largeur.</translation>
    </message>
    <message>
        <source>The sharpness of scaled dot-product attention</source>
        <translation>La netteté de l’attention à produit scalaire mis à l’échelle</translation>
    </message>
    <message>
        <source>The sum is normalized.</source>
        <translation>La somme est normalisée.</translation>
    </message>
    <message>
        <source>The table has no entries: there is nothing to look up.</source>
        <translation>La table n’a pas d’entrée : il n’y a rien à chercher.</translation>
    </message>
    <message>
        <source>The table is empty: neither lookup has an answer.</source>
        <translation>La table est vide : aucune des deux recherches n’a de réponse.</translation>
    </message>
    <message>
        <source>The table of sentences as comma-separated values</source>
        <translation>Le tableau des phrases en valeurs séparées par des virgules</translation>
    </message>
    <message>
        <source>The text that was read, and what was written</source>
        <translation>Le texte lu, et ce qui a été écrit</translation>
    </message>
    <message>
        <source>The text with what is predicted of it</source>
        <translation>Le texte avec ce qui en est prédit</translation>
    </message>
    <message>
        <source>The thicker a line, the more of that word went into %1; its row in the picture has the same numbers. Now take %2 away: drag the word out of its line with the mouse. What will the model write without it?</source>
        <translation>Plus un trait est épais, plus ce mot est entré dans %1 ; sa rangée dans l’image a les mêmes nombres. Enlevez maintenant %2 : sortez le mot de sa ligne avec la souris. Qu’écrira le modèle sans lui ?</translation>
    </message>
    <message>
        <source>The two have nothing in common here</source>
        <translation>Les deux n’ont rien en commun ici</translation>
    </message>
    <message>
        <source>The usual &amp;range</source>
        <translation>&amp;Plage habituelle</translation>
    </message>
    <message>
        <source>The values summed by their weights: what a query gets from attention. Without attention, the one vector that stands for the whole sentence.</source>
        <translation>La somme des valeurs pondérées par leurs poids : ce qu’une requête obtient de l’attention. Sans attention, l’unique vecteur qui représente toute la phrase.</translation>
    </message>
    <message>
        <source>The values, mixed by the weights: what this head reads.</source>
        <translation>Les valeurs, mélangées selon les poids : ce que lit cette tête.</translation>
    </message>
    <message>
        <source>The vector of a token that goes into the result, by its weight.</source>
        <translation>Le vecteur d’un token qui entre dans le résultat, selon son poids.</translation>
    </message>
    <message>
        <source>The vector of a token that queries are compared with.</source>
        <translation>Le vecteur d’un token auquel les requêtes sont comparées.</translation>
    </message>
    <message>
        <source>The vector of the token that asks; it is compared with all keys.</source>
        <translation>Le vecteur du token qui interroge ; il est comparé à toutes les clés.</translation>
    </message>
    <message>
        <source>The vector of “%1” holds what is no number, so it has no direction.</source>
        <translation>Le vecteur de « %1 » contient ce qui n’est pas un nombre : il n’a pas de direction.</translation>
    </message>
    <message>
        <source>The vector of “%1” is zero, so it has no direction.</source>
        <translation>Le vecteur de « %1 » est nul, il n’a donc pas de direction.</translation>
    </message>
    <message>
        <source>The vector that stands for a token.</source>
        <translation>Le vecteur qui représente un token.</translation>
    </message>
    <message>
        <source>The weights as the edits of this run left them.</source>
        <translation>Les poids tels que les modifications de cette exécution les ont laissés.</translation>
    </message>
    <message>
        <source>The weights of %1 are not those that these runs were made with: what is run now may differ from what is shown.</source>
        <translation>Les poids de %1 ne sont pas ceux de ces exécutions : une nouvelle exécution peut différer de ce qui est affiché.</translation>
    </message>
    <message>
        <source>The weights of the model</source>
        <translation>Les poids du modèle</translation>
    </message>
    <message>
        <source>The weights, and the most different ones that leave the output</source>
        <translation>Les poids, et les plus différents qui laissent la sortie telle quelle</translation>
    </message>
    <message>
        <source>The whole matrix, small</source>
        <translation>Toute la matrice, en petit</translation>
    </message>
    <message>
        <source>The whole matrix: click or drag to look elsewhere</source>
        <translation>Toute la matrice : cliquer ou glisser pour regarder ailleurs</translation>
    </message>
    <message>
        <source>The word is still to come.</source>
        <translation>Le mot est encore à venir.</translation>
    </message>
    <message>
        <source>The word, to be changed</source>
        <translation>Le mot, à modifier</translation>
    </message>
    <message>
        <source>The words stand in their own order: shuffle them or move one.</source>
        <translation>Les mots sont dans leur ordre : les mélanger ou en déplacer un.</translation>
    </message>
    <message>
        <source>There are changes that are not in the session </source>
        <translation>Des changements ne sont pas enregistrés dans la session </translation>
    </message>
    <message>
        <source>There are named or annotated runs that are in no session file</source>
        <translation>Des exécutions nommées ou annotées ne sont dans aucun fichier de session</translation>
    </message>
    <message>
        <source>There are no embeddings to show.</source>
        <translation>Il n’y a pas de plongements à montrer.</translation>
    </message>
    <message>
        <source>There are no scores.</source>
        <translation>Il n’y a pas de scores.</translation>
    </message>
    <message>
        <source>There are no tokens to show.</source>
        <translation>Il n’y a pas de tokens à montrer.</translation>
    </message>
    <message>
        <source>There is a file %1 already. Replace it?</source>
        <translation>Il y a déjà un fichier %1. Le remplacer ?</translation>
    </message>
    <message>
        <source>There is no model or archive at </source>
        <translation>Il n’y a ni modèle ni archive à l’emplacement </translation>
    </message>
    <message>
        <source>There is nothing to copy here</source>
        <translation>Il n’y a rien à copier ici</translation>
    </message>
    <message>
        <source>These two wrote no word in common: tick “All write what the first one writes”.</source>
        <translation>Ces deux modèles n’ont écrit aucun mot en commun : cocher « Tous écrivent ce qu’écrit le premier ».</translation>
    </message>
    <message>
        <source>They get worse</source>
        <translation>Elles se dégradent</translation>
    </message>
    <message>
        <source>They get worse: the vector is as wide as before. The laboratory has the curve. Without attention the longer sentence is the worse translation, with attention it is not.</source>
        <translation>Elles se dégradent : le vecteur n’est pas plus large pour autant. Le laboratoire en a la courbe. Sans attention, plus la phrase est longue, plus la traduction est mauvaise ; avec elle, non.</translation>
    </message>
    <message>
        <source>They spread</source>
        <translation>Ils s’étalent</translation>
    </message>
    <message>
        <source>They spread: that is why scores are divided by the square root of a head's width. The laboratory compares random vectors with the head that you have chosen.</source>
        <translation>Ils s’étalent : voilà pourquoi les scores sont divisés par la racine carrée de la largeur d’une tête. Le laboratoire compare des vecteurs aléatoires à la tête que vous avez choisie.</translation>
    </message>
    <message>
        <source>They stay as good</source>
        <translation>Elles restent aussi bonnes</translation>
    </message>
    <message>
        <source>They stay as large</source>
        <translation>Ils restent aussi grands</translation>
    </message>
    <message>
        <source>This archive holds no candidates.</source>
        <translation>Cette archive ne contient pas de candidats.</translation>
    </message>
    <message>
        <source>This archive holds no masked-token predictions</source>
        <translation>Cette archive ne contient pas de prédictions de tokens masqués</translation>
    </message>
    <message>
        <source>This archive holds no predictions.</source>
        <translation>Cette archive ne contient pas de prédictions.</translation>
    </message>
    <message>
        <source>This attention does not listen to the sound: choose another one</source>
        <translation>Cette attention n’écoute pas le son : en choisir une autre</translation>
    </message>
    <message>
        <source>This attention does not look at the picture: choose another one</source>
        <translation>Cette attention ne regarde pas l’image : choisissez-en une autre</translation>
    </message>
    <message>
        <source>This attention has heads 0 to %1, no %2</source>
        <translation>Cette attention a les têtes 0 à %1, pas de %2</translation>
    </message>
    <message>
        <source>This cannot be opened here</source>
        <translation>Ceci ne peut pas être ouvert ici</translation>
    </message>
    <message>
        <source>This ends the output: nothing goes on from it.</source>
        <translation>Ceci termine la sortie : rien ne peut suivre.</translation>
    </message>
    <message>
        <source>This head multiplies its scores by %1. The largest weights are %2 on average; without that they would be %3.</source>
        <translation>Cette tête multiplie ses scores par %1. Les plus grands poids sont de %2 en moyenne ; sans cela, ils seraient de %3.</translation>
    </message>
    <message>
        <source>This is no token of the model.</source>
        <translation>Ce n’est pas un token du modèle.</translation>
    </message>
    <message>
        <source>This layer has a window: the query's own key and %1 to each side.</source>
        <translation>Cette couche a une fenêtre : la clé de la requête elle-même et %1 de chaque côté.</translation>
    </message>
    <message>
        <source>This layer has a window: the query's own key and the %1 before it.</source>
        <translation>Cette couche a une fenêtre : la clé de la requête elle-même et les %1 précédentes.</translation>
    </message>
    <message>
        <source>This layer turns nothing: it knows order from the layers before it and from the mask alone.</source>
        <translation>Cette couche ne tourne rien : elle ne connaît l’ordre que par les couches précédentes et le masque.</translation>
    </message>
    <message>
        <source>This model does not divide its scores. The largest weights are %1 on average; divided by √%2 they would be %3.</source>
        <translation>Ce modèle ne divise pas ses scores. Les plus grands poids sont de %1 en moyenne ; divisés par √%2, ils seraient de %3.</translation>
    </message>
    <message>
        <source>This model does not turn one text into another: open a translation model.</source>
        <translation>Ce modèle ne change pas un texte en un autre : ouvrez un modèle de traduction.</translation>
    </message>
    <message>
        <source>This model has no attention to align with.</source>
        <translation>Ce modèle n’a pas d’attention pour aligner.</translation>
    </message>
    <message>
        <source>This model has no attention, so there are no heads to take away.</source>
        <translation>Ce modèle n’a pas d’attention, il n’y a donc pas de têtes à retirer.</translation>
    </message>
    <message>
        <source>This model has no attention, so there are no scores to compare with.</source>
        <translation>Ce modèle n’a pas d’attention, il n’y a donc pas de scores à comparer.</translation>
    </message>
    <message>
        <source>This model has no attention: one fixed context vector carries the whole sentence</source>
        <translation>Ce modèle n’a pas d’attention : un seul vecteur de contexte fixe porte toute la phrase</translation>
    </message>
    <message>
        <source>This model has no experts</source>
        <translation>Ce modèle n’a pas d’experts</translation>
    </message>
    <message>
        <source>This model has no masked-token predictions</source>
        <translation>Ce modèle ne prédit pas de tokens masqués</translation>
    </message>
    <message>
        <source>This model has no positional encoding that could be drawn</source>
        <translation>Ce modèle n’a pas d’encodage positionnel qui puisse être tracé</translation>
    </message>
    <message>
        <source>This model has no tokenizer: type ids, such as 5 9 2, and press Enter</source>
        <translation>Ce modèle n’a pas de tokeniseur : saisir des identifiants, par exemple 5 9 2, et appuyer sur Entrée</translation>
    </message>
    <message>
        <source>This model knows positions by a number for each distance.</source>
        <translation>Ce modèle connaît les positions par un nombre pour chaque distance.</translation>
    </message>
    <message>
        <source>This model labels no tokens and looks for no answer</source>
        <translation>Ce modèle n’étiquette pas de tokens et ne cherche pas de réponse</translation>
    </message>
    <message>
        <source>This model multiplies it by %1.</source>
        <translation>Ce modèle la multiplie par %1.</translation>
    </message>
    <message>
        <source>This model predicts nothing, so there is no output that could change.</source>
        <translation>Ce modèle ne prédit rien, aucune sortie ne peut donc changer.</translation>
    </message>
    <message>
        <source>This model reads a text and writes none, so there is nothing to search for</source>
        <translation>Ce modèle lit un texte et n’en écrit aucun : il n’y a pas de recherche à montrer</translation>
    </message>
    <message>
        <source>This model reports no hidden states.</source>
        <translation>Ce modèle ne fournit pas d’états cachés.</translation>
    </message>
    <message>
        <source>This model scores additively: tanh keeps every term below its component of v, so nothing grows with d and nothing is divided.</source>
        <translation>Ce modèle a des scores additifs : tanh garde chaque terme sous sa composante de v, donc rien ne croît avec d et rien n’est divisé.</translation>
    </message>
    <message>
        <source>This model's card is not made for reading: it has too many lines, marks or lists in lists. It is the file %1.</source>
        <translation>La fiche de ce modèle n’est pas faite pour être lue : trop de lignes, de signes ou de listes dans des listes. C’est le fichier %1.</translation>
    </message>
    <message>
        <source>This model, like T5, does not divide by √%1: its first weights were drawn smaller instead. A bias for the relative position is added to the products.</source>
        <translation>Ce modèle, comme T5, ne divise pas par √%1 : ses poids initiaux ont été tirés plus petits. Un biais pour la position relative s’ajoute aux produits.</translation>
    </message>
    <message>
        <source>This row was not computed: nothing is attended to here.</source>
        <translation>Cette rangée n’a pas été calculée : aucune attention n’est portée ici.</translation>
    </message>
    <message>
        <source>This run has no %1</source>
        <translation>Cette exécution n’a pas d’%1</translation>
    </message>
    <message>
        <source>This run has no step %1</source>
        <translation>Cette exécution n’a pas d’étape %1</translation>
    </message>
    <message>
        <source>This sentence has no scores at this place.</source>
        <translation>Cette phrase n’a pas de scores à cet endroit.</translation>
    </message>
    <message>
        <source>This sentence has no scores here.</source>
        <translation>Cette phrase n’a pas de scores ici.</translation>
    </message>
    <message>
        <source>This sentence has no weights here.</source>
        <translation>Cette phrase n’a pas de poids ici.</translation>
    </message>
    <message>
        <source>This text is empty</source>
        <translation>Ce texte est vide</translation>
    </message>
    <message>
        <source>This text is too long to be edited in a line: only its beginning is shown, all of it is run.</source>
        <translation>Ce texte est trop long pour être modifié sur une ligne : seul son début est montré, mais il est exécuté en entier.</translation>
    </message>
    <message>
        <source>This token has no neighbours.</source>
        <translation>Ce token n’a pas de voisins.</translation>
    </message>
    <message>
        <source>This token is in the first of the two only: nothing stands beside it</source>
        <translation>Ce token n’est que dans la première des deux : rien ne lui fait face</translation>
    </message>
    <message>
        <source>This translator reads your sentence and keeps **one** [context vector](glossary#context-vector) of it (Cho et al. 2014). How many numbers does it keep of a sentence that is four times as long?</source>
        <translation>Ce traducteur lit votre phrase et en garde **un** [vecteur de contexte](glossary#context-vector) (Cho et al. 2014). Combien de nombres garde-t-il d’une phrase quatre fois plus longue ?</translation>
    </message>
    <message>
        <source>Three layers with eight heads each stand between the two texts. Do heads of one layer look at the same words?</source>
        <translation>Trois couches de huit têtes se tiennent entre les deux textes. Les têtes d’une couche regardent-elles les mêmes mots ?</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Seuil</translation>
    </message>
    <message>
        <source>Tick a model to see its curve.</source>
        <translation>Cocher un modèle pour voir sa courbe.</translation>
    </message>
    <message>
        <source>Tick two or more models, and start.</source>
        <translation>Cocher au moins deux modèles, et démarrer.</translation>
    </message>
    <message>
        <source>TikZ for LaTeX (.tex)</source>
        <translation>TikZ pour LaTeX (.tex)</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Token %1 (0 to %2)</source>
        <translation>Token %1 (0 à %2)</translation>
    </message>
    <message>
        <source>Token whose neighbours are searched</source>
        <translation>Token dont on cherche les voisins</translation>
    </message>
    <message>
        <source>Tokens attend to the tokens of the same text.</source>
        <translation>Des tokens portent leur attention sur les tokens du même texte.</translation>
    </message>
    <message>
        <source>Tokens of the sentence in a plane</source>
        <translation>Tokens de la phrase dans un plan</translation>
    </message>
    <message>
        <source>Tokens that are used alike point in similar directions: the neighbours of a token by cosine, of the whole vocabulary. Beside them the sentence's tokens in the plane in which they vary most, layer by layer: attention moves words to what they mean here.</source>
        <translation>Les tokens employés de la même façon pointent dans des directions voisines : voici les voisins d’un token par cosinus, parmi tout le vocabulaire. À côté, les tokens de la phrase dans le plan où ils varient le plus, couche après couche : l’attention déplace les mots vers ce qu’ils signifient ici.</translation>
    </message>
    <message>
        <source>Tokens to continue by</source>
        <translation>Nombre de tokens à ajouter</translation>
    </message>
    <message>
        <source>Tokens whose vectors hold what is no number: %1; they are left out.</source>
        <translation>Tokens dont le vecteur contient ce qui n’est pas un nombre : %1 ; ils sont laissés de côté.</translation>
    </message>
    <message>
        <source>Tokens, every attention map and the log probabilities of this run.</source>
        <translation>Tokens, toutes les cartes d’attention et log-probabilités de cette exécution.</translation>
    </message>
    <message>
        <source>Top mass</source>
        <translation>Masse principale</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-&amp;k</translation>
    </message>
    <message>
        <source>Top-&amp;p</source>
        <translation>Top-&amp;p</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Transformer decoder</source>
        <translation>Décodeur Transformer</translation>
    </message>
    <message>
        <source>Transformer encoder</source>
        <translation>Encodeur Transformer</translation>
    </message>
    <message>
        <source>Turned features are multiplied by %1.</source>
        <translation>Les composantes tournées sont multipliées par %1.</translation>
    </message>
    <message>
        <source>Two words at least are needed for another order.</source>
        <translation>Il faut au moins deux mots pour un autre ordre.</translation>
    </message>
    <message>
        <source>Type a sentence and choose at least two models.</source>
        <translation>Saisir une phrase et choisir au moins deux modèles.</translation>
    </message>
    <message>
        <source>Type a sentence of your own above and press Enter. Or go on here:</source>
        <translation>Saisissez en haut une phrase à vous et appuyez sur Entrée. Ou continuez ici :</translation>
    </message>
    <message>
        <source>Type a sentence, A, and press Enter</source>
        <translation>Saisir une phrase, A, et appuyer sur Entrée</translation>
    </message>
    <message>
        <source>Type a text (%1) and press Enter</source>
        <translation>Saisir un texte (%1) et appuyer sur Entrée</translation>
    </message>
    <message>
        <source>Type a text and press Enter</source>
        <translation>Saisir un texte et appuyer sur Entrée</translation>
    </message>
    <message>
        <source>Type a text to see where its words look.</source>
        <translation>Saisir un texte pour voir où regardent ses mots.</translation>
    </message>
    <message>
        <source>Type a word and press Enter: the output goes on from it (Ctrl+B)</source>
        <translation>Saisir un mot et appuyer sur Entrée : la sortie continue à partir de lui (Ctrl+B)</translation>
    </message>
    <message>
        <source>Type a word, or click a token of the sentence.</source>
        <translation>Saisir un mot, ou cliquer sur un token de la phrase.</translation>
    </message>
    <message>
        <source>Type texts to see how well each fits the picture.</source>
        <translation>Saisissez des textes pour voir à quel point chacun convient à l’image.</translation>
    </message>
    <message>
        <source>Type the beginning of a text and press Enter to read it</source>
        <translation>Saisir le début d’un texte et appuyer sur Entrée pour le lire</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Unicode</source>
        <translation>Unicode</translation>
    </message>
    <message>
        <source>Unlike</source>
        <translation>Écart</translation>
    </message>
    <message>
        <source>Untick to read all of the context, past the gate</source>
        <translation>Décocher pour lire tout le contexte, sans la porte</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Monter</translation>
    </message>
    <message>
        <source>Upper end of the colour scale</source>
        <translation>Haut de l’échelle de couleurs</translation>
    </message>
    <message numerus="yes">
        <source>Use the beginning of both, %n tokens</source>
        <translation>
            <numerusform>Prendre le début des deux, %n token</numerusform>
            <numerusform>Prendre le début des deux, %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Use the first %n tokens</source>
        <translation>
            <numerusform>Prendre le %n premier token</numerusform>
            <numerusform>Prendre les %n premiers tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Usual widths</source>
        <translation>Largeurs usuelles</translation>
    </message>
    <message>
        <source>Value zeroing</source>
        <translation>Mise à zéro des valeurs</translation>
    </message>
    <message>
        <source>Value zeroing of this layer and all layers below it, multiplied: how much of each input token is in a token here. Errors of the layers multiply as well.</source>
        <translation>Mise à zéro des valeurs de cette couche et de toutes celles d’avant, multipliées : quelle part de chaque token d’entrée se trouve ici dans un token. Les erreurs des couches se multiplient aussi.</translation>
    </message>
    <message>
        <source>Value zeroing, rolled out</source>
        <translation>Mise à zéro des valeurs, cumulée</translation>
    </message>
    <message>
        <source>Vectors of many numbers are a thin line, which a click unfolds</source>
        <translation>Les vecteurs de beaucoup de nombres sont une ligne mince, qu’un clic déplie</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Vue</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Vues</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Vocabulary: %1 tokens</source>
        <translation>Vocabulaire : %1 tokens</translation>
    </message>
    <message>
        <source>Vocabulary: %1 tokens read, %2 written</source>
        <translation>Vocabulaire : %1 tokens lus, %2 écrits</translation>
    </message>
    <message>
        <source>W&amp;atch words being written</source>
        <translation>Voir les mots s’é&amp;crire</translation>
    </message>
    <message>
        <source>WRITES</source>
        <translation>ÉCRIT</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Avertissement</translation>
    </message>
    <message>
        <source>Watch it write, word by word</source>
        <translation>Le voir écrire, mot par mot</translation>
    </message>
    <message>
        <source>Web page with all heads (.html)</source>
        <translation>Page web avec toutes les têtes (.html)</translation>
    </message>
    <message>
        <source>Weighted sum</source>
        <translation>Somme pondérée</translation>
    </message>
    <message>
        <source>Weights as</source>
        <translation>Poids en</translation>
    </message>
    <message>
        <source>Weights below have no line; 0 leaves out only the faintest</source>
        <translation>Les poids inférieurs ne sont pas tracés ; à 0, seuls les plus faibles sont omis</translation>
    </message>
    <message>
        <source>Weights of all words together</source>
        <translation>Poids de tous les mots ensemble</translation>
    </message>
    <message>
        <source>Welcome to AttnScope</source>
        <translation>Bienvenue dans AttnScope</translation>
    </message>
    <message>
        <source>Wh&amp;y this weight?</source>
        <translation>Po&amp;urquoi ce poids ?</translation>
    </message>
    <message>
        <source>What a layer computes is added to what it was given.</source>
        <translation>Ce qu’une couche calcule est ajouté à ce qu’elle a reçu.</translation>
    </message>
    <message>
        <source>What a model holds of a token, or of all that it has read, after a layer or a step.</source>
        <translation>Ce qu’un modèle retient d’un token, ou de tout ce qu’il a lu, après une couche ou une étape.</translation>
    </message>
    <message>
        <source>What a model reads and writes one of at a time: a word, a piece of one, or a sign.</source>
        <translation>Ce qu’un modèle lit et écrit, un à la fois : un mot, un morceau de mot ou un signe.</translation>
    </message>
    <message>
        <source>What a query and a key give before the softmax.</source>
        <translation>Ce que donnent une requête et une clé avant le softmax.</translation>
    </message>
    <message>
        <source>What all places listen to, on average</source>
        <translation>Ce que tous les instants écoutent, en moyenne</translation>
    </message>
    <message>
        <source>What all words listen to, on average</source>
        <translation>Ce que tous les mots écoutent, en moyenne</translation>
    </message>
    <message>
        <source>What attends</source>
        <translation>Ce qui regarde</translation>
    </message>
    <message>
        <source>What attends to this: %1</source>
        <translation>Attention portée à : %1</translation>
    </message>
    <message>
        <source>What becomes of the output</source>
        <translation>Ce que devient la sortie</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Ce qui a changé</translation>
    </message>
    <message>
        <source>What comes next</source>
        <translation>Ce qui vient ensuite</translation>
    </message>
    <message>
        <source>What could come next. Nothing of it is written yet.</source>
        <translation>Ce qui pourrait venir ensuite. Rien n’en est encore écrit.</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Ce qui diffère</translation>
    </message>
    <message>
        <source>What do you want to do or open?</source>
        <translation>Que voulez-vous faire ou ouvrir ?</translation>
    </message>
    <message>
        <source>What each token offers; “@” is looked at.</source>
        <translation>Ce que chaque token offre ; « @ » est celui que l’on examine.</translation>
    </message>
    <message>
        <source>What head %1 of %2 adds to the score of a key by its distance (%3).</source>
        <translation>Ce que la tête %1 de %2 ajoute au score d’une clé selon sa distance (%3).</translation>
    </message>
    <message>
        <source>What is attended to</source>
        <translation>Ce qui est regardé</translation>
    </message>
    <message>
        <source>What is grey is not there or, as integrated gradients here, has not settled: tips say why.</source>
        <translation>Ce qui est gris manque ou, comme ici les gradients intégrés, n’a pas convergé : les infobulles disent pourquoi.</translation>
    </message>
    <message>
        <source>What is left</source>
        <translation>Ce qui reste</translation>
    </message>
    <message>
        <source>What is shown was made before the last changes. Enter, or a click here, runs the model on what is chosen now.</source>
        <translation>Ce qui est affiché date d’avant les derniers changements. Entrée, ou un clic ici, exécute le modèle sur ce qui est choisi maintenant.</translation>
    </message>
    <message>
        <source>What is taken away</source>
        <translation>Ce qui est retiré</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Ce qu’elle fait</translation>
    </message>
    <message>
        <source>What listens to this: %1</source>
        <translation>Ce qui écoute ceci : %1</translation>
    </message>
    <message>
        <source>What looks at this: %1</source>
        <translation>Ce qui regarde ceci : %1</translation>
    </message>
    <message>
        <source>What tells a Transformer the order of the tokens, which attention alone does not see.</source>
        <translation>Ce qui indique à un Transformer l’ordre des tokens, que l’attention seule ne voit pas.</translation>
    </message>
    <message>
        <source>What the attention makes of it.</source>
        <translation>Ce que l’attention en fait.</translation>
    </message>
    <message>
        <source>What the best matrix leaves over</source>
        <translation>Reste de la meilleure matrice</translation>
    </message>
    <message>
        <source>What the best matrix leaves over, by offset</source>
        <translation>Reste de la meilleure matrice, selon le décalage</translation>
    </message>
    <message>
        <source>What the best matrix leaves over, by offset.</source>
        <translation>Reste de la meilleure matrice, selon le décalage.</translation>
    </message>
    <message>
        <source>What the best of %1 keys gets: the largest weight of softmax(q · k), not divided</source>
        <translation>Ce que reçoit la meilleure des %1 clés : le plus grand poids de softmax(q · k), non divisé</translation>
    </message>
    <message>
        <source>What the explained token loses in log probability without each input token, run by run: what the other readings are measured by. The text without a token may be one that the model never saw, and of two tokens that say the same neither seems to matter.</source>
        <translation>Ce que le token expliqué perd en log-probabilité sans chaque token d’entrée, exécution par exécution : ce à quoi les autres lectures sont comparées. Le texte privé d’un token peut être de ceux que le modèle n’a jamais vus, et de deux tokens qui disent la même chose, aucun ne semble compter.</translation>
    </message>
    <message>
        <source>What the map shows</source>
        <translation>Ce que montre la carte</translation>
    </message>
    <message>
        <source>What the next word is predicted from.</source>
        <translation>Ce à partir de quoi le mot suivant est prédit.</translation>
    </message>
    <message>
        <source>What the output begins with</source>
        <translation>Ce par quoi commence la sortie</translation>
    </message>
    <message>
        <source>What the readings are about</source>
        <translation>Ce que les lectures expliquent</translation>
    </message>
    <message>
        <source>What this attends to: %1</source>
        <translation>Attention portée par : %1</translation>
    </message>
    <message>
        <source>What this listens to: %1</source>
        <translation>Ce que ceci écoute : %1</translation>
    </message>
    <message>
        <source>What was read and the decoder's state, one after the other.</source>
        <translation>Ce qui a été lu et l’état du décodeur, l’un après l’autre.</translation>
    </message>
    <message>
        <source>What “@” asks for.</source>
        <translation>Ce que « @ » demande.</translation>
    </message>
    <message>
        <source>Where all patches look, on average</source>
        <translation>Où regardent tous les carreaux, en moyenne</translation>
    </message>
    <message>
        <source>Where all words look, on average</source>
        <translation>Où regardent tous les mots, en moyenne</translation>
    </message>
    <message>
        <source>Where does such a weight come from?</source>
        <translation>D’où vient un tel poids ?</translation>
    </message>
    <message>
        <source>Where each word looks</source>
        <translation>Où chaque mot regarde</translation>
    </message>
    <message>
        <source>Where one attention weight comes from: every stage of the computation with its real numbers, from the query to the output of the layer. Choose a cell here or click one in the heatmap.</source>
        <translation>D’où vient un poids d’attention : chaque étape du calcul avec ses nombres réels, de la requête à la sortie de la couche. Choisir une cellule ici ou en cliquer sur une dans la carte de chaleur.</translation>
    </message>
    <message>
        <source>Where the mean lies in 95 of 100 samples of the sentences (bootstrap)</source>
        <translation>Où se trouve la moyenne dans 95 échantillons de phrases sur 100 (bootstrap)</translation>
    </message>
    <message>
        <source>Where the numbers come from</source>
        <translation>D’où viennent les chiffres</translation>
    </message>
    <message>
        <source>Where the words stand</source>
        <translation>Disposition des mots</translation>
    </message>
    <message>
        <source>Where they fit</source>
        <translation>Où ils tiennent</translation>
    </message>
    <message>
        <source>Where this looks: %1</source>
        <translation>Où ceci regarde : %1</translation>
    </message>
    <message>
        <source>Where this weight comes from, step by step, beside the picture</source>
        <translation>D’où vient ce poids, étape par étape, à côté de l’image</translation>
    </message>
    <message>
        <source>Where will it look?</source>
        <translation>Où va-t-il regarder ?</translation>
    </message>
    <message>
        <source>Which hypothesis of the search is shown, with its score: its log probability per token</source>
        <translation>L’hypothèse de la recherche qui est affichée, avec son score : sa log-probabilité par token</translation>
    </message>
    <message>
        <source>Which token of the text</source>
        <translation>Quel token du texte</translation>
    </message>
    <message>
        <source>Which weights are replaced</source>
        <translation>Poids à remplacer</translation>
    </message>
    <message>
        <source>Which words of the output correspond to which words of the input; attention weights are a soft one.</source>
        <translation>Quels mots de la sortie correspondent à quels mots de l’entrée ; les poids d’attention en donnent une version douce.</translation>
    </message>
    <message>
        <source>Who says that the sentence is over?</source>
        <translation>Qui dit que la phrase est finie ?</translation>
    </message>
    <message>
        <source>Who wrote it</source>
        <translation>Qui l’a écrit</translation>
    </message>
    <message>
        <source>Why scale by the square root of d</source>
        <translation>Pourquoi diviser par la racine carrée de d</translation>
    </message>
    <message>
        <source>Why there are no stages</source>
        <translation>Pourquoi il n’y a pas d’étapes</translation>
    </message>
    <message>
        <source>Why “%1” and not “%2”?</source>
        <translation>Pourquoi « %1 » et pas « %2 » ?</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Pourquoi ?</translation>
    </message>
    <message>
        <source>Width d</source>
        <translation>Dimension d</translation>
    </message>
    <message>
        <source>Width d in powers of two</source>
        <translation>Dimension d en puissances de deux</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenêtre</translation>
    </message>
    <message>
        <source>With ten words its translations are fair. What becomes of them with thirty words?</source>
        <translation>Avec dix mots, ses traductions sont correctes. Que deviennent-elles avec trente mots ?</translation>
    </message>
    <message>
        <source>Without it the scores would spread more the wider the vectors are.</source>
        <translation>Sans elle, plus les vecteurs ont de composantes, plus les scores seraient dispersés.</translation>
    </message>
    <message>
        <source>Without positions the output changes (%1); </source>
        <translation>Sans positions, la sortie change (%1) ; </translation>
    </message>
    <message>
        <source>Without positions the output is merely permuted (largest difference %1); </source>
        <translation>Sans positions, la sortie est seulement permutée (plus grande différence %1) ; </translation>
    </message>
    <message>
        <source>Word in place of the token</source>
        <translation>Mot à la place du token</translation>
    </message>
    <message>
        <source>Write a note on this run (Shift+F2)</source>
        <translation>Écrire une note sur cette exécution (Shift+F2)</translation>
    </message>
    <message>
        <source>Writes one token at a time, and reads what it has written so far.</source>
        <translation>Écrit un token à la fois, et lit ce qu’il a écrit jusque-là.</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>Écriture de %1</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Écrit : %1</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Oui</translation>
    </message>
    <message>
        <source>Yes, much the same</source>
        <translation>Oui, à peu près les mêmes</translation>
    </message>
    <message>
        <source>Yes, the sentence is the same</source>
        <translation>Oui, la phrase est la même</translation>
    </message>
    <message>
        <source>Yes: what was written is read back for the next word: the model is [autoregressive](glossary#autoregressive), and so one word changes all that follow. Alt+Right goes on, Ctrl+Space plays.</source>
        <translation>Oui : ce qui a été écrit est relu pour le mot suivant. Le modèle est [autorégressif](glossary#autoregressive), et un seul mot change donc tous ceux qui suivent. Alt+Right avance, Ctrl+Space fait défiler les étapes.</translation>
    </message>
    <message>
        <source>Your turn</source>
        <translation>À vous</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Zoom a&amp;vant</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Z&amp;oom arrière</translation>
    </message>
    <message>
        <source>[%1 key, %2]</source>
        <translation>[%1 clé, %2]</translation>
    </message>
    <message>
        <source>[%1 keys, %2]</source>
        <translation>[%1 clés, %2]</translation>
    </message>
    <message>
        <source>a 2 × 2 rotation by kω for each of %1 pairs</source>
        <translation>une rotation 2 × 2 d’angle kω pour chacune des %1 paires</translation>
    </message>
    <message>
        <source>a file</source>
        <translation>un fichier</translation>
    </message>
    <message>
        <source>a rank correlation of %1</source>
        <translation>une corrélation de rang de %1</translation>
    </message>
    <message>
        <source>a row's entropy by that of equal weights on all keys</source>
        <translation>l’entropie d’une rangée rapportée à celle de poids égaux sur toutes les clés</translation>
    </message>
    <message>
        <source>a small random layer</source>
        <translation>une petite couche aléatoire</translation>
    </message>
    <message>
        <source>add an edit</source>
        <translation>ajouter une modification</translation>
    </message>
    <message>
        <source>add hidden states</source>
        <translation>ajouter les états cachés</translation>
    </message>
    <message>
        <source>add logits</source>
        <translation>ajouter les logits</translation>
    </message>
    <message>
        <source>add the scores before the softmax</source>
        <translation>ajouter les scores avant le softmax</translation>
    </message>
    <message>
        <source>add: encoder:2:5=zero</source>
        <translation>ajouter : encoder:2:5=zero</translation>
    </message>
    <message>
        <source>additive attention</source>
        <translation>attention additive</translation>
    </message>
    <message>
        <source>adds a learned number for each distance to the scores (%1)</source>
        <translation>ajoute aux scores un nombre appris pour chaque distance (%1)</translation>
    </message>
    <message>
        <source>adds no positional encoding to its embeddings (positions: %1)</source>
        <translation>n’ajoute pas d’encodage positionnel à ses plongements (positions : %1)</translation>
    </message>
    <message>
        <source>against</source>
        <translation>contre</translation>
    </message>
    <message>
        <source>alignment</source>
        <translation>alignement</translation>
    </message>
    <message>
        <source>alive when the search stopped</source>
        <translation>active à l’arrêt de la recherche</translation>
    </message>
    <message>
        <source>all</source>
        <translation>toutes</translation>
    </message>
    <message>
        <source>all layers of this attention</source>
        <translation>toutes les couches de cette attention</translation>
    </message>
    <message>
        <source>all words</source>
        <translation>tous les mots</translation>
    </message>
    <message>
        <source>all words together</source>
        <translation>tous les mots ensemble</translation>
    </message>
    <message>
        <source>an encoder's output is not a sum of what its layers add</source>
        <translation>la sortie d’un encodeur n’est pas une somme de ce que ses couches ajoutent</translation>
    </message>
    <message>
        <source>analysis</source>
        <translation>analyse</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>et %1 de plus</translation>
    </message>
    <message>
        <source>and %1 more, together %2</source>
        <translation>et %1 de plus, ensemble %2</translation>
    </message>
    <message>
        <source>angles of pairs</source>
        <translation>angles des paires</translation>
    </message>
    <message>
        <source>animation</source>
        <translation>animation</translation>
    </message>
    <message>
        <source>annotation</source>
        <translation>annotation</translation>
    </message>
    <message>
        <source>annotations</source>
        <translation>annotations</translation>
    </message>
    <message>
        <source>another word</source>
        <translation>un autre mot</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>réponse</translation>
    </message>
    <message>
        <source>archives</source>
        <translation>archives</translation>
    </message>
    <message>
        <source>as it is written</source>
        <translation>comme il s’écrit</translation>
    </message>
    <message>
        <source>as many as needed</source>
        <translation>autant qu’il faut</translation>
    </message>
    <message>
        <source>asked again</source>
        <translation>relancée</translation>
    </message>
    <message>
        <source>at fitted positions</source>
        <translation>aux positions de l’ajustement</translation>
    </message>
    <message>
        <source>at positions left out of the fit</source>
        <translation>aux positions exclues de l’ajustement</translation>
    </message>
    <message>
        <source>attends to none of these</source>
        <translation>aucune attention portée à ces tokens</translation>
    </message>
    <message>
        <source>attends to nothing</source>
        <translation>aucune attention portée</translation>
    </message>
    <message>
        <source>attends to special tokens, which are hidden</source>
        <translation>regarde des tokens spéciaux, qui sont masqués</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>attention</translation>
    </message>
    <message>
        <source>attention of “%1” over the text</source>
        <translation>attention de « %1 » sur le texte</translation>
    </message>
    <message>
        <source>attention over the output so far</source>
        <translation>attention sur la sortie jusqu’ici</translation>
    </message>
    <message>
        <source>attention over the picture</source>
        <translation>attention sur l’image</translation>
    </message>
    <message>
        <source>attention over the source</source>
        <translation>attention sur la source</translation>
    </message>
    <message>
        <source>attention over the text</source>
        <translation>attention sur le texte</translation>
    </message>
    <message>
        <source>attention over the text so far</source>
        <translation>attention sur le texte jusqu’ici</translation>
    </message>
    <message>
        <source>attention pooling</source>
        <translation>agrégation par attention</translation>
    </message>
    <message>
        <source>attention rollout</source>
        <translation>attention rollout</translation>
    </message>
    <message>
        <source>attention sink</source>
        <translation>puits d’attention</translation>
    </message>
    <message>
        <source>attention times gradient</source>
        <translation>attention fois gradient</translation>
    </message>
    <message>
        <source>attention weight</source>
        <translation>poids d’attention</translation>
    </message>
    <message>
        <source>attention weight: %1</source>
        <translation>poids d’attention : %1</translation>
    </message>
    <message>
        <source>attention weights</source>
        <translation>poids d’attention</translation>
    </message>
    <message>
        <source>attentional state</source>
        <translation>état attentionnel</translation>
    </message>
    <message>
        <source>autoregressive</source>
        <translation>autorégressif</translation>
    </message>
    <message>
        <source>beam</source>
        <translation>faisceau</translation>
    </message>
    <message>
        <source>beam %1</source>
        <translation>faisceau %1</translation>
    </message>
    <message>
        <source>beam search</source>
        <translation>recherche en faisceau</translation>
    </message>
    <message>
        <source>begins freely</source>
        <translation>début libre</translation>
    </message>
    <message>
        <source>begins here</source>
        <translation>commence ici</translation>
    </message>
    <message>
        <source>begins here %1, ends here %2</source>
        <translation>commence ici %1, finit ici %2</translation>
    </message>
    <message>
        <source>best hypothesis</source>
        <translation>meilleure hypothèse</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>biais</translation>
    </message>
    <message>
        <source>biased scores</source>
        <translation>scores avec biais</translation>
    </message>
    <message>
        <source>biases</source>
        <translation>biais</translation>
    </message>
    <message>
        <source>bidirectional %1</source>
        <translation>%1 bidirectionnel</translation>
    </message>
    <message>
        <source>bidirectional encoder</source>
        <translation>encodeur bidirectionnel</translation>
    </message>
    <message>
        <source>broad</source>
        <translation>étendue</translation>
    </message>
    <message>
        <source>bucket</source>
        <translation>intervalle</translation>
    </message>
    <message>
        <source>built without Qt Multimedia</source>
        <translation>compilé sans Qt Multimedia</translation>
    </message>
    <message>
        <source>byte-pair encoding</source>
        <translation>encodage par paires d’octets (BPE)</translation>
    </message>
    <message>
        <source>c&amp;ausal</source>
        <translation>c&amp;ausal</translation>
    </message>
    <message>
        <source>c&amp;osine</source>
        <translation>c&amp;osinus</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>candidat</translation>
    </message>
    <message>
        <source>candidates</source>
        <translation>candidats</translation>
    </message>
    <message>
        <source>candidates of the steps</source>
        <translation>candidats des étapes</translation>
    </message>
    <message>
        <source>cannot be compressed as PNG</source>
        <translation>ne peut pas être compressée en PNG</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>ne peut pas être lu : %1</translation>
    </message>
    <message>
        <source>cannot be written</source>
        <translation>ne peut pas être écrit</translation>
    </message>
    <message>
        <source>capped scores</source>
        <translation>scores plafonnés</translation>
    </message>
    <message>
        <source>caption</source>
        <translation>légende</translation>
    </message>
    <message>
        <source>captions of pictures</source>
        <translation>légendes d’images</translation>
    </message>
    <message>
        <source>cat</source>
        <translation>chat</translation>
    </message>
    <message>
        <source>causal mask</source>
        <translation>masque causal</translation>
    </message>
    <message>
        <source>causal self-attention</source>
        <translation>auto-attention causale</translation>
    </message>
    <message>
        <source>change an edit</source>
        <translation>changer une modification</translation>
    </message>
    <message>
        <source>change of log probability, nats</source>
        <translation>variation du logarithme de la probabilité, en nats</translation>
    </message>
    <message>
        <source>charts</source>
        <translation>graphiques</translation>
    </message>
    <message>
        <source>choose PDF</source>
        <translation>choisissez le PDF</translation>
    </message>
    <message>
        <source>choose a language</source>
        <translation>choisir une langue</translation>
    </message>
    <message>
        <source>choose at least 1, in print 300</source>
        <translation>en choisir au moins 1, pour l’impression 300</translation>
    </message>
    <message>
        <source>choose fewer dots per inch</source>
        <translation>choisir moins de points par pouce</translation>
    </message>
    <message>
        <source>choose fewer dots per inch or a smaller width</source>
        <translation>choisir moins de points par pouce ou une largeur plus petite</translation>
    </message>
    <message>
        <source>choose fewer rows and columns, or PDF</source>
        <translation>choisir moins de rangées et de colonnes, ou PDF</translation>
    </message>
    <message>
        <source>choose one of %1</source>
        <translation>choisir parmi %1</translation>
    </message>
    <message>
        <source>choose one, or open a checkpoint</source>
        <translation>en choisir un, ou ouvrir un point de contrôle</translation>
    </message>
    <message>
        <source>classification</source>
        <translation>classification</translation>
    </message>
    <message>
        <source>clipped at %1 %</source>
        <translation>écrêté à %1 %</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>comparée</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>confiance</translation>
    </message>
    <message>
        <source>content to position</source>
        <translation>contenu vers position</translation>
    </message>
    <message>
        <source>context</source>
        <translation>contexte</translation>
    </message>
    <message>
        <source>context and state</source>
        <translation>contexte et état</translation>
    </message>
    <message>
        <source>context vector</source>
        <translation>vecteur de contexte</translation>
    </message>
    <message>
        <source>contexts of all heads</source>
        <translation>contextes de toutes les têtes</translation>
    </message>
    <message>
        <source>continuation</source>
        <translation>continuation</translation>
    </message>
    <message>
        <source>continued by %1</source>
        <translation>continué de %1</translation>
    </message>
    <message>
        <source>convert it first</source>
        <translation>le convertir d’abord</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>cosinus</translation>
    </message>
    <message>
        <source>cosine of the embeddings, %1 tokens</source>
        <translation>cosinus des plongements, %1 tokens</translation>
    </message>
    <message>
        <source>cross</source>
        <translation>croisée</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>attention encodeur-décodeur (croisée)</translation>
    </message>
    <message>
        <source>d = %1: the scores q · k deviate by %2 (√d = %3). Their softmax gives the best of %4 keys %5 on average and lets %6 % of the gradient of uniform weights through; divided by √d, %7 and %8 %.</source>
        <translation>d = %1 : les scores q · k s’écartent de %2 (√d = %3). Leur softmax donne à la meilleure de %4 clés %5 en moyenne et laisse passer %6 % du gradient de poids uniformes ; divisés par √d, %7 et %8 %.</translation>
    </message>
    <message>
        <source>data</source>
        <translation>données</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>décodeur</translation>
    </message>
    <message>
        <source>decoder attention</source>
        <translation>attention du décodeur</translation>
    </message>
    <message>
        <source>decoder input</source>
        <translation>entrée du décodeur</translation>
    </message>
    <message>
        <source>decoder self-attention</source>
        <translation>auto-attention du décodeur</translation>
    </message>
    <message>
        <source>decoder-only models: continue the input by N tokens; 0: just read it</source>
        <translation>modèles décodeurs : continuer l’entrée de N tokens ; 0 : la lire seulement</translation>
    </message>
    <message>
        <source>density</source>
        <translation>densité</translation>
    </message>
    <message>
        <source>difference of %1</source>
        <translation>différence : %1</translation>
    </message>
    <message>
        <source>difference of weights</source>
        <translation>différence de poids</translation>
    </message>
    <message>
        <source>difference of weights, layer %1</source>
        <translation>différence des poids, couche %1</translation>
    </message>
    <message>
        <source>difference, relative</source>
        <translation>différence relative</translation>
    </message>
    <message>
        <source>dimension</source>
        <translation>dimension</translation>
    </message>
    <message>
        <source>dimension %1</source>
        <translation>dimension %1</translation>
    </message>
    <message>
        <source>dimension of PE(p + k)</source>
        <translation>composante de PE(p + k)</translation>
    </message>
    <message>
        <source>dimension of PE(p)</source>
        <translation>composante de PE(p)</translation>
    </message>
    <message>
        <source>discounted</source>
        <translation>atténués</translation>
    </message>
    <message>
        <source>does not end in a form that this can be written in</source>
        <translation>n’a pas l’extension d’un format possible ici</translation>
    </message>
    <message>
        <source>dog</source>
        <translation>chien</translation>
    </message>
    <message>
        <source>dot product</source>
        <translation>produit scalaire</translation>
    </message>
    <message>
        <source>dot-product attention</source>
        <translation>attention par produit scalaire</translation>
    </message>
    <message>
        <source>drop one file or folder of this computer, a checkpoint, an attention archive, a session, a text, a picture or a sound, or a selected text</source>
        <translation>déposer un seul fichier ou dossier de cet ordinateur, un point de contrôle, une archive d’attention, une session, un texte, une image ou un son, ou bien un texte sélectionné</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>écartées</translation>
    </message>
    <message>
        <source>each head</source>
        <translation>chaque tête</translation>
    </message>
    <message>
        <source>each normalized</source>
        <translation>chacune normalisée</translation>
    </message>
    <message>
        <source>each source token</source>
        <translation>chaque token source</translation>
    </message>
    <message>
        <source>each turned by its position</source>
        <translation>chacune tournée selon sa position</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>modification</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>modifié</translation>
    </message>
    <message>
        <source>edited: %1</source>
        <translation>modifié : %1</translation>
    </message>
    <message>
        <source>edits in another order</source>
        <translation>modifications dans un autre ordre</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>plongement</translation>
    </message>
    <message>
        <source>en</source>
        <translation>fr</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>encodeur</translation>
    </message>
    <message>
        <source>encoder attention</source>
        <translation>attention de l’encodeur</translation>
    </message>
    <message>
        <source>encoder layer %1 of %2</source>
        <translation>couche %1 sur %2 de l’encodeur</translation>
    </message>
    <message>
        <source>encoder self-attention</source>
        <translation>auto-attention de l’encodeur</translation>
    </message>
    <message>
        <source>encoder-decoder attention</source>
        <translation>attention encodeur-décodeur</translation>
    </message>
    <message>
        <source>encoder-decoder attention, layer %1, mean of %2 heads</source>
        <translation>attention enc.-déc., couche %1, moyenne de %2 têtes</translation>
    </message>
    <message>
        <source>encoder-only models: the second sentence of a pair</source>
        <translation>modèles encodeurs : la seconde phrase d’une paire</translation>
    </message>
    <message>
        <source>ends here</source>
        <translation>finit ici</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>entropie</translation>
    </message>
    <message>
        <source>entropy in bits</source>
        <translation>entropie en bits</translation>
    </message>
    <message>
        <source>entropy of a row, in nats: 0 where it looks at one token only</source>
        <translation>entropie d’une rangée, en nats : 0 si elle ne regarde qu’un token</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>entrée</translation>
    </message>
    <message>
        <source>entry %1</source>
        <translation>entrée %1</translation>
    </message>
    <message>
        <source>erasure</source>
        <translation>effacement</translation>
    </message>
    <message>
        <source>erasure, share of the largest</source>
        <translation>effacement, part du plus grand</translation>
    </message>
    <message>
        <source>every</source>
        <translation>par pas de</translation>
    </message>
    <message>
        <source>every output token</source>
        <translation>chaque token de sortie</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>tout</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>expert</translation>
    </message>
    <message>
        <source>explains %1</source>
        <translation>explique %1</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>feed-forward</translation>
    </message>
    <message>
        <source>fell out at step %1</source>
        <translation>écartée à l’étape %1</translation>
    </message>
    <message>
        <source>figures of the laboratory are made in its window only</source>
        <translation>les figures du laboratoire ne se font que dans sa fenêtre</translation>
    </message>
    <message>
        <source>files of sound</source>
        <translation>fichiers de son</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>terminée</translation>
    </message>
    <message>
        <source>first %1 of %2 positions</source>
        <translation>%1 premières positions sur %2</translation>
    </message>
    <message>
        <source>first %1 positions</source>
        <translation>%1 premières positions</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>premier token</translation>
    </message>
    <message>
        <source>follow this output instead of decoding</source>
        <translation>suivre cette sortie au lieu de décoder</translation>
    </message>
    <message>
        <source>font</source>
        <translation>police</translation>
    </message>
    <message>
        <source>for</source>
        <translation>pour</translation>
    </message>
    <message>
        <source>for one key, 0 for the others</source>
        <translation>pour une clé, 0 pour les autres</translation>
    </message>
    <message>
        <source>for own key and value</source>
        <translation>pour clé et valeur propres</translation>
    </message>
    <message>
        <source>for the query</source>
        <translation>pour la requête</translation>
    </message>
    <message>
        <source>forced</source>
        <translation>imposée</translation>
    </message>
    <message>
        <source>from </source>
        <translation>de </translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>à partir de %1</translation>
    </message>
    <message>
        <source>from %1 (%2)</source>
        <translation>de %1 (%2)</translation>
    </message>
    <message>
        <source>from the loaded model</source>
        <translation>du modèle chargé</translation>
    </message>
    <message>
        <source>from the start</source>
        <translation>depuis le début</translation>
    </message>
    <message>
        <source>gate %1</source>
        <translation>porte %1</translation>
    </message>
    <message>
        <source>given</source>
        <translation>imposé</translation>
    </message>
    <message>
        <source>goldfish</source>
        <translation>poisson rouge</translation>
    </message>
    <message>
        <source>gradient times input</source>
        <translation>gradient fois entrée</translation>
    </message>
    <message>
        <source>gradient Σp(1−p)</source>
        <translation>gradient Σp(1−p)</translation>
    </message>
    <message>
        <source>gradients of weights</source>
        <translation>gradients des poids</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>glouton</translation>
    </message>
    <message>
        <source>greedy decoding</source>
        <translation>décodage glouton</translation>
    </message>
    <message>
        <source>grey patches</source>
        <translation>carreaux gris</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>dure</translation>
    </message>
    <message>
        <source>hard attention chooses one place: its choice has no gradient</source>
        <translation>l’attention dure choisit une place : son choix n’a pas de gradient</translation>
    </message>
    <message>
        <source>hard attention takes the largest weight, or draws its position</source>
        <translation>l’attention dure prend le plus grand poids, ou tire sa position</translation>
    </message>
    <message>
        <source>has no positional encoding: a recurrent network reads the words one after the other, and that is how it knows their order</source>
        <translation>n’a pas d’encodage positionnel : un réseau récurrent lit les mots l’un après l’autre, et c’est ainsi qu’il connaît leur ordre</translation>
    </message>
    <message>
        <source>has to wait: another one is still being written</source>
        <translation>doit attendre : une autre est encore en cours d’écriture</translation>
    </message>
    <message>
        <source>hatched: words that only one of them writes</source>
        <translation>hachuré : mots qu’un seul des deux écrit</translation>
    </message>
    <message>
        <source>head</source>
        <translation>tête</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>tête %1</translation>
    </message>
    <message>
        <source>head %1 of %2</source>
        <translation>tête %1 sur %2</translation>
    </message>
    <message>
        <source>head %1 off</source>
        <translation>tête %1 coupée</translation>
    </message>
    <message>
        <source>heads %1 of %2</source>
        <translation>têtes %1 sur %2</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>caché</translation>
    </message>
    <message>
        <source>hidden state</source>
        <translation>état caché</translation>
    </message>
    <message>
        <source>hierarchical attention network</source>
        <translation>réseau d’attention hiérarchique</translation>
    </message>
    <message>
        <source>hop</source>
        <translation>saut</translation>
    </message>
    <message>
        <source>hop %1</source>
        <translation>saut %1</translation>
    </message>
    <message>
        <source>horse</source>
        <translation>cheval</translation>
    </message>
    <message>
        <source>how each run's output looks to the other is known in the window only</source>
        <translation>la correspondance entre les deux sorties n’est connue que dans la fenêtre</translation>
    </message>
    <message>
        <source>how many tokens away a row looks</source>
        <translation>à combien de tokens une rangée regarde</translation>
    </message>
    <message>
        <source>how the output is found</source>
        <translation>comment la sortie est trouvée</translation>
    </message>
    <message>
        <source>hypotheses that a beam search keeps alive</source>
        <translation>hypothèses que garde une recherche en faisceau</translation>
    </message>
    <message>
        <source>hypothesis</source>
        <translation>hypothèse</translation>
    </message>
    <message>
        <source>hypothesis %1</source>
        <translation>hypothèse %1</translation>
    </message>
    <message>
        <source>i&amp;nto</source>
        <translation>&amp;vers</translation>
    </message>
    <message>
        <source>if it were scaled</source>
        <translation>avec mise à l’échelle</translation>
    </message>
    <message>
        <source>if uniform</source>
        <translation>si uniformes</translation>
    </message>
    <message>
        <source>image</source>
        <translation>image</translation>
    </message>
    <message>
        <source>in neither of the two</source>
        <translation>dans aucune des deux</translation>
    </message>
    <message>
        <source>in the second %1</source>
        <translation>dans la seconde : %1</translation>
    </message>
    <message>
        <source>in theory</source>
        <translation>en théorie</translation>
    </message>
    <message>
        <source>in what linear layers compute</source>
        <translation>en quoi calculent les couches linéaires</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>induction</translation>
    </message>
    <message>
        <source>input</source>
        <translation>entrée</translation>
    </message>
    <message>
        <source>input gradients</source>
        <translation>gradients de l’entrée</translation>
    </message>
    <message>
        <source>install it, or choose another one</source>
        <translation>installez-la, ou choisissez-en une autre</translation>
    </message>
    <message>
        <source>integrated gradients</source>
        <translation>gradients intégrés</translation>
    </message>
    <message>
        <source>into </source>
        <translation>vers </translation>
    </message>
    <message>
        <source>intra-temporal</source>
        <translation>intra-temporelle</translation>
    </message>
    <message>
        <source>is a picture, and this model reads none</source>
        <translation>est une image, et ce modèle n’en lit pas</translation>
    </message>
    <message>
        <source>is a sound, and this model hears none</source>
        <translation>est un son, et ce modèle n’en écoute pas</translation>
    </message>
    <message>
        <source>is no folder that can be written to</source>
        <translation>n’est pas un dossier où l’on peut écrire</translation>
    </message>
    <message>
        <source>is no text in UTF-8</source>
        <translation>n’est pas un texte en UTF-8</translation>
    </message>
    <message>
        <source>is not there any more</source>
        <translation>introuvable</translation>
    </message>
    <message>
        <source>is too large for a text: it has %1 bytes, at most %2 are read</source>
        <translation>est trop grand pour un texte : il a %1 octets, %2 au plus sont lus</translation>
    </message>
    <message>
        <source>it has no numbers of this attention</source>
        <translation>elle n’a pas de nombres pour cette attention</translation>
    </message>
    <message>
        <source>it has numbers of other layers</source>
        <translation>elle a des nombres pour d’autres couches</translation>
    </message>
    <message>
        <source>it is computed for the best output only</source>
        <translation>elle n’est calculée que pour la meilleure sortie</translation>
    </message>
    <message>
        <source>it is defined for Transformers and recurrent decoders only</source>
        <translation>elle n’est définie que pour les Transformers et les décodeurs récurrents</translation>
    </message>
    <message>
        <source>it is defined for Transformers only</source>
        <translation>elle n’est définie que pour les Transformers</translation>
    </message>
    <message>
        <source>it needs the maps of all layers below, from tokens to the same tokens</source>
        <translation>il faut les cartes de toutes les couches inférieures, des tokens vers les mêmes tokens</translation>
    </message>
    <message>
        <source>it needs the self-attention of the encoder</source>
        <translation>il faut l’auto-attention de l’encodeur</translation>
    </message>
    <message>
        <source>it says what an output token owes to the tokens before it: choose another attention</source>
        <translation>elle dit ce qu’un token de sortie doit aux tokens qui le précèdent : choisir une autre attention</translation>
    </message>
    <message>
        <source>it was taken off the list of recent models</source>
        <translation>il a été retiré de la liste des modèles récents</translation>
    </message>
    <message>
        <source>its path from the baseline has not settled, the numbers mean nothing; choose another baseline</source>
        <translation>son chemin depuis la référence n’a pas convergé, les nombres ne veulent rien dire ; choisissez une autre référence</translation>
    </message>
    <message>
        <source>k = %1: one and the same M for every position p; over %2 positions the largest difference is %3. M only turns: it does not depend on the position, and nothing grows or shrinks.</source>
        <translation>k = %1 : une seule et même M pour toute position p ; sur %2 positions, la plus grande différence est %3. M ne fait que tourner : elle ne dépend pas de la position, et rien ne grandit ni ne rétrécit.</translation>
    </message>
    <message>
        <source>key</source>
        <translation>clé</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>clé %1</translation>
    </message>
    <message>
        <source>key − query, in positions</source>
        <translation>clé − requête, en positions</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>clés</translation>
    </message>
    <message>
        <source>keys after the query are masked</source>
        <translation>les clés après la requête sont masquées</translation>
    </message>
    <message>
        <source>kω = %1°</source>
        <translation>kω = %1°</translation>
    </message>
    <message>
        <source>label</source>
        <translation>étiquette</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>maximum</translation>
    </message>
    <message>
        <source>largest first</source>
        <translation>les plus grandes d’abord</translation>
    </message>
    <message>
        <source>largest weight</source>
        <translation>plus grand poids</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>couche</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>couche %1</translation>
    </message>
    <message>
        <source>layer %1 of %2</source>
        <translation>couche %1 sur %2</translation>
    </message>
    <message>
        <source>layer %1, %2</source>
        <translation>couche %1, %2</translation>
    </message>
    <message>
        <source>layer %1, cross head %2</source>
        <translation>couche %1, tête croisée %2</translation>
    </message>
    <message>
        <source>layer %1, feed-forward</source>
        <translation>couche %1, « feed-forward »</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>couche %1, tête %2</translation>
    </message>
    <message>
        <source>layer %1, own head %2</source>
        <translation>couche %1, tête propre %2</translation>
    </message>
    <message>
        <source>layer normalization</source>
        <translation>normalisation de couche</translation>
    </message>
    <message>
        <source>layers that normalise the sum of their input and output pass on no sum</source>
        <translation>des couches qui normalisent la somme de leur entrée et de leur sortie ne transmettent pas de somme</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>appris</translation>
    </message>
    <message>
        <source>learned query</source>
        <translation>requête apprise</translation>
    </message>
    <message>
        <source>least</source>
        <translation>minimum</translation>
    </message>
    <message>
        <source>least squares over %1 pairs of positions</source>
        <translation>moindres carrés sur %1 paires de positions</translation>
    </message>
    <message>
        <source>left: probability, right: sum of log probabilities</source>
        <translation>à gauche : probabilité, à droite : somme des log-probabilités</translation>
    </message>
    <message>
        <source>length limit</source>
        <translation>limite de longueur</translation>
    </message>
    <message>
        <source>length limit, %1</source>
        <translation>limite de longueur, %1</translation>
    </message>
    <message>
        <source>line %1 of %2</source>
        <translation>ligne %1 sur %2</translation>
    </message>
    <message>
        <source>linear biases (ALiBi)</source>
        <translation>biais linéaires (ALiBi)</translation>
    </message>
    <message>
        <source>lines %1 to %2 of %3</source>
        <translation>lignes %1 à %2 sur %3</translation>
    </message>
    <message>
        <source>local attention</source>
        <translation>attention locale</translation>
    </message>
    <message>
        <source>local monotonic</source>
        <translation>locale monotone</translation>
    </message>
    <message>
        <source>local predictive</source>
        <translation>locale prédictive</translation>
    </message>
    <message>
        <source>log p %1</source>
        <translation>log p %1</translation>
    </message>
    <message>
        <source>log p = %1, %2 per token</source>
        <translation>log p = %1, %2 par token</translation>
    </message>
    <message>
        <source>log p in the first %1</source>
        <translation>log p dans la première : %1</translation>
    </message>
    <message>
        <source>log p, first</source>
        <translation>log p, première</translation>
    </message>
    <message>
        <source>log p, second</source>
        <translation>log p, seconde</translation>
    </message>
    <message>
        <source>log probability</source>
        <translation>log-probabilité</translation>
    </message>
    <message>
        <source>log probability </source>
        <translation>log-probabilité </translation>
    </message>
    <message>
        <source>log probability per token</source>
        <translation>log-probabilité par token</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>logarithmique</translation>
    </message>
    <message>
        <source>logit</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>masked language model</source>
        <translation>modèle de langue masqué</translation>
    </message>
    <message>
        <source>masked words</source>
        <translation>mots masqués</translation>
    </message>
    <message>
        <source>masked-token predictions</source>
        <translation>prédictions des tokens masqués</translation>
    </message>
    <message>
        <source>max</source>
        <translation>max</translation>
    </message>
    <message>
        <source>maximum of %1 heads</source>
        <translation>maximum de %1 têtes</translation>
    </message>
    <message>
        <source>maximum of %1 picked heads</source>
        <translation>maximum de %1 têtes choisies</translation>
    </message>
    <message>
        <source>maximum of heads %1</source>
        <translation>maximum des têtes %1</translation>
    </message>
    <message>
        <source>maximum over heads</source>
        <translation>maximum sur les têtes</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>moyenne</translation>
    </message>
    <message>
        <source>mean cosine</source>
        <translation>cosinus moyen</translation>
    </message>
    <message>
        <source>mean of %1 heads</source>
        <translation>moyenne de %1 têtes</translation>
    </message>
    <message>
        <source>mean of %1 picked heads</source>
        <translation>moyenne de %1 têtes choisies</translation>
    </message>
    <message>
        <source>mean of heads %1</source>
        <translation>moyenne des têtes %1</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>moyenne sur les têtes</translation>
    </message>
    <message>
        <source>memory of large arrays</source>
        <translation>mémoire des grands tableaux</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>messages</translation>
    </message>
    <message>
        <source>model: %1</source>
        <translation>modèle : %1</translation>
    </message>
    <message>
        <source>models of speech: write down what is said, or translate it into English</source>
        <translation>modèles de parole : écrire ce qui est dit, ou le traduire en anglais</translation>
    </message>
    <message>
        <source>models of speech: write when it is said, too</source>
        <translation>modèles de parole : écrire aussi quand cela est dit</translation>
    </message>
    <message>
        <source>models that read pictures: PNG, JPEG, WebP, GIF, BMP or PNM</source>
        <translation>modèles qui lisent des images : PNG, JPEG, WebP, GIF, BMP ou PNM</translation>
    </message>
    <message>
        <source>models that read sound: WAV, FLAC, Ogg Vorbis, Opus, MP3 or AIFF</source>
        <translation>modèles qui lisent du son : WAV, FLAC, Ogg Vorbis, Opus, MP3 ou AIFF</translation>
    </message>
    <message>
        <source>more in the first</source>
        <translation>plus dans la première</translation>
    </message>
    <message>
        <source>more in the second</source>
        <translation>plus dans la seconde</translation>
    </message>
    <message>
        <source>more than %1 shapes are too many for TeX</source>
        <translation>plus de %1 formes, c’est trop pour TeX</translation>
    </message>
    <message>
        <source>more than half of the weight on special tokens (Clark et al. 2019)</source>
        <translation>plus de la moitié du poids sur les tokens spéciaux (Clark et al. 2019)</translation>
    </message>
    <message>
        <source>more than half of the weight on the first token (Clark et al. 2019)</source>
        <translation>plus de la moitié du poids sur le premier token (Clark et al. 2019)</translation>
    </message>
    <message>
        <source>more than half of the weight on the same position (Clark et al. 2019)</source>
        <translation>plus de la moitié du poids sur la même position (Clark et al. 2019)</translation>
    </message>
    <message>
        <source>more than half of the weight on the token after (Clark et al. 2019)</source>
        <translation>plus de la moitié du poids sur le token suivant (Clark et al. 2019)</translation>
    </message>
    <message>
        <source>more than half of the weight on the token before (Clark et al. 2019)</source>
        <translation>plus de la moitié du poids sur le token précédent (Clark et al. 2019)</translation>
    </message>
    <message>
        <source>most</source>
        <translation>maximum</translation>
    </message>
    <message>
        <source>most tokens to produce, the end token counted</source>
        <translation>nombre maximal de tokens à produire, token de fin compris</translation>
    </message>
    <message>
        <source>move an edit</source>
        <translation>déplacer une modification</translation>
    </message>
    <message>
        <source>multi-head attention</source>
        <translation>attention multi-têtes</translation>
    </message>
    <message>
        <source>multilingual models: what the text is written in, or what is spoken; auto: what a model hears</source>
        <translation>modèles multilingues : langue du texte ou de la parole ; auto : celle que le modèle entend</translation>
    </message>
    <message>
        <source>multilingual models: what to translate into</source>
        <translation>modèles multilingues : langue dans laquelle traduire</translation>
    </message>
    <message>
        <source>nearly equal weights: an evenness of 0.95 or more where there are four keys (after Clark et al. 2019)</source>
        <translation>poids presque égaux : une uniformité d’au moins 0,95 là où il y a quatre clés (d’après Clark et al. 2019)</translation>
    </message>
    <message>
        <source>neural networks on the CPU</source>
        <translation>réseaux de neurones sur le processeur</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>token suivant</translation>
    </message>
    <message>
        <source>no audio device</source>
        <translation>aucun périphérique audio</translation>
    </message>
    <message>
        <source>no family is called %1 here</source>
        <translation>aucune famille ne s’appelle %1 ici</translation>
    </message>
    <message>
        <source>no font on this computer has the characters in ⟦ ⟧</source>
        <translation>aucune police de cet ordinateur n’a les caractères entre ⟦ ⟧</translation>
    </message>
    <message>
        <source>no number in %1 of %2 cells (crossed out)</source>
        <translation>pas de nombre dans %1 cellules sur %2 (barrées)</translation>
    </message>
    <message>
        <source>no number in %1 of %2 cells (dash-dotted)</source>
        <translation>pas de nombre dans %1 cellules sur %2 (trait mixte)</translation>
    </message>
    <message>
        <source>no second sentence</source>
        <translation>pas de seconde phrase</translation>
    </message>
    <message>
        <source>no sentence</source>
        <translation>aucune phrase</translation>
    </message>
    <message>
        <source>no steps</source>
        <translation>aucune étape</translation>
    </message>
    <message>
        <source>no such head</source>
        <translation>tête inexistante</translation>
    </message>
    <message>
        <source>no text is beside the picture</source>
        <translation>aucun texte n’accompagne l’image</translation>
    </message>
    <message>
        <source>no token has a label but O.</source>
        <translation>aucun token n’a d’étiquette autre que O.</translation>
    </message>
    <message>
        <source>no tokens can be the answer</source>
        <translation>aucun token ne peut être la réponse</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucune</translation>
    </message>
    <message>
        <source>none (recurrent)</source>
        <translation>aucun (récurrent)</translation>
    </message>
    <message>
        <source>none on its own</source>
        <translation>aucune isolée</translation>
    </message>
    <message>
        <source>none: the key lies after the query</source>
        <translation>aucun, la clé est après la requête</translation>
    </message>
    <message>
        <source>normalized key</source>
        <translation>clé normalisée</translation>
    </message>
    <message>
        <source>normalized query</source>
        <translation>requête normalisée</translation>
    </message>
    <message>
        <source>normalized state</source>
        <translation>état normalisé</translation>
    </message>
    <message>
        <source>normalized sum</source>
        <translation>somme normalisée</translation>
    </message>
    <message>
        <source>norms of weighted values</source>
        <translation>normes des valeurs pondérées</translation>
    </message>
    <message>
        <source>not chosen</source>
        <translation>non retenu</translation>
    </message>
    <message>
        <source>not computed yet for this run</source>
        <translation>pas encore calculée pour cette exécution</translation>
    </message>
    <message>
        <source>not so</source>
        <translation>eh non</translation>
    </message>
    <message>
        <source>not visible to this row</source>
        <translation>non visible depuis cette rangée</translation>
    </message>
    <message>
        <source>not written: what would come next</source>
        <translation>pas écrit : ce qui viendrait ensuite</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nul</translation>
    </message>
    <message>
        <source>nothing here</source>
        <translation>rien ici</translation>
    </message>
    <message>
        <source>nucleus sampling</source>
        <translation>échantillonnage par noyau (top-p)</translation>
    </message>
    <message>
        <source>of sampling: below 1 sharpens the distribution, above 1 flattens it</source>
        <translation>de l’échantillonnage : sous 1, la distribution est plus marquée, au-dessus, plus plate</translation>
    </message>
    <message>
        <source>of tokens that came before, more than half of the weight on what followed them (Olsson et al. 2022)</source>
        <translation>pour les tokens déjà venus, plus de la moitié du poids sur ce qui les suivait (Olsson et al. 2022)</translation>
    </message>
    <message>
        <source>of tokens that occur again, more than half of the weight on the others (Vig 2019)</source>
        <translation>pour les tokens répétés, plus de la moitié du poids sur les autres occurrences (Vig 2019)</translation>
    </message>
    <message>
        <source>of what is drawn; the same seed draws the same</source>
        <translation>de ce qui est tiré ; la même graine tire la même chose</translation>
    </message>
    <message>
        <source>of what they are ordered by the least first</source>
        <translation>les plus petites valeurs d’abord</translation>
    </message>
    <message>
        <source>offset %1</source>
        <translation>décalage %1</translation>
    </message>
    <message>
        <source>offset k</source>
        <translation>décalage k</translation>
    </message>
    <message>
        <source>on show</source>
        <translation>affichée</translation>
    </message>
    <message>
        <source>one hypothesis of %1 tokens: nothing else was kept at any step</source>
        <translation>une hypothèse de %1 tokens : rien d’autre n’a été gardé à aucune étape</translation>
    </message>
    <message>
        <source>one hypothesis of 1 token</source>
        <translation>une hypothèse de 1 token</translation>
    </message>
    <message>
        <source>one that was dropped</source>
        <translation>une qui a été abandonnée</translation>
    </message>
    <message>
        <source>one token: </source>
        <translation>un seul token : </translation>
    </message>
    <message>
        <source>only %1</source>
        <translation>seulement %1</translation>
    </message>
    <message>
        <source>only in the first: %1</source>
        <translation>seulement dans la première : %1</translation>
    </message>
    <message>
        <source>only in the second: %1</source>
        <translation>seulement dans la seconde : %1</translation>
    </message>
    <message>
        <source>only one of them writes this</source>
        <translation>un seul des deux écrit ceci</translation>
    </message>
    <message>
        <source>only read</source>
        <translation>seulement lu</translation>
    </message>
    <message>
        <source>open a model first</source>
        <translation>ouvrir d’abord un modèle</translation>
    </message>
    <message>
        <source>open a model of pictures: it reads this one at once</source>
        <translation>ouvrez un modèle d’images : il lira celle-ci aussitôt</translation>
    </message>
    <message>
        <source>open a model of speech, such as Whisper: it reads this one at once</source>
        <translation>ouvrir un modèle de parole, comme Whisper : il l’écoute aussitôt</translation>
    </message>
    <message>
        <source>open a part of it</source>
        <translation>en ouvrir une partie</translation>
    </message>
    <message>
        <source>other final ones</source>
        <translation>autres finales</translation>
    </message>
    <message>
        <source>other ids: </source>
        <translation>autres identifiants : </translation>
    </message>
    <message>
        <source>other picture: </source>
        <translation>autre image : </translation>
    </message>
    <message>
        <source>other sentence: </source>
        <translation>autre phrase : </translation>
    </message>
    <message>
        <source>other sentences of the ids</source>
        <translation>autre répartition des identifiants en phrases</translation>
    </message>
    <message>
        <source>other sound: </source>
        <translation>autre son : </translation>
    </message>
    <message>
        <source>output</source>
        <translation>sortie</translation>
    </message>
    <message>
        <source>output given: </source>
        <translation>sortie imposée : </translation>
    </message>
    <message>
        <source>output not given</source>
        <translation>sortie non imposée</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>sorties</translation>
    </message>
    <message>
        <source>own key</source>
        <translation>clé propre</translation>
    </message>
    <message>
        <source>pair %1, ω = %2</source>
        <translation>paire %1, ω = %2</translation>
    </message>
    <message>
        <source>pair %1, ω = %2: turned by kω = %3 rad (%4°)</source>
        <translation>paire %1, ω = %2 : tournée de kω = %3 rad (%4°)</translation>
    </message>
    <message>
        <source>paired by position</source>
        <translation>appariement par position</translation>
    </message>
    <message>
        <source>paired by the shared beginning</source>
        <translation>appariement par début commun</translation>
    </message>
    <message>
        <source>paired by word</source>
        <translation>appariement par mot</translation>
    </message>
    <message>
        <source>pasted picture %1</source>
        <translation>image collée %1</translation>
    </message>
    <message>
        <source>patch</source>
        <translation>carreau</translation>
    </message>
    <message>
        <source>patches made grey</source>
        <translation>carreaux grisés</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>perplexité</translation>
    </message>
    <message>
        <source>perplexity %1</source>
        <translation>perplexité %1</translation>
    </message>
    <message>
        <source>pictograms of the drawn scenes, by Google</source>
        <translation>pictogrammes des scènes dessinées, de Google</translation>
    </message>
    <message>
        <source>pictograms of the drawn scenes, by Microsoft</source>
        <translation>pictogrammes des scènes dessinées, de Microsoft</translation>
    </message>
    <message>
        <source>pictograms of the drawn scenes, by Mozilla</source>
        <translation>pictogrammes des scènes dessinées, de Mozilla</translation>
    </message>
    <message>
        <source>pictograms of the drawn scenes, kept by EmojiTwo</source>
        <translation>pictogrammes des scènes dessinées, entretenus par EmojiTwo</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>image</translation>
    </message>
    <message>
        <source>pooling</source>
        <translation>agrégation</translation>
    </message>
    <message>
        <source>position</source>
        <translation>position</translation>
    </message>
    <message>
        <source>position of the key</source>
        <translation>position de la clé</translation>
    </message>
    <message>
        <source>position of the query</source>
        <translation>position de la requête</translation>
    </message>
    <message>
        <source>position to content</source>
        <translation>position vers contenu</translation>
    </message>
    <message>
        <source>positional encoding</source>
        <translation>encodage positionnel</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>positions</translation>
    </message>
    <message>
        <source>possible link</source>
        <translation>lien possible</translation>
    </message>
    <message>
        <source>predicted value</source>
        <translation>valeur prédite</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>token précédent</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>probabilité</translation>
    </message>
    <message>
        <source>probability of each class</source>
        <translation>probabilité de chaque classe</translation>
    </message>
    <message>
        <source>probability of each text</source>
        <translation>probabilité de chaque texte</translation>
    </message>
    <message>
        <source>probability of the answer</source>
        <translation>probabilité de la réponse</translation>
    </message>
    <message>
        <source>probability of the best token</source>
        <translation>probabilité du meilleur token</translation>
    </message>
    <message>
        <source>probability of the class</source>
        <translation>probabilité de la classe</translation>
    </message>
    <message>
        <source>probability of the label</source>
        <translation>probabilité de l’étiquette</translation>
    </message>
    <message>
        <source>probability of the next token</source>
        <translation>probabilité du token suivant</translation>
    </message>
    <message>
        <source>probability of the text</source>
        <translation>probabilité du texte</translation>
    </message>
    <message>
        <source>probability of the token here</source>
        <translation>probabilité du token ici</translation>
    </message>
    <message>
        <source>products</source>
        <translation>produits</translation>
    </message>
    <message>
        <source>projected keys</source>
        <translation>clés projetées</translation>
    </message>
    <message>
        <source>projected query</source>
        <translation>requête projetée</translation>
    </message>
    <message>
        <source>query</source>
        <translation>requête</translation>
    </message>
    <message>
        <source>random vectors, d = %1</source>
        <translation>vecteurs aléatoires, d = %1</translation>
    </message>
    <message>
        <source>random, d = %1</source>
        <translation>aléatoire, d = %1</translation>
    </message>
    <message>
        <source>range without first and special tokens</source>
        <translation>plage sans le premier token ni les tokens spéciaux</translation>
    </message>
    <message>
        <source>rank %1 of %2</source>
        <translation>rang %1 sur %2</translation>
    </message>
    <message>
        <source>ranking: score = sum / length</source>
        <translation>classement : score = somme / longueur</translation>
    </message>
    <message>
        <source>rates of sound</source>
        <translation>fréquences de son</translation>
    </message>
    <message>
        <source>recordings of spoken digits, by Zohar Jackson and others</source>
        <translation>enregistrements de chiffres dits, par Zohar Jackson et d’autres</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>relatif</translation>
    </message>
    <message>
        <source>relative (T5)</source>
        <translation>relatif (T5)</translation>
    </message>
    <message>
        <source>repeatable: a text to choose from, of models that compare a picture with texts</source>
        <translation>répétable : un texte parmi lesquels choisir, pour les modèles qui comparent une image à des textes</translation>
    </message>
    <message>
        <source>repeatable: change the run, as in cross:0:2=zero or source:3=word:house</source>
        <translation>répétable : modifier l’exécution, comme cross:0:2=zero ou source:3=word:house</translation>
    </message>
    <message>
        <source>residual connection</source>
        <translation>connexion résiduelle</translation>
    </message>
    <message>
        <source>result</source>
        <translation>résultat</translation>
    </message>
    <message>
        <source>right</source>
        <translation>juste</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>rotatif</translation>
    </message>
    <message>
        <source>rotated key</source>
        <translation>clé tournée</translation>
    </message>
    <message>
        <source>rotated query</source>
        <translation>requête tournée</translation>
    </message>
    <message>
        <source>run %1 of %2</source>
        <translation>exécution %1 sur %2</translation>
    </message>
    <message>
        <source>run a sentence first</source>
        <translation>exécuter d’abord une phrase</translation>
    </message>
    <message>
        <source>s: the steps before</source>
        <translation>s : les étapes précédentes</translation>
    </message>
    <message>
        <source>same position</source>
        <translation>même position</translation>
    </message>
    <message>
        <source>same word</source>
        <translation>même mot</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>tirage</translation>
    </message>
    <message>
        <source>sample from the N most probable tokens; 0: from all</source>
        <translation>tirer parmi les N tokens les plus probables ; 0 : parmi tous</translation>
    </message>
    <message>
        <source>sample from the smallest set of tokens with this probability</source>
        <translation>tirer dans le plus petit ensemble de tokens ayant cette probabilité</translation>
    </message>
    <message>
        <source>sample from tokens with this part of the largest probability; 0: from all</source>
        <translation>tirer parmi les tokens ayant au moins cette part de la plus grande probabilité ; 0 : parmi tous</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>mis à l’échelle</translation>
    </message>
    <message>
        <source>score</source>
        <translation>score</translation>
    </message>
    <message>
        <source>score %1</source>
        <translation>score %1</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>scores</translation>
    </message>
    <message>
        <source>second sentence: </source>
        <translation>seconde phrase : </translation>
    </message>
    <message>
        <source>second → first</source>
        <translation>deuxième → premier</translation>
    </message>
    <message>
        <source>self-attention</source>
        <translation>auto-attention</translation>
    </message>
    <message>
        <source>senses and examples, © 2006 Princeton University</source>
        <translation>sens et exemples, © 2006 Princeton University</translation>
    </message>
    <message>
        <source>sentence</source>
        <translation>phrase</translation>
    </message>
    <message>
        <source>sentence %1</source>
        <translation>phrase %1</translation>
    </message>
    <message>
        <source>sentence %1 of %2</source>
        <translation>phrase %1 sur %2</translation>
    </message>
    <message>
        <source>sentence pairs from the proceedings of the European Parliament</source>
        <translation>paires de phrases tirées des débats du Parlement européen</translation>
    </message>
    <message>
        <source>sentence pairs, as published by manythings.org</source>
        <translation>paires de phrases, telles que publiées par manythings.org</translation>
    </message>
    <message>
        <source>session</source>
        <translation>session</translation>
    </message>
    <message>
        <source>set a weight</source>
        <translation>fixer un poids</translation>
    </message>
    <message>
        <source>share</source>
        <translation>part</translation>
    </message>
    <message>
        <source>share of the largest of the head</source>
        <translation>part du maximum de la tête</translation>
    </message>
    <message>
        <source>share of the largest of the layer</source>
        <translation>part du maximum de la couche</translation>
    </message>
    <message>
        <source>share of the largest of the row</source>
        <translation>part du maximum de la rangée</translation>
    </message>
    <message>
        <source>share of the largest weight of the word</source>
        <translation>part du plus grand poids du mot</translation>
    </message>
    <message>
        <source>shared by all heads</source>
        <translation>commun à toutes les têtes</translation>
    </message>
    <message>
        <source>short stories (Eldan and Li 2023)</source>
        <translation>histoires courtes (Eldan et Li 2023)</translation>
    </message>
    <message>
        <source>similarity %1</source>
        <translation>similarité %1</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>puits</translation>
    </message>
    <message>
        <source>sinusoidal</source>
        <translation>sinusoïdal</translation>
    </message>
    <message>
        <source>sinusoidal, halves</source>
        <translation>sinusoïdal, par moitiés</translation>
    </message>
    <message>
        <source>sinusoidal, interleaved</source>
        <translation>sinusoïdal, entrelacé</translation>
    </message>
    <message>
        <source>sinusoids, halves</source>
        <translation>sinusoïdes, par moitiés</translation>
    </message>
    <message>
        <source>sinusoids, interleaved</source>
        <translation>sinusoïdes, entrelacées</translation>
    </message>
    <message>
        <source>six novels, from the package janeaustenr</source>
        <translation>six romans, du paquet janeaustenr</translation>
    </message>
    <message>
        <source>smallest first</source>
        <translation>les plus petites d’abord</translation>
    </message>
    <message>
        <source>soft</source>
        <translation>douce</translation>
    </message>
    <message>
        <source>soft and hard attention</source>
        <translation>attention douce et dure</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>source</source>
        <translation>source</translation>
    </message>
    <message>
        <source>source (encoder)</source>
        <translation>source (encodeur)</translation>
    </message>
    <message>
        <source>source (input)</source>
        <translation>source (entrée)</translation>
    </message>
    <message>
        <source>source (key)</source>
        <translation>source (clé)</translation>
    </message>
    <message>
        <source>source (query)</source>
        <translation>source (requête)</translation>
    </message>
    <message>
        <source>source words</source>
        <translation>mots de la source</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>token spécial</translation>
    </message>
    <message>
        <source>special tokens</source>
        <translation>tokens spéciaux</translation>
    </message>
    <message>
        <source>special tokens hidden</source>
        <translation>sans tokens spéciaux</translation>
    </message>
    <message>
        <source>special tokens hidden, rows renormalised</source>
        <translation>sans tokens spéciaux, rangées renormalisées</translation>
    </message>
    <message>
        <source>square root</source>
        <translation>racine carrée</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>écart type</translation>
    </message>
    <message>
        <source>state</source>
        <translation>état</translation>
    </message>
    <message>
        <source>step</source>
        <translation>étape</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>étape %1</translation>
    </message>
    <message>
        <source>step %1 (0 to %2)</source>
        <translation>étape %1 (0 à %2)</translation>
    </message>
    <message>
        <source>still alive</source>
        <translation>encore actives</translation>
    </message>
    <message>
        <source>subword</source>
        <translation>sous-mot</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>somme</translation>
    </message>
    <message>
        <source>sure link</source>
        <translation>lien sûr</translation>
    </message>
    <message>
        <source>take an edit away</source>
        <translation>retirer une modification</translation>
    </message>
    <message>
        <source>tanh layer</source>
        <translation>couche tanh</translation>
    </message>
    <message>
        <source>target (decoder)</source>
        <translation>cible (décodeur)</translation>
    </message>
    <message>
        <source>target (the step that writes it)</source>
        <translation>cible (l’étape qui l’écrit)</translation>
    </message>
    <message>
        <source>teacher forcing</source>
        <translation>sortie imposée (teacher forcing)</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>température</translation>
    </message>
    <message>
        <source>text</source>
        <translation>texte</translation>
    </message>
    <message>
        <source>the %1 strongest of %2 lines</source>
        <translation>les %1 lignes les plus fortes de %2</translation>
    </message>
    <message>
        <source>the answer</source>
        <translation>la réponse</translation>
    </message>
    <message>
        <source>the cat sat on the mat</source>
        <translation>le chat dort sur le tapis</translation>
    </message>
    <message>
        <source>the chosen token</source>
        <translation>le token choisi</translation>
    </message>
    <message>
        <source>the command line</source>
        <translation>la ligne de commande</translation>
    </message>
    <message>
        <source>the difference of two logits of “%1”, %2, and what adds up to it</source>
        <translation>la différence de deux logits pour « %1 », %2, et ce dont elle est la somme</translation>
    </message>
    <message>
        <source>the head on show</source>
        <translation>la tête affichée</translation>
    </message>
    <message>
        <source>the largest weight of a row, the mean of all rows</source>
        <translation>le plus grand poids d’une rangée, en moyenne sur les rangées</translation>
    </message>
    <message>
        <source>the layer on show</source>
        <translation>la couche affichée</translation>
    </message>
    <message>
        <source>the least certain word</source>
        <translation>le mot le moins sûr</translation>
    </message>
    <message>
        <source>the loaded model</source>
        <translation>le modèle chargé</translation>
    </message>
    <message>
        <source>the loaded model's, fitted</source>
        <translation>celles du modèle chargé, ajustées</translation>
    </message>
    <message>
        <source>the logit of “%1”, %2, and what adds up to it</source>
        <translation>le logit de « %1 », %2, et ce dont il est la somme</translation>
    </message>
    <message>
        <source>the model has no head that says what is probable</source>
        <translation>le modèle n’a pas de tête qui dise ce qui est probable</translation>
    </message>
    <message>
        <source>the model's output layer is not of tokens</source>
        <translation>la couche de sortie du modèle n’est pas faite de tokens</translation>
    </message>
    <message>
        <source>the other run</source>
        <translation>l’autre exécution</translation>
    </message>
    <message>
        <source>the output begins with this and goes on freely</source>
        <translation>la sortie commence par ceci et continue librement</translation>
    </message>
    <message>
        <source>the output layer is more than a matrix</source>
        <translation>la couche de sortie est plus qu’une matrice</translation>
    </message>
    <message>
        <source>the part of each row that no token gets</source>
        <translation>la part de chaque rangée qui ne revient à aucun token</translation>
    </message>
    <message>
        <source>the picture cannot be compressed</source>
        <translation>l’image ne peut pas être comprimée</translation>
    </message>
    <message>
        <source>the pictures of %1 steps are too large</source>
        <translation>les images de %1 étapes sont trop grandes</translation>
    </message>
    <message>
        <source>the rows of this attention are no tokens</source>
        <translation>les rangées de cette attention ne sont pas des tokens</translation>
    </message>
    <message>
        <source>the run had not come to its end</source>
        <translation>l’exécution n’était pas terminée</translation>
    </message>
    <message>
        <source>the run has no output</source>
        <translation>l’exécution n’a pas de sortie</translation>
    </message>
    <message>
        <source>the run has no steps</source>
        <translation>l’exécution n’a pas d’étapes</translation>
    </message>
    <message>
        <source>the run is in no file, and its model is not there: save the session first</source>
        <translation>l’exécution n’est dans aucun fichier et son modèle manque : enregistrer d’abord la session</translation>
    </message>
    <message>
        <source>the run that it is compared with is in no file: save the session, and export again</source>
        <translation>l’exécution avec laquelle elle est comparée n’est dans aucun fichier : enregistrer la session, puis exporter de nouveau</translation>
    </message>
    <message>
        <source>the run was asked for something that the command line has no option for</source>
        <translation>la ligne de commande n’a pas d’option pour tout ce que demande cette exécution</translation>
    </message>
    <message>
        <source>the same as token ids</source>
        <translation>le même, en ids de tokens</translation>
    </message>
    <message>
        <source>the sentence</source>
        <translation>la phrase</translation>
    </message>
    <message>
        <source>the sentence to read</source>
        <translation>la phrase à lire</translation>
    </message>
    <message>
        <source>the step that writes it</source>
        <translation>l’étape qui l’écrit</translation>
    </message>
    <message>
        <source>the window</source>
        <translation>la fenêtre</translation>
    </message>
    <message>
        <source>there is no '%1'</source>
        <translation>il n’y a pas de « %1 »</translation>
    </message>
    <message>
        <source>there is not enough memory for it</source>
        <translation>la mémoire n’y suffit pas</translation>
    </message>
    <message>
        <source>there is nothing to write</source>
        <translation>il n’y a rien à écrire</translation>
    </message>
    <message>
        <source>thin hand: position %1; thick hand: position %2; sine to the right, cosine up</source>
        <translation>aiguille fine : position %1 ; aiguille épaisse : position %2 ; sinus vers la droite, cosinus vers le haut</translation>
    </message>
    <message>
        <source>this form of model is not differentiated</source>
        <translation>cette forme de modèle n’est pas dérivée</translation>
    </message>
    <message>
        <source>this model has no attention</source>
        <translation>ce modèle n’a pas d’attention</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>cette exécution</translation>
    </message>
    <message>
        <source>tick an edit</source>
        <translation>cocher une modification</translation>
    </message>
    <message>
        <source>times</source>
        <translation>fois</translation>
    </message>
    <message>
        <source>to</source>
        <translation>à</translation>
    </message>
    <message>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>token %1 (0 to %2)</source>
        <translation>token %1 (0 à %2)</translation>
    </message>
    <message>
        <source>token ids instead of a text, used as given</source>
        <translation>ids de tokens au lieu d’un texte, pris tels quels</translation>
    </message>
    <message>
        <source>token texts</source>
        <translation>textes des tokens</translation>
    </message>
    <message>
        <source>took “</source>
        <translation>pris « </translation>
    </message>
    <message>
        <source>top-k sampling</source>
        <translation>échantillonnage top-k</translation>
    </message>
    <message>
        <source>tortoise</source>
        <translation>tortue</translation>
    </message>
    <message>
        <source>transcription of speech</source>
        <translation>transcription de la parole</translation>
    </message>
    <message>
        <source>translation</source>
        <translation>traduction</translation>
    </message>
    <message>
        <source>try again in a moment</source>
        <translation>réessayer dans un instant</translation>
    </message>
    <message>
        <source>turns queries and keys by their positions (%1)</source>
        <translation>fait tourner les requêtes et les clés selon leurs positions (%1)</translation>
    </message>
    <message>
        <source>type a word and press Enter</source>
        <translation>un mot, puis Entrée</translation>
    </message>
    <message>
        <source>type an id and press Enter</source>
        <translation>un id, puis Entrée</translation>
    </message>
    <message>
        <source>unedited</source>
        <translation>sans modification</translation>
    </message>
    <message>
        <source>untick an edit</source>
        <translation>décocher une modification</translation>
    </message>
    <message>
        <source>until it is, what you make is not kept for the case of a crash</source>
        <translation>tant qu’il ne l’est pas, ce que vous faites n’est pas conservé en cas de plantage</translation>
    </message>
    <message>
        <source>use one of %1</source>
        <translation>choisir parmi %1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>value zeroing</source>
        <translation>mise à zéro des valeurs</translation>
    </message>
    <message>
        <source>value zeroing, rolled out</source>
        <translation>mise à zéro des valeurs, cumulée</translation>
    </message>
    <message>
        <source>values</source>
        <translation>valeurs</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>poids</translation>
    </message>
    <message>
        <source>weight for “%1”</source>
        <translation>poids pour « %1 »</translation>
    </message>
    <message>
        <source>weight of all special tokens</source>
        <translation>poids de tous les tokens spéciaux</translation>
    </message>
    <message>
        <source>weight of the expert</source>
        <translation>poids de l’expert</translation>
    </message>
    <message>
        <source>weight of the first token</source>
        <translation>poids du premier token</translation>
    </message>
    <message>
        <source>weight of the same position</source>
        <translation>poids de la même position</translation>
    </message>
    <message>
        <source>weight of the token after</source>
        <translation>poids du token suivant</translation>
    </message>
    <message>
        <source>weight of the token before</source>
        <translation>poids du token précédent</translation>
    </message>
    <message>
        <source>weight × value</source>
        <translation>poids × valeur</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>poids</translation>
    </message>
    <message>
        <source>weights sum to 1</source>
        <translation>somme des poids : 1</translation>
    </message>
    <message>
        <source>what comes next</source>
        <translation>ce qui vient ensuite</translation>
    </message>
    <message>
        <source>what each adds to the logit</source>
        <translation>ce que chacun ajoute au logit</translation>
    </message>
    <message>
        <source>what is added</source>
        <translation>ce qui s’ajoute</translation>
    </message>
    <message>
        <source>what is said of each head on its tile</source>
        <translation>ce qui est dit de chaque tête sur sa vignette</translation>
    </message>
    <message>
        <source>what the model would say if it ended after each layer</source>
        <translation>ce que le modèle dirait s’il s’arrêtait après chaque couche</translation>
    </message>
    <message>
        <source>what the tiles of all heads are ordered by</source>
        <translation>ce selon quoi les vignettes des têtes sont ordonnées</translation>
    </message>
    <message>
        <source>where</source>
        <translation>où</translation>
    </message>
    <message>
        <source>where in the sound to begin</source>
        <translation>seconde du son à laquelle commencer</translation>
    </message>
    <message>
        <source>where key j must not be seen</source>
        <translation>où la clé j ne doit pas être vue</translation>
    </message>
    <message>
        <source>which text of a pair each of the ids belongs to</source>
        <translation>à quel texte d’une paire appartient chacun des ids</translation>
    </message>
    <message>
        <source>width</source>
        <translation>largeur</translation>
    </message>
    <message>
        <source>with</source>
        <translation>avec</translation>
    </message>
    <message>
        <source>with positions</source>
        <translation>avec positions</translation>
    </message>
    <message>
        <source>with positions it changes (%1).</source>
        <translation>avec positions, elle change (%1).</translation>
    </message>
    <message>
        <source>with positions it is merely permuted, too (%1).</source>
        <translation>avec positions, elle est seulement permutée, elle aussi (%1).</translation>
    </message>
    <message>
        <source>without</source>
        <translation>sans</translation>
    </message>
    <message>
        <source>without </source>
        <translation>sans </translation>
    </message>
    <message>
        <source>without edits</source>
        <translation>sans modifications</translation>
    </message>
    <message>
        <source>without positions</source>
        <translation>sans positions</translation>
    </message>
    <message>
        <source>without probabilities</source>
        <translation>sans probabilités</translation>
    </message>
    <message>
        <source>without scaling</source>
        <translation>sans mise à l’échelle</translation>
    </message>
    <message>
        <source>without the head, KL divergence of what the model expects, in nats</source>
        <translation>sans la tête, divergence KL de ce que le modèle attend, en nats</translation>
    </message>
    <message>
        <source>without the head, how much the output's log probability changes</source>
        <translation>sans la tête, variation de la log-probabilité de la sortie</translation>
    </message>
    <message>
        <source>word</source>
        <translation>mot</translation>
    </message>
    <message>
        <source>word (the step that writes it)</source>
        <translation>mot (l’étape qui l’écrit)</translation>
    </message>
    <message>
        <source>word order: European Economic Area</source>
        <translation>ordre des mots : European Economic Area</translation>
    </message>
    <message>
        <source>word that is read</source>
        <translation>mot lu</translation>
    </message>
    <message>
        <source>zero embeddings</source>
        <translation>plongements nuls</translation>
    </message>
    <message>
        <source>× fell out, number: rank</source>
        <translation>× écartée, nombre : rang</translation>
    </message>
    <message>
        <source>Δ log p</source>
        <translation>Δ log p</translation>
    </message>
    <message>
        <source>ρ</source>
        <translation>ρ</translation>
    </message>
    <message>
        <source>“</source>
        <translation>« </translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>« %1 »</translation>
    </message>
    <message>
        <source>“%1” %2; the answer is number %3 with %4</source>
        <translation>« %1 » %2 ; la réponse est au rang %3 avec %4</translation>
    </message>
    <message>
        <source>“%1” at position %2</source>
        <translation>« %1 » à la position %2</translation>
    </message>
    <message>
        <source>“%1” is %2 tokens to this model; the neighbours are those of “%3”.</source>
        <translation>Pour ce modèle, « %1 » fait %2 tokens ; les voisins sont ceux de « %3 ».</translation>
    </message>
    <message>
        <source>“%1” is not a number between −%2 and %2; the old value stays.</source>
        <translation>« %1 » n’est pas un nombre entre −%2 et %2 ; l’ancienne valeur reste.</translation>
    </message>
    <message>
        <source>“%1” looks at</source>
        <translation>« %1 » regarde</translation>
    </message>
    <message>
        <source>“%1” looks at each patch between %2 and %3 times in all. The paper's training asks for once: its (1 − times)² is %4 on average here.</source>
        <translation>« %1 » regarde chaque carreau entre %2 et %3 fois en tout. L’entraînement de l’article demande une fois : son (1 − fois)² vaut ici %4 en moyenne.</translation>
    </message>
    <message>
        <source>“%1” looks at, in %2, %3</source>
        <translation>« %1 » regarde, dans %2, %3</translation>
    </message>
    <message>
        <source>“%1”, %2. You said “%3”: %4</source>
        <translation>« %1 », %2. Vous aviez dit « %3 » : %4</translation>
    </message>
    <message>
        <source>” at step %1</source>
        <translation> » à l’étape %1</translation>
    </message>
    <message>
        <source>” attends to “</source>
        <translation> » porte son attention sur « </translation>
    </message>
    <message>
        <source>” is read as </source>
        <translation> » est lu comme </translation>
    </message>
    <message>
        <source>” with weight </source>
        <translation> », poids : </translation>
    </message>
    <message>
        <source>− against, + for</source>
        <translation>− contre, + pour</translation>
    </message>
</context>
</TS>
