import { until } from '@meetmark/testing';
import { newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { expectEqual, type Checks } from './checks.js';
import { docker, Compose } from './compose.js';

const PORT = '18580';
const SENDER = 'events@example.org';
const SMTP_HOST = 'smtp.example.org';
const REQUIRED = {
  PUBLIC_URL: 'https://events.example.org',
  // The test's mail server has no TLS.
  SMTP_URL: `smtp://${SMTP_HOST}:1025?tls=off`,
  MAIL_FROM: `Events <${SENDER}>`,
};
const MAIL_IMAGE = process.env['MAIL_IMAGE'] || 'axllent/mailpit:v1.27';
const MAIL_WITHIN_MS = 60_000;

interface Production {
  root: string;
  envFile: string;
  onStart: (down: () => Promise<unknown>) => void;
}

export async function checkProduction(checks: Checks, { root, envFile, onStart }: Production): Promise<void> {
  const name = `meetmark-production-${process.pid}`;
  const files = ['docker-compose.production.yml'];
  const compose = new Compose({ root, name, envFile, files, environment: { ...REQUIRED, PORT } });
  onStart(() => compose.run('down', '-v', '--timeout', '45'));
  await checks.check('production comes up healthy from nothing, without a mail catcher', async () => {
    await compose.up();
    const published = await docker('ps', '--filter', `name=${name}`, '--format', '{{.Ports}}');
    const ports = published.split(/[\n,]/).filter((each) => each.includes('->'));
    expectEqual(ports.join().trim(), `127.0.0.1:${PORT}->8080/tcp`, 'published');
  });
  await checks.check('production sends cookies only by https, and emails through its server', async () => {
    const smtp = `${name}-smtp`;
    const network = ['--network', compose.network('outside'), '--network-alias', SMTP_HOST];
    await docker('run', '-d', '--rm', '--name', smtp, ...network, '-p', '127.0.0.1::8025', MAIL_IMAGE);
    onStart(() => docker('rm', '-f', smtp));
    const host = new URL(REQUIRED.PUBLIC_URL).host;
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': host };
    const visitor = new ApiClient(`http://127.0.0.1:${PORT}`, headers);
    const person = newcomer('Paul', 'Person');
    const answer = await visitor.post('/api/register', person);
    expectEqual(answer.status, 201, 'sign-up');
    const cookies = answer.headers.getSetCookie().join(' ');
    if (!/__Host-[^ ]*.*; Secure/i.test(cookies)) throw new Error(`cookies: ${cookies}`);
    await visitor.expect(202, 'POST', '/api/forgot-password', { email: person.email });
    const page = (await docker('port', smtp, '8025')).trim();
    await until('the email', MAIL_WITHIN_MS, async () => {
      const emails = await (await fetch(`http://${page}/api/v1/messages`)).text();
      return emails.includes(person.email) && emails.includes(SENDER);
    });
  });
}
