import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import type { LearnedMac } from '../read/arp.ts';

export type Evidence = NonNullable<ScannedHostInput['evidence']>[number];

/** What reading through one protocol adds to a host. */
export interface HostPart {
  fields: Partial<ScannedHostInput>;
  /** Groups that were read, even if they are empty. */
  groups: Evidence['group'][];
  source: Evidence['source'];
  /** Groups that were learned from the host in another way. */
  learnedBy?: readonly Pick<Evidence, 'group' | 'source' | 'unreadVlans'>[];
  /** IPv4 addresses that the host itself told. */
  ownAddresses: { addr: string; subnet?: string }[];
  /** What identifies the machine, each with a prefix for its kind. */
  identities: string[];
  /** The name that the host itself has. */
  hostname?: string;
  /** What the host was read through, if discovery does not find it. */
  service?: { name: string; port: number; proto: 'udp' };
  /** Machines in the networks of a router; absent if the host does not forward packets. */
  arp?: readonly LearnedMac[];
}
