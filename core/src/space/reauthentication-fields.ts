// That it is still the person who asks, before what guards the account, or the whole space, is changed (ASVS 5.0, 7.5.1).
import { z } from 'zod';
import * as field from '../resource/field.ts';

/** The password, or a code of the app or of the recovery codes; with neither, a sign-in made anew in the last minutes. */
export const reauthenticationFields = () => ({
  password: field.withKind('secret', z.string().min(1).max(1024)).optional(),
  code: field.withKind('secret', z.string().min(1).max(32)).optional(),
});
