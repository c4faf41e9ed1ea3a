// Preformatted text in a box that scrolls, which the keyboard has to reach.
import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';

/** `className` adds the maximum height, the padding and how long lines break. */
export function ScrollableText({
  className,
  ...props
}: Pick<ComponentProps<'pre'>, 'title' | 'className' | 'children'>) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: only an element with the focus scrolls by keys
      tabIndex={0}
      className={classNames('overflow-auto rounded-md bg-surface-sunken font-mono text-xs', className)}
      {...props}
    />
  );
}
