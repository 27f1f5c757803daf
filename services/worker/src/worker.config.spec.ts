import { ConfigError, loadConfig } from '@meetmark/platform';
import { WorkerConfig } from './worker.config.js';

const SECRET = 'a secret of at least thirty-two characters';
const valid = {
  DATABASE_URL: 'postgres://localhost/meetmark',
  REDIS_URL: 'redis://localhost',
  SMTP_URL: 'smtp://user:password@mail.example:587',
  MAIL_FROM: 'events@meet.example',
  PUBLIC_URL: 'https://meet.example',
  COMMUNITY_CONFIG: 'config/community.json',
  LINK_SECRETS: SECRET,
  RESET_CODE_SECRETS: `${SECRET}, an older ${SECRET}`,
  GUEST_CODE_SECRETS: SECRET,
};

function problemsWith(changes: Record<string, string>): string[] {
  try {
    loadConfig(WorkerConfig, { ...valid, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the worker configuration', () => {
  it('loads from the required variables and fills in defaults', () => {
    expect(loadConfig(WorkerConfig, valid)).toMatchObject({
      ...{ mailConcurrency: 1, queuePrefix: 'jobs' },
      ...{ jobLock: 8_000, takeOverEvery: 3_000, lookEvery: 5_000, retryAfter: 1_000 },
    });
  });

  it.each(['Our Events <events@localhost>', '"Events, and more" <events@meet.example>'])(
    'accepts the sender %j',
    (mailFrom) => expect(problemsWith({ MAIL_FROM: mailFrom })).toEqual([]),
  );

  it.each([
    ['SMTP_URL', 'http://mail.example'],
    ['MAIL_FROM', 'events'],
    ['MAIL_FROM', 'Events <events>'],
    ['MAIL_FROM', 'a@b.co, c@d.co'],
    ['MAIL_FROM', 'a@b.co\r\nBcc: c@d.co'],
    ['PUBLIC_URL', 'meet.example'],
    ['PUBLIC_URL', 'http://meet.example'],
    ['LINK_SECRETS', 'x'.repeat(40)],
    ['LINK_SECRETS', 'short'],
    ['MAIL_CONCURRENCY', '0'],
    ['MESSAGES_PER_SECOND', '0'],
    ['JOB_LOCK', '999'],
    ['TAKE_OVER_EVERY', '0'],
    ['LOOK_EVERY', '0'],
    ['RETRY_AFTER', '0'],
  ])('reports an invalid %s (%s) without showing the value', (name, value) => {
    const problems = problemsWith({ [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
    expect(problems.join()).not.toContain(`${name} ${value}`);
  });
});
