// Joins the parts of a running agent: the link to the server, scans, and requests inside the site.
import type { ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import { createHostReader } from './collect/read-host.ts';
import { wsmanPort } from './collect/windows/read-by-wsman.ts';
import { findAbilities } from './discover/abilities.ts';
import { createScanners } from './discover/installed-scanners.ts';
import { createReverseLookup, type ReverseLookup } from './discover/reverse-names.ts';
import { AgentLink, type LinkDeps } from './link/agent-link.ts';
import { sendRequest } from './link/http-request.ts';
import { type Log, reasonOf } from './log.ts';
import { PacketRate, Slots, systemTiming } from './pace.ts';
import type { ScanSite } from './scan/active-scan.ts';
import { onLinkRanges } from './scan/estimate.ts';
import { ScanManager } from './scan/scan-manager.ts';
import { ScanSpool } from './scan/scan-spool.ts';
import { type Credential, credentialsFor } from './settings/credential-files.ts';
import type { Settings } from './settings/settings.ts';
import { countAddresses, includesAddress, intersect } from './site/ipv4-ranges.ts';
import { ownNetworks } from './site/own-networks.ts';
import { KnownHosts } from './state/known-hosts.ts';

export interface AgentDeps {
  settings: Settings;
  credentials: readonly Credential[];
  readToken: LinkDeps['readToken'];
  log: Log;
  lookup?: ReverseLookup;
  linkLimits?: LinkDeps['limits'];
}

/** Requests that are sent at the same time; further ones are not answered in time anyway. */
const maxRequests = 32;

/** Runs until the signal aborts. Unfinished scans stay in the state folder. */
export async function runAgent(
  { settings, credentials, readToken, log, ...deps }: AgentDeps,
  signal: AbortSignal,
): Promise<void> {
  const timing = systemTiming;
  const now = Date.now;
  const lookup = deps.lookup ?? (settings.scan.resolveNames ? createReverseLookup() : async () => []);
  const abilities = findAbilities(settings.scan.discover);
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
      ...{ credentials, lookup, now },
      hostKeys: settings.scan.hostKeys === 'any' ? undefined : new KnownHosts(settings.stateFolder),
    }),
    ...{ timing, now, log },
  };
  const requests = new Slots(maxRequests);
  const working = new Set<Promise<unknown>>();
  const answer = async (order: Extract<ServerMessage, { type: 'request' }>) => {
    link.send(await requests.run(() => sendRequest(order, settings.requests, signal)));
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
  }
}
