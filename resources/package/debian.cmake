# Run by CPack on the files to be packed: puts documents where Debian's policy wants them, in the form that it wants.
set(root ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
set(doc ${root}/share/doc/attnlab)
function(attnlab_gzip file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

attnlab_gzip(${root}/share/man/man1/attnlab.1)
file(MAKE_DIRECTORY ${root}/share/zsh/vendor-completions)
file(RENAME ${root}/share/zsh/site-functions/_attnlab ${root}/share/zsh/vendor-completions/_attnlab)
file(REMOVE_RECURSE ${root}/share/zsh/site-functions)

file(REMOVE ${doc}/LICENSE) # the copyright file has its terms, the system its text
file(COPY ${CPACK_ATTNLAB_SOURCE}/resources/package/copyright DESTINATION ${doc})
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
attnlab_gzip(${doc}/changelog)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
file(WRITE ${doc}/changelog.Debian "attnlab (${version}) unstable; urgency=medium

  * See changelog.gz for what is in this version.

 -- ${CPACK_PACKAGE_CONTACT}  ${CPACK_ATTNLAB_DATE}
")
attnlab_gzip(${doc}/changelog.Debian)

# Files are as writable as Debian's, whatever the mask of whoever builds.
execute_process(COMMAND chmod -R u+rwX,go+rX,go-w ${CPACK_TEMPORARY_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
