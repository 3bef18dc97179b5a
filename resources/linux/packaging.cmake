# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the program, and the packages that cpack makes of it: a .deb for the Debian release that it
# is run on, and a .tar.gz that may be unpacked anywhere.
set(application org.attnscope.AttnScope)
set(linux ${CMAKE_CURRENT_LIST_DIR})

install(DIRECTORY resources/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/attnscope/models)
install(FILES ${linux}/${application}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${linux}/${application}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${linux}/${application}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${linux}/${application}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
    RENAME ${application}.xml)
install(FILES ${linux}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME attnscope)
install(FILES ${linux}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program writes its own manual page; both changelogs are made of CHANGELOG.md.
set(made ${PROJECT_BINARY_DIR}/packaging)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/attnscope.1.gz
    COMMAND attnscope --manual > ${made}/attnscope.1
    COMMAND gzip -9nf ${made}/attnscope.1
    DEPENDS attnscope VERBATIM)
add_custom_command(OUTPUT ${made}/changelog.gz ${made}/changelog.Debian.gz
    COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${made}/changelog.gz
    COMMAND ${linux}/debian-changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${made}/changelog.Debian
    COMMAND gzip -9nf ${made}/changelog.Debian
    DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${linux}/debian-changelog VERBATIM)
add_custom_target(attn_manual ALL DEPENDS ${made}/attnscope.1.gz)
add_custom_target(attn_changelogs ALL DEPENDS ${made}/changelog.gz ${made}/changelog.Debian.gz)
install(FILES ${made}/attnscope.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/changelog.gz ${made}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_SYSTEM_NAME linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "The AttnScope authors <authors@attnscope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION "AttnScope runs attention models on the CPU, from an RNN encoder-decoder to
the BERT, GPT-2, LLaMA, Marian, BART and T5 checkpoints that people have on
their disks, and shows every attention head while a sentence is translated,
continued or guessed at. Small trained models come with it. Figures are
exported as PNG, SVG, PDF and TikZ, the weights as NumPy archives; all of it
works from the command line, too.")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Signs in tokens, also where no desktop has brought a font.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core, libsndfile1, libsoxr0") # libraries that are loaded with a sound
# What Qt's own dialogs say in other languages; without it they are in English.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-image-formats-plugins, qt6-translations-l10n")
# Chinese, Japanese and Korean tokens and emoji; without them their code points are shown.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-cjk, fonts-noto-color-emoji")
include(CPack)
