import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError, GetSetupState, type SessionUser, SetUp } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { ApiClient } from '@meetmark/testing/http-client';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

describe('setting up an installation that nobody owns', () => {
  const token = 'A'.repeat(22);
  const owner = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva', password: 'correct horse' };
  let stack: TestGateway;
  let made: SessionUser;
  let open = true;
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'web-'));
    mkdirSync(join(root, '.vite'));
    writeFileSync(
      join(root, 'index.html'),
      '<html lang="en-US"><!--meta--><title>Built</title><!--/meta--><!--first-paint--><!--first-answers-->',
    );
    const pieces = {
      frame: '{{name}}',
      letter: '',
      logo: '',
      strip: '',
      landing: '',
      waiting: '<i>wait</i>',
    };
    writeFileSync(join(root, '.vite/first-paint.json'), JSON.stringify(pieces));
    writeFileSync(join(root, 'main.js'), 'script');
    stack = await openTestGateway({
      config: { rateLimitProfile: 'standard', webRoot: root },
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
  afterAll(async () => {
    await stack.close();
    rmSync(root, { recursive: true });
  });

  it('is all that visitors are led to until there is an owner: one page that names no community', async () => {
    const visitor = stack.browser();
    const event = '/events/0197f000-0000-7000-8000-000000000000';
    for (const path of ['/', '/events', event, '/admin', '/nowhere']) {
      const { status, headers } = await visitor.get(path, { accept: 'text/html' });
      expect([path, status, headers.get('location'), headers.get('cache-control')]).toEqual([
        ...[path, 302, '/setup', 'no-store'],
      ]);
    }
    const page = await visitor.get('/setup', { accept: 'text/html' });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [head] = page.text.split('<script');
    expect(head).toContain('noindex');
    expect(head).toContain('<i>wait</i>');
    expect(head).not.toContain('Northern');
    expect((await visitor.get('/main.js')).text).toBe('script');
  });

  it('lets nobody have an account before, by a sentence that says why', async () => {
    const visitor = stack.browser();
    const person = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva' };
    const event = '/api/events/0197f000-0000-7000-8000-000000000000/rsvp';
    for (const [path, body] of [
      ['/api/register', { ...person, password: 'correct horse', linkedInUrl: '' }],
      [event, person],
    ] as const)
      expect(await visitor.post(path, body)).toMatchObject({
        status: 409,
        body: {
          code: 'NOT_SET_UP',
          message: 'Nobody can sign up yet: this community has not been set up',
        },
      });
  });

  it('is in the language of the browser, which nobody has chosen', async () => {
    const spoken = async (language: string) => {
      const { text } = await stack
        .browser()
        .get('/setup', { accept: 'text/html', 'accept-language': language });
      return /<html [^>]*>/.exec(text)?.[0];
    };
    for (const [language, html] of [
      ['de-AT,de;q=0.9,en;q=0.8', '<html lang="de" data-asked>'],
      ['pt-PT,pt;q=0.9,de;q=0.8,en;q=0.7', '<html lang="de" data-asked>'],
      ['en;q=0.5, de;q=0.7', '<html lang="de" data-asked>'],
      ['fr,de;q=0.5', '<html lang="de" data-asked>'],
      ['en-AU,en;q=0.9', '<html lang="en-GB" data-asked>'],
      ['pt', '<html lang="en-US">'],
      ['*', '<html lang="en-US">'],
      [',;q=,'.repeat(2_000), '<html lang="en-US">'],
    ] as const)
      expect([language, await spoken(language)]).toEqual([language, html]);
  });

  it('signs the new owner in, and opens the site at once', async () => {
    const browser = stack.browser();
    const other = await stack.another();
    const elsewhere = () => new ApiClient(other.url, { accept: 'text/html' }).get('/');
    expect((await elsewhere()).status).toBe(302);
    expect((await browser.get('/api/setup')).body).toEqual({ open: true });
    expect(await browser.post('/api/setup', { token, owner })).toMatchObject({
      status: 200,
      body: { email: owner.email, role: 'owner' },
    });
    expect((await browser.get('/api/user')).body).toMatchObject({ email: owner.email });
    open = false;
    for (const [path, status] of [
      ['/', 200],
      ['/setup', 404],
    ] as const)
      expect([path, (await browser.get(path, { accept: 'text/html' })).status]).toEqual([path, status]);
    await until('the other gateway', 5_000, async () => (await elsewhere()).status === 200);
    expect((await browser.get('/api/setup')).status).toBe(404);
  });

  it('names fields that are wrong, and is tried ten times a network', async () => {
    const browser = stack.browser();
    const wrong = await browser.post<{ details: { fields: object } }>('/api/setup', {
      token: 'x',
      owner: { ...owner, email: 'x', password: 'nine long' },
    });
    expect([wrong.status, Object.keys(wrong.body.details.fields).toSorted()]).toEqual([
      ...[400, ['owner.email', 'owner.password', 'token']],
    ]);
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1)
      statuses.push((await browser.post('/api/setup', { token: 'B'.repeat(22), owner })).status);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
  });
});
