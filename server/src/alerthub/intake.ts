// Takes messages in: an answer means that the message is on disk, once.
import { createHash } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { NextId } from '../id.ts';
import { Batcher, BatcherFull } from '../jobs/batcher.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import type { Mail } from './mail/read-mail.ts';
import type { SlotAddress } from './slot-directory.ts';
import { oneLine, summaryOf } from './summary.ts';

export interface Arrival {
  address: SlotAddress;
  /** Of a mail: the address it was sent to. */
  requestUrl: string;
  headers: Record<string, string>;
  body: Buffer;
  /** What the sender says makes two posts the same message (Idempotency-Key and the like). */
  deliveryKey: string | undefined;
  /** What a mail says; its bytes are the body. */
  mail?: Mail;
}

interface Row extends Arrival {
  messageId: string;
  receivedAt: string;
  /** Sixteen bytes: of the delivery key, or else of the body. */
  fingerprint: Buffer;
}

/** Receives are refused with 503 rather than held when this much waits for the disk. */
const limits = { items: 500, bytes: 16 << 20, waitingItems: 20_000, waitingBytes: 256 << 20 };

/**
 * The arrays are selected so that the planner cannot look into them: a plan made for each batch anew would cost several
 * times what running it does.
 */
const insert = {
  name: 'message-intake',
  text: `
    with given as (
      select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::text[]),
        (select $5::text[]), (select $6::timestamptz[]), (select $7::text[]), (select $8::jsonb[]), (select $9::bytea[]),
        (select $10::text[]), (select $11::bytea[]), (select $12::boolean[]), (select $13::jsonb[]))
      with ordinality as g(message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
        body, summary, fingerprint, keyed, mail, position)
    ), known as (
      select g.message_id, (
        select m.message_id from message m
        where m.receive_slot_id = g.receive_slot_id and m.fingerprint = g.fingerprint
          and case when g.keyed then m.received_at > g.received_at - interval '24 hours'
            else m.received_at > g.received_at - interval '10 minutes' and m.place <> g.place
              and not exists (select 1 from message_twin t where t.message_id = m.message_id) end
        order by m.received_at limit 1
      ) as original, g.received_at, g.place
      from given g
    ), twin as (
      insert into message_twin (message_id, place, received_at)
      select distinct on (original) original, place, received_at from known where original is not null
      on conflict do nothing
    ), stored as (
      insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
        body, size, summary, fingerprint, mail)
      select g.message_id, g.space_id, g.receive_slot_id, g.receive_slot_kind, g.place, g.received_at, g.request_url, g.headers,
        g.body, length(g.body), g.summary, g.fingerprint, g.mail
      from given g join known k using (message_id) where k.original is null
    ), pending as (
      insert into message_pending (message_id)
      select g.message_id from given g join known k using (message_id) where k.original is null order by g.position
      returning seq
    )
    select (select coalesce(array_agg(seq::text order by seq), '{}') from pending) as seqs,
      (select coalesce(json_agg(json_build_array(message_id, original)), '[]'::json) from known where original is not null)
        as known`,
};

/** A message that has just been committed, with its place in the waiting line. */
export interface StoredMessage extends Row {
  seq: string;
}

/** Told after each write: what was stored in order of the line, or undefined when nobody knows what was. */
export type OnStored = (messages: StoredMessage[] | undefined) => void;

export class Intake {
  private readonly batcher: Batcher<Row, string>;
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly nextId: NextId;
  private readonly changes: ChangeBus;
  private readonly stored: OnStored;

  /** `stored` is called after each write, to wake what evaluates. */
  constructor(parts: {
    database: Database;
    clock: Clock;
    nextId: NextId;
    changes: ChangeBus;
    stored: OnStored;
  }) {
    this.database = parts.database;
    this.clock = parts.clock;
    this.nextId = parts.nextId;
    this.changes = parts.changes;
    this.stored = parts.stored;
    this.batcher = new Batcher((rows) => this.write(rows), limits);
  }

  /** Resolves with the message's id once it is durable; a repeat of a known message gives that one's id. */
  async receive(arrival: Arrival): Promise<string> {
    const row: Row = {
      ...arrival,
      messageId: this.nextId(),
      receivedAt: isoTime(this.clock.now()),
      fingerprint: fingerprintOf(arrival),
    };
    try {
      return await this.batcher.add(row, arrival.body.length + 1024);
    } catch (error) {
      if (error instanceof BatcherFull) throw new Problem('unavailable', { retryAfter: 1, cause: error });
      throw error;
    }
  }

  drained(): Promise<void> {
    return this.batcher.drained();
  }

  private async write(rows: Row[]): Promise<string[]> {
    const { fresh, twins } = pairWithin(rows);
    const originals = new Map<string, string>(twins);
    const { seqs, known } = await this.insert(fresh);
    for (const [messageId, original] of known) originals.set(messageId, original);
    const stored = fresh.filter((row) => !originals.has(row.messageId));
    // Those that are no repeat took their places in the line in this order.
    this.stored(stored.map((row, index) => ({ ...row, seq: seqs[index]! })));
    this.changes.publish(
      stored.map((row) => ({
        spaceId: row.address.spaceId,
        resource: 'message',
        id: row.messageId,
        op: 'create',
        at: row.receivedAt,
      })),
    );
    return rows.map((row) => resolveOriginal(row.messageId, originals));
  }

  private async insert(fresh: Row[]): Promise<{ seqs: string[]; known: [string, string][] }> {
    try {
      const { rows } = await this.database.query<{ seqs: string[]; known: [string, string][] }>(insert, [
        fresh.map((row) => row.messageId),
        fresh.map((row) => row.address.spaceId),
        fresh.map((row) => row.address.receiveSlotId),
        fresh.map((row) => row.address.kind),
        fresh.map((row) => row.address.place),
        fresh.map((row) => row.receivedAt),
        fresh.map((row) => row.requestUrl),
        fresh.map((row) => JSON.stringify(row.headers)),
        fresh.map((row) => row.body),
        fresh.map((row) => (row.mail ? oneLine(row.mail.subject || row.mail.text) : summaryOf(row.body))),
        fresh.map((row) => row.fingerprint),
        fresh.map((row) => row.deliveryKey !== undefined),
        fresh.map((row) => (row.mail ? JSON.stringify(row.mail) : null)),
      ]);
      return rows[0]!;
    } catch (error) {
      // A lost answer does not mean that nothing was stored.
      this.stored(undefined);
      throw error;
    }
  }
}

/** Repeats among messages that arrived together: by key, or one of each body at each address. */
function pairWithin(rows: Row[]): { fresh: Row[]; twins: [string, string][] } {
  const fresh: Row[] = [];
  const twins: [string, string][] = [];
  const single = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.address.receiveSlotId} ${row.fingerprint.toString('hex')}`;
    const first = single.get(key);
    if (first && (row.deliveryKey !== undefined || first.address.place !== row.address.place)) {
      twins.push([row.messageId, first.messageId]);
      if (row.deliveryKey === undefined) single.delete(key);
      continue;
    }
    if (!first) single.set(key, row);
    fresh.push(row);
  }
  return { fresh, twins };
}

function resolveOriginal(id: string, originals: Map<string, string>): string {
  let found = id;
  while (originals.has(found)) found = originals.get(found)!;
  return found;
}

function fingerprintOf(arrival: Arrival): Buffer {
  const hash = createHash('sha256');
  if (arrival.deliveryKey === undefined) hash.update('body ').update(arrival.body);
  else hash.update('key ').update(arrival.deliveryKey);
  return hash.digest().subarray(0, 16);
}
