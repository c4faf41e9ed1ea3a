// Starts a chain: resolves the references of the request, fills the templates and queues the chain.

import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { callflow } from '@yagura/core/pigeon/callflow';
import type { InvokeParams } from '@yagura/core/pigeon/chain';
import type { contact } from '@yagura/core/pigeon/contact';
import type { guidance } from '@yagura/core/pigeon/guidance';
import type { Item } from '@yagura/core/resource/define-resource';
import { type QuietHours, quietUntil } from '@yagura/core/schedule/quiet-hours';
import { detectVoiceLanguage, drillNoticeText, renderSpokenText } from '@yagura/core/speech/spoken-text';
import { offsetAt } from '@yagura/core/time/zone-clock';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { isUuid } from '../common/id.ts';
import type { InTransaction, Queryable } from '../db/database.ts';
import type { ChainRunner } from './chain-runner.ts';
import type { ChainPlan, PlannedStop } from './chain-state.ts';
import { findChainOf, type NewChain } from './chain-store.ts';
import type { PhoneLine } from './line.ts';
import { canSay, findMissingVoice, prepareSpeech } from './voice/prepare-speech.ts';
import type { SpeechRenderer } from './voice/speech-renderer.ts';

/** Why the request was rejected: a message key and its parameters. */
export interface Rejection {
  word: MessageKey;
  params?: Record<string, unknown>;
}

export type StartChainResult = { resultId: string } | { rejected: Rejection };

export interface StartChainRequest {
  spaceId: string;
  params: InvokeParams;
  source: 'api' | 'trigger';
  /** Makes a retried handover return the first result. */
  actionRecordId?: string;
  /** The message begins by saying that it is a drill. */
  isTestDelivery?: boolean;
  /** Whether the space's tickets enable call transfer. */
  mayTransfer: boolean;
  /** Runs in the transaction that stores the chain. */
  onStored?: InTransaction;
}

type PlanRequest = Pick<StartChainRequest, 'spaceId' | 'params' | 'isTestDelivery' | 'mayTransfer'>;

export interface StartChainDeps {
  database: Queryable;
  clock: Clock;
  nextId: NextId;
  runner: ChainRunner;
  speech: SpeechRenderer;
}

type Callflow = Pick<
  Item<typeof callflow>,
  'displayName' | 'loopLimit' | 'contacts' | 'transferTo' | 'endsAfterFailedTransfer' | 'quietHours'
>;
type InlineCallflow = NonNullable<InvokeParams['callflow']>;
type Guidance = Pick<Item<typeof guidance>, 'displayName' | 'messageTemplate' | 'reactions'> & {
  recording?: Item<typeof guidance>['recording'];
};
type Contact = Pick<Item<typeof contact>, 'displayName' | 'phones'>;

class ChainRejected extends Error {
  readonly rejection: Rejection;
  constructor(word: MessageKey, params?: Record<string, unknown>) {
    super(word);
    this.rejection = { word, ...(params ? { params } : {}) };
  }
}

/** Never throws for an invalid request; database errors are still thrown. */
export function startChain(deps: StartChainDeps, request: StartChainRequest): Promise<StartChainResult> {
  return orRejection(async () => ({ resultId: await createChain(deps, request) }));
}

/**
 * The plan of a chain that is not started, and why it would be rejected now although it can be planned; works
 * without a line. Never throws for an invalid request.
 */
export function planOnly(
  { database, clock }: Pick<StartChainDeps, 'database' | 'clock'>,
  request: PlanRequest,
): Promise<{ plan: ChainPlan; quiet: Rejection | null } | { rejected: Rejection }> {
  return orRejection(async () => {
    const { plan, flow } = await planChain(database, request, null);
    return { plan, quiet: quietRejection(flow.quietHours, clock.now()) };
  });
}

async function orRejection<T>(work: () => Promise<T>): Promise<T | { rejected: Rejection }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainRejected) return { rejected: error.rejection };
    throw error;
  }
}

async function createChain(
  { database, clock, nextId, runner, speech }: StartChainDeps,
  request: StartChainRequest,
): Promise<string> {
  const { spaceId, params, actionRecordId = null } = request;
  // Settings and time can have changed since a handover that was not recorded started the chain.
  const started = actionRecordId && (await findChainOf(database, actionRecordId));
  if (started) return started;
  const { line } = runner;
  if (!line) throw new ChainRejected('pigeon.rejected.noLine');
  const { flow, guide, plan } = await planChain(database, request, line);
  const quiet = quietRejection(flow.quietHours, clock.now());
  if (quiet) throw new ChainRejected(quiet.word, quiet.params);
  let prepared: Promise<void> | undefined;
  if (line.needsSpeech) {
    const language = findMissingVoice(speech, plan);
    if (language)
      throw new ChainRejected('pigeon.rejected.noVoice', {
        language: { word: `pigeon.language.${language}` },
      });
    prepared = prepareSpeech(speech, spaceId, plan);
  }
  const chain: NewChain = {
    resultId: nextId(),
    spaceId,
    callflow: {
      callflowId: params.callflowId ?? null,
      displayName: flow.displayName,
      loopLimit: flow.loopLimit,
    },
    guidance: {
      guidanceId: params.guidanceId ?? null,
      displayName: guide.displayName,
      messageTemplate: guide.messageTemplate,
    },
    parameters: params.parameters,
    plan,
    line: line.kind,
    source: request.source,
    actionRecordId,
  };
  return runner.add(chain, prepared, request.onStored);
}

