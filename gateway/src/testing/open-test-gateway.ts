import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
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
  SignIn,
  SignUp,
  type KeyedSignUpRequest,
  type ServiceName,
  type SessionUser,
  type SignInRequest,
  type User,
} from '@meetmark/contracts';
import { createLogger, NestLogger, PlatformModule, Readiness, type RunningProcess } from '@meetmark/platform';
import {
  keepAlive,
  played,
  playService,
  scenes,
  type Played,
} from '@meetmark/platform/testing/play-services';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { serviceForTests } from '@meetmark/platform/testing/test-service';
import { redisUrlAs, testDatabase, testRedis, type TestDatabase } from '@meetmark/testing';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import pg from 'pg';
import { GatewayConfig } from '../gateway.config.js';
import { ApiDocument } from '../openapi/api-document.js';
import { openGateway, type Gateway } from '../open-gateway.js';
import { undescribed } from './undescribed.js';

export const PASSWORD = 'correct horse';
const COMMUNITY = new URL('../../../config/demo/community.json', import.meta.url).pathname;

const OWNED = scenes(played(GetSetupState, () => ({ open: false })));

export interface TestGateway {
  gateway: Gateway;
  url: string;
  config: GatewayConfig;
  database: TestDatabase;
  owner: pg.Pool;
  redisOwnerUrl: string;
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

interface TestGatewayOptions {
  config?: Partial<GatewayConfig>;
  /** Signs users in. By default, everyone's password is PASSWORD. */
  signIn?(request: SignInRequest, users: Users): SessionUser | Promise<SessionUser>;
  /** Replaces the creation of an account. Can call `make`, which creates the account. */
  signUp?(request: KeyedSignUpRequest, make: () => Promise<SessionUser>): Promise<SessionUser>;
  auth?: Played[];
  events?: Played[];
  admin?: Played[];
  onLog?(line: string): void;
}

/** Opens a gateway with a real database and Redis. The services are fake, but use the real transport. */
export async function openTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await testDatabase();
  const owner = new pg.Pool({ connectionString: database.url, max: 5 });
  const users = new Map<string, SessionUser>();
  const ownerUrl = options.config?.redisUrl ?? (await testRedis()).ownerUrl;
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
    ...options.config,
    redisUrl: redisUrlAs(ownerUrl, 'gateway'),
  });

  const services: RunningProcess[] = [];
  const own = options.auth ?? [];
  const owned = own.some(({ message }) => message.name === GetSetupState.name) ? [] : OWNED;
  const auth = [...accounts(users, owner, options), ...owned, ...own];
  const letGo: (() => Promise<void>)[] = [];
  const play = async (name: ServiceName, parts: Played[]) => {
    services.push(await playService(name, config, parts));
    letGo.push(await keepAlive(name, config));
  };
  await play('auth', auth);
  for (const name of ['events', 'admin'] as const) {
    const parts = options[name];
    if (parts !== undefined) await play(name, parts);
  }
  const gateways: Gateway[] = [];
  const limitProblems: string[] = [];
  const { onLog } = options;
  const write = (line: string) => {
    onLog?.(line);
    if (line.includes('"context":"Limits"')) limitProblems.push(line.trim());
  };
  const level = onLog === undefined ? 'warn' : 'trace';
  const logger = new NestLogger(createLogger({ name: 'gateway', level }, { write }));
  const another = async (changes: Partial<GatewayConfig> = {}) => {
    const own = Object.assign(new GatewayConfig(), config, changes);
    const readiness = new Readiness();
    const opened = await openGateway({
      config: own,
      platform: PlatformModule.forProcess(GatewayConfig, own, readiness),
      logger,
      readiness,
    });
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
    gateway,
    url: gateway.url,
    config,
    database,
    owner,
    redisOwnerUrl: ownerUrl,
    users,
    addUser,
    browser,
    another,
    signedIn: async (given, headers) => {
      const user = await addUser(given);
      const signedIn = browser(headers);
      const reply = await signedIn.post('/api/login', { email: user.email, password: PASSWORD });
      if (reply.status !== 200) throw new Error(`could not sign in: ${reply.status} ${reply.text}`);
      return { browser: signedIn, user };
    },
    close: async () => {
      await Promise.all(gateways.map((each) => each.stop()));
      await Promise.all([...letGo.map((end) => end()), ...services.map((service) => service.stop())]);
      await owner.end();
      await database.drop();
      if (limitProblems.length > 0) throw new Error(`Limits went wrong: ${limitProblems.join('; ')}`);
    },
  };
}

export const FIRST_PAINT = {
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

export const gatewayForTests = (options?: TestGatewayOptions) =>
  serviceForTests(() => openTestGateway(options));

export async function growOld(
  { owner, redisOwnerUrl }: TestGateway,
  { id }: User,
  kind: FreshSignInFor,
): Promise<void> {
  await owner.query(
    `UPDATE gateway.sessions SET sess = jsonb_set(sess::jsonb, '{confirmedAt}', $2::jsonb)::json WHERE user_id = $1`,
    [id, String(Date.now() - FRESH_SIGN_IN[kind])],
  );
  const redis = new Redis(redisOwnerUrl);
  const keys = await redis.keys('session:*');
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
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
  { signIn = checkPassword, signUp = (_request, make) => make() }: TestGatewayOptions,
): Played[] {
  const raised = (id: string): SessionUser => {
    const known = users.get(id)!;
    const changed = { ...known, epoch: known.epoch + 1, version: known.version + 1 };
    users.set(id, changed);
    return changed;
  };
  return scenes(
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
