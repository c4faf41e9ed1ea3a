// The state of a managed node by the clock and its network's days; core's nodeState says the same in plain words.

/** The time so many days ago, by the network's configuration in the row of that alias; `{now}` is the time. */
export const boundSql = (days: 'outdatedDays' | 'newDays', network = 'r') =>
  `({now} - make_interval(hours => 24 * (${network}.body->'configuration'->>'${days}')::int))`;

/** SQL over `m` (managed_node) and `w` (the network's row). */
export const stateSql = `(case
  when m.last_seen_at <= ${boundSql('outdatedDays', 'w')} then 'outdated'
  when m.first_seen_at > ${boundSql('newDays', 'w')} then 'new'
  else 'stable' end)`;
