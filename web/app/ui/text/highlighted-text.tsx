// Text with highlighted search hits.
import { Fragment } from 'react';
import { classNames } from '../class-names.ts';

/** Maximum highlights per text. */
const maxHighlights = 200;

/**
 * `pattern` is global and never matches the empty string; `current` highlights the text as the current hit.
 */
export function HighlightedText(props: { text: string; pattern: RegExp | undefined; current?: boolean }) {
  const { text, pattern, current = false } = props;
  if (!pattern) return text;
  const pieces: { at: number; plain: string; hit: string }[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (pieces.length >= maxHighlights) break;
    pieces.push({ at: match.index, plain: text.slice(from, match.index), hit: match[0] });
    from = match.index + match[0].length;
  }
  if (pieces.length === 0) return text;
  return (
    <>
      {pieces.map(({ at, plain, hit }, index) => (
        <Fragment key={at}>
          {plain}
          <mark
            data-current={current && index === 0 ? '' : undefined}
            className={classNames(
              'rounded-xs',
              current ? 'bg-primary text-on-primary' : 'bg-warning-bg text-warning-fg',
            )}
          >
            {hit}
          </mark>
        </Fragment>
      ))}
      {text.slice(from)}
    </>
  );
}
