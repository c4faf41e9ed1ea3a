// Tells people of scans by mail and webhook: queued in the transaction of what happened, sent afterwards, again when it fails.

import type { ScanEvent } from '@yagura/core/sonar/scan-event';
import type { NotificationTarget } from '@yagura/core/sonar/scan-notification';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { Translate } from '@yagura/core/words/translate';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { storeJson } from '../db/store-json.ts';
import { nextAttempt } from '../delivery/backoff.ts';
import type { SendResult } from '../delivery/send-result.ts';
import type { NextId } from '../id.ts';
import { errorFacts, type Log } from '../log.ts';
import type { Scan, ScanListener } from './scans.ts';

const queue = 'sonar-notification';
const lookEvery = 1000;
const atOnce = 20;
const mostAttempts = 6;
/** Longer than any attempt can take. */
const leaseSeconds = 120;
/** Nodes that one notice names; the rest is a number. */
const mostNamed = 100;

interface Due {
  job_id: string;
  attempts: number;
  id: string;
  space_id: string;
  created_at: string;
  request: { kind: string; content: unknown };
}

interface Facts {
  reason?: string | null;
  nodes?: { managedNodeId: string; displayName: string }[];
  [name: string]: unknown;
}

export class ScanNotices implements ScanListener {
  private readonly parts: {
    database: Database;
    clock: Clock;
    log: Log;
    nextId: NextId;
    random: () => number;
    instance: string;
    /** Origin of the console. */
    publicUrl: string;
    send(outgoing: {
      kind: string;
      request: unknown;
      deliveryId: string;
      attempt: number;
    }): Promise<SendResult>;
  };
  private stop: (() => void) | undefined;
  private working: Promise<void> | undefined;

  constructor(parts: ScanNotices['parts']) {
    this.parts = parts;
  }

  async start(): Promise<void> {
    const { database, clock } = this.parts;
    if (database.kind === 'embedded') {
      await database.query(
        'update job set run_at = $1, locked_by = null where queue = $2 and locked_by is not null',
        [isoTime(clock.now()), queue],
      );
    }
    this.stop = clock.every(lookEvery, () => void this.idle());
  }

  async close(): Promise<void> {
    this.stop?.();
    await this.working;
  }

  /** Resolves when everything due was tried. */
  idle(): Promise<void> {
    this.working ??= this.sendDue().finally(() => {
      this.working = undefined;
    });
    return this.working;
  }

