// Manages the connections of gateways to this replica. A gateway has one connection; a new one replaces it.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  frameHeaderLength,
  gatewayPath,
  gatewaySubprotocol,
  streamLimits,
} from '@yagura/core/greac/stream/frame';
import {
  type GatewayHello,
  type GatewayReport,
  gatewayHeartbeatMs,
  gatewayTimeoutMs,
} from '@yagura/core/greac/stream/gateway-protocol';
import { closeCodes } from '@yagura/core/http/close-codes';
import { Problem } from '@yagura/core/http/problem';
import { kroker } from '@yagura/core/kroker/kroker';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import {
  type MessageWork,
  offeredSubprotocols,
  requirePermittedAddress,
  requireSubprotocol,
  type SocketGate,
} from '../http/socket-gate.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { Gateway, type GatewayHandlers } from './gateway.ts';
import {
  findKrokerToken,
  findValidConnections,
  type KrokerToken,
  refreshGateways,
  removeGateway,
  storeGateway,
  storeGatewayHello,
} from './gateway-store.ts';
import { hasKrokerLog, keepKroker, writeKrokerLog } from './kroker-log.ts';

export interface GatewayListener {
  /**
   * The gateway has said which sessions it holds. It may report as soon as it is welcomed, so `welcome` is called when
   * reports can be taken, and before any order.
   */
  onHello(gateway: Gateway, hello: GatewayHello, welcome: () => void): Promise<void>;
  onReport(gateway: Gateway, report: GatewayReport): MessageWork;
  onFrame: GatewayHandlers['onFrame'];
  /** The connection has ended. */
  onDisconnected(gateway: Gateway): void;
}

interface Connection {
  gateway: Gateway;
  socket: WebSocket;
  krokerId: string;
  tokenHash: Buffer;
  /** Address of the machine in the network. */
  address: string;
  lastMessageAt: number;
  isPermitted(): boolean;
}

interface Replaced {
  krokerId: string;
  connectionId: string;
}

const channel = 'yagura_gateway';
/** Interval in milliseconds at which connections that are no longer valid are closed. */
const checkIntervalMs = 2_000;
/** Two agents with one key replace each other many times an hour; the log names each address once in this time. */
const replacedLogMs = 60 * 60_000;
/** Maximum number of unknown message types logged per connection. */
const maxUnknownTypes = 20;

