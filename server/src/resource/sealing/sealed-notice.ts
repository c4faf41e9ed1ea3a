// Notifications that wait in a table of their own, with their secrets sealed.
import type { NextId } from '../../common/id.ts';
import { toStoreJson } from '../../db/store-json.ts';
import type { OutboxDeps, OutgoingItem } from '../../delivery/outbox.ts';
import type { SendResult } from '../../delivery/send-result.ts';
import { openRequest, type Sealing, sealRequest } from './sealed-fields.ts';

export interface NoticeDeps extends OutboxDeps {
  nextId: NextId;
  sealing: Sealing;
  /** Public origin of a space. */
  originOf(spaceId: string): string;
  send(outgoing: {
    kind: string;
    request: unknown;
    deliveryId: string;
    attempt: number;
  }): Promise<SendResult>;
}

/** A mail or webhook. */
export interface NoticeRequest {
  kind: string;
  content: unknown;
}

/** A row of the table. */
export interface StoredNotice {
  created_at: string;
  space_id: string;
  request: NoticeRequest;
}

/** The request as JSON for its column. */
export function sealNotice(sealing: Sealing, spaceId: string, request: NoticeRequest): string {
  return toStoreJson({ ...request, content: sealRequest(sealing, spaceId, request.content) });
}

export function openNotice(
  { sealing, send }: Pick<NoticeDeps, 'sealing' | 'send'>,
  id: string,
  stored: StoredNotice,
): OutgoingItem {
  const { kind, content } = stored.request;
  const request = openRequest(sealing, stored.space_id, content);
  return {
    id,
    createdAt: stored.created_at,
    send: ({ deliveryId, attempt }) => send({ kind, request, deliveryId, attempt }),
  };
}
