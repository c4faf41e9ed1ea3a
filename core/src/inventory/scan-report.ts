// What an agent reports about a scan besides hosts: phases, estimates, refusals and excluded networks.
import { z } from 'zod';

/** A short, stable code such as ECONNREFUSED or TIMEOUT. */
export const reportCode = () => z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/);
export const numberUpTo = (max: number) => z.int().min(0).max(max);

/** Maximum networks that an estimate names as excluded. */
export const maxExclusions = 1000;

/** Codes of refusals that have a text; agents may report others. */
export const refusalCodes = [
  'CONNECTION_CLOSED',
  'CREDENTIAL_LIMIT_REACHED',
  'CREDENTIAL_SET_ASIDE',
  'ENCRYPTION_REQUIRED',
  'HOST_KEY_CHANGED',
  'KEY_UNREADABLE',
  'LIST_TOO_LONG',
  'NOT_A_SHELL',
  'NO_COMMON_ALGORITHM',
  'SIGN_IN_FAILED',
  'SIGN_IN_METHOD_UNSUPPORTED',
  'SNMP_CLOCK',
  'SNMP_ERROR',
  'SNMP_LEVEL_REFUSED',
  'SNMP_MALFORMED',
  'SNMP_NO_ACCESS',
  'SNMP_OUT_OF_ORDER',
  'SNMP_SILENT',
  'SNMP_USER_UNKNOWN',
  'SNMP_WRONG_KEY',
  'SNMP_WRONG_PRIVACY',
  'TIMEOUT',
  'TOO_MUCH_OUTPUT',
  'UNREACHABLE',
  'WINRM_FAULT',
] as const;

/** Why the agent leaves out a network; agents may report other codes. */
export const exclusionReasons = [
  'FORBIDDEN_BY_SERVER',
  'FORBIDDEN_BY_SITE',
  'NOT_ALLOWED_BY_SERVER',
  'NOT_ALLOWED_BY_SITE',
  'SPECIAL_ADDRESS',
] as const;

/** Phases of a scan as reported by the agent. */
export const scanPhases = ['discover', 'collect'] as const;

/**
 * How a scan of more on-link addresses than the neighbor table of the agent's machine holds is made: by
 * `arp-scan`, by emptying the table after each part, or as slowly as the table empties itself.
 */
export const neighborTablePlans = ['arp-scan', 'flush', 'pace'] as const;
export type NeighborTablePlan = (typeof neighborTablePlans)[number];

/** What a scan with certain settings would send; returned by the agent without sending anything. */
export const scanEstimateShape = {
  /** Addresses to be probed. */
  addresses: numberUpTo(1e9),
  packets: numberUpTo(1e12),
  seconds: numberUpTo(1e9),
  /** Networks of the settings that are left out, and why. */
  excluded: z.array(z.object({ network: z.string().max(64), reason: reportCode() })).max(maxExclusions),
  /** The limits that apply, from the site's own policy and the pace of the settings. */
  limits: z
    .object({
      packetsPerSecond: numberUpTo(1e9).optional(),
      parallelHosts: numberUpTo(1e6).optional(),
      neighborTable: z.enum(neighborTablePlans).optional(),
    })
    .default({}),
};

/** How fast a scan may be; the site's policy may be slower. */
export const scanPaceShape = {
  packetsPerSecond: z.int().min(1).max(100_000).optional(),
  /** Hosts from which data is collected at the same time. */
  parallelHosts: z.int().min(1).max(64).optional(),
};
