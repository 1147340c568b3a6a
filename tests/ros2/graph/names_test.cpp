// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/names.hpp"

#include <doctest/doctest.h>

namespace tandem::ros2 {

TEST_CASE("topic names resolve as in rcl") {
  struct Row {
    const char *topic, *name_space, *full;
  };
  for (const Row& row : {Row{"legs", "/", "/legs"}, Row{"legs", "/lab", "/lab/legs"}, Row{"/legs", "/lab", "/legs"},
                         Row{"a/b", "/x/y", "/x/y/a/b"}, Row{"~/legs", "/lab", "/lab/node/legs"},
                         Row{"~", "/", "/node"}, Row{"~/a/b", "/", "/node/a/b"}, Row{"_hidden", "/", "/_hidden"}}) {
    INFO(row.topic);
    const Result<std::string> full = full_topic_name(row.topic, row.name_space, "node");
    REQUIRE(full.ok());
    CHECK(*full == row.full);
  }
}

TEST_CASE("names that ROS refuses are refused with the reason") {
  struct Row {
    std::string topic, why;
  };
  for (const Row& row :
       {Row{"", "must not be empty"}, Row{"a//b", "empty"}, Row{"//a", "empty"}, Row{"/", "end"},
        Row{"a/", "must not end with a slash"}, Row{"1a", "digit"}, Row{"a/2b", "digit"}, Row{"a b", "' '"},
        Row{"a-b", "'-'"}, Row{"~a", "followed by a slash"}, Row{"a/~/b", "'~'"}, Row{"{node}/a", "'{'"},
        Row{"a\nb", "unprintable"}, Row{std::string(248, 'a'), "at most 247"}}) {
    INFO(row.topic);
    const Result<std::string> full = full_topic_name(row.topic, "/", "node");
    REQUIRE_FALSE(full.ok());
    CHECK_MESSAGE(full.error().text.find(row.why) != std::string::npos, full.error().text);
  }
}

TEST_CASE("node names and namespaces are checked") {
  CHECK(check_node_name("talker_2").ok());
  for (const char* name : {"", "a/b", "2a", "a b", "~"}) {
    INFO(name);
    CHECK_FALSE(check_node_name(name).ok());
  }
  CHECK(*full_namespace("") == "/");
  CHECK(*full_namespace("/") == "/");
  CHECK(*full_namespace("lab") == "/lab");
  CHECK(*full_namespace("/lab/cell") == "/lab/cell");
  for (const char* name : {"/lab/", "//lab", "/2", "~", "a b"}) {
    INFO(name);
    CHECK_FALSE(full_namespace(name).ok());
  }
}

TEST_CASE("topics become DDS topics and back") {
  CHECK(dds_topic_name("/a/b") == "rt/a/b");
  CHECK(ros_topic_name("rt/a/b") == "/a/b");
  CHECK(ros_topic_name("rq/aRequest").empty());
  CHECK(ros_topic_name("ros_discovery_info").empty());
}

}  // namespace tandem::ros2
