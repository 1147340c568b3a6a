// SPDX-License-Identifier: Apache-2.0
// What `tandem fleet ... page` says to its page: the JSON of /tandem/fleet, and of the answer to a stop.
import type { Status } from '../wire';

export interface Clock {
  offset: number; // s, their clock minus ours
  uncertainty: number; // s
  round_trip: number; // s
  exchanges: number;
}

export interface Host {
  name: string;
  page: string; // its address, without a token
  reachable: boolean;
  error: string;
  control: boolean; // stop is allowed by the token that hosts.yaml names
  version: string;
  clock: Clock | null;
  status: Status | null;
}

export interface StopAnswer {
  ok: boolean;
  hosts: { name: string; ok: boolean; text: string }[];
}
