import { DomainError, GetSetupState, type SessionUser, SetUp } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

describe('setting up an installation that nobody owns', () => {
  const token = 'A'.repeat(22);
  const owner = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva', password: 'correct horse' };
  let stack: TestGateway;
  let made: SessionUser;
  let open = true;
  beforeAll(async () => {
    stack = await openTestGateway({
      config: { rateLimitProfile: 'standard' },
      auth: scenes(
        played(GetSetupState, () => ({ open })),
        played(SetUp, (request) => {
          if (request.token !== token) throw new DomainError('SETUP_LINK_INVALID');
          return made;
        }),
      ),
    });
    const { id } = await stack.addUser({ email: owner.email, isAdmin: true });
    made = stack.users.get(id)!;
  });
  afterAll(() => stack.close());

  it('signs the new owner in', async () => {
    const browser = stack.browser();
    expect((await browser.get('/api/setup')).body).toEqual({ open: true });
    expect(await browser.post('/api/setup', { token, owner })).toMatchObject({
      status: 200,
      body: { email: owner.email, role: 'owner' },
    });
    expect((await browser.get('/api/user')).body).toMatchObject({ email: owner.email });
    open = false;
    expect((await browser.get('/api/setup')).status).toBe(404);
  });

  it('names fields that are wrong, and is tried ten times a network', async () => {
    const browser = stack.browser();
    const wrong = await browser.post<{ details: { fields: object } }>('/api/setup', {
      token: 'x',
      owner: { ...owner, email: 'x' },
    });
    expect([wrong.status, Object.keys(wrong.body.details.fields)]).toEqual([400, ['token', 'owner.email']]);
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1)
      statuses.push((await browser.post('/api/setup', { token: 'B'.repeat(22), owner })).status);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
  });
});
