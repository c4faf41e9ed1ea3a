// Notification settings for a network's scans, stored as plain rows, and the list of sent notifications.

import { storedKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import {
  type NotificationTarget,
  notificationHistory,
  scanNotification,
} from '@yagura/core/sonar/scan-notification';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { assertParentVisible, findItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { bodyTable, rowTable } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { ResourceServices } from '../../resource/request-context.ts';
import type { ScanNotices } from '../scan-notices.ts';

export interface ScanNotificationServices extends ResourceServices {
  scanNotices: ScanNotices;
}

/** Reasons are stored as a message key with parameters and translated to the caller's language. */
function reasonText(reason: unknown, t: Translate): string | null {
  if (typeof reason !== 'string') return null;
  const { word, params } = JSON.parse(reason) as { word: string; params: Record<string, unknown> };
  return t(storedKey(word), params);
}

const settingTable = bodyTable(scanNotification);
const historyTable = rowTable(notificationHistory, { from: 'sonar_notification h', alias: 'h' });

export const scanNotificationBehaviour: Behaviour<typeof scanNotification, ScanNotificationServices> = {
  resource: scanNotification,
  table: settingTable,
  async afterRemove(tx, context, id) {
    await tx.query('delete from sonar_notification where space_id = $1 and notification_setting_id = $2', [
      context.spaceId,
      id,
    ]);
  },
  calls: {
    async 'notify-example'(context, body) {
      const networkId = (await assertParentVisible(context.services.database, context, scanNotification))!;
      return context.services.scanNotices.example(
        context.spaceId,
        networkId,
        body as NotificationTarget,
        context.t,
      );
    },
    async histories(context) {
      const id = context.params.notificationSettingId ?? '';
      const found = await findItem(context.services.database, context, scanNotification, settingTable, id);
      if (!found) throw itemNotFound(context, scanNotification);
      const ofSetting = {
        ...historyTable,
        where: `${historyTable.where} and h.result is not null and h.notification_setting_id = '${id}'`,
      };
      const page = await listItems(
        context,
        notificationHistory,
        ofSetting,
        readListQuery(notificationHistory, context.query, context.t),
      );
      return {
        ...page,
        items: page.items.map((item) => ({ ...item, reason: reasonText(item.reason, context.t) })),
      };
    },
  },
};
