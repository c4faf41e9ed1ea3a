// A pipeline on an embedded database, with the deliveries it feeds and no server around them.
import { createHash, randomUUID } from 'node:crypto';
import type { ArrivalRow } from '../../src/alerthub/arrivals/arrival.ts';
import { Deliveries } from '../../src/alerthub/deliveries/deliveries.ts';
import type { Delivery } from '../../src/alerthub/deliveries/delivery-store.ts';
import { claimJournal } from '../../src/alerthub/intake/intake-journal.ts';
import { storeArrivals } from '../../src/alerthub/intake/store-arrivals.ts';
import { Pipeline } from '../../src/alerthub/pipeline/pipeline.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { deriveSecret } from '../../src/common/secrets/server-secret.ts';
import { type Change, ChangeBus } from '../../src/db/change-bus.ts';
import type { Database } from '../../src/db/database.ts';
import type { SendResult } from '../../src/delivery/send-result.ts';
import { createSealing } from '../../src/resource/sealing/sealed-fields.ts';

type Settings = Record<string, unknown>;
const sent: SendResult = {
  outcome: 'succeeded',
  retry: false,
  statusCode: 200,
  reason: { word: 'delivery.sent', params: {} },
  reply: '',
};

/** A pipeline that is not started; `audit` is called for each record to be written to the audit log. */
export function createTestPipeline(database: Database, audit: () => Promise<void> = async () => {}) {
  const clock = new ManualClock();
  const nextId = createIdSource(clock);
  const logLines: LogLine[] = [];
  const log = (line: LogLine) => void logLines.push(line);
  const changes = new ChangeBus({ database, clock, log, instance: 'one' });
  const published: Change[] = [];
  const deliveriesSent: Delivery[] = [];
  /** Number of messages of each stored batch. */
  const batches: number[] = [];
  changes.listen((list) => void published.push(...list));
  const common = {
    ...{ database, clock, nextId, changes, instance: 'one' },
    log,
    sealing: createSealing(deriveSecret(Buffer.alloc(32, 1))),
  };
  const deliveries = new Deliveries({
    ...common,
    ...{ random: () => 0.5, lateAfterMs: 300_000, onAttempt: () => {} },
    send: async (delivery) => {
      deliveriesSent.push(delivery);
      return sent;
    },
  });
  const pipeline = new Pipeline({
    ...{ ...common, deliveries, auditOf: () => ({ write: audit }) },
    onDecided: (count) => void batches.push(count),
  });

  let journalId: string | undefined;
  let sequence = 0;

  /** Adds a space with a receive slot. */
  async function addSpace() {
    const [spaceId, receiveSlotId] = [nextId(), nextId()];
    await database.query(
      `insert into space (space_id, host, display_name, created_at, updated_at) values ($1, $1::uuid::text, 'Space', $2, $2)`,
      [spaceId, isoTime(clock.now())],
    );
    /** Stores settings and returns their id. */
    const add = async (kind: string, body: Settings, parentId: string | null = null) => {
      const id = nextId();
      await database.query(
        `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`,
        [spaceId, kind, id, parentId, JSON.stringify(body), isoTime(clock.now())],
      );
      return id;
    };
    /** A scope whose severity each message of the slot raises by 1, without or with more triggers. */
    const addScope = async (...triggers: Settings[]) => {
      const scopeId = await add('scope', {
        ...{ displayName: 'Scope', remarks: '', recoveryTime: null },
        thresholds: { warning: 1, incident: 10 },
      });
      const severityName = { literal: 'default' };
      await addRule({ eventParams: [{ scopeId, severityName, delta: 1 }] });
      for (const trigger of triggers)
        await add(
          'trigger',
          {
            ...{ displayName: 'Trigger', remarks: '', disabled: false, conditions: [] },
            ...{ relatedMessageFilters: [], flow: { steps: [] } },
            ...trigger,
          },
          scopeId,
        );
      return scopeId;
    };
    const addRule = (fields: Settings) =>
      add('rule', {
        ...{ displayName: 'Rule', receiveSlotId, disabled: false, flow: { steps: [] } },
        ...{ eventParams: [], conditionalEventParams: [] },
        ...fields,
      });
    const addAction = (body: string) =>
      add('action', {
        ...{ displayName: 'Action', remarks: '', kind: 'webhook' },
        parameters: { url: 'http://127.0.0.1:9/', method: 'POST', headers: [], body },
      });
    let count = 0;
    /** A message of the slot, each with another body. */
    const message = (): ArrivalRow => {
      const body = Buffer.from(JSON.stringify({ count: ++count }));
      return {
        address: { receiveSlotId, spaceId, endpoint: 'primary', kind: 'webhook', disabled: false },
        ...{ requestUrl: '', headers: {}, body, deliveryKey: undefined },
        ...{ messageId: nextId(), receivedAt: isoTime(clock.now()) },
        fingerprint: createHash('sha256').update(body).digest().subarray(0, 16),
      };
    };
    const messages = (length: number) => Array.from({ length }, message);
    return { spaceId, receiveSlotId, addScope, addRule, addAction, messages };
  }

  return {
    ...{ pipeline, deliveries, clock, nextId, changes, logLines, published, deliveriesSent, batches },
    addSpace,
    /** Assigns the messages to the next entries of a journal that this process has claimed. */
    async journal(messages: ArrivalRow[]): Promise<ArrivalRow[]> {
      if (journalId === undefined) {
        journalId = randomUUID();
        await claimJournal(database, { id: journalId, previousId: null }, clock);
      }
      const id = journalId;
      return messages.map((row) => ({ ...row, journalEntry: { journalId: id, sequence: ++sequence } }));
    },
    /** Stores and queues messages as another process does, without a word to the pipeline. */
    store: async (messages: ArrivalRow[]) => (await storeArrivals(database, messages)).stored,
    /** Moves the time, and waits for all that follows. */
    async advance(milliseconds: number) {
      clock.advance(milliseconds);
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await pipeline.idle();
    },
  };
}
