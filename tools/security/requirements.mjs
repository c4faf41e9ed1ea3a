// The requirements of OWASP ASVS 5.0 (level 2) that the product holds itself to, each with the tests that show it: file and title.
const identity = 'server/src/identity';
const headers = [
  'server/test/http/security-headers.test.ts',
  '%s %s answers %i, over TLS alone, as what it says it is, and lets no other origin read',
];
const onTheWire = ['server/test/http/security-headers.test.ts', 'to %s has the headers of every other one'];
const consolePage = [
  'web/app/shell/layout/security-headers.test.ts',
  '%s takes scripts of its own alone, no plugins and no foreign base, and is framed by nobody',
];

export const requirements = [
  {
    theme: 'Untrusted content',
    rows: [
      [
        '3.2.1',
        'Files and mails of others are never run as our pages: the HTML of a mail, with its inline pictures, is shown behind a sandbox, and attachments are downloads',
        ['server/test/intake/mail-in.test.ts', 'bytes, attachments and HTML leave as files that do no harm'],
        headers,
      ],
      [
        '3.2.2',
        'Text is shown as text, wherever it came from',
        ['web/app/ui/raw-markup.test.ts', 'no source of the console hands text to the browser as markup'],
        [`${identity}/sign-in/sign-in.test.ts`, 'a login_hint fills in the email, escaped'],
      ],
    ],
  },
  {
    theme: 'Cookies',
    rows: [
      [
        '3.3.1',
        'Where the public address is https, cookies go over TLS alone, and those with a session, a token or a device in them say so in their names; those of preferences and notices do not',
        headers,
        [
          `${identity}/sign-in/sign-in.test.ts`,
          'behind a proxy that ends TLS has links of the public address and cookies for https alone',
        ],
        [
          'server/src/http/web-console/serve-console.test.ts',
          'sends its cookies over TLS alone, where its address is https',
        ],
      ],
      ['3.3.2', 'Each cookie says which requests of other sites carry it', headers],
      [
        '3.3.3',
        'Cookies belong to this host alone; two of a sign-in under way belong to one path of it',
        headers,
        [
          'web/app/signin/sealed-cookie.test.ts',
          'is HttpOnly and Lax; over https it is Secure and bound to the host',
        ],
      ],
      [
        '3.3.4',
        'No script reads the session of a browser, its tokens or a part of one',
        headers,
        ['web/test/sign-in.spec.ts', 'no script of the page can read a credential'],
      ],
    ],
  },
  {
    theme: 'Headers',
    rows: [
      [
        '3.4.1',
        'Where the public address is https: Strict-Transport-Security of a year with subdomains, on every reply but those that the HTTP library alone writes (to a request without a host or with an unknown expectation, to the handshake of a WebSocket)',
        headers,
        onTheWire,
      ],
      [
        '3.4.2',
        'No other origin reads a reply, but for the public keys and the discovery document of the sign-in',
        headers,
      ],
      [
        '3.4.3',
        'A content security policy without plugins, foreign bases and scripts of others',
        headers,
        [
          `${identity}/sign-in/sign-in.test.ts`,
          'runs no script, loads nothing and may only lead back to its client',
        ],
        consolePage,
      ],
      [
        '3.4.4',
        'X-Content-Type-Options: nosniff on the same replies, also where the public address is http',
        headers,
        onTheWire,
      ],
      [
        '3.4.5',
        'No page of ours lets a browser name its address to the other sites it leads to',
        headers,
        [
          'web/app/shell/layout/security-headers.test.ts',
          'tells other sites nothing, and is what it says it is',
        ],
      ],
      [
        '3.4.6',
        'No page may frame ours, but for the console the HTML of a mail, behind its sandbox',
        headers,
        consolePage,
      ],
    ],
  },
  {
    theme: 'Requests from other sites',
    rows: [
      [
        '3.5.1',
        'Calls of the console need a header that no foreign form can send; its forms need to come from its own pages',
        ['server/test/http/wire.test.ts', 'internal calls refuse API tokens and want the marker header'],
        ['server/src/http/web-console/serve-console.test.ts', 'refuses a post of another site with 403: %j'],
        ['web/app/signin/same-origin.test.ts', 'refuseForeign'],
        ['web/app/resource/write/write.test.ts', '%s nothing for another site'],
        [
          `${identity}/sign-in/sign-out.test.ts`,
          'is not done by a form of a foreign page, which lacks the secret of the question',
        ],
      ],
      [
        '3.5.2',
        'The API knows its callers by a header alone, never by a cookie, so what another site sends to it without a preflight changes nothing',
        [
          'server/test/security/access.test.ts',
          'without a credential, or with a wrong one, every call is a 401',
        ],
        headers,
      ],
      [
        '3.5.3',
        'Receivers take POST alone, unless their settings allow PUT or GET, and a mailed link that is opened changes nothing before its form is sent',
        ['server/test/intake/receiver.test.ts', 'only POST reaches a slot'],
        [
          `${identity}/account-pages/account-pages.test.ts`,
          'is confirmed from the new one and told to the old one',
        ],
        [`${identity}/account-pages/account-pages.test.ts`, 'is not set by a form of another site'],
      ],
      [
        '3.7.2',
        'After signing in and out the browser goes to a path of ours, to the command line that asked for it on the same machine, or to the sign-out of the external provider, and nowhere else',
        ['web/app/signin/return-path.test.ts', 'returnPath'],
        [`${identity}/sign-in/sign-out.test.ts`, 'never leads to a foreign place'],
        [
          `${identity}/account-pages/account-pages.test.ts`,
          'is set by a link, ends every session and is told',
        ],
      ],
    ],
  },
  {
    theme: 'Sessions',
    rows: [
      [
        '7.2.1',
        'Tokens are checked by the server, on each call; what it found counts for three seconds at most',
        [
          `${identity}/tokens/access-token.test.ts`,
          'signed with another key, with none, or by the public key as a secret is refused',
        ],
        [
          'web/app/signin/sealed-cookie.test.ts',
          'reads nothing sealed under another secret, or for another purpose',
        ],
      ],
      [
        '7.2.2',
        'People sign in with short-lived tokens made for them; lasting API tokens do not open the console',
        [
          'server/test/security/role-permissions.test.ts',
          'an API token has no more than it was narrowed to, and makes no call of the console',
        ],
        ['server/test/http/wire.test.ts', 'internal calls refuse the same below %s'],
        [`${identity}/tokens/access-token.test.ts`, 'expires after ten minutes'],
      ],
      [
        '7.2.3',
        'Tokens of the API, of agents and gateways, of mailed links and of sign-ins are random, of 256 bits, and kept as hashes or sealed; the session of a browser is named by a signed cookie; the addresses of receive slots are kept sealed, and have 256 bits, or 160 in an email address',
        ['server/test/security/secret-leaks.test.ts', 'stands nowhere in the store, but as a hash or sealed'],
        [
          `${identity}/tokens/api-tokens.test.ts`,
          'calls as its owner, by either header, and is stored only as a hash',
        ],
      ],
      [
        '7.2.4',
        'Each sign-in in a browser makes a new session cookie, and that of before is worth nothing; that of somebody else ends the tokens of the first, too; a refresh token of the command line that is used again ends its sign-in; one of the console, whose tabs share it in a sealed cookie, only if used again later than a minute after its first use',
        [
          `${identity}/sign-in/sign-in-sessions.test.ts`,
          'of a person again, in the same browser, make the session cookie of before worth nothing',
        ],
        [`${identity}/sign-in/sign-in.test.ts`, 'in the same browser ends the session of the first'],
        [
          `${identity}/identity.test.ts`,
          'a refresh token of %s used again after %i ms ends the whole family',
        ],
      ],
      [
        '7.3.1',
        'Unused sessions end: the console after 14 days, the command line after 30',
        [
          `${identity}/sign-in/expiry.test.ts`,
          'of %s is refused after %i days without use, and after %i days in any case',
        ],
        [
          `${identity}/sign-in/expiry.test.ts`,
          'a browser that was not used for fourteen days shows the sign-in page, one that was goes through',
        ],
        ['web/app/signin/sealed-cookie.test.ts', 'reads nothing after its time, whatever the browser kept'],
      ],
      [
        '7.3.2',
        'Used sessions end as well: the console after 30 days, the command line after 90',
        [
          `${identity}/sign-in/expiry.test.ts`,
          'the console is asked to sign in thirty days after the sign-in, also with tokens of a later day',
        ],
        [
          `${identity}/sign-in/sign-in.test.ts`,
          'of more than thirty days asks for the password again, although it was used all the time',
        ],
        [
          `${identity}/sign-in/expiry.test.ts`,
          'of %s is refused after %i days without use, and after %i days in any case',
        ],
      ],
      [
        '7.4.1',
        'What was signed out is worth nothing, at other replicas within three seconds',
        [
          `${identity}/sign-in/sign-out.test.ts`,
          'with the ID token of the session needs no click and ends session, refresh and access tokens',
        ],
        [`${identity}/sign-in/sign-out.test.ts`, 'a copied session cookie is worth nothing afterwards'],
      ],
      [
        '7.4.2',
        'Who is disabled or deleted loses sessions, tokens, live streams and connections within five seconds',
        [`${identity}/sign-in/sign-in.test.ts`, 'loses tokens, session and sign-in at once'],
        ['server/test/space/users.test.ts', 'with a user go their tokens, sessions and memberships'],
        ['server/test/security/permission-revocation.test.ts', 'ends when its reader %s'],
      ],
      [
        '6.2.2, 6.2.3',
        'People change their password with the present one, and with a code where they have set up two-step verification, also where no mail can be sent',
        ['server/test/security/own-password.test.ts', 'stays as it is when %s'],
        [
          'server/test/security/own-password.test.ts',
          'is changed, ends all sign-ins, is told by mail and recorded without either password',
        ],
        [
          'server/test/security/own-password.test.ts',
          'takes a code beside it where there is a second step, which a refusal does not use up',
        ],
      ],
      [
        '7.4.3',
        'A new password ends every session and every sign-in under way, and the second step is asked for again in every browser',
        [
          `${identity}/users/user-accounts.test.ts`,
          'with a new password is signed out everywhere and signs in with the new one only',
        ],
        [`${identity}/sign-in/held-sign-in.test.ts`, '%s lets nobody in afterwards'],
        [
          `${identity}/sign-in/held-sign-in.test.ts`,
          'is asked for the second step again after a new password',
        ],
      ],
      [
        '7.4.4',
        'Signing out is in the account menu, and is done by keyboard too',
        ['web/test/keyboard.spec.ts', 'ten tasks are done with the keyboard alone'],
      ],
      [
        '7.4.5',
        'Administrators end the sessions of a user',
        [
          'server/test/space/users.test.ts',
          'somebody is signed out everywhere by an administrator, a privileged user by the privileged alone',
        ],
      ],
      [
        '7.5.1',
        'The password, a code, or a sign-in made anew is asked for before people change their address, prepare two-step verification, or add or remove a passkey. Once two-step verification is on, it is turned off, its recovery codes are made anew, and passkeys are added and removed, by a code beside the password or the sign-in made anew, or by such a sign-in alone that had its second step. A sign-in made anew counts in the same session, for five minutes, and once',
        [
          `${identity}/account-pages/account-pages.test.ts`,
          'is confirmed from the new one and told to the old one',
        ],
        [
          'server/test/space/users.test.ts',
          'a passkey is removed by whoever shows again who they are, and only their own',
        ],
        [
          `${identity}/external/external.test.ts`,
          'shows once, in that session, that it is still the person, who has no password',
        ],
        [
          `${identity}/external/external.test.ts`,
          'a session that the company lets count instead lets nobody in',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'of their own in the profile alone, where the password is asked for',
        ],
        [`${identity}/external/external.test.ts`, 'counts for five minutes'],
        ['server/test/security/mfa-change.test.ts', '%s takes neither the password alone nor a code alone'],
        [
          'server/test/security/mfa-change.test.ts',
          'a sign-in made anew counts instead when it went by the second step, with a code beside it otherwise',
        ],
        ['web/test/sign-in.spec.ts', 'two steps: a code, a recovery code, a remembered browser, off again'],
      ],
      [
        '7.5.2',
        'People see where they are signed in and end any of it; whoever has set up two-step verification shows first that it is they',
        [
          'server/test/space/users.test.ts',
          'sign-ins are ended without more while two-step verification is off, and by the password once it is on',
        ],
        [
          `${identity}/sign-in/sign-in-sessions.test.ts`,
          'are ended one by one, with their tokens and the session of the browser',
        ],
      ],
    ],
  },
  {
    theme: 'Calls to other systems',
    rows: [
      [
        'SSRF',
        'Webhooks of the server reach the public internet and the networks, addresses and hosts that its configuration names, those of an agent what its own configuration names; the address is judged again when it is dialled',
        ['server/src/delivery/address-guard.test.ts', 'the guard refuses %j in whatever spelling'],
        [
          'server/src/delivery/webhook-target.test.ts',
          'rebinding: each dial uses the one answer that was judged',
        ],
        ['server/src/delivery/webhook-target.test.ts', 'a redirect to a forbidden address is not followed'],
        ['server/test/delivery/on-premises.test.ts', 'nobody else can answer for the agent that was asked'],
      ],
    ],
  },
  {
    theme: 'Remote sessions',
    rows: [
      [
        'Read',
        'The server cannot read what is typed and shown in a session, nor the credential; recordings only while it holds the private log key',
        [
          'server/test/greac/session-stream.test.ts',
          'a viewer types and sees what the gateway shows, and the server stores none of it',
        ],
        [
          'server/test/greac/session-log.test.ts',
          'a recording is uploaded, sealed, and decrypted by the holder of the key alone',
        ],
        [
          'server/test/greac/session-log.test.ts',
          'a log key made elsewhere is checked, and has no private key here',
        ],
      ],
      [
        'Attached',
        'A stream begins with a ticket that is valid once, for 30 seconds, for one user and session; of all pages only those of the space open one; it ends within five seconds after the right to it',
        ['server/test/greac/session-stream.test.ts', 'opens one stream'],
        [
          'server/test/greac/session-stream.test.ts',
          'is for its session, its time, and the pages of the space',
        ],
        ['server/test/greac/session-stream.test.ts', 'within 5 seconds when %s'],
        [
          'server/test/greac/session-stream.test.ts',
          'a stream with an address that no replica has signed is refused',
        ],
      ],
      [
        'Bounded',
        'Neither a viewer nor a gateway makes the server keep more than the credit of a stream, and sessions are limited in number',
        ['server/test/greac/session-stream.test.ts', 'that a viewer overdraws ends its stream'],
        [
          'server/test/greac/session-stream.test.ts',
          'that a gateway overdraws ends the stream of that viewer only',
        ],
        [
          'server/test/greac/session-stream.test.ts',
          'a hundred sessions at once: as many as the limit are opened, the others are refused',
        ],
      ],
      [
        'Recorded',
        'A recording that was cut or altered is recognized, and a gateway writes those of its own sessions only',
        ['server/test/greac/session-log.test.ts', '%s: %s'],
        [
          'server/test/greac/session-log.test.ts',
          'a gateway writes the logs of its own sessions only, in chunks of limited size',
        ],
      ],
    ],
    text: [
      'What the server sees of a session:',
      '',
      '- who attaches, when, from which address, and how many bytes pass; the destination, its host key, and the code of a failure with its technical cause;',
      '- the names of files when they are listed over the API.',
      '',
      'It does not see credentials, what is typed and shown, or the content of files; whoever runs it can decrypt recordings while it holds the private log key. It delivers the console, so an altered server could deliver an altered page; the command line has no such limit. [Decision 30](decisions/0030-session-streams.md) has the reasons.',
    ],
  },
  {
    theme: 'Secrets',
    rows: [
      [
        'Kept',
        'Secrets are hashed or sealed in the store, those within settings too (credentials in headers and addresses, tokens of receive slots), and credentials for machines are opened by those machines alone; the secret by which the server seals stands in the store itself unless `YAGURA_SECRET` sets it',
        ['server/test/security/secret-leaks.test.ts', 'stands nowhere in the store, but as a hash or sealed'],
        [
          'server/test/security/seal-stored-rows.test.ts',
          'is sealed once, and reads, sends and receives as before',
        ],
        [
          'server/test/greac/greac.test.ts',
          'is kept as it was encrypted, opened by the Kroker alone, and in no list',
        ],
      ],
      [
        'Shown',
        'Secrets are shown to whom they are given, and otherwise are in no log, audit record, export, list, refusal or page. Those within settings are shown again to whoever may change them: in the setting, its lists, its records, its file and the export of the space; private log keys and signing secrets by calls of their own; links of invitations in the mail log',
        [
          'server/test/security/secret-leaks.test.ts',
          'stands in no export of the space, nor in any list, but for whoever may change the setting it is part of',
        ],
        ['server/test/security/secret-leaks.test.ts', 'stands in no file of settings'],
        [
          'server/test/security/echoed-secrets.test.ts',
          'in the record of a delivery to /%s, whoever reads it',
        ],
        [
          'server/test/security/secret-leaks.test.ts',
          'stands in no refusal, where it was sent in the wrong place',
        ],
        [
          'server/test/security/secret-leaks.test.ts',
          'stands on no page of the sign-in, however it is sent there',
        ],
        [
          'server/test/security/secret-leaks.test.ts',
          'stands in neither the log of the server nor the audit log and its exports',
        ],
        [
          'server/test/security/secret-leaks.test.ts',
          'of a receiver is shown to those who may change it, and to no other reader',
        ],
      ],
    ],
  },
  {
    theme: 'Limits',
    rows: [
      [
        'Guessing',
        'After some failures guesses of passwords and codes wait, longer each time up to a bound, by account and by address; the figures stand below',
        [
          `${identity}/sign-in/sign-in.test.ts`,
          'one account waits after five failures at one address, longer each time, over a restart, until the time is over',
        ],
        [`${identity}/sign-in/attempt-limit.test.ts`, '$what: $first in the first hour, then $later'],
        [
          `${identity}/sign-in/attempt-limit.test.ts`,
          'signing in between guesses frees neither the address nor the account',
        ],
        [`${identity}/mfa/totp.test.ts`, 'locks after five wrong codes'],
        [`${identity}/mfa/passkeys.test.ts`, 'signs in at the page, and guesses of them wait by address'],
        [
          `${identity}/sign-in/reauthentication.test.ts`,
          'is not kept from the person by guesses at another sign-in of theirs',
        ],
        [`${identity}/provider/device-flow.test.ts`, 'makes whoever guesses wait, longer each time'],
      ],
      [
        'Reach',
        'Strangers who guess keep out neither a known browser nor whoever has the mailed link, and thirty people behind one address who mistype do not keep each other out; a new password by that link lifts the waits at the password of its account',
        [
          `${identity}/sign-in/sign-in.test.ts`,
          'from everywhere keeps out neither a browser that has signed in before nor whoever has the mailed link',
        ],
        [
          `${identity}/sign-in/sign-in.test.ts`,
          'by thirty people behind one address who mistype keeps nobody out',
        ],
        [
          `${identity}/sign-in/attempt-limit.test.ts`,
          'an attempt during the wait is refused, changes nothing, and other spaces do not see it',
        ],
        [
          `${identity}/sign-in/attempt-limit.test.ts`,
          'do so no longer once the password is reset, also at addresses that had to wait',
        ],
      ],
      [
        'Command line',
        'Programs that listen on the computer get tokens of the command line only after the user has authorized that sign-in in the browser, also where the browser is signed in',
        [
          `${identity}/identity.test.ts`,
          'a session gives no program tokens of the command line before the user allows it',
        ],
      ],
      [
        'Devices',
        'Requests for device codes are bounded by address and by space',
        [
          `${identity}/provider/device-flow.test.ts`,
          'get so many from one address, and others still get theirs',
        ],
        [
          `${identity}/provider/device-flow.test.ts`,
          'are a thousand at once in a space, of codes that are neither used nor expired',
        ],
      ],
      [
        'Sign-ins',
        'Sign-ins that strangers begin are bounded in size, by network and by space',
        [`${identity}/provider/interaction-limit.test.ts`, 'is stored up to the length of its parameters'],
        [
          `${identity}/provider/interaction-limit.test.ts`,
          'is one of so many from a network; others and later ones go on',
        ],
        [
          `${identity}/provider/interaction-limit.test.ts`,
          'of what nobody has signed in to, a space keeps the newest',
        ],
      ],
      [
        'Size',
        'Bodies, headers, paths, mails and patterns are bounded, and no call or page takes more than 64 KiB of a body before it knows who sends it, beside what it discards so that its answer is read',
        ['server/test/intake/receiver.test.ts', 'a body of 10 MB is taken and one above is refused'],
        ['server/test/http/authenticate-before-body.test.ts', 'no route reads the body of somebody unknown'],
        ['server/test/http/large-bodies.test.ts', '%s take no more than their limit'],
        [
          'server/src/http/body/body-limits.test.ts',
          'the bodies of one space leave room for those of another, and all together take no more than the budget',
        ],
        [
          'server/src/http/web-console/serve-console.test.ts',
          'one of somebody known ends at the limit of bytes and of fields',
        ],
        ['server/test/intake/receiver.test.ts', '10,000 headers are a 431'],
        [
          'server/src/http/web-console/serve-console.test.ts',
          'above 1,024 characters are unknown, before the framework looks for their page',
        ],
        ['web/vite.config.test.ts', 'no request asks the server for routes'],
        [
          'web/app/alerthub/screens/messages/message.test.ts',
          'the data of a body is one value of the loader data, however many values it has',
        ],
        [
          'server/test/intake/receiver.test.ts',
          'a pattern made to explode ends in time; what is too long for it fails its rule and says so',
        ],
        [
          'server/test/intake/mail-in.test.ts',
          'a mail over the limit is refused after its end, and the connection goes on',
        ],
        [
          'server/test/intake/mail-in.test.ts',
          'a slot takes only so many in a minute, and more in the next one',
        ],
      ],
    ],
    text: [
      'Answered at most, when somebody tries again as soon as it is allowed. A browser that has signed in to an account before has a budget',
      'of its own and is asked for no other; a success takes back what it had counted, and an attempt that has to wait counts nowhere.',
      '',
      '| | In the first hour | In each hour after it |',
      '|---|---|---|',
      '| password of one account, from one address | 13 | 4 |',
      '| password of one account, from any number of addresses | 55 | 20 |',
      '| password of one account, from a device that has signed in to it before | 13 | 4 |',
      '| passwords of any number of accounts, from one address | 423 | 120 |',
      '| second step of one account, from one address | 13 | 4 |',
      '| second step of one account, from any number of addresses | 18 | 4 |',
      '| password or code asked again of one signed-in account, from any number of its sign-ins | 18 | 4 |',
      '| passkeys, from one address | 423 | 120 |',
      '| codes of devices, from one address | 63 | 30 |',
      '| devices that ask for a code, from one address | 241 | 180 |',
      '| sign-ins that are begun, from one address | 2399 | 1800 |',
      '| mails with a link for a new password, for one account | 13 | 4 |',
      '',
      'One address is one IPv4 address or one IPv6 network of 64 bits. Recovery codes count as second steps. Whoever is kept waiting on every',
      'device and has no mailbox is let in by `yagura-server person reset`, and at the second step by `yagura-server person second-factor`',
      '([configuration](configuration.md#lost-passwords-and-second-factors)).',
    ],
  },
  {
    theme: 'Audit log',
    rows: [
      [
        '16.2, 16.3',
        'Who, what, when and from where: changes, with what was before and after where an item was edited; refusals; sign-ins; reads of private log keys, signing secrets and recordings; bulk files and exports',
        ['server/test/security/audit.test.ts', 'notes a change of every kind with what was and what is'],
        [
          'server/test/security/audit.test.ts',
          'notes refusals and sign-ins, and what was refused leaves no change',
        ],
        [
          'server/test/security/role-permissions.test.ts',
          'a person with the roles %j makes what the specification says and no more, and the audit log has each refusal',
        ],
        [
          'server/test/alerthub/bulk.test.ts',
          'a file that came, went or changed something is in the audit log',
        ],
      ],
      [
        '16.4',
        'No record is changed or removed unnoticed by whoever can write the store, but neither knows the secret of the installation nor can write the anchors in the data folder, up to the last minute; what is older than the retention goes provably',
        ['server/test/security/audit.test.ts', 'shows by its chain when a record was changed'],
        ['server/src/audit/audit-log.test.ts', 'a changed %s is noticed in any record'],
        [
          'server/src/audit/audit-log.test.ts',
          'the newest %i removed, with the row of the chain set back, are noticed',
        ],
        ['server/src/audit/audit-log.test.ts', 'the oldest %i removed, as if by retention, are noticed'],
        ['server/src/audit/audit-log.test.ts', 'is missed by the anchor: a chain and its row of before'],
        ['server/src/audit/audit-log.test.ts', 'is missed by the anchor: everything'],
        [
          'server/src/audit/audit-log.test.ts',
          'retention takes the oldest, and the rest stays whole with anchors of any age',
        ],
      ],
    ],
  },
  {
    theme: 'Powers',
    rows: [
      [
        'Roles',
        'Every call of the API by every role, held by a person, and each by one role of a group and of a token, against the table of roles',
        [
          'server/test/security/role-permissions.test.ts',
          'a person with the roles %j makes what the specification says and no more, and the audit log has each refusal',
        ],
        [
          'server/test/security/role-permissions.test.ts',
          'a role from a group counts as one of their own, from the next call on',
        ],
        [
          'server/test/security/role-permissions.test.ts',
          'an API token has no more than it was narrowed to, and makes no call of the console',
        ],
      ],
      [
        'Giving',
        'Nobody gives or takes a role whose powers they lack: to a user, by a group or membership of one, an invitation or a token; privileged users have all. An invitation is held to it again when it is accepted, of whoever has sent it last. Disabling, deleting and signing out a user takes nobody up and is not held to it',
        [
          'server/test/security/role-grants.test.ts',
          'gives no role that they lack: to themselves, to a user, by an invitation, by a group',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'gives nothing by an invitation of before once they lack it, which the list says',
        ],
        [
          'server/src/identity/users/invitations.test.ts',
          'an invitation ends when its inviter %s, until somebody else sends it again',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'takes no role away that they lack, and leaves it where they change something else',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'brings nobody into a group with more, nor out of it, themselves neither',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'narrowed to one role by an API token gives that one alone',
        ],
      ],
      [
        'Accounts',
        'Where mail can be sent, a new email address counts once it is confirmed by the mail sent there, and the old one is told at once and takes it back for seven days; where it cannot, the privileged alone change one; nobody moves or enables an account that may do more than they may; operators of the server move any',
        [
          'server/test/security/role-grants.test.ts',
          'by %s only once it is confirmed, and tells the old one at once',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'of no account that may do more than they may, by its own roles or those of a group',
        ],
        [
          'server/test/security/role-grants.test.ts',
          'enables no account that may do more, by its own roles or those of a group',
        ],
        [
          `${identity}/account-pages/account-pages.test.ts`,
          'takes a change back for seven days, which ends sessions and password, and sets a new one',
        ],
        [
          `${identity}/account-pages/account-pages.test.ts`,
          'comes back after several changes, and whoever had the others has no way to undo that',
        ],
        [
          'server/src/delivery/mail-outbox/mail-outbox.test.ts',
          'shows no link to an account of a mail that was kept with it, but that of an invitation',
        ],
      ],
      [
        'Taken over',
        'A new password, and the end of all sessions, end a change of address that waits; an address that is restored has nothing left that was set up since the change was asked for, and neither its passkeys nor its recovery codes of before, and its owner is told what is gone. A second step of before stays. Taking back a later change leaves the owner the way back',
        [`${identity}/account-pages/taken-over-account.test.ts`, 'ends with %s'],
        [
          `${identity}/account-pages/taken-over-account.test.ts`,
          'can be restored after the thief %s another change',
        ],
        [
          `${identity}/account-pages/taken-over-account.test.ts`,
          'has nothing left that was set up since the request, and tells its owner what is gone',
        ],
        [
          `${identity}/account-pages/taken-over-account.test.ts`,
          'keeps the second step from before the request, without its recovery codes',
        ],
      ],
      [
        'Spaces',
        'Nothing of another space is read or changed',
        [
          'server/test/security/access.test.ts',
          'is never read or changed by any call, not even by a privileged person',
        ],
        [
          'server/test/space/spaces.test.ts',
          'the ids of one are unknown to every call of the other, and no list holds them',
        ],
      ],
      [
        'Addresses',
        'An IP restriction holds for calls, the pages of the console and of the sign-in, live streams that are open, agents and gateways, and nobody locks themselves out by accident',
        [
          'server/test/security/ip-restriction.test.ts',
          'a change that locks out the caller is refused unless forced, and then holds everywhere',
        ],
        [
          'server/test/security/ip-restriction.test.ts',
          'behind a trusted proxy the address it tells counts, and what a caller adds does not',
        ],
        ['server/src/space/reject-blocked-addresses.test.ts', '%s leads to the error page'],
        [
          'server/src/receiver/application-proxy.test.ts',
          'what a proxy adds about the client stays, whatever the client names in Connection',
        ],
        ['server/test/security/permission-revocation.test.ts', 'its address is permitted no more'],
        [
          'server/test/security/permission-revocation.test.ts',
          'the connection of a gateway and a live stream end when their address is permitted no more',
        ],
      ],
    ],
    text: [
      'Where a call is not in the table of roles of the specification, this was decided, and the tests hold every role to it:',
      '',
      '- `space:administrator` ends the sessions of others (but not of the privileged): who may disable or delete a user does no more by it.',
      '- `space:administrator` reads what a user may do, which tokens and groups are theirs, how many users the plan allows and how much the space holds: it is part of reading users and space information.',
      '- `greac:user` lists and carries files of sessions that include them, and reads the names of credentials, never their contents: a session cannot be used, nor a destination be told, without.',
      '- `space:administrator` manages the members of user groups, also of groups that are members of a destination: whoever gives a destination to a group leaves to the administrators who is in it. Opening a session still takes a role of Greac.',
      '- `alerthub:viewer` reads the addresses of receive slots, as all data: whoever has one can send messages to the slot.',
      '- `sonar:viewer` reads tasks of Sonar alone, for a snapshot is told with the task that fills it; tasks of other apps are not found.',
      '- `sonar:viewer` gets the arrangement of a diagram; to move an element in it takes the role that may edit.',
      '- `alerthub:viewer` reads what a replay has found, as all data, and starts or stops none.',
    ],
  },
];
