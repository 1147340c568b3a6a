// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/control_script.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ur3e::script {
namespace {

// {..} are filled in by text(). Only functions and syntax that PolyScope 5 has. A motion runs in a thread of its own,
// so that the main loop can always see the heartbeat, and kill it. `tm_brake` says that the arm may still be moving
// when the next motion begins: it is stopped first, since moves begin at rest.
constexpr const char* program = R"(def tandem_control():
  global tm_motion = 0
  global tm_over = True
  global tm_brake = False
  global tm_kind = 0
  global tm_mode = 0
  global tm_first = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
  global tm_second = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
  global tm_third = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
  global tm_count = 0
  global tm_freedrive = False
  global tm_force = False
  global tm_path_kind = [@integers@]
  global tm_path = [@numbers@]
  global tm_path_limits = [@limits@]

  def tm_six(tm_at):
    return [read_input_float_register(tm_at), read_input_float_register(tm_at + 1), read_input_float_register(tm_at + 2), read_input_float_register(tm_at + 3), read_input_float_register(tm_at + 4), read_input_float_register(tm_at + 5)]
  end

  def tm_pose(v):
    return p[v[0], v[1], v[2], v[3], v[4], v[5]]
  end

  def tm_follow_path():
    i = 0
    while i < tm_count:
      j = 6 * i
      k = 4 * i
      a = tm_path_limits[k]
      v = tm_path_limits[k + 1]
      t = tm_path_limits[k + 2]
      r = tm_path_limits[k + 3]
      if tm_path_kind[i] == @movej@:
        movej([tm_path[j], tm_path[j + 1], tm_path[j + 2], tm_path[j + 3], tm_path[j + 4], tm_path[j + 5]], a, v, t, r)
      elif tm_path_kind[i] == @movel@:
        movel(p[tm_path[j], tm_path[j + 1], tm_path[j + 2], tm_path[j + 3], tm_path[j + 4], tm_path[j + 5]], a, v, t, r)
      else:
        movep(p[tm_path[j], tm_path[j + 1], tm_path[j + 2], tm_path[j + 3], tm_path[j + 4], tm_path[j + 5]], a, v, r)
      end
      i = i + 1
    end
  end

  thread tm_work():
    if tm_brake and tm_kind != @stopj@ and tm_kind != @stopl@:
      stopj(4.0)
    end
    if tm_kind == @movej@:
      movej(tm_first, tm_third[0], tm_third[1], tm_third[2], tm_third[3])
    elif tm_kind == @movel@:
      movel(tm_pose(tm_first), tm_third[0], tm_third[1], tm_third[2], tm_third[3])
    elif tm_kind == @movep@:
      movep(tm_pose(tm_first), tm_third[0], tm_third[1], tm_third[3])
    elif tm_kind == @movec@:
      movec(tm_pose(tm_second), tm_pose(tm_first), tm_third[0], tm_third[1], tm_third[3], tm_mode)
    elif tm_kind == @path@:
      tm_follow_path()
    elif tm_kind == @servoj@:
      while True:
        servoj(tm_first, 0, 0, tm_third[0], tm_third[1], tm_third[2])
      end
    elif tm_kind == @speedj@:
      if tm_third[1] > 0:
        speedj(tm_first, tm_third[0], tm_third[1])
        stopj(tm_third[0])
      else:
        while True:
          speedj(tm_first, tm_third[0], 0.008)
        end
      end
    elif tm_kind == @speedl@:
      if tm_third[1] > 0:
        speedl(tm_first, tm_third[0], tm_third[1])
        stopl(tm_third[0])
      else:
        while True:
          speedl(tm_first, tm_third[0], 0.008)
        end
      end
    elif tm_kind == @stopj@:
      stopj(tm_third[0])
    elif tm_kind == @stopl@:
      stopl(tm_third[0])
    end
    global tm_over = True
  end

  def tm_leave_modes():
    if tm_freedrive:
      end_freedrive_mode()
      global tm_freedrive = False
    end
    if tm_force:
      end_force_mode()
      global tm_force = False
    end
  end

  tm_handle = 0
  tm_sequence = read_input_integer_register(@sequence@)
  tm_beat = read_input_integer_register(@heartbeat@)
  tm_silent = 0.0
  tm_limit = @other_limit@
  write_output_integer_register(@taken@, tm_sequence)
  write_output_integer_register(@finished@, 0)
  write_output_integer_register(@motion@, 0)
  write_output_integer_register(@ending@, 0)
  write_output_integer_register(@identity@, @upload@)

