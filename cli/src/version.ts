import about from '../package.json' with { type: 'json' };

/** Version of the command line, from the package. */
export const version: string = about.version;
