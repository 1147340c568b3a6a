// SPDX-License-Identifier: Apache-2.0
// Every type that we know, in five groups, so that what goes through all of them need not be one translation unit:
// each has its list of Messages, of Services and of Actions.
#pragma once

#include "tandem/ros2/messages/groups/arms.hpp"
#include "tandem/ros2/messages/groups/control.hpp"
#include "tandem/ros2/messages/groups/core.hpp"
#include "tandem/ros2/messages/groups/vehicles.hpp"
#include "tandem/ros2/messages/groups/world.hpp"
