// The SIP user agent: calls over trunks in order, and takes what the trunks send.
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type AgentContext, allowedMethods, newTag, runHandler, unknownExtensions } from './agent-context.ts';
import { dialogKey } from './dialog.ts';
import { parseNameAddress, parseUri, tagOf } from './header-values.ts';
import { TrunkIncomingCall } from './incoming-call.ts';
import {
  type Header,
  headerOf,
  isRequest,
  type MalformedMessage,
  parseMessage,
  printMessage,
  type SipMessage,
  type SipRequest,
} from './message.ts';
import { type Endpoint, type Network, systemNetwork } from './network.ts';
import { type Attempt, TrunkCall } from './outgoing-call.ts';
import { Registration } from './registration.ts';
import { responseTo, type ServerTransaction } from './server-transaction.ts';
import { isIntervalTooSmall, minSessionSeconds } from './session-timer.ts';
import { responsePort, Transactions } from './transactions.ts';
import { type Flow, Transport } from './transport.ts';
import { Trunk, trunkProblem } from './trunk.ts';
import type {
  HasAlternative,
  OutgoingCall,
  OutgoingCallEvents,
  TrunkStatus,
  UserAgent,
  UserAgentOptions,
} from './user-agent.ts';

/** Milliseconds to wait for the responses to BYE and CANCEL when closing. */
const finalRequestMs = 1000;
/** Milliseconds between two log lines about ignored messages. */
const ignoredLogMs = 60_000;

/** Throws if an option is invalid, naming it. */
export function createUserAgent(options: UserAgentOptions, network: Network = systemNetwork): UserAgent {
  const names = new Set<string>();
  for (const trunk of options.trunks) {
    const problem = names.has(trunk.name) ? 'name is used twice' : trunkProblem(trunk);
    if (problem) throw new Error(`SIP trunk "${trunk.name}": ${problem}`);
    names.add(trunk.name);
  }
  if (isIP(options.local.address) === 0) throw new Error('SIP: local address is invalid');
  if (options.public && isIP(options.public.address) === 0) throw new Error('SIP: public address is invalid');
  return new TrunkUserAgent(options, network);
}

class TrunkUserAgent implements UserAgent {
  private readonly options: UserAgentOptions;
  private readonly context: AgentContext;
  private readonly trunkList: readonly Trunk[];
  private readonly registrations: readonly Registration[];
  private readonly calls = new Set<{ close(): void }>();
  private ignored = 0;
  private nextIgnoredLog = 0;
  private closed = false;

  constructor(options: UserAgentOptions, network: Network) {
    const { clock, log, random = randomBytes, local, listen } = options;
    this.options = options;
    const transport = new Transport(
      { network, clock, log, local, listen, public: options.public },
      {
        isAllowed: (address) => this.trunkList.some((trunk) => trunk.allows(address)),
        received: (message, from) => this.received(message, from),
        malformed: (error, from) => this.refuseMalformed(error, from),
        ignored: (from) => this.countIgnored(from),
        connectionClosed: (flow) => this.connectionClosed(flow),
      },
    );
    const transactions = new Transactions(clock, () => newTag(this.context), {
      request: (transaction) => this.takeRequest(transaction),
      ack: (request) => this.sessionOf(request)?.acknowledged(request),
    });
    this.context = {
      ...{ clock, log, network, random, transport, transactions },
      family: isIP(local.address) === 6 ? 6 : 4,
      sessions: new Map(),
      finalRequests: new Set(),
    };
    this.trunkList = options.trunks.map((trunk) => new Trunk(this.context, trunk));
    this.registrations = this.trunkList.map((trunk) => new Registration(this.context, trunk));
  }

  get port(): number {
    return this.context.transport.port;
  }

  get ignoredMessages(): number {
    return this.ignored;
  }

