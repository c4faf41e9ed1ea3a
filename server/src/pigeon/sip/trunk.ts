// One trunk: where it is, whether it is available, and its account.
import { isIP } from 'node:net';
import { type Detail, detailText } from '../../common/detail.ts';
import type { AgentContext } from './agent-context.ts';
import { Credentials } from './digest.ts';
import { parseHostPort } from './header-values.ts';
import { type Endpoint, plainAddress } from './network.ts';
import { resolveEndpoints } from './resolve.ts';
import type { Flow } from './transport.ts';
import type { TrunkOptions, TrunkStatus } from './user-agent.ts';

/** Milliseconds for which resolved addresses are used. */
const resolvedForMs = 60_000;
/** Milliseconds for which requests are accepted from an address that is no longer found: longer than a call lasts. */
const formerAddressMs = 3_600_000;
/** Longest time for which a trunk is skipped because it answered with Retry-After, in seconds. */
const maxSkipSeconds = 300;

export class Trunk {
  readonly options: TrunkOptions;
  readonly credentials: Credentials;
  /** User of Contact, by which calls of several trunks at one address are told apart. */
  readonly user: string;
  /** Something failed on the trunk: its monitor should look. */
  onFailure: () => void = () => {};
  private readonly context: AgentContext;
  private status: TrunkStatus;
  /** False until an attempt showed whether the trunk is available. */
  private known = false;
  private skipUntil = 0;
  private endpoints: Endpoint[] = [];
  private resolvedAt = Number.NEGATIVE_INFINITY;
  /** Until when requests of an address are accepted; without end for the options and the last lookup. */
  private readonly allowedUntil = new Map<string, number>();
  private connection: Flow | undefined;
  /** Earlier connections, over which calls may still go on. */
  private readonly superseded = new Set<Flow>();
  private connecting: Promise<Flow> | undefined;

  constructor(context: AgentContext, options: TrunkOptions) {
    this.context = context;
    this.options = options;
    this.user = options.user || options.callerId;
    this.credentials = new Credentials(options.user, options.password, context.random);
    this.allow([]);
    this.status = {
      name: options.name,
      state: options.registers ? 'unregistered' : 'unreachable',
      since: context.clock.now(),
      detail: '',
    };
  }

  /** Whether requests from that address are taken as those of the trunk. */
  allows(address: string): boolean {
    return (this.allowedUntil.get(address) ?? 0) > this.context.clock.now();
  }

  /** Whether calls should be tried here before trunks that are not available. */
  get available(): boolean {
    const { state } = this.status;
    const up = !this.known || state === 'registered' || state === 'reachable';
    return up && this.context.clock.now() >= this.skipUntil;
  }

  statusNow(): TrunkStatus {
    return { ...this.status };
  }

  setAvailable(available: boolean, detail: Detail): void {
    const { registers, name } = this.options;
    const state = registers
      ? available
        ? 'registered'
        : 'unregistered'
      : available
        ? 'reachable'
        : 'unreachable';
    const changed = state !== this.status.state || !this.known;
    this.known = true;
    this.status = { name, state, detail, since: changed ? this.context.clock.now() : this.status.since };
    if (!changed) return;
    const level = available ? 'info' : 'warn';
    this.context.log({
      level,
      message: 'state of a SIP trunk changed',
      trunk: name,
      state,
      detail: detailText(detail),
    });
  }

  /** A call got no response over that flow; undefined if there was none. */
  failed(detail: Detail, flow: Flow | undefined): void {
    this.setAvailable(false, detail);
    this.forget(flow);
    this.onFailure();
  }

  /** The trunk asked not to be called for some time. */
  skipFor(seconds: number): void {
    const until = this.context.clock.now() + Math.min(seconds, maxSkipSeconds) * 1000;
    this.skipUntil = Math.max(this.skipUntil, until);
  }

  /** Looks the name up again. The flow that failed, if one was tried, is no longer used; its address comes last. */
  forget(flow: Flow | undefined): void {
    this.resolvedAt = Number.NEGATIVE_INFINITY;
    if (!flow) return;
    const failed = (endpoint: Endpoint) => isSame(endpoint, flow.remote);
    this.endpoints = [
      ...this.endpoints.filter((one) => !failed(one)),
      ...this.endpoints.filter((one) => failed(one)),
    ];
    if (this.connection !== flow) return;
    this.connection = undefined;
    this.superseded.add(flow);
  }

