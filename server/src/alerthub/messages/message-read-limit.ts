// How much the messages of due triggers and runbooks may have in one turn.

/** Maximum bytes of the messages that one turn reads. */
export const maxDueBytes = 16 << 20;

/** Whether the messages of these rows fill a turn, so that others may be due. */
export function fillsTurn(rows: readonly { size: number }[]): boolean {
  return rows.reduce((sum, { size }) => sum + size, 0) >= maxDueBytes;
}
