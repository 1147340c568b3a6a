# SPDX-License-Identifier: Apache-2.0
"""ROS 2 without ROS: publish, subscribe, call services and actions on DDS.

>>> from tandem import ros
>>> with ros.Node("listener") as node:
...     odometry = node.wait_for_message("/odom", timeout=5)
...     print(odometry.pose.pose.position.x)

Types are found as `tandem ros` finds them: compiled in, described by a node that uses them, or installed. Messages are
given as dicts (or as ros.Message) and received as ros.Message; fields that are not named keep their defaults. Only this
computer is reached unless `discovery="subnet"`, or the ROS environment variables, say otherwise.

Callbacks run in one thread of the node, one at a time; an exception in one is logged and the next message goes on.
Nodes that are still open when Python exits are closed then.
"""
from __future__ import annotations

import atexit
import logging
import threading
import time
import uuid
import weakref
from typing import Any, Callable, Iterator, NamedTuple

from tandem import _tandem
from tandem._messages import Message, as_dict
from tandem.errors import RobotError

__all__ = ["ActionResult", "Message", "Node", "Publisher", "RosError", "Subscription", "as_dict"]

_logger = logging.getLogger("tandem.ros")
_open_nodes: weakref.WeakSet[Node] = weakref.WeakSet()
_STATUS = {4: "succeeded", 5: "canceled", 6: "aborted"}


class RosError(RobotError):
    """What was asked for did not happen: no such service, no answer, a rejected goal. `fault` is one word for code."""


class ActionResult(NamedTuple):
    """How a goal ended."""

    status: str  # succeeded, canceled or aborted
    result: Message


class Publisher:
    """Made by Node.publisher."""

    def __init__(self, node: Node, topic: str, ros_type: Any, id_: int) -> None:
        self._node, self._type, self._id = node, ros_type, id_
        self.topic, self.type = topic, ros_type.name

    def publish(self, message: Any = None, **fields: Any) -> None:
        """A dict, a Message, or the fields by name: publish({"data": 1.5}), publish(data=1.5).

        A std_msgs/Header may be "auto" and a builtin_interfaces/Time "now". ValueError names the field that is wrong.
        """
        if message is not None and fields:
            raise ValueError(f"{self.topic}: expected a message or fields by name, got both")
        self._node._raw.publish(self._id, self._type.encode(fields if message is None else message))

    @property
    def subscribers(self) -> int:
        """Subscriptions that a message published now reaches."""
        return self._node._raw.reached(self._id)[1]

    def wait_for_subscribers(self, count: int = 1, timeout: float = 5.0) -> int:
        """Waits until there are so many, and all that are known hear us. RosError when they do not come."""
        deadline = time.monotonic() + timeout
        while True:
            matched, reached = self._node._raw.reached(self._id)
            if matched >= count and reached >= matched:
                return reached
            if time.monotonic() > deadline:
                self._node._report()
                raise RosError(f"{self.topic}: expected {count} subscriptions within {timeout} s, got {matched}", "timeout")
            time.sleep(0.01)

    def wait_until_received(self, timeout: float = 5.0) -> bool:
        """Whether all reliable subscriptions have acknowledged everything within the timeout."""
        return self._node._raw.acknowledged(self._id, timeout)

    def close(self) -> None:
        """Ends it."""
        self._node._drop(self._id)

    def __repr__(self) -> str:
        return f"Publisher({self.topic!r}, {self.type!r})"


