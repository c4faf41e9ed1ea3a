// Makes the database reject certain rows, as a damaged row or a trigger of an administrator does.
import type { Database } from '../../../src/db/database.ts';

let count = 0;

/**
 * Rejects rows of a table with the message `poison`; `when` is a condition on `new` (or `old` for a deletion).
 * Returns a function that ends this, also after a restart of the server.
 */
export async function refuseRows(
  database: () => Database,
  table: string,
  when: string,
  on = 'insert or update',
): Promise<() => Promise<void>> {
  const name = `poison_${++count}`;
  await database().query(
    `create function ${name}() returns trigger language plpgsql as $$ begin
       if ${when} then raise exception using errcode = '22000', message = 'poison'; end if;
       if tg_op = 'DELETE' then return old; end if;
       return new; end $$`,
  );
  await database().query(
    `create trigger ${name} before ${on} on ${table} for each row execute function ${name}()`,
  );
  return async () => {
    await database().query(`drop function ${name} cascade`);
  };
}