  while True:
    tm_new_beat = read_input_integer_register(@heartbeat@)
    if tm_new_beat != tm_beat:
      tm_beat = tm_new_beat
      tm_silent = 0.0
    else:
      tm_silent = tm_silent + get_steptime()
    end
    if tm_silent > tm_limit:
      write_output_integer_register(@ending@, @watchdog@)
      if tm_motion != 0:
        kill tm_handle
      end
      tm_leave_modes()
      stopj(4.0)
      halt
    end

    if tm_over and tm_motion != 0:
      write_output_integer_register(@motion@, 0)
      write_output_integer_register(@finished@, tm_motion)
      global tm_motion = 0
      global tm_brake = False
      tm_limit = @other_limit@
    end

    tm_new_sequence = read_input_integer_register(@sequence@)
    if tm_new_sequence != tm_sequence:
      tm_sequence = tm_new_sequence
      tm_code = read_input_integer_register(@code@)
      tm_one = read_input_integer_register(@one@)
      tm_two = read_input_integer_register(@two@)
      tm_a = tm_six(@first@)
      tm_b = tm_six(@second@)
      tm_c = tm_six(@third@)
      if tm_code < @tcp@:
        if tm_motion != 0 and tm_code == tm_kind and tm_code >= @servoj@ and tm_code <= @speedl@ and (tm_code == @servoj@ or (tm_third[1] == 0 and tm_c[1] == 0)):
          enter_critical
          global tm_first = tm_a
          global tm_third = tm_c
          exit_critical
          global tm_motion = tm_sequence
        else:
          if tm_motion != 0:
            kill tm_handle
            global tm_brake = True
          end
          if tm_code != @stopj@ and tm_code != @stopl@:
            if tm_freedrive:
              end_freedrive_mode()
              global tm_freedrive = False
            end
          else:
            tm_leave_modes()
          end
          global tm_first = tm_a
          global tm_second = tm_b
          global tm_third = tm_c
          global tm_mode = tm_one
          global tm_kind = tm_code
          global tm_over = False
          global tm_motion = tm_sequence
          tm_limit = @other_limit@
          if tm_code >= @servoj@ and tm_code <= @speedl@:
            tm_limit = @streamed_limit@
          end
          write_output_integer_register(@motion@, tm_code)
          tm_handle = run tm_work()
        end
      elif tm_code == @tcp@:
        set_tcp(tm_pose(tm_a))
      elif tm_code == @payload@:
        set_payload(tm_a[0], [tm_a[1], tm_a[2], tm_a[3]])
      elif tm_code == @freedrive@:
        if tm_one == 1:
          freedrive_mode()
          global tm_freedrive = True
        else:
          end_freedrive_mode()
          global tm_freedrive = False
        end
      elif tm_code == @force_mode@:
        tm_axes = [0, 0, 0, 0, 0, 0]
        tm_i = 0
        while tm_i < 6:
          if tm_one % 2 == 1:
            tm_axes[tm_i] = 1
          end
          tm_one = floor(tm_one / 2)
          tm_i = tm_i + 1
        end
        force_mode(tm_pose(tm_a), tm_axes, tm_b, tm_two, tm_c)
        global tm_force = True
      elif tm_code == @end_force_mode@:
        end_force_mode()
        global tm_force = False
      elif tm_code == @standard_out@:
        set_standard_digital_out(tm_one, tm_two == 1)
      elif tm_code == @configurable_out@:
        set_configurable_digital_out(tm_one, tm_two == 1)
      elif tm_code == @tool_out@:
        set_tool_digital_out(tm_one, tm_two == 1)
      elif tm_code == @analog_out@:
        set_standard_analog_out(tm_one, tm_a[0])
      elif tm_code == @zero_force@:
        zero_ftsensor()
      elif tm_code == @path_point@:
        tm_path_kind[tm_one] = tm_two
        tm_i = 0
        while tm_i < 6:
          tm_path[6 * tm_one + tm_i] = tm_a[tm_i]
          tm_i = tm_i + 1
        end
        tm_i = 0
        while tm_i < 4:
          tm_path_limits[4 * tm_one + tm_i] = tm_c[tm_i]
          tm_i = tm_i + 1
        end
        global tm_count = tm_one + 1
      elif tm_code == @end@:
        if tm_motion != 0:
          kill tm_handle
        end
        tm_leave_modes()
        stopj(4.0)
        write_output_integer_register(@ending@, @asked@)
        write_output_integer_register(@taken@, tm_sequence)
        halt
      end
      write_output_integer_register(@taken@, tm_sequence)
    end
    sync()
  end
end
)";

