// Requests to an on-site agent, HTTP requests and estimates of scans: queued by any replica, sent by the one
// connected to the agent.
import {
  type AgentMessage,
  agentLimits,
  type ScanOrderSettings,
  type ServerMessage,
} from '@yagura/core/ksocket/agent-protocol';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { type DeliveryMeta, failedResult, type SendResult } from '../delivery/send-result.ts';
import { toSendResult } from '../delivery/webhook-result.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { openRequest, type Sealing, sealRequest } from '../resource/sealing/sealed-fields.ts';
import type { Agent } from './agent.ts';
import type { KsocketHub } from './ksocket-hub.ts';

/** The request as the agent sends it; the headers are complete. */
export interface AgentRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** A request that the agent answers with an estimate; it contains no secret. */
interface EstimateRequest {
  estimate: ScanOrderSettings;
}

interface AgentSlot {
  spaceId: string;
  ksocketSlotId: string;
}

export type AgentAnswer = Extract<AgentMessage, { type: 'answer' | 'unanswered' | 'estimated' }>;

const channel = 'yagura_agent_answer';
/** Timeout of the target in seconds, and of the agent's answer in milliseconds. */
const requestTimeoutSeconds = 30;
const answerTimeoutMs = (requestTimeoutSeconds + 10) * 1000;
/** In milliseconds; an estimate sends nothing, so the agent answers at once. */
const estimateTimeoutMs = 15_000;
/** Milliseconds after which requests left behind by a dead process are deleted. */
const staleAfterMs = 10 * 60_000;

export class AgentRequests {
  private readonly deps: {
    database: Database;
    clock: Clock;
    log: Log;
    nextId: NextId;
    hub: KsocketHub;
    sealing: Sealing;
  };
  /** Callbacks to run when an answer is stored. */
  private readonly waiting = new Map<string, () => void>();
  private readonly cleanup: PeriodicJob;
  private stopListening: (() => unknown) | undefined;

  constructor(deps: AgentRequests['deps']) {
    this.deps = deps;
    const { clock, log } = deps;
    this.cleanup = new PeriodicJob({
      ...{ clock, log },
      intervalMs: staleAfterMs,
      failureMessage: 'old requests to agents stay',
      work: () => this.deleteStale(),
    });
  }

  async start(): Promise<void> {
    const { database } = this.deps;
    this.stopListening = await database.listen(channel, (requestId) => this.waiting.get(requestId)?.());
    this.cleanup.start();
    await this.cleanup.runNow();
  }

  async close(): Promise<void> {
    await this.cleanup.close();
    await this.stopListening?.();
    for (const wake of this.waiting.values()) wake();
  }

  /** Never rejects. A missing, silent or failing agent is reported as a retryable failure. */
  async send(at: AgentSlot, request: AgentRequest, meta: DeliveryMeta): Promise<SendResult> {
    const { database, log, sealing } = this.deps;
    try {
      if (!(await this.deps.hub.isConnected(database, at.ksocketSlotId)))
        return failedResult('delivery.agentAway', {}, { retry: true });
      const sealed = sealRequest(sealing, at.spaceId, request);
      const answer = await this.requestAnswer(at, sealed, answerTimeoutMs);
      if (!answer || answer.type === 'estimated')
        return failedResult('delivery.agentSilent', { seconds: answerTimeoutMs / 1000 }, { retry: true });
      if (answer.type === 'unanswered')
        return answer.code === 'TIMEOUT'
          ? failedResult('delivery.timeout', { seconds: requestTimeoutSeconds }, { retry: true })
          : failedResult('delivery.connection', { detail: answer.code }, { retry: true });
      const { statusCode, headers, body, tooLong } = answer;
      return toSendResult({ statusCode, headers, body, tooLong: tooLong ? agentLimits.answer : null }, meta);
    } catch (error) {
      log({ level: 'warn', message: 'a request to an agent failed', ...errorFields(error) });
      return failedResult('delivery.connection', { detail: 'UNKNOWN' }, { retry: true });
    }
  }

  /** The agent's answer; undefined when it is silent. The agent must be connected and able to estimate. */
  async estimate(
    at: AgentSlot,
    settings: ScanOrderSettings,
  ): Promise<Exclude<AgentAnswer, { type: 'answer' }> | undefined> {
    const request: EstimateRequest = { estimate: settings };
    const answer = await this.requestAnswer(at, request, estimateTimeoutMs);
    return answer?.type === 'answer' ? undefined : answer;
  }

  /**
   * Composes the message of an order in the replica connected to the agent; null when the request is no
   * longer pending.
   */
  async compose(requestId: string): Promise<ServerMessage | null> {
    const { rows } = await this.deps.database.query<{
      spaceId: string;
      request: AgentRequest | EstimateRequest;
    }>('select space_id as "spaceId", request from agent_request where request_id = $1 and answer is null', [
      requestId,
    ]);
    const [row] = rows;
    if (!row) return null;
    if ('estimate' in row.request) return { type: 'estimate', requestId, settings: row.request.estimate };
    const request = openRequest(this.deps.sealing, row.spaceId, row.request);
    return { type: 'request', requestId, ...request, seconds: requestTimeoutSeconds };
  }

  /** Stores an agent's answer, if it was the agent asked and it fits the request, and wakes the waiting sender. */
  async onAnswer({ spaceId, ksocketSlotId }: Agent, message: AgentAnswer): Promise<void> {
    const { database } = this.deps;
    const { rowCount } = await database.query(
      `update agent_request set answer = $4
       where request_id = $1 and space_id = $2 and ksocket_slot_id = $3 and answer is null
         and ($5 = 'unanswered' or (request ? 'estimate') = ($5 = 'estimated'))`,
      [message.requestId, spaceId, ksocketSlotId, toStoreJson(message), message.type],
    );
    if (rowCount > 0) await database.notify(channel, message.requestId);
  }

  private async requestAnswer(
    { spaceId, ksocketSlotId }: AgentSlot,
    request: object,
    timeoutMs: number,
  ): Promise<AgentAnswer | undefined> {
    const { database, clock, nextId, hub } = this.deps;
    const requestId = nextId();
    const woken = new Promise<void>((resolve) => this.waiting.set(requestId, resolve));
    const stop = clock.after(timeoutMs, () => this.waiting.get(requestId)?.());
    try {
      await database.transaction(async (tx) => {
        await tx.query(
          `insert into agent_request (request_id, space_id, ksocket_slot_id, request, created_at)
           values ($1, $2, $3, $4, $5)`,
          [requestId, spaceId, ksocketSlotId, toStoreJson(request), isoTime(clock.now())],
        );
        await hub.order(tx, ksocketSlotId, { type: 'request', requestId });
      });
      await woken;
      return await this.takeAnswer(requestId);
    } finally {
      stop();
      this.waiting.delete(requestId);
    }
  }

  private async takeAnswer(requestId: string): Promise<AgentAnswer | undefined> {
    const { rows } = await this.deps.database.query<{ answer: AgentAnswer | null }>(
      'delete from agent_request where request_id = $1 returning answer',
      [requestId],
    );
    return rows[0]?.answer ?? undefined;
  }

  private async deleteStale(): Promise<void> {
    const { database, clock } = this.deps;
    const before = isoTime(clock.now() - staleAfterMs);
    await database.query('delete from agent_request where created_at < $1', [before]);
  }
}
