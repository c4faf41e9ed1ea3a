// Sends notifications about gateways by mail and webhook: queued in the event's transaction, sent afterwards, retried
// on failure.
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { kroker } from '@yagura/core/kroker/kroker';
import { krokerNotification } from '@yagura/core/kroker/kroker-notification';
import type { Item } from '@yagura/core/resource/define-resource';
import { isoTime } from '../common/clock.ts';
import type { Transaction } from '../db/database.ts';
import { createPlainMail } from '../delivery/mail-message.ts';
import { Outbox, type OutboxAttempt, type OutgoingItem } from '../delivery/outbox.ts';
import { openBody } from '../resource/sealing/sealed-fields.ts';
import {
  type NoticeDeps,
  openNotice,
  type StoredNotice,
  sealNotice,
} from '../resource/sealing/sealed-notice.ts';
import type { KrokerChange } from './gateway-presence.ts';
import { keepKroker, writeKrokerLog } from './kroker-log.ts';

const maxAttempts = 6;

/** Refers to the row of a notification to be sent. */
interface Payload {
  id: string;
}

type Setting = Item<typeof krokerNotification>;

const noticeKeys = {
  connected: 'kroker.notice.connected',
  disconnected: 'kroker.notice.disconnected',
} as const satisfies Record<KrokerChange['event'], MessageKey>;

export class KrokerNotices {
  private readonly deps: NoticeDeps;
  private readonly outbox: Outbox<Payload>;

  constructor(deps: NoticeDeps) {
    this.deps = deps;
    this.outbox = new Outbox<Payload>(deps, {
      queue: 'kroker-notification',
      maxConcurrent: 10,
      maxAttempts,
      failureMessage: 'a notification about a Kroker was not sent',
      read: (payload) => this.read(payload),
      record: (tx, payload, attempt) => this.recordEnd(tx, payload, attempt),
    });
  }

  start(): Promise<void> {
    return this.outbox.start();
  }

  close(): Promise<void> {
    return this.outbox.close();
  }

  wake(): void {
    this.outbox.wake();
  }

  /** Resolves when everything due was attempted. */
  idle(): Promise<void> {
    return this.outbox.idle();
  }

  /** Queues the notifications of a change. */
  async add(tx: Transaction, change: KrokerChange): Promise<void> {
    const { nextId, clock, sealing } = this.deps;
    const { spaceId, krokerId, event } = change;
    const { rows } = await tx.query<{ body: Record<string, unknown> }>(
      `select body from resource where space_id = $1 and kind = $2 and body->>'disabled' = 'false' and body->'events' ? $3
         and (body->'krokerIds' = '[]'::jsonb or body->'krokerIds' ? $4)`,
      [spaceId, krokerNotification.name, event, krokerId],
    );
    const now = isoTime(clock.now());
    for (const { body } of rows) {
      const id = nextId();
      const setting = openBody(sealing, spaceId, krokerNotification, body) as Setting;
      const request = await this.compose(setting, change, now);
      await tx.query(
        `insert into kroker_notice (notice_id, space_id, kroker_id, setting_name, request, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [id, spaceId, krokerId, setting.displayName, sealNotice(sealing, spaceId, request), now],
      );
      await this.outbox.add(tx, spaceId, { id });
    }
  }

  private async compose(setting: Setting, change: KrokerChange, at: string) {
    const { spaceId, krokerId, displayName, event } = change;
    if (setting.kind === 'webhook')
      return {
        kind: 'webhook',
        content: {
          url: String(setting.parameters.url),
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ event, krokerId, krokerName: displayName, at }),
        },
      };
    const [ja, en] = await Promise.all([loadTranslator('ja'), loadTranslator('en')]);
    const text = (t: Translate) => t(noticeKeys[event], { name: displayName });
    const link = `${this.deps.originOf(spaceId)}${kroker.screen}/${krokerId}`;
    return {
      kind: 'email',
      content: createPlainMail(setting.parameters.to as string[], {
        subject: `[${displayName}] ${ja(`value.${event}`)} / ${en(`value.${event}`)}`,
        text: `${text(ja)}\n\n${text(en)}\n\n${link}\n`,
      }),
    };
  }

  private async read({ id }: Payload): Promise<OutgoingItem | null> {
    const { rows } = await this.deps.database.query<StoredNotice>(
      'select created_at, space_id, request from kroker_notice where notice_id = $1',
      [id],
    );
    // Without a row, its Kroker was deleted meanwhile.
    return rows[0] ? openNotice(this.deps, id, rows[0]) : null;
  }

  /** The Kroker's log names a setting whose notification could not be sent. */
  private async recordEnd(
    tx: Transaction,
    { id }: Payload,
    { result, nextAt }: OutboxAttempt,
  ): Promise<void> {
    if (nextAt) return;
    const { rows } = await tx.query<{ spaceId: string; krokerId: string; name: string }>(
      `select space_id as "spaceId", kroker_id as "krokerId", setting_name as name from kroker_notice
       where notice_id = $1`,
      [id],
    );
    const [sent] = rows;
    if (!sent) return;
    await keepKroker(tx, sent);
    await tx.query('delete from kroker_notice where notice_id = $1', [id]);
    if (result.outcome !== 'failed') return;
    const { spaceId, krokerId, name } = sent;
    await writeKrokerLog(tx, this.deps, {
      ...{ spaceId, krokerId, user: null },
      event: 'notification-failed',
      subject: name,
    });
  }
}