  async start(): Promise<void> {
    await this.context.transport.start();
    for (const registration of this.registrations) registration.start();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const call of [...this.calls]) call.close();
    const { finalRequests, transport, transactions, clock } = this.context;
    await within(clock, finalRequestMs, () => finalRequests.size === 0, [...finalRequests]);
    await Promise.all(this.registrations.map((registration) => registration.close()));
    transactions.close();
    transport.close();
  }

  call(
    number: string | ((trunk: string) => string | null),
    sdp: string | ((contactAddress: string) => string),
    events: OutgoingCallEvents,
    id = '',
    hasAlternative?: HasAlternative,
  ): OutgoingCall {
    const attempts = (this.closed ? [] : this.inOrder()).map(
      (trunk): Attempt => ({
        trunk,
        number: () => (typeof number === 'string' ? number : number(trunk.options.name)),
      }),
    );
    const entry = { close: () => call.hangUp() };
    const describe = typeof sdp === 'string' ? () => sdp : sdp;
    const call = new TrunkCall(this.context, { attempts, describe, id, hasAlternative }, events, () =>
      this.calls.delete(entry),
    );
    this.calls.add(entry);
    call.start();
    return call;
  }

  trunks(): TrunkStatus[] {
    return this.trunkList.map((trunk) => trunk.statusNow());
  }

  isAddressOf(name: string, address: string): boolean {
    return this.trunkList.some((trunk) => trunk.options.name === name && trunk.allows(address));
  }

  /** Trunks that are available come first; the others are still tried. */
  private inOrder(): Trunk[] {
    return [
      ...this.trunkList.filter((trunk) => trunk.available),
      ...this.trunkList.filter((trunk) => !trunk.available),
    ];
  }

  private received(message: SipMessage, from: Flow): void {
    // Responses are found by a branch that cannot be guessed.
    if (!isRequest(message)) {
      this.context.transactions.receiveResponse(message);
      return;
    }
    if (!this.trunkList.some((trunk) => trunk.allows(from.remote.address))) {
      this.countIgnored(from.remote);
      return;
    }
    const port = from.transport === 'udp' ? responsePort(message, from) : from.remote.port;
    this.context.transactions.receiveRequest(message, this.context.transport.replyFlow(from, port));
  }

  private refuseMalformed(error: MalformedMessage, from: Flow): void {
    const { request } = error;
    if (!request || request.method === 'ACK') return;
    const response = printMessage(responseTo(request, 400, { tag: newTag(this.context) }));
    try {
      parseMessage(response);
    } catch {
      // The request lacks what every response repeats.
      return;
    }
    from.send(response, () => undefined);
  }

  private countIgnored(from: Endpoint): void {
    this.ignored += 1;
    const now = this.context.clock.now();
    if (now < this.nextIgnoredLog) return;
    this.nextIgnoredLog = now + ignoredLogMs;
    const { address, port } = from;
    this.context.log({
      ...{ level: 'warn', message: 'SIP messages that are not of a trunk were ignored' },
      ...{ address, port, total: this.ignored },
    });
  }

  private connectionClosed(flow: Flow): void {
    this.context.transactions.connectionClosed(flow);
    this.trunkList.forEach((trunk, index) => {
      if (trunk.connectionClosed(flow)) this.registrations[index]!.connectionClosed();
    });
  }

  private sessionOf(request: SipRequest) {
    const key = dialogKey(headerOf(request, 'Call-ID')!, tagOf(request, 'To'), tagOf(request, 'From'));
    return this.context.sessions.get(key);
  }

  private takeRequest(transaction: ServerTransaction): void {
    const { request } = transaction;
    const reply = (status: number, headers: Header[] = []) =>
      transaction.respond(responseTo(request, status, { tag: newTag(this.context), headers }));
    if (tagOf(request, 'To') !== '') {
      const session = this.sessionOf(request);
      if (session) session.receive(transaction);
      else reply(481);
      return;
    }
    const unknown = unknownExtensions(request);
    if (unknown.length > 0) {
      reply(420, [{ name: 'Unsupported', value: unknown.join(', ') }]);
      return;
    }
    switch (request.method) {
      case 'OPTIONS':
        reply(200, [
          { name: 'Allow', value: allowedMethods },
          { name: 'Accept', value: 'application/sdp' },
        ]);
        return;
      case 'INVITE':
        this.takeInvite(transaction, reply);
        return;
      case 'BYE':
      case 'INFO':
      case 'UPDATE':
      case 'PRACK':
      case 'NOTIFY':
        reply(481);
        return;
      case 'REFER':
        reply(603);
        return;
      default:
        reply(405, [{ name: 'Allow', value: allowedMethods }]);
        return;
    }
  }

  private takeInvite(
    transaction: ServerTransaction,
    reply: (status: number, headers?: Header[]) => void,
  ): void {
    const { onIncoming } = this.options;
    const { request, flow } = transaction;
    if (!onIncoming) {
      reply(603);
      return;
    }
    if (this.closed) {
      reply(480);
      return;
    }
    if (isIntervalTooSmall(request)) {
      reply(422, [{ name: 'Min-SE', value: String(minSessionSeconds) }]);
      return;
    }
    const called =
      parseUri(request.uri)?.user || parseUri(parseNameAddress(headerOf(request, 'To')!)?.uri ?? '')?.user;
    const candidates = this.trunkList.filter((trunk) => trunk.allows(flow.remote.address));
    const trunk = candidates.find(({ user }) => user === called) ?? candidates[0]!;
    const call = TrunkIncomingCall.from(this.context, trunk, transaction, (ended) =>
      this.calls.delete(ended),
    );
    if (!call) return;
    this.calls.add(call);
    runHandler(this.context, () => onIncoming(call));
  }
}

/** Waits until all promises are settled, but no longer than that. */
function within(
  clock: UserAgentOptions['clock'],
  milliseconds: number,
  isDone: () => boolean,
  promises: readonly Promise<unknown>[],
): Promise<void> {
  if (isDone()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = clock.after(milliseconds, resolve);
    void Promise.allSettled(promises).then(() => {
      stop();
      resolve();
    });
  });
}
