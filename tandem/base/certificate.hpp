// SPDX-License-Identifier: Apache-2.0
// Certificates, keys and signed files (PEM), checked so that a refusal can be reported in words.
#pragma once

#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem {

// The certificate is valid now, signed by the authority, and the private key is its own.
Result<void> check_certificate(const std::string& certificate, const std::string& authority, const std::string& key);

// The file, S/MIME as `openssl smime -sign` writes it, is signed by the authority and unchanged.
Result<void> check_signed(const std::string& file, const std::string& authority);

// Whether the bytes are a certificate that names its subject, as X509_NAME_print_ex writes it.
bool has_certificate_subject(Bytes pem);

}  // namespace tandem
