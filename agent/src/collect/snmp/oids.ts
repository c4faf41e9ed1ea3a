// Object identifiers of what is read.
import type { TableRequest } from './snmp-session.ts';

const mib2 = '1.3.6.1.2.1';
const lldp = '1.0.8802.1.1.2.1';
const cisco = '1.3.6.1.4.1.9.9';

/** Variables of the first request; devices answer without those that they do not have. */
export const scalars = {
  sysDescr: `${mib2}.1.1.0`,
  sysName: `${mib2}.1.5.0`,
  sysServices: `${mib2}.1.7.0`,
  ipForwarding: `${mib2}.4.1.0`,
  bridgeAddress: `${mib2}.17.1.1.0`,
  bridgePorts: `${mib2}.17.1.2.0`,
  hrUptime: `${mib2}.25.1.1.0`,
  hrMemorySize: `${mib2}.25.2.2.0`,
  engineId: '1.3.6.1.6.3.10.2.1.1.0',
  lldpChassis: `${lldp}.3.2.0`,
  cdpGlobalRun: `${cisco}.23.1.3.1.0`,
} as const;

export const tables = {
  ifTable: { entry: `${mib2}.2.2.1`, columns: [2, 6, 8], rows: 4096 },
  ifXTable: { entry: `${mib2}.31.1.1.1`, columns: [1, 18], rows: 4096 },
  ipAddr: { entry: `${mib2}.4.20.1`, columns: [2, 3], rows: 4096 },
  ipAddress: { entry: `${mib2}.4.34.1`, columns: [3, 4, 5, 6], rows: 4096 },
  ipNetToMedia: { entry: `${mib2}.4.22.1`, columns: [2, 4] },
  ipNetToPhysical: { entry: `${mib2}.4.35.1`, columns: [4, 6] },
  inetCidrRoutes: { entry: `${mib2}.4.24.7.1`, columns: [7, 8, 9, 12], rows: 4096 },
  cidrRoutes: { entry: `${mib2}.4.24.4.1`, columns: [5, 6, 7, 11], rows: 4096 },
  oldRoutes: { entry: `${mib2}.4.21.1`, columns: [2, 3, 7, 8, 9, 11], rows: 4096 },
  entities: { entry: `${mib2}.47.1.1.1.1`, columns: [5, 8, 9, 10, 11, 12, 13], rows: 2000 },
  basePorts: { entry: `${mib2}.17.1.4.1`, columns: [2], rows: 4096 },
  forwarding: { entry: `${mib2}.17.4.3.1`, columns: [2, 3] },
  qForwarding: { entry: `${mib2}.17.7.1.2.2.1`, columns: [2, 3] },
  qVlans: { entry: `${mib2}.17.7.1.4.2.1`, columns: [3], rows: 4096 },
  vtpVlans: { entry: `${cisco}.46.1.3.1.1`, columns: [2], rows: 4096 },
  lldpLocalPorts: { entry: `${lldp}.3.7.1`, columns: [2, 3, 4], rows: 4096 },
  lldpRemotes: { entry: `${lldp}.4.1.1`, columns: [4, 5, 6, 7, 8, 9], rows: 2048 },
  lldpAddresses: { entry: `${lldp}.4.2.1`, columns: [3], rows: 4096 },
  lldpVlans: { entry: `${lldp}.5.32962.1.3.1.1`, columns: [1], rows: 2048 },
  cdpCache: { entry: `${cisco}.23.1.2.1.1`, columns: [3, 4, 6, 7, 11], rows: 2048 },
  hrDevices: { entry: `${mib2}.25.3.2.1`, columns: [2, 3], rows: 4096 },
  hrDisks: { entry: `${mib2}.25.3.6.1`, columns: [3, 4], rows: 4096 },
  hrInstalled: { entry: `${mib2}.25.6.3.1`, columns: [2], rows: 10_000 },
  tcpListeners: { entry: `${mib2}.6.20.1`, columns: [4], rows: 4096 },
  tcpConnections: { entry: `${mib2}.6.13.1`, columns: [1] },
  udpEndpoints: { entry: `${mib2}.7.7.1`, columns: [8] },
  udpListeners: { entry: `${mib2}.7.5.1`, columns: [2], rows: 4096 },
} as const satisfies Record<string, TableRequest>;
export type TableName = keyof typeof tables;

/** Name of a running process; the process id follows. */
export const hrRunName = `${mib2}.25.4.2.1.2`;
