import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ChangePassword,
  EndSessions,
  DomainError,
  GetSessionUser,
  GetSetupState,
  FRESH_SIGN_IN,
  type FreshSignInFor,
  listMessages,
  type Message,
  PUBLIC_EVENTS_VERSION,
  SERVICES,
  SignIn,
  SignUp,
  type KeyedSignUpRequest,
  type SessionUser,
  type SignInRequest,
  type User,
} from '@meetmark/contracts';
import {
  CommunityFollower,
  createLogger,
  NestLogger,
  PlatformModule,
  Readiness,
  RpcClient,
} from '@meetmark/platform';
import { believeTokensIn } from '@meetmark/platform/testing/open-service';
import {
  keepAlive,
  played,
  playService,
  scenes,
  type Played,
} from '@meetmark/platform/testing/play-services';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { serviceForTests } from '@meetmark/platform/testing/test-service';
import {
  atEndOfRun,
  emptyTables,
  redisUrlAs,
  testDatabase,
  testRedis,
  type TestDatabase,
} from '@meetmark/testing';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { ApiClient } from '@meetmark/testing/http-client';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import pg from 'pg';
import { SecurityEvents } from '../admin/security-events.js';
import { GatewayConfig } from '../gateway.config.js';
import { PictureDecoder } from '../media/decoder.js';
import { ApiDocument } from '../openapi/api-document.js';
import { openGateway, type Gateway } from '../open-gateway.js';
import { DoorLinks } from '../rate-limits/door-links.js';
import { Misses } from '../rate-limits/misses.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { Services } from '../services.js';
import { Installation } from '../site/installation.js';
import { undescribed } from './undescribed.js';

export const PASSWORD = 'correct horse';
const COMMUNITY = new URL('../../../config/demo/community.json', import.meta.url).pathname;

export interface TestGateway {
  gateway: Gateway;
  url: string;
  config: GatewayConfig;
  database: TestDatabase;
  owner: pg.Pool;
  /** Connection to the gateway's Redis with all rights. Connects when it is first used. */
  redis: Redis;
  users: Map<string, SessionUser>;
  addUser(given?: Partial<UserRow>): Promise<User>;
  /** Returns a client that fails the test if the API description lacks an error code that a call returns. */
  browser(headers?: Record<string, string>): ApiClient;
  /** Creates a user who signs in with the headers. */
  signedIn(
    given?: Partial<UserRow>,
    headers?: Record<string, string>,
  ): Promise<{ browser: ApiClient; user: User }>;
  another(changes?: Partial<GatewayConfig>): Promise<Gateway>;
  /** Closes the gateway. Fails if a rate limit logged a problem, which wouldn't show in responses. */
  close(): Promise<void>;
}

interface Fakes {
  /** Signs users in. By default, everyone's password is PASSWORD. */
  signIn?(request: SignInRequest, users: Users): SessionUser | Promise<SessionUser>;
  /** Replaces the creation of an account. Can call `make`, which creates the account. */
  signUp?(request: KeyedSignUpRequest, make: () => Promise<SessionUser>): Promise<SessionUser>;
  auth?: Played[];
  events?: Played[];
  admin?: Played[];
}

interface OpenedGateway extends TestGateway {
  /** Replaces all fake handlers. A message without a handler fails as if its service were unavailable. */
  play(fakes: Fakes): void;
  /** Logs everything to `onLog`. Without it, only problems of rate limits are noticed. */
  log(onLog?: (line: string) => void): void;
  failOnLimitProblems(): void;
}

