import type { Refusal, Stage } from './refusal.js';

const DEEP = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const text = (body: BodyInit) => (stage: Stage) =>
  stage.visitor.sendBytes('POST', '/api/login', body, JSON_TYPE);

/** What is wrong with a request, whatever it asks for. */
export const REQUEST_REFUSALS: Refusal[] = [
  {
    code: 'VALIDATION_FAILED',
    when: 'a field is missing',
    act: ({ visitor }) => visitor.post('/api/login', {}),
  },
  { code: 'MALFORMED_JSON', when: 'the body breaks off', act: text('{"email":') },
  {
    code: 'MALFORMED_TEXT',
    when: 'the body is not UTF-8',
    act: text(new Uint8Array([0x22, 0xc3, 0x28, 0x22])),
  },
  { code: 'BODY_TOO_DEEP', when: 'lists stand in lists', act: text(DEEP) },
  { code: 'BODY_TOO_LARGE', when: 'it has more than 64 kB', act: text(`"${'x'.repeat(65_536)}"`) },
  {
    code: 'NOT_JSON',
    when: 'it is a form',
    act: ({ visitor }) => visitor.sendBytes('POST', '/api/login', new URLSearchParams({ email: 'a' })),
  },
  {
    code: 'METHOD_NOT_ALLOWED',
    when: 'an address knows no such method',
    act: ({ visitor }) => visitor.put('/api/login', {}),
  },
  { code: 'MALFORMED_ID', when: 'an id is none', act: ({ visitor }) => visitor.get('/api/events/12') },
  {
    code: 'MALFORMED_CURSOR',
    when: 'a cursor is made up',
    act: ({ visitor }) => visitor.get('/api/events/public?limit=2&cursor=abc'),
  },
  {
    code: 'UNAUTHORIZED',
    when: 'nobody is signed in',
    words: 'Unauthorized',
    act: ({ visitor }) => visitor.get('/api/user'),
  },
  {
    code: 'FORBIDDEN',
    when: 'a member administrates',
    act: ({ member }) => member.client.get('/api/admin/users'),
  },
  {
    code: 'CROSS_SITE',
    when: 'another site asks',
    act: ({ member }) => member.client.post('/api/logout', undefined, { 'sec-fetch-site': 'cross-site' }),
  },
  { code: 'NOT_FOUND', when: 'there is no such call', act: ({ visitor }) => visitor.get('/api/nothing') },
];
