import type { ApiDescription, DescribedCall } from '../api-description.js';
import { NOBODY } from '../people.js';
import type { Random } from './random.js';
import { hostileText, hostileValue, likelyValue } from './values.js';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

export interface OwnSubjects {
  events: string[];
  users: string[];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ODD_HEADERS: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-encoding': 'gzip' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.example' },
  { accept: 'text/html' },
  { accept: '*/*;q=0', 'accept-encoding': 'nonsense;q=7' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-0,-1' },
  { cookie: 'meetmark_session=%%%; meetmark_session=a.b' },
  { 'x-forwarded-for': '1.2.3.4, evil', 'x-forwarded-host': 'evil.example' },
  { 'x-http-method-override': 'DELETE' },
  { 'idempotency-key': '~'.repeat(256) },
  { traceparent: '00-zz-zz-zz' },
];

const encoded = (text: string) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '%ED%A0%80'));

export function fuzzRequest(
  random: Random,
  api: ApiDescription,
  call: DescribedCall,
  own: OwnSubjects,
): FuzzRequest {
  const body = fuzzBody(random, api, call);
  return {
    method: call.method,
    path: fuzzPath(random, call, own) + fuzzQuery(random, api, call),
    headers: {
      ...(body === undefined ? {} : JSON_TYPE),
      ...(random.chance(0.1) ? { 'idempotency-key': `fuzz-${random.below(50)}` } : {}),
      ...(random.chance(0.08) ? random.pick(ODD_HEADERS) : {}),
    },
    body,
  };
}

function fuzzPath(random: Random, { path }: DescribedCall, own: OwnSubjects): string {
  const ids = path.includes('/users/') ? own.users : own.events;
  return path.replaceAll(/\{\w+\}/g, () => {
    if (random.chance(0.75) && path.includes('{id}')) return random.pick(ids);
    return random.chance(0.5) ? NOBODY : encoded(hostileText(random)) || 'none';
  });
}

function fuzzQuery(random: Random, api: ApiDescription, { operation }: DescribedCall): string {
  const query: string[] = [];
  const add = (name: string, value: unknown) => query.push(`${name}=${encoded(String(value))}`);
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (place !== 'query' || random.chance(0.6)) continue;
    add(name, random.chance(0.7) ? likelyValue(random, api, schema, name) : hostileText(random));
    if (random.chance(0.05)) add(name, hostileText(random));
  }
  if (random.chance(0.05))
    query.push(random.pick(['unknown=1', '%', '=', '&&', 'limit[]=1', 'limit[a]=1', '__proto__[a]=b']));
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function fuzzBody(random: Random, api: ApiDescription, { operation }: DescribedCall) {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return undefined;
  const value = likelyValue(random, api, schema) as Record<string, unknown>;
  for (let changes = random.below(3); changes > 0; changes--) bend(random, value);
  const whole = random.chance(0.04) ? hostileValue(random) : value;
  return broken(random, Buffer.from(JSON.stringify(whole)));
}

function bend(random: Random, value: Record<string, unknown>): void {
  const names = Object.keys(value);
  const name = names.length === 0 || random.chance(0.1) ? 'unknown' : random.pick(names);
  if (random.chance(0.2)) delete value[name];
  else value[name] = hostileValue(random);
}

function broken(random: Random, bytes: Buffer): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes);
  if (!random.chance(0.05) || whole.length === 0) return whole;
  const at = random.below(whole.length);
  const ways = [
    () => whole.slice(0, at),
    () => whole.fill(0xff, at, at + 2),
    () => new Uint8Array(Buffer.from(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)),
    () => new Uint8Array(Buffer.concat([bytes, bytes])),
    () => new Uint8Array(Buffer.concat([bytes.subarray(0, at), Buffer.from('\\u0000'), bytes.subarray(at)])),
  ];
  return random.pick(ways)();
}
