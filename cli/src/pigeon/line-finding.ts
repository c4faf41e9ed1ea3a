// What `doctor` says about the phone line: whether its trunks take calls.
import { Problem } from '@yagura/core/http/problem';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { phoneLine } from '@yagura/core/pigeon/phone-line';
import type { Item } from '@yagura/core/resource/define-resource';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Session } from '../signin/session.ts';

export interface LineFinding {
  state: 'good' | 'attention' | 'bad';
  check: 'line';
  found: string;
  remedy: MessageKey | '';
}

/** Null without a line, and for users who may not see it. */
export async function findLine({ transport }: Session, signal: AbortSignal): Promise<LineFinding | null> {
  let line: Item<typeof phoneLine>;
  try {
    line = (await resourceClient(resourceNamed('line'), transport).show(
      undefined,
      {},
      signal,
    )) as typeof line;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
  return line.line === null ? null : judgeLine(line);
}

/** Attention when a trunk is away, bad when none takes calls. */
export function judgeLine({ line, trunks }: Item<typeof phoneLine>): LineFinding {
  const up = trunks.filter(({ state }) => state === 'registered' || state === 'reachable');
  const found = [line, ...trunks.map(({ name, state, detail }) => `${name}: ${state} (${detail})`)].join(
    '  ',
  );
  if (trunks.length === up.length) return { state: 'good', check: 'line', found, remedy: '' };
  return {
    state: up.length === 0 ? 'bad' : 'attention',
    check: 'line',
    found,
    remedy: 'cli.doctor.line-remedy',
  };
}
