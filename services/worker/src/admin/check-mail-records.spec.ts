import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { CheckMailRecords, type MailCheck } from '@meetmark/contracts';
import { TestWorkers } from '../testing/test-worker.js';

const DOMAIN = 'events.meet.example';
const SPF = 'v=spf1 include:spf.post.example ~all';
const KEY = 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A';
const POLICY = 'v=DMARC1; p=reject';

/** How the name server answers a query: with these records, an error, or not at all. */
type Said = string[] | 'broken' | 'silent';
const HEAD = 12;
const [FINE, BROKEN, NONE] = [0, 2, 3];

class NameServer {
  private readonly socket: Socket = createSocket('udp4');
  said: Record<string, Said> = {};

  async open(): Promise<string> {
    this.socket.on('message', (question, from) => {
      const answer = this.answerTo(question);
      if (answer) this.socket.send(answer, from.port, from.address);
    });
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answerTo(question: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = HEAD;
    for (; question[at] !== 0; at += question[at]! + 1)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
    const said = this.said[labels.join('.').toLowerCase()] ?? [];
    if (said === 'silent') return null;
    const texts = said === 'broken' ? [] : said;
    const code = said === 'broken' ? BROKEN : texts.length === 0 ? NONE : FINE;
    const head = [...question.subarray(0, 2), 0x81, 0x80 + code, 0, 1, 0, texts.length, 0, 0, 0, 0];
    const asked = question.subarray(HEAD, at + 5);
    return Buffer.concat([Buffer.from(head), asked, ...texts.map(textRecord)]);
  }
}

function textRecord(text: string): Buffer {
  const pieces = text.match(/.{1,20}/gs)!.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)]));
  const data = Buffer.concat(pieces);
  const head = [0xc0, HEAD, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 0xff];
  return Buffer.concat([Buffer.from(head), data]);
}

describe('the DNS records of the sender domain', () => {
  const server = new NameServer();
  let workers: TestWorkers;
  let dns: Resolver;
  beforeAll(async () => {
    const address = await server.open();
    workers = await TestWorkers.prepare({ mailFrom: `Events <hello@${DOMAIN}>` });
    dns = (await workers.startHandlers()).get(Resolver);
    dns.setServers([address]);
  });
  beforeEach(() => (server.said = {}));
  afterAll(async () => {
    await workers.close();
    server.close();
  });

  const check = async (selector: string | null = 's1') => {
    await workers.ask('auth', CheckMailRecords, { selector });
    await workers.allDone();
    const rows = await workers.owner.query<MailCheck[]>(
      'SELECT domain, selector, records FROM admin.mail_check',
    );
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };
  const states = ({ records }: MailCheck) => records.map(({ state }) => state).join(' ');

  it('finds records that are split into strings or mixed with other records', async () => {
    server.said = {
      [DOMAIN]: ['something else', SPF],
      [`s1._domainkey.${DOMAIN}`]: [KEY],
      [`_dmarc.${DOMAIN}`]: [POLICY],
    };
    expect(await check()).toEqual({
      domain: DOMAIN,
      selector: 's1',
      records: [
        { name: 'spf', state: 'found', host: DOMAIN, value: SPF },
        { name: 'dkim', state: 'found', host: `s1._domainkey.${DOMAIN}`, value: KEY },
        { name: 'dmarc', state: 'found', host: `_dmarc.${DOMAIN}`, value: POLICY },
      ],
    });
  });

  it('reports missing records and a revoked key, with the host and value to add', async () => {
    server.said = { [DOMAIN]: ['v=spf10'], [`s1._domainkey.${DOMAIN}`]: ['v=DKIM1; p='] };
    expect((await check()).records).toEqual([
      { name: 'spf', state: 'missing', host: DOMAIN, value: 'v=spf1 include:<provider> ~all' },
      { name: 'dkim', state: 'missing', host: `s1._domainkey.${DOMAIN}`, value: 'v=DKIM1; k=rsa; p=<key>' },
      { name: 'dmarc', state: 'missing', host: `_dmarc.${DOMAIN}`, value: 'v=DMARC1; p=none' },
    ]);
  });

  it('reports "several" for repeated SPF or DMARC records, but not for DKIM', async () => {
    const [other, watching] = ['v=spf1 mx -all', 'v=DMARC1; p=none'];
    server.said = {
      [DOMAIN]: [SPF, other],
      [`s1._domainkey.${DOMAIN}`]: [KEY, KEY],
      [`_dmarc.${DOMAIN}`]: [POLICY, watching],
    };
    const { records } = await check();
    expect(records.map(({ state, value }) => [state, value?.split('\n').toSorted()])).toEqual([
      ['several', [SPF, other].toSorted()],
      ['found', [KEY]],
      ['several', [POLICY, watching].toSorted()],
    ]);
  });

  it('finds the DMARC policy of a parent domain', async () => {
    server.said = { '_dmarc.meet.example': [POLICY], '_dmarc.example': ['v=DMARC1; p=none'] };
    expect(states(await check())).toBe('missing missing found');
  });

  it('reports "unknown" while DNS fails or is silent, and for DKIM without a selector', async () => {
    server.said = {
      ...{ [DOMAIN]: 'broken', [`_dmarc.${DOMAIN}`]: 'silent', [`s1._domainkey.${DOMAIN}`]: 'silent' },
    };
    const { records } = await check();
    expect(records.map(({ state, value }) => [state, value])).toEqual(Array(3).fill(['unknown', null]));
    server.said = {};
    expect((await check(null)).records[1]).toEqual({
      ...{ name: 'dkim', state: 'unknown', host: null, value: null },
    });
  });

  it('stores the records as "unknown" after three seconds without an answer', async () => {
    server.said = { [DOMAIN]: [SPF] };
    await check();
    const [before] = await workers.owner.query<[{ at: Date }]>(
      'SELECT checked_at AS at FROM admin.mail_check',
    );
    const never = jest.spyOn(dns, 'resolveTxt').mockReturnValue(new Promise(() => undefined));
    const began = performance.now();
    expect(states(await check())).toBe('unknown unknown unknown');
    expect(performance.now() - began).toBeGreaterThan(2_900);
    never.mockRestore();
    const [after] = await workers.owner.query<[{ at: Date }]>(
      'SELECT checked_at AS at FROM admin.mail_check',
    );
    expect(after.at.getTime()).toBeGreaterThan(before.at.getTime());
  });
});
