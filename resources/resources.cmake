# Icons, formulas, samples and lessons, compiled into the program under :/attnlab, and the translations under :/i18n.
function(attnlab_add_resources target)
  set(base ${CMAKE_SOURCE_DIR}/resources)
  file(GLOB files CONFIGURE_DEPENDS ${base}/icons/*.svg ${base}/formulas/*.svg ${base}/samples/*.npz
       ${base}/colormaps/* ${base}/lessons/*/*.json ${base}/lessons/*/*.md ${base}/lectures/*.json ${base}/page/*)
  qt_add_resources(${target} attnlab_data PREFIX /attnlab BASE ${base} FILES ${files})
  # The viewer of pages that compute.
  set(web ${CMAKE_SOURCE_DIR}/web)
  file(GLOB viewer CONFIGURE_DEPENDS ${web}/*.js ${web}/page.html ${web}/page.css)
  qt_add_resources(${target} attnlab_web PREFIX /attnlab/web BASE ${web} FILES ${viewer})

  # scripts/update_translations keeps the .ts files in step with the texts; the build makes .qm files of them.
  file(GLOB translations CONFIGURE_DEPENDS ${base}/translations/*.ts)
  qt_add_lrelease(${target} TS_FILES ${translations} QM_FILES_OUTPUT_VARIABLE compiled)
  qt_add_resources(${target} attnlab_translations PREFIX /i18n BASE ${CMAKE_CURRENT_BINARY_DIR} FILES ${compiled})
endfunction()
