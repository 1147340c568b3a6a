// SPDX-License-Identifier: Apache-2.0
// All messages of a group of all.hpp as one list, with those that its services and actions are made of.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/interfaces.hpp"

namespace tandem::ros2 {

// What a service and an action put on the wire.
template <ServiceType S>
using SentByService = Types<typename S::Request, typename S::Response>;
template <ActionType A>
using SentByAction = JoinedTypes<SentByService<SendGoal<A>>, SentByService<GetResult<A>>, Types<FeedbackMessage<A>>>;

// What has a name and a hash besides.
template <ServiceType S>
using DescribedOfService = Types<ServiceEvent<S>, WholeService<S>>;
template <ActionType A>
using DescribedOfAction = JoinedTypes<Types<typename A::Goal, typename A::Result, typename A::Feedback, WholeAction<A>>,
                                      DescribedOfService<SendGoal<A>>, DescribedOfService<GetResult<A>>>;

namespace detail {

template <typename Messages, typename Services, typename Actions>
struct Expand;
template <typename Messages, typename... S, typename... A>
struct Expand<Messages, Types<S...>, Types<A...>> {
  using Sent = JoinedTypes<Messages, SentByService<S>..., SentByAction<A>...>;
  using Every = JoinedTypes<Sent, DescribedOfService<S>..., DescribedOfAction<A>...>;
};
template <typename Group>
using ExpandGroup = Expand<typename Group::Messages, typename Group::Services, typename Group::Actions>;

}  // namespace detail

template <typename Group>
using SentMessages = typename detail::ExpandGroup<Group>::Sent;
template <typename Group>
using EveryMessage = typename detail::ExpandGroup<Group>::Every;

}  // namespace tandem::ros2
