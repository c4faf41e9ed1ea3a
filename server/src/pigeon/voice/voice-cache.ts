// Rendered speech in the database, per space and bounded for the whole installation.
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';

/** Maximum bytes of all rows: about nine hours of speech. */
const defaultMaxBytes = 256 * 2 ** 20;
/** Days after which speech that nobody used is deleted: it says what a message said. */
const unusedDays = 30;
/** Milliseconds between updates of the time of use. */
const useIntervalMs = 3_600_000;

export interface VoiceCache {
  read(spaceId: string, key: string): Promise<Uint8Array | undefined>;
  /** Stores audio and deletes what is unused or too much. */
  write(spaceId: string, key: string, audio: Buffer): Promise<void>;
}

export function createVoiceCache(
  database: Queryable,
  clock: { now(): number },
  maxBytes = defaultMaxBytes,
): VoiceCache {
  return {
    async read(spaceId, key) {
      const { rows } = await database.query<{ audio: Uint8Array; used_at: string }>(
        'select audio, used_at from voice_cache where space_id = $1 and key = $2',
        [spaceId, key],
      );
      const [row] = rows;
      if (row && Date.parse(row.used_at) < clock.now() - useIntervalMs)
        await database.query('update voice_cache set used_at = $3 where space_id = $1 and key = $2', [
          spaceId,
          key,
          isoTime(clock.now()),
        ]);
      return row?.audio;
    },
    async write(spaceId, key, audio) {
      const now = clock.now();
      await database.query(
        `insert into voice_cache (space_id, key, audio, size, used_at) values ($1, $2, $3, $4, $5)
         on conflict (space_id, key) do update set used_at = excluded.used_at`,
        [spaceId, key, audio, audio.length, isoTime(now)],
      );
      await database.query(
        `delete from voice_cache where used_at < $2 or (space_id, key) in (
           select space_id, key from (
             select space_id, key, sum(size) over (order by used_at desc, space_id, key) as total from voice_cache
           ) c where total > $1)`,
        [maxBytes, isoTime(now - unusedDays * 86_400_000)],
      );
    },
  };
}
