// The field of a retention setting.
import * as field from './field.ts';

/** Days after which something is deleted; null keeps it forever. */
export const daysToKeep = () => field.integer(1, 3650).nullable().default(null);
