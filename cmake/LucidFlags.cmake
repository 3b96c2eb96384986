# Flags of every target of the engine. -ffp-contract=off is the law "fusion cannot change a bit"; nothing
# here may relax IEEE arithmetic (-fno-math-errno only drops errno).
add_library(lucid_flags INTERFACE)
target_compile_features(lucid_flags INTERFACE cxx_std_20)
target_compile_options(lucid_flags INTERFACE
  -Wall -Wextra -Wpedantic -ffp-contract=off -fno-math-errno
  -fno-semantic-interposition)  # nobody replaces our exported functions: they may be inlined
if(LUCID_WERROR)
  target_compile_options(lucid_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 at -O3 sees overlaps in std::string's operator+ (its bug 105651) and uninitialised members in
  # inlined constructors; clang++ checks both in `make lint`.
  target_compile_options(lucid_flags INTERFACE -Wno-restrict -Wno-error=maybe-uninitialized)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(LUCID_SANITIZE)
  set(lucid_sanitize -fsanitize=${LUCID_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(lucid_flags INTERFACE ${lucid_sanitize})
  target_link_options(lucid_flags INTERFACE ${lucid_sanitize})
  # g++ 12 reports false uninitialised and out-of-bounds uses once sanitizers change the inlining.
  target_compile_options(lucid_flags INTERFACE
    -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow)
endif()

# Highway's targets, for whoever includes it. On x86-64 the baseline is AVX2, chosen by Highway's function
# attributes and not by -mavx2: no inline function of the standard library may end up with AVX2 code that
# the import check of an older CPU would run. One target (sanitizer builds) is the baseline alone.
add_library(lucid_simd_flags INTERFACE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_definitions(lucid_simd_flags INTERFACE HWY_BASELINE_TARGETS=HWY_AVX2)
endif()
if(LUCID_ONE_TARGET)
  target_compile_definitions(lucid_simd_flags INTERFACE LUCID_ONE_TARGET HWY_COMPILE_ONLY_STATIC)
endif()