/** Opens a gateway with a real database and Redis. The services are fake, but use the real transport. */
export async function openTestGateway({
  config: changes,
  ...fakes
}: Fakes & { config?: Partial<GatewayConfig> } = {}): Promise<OpenedGateway> {
  const database = await testDatabase();
  const owner = new pg.Pool({ connectionString: database.url, max: 5 });
  const users = new Map<string, SessionUser>();
  const ownerUrl = changes?.redisUrl ?? (await testRedis()).ownerUrl;
  const config = Object.assign(new GatewayConfig(), {
    nodeEnv: 'test',
    logLevel: 'silent',
    ...database.configFor('meetmark_gateway', 5),
    ...TEST_KEYS,
    sessionSecrets: ['a-session-secret-for-tests-of-the-gateway'],
    linkSecrets: ['a-link-secret-for-tests-of-the-gateway-too'],
    communityConfig: COMMUNITY,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:8080',
    farewell: 0,
    rateLimitProfile: 'test',
    ...changes,
    redisUrl: redisUrlAs(ownerUrl, 'gateway'),
  });
  const redis = new Redis(ownerUrl, { lazyConnect: true }).on('error', () => undefined);
  const { play, stop } = await openFakeServices(config, users, owner);
  play(fakes);
  const { logger, log, failOnLimitProblems } = watchLog();
  const gateways: Gateway[] = [];
  const another = async (more: Partial<GatewayConfig> = {}) => {
    const own = Object.assign(new GatewayConfig(), config, more);
    const readiness = new Readiness();
    const platform = PlatformModule.forProcess(GatewayConfig, own, readiness);
    const opened = await openGateway({ config: own, platform, logger, readiness });
    gateways.push(opened);
    return opened;
  };
  const gateway = await another();
  const addUser = async (given: Partial<UserRow> = {}) => {
    const row = await insertUser(owner, given);
    const user = asUser(row);
    users.set(row.id, { user, epoch: 1, version: 1 });
    return user;
  };
  const description = gateway.app.get(ApiDocument);
  const browser = (headers?: Record<string, string>) => {
    const client = new ApiClient(gateway.url, headers ?? {});
    client.onAnswer = async (call, answer) => {
      const fault = undescribed(description.get(), call, answer);
      if (fault !== undefined) throw new Error(fault);
    };
    return client;
  };
  return {
    ...{ gateway, url: gateway.url, config, database, owner, redis, users },
    ...{ addUser, browser, another, play, failOnLimitProblems },
    log: (onLog) => {
      log(onLog);
      // Applications that opened later in this process have replaced the logger.
      Logger.overrideLogger(logger);
    },
    signedIn: async (given, headers) => {
      const user = await addUser(given);
      const signedIn = browser(headers);
      const reply = await signedIn.post('/api/login', { email: user.email, password: PASSWORD });
      if (reply.status !== 200) throw new Error(`could not sign in: ${reply.status} ${reply.text}`);
      return { browser: signedIn, user };
    },
    close: async () => {
      await Promise.all(gateways.map((each) => each.stop()));
      await stop();
      redis.disconnect();
      await owner.end();
      await database.drop();
      failOnLimitProblems();
    },
  };
}

/** Opens all services with handlers that `play` can replace at any time. */
async function openFakeServices(config: GatewayConfig, users: Users, owner: pg.Pool) {
  const handlers = new Map<string, Played>();
  const delegate = (message: Message) =>
    played(message, (request, call) => {
      const part = handlers.get(message.name);
      if (part === undefined) throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' });
      return part.handler(request, call);
    });
  const open = async (name: (typeof SERVICES)[number]) => {
    const service = await playService(name, config, listMessages(name).map(delegate));
    const letGo = await keepAlive(name, config);
    return () => Promise.all([letGo(), service.stop()]);
  };
  const ends = await Promise.all(SERVICES.map(open));
  return {
    play: (fakes: Fakes) => {
      handlers.clear();
      const { auth = [], events = [], admin = [] } = fakes;
      for (const part of [...accounts(users, owner, fakes), ...auth, ...events, ...admin])
        handlers.set(part.message.name, part);
    },
    stop: () => Promise.all(ends.map((end) => end())),
  };
}

function watchLog() {
  const problems: string[] = [];
  let onLog: ((line: string) => void) | undefined;
  const write = (line: string) => {
    onLog?.(line);
    if (line.includes('"context":"Limits"')) problems.push(line.trim());
  };
  const pino = createLogger({ name: 'gateway', level: 'warn' }, { write });
  return {
    logger: new NestLogger(pino),
    log: (given?: (line: string) => void) => {
      onLog = given;
      pino.level = given === undefined ? 'warn' : 'trace';
    },
    failOnLimitProblems: () => {
      const found = problems.splice(0);
      if (found.length > 0) throw new Error(`Limits went wrong: ${found.join('; ')}`);
    },
  };
}

const FIRST_PAINT = {
  frame: '{{main}}',
  letter: '',
  logo: '',
  strip: '',
  landing: '',
  event: '',
  picture: '',
};

/** Creates a folder like Vite's build, with additional files. Objects are written as JSON. */
export function builtWeb(files: Record<string, object | string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'web-'));
  const usual = {
    'index.html': '<!--meta--><!--/meta--><!--first-paint--><!--first-answers-->',
    '.vite/first-paint.json': FIRST_PAINT,
    '.vite/manifest.json': {},
  };
  for (const [name, content] of Object.entries({ ...usual, ...files })) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const isWritten = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(file, isWritten ? content : JSON.stringify(content));
  }
  return root;
}

let shared: Promise<OpenedGateway> | undefined;

async function openSharedGateway(): Promise<OpenedGateway> {
  const webRoot = builtWeb({
    'index.html':
      '<html lang="en-US"><!--meta--><title>Built</title><!--/meta--><!--first-paint--><!--first-answers-->',
    '.vite/first-paint.json': {
      ...FIRST_PAINT,
      frame: '{{name}}{{main}}',
      event: '{{title}}',
      waiting: '<i>wait</i>',
    },
    'app.js': 'export {};',
    'manifest.webmanifest': {},
  });
  const stack = await openTestGateway({ config: { trustedProxies: 1, webRoot } });
  // Milliseconds. Long enough for slow machines. The decoder limits processor time separately.
  stack.gateway.app.get(PictureDecoder).settings.picture = 60_000;
  atEndOfRun(async () => {
    await stack.close();
    rmSync(webRoot, { recursive: true });
  });
  return stack;
}

interface FileOptions extends Fakes {
  /** Changes of the standard rate limits. By default, the limits of the test profile apply. */
  rateLimits?: string;
  onLog?(line: string): void;
}