std::string repeated(std::string_view item, std::size_t count) {
  std::string out(item);
  for (std::size_t i = 1; i < count; ++i) out += fmt::format(", {}", item);
  return out;
}

struct Fill {
  std::string_view word;
  std::string value;
};

std::string number(Code code) { return std::to_string(static_cast<int>(code)); }

std::vector<Fill> fills(std::int32_t identity, const Timing& timing) {
  std::vector<Fill> out = {
      {"integers", repeated("0", command::most_path_points)},
      {"numbers", repeated("0.0", 6 * command::most_path_points)},
      {"limits", repeated("0.0", 4 * command::most_path_points)},
      {"upload", std::to_string(identity)},
      {"streamed_limit", fmt::format("{:.4f}", seconds(timing.streamed))},
      {"other_limit", fmt::format("{:.4f}", seconds(timing.other))},
      {"asked", std::to_string(static_cast<int>(Ending::asked))},
      {"watchdog", std::to_string(static_cast<int>(Ending::watchdog))},
      {"heartbeat", std::to_string(inputs::heartbeat)},
      {"sequence", std::to_string(inputs::sequence)},
      {"code", std::to_string(inputs::code)},
      {"one", std::to_string(inputs::one)},
      {"two", std::to_string(inputs::two)},
      {"first", std::to_string(inputs::first)},
      {"second", std::to_string(inputs::second)},
      {"third", std::to_string(inputs::third)},
      {"taken", std::to_string(outputs::taken)},
      {"finished", std::to_string(outputs::finished)},
      {"motion", std::to_string(outputs::motion)},
      {"ending", std::to_string(outputs::ending)},
      {"identity", std::to_string(outputs::identity)},
  };
  const std::pair<std::string_view, Code> codes[] = {{"movej", Code::movej},
                                                     {"movel", Code::movel},
                                                     {"movep", Code::movep},
                                                     {"movec", Code::movec},
                                                     {"path", Code::path},
                                                     {"servoj", Code::servoj},
                                                     {"speedj", Code::speedj},
                                                     {"speedl", Code::speedl},
                                                     {"stopj", Code::stopj},
                                                     {"stopl", Code::stopl},
                                                     {"tcp", Code::tcp},
                                                     {"payload", Code::payload},
                                                     {"freedrive", Code::freedrive},
                                                     {"force_mode", Code::force_mode},
                                                     {"standard_out", Code::standard_out},
                                                     {"configurable_out", Code::configurable_out},
                                                     {"tool_out", Code::tool_out},
                                                     {"analog_out", Code::analog_out},
                                                     {"zero_force", Code::zero_force},
                                                     {"path_point", Code::path_point},
                                                     {"end_force_mode", Code::end_force_mode},
                                                     {"end", Code::end}};
  for (const auto& [word, code] : codes) out.push_back({word, number(code)});
  return out;
}

}  // namespace

std::string text(std::int32_t identity, const Timing& timing) {
  const std::vector<Fill> words = fills(identity, timing);
  const std::string_view source = program;
  std::string out;
  out.reserve(source.size() + 16 * command::most_path_points * 6);
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t open = source.find('@', at);
    if (open == std::string_view::npos) {
      out += source.substr(at);
      break;
    }
    const std::size_t close = source.find('@', open + 1);
    const std::string_view word = source.substr(open + 1, close - open - 1);
    out += source.substr(at, open - at);
    out += std::ranges::find(words, word, &Fill::word)->value;
    at = close + 1;
  }
  return out;
}

std::vector<std::string> command_variables() {
  std::vector<std::string> out;
  for (const std::size_t i : {inputs::sequence, inputs::code, inputs::one, inputs::two})
    out.push_back(fmt::format("input_int_register_{}", i));
  for (std::size_t i = inputs::first; i < inputs::third + 6; ++i)
    out.push_back(fmt::format("input_double_register_{}", i));
  return out;
}

std::vector<std::string> report_variables() {
  std::vector<std::string> out;
  for (const std::size_t i : {outputs::taken, outputs::finished, outputs::motion, outputs::ending, outputs::identity})
    out.push_back(fmt::format("output_int_register_{}", i));
  return out;
}

}  // namespace tandem::ur3e::script
