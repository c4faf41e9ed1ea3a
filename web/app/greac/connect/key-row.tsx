// Row of keys that on-screen keyboards of phones and tablets do not have.
import { Button } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { OnScreenKey } from './session-terminal.tsx';

const keys: readonly (readonly [OnScreenKey, string])[] = [
  ['Escape', 'Esc'],
  ['Tab', 'Tab'],
  ['ArrowLeft', '←'],
  ['ArrowDown', '↓'],
  ['ArrowUp', '↑'],
  ['ArrowRight', '→'],
];

export function KeyRow(props: { isCtrlActive: boolean; onCtrl(): void; onPress(key: OnScreenKey): void }) {
  const { t } = useTranslation();
  // The focus stays in the terminal, so that the on-screen keyboard stays open.
  const keepFocus = { onPointerDown: (event: { preventDefault(): void }) => event.preventDefault() };
  return (
    <div
      role="toolbar"
      aria-label={t('terminal.keys')}
      className="hidden gap-1 border-t border-line bg-surface px-2 py-1 max-sm:flex pointer-coarse:flex"
    >
      <Button
        size="small"
        className="min-w-0! flex-1 px-1!"
        aria-pressed={props.isCtrlActive}
        variant={props.isCtrlActive ? 'primary' : 'default'}
        onClick={props.onCtrl}
        {...keepFocus}
      >
        Ctrl
      </Button>
      {keys.map(([key, label]) => (
        <Button
          key={key}
          size="small"
          className="min-w-0! flex-1 px-1!"
          aria-label={key}
          onClick={() => props.onPress(key)}
          {...keepFocus}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
