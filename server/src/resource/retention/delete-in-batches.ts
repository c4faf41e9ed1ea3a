/**
 * Deletes until a batch is not full, letting pending requests and messages go first after each. Returns false if it
 * stopped before, because `isClosed`.
 */
export async function deleteInBatches(
  batchSize: number,
  isClosed: () => boolean,
  /** Returns how many rows were deleted. */
  deleteBatch: () => Promise<number>,
): Promise<boolean> {
  let deleted = batchSize;
  while (deleted === batchSize) {
    if (isClosed()) return false;
    deleted = await deleteBatch();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}
