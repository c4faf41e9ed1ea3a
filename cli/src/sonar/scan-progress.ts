// How far a running scan is, in one line.
import { formatDuration } from '@yagura/core/format/duration';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Row } from '../resource/meta/row.ts';
import { cleanLine } from '../terminal/clean.ts';

/** How many of how many are done: addresses while the agent scans, then nodes while the server processes them. */
export function scanProgress(snapshot: Row): [done: number, all: number] {
  const { status, probed, toProbe, numberOfProcessedNodes, numberOfNodes } = snapshot;
  return status === 'processing'
    ? [Number(numberOfProcessedNodes), Number(numberOfNodes)]
    : [Number(probed), Number(toProbe)];
}

export function scanProgressText(t: Translate, snapshot: Row): string {
  const probed = scanProgress(snapshot).join('/');
  const nodes = t('cli.scan.nodes', { count: snapshot.numberOfNodes });
  const { perSecond, secondsLeft, paused } = snapshot;
  const parts = [t(dataKey(`value.${String(snapshot.status)}`)), probed, nodes];
  if (paused === true) parts.push(t('label.paused'));
  if (typeof perSecond === 'number') parts.push(t('cli.scan.rate', { rate: Math.round(perSecond) }));
  if (typeof secondsLeft === 'number')
    parts.push(t('cli.scan.left', { duration: formatDuration(secondsLeft, t) }));
  return cleanLine(parts.join('  '));
}
