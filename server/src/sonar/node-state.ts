// SQL for the state of a managed node, from the time and its network's settings: outdated when it was last seen
// too long ago, even if it is new.

/**
 * The time this many days ago, by the configuration in the network row with that alias; `{now}` is the
 * current time.
 */
export const boundSql = (days: 'outdatedDays' | 'newDays', network = 'r') =>
  `({now} - make_interval(hours => 24 * (${network}.body->'configuration'->>'${days}')::int))`;

/** SQL over `m` (managed_node) and `w` (the network's row). */
export const stateSql = `(case
  when m.last_seen_at <= ${boundSql('outdatedDays', 'w')} then 'outdated'
  when m.first_seen_at > ${boundSql('newDays', 'w')} then 'new'
  else 'stable' end)`;
