# Where things go. A wheel holds everything below the package folder lucid/; a plain C++ install has the
# usual include/, lib/ and share/. Both have the same shape, so one LucidConfig.cmake serves both.
if(SKBUILD)
  set(LUCID_INSTALL_BASE "lucid/")
  set(LUCID_INSTALL_LIBDIR "${LUCID_INSTALL_BASE}lib")
else()
  set(LUCID_INSTALL_BASE "")
  set(LUCID_INSTALL_LIBDIR "lib")
endif()
set(LUCID_INSTALL_INCLUDEDIR "${LUCID_INSTALL_BASE}include")
set(LUCID_INSTALL_CMAKEDIR "${LUCID_INSTALL_BASE}share/cmake/Lucid")
