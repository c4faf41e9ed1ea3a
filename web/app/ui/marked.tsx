// A text in which what was searched for is marked.
import { Fragment } from 'react';
import { classes } from './classes.ts';

/** Marks drawn at most per text. */
const maxMarks = 200;

/** `pattern` is global and never matches nothing; `current` sets the text apart from other texts with marks. */
export function Marked(props: { text: string; pattern: RegExp | undefined; current?: boolean }) {
  const { text, pattern, current = false } = props;
  if (!pattern) return text;
  const pieces: { at: number; plain: string; hit: string }[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (pieces.length >= maxMarks) break;
    pieces.push({ at: match.index, plain: text.slice(from, match.index), hit: match[0] });
    from = match.index + match[0].length;
  }
  if (pieces.length === 0) return text;
  return (
    <>
      {pieces.map(({ at, plain, hit }, place) => (
        <Fragment key={at}>
          {plain}
          <mark
            data-current={current && place === 0 ? '' : undefined}
            className={classes(
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
