// Loads the home view: items that need attention, most severe first. Parts the user may not read are omitted.

import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { dataKey } from '@yagura/core/i18n/message-key';
import { bySeverity, type Scope } from '../../alerthub/unsettled-scopes.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { Presenter } from '../../resource/output/present-value.ts';
import { type AppContext, canList } from '../state/app-context.ts';
import type { Detail, DetailLine } from '../state/state.ts';
import { appendSection, type DetailSection } from './detail-section.ts';
import { loadPreviewRows } from './load-list.ts';

interface HomeSection {
  /** Message key of the title. */
  titleKey: MessageKey;
  resource: string;
  filter: string;
  sort: string;
  fields: readonly string[];
  /** All items are shown, however small the terminal is. */
  showAll?: true;
}

/** Tasks that are running scans. */
export const runningScanFilter =
  'namespace eq "sonar" and method eq "scan" and (status eq "requested" or status eq "started")';

const homeSections: readonly HomeSection[] = [
  {
    titleKey: 'tui.part.scopes',
    resource: 'scope',
    filter: 'status ne "normal"',
    sort: '-severity,displayName',
    fields: ['status', 'displayName', 'severity', 'acknowledgedBy', 'lastEventAt'],
    showAll: true,
  },
  {
    titleKey: 'tui.part.deliveries',
    resource: 'action-record',
    filter: 'status eq "failed"',
    sort: '-createdAt',
    fields: ['status', 'actionId', 'kind', 'scopeId', 'createdAt'],
  },
  {
    titleKey: 'tui.part.scans',
    resource: 'task',
    filter: runningScanFilter,
    sort: '-createdAt',
    fields: ['status', 'progress', 'method', 'createdAt'],
  },
  {
    titleKey: 'tui.part.calls',
    resource: 'result',
    filter: 'status eq "waiting" or status eq "preparing" or status eq "processing" or status eq "aborting"',
    sort: '-createdAt',
    fields: ['status', 'callflow.displayName', 'guidance.displayName', 'createdAt'],
  },
  {
    titleKey: 'tui.part.sessions',
    resource: 'session',
    filter: 'status eq "opened"',
    sort: '-openedAt',
    fields: ['status', 'destinationName', 'protocol', 'participants', 'openedAt'],
  },
  {
    titleKey: 'tui.part.messages',
    resource: 'message',
    filter: '',
    sort: '-receivedAt',
    fields: ['receivedAt', 'summary', 'receiveSlotId'],
  },
];

/** Maximum number of items to load per section. */
const maxItems = 100;
/** Fewest items shown of the other sections, if there are as many. */
const minItems = 3;
/** Rows of the frame, the counts and the status bar. */
const frameRows = 6;
/** Rows of a section besides its items: the heading and a gap. */
const sectionRows = 2;

interface HomeDetailSection extends DetailSection {
  showAll: boolean;
}

interface LoadedHome {
  type: 'sheet';
  title: string;
  detail: Detail;
}

export async function loadHome(
  transport: Transport,
  context: AppContext,
  presenter: Presenter,
  rows: number,
  signal: AbortSignal,
): Promise<LoadedHome> {
  const listable = homeSections.filter(({ resource }) => canList(context, resourceNamed(resource)));
  const [counts, ...sections] = await Promise.all([
    loadStatusCounts(transport, context, signal),
    ...listable.map((homeSection) => loadSection(transport, context, homeSection, rows, signal)),
  ]);
  let detail: Detail = { lines: counts ? [counts] : [], tables: [] };
  const now = presenter.now();
  const shown = sections.filter((section) => section !== undefined);
  const numbers = shareRows(
    shown.map(({ rows: found, showAll }) => ({ wanted: found.length, all: showAll })),
    rows - frameRows - shown.length * sectionRows,
  );
  for (const [index, section] of shown.entries())
    detail = appendSection(
      detail,
      { ...section, rows: section.rows.slice(0, numbers[index]) },
      presenter,
      now,
    );
  if (detail.lines.length === 0)
    detail.lines = [{ key: 'forbidden', depth: 0, text: context.t('tui.home.forbidden'), style: 'warning' }];
  return { type: 'sheet', title: context.t('tui.home'), detail };
}

/** How many items each section shows, so that together they fill this number of rows where they can. */
export function shareRows(
  sections: readonly { wanted: number; all: boolean }[],
  available: number,
): readonly number[] {
  const numbers = sections.map(({ wanted, all }) => (all ? wanted : Math.min(wanted, minItems)));
  let left = available - numbers.reduce((sum, number) => sum + number, 0);
  while (left > 0) {
    const before = left;
    for (const [index, { wanted }] of sections.entries())
      if (left > 0 && numbers[index]! < wanted) {
        numbers[index]! += 1;
        left -= 1;
      }
    if (left === before) break;
  }
  return numbers;
}

async function loadSection(
  transport: Transport,
  context: AppContext,
  homeSection: HomeSection,
  screenRows: number,
  signal: AbortSignal,
): Promise<HomeDetailSection | undefined> {
  const meta = resourceNamed(homeSection.resource);
  const { filter, sort, showAll = false } = homeSection;
  const limit = showAll ? maxItems : Math.min(maxItems, Math.max(minItems, screenRows));
  try {
    const found = await loadPreviewRows(
      transport,
      meta,
      { limit, sort, ...(filter ? { filter } : {}) },
      {},
      signal,
    );
    const rows =
      homeSection.resource === 'scope'
        ? ((found.rows as unknown as Scope[]).sort(bySeverity) as unknown as Row[])
        : found.rows;
    return {
      ...found,
      rows,
      key: homeSection.titleKey,
      title: context.t(homeSection.titleKey),
      meta,
      params: {},
      filter,
      fields: homeSection.fields,
      showAll,
    };
  } catch (error) {
    return ignoreInaccessible(error);
  }
}

/** `2 Incident  1 Warning  14 Normal`. */
async function loadStatusCounts(
  transport: Transport,
  context: AppContext,
  signal: AbortSignal,
): Promise<DetailLine | undefined> {
  const scope = resourceNamed('scope');
  if (!canList(context, scope)) return undefined;
  try {
    const client = resourceClient(scope, transport);
    const counts = await Promise.all(
      ['incident', 'warning', 'normal'].map(async (status) => {
        const { total } = await client.list({ limit: 1, filter: `status eq "${status}"` }, {}, signal);
        return { status, total };
      }),
    );
    const text = counts
      .map(({ status, total }) => `${total} ${context.t(dataKey(`value.${status}`))}`)
      .join('   ');
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
    return ignoreInaccessible(error);
  }
}

/** Ignores a part the user may not read; an unreachable server or an expired sign-in is rethrown. */
export function ignoreInaccessible(error: unknown): undefined {
  if (
    error instanceof Problem &&
    (error.kind === 'forbidden' || error.kind === 'not-found' || error.kind === 'invalid')
  )
    return undefined;
  throw error;
}
