// Sends scan notifications by mail and webhook: queued in the event's transaction, sent afterwards, retried
// on failure.

import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { scanFailureText } from '@yagura/core/inventory/scan-failure';
import type { ScanEvent } from '@yagura/core/sonar/scan-event';
import { type NotificationTarget, scanNotification } from '@yagura/core/sonar/scan-notification';
import { isoTime } from '../common/clock.ts';
import { type TranslatableText, textOf } from '../common/translatable-text.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { createPlainMail } from '../delivery/mail-message.ts';
import { Outbox, type OutboxAttempt, type OutgoingItem } from '../delivery/outbox.ts';
import { openBody } from '../resource/sealing/sealed-fields.ts';
import {
  type NoticeDeps,
  type NoticeRequest,
  openNotice,
  sealNotice,
} from '../resource/sealing/sealed-notice.ts';
import type { NamedNode } from './aggregation/named-nodes.ts';
import type { NotifiedScan, Scan } from './scan-snapshot.ts';
import type { ScanListener } from './scans.ts';

const maxAttempts = 6;
/** Refers to the row of a notification to be sent. */
interface Payload {
  id: string;
}

interface ScanEventDetails {
  /** A string is what an agent reported, or a stored failure. */
  reason?: string | TranslatableText | null;
  /** The first of the nodes. */
  nodes?: readonly NamedNode[];
  numberOfNodes?: number;
  [name: string]: unknown;
}

export class ScanNotices implements ScanListener {
  private readonly deps: NoticeDeps;
  private readonly outbox: Outbox<Payload>;

  constructor(deps: NoticeDeps) {
    this.deps = deps;
    this.outbox = new Outbox<Payload>(deps, {
      queue: 'sonar-notification',
      maxConcurrent: 20,
      maxAttempts,
      failureMessage: 'a notice of a scan was not sent',
      read: (payload) => this.read(payload),
      record: recordEnd,
    });
  }

  start(): Promise<void> {
    return this.outbox.start();
  }

  close(): Promise<void> {
    return this.outbox.close();
  }

  /** Resolves when everything due was attempted. */
  idle(): Promise<void> {
    return this.outbox.idle();
  }

  async onScanEvent(
    tx: Transaction,
    scan: NotifiedScan,
    event: ScanEvent,
    details: ScanEventDetails,
  ): Promise<void> {
    const { rows } = await tx.query<{ id: string; body: NotificationTarget }>(
      `select id, body from resource where space_id = $1 and kind = 'scan-notification' and parent_id = $2
         and body->>'disabled' = 'false' and body->'events' ? $3`,
      [scan.spaceId, scan.networkId, event],
    );
    const now = isoTime(this.deps.clock.now());
    for (const { id, body } of rows) {
      const historyId = this.deps.nextId();
      const target = openBody(this.deps.sealing, scan.spaceId, scanNotification, body);
      const request = await this.compose(tx, target, scan, event, details, now);
      await tx.query(
        `insert into sonar_notification (notification_history_id, space_id, network_id, notification_setting_id, event, snapshot_id, request, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          historyId,
          scan.spaceId,
          scan.networkId,
          id,
          event,
          scan.snapshotId,
          sealNotice(this.deps.sealing, scan.spaceId, request),
          now,
        ],
      );
      await this.outbox.add(tx, scan.spaceId, { id: historyId });
    }
  }

  /** Sends a test notification immediately and returns the result. */
  async example(
    spaceId: string,
    networkId: string,
    target: NotificationTarget,
    t: Translate,
  ): Promise<{ result: 'succeeded' | 'failed'; reason: string | null }> {
    const { database, clock, nextId, send } = this.deps;
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
    scan: NotifiedScan,
    event: ScanEvent,
    details: ScanEventDetails,
    at: string,
  ) {
    const { rows } = await db.query<{ name: string }>(
      `select body->>'displayName' as name from resource where space_id = $1 and kind = 'network' and id = $2`,
      [scan.spaceId, scan.networkId],
    );
    const networkName = rows[0]?.name ?? '';
    const { nodes, reason, ...rest } = details;
    const [ja, en] = await Promise.all([loadTranslator('ja'), loadTranslator('en')]);
    const reasonIn = (t: Translate) => {
      if (typeof reason === 'object' && reason !== null) return textOf(reason, t);
      return reason ? scanFailureText(reason, t) : reason;
    };
    const about = {
      event,
      networkId: scan.networkId,
      networkName,
      snapshotId: scan.snapshotId,
      at,
      ...rest,
      ...(reason === undefined ? {} : { reason: reasonIn(en) }),
      ...(nodes ? { nodes } : {}),
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
    const page = scan.snapshotId ? `snapshots/${scan.snapshotId}` : 'scan';
    const link = `${this.deps.originOf(scan.spaceId)}/apps/sonar/networks/${scan.networkId}/${page}`;
    const paragraph = (t: Translate) =>
      [
        details.example ? t('sonar.notice.example') : '',
        t(noticeKeys[event], { network: networkName, count: details.numberOfNodes ?? 0 }),
        reasonIn(t) ?? '',
        ...(nodes ?? []).map((one) => `- ${one.displayName}`),
      ]
        .filter(Boolean)
        .join('\n');
    return {
      kind: 'email',
      content: createPlainMail(target.emails, {
        subject: `[${networkName}] ${ja(`value.${event}`)} / ${en(`value.${event}`)}`,
        text: `${paragraph(ja)}\n\n${paragraph(en)}\n\n${link}\n`,
      }),
    };
  }

  private async read({ id }: Payload): Promise<OutgoingItem | null> {
    const { rows } = await this.deps.database.query<{
      created_at: string;
      space_id: string;
      request: NoticeRequest | null;
    }>('select created_at, space_id, request from sonar_notification where notification_history_id = $1', [
      id,
    ]);
    const due = rows[0];
    // Without it, its network or setting was deleted meanwhile.
    return due?.request ? openNotice(this.deps, id, { ...due, request: due.request }) : null;
  }
}

async function recordEnd(tx: Queryable, { id }: Payload, { result, nextAt }: OutboxAttempt): Promise<void> {
  if (nextAt) return;
  await tx.query(
    'update sonar_notification set result = $2, reason = $3, request = null where notification_history_id = $1',
    [id, result.outcome, result.outcome === 'failed' ? toStoreJson(result.reason) : null],
  );
}

const noticeKeys = {
  'scan:started': 'sonar.notice.scan-started',
  'scan:failedtostart': 'sonar.notice.scan-failedtostart',
  'scan:succeeded': 'sonar.notice.scan-succeeded',
  'scan:failed': 'sonar.notice.scan-failed',
  'node:found': 'sonar.notice.node-found',
  'node:outdated': 'sonar.notice.node-outdated',
} as const satisfies Record<ScanEvent, MessageKey>;