/**
 * Returns the gateway that all spec files of a worker share. It reads X-Forwarded-For, and serves a minimal web
 * application. Each file starts without data and with its own fake services, rate limits and log.
 */
export const gatewayForTests = (options: FileOptions = {}): TestGateway =>
  serviceForTests(() => enterSharedGateway(options));

async function enterSharedGateway({ rateLimits, onLog, ...fakes }: FileOptions): Promise<TestGateway> {
  const stack = await (shared ??= openSharedGateway());
  for (const name of SERVICES) believeTokensIn(name);
  stack.log(onLog);
  stack.play(fakes);
  await forgetData(stack);
  forgetCounts(stack, rateLimits);
  const { community } = stack.gateway.app.get(CommunityFollower);
  const usual = { ...community };
  const close = async () => {
    Object.assign(community, usual);
    stack.log();
    stack.failOnLimitProblems();
  };
  return { ...stack, close };
}

async function forgetData({ gateway, owner, redis, users }: TestGateway): Promise<void> {
  await gateway.app.get(SecurityEvents).beforeApplicationShutdown();
  users.clear();
  await emptyTables(owner, ['auth.users', 'gateway.security_events', 'gateway.idempotency_keys']);
  for (const pattern of ['limit:*', 'session:*']) await forgetKeys(redis, pattern);
  await redis.incr(PUBLIC_EVENTS_VERSION);
}

async function forgetKeys(redis: Redis, pattern: string): Promise<void> {
  const keys = await redis.keys(pattern);
  if (keys.length > 0) await redis.del(keys);
}

/** Restores the initial state of classes that count or remember requests. */
function forgetCounts({ gateway: { app }, config }: TestGateway, rateLimits?: string): void {
  const limits = rateLimits === undefined ? {} : ({ rateLimitProfile: 'standard', rateLimits } as const);
  const limiter = new RateLimiter({ ...config, ...limits }, app.get(GatewayRedis));
  Object.assign(app.get(RateLimiter), limiter);
  Object.assign(app.get(DoorLinks), new DoorLinks(app.get(RateLimiter)));
  Object.assign(app.get(Misses), new Misses(app.get(RateLimiter)));
  Object.assign(app.get(Services), new Services(app.get(RpcClient)));
  Object.assign(app.get(Installation), new Installation(app.get(Services)));
}

export async function growOld(
  { owner, redis }: TestGateway,
  { id }: User,
  kind: FreshSignInFor,
): Promise<void> {
  await owner.query(
    `UPDATE gateway.sessions SET sess = jsonb_set(sess::jsonb, '{confirmedAt}', $2::jsonb)::json WHERE user_id = $1`,
    [id, String(Date.now() - FRESH_SIGN_IN[kind])],
  );
  await forgetKeys(redis, 'session:*');
}

function asUser({
  id,
  email,
  firstName,
  lastName,
  description,
  linkedInUrl,
  isAdmin,
  isOrganiser,
  createdAt,
}: UserRow): User {
  const at = createdAt.toISOString();
  return {
    ...{ id, email, firstName, lastName, description, linkedInUrl, isAdmin },
    role: isAdmin ? 'owner' : isOrganiser ? 'organiser' : 'member',
    ...{ profileImageUrl: null, hasSecondFactor: false, createdAt: at, updatedAt: at, version: 1 },
    ...{ emailVerifiedAt: at, pendingEmail: null, hasPassword: true, showMe: 'name' as const, locale: null },
  };
}

type Users = Map<string, SessionUser>;

const byEmail = (users: Users, email: string) => [...users.values()].find(({ user }) => user.email === email);

export function checkPassword({ email, password }: SignInRequest, users: Users): SessionUser {
  const found = byEmail(users, email);
  if (found === undefined || password !== PASSWORD) throw new DomainError('CREDENTIALS_INCORRECT');
  return found;
}

function accounts(
  users: Users,
  owner: pg.Pool,
  { signIn = checkPassword, signUp = (_request, make) => make() }: Fakes,
): Played[] {
  const raised = (id: string): SessionUser => {
    const known = users.get(id)!;
    const changed = { ...known, epoch: known.epoch + 1, version: known.version + 1 };
    users.set(id, changed);
    return changed;
  };
  return scenes(
    played(GetSetupState, () => ({ open: false })),
    played(GetSessionUser, ({ userId }) => users.get(userId) ?? null),
    played(SignIn, (request) => signIn(request, users)),
    played(SignUp, (request) =>
      signUp(request, async () => {
        const { email, firstName, lastName } = request;
        if (byEmail(users, email) !== undefined) throw new DomainError('EMAIL_EXISTS');
        const row = await insertUser(owner, { email, firstName, lastName });
        const made = { user: asUser(row), epoch: 1, version: 1 };
        users.set(row.id, made);
        return made;
      }),
    ),
    played(ChangePassword, ({ currentPassword }, call) => {
      if (currentPassword !== PASSWORD) throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      return raised(call.identity!.sub);
    }),
    played(EndSessions, (_, call) => raised(call.identity!.sub)),
  );
}
