// Icons of the drawer entries: 16 x 16 strokes like the product's other icons.

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
  runbook: 'M3.5 2.5h3v3h-3zM9.5 10.5h3v3h-3zM9.5 4h-3M5 5.5V12h4.5',
  tool: 'M10 2.8a3.2 3.2 0 00-3.8 4.2L2.5 10.7l2.8 2.8L9 9.8A3.2 3.2 0 0013.2 6L11 8 8 5z',
  settings: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3',
  network: 'M6.5 2.5h3v3h-3zM2.5 10.5h3v3h-3zM10.5 10.5h3v3h-3zM8 5.5V8M4 10.5V8h8v2.5',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5L14 14',
  destination: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3M5 6l1.5 1.2L5 8.5M8.5 8.5H11',
  session: 'M2.5 3.5h11v9h-11zM5 6.5l2 1.5-2 1.5M8.5 10H11',
  key: 'M6 10.5a3.3 3.3 0 112.6-1.6L13.5 13.5M11.5 11.7l1.2-1.2',
  contact:
    'M3.5 2.5h9v11h-9zM8 8a1.6 1.6 0 100-3.2A1.6 1.6 0 008 8zM5.5 11.5c.4-1.3 1.3-2 2.5-2s2.1.7 2.5 2M2 5h1.5M2 11h1.5',
  callflow: 'M3.5 3h3l1 2.7-1.5 1a7 7 0 003.3 3.3l1-1.5 2.7 1v3c-5.5.3-9.8-4-9.5-9.5z',
  guidance: 'M2.5 6.5v3h2.3L8.5 13V3L4.8 6.5zM11 5.5a3.5 3.5 0 010 5',
  result: 'M3.5 2.5h9v11h-9zM5.5 6h5M5.5 8.5h5M5.5 11h3',
  users:
    'M6 8a2.4 2.4 0 100-4.8A2.4 2.4 0 006 8zM1.8 13c.5-2.2 2-3.4 4.2-3.4s3.7 1.2 4.2 3.4M10.5 3.4a2.3 2.3 0 010 4.4M12 10c1.2.5 2 1.5 2.3 3',
  shield: 'M8 2.2l5 2v3.6c0 3-2 5-5 6-3-1-5-3-5-6V4.2z',
  plug: 'M6 2.5v3M10 2.5v3M4 5.5h8v2.7a4 4 0 01-8 0zM8 12.2v2',
  vault: 'M2.5 3h11v10h-11zM8 10.3a2.3 2.3 0 100-4.6 2.3 2.3 0 000 4.6zM10.3 8h1.2',
  task: 'M3 3.5h10v9H3zM5.5 8l1.8 1.8L10.8 6.3',
  usage: 'M2.5 13.5h11M4 11V8M7 11V4.5M10 11V6.5M13 11V9',
  leave: 'M9.5 5V3h-6v10h6v-2M6.5 8h7M11 5.5L13.5 8 11 10.5',
  gallery: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
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

/** Product logo: a watchtower. */
export function ProductLogo({ size = 20 }: { size?: number }) {
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
