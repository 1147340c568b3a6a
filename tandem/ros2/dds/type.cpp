// SPDX-License-Identifier: Apache-2.0
// The one type that every topic has for Fast DDS.
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>

#include "tandem/ros2/dds/participant.hpp"

namespace tandem::ros2 {
namespace {

class BytesType final : public dds::TopicDataType {
 public:
  explicit BytesType(const std::string& dds_name) {
    setName(dds_name.c_str());
    m_typeSize = 256;  // grows once, with the first larger message
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }

  bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
    const Pending& pending = *static_cast<const Pending*>(data);
    if (pending.size > payload->max_size) return false;
    if (!pending.outgoing.write(pending.outgoing.message, {payload->data, pending.size})) return false;
    payload->length = pending.size;
    payload->encapsulation = payload->data[1] == 0 ? CDR_BE : CDR_LE;
    // Here, where the bytes are: later they may belong to another sample already.
    if (pending.tap != nullptr) pending.tap->pass({payload->data, pending.size});
    return true;
  }
  // Always true: Fast DDS would keep a sample that does not decode. Who took it looks at the failure.
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
    Arriving& arriving = *static_cast<Arriving*>(data);
    arriving.failure =
        arriving.incoming == nullptr ? "no receiver" : arriving.incoming->decode({payload->data, payload->length});
    if (arriving.copy != nullptr) arriving.copy->assign(payload->data, payload->data + payload->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<const Pending*>(data)->size; };
  }
  void* createData() override { return new Arriving; }
  void deleteData(void* data) override { delete static_cast<Arriving*>(data); }
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

}  // namespace

dds::TypeSupport bytes_type(const std::string& dds_name) { return dds::TypeSupport(new BytesType(dds_name)); }

}  // namespace tandem::ros2
