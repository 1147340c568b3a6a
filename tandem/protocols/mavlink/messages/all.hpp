// SPDX-License-Identifier: Apache-2.0
// All MAVLink messages that are known here.
#pragma once

#include "tandem/protocols/mavlink/messages/channels.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"
#include "tandem/protocols/mavlink/messages/estimator.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"
#include "tandem/protocols/mavlink/messages/parameters.hpp"
#include "tandem/protocols/mavlink/messages/sensors.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"
#include "tandem/protocols/mavlink/messages/vision.hpp"

namespace tandem::mavlink {

template <Message... M>
struct MessageList {
  static constexpr std::size_t count = sizeof...(M);
  // Calls the visitor's template operator() with each.
  template <typename Visitor>
  static constexpr void each(Visitor&& visitor) {
    (visitor.template operator()<M>(), ...);
  }
};

using AllMessages =
    MessageList<Heartbeat, SysStatus, SystemTime, Ping, TimeSync, StatusText, AutopilotVersion, AutopilotVersionRequest,
                PowerStatus, BatteryStatus, RadioStatus, SetupSigning, ExtendedSysState, Meminfo, Hwstatus,
                NamedValueFloat, NamedValueInt, FileTransferProtocol, Attitude, AttitudeQuaternion, LocalPositionNed,
                GlobalPositionInt, GpsGlobalOrigin, SetGpsGlobalOrigin, HomePosition, SetHomePosition, VfrHud,
                EkfStatusReport, EstimatorStatus, Ahrs, Ahrs2, Simstate, Vibration, NavControllerOutput, RawImu,
                ScaledImu, ScaledImu2, ScaledImu3, HighresImu, ScaledPressure, ScaledPressure2, ScaledPressure3,
                GpsRawInt, RangeFinder, DistanceSensor, OpticalFlow, WaterDepth, ServoOutputRaw, RcChannels,
                RcChannelsRaw, RcChannelsOverride, VisionPositionDelta, VisionPositionEstimate, VisionSpeedEstimate,
                GlobalVisionPositionEstimate, AttPosMocap, Odometry, SetMode, CommandLong, CommandInt, CommandAck,
                ManualControl, RequestDataStream, MessageInterval, SetPositionTargetLocalNed, PositionTargetLocalNed,
                SetPositionTargetGlobalInt, PositionTargetGlobalInt, SetAttitudeTarget, AttitudeTarget,
                ParamRequestRead, ParamRequestList, ParamValue, ParamSet, MissionCount, MissionItemInt, MissionItem,
                MissionRequestInt, MissionRequest, MissionAck, MissionRequestList, MissionCurrent, MissionSetCurrent,
                MissionClearAll, MissionWritePartialList, MissionItemReached>;

}  // namespace tandem::mavlink
