// Calls whose result a page can do without, if the user may not see it.
import { Problem } from '@yagura/core/http/problem';

/**
 * Result of a call, or `otherwise` if the user may not make it or its subject is gone. Other errors are thrown:
 * a page must not show a list as empty because the server failed.
 */
export async function ifPermitted<T, U>(call: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && (error.kind === 'forbidden' || error.kind === 'not-found'))
      return otherwise;
    throw error;
  }
}
