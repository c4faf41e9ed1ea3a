// Preformatted text in a box that scrolls, which the keyboard has to reach.
import type { ComponentProps } from 'react';

export function ScrollableText(props: Pick<ComponentProps<'pre'>, 'title' | 'className' | 'children'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only an element with the focus scrolls by keys
  return <pre tabIndex={0} {...props} />;
}
