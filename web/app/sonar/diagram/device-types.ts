/** Device types with a translation and an icon; all others are shown as unknown. */
export const deviceTypes = [
  'router',
  'switch',
  'access-point',
  'firewall',
  'server',
  'computer',
  'printer',
  'phone',
  'storage',
];
