// The product's icons: 16 x 16 strokes in the surrounding text color.
import { classNames } from './class-names.ts';

const paths = {
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  edit: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3 3 13z',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  right: 'M6.5 3.5L11 8l-4.5 4.5',
  first: 'M11.5 3.5L7 8l4.5 4.5M4 3.5v9',
  last: 'M4.5 3.5L9 8l-4.5 4.5M12 3.5v9',
  up: 'M3.5 9.5L8 5l4.5 4.5',
  down: 'M3.5 6.5L8 11l4.5-4.5',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  sort: 'M5 6.5L8 3.5l3 3M5 9.5l3 3 3-3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5L14 14',
  filter: 'M2.5 3.5h11L9.5 8.5V13l-3-1.5v-3z',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v2.5M10.5 2v2.5',
  external: 'M9.5 3H13v3.5M13 3L7.5 8.5M11 9v4H3V5h4',
  refresh: 'M13 8a5 5 0 11-1.5-3.6L13 6M13 2.8V6H9.8',
  info: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5V11M8 5h.01',
  help: 'M8 14A6 6 0 108 2a6 6 0 000 12zM6.2 6.3a1.8 1.8 0 113 1.5C8.4 8.3 8 8.7 8 9.4M8 11.5h.01',
  warning: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.5M8 11.8h.01',
  error: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3.5M8 11h.01',
  success: 'M8 14A6 6 0 108 2a6 6 0 000 12zM5.3 8.3l2 2 3.5-4',
  progress: 'M8 2a6 6 0 106 6',
  neutral: 'M8 14A6 6 0 108 2a6 6 0 000 12zM5.5 8h5',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5.3a2.5 2.5 0 015 0v2.2',
  inbox: 'M2.5 9l2-5.5h7l2 5.5v4h-11zM2.5 9h3.3l.8 1.5h2.8l.8-1.5h3.3',
  language: 'M8 14A6 6 0 108 2a6 6 0 000 12zM2 8h12M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
  user: 'M8 8a2.7 2.7 0 100-5.4A2.7 2.7 0 008 8zM3 13.5c.6-2.6 2.5-4 5-4s4.4 1.4 5 4',
  terminal: 'M2.5 3h11v10h-11zM5 6.5l2 1.8-2 1.7M8.5 10.3H11',
  phone: 'M5 2.5l1.8 3L5.5 7c.7 1.5 2 2.8 3.5 3.5l1.5-1.3 3 1.8-.5 2.5C7.5 13.5 2.5 8.5 2.5 3z',
  settings: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3',
} as const;

export type IconName = keyof typeof paths;

/** Icon, hidden from assistive technology unless it has a `label`. `size` in pixels, default 16. */
export function Icon(props: { name: IconName; size?: number; label?: string; className?: string }) {
  const size = props.size ?? 16;
  return (
    <svg
      role={props.label ? 'img' : undefined}
      aria-label={props.label}
      aria-hidden={props.label ? undefined : true}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={props.name === 'more' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames('shrink-0', props.className)}
    >
      {props.label && <title>{props.label}</title>}
      <path d={paths[props.name]} />
    </svg>
  );
}
