import about from '../package.json' with { type: 'json' };

/** Version of the agent, from the package. */
export const version: string = about.version;
