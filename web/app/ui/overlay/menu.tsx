// Menu button (WAI-ARIA menu button pattern): arrow keys, Home, End, type-ahead, Esc.
import { Link } from '@remix-run/react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import { positionNear } from './position-near.ts';

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** Link target; without it `onSelect` is called. */
  href?: string;
  /** Opens in a new tab, since the link leaves the console. */
  external?: boolean;
  onSelect?: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Whether the item is switched on; only for items that switch something, which have no icon. */
  checked?: boolean;
  /** Whether to draw a separator above the item. */
  separated?: boolean;
}

/** Type-ahead timeout in milliseconds. */
const typeAheadTimeoutMs = 500;

/** `children` is the button's content, `className` its classes; `header` is rendered above the items. */
export function Menu(props: {
  label: string;
  items: MenuItem[];
  children?: ReactNode;
  className?: string;
  header?: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const first = useRef<'first' | 'last'>('first');

  const close = (focus: boolean) => {
    setOpen(false);
    if (focus) button.current?.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={props.label}
        title={props.children ? undefined : props.label}
        onClick={() => {
          first.current = 'first';
          setOpen(!open);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          first.current = event.key === 'ArrowUp' ? 'last' : 'first';
          setOpen(true);
        }}
        className={
          props.className ??
          'inline-flex h-7 min-w-7 items-center justify-center gap-1.5 rounded-md px-1 text-sm hover:bg-hover print:hidden'
        }
      >
        {props.children ?? <Icon name="more" />}
      </button>
      {open && (
        <MenuList
          id={id}
          label={props.label}
          items={props.items}
          header={props.header}
          start={first.current}
          anchor={button}
          onClose={close}
        />
      )}
    </>
  );
}

function MenuList(props: {
  id: string;
  label: string;
  items: MenuItem[];
  header?: ReactNode;
  start: 'first' | 'last';
  anchor: React.RefObject<HTMLButtonElement | null>;
  onClose: (focus: boolean) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const inputValue = useRef({ text: '', at: 0 });
  const onClose = useRef(props.onClose);
  onClose.current = props.onClose;
  const { anchor, start } = props;

  const entries = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])') ?? []),
  ];

  useLayoutEffect(() => {
    positionNear(list.current!, anchor.current!);
    const items = list.current!.querySelectorAll<HTMLElement>(
      '[role^="menuitem"]:not([aria-disabled="true"])',
    );
    items[start === 'last' ? items.length - 1 : 0]?.focus();
  }, [anchor, start]);

  useEffect(() => {
    const outside = (event: Event) => {
      const target = event.target as Node;
      if (!list.current?.contains(target) && !anchor.current?.contains(target)) onClose.current(false);
    };
    const moved = (event: Event) => {
      if (!list.current?.contains(event.target as Node)) onClose.current(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('scroll', moved, true);
    window.addEventListener('resize', moved);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('scroll', moved, true);
      window.removeEventListener('resize', moved);
    };
  }, [anchor]);

  function onKeyDown(event: KeyboardEvent) {
    const all = entries();
    const index = all.indexOf(document.activeElement as HTMLElement);
    const go = (index: number) => {
      event.preventDefault();
      all[(index + all.length) % all.length]?.focus();
    };
    if (event.key === 'ArrowDown') go(index + 1);
    else if (event.key === 'ArrowUp') go(index < 0 ? all.length - 1 : index - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(all.length - 1);
    else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      props.onClose(true);
    } else if (event.key === 'Tab') props.onClose(false);
    else if (
      event.key.length === 1 &&
      event.key !== ' ' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      const recent = event.timeStamp - inputValue.current.at < typeAheadTimeoutMs;
      const text = (recent ? inputValue.current.text : '') + event.key.toLowerCase();
      inputValue.current = { text, at: event.timeStamp };
      const from = text.length > 1 ? index : index + 1;
      const order = [...all.slice(from), ...all.slice(0, from)];
      order.find((item) => item.textContent?.trim().toLowerCase().startsWith(text))?.focus();
    }
  }

  // With an icon at one of them, all labels begin at the same place.
  const isIndented = props.items.some(({ icon, checked }) => icon || checked !== undefined);
  return (
    <div
      ref={list}
      className="fixed z-80 max-h-[70dvh] min-w-44 overflow-auto rounded-lg border border-line bg-surface-raised py-1 shadow-float"
    >
      {props.header && <div className="border-b border-line px-3 py-2 text-sm">{props.header}</div>}
      <div id={props.id} role="menu" aria-label={props.label} tabIndex={-1} onKeyDown={onKeyDown}>
        {props.items.map((item) => (
          <MenuEntry key={item.label} item={item} isIndented={isIndented} onClose={props.onClose} />
        ))}
      </div>
    </div>
  );
}

function MenuEntry({
  item,
  isIndented,
  onClose,
}: {
  item: MenuItem;
  isIndented: boolean;
  onClose: (focus: boolean) => void;
}) {
  const common = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
    'aria-checked': item.checked,
    'aria-disabled': item.disabled || undefined,
    tabIndex: -1,
    className: classNames(
      'flex min-h-8 w-full items-center gap-2 px-3 text-left text-sm no-underline',
      item.separated && 'mt-1 border-t border-line pt-1',
      item.disabled ? 'opacity-55' : 'hover:bg-hover focus-visible:bg-hover',
      item.danger && 'text-danger-fg',
    ),
  } as const;
  const content = (
    <>
      {isIndented && (
        <Icon name={item.icon ?? 'check'} className={item.icon || item.checked ? '' : 'invisible'} />
      )}
      <span className="flex-1 whitespace-nowrap">{item.label}</span>
      {item.external && <Icon name="external" size={13} className="text-muted" />}
    </>
  );
  if (item.href && !item.disabled) {
    return item.external ? (
      <a {...common} href={item.href} target="_blank" rel="noreferrer" onClick={() => onClose(true)}>
        {content}
      </a>
    ) : (
      <Link {...common} to={item.href} onClick={() => onClose(false)}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      {...common}
      onClick={() => {
        if (item.disabled) return;
        onClose(true);
        item.onSelect?.();
      }}
    >
      {content}
    </button>
  );
}
