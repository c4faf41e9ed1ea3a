// Icons of the drawer's entries, drawn like the rest of the set: 16 x 16 strokes.

const paths = {
  home: 'M2.5 7.5L8 3l5.5 4.5M4 6.5V13h8V6.5M6.8 13V9.5h2.4V13',
  message: 'M2.5 3.5h11v8h-6L4.5 14v-2.5h-2z',
  scope: 'M8 2.2l5 2v3.6c0 3-2 5-5 6-3-1-5-3-5-6V4.2zM6 8l1.5 1.5L10.3 6.6',
  rule: 'M3 4h4M3 8h4M3 12h4M10 4h3v8h-3M13 8h-3',
  action: 'M9 2L3.5 9H8l-1 5 5.5-7H8z',
  slot: 'M8 2.5v6M5.5 6.2L8 8.7l2.5-2.5M2.5 9v4h11V9',
  space: 'M3 13.5V4l5-2 5 2v9.5zM6 6.5h.01M10 6.5h.01M6 9.5h.01M10 9.5h.01M7 13.5v-2h2v2',
  profile: 'M8 8a2.7 2.7 0 100-5.4A2.7 2.7 0 008 8zM3 13.5c.6-2.6 2.5-4 5-4s4.4 1.4 5 4',
  token: 'M6 10.5a3.3 3.3 0 112.6-1.6L13.5 13.5M11.5 11.7l1.2-1.2',
} as const;

export type NavIconName = keyof typeof paths;

export function NavIcon({ name }: { name: NavIconName }) {
  return (
    <svg
      aria-hidden
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** The product's mark: a watch-tower. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" className="shrink-0">
      <rect width="24" height="24" rx="6" fill="#00876e" />
      <path d="M12 3.5L5.5 8h13zM8 9.5h8v3.2H8z" fill="#fff" />
      <path
        d="M9 13.8L7.4 20.5M15 13.8l1.6 6.7M8.3 17h7.4"
        stroke="#fff"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <circle cx="12" cy="11.1" r="1" fill="#f789f1" />
    </svg>
  );
}
