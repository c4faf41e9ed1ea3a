import facts from '../../package.json' with { type: 'json' };

/** Version of this server. */
export const version: string = facts.version;
