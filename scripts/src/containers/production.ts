import { until } from '@meetmark/testing';
import { newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { docker, Compose } from './compose.js';
import { expectEqual, type Checks } from './checks.js';

const PORT = '18580';
const SENDER = 'events@example.org';
/** What docker-compose.production.yml refuses to start without; the mail server is somebody else's, on the worker's way out. */
const DEMANDED = {
  PUBLIC_URL: 'https://events.example.org',
  // a mail catcher knows no TLS
  SMTP_URL: 'smtp://smtp.example.org:1025?tls=off',
  MAIL_FROM: `Events <${SENDER}>`,
};
const SMTP_HOST = 'smtp.example.org';
const MAIL_IMAGE = process.env['MAIL_IMAGE'] || 'axllent/mailpit:v1.27';
const MAIL_WITHIN_MS = 60_000;

/** The files that an installation for people runs on, from nothing. */
export async function checkProduction(
  checks: Checks,
  {
    root,
    envFile,
    onStart,
  }: { root: string; envFile: string; onStart: (down: () => Promise<unknown>) => void },
): Promise<void> {
  const name = `meetmark-production-${process.pid}`;
  const files = ['docker-compose.production.yml'];
  const project = { root, name, envFile, files };
  const compose = new Compose({ ...project, environment: { ...DEMANDED, PORT } });
  for (const missing of Object.keys(DEMANDED)) {
    await checks.check(`production refuses to start without ${missing}`, async () => {
      const incomplete = new Compose({ ...project, environment: { ...DEMANDED, PORT, [missing]: '' } });
      const refusal = await incomplete.run('config', '-q').then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      if (!refusal.includes(`required variable ${missing}`)) throw new Error(refusal);
    });
  }
  const smtp = `${name}-smtp`;
  onStart(() => compose.run('down', '-v', '--timeout', '45'));
  await checks.check('production comes up healthy from nothing, without a mail catcher', async () => {
    await compose.up();
    const running = (await compose.containers()).map(({ service }) => service);
    expectEqual(running.includes('mail'), false, 'mail catcher');
    const published = await docker('ps', '--filter', `name=${name}`, '--format', '{{.Ports}}');
    const ports = published.split(/[\n,]/).filter((each) => each.includes('->'));
    expectEqual(
      ports.map((each) => each.trim()),
      [`127.0.0.1:${PORT}->8080/tcp`],
      'published',
    );
  });
  await checks.check(
    'production gives cookies to https alone, and mails through the server named',
    async () => {
      const network = ['--network', compose.network('outside'), '--network-alias', SMTP_HOST];
      await docker('run', '-d', '--rm', '--name', smtp, ...network, '-p', '127.0.0.1::8025', MAIL_IMAGE);
      onStart(() => docker('rm', '-f', smtp));
      const headers = {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-host': new URL(DEMANDED.PUBLIC_URL).host,
      };
      const visitor = new ApiClient(`http://127.0.0.1:${PORT}`, headers);
      const person = newcomer('Paul', 'Person');
      const { email } = person;
      const answer = await visitor.post('/api/register', person);
      expectEqual(answer.status, 201, 'sign-up');
      const cookies = answer.headers.getSetCookie();
      if (!cookies.some((cookie) => /^__Host-.*; Secure/i.test(cookie)))
        throw new Error(`cookies: ${cookies.join(' ')}`);
      await visitor.expect(202, 'POST', '/api/forgot-password', { email });
      const page = (await docker('port', smtp, '8025')).trim();
      await until(`a mail from ${SENDER} to ${email}`, MAIL_WITHIN_MS, async () => {
        const mails = await (await fetch(`http://${page}/api/v1/messages`)).text();
        return mails.includes(email) && mails.includes(SENDER);
      });
    },
  );
}
