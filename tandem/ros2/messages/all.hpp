// Every type that we know, in five groups, so that what goes through all of them need not be one translation unit:
// each has its list of Messages, of Services and of Actions.
#pragma once

#include "tandem/ros2/messages/all_arms.hpp"
#include "tandem/ros2/messages/all_control.hpp"
#include "tandem/ros2/messages/all_core.hpp"
#include "tandem/ros2/messages/all_vehicles.hpp"
#include "tandem/ros2/messages/all_world.hpp"
