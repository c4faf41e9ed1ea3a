// A scenario of sipp: a phone that answers, presses key 1 by SIP INFO, and waits for the end of the call.

const message = (line: string, ...lines: string[]) => `<![CDATA[\n${[line, ...lines].join('\n')}\n]]>`;

const reply = (status: string, tag: string, ...rest: string[]) =>
  message(
    `SIP/2.0 ${status}`,
    ...[
      '[last_Via:]',
      '[last_Record-Route:]',
      '[last_From:]',
      `[last_To:]${tag}`,
      '[last_Call-ID:]',
      '[last_CSeq:]',
    ],
    'Contact: <sip:phone@[local_ip]:[local_port]>',
    ...rest,
  );

const ownTag = ';tag=[pid]phone[call_number]';
const empty = ['Content-Length: 0', ''];

export const infoScenario = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<!DOCTYPE scenario SYSTEM "sipp.dtd">
<scenario name="key by INFO">
<recv request="INVITE">
  <action><ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="caller"/></action>
</recv>
<send>${reply('180 Ringing', ownTag, ...empty)}</send>
<send retrans="500">${reply(
  '200 OK',
  ownTag,
  ...[
    'Content-Type: application/sdp',
    'Content-Length: [len]',
    '',
    'v=0',
    'o=- 1 1 IN IP4 [local_ip]',
    's=-',
  ],
  ...['c=IN IP4 [media_ip]', 't=0 0', 'm=audio [media_port] RTP/AVP 0', 'a=rtpmap:0 PCMU/8000'],
)}</send>
<recv request="ACK">
  <action>
    <ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>
    <ereg regexp=".*" search_in="hdr" header="To:" assign_to="to"/>
  </action>
</recv>
<send retrans="500">${message(
  'INFO [$caller] SIP/2.0',
  'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
  ...['Max-Forwards: 70', 'From:[$to]', 'To:[$from]', '[last_Call-ID:]', 'CSeq: 1 INFO'],
  ...['Content-Type: application/dtmf-relay', 'Content-Length: [len]', '', 'Signal=1', 'Duration=160'],
)}</send>
<recv response="200"/>
<recv request="BYE"/>
<send>${reply('200 OK', '', ...empty)}</send>
</scenario>
`;
