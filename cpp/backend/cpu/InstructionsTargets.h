// Which of Highway's targets the instructions are compiled for; included before
// hwy/foreach_target.h. On x86-64 only those with fused multiply-add: without it the elementary
// functions would have other bits. The build names the baseline (cmake/LucidFlags.cmake); this
// keeps a source right that is compiled without it.
#pragma once

#ifndef HWY_BASELINE_TARGETS
#if defined(__x86_64__)
#define HWY_BASELINE_TARGETS HWY_AVX2
#endif
#endif
#if defined(LUCID_ONE_TARGET) && !defined(HWY_COMPILE_ONLY_STATIC)
#define HWY_COMPILE_ONLY_STATIC
#endif
