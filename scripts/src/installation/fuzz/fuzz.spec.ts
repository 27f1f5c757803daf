import { inTurns } from '@meetmark/testing';
import type { Answer, ApiClient } from '@meetmark/testing/http-client';
import type { DescribedCall } from '../api-description.js';
import { installationForTests } from '../open-installation.js';
import { Random } from './random.js';
import { fuzzRequest, type FuzzRequest, type OwnSubjects } from './requests.js';

/** FUZZ_SEED and FUZZ_REQUESTS select other requests or repeat a failed run. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);
/**
 * Number of concurrent requests. More would cause legitimate 503s, because services hash and decode only a
 * few at a time.
 */
const WIDTH = 8;
/**
 * Calls that end the caller's session. Only the visitor makes them, because the other callers need their
 * session.
 */
const ENDS_SESSION = /^(SignIn|Closing)_/;
const SERVER_ERROR = 500;
const INTERNALS =
  /\bat \S+ \(|\.(js|ts):\d+|node_modules|\/dist\/|\bSELECT\b|\bINSERT\b|violates|relation "|syntax error|ECONN|127\.0\.0\.1|localhost|postgres|redis|\$argon2/i;

const WRITTEN = /<(script type="application\/(?:ld\+)?json"|noscript)[^]*?<\/(?:script|noscript)>/g;

describe('the API', () => {
  const installation = installationForTests();
  let callers: ApiClient[];
  const own: OwnSubjects = { events: [], users: [] };

  beforeAll(async () => {
    const { visitor, addMember, addAdministrator, createEvent } = installation;
    callers = [visitor(), (await addMember()).client, (await addAdministrator()).client];
    for (let count = 0; count < 3; count++) {
      own.events.push((await createEvent()).id);
      own.users.push((await addMember()).user.id);
    }
  });

  /** Remembers created events and users, which this story may change and delete. */
  function keep({ path }: DescribedCall, { status, body }: Answer): void {
    if (status !== 201 || path.includes('{id}')) return;
    const { id } = body as { id?: string };
    if (id !== undefined) (path === '/api/events' ? own.events : own.users).push(id);
  }

  function check(call: DescribedCall, request: FuzzRequest, { status, text }: Answer): void {
    const { method, path, headers, body } = request;
    const asked = `${method} ${path} ${JSON.stringify(headers)} ${Buffer.from(body ?? [])
      .toString()
      .slice(0, 500)}`;
    const inside = status >= 400 ? INTERNALS.exec(text.replaceAll(WRITTEN, '')) : null;
    const fault =
      status >= SERVER_ERROR ? 'fails' : inside !== null ? `tells too much ('${inside[0]}')` : null;
    if (fault !== null)
      throw new Error(
        `${call.operation.operationId} ${fault} (seed ${SEED}): ${asked}\n${status} ${text.slice(0, 500)}`,
      );
  }

  it(`answers ${REQUESTS} random requests without server errors, crashes or leaks`, async () => {
    const { api } = installation;
    const crashes: unknown[] = [];
    const note = (reason: unknown) => void crashes.push(reason);
    process.on('unhandledRejection', note);
    const random = new Random(SEED);
    const statuses = new Map<number, number>();
    await inTurns(Array.from({ length: REQUESTS }), WIDTH, async (_, index) => {
      const call = api.calls[index % api.calls.length]!;
      const role = ENDS_SESSION.test(call.operation.operationId) ? 0 : random.below(callers.length);
      const client = role === 0 ? installation.visitor() : callers[role]!;
      const request = fuzzRequest(random, api, call, own);
      const answer = await client.sendBytes(request.method, request.path, request.body, request.headers);
      check(call, request, answer);
      keep(call, answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    });
    process.off('unhandledRejection', note);
    expect(crashes).toEqual([]);
    // Enough requests succeeded and failed to make this test meaningful.
    for (const status of [200, 201, 204, 400, 401, 403, 404, 415])
      expect(statuses.get(status)).toBeGreaterThan(REQUESTS / 1_000);
  }, 300_000);
});
