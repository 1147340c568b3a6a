// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/topics.hpp"

#include <doctest/doctest.h>

namespace tandem::sparkplug {

TEST_CASE("topics are those of the specification") {
  const NodeName name{"lab", "cell1"};
  CHECK(name.topic("NBIRTH") == "spBv1.0/lab/NBIRTH/cell1");
  CHECK(name.topic("DDATA", "lift") == "spBv1.0/lab/DDATA/cell1/lift");
  CHECK(host_topic("scada") == "spBv1.0/STATE/scada");
}

TEST_CASE("a topic is taken apart only if it is of that node and kind") {
  const NodeName name{"lab", "cell1"};
  CHECK(device_of(name, "NCMD", "spBv1.0/lab/NCMD/cell1") == std::string_view());
  CHECK(device_of(name, "DCMD", "spBv1.0/lab/DCMD/cell1/lift") == std::string_view("lift"));
  for (const char* other :
       {"", "spBv1.0/lab/NCMD/cell11", "spBv1.0/lab/DCMD/cell2/lift", "spBv1.0/lab/DCMD/cell1/",
        "spBv1.0/lab/DCMD/cell1/a/b", "spBv1.0/Lab/DCMD/cell1/lift", "spBv1.0/lab/DDATA/cell1/lift"}) {
    CAPTURE(other);
    CHECK_FALSE(device_of(name, "DCMD", other).value_or("").size() > 0);
  }
}

TEST_CASE("ids have neither wildcards nor levels") {
  CHECK(check_id("x", "cell 1 äöü"));
  for (const char* bad : {"", "a/b", "a+b", "a#", "a\nb", "\xff"}) CHECK_FALSE(check_id("x", bad));
  CHECK_FALSE(check_id("x", std::string(101, 'a')));
}

TEST_CASE("metric names keep their levels and lose what hosts stumble over") {
  CHECK(metric_name("Values/tool force/x") == "Values/tool force/x");
  CHECK(metric_name("a.b,c(d)+e#\n") == "a_b_c_d__e__");
  CHECK(metric_name("\xff") == "_");
}

}  // namespace tandem::sparkplug
