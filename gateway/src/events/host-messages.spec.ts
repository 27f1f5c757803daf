import {
  type Community,
  ConfirmContact,
  DomainError,
  type ErrorBody,
  GetEvent,
  RequestContact,
  type RequestContactRequest,
  WriteToHost,
  WriteToHostAsVisitor,
} from '@meetmark/contracts';
import { CommunityFollower } from '@meetmark/platform';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const FLOW = 'f'.repeat(22);
const PROOF = '0197f000-0000-7000-8000-00000000000a';
const UNKNOWN = '0197f000-0000-7000-8000-000000000000';
const TEXT = { message: 'May I bring my dog?' };
const PROVED = { ...TEXT, name: 'Vera', flow: FLOW, code: '123456' };
const event = anEventPage();
const path = `/api/events/${event.id}/host-messages`;

describe('a message to the host of an event', () => {
  let endDate: string;
  let asked: RequestContactRequest[];
  let written: object[];
  const write = (request: object) => void written.push(request);
  const stack = gatewayForTests({
    auth: scenes(
      played(RequestContact, (request) => {
        asked.push(request);
        return { flow: FLOW };
      }),
      played(ConfirmContact, ({ code }) => {
        if (code !== '123456') throw new DomainError('CODE_INVALID');
        return { proof: PROOF };
      }),
    ),
    events: scenes(
      played(GetEvent, ({ eventId }) => {
        if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
        return { ...event, endDate };
      }),
      played(WriteToHost, write),
      played(WriteToHostAsVisitor, write),
    ),
  });
  beforeEach(() => {
    [asked, written, endDate] = [[], [], event.endDate];
  });
  const answer = async (reply: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await reply;
    return [status, (body as ErrorBody).code];
  };

  it('sends a member’s message to the host once per idempotency key', async () => {
    const { browser } = await stack.signedIn();
    const key = { 'idempotency-key': 'one' };
    for (let time = 0; time < 2; time += 1) expect((await browser.post(path, TEXT, key)).status).toBe(202);
    expect(written).toEqual([{ ...TEXT, eventId: event.id, id: expect.any(String) }]);
    expect(await answer(stack.browser().post(path, TEXT))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('sends a visitor’s message after an emailed code, without signing them in', async () => {
    const browser = stack.browser();
    const reply = await browser.post(`${path}/code`, { email: ' Vera@Example.org' });
    expect([reply.status, reply.body]).toEqual([202, { flow: FLOW }]);
    const asker = { browser: browser.cookies.get('meetmark_flow_contact')?.split('.')[0] };
    expect(asked).toMatchObject([{ email: 'vera@example.org', eventId: event.id, asker }]);
    expect((await browser.post(`${path}/visitor`, PROVED)).status).toBe(202);
    expect(written).toEqual([{ ...TEXT, eventId: event.id, proof: PROOF, name: 'Vera' }]);
    expect((await browser.get('/api/user')).status).toBe(401);
    const wrong = browser.post(`${path}/visitor`, { ...PROVED, code: '654321' });
    expect(await answer(wrong)).toEqual([400, 'CODE_INVALID']);
  });

  it.each<[string, object, string[]]>([
    ['/code', {}, ['email']],
    ['/code', { email: 'vera', name: 'Vera' }, ['email', 'name']],
    ['/visitor', {}, ['name', 'flow', 'code', 'message']],
    ['/visitor', { ...PROVED, message: 'x'.repeat(2_001), name: 'Vera\nBcc: x@y.org' }, ['message', 'name']],
    ['/visitor', { ...PROVED, message: 'too short', name: 'x'.repeat(101) }, ['message', 'name']],
    ['/visitor', { ...PROVED, flow: 'x', code: '12345', email: 'v@x.org' }, ['code', 'email', 'flow']],
  ])('refuses a message at %s with %j, naming the field', async (at, body, fields) => {
    const reply = await stack.browser().post<ErrorBody>(path + at, body);
    expect([reply.status, Object.keys(reply.body.details!.fields!).sort()]).toEqual([400, fields.sort()]);
    const elsewhere = `/api/events/${UNKNOWN}/host-messages${at}`;
    expect(await answer(stack.browser().post(elsewhere, body))).toEqual([404, 'EVENT_NOT_FOUND']);
    expect([asked, written]).toEqual([[], []]);
  });

  it('refuses messages a month after the event, before emailing a code', async () => {
    endDate = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const late = stack.browser().post(`${path}/code`, { email: 'v@x.org' });
    expect(await answer(late)).toEqual([409, 'HOST_NOT_REACHABLE']);
    expect(asked).toEqual([]);
  });

  it('refuses messages and stops offering them once the community disables them', async () => {
    const { browser } = await stack.signedIn();
    const offered = async () => (await browser.get<Community>('/api/config')).body.contactHost;
    expect(await offered()).toBe(true);
    stack.gateway.app.get(CommunityFollower).community.contactHost = false;
    expect(await offered()).toBe(false);
    const [one, two, three] = [
      browser.post(path, TEXT),
      stack.browser().post(`${path}/code`, { email: 'v@x.org' }),
      stack.browser().post(`${path}/visitor`, PROVED),
    ];
    for (const reply of [one, two, three]) expect(await answer(reply)).toEqual([404, 'NOT_FOUND']);
    expect([asked, written]).toEqual([[], []]);
  });
});
