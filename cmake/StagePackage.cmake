# cmake -DFROM=python/lucid -DTO=build/stage/lucid -DBUILD=build -DPREFIX=... -P StagePackage.cmake
# TO becomes a real folder of links to FROM's entries, beside the built _C/engine and lib/. _C is a real
# folder too, since it holds both the built module and checked-in files.
function(link_entries from to)
  file(MAKE_DIRECTORY "${to}")
  file(GLOB present LIST_DIRECTORIES true "${to}/*")
  foreach(path IN LISTS present)
    if(IS_SYMLINK "${path}")
      get_filename_component(name "${path}" NAME)
      if(NOT EXISTS "${from}/${name}")
        file(REMOVE "${path}")
      endif()
    endif()
  endforeach()
  file(GLOB entries LIST_DIRECTORIES true RELATIVE "${from}" "${from}/*")
  list(REMOVE_ITEM entries _C __pycache__)
  foreach(name IN LISTS entries)
    if(NOT IS_SYMLINK "${to}/${name}")
      file(CREATE_LINK "${from}/${name}" "${to}/${name}" SYMBOLIC)
    endif()
  endforeach()
endfunction()

link_entries("${FROM}" "${TO}")
if(IS_DIRECTORY "${FROM}/_C")
  link_entries("${FROM}/_C" "${TO}/_C")
endif()
# Headers and the CMake package, so that extensions build against the staged package too.
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" --component lucid_dev
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
