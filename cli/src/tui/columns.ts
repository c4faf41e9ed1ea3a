// The columns of the lists of the full-screen view.
import { formatAge } from '@yagura/core/format/duration';
import type { Translate } from '@yagura/core/words/translate';
import type { Row } from '../resource/entry.ts';
import { entryNamed } from '../resource/entry-client.ts';
import { type Presenter, present } from '../resource/present.ts';
import { cleanLine } from '../term/clean.ts';
import type { Cell, Column } from '../term/table.ts';
import type { View } from './state.ts';

export function columnsOfView(view: View, t: Translate): Column[] {
  if (view === 'scopes') {
    return [
      { title: t('label.status'), whole: true },
      { title: t('label.displayName') },
      { title: t('label.severity'), whole: true, right: true },
      { title: t('label.lastEventAt'), whole: true },
    ];
  }
  return [
    { title: t('label.receivedAt'), whole: true },
    { title: t('label.summary') },
    { title: t('label.ruleResult'), whole: true, right: true },
    { title: t('label.receiveSlotId') },
  ];
}

export function rowCells(view: View, row: Row, presenter: Presenter, now: number): Cell[] {
  if (view === 'scopes') {
    const { fields } = entryNamed('scope');
    return [
      present(row.status, fields.status, presenter),
      { text: cleanLine(String(row.displayName)) },
      { text: String(row.severity) },
      ageCell(row.lastEventAt, presenter, now),
    ];
  }
  const { fields } = entryNamed('message');
  return [
    ageCell(row.receivedAt, presenter, now),
    present(row.summary, fields.summary, presenter),
    ruleCell(row.ruleResult),
    present(row.receiveSlotId, fields.receiveSlotId, presenter),
  ];
}

function ageCell(at: unknown, { t }: Presenter, now: number): Cell {
  return typeof at === 'string' ? { text: formatAge(at, now, t) } : { text: '-', style: 'dim' };
}

/** `1/3`: rules that matched, of rules that looked. */
function ruleCell(result: unknown): Cell {
  if (typeof result !== 'object' || result === null) return { text: '…', style: 'dim' };
  const { matched, total } = result as { matched: number; total: number };
  return { text: `${matched}/${total}`, style: matched > 0 ? 'success' : 'dim' };
}
