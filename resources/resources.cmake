# Icons, formulas and samples, compiled into the program under :/attnlab, and the translations under :/i18n.
function(attnlab_add_resources target)
  set(base ${CMAKE_SOURCE_DIR}/resources)
  file(GLOB files CONFIGURE_DEPENDS ${base}/icons/*.svg ${base}/formulas/*.svg ${base}/samples/*.npz
       ${base}/colormaps/*)
  qt_add_resources(${target} attnlab_data PREFIX /attnlab BASE ${base} FILES ${files})
endfunction()
