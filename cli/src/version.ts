import about from '../package.json' with { type: 'json' };

/** The version of the commands, as in the package. */
export const version: string = about.version;
