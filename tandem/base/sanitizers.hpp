// SPDX-License-Identifier: Apache-2.0
// Which sanitizer this is compiled for: g++ says it by a macro, clang by a feature.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define TANDEM_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define TANDEM_THREAD_SANITIZER
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(TANDEM_ADDRESS_SANITIZER)
#define TANDEM_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer) && !defined(TANDEM_THREAD_SANITIZER)
#define TANDEM_THREAD_SANITIZER
#endif
#endif
