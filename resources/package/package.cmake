# What CPack makes of the install rules: Debian's package. scripts/package calls it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME attnlab)
set(CPACK_PACKAGE_CONTACT "The AttnLab authors <maintainers@attnlab.org>")
set(CPACK_PACKAGE_HOMEPAGE_URL ${ATTNLAB_SITE})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see, edit and compute every matrix of attention")
set(CPACK_PACKAGE_DESCRIPTION "AttnLab shows the attention of transformers: type or open queries, keys, values
and masks, pick a mechanism and a scale, and look at every matrix between the
scores and the output, for each head, while you edit. It opens models that are
on the disk and shows every head of every layer for the text that you type,
comes with lessons and labs for the lecture room, reads the arrays of PyTorch,
JAX and NumPy, and computes and draws the same from the command line without a
display. Large inputs are computed on CUDA devices where there are some.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Qt finds its own texts and Wayland where these are; Chinese needs a font that has it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-translations-l10n, qt6-wayland")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-core, fonts-noto-cjk, python3-numpy")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CPACK_ATTNLAB_SOURCE ${CMAKE_SOURCE_DIR})
include(CPack)
