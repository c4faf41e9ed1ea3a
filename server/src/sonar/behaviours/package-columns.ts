// What the tables of packages share: a package has no id of its own, only name, version and architecture.
const packageId = `(p.name || ' ' || p.version || ' ' || p.arch)`;

/** Options of `rowTable` for packages that the query calls `p`. */
export const packageColumns = {
  alias: 'p',
  without: ['packageId'],
  id: { sql: packageId, type: 'text' as const },
  columns: { packageId: { sql: packageId, type: 'text' as const } },
  select: `${packageId} as package_id`,
  item: (row: Record<string, unknown>) => ({ packageId: row.package_id }),
};
