// Manages agent connections of this replica and forwards orders to those of other replicas.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodes } from '@yagura/core/http/close-codes';
import { Problem } from '@yagura/core/http/problem';
import {
  type AgentCapability,
  type AgentMessage,
  type AgentMessageResult,
  type AgentProtocol,
  agentLimits,
  agentPath,
} from '@yagura/core/ksocket/agent-protocol';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { refusalReason, requirePermittedAddress, type SocketGate } from '../http/socket-gate.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import type { Agent, AgentListener, AgentOrder } from './agent.ts';
import {
  findToken,
  hasCapability,
  hasConnection,
  refreshConnections,
  removeConnection,
  storeConnection,
  storeHello,
  storeReplacement,
  type TokenRow,
} from './connection-store.ts';
import { heartbeatIntervalMs, heartbeatTimeoutSeconds } from './heartbeat.ts';
import { type AgentMessageThreads, readReceivedMessage } from './read-message.ts';
import { hashToken } from './token-hash.ts';

interface Connection extends Agent {
  connectionId: string;
  ksocketTokenId: string;
  expiresAt: number;
  /** Address of the machine in the network. */
  address: string;
  /** Whether the space still permits the agent's network address. */
  isPermitted(): boolean;
  socket: WebSocket;
  lastMessageAt: number;
  greeted: boolean;
  protocol: AgentProtocol;
  /** Types of messages that were ignored. */
  ignoredTypes: Set<string>;
}

type HubMessage =
  | { kind: 'drop'; ksocketSlotId?: string; ksocketTokenId?: string }
  | { kind: 'replaced'; ksocketSlotId: string; connectionId: string }
  | { kind: 'order'; ksocketSlotId: string; order: AgentOrder };

const channel = 'yagura_ksocket';
/** Interval in milliseconds at which connections that are no longer permitted are closed. */
const checkIntervalMs = 2_000;
/** Maximum number of unknown message types logged per connection. */
const maxIgnoredTypes = 20;

