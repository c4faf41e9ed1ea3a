// Joins the parts of a running agent: the links to the server, scans, requests inside the site, and remote sessions.
import { setFlagsFromString } from 'node:v8';
import { growHeapFurther } from '@yagura/core/greac/stream/heap-growth';
import type { KrokerFile } from '@yagura/core/kroker/machine-setup';
import { importKrokerKey } from '@yagura/core/kroker/open-credential';
import type { ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import { Slots } from '@yagura/core/live/slots';
import { readOwnMachine } from './collect/own-machine.ts';
import { createHostReader } from './collect/read-host.ts';
import { wsmanPort } from './collect/windows/read-by-wsman.ts';
import { findAbilities } from './discover/abilities.ts';
import { createScanners } from './discover/installed-scanners.ts';
import { createReverseLookup, type ReverseLookup } from './discover/reverse-names.ts';
import { AgentLink, type LinkDeps } from './link/agent-link.ts';
import { GatewayLink } from './link/gateway-link.ts';
import { deadlineOf, sendRequest } from './link/http-request.ts';
import { type Log, reasonOf } from './log.ts';
import { PacketRate, systemTiming } from './pace.ts';
import type { ScanSite } from './scan/active-scan.ts';
import { onLinkRanges } from './scan/estimate.ts';
import { ScanManager } from './scan/scan-manager.ts';
import { ScanSpool } from './scan/scan-spool.ts';
import { Gateway, type GatewayLimits } from './session/gateway.ts';
import { LogSpool } from './session/recording/log-spool.ts';
import { loadSigningKey } from './session/recording/signing-key.ts';
import { HostKeyFile } from './session/ssh/host-keys.ts';
import { type Credential, credentialsFor } from './settings/credential-files.ts';
import type { Settings } from './settings/settings.ts';
import { countAddresses, includesAddress, intersect, toRanges } from './site/ipv4-ranges.ts';
import { createOwnNetworks } from './site/own-networks.ts';
import { CredentialUseLog } from './state/credential-uses.ts';
import { KnownHosts } from './state/known-hosts.ts';

export interface AgentDeps {
  settings: Settings;
  credentials: readonly Credential[];
  /** Token of the Ksocket; absent without that role. */
  readToken?: LinkDeps['readToken'];
  /** Key and token of the Kroker; absent without that role. */
  readKey?: () => Promise<KrokerFile>;
  log: Log;
  lookup?: ReverseLookup;
  linkLimits?: LinkDeps['limits'];
  sessionLimits?: Partial<GatewayLimits>;
}

/** Requests that are sent at the same time. */
const maxRequests = 32;

/** Runs the roles that are set up until the signal aborts. Unfinished work stays in the state folder. */
export async function runAgent(deps: AgentDeps, signal: AbortSignal): Promise<void> {
  const { readToken, readKey } = deps;
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const roles = [
    ...(readToken ? [runKsocket(deps, readToken, either)] : []),
    ...(readKey ? [runGateway(deps, readKey, either)] : []),
  ];
  // If one role cannot run, the other one ends properly before the error is reported.
  for (const role of roles) role.catch((error) => failed.abort(error));
  const [first] = (await Promise.allSettled(roles)).filter(({ status }) => status === 'rejected');
  if (first?.status === 'rejected') throw first.reason;
}

/** Whether an address is one of the `ssh.legacyHosts`. */
function legacySshHosts({ ssh }: AgentDeps['settings']): (address: string) => boolean {
  const ranges = toRanges(ssh.legacyHosts);
  return (address) => includesAddress(ranges, address);
}

/** The Kroker role: remote sessions. */
async function runGateway(
  { settings, log, ...deps }: AgentDeps,
  readKey: NonNullable<AgentDeps['readKey']>,
  signal: AbortSignal,
): Promise<void> {
  const { stateFolder, url, sessions } = settings;
  const now = Date.now;
  growHeapFurther(setFlagsFromString);
  let gateway: Gateway;
  const link = new GatewayLink(
    {
      readToken: async () => (await readKey()).token,
      ...{ url, log, now, timing: systemTiming, random: Math.random },
    },
    {
      hello: () => gateway.hello(),
      onReady: (serverTime) => gateway.onReady(serverTime),
      onOrder: (order) => gateway.onOrder(order),
      onClosed: () => gateway.onClosed(),
    },
  );
  gateway = new Gateway({
    key: await importKrokerKey(await readKey()),
    policy: sessions,
    hostKeys: new HostKeyFile(stateFolder),
    isLegacySsh: legacySshHosts(settings),
    spool: new LogSpool(stateFolder),
    stateFolder,
    signingKey: await loadSigningKey(stateFolder),
    limits: deps.sessionLimits,
    ...{ link, log, now },
  });
  await gateway.start();
  const linkEnd = new AbortController();
  const stop = () =>
    void gateway
      .stop()
      .catch((error) => log({ level: 'error', message: 'sessions were not ended', reason: reasonOf(error) }))
      .finally(() => linkEnd.abort());
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await link.run(linkEnd.signal);
  } finally {
    await gateway.close();
  }
}

