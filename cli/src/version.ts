import about from '../package.json' with { type: 'json' };

/** Version of the command line, from the package. */
export const version: string = about.version;

/** User-Agent of all requests; the audit log and the page that authorizes a device name the program by it. */
export const userAgent = `yagura/${version}`;
