// Home: what needs somebody, the most severe first. A part that may not be read is left out.

import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { bySeverity, type Scope } from '../alerthub/unsettled-scopes.ts';
import type { Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import type { Presenter } from '../resource/present.ts';
import { fewRows } from './load-list.ts';
import { type Section, withSection } from './sections.ts';
import type { Detail, DetailLine } from './state.ts';
import { type AppContext, mayList } from './world.ts';

interface Part {
  /** Word of its title. */
  word: string;
  resource: string;
  filter: string;
  sort: string;
  limit: number;
  fields: readonly string[];
}

const parts: readonly Part[] = [
  {
    word: 'tui.part.scopes',
    resource: 'scope',
    filter: 'status ne "normal"',
    sort: '-severity,displayName',
    limit: 100,
    fields: ['status', 'displayName', 'severity', 'lastEventAt'],
  },
  {
    word: 'tui.part.deliveries',
    resource: 'action-record',
    filter: 'status eq "failed"',
    sort: '-createdAt',
    limit: 5,
    fields: ['status', 'actionId', 'kind', 'scopeId', 'createdAt'],
  },
  {
    word: 'tui.part.scans',
    resource: 'task',
    filter: 'namespace eq "sonar" and method eq "scan" and (status eq "requested" or status eq "started")',
    sort: '-createdAt',
    limit: 5,
    fields: ['status', 'progress', 'method', 'createdAt'],
  },
  {
    word: 'tui.part.calls',
    resource: 'result',
    filter: 'status eq "waiting" or status eq "preparing" or status eq "processing" or status eq "aborting"',
    sort: '-createdAt',
    limit: 5,
    fields: ['status', 'callflow.displayName', 'guidance.displayName', 'createdAt'],
  },
  {
    word: 'tui.part.sessions',
    resource: 'session',
    filter: 'status eq "opened"',
    sort: '-openedAt',
    limit: 5,
    fields: ['status', 'destinationName', 'protocol', 'participants', 'openedAt'],
  },
  {
    word: 'tui.part.messages',
    resource: 'message',
    filter: '',
    sort: '-receivedAt',
    limit: 5,
    fields: ['receivedAt', 'summary', 'receiveSlotId'],
  },
];

interface SheetAnswer {
  type: 'sheet';
  title: string;
  detail: Detail;
}

export async function loadHome(
  transport: Transport,
  context: AppContext,
  presenter: Presenter,
  signal: AbortSignal,
): Promise<SheetAnswer> {
  const wanted = parts.filter(({ resource }) => mayList(context, entryNamed(resource)));
  const [counts, ...sections] = await Promise.all([
    countsLine(transport, context, signal),
    ...wanted.map((part) => sectionOf(transport, context, part, signal)),
  ]);
  let detail: Detail = { lines: counts ? [counts] : [], tables: [] };
  const now = Date.now();
  for (const section of sections) {
    if (section) detail = withSection(detail, section, presenter, now);
  }
  return { type: 'sheet', title: context.t('tui.home'), detail };
}

async function sectionOf(
  transport: Transport,
  context: AppContext,
  part: Part,
  signal: AbortSignal,
): Promise<Section | undefined> {
  const meta = entryNamed(part.resource);
  const { filter, sort, limit } = part;
  try {
    const found = await fewRows(transport, meta, { limit, sort, ...(filter ? { filter } : {}) }, {}, signal);
    const rows =
      part.resource === 'scope'
        ? ((found.rows as unknown as Scope[]).sort(bySeverity) as unknown as Row[])
        : found.rows;
    const fields = part.fields.filter((field) => field.split('.')[0]! in meta.fields);
    return {
      ...found,
      rows,
      key: part.word,
      title: context.t(part.word),
      entry: meta,
      params: {},
      filter,
      fields,
    };
  } catch (error) {
    return quietly(error);
  }
}

/** `2 Incident  1 Warning  14 Normal`. */
async function countsLine(
  transport: Transport,
  context: AppContext,
  signal: AbortSignal,
): Promise<DetailLine | undefined> {
  const scope = entryNamed('scope');
  if (!mayList(context, scope)) return undefined;
  try {
    const client = entryClient(scope, transport);
    const counts = await Promise.all(
      ['incident', 'warning', 'normal'].map(async (status) => {
        const { total } = await client.list({ limit: 1, filter: `status eq "${status}"` }, {}, signal);
        return { status, total };
      }),
    );
    const text = counts.map(({ status, total }) => `${total} ${context.t(`value.${status}`)}`).join('   ');
    const [incidents, warnings] = counts;
    const style = incidents!.total > 0 ? 'danger' : warnings!.total > 0 ? 'warning' : 'success';
    return {
      key: 'counts',
      depth: 0,
      text,
      style,
      link: { kind: 'list', resource: 'scope', params: {}, sort: '-severity,displayName' },
    };
  } catch (error) {
    return quietly(error);
  }
}

/** One part that may not be read leaves the others; a server that is away or a sign-in that is over is told. */
function quietly(error: unknown): undefined {
  if (
    error instanceof Problem &&
    (error.kind === 'forbidden' || error.kind === 'not-found' || error.kind === 'invalid')
  )
    return undefined;
  throw error;
}
