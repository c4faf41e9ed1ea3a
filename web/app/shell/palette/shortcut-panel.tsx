// What a keyboard shortcut opens over the page: the palette or the list of shortcuts.
import type { ComponentProps } from 'react';
import CommandPalette from './command-palette.tsx';
import ShortcutDialog from './shortcut-dialog.tsx';

export default function ShortcutPanel({
  shown,
  ...props
}: ComponentProps<typeof CommandPalette> & { shown: 'sheet' | 'palette' }) {
  return shown === 'sheet' ? <ShortcutDialog onClose={props.onClose} /> : <CommandPalette {...props} />;
}