  async happened(tx: Transaction, scan: Scan, event: ScanEvent, facts: Facts): Promise<void> {
    const { rows } = await tx.query<{ id: string; body: NotificationTarget }>(
      `select id, body from resource where space_id = $1 and kind = 'scan-notification' and parent_id = $2
         and body->>'disabled' = 'false' and body->'events' ? $3`,
      [scan.spaceId, scan.networkId, event],
    );
    const now = isoTime(this.parts.clock.now());
    for (const { id, body } of rows) {
      const historyId = this.parts.nextId();
      const request = await this.compose(tx, body, scan, event, facts, now);
      await tx.query(
        `insert into sonar_notification (notification_history_id, space_id, network_id, notification_setting_id, event, snapshot_id, request, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [historyId, scan.spaceId, scan.networkId, id, event, scan.snapshotId, storeJson(request), now],
      );
      await tx.query('insert into job (queue, run_at, payload) values ($1, $2, $3)', [
        queue,
        now,
        JSON.stringify({ id: historyId }),
      ]);
    }
  }

  /** Sends an example at once and says what came of it. */
  async example(
    spaceId: string,
    networkId: string,
    target: NotificationTarget,
    t: Translate,
  ): Promise<{ result: 'succeeded' | 'failed'; reason: string | null }> {
    const { database, clock, nextId, send } = this.parts;
    const scan: Scan = { spaceId, networkId, snapshotId: nextId(), status: 'succeeded', taskId: null };
    const request = await this.compose(
      database,
      target,
      scan,
      'scan:succeeded',
      { example: true },
      isoTime(clock.now()),
    );
    const sent = await send({
      kind: request.kind,
      request: request.content,
      deliveryId: scan.snapshotId,
      attempt: 1,
    });
    return {
      result: sent.outcome,
      reason: sent.outcome === 'failed' ? t(sent.reason.word, sent.reason.params) : null,
    };
  }

  private async compose(
    db: Queryable,
    target: NotificationTarget,
    scan: Scan,
    event: ScanEvent,
    facts: Facts,
    at: string,
  ) {
    const { rows } = await db.query<{ name: string }>(
      `select body->>'displayName' as name from resource where space_id = $1 and kind = 'network' and id = $2`,
      [scan.spaceId, scan.networkId],
    );
    const networkName = rows[0]?.name ?? '';
    const { nodes, ...rest } = facts;
    const about = {
      event,
      networkId: scan.networkId,
      networkName,
      snapshotId: scan.snapshotId,
      at,
      ...rest,
      ...(nodes ? { numberOfNodes: nodes.length, nodes: nodes.slice(0, mostNamed) } : {}),
    };
    if (target.kind === 'webhook' && target.webhook) {
      const { url, headers } = target.webhook;
      return {
        kind: 'webhook',
        content: {
          url,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(about),
        },
      };
    }
    const [ja, en] = await Promise.all([loadTranslator('ja'), loadTranslator('en')]);
    const link = `${this.parts.publicUrl}/apps/sonar/networks/${scan.networkId}/snapshots/${scan.snapshotId}`;
    const paragraph = (t: Translate) =>
      [
        facts.example ? t('sonar.notice.example') : '',
        t(`sonar.notice.${event.replace(':', '-')}`, { network: networkName, count: nodes?.length ?? 0 }),
        facts.reason ?? '',
        ...(nodes ?? []).slice(0, mostNamed).map((one) => `- ${one.displayName}`),
      ]
        .filter(Boolean)
        .join('\n');
    return {
      kind: 'email',
      content: {
        to: target.emails.map((email) => ({ name: '', email })),
        cc: [],
        bcc: [],
        subject: `[${networkName}] ${ja(`value.${event}`)} / ${en(`value.${event}`)}`,
        text: `${paragraph(ja)}\n\n${paragraph(en)}\n\n${link}\n`,
      },
    };
  }

  private async sendDue(): Promise<void> {
    const { database, clock, instance, log } = this.parts;
    try {
      const now = clock.now();
      const { rows } = await database.query<Due>(
        `with claimed as (
           update job set run_at = $2, attempts = attempts + 1, locked_by = $4
           where id = any(array(select id from job where queue = $5 and run_at <= $1 order by run_at, id limit $3 for update skip locked))
           returning id, attempts, (payload->>'id')::uuid as history_id
         )
         select c.id::text as job_id, c.attempts, c.history_id as id, n.space_id, n.created_at, n.request
         from claimed c left join sonar_notification n on n.notification_history_id = c.history_id`,
        [isoTime(now), isoTime(now + leaseSeconds * 1000), atOnce, instance, queue],
      );
      await Promise.all(rows.map((row) => this.deliver(row)));
    } catch (error) {
      log({
        level: 'warn',
        message: 'notices of scans could not be sent, will be tried again',
        ...errorFacts(error),
      });
    }
  }

  private async deliver(due: Due): Promise<void> {
    const { database, clock, random, send } = this.parts;
    // Its network or setting was removed meanwhile.
    if (!due.request) return void (await database.query('delete from job where id = $1', [due.job_id]));
    const { kind, content } = due.request;
    const sent = await send({ kind, request: content, deliveryId: due.id, attempt: due.attempts });
    const again =
      sent.outcome === 'failed' && sent.retry && due.attempts < mostAttempts
        ? nextAttempt({
            attempt: due.attempts,
            firstAt: due.created_at,
            now: clock.now(),
            retryAfterSeconds: sent.retryAfterSeconds ?? 0,
            random,
          })
        : null;
    if (again) {
      await database.query('update job set run_at = $2, locked_by = null where id = $1', [due.job_id, again]);
      return;
    }
    await database.transaction(async (tx) => {
      await tx.query('delete from job where id = $1', [due.job_id]);
      await tx.query(
        'update sonar_notification set result = $2, reason = $3, request = null where notification_history_id = $1',
        [due.id, sent.outcome, sent.outcome === 'failed' ? storeJson(sent.reason) : null],
      );
    });
  }
}