function quietRejection(hours: QuietHours | null, now: number): Rejection | null {
  const until = hours && quietUntil(hours, now);
  if (until === null) return null;
  const { timeZone } = hours!;
  const local = new Date(until + offsetAt(until, timeZone)).toISOString();
  return {
    word: 'pigeon.rejected.quiet',
    params: { until: `${local.slice(0, 10)} ${local.slice(11, 16)}`, zone: timeZone },
  };
}

/** Resolves the references of a request and fills the templates. */
async function planChain(
  database: Queryable,
  { spaceId, params, mayTransfer, isTestDelivery = false }: PlanRequest,
  line: PhoneLine | null,
): Promise<{ flow: Callflow | InlineCallflow; guide: Guidance; plan: ChainPlan }> {
  const flow: Callflow | InlineCallflow =
    params.callflow ?? (await loadBody<Callflow>(database, spaceId, 'callflow', params.callflowId));
  const guide: Guidance =
    params.guidance ?? (await loadBody<Guidance>(database, spaceId, 'guidance', params.guidanceId));
  const transfers = Object.values(guide.reactions).some((reaction) => reaction?.behavior === 'transfer');
  if (transfers && !flow.transferTo) throw new ChainRejected('pigeon.rejected.noTransfer');
  if (transfers && !mayTransfer) throw new ChainRejected('pigeon.rejected.ticket');
  const contacts = await loadContacts(database, spaceId, flow);
  const transferTo = flow.transferTo ? toStops(flow.transferTo, contacts)[0]! : null;
  if (transfers && transferTo?.phoneNumber === null)
    throw new ChainRejected('pigeon.rejected.noTransferPhone', { phone: flow.transferTo!.phone });
  const plan: ChainPlan = {
    stops: flow.contacts.flatMap((entry) => toStops(entry, contacts)),
    transferTo,
    endsAfterFailedTransfer: flow.endsAfterFailedTransfer,
    loopLimit: flow.loopLimit,
    ...renderSpeech(guide, params.parameters, isTestDelivery, line),
  };
  return { flow, guide, plan };
}

async function loadBody<T>(
  db: Queryable,
  spaceId: string,
  kind: 'callflow' | 'guidance',
  id: string | undefined,
): Promise<T> {
  const { rows } = isUuid(id)
    ? await db.query<{ body: T }>('select body from resource where space_id = $1 and kind = $2 and id = $3', [
        spaceId,
        kind,
        id,
      ])
    : { rows: [] };
  if (!rows[0]) throw new ChainRejected(`pigeon.rejected.${kind}`);
  return rows[0].body;
}

/** The contacts that a callflow names, by id. */
async function loadContacts(
  db: Queryable,
  spaceId: string,
  { contacts, transferTo }: Callflow | InlineCallflow,
): Promise<Map<string, Contact>> {
  const named = [...contacts, ...(transferTo ? [transferTo] : [])];
  const ids = [...new Set(named.flatMap((entry) => ('contactId' in entry ? [entry.contactId] : [])))];
  const { rows } = await db.query<{ id: string; body: Contact }>(
    "select id, body from resource where space_id = $1 and kind = 'contact' and id = any($2::uuid[])",
    [spaceId, ids],
  );
  const found = new Map(rows.map((row) => [row.id, row.body]));
  if (!ids.every((id) => found.has(id))) throw new ChainRejected('pigeon.rejected.contact');
  return found;
}

type CallflowEntry = Callflow['contacts'][number] | InlineCallflow['contacts'][number];

function toStops(entry: CallflowEntry, contacts: ReadonlyMap<string, Contact>): PlannedStop[] {
  if ('contactId' in entry) {
    const { displayName, phones } = contacts.get(entry.contactId)!;
    const phoneNumber = phones[entry.phone - 1]?.phoneNumber ?? null;
    return [{ key: entry.contactId, contactId: entry.contactId, displayName, phoneNumber }];
  }
  const { displayName, phones } = entry;
  return phones.map(({ phoneNumber }) => ({
    key: `${displayName} ${phones[0]!.phoneNumber}`,
    contactId: null,
    displayName,
    phoneNumber,
  }));
}

function renderSpeech(
  guide: Guidance,
  parameters: Record<string, unknown>,
  drill: boolean,
  line: PhoneLine | null,
): Pick<ChainPlan, 'message' | 'reactions' | 'recordingId'> {
  try {
    const entries = Object.entries(guide.reactions).map(
      ([digit, { behavior, messageTemplate, acknowledge }]) => [
        digit,
        {
          behavior,
          message: renderSpokenText(messageTemplate, parameters).text,
          ...(acknowledge ? { acknowledge } : {}),
        },
      ],
    );
    const { text } = renderSpokenText(guide.messageTemplate, parameters);
    // A drill says that it is one, which a recording does not.
    const recordingId = drill ? undefined : guide.recording?.recordingId;
    if (line && !recordingId && !canSay(text, line)) throw new ChainRejected('pigeon.rejected.nothingToSay');
    return {
      ...(recordingId ? { recordingId } : {}),
      message: drill ? `${drillNoticeText[detectVoiceLanguage(text)]} ${text}` : text,
      reactions: Object.fromEntries(entries) as ChainPlan['reactions'],
    };
  } catch (error) {
    if (error instanceof FlowError)
      throw new ChainRejected('pigeon.rejected.template', { detail: error.reason });
    throw error;
  }
}