class Subscription:
    """Made by Node.subscribe. Without a callback its messages are kept (the newest `depth`) for take() and iteration."""

    def __init__(self, node: Node, topic: str, ros_type: Any, callback: Callable[[Message], None] | None, depth: int):
        self._node, self._type, self._callback, self._depth = node, ros_type, callback, depth
        self.topic, self.type = topic, ros_type.name
        self._id = 0
        self._there = threading.Condition()
        self._kept: list[Message] = []
        self._closed = False
        self.received = 0  # messages so far

    def take(self, timeout: float = 5.0) -> Message:
        """The oldest message that is kept, or the next one. RosError when none comes within the timeout."""
        deadline = time.monotonic() + timeout
        with self._there:
            while not self._kept:
                left = deadline - time.monotonic()
                if self._closed or left <= 0:
                    why = "the subscription is closed" if self._closed else f"no message within {timeout} s"
                    raise RosError(f"{self.topic}: {why}", "closed" if self._closed else "timeout")
                self._there.wait(min(left, 0.2))  # Ctrl-C is seen between
            return self._kept.pop(0)

    def __iter__(self) -> Iterator[Message]:
        """Messages as they come, until the subscription is closed."""
        while not self._closed:
            try:
                yield self.take(0.5)
            except RosError:
                continue

    @property
    def publishers(self) -> int:
        """Publishers that are heard."""
        return self._node._raw.heard(self._id)

    def close(self) -> None:
        """Ends it; may be called from its callback."""
        self._closed = True
        self._node._drop(self._id)

    def _deliver(self, cdr: bytes) -> None:
        if self._closed:
            return
        message = self._type.decode(cdr)
        self.received += 1
        if self._callback is not None:
            self._callback(message)
            return
        with self._there:
            self._kept.append(message)
            del self._kept[: -self._depth]
            self._there.notify()

    def __repr__(self) -> str:
        return f"Subscription({self.topic!r}, {self.type!r}, received={self.received})"


