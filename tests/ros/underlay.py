# SPDX-License-Identifier: Apache-2.0
"""What ROS 2 has and Debian has not, as far as ros/ needs it to be built: the messages that ours contain, and the two
packages that name the generators. Definitions are those of common_interfaces and rcl_interfaces (Jazzy)."""
from pathlib import Path

MESSAGES = {
    "builtin_interfaces/Time": "int32 sec\nuint32 nanosec\n",
    "std_msgs/Header": "builtin_interfaces/Time stamp\nstring frame_id\n",
    "geometry_msgs/Point": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/Quaternion": "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n",
    "geometry_msgs/Pose": "Point position\nQuaternion orientation\n",
    "sensor_msgs/PointField": "string name\nuint32 offset\nuint8 datatype\nuint32 count\n",
    "sensor_msgs/PointCloud2": "std_msgs/Header header\nuint32 height\nuint32 width\nPointField[] fields\n"
    "bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n",
}
NEEDS = {
    "builtin_interfaces": [],
    "std_msgs": ["builtin_interfaces"],
    "geometry_msgs": [],
    "sensor_msgs": ["builtin_interfaces", "std_msgs"],
}
GENERATORS = ["rosidl_cmake", "rosidl_generator_c", "rosidl_generator_cpp"]  # those that Debian has


def write(folder):
    """One package of each, with its own package.xml and CMakeLists.txt."""
    write_package(folder, "rosidl_default_generators", [], f"ament_export_dependencies({' '.join(GENERATORS)})")
    write_package(folder, "rosidl_default_runtime", [], "")
    for package, needs in NEEDS.items():
        files = [name for name in MESSAGES if name.startswith(f"{package}/")]
        finds = "".join(f"find_package({each} REQUIRED)\n" for each in ["rosidl_default_generators", *needs])
        paths = " ".join(f"msg/{name.split('/')[1]}.msg" for name in files)
        depends = f"DEPENDENCIES {' '.join(needs)}" if needs else ""
        made = write_package(
            folder,
            package,
            ["rosidl_default_generators", *needs],
            f"{finds}rosidl_generate_interfaces({package} {paths} {depends})",
        )
        (made / "msg").mkdir()
        for name in files:
            (made / "msg" / f"{name.split('/')[1]}.msg").write_text(MESSAGES[name])


def write_package(folder, name, needs, body):
    made = Path(folder) / name
    made.mkdir(parents=True)
    depends = "".join(f"<depend>{each}</depend>" for each in needs)
    if needs:
        depends += "<member_of_group>rosidl_interface_packages</member_of_group>"
    (made / "package.xml").write_text(
        f'<package format="3"><name>{name}</name><version>0.0.0</version><description>A stub</description>'
        f'<maintainer email="a@b.invalid">none</maintainer><license>Apache-2.0</license>'
        f"<buildtool_depend>ament_cmake</buildtool_depend>{depends}"
        "<export><build_type>ament_cmake</build_type></export></package>"
    )
    languages = "C CXX" if needs else "NONE"
    (made / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.10)\nproject({name} {languages})\nfind_package(ament_cmake REQUIRED)\n"
        f"{body}\nament_package()\n"
    )
    return made
