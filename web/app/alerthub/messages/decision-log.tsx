// Decision log of a message as an indented timeline with links to details.

import { Link } from '@remix-run/react';
import type { ExplainLine } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { Time } from '../../ui/text/time.tsx';
import { toneIcon, toneText } from '../../ui/tones.ts';
import { useTranslation } from '../../ui/translation.tsx';

/** Deepest indentation level; deeper lines share it. */
const maxDepth = 6;
const indents = ['ml-0', 'ml-4', 'ml-8', 'ml-12', 'ml-16', 'ml-20', 'ml-24'];

/**
 * `lines` are built in a loader, in the page's language, because the operator catalog is not meant for
 * browsers. `hrefOf` returns the URL of a line's subject, or undefined.
 */
export function DecisionLog(props: {
  lines: ExplainLine[];
  hrefOf: (link: NonNullable<ExplainLine['link']>) => string | undefined;
}) {
  const { t } = useTranslation();
  if (props.lines.length === 0) return <Placeholder kind="empty" title={t('alerthub.why-empty')} />;
  return (
    <ol aria-label={t('alerthub.why')} className="grid grid-cols-1 text-sm">
      {props.lines.map((line, index) => (
        <li
          key={index}
          className={classNames('flex items-start gap-2 py-1', indents[Math.min(line.depth, maxDepth)])}
        >
          <Icon name={toneIcon[line.tone]} size={14} className={classNames('mt-1', toneText[line.tone])} />
          <span className="min-w-0 flex-1 gap-x-2 sm:flex">
            <span className="min-w-0 flex-1 break-words">
              <DecisionLine line={line} href={line.link && props.hrefOf(line.link)} />
            </span>
            {line.at && (
              <span className="block shrink-0 text-xs text-muted">
                <Time value={line.at} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function DecisionLine({ line, href }: { line: ExplainLine; href: string | undefined }) {
  const strong = line.depth <= 1 && 'font-medium';
  if (!href) return <span className={classNames(strong)}>{line.text}</span>;
  return (
    <Link
      to={href}
      className={classNames(
        'text-text underline decoration-line-strong underline-offset-2 hover:text-primary',
        strong,
      )}
    >
      {line.text}
    </Link>
  );
}
