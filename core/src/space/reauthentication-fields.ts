// Re-authentication before changes to account security or to the whole space (ASVS 5.0, 7.5.1).
import { z } from 'zod';
import * as field from '../resource/field.ts';

/**
 * The password, a code of the app, or a recovery code; without either, a re-authentication within the last
 * minutes.
 */
export const reauthenticationFields = () => ({
  password: field.withKind('secret', z.string().min(1).max(1024)).optional(),
  code: field.withKind('secret', z.string().min(1).max(32)).optional(),
});
