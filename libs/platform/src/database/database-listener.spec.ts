import { DEADLINES } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import { databaseForTests } from '../testing/database-for-tests.js';
import { SilentProxy } from '../testing/silent-proxy.js';
import { DatabaseListener } from './database.module.js';

const NAME = 'meetmark-worker-listen';
const PATIENCE = 60_000;
const NOWHERE = 'postgres://127.0.0.1:1';

describe('the database listener', () => {
  const database = databaseForTests();
  let proxy: SilentProxy;
  let listener: DatabaseListener;
  const heard: string[] = [];

  const deadlines = { ...DEADLINES };
  beforeAll(() => {
    Object.assign(DEADLINES, { call: 1_000 });
    Logger.overrideLogger(false);
  });
  afterAll(() => Object.assign(DEADLINES, deadlines));
  beforeEach(async () => {
    proxy = await SilentProxy.before(database.urlFor('meetmark_worker'));
    listener = new DatabaseListener({ databaseUrl: proxy.url }, NAME);
    for (const channel of ['one', 'two']) listener.listen(channel, () => heard.push(channel));
  });
  afterEach(async () => {
    listener.onApplicationShutdown();
    await connectionsAre(0);
    await proxy.close();
    heard.length = 0;
  });

  const connectionsAre = (count: number) =>
    until(`${count} connections`, PATIENCE, async () => {
      const { rowCount } = await database.owner.query(
        'SELECT FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
        [NAME],
      );
      return rowCount === count;
    });
  const listens = () => until('the connection', PATIENCE, async () => listener.isListening);
  const isDeaf = () => until('the loss of it', PATIENCE, async () => !listener.isListening);
  const hears = (...channels: string[]) =>
    until(channels.join(), PATIENCE, async () => heard.join() === channels.join());
  const start = async () => {
    listener.onApplicationBootstrap();
    await hears('one', 'two');
    heard.length = 0;
  };

  it('receives notifications of all channels on one connection', async () => {
    const idle = new DatabaseListener({ databaseUrl: proxy.url }, NAME);
    idle.onApplicationBootstrap(); // It listens to no channel, so it opens no connection.
    await start();
    await connectionsAre(1);
    expect(proxy.accepted).toBe(1);
    await database.owner.query('NOTIFY two');
    await database.owner.query('NOTIFY three');
    await database.owner.query('NOTIFY one');
    await hears('two', 'one');
    idle.onApplicationShutdown();
  });

  it('calls the listeners of all channels after it reconnects', async () => {
    await start();
    await database.owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [NAME],
    );
    await isDeaf();
    await hears('one', 'two');
    expect(listener.isListening).toBe(true);
    await database.owner.query('NOTIFY one');
    await hears('one', 'two', 'one');
  });

  it('keeps reconnecting while the server refuses connections or does not respond', async () => {
    proxy.leadTo(NOWHERE);
    listener.onApplicationBootstrap();
    await until('some attempts', PATIENCE, async () => proxy.accepted > 3);
    proxy.goSilent();
    proxy.leadTo(database.url);
    const refused = proxy.accepted;
    await until('two attempts more', PATIENCE, async () => proxy.accepted > refused + 1);
    expect(listener.isListening).toBe(false);
    proxy.speakAgain();
    await listens();
    await hears('one', 'two');
  });

  it('stops reconnecting after it is shut down', async () => {
    proxy.leadTo(NOWHERE);
    listener.onApplicationBootstrap();
    await until('some attempts', PATIENCE, async () => proxy.accepted > 3);
    listener.onApplicationShutdown();
    const { accepted } = proxy;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(proxy.accepted).toBe(accepted);
  });
});