export class KsocketHub {
  private readonly deps: {
    database: Database;
    clock: Clock;
    log: Log;
    changes: ChangeBus;
    nextId: NextId;
    instance: string;
    threads: AgentMessageThreads;
    addressOf(request: IncomingMessage): string;
  };
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: agentLimits.message,
    perMessageDeflate: false,
  });
  private readonly connections = new Map<string, Connection>();
  private listener: AgentListener | undefined;
  private readonly stops: (() => unknown)[] = [];
  private readonly heartbeatJob: PeriodicJob;
  private readonly working = new Set<Promise<unknown>>();

  constructor(deps: KsocketHub['deps']) {
    this.deps = deps;
    const { clock, log } = deps;
    this.heartbeatJob = new PeriodicJob({
      ...{ clock, log },
      intervalMs: heartbeatIntervalMs,
      failureMessage: 'the heartbeats of agents could not be recorded',
      work: () => this.heartbeat(),
    });
  }

  async start(listener: AgentListener): Promise<void> {
    const { database, clock } = this.deps;
    this.listener = listener;
    if (database.kind === 'embedded') await database.query('delete from ksocket_connection');
    this.stops.push(
      await database.listen(channel, (payload) => this.onHubMessage(JSON.parse(payload) as HubMessage)),
    );
    this.heartbeatJob.start();
    this.stops.push(clock.every(checkIntervalMs, () => this.closeRevoked()));
  }

  async close(): Promise<void> {
    for (const stop of this.stops.splice(0)) await stop();
    await this.heartbeatJob.close();
    const open = [...this.connections.values()];
    for (const { socket } of open) socket.close(1001, 'the server stops');
    await Promise.all([...this.working]);
    for (const { socket } of open) socket.terminate();
    await Promise.all([...this.working]);
  }

  /** Resolves when all received messages are processed. */
  async idle(): Promise<void> {
    await this.heartbeatJob.idle();
    while (this.working.size > 0) await Promise.all([...this.working]);
  }

  /** Whether an agent of the slot is connected to any replica. */
  isConnected(db: Queryable, ksocketSlotId: string): Promise<boolean> {
    return hasConnection(db, ksocketSlotId, this.deps.clock.now());
  }

  /** Whether the connected agent of the slot can do this; null if none is connected. */
  isCapable(db: Queryable, ksocketSlotId: string, capability: AgentCapability): Promise<boolean | null> {
    return hasCapability(db, ksocketSlotId, capability, this.deps.clock.now());
  }

  /** Closes the connections of a slot or token in every replica after the transaction commits. */
  async disconnect(
    tx: Transaction,
    what: { ksocketSlotId: string } | { ksocketTokenId: string },
  ): Promise<void> {
    const [column, id] =
      'ksocketSlotId' in what
        ? ['ksocket_slot_id', what.ksocketSlotId]
        : ['ksocket_token_id', what.ksocketTokenId];
    await tx.query(`delete from ksocket_connection where ${column} = $1`, [id]);
    await tx.notify(channel, JSON.stringify({ kind: 'drop', ...what } satisfies HubMessage));
  }

  /** Closes this process's connections of a space. */
  disconnectSpace(spaceId: string): void {
    for (const connection of this.connections.values())
      if (connection.spaceId === spaceId) connection.socket.close(closeCodes.revoked, 'the space was erased');
  }

  /** Sends an order to the agent of a slot after the transaction commits. */
  async order(tx: Pick<Transaction, 'notify'>, ksocketSlotId: string, order: AgentOrder): Promise<void> {
    await tx.notify(channel, JSON.stringify({ kind: 'order', ksocketSlotId, order } satisfies HubMessage));
  }

  /**
   * Takes over a WebSocket from the HTTP server. Throws 401 for a token that is unknown in the space or
   * expired.
   */
  async upgrade(gate: SocketGate, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = this.deps.addressOf(request);
    requirePermittedAddress(gate, request, { address, path: agentPath });
    const token = /^Bearer (kst_[\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1];
    const { database, clock } = this.deps;
    const found = token && (await findToken(database, gate.spaceId, hashToken(token), clock.now()));
    if (!found) throw new Problem('sign-in-required', { detail: 'show a Ksocket token' });
    this.server.handleUpgrade(request, socket, head, (opened) =>
      this.track(this.onOpen(opened, found, { address, isPermitted: () => gate.permits(address) })),
    );
  }

  private async onOpen(
    socket: WebSocket,
    token: TokenRow,
    place: Pick<Connection, 'address' | 'isPermitted'>,
  ): Promise<void> {
    const { clock, nextId } = this.deps;
    const now = clock.now();
    const connection: Connection = {
      spaceId: token.space_id,
      ksocketSlotId: token.ksocket_slot_id,
      ksocketTokenId: token.ksocket_token_id,
      connectionId: nextId(),
      expiresAt: token.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(token.expires_at),
      ...place,
      socket,
      lastMessageAt: now,
      greeted: false,
      protocol: 1,
      ignoredTypes: new Set(),
      send: (message) => socket.send(JSON.stringify(message)),
    };
    const stored = this.store(connection, now);
    // Messages and the close event wait until their connection is stored.
    let turn: Promise<unknown> = stored.catch(() => undefined);
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      connection.lastMessageAt = clock.now();
    });
    socket.on('message', (data, isBinary) => {
      // Backpressure: messages that arrive faster than they are stored wait in the network, not in memory.
      socket.pause();
      turn = turn.then(() => this.onSocketMessage(connection, data, isBinary)).finally(() => socket.resume());
      this.track(turn);
    });
    socket.on('close', (code) => this.track(turn.then(() => this.onClose(connection, code))));
    this.connections.set(connection.connectionId, connection);
    await stored;
    this.announce(connection);
  }

  private async store(connection: Connection, now: number): Promise<void> {
    const { database, instance } = this.deps;
    await storeConnection(database, connection, { instance, now });
    const { ksocketSlotId, connectionId } = connection;
    await database.notify(
      channel,
      JSON.stringify({ kind: 'replaced', ksocketSlotId, connectionId } satisfies HubMessage),
    );
  }

  private async onSocketMessage(connection: Connection, data: RawData, isBinary: boolean): Promise<void> {
    const { socket } = connection;
    if (socket.readyState !== socket.OPEN) return;
    connection.lastMessageAt = this.deps.clock.now();
    const read = isBinary ? { invalid: '' } : await this.read(connection, data);
    if (!read) return;
    if ('unknownType' in read) {
      this.logIgnored(connection, read.unknownType);
      return;
    }
    if ('invalid' in read || (!connection.greeted && read.message.type !== 'hello')) {
      socket.close(closeCodes.malformed, refusalReason('invalid' in read ? read.invalid : ''));
      return;
    }
    const { message } = read;
    try {
      if (message.type === 'hello') await this.onHello(connection, message);
      await this.listener!.onMessage(connection, message);
    } catch (error) {
      this.refuseForNow(connection, error, { type: message.type });
    }
  }

  /** Null if the message could not be read now; the connection is closed then. */
  private async read(connection: Connection, data: RawData): Promise<AgentMessageResult | null> {
    try {
      return await readReceivedMessage(data, connection.protocol, {
        threads: this.deps.threads,
        space: connection.spaceId,
      });
    } catch (error) {
      this.refuseForNow(connection, error);
      return null;
    }
  }

  private refuseForNow({ socket }: Connection, error: unknown, about: { type?: string } = {}): void {
    this.deps.log({
      level: 'warn',
      message: 'a message of an agent failed',
      ...about,
      ...errorFields(error),
    });
    // The agent resends messages that were not acknowledged.
    socket.close(1011, 'try again');
  }

  /** Agrees on the version before anything else is sent. */
  private async onHello(
    connection: Connection,
    hello: Extract<AgentMessage, { type: 'hello' }>,
  ): Promise<void> {
    const now = this.deps.clock.now();
    connection.greeted = true;
    if (hello.protocols.includes(2)) {
      connection.protocol = 2;
      connection.send({ type: 'welcome', protocol: 2, serverTime: isoTime(now) });
    }
    const { protocol } = connection;
    await storeHello(this.deps.database, connection.connectionId, hello, { protocol, now });
    this.announce(connection);
  }

  /** A later version of the agent may send more than this server understands. */
  private logIgnored({ ksocketSlotId, ignoredTypes }: Connection, type: string): void {
    if (ignoredTypes.has(type) || ignoredTypes.size >= maxIgnoredTypes) return;
    ignoredTypes.add(type);
    const message = 'an agent sends messages of an unknown type';
    this.deps.log({ level: 'warn', message, ksocketSlotId, type: type.slice(0, 64) });
  }

  private async onClose(connection: Connection, code: number): Promise<void> {
    const { database, clock } = this.deps;
    const { connectionId, ksocketSlotId, address } = connection;
    this.connections.delete(connectionId);
    try {
      await removeConnection(database, connectionId);
      // The code is known here only if the other end has answered the close: that of a lost connection does not.
      if (code === closeCodes.replaced) await storeReplacement(database, ksocketSlotId, address, clock.now());
    } catch (error) {
      // The row expires when it is no longer refreshed.
      this.deps.log({
        level: 'warn',
        message: 'the end of a connection was not stored',
        ...errorFields(error),
      });
    }
    this.announce(connection);
  }

  private onHubMessage(word: HubMessage): void {
    for (const connection of this.connections.values()) {
      if (word.kind === 'drop') {
        if (
          word.ksocketSlotId === connection.ksocketSlotId ||
          word.ksocketTokenId === connection.ksocketTokenId
        )
          connection.socket.close(closeCodes.revoked, 'the token was removed');
      } else if (word.ksocketSlotId !== connection.ksocketSlotId) {
        // For another slot.
      } else if (word.kind === 'order') this.track(this.sendOrder(connection, word.order));
      else if (connection.connectionId < word.connectionId) {
        // Ids follow time: the notice of an earlier connection may arrive when a later one is open.
        connection.socket.close(closeCodes.replaced, 'another agent has connected');
      }
    }
  }

  private async sendOrder(connection: Connection, order: AgentOrder): Promise<void> {
    const message = await this.listener!.compose(order, connection.protocol);
    if (message && connection.socket.readyState === connection.socket.OPEN) connection.send(message);
  }

  /** Closes connections whose token has expired or whose address is no longer permitted. */
  private closeRevoked(): void {
    const now = this.deps.clock.now();
    for (const { socket, expiresAt, isPermitted } of this.connections.values()) {
      if (expiresAt <= now) socket.close(closeCodes.revoked, 'the token has expired');
      else if (!isPermitted()) socket.close(closeCodes.blocked, 'the address is not permitted');
    }
  }

  /** Sends heartbeats, closes silent connections and refreshes the rows of the others. */
  private async heartbeat(): Promise<void> {
    const { database, clock } = this.deps;
    const now = clock.now();
    const alive: string[] = [];
    for (const connection of this.connections.values()) {
      const { socket } = connection;
      if (
        connection.lastMessageAt <= now - heartbeatTimeoutSeconds * 1000 ||
        (!connection.greeted && connection.lastMessageAt <= now - heartbeatIntervalMs)
      ) {
        socket.close(closeCodes.idle, 'nothing was heard');
        socket.terminate();
      } else {
        socket.ping();
        alive.push(connection.connectionId);
      }
    }
    await refreshConnections(database, alive, now);
  }

  private announce({ spaceId, ksocketSlotId }: Connection): void {
    const { changes, clock } = this.deps;
    changes.publish([
      {
        spaceId,
        resource: 'ksocket-slot',
        id: ksocketSlotId,
        op: 'update',
        state: true,
        at: isoTime(clock.now()),
      },
    ]);
  }

  private track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error) =>
        this.deps.log({ level: 'warn', message: 'an agent connection failed', ...errorFields(error) }),
      )
      .finally(() => this.working.delete(tracked));
    this.working.add(tracked);
  }
}
