import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';

let stack: TestGateway;
beforeAll(async () => {
  stack = await openTestGateway();
});
afterAll(() => stack.close());

describe('signing in', () => {
  it('answers the user and sets a session that works', async () => {
    const { browser, user } = await stack.signedIn();
    const reply = await browser.get('/api/user');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(user);
  });

  it('does not work with a wrong password', async () => {
    const user = await stack.addUser();
    const reply = await stack.browser().post('/api/login', { email: user.email, password: `${PASSWORD}!` });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({
      code: 'CREDENTIALS_INCORRECT',
      message: 'Incorrect email or password',
    });
  });
});