/** The Ksocket role: scans and requests inside the site. */
async function runKsocket(
  { settings, credentials, log, ...deps }: AgentDeps,
  readToken: NonNullable<AgentDeps['readToken']>,
  signal: AbortSignal,
): Promise<void> {
  const timing = systemTiming;
  const now = Date.now;
  const lookup = deps.lookup ?? (settings.scan.resolveNames ? createReverseLookup() : async () => []);
  const uses = new CredentialUseLog({ stateFolder: settings.stateFolder, now, log });
  const abilities = findAbilities(settings.scan.discover);
  const ownNetworks = createOwnNetworks(timing.now);
  const site: ScanSite = {
    policy: settings.scan,
    rate: new PacketRate(settings.scan.packetsPerSecond, timing),
    hostSlots: new Slots(settings.scan.parallelHosts),
    ...{ abilities, scanners: createScanners(abilities, log) },
    countOnLink: (ranges) => countAddresses(intersect(ranges, onLinkRanges(ownNetworks()))),
    interfaceOf: (address) =>
      ownNetworks().find((own) => includesAddress(onLinkRanges([own]), address))?.ifname,
    ownMacaddr: (address) => ownNetworks().find((own) => own.address === address)?.macaddr,
    credentialPorts: (address) => [
      ...credentialsFor(credentials, 'ssh', address).map(({ port }) => port),
      ...credentialsFor(credentials, 'winrm', address).map(wsmanPort),
    ],
    readHost: createHostReader({
      ...{ credentials, lookup, now, uses },
      hostKeys: settings.scan.hostKeys === 'any' ? undefined : new KnownHosts(settings.stateFolder),
      ...(settings.scan.readOwnMachine ? { readOwn: readOwnMachine } : {}),
      isLegacySsh: legacySshHosts(settings),
    }),
    ...{ timing, now, log },
  };
  const requests = new Slots(maxRequests);
  const working = new Set<Promise<unknown>>();
  const answer = async (order: Extract<ServerMessage, { type: 'request' }>) => {
    // Counted from here: a request may have to wait for others.
    const timeout = deadlineOf(order);
    link.send(await requests.run(() => sendRequest(order, settings.requests, signal, { timeout })));
  };
  const link: AgentLink = new AgentLink(
    { url: settings.url, readToken, log, timing, random: Math.random, now, limits: deps.linkLimits },
    {
      scanning: () => scans.scanning(),
      onReady: (protocol) => scans.onReady(protocol),
      onClosed: () => scans.onClosed(),
      onMessage(message) {
        if (message.type === 'welcome') return;
        if (message.type !== 'request') {
          scans.onMessage(message);
          return;
        }
        const work = answer(message)
          .catch((error) => log({ level: 'error', message: 'a request failed', reason: reasonOf(error) }))
          .finally(() => working.delete(work));
        working.add(work);
      },
    },
  );
  const scans = new ScanManager({ site, spool: new ScanSpool(settings.stateFolder), connection: link, log });
  await scans.start();
  try {
    await link.run(signal);
  } finally {
    await scans.close();
    await Promise.all(working);
    await uses.close();
  }
}
