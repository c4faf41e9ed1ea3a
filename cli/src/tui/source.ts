// Where the full-screen view gets its data from, and does what it is asked to.
import { explainWhy } from '@yagura/core/alerthub/decide/explain';
import type { Why } from '@yagura/core/alerthub/why';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { printFilter } from '@yagura/core/query/filter';
import { bySeverity, type Event, type Scope } from '../alerthub/unsettled-scopes.ts';
import { timesToLook } from '../live/changes.ts';
import type { Entry, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { referenceNames } from '../resource/names.ts';
import { labelOf, type Presenter, present } from '../resource/present.ts';
import type { Session } from '../signin/session.ts';
import { cleanText } from '../term/clean.ts';
import { openBrowser } from '../term/open-browser.ts';
import type { Loaded } from './reducer.ts';
import type { DetailLine, Request, Target } from './state.ts';

export interface Source {
  load(target: Target, signal: AbortSignal): Promise<Loaded>;
  /** Does what was asked; the sentence tells that it is done. */
  perform(request: Request, signal: AbortSignal): Promise<string>;
  /** Yields when it is time to load again. */
  looks(signal: AbortSignal): AsyncIterable<void>;
}

/** Items of a list at most; a summary of them is all that is asked for. */
const most = 1000;
/** Milliseconds between two looks when nothing announces changes. */
const every = 3000;
/** Events and messages that a detail lists, and lines of a message's content. */
const tail = 50;

export function sourceOf(session: Session, presenter: Presenter): Source {
  const { transport, origin } = session;
  const client = (name: string) => entryClient(entryNamed(name), transport);
  return {
    looks: (signal) => timesToLook(session, every, signal, () => true),
    load({ view, id }, signal) {
      if (view === 'scopes') return id === undefined ? scopes(signal) : scope(id, signal);
      return id === undefined ? messages(signal) : message(id, signal);
    },
    async perform({ act, target }, signal) {
      const name = target.view === 'scopes' ? 'scope' : 'message';
      if (act === 'reset') {
        await client('severity').call('reset', { place: { scopeId: target.id }, body: {}, signal });
        return presenter.t('tui.done.reset');
      }
      const address = `${origin}${entryNamed(name).screen}${target.id === undefined ? '' : `/${target.id}`}`;
      await openBrowser(address);
      return address;
    },
  };

  async function scopes(signal: AbortSignal): Promise<Loaded> {
    const page = await client('scope').list({ limit: most, sort: '-severity,displayName' }, {}, signal);
    const rows = (page.items as Scope[]).sort(bySeverity);
    const counts = { incident: 0, warning: 0, normal: 0 };
    if (page.total <= rows.length) for (const row of rows) counts[row.status] += 1;
    else {
      for (const status of ['incident', 'warning', 'normal'] as const) {
        const filter = printFilter({ op: 'eq', field: 'status', value: status });
        counts[status] = (await client('scope').list({ limit: 1, filter }, {}, signal)).total;
      }
    }
    const items = rows.map((row) => ({
      id: row.scopeId,
      row: row as Row,
      search: `${row.displayName} ${row.status} ${presenter.t(`value.${row.status}`)}`.toLowerCase(),
    }));
    return { kind: 'list', items, total: page.total, counts };
  }

  async function messages(signal: AbortSignal): Promise<Loaded> {
    const entry = entryNamed('message');
    const page = await client('message').list({ limit: 200, sort: '-receivedAt' }, {}, signal);
    const names = await referenceNames(page.items, entry.fields, ['receiveSlotId'], transport, signal);
    const items = page.items.map((row) => {
      const slot = names.get(String(row.receiveSlotId)) ?? row.receiveSlotId;
      const shown = { ...row, receiveSlotId: slot };
      return {
        id: String(row.messageId),
        row: shown,
        search: `${row.summary} ${slot} ${row.messageId}`.toLowerCase(),
      };
    });
    return { kind: 'list', items, total: page.total, counts: {} };
  }

  async function scope(id: string, signal: AbortSignal): Promise<Loaded> {
    const [row, severities, events] = await Promise.all([
      client('scope').show(id, {}, signal),
      client('severity').list({ limit: 100, sort: '-value,name' }, { scopeId: id }, signal),
      client('event').list({ limit: tail, sort: '-createdAt' }, { scopeId: id }, signal),
    ]);
    const severity = entryNamed('severity');
    return {
      kind: 'detail',
      title: String(row.displayName),
      lines: [
        ...infoLines(entryNamed('scope'), row),
        ...sectionLines('tui.section.severities', severities.items.length, severities.total),
        ...severities.items.map((item): DetailLine => {
          const { text, style } = present(item.status, severity.fields.status, presenter);
          return { depth: 1, text: `${item.name}: ${item.value}  ${text}`, style };
        }),
        ...sectionLines('tui.section.events', events.items.length, events.total),
        ...(events.items as Event[]).map(eventLine),
      ],
    };
  }

  async function message(id: string, signal: AbortSignal): Promise<Loaded> {
    const [row, why] = await Promise.all([
      client('message').show(id, {}, signal),
      client('message').call<Why>('why', { id, signal }),
    ]);
    const named = { ...row, receiveSlotId: why.receiveSlotName ?? row.receiveSlotId };
    const { body } = (row.content ?? {}) as { body?: unknown };
    const content = cleanText(typeof body === 'string' ? body.slice(0, 20_000) : '').split('\n');
    return {
      kind: 'detail',
      title: String(row.summary || id),
      lines: [
        ...infoLines(entryNamed('message'), named),
        { depth: 0, text: presenter.t('tui.section.why'), style: 'bold' },
        ...explainWhy(why, presenter.t).map(({ depth, tone, text, at, link }): DetailLine => {
          const time = at === undefined ? '' : `  ${formatDateTimeSeconds(at, presenter)}`;
          const leads = link?.resource === 'scope' ? link.id : link?.scopeId;
          return {
            depth: depth + 1,
            text: text + time,
            style: tone,
            ...(leads ? { link: { view: 'scopes' as const, id: leads } } : {}),
          };
        }),
        { depth: 0, text: presenter.t('tui.section.content'), style: 'bold' },
        ...content.slice(0, tail).map((text) => ({ depth: 1, text })),
      ],
    };
  }

  function infoLines(entry: Entry, row: Row): DetailLine[] {
    return [entry.id, ...entry.detail]
      .filter((field) => row[field] !== undefined)
      .map((field) => {
        const { text, style } = present(row[field], entry.fields[field], presenter);
        return { depth: 0, text: `${labelOf(field, presenter.t, entry.id)}: ${text}`, style };
      });
  }

  function sectionLines(word: string, shown: number, total: number): DetailLine[] {
    const count = shown < total ? `${shown} / ${total}` : String(total);
    return [{ depth: 0, text: `${presenter.t(word)} (${count})`, style: 'bold' }];
  }

  function eventLine(event: Event): DetailLine {
    const { style, text } = present(event.status, entryNamed('event').fields.status, presenter);
    const sign = event.delta > 0 ? '+' : '';
    const change = `${event.severityName} ${sign}${event.delta} (${event.previousSeverity} → ${event.severity})`;
    const source = presenter.t(`value.${event.source}`);
    return {
      depth: 1,
      text: `${formatDateTimeSeconds(event.createdAt, presenter)}  ${text}  ${change}  ${source}`,
      style,
      ...(event.messageId ? { link: { view: 'messages' as const, id: event.messageId } } : {}),
    };
  }
}
