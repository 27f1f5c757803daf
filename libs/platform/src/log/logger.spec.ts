import 'reflect-metadata';
import { DomainError } from '@meetmark/contracts';
import { QueryFailedError } from 'typeorm';
import { runInCall, StartedCall } from '../call/call.js';
import { createLogger, NestLogger } from './logger.js';
import { HIDDEN } from './redaction.js';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

function logged(work: (logger: NestLogger) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  work(new NestLogger(createLogger({ name: 'auth', level: 'trace' }, destination)));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the logger', () => {
  it('writes each entry with its metadata and fields as one line of JSON', () => {
    const [line, other] = logged((logger) => {
      logger.log('user created', 'Users');
      logger.warn({ eventId: 'e1', msg: 'event is full' }, 'Events');
    });
    expect(line).toMatchObject({ level: 'info', service: 'auth', context: 'Users', msg: 'user created' });
    expect(Date.parse(String(line?.time))).not.toBeNaN();
    expect(other).toMatchObject({ level: 'warn', eventId: 'e1', msg: 'event is full', context: 'Events' });
  });

  it('adds the id of the current request', () => {
    const [inside, outside] = logged((logger) => {
      runInCall(new StartedCall({ requestId: 'request-1', timeLeft: 1 }), () => logger.log('inside'));
      logger.log('outside');
    });
    expect(inside?.requestId).toBe('request-1');
    expect(outside).not.toHaveProperty('requestId');
  });

  it('logs an error passed as a field, as an object or as a stack', () => {
    const error = new DomainError('EVENT_FULL', { retryAfter: 1 }, { cause: new Error('beneath') });
    const lines = logged((logger) => {
      logger.error({ err: error, msg: 'refused' });
      logger.error(error, 'Context');
      logger.error('refused', error.stack, 'Context');
    });
    expect(lines).toMatchObject([
      { msg: 'refused', err: { code: 'EVENT_FULL', cause: { message: 'beneath' } } },
      { context: 'Context', err: { type: 'DomainError' } },
      { context: 'Context', msg: 'refused', stack: expect.stringContaining('logger.spec') },
    ]);
  });

  it.each([
    ['a password', { password: 'hunter22' }],
    ['a password deep inside', { request: { body: [{ newPassword: 'hunter22' }] } }],
    ['a cookie', { headers: { cookie: 'sid=hunter22' } }],
    ['a token', { resetToken: 'hunter22' }],
    ['a session id', { sid: 'hunter22' }],
    ['a reset code', { code: '224466' }],
    ['a signed token within text', { note: `sent ${TOKEN}` }],
    ['the password in a URL', { url: 'redis://user:hunter22@redis:6379' }],
    ['a password quoted in an error', { err: new Error('no route to postgres://auth:hunter22@db/meetmark') }],
    ['an email address quoted by a mail server', { err: new Error('550 <hunter22@people.example>') }],
    ["a statement's parameters", { err: new QueryFailedError('insert', ['hunter22'], new Error('broken')) }],
  ])('never logs %s', (_what, fields) => {
    const text = JSON.stringify(logged((logger) => logger.log({ ...fields, msg: 'happened' })));
    expect(text).toContain('happened');
    for (const secret of ['hunter22', '224466', TOKEN]) expect(text).not.toContain(secret);
  });

  it('keeps scoped package names in stack traces', () => {
    const stack = 'Error: broken\n    at f (/app/node_modules/@nestjs/core/router.js:1:2)';
    const [line] = logged((logger) => logger.error(Object.assign(new Error('broken'), { stack })));
    expect(line?.err).toMatchObject({ stack });
  });

  it('hides tokens in log messages', () => {
    expect(logged((logger) => logger.log(`called with ${TOKEN}`))[0]?.msg).toBe(`called with ${HIDDEN}`);
  });
});
