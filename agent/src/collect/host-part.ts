import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';

export type Evidence = NonNullable<ScannedHostInput['evidence']>[number];

/** What reading through one protocol adds to a host. */
export interface HostPart {
  fields: Partial<ScannedHostInput>;
  /** Groups that were read, even if they are empty. */
  groups: Evidence['group'][];
  source: Evidence['source'];
  /** IPv4 addresses that the host itself told. */
  ownAddresses: { addr: string; subnet?: string }[];
  /** What identifies the machine, each with a prefix for its kind. */
  identities: string[];
}
