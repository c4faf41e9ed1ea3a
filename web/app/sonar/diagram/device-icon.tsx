// Icons of device types: 16 x 16 strokes like the product's other icons.
const paths: Record<string, string> = {
  router: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 3.8v3M8 12.2v-3M4 8h2.6M12 8H9.4',
  switch: 'M1.5 5.5h13v5h-13zM4 8h4M6.5 6.5L8 8 6.5 9.5M12 8h-2',
  'access-point':
    'M3 12.5h10M8 12.5V9M8 6.6v.01M5.4 7.8a3.4 3.4 0 010-3.8M10.6 7.8a3.4 3.4 0 000-3.8M3.6 9.2a6 6 0 010-6.6M12.4 9.2a6 6 0 000-6.6',
  firewall: 'M2 3h12v10H2zM2 6.3h12M2 9.6h12M6 3v3.3M10 6.3v3.3M6 9.6V13',
  server: 'M3 2.5h10v4.5H3zM3 9h10v4.5H3zM5.2 4.8h.01M5.2 11.3h.01',
  computer: 'M2 3h12v7.5H2zM6 13.5h4M8 10.5v3',
  printer: 'M4.5 6V2.5h7V6M2.5 6h11v5.5h-2M4.5 11.5h-2V6M4.5 9.5h7v4h-7z',
  phone: 'M4.5 2h7v12h-7zM7.3 12h1.4',
  storage:
    'M3 4c0-1 2.2-1.8 5-1.8s5 .8 5 1.8v8c0 1-2.2 1.8-5 1.8S3 13 3 12zM3 4c0 1 2.2 1.8 5 1.8S13 5 13 4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8',
  subnet: 'M1.5 8h13M4 8V4.5M8 8V4.5M12 8V4.5M6 8v3.5M10 8v3.5',
  unknown: 'M3 3h10v10H3zM6.4 6.4a1.7 1.7 0 112.5 1.5c-.7.4-.9.7-.9 1.3M8 11h.01',
};

/** `x` and `y` position it within a drawing. */
export function DeviceIcon({
  type,
  x,
  y,
  size = 18,
}: {
  type: string;
  x?: number;
  y?: number;
  size?: number;
}) {
  return (
    <svg
      x={x}
      y={y}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={paths[type] ?? paths.unknown} />
    </svg>
  );
}
