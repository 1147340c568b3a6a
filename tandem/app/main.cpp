// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/app.hpp"

int main(int argc, char** argv) { return tandem::app::run(argc, argv); }
