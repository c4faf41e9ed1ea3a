// Recorded files of guidances in the database.
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Queryable, Transaction } from '../../db/database.ts';

/** Audio as µ-law at 8 kHz; null when it has been deleted. */
export async function readRecording(
  db: Queryable,
  spaceId: string,
  recordingId: string,
): Promise<Uint8Array | null> {
  if (!isUuid(recordingId)) return null;
  const { rows } = await db.query<{ audio: Uint8Array }>(
    'select audio from guidance_recording where space_id = $1 and recording_id = $2',
    [spaceId, recordingId],
  );
  return rows[0]?.audio ?? null;
}

/** Replaces the recording of a guidance. */
export async function writeRecording(
  tx: Transaction,
  recording: { recordingId: string; spaceId: string; guidanceId: string; audio: Buffer; now: number },
): Promise<void> {
  const { recordingId, spaceId, guidanceId, audio, now } = recording;
  await deleteRecordings(tx, spaceId, guidanceId);
  await tx.query(
    `insert into guidance_recording (recording_id, space_id, guidance_id, audio, created_at)
     values ($1, $2, $3, $4, $5)`,
    [recordingId, spaceId, guidanceId, audio, isoTime(now)],
  );
}

export async function deleteRecordings(tx: Transaction, spaceId: string, guidanceId: string): Promise<void> {
  await tx.query('delete from guidance_recording where space_id = $1 and guidance_id = $2', [
    spaceId,
    guidanceId,
  ]);
}