  /** Whether that was the connection for new requests. */
  connectionClosed(flow: Flow): boolean {
    this.superseded.delete(flow);
    if (this.connection !== flow) return false;
    this.connection = undefined;
    return true;
  }

  /** The way to the trunk; connects if necessary. Rejects if the name is unknown or nothing can be connected. */
  async flow(): Promise<Flow> {
    this.closeUnused();
    if (this.connection?.open) return this.connection;
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  /** Looks up the addresses, which are those from which requests are accepted. */
  async resolve(): Promise<void> {
    const { clock } = this.context;
    const { transport, host, port, outboundProxy } = this.options;
    if (clock.now() - this.resolvedAt < resolvedForMs) return;
    const proxy = outboundProxy === undefined ? undefined : parseHostPort(outboundProxy);
    const found = await resolveEndpoints(
      this.context,
      transport,
      proxy?.host ?? host,
      proxy ? proxy.port : port,
    );
    this.resolvedAt = clock.now();
    // Keeps the order in which they were tried.
    this.endpoints = [
      ...this.endpoints.filter((one) => found.some((other) => isSame(one, other))),
      ...found.filter((one) => !this.endpoints.some((other) => isSame(one, other))),
    ];
    this.allow(found);
  }

  /** Accepts requests of these addresses and of those in the options; of earlier ones for some time more. */
  private allow(found: readonly Endpoint[]): void {
    const { allowedAddresses = [] } = this.options;
    const now = this.context.clock.now();
    for (const [address, until] of this.allowedUntil) {
      if (until <= now) this.allowedUntil.delete(address);
      else this.allowedUntil.set(address, Math.min(until, now + formerAddressMs));
    }
    for (const address of [...allowedAddresses, ...found.map((one) => one.address)])
      this.allowedUntil.set(plainAddress(address), Number.POSITIVE_INFINITY);
  }

  /** Closes earlier connections over which no call goes on. */
  private closeUnused(): void {
    const { sessions, transactions } = this.context;
    for (const flow of this.superseded) {
      const isUsed =
        transactions.isWaitingOn(flow) || [...sessions.values()].some((session) => session.flow === flow);
      if (!isUsed) flow.close();
    }
  }

  private async connect(): Promise<Flow> {
    await this.resolve();
    const { transport: protocol, servername, ca, host, outboundProxy } = this.options;
    const { transport } = this.context;
    const proxy = outboundProxy === undefined ? undefined : parseHostPort(outboundProxy)?.host;
    const tls = { servername: servername ?? proxy ?? host, ca };
    let problem: unknown;
    for (const endpoint of [...this.endpoints]) {
      try {
        if (protocol === 'udp') return await transport.datagramFlow(endpoint);
        this.connection = await transport.connect(protocol, endpoint, tls);
        return this.connection;
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }
}

const isSame = (one: Endpoint, other: Endpoint) => one.address === other.address && one.port === other.port;

/** The problem with the options of a trunk; undefined if there is none. */
export function trunkProblem(options: TrunkOptions): string | undefined {
  const { name, host, port, domain, user, password, callerId, expiresSeconds } = options;
  const isHost = (value: string) => isIP(value) !== 0 || parseHostPort(value)?.host === value;
  if (name === '') return 'name is empty';
  if (!isHost(host)) return 'host is no name or address';
  if (!isHost(domain)) return 'domain is no name or address';
  if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535)) return 'port is invalid';
  if (options.outboundProxy !== undefined && !parseHostPort(options.outboundProxy)) {
    return 'outboundProxy is no host with a port';
  }
  if (/[^\x20-\x7e]/.test(user) || (user !== '' && !isUser(user))) return 'user has invalid characters';
  if (!isUser(callerId)) return 'callerId has invalid characters';
  if (/[\0\r\n]/.test(password)) return 'password has a line break';
  if (options.registers && user === '') return 'user is empty but the trunk registers';
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 1 || expiresSeconds > 86_400) {
    return 'expiresSeconds is not from 1 to 86400';
  }
  const address = options.allowedAddresses?.find((value) => isIP(value) === 0);
  return address === undefined ? undefined : 'allowedAddresses has something that is no address';
}

const isUser = (value: string) => /^[A-Za-z0-9+*._-]{1,64}$/.test(value);
