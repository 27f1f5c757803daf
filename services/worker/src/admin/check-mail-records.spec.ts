import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { CheckMailRecords, type MailCheck } from '@meetmark/contracts';
import { workersForTests } from '../testing/test-worker.js';

const DOMAIN = 'events.meet.example';
const SPF = 'v=spf1 include:spf.post.example ~all';
const KEY = 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A';
const POLICY = 'v=DMARC1; p=reject';

/** How the name server answers a query: with these records or with an error. */
type Said = string[] | 'broken';
const HEAD = 12;
const [FINE, BROKEN, NONE] = [0, 2, 3];

class NameServer {
  private readonly socket: Socket = createSocket('udp4');
  said: Record<string, Said> = {};

  async open(): Promise<string> {
    this.socket.on('message', (question, from) => {
      this.socket.send(this.answerTo(question), from.port, from.address);
    });
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answerTo(question: Buffer): Buffer {
    const labels: string[] = [];
    let at = HEAD;
    for (; question[at] !== 0; at += question[at]! + 1)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
    const said = this.said[labels.join('.').toLowerCase()] ?? [];
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
  const workers = workersForTests({ mailFrom: `Events <hello@${DOMAIN}>` });
  let dns: Resolver;
  beforeAll(async () => {
    dns = (await workers.startHandlers()).get(Resolver);
    dns.setServers([await server.open()]);
  });
  beforeEach(() => (server.said = {}));
  afterAll(() => server.close());

  const check = async (selector: string | null = 's1') => {
    await workers.run('auth', CheckMailRecords, { selector });
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

  it('reports "unknown" while DNS fails, and for DKIM without a selector', async () => {
    const names = [DOMAIN, `_dmarc.${DOMAIN}`, `s1._domainkey.${DOMAIN}`];
    server.said = Object.fromEntries(names.map((name) => [name, 'broken']));
    const { records } = await check();
    expect(records.map(({ state, value }) => [state, value])).toEqual(Array(3).fill(['unknown', null]));
    server.said = {};
    expect((await check(null)).records[1]).toEqual({
      ...{ name: 'dkim', state: 'unknown', host: null, value: null },
    });
  });

  it('replaces the stored records by "unknown" if DNS does not answer', async () => {
    const fetchTime = async () => {
      const [row] = await workers.owner.query<[{ at: Date }]>(
        'SELECT checked_at AS at FROM admin.mail_check',
      );
      return row.at.getTime();
    };
    server.said = { [DOMAIN]: [SPF] };
    await check();
    const before = await fetchTime();
    const never = jest.spyOn(dns, 'resolveTxt').mockReturnValue(new Promise(() => undefined));
    expect(states(await check())).toBe('unknown unknown unknown');
    never.mockRestore();
    expect(await fetchTime()).toBeGreaterThan(before);
  });
});