class Node:
    """A node on ROS 2's DDS, with parameters, /rosout and descriptions of its types.

    domain: default ROS_DOMAIN_ID, else 0. discovery: "localhost" or "subnet"; default: as the ROS environment variables
    say, else this computer only.
    """

    def __init__(
        self, name: str = "tandem_python", namespace: str = "/", domain: int | None = None, discovery: str | None = None
    ) -> None:
        if discovery not in (None, "localhost", "subnet"):
            raise ValueError(f"discovery: expected 'localhost' or 'subnet', got {discovery!r}")
        self._raw = _tandem.RosNode(name, namespace, domain, discovery or "")
        self.name: str = self._raw.name
        self.domain: int = self._raw.domain
        self._namespace = namespace
        self._subscriptions: dict[int, Subscription] = {}
        self._clients: dict[tuple[str, str], tuple[int, Any, Any]] = {}
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()
        _open_nodes.add(self)

    # Topics

    def publisher(
        self, topic: str, type: str, reliable: bool = True, latched: bool = False, depth: int = 10
    ) -> Publisher:
        """type: "std_msgs/msg/String" or "std_msgs/String". latched: late subscriptions get the last message."""
        topic = self._full(topic)
        ros_type = self._find(_tandem.ros_type_name(type, "msg"))
        return Publisher(self, topic, ros_type, self._raw.advertise(topic, ros_type, reliable, latched, depth))

    def publish(self, topic: str, type: str, message: Any, timeout: float = 5.0) -> None:
        """One message, once somebody hears it: for scripts that end afterwards."""
        publisher = self.publisher(topic, type)
        try:
            publisher.wait_for_subscribers(1, timeout)
            publisher.publish(message)
            publisher.wait_until_received(timeout)
        finally:
            publisher.close()

    def subscribe(
        self,
        topic: str,
        callback: Callable[[Message], None] | None = None,
        type: str | None = None,
        reliable: bool | None = None,
        latched: bool = False,
        depth: int = 100,
        timeout: float = 5.0,
    ) -> Subscription:
        """Without a type: that of the publishers, which are waited for up to the timeout. Without `reliable`: whatever
        hears all publishers that are there."""
        topic = self._full(topic)
        name = _tandem.ros_type_name(type, "msg") if type else self._published_type(topic, timeout)
        ros_type = self._find(name)
        subscription = Subscription(self, topic, ros_type, callback, depth)
        with self._lock:  # what comes at once waits for its subscription
            subscription._id = self._raw.subscribe(topic, ros_type, reliable, latched, depth)
            self._subscriptions[subscription._id] = subscription
            if self._thread is None:
                self._thread = threading.Thread(target=_serve, args=(weakref.ref(self),), name=self.name, daemon=True)
                self._thread.start()
        return subscription

    def wait_for_message(self, topic: str, type: str | None = None, timeout: float = 5.0) -> Message:
        """The next message of a topic."""
        deadline = time.monotonic() + timeout
        subscription = self.subscribe(topic, None, type, timeout=timeout)
        try:
            return subscription.take(max(0.05, deadline - time.monotonic()))
        finally:
            subscription.close()

    # Services and actions

    def call(self, service: str, type: str, request: Any = None, timeout: float = 5.0, idempotent: bool = False) -> Message:
        """The service's answer. RosError when there is no such service, or no answer within the timeout.

        idempotent: the request may reach the server twice, and is sent again when it seems lost.
        """
        service = self._full(service)
        name = _tandem.ros_type_name(type, "srv")
        self._expect(service, name, self.services())
        id_, asked, answered = self._client(service, name)
        data = asked.encode({} if request is None else request)
        deadline = time.monotonic() + timeout
        self._await(service, name, id_, deadline)
        return answered.decode(self._call(id_, data, max(0.05, deadline - time.monotonic()), idempotent))

    def send_goal(
        self,
        action: str,
        type: str,
        goal: Any = None,
        feedback: Callable[[Message], None] | None = None,
        timeout: float = 5.0,
        result_timeout: float = 3600.0,
    ) -> ActionResult:
        """Sends a goal and waits for its result; Ctrl-C cancels it.

        timeout: until the goal is accepted. RosError when there is no such action, or it rejects the goal.
        """
        action = self._full(action)
        name = _tandem.ros_type_name(type, "action")
        goal_id = {"uuid": uuid.uuid4().bytes}
        send, asked, accepted = self._client(f"{action}/_action/send_goal", f"{name}_SendGoal", name)
        fetch, wanted, result = self._client(f"{action}/_action/get_result", f"{name}_GetResult", name)
        data = asked.encode({"goal_id": goal_id, "goal": {} if goal is None else goal})
        heard = None
        if feedback is not None:
            hear = feedback

            def mine(message: Message) -> None:
                if bytes(message.goal_id.uuid) == goal_id["uuid"]:
                    hear(message.feedback)

            heard = self.subscribe(f"{action}/_action/feedback", mine, f"{name}_FeedbackMessage", reliable=True)
        try:
            deadline = time.monotonic() + timeout
            self._await(action, name, send, deadline, "action")
            self._await(action, name, fetch, deadline, "action")
            answer = accepted.decode(self._call(send, data, max(0.05, deadline - time.monotonic()), False))
            if not answer.accepted:
                raise RosError(f"{action}: the goal was rejected", "refused")
            try:
                done = result.decode(self._call(fetch, wanted.encode({"goal_id": goal_id}), result_timeout, True))
            except BaseException:
                self._cancel(action, goal_id)
                raise
            return ActionResult(_STATUS.get(done.status, str(done.status)), done.result)
        finally:
            if heard is not None:
                heard.close()

    # The graph

    def topics(self) -> dict[str, list[str]]:
        """Topics of other nodes, and their types."""
        return dict(self._raw.topics())

    def services(self) -> dict[str, list[str]]:
        """Services of other nodes, and their types."""
        return dict(self._raw.services())

    def actions(self) -> dict[str, list[str]]:
        """Actions of other nodes, and their types."""
        return dict(self._raw.actions())

    def nodes(self) -> list[str]:
        """Full names of all nodes, this one among them."""
        return self._raw.nodes()

    def type_text(self, type: str) -> str:
        """What a type consists of, as .msg files have it."""
        return self._find(_tandem.ros_type_name(type, "msg")).text

    # Its life

    def close(self) -> None:
        """Ends everything of this node; may be called from a callback."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            thread, self._thread = self._thread, None
        for subscription in list(self._subscriptions.values()):
            subscription._closed = True
        self._raw.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        self._subscriptions.clear()

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if "_lock" in self.__dict__:
            self.close()

    def __repr__(self) -> str:
        return f"Node({self.name!r}, domain={self.domain}{', closed' if self._closed else ''})"

    def _repr_html_(self) -> str:
        if self._closed:
            return f"<b>{self.name}</b> closed"
        rows = "".join(f"<tr><td>{name}</td><td>{', '.join(types)}</td></tr>" for name, types in self.topics().items())
        return f"<b>{self.name}</b>, domain {self.domain}<table><tr><th>topic</th><th>type</th></tr>{rows}</table>"

    # Within

    def _full(self, name: str) -> str:
        if name.startswith("/"):
            return name
        if name.startswith("~"):
            return self.name + name[1:]
        return f"{self._namespace.rstrip('/')}/{name}"

    def _find(self, name: str, whole: str = "") -> Any:
        try:
            found, remarks = self._raw.find_type(name, whole)
        except RobotError as wrong:
            raise RosError(str(wrong), wrong.fault) from None
        for remark in remarks:
            _logger.warning("%s", remark)
        return found

    def _published_type(self, topic: str, timeout: float) -> str:
        deadline = time.monotonic() + timeout
        while True:
            types = self.topics().get(topic, [])
            if len(types) == 1:
                return types[0]
            if len(types) > 1:
                raise RosError(f"{topic}: has more than one type, {', '.join(types)}: give one of them", "invalid")
            if time.monotonic() > deadline:
                known = ", ".join(list(self.topics())[:10]) or "none"
                raise RosError(f"{topic}: no such topic within {timeout} s (known: {known}); give its type to wait for it", "not_found")
            time.sleep(0.05)

    def _client(self, service: str, name: str, whole: str = "") -> tuple[int, Any, Any]:
        known = self._clients.get((service, name))
        if known is None:
            asked, answered = (self._find(f"{name}{part}", whole or name) for part in ("_Request", "_Response"))
            with self._lock:  # of two threads that ask at once one makes it
                if (service, name) not in self._clients:
                    self._clients[service, name] = (self._raw.client(service, name, asked, answered), asked, answered)
                known = self._clients[service, name]
        return known

    @staticmethod
    def _expect(shown: str, name: str, known: dict[str, list[str]]) -> None:
        there = known.get(shown)
        if there and name not in there:
            raise RosError(f"{shown}: expected {', '.join(there)}, the type that it has, got {name}", "invalid")

    def _await(self, shown: str, name: str, id_: int, deadline: float, what: str = "service") -> None:
        while not self._raw.ready(id_):
            self._expect(shown, name, self.services() if what == "service" else self.actions())
            if time.monotonic() > deadline:
                raise RosError(f"{shown}: no such {what}; is its node running, and on domain {self.domain}?", "not_found")
            time.sleep(0.01)

    def _call(self, id_: int, data: bytes, timeout: float, idempotent: bool) -> bytes:
        try:
            return self._raw.call(id_, data, timeout, idempotent)
        except RobotError as wrong:
            raise RosError(str(wrong), wrong.fault) from None

    def _cancel(self, action: str, goal_id: dict[str, bytes]) -> None:
        try:
            self.call(f"{action}/_action/cancel_goal", "action_msgs/srv/CancelGoal", {"goal_info": {"goal_id": goal_id}}, 2)
        except (RobotError, ValueError) as wrong:
            _logger.warning("%s: the goal could not be canceled: %s", action, wrong)

    def _report(self) -> None:
        """What DDS has to say: qualities of service that do not match, samples that could not be read."""
        try:
            for text in self._raw.events():
                _logger.warning("%s", text)
        except RobotError:
            pass  # closed meanwhile

    def _drop(self, id_: int) -> None:
        self._subscriptions.pop(id_, None)
        self._raw.drop(id_)


def _serve(node_ref: weakref.ref[Node]) -> None:
    """The node's thread: hands out what has arrived. It does not keep the node alive."""
    while True:
        node = node_ref()
        if node is None or node._closed:
            return
        raw, subscriptions, lock = node._raw, node._subscriptions, node._lock
        del node
        arrival = raw.take(0.1)
        if arrival is None:
            if (node := node_ref()) is not None and not node._closed:
                node._report()
            continue
        with lock:
            subscription = subscriptions.get(arrival[0])
        if subscription is None:
            continue
        try:
            subscription._deliver(arrival[1])
        except Exception:
            _logger.exception("%s: the callback raised", subscription.topic)
        del subscription


@atexit.register
def _close_all() -> None:
    for node in list(_open_nodes):
        node.close()
