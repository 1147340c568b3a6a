// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/certificate.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/x509_vfy.h>

#include <memory>

namespace tandem {
namespace {

template <auto free>
struct Free {
  template <typename T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};
template <typename T, auto free>
using Owned = std::unique_ptr<T, Free<free>>;
using File = Owned<BIO, BIO_free_all>;
using Certificate = Owned<X509, X509_free>;
using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using Store = Owned<X509_STORE, X509_STORE_free>;

Error wrong(const std::string& file, std::string_view why) {
  ERR_clear_error();
  return {Fault::invalid, fmt::format("{}: {}", file, why)};
}

File open(const std::string& file) { return File(BIO_new_file(file.c_str(), "r")); }

Certificate read_certificate(const std::string& file) {
  const File from = open(file);
  return Certificate(from ? PEM_read_bio_X509(from.get(), nullptr, nullptr, nullptr) : nullptr);
}

// Whom we trust: the authority alone.
Store trusting(const std::string& authority) {
  const Certificate certificate = read_certificate(authority);
  Store store(X509_STORE_new());
  if (!certificate || !store || X509_STORE_add_cert(store.get(), certificate.get()) != 1) return nullptr;
  return store;
}

}  // namespace

Result<void> check_certificate(const std::string& certificate, const std::string& authority, const std::string& key) {
  const Store store = trusting(authority);
  if (!store) return wrong(authority, "no certificate in PEM form");
  const Certificate own = read_certificate(certificate);
  if (!own) return wrong(certificate, "no certificate in PEM form");
  const Owned<X509_STORE_CTX, X509_STORE_CTX_free> check(X509_STORE_CTX_new());
  if (!check || X509_STORE_CTX_init(check.get(), store.get(), own.get(), nullptr) != 1) {
    return wrong(certificate, "cannot be verified");
  }
  if (X509_verify_cert(check.get()) != 1) {
    return wrong(certificate, fmt::format("not accepted by {}: {}", authority,
                                          X509_verify_cert_error_string(X509_STORE_CTX_get_error(check.get()))));
  }
  const File from = open(key);
  const Key secret(from ? PEM_read_bio_PrivateKey(from.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!secret) return wrong(key, "no private key in PEM form");
  if (X509_check_private_key(own.get(), secret.get()) != 1) return wrong(key, "not the key of " + certificate);
  return {};
}

Result<void> check_signed(const std::string& file, const std::string& authority) {
  const Store store = trusting(authority);
  if (!store) return wrong(authority, "no certificate in PEM form");
  const File from = open(file);
  BIO* content = nullptr;
  const Owned<PKCS7, PKCS7_free> signature(from ? SMIME_read_PKCS7(from.get(), &content) : nullptr);
  const File text(content);
  if (!signature) return wrong(file, "no signed file in S/MIME form");
  // As DDS does: the signer's certificate is the authority itself or in the file; what it is meant for does not count.
  if (PKCS7_verify(signature.get(), nullptr, store.get(), text.get(), nullptr, PKCS7_NOVERIFY) != 1) {
    return wrong(file, "modified after it was signed");
  }
  STACK_OF(X509)* signers = PKCS7_get0_signers(signature.get(), nullptr, 0);
  const Certificate trusted = read_certificate(authority);
  const bool by_authority = sk_X509_num(signers) == 1 && X509_cmp(sk_X509_value(signers, 0), trusted.get()) == 0;
  sk_X509_free(signers);
  if (!by_authority) return wrong(file, "not signed by " + authority);
  return {};
}

bool has_certificate_subject(Bytes pem) {
  const File from(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))), text(BIO_new(BIO_s_mem()));
  const Certificate certificate(from ? PEM_read_bio_X509_AUX(from.get(), nullptr, nullptr, nullptr) : nullptr);
  bool found = false;
  if (certificate && text) {
    X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate.get()), 0, XN_FLAG_RFC2253);
    found = BIO_pending(text.get()) > 0;
  }
  ERR_clear_error();
  return found;
}

}  // namespace tandem
