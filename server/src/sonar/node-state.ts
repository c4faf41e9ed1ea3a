// The state of a managed node by the clock and its network's days; core's nodeState says the same in plain words.

/** SQL over `m` (managed_node) and `w` (the network's row); `{now}` is the time. */
export const stateSql = `(case
  when m.last_seen_at <= {now} - make_interval(hours => 24 * (w.body->'configuration'->>'outdatedDays')::int) then 'outdated'
  when m.first_seen_at > {now} - make_interval(hours => 24 * (w.body->'configuration'->>'newDays')::int) then 'new'
  else 'stable' end)`;