export class GatewayHub {
  private readonly deps: {
    database: Database;
    clock: Clock;
    log: Log;
    changes: ChangeBus;
    nextId: NextId;
    instance: string;
    addressOf(request: IncomingMessage): string;
    /** Address at which other replicas reach this one. */
    replicaUrl: string | null;
    /** A gateway has connected or is gone, so that it may have to be logged and notified. */
    onPresence(): Promise<void>;
  };
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: streamLimits.control + frameHeaderLength,
    perMessageDeflate: false,
    handleProtocols: () => gatewaySubprotocol,
  });
  private readonly connections = new Map<string, Connection>();
  private listener: GatewayListener | undefined;
  private readonly stops: (() => unknown)[] = [];
  private readonly jobs: PeriodicJob[];
  private readonly working = new Set<Promise<unknown>>();
  private readonly handlers: GatewayHandlers;

  constructor(deps: GatewayHub['deps']) {
    this.deps = deps;
    const { clock, log } = deps;
    const unknownTypes = new WeakMap<Gateway, Set<string>>();
    this.handlers = {
      onHello: (gateway, hello) => this.onHello(gateway, hello),
      onReport: (gateway, report) => this.listener!.onReport(gateway, report),
      onFrame: (gateway, frame) => this.listener!.onFrame(gateway, frame),
      onUnknown(gateway, type) {
        const known = unknownTypes.get(gateway) ?? new Set();
        unknownTypes.set(gateway, known);
        if (known.has(type) || known.size >= maxUnknownTypes) return;
        known.add(type);
        const message = 'a gateway sends messages of an unknown type';
        log({ level: 'warn', message, krokerId: gateway.krokerId, type: type.slice(0, 64) });
      },
      onFailure: ({ krokerId }, error) =>
        log({ level: 'warn', message: 'a message of a gateway failed', krokerId, ...errorFields(error) }),
      track: (work) => this.track(work),
    };
    this.jobs = [
      new PeriodicJob({
        ...{ clock, log },
        intervalMs: gatewayHeartbeatMs,
        failureMessage: 'the heartbeats of gateways could not be recorded',
        work: () => this.heartbeat(),
      }),
      new PeriodicJob({
        ...{ clock, log },
        intervalMs: checkIntervalMs,
        failureMessage: 'the tokens of gateways could not be checked',
        work: () => this.closeRevoked(),
      }),
    ];
  }

  async start(listener: GatewayListener): Promise<void> {
    const { database } = this.deps;
    this.listener = listener;
    if (database.kind === 'embedded') await database.query('delete from kroker_connection');
    this.stops.push(
      await database.listen(channel, (payload) => this.onReplaced(JSON.parse(payload) as Replaced)),
    );
    for (const job of this.jobs) job.start();
  }

  async close(): Promise<void> {
    for (const stop of this.stops.splice(0)) await stop();
    for (const job of this.jobs) await job.close();
    const open = [...this.connections.values()];
    for (const { socket } of open) socket.close(1001, 'the server stops');
    await this.settled();
    for (const { socket } of open) socket.terminate();
    await this.settled();
  }

  /** Resolves when everything received is processed. */
  async idle(): Promise<void> {
    for (const job of this.jobs) await job.idle();
    await this.settled();
  }

  /** Closes this process's connections of a space. */
  disconnectSpace(spaceId: string): void {
    for (const { gateway, socket } of this.connections.values())
      if (gateway.spaceId === spaceId) socket.close(closeCodes.revoked, 'the space was erased');
  }

  /**
   * Takes over a WebSocket from the HTTP server. Throws 401 for a token that is unknown in the space, 400 without
   * the subprotocol.
   */
  async upgrade(gate: SocketGate, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = this.deps.addressOf(request);
    requirePermittedAddress(gate, request, { address, path: gatewayPath });
    const token = /^Bearer (ykr_[\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1];
    const found = token && (await findKrokerToken(this.deps.database, gate.spaceId, token));
    if (!found) throw new Problem('sign-in-required', { detail: 'show the token of a Kroker' });
    requireSubprotocol(offeredSubprotocols(request), gatewaySubprotocol);
    this.server.handleUpgrade(request, socket, head, (opened) =>
      this.onOpen(opened, socket, gate.spaceId, found, { address, isPermitted: () => gate.permits(address) }),
    );
  }

  private onOpen(
    socket: WebSocket,
    stream: Duplex,
    spaceId: string,
    { krokerId, displayName, tokenHash }: KrokerToken,
    place: Pick<Connection, 'address' | 'isPermitted'>,
  ): void {
    const { clock, nextId } = this.deps;
    const identity = { spaceId, krokerId, connectionId: nextId(), displayName };
    const gateway = new Gateway(identity, socket, stream, this.handlers);
    const connection = { gateway, socket, krokerId, tokenHash, ...place, lastMessageAt: clock.now() };
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      connection.lastMessageAt = clock.now();
    });
    socket.on('message', (data, isBinary) => {
      connection.lastMessageAt = clock.now();
      gateway.receive(data, isBinary);
    });
    socket.on('close', (code) => this.onClose(connection, code));
    this.connections.set(gateway.connectionId, connection);
    // Everything that the gateway sends waits until its connection is stored.
    void gateway.run(async () => {
      const { database, instance, replicaUrl } = this.deps;
      await storeGateway(database, gateway, { instance, replicaUrl, now: clock.now() });
      const { connectionId } = gateway;
      await database.notify(channel, JSON.stringify({ krokerId, connectionId } satisfies Replaced));
    });
  }

  private async onHello(gateway: Gateway, hello: GatewayHello): Promise<void> {
    const { database, clock } = this.deps;
    const now = clock.now();
    const { krokerId, spaceId, displayName } = gateway;
    await database.transaction(async (tx) => {
      await keepKroker(tx, gateway);
      if (await storeGatewayHello(tx, krokerId, hello, now))
        await writeKrokerLog(tx, this.deps, {
          ...{ spaceId, krokerId, user: null },
          event: 'signing-key-changed',
          subject: displayName,
        });
    });
    const welcome = () => gateway.send({ type: 'welcome', protocol: 1, serverTime: isoTime(clock.now()) });
    if (gateway.isOpen) await this.listener!.onHello(gateway, hello, welcome);
    // It checks all Krokers, so the gateway's next messages do not wait for it.
    this.track(this.deps.onPresence());
    this.announce(gateway);
  }

  private onClose({ gateway, address }: Connection, code: number): void {
    this.connections.delete(gateway.connectionId);
    this.listener!.onDisconnected(gateway);
    void gateway.run(async () => {
      // A row that stays behind expires when it is no longer refreshed.
      await removeGateway(this.deps.database, gateway.connectionId);
      this.announce(gateway);
      // The code is known here only if the other end has answered the close: that of a lost connection does not.
      if (code === closeCodes.replaced) await this.logReplaced(gateway, address);
    });
  }

  /** Two agents use the key of one Kroker, such as on a copied machine, and end the sessions of each other. */
  private async logReplaced({ spaceId, krokerId }: Gateway, address: string): Promise<void> {
    const { database, clock } = this.deps;
    const entry = { spaceId, krokerId, event: 'replaced', subject: address, user: null } as const;
    if (await hasKrokerLog(database, entry, clock.now() - replacedLogMs)) return;
    await database.transaction((tx) => writeKrokerLog(tx, this.deps, entry));
  }

  private onReplaced({ krokerId, connectionId }: Replaced): void {
    // Ids follow time: the notice of an earlier connection may arrive when a later one is open.
    for (const { gateway, socket } of this.connections.values())
      if (gateway.krokerId === krokerId && gateway.connectionId < connectionId)
        socket.close(closeCodes.replaced, 'the gateway has connected again');
  }

  private async closeRevoked(): Promise<void> {
    if (this.connections.size === 0) return;
    const open = [...this.connections.values()];
    for (const { socket, isPermitted } of open)
      if (!isPermitted()) socket.close(closeCodes.blocked, 'the address is not permitted');
    const valid = await findValidConnections(this.deps.database, open);
    for (const connection of open)
      if (!valid.has(connection)) connection.socket.close(closeCodes.revoked, 'the token was replaced');
  }

  /** Sends heartbeats, closes silent connections and refreshes the rows of the others. */
  private async heartbeat(): Promise<void> {
    const { database, clock } = this.deps;
    const now = clock.now();
    const alive: string[] = [];
    for (const { gateway, socket, lastMessageAt } of this.connections.values()) {
      const limit = gateway.wasGreeted ? gatewayTimeoutMs : gatewayHeartbeatMs;
      if (lastMessageAt <= now - limit) {
        socket.close(closeCodes.idle, 'nothing was received');
        socket.terminate();
      } else {
        socket.ping();
        alive.push(gateway.connectionId);
      }
    }
    await refreshGateways(database, alive, now);
  }

  private announce({ spaceId, krokerId }: Gateway): void {
    const at = isoTime(this.deps.clock.now());
    this.deps.changes.publish([
      { spaceId, resource: kroker.name, id: krokerId, op: 'update', state: true, at },
    ]);
  }

  private async settled(): Promise<void> {
    while (this.working.size > 0) await Promise.all([...this.working]);
  }

  private track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.working.delete(tracked));
    this.working.add(tracked);
  }
}
