// SPDX-License-Identifier: Apache-2.0
// Arrays of Python as columns: C-contiguous (k, N) arrays of double, one row for each number of a pose.
// tandem/_arrays.py makes them; what is wrong here is a mistake of that file.
#pragma once

#include <pybind11/pybind11.h>

#include <span>
#include <stdexcept>

namespace tandem::python {

class Columns {
 public:
  Columns(const pybind11::buffer& array, pybind11::ssize_t columns, bool writable = false)
      : info_(array.request(writable)) {
    const bool fits = info_.format == pybind11::format_descriptor<double>::format() && info_.ndim == 2 &&
                      info_.shape[0] == columns && info_.strides[1] == sizeof(double) &&
                      (info_.shape[1] == 0 || columns < 2 || info_.strides[0] == info_.shape[1] * info_.strides[1]);
    if (!fits) throw std::invalid_argument("expected a C-contiguous (k, N) array of float64");
  }

  std::size_t size() const { return static_cast<std::size_t>(info_.shape[1]); }
  std::span<double> operator[](std::size_t column) const {
    return {static_cast<double*>(info_.ptr) + column * size(), size()};
  }
  template <typename Vector>
  Vector row(std::size_t i) const {
    Vector out;
    for (std::size_t k = 0; k < static_cast<std::size_t>(info_.shape[0]); ++k)
      out[static_cast<decltype(out.size())>(k)] = (*this)[k][i];
    return out;
  }
  template <typename Vector>
  void put(std::size_t i, const Vector& values) const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(info_.shape[0]); ++k)
      (*this)[k][i] = values[static_cast<decltype(values.size())>(k)];
  }

 private:
  pybind11::buffer_info info_;
};

// One byte for each pose.
inline std::span<unsigned char> flags(const pybind11::buffer& array) {
  const pybind11::buffer_info info = array.request(true);
  if (info.itemsize != 1 || info.ndim != 1) throw std::invalid_argument("expected an array of uint8");
  return {static_cast<unsigned char*>(info.ptr), static_cast<std::size_t>(info.size)};
}

}  // namespace tandem::python
