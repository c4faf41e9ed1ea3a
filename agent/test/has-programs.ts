// Programs of the system that tests start.
import { existsSync } from 'node:fs';

/** Whether these programs exist; says what is missing, and throws in CI unless `isOptional`. */
export function hasPrograms(
  tests: string,
  programs: readonly string[],
  { isOptional = false, ...others }: { isOptional?: boolean; missing?: readonly string[] } = {},
): boolean {
  const missing = [...programs.filter((program) => !existsSync(program)), ...(others.missing ?? [])];
  if (missing.length === 0) return true;
  const message = `tests of ${tests} need ${missing.join(', ')}`;
  if (process.env.CI && !isOptional) throw new Error(message);
  console.warn(`skipped: ${message}`);
  return false;
}
