// SPDX-License-Identifier: Apache-2.0
// What a machine looks like, its state just now, and what a person may move on it: for anyone who draws it.
// Metres, radians, REP 103, z up. Drawing itself is not known here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem::machines {

struct ScenePose {
  std::array<double, 3> position{};
  std::array<double, 4> orientation{0, 0, 0, 1};  // x, y, z, w
};

enum class Shape : std::uint8_t {
  box,       // size: lengths along x, y, z, about its middle
  cylinder,  // size: radius, length along z, -, about its middle
  cone,      // size: radius, length along z, -, about its middle; its tip at +z
  sphere,    // size: radius
  capsule,   // size: radius, length of the straight part along z, -
  mesh,      // points and triangles
  line,      // points, joined in order
  cloud,     // points, each alone; size: its width
};

// One solid of one colour on one frame.
struct Part {
  std::string name;
  std::string frame = "world";  // or one of Scene::frames
  Shape shape = Shape::box;
  std::array<double, 3> size{};
  ScenePose at{};  // in the frame
  std::string color = "#8a94a6";
  double opacity = 1;
  std::vector<std::array<float, 3>> points{};
  std::vector<std::array<std::uint32_t, 3>> triangles{};  // of a mesh, counter-clockwise from outside
  // Shown and hidden together by its name: "workspace", "sea floor"; empty: always there. Hidden first if it says so.
  std::string layer{};
  bool layer_off = false;
};

// A leg, a cable: a rod between two points of two frames.
struct Tie {
  std::string name;
  std::string from = "world", to = "world";  // frames
  std::array<double, 3> from_point{}, to_point{};
  double radius = 0.01;
  std::string color = "#b0b8c4";
  int scalar = -1;  // the one of Scene::scalars that colours it, from its low to its high; -1: `color`
};

// A number that belongs to the picture: a cable's tension.
struct Scalar {
  std::string name, unit;
  double low = 0, high = 1;
};

// What a person may do. It leaves as a message on the machine's own command topic, so its age limit, its range and
// the arm latch hold as for everybody else's.
struct Control {
  enum class Kind : std::uint8_t {
    jog,     // while held: sent ten times a second with `value`, and then once with `rest`; never otherwise
    slider,  // a set point from low to high, sent when let go
    button,  // `value`, once
  };
  std::string name;   // "forward", "joint 1", "open the gripper"
  std::string group;  // those of one group are one message: x, y and z of a pose. Empty: alone
  Kind kind = Kind::jog;
  std::string topic, type;  // "/cmd_vel", "geometry_msgs/msg/Twist"
  // Where the number goes in the message: "linear.x", "data.2". What else the message needs is in `message`.
  std::string field;
  std::string message = "{}";  // JSON: the message before the fields of its group are put in
  std::string unit;
  double low = -1, high = 1, value = 1, rest = 0;
  std::string key;  // of the keyboard, while the machine is chosen; empty: none
  // The number in the message = what a person sees * scale + offset, where ROS has another unit.
  double scale = 1, offset = 0;
  bool flag = false;       // the message has true or false there: not 0, and 0
  std::string shows = {};  // the value of Machine::values() that a slider begins at; empty: as `group` and `field` say
};

// How a value of Machine::values() is best seen.
struct Indicator {
  enum class Kind : std::uint8_t {
    lamp,   // lit when not 0
    gauge,  // a bar from low to high
    text,   // its text, not its number
  };
  std::string value;  // its name
  Kind kind = Kind::text;
  double low = 0, high = 1;
  std::string group = {};  // shown together; empty: with all others
};

// What is drawn translucent beside a machine, to compare the two.
struct Beside {
  std::string name;  // "twin", "truth" or "target"; empty: nothing is drawn
  std::string text;  // what it is, in a sentence
};

struct Scene {
  std::vector<std::string> frames;  // those that move, in the order of Picture::frames
  std::vector<Part> parts;
  std::vector<Tie> ties;
  std::vector<Scalar> scalars;
  std::vector<Control> controls;
  std::vector<Indicator> indicators;
  std::vector<std::string> trails;  // frames that leave one
  std::string main_frame;           // the frame that a camera follows and that real and twin are compared by
  double extent = 2;                // the width of the ground it needs, m
  Beside beside;
  std::string ground;        // the scene on whose ground it stands, by name; empty: it has a ground to itself
  std::string camera_topic;  // sensor_msgs/msg/Image or CompressedImage; empty: has no camera
};

// Where the moving frames are in the machine's own world.
struct Picture {
  bool seen = false;  // false: nothing is known, draw nothing that moves
  std::vector<ScenePose> frames;
  std::vector<double> scalars;
};

}  // namespace tandem::machines
