// Roles that a user inherits from user groups.

/** SQL array of the roles of a user's groups; `person` is the alias of the person row. */
export function inheritedRoles(person: string): string {
  return `array(select distinct role from user_group_member m
    join resource g on g.space_id = m.space_id and g.kind = 'user-group' and g.id = m.user_group_id
    cross join lateral jsonb_array_elements_text(g.body->'roles') as role
    where m.space_id = ${person}.space_id and m.user_id = ${person}.user_id)`;
}

/** Own and inherited roles without duplicates. */
export function allRoles(own: readonly string[], inherited: readonly string[]): string[] {
  return [...new Set([...own, ...inherited])];
}
